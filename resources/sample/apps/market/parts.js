// Market: parts that several pages share.
"use strict";

const plate = (w, cls) => h("span.plate", { cls, html: drawing(w.shape, w.hue), style: `--ph:${w.hue}` });

/** Amount with a button either side; `set` gets the new amount. */
const amountBox = (id, w, amount, set) => {
  const step = w.kilo ? 100 : 1;
  const to = (n) => {
    set(Math.max(step, Math.min(w.kilo ? 5000 : 20, n)));
    Shell.refresh();
  };
  return h(
    "span.amount",
    null,
    ui.iconButton({ id: id + "_less", icon: "minus", label: "Less", size: 20, tap: () => to(amount - step) }),
    h("span", { id: id + "_value", text: amountText(w, amount) }),
    ui.iconButton({ id: id + "_more", icon: "add", label: "More", size: 20, tap: () => to(amount + step) }),
  );
};

/** One article in a list, with a button that puts the smallest usual amount into the basket. */
const wareRow = (w) =>
  h(
    "div.ware",
    { id: "ware_" + w.id, tap: () => Shell.push("WarePage", w.id), hold: (el) => wareMenu(el, w) },
    plate(w),
    h(
      "div.grow",
      null,
      h("div.nm", { id: "ware_name", text: w.name }),
      h(
        "div.pr",
        null,
        h("span", { id: "ware_price", text: unitText(w), cls: w.was ? "hot" : "" }),
        w.was && h("s", { id: "ware_was", text: money(w.was) }),
      ),
      w.organic && h("span.leaf", { id: "ware_organic", text: "Organic" }),
    ),
    ui.iconButton({
      id: "put_in_" + w.id,
      icon: "add",
      label: `Put ${w.name} in the basket`,
      cls: "plus",
      tap: () => putIn(w, w.kilo ? 500 : 1),
    }),
  );

function wareMenu(el, w) {
  ui.menu(
    el,
    [
      { id: "menu_keep", icon: "bookmark", text: "Save to a list", tap: () => keepSheet(w) },
      { id: "menu_note", icon: "edit", text: "Note for the picker", tap: () => noteDialog(w) },
      { id: "menu_replace", icon: "repeat", text: "If sold out", tap: () => replaceDialog(w) },
    ],
    "WareMenu",
  );
}

function keepSheet(w) {
  ui.sheet({
    name: "KeepSheet",
    title: `Save ${w.name} to`,
    body: () =>
      state.lists.map((l) =>
        ui.row({
          id: "keep_in_" + l.id,
          icon: l.items.includes(w.id) ? "check" : "list",
          title: l.name,
          sub: `${l.items.length} things`,
          tap: () => {
            if (!l.items.includes(w.id)) l.items.push(w.id);
            Shell.layers.pop();
            Shell.snack(`${w.name} saved to ${l.name}`);
          },
        }),
      ),
  });
}

function noteDialog(w) {
  state.drafts[w.id] = state.notes[w.id] || "";
  ui.dialog({
    name: "NoteDialog",
    title: "Note for the picker",
    body: () =>
      ui.field({
        id: "picker_text",
        label: w.name,
        value: state.drafts[w.id],
        focus: true,
        change: (x) => {
          state.drafts[w.id] = x;
        },
      }),
    actions: [
      { id: "note_cancel", text: "Cancel" },
      {
        id: "note_save",
        text: "Save",
        tap: () => {
          state.notes[w.id] = state.drafts[w.id].trim();
        },
      },
    ],
  });
}

const others = (w) => wares.filter((x) => x.aisle === w.aisle && x.id !== w.id).slice(0, 3);

function replaceDialog(w) {
  const options = [SIMILAR, ...others(w).map((x) => x.name), NO_OTHER];
  ui.choose("ReplaceDialog", "If sold out", options, state.replace[w.id] || state.prefs.replace, (x) => {
    state.replace[w.id] = x;
  });
}

/** The bar that shows what is in the basket and leads there. */
const basketBar = () =>
  h(
    "div.buybar",
    null,
    h(
      "button.tobasket",
      { id: "open_basket", label: "Basket", tap: () => Shell.push("BasketPage") },
      ui.icon("basket", 22),
      h("span.grow", { text: state.basket.length ? `Basket · ${state.basket.length}` : "Basket is empty" }),
      h("span", { text: money(goodsTotal()) }),
    ),
  );

const SECTIONS = [
  ["AislesPage", "Aisles"],
  ["OffersPage", "Offers"],
  ["ListsPage", "My lists"],
];
const openSection = (name) => {
  Shell.snackbar = null;
  Shell.stack = [{ name }];
  Shell.blur();
  Shell.refresh();
};

/** The head that the three sections share: where it goes and when, a way to search, the sections. */
const head = (current) => [
  h(
    "div.flex.top",
    null,
    h(
      "div.goesto.grow",
      { id: "delivery_strip", label: "Delivery", tap: () => Shell.push("DeliveryPage") },
      ui.icon("place", 20),
      h("div.grow", null, h("b", { id: "strip_place", text: here().label }), h("span", { id: "strip_slot", text: slotText() })),
    ),
    ui.iconButton({ id: "find_button", icon: "search", label: "Search groceries", tap: openSearch }),
    ui.iconButton({ id: "account_button", icon: "user", label: "Account", tap: accountMenu }),
  ),
  h(
    "div.sections",
    { id: "sections" },
    SECTIONS.map(([name, text]) =>
      h("button", {
        id: "section_" + name.replace("Page", "").toLowerCase(),
        text,
        cls: name === current ? "on" : "",
        "aria-selected": String(name === current),
        tap: () => openSection(name),
      }),
    ),
  ),
];

function openSearch() {
  state.query = "";
  Shell.push("FindPage");
}

function accountMenu(el) {
  ui.menu(
    el,
    [
      { id: "go_orders", icon: "truck", text: "Orders", tap: () => Shell.push("OrdersPage") },
      { id: "go_vouchers", icon: "tag", text: "Vouchers", tap: () => Shell.push("VouchersPage") },
      { id: "go_places", icon: "home", text: "Addresses", tap: () => Shell.push("PlacesPage") },
      { id: "go_preferences", icon: "sliders", text: "Preferences", tap: () => Shell.push("PreferencesPage") },
    ],
    "AccountMenu",
  );
}
