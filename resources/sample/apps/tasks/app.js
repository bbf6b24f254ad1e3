// Tasks: the pages. State and actions are in model.js, rows and sheets in parts.js, one task in task.js.
"use strict";

const overflow = (items) => ({ id: "menu_overflow", icon: "more", label: "More options", tap: (el) => ui.menu(el, items) });
const openCount = (key) => tasksIn(key).filter((t) => !t.done).length;

function openKey(key) {
  state.filter = "All";
  Shell.push("ListPage", key);
}

function newList() {
  askName({ name: "NewListDialog", title: "New list", label: "Name", yes: "Create" }, (name) => {
    const id = state.nextList++;
    state.lists.push({ id, name, hue: (id * 67) % 360 });
    Shell.snack("List created");
  });
}

function deleteList(list, after) {
  if (list.id === 0) {
    Shell.snack("My tasks cannot be deleted");
    return;
  }
  ui.confirm("DeleteListDialog", `Delete ${list.name}?`, "The tasks on it are deleted too.", "Delete", () => {
    if (after) after();
    state.tasks = state.tasks.filter((t) => t.list !== list.id);
    state.lists = state.lists.filter((l) => l !== list);
    if (state.settings.home === list.id) state.settings.home = 0;
    Shell.snack("List deleted");
  });
}

const renameList = (list) =>
  askName({ name: "RenameDialog", title: "Rename list", label: "Name", value: list.name, yes: "Rename" }, (name) => {
    list.name = name;
  });

function listActions(list, after) {
  return [
    { id: "menu_rename", icon: "edit", text: "Rename list", tap: () => renameList(list) },
    { id: "menu_share", icon: "group", text: "Share list", tap: () => shareList(list) },
    { id: "menu_delete_list", icon: "trash", text: "Delete list", tap: () => deleteList(list, after) },
  ];
}

function listMenu(key) {
  const sort = () =>
    ui.choose("SortDialog", "Sort tasks by", SORTS, state.sort, (x) => {
      state.sort = x;
    });
  return [
    { id: "menu_sort", icon: "sort", text: "Sort tasks", tap: sort },
    { id: "menu_clear", icon: "check", text: "Delete completed tasks", tap: () => clearCompleted(key) },
    ...(typeof key === "number" ? listActions(listOf(key), () => Shell.pop()) : []),
  ];
}

function completedPart(key, done, showList) {
  if (!state.settings.completed || !done.length) return null;
  const unfolded = state.unfolded.includes(key);
  return [
    ui.row({
      id: "completed_header",
      icon: unfolded ? "up" : "down",
      title: `Completed (${done.length})`,
      tap: () => {
        state.unfolded = unfolded ? state.unfolded.filter((k) => k !== key) : state.unfolded.concat(key);
        Shell.refresh();
      },
    }),
    unfolded ? done.map((t) => todoRow(t, showList)) : null,
  ];
}

function listPage(key) {
  const list = typeof key === "number" ? listOf(key) : null;
  if (typeof key === "number" && !list) return h("div", null, ui.appBar({ title: "List", back: true }), ui.empty("list", "This list was deleted"));
  const { open, done } = shownIn(key);
  return h(
    "div",
    null,
    ui.appBar({
      title: list ? list.name : VIEWS[key][0],
      back: true,
      actions: [{ id: "search_button", icon: "search", label: "Search", tap: openSearch }, overflow(listMenu(key))],
    }),
    h(
      "div.hscroll",
      { id: "priority_filter", style: "padding-bottom:8px" },
      ["All", "High", "Medium", "Low"].map((p) =>
        ui.chip({
          id: "filter_" + p.toLowerCase(),
          text: p === "All" ? "All" : `${p} priority`,
          on: state.filter === p,
          tap: () => {
            state.filter = p;
            Shell.refresh();
          },
        }),
      ),
    ),
    h(
      "div.scroll",
      { id: "task_list", style: "padding-bottom:90px" },
      open.map((t) => todoRow(t, !list)),
      !open.length && ui.empty("checklist", "Nothing to do here"),
      completedPart(key, done, !list),
    ),
    quickFab(list ? list.id : undefined),
  );
}

function openSearch() {
  state.query = "";
  Shell.push("SearchPage");
}

function searchPage() {
  const q = state.query.trim().toLowerCase();
  const words = (t) => `${t.title} ${t.details} ${t.subtasks.map((s) => s.text).join(" ")}`.toLowerCase();
  const hits = q ? state.tasks.filter((t) => words(t).includes(q)) : [];
  return h(
    "div",
    null,
    ui.searchBar({
      id: "search_input",
      placeholder: "Search tasks",
      back: true,
      focus: true,
      value: state.query,
      change: (x) => {
        state.query = x;
        Shell.refresh();
      },
    }),
    h("div.scroll", { id: "search_results" }, hits.length ? hits.map((t) => todoRow(t, true)) : ui.empty("search", q ? "No tasks found" : "Find words in your tasks")),
  );
}

function mainPage() {
  return h(
    "div",
    null,
    ui.appBar({
      title: "Tasks",
      actions: [
        { id: "search_button", icon: "search", label: "Search", tap: openSearch },
        overflow([{ id: "menu_settings", icon: "settings", text: "Settings", tap: () => Shell.push("SettingsPage") }]),
      ],
    }),
    h(
      "div.scroll",
      { id: "main_list", style: "padding-bottom:90px" },
      h(
        "div.views",
        null,
        Object.entries(VIEWS).map(([key, [name, icon]]) =>
          h(
            "div.view",
            { id: "view_" + key, tap: () => openKey(key) },
            ui.icon(icon),
            h("span.vn", { id: "view_name", text: name }),
            h("span.vc", { id: "view_count", text: String(openCount(key)) }),
          ),
        ),
      ),
      ui.head("Lists", "lists_head"),
      state.lists.map((l) =>
        ui.row({
          id: "list_" + l.id,
          lead: ui.iconTile("list", l.hue),
          title: l.name,
          titleId: "list_name",
          sub: state.shared.some(([id]) => id === l.id) ? "Shared" : null,
          end: String(openCount(l.id)),
          tap: () => openKey(l.id),
          hold: (el) => ui.menu(el, listActions(l), "ListMenu"),
        }),
      ),
      ui.row({ id: "new_list", icon: "add", title: "New list", tap: newList }),
    ),
    quickFab(),
  );
}

Shell.start({
  pages: { MainPage: mainPage, ListPage: listPage, TaskPage: taskPage, SearchPage: searchPage, SettingsPage: settingsPage },
  home: "MainPage",
  state,
  report: () => ({
    ...state,
    today: { weekday: phone.weekday, day: phone.day, month: phone.month },
    order: Object.fromEntries([...state.lists.map((l) => l.id), ...Object.keys(VIEWS)].map((key) => [key, shownIn(key).open.map((t) => t.id)])),
  }),
});
