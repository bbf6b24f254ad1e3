// Calendar: events, birthdays and what can be done to them. Days are written as 2026-03-14, times as minutes since midnight.
"use strict";

const rnd = makeRandom(Shell.seed * 613 + 1);

// --- days ------------------------------------------------------------------------------------------------------------

const at = (day) => Date.parse(`${day}T00:00:00Z`);
const plus = (day, n) => new Date(at(day) + n * 86400000).toISOString().slice(0, 10);
const weekday = (day) => (new Date(at(day)).getUTCDay() + 6) % 7;
const dayOf = (day) => Number(day.slice(8));
const monthOf = (day) => Number(day.slice(5, 7)) - 1;
const firstOf = (day) => day.slice(0, 8) + "01";
/** The first day of the month that lies `n` months after the one of `day`. */
const monthPlus = (day, n) => firstOf(plus(firstOf(day), n > 0 ? 31 : -1));
const idOf = (prefix, day) => `${prefix}_${day.replaceAll("-", "_")}`;
const monthText = (day) => `${MONTHS[monthOf(day)]} ${day.slice(0, 4)}`;
const dayText = (day) => `${WEEKDAYS[weekday(day)]}, ${dayOf(day)} ${MONTHS[monthOf(day)]}`;
const timeText = (m) => `${pad2(Math.floor(m / 60) % 24)}:${pad2(m % 60)}`;

/** Today after the phone, in the first year whose weekday fits. */
const today = (() => {
  const rest = `${pad2(phone.month + 1)}-${pad2(phone.day)}`;
  for (let year = 2025; ; year++) if (weekday(`${year}-${rest}`) === phone.weekday) return `${year}-${rest}`;
})();

// --- content -----------------------------------------------------------------------------------------------------------

let nextId = 1;
const colourNames = Object.keys(COLOURS);
const drawEvent = ([title, places, lo, hi, length], day) => ({
  id: nextId++,
  title,
  day,
  start: rnd.int(lo, hi) * 60 + rnd.pick([0, 0, 15, 30, 45]),
  length,
  place: rnd.pick(places),
  guests: rnd.chance(0.4) ? rnd.some(PEOPLE, rnd.int(1, 3)) : [],
  reminder: rnd.pick(REMINDERS),
  colour: rnd.pick(colourNames),
});

const ideas = rnd.shuffle(IDEAS);
const upcoming = rnd.int(16, 22);
const state = {
  events: [],
  bin: [],
  birthdays: [],
  day: today,
  month: firstOf(today),
  draft: null,
  query: "",
  note: "",
  clipboard: "",
  sent: [],
  settings: {
    weekStart: rnd.pick(WEEK_STARTS),
    reminder: rnd.pick(REMINDERS),
    length: rnd.pick(LENGTHS.slice(1, 4)),
    weekNumbers: rnd.chance(0.4),
    dimPast: rnd.chance(0.5),
    alerts: rnd.chance(0.7),
    vibrate: rnd.chance(0.5),
    colour: rnd.pick(colourNames),
    opening: "Agenda",
    snooze: rnd.pick(LENGTHS.slice(0, 3)),
    sound: rnd.pick(["Chime", "Pluck", "Silent"]),
  },
};
{
  let day = today;
  for (const idea of ideas.slice(0, upcoming)) {
    state.events.push(drawEvent(idea, day));
    day = plus(day, rnd.pick([0, 1, 1, 1, 2, 3]));
  }
  let past = plus(today, -1);
  for (const idea of ideas.slice(upcoming, upcoming + 6)) {
    state.events.push(drawEvent(idea, past));
    past = plus(past, -rnd.int(1, 3));
  }
  if (rnd.chance(0.6)) state.bin.push(...ideas.slice(30, 30 + rnd.int(1, 3)).map((idea) => drawEvent(idea, plus(today, rnd.int(1, 20)))));
  let feast = plus(today, rnd.int(2, 20));
  for (const name of rnd.some(PEOPLE, 11)) {
    state.birthdays.push({ name, day: feast, turns: rnd.int(8, 80), remind: rnd.chance(0.5) });
    feast = plus(feast, rnd.int(12, 41));
  }
}
const inOrder = (list) => list.slice().sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : a.start - b.start || a.id - b.id));
state.events = inOrder(state.events);
const event = (id) => state.events.find((e) => e.id === id);
const eventsOn = (day) => state.events.filter((e) => e.day === day);
const hue = (colour, l) => `hsl(${COLOURS[colour]} 58% ${l}%)`;
const when = (e) => `${timeText(e.start)} – ${timeText(e.start + e.length)}`;

// --- what can be done ------------------------------------------------------------------------------------------------

const go = (name) => {
  Shell.snackbar = null;
  Shell.stack = [{ name }];
  Shell.blur();
  Shell.refresh();
};

const openForm = (e) => {
  const { reminder, length, colour } = state.settings;
  const blank = { title: "", day: state.day, start: 12 * 60, length: parseInt(length, 10), place: "", guests: [], reminder, colour };
  state.draft = e ? { ...e, guests: e.guests.slice() } : blank;
  Shell.push("EventFormPage", e ? e.id : undefined);
};

const saveDraft = () => {
  const d = state.draft;
  if (!d.title.trim()) {
    d.missing = true;
    Shell.refresh();
    return;
  }
  delete d.missing;
  const old = d.id !== undefined;
  const saved = { ...d, title: d.title.trim(), place: d.place.trim(), id: old ? d.id : nextId++ };
  state.events = inOrder(state.events.filter((e) => e.id !== saved.id).concat(saved));
  Shell.pop();
  Shell.snack(old ? "Changes saved" : `Saved for ${dayText(saved.day)}`);
};

const deleteEvent = (e) =>
  ui.confirm("DeleteEvent", "Delete this event?", `“${e.title}” goes to the bin.`, "Delete", () => {
    state.events = state.events.filter((x) => x.id !== e.id);
    state.bin.unshift(e);
    Shell.stack.pop();
    Shell.snack("Moved to the bin");
  });

const moveEvent = (e, day) => {
  e.day = day;
  state.events = inOrder(state.events);
  Shell.snack(`Moved to ${dayText(day)}`);
};

/** The days of a month page: whole weeks after the chosen first day of the week. */
const monthGrid = (month) => {
  const start = WEEKDAYS.indexOf(state.settings.weekStart);
  const lead = (weekday(month) - start + 7) % 7;
  const days = [];
  for (let d = plus(month, -lead); d < monthPlus(month, 1) || days.length % 7; d = plus(d, 1)) days.push(d);
  return days;
};
const weekNames = () => {
  const start = WEEKDAYS.indexOf(state.settings.weekStart);
  return WEEKDAYS.map((_, i) => WEEKDAYS[(i + start) % 7]);
};
const weekOf = (day) => {
  const start = WEEKDAYS.indexOf(state.settings.weekStart);
  const first = plus(day, -((weekday(day) - start + 7) % 7));
  return Array.from({ length: 7 }, (_, i) => plus(first, i));
};

// --- repeated parts --------------------------------------------------------------------------------------------------

const eventMenu = (e) => (el) =>
  ui.menu(
    el,
    [
      { id: "menu_next_day", icon: "right", text: "Move to the next day", tap: () => moveEvent(e, plus(e.day, 1)) },
      { id: "menu_next_week", icon: "calendar", text: "Move by a week", tap: () => moveEvent(e, plus(e.day, 7)) },
      {
        id: "menu_copy",
        icon: "copy",
        text: "Make a copy",
        tap: () => {
          state.events = inOrder(state.events.concat({ ...e, guests: e.guests.slice(), id: nextId++ }));
          Shell.snack("Copy added");
        },
      },
    ],
    "EventMenu",
  );

const open = (e) => () => Shell.push("EventPage", e.id);

/** A line of the agenda: the day at the left for the first event of a day only. */
const agendaRow = (e, newDay) =>
  h(
    "div.agenda",
    { id: "event_" + e.id, tap: open(e), hold: eventMenu(e), cls: newDay ? "new" : "" },
    h(
      "div.date",
      null,
      newDay ? h("small", { id: "event_weekday", text: WEEKDAYS[weekday(e.day)].slice(0, 3) }) : null,
      newDay ? h("b", { id: "event_day", text: String(dayOf(e.day)), cls: e.day === today ? "today" : "" }) : null,
    ),
    h("i", { style: `background:${hue(e.colour, 50)}` }),
    h(
      "div.grow",
      null,
      h("div.ttl", { id: "event_title", text: e.title }),
      h("div.dim", { id: "event_when", text: [newDay && dayOf(e.day) === 1 && MONTHS[monthOf(e.day)], when(e), e.place].filter(Boolean).join(" · ") }),
    ),
  );

const agenda = (list) => list.map((e, i) => agendaRow(e, !i || list[i - 1].day !== e.day));

const VIEWS = [
  ["agenda", "Agenda", "AgendaPage"],
  ["day", "Day", "DayPage"],
  ["week", "Week", "WeekPage"],
  ["month", "Month", "MonthPage"],
];

const sideMenu = () =>
  Shell.open("SideMenu", () => [
    ui.scrim(),
    h(
      "div.side",
      { id: "side_menu" },
      h("h2", { id: "side_title", text: "Calendar" }),
      [
        ["birthdays", "gift", "Birthdays", "BirthdaysPage"],
        ["bin", "trash", "Bin", "BinPage"],
        ["options", "settings", "Options", "OptionsPage"],
      ].map(([key, icon, title, target]) =>
        ui.row({
          id: "side_" + key,
          icon,
          title,
          tap: () => {
            Shell.layers.pop();
            Shell.push(target);
          },
        }),
      ),
    ),
  ]);

/** One of the four views, with the switch between them and the button for a new event. */
const viewPage = (key, title, swipe, ...body) =>
  h(
    "div",
    { id: "view_pager", swipe },
    ui.appBar({
      title,
      id: "period",
      lead: ui.iconButton({ id: "open_menu", icon: "list", label: "Menu", tap: sideMenu }),
      actions: [
        {
          id: "find_event",
          icon: "search",
          label: "Find an event",
          tap: () => {
            state.query = "";
            Shell.push("FindEventPage");
          },
        },
        {
          id: "go_today",
          icon: "calendar",
          label: "Today",
          tap: () => {
            Object.assign(state, { day: today, month: firstOf(today) });
            Shell.refresh();
          },
        },
      ],
    }),
    h(
      "div.views",
      { id: "view_switch" },
      VIEWS.map(([k, t, target]) =>
        h("button", {
          id: "view_" + k,
          text: t,
          cls: k === key ? "on" : "",
          "aria-selected": String(k === key),
          as: "android.widget.RadioButton",
          tap: () => go(target),
        }),
      ),
    ),
    body,
    ui.fab({ id: "new_event", icon: "add", label: "New event", tap: () => openForm(null) }),
  );
