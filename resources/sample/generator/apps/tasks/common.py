"""What the templates of Tasks share: reading the app's data, and the way to a task in its list."""

from __future__ import annotations

import math
from typing import Any

from stepscope.core.domain.episode import InfeasibilityReason
from stepscope.resources.sample.generator.plan import Chance
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import (
    Move,
    PhoneView,
    Then,
    by_words,
    data,
    hold,
    layer,
    page,
    scroll,
    shows,
    tap,
)

PREMATURE = InfeasibilityReason.PREMATURE
Item = dict[str, Any]

_ROW, _FOOT, _SEEN, _HEIGHT = 72, 90, 733, 915
_LONGEST = 0.5
_BUTTON = 80
"""What the button at the lower right covers of the list, CSS pixels."""
WHICH = ("Which task do you mean?", "There are several tasks. Which one is it?", "Which of the tasks?")
WHICH_LIST = ("Which list do you mean?", "There are several lists. Which one?", "Which of your lists?")


def tasks(view: PhoneView, *, done: bool = False) -> list[Item]:
    """The tasks that are open, or those that are done."""
    return [t for t in view.data["tasks"] if t["done"] == done]


def open_steps(task: Item) -> list[Item]:
    """The task's subtasks that are not done."""
    return [s for s in task["subtasks"] if not s["done"]]


def list_of(view: PhoneView, task: Item) -> str:
    """The name of the list that the task is on."""
    name: str = next(x["name"] for x in view.data["lists"] if x["id"] == task["list"])
    return name


def task_is(task: Item, **wanted: Any) -> Then:
    """The task has all these values now."""
    return data(lambda d: any(t["id"] == task["id"] and all(t[k] == v for k, v in wanted.items()) for t in d["tasks"]))


def gone(task: Item) -> Then:
    """The task is on no list any more."""
    return data(lambda d: all(t["id"] != task["id"] for t in d["tasks"]))


def list_open(draw: WordingSampler, name: str) -> Move:
    """From the first page to the list called `name`."""
    say = draw.say(f"Open the list {name}", f"Tap {name}", f"Go to {name}")
    return tap(by_words(name, "list_"), say, page("ListPage"))


def reach(view: PhoneView, draw: WordingSampler, task: Item, *, whole: bool = False) -> list[Move]:
    """From the first page to the task in its list; `whole`: its right end must be free of the button too."""
    order = view.data["order"][str(task["list"])]
    top, end = order.index(task["id"]) * _ROW, len(order) * _ROW + _FOOT
    moves = [list_open(draw, list_of(view, task))]
    if top + _ROW * 0.8 <= _SEEN - (_BUTTON + 16 if whole else 0):
        return moves
    way = max(min(top + _ROW / 2 - _SEEN / 2, end - _SEEN), 0.12 * _HEIGHT)
    number = math.ceil(way / _HEIGHT / _LONGEST)
    for left in range(number, 0, -1):
        say = draw.say("Scroll down the tasks", "Look further down the list", "Scroll to the later tasks")
        then = shows(f"task_{task['id']}") if left == 1 else None
        moves.append(scroll("task_list", say, then, share=way / number / _HEIGHT))
    return moves


def opened(view: PhoneView, draw: WordingSampler, task: Item) -> list[Move]:
    """From the first page into the task."""
    title = task["title"]
    say = draw.say(f"Open the task {title}", f"Tap {title}", f"Open {title}")
    return [*reach(view, draw, task), tap(f"task_{task['id']}", say, page("TaskPage"))]


def menu_of(view: PhoneView, draw: WordingSampler, task: Item) -> list[Move]:
    """From the first page to the menu that a long press on the task opens."""
    title = task["title"]
    say = draw.say(f"Press and hold {title}", f"Hold the task {title}", f"Long press {title}")
    return [*reach(view, draw, task), hold(f"task_{task['id']}", say, layer("TaskMenu"))]


def pick(chance: Chance, found: list[Item]) -> Item | None:
    """One of them by chance; None when there are none."""
    return chance.choice(found) if found else None
