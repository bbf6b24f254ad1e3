"""MiniWoB++ human demonstrations: one JSON file each, plain or gzip, with the page's elements and the raw events.

A file has `utterance`, perhaps `taskName`, `reward`, and `states` of `time` in milliseconds, `action` (one event) and
`dom`. There are no pictures. Where the view went while a page scrolled is told by the elements' places. Boxes and
events are in pixels of the task's area: 160 × 210, for flight pages 375 × 667. Checked against real demonstrations.
Facts: Liu et al., "Reinforcement Learning on Web Interfaces Using Workflow-Guided Exploration", ICLR 2018;
github.com/stanfordnlp/miniwob-plusplus (its recorder, `core.js` and `instance.py`).
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from stepscope.core.domain.action import Action, DoubleTap, Drag, PressKey, Scroll, Tap, Type
from stepscope.core.domain.episode import Episode, EpisodeSummary, Observation, Platform, Step
from stepscope.core.domain.geometry import Direction, Point, Size
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.limits import BYTES, exceeded, limit, written_figure
from stepscope.core.sources.files import check_steps, parse_json, read_bytes, text_of
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.folders import FolderSource
from stepscope.core.sources.miniwob_dom import MiniwobPage, dom_of, key_of, nodes_of, number_of, read_page
from stepscope.core.sources.miniwob_events import Gesture, Place, gestures, read_event
from stepscope.core.sources.sniffers.miniwob import FORMAT, GZIP, locate

_FLIGHT = Size(375, 667)
"""The window of flight pages (miniwob-plusplus, `FLIGHT_TASK_WIDTH` and `_HEIGHT`); they alone have no `wrap`."""

_LARGEST_AREA = 10_000
_LONGEST = 1e12
_MILLISECONDS = 1000

_KINDS = {
    "press": Tap.kind,
    "double": DoubleTap.kind,
    "drag": Drag.kind,
    "text": Type.kind,
    "key": PressKey.kind,
    "scroll": Scroll.kind,
}


@dataclass(frozen=True)
class _MiniwobDemonstration:
    """A file's content: what was asked, the states, and what the person did."""

    goal: str
    app: str | None
    states: list[Any]
    done: list[tuple[Gesture, Direction | None]]


def read_episode(path: Path, episode_id: str) -> Episode:
    """One demonstration; SourceError when the file is none."""
    findings = Findings(episode_id, path.parent)
    demonstration = _read(path, findings)
    size = _size(demonstration.states)
    steps = [
        _step(index, gesture, direction, demonstration.states, size, findings)
        for index, (gesture, direction) in enumerate(demonstration.done)
    ]
    if not steps:
        steps = [
            Step(0, _observation(0, _page(0, demonstration.states, size, 0, findings), demonstration.states, size))
        ]
    return Episode(
        id=episode_id,
        format="miniwob",
        platform=Platform.WEB,
        goal=demonstration.goal,
        steps=tuple(steps),
        app=demonstration.app,
        problems=findings.as_tuple(),
    )


def outline(path: Path, episode_id: str) -> EpisodeSummary:
    """The index row of one demonstration, without its trees."""
    findings = Findings(episode_id, path.parent)
    demonstration = _read(path, findings)
    counts = Counter(_kind(gesture, direction) for gesture, direction in demonstration.done)
    return EpisodeSummary(
        id=episode_id,
        goal=demonstration.goal,
        app=demonstration.app,
        platform=Platform.WEB,
        steps=max(1, len(demonstration.done)),
        screens=0,
        actions=tuple(counts.items()),
        problems=findings.as_tuple(),
    )


def identify(path: Path) -> str:
    """The file's name without its endings."""
    return path.name.removesuffix(".gz").removesuffix(".json") or path.name


def _read(path: Path, findings: Findings) -> _MiniwobDemonstration:
    form = parse_json(_text(path), path)
    states = form.get("states") if isinstance(form, dict) else None
    if not isinstance(states, list) or not states:
        raise SourceError("no demonstration: there is no list of states", place=path, field="states")
    check_steps(len(states), path, "states")
    goal = text_of(form.get("utterance"))
    if not goal:
        findings.add("there is no utterance", field="goal", file=path)
    app = text_of(form.get("taskName")) or identify(path).rpartition("_")[0].split("_")[0]
    events = []
    for index, state in enumerate(states):
        action = state.get("action") if isinstance(state, dict) else None
        if action is None and isinstance(state, dict):
            continue
        try:
            event = read_event(index, action)
        except ValueError as error:
            findings.add(f"state {index}: {error}", field="action", file=path)
            continue
        if event is not None:
            events.append(event)
    return _MiniwobDemonstration(goal, app or None, states, with_directions(gestures(events), states))


def _text(path: Path) -> str:
    data = read_bytes(path)
    if data.startswith(GZIP):
        data = _inflated(data, path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(f"is not UTF-8 text (byte {error.start})", place=path) from error


def _inflated(data: bytes, path: Path) -> bytes:
    stream, most = zlib.decompressobj(zlib.MAX_WBITS | 16), limit("json-bytes")
    try:
        inflated = stream.decompress(data, most)
    except zlib.error as error:
        raise SourceError(f"broken gzip data: {error}", place=path) from error
    if not stream.eof:
        if len(inflated) == most:
            raise exceeded("json-bytes", f"inflates to more than {written_figure(BYTES, most)}", place=path)
        raise SourceError("the gzip data is cut short", place=path)
    return inflated


def _size(states: list[Any]) -> Size:
    """The task's area: the element called `wrap`."""
    for node in nodes_of(dom_of(states[0])):
        if node.get("id") == "wrap":
            width, height = number_of(node.get("width")) or 0, number_of(node.get("height")) or 0
            if 1 <= width <= _LARGEST_AREA and 1 <= height <= _LARGEST_AREA:
                return Size(round(width), round(height))
    return _FLIGHT


def _page(state: int, states: list[Any], size: Size, step: int, findings: Findings) -> MiniwobPage:
    page = read_page(dom_of(states[state]), size)
    findings.tree(page.tree, page.notes, step=step, field="dom")
    return page


def _observation(state: int, page: MiniwobPage, states: list[Any], size: Size) -> Observation:
    time = number_of(states[state].get("time"), _LONGEST) if isinstance(states[state], dict) else None
    return Observation(size, None, page.tree, time / _MILLISECONDS if time is not None and time >= 0 else None)


def _step(
    index: int, gesture: Gesture, direction: Direction | None, states: list[Any], size: Size, findings: Findings
) -> Step:
    page = _page(gesture.state, states, size, index, findings)
    return Step(index, _observation(gesture.state, page, states, size), _action(gesture, direction, page, states, size))


def _kind(gesture: Gesture, direction: Direction | None) -> str:
    if direction is not None:
        return Scroll.kind
    return _KINDS[gesture.kind]


def _action(gesture: Gesture, direction: Direction | None, page: MiniwobPage, states: list[Any], size: Size) -> Action:
    point = _point(gesture.place, size)
    if direction is not None:
        return Scroll(direction, point, page.target(_scrolled(gesture, page, states)))
    match gesture.kind:
        case "text":
            return Type(gesture.text, target=page.target(page.focused))
        case "key":
            return PressKey(gesture.text)
        case "double":
            return DoubleTap(point, page.target(page.pressed))
    to = _point(gesture.to, size)
    if point is not None and to is not None:
        return Drag(point, to, page.target(page.pressed))
    return Tap(point, page.target(page.pressed))


def _scrolled(gesture: Gesture, page: MiniwobPage, states: list[Any]) -> int:
    """The element that scrolled, by the snapshot that names it; it may have another place there."""
    state = states[gesture.scroller] if gesture.scroller is not None else None
    for node in nodes_of(dom_of(state)):
        if node.get("recordingTarget") is True:
            return page.by_key.get(key_of(node), -1)
    return -1


def _point(place: Place | None, size: Size) -> Point | None:
    return Point(place[0], place[1], size) if place is not None else None


def open_miniwob(path: Path) -> FolderSource:
    """The data set's root, one task's folder or one demonstration."""
    return FolderSource(FORMAT.name, path, locate=locate, identify=identify, load=read_episode, outline=outline)


_DIRECTIONS = {(0, -1): Direction.DOWN, (0, 1): Direction.UP, (-1, 0): Direction.RIGHT, (1, 0): Direction.LEFT}
"""What comes into view when the content moves by this much: content that moves up shows what is below."""


def with_directions(done: Sequence[Gesture], states: Sequence[object]) -> list[tuple[Gesture, Direction | None]]:
    """Each gesture with the direction in which it scrolled; a scroll that ended where it began is none."""
    kept = []
    for place, gesture in enumerate(done):
        after = done[place + 1].state if place + 1 < len(done) else len(states) - 1
        direction = _movement(states, gesture.state, after) if gesture.scroller is not None else None
        if gesture.kind != "scroll" or direction is not None:
            kept.append((gesture, direction))
    return kept


def _movement(states: Sequence[object], before: int, after: int) -> Direction | None:
    """Where the view went: most elements that are on both pages and moved, moved by the same amount."""
    old, new = _corners(states[before]), _corners(states[after])
    shifts = Counter(
        (new[ref][0] - left, new[ref][1] - top)
        for ref, (left, top) in old.items()
        if ref in new and new[ref] != (left, top)
    )
    if not shifts:
        return None
    (dx, dy), _ = shifts.most_common(1)[0]
    return _DIRECTIONS[(0, 1 if dy > 0 else -1) if abs(dy) >= abs(dx) else (1 if dx > 0 else -1, 0)]


def _corners(state: object) -> dict[object, Place]:
    corners = {}
    for node in nodes_of(dom_of(state)):
        left, top = number_of(node.get("left")), number_of(node.get("top"))
        if left is not None and top is not None:
            corners[key_of(node)] = (left, top)
    return corners
