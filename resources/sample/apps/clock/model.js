// Clock: alarms, world clock, timer and stopwatch. Time moves only when the phone's own clock does (Shell.tick).
"use strict";

const rnd = makeRandom(Shell.seed * 101 + 1);
const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const SOUNDS = ["Morning birds", "Soft bells", "Harbour", "Marimba", "Rising tide", "Wooden blocks", "Silent"];
const CITIES = [
  ["Auckland", 12],
  ["Berlin", 1],
  ["Bogotá", -5],
  ["Buenos Aires", -3],
  ["Cairo", 2],
  ["Cape Town", 2],
  ["Chicago", -6],
  ["Denver", -7],
  ["Dublin", 0],
  ["Hanoi", 7],
  ["Helsinki", 2],
  ["Honolulu", -10],
  ["Istanbul", 3],
  ["Karachi", 5],
  ["Lagos", 1],
  ["Lima", -5],
  ["Lisbon", 0],
  ["Manila", 8],
  ["Mexico City", -6],
  ["Nairobi", 3],
  ["New York", -5],
  ["Oslo", 1],
  ["Perth", 8],
  ["Reykjavík", 0],
  ["Santiago", -4],
  ["Seoul", 9],
  ["Singapore", 8],
  ["Tokyo", 9],
  ["Toronto", -5],
  ["Vancouver", -8],
];
const clockText = (m) => `${Math.floor(m / 60)}:${pad2(m % 60)}`;
let nextId = 1;

const newAlarm = (h24, minute, label = "", days = []) => ({
  id: nextId++,
  hour: h24,
  minute,
  label,
  days,
  on: true,
  vibrate: true,
  sound: SOUNDS[0],
  snooze: 10,
});

const WORK = [0, 1, 2, 3, 4];
const IDEAS = [
  ["Wake up", 6, 8, WORK],
  ["Gym", 5, 7, [1, 3]],
  ["Market day", 8, 9, [5]],
  ["Medication", 8, 21, [0, 1, 2, 3, 4, 5, 6]],
  ["Stand-up call", 9, 10, WORK],
  ["Water the plants", 17, 20, [2, 6]],
  ["Pick up parcel", 15, 18, []],
  ["Language class", 18, 19, [1]],
  ["Bins out", 20, 22, [3]],
  ["Sunday run", 7, 9, [6]],
  ["Nap", 13, 15, []],
  ["Choir", 19, 20, [4]],
];

const state = {
  alarms: rnd
    .some(IDEAS, rnd.int(5, 9))
    .map(([label, lo, hi, days]) => ({
      ...newAlarm(rnd.int(lo, hi), rnd.pick([0, 5, 10, 15, 20, 30, 40, 45, 50]), label, days),
      on: rnd.chance(0.55),
      vibrate: rnd.chance(0.7),
      sound: rnd.pick(SOUNDS),
      snooze: rnd.pick([5, 10, 15]),
    })),
  cities: rnd.some(CITIES, rnd.int(3, 5)).map((c) => c[0]),
  home: rnd.pick(CITIES.filter((c) => Math.abs(c[1]) < 3))[0],
  timer: { digits: "", total: 0, left: 0, running: false },
  stopwatch: { ms: 0, running: false, laps: [] },
  query: "",
  draft: null,
  settings: { silence: "10 minutes", startOfWeek: "Monday", gradual: rnd.chance(0.5), homeClock: true },
};
const sortAlarms = () => state.alarms.sort((a, b) => a.hour * 60 + a.minute - b.hour * 60 - b.minute || a.id - b.id);
sortAlarms();

const TABS = [
  ["AlarmListPage", "Alarms", "alarm"],
  ["WorldClockPage", "World", "globe"],
  ["TimerPage", "Timer", "timer"],
  ["StopwatchPage", "Stopwatch", "stopwatch"],
];
const go = (name) => {
  Shell.snackbar = null;
  Shell.stack = [{ name }];
  Shell.blur();
  Shell.refresh();
};

/** A page behind the bottom navigation; a sideways swipe goes to the neighbour. */
function tabPage(name, title, body, extra) {
  const at = TABS.findIndex((t) => t[0] === name);
  const step = (d) => {
    if (TABS[at + d]) go(TABS[at + d][0]);
  };
  return h(
    "div",
    { id: "pager", swipe: { left: () => step(1), right: () => step(-1) } },
    ui.appBar({
      title,
      actions: [
        {
          id: "menu_overflow",
          icon: "more",
          label: "More options",
          tap: (el) =>
            ui.menu(el, [
              { id: "menu_settings", text: "Settings", tap: () => Shell.push("ClockSettingsPage") },
              { id: "menu_night", text: "Bedtime reminder", tap: () => Shell.snack("Bedtime reminder set for 22:30", "Undo", () => {}) },
            ]),
        },
      ],
    }),
    body,
    extra,
    ui.bottomNav(
      TABS.map(([n, t, i]) => [n.replace("Page", "").toLowerCase(), t, i]),
      name.replace("Page", "").toLowerCase(),
      (key) => go(TABS.find((t) => t[0].replace("Page", "").toLowerCase() === key)[0]),
    ),
  );
}

function dayText(days) {
  if (days.length === 7) return "Every day";
  if (days.join() === WORK.join()) return "Mon to Fri";
  if (days.join() === "5,6") return "Weekend";
  return days.length ? days.map((d) => DAYS[d]).join(", ") : "Once";
}

function removeAlarm(alarm) {
  state.alarms = state.alarms.filter((a) => a.id !== alarm.id);
  Shell.snack("Alarm deleted", "Undo", () => {
    state.alarms.push(alarm);
    sortAlarms();
  });
}

function untilText(a) {
  const gap = (a.hour * 60 + a.minute - Shell.minutes + 1440) % 1440 || 1440;
  return `Alarm rings in ${Math.floor(gap / 60)} h ${gap % 60} min`;
}

function alarmCard(a) {
  return h(
    "div.card.alarm",
    {
      id: "alarm_" + a.id,
      cls: a.on ? "on" : "off",
      label: `${a.label} alarm ${clockText(a.hour * 60 + a.minute)}`,
      tap: () => edit(a),
      swipe: { left: () => removeAlarm(a) },
      hold: (el) =>
        ui.menu(el, [
          { id: "menu_edit", icon: "edit", text: "Edit", tap: () => edit(a) },
          {
            id: "menu_duplicate",
            icon: "copy",
            text: "Duplicate",
            tap: () => {
              state.alarms.push({ ...a, id: nextId++ });
              sortAlarms();
              Shell.snack("Alarm copied");
            },
          },
          { id: "menu_delete", icon: "trash", text: "Delete", tap: () => removeAlarm(a) },
        ]),
    },
    h(
      "div.grow",
      null,
      h("div.lbl", { id: "label", text: a.label || "Alarm" }),
      h("div.time", { id: "digital_clock", text: clockText(a.hour * 60 + a.minute) }),
      h("div.dim", { id: "days", text: dayText(a.days) }),
    ),
    ui.toggle({
      id: "onoff_" + a.id,
      on: a.on,
      label: `${a.label || "Alarm"} on or off`,
      change: (v) => {
        a.on = v;
        Shell.snack(v ? untilText(a) : "Alarm switched off");
      },
    }),
  );
}

function edit(alarm) {
  state.draft = alarm ? { ...alarm, days: alarm.days.slice() } : newAlarm(7, 0);
  Shell.push("AlarmEditPage", alarm ? alarm.id : undefined);
  if (!alarm) pickTime(state.draft);
}

/** Dial to choose hour, then minute, on a 24-hour face. */
function pickTime(target) {
  const time = { hour: target.hour, minute: target.minute };
  let part = "hour";
  const face = () => {
    const spots = [];
    const place = (value, angle, radius, inner) => {
      const on = time[part] === value;
      const rad = ((angle - 90) * Math.PI) / 180;
      if (on) spots.unshift(h("i", { style: `width:${radius}px;transform:rotate(${angle - 90}deg)` }));
      spots.push(
        h("button", {
          id: `${part}_${value}`,
          text: part === "minute" || value === 0 ? pad2(value) : String(value),
          cls: `${on ? "on" : ""} ${inner ? "inner" : ""}`,
          style: `left:${128 + radius * Math.cos(rad)}px;top:${128 + radius * Math.sin(rad)}px`,
          tap: () => {
            time[part] = value;
            if (part === "hour") part = "minute";
            Shell.refresh();
          },
        }),
      );
    };
    for (let i = 1; i <= 12; i++) {
      if (part === "hour") {
        place(i, i * 30, 104);
        place((i + 12) % 24, i * 30, 68, true);
      } else place((i * 5) % 60, i * 30, 104);
    }
    return h("div.dial", { id: "dial" }, spots);
  };
  ui.dialog({
    name: "TimePicker",
    title: "Select time",
    flush: true,
    body: () => [
      h(
        "div.parts",
        null,
        h("button", {
          id: "hours",
          text: pad2(time.hour),
          cls: part === "hour" ? "on" : "",
          tap: () => {
            part = "hour";
            Shell.refresh();
          },
        }),
        h("span", { text: ":" }),
        h("button", {
          id: "minutes",
          text: pad2(time.minute),
          cls: part === "minute" ? "on" : "",
          tap: () => {
            part = "minute";
            Shell.refresh();
          },
        }),
      ),
      face(),
    ],
    actions: [
      { id: "button_cancel", text: "Cancel" },
      {
        id: "button_ok",
        text: "OK",
        tap: () => {
          Object.assign(target, time);
        },
      },
    ],
  });
}

const hms = (s) =>
  (s >= 3600 ? `${Math.floor(s / 3600)}:${pad2(Math.floor(s / 60) % 60)}` : String(Math.floor(s / 60))) + ":" + pad2(s % 60);
const swText = (ms) => `${Math.floor(ms / 60000)}:${pad2(Math.floor(ms / 1000) % 60)}.${pad2(Math.floor(ms / 10) % 100)}`;
