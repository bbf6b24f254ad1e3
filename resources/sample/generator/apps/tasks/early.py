"""Goals of Tasks that come too early: something else is needed first."""

from __future__ import annotations

from stepscope.resources.sample.generator.apps.tasks.changing import (
    REPEATS,
    complete_goal,
    move_goal,
    move_open,
    repeat_goal,
)
from stepscope.resources.sample.generator.apps.tasks.common import (
    PREMATURE,
    list_of,
    list_open,
    open_steps,
    opened,
    pick,
    reach,
    tasks,
)
from stepscope.resources.sample.generator.apps.tasks.listing import NAMES, clear_goal, clear_open, menu, share_goal
from stepscope.resources.sample.generator.plan import Chance, GoalPlan
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import PhoneView, both, data, give_up, layer, page, snack, tap

_LISTS: tuple[str, ...] = (
    "Groceries",
    "Office",
    "Flat",
    "Allotment",
    "Ferry trip",
    "Evening class",
    "Street party",
    "Wellbeing",
)
_LISTS += ("Winter", "Car", "Taxes")


def repeat_without_date(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Premature: a task without a date cannot come back. None when all have one."""
    draw, task = WordingSampler(chance), pick(chance, [t for t in tasks(view) if t["due"] is None])
    if task is None:
        return None
    often, title = chance.choice(list(REPEATS.values())), task["title"]
    moves = (
        *opened(view, draw, task),
        tap("task_repeat_row", draw.say("Tap Repeat", "Open Repeat"), layer("NoDateDialog")),
        give_up(draw.say("A task without a due date cannot repeat", "The task needs a due date first")),
    )
    follow_up = draw.say(
        f"{title} has no due date yet. When should it be due for the first time?",
        "Only tasks with a due date repeat. Which date shall I set first?",
    )
    goal = repeat_goal(draw, title, list_of(view, task), often).full
    return GoalPlan(goal, moves, layer("NoDateDialog"), reason=PREMATURE, follow_up=follow_up)


def complete_too_early(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Subtasks are open, and the settings want them first."""
    draw, task = WordingSampler(chance), pick(chance, [t for t in tasks(view) if open_steps(t)])
    if task is None or not view.data["settings"]["strict"]:
        return None
    title = task["title"]
    say = draw.say(f"Tap the circle before {title}", f"Tap the circle of {title}", f"Check off {title}")
    moves = (
        *reach(view, draw, task),
        tap(f"check_{task['id']}", say, layer("OpenStepsDialog")),
        give_up(draw.say("Its subtasks are still open", "The subtasks have to be finished first")),
    )
    follow_up = draw.say(
        f"{title} still has open subtasks. Are they done too?",
        "There are unfinished subtasks. Shall I mark those as done first?",
    )
    goal = complete_goal(draw, title, list_of(view, task)).full
    return GoalPlan(goal, moves, layer("OpenStepsDialog"), reason=PREMATURE, follow_up=follow_up)


def clear_nothing(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Premature: nothing on the list is finished. None without such a list."""
    draw, full = WordingSampler(chance), {t["list"] for t in tasks(view, done=True)}
    chosen = pick(chance, [x for x in view.data["lists"] if x["id"] not in full])
    if chosen is None:
        return None
    name, say = chosen["name"], draw.say("Choose Delete completed tasks", "Tap Delete completed tasks")
    moves = (
        *clear_open(draw, name),
        tap("menu_clear", say, snack("No completed tasks")),
        give_up(draw.say("No task on this list is completed yet", "There is nothing completed on this list")),
    )
    follow_up = draw.say(
        f"Nothing on {name} is completed yet. Which tasks are done?",
        "No task there is finished. Do you mean another list?",
    )
    same = both(page("ListPage"), data(lambda d: d["tasks"] == view.data["tasks"]))
    return GoalPlan(clear_goal(draw, name).full, moves, same, reason=PREMATURE, follow_up=follow_up)


def share_without_sync(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Premature: sync is off, and sharing needs it. None when it is on."""
    draw, chosen, person = WordingSampler(chance), chance.choice(view.data["lists"]), chance.choice(NAMES)
    if view.data["settings"]["sync"]:
        return None
    moves = (
        list_open(draw, chosen["name"]),
        menu(draw),
        tap("menu_share", draw.say("Choose Share list", "Tap Share list"), layer("NoSyncDialog")),
        give_up(draw.say("Lists can only be shared while sync is on", "Sync has to be turned on first")),
    )
    follow_up = draw.say(
        "Sync is off, and sharing needs it. Shall I turn it on?",
        f"Before {person} can see the list, sync must be on. May I switch it on in the settings?",
    )
    goal = share_goal(draw, chosen["name"], person).full
    return GoalPlan(goal, moves, layer("NoSyncDialog"), reason=PREMATURE, follow_up=follow_up)


def move_to_missing(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A list that nobody has created yet."""
    draw, task = WordingSampler(chance), pick(chance, tasks(view))
    if task is None:
        return None
    target = chance.choice([x for x in _LISTS if x not in {known["name"] for known in view.data["lists"]}])
    moves = (
        *move_open(view, draw, task),
        give_up(draw.say(f"There is no list {target} yet", "That list would have to be created first")),
    )
    follow_up = draw.say(
        f"There is no list called {target}. Shall I create it first?",
        f"I do not see {target} among your lists. Do you want it as a new list?",
    )
    goal = move_goal(draw, task["title"], list_of(view, task), target).full
    return GoalPlan(goal, moves, layer("ListDialog"), reason=PREMATURE, follow_up=follow_up)
