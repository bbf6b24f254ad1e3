// Calendar: agenda, day, week and month, the search, birthdays and the bin.
"use strict";

const FIRST_HOUR = 6;
const HOURS = Array.from({ length: 17 }, (_, i) => FIRST_HOUR + i);
const HOUR = 50; // height of an hour

/** The events of a day as blocks on a scale of hours; two at the same time stand side by side. */
const blocks = (day, prefix) => {
  const list = eventsOn(day);
  return list.map((e) => {
    const beside = list.filter((o) => o.start < e.start + e.length && e.start < o.start + o.length);
    const width = 100 / beside.length;
    const top = ((e.start - FIRST_HOUR * 60) / 60) * HOUR;
    return h(
      "div.block",
      {
        id: `${prefix}_${e.id}`,
        label: e.title,
        cls: state.settings.dimPast && day < today ? "past" : "",
        tap: open(e),
        hold: prefix === "slot" ? eventMenu(e) : undefined,
        style: `top:${top}px;height:${Math.max(24, (e.length / 60) * HOUR - 2)}px;left:${beside.indexOf(e) * width}%;width:calc(${width}% - 2px);background:${hue(e.colour, phone.dark ? 32 : 42)}`,
      },
      h("span", { text: e.title }),
    );
  });
};

const shortDay = (day) => `${dayOf(day)} ${MONTHS[monthOf(day)].slice(0, 3)}`;
/** The number of the week that `day`, its fourth day, lies in. */
const weekNumber = (day) => 1 + Math.floor((at(day) - at(`${day.slice(0, 4)}-01-01`)) / (7 * 86400000));

const scale = () => HOURS.map((hour) => h("div.hour", { text: timeText(hour * 60) }));

const stepper = (what, text, step) =>
  h(
    "div.stepper",
    null,
    ui.iconButton({ id: "previous_" + what, icon: "left", label: `Previous ${what}`, tap: () => step(-1) }),
    h("span", { id: "shown_" + what, text }),
    ui.iconButton({ id: "next_" + what, icon: "right", label: `Next ${what}`, tap: () => step(1) }),
  );

const viewPages = {
  AgendaPage: () => {
    const list = state.events.filter((e) => e.day >= today);
    return viewPage(
      "agenda",
      monthText(today),
      undefined,
      h("div.scroll", { id: "agenda_list", style: "padding-bottom:84px" }, agenda(list), !list.length && ui.empty("calendar", "Nothing planned")),
    );
  },

  DayPage: () => {
    const step = (n) => {
      state.day = plus(state.day, n);
      state.month = firstOf(state.day);
      Shell.refresh();
    };
    return viewPage(
      "day",
      monthText(state.day),
      { left: () => step(1), right: () => step(-1) },
      stepper("day", dayText(state.day), step),
      h(
        "div.scroll",
        { id: "day_view" },
        h("div.scale", { style: `height:${HOURS.length * HOUR}px` }, scale(), h("div.lane", null, blocks(state.day, "slot"))),
      ),
    );
  },

  WeekPage: () => {
    const days = weekOf(state.day);
    const step = (n) => {
      state.day = plus(state.day, 7 * n);
      state.month = firstOf(state.day);
      Shell.refresh();
    };
    return viewPage(
      "week",
      monthText(state.day),
      { left: () => step(1), right: () => step(-1) },
      stepper("week", `${shortDay(days[0])} – ${shortDay(days[6])}${state.settings.weekNumbers ? ` · week ${weekNumber(days[3])}` : ""}`, step),
      h(
        "div.weekhead",
        null,
        days.map((d) =>
          h(
            "button",
            {
              id: idOf("weekday", d),
              label: dayText(d),
              cls: d === today ? "today" : "",
              tap: () => {
                state.day = d;
                go("DayPage");
              },
            },
            h("small", { text: WEEKDAYS[weekday(d)][0] }),
            h("b", { text: String(dayOf(d)) }),
          ),
        ),
      ),
      h(
        "div.scroll",
        { id: "week_view" },
        h(
          "div.scale",
          { style: `height:${HOURS.length * HOUR}px` },
          scale(),
          h("div.lanes", null, days.map((d) => h("div.lane", null, blocks(d, "cell")))),
        ),
      ),
    );
  },

  MonthPage: () => {
    const step = (n) => {
      state.month = monthPlus(state.month, n);
      state.day = state.month === firstOf(today) ? today : state.month;
      Shell.refresh();
    };
    const days = monthGrid(state.month);
    const list = eventsOn(state.day);
    return viewPage(
      "month",
      "Calendar",
      undefined,
      stepper("month", monthText(state.month), step),
      h(
        "div.month",
        { id: "month_grid", swipe: { left: () => step(1), right: () => step(-1) } },
        weekNames().map((n) => h("small", { text: n.slice(0, 2) })),
        days.map((d) =>
          h(
            "button",
            {
              id: idOf("day", d),
              label: `${dayText(d)}, ${eventsOn(d).length || "no"} ${eventsOn(d).length === 1 ? "event" : "events"}`,
              cls: `${d === state.day ? "on" : ""} ${d === today ? "today" : ""} ${firstOf(d) === state.month ? "" : "out"}`,
              "aria-selected": String(d === state.day),
              tap: () => {
                state.day = d;
                Shell.refresh();
              },
            },
            h("b", { text: String(dayOf(d)) }),
            h("span.dots", null, eventsOn(d).slice(0, 3).map((e) => h("i", { style: `background:${hue(e.colour, 52)}` }))),
          ),
        ),
      ),
      h(
        "div.scroll",
        { id: "day_events", style: "padding-bottom:84px" },
        h("div.head", { id: "selected_day", text: dayText(state.day) }),
        agenda(list),
        !list.length && h("div.pad.dim", { id: "nothing", text: "Nothing planned" }),
      ),
    );
  },

  FindEventPage: () => {
    const q = state.query.trim().toLowerCase();
    const list = state.events.filter((e) => [e.title, e.place, ...e.guests].some((x) => x.toLowerCase().includes(q)));
    return h(
      "div",
      null,
      ui.searchBar({
        id: "event_query",
        placeholder: "Title, place or guest",
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
        { id: "found_events" },
        q ? agenda(list) : ui.empty("search", "Find events"),
        q && !list.length ? ui.empty("search", `Nothing found for “${state.query}”`) : null,
      ),
    );
  },

  BirthdaysPage: () =>
    h(
      "div",
      null,
      ui.appBar({ title: "Birthdays", back: true }),
      h(
        "div.scroll",
        { id: "birthday_list" },
        state.birthdays.map((b) =>
          h(
            "div.row.birthday",
            { id: "birthday_" + b.name.toLowerCase() },
            ui.tile(b.name[0], (b.turns * 47) % 360, 44),
            h(
              "div.mid",
              null,
              h("div.t", { id: "person", text: b.name }),
              h("div.s", { id: "birthday_date", text: `${dayOf(b.day)} ${MONTHS[monthOf(b.day)]} · turns ${b.turns}` }),
            ),
            ui.iconButton({
              id: "remind_" + b.name.toLowerCase(),
              icon: b.remind ? "bell" : "belloff",
              cls: b.remind ? "on" : "",
              label: b.remind ? `Reminder for ${b.name} on` : `Reminder for ${b.name} off`,
              tap: () => {
                b.remind = !b.remind;
                Shell.snack(b.remind ? `You will be reminded of ${b.name}'s birthday` : "Reminder off");
              },
            }),
          ),
        ),
      ),
    ),

  BinPage: () =>
    h(
      "div",
      null,
      ui.appBar({ title: "Bin", back: true }),
      h(
        "div.scroll",
        { id: "bin_list" },
        state.bin.map((e) =>
          ui.row({
            id: "deleted_" + e.id,
            icon: "calendar",
            title: e.title,
            titleId: "event_title",
            sub: `${dayText(e.day)}, ${timeText(e.start)}`,
            end: ui.button({
              id: "restore_" + e.id,
              text: "Restore",
              label: `Restore ${e.title}`,
              tap: () => {
                state.bin = state.bin.filter((x) => x.id !== e.id);
                state.events = inOrder(state.events.concat(e));
                Shell.snack(`${e.title} is back`);
              },
            }),
          }),
        ),
        !state.bin.length && ui.empty("trash", "The bin is empty"),
      ),
    ),
};
