"""Episodes of every task in every app, for tests of partitions: one screen each, a tap on the element that is meant."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from stepscope.core.domain.action import Tap, Target
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Episode, Observation, Platform, Step
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.sources.recording_writer import write_recording

APPS = ("a", "b", "c", "d")
TASKS = ("search", "share", "log out", "rate")
SIZE = Size(100, 160)


def shown(app: str, task: str, id: str = "", splits: Iterable[str] = ()) -> Episode:
    """One demonstration of a task in an app, called by both unless `id` says how. The elements stand in another order
    in each app."""
    at = APPS.index(app) if app in APPS else 0
    order = (*TASKS[at:], *TASKS[:at])
    boxes = [Box(0, 40 * place, 100, 40 * place + 40, SIZE) for place in range(len(order))]
    elements = tuple(UIElement(place, boxes[place], text=word, clickable=True) for place, word in enumerate(order))
    place = order.index(task) if task in order else 0
    target = Target(boxes[place], order[place])
    seen = Observation(SIZE, tree=UITree(elements, TreeOrigin.VIEW_HIERARCHY, SIZE))
    step = Step(0, seen, Tap(boxes[place].centre, target), instruction=f"Tap {task}")
    name = id or f"{app} {task}".replace(" ", "-")
    return Episode(name, "recording", Platform.ANDROID, task, (step,), app=app, splits=tuple(splits))


def written(folder: Path, episodes: Iterable[Episode]) -> Path:
    """The episodes as recordings in the folder."""
    for episode in episodes:
        write_recording(episode, folder / episode.id)
    return folder


def grid() -> list[Episode]:
    """Every task in every app. By SHA-256 app d, the task search, and log out in a are held out
    (tests/core/domain/test_partitions.py)."""
    return [shown(app, task) for app in APPS for task in TASKS]
