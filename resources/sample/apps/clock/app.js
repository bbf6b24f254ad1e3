// Clock: the pages. State, actions and repeated parts are in model.js.
"use strict";

const pages = {
  AlarmListPage: () =>
    tabPage(
      "AlarmListPage",
      "Alarms",
      h(
        "div.scroll",
        { id: "alarm_list", style: "padding-bottom:80px" },
        state.alarms.length ? state.alarms.map(alarmCard) : ui.empty("alarm", "No alarms yet"),
      ),
      ui.fab({ id: "add_alarm", icon: "add", label: "Add alarm", cls: "above", tap: () => edit(null) }),
    ),

  AlarmEditPage: (id) => {
    if (!state.draft) state.draft = newAlarm(7, 0);
    const d = state.draft;
    const save = () => {
      state.alarms = state.alarms.filter((a) => a.id !== d.id).concat({ ...d, on: true });
      sortAlarms();
      state.draft = null;
      Shell.pop();
      Shell.snack(untilText(d));
    };
    return h(
      "div",
      null,
      ui.appBar({
        title: id ? "Edit alarm" : "New alarm",
        back: "close",
        actions: id
          ? [
              {
                id: "delete_alarm",
                icon: "trash",
                label: "Delete alarm",
                tap: () =>
                  ui.confirm(
                    "DeleteAlarm",
                    "Delete this alarm?",
                    `The alarm at ${clockText(d.hour * 60 + d.minute)} will be removed.`,
                    "Delete",
                    () => {
                      Shell.stack.pop();
                      removeAlarm(state.alarms.find((a) => a.id === id));
                    },
                  ),
              },
            ]
          : [],
      }),
      h(
        "div.scroll",
        { id: "alarm_form" },
        h("div.bigtime", { id: "alarm_time", text: clockText(d.hour * 60 + d.minute), label: "Alarm time", tap: () => pickTime(d) }),
        h(
          "div.days",
          null,
          DAYS.map((n, i) =>
            h("button", {
              id: "day_" + n.toLowerCase(),
              text: n[0],
              label: n,
              "aria-checked": String(d.days.includes(i)),
              cls: d.days.includes(i) ? "on" : "",
              as: "android.widget.ToggleButton",
              tap: () => {
                d.days = d.days.includes(i) ? d.days.filter((x) => x !== i) : d.days.concat(i).sort();
                Shell.refresh();
              },
            }),
          ),
        ),
        h(
          "div.pad",
          { style: "padding-top:10px;padding-bottom:14px" },
          ui.field({
            id: "alarm_label",
            label: "Label",
            value: d.label,
            placeholder: "Alarm name",
            max: 40,
            change: (v) => {
              d.label = v;
            },
          }),
        ),
        ui.card(
          ui.row({
            id: "alarm_sound",
            icon: "music",
            title: "Sound",
            sub: d.sound,
            tap: () =>
              ui.choose("SoundDialog", "Alarm sound", SOUNDS, d.sound, (v) => {
                d.sound = v;
              }),
          }),
          ui.switchRow({
            id: "alarm_vibrate",
            icon: "vibrate",
            title: "Vibrate",
            on: d.vibrate,
            change: (v) => {
              d.vibrate = v;
            },
          }),
          h(
            "div.row",
            null,
            h("span.lead", { html: svg("bed") }),
            h(
              "div.mid",
              null,
              h("div.t", { id: "snooze_title", text: `Snooze ${d.snooze} min` }),
              ui.slider({
                id: "snooze_length",
                label: "Snooze length",
                value: d.snooze,
                min: 1,
                max: 30,
                change: (v) => {
                  d.snooze = v;
                },
              }),
            ),
          ),
        ),
      ),
      h("div", { style: "padding:10px 16px 14px" }, ui.button({ id: "save_alarm", text: "Save", kind: "filled", cls: "wide", tap: save })),
    );
  },

  WorldClockPage: () => {
    const offset = (name) => CITIES.find((c) => c[0] === name)[1];
    const card = (name, home) => {
      const diff = offset(name) - offset(state.home),
        m = Shell.minutes + diff * 60;
      const day = m < 0 ? "Yesterday" : m >= 1440 ? "Tomorrow" : "Today";
      const remove = () => {
        const at = state.cities.indexOf(name);
        state.cities.splice(at, 1);
        Shell.snack(`${name} removed`, "Undo", () => state.cities.splice(at, 0, name));
      };
      return h(
        "div.card.city",
        {
          id: home ? "home_city" : "city_" + name.toLowerCase().replace(/[^a-z]+/g, "_"),
          label: home ? undefined : name,
          hold: home ? undefined : (el) => ui.menu(el, [{ id: "menu_delete", icon: "trash", text: "Remove", tap: remove }]),
          swipe: home ? undefined : { left: remove },
        },
        h(
          "div.grow",
          null,
          h("div", { id: "city_name", text: name, style: "font-size:18px;line-height:24px" }),
          h("div.dim", {
            id: "city_offset",
            text: home ? "Home, local time" : `${day}, ${diff === 0 ? "same time" : `${diff > 0 ? "+" : "−"}${Math.abs(diff)} h`}`,
          }),
        ),
        h("div.time", { id: "city_time", text: clockText((m + 2880) % 1440) }),
      );
    };
    return tabPage(
      "WorldClockPage",
      "World clock",
      h(
        "div.scroll",
        { id: "city_list", style: "padding-bottom:80px" },
        state.settings.homeClock && card(state.home, true),
        state.cities.map((c) => card(c)),
        !state.cities.length && ui.empty("globe", "Add a city to compare times"),
      ),
      ui.fab({
        id: "add_city",
        icon: "add",
        label: "Add city",
        cls: "above",
        tap: () => {
          state.query = "";
          Shell.push("CitySearchPage");
        },
      }),
    );
  },

  CitySearchPage: () =>
    h(
      "div",
      null,
      ui.searchBar({
        id: "city_search",
        placeholder: "Search for a city",
        back: true,
        focus: true,
        value: state.query,
        change: (v) => {
          state.query = v;
          Shell.refresh();
        },
      }),
      h(
        "div.scroll",
        { id: "city_results" },
        CITIES.filter((c) => c[0].toLowerCase().includes(state.query.toLowerCase())).map(([n, o]) =>
          ui.row({
            id: "result_" + n.toLowerCase().replace(/[^a-z]+/g, "_"),
            icon: "place",
            title: n,
            titleId: "city_name",
            sub: `UTC ${o < 0 ? "−" : "+"}${Math.abs(o)}`,
            end: state.cities.includes(n) ? ui.icon("check") : null,
            tap: () => {
              if (state.cities.includes(n)) {
                Shell.snack(`${n} is already in the list`);
                return;
              }
              state.cities.push(n);
              Shell.pop();
              Shell.snack(`${n} added`);
            },
          }),
        ),
      ),
    ),

  TimerPage: () => {
    const t = state.timer;
    if (t.total) {
      const text = t.left > 0 ? hms(Math.ceil(t.left / 1000)) : "0:00";
      return tabPage(
        "TimerPage",
        "Timer",
        h(
          "div.scroll",
          { id: "timer_view" },
          h(
            "div.ring",
            { style: `--part:${(t.left / t.total) * 100}%` },
            h(
              "div",
              null,
              h("span", { id: "timer_left", text }),
              h("small", { id: "timer_total", text: t.left > 0 ? `of ${hms(Math.ceil(t.total / 1000))}` : "Time is up" }),
            ),
          ),
          h(
            "div.controls",
            null,
            ui.iconButton({
              id: "timer_delete",
              icon: "trash",
              label: "Delete timer",
              cls: "tonal",
              tap: () => {
                state.timer = { digits: "", total: 0, left: 0, running: false };
                Shell.refresh();
              },
            }),
            ui.iconButton({
              id: "timer_toggle",
              icon: t.running ? "pause" : t.left > 0 ? "play" : "restart",
              label: t.running ? "Pause" : "Start",
              cls: "filled main",
              size: 36,
              tap: () => {
                if (t.left <= 0) t.left = t.total;
                t.running = !t.running;
                Shell.refresh();
              },
            }),
            h("button.ib.tonal.strong", {
              id: "timer_add_minute",
              text: "+1:00",
              tap: () => {
                t.left += 60000;
                t.total = Math.max(t.total, t.left);
                Shell.refresh();
              },
            }),
          ),
        ),
      );
    }
    const d = t.digits.padStart(6, "0");
    const key = (k) =>
      h("button", {
        id: k === "<" ? "timer_erase" : "timer_key_" + k,
        label: k === "<" ? "Erase" : null,
        html: k === "<" ? svg("backspace", 26) : k,
        tap: () => {
          t.digits = k === "<" ? t.digits.slice(0, -1) : (t.digits + k).replace(/^0+/, "").slice(0, 6);
          Shell.refresh();
        },
      });
    const start = (s) => {
      if (s) {
        state.timer = { digits: "", total: s * 1000, left: s * 1000, running: true };
        Shell.refresh();
      }
    };
    return tabPage(
      "TimerPage",
      "Timer",
      h(
        "div.scroll",
        { id: "timer_setup" },
        h("div.readout", {
          id: "timer_setup_time",
          "data-leaf": "1",
          html: ["h", "m", "s"]
            .map((u, i) => {
              const v = d.slice(i * 2, i * 2 + 2) + `<small>${u}</small>`;
              return Number(d.slice(0, i * 2 + 2)) ? `<b>${v}</b>` : v;
            })
            .join(""),
        }),
        h(
          "div.hscroll",
          { id: "presets", style: "padding-bottom:14px" },
          [
            ["Tea", 4],
            ["Eggs", 7],
            ["Pasta", 11],
            ["Focus", 25],
          ].map(([n, m]) => ui.chip({ id: "preset_" + n.toLowerCase(), text: `${n} ${m} min`, tap: () => start(m * 60) })),
        ),
        h("div.pad3", null, [..."123456789"].map(key), key("00"), key("0"), key("<")),
        h(
          "div.controls",
          { style: "padding-top:14px" },
          ui.iconButton({
            id: "timer_start",
            icon: "play",
            label: "Start",
            cls: t.digits ? "filled main" : "tonal main",
            size: 36,
            tap: () => start(Number(d.slice(0, 2)) * 3600 + Number(d.slice(2, 4)) * 60 + Number(d.slice(4))),
          }),
        ),
      ),
    );
  },

  StopwatchPage: () => {
    const s = state.stopwatch;
    return tabPage(
      "StopwatchPage",
      "Stopwatch",
      h(
        "div.scroll",
        { id: "stopwatch_view" },
        h(
          "div.ring",
          { style: `--part:${((s.ms % 60000) / 60000) * 100}%` },
          h(
            "div",
            null,
            h("span", { id: "stopwatch_time", text: swText(s.ms) }),
            h("small", { id: "lap_count", text: s.laps.length ? `Lap ${s.laps.length + 1}` : s.running ? "Running" : "Ready" }),
          ),
        ),
        h(
          "div.controls",
          null,
          ui.iconButton({
            id: "stopwatch_reset",
            icon: "restart",
            label: "Reset",
            cls: "tonal",
            tap: () => {
              state.stopwatch = { ms: 0, running: false, laps: [] };
              Shell.refresh();
            },
          }),
          ui.iconButton({
            id: "stopwatch_toggle",
            icon: s.running ? "pause" : "play",
            label: s.running ? "Pause" : "Start",
            cls: "filled main",
            size: 36,
            tap: () => {
              s.running = !s.running;
              Shell.refresh();
            },
          }),
          ui.iconButton({
            id: "stopwatch_lap",
            icon: "flag",
            label: "Lap",
            cls: "tonal",
            tap: () => {
              if (s.running) s.laps.unshift(s.ms);
              Shell.refresh();
            },
          }),
        ),
        s.laps.map((ms, i) =>
          h(
            "div.lap",
            { id: "lap_" + (s.laps.length - i) },
            h("span", { text: `Lap ${s.laps.length - i}` }),
            h("span", { text: swText(ms - (s.laps[i + 1] || 0)) }),
            h("span.dim", { text: swText(ms) }),
          ),
        ),
      ),
    );
  },

  ClockSettingsPage: () =>
    h(
      "div",
      null,
      ui.appBar({ title: "Clock settings", back: true }),
      h(
        "div.scroll",
        { id: "settings_list" },
        ui.head("Alarms"),
        ui.row({
          id: "silence_after",
          title: "Silence after",
          sub: state.settings.silence,
          tap: () =>
            ui.choose(
              "SilenceDialog",
              "Silence after",
              ["1 minute", "5 minutes", "10 minutes", "20 minutes", "Never"],
              state.settings.silence,
              (v) => {
                state.settings.silence = v;
              },
            ),
        }),
        ui.switchRow({
          id: "gradual_volume",
          title: "Raise the volume gradually",
          sub: "Over the first 20 seconds",
          on: state.settings.gradual,
          change: (v) => {
            state.settings.gradual = v;
          },
        }),
        ui.row({
          id: "week_start",
          title: "Start week on",
          sub: state.settings.startOfWeek,
          tap: () =>
            ui.choose("WeekDialog", "Start week on", ["Saturday", "Sunday", "Monday"], state.settings.startOfWeek, (v) => {
              state.settings.startOfWeek = v;
            }),
        }),
        ui.head("World clock"),
        ui.switchRow({
          id: "home_clock",
          title: "Show home clock",
          sub: `${state.home}, at the top of the list`,
          on: state.settings.homeClock,
          change: (v) => {
            state.settings.homeClock = v;
          },
        }),
        ui.row({
          id: "home_city_setting",
          title: "Home city",
          sub: state.home,
          tap: () =>
            ui.choose(
              "HomeDialog",
              "Home city",
              ["Lisbon", "Berlin", "Oslo", "Cairo", "Lagos", state.home].filter((v, i, l) => l.indexOf(v) === i),
              state.home,
              (v) => {
                state.home = v;
              },
            ),
        }),
      ),
    ),
};

Shell.listeners.push((ms) => {
  const { timer, stopwatch } = state;
  if (timer.running) {
    timer.left = Math.max(0, timer.left - ms);
    if (!timer.left) timer.running = false;
  }
  if (stopwatch.running) stopwatch.ms += Shell.live ? ms : ms + 370; // an odd step, so that hundredths are not always zero
});
Shell.start({
  pages,
  home: "AlarmListPage",
  state,
  onBack: () => {
    if (Shell.page.name === "AlarmEditPage") state.draft = null;
    return false;
  },
});
