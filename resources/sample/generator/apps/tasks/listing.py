"""Looking at tasks: views, order, search, finished ones, sharing, and the settings."""

from __future__ import annotations

from typing import Any

from stepscope.resources.sample.generator.apps.tasks.common import WHICH, WHICH_LIST, list_open, pick, tasks
from stepscope.resources.sample.generator.plan import Chance, GoalPlan
from stepscope.resources.sample.generator.wording import Wording, WordingSampler
from stepscope.resources.sample.script import (
    Move,
    PhoneView,
    Then,
    both,
    by_words,
    data,
    done,
    layer,
    page,
    scroll,
    shows,
    snack,
    tap,
    write,
)

VIEWS = {"today": "due today", "starred": "with a star", "planned": "with a due date", "all": "on every list"}
SORTS = {"Due date": "by due date", "Priority": "by priority", "Title": "by title"}
NAMES = ("Ada", "Bram", "Ines", "Theo", "Wanda")
SWITCHES = {
    "completed": ("showing completed tasks", "Show completed tasks"),
    "confirm": ("the question before a task is deleted", "Ask before deleting a task"),
    "summary": ("the morning summary of tasks", "Summary in the morning"),
    "sounds": ("the sound when a task is completed", "Sound when a task is completed"),
    "strict": ("the rule that subtasks come first", "Subtasks first"),
}


def setting(name: str, value: Any) -> Then:
    """The setting has this value."""
    return data(lambda d: d["settings"][name] == value)


def menu(draw: WordingSampler) -> Move:
    """The menu at the top of a page."""
    return tap("menu_overflow", draw.say("Open the menu", "Tap More options", "Tap the three dots"), layer("Menu"))


def settings_open(draw: WordingSampler) -> list[Move]:
    """From the first page to the settings."""
    return [menu(draw), tap("menu_settings", draw.say("Choose Settings", "Tap Settings"), page("SettingsPage"))]


def show_view(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """The page with the tasks of a kind, over all lists. Slot `which`."""
    draw, name = WordingSampler(chance), chance.choice(list(VIEWS))
    title = {"today": "Today", "starred": "Starred", "planned": "Planned", "all": "All tasks"}[name]
    words = draw.goal(
        f"Show me the tasks[which| {VIEWS[name]}| of a certain kind]",
        f"Which tasks are there[which| {VIEWS[name]}]? Open the page that has them",
        f"I would like to see all my tasks[which| {VIEWS[name]}| that I think of]",
        f"Open the overview of tasks[which| {VIEWS[name]}]",
    )
    there = both(page("ListPage"), lambda v: v.state["arg"] == name)
    moves = (tap(f"view_{name}", draw.say(f"Tap {title}", f"Open {title}", f"Choose {title}"), there), done())
    questions = ("Which tasks: due today, starred, planned, or all?", "Which of the tasks do you want to see?")
    key = None if name == "all" else 0  # the lists, one by one, show all tasks as well
    return GoalPlan(words.full, moves, there, (draw.slot(words, "which", VIEWS[name], 0, questions),), key=key)


def sort(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A list in another order. Slot `order`."""
    draw, order = WordingSampler(chance), chance.choice(list(SORTS))
    name, how = chance.choice(view.data["lists"])["name"], SORTS[order]
    words = draw.goal(
        f"Sort the tasks on {name}[order| {how}| another way]",
        f"Open the list {name} and order its tasks[order| {how}| differently]",
        f"I want the tasks of my list {name} sorted[order| {how}| in another way]",
        f"Could you arrange the tasks on {name}[order| {how}]?",
    )
    moves = (
        list_open(draw, name),
        menu(draw),
        tap("menu_sort", draw.say("Choose Sort tasks", "Tap Sort tasks"), layer("SortDialog")),
        tap(by_words(order, "option_"), draw.say(f"Choose {order}", f"Tap {order}")),
        done(draw.say("The tasks are sorted", "The task is done")),
    )
    result = data(lambda d: d["sort"] == order)
    questions = ("How should the tasks be sorted?", "Which order do you want?")
    return GoalPlan(words.full, moves, result, (draw.slot(words, "order", how, 3, questions),), key=2)


def filter_priority(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A list's tasks of one priority. Slot `level`."""
    draw, level = WordingSampler(chance), chance.choice(("High", "Medium", "Low"))
    name, low = chance.choice(view.data["lists"])["name"], level.lower()
    words = draw.goal(
        f"Show only the tasks[level| of {low} priority| of one priority] on {name}",
        f"On my list {name}, filter the tasks[level| for {low} priority| by priority]",
        f"I just want to see what has[level| {low}| a certain] priority on the task list {name}",
        f"Could you limit the list {name} to tasks[level| with {low} priority| of one priority]?",
    )
    chosen = data(lambda d: d["filter"] == level)
    say = draw.say(f"Tap {level} priority", f"Choose {level} priority")
    moves = (list_open(draw, name), tap(f"filter_{low}", say, chosen), done())
    slots = (draw.slot(words, "level", low, 1, ("Which priority?", "High, medium or low priority?")),)
    return GoalPlan(words.full, moves, both(page("ListPage"), chosen), slots, key=1)


def find_task(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A task searched for by its words, and opened. Slot `task`; None without an open task."""
    draw, task = WordingSampler(chance), pick(chance, tasks(view))
    if task is None:
        return None
    title, word = task["title"], max(task["title"].split(), key=len)
    words = draw.goal(
        f"Search my tasks for[task| {title}| something] and open it",
        f"On which list is[task| {title}| that task of mine]? Search and open the task",
        f"Look for[task| the task {title}| a task] with the search and show it to me",
        f"Please find[task| the task {title}| a task] by searching and open it",
    )
    there = both(page("TaskPage"), lambda v: v.state["arg"] == task["id"])
    moves = (
        tap("search_button", draw.say("Tap Search", "Tap the magnifying glass"), page("SearchPage")),
        write(word, draw.say(f"Type {word}", "Type a word of it"), shows(f"task_{task['id']}")),
        tap(f"task_{task['id']}", draw.say(f"Open {title}", "Tap the task that was found"), there),
        done(draw.say("The task is open", "Here it is")),
    )
    slots = (draw.slot(words, "task", title, 1, ("What shall I search for?", *WHICH)),)
    return GoalPlan(words.full, moves, there, slots)


def clear_goal(draw: WordingSampler, name: str) -> Wording:
    """How people ask for finished tasks to go, whether there are any or not."""
    return draw.goal(
        f"Delete the completed tasks on[list| {name}| a list]",
        f"Clean up[list| the list {name}| one of my task lists]: everything completed can go",
        f"Could you remove all finished tasks from[list| {name}| that list]?",
        f"Finished tasks on[list| my list {name}| one list] only get in the way, delete them",
    )


def clear_open(draw: WordingSampler, name: str) -> list[Move]:
    """From the first page to a list's menu."""
    return [list_open(draw, name), menu(draw)]


def clear_completed(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """The finished tasks of a list removed. Slot `list`; None when no list has any."""
    draw, full = WordingSampler(chance), {t["list"] for t in tasks(view, done=True)}
    chosen = pick(chance, [x for x in view.data["lists"] if x["id"] in full])
    if chosen is None:
        return None
    words = clear_goal(draw, chosen["name"])
    cleared = data(lambda d: not any(t["done"] and t["list"] == chosen["id"] for t in d["tasks"]))
    say = draw.say("Choose Delete completed tasks", "Tap Delete completed tasks")
    moves = (
        *clear_open(draw, chosen["name"]),
        tap("menu_clear", say, layer("ClearDialog")),
        tap("button_ok", draw.say("Confirm with Delete", "Tap Delete"), snack("Completed tasks deleted")),
        done(),
    )
    return GoalPlan(words.full, moves, cleared, (draw.slot(words, "list", chosen["name"], 0, WHICH_LIST),))


def share_goal(draw: WordingSampler, name: str, person: str) -> Wording:
    """How people ask for a list to be shared, whether sync is on or not."""
    return draw.goal(
        f"Share the list {name}[who| with {person}| with somebody]",
        f"[who|{person}|Somebody] should see my task list {name} too, share it",
        f"Could you share my tasks on {name}[who| with {person}]?",
        f"So that[who| {person}| another person] can help with {name}, share that task list",
    )


def share_list(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A list shared with a person. Slot `who`; None while sync is off."""
    draw, chosen, person = WordingSampler(chance), chance.choice(view.data["lists"]), chance.choice(NAMES)
    if not view.data["settings"]["sync"]:
        return None
    words = share_goal(draw, chosen["name"], person)
    shared = data(lambda d: [chosen["id"], person] in d["shared"])
    moves = (
        list_open(draw, chosen["name"]),
        menu(draw),
        tap("menu_share", draw.say("Choose Share list", "Tap Share list"), layer("ShareDialog")),
        tap(by_words(person, "option_"), draw.say(f"Choose {person}", f"Tap {person}"), shared),
        done(),
    )
    questions = ("With whom shall I share it?", "Who should see the list?")
    return GoalPlan(words.full, moves, shared, (draw.slot(words, "who", person, 3, questions),), key=2)


def switch(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """One of the settings on or off."""
    draw, name = WordingSampler(chance), chance.choice(list(SWITCHES))
    what, title = SWITCHES[name]
    on = not view.data["settings"][name]
    turn = "on" if on else "off"
    goal = draw.say(
        f"Switch {turn} {what}",
        f"Please turn {turn} {what}",
        f"I would like you to switch {turn} {what}",
        f"In the settings of Tasks, turn {turn} {what}",
    )
    say = draw.say(f"Tap {title}", f"Switch {title}", f"Turn {title} {turn}")
    flip = tap(f"setting_{name}", say, setting(name, on))
    return GoalPlan(goal, (*settings_open(draw), flip, done()), setting(name, on), key=2)


def home_list(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """The list that new tasks land on. Slot `list`."""
    draw = WordingSampler(chance)
    chosen = chance.choice([x for x in view.data["lists"] if x["id"] != view.data["settings"]["home"]])
    name = chosen["name"]
    words = draw.goal(
        f"New tasks should land on[list| {name}| another list]",
        f"Make[list| {name}| another list] the list for new tasks",
        f"From today on, put new tasks on[list| my list {name}| a different list] unless I say otherwise",
        f"Set the list for new tasks[list| to {name}]",
    )
    result = setting("home", chosen["id"])
    moves = (
        *settings_open(draw),
        tap("setting_home", draw.say("Tap List for new tasks", "Open List for new tasks"), layer("ListDialog")),
        tap(by_words(name, "option_"), draw.say(f"Choose {name}", f"Tap {name}"), result),
        done(),
    )
    return GoalPlan(words.full, moves, result, (draw.slot(words, "list", name, 3, WHICH_LIST),), key=2)


def week_start(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """The day on which weeks begin. Slot `day`."""
    draw, day = WordingSampler(chance), chance.choice(("Saturday", "Sunday"))
    words = draw.goal(
        f"Let the week in Tasks begin[day| on {day}| on another day]",
        f"For the dates of my tasks, weeks should start[day| on {day}| on a different day]",
        f"Change the first day of the week for tasks[day| to {day}]",
        f"My week begins[day| on {day}| on another day], please set that in Tasks",
    )
    result = setting("weekStart", day)
    down = draw.say("Scroll down the settings", "Scroll to the end", "Look further down")
    moves = (
        *settings_open(draw),
        scroll("settings_list", down, shows("setting_week")),
        tap("setting_week", draw.say("Tap Week begins on", "Open Week begins on"), layer("WeekDialog")),
        tap(by_words(day, "option_"), draw.say(f"Choose {day}", f"Tap {day}"), result),
        done(),
    )
    slots = (draw.slot(words, "day", day, 4, ("On which day should the week begin?", "Which day is it?")),)
    return GoalPlan(words.full, moves, result, slots, key=3)
