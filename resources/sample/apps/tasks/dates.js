// Tasks: days as people write them, and the sheet and calendar to pick one. A day is a number: 0 is today.
"use strict";

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
const DAYS_IN = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Day of the month and month of a day. */
function dateOf(day) {
  let [d, m] = [phone.day + day, phone.month];
  while (d > DAYS_IN[m]) {
    d -= DAYS_IN[m];
    m = (m + 1) % 12;
  }
  while (d < 1) {
    m = (m + 11) % 12;
    d += DAYS_IN[m];
  }
  return { d, m };
}

const weekdayOf = (day) => (((phone.weekday + day) % 7) + 7) % 7;

function dayText(day) {
  if (day === null) return "No date";
  if (day >= -1 && day <= 1) return ["Yesterday", "Today", "Tomorrow"][day + 1];
  const { d, m } = dateOf(day);
  return `${WEEKDAYS[weekdayOf(day)]} ${d} ${MONTHS[m].slice(0, 3)}`;
}

/** The days that can be chosen with one touch. */
function quickDays() {
  const saturday = (5 - phone.weekday + 7) % 7 || 7;
  const monday = (7 - phone.weekday) % 7 || 7;
  return [
    ["today", "Today", 0, "sun"],
    ["tomorrow", "Tomorrow", 1, "right"],
    ["weekend", "Weekend", saturday, "home"],
    ["week", "Next week", monday, "next"],
    ["none", "No date", null, "close"],
  ];
}

function dueSheet(current, pick) {
  const act = (day) => () => {
    Shell.layers.pop();
    pick(day);
    Shell.refresh();
  };
  ui.sheet({
    name: "DueSheet",
    title: "Due date",
    body: () => [
      quickDays().map(([key, name, day, icon]) =>
        ui.row({ id: "due_" + key, icon, title: name, tap: act(day), end: day === null || day < 2 ? null : dayText(day) }),
      ),
      ui.row({
        id: "due_pick",
        icon: "calendar",
        title: "Pick a date",
        tap: () => {
          Shell.layers.pop();
          calendarDialog(current, pick);
        },
      }),
    ],
  });
}

/** This month and those after it; days that are over cannot be chosen. */
function calendarDialog(current, pick) {
  const shown = { month: 0, day: current };
  const turn = (id, icon, label, by) =>
    ui.iconButton({
      id,
      icon,
      label,
      tap: () => {
        shown.month = Math.max(0, shown.month + by);
        Shell.refresh();
      },
    });
  const body = () => {
    const m = (phone.month + shown.month) % 12;
    let first = 1 - phone.day; // the day on which the shown month begins
    for (let i = 0; i < shown.month; i++) first += DAYS_IN[(phone.month + i) % 12];
    const start = { Monday: 0, Saturday: 5, Sunday: 6 }[state.settings.weekStart];
    const days = Array.from({ length: DAYS_IN[m] }, (_, i) => first + i);
    return [
      h("div.flex", null, h("span.grow.strong", { id: "calendar_month", text: MONTHS[m] }), turn("previous_month", "back", "Previous month", -1), turn("next_month", "right", "Next month", 1)),
      h(
        "div.cal",
        null,
        WEEKDAYS.map((_, i) => h("span", { text: WEEKDAYS[(i + start) % 7][0] })),
        Array.from({ length: (weekdayOf(first) - start + 7) % 7 }, () => h("span")),
        days.map((day, i) =>
          h("button", {
            id: "day_" + (i + 1),
            text: String(i + 1),
            disabled: day < 0,
            style: day < 0 ? "opacity:.35" : null,
            cls: (day === shown.day ? "on " : "") + (day === 0 ? "today" : ""),
            "aria-selected": String(day === shown.day),
            tap: () => {
              shown.day = day;
              Shell.refresh();
            },
          }),
        ),
      ),
    ];
  };
  ui.dialog({
    name: "CalendarDialog",
    title: "Pick a date",
    body,
    actions: [
      { id: "button_cancel", text: "Cancel" },
      { id: "button_ok", text: "OK", tap: () => pick(shown.day) },
    ],
  });
}
