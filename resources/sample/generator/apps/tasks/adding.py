"""New things in Tasks: tasks, subtasks, copies and lists."""

from __future__ import annotations

from stepscope.resources.sample.generator.apps.tasks.common import (
    WHICH,
    WHICH_LIST,
    list_of,
    list_open,
    menu_of,
    opened,
    pick,
    task_is,
    tasks,
)
from stepscope.resources.sample.generator.plan import Chance, GoalPlan
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import (
    Move,
    PhoneView,
    by_words,
    data,
    done,
    enter,
    hold,
    layer,
    snack,
    tap,
    write,
)

NEW: tuple[str, ...] = (
    "Water the cactus",
    "Ask for the recipe",
    "Descale the kettle",
    "Return the ladder",
    "Order contact lenses",
)
NEW += ("Call the landlord", "Bring back the books", "Test the smoke alarm", "Book a table", "Post the letter")
NEW += ("Defrost the freezer", "Top up the bus card", "Repair the tent", "Label the jars", "Feed the neighbour's fish")
STEPS = ("Ask for the price", "Find the form", "Buy screws", "Warn the neighbours", "Take measurements", "Make coffee")
LISTS = ("Winter", "Borrowed things", "Car", "Baby room", "Films", "Taxes", "Small repairs", "Club evening")


def _add(draw: WordingSampler) -> Move:
    say = draw.say("Tap Add task", "Press the button Add task", "Start a new task", "Tap the plus at the bottom")
    return tap("add_task", say, layer("QuickAddSheet"))


def add_task(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A task by its words. Slot `title`."""
    draw, title = WordingSampler(chance), chance.choice(NEW)
    words = draw.goal(
        f"Add a task[title|: {title}]",
        f"Put[title| {title}| something] into Tasks",
        f"Remind me of this task[title|: {title}]",
        f"Could you create a task[title| called {title}| for me]?",
        f"New task[title| {title}]",
    )
    there = data(lambda d: any(t["title"] == title for t in d["tasks"]))
    typed = write(title, draw.say("Type the task", f"Type {title}"))
    if chance.random() < 0.5:
        last = enter(draw.say("Press enter", "Confirm with the enter key"), there)
    else:
        last = tap("quick_save", draw.say("Tap Add", "Press Add"), there)
    slots = (draw.slot(words, "title", title, 1, ("What is the task?", "What shall I write down?")),)
    return GoalPlan(words.full, (_add(draw), typed, last, done()), there, slots, key=0)


def add_with_date(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A task due today or tomorrow. Slots `title`, `day`."""
    draw, title = WordingSampler(chance), chance.choice(NEW)
    name, day = chance.choice((("Today", 0), ("Tomorrow", 1)))
    when = name.lower()
    words = draw.goal(
        f"Add the task[title| {title}| I have in mind],[day| due {when}| with a due date]",
        f"I have to do something[day| {when}| by a certain day][title|, namely {title}|], make it a task with a date",
        f"Please note[title| {title}| a new task][day| for {when}| for a certain day] as a task with its due date",
        f"New task[title| {title}] with the due date[day| {when}| set]",
    )
    there = data(lambda d: any(t["title"] == title and t["due"] == day for t in d["tasks"]))
    moves = (
        _add(draw),
        write(title, draw.say("Type the task", f"Type {title}")),
        tap("quick_due", draw.say("Tap Date", "Open the due date"), layer("DueSheet")),
        tap(f"due_{when}", draw.say(f"Choose {name}", f"Tap {name}"), layer("QuickAddSheet")),
        tap("quick_save", draw.say("Tap Add", "Press Add"), there),
        done(draw.say("The task is on the list", "The task is done")),
    )
    slots = (
        draw.slot(words, "title", title, 1, ("What is the task?", "What do you have to do?")),
        draw.slot(words, "day", when, 3, ("When is it due?", "For which day?")),
    )
    return GoalPlan(words.full, moves, there, slots, key=0)


def add_to_list(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A task on another list than the usual one. Slots `title`, `list`."""
    draw, title = WordingSampler(chance), chance.choice(NEW)
    chosen = chance.choice([x for x in view.data["lists"] if x["id"] != view.data["settings"]["home"]])
    name = chosen["name"]
    words = draw.goal(
        f"Add the task[title| {title}| I have in mind] to[list| the list {name}| one of my lists]",
        f"[title|{title}|A new task] belongs on[list| my list {name}| one of the lists], add it there",
        f"On[list| {name}| one of my lists], write a task[title|: {title}]",
        f"Would you add[title| {title}| a task] to[list| my {name} tasks| a certain task list]?",
    )
    there = data(lambda d: any(t["title"] == title and t["list"] == chosen["id"] for t in d["tasks"]))
    typed = write(title, draw.say("Type the task", f"Type {title}"))
    save = tap("quick_save", draw.say("Tap Add", "Press Add"), there)
    if chance.random() < 0.5:
        moves: tuple[Move, ...] = (list_open(draw, name), _add(draw), typed, save, done())
        steps, key = (2, 0), 1
    else:
        listed = tap("quick_list", draw.say("Tap the list below", "Change the list"), layer("ListDialog"))
        choose = tap(by_words(name, "option_"), draw.say(f"Choose {name}", f"Tap {name}"), layer("QuickAddSheet"))
        moves, steps, key = (_add(draw), typed, listed, choose, save, done()), (1, 3), 0
    slots = (
        draw.slot(words, "title", title, steps[0], ("What is the task?", "What shall I add?")),
        draw.slot(words, "list", name, steps[1], WHICH_LIST),
    )
    return GoalPlan(words.full, moves, there, slots, key=key)


def add_subtask(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """One more step of a task. Slots `task`, `step`; None without an open task."""
    draw, task, step = WordingSampler(chance), pick(chance, tasks(view)), chance.choice(STEPS)
    if task is None:
        return None
    title, name = task["title"], list_of(view, task)
    words = draw.goal(
        f"Add the subtask[step| {step}| I need] to[task| {title}| a task] on the list {name}",
        f"[task|{title}|One task] on {name} needs another subtask[step|: {step}]",
        f"Split[task| the task {title}| a task] on {name} further, with the step[step| {step}| I tell you]",
        f"In the list {name}, could you write[step| {step}| a step] below[task| {title}| one of the tasks]"
        " as a subtask?",
    )
    way = opened(view, draw, task)
    wanted = task_is(task, subtasks=[*task["subtasks"], {"text": step, "done": False}])
    moves = (
        *way,
        tap("add_subtask", draw.say("Tap Add subtask", "Go to the line for a subtask")),
        write(step, draw.say("Type the subtask", f"Type {step}")),
        enter(draw.say("Press enter", "Add it with the enter key"), wanted),
        done(),
    )
    slots = (
        draw.slot(words, "task", title, 1, WHICH),
        draw.slot(words, "step", step, len(way) + 1, ("What is the subtask?", "Which step shall I add?")),
    )
    return GoalPlan(words.full, moves, wanted, slots, key=len(way))


def duplicate(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A task twice, by its menu. Slot `task`; None without an open task."""
    draw, task = WordingSampler(chance), pick(chance, tasks(view))
    if task is None:
        return None
    title, name = task["title"], list_of(view, task)
    words = draw.goal(
        f"Duplicate[task| the task {title}| a task] on {name}",
        f"I have to do[task| {title}| one thing] from the list {name} twice, so copy the task",
        f"Make a second task out of[task| {title}| one] on my list {name}",
        f"Could you copy[task| the task {title}| a task] in {name}?",
    )
    there = data(lambda d: any(t["title"] == f"{title} (copy)" for t in d["tasks"]))
    way = menu_of(view, draw, task)
    moves = (*way, tap("menu_duplicate", draw.say("Choose Duplicate", "Tap Duplicate"), there), done())
    slots = (draw.slot(words, "task", title, 1, WHICH),)
    return GoalPlan(words.full, moves, there, slots, key=len(way))


def new_list(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A list with a name. Slot `name`."""
    draw, name = WordingSampler(chance), chance.choice(LISTS)
    words = draw.goal(
        f"Create a new task list[name| called {name}]",
        f"I want a separate list[name| named {name}] in Tasks",
        f"Make a list in the Tasks app[name| with the name {name}], please",
        f"Start another list in Tasks[name| and call it {name}]",
    )
    there = data(lambda d: any(x["name"] == name for x in d["lists"]))
    moves = (
        tap("new_list", draw.say("Tap New list", "Choose New list"), layer("NewListDialog")),
        write(name, draw.say("Type the name", f"Type {name}")),
        tap("button_ok", draw.say("Tap Create", "Confirm with Create"), there),
        done(draw.say("The list is there", "The task is done")),
    )
    questions = ("What should the list be called?", "Which name shall it have?")
    return GoalPlan(words.full, moves, there, (draw.slot(words, "name", name, 1, questions),), key=0)


def rename_list(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Another name for a list. Slots `list`, `name`."""
    draw, chosen, name = WordingSampler(chance), chance.choice(view.data["lists"]), chance.choice(LISTS)
    old = chosen["name"]
    words = draw.goal(
        f"Rename[list| the list {old}| a task list] to[name| {name}| something else]",
        f"[list|The task list {old}|One of my task lists] should be called[name| {name}| something else]",
        f"Change the name of[list| my list {old}| a list] in Tasks[name| to {name}]",
        f"Could you give[list| the list {old}| one of the task lists] the name[name| {name}| I want]?",
    )
    renamed = data(lambda d: any(x["id"] == chosen["id"] and x["name"] == name for x in d["lists"]))
    say = draw.say(f"Press and hold {old}", f"Hold the list {old}")
    moves = (
        hold(f"list_{chosen['id']}", say, layer("ListMenu")),
        tap("menu_rename", draw.say("Choose Rename list", "Tap Rename list"), layer("RenameDialog")),
        write(name, draw.say("Type the new name", f"Type {name} instead"), replace=True),
        tap("button_ok", draw.say("Tap Rename", "Confirm the name"), renamed),
        done(),
    )
    slots = (
        draw.slot(words, "list", old, 0, WHICH_LIST),
        draw.slot(words, "name", name, 2, ("What should it be called?", "What is the new name?")),
    )
    return GoalPlan(words.full, moves, renamed, slots, key=1)


def delete_list(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A list with all its tasks; never the list 0. Slot `list`."""
    draw, chosen = WordingSampler(chance), chance.choice([x for x in view.data["lists"] if x["id"]])
    name = chosen["name"]
    words = draw.goal(
        f"Delete[list| the list {name}| a list] with all its tasks",
        f"I am done with[list| {name}| one of my task lists], remove the whole list",
        f"Please take[list| the task list {name}| that task list] away",
        f"[list|The list {name}|One list] in Tasks can go, tasks and all",
    )
    say = draw.say(f"Press and hold {name}", f"Hold the list {name}")
    moves = (
        hold(f"list_{chosen['id']}", say, layer("ListMenu")),
        tap("menu_delete_list", draw.say("Choose Delete list", "Tap Delete list"), layer("DeleteListDialog")),
        tap("button_ok", draw.say("Confirm with Delete", "Tap Delete"), snack("List deleted")),
        done(),
    )
    removed = data(lambda d: all(x["id"] != chosen["id"] for x in d["lists"]))
    return GoalPlan(words.full, moves, removed, (draw.slot(words, "list", name, 0, WHICH_LIST),), key=1)
