// Tasks: the parts that pages share. Rows of tasks, quick add, menus and dialogs.
"use strict";

function askName({ name, title, label, value = "", yes }, act) {
  const draft = { text: value };
  const finishUp = () => {
    if (!draft.text.trim()) return false;
    Shell.layers.pop();
    act(draft.text.trim());
    Shell.refresh();
    return false;
  };
  ui.dialog({
    name,
    title,
    body: () =>
      ui.field({
        id: "dialog_input",
        label,
        value: draft.text,
        focus: true,
        change: (x) => {
          draft.text = x;
        },
        enter: finishUp,
      }),
    actions: [
      { id: "button_cancel", text: "Cancel" },
      { id: "button_ok", text: yes, tap: finishUp },
    ],
  });
}

function chooseList(title, current, pick) {
  const names = state.lists.map((l) => l.name);
  ui.choose("ListDialog", title, names, current === null ? null : listOf(current).name, (name) => pick(state.lists[names.indexOf(name)].id));
}

const moveTask = (task) =>
  chooseList("Move to list", task.list, (id) => {
    task.list = id;
    Shell.snack(`Moved to ${listOf(id).name}`);
  });

function setDue(task, day) {
  task.due = day;
  if (day === null) task.repeat = "Never";
}

function taskMenu(task) {
  return (el) =>
    ui.menu(
      el,
      [
        {
          id: "menu_postpone",
          icon: "next",
          text: "Postpone to tomorrow",
          tap: () => {
            setDue(task, 1);
            Shell.snack("Due tomorrow");
          },
        },
        { id: "menu_move", icon: "list", text: "Move to list", tap: () => moveTask(task) },
        {
          id: "menu_duplicate",
          icon: "copy",
          text: "Duplicate",
          tap: () => {
            const copy = JSON.parse(JSON.stringify(task));
            delete copy.id; // it gets its own
            delete copy.title;
            newTask(`${task.title} (copy)`, copy);
            Shell.snack("Task duplicated");
          },
        },
        { id: "menu_delete", icon: "trash", text: "Delete", tap: () => removeTask(task) },
      ],
      "TaskMenu",
    );
}

function starButton(task, id) {
  return ui.iconButton({
    id,
    icon: task.star ? "star" : "staroutline",
    label: task.star ? `Unstar ${task.title}` : `Star ${task.title}`,
    cls: task.star ? "on" : "",
    tap: () => {
      task.star = !task.star;
      Shell.refresh();
    },
  });
}

/** One task in a list: finish it at the left, star it at the right, open it between. */
function todoRow(task, showList) {
  const facts = [
    task.due !== null && h("span", { id: "task_due", text: dayText(task.due), cls: task.due < 0 && !task.done ? "late" : "" }),
    task.repeat !== "Never" && h("span", { id: "task_repeat", text: task.repeat }),
    task.priority !== "None" && h("span.prio", { id: "task_priority", text: task.priority, cls: task.priority }),
    task.subtasks.length > 0 && h("span", { id: "task_subtasks", text: `${task.subtasks.length - openSteps(task)} of ${task.subtasks.length}` }),
    showList && h("span", { id: "task_list_name", text: listOf(task.list).name }),
  ].filter(Boolean);
  return h(
    "div.todo",
    {
      id: "task_" + task.id,
      cls: task.done ? "done" : "",
      tap: () => Shell.push("TaskPage", task.id),
      hold: taskMenu(task),
      swipe: { left: () => removeTask(task), right: () => finish(task) },
    },
    h(
      "div.ring",
      { id: "check_" + task.id, label: task.done ? `Reopen ${task.title}` : `Complete ${task.title}`, tap: () => finish(task) },
      ui.box({ id: "box_" + task.id, on: task.done }),
    ),
    h("div.mid", null, h("div.tt", { id: "task_title", text: task.title }), facts.length ? h("div.ts", null, facts) : null),
    starButton(task, "star_" + task.id),
  );
}

/** A sheet over the keyboard: a title, and what else can be said at once. */
function quickAdd(list) {
  const q = { title: "", list: list === undefined ? state.settings.home : list, due: null, star: false };
  const add = () => {
    if (!q.title.trim()) return;
    Shell.layers.pop();
    newTask(q.title.trim(), { list: q.list, due: q.due, star: q.star });
    Shell.blur();
    Shell.snack(`Added to ${listOf(q.list).name}`);
  };
  const change = (key) => (value) => {
    q[key] = value;
  };
  ui.sheet({
    name: "QuickAddSheet",
    body: () => {
      const input = h("input", {
        id: "quick_title",
        type: "text",
        placeholder: "New task",
        value: q.title,
        input: change("title"),
        "data-autofocus": true,
        autocomplete: "off",
        spellcheck: "false",
      });
      input._enter = add;
      return [
        h("div.quick", null, input),
        h(
          "div.quickrow",
          null,
          ui.chip({ id: "quick_due", icon: "calendar", text: q.due === null ? "Date" : dayText(q.due), on: q.due !== null, tap: () => dueSheet(q.due, change("due")) }),
          ui.chip({ id: "quick_list", icon: "list", text: listOf(q.list).name, tap: () => chooseList("Add to list", q.list, change("list")) }),
          ui.iconButton({
            id: "quick_star",
            icon: q.star ? "star" : "staroutline",
            label: "Star",
            cls: q.star ? "on" : "",
            tap: () => {
              q.star = !q.star;
              Shell.refresh();
            },
          }),
          h("span.grow"),
          ui.button({ id: "quick_save", text: "Add", kind: "filled", tap: add }),
        ),
      ];
    },
  });
}

const quickFab = (list) => ui.fab({ id: "add_task", icon: "add", text: "Add task", label: "Add task", tap: () => quickAdd(list) });
