// Tasks: the settings page.
"use strict";

function settingsPage() {
  const s = state.settings;
  const flip = (key, icon, title, sub) =>
    ui.switchRow({
      id: "setting_" + key,
      icon,
      title,
      sub,
      on: s[key],
      change: (x) => {
        s[key] = x;
      },
    });
  return h(
    "div",
    null,
    ui.appBar({ title: "Settings", back: true }),
    h(
      "div.scroll",
      { id: "settings_list" },
      ui.head("Tasks"),
      ui.card(
        ui.row({
          id: "setting_home",
          icon: "list",
          title: "List for new tasks",
          sub: listOf(s.home).name,
          tap: () =>
            chooseList("List for new tasks", s.home, (id) => {
              s.home = id;
            }),
        }),
        flip("completed", "check", "Show completed tasks"),
        flip("strict", "checklist", "Subtasks first", "A task is completed after its subtasks"),
        flip("confirm", "help", "Ask before deleting a task"),
      ),
      ui.head("Reminders"),
      ui.card(
        flip("summary", "sun", "Summary in the morning", "What is due today"),
        flip("sounds", "volume", "Sound when a task is completed"),
        flip("badge", "bell", "Number on the app icon"),
      ),
      ui.head("Week and account"),
      ui.card(
        ui.row({
          id: "setting_week",
          icon: "calendar",
          title: "Week begins on",
          sub: s.weekStart,
          tap: () =>
            ui.choose("WeekDialog", "Week begins on", ["Monday", "Saturday", "Sunday"], s.weekStart, (x) => {
              s.weekStart = x;
            }),
        }),
        flip("sync", "data", "Sync lists", "Needed for sharing"),
      ),
      h("div", { style: "height:24px" }),
    ),
  );
}
