"""Changing a task: finish, star, date, priority, repeat, list, words."""

from __future__ import annotations

from stepscope.resources.sample.generator.apps.tasks.common import (
    WHICH,
    WHICH_LIST,
    Item,
    gone,
    list_of,
    list_open,
    menu_of,
    open_steps,
    opened,
    pick,
    reach,
    task_is,
    tasks,
)
from stepscope.resources.sample.generator.plan import Chance, GoalPlan
from stepscope.resources.sample.generator.wording import Wording, WordingSampler
from stepscope.resources.sample.script import Move, PhoneView, by_words, done, layer, swipe, tap, write

MONTHS: tuple[str, ...] = ("January", "February", "March", "April", "May", "June", "July")
MONTHS += ("August", "September", "October", "November", "December")
_DAYS_IN = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_SMALL = 7
"""Open tasks on a list whose finished ones are on the screen too."""
REPEATS = {"Every day": "daily", "Every week": "weekly", "Every month": "monthly", "Every year": "yearly"}
TITLES = ("Ask Theo first", "Second attempt", "Only if it rains", "For the weekend", "With Ada", "Cheaper this time")


def complete_goal(draw: WordingSampler, title: str, name: str) -> Wording:
    """How people ask for a task to be finished, whether its subtasks are or not."""
    return draw.goal(
        f"Complete[task| the task {title}| a task] on the list {name}",
        f"I have done[task| {title}| one of the things] on {name}, mark it as completed",
        f"Check off[task| {title}| one task] in the list {name}",
        f"[task|{title}|One task] is finished, please mark that on my list {name}",
        f"Task list {name}: mark[task| {title}| one task] as done",
    )


def complete(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A task finished. Slot `task`; None when the settings want subtasks first and all tasks have open ones."""
    strict = view.data["settings"]["strict"]
    draw, task = WordingSampler(chance), pick(chance, [t for t in tasks(view) if not (strict and open_steps(t))])
    if task is None:
        return None
    title, finished = task["title"], task_is(task, done=True)
    words = complete_goal(draw, title, list_of(view, task))
    moves = reach(view, draw, task)
    if chance.random() < 0.5:
        say = draw.say(f"Tap the circle before {title}", f"Tap the circle of {title}", f"Check off {title}")
        moves.append(tap(f"check_{task['id']}", say, finished))
    else:
        say = draw.say(f"Swipe {title} to the right", f"Swipe the task {title} to the right")
        moves.append(swipe(f"task_{task['id']}", "right", say, finished))
    return GoalPlan(words.full, (*moves, done()), finished, (draw.slot(words, "task", title, 1, WHICH),))


def reopen(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A finished task taken up again. Slot `task`; None without one on a list that is short enough."""
    draw, order = WordingSampler(chance), view.data["order"]
    short = [t for t in tasks(view, done=True) if len(order[str(t["list"])]) <= _SMALL]
    task = pick(chance, short)
    if task is None:
        return None
    title, name = task["title"], list_of(view, task)
    words = draw.goal(
        f"[task|{title}|One task] on {name} is not done after all, take it up again",
        f"Reopen[task| the completed task {title}| a completed task] on the list {name}",
        f"Could you mark[task| {title}| something] on {name} as not completed?",
        f"I ticked off[task| the task {title}| the wrong task] on the list {name} too soon, undo that",
    )
    again = task_is(task, done=False)
    moves = (
        list_open(draw, name),
        tap("completed_header", draw.say("Unfold Completed", "Tap Completed", "Open the completed tasks")),
        tap(f"check_{task['id']}", draw.say(f"Tap the tick before {title}", f"Reopen {title}"), again),
        done(draw.say("The task is open again", "Done")),
    )
    return GoalPlan(words.full, moves, again, (draw.slot(words, "task", title, 2, WHICH),))


def star(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A star on a task. Slot `task`; None when all have theirs."""
    draw, task = WordingSampler(chance), pick(chance, [t for t in tasks(view) if not t["star"]])
    if task is None:
        return None
    title, name = task["title"], list_of(view, task)
    words = draw.goal(
        f"Star[task| the task {title}| a task] on the list {name}",
        f"Put a star on[task| {title}| one of the tasks] in {name}",
        f"[task|{title}|One thing] on my list {name} matters most, so star it",
        f"Give[task| the task {title}| one task] on {name} a star, please",
    )
    starred = task_is(task, star=True)
    say = draw.say(f"Tap the star of {title}", f"Tap the star beside {title}", f"Star {title}")
    moves = (*reach(view, draw, task, whole=True), tap(f"star_{task['id']}", say, starred), done())
    return GoalPlan(words.full, moves, starred, (draw.slot(words, "task", title, 1, WHICH),))


def _days(view: PhoneView) -> dict[str, int]:
    weekday = view.data["today"]["weekday"]
    weekend, week = (5 - weekday) % 7 or 7, (7 - weekday) % 7 or 7
    return {"Today": 0, "Tomorrow": 1, "Weekend": weekend, "Next week": week}


_KEYS = {"Today": "today", "Tomorrow": "tomorrow", "Weekend": "weekend", "Next week": "week"}
_WHEN = {"Today": "today", "Tomorrow": "tomorrow", "Weekend": "at the weekend", "Next week": "next week"}


def _due_goal(draw: WordingSampler, title: str, name: str, when: str) -> Wording:
    return draw.goal(
        f"Make[task| {title}| a task] on the list {name} due[day| {when}| on another day]",
        f"Set the due date of[task| the task {title}| one task] on {name}[day|: {when}]",
        f"[task|The task {title}|One of the tasks] in {name} has to be done[day| {when}| some day], set its date",
        f"Could you give[task| {title}| a task] on my list {name} a due date[day|, {when}]?",
    )


def _due_open(view: PhoneView, draw: WordingSampler, task: Item) -> list[Move]:
    say = draw.say("Tap Due date", "Open the due date")
    return [*opened(view, draw, task), tap("task_due_row", say, layer("DueSheet"))]


def set_due(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A date in words, such as tomorrow. Slots `task`, `day`; None without an open task."""
    draw, task = WordingSampler(chance), pick(chance, tasks(view))
    if task is None:
        return None
    name, day = chance.choice([(n, d) for n, d in _days(view).items() if d != task["due"]])
    words = _due_goal(draw, task["title"], list_of(view, task), _WHEN[name])
    way, due = _due_open(view, draw, task), task_is(task, due=day)
    moves = (*way, tap(f"due_{_KEYS[name]}", draw.say(f"Choose {name}", f"Tap {name}"), due), done())
    slots = (
        draw.slot(words, "task", task["title"], 1, WHICH),
        draw.slot(words, "day", _WHEN[name], len(way), ("When is it due?", "For which day?")),
    )
    key = None if name == "Tomorrow" else len(way) - 1  # tomorrow is in the task's menu as well
    return GoalPlan(words.full, moves, due, slots, key=key)


def pick_date(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A date chosen in the calendar. Slots `task`, `day`; None without an open task."""
    draw, task = WordingSampler(chance), pick(chance, tasks(view))
    if task is None:
        return None
    today = view.data["today"]
    day = chance.choice([d for d in range(8, 25) if d != task["due"]])
    number, month = today["day"] + day, today["month"]
    turned = number > _DAYS_IN[month]
    if turned:
        number, month = number - _DAYS_IN[month], (month + 1) % 12
    when = f"on {number} {MONTHS[month]}"
    words = _due_goal(draw, task["title"], list_of(view, task), when)
    way, due = _due_open(view, draw, task), task_is(task, due=day)
    moves = [*way, tap("due_pick", draw.say("Choose Pick a date", "Tap Pick a date"), layer("CalendarDialog"))]
    if turned:
        moves.append(tap("next_month", draw.say("Go to the next month", "Turn to the next month")))
    moves += [
        tap(f"day_{number}", draw.say(f"Tap {number}", f"Choose the day {number}", f"Pick {number} {MONTHS[month]}")),
        tap("button_ok", draw.say("Tap OK", "Confirm with OK"), due),
        done(),
    ]
    slots = (
        draw.slot(words, "task", task["title"], 1, WHICH),
        draw.slot(words, "day", when, len(way), ("When is it due?", "On which day?")),
    )
    return GoalPlan(words.full, tuple(moves), due, slots, key=len(way) - 1)


def postpone(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A task that is due put off to tomorrow, by its menu. Slot `task`; None when none is due."""
    draw, task = WordingSampler(chance), pick(chance, [t for t in tasks(view) if t["due"] is not None and t["due"] < 1])
    if task is None:
        return None
    title, name = task["title"], list_of(view, task)
    words = draw.goal(
        f"Postpone[task| {title}| a task] on {name} to tomorrow",
        f"I will not manage[task| {title}| one task] on the list {name} today, move its date to tomorrow",
        f"Tomorrow is early enough for[task| the task {title}| one of the tasks] on {name}, put it off",
        f"Could you put off[task| the task {title}| a task] on my list {name} until tomorrow?",
    )
    due = task_is(task, due=1)
    say = draw.say("Choose Postpone to tomorrow", "Tap Postpone to tomorrow")
    moves = (*menu_of(view, draw, task), tap("menu_postpone", say, due), done())
    return GoalPlan(words.full, moves, due, (draw.slot(words, "task", title, 1, WHICH),))


def priority(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Another priority. Slots `task`, `level`; None without an open task."""
    draw, task = WordingSampler(chance), pick(chance, tasks(view))
    if task is None:
        return None
    level = chance.choice([p for p in ("High", "Medium", "Low") if p != task["priority"]])
    title, name, low = task["title"], list_of(view, task), level.lower()
    words = draw.goal(
        f"Set the priority of[task| {title}| a task] on {name}[level| to {low}]",
        f"[task|The task {title}|One task] on the list {name} should have[level| {low}| another] priority",
        f"Give[task| {title}| one of the tasks] on my list {name}[level| {low}| a different] priority, please",
        f"Could you change[task| the task {title}| a task] in {name} to[level| {low} priority| another priority]?",
    )
    way, result = opened(view, draw, task), task_is(task, priority=level)
    moves = (
        *way,
        tap("task_priority_row", draw.say("Tap Priority", "Open the priority"), layer("PriorityDialog")),
        tap(by_words(level, "option_"), draw.say(f"Choose {level}", f"Tap {level}"), result),
        done(),
    )
    slots = (
        draw.slot(words, "task", title, 1, WHICH),
        draw.slot(words, "level", f"{low}", len(way) + 1, ("Which priority?", "How important is it?")),
    )
    return GoalPlan(words.full, moves, result, slots, key=len(way))


def repeat_goal(draw: WordingSampler, title: str, name: str, often: str) -> Wording:
    """How people ask for a task to come back, whether it has a date or not."""
    return draw.goal(
        f"Let[task| the task {title}| a task] on {name} repeat[often| {often}| regularly]",
        f"[task|{title}|One task] on the list {name} comes back[often| {often}| again and again], set that up",
        f"Make[task| {title}| one of the tasks] on my list {name} a[often| {often}| repeating] task",
        f"Could you set[task| the task {title}| a task] in {name} to repeat[often| {often}]?",
    )


def repeat(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A task that comes back by itself. Slots `task`, `often`; None without one that has a date."""
    draw, task = WordingSampler(chance), pick(chance, [t for t in tasks(view) if t["due"] is not None])
    if task is None:
        return None
    option = chance.choice([r for r in REPEATS if r != task["repeat"]])
    words = repeat_goal(draw, task["title"], list_of(view, task), REPEATS[option])
    way, result = opened(view, draw, task), task_is(task, repeat=option)
    moves = (
        *way,
        tap("task_repeat_row", draw.say("Tap Repeat", "Open Repeat"), layer("RepeatDialog")),
        tap(by_words(option, "option_"), draw.say(f"Choose {option}", f"Tap {option}"), result),
        done(),
    )
    slots = (
        draw.slot(words, "task", task["title"], 1, WHICH),
        draw.slot(words, "often", REPEATS[option], len(way) + 1, ("How often should it repeat?", "How often?")),
    )
    return GoalPlan(words.full, moves, result, slots, key=len(way))


def tick_subtask(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A step of a task checked off. Slot `step`; None when no task has an open one."""
    draw, task = WordingSampler(chance), pick(chance, [t for t in tasks(view) if open_steps(t)])
    if task is None:
        return None
    step = chance.choice(open_steps(task))
    index, title, name = task["subtasks"].index(step), task["title"], list_of(view, task)
    words = draw.goal(
        f"Check off the subtask[step| {step['text']}| I finished] of {title} on {name}",
        f"In the task {title} on {name}, the step[step| {step['text']}| I just did] is done, mark it",
        f"[step|{step['text']}|One subtask] of {title} on the list {name} is finished, please tick it",
        f"Mark[step| {step['text']}| a subtask] below {title} on my list {name} as done",
    )
    wanted = task_is(task, subtasks=[dict(s, done=True) if s is step else s for s in task["subtasks"]])
    way = opened(view, draw, task)
    say = draw.say(f"Tap {step['text']}", f"Tap the circle before {step['text']}", f"Tick {step['text']}")
    moves = (*way, tap(f"subtask_{index}", say, wanted), done())
    questions = ("Which subtask?", "Which of its steps is done?")
    return GoalPlan(words.full, moves, wanted, (draw.slot(words, "step", step["text"], len(way), questions),))


def move_goal(draw: WordingSampler, title: str, name: str, target: str) -> Wording:
    """How people ask for a task on another list, whether that exists or not."""
    return draw.goal(
        f"Move[task| the task {title}| a task] from {name} to[list| the list {target}| another list]",
        f"[task|{title}|One task] is on {name} but belongs on[list| the list {target}| another list], move it",
        f"Please put[task| {title}| one of the tasks] from my list {name} on[list| {target}| a different task list]",
        f"Could you shift[task| the task {title}| a task] on {name} to[list| my list {target}| another task list]?",
    )


def move(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A task to another list. Slots `task`, `list`; None without an open task."""
    draw, task = WordingSampler(chance), pick(chance, tasks(view))
    if task is None:
        return None
    target = chance.choice([x for x in view.data["lists"] if x["id"] != task["list"]])
    words = move_goal(draw, task["title"], list_of(view, task), target["name"])
    way, moved = move_open(view, draw, task), task_is(task, list=target["id"])
    choose = draw.say(f"Choose {target['name']}", f"Tap {target['name']}")
    moves = (*way, tap(by_words(target["name"], "option_"), choose, moved), done())
    slots = (
        draw.slot(words, "task", task["title"], 1, WHICH),
        draw.slot(words, "list", target["name"], len(way), WHICH_LIST),
    )
    return GoalPlan(words.full, moves, moved, slots)


def move_open(view: PhoneView, draw: WordingSampler, task: Item) -> list[Move]:
    """To the lists that the task can go to, by its menu or by its page."""
    if draw.chance.random() < 0.5:
        say = draw.say("Choose Move to list", "Tap Move to list")
        return [*menu_of(view, draw, task), tap("menu_move", say, layer("ListDialog"))]
    return [*opened(view, draw, task), tap("task_list_row", draw.say("Tap List", "Open List"), layer("ListDialog"))]


def retitle(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Other words for a task. Slots `task`, `new`; None without an open task."""
    draw, task, new = WordingSampler(chance), pick(chance, tasks(view)), chance.choice(TITLES)
    if task is None:
        return None
    title, name = task["title"], list_of(view, task)
    words = draw.goal(
        f"Rename[task| the task {title}| a task] on {name} to[new| {new}| something else]",
        f"Call[task| the task {title}| one task] on the list {name}[new| {new}| something else] instead",
        f"[task|{title}|One of the tasks] on {name} should read[new| {new}| differently] from now on",
        f"Could you change the words of[task| the task {title}| a task] on my list {name}[new| to {new}]?",
    )
    way, result = opened(view, draw, task), task_is(task, title=new)
    moves = (
        *way,
        tap("edit_title", draw.say("Tap the title", f"Tap {title} at the top"), lambda v: v.state["keyboard"]),
        write(new, draw.say("Replace the words", f"Type {new} instead"), result, replace=True),
        done(),
    )
    slots = (
        draw.slot(words, "task", title, 1, WHICH),
        draw.slot(words, "new", new, len(way) + 1, ("What should it say?", "What is the new name of the task?")),
    )
    return GoalPlan(words.full, moves, result, slots)


def delete(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A task swiped away, or deleted on its page. Slot `task`; None without an open task."""
    draw, task = WordingSampler(chance), pick(chance, tasks(view))
    if task is None:
        return None
    title, name = task["title"], list_of(view, task)
    words = draw.goal(
        f"Delete[task| the task {title}| a task] from {name}",
        f"[task|{title}|One task] on the list {name} is no longer needed, delete it",
        f"Take[task| {title}| one of the tasks] off my list {name} for good",
        f"Could you remove[task| the task {title}| a task] from {name}?",
    )
    if chance.random() < 0.6:
        say = draw.say(f"Swipe {title} to the left", "Swipe the task to the left")
        moves = [*reach(view, draw, task), swipe(f"task_{task['id']}", "left", say, gone(task))]
    else:
        say = draw.say("Tap Delete", "Tap the bin at the top")
        moves = [*opened(view, draw, task), tap("delete_button", say, gone(task))]
    return GoalPlan(words.full, (*moves, done()), gone(task), (draw.slot(words, "task", title, 1, WHICH),))
