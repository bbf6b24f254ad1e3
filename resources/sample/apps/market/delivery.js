// Market: where and when it is brought, addresses, saved lists.
"use strict";

Object.assign(pages, {
  DeliveryPage: () =>
    h(
      "div",
      null,
      ui.appBar({ title: "Delivery", id: "delivery_title", back: true }),
      h(
        "div.scroll",
        { id: "delivery_options" },
        ui.head("Bring it to", "bring_title"),
        state.places.map((p) => placeRow(p, true)),
        ui.row({ id: "other_place", icon: "add", title: "Another address", tap: openPlaceForm }),
        ui.head("When", "when_title"),
        ui.row({ id: "choose_time", icon: "clock", title: slotText(), sub: "Two-hour slots", tap: () => Shell.push("SlotsPage") }),
        ui.switchRow({
          id: "leave_at_door",
          icon: "home",
          title: "Leave it at the door",
          sub: "The driver does not ring",
          on: state.prefs.door,
          change: (x) => {
            state.prefs.door = x;
          },
        }),
      ),
      basketBar(),
    ),

  SlotsPage: () => {
    const today = slots[state.day];
    return h(
      "div",
      null,
      ui.appBar({ title: "Delivery time", id: "slots_title", back: true }),
      h(
        "div.hscroll",
        { id: "slot_days" },
        slots.map((s, i) =>
          ui.chip({
            id: "slot_day_" + i,
            text: s.day,
            on: i === state.day,
            tap: () => {
              state.day = i;
              Shell.refresh();
            },
          }),
        ),
      ),
      h(
        "div.scroll",
        { id: "slot_times" },
        today.times.map((t) => {
          const chosen = state.slot && state.slot.day === today.day && state.slot.from === t.from;
          return ui.row({
            id: "slot_" + t.from,
            lead: ui.box({ id: "slot_mark_" + t.from, on: Boolean(chosen), round: true }),
            title: hourText(t.from),
            sub: t.free ? (t.fee ? money(t.fee) : "Free") : "Fully booked",
            cls: t.free ? "" : "off",
            tap: t.free
              ? () => {
                  state.slot = { day: today.day, from: t.from, fee: t.fee };
                  Shell.snack(`Delivery ${slotText()}`);
                }
              : undefined,
          });
        }),
      ),
      basketBar(),
    );
  },

  PlacesPage: () =>
    h(
      "div",
      null,
      ui.appBar({ title: "Addresses", id: "places_title", back: true }),
      h(
        "div.scroll",
        { id: "place_list" },
        state.places.map((p) => placeRow(p, false)),
        ui.row({ id: "other_place", icon: "add", title: "Another address", tap: openPlaceForm }),
      ),
    ),

  PlaceFormPage: () => {
    const field = (id, key, label, focus) =>
      ui.field({
        id,
        label,
        focus,
        value: state.form[key],
        change: (x) => {
          state.form[key] = x;
        },
      });
    return h(
      "div",
      null,
      ui.appBar({ title: "New address", id: "place_form_title", back: "close" }),
      h(
        "div.scroll.form",
        { id: "place_form" },
        field("place_label", "label", "Name of the address", true),
        h("div.two", null, field("place_street", "street", "Street"), field("place_house", "house", "Number")),
        field("place_hint", "hint", "Hint for the driver"),
        ui.button({ id: "place_save", text: "Save address", kind: "filled", cls: "wide", tap: savePlace }),
      ),
    );
  },

  ListsPage: () =>
    h(
      "div",
      null,
      head("ListsPage"),
      h(
        "div.scroll",
        { id: "saved_lists" },
        state.lists.map((l) =>
          ui.row({
            id: "list_" + l.id,
            icon: "list",
            title: l.name,
            sub: l.items.length ? `${l.items.length} things` : "Nothing in it yet",
            tap: () => Shell.push("ListPage", l.id),
            hold: (el) => listMenu(el, l),
            end: ui.icon("right", 20),
          }),
        ),
        ui.row({ id: "new_list", icon: "add", title: "New list", tap: () => nameDialog("New list", "", makeEmptyList) }),
      ),
      basketBar(),
    ),

  ListPage: (id) => {
    const l = list(id);
    if (!l) return h("div", null, ui.appBar({ title: "List", back: true }), ui.empty("list", "This list was deleted"));
    return h(
      "div",
      null,
      ui.appBar({
        title: l.name,
        id: "list_title",
        back: true,
        actions: [{ id: "list_more", icon: "more", label: "More about this list", tap: (el) => listMenu(el, l) }],
      }),
      h(
        "div.scroll",
        { id: "list_things" },
        l.items.length ? l.items.map((x) => wareRow(ware(x))) : ui.empty("list", "Nothing in this list yet"),
      ),
      l.items.length
        ? h(
            "div.buybar",
            null,
            ui.button({
              id: "list_to_basket",
              text: "Put all in the basket",
              icon: "basket",
              kind: "filled",
              cls: "wide",
              tap: () => putAll(l.items, l.name),
            }),
          )
        : null,
    );
  },
});

const placeRow = (p, choose) =>
  ui.row({
    id: "place_" + p.id,
    lead: choose ? ui.box({ id: "place_mark_" + p.id, on: p.id === state.place, round: true }) : undefined,
    icon: "home",
    title: p.label,
    sub: `${p.street} ${p.house}${p.hint ? " · " + p.hint : ""}`,
    tap: () => {
      state.place = p.id;
      Shell.snack(`Deliveries go to ${p.label}`);
    },
    end: choose
      ? undefined
      : ui.iconButton({
          id: "place_remove_" + p.id,
          icon: "trash",
          label: `Remove ${p.label}`,
          tap: () =>
            state.places.length === 1 || p.id === state.place
              ? Shell.snack("The address in use cannot be removed")
              : ui.confirm("RemovePlaceDialog", `Remove ${p.label}?`, `${p.street} ${p.house}`, "Remove", () => {
                  state.places = state.places.filter((x) => x !== p);
                }),
        }),
  });

function openPlaceForm() {
  state.form = { label: "", street: "", house: "", hint: "" };
  Shell.push("PlaceFormPage");
}

function savePlace() {
  const { label, street } = state.form;
  if (!label.trim() || !street.trim()) {
    Shell.snack("Name and street are needed");
    return;
  }
  state.places.push({ id: nextId++, ...state.form });
  Shell.pop();
  Shell.snack(`${label} saved`);
}

function makeEmptyList(name) {
  state.lists.push({ id: nextId++, name, items: [] });
  Shell.snack(`${name} made`);
}

/** Asks for a list's name; `done` gets it. */
function nameDialog(title, start, done) {
  state.drafts.list = start;
  ui.dialog({
    name: "ListNameDialog",
    title,
    body: () =>
      ui.field({
        id: "list_name_text",
        label: "Name of the list",
        value: state.drafts.list,
        focus: true,
        change: (x) => {
          state.drafts.list = x;
        },
      }),
    actions: [
      { id: "list_name_cancel", text: "Cancel" },
      {
        id: "list_name_ok",
        text: "Save",
        tap: () => {
          if (!state.drafts.list.trim()) return false;
          Shell.layers.pop();
          done(state.drafts.list.trim());
          Shell.blur();
          Shell.refresh();
          return false;
        },
      },
    ],
  });
}

function listMenu(el, l) {
  ui.menu(
    el,
    [
      {
        id: "list_rename",
        icon: "edit",
        text: "Rename",
        tap: () =>
          nameDialog("Rename list", l.name, (name) => {
            l.name = name;
          }),
      },
      {
        id: "list_delete",
        icon: "trash",
        text: "Delete",
        tap: () =>
          ui.confirm("DeleteListDialog", `Delete ${l.name}?`, `${l.items.length} things are in it.`, "Delete", () => {
            state.lists = state.lists.filter((x) => x !== l);
          }),
      },
    ],
    "ListMenu",
  );
}
