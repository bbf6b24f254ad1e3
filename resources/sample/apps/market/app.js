// Market: orders, vouchers, preferences; and the start.
"use strict";

Object.assign(pages, {
  OrdersPage: () =>
    h(
      "div",
      null,
      ui.appBar({ title: "Orders", id: "orders_title", back: true }),
      h(
        "div.scroll",
        { id: "order_list" },
        state.orders.length
          ? state.orders.map((o) =>
              ui.row({
                id: "order_" + o.id,
                icon: o.coming ? "truck" : "check",
                title: o.when,
                sub: `${o.coming ? "On its way" : "Delivered"} · ${o.lines.length} things`,
                end: money(o.lines.reduce((sum, l) => sum + cost(l), 0)),
                tap: () => Shell.push("OrderPage", o.id),
              }),
            )
          : ui.empty("truck", "No orders yet"),
      ),
    ),

  OrderPage: (id) => {
    const o = order(id);
    if (!o) return h("div", null, ui.appBar({ title: "Order", back: true }), ui.empty("truck", "This order was cancelled"));
    return h(
      "div",
      null,
      ui.appBar({ title: o.coming ? "Coming order" : "Delivered order", id: "order_title", back: true }),
      h(
        "div.scroll",
        { id: "order_things" },
        ui.row({ id: "order_when", icon: "clock", title: o.when, sub: o.coming ? "You can cancel until the day before" : "Thank you" }),
        o.coming
          ? null
          : h(
              "div.flex.pad.rate",
              null,
              h("span.grow", { id: "rate_label", text: "How was it?" }),
              [1, 2, 3, 4, 5].map((n) =>
                ui.iconButton({
                  id: "stars_" + n,
                  icon: "star",
                  label: n === 1 ? "1 star" : `${n} stars`,
                  cls: n <= o.stars ? "lit" : "",
                  tap: () => {
                    o.stars = n;
                    Shell.snack("Thanks for your rating");
                  },
                }),
              ),
            ),
        o.lines.map((l) => {
          const w = ware(l.id);
          return ui.row({ id: "order_line_" + w.id, lead: plate(w, "small"), title: w.name, sub: amountText(w, l.amount), end: money(cost(l)) });
        }),
      ),
      h(
        "div.buybar",
        null,
        o.coming
          ? ui.button({
              id: "cancel_order",
              text: "Cancel this order",
              kind: "outlined",
              cls: "wide",
              tap: () =>
                ui.confirm("CancelDialog", "Cancel this order?", `It was to come ${o.when}.`, "Cancel order", () => {
                  state.orders = state.orders.filter((x) => x !== o);
                  Shell.stack.length -= 1;
                  Shell.snack("Order cancelled");
                }),
            })
          : ui.button({
              id: "order_again",
              text: "Put it all in the basket again",
              kind: "tonal",
              cls: "wide",
              tap: () =>
                putAll(
                  o.lines.map((l) => l.id),
                  "this order",
                ),
            }),
      ),
    );
  },

  VouchersPage: () =>
    h(
      "div",
      null,
      ui.appBar({ title: "Vouchers", id: "vouchers_title", back: true }),
      h(
        "div.scroll",
        { id: "voucher_list" },
        h(
          "div.flex.redeem",
          null,
          h(
            "div.grow",
            null,
            ui.field({
              id: "voucher_code",
              label: "Voucher code",
              value: state.code,
              change: (x) => {
                state.code = x;
              },
              enter: redeem,
            }),
          ),
          ui.button({ id: "redeem_button", text: "Redeem", kind: "filled", tap: redeem }),
        ),
        state.vouchers.map((v) =>
          h(
            "div.coupon",
            { id: "voucher_" + v.code.toLowerCase(), cls: v.used ? "used" : "" },
            h("div.grow", null, h("b", { id: "voucher_text", text: v.text }), h("span", { id: "voucher_name", text: v.code })),
            ui.button({
              id: "use_" + v.code.toLowerCase(),
              text: v.used ? "In use" : "Use",
              kind: v.used ? "filled" : "outlined",
              label: `${v.used ? "In use" : "Use"}: ${v.text}`,
              tap: () => {
                v.used = !v.used;
                Shell.refresh();
              },
            }),
          ),
        ),
      ),
    ),

  PreferencesPage: () => {
    const flip = (key, icon, title, sub) =>
      ui.switchRow({
        id: "pref_" + key,
        icon,
        title,
        sub,
        on: state.prefs[key],
        change: (x) => {
          state.prefs[key] = x;
        },
      });
    return h(
      "div",
      null,
      ui.appBar({ title: "Preferences", id: "preferences_title", back: true }),
      h(
        "div.scroll",
        { id: "preference_list" },
        flip("door", "home", "Leave it at the door", "The driver does not ring"),
        flip("bags", "bag", "Paper bags", "Instead of boxes"),
        flip("reminders", "bell", "Remind me the evening before", "By a notification"),
        flip("organic", "leaf", "Prefer organic", "Organic things come first in searches"),
        ui.row({
          id: "pref_replace",
          icon: "repeat",
          title: "If something is sold out",
          sub: state.prefs.replace,
          tap: () =>
            ui.choose("PrefReplaceDialog", "If something is sold out", [SIMILAR, "Ask me first", NO_OTHER], state.prefs.replace, (x) => {
              state.prefs.replace = x;
            }),
        }),
      ),
    );
  },
});

function redeem() {
  const code = state.code.trim().toUpperCase();
  if (code.length < 5) {
    Shell.snack("A code has five letters or more");
    return;
  }
  const known = state.vouchers.find((v) => v.code === code);
  if (known) known.used = true;
  else state.vouchers.unshift({ code, text: "€2 off the basket", off: 200, used: true });
  state.code = "";
  Shell.blur();
  Shell.snack(`Voucher ${code} redeemed`);
}

/** What the outside may know: the state, what is on the shelves, and the slots. */
function report() {
  const key = Shell.page.name === "AislePage" ? Shell.page.arg : null;
  return {
    ...state,
    looks: undefined,
    wares: wares.map(({ id, name, aisle, kilo, unit, price, organic, was }) => ({ id, name, aisle, kilo, unit, price, organic, offer: Boolean(was) })),
    aisles: AISLES.map(([k, name]) => [k, name]),
    shelf: key ? inAisle(key).map((w) => w.id) : [],
    popular: Object.fromEntries(AISLES.map(([k]) => [k, wares.filter((w) => w.aisle === k).sort((a, b) => b.sold - a.sold).map((w) => w.id)])),
    others: Object.fromEntries(wares.map((w) => [w.id, others(w).map((x) => x.name)])),
    usual,
    slots,
  };
}

Shell.start({ pages, home: "AislesPage", state, report });
