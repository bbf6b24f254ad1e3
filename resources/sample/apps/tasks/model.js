// Tasks: what there is at a seed, and what can be done to it.
"use strict";

const rnd = makeRandom(Shell.seed * 733 + 1);
const PRIORITIES = ["High", "Medium", "Low", "None"];
const REPEATS = ["Never", "Every day", "Every week", "Every month", "Every year"];
const SORTS = ["My order", "Due date", "Priority", "Title"];
const NAMES = ["Ada", "Bram", "Ines", "Theo", "Wanda"];

const state = (() => {
  const drawn = rnd.some(LISTS, 4);
  const lists = [["My tasks", 140, rnd.some(MY_TASKS, rnd.int(11, 13))], ...drawn].map(([name, hue], id) => ({ id, name, hue }));
  const pools = [rnd.some(MY_TASKS, rnd.int(11, 13)), ...drawn.map((d) => rnd.some(d[2], rnd.int(5, d[2].length)))];
  const tasks = [];
  pools.forEach((titles, list) =>
    titles.forEach((title, at) => {
      // The first of a list has a date and no steps, the second neither, the third steps: so there is always one of each.
      const dated = at === 0 || (at !== 1 && rnd.chance(0.6));
      const steps = at === 2 || (at > 2 && rnd.chance(0.2)) ? rnd.some(STEPS, rnd.int(2, 4)) : [];
      tasks.push({
        id: tasks.length,
        title,
        details: rnd.chance(0.3) ? rnd.pick(DETAILS) : "",
        list,
        due: dated ? rnd.int(-2, 12) : null,
        repeat: dated && rnd.chance(0.2) ? rnd.pick(REPEATS.slice(1)) : "Never",
        priority: rnd.pick(["None", "None", "Low", "Medium", "High"]),
        star: rnd.chance(0.2),
        done: false,
        subtasks: steps.map((text, i) => ({ text, done: i > 0 && rnd.chance(0.4) })),
      });
    }),
  );
  const finished = lists.map((_, i) => (i === 1 ? 0 : i === 0 ? 2 : rnd.int(0, 2))); // the second list never has any
  for (const task of tasks.slice().reverse()) if (task.subtasks.length === 0 && finished[task.list]-- > 0) task.done = true;
  return {
    lists: [lists[0], ...rnd.shuffle(lists.slice(1))],
    tasks,
    nextTask: tasks.length,
    nextList: lists.length,
    sort: "My order",
    filter: "All",
    unfolded: [],
    query: "",
    draft: "",
    shared: [],
    settings: {
      sync: Shell.seed % 2 === 0,
      strict: (Shell.seed >> 1) % 2 === 0,
      completed: true,
      sounds: rnd.chance(0.5),
      badge: rnd.chance(0.6),
      summary: rnd.chance(0.5),
      confirm: false,
      home: 0,
      weekStart: "Monday",
    },
  };
})();

const taskOf = (id) => state.tasks.find((t) => t.id === id);
const listOf = (id) => state.lists.find((l) => l.id === id);
const openSteps = (task) => task.subtasks.filter((s) => !s.done).length;

const VIEWS = {
  today: ["Today", "sun", (t) => t.due !== null && t.due <= 0],
  starred: ["Starred", "star", (t) => t.star],
  planned: ["Planned", "calendar", (t) => t.due !== null],
  all: ["All tasks", "checklist", () => true],
};

/** Tasks of a list (its number) or of a view (its name), finished ones included. */
function tasksIn(key) {
  const belongs = typeof key === "number" ? (t) => t.list === key : VIEWS[key][2];
  return state.tasks.filter(belongs);
}

/** What a page of tasks shows: open ones after filter and order, and finished ones. */
function shownIn(key) {
  const due = (t) => (t.due === null ? 999 : t.due);
  const by = {
    "My order": (a, b) => a.id - b.id,
    "Due date": (a, b) => due(a) - due(b),
    Priority: (a, b) => PRIORITIES.indexOf(a.priority) - PRIORITIES.indexOf(b.priority),
    Title: (a, b) => a.title.localeCompare(b.title, "en"),
  }[state.sort];
  const all = tasksIn(key);
  const open = all.filter((t) => !t.done && (state.filter === "All" || t.priority === state.filter));
  return { open: open.sort((a, b) => by(a, b) || a.id - b.id), done: all.filter((t) => t.done) };
}

function newTask(title, more = {}) {
  const task = { id: state.nextTask++, title, details: "", list: state.settings.home, due: null, repeat: "Never", priority: "None", star: false, done: false, subtasks: [] };
  Object.assign(task, more);
  state.tasks.push(task);
  return task;
}

/** Finish a task or take it up again; with the setting, steps that are open come first. */
function finish(task) {
  if (!task.done && state.settings.strict && openSteps(task)) {
    const n = openSteps(task);
    ui.dialog({
      name: "OpenStepsDialog",
      title: n === 1 ? "1 subtask is still open" : `${n} subtasks are still open`,
      body: "Finish the subtasks of this task first.",
      actions: [{ id: "button_ok", text: "OK" }],
    });
    return;
  }
  const back = task.done;
  task.done = !back;
  Shell.snack(back ? "Task is open again" : "Task completed", "Undo", () => {
    task.done = back;
  });
}

function removeTask(task, after) {
  const act = () => {
    if (after) after();
    const at = state.tasks.indexOf(task);
    state.tasks.splice(at, 1);
    Shell.snack("Task deleted", "Undo", () => state.tasks.splice(at, 0, task));
  };
  if (!state.settings.confirm) act();
  else ui.confirm("DeleteTaskDialog", "Delete this task?", task.title, "Delete", act);
}

function clearCompleted(key) {
  const gone = tasksIn(key).filter((t) => t.done);
  if (!gone.length) {
    Shell.snack("No completed tasks on this list");
    return;
  }
  ui.confirm("ClearDialog", "Delete completed tasks?", gone.length === 1 ? "1 task will be deleted." : `${gone.length} tasks will be deleted.`, "Delete", () => {
    state.tasks = state.tasks.filter((t) => !gone.includes(t));
    Shell.snack("Completed tasks deleted");
  });
}

function shareList(list) {
  if (!state.settings.sync) {
    ui.dialog({
      name: "NoSyncDialog",
      title: "Sync is off",
      body: "Turn on sync in Settings before you share lists.",
      actions: [{ id: "button_ok", text: "OK" }],
    });
    return;
  }
  ui.choose("ShareDialog", `Share ${list.name} with`, NAMES, null, (name) => {
    state.shared.push([list.id, name]);
    Shell.snack(`Shared with ${name}`);
  });
}
