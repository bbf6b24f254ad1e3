// Tasks: the page of one task.
"use strict";

function chooseRepeat(task) {
  if (task.due === null) {
    ui.dialog({
      name: "NoDateDialog",
      title: "No due date yet",
      body: "Give the task a due date before it can repeat.",
      actions: [{ id: "button_ok", text: "OK" }],
    });
    return;
  }
  ui.choose("RepeatDialog", "Repeat", REPEATS, task.repeat, (x) => {
    task.repeat = x;
  });
}

function subtasks(task) {
  const rows = task.subtasks.map((step, i) =>
    h(
      "div.sub",
      {
        id: "subtask_" + i,
        cls: step.done ? "done" : "",
        tap: () => {
          step.done = !step.done;
          Shell.refresh();
        },
      },
      h("span.ring", null, ui.box({ id: "subtask_box_" + i, on: step.done })),
      h("span.st", { id: "subtask_text", text: step.text }),
      ui.iconButton({
        id: "remove_subtask_" + i,
        icon: "close",
        size: 18,
        label: `Remove ${step.text}`,
        tap: () => {
          task.subtasks.splice(i, 1);
          Shell.refresh();
        },
      }),
    ),
  );
  const input = h("input", {
    id: "add_subtask",
    type: "text",
    placeholder: "Add subtask",
    value: state.draft,
    autocomplete: "off",
    spellcheck: "false",
    input: (x) => {
      state.draft = x;
    },
  });
  input._enter = (text) => {
    if (!text.trim()) return;
    task.subtasks.push({ text: text.trim(), done: false });
    state.draft = "";
    input.value = "";
    Shell.refresh();
  };
  return [rows, h("div.sub", null, ui.icon("add", 20), input)];
}

function taskPage(id) {
  const task = taskOf(id);
  if (!task) return h("div", null, ui.appBar({ title: "Task", back: true }), ui.empty("check", "This task was deleted"));
  const write = (key) => (x) => {
    task[key] = x;
  };
  const plain = { autocomplete: "off", spellcheck: "false" };
  return h(
    "div",
    null,
    ui.appBar({
      title: "Task",
      back: true,
      actions: [
        {
          id: "star_button",
          icon: task.star ? "star" : "staroutline",
          label: task.star ? "Unstar" : "Star",
          cls: task.star ? "on" : "",
          tap: () => {
            task.star = !task.star;
            Shell.refresh();
          },
        },
        { id: "delete_button", icon: "trash", label: "Delete", tap: () => removeTask(task, () => Shell.pop()) },
      ],
    }),
    h(
      "div.scroll",
      { id: "task_content" },
      h("input.tasktitle", { id: "edit_title", type: "text", placeholder: "Title", value: task.title, input: write("title"), ...plain }),
      h("textarea.taskdetails", { id: "edit_details", placeholder: "Details", value: task.details, input: write("details"), ...plain }),
      ui.row({ id: "task_due_row", icon: "calendar", title: "Due date", end: dayText(task.due), tap: () => dueSheet(task.due, (day) => setDue(task, day)) }),
      ui.row({ id: "task_repeat_row", icon: "repeat", title: "Repeat", end: task.repeat, tap: () => chooseRepeat(task) }),
      ui.row({ id: "task_priority_row", icon: "flag", title: "Priority", end: task.priority, tap: () => ui.choose("PriorityDialog", "Priority", PRIORITIES, task.priority, write("priority")) }),
      ui.row({ id: "task_list_row", icon: "list", title: "List", end: listOf(task.list).name, tap: () => moveTask(task) }),
      ui.head("Subtasks", "subtasks_head"),
      subtasks(task),
      h("div", { style: "height:16px" }),
    ),
    h(
      "div.foot",
      null,
      ui.button({
        id: "complete_button",
        text: task.done ? "Mark as not completed" : "Mark as completed",
        kind: "tonal",
        icon: "check",
        cls: "wide",
        tap: () => finish(task),
      }),
    ),
  );
}
