"""Episodes in MoTIF's raw layout: `<app>/<trace id>/` with `screens/*.jpg`, `view_hierarchies/*.jpg` (JSON),
`metadata.json` and `trace_info.json`, as `core.sources.motif` and MoTIF's released code read it.

MoTIF's screenshots were cropped by a status bar of 65 pixels, its boxes were not (released
`convert_view_to_screen_dims`). Here nothing is cropped: the boxes are written as they would be if such a bar had stood
above the picture, so that the released formula gives back where they were. What the layout cannot hold is left out and
told (docs/formats/motif.md).
"""

from __future__ import annotations

import json
import math
import re
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from stepscope.core.domain.action import Action, LongPress, Scroll, Type, action_end, action_point
from stepscope.core.domain.elements import UIElement, UITree
from stepscope.core.domain.episode import Episode, Feasibility, FeasibilityLabel, Observation, Platform, Problem, Step
from stepscope.core.domain.geometry import Direction, Point, Size
from stepscope.core.errors import SourceError, UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.decode import decode
from stepscope.core.imaging.draw import encode_jpeg
from stepscope.core.imaging.probe import probe_bytes
from stepscope.core.sources.files import read_bytes
from stepscope.core.sources.motif import STATUS_BAR
from stepscope.core.sources.traces import FRAME, SWIPE_DISTANCE
from stepscope.core.sources.ui_dumps import is_text_field
from stepscope.core.sources.whole_folder import whole_folder

NO_APP = "unknown.app"
"""Folder of episodes whose app is not known."""

_PACKAGE = re.compile(r"[A-Za-z_]\w*(\.\w+)+", re.ASCII)
_NAMES = uuid.UUID("2f0f6b5e-3d0c-5b55-9d5a-6f2f9d1d6b0a")
_QUALITY = 95
_AWAY = {Direction.UP: (0, 1), Direction.DOWN: (0, -1), Direction.LEFT: (1, 0), Direction.RIGHT: (-1, 0)}
"""The finger moves against the direction in which one wants to see more."""


@dataclass(frozen=True, slots=True)
class WrittenTrace:
    """`folder` is the trace's own; `losses` say what of the episode is not in it, by step."""

    folder: Path
    losses: tuple[Problem, ...]


def trace_id(episode: Episode) -> str:
    """A UUID, as traces are called: the episode's id where it is one, else always the same one made from it."""
    try:
        own = str(uuid.UUID(episode.id))
    except ValueError:
        own = ""
    if own == episode.id:  # the same number can be written in several ways, as ids of several episodes
        return own
    return str(uuid.uuid5(_NAMES, f"{episode.format}/{episode.id}"))


def write_motif(episode: Episode, root: Path, *, overwrite: bool = False) -> WrittenTrace:
    """Write one trace below `root`; it appears whole or not at all.

    Raises UsageError for an episode that is not of a phone or has no steps and when the trace exists, SourceError when
    the disk refuses. A picture or tree that cannot be had is a loss.
    """
    if episode.platform is not Platform.ANDROID or not episode.steps:
        why = "it has no steps" if episode.steps == () else "it is not of a phone"
        raise UsageError(f"episode {episode.id!r} cannot be a MoTIF trace: {why}", hint="Export it as a recording.")
    app = episode.app if episode.app and _PACKAGE.fullmatch(episode.app) else NO_APP
    folder = root / app / trace_id(episode)
    with whole_folder(folder, overwrite=overwrite) as draft:
        losses = _TraceWriter(episode, draft).write()
    return WrittenTrace(folder, tuple(losses))


class _TraceWriter:
    """One trace on its way to the disk."""

    def __init__(self, episode: Episode, folder: Path) -> None:
        self._episode, self._folder = episode, folder
        self._losses: list[Problem] = []
        sizes = [_size_of(step.observation) for step in episode.steps]
        self._frame = Size(sizes[0].width, sizes[0].height + STATUS_BAR) if sizes else FRAME

    def write(self) -> list[Problem]:
        for name in ("screens", "view_hierarchies"):
            (self._folder / name).mkdir()
        gestures = {}
        for place, step in enumerate(self._episode.steps):
            view = f"{place:04}.jpg"
            self._picture(step, self._folder / "screens" / view)
            self._hierarchy(step, self._folder / "view_hierarchies" / view)
            gestures[view] = self._gesture(step)
        self._put(self._folder / "metadata.json", {"gestures": gestures})
        self._put(self._folder / "trace_info.json", self._info())
        self._words()
        return self._losses

    def _lose(self, message: str, step: Step | None = None) -> None:
        self._losses.append(Problem(message, self._episode.id, step.index if step else None))

    def _picture(self, step: Step, path: Path) -> None:
        picture = step.observation.screenshot
        if picture is None:
            self._lose("there is no screenshot", step)
            return
        try:
            data = read_bytes(picture.path) if picture.part is None else b""
            if not data or probe_bytes(data, picture.path).kind != "jpeg":
                data = encode_jpeg(decode(picture), _QUALITY)
        except SourceError as error:
            self._lose(f"the screenshot cannot be read: {error.message}", step)
            return
        path.write_bytes(data)

    def _hierarchy(self, step: Step, path: Path) -> None:
        tree = step.observation.tree
        if tree is None:
            self._lose("there is no UI tree", step)
            return
        frame = self._frame
        bounds = _TraceBounds(_size_of(step.observation), frame)
        children = _nodes(tree, bounds)
        root = {
            "bounds": [0, 0, frame.width, frame.height],
            "class": "android.widget.FrameLayout",
            "children": children,
        }
        activity = step.observation.activity or tree.activity
        self._put(path, {"activity_name": activity, "activity": {"root": root}})

    def _gesture(self, step: Step) -> list[list[float]]:
        """Fractions of the screen; none for what leaves no touch."""
        action = step.action
        if action is None:
            return []
        found = [_fraction(point) for point in _touched(action, step.observation.size)]
        kept = [[min(max(x, 0.0), 1.0), min(max(y, 0.0), 1.0)] for x, y in found]
        if kept != found:
            self._lose("the touch lay off the screen and was moved to its edge", step)
        short = len(kept) == 2 and not isinstance(action, LongPress) and math.dist(*kept) <= SWIPE_DISTANCE
        loss = "so short a swipe is a tap in MoTIF" if short else _loss(action, bool(kept))
        if loss:
            self._lose(loss, step)
        return kept

    def _info(self) -> dict[str, Any]:
        episode = self._episode
        times = [step.observation.time for step in episode.steps if step.observation.time is not None]
        form: dict[str, Any] = {"trace_type": "action", "task_command": episode.goal}
        if times:
            form["seconds_spent"] = round(max(times) - min(times), 3)
        label = _feasibility(episode.feasibility)
        return form if label is None else {**form, "feasibility": label}

    def _words(self) -> None:
        """What is said of the episode and has no place."""
        episode = self._episode
        if episode.feasibility.label is None and episode.feasibility.follow_up:
            self._lose("follow-up questions without a label")
        for ask in episode.asks:
            self._losses.append(Problem("the question and its answer", episode.id, ask.step))
        if any(step.instruction for step in episode.steps):
            self._lose("instructions of steps")
        if episode.splits:
            self._lose("splits, which MoTIF keeps in tables")
        if episode.original_goal:
            self._lose("the original goal")
        if episode.problems:
            self._lose(f"known problems ({len(episode.problems)})")

    def _put(self, path: Path, form: Mapping[str, Any]) -> None:
        text = json.dumps(form, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        path.write_bytes(text.encode("utf-8", "replace"))


@dataclass(frozen=True, slots=True)
class _TraceBounds:
    """Maps places from a picture of `size` to the trace's frame: the inverse of what readers do."""

    size: Size
    frame: Size

    def of(self, element: UIElement) -> list[float]:
        box = element.box.rescaled(self.size)
        left, right = self._x(box.left), self._x(box.right)
        return [left, self._y(box.top), right, self._y(box.bottom)]

    def _x(self, x: float) -> float:
        return _short(x * self.frame.width / self.size.width)

    def _y(self, y: float) -> float:
        return _short((y + STATUS_BAR) * self.frame.height / (self.size.height + STATUS_BAR))


def _short(number: float) -> float:
    """A whole number where it is one, as in the released files."""
    rounded = round(number, 3)
    return int(rounded) if rounded == int(rounded) else rounded


def _size_of(seen: Observation) -> Size:
    return seen.screenshot.size if seen.screenshot is not None else seen.size


def _nodes(tree: UITree, bounds: _TraceBounds) -> list[dict[str, Any]]:
    """The tree's roots with all below them, in RICO's schema."""
    nodes = [_node(element, bounds) for element in tree]
    roots: list[dict[str, Any]] = []
    for element, node in zip(tree, nodes, strict=True):
        (nodes[element.parent]["children"] if element.parent >= 0 else roots).append(node)
    return roots


def _node(element: UIElement, bounds: _TraceBounds) -> dict[str, Any]:
    node: dict[str, Any] = {
        "bounds": bounds.of(element),
        "class": element.class_name,
        "resource-id": element.resource_id,
        "package": element.package,
        "content-desc": [element.content_description or None],
        "clickable": element.clickable,
        "long-clickable": element.long_clickable,
        "scrollable-horizontal": False,
        "scrollable-vertical": element.scrollable,
        "enabled": element.enabled,
        "focused": element.focused,
        "selected": element.selected,
        "visibility": "visible" if element.visible else "invisible",
        "visible-to-user": element.visible,
        "children": [],
    }
    if element.text:
        node["text"] = element.text
    if element.editable and not is_text_field(element.class_name):
        node["ancestors"] = ["android.widget.EditText"]
    return node


def _touched(action: Action, size: Size) -> list[Point]:
    """Where a finger would be: once for a tap, twice for what takes its time or moves, nowhere for the rest."""
    point, end = action_point(action), action_end(action)
    if isinstance(action, Scroll):
        x, y = _AWAY[action.direction]
        middle = point or Point(size.width / 2, size.height / 2, size)
        dx, dy = x * size.width / 6, y * size.height / 6
        return [Point(middle.x - dx, middle.y - dy, size), Point(middle.x + dx, middle.y + dy, size)]
    if point is None:
        return []
    if isinstance(action, LongPress):
        return [point, point]
    return [point] if end is None else [point, end]


def _fraction(point: Point) -> list[float]:
    x, y = point.fraction
    return [x, y]


_LOSSES = {
    "long_press": "a long press is a slow tap in MoTIF",
    "double_tap": "a double tap is a tap in MoTIF",
    "drag": "a drag is a swipe in MoTIF",
    "scroll": "a scroll without a gesture is written as a swipe",
    "hover": "a hover is a tap in MoTIF",
    "select": "a choice in a list is a tap in MoTIF, without its text",
    "type": "MoTIF has no typed text: readers find it in the text fields of the next screen",
}


def _loss(action: Action, touched: bool) -> str:
    if isinstance(action, Type):
        return _LOSSES["type"]
    if not touched:
        return f"MoTIF has no {action.kind.replace('_', ' ')}: the step has no gesture"
    return _LOSSES.get(action.kind, "")


def _feasibility(said: Feasibility) -> dict[str, Any] | None:
    if said.label is None:
        return None
    form: dict[str, Any] = {"binary": "Yes" if said.label is FeasibilityLabel.FEASIBLE else "No"}
    if said.reason is not None:
        form["reason"] = said.reason.value
    form["follow_up"] = list(said.follow_up) if len(said.follow_up) != 1 else said.follow_up[0]
    return form
