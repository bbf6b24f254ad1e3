// Calendar: one event, the form, and the options.
"use strict";

/** Choose a day on a small month; a touch chooses and closes. */
function pickDay(d) {
  let month = firstOf(d.day);
  const turn = (n) => () => {
    month = monthPlus(month, n);
    Shell.refresh();
  };
  ui.dialog({
    name: "DayDialog",
    flush: true,
    actions: [{ id: "button_cancel", text: "Cancel" }],
    body: () => [
      h(
        "div.stepper",
        null,
        ui.iconButton({ id: "picker_previous", icon: "left", label: "Earlier month", tap: turn(-1) }),
        h("span", { id: "picker_month", text: monthText(month) }),
        ui.iconButton({ id: "picker_next", icon: "right", label: "Later month", tap: turn(1) }),
      ),
      h(
        "div.month.small",
        { id: "picker_grid" },
        weekNames().map((n) => h("small", { text: n.slice(0, 2) })),
        monthGrid(month).map((day) =>
          firstOf(day) === month
            ? h("button", {
                id: idOf("date", day),
                label: dayText(day),
                text: String(dayOf(day)),
                cls: `${day === d.day ? "on" : ""} ${day === today ? "today" : ""}`,
                tap: () => {
                  d.day = day;
                  Shell.close();
                },
              })
            : h("span"),
        ),
      ),
    ],
  });
}

/** Choose an hour, then five minutes; the second touch closes. */
function pickStart(d) {
  let hour = null;
  const cell = (id, text, on, tap) => h("button", { id, text, cls: on ? "on" : "", tap });
  ui.sheet({
    name: "StartSheet",
    title: "Starts at",
    body: () => [
      h("div.readtime", { id: "start_reading", text: hour === null ? timeText(d.start) : `${pad2(hour)}:––` }),
      h("div.head", { id: "start_part", text: hour === null ? "Hour" : "Minutes" }),
      h(
        "div.cells",
        null,
        hour === null
          ? Array.from({ length: 24 }, (_, i) =>
              cell(`start_hour_${i}`, pad2(i), i === Math.floor(d.start / 60), () => {
                hour = i;
                Shell.refresh();
              }),
            )
          : Array.from({ length: 12 }, (_, i) =>
              cell(`start_minute_${i * 5}`, pad2(i * 5), false, () => {
                d.start = hour * 60 + i * 5;
                Shell.close();
              }),
            ),
      ),
    ],
  });
}

function pickGuests(d) {
  ui.sheet({
    name: "GuestSheet",
    title: "Guests",
    body: () =>
      PEOPLE.map((name) => {
        const on = d.guests.includes(name);
        return ui.row({
          id: "guest_" + name.toLowerCase(),
          lead: ui.tile(name[0], (name.length * 71 + name.charCodeAt(0) * 23) % 360),
          title: name,
          end: ui.box({ id: "guest_box", on, label: name }),
          tap: () => {
            d.guests = on ? d.guests.filter((x) => x !== name) : d.guests.concat(name);
            Shell.refresh();
          },
        });
      }),
    fixed: () =>
      h("div", { style: "padding:10px 16px" }, ui.button({ id: "guests_done", text: "Done", kind: "filled", cls: "wide", tap: () => Shell.close() })),
  });
}

function pickColour(d) {
  ui.dialog({
    name: "ColourDialog",
    title: "Colour",
    actions: [{ id: "button_cancel", text: "Cancel" }],
    body: () =>
      h(
        "div.paints",
        null,
        colourNames.map((name) =>
          h(
            "button",
            {
              id: "colour_" + name.toLowerCase(),
              tap: () => {
                d.colour = name;
                Shell.close();
              },
            },
            h("i", { style: `background:${hue(name, 50)}`, html: name === d.colour ? svg("check", 22) : "" }),
            h("span", { text: name }),
          ),
        ),
      ),
  });
}

function writeToGuests(e) {
  state.note = "";
  ui.dialog({
    name: "NoteDialog",
    title: "Message to the guests",
    body: () =>
      ui.field({
        id: "guest_message",
        label: "Message",
        value: state.note,
        focus: true,
        max: 80,
        change: (v) => {
          state.note = v;
          Shell.refresh();
        },
      }),
    actions: [
      { id: "button_cancel", text: "Cancel" },
      {
        id: "send_note",
        text: "Send",
        disabled: () => !state.note.trim(),
        tap: () => {
          state.sent.push({ event: e.id, text: state.note.trim() });
          Shell.snack(`Sent to ${e.guests.join(", ")}`);
        },
      },
    ],
  });
}

const eventPages = {
  EventPage: (id) => {
    const e = event(id);
    if (!e) return h("div", null, ui.appBar({ title: "Event", back: true }), ui.empty("calendar", "This event was deleted"));
    const line = (icon, textId, text, end) => h("div.fact", null, ui.icon(icon, 22), h("span.grow", { id: textId, text }), end);
    return h(
      "div",
      null,
      ui.appBar({
        title: "Event",
        back: true,
        actions: [
          { id: "edit_event", icon: "edit", label: "Edit", tap: () => openForm(e) },
          { id: "delete_event", icon: "trash", label: "Delete event", tap: () => deleteEvent(e) },
        ],
      }),
      h(
        "div.scroll",
        { id: "event_details" },
        h("div.title", { style: `border-color:${hue(e.colour, 50)}` }, h("h2", { id: "event_title", text: e.title }), h("div.dim", { id: "event_colour", text: e.colour })),
        line("calendar", "event_date", dayText(e.day)),
        line("clock", "event_time", when(e)),
        line(
          "place",
          "event_place",
          e.place || "No place",
          e.place &&
            ui.button({
              id: "copy_place",
              text: "Copy",
              label: "Copy the place",
              tap: () => {
                state.clipboard = e.place;
                Shell.snack("Place copied");
              },
            }),
        ),
        line(
          "group",
          "event_guests",
          e.guests.join(", ") || "Nobody invited",
          e.guests.length ? ui.button({ id: "message_guests", text: "Message", label: "Message the guests", tap: () => writeToGuests(e) }) : null,
        ),
        line("bell", "event_reminder", e.reminder === "None" ? "No reminder" : e.reminder),
      ),
    );
  },

  EventFormPage: (id) => {
    const d = state.draft;
    const row = (key, icon, title, sub, tap) => ui.row({ id: "form_" + key, icon, title, sub, tap: () => tap(d) });
    const choose = (name, title, options, key) => () =>
      ui.choose(name, title, options, key === "length" ? `${d.length} minutes` : d[key], (v) => {
        d[key] = key === "length" ? parseInt(v, 10) : v;
      });
    return h(
      "div",
      null,
      h(
        "div.appbar.hasback",
        { id: "toolbar" },
        ui.iconButton({ id: "discard", icon: "close", label: "Discard", tap: () => Shell.pop() }),
        h("h1", { id: "toolbar_title", text: id ? "Edit event" : "New event" }),
        ui.button({ id: "save_event", text: "Save", kind: "filled", tap: saveDraft }),
      ),
      h(
        "div.scroll",
        { id: "event_form" },
        h(
          "div.inputs",
          null,
          ui.field({
            id: "form_title",
            label: "Title",
            value: d.title,
            focus: id === undefined,
            max: 40,
            error: d.missing ? "Give the event a title" : "",
            change: (v) => {
              d.title = v;
            },
          }),
          ui.field({
            id: "form_place",
            label: "Place",
            value: d.place,
            icon: "place",
            max: 40,
            change: (v) => {
              d.place = v;
            },
          }),
        ),
        row("date", "calendar", "Date", dayText(d.day), pickDay),
        row("start", "clock", "Starts at", timeText(d.start), pickStart),
        row("length", "timer", "Length", `${d.length} minutes`, choose("LengthDialog", "Length", LENGTHS, "length")),
        row("guests", "group", "Guests", d.guests.join(", ") || "Nobody", pickGuests),
        row("reminder", "bell", "Reminder", d.reminder, choose("ReminderDialog", "Reminder", REMINDERS, "reminder")),
        row("colour", "palette", "Colour", d.colour, pickColour),
      ),
    );
  },

  OptionsPage: () => {
    const set = state.settings;
    const choice = (id, title, key, options) =>
      ui.row({
        id,
        title,
        sub: set[key],
        tap: () =>
          ui.choose("ChoiceDialog", title, options, set[key], (v) => {
            set[key] = v;
          }),
      });
    const flip = (id, title, sub, key) =>
      ui.switchRow({
        id,
        title,
        sub,
        on: set[key],
        change: (v) => {
          set[key] = v;
        },
      });
    const past = state.events.filter((e) => e.day < today).length;
    return h(
      "div",
      null,
      ui.appBar({ title: "Options", back: true }),
      h(
        "div.scroll",
        { id: "options_list" },
        ui.head("Views"),
        choice("first_weekday", "First day of the week", "weekStart", WEEK_STARTS),
        flip("week_numbers", "Show week numbers", "In the week view", "weekNumbers"),
        flip("dim_past", "Dim past events", "In day and week", "dimPast"),
        choice("opening_view", "Open with", "opening", VIEWS.map((v) => v[1])),
        ui.head("New events"),
        choice("usual_reminder", "Usual reminder", "reminder", REMINDERS),
        choice("usual_length", "Usual length", "length", LENGTHS),
        choice("usual_colour", "Usual colour", "colour", colourNames),
        ui.head("Reminders"),
        flip("reminder_alerts", "Notifications", "Also when the phone is locked", "alerts"),
        choice("reminder_sound", "Sound", "sound", ["Chime", "Pluck", "Silent"]),
        flip("reminder_vibrate", "Vibrate", "", "vibrate"),
        choice("snooze_time", "Snooze", "snooze", LENGTHS.slice(0, 3)),
        ui.head("Storage"),
        ui.row({
          id: "delete_past",
          title: "Delete past events",
          sub: `${past} ${past === 1 ? "event" : "events"} before today`,
          tap: () =>
            ui.confirm("DeletePast", "Delete past events?", "They do not go to the bin.", "Delete", () => {
              state.events = state.events.filter((e) => e.day >= today);
              Shell.snack("Past events deleted");
            }),
        }),
      ),
    );
  },
};
