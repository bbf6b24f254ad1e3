"""An episode of every data set in a folder, walked through by keys in a window on an X server; at each step the painted
picture and the reference mark are looked for in the pixels of that server. test_real_data.py starts it.

Where a mark belongs is worked out from the data's own coordinates and the place of the picture, whose pixels are held
against the file's own, decoded by OpenCV.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QApplication

from stepscope.app.gui.main import make_application
from stepscope.app.gui.shell.context import AppFolders
from stepscope.app.gui.shell.selection import OpenSource
from stepscope.app.gui.workbench import Workbench
from stepscope.core.domain.action import Tap
from stepscope.core.domain.episode import Drawing, Picture, Step
from stepscope.core.domain.geometry import Point
from stepscope.core.imaging.palette import REFERENCE
from stepscope.core.settings import default_store_url
from tests.e2e.results_walk import Hands, xdotool

MOST_STEPS = 8
CLOSE = 2.0
"""Screen pixels between where a mark belongs and the middle of what is painted in its colour."""
REACH = 6
"""Half the side of the square in which the dot of a reference mark is looked for; its ring is further out."""
ALIKE = 8.0
"""Mean difference, in levels of 255, between the painted picture and the file's, scaled by another library."""


def painted(view: Any) -> np.ndarray:
    """What the X server shows of the view: height × width × 3, red, green, blue."""
    corner = view.mapToGlobal(view.rect().topLeft())
    grabbed = QGuiApplication.primaryScreen().grabWindow(0, corner.x(), corner.y(), view.width(), view.height())
    image = grabbed.toImage().convertToFormat(QImage.Format.Format_RGB888)
    lines = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return lines[:, : image.width() * 3].reshape(image.height(), image.width(), 3).copy()


def choose(hands: Hands, source: OpenSource) -> str:
    """Make the source current and open an episode that has as much to see as any; the episode's id."""
    bench = hands.bench
    bench.library.choose_source(source)
    hands.until(lambda: bench.context.selection.source is source and bool(bench.library.ids), source.title)
    hands.until(lambda: bench.context.selection.episode is not None, "its first episode")
    bench.library.set_filter("steps>1 action:tap")
    hands.until(settled(bench), "the filter")
    if not bench.library.ids:
        bench.library.set_filter("")
        hands.until(lambda: bool(bench.library.ids), "all episodes")
    wanted = bench.library.ids[0]
    bench.viewer.open_episode(wanted)
    hands.until(lambda: bench.context.selection.episode.id == wanted, wanted)
    return wanted


def settled(bench: Workbench) -> Any:
    """Whether nothing has been under way for some looks."""
    quiet = [0]

    def look() -> bool:
        busy = bench.context.tasks.tasks or bench.viewer.is_fetching
        quiet[0] = 0 if busy else quiet[0] + 1
        return quiet[0] > 10

    return look


def mark_off_by(hands: Hands, step: Step) -> float | None:
    """How far from its place the reference's dot is painted, in pixels; None where the step has no tap on a screen."""
    view = hands.bench.window.replay.view
    if not isinstance(step.action, Tap) or step.action.point is None:
        return None
    left, top = place_of(hands, step.action.point)
    if not (REACH < left < view.width() - REACH and REACH < top < view.height() - REACH):
        return None
    x, y = round(left), round(top)
    around = painted(view)[y - REACH : y + REACH + 1, x - REACH : x + REACH + 1].astype(int)
    colour = np.array([int(REFERENCE[at : at + 2], 16) for at in (1, 3, 5)])
    rows, columns = np.nonzero(np.abs(around - colour).max(axis=2) <= 12)
    if not len(rows):
        return float("inf")
    return float(np.hypot(columns.mean() + x - REACH + 0.5 - left, rows.mean() + y - REACH + 0.5 - top))


def place_of(hands: Hands, point: Point) -> tuple[float, float]:
    """Where a pixel of the screen lies in the view."""
    place = hands.bench.window.replay.view.viewport.picture
    return (
        place.left + point.x * place.width / point.size.width,
        place.top + point.y * place.height / point.size.height,
    )


def picture_unlike(hands: Hands, picture: Picture) -> float:
    """The mean difference between the picture's file and what is painted while `O` hides all marks."""
    view = hands.bench.window.replay.view
    xdotool("keydown", "o")
    hands.until(lambda: view._bare, "the bare picture")
    hands.until(settled(hands.bench), "rest")
    shown = painted(view)
    xdotool("keyup", "o")
    hands.until(lambda: not view._bare, "the marks again")
    place = view.viewport.picture
    left, top = round(place.left), round(place.top)
    right, bottom = round(place.left + place.width), round(place.top + place.height)
    whole = cv2.cvtColor(cv2.imread(str(picture.path)), cv2.COLOR_BGR2RGB)
    scaled = cv2.resize(whole, (right - left, bottom - top), interpolation=cv2.INTER_AREA)
    edge = 24  # round corners, and the read-out at the bottom
    inside = slice(max(top, 0) + edge, min(bottom, view.height() - 48) - edge), slice(left + edge, right - edge)
    other = scaled[inside[0].start - top : inside[0].stop - top, edge : right - left - edge]
    return float(np.abs(shown[inside].astype(int) - other).mean())


def walk_source(hands: Hands, source: OpenSource) -> dict[str, Any]:
    """What was seen on the way through one episode."""
    bench = hands.bench
    wanted = choose(hands, source)
    selection = bench.context.selection
    hands.until(settled(bench), "the first step")
    seen: dict[str, Any] = {"episode": wanted, "steps": 0, "marks": [], "pictures": []}
    hands.press("Home")
    total = min(len(selection.episode.steps), MOST_STEPS)
    for place in range(total):
        if place:
            hands.press("Right")
        hands.until(lambda place=place: selection.step_index == place, f"step {place} of {source.title}")
        hands.until(settled(bench), "the step at rest")
        seen["steps"] += 1
        off = mark_off_by(hands, selection.step)
        if off is not None:
            seen["marks"].append(round(off, 2))
        picture = selection.episode.shown_at(place)
        if picture is not None and picture.part is None:
            seen["pictures"].append(round(picture_unlike(hands, picture), 2))
        seen.setdefault("drawn", 0)
        seen["drawn"] += picture is not None and isinstance(picture.part, Drawing)
    return seen


def main(folders: list[Path]) -> None:
    make_application()
    bench = Workbench(QApplication.instance(), AppFolders.of_user(default_store_url()))
    bench.start(folders)
    bench.window.resize(1600, 1000)
    hands = Hands(bench)
    hands.until(lambda: len(bench.context.sources) == len(folders), "all data sets")
    hands.until(lambda: not bench.context.tasks.tasks, "their episodes")
    hands.focus(bench.window)
    bench.window.replay.view.setFocus()
    found = {source.source.path.name: walk_source(hands, source) for source in list(bench.context.sources)}
    bench.window.close()
    print(json.dumps(found))


if __name__ == "__main__":
    main([Path(argument) for argument in sys.argv[1:]])
