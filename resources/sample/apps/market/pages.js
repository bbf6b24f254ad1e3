// Market: choosing what to buy: aisles, offers, search, one article, the basket.
"use strict";

const pages = {
  AislesPage: () =>
    h(
      "div",
      null,
      head("AislesPage"),
      h(
        "div.scroll",
        { id: "aisle_board" },
        h(
          "div.board",
          null,
          AISLES.map(([key, name, hue, shape]) =>
            h(
              "button.aisle",
              {
                id: "aisle_" + key,
                label: name,
                style: `--ph:${hue}`,
                tap: () => {
                  Object.assign(state, { sort: "Most bought", only: "all" });
                  Shell.push("AislePage", key);
                },
              },
              h("span", { html: drawing(shape, hue) }),
              h("b", { text: name }),
            ),
          ),
        ),
        ui.head("Often bought", "often_title"),
        usual.map((id) => wareRow(ware(id))),
      ),
      basketBar(),
    ),

  OffersPage: () => {
    const cut = wares.filter((w) => w.was).sort((a, b) => b.was - b.price - (a.was - a.price));
    return h(
      "div",
      null,
      head("OffersPage"),
      h(
        "div.scroll",
        { id: "offer_list" },
        h(
          "div.ribbon",
          { id: "voucher_ribbon", tap: () => Shell.push("VouchersPage") },
          ui.icon("tag", 22),
          h("span.grow", { id: "ribbon_text", text: `${state.vouchers.length} vouchers are waiting for you` }),
          ui.icon("right", 20),
        ),
        cut.map(wareRow),
      ),
      basketBar(),
    );
  },

  AislePage: (key) => {
    const found = inAisle(key);
    const pill = (value, text) =>
      ui.chip({
        id: "only_" + value,
        text,
        on: state.only === value,
        tap: () => {
          state.only = value;
          Shell.refresh();
        },
      });
    return h(
      "div",
      null,
      ui.appBar({
        title: AISLES.find((a) => a[0] === key)[1],
        id: "aisle_title",
        back: true,
        actions: [
          { id: "find_button", icon: "search", label: "Search groceries", tap: openSearch },
          {
            id: "arrange_button",
            icon: "sort",
            label: "Arrange",
            tap: () =>
              ui.choose("ArrangeDialog", "Arrange by", ["Most bought", "Name A to Z", "Lowest price", "Highest price"], state.sort, (x) => {
                state.sort = x;
              }),
          },
        ],
      }),
      h("div.hscroll", { id: "aisle_filters" }, pill("all", "All"), pill("offers", "On offer"), pill("organic", "Organic")),
      h("div.dim.pad.count", { id: "shelf_count", text: `${found.length} things · ${state.sort}` }),
      h("div.scroll", { id: "shelf" }, found.length ? found.map(wareRow) : ui.empty("basket", "Nothing of this kind here")),
      basketBar(),
    );
  },

  FindPage: () => {
    const q = state.query.trim().toLowerCase();
    const hits = q ? wares.filter((w) => w.name.toLowerCase().includes(q)) : [];
    if (state.prefs.organic) hits.sort((a, b) => b.organic - a.organic);
    return h(
      "div",
      null,
      ui.searchBar({
        id: "find_text",
        placeholder: "What do you need?",
        back: true,
        focus: true,
        value: state.query,
        change: (x) => {
          state.query = x;
          Shell.refresh();
        },
      }),
      h(
        "div.scroll",
        { id: "found_list" },
        hits.map(wareRow),
        !hits.length && ui.empty("search", q ? `Nothing called “${state.query}”` : "Type the name of something to eat"),
      ),
    );
  },

  WarePage: (id) => {
    const w = ware(id);
    const look = (state.looks[id] = state.looks[id] || { amount: w.kilo ? 500 : 1, open: false });
    return h(
      "div",
      null,
      ui.appBar({
        title: w.name,
        id: "ware_title",
        back: true,
        actions: [
          { id: "keep_button", icon: "bookmark", label: "Save to a list", tap: () => keepSheet(w) },
          { id: "basket_button", icon: "basket", label: "Basket", badge: state.basket.length, tap: () => Shell.push("BasketPage") },
        ],
      }),
      h(
        "div.scroll",
        { id: "ware_details" },
        plate(w, "hero"),
        h(
          "div.pad.facts",
          null,
          h("span.big2", { id: "ware_price", text: unitText(w), cls: w.was ? "hot" : "" }),
          w.was && h("s", { id: "ware_was", text: money(w.was) }),
          w.organic && h("span.leaf", { id: "ware_organic", text: "Organic" }),
        ),
        w.kilo &&
          h(
            "div.hscroll",
            { id: "weights" },
            WEIGHTS.map((g) =>
              ui.chip({
                id: "weight_" + g,
                text: weight(g),
                on: look.amount === g,
                tap: () => {
                  look.amount = g;
                  Shell.refresh();
                },
              }),
            ),
          ),
        ui.row({
          id: "replace_row",
          icon: "repeat",
          title: "If sold out",
          sub: state.replace[id] || state.prefs.replace,
          subId: "replace_value",
          end: ui.icon("right", 20),
          tap: () => replaceDialog(w),
        }),
        ui.row({
          id: "note_row",
          icon: "edit",
          title: "Note for the picker",
          sub: state.notes[id] || "None",
          subId: "note_value",
          end: ui.icon("right", 20),
          tap: () => noteDialog(w),
        }),
        ui.row({
          id: "facts_row",
          icon: "info",
          title: "Origin and storage",
          end: ui.icon(look.open ? "up" : "down", 20),
          tap: () => {
            look.open = !look.open;
            Shell.refresh();
          },
        }),
        look.open && h("div.pad.dim.told", { id: "facts_text", text: `From ${w.origin}. Keep cool and dry, and eat within the week.` }),
        ui.head("Instead of this", "others_title"),
        others(w).map(wareRow),
      ),
      h(
        "div.buybar",
        null,
        amountBox("amount", w, look.amount, (n) => {
          look.amount = n;
        }),
        ui.button({
          id: "put_in_basket",
          text: `Put in · ${money(cost({ id, amount: look.amount }))}`,
          kind: "filled",
          cls: "grow",
          tap: () => putIn(w, look.amount),
        }),
      ),
    );
  },

  BasketPage: () => {
    if (!state.basket.length)
      return h(
        "div",
        null,
        ui.appBar({ title: "Basket", id: "basket_title", back: true }),
        ui.empty(
          "basket",
          "Your basket is empty",
          ui.button({ id: "see_offers", text: "See the offers", kind: "tonal", tap: () => openSection("OffersPage") }),
        ),
      );
    const sum = (id, text, cents, cls) => h("div.sum", { cls }, h("span", { text, id: id + "_label" }), h("b", { id, text: cents }));
    return h(
      "div",
      null,
      ui.appBar({
        title: "Basket",
        id: "basket_title",
        back: true,
        actions: [
          {
            id: "empty_basket",
            icon: "trash",
            label: "Empty the basket",
            tap: () =>
              ui.confirm("EmptyDialog", "Empty the basket?", `${state.basket.length} things are taken out.`, "Empty", () => {
                state.basket = [];
              }),
          },
        ],
      }),
      h(
        "div.scroll",
        { id: "basket_lines" },
        state.basket.map((line) => {
          const w = ware(line.id);
          return h(
            "div.line",
            {
              id: "line_" + w.id,
              label: w.name,
              tap: () => Shell.push("WarePage", w.id),
              hold: (el) => wareMenu(el, w),
              swipe: { left: () => takeOut(w.id) },
            },
            plate(w, "small"),
            h("div.grow", null, h("div.nm", { id: "line_name", text: w.name }), h("div.dim", { id: "line_cost", text: money(cost(line)) })),
            amountBox("line_" + w.id, w, line.amount, (n) => {
              line.amount = n;
            }),
          );
        }),
        ui.row({
          id: "basket_voucher",
          icon: "tag",
          title: "Vouchers",
          sub: discount() ? `${money(discount())} off` : "None used",
          end: ui.icon("right", 20),
          tap: () => Shell.push("VouchersPage"),
        }),
        ui.row({
          id: "basket_slot",
          icon: "clock",
          title: "Delivery time",
          sub: state.slot ? slotText() : "Not chosen",
          end: ui.icon("right", 20),
          tap: () => Shell.push("SlotsPage"),
        }),
        sum("sum_goods", "Groceries", money(goodsTotal())),
        sum("sum_van", "Delivery", state.slot ? money(state.slot.fee) : "–"),
        sum("sum_total", "Together", money(total()), "all"),
      ),
      h(
        "div.buybar",
        null,
        ui.button({
          id: "place_order",
          text: "Order now",
          kind: "filled",
          cls: "wide",
          tap: () =>
            state.slot
              ? ui.confirm("OrderDialog", "Place this order?", `${slotText()} to ${here().label}, ${money(total())}.`, "Order", placeOrder)
              : ui.dialog({
                  name: "NoSlotDialog",
                  title: "No delivery time yet",
                  body: "Choose when the groceries should come.",
                  actions: [
                    { id: "button_later", text: "Later" },
                    {
                      id: "button_times",
                      text: "See times",
                      tap: () => {
                        Shell.layers.pop();
                        Shell.push("SlotsPage");
                        return false;
                      },
                    },
                  ],
                }),
        }),
      ),
    );
  },
};
