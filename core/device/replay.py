"""A device made of recorded screens: demonstrations of an app can be walked through again, by a person or an agent.

An action that was done in the state one is in leads where it led; any other leaves the screen as it is, as in MoTIF's
offline test environment. `matches` says which recorded action an action is.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np

from stepscope.core.device.device import (
    DeviceCapability,
    DeviceError,
    DeviceInfo,
    DeviceKind,
    DeviceLost,
    InstalledApp,
    ScreenGeometry,
    UITreeUnavailableError,
)
from stepscope.core.device.frames import Frame
from stepscope.core.device.replay_graph import Edge, Graph, Pixels, Read, ReplayState, build
from stepscope.core.domain.action import (
    Action,
    DoubleTap,
    Drag,
    Hover,
    LongPress,
    OpenApp,
    PressKey,
    Scroll,
    Select,
    Swipe,
    Tap,
    Target,
    Type,
    action_point,
    action_target,
)
from stepscope.core.domain.elements import UITree
from stepscope.core.domain.episode import Drawing, Encoding, Episode, Slice
from stepscope.core.domain.geometry import Direction, Point, Size
from stepscope.core.errors import SourceError
from stepscope.core.imaging.decode import decode
from stepscope.core.imaging.draw import encode_png
from stepscope.core.imaging.parts import picture_file
from stepscope.core.imaging.resampling import fitted, resized, write_bgra

NEAR = 0.04
"""Where there is no UI tree, a touch is the recorded one within this distance in fractions of the screen (AitW's limit
between a tap and a swipe)."""

_OPPOSITE = {
    Direction.UP: Direction.DOWN,
    Direction.DOWN: Direction.UP,
    Direction.LEFT: Direction.RIGHT,
    Direction.RIGHT: Direction.LEFT,
}


class ReplayDevice:
    """A `Device` that begins where the demonstrations of its first app began most often; `reconnect` goes back there.

    `read` decodes pictures when they are needed. Raises DeviceError where the episodes have nothing to show.
    """

    def __init__(
        self,
        episodes: Iterable[Episode],
        *,
        serial: str = "replay",
        name: str = "Recorded screens",
        title: Callable[[str], str] = lambda package: package,
        read: Read = decode,
    ) -> None:
        self.graph: Graph = build(episodes, read)
        if not self.graph.states:
            raise DeviceError("there is nothing to replay", hint="Choose episodes that have screens.")
        count = f"{len(self.graph.ways)} recorded · {self.states} screens · {self.edges} actions"
        self.info = DeviceInfo(serial, name, DeviceKind.REPLAY, detail=count)
        self.abilities: frozenset[DeviceCapability] = frozenset({DeviceCapability.ANY_TEXT})
        self._read, self._title = read, title
        self._lock = threading.Lock()
        self._everyone = frozenset(self.graph.ways)
        self._company = self._everyone
        self._state = self.graph.states[self.graph.starts[0][1]]
        self._videos: list[ReplayVideo] = []
        self._closed = False

    @property
    def condition(self) -> str:
        """A picture of a recording is always all right."""
        return ""

    @property
    def notes(self) -> tuple[str, ...]:
        return ()

    @property
    def states(self) -> int:
        """How many screens were told apart."""
        return len(self.graph.states)

    @property
    def edges(self) -> int:
        """How many different actions lead from one to another."""
        return self.graph.edges

    @property
    def state(self) -> ReplayState:
        """The screen that is shown."""
        return self._state

    def begin(self, episode: str, step: int = 0) -> None:
        """Go to where a demonstration was before its step number `step` (its place, from 0), and follow that one where
        screens are shared. Raises DeviceError when there was nothing to see."""
        way = self.graph.ways.get(episode, ())
        state = way[step] if 0 <= step < len(way) else None
        if state is None:
            raise DeviceError(f"step {step} of episode {episode!r} has no screen", hint="Choose another.")
        with self._lock:
            self._check()
            self._company = frozenset({episode})
            self._show(state)

    def screen(self) -> ScreenGeometry:
        self._check()
        return ScreenGeometry(self._state.picture.size)

    def video(self) -> ReplayVideo:
        """A frame now and at each change."""
        with self._lock:
            self._check()
            video = ReplayVideo(self._read, self._state)
            self._videos.append(video)
        return video

    def screenshot(self) -> bytes:
        self._check()
        picture = self._state.picture
        try:
            if isinstance(picture.part, Drawing) or (
                isinstance(picture.part, Slice) and picture.part.encoding is Encoding.RGB
            ):
                return encode_png(self._read(picture, None))
            return picture_file(picture)
        except SourceError as error:
            raise DeviceError(f"the recorded picture cannot be read: {error.message}") from error

    def tree(self) -> UITree:
        self._check()
        tree = self._state.tree
        if tree is None:
            raise UITreeUnavailableError("the recording has no UI tree of this screen")
        return tree

    def perform(self, action: Action, *, milliseconds: int | None = None) -> None:
        """Go where the recorded action led that is the same; stay where there is none. Where it led to several screens
        the demonstration counts that one has followed so far. An app that is opened begins anew when it was not opened
        from here."""
        with self._lock:
            self._check()
            for edge in self._following(self._state, action):
                self._company = self._company & edge.episodes or edge.episodes
                self._show(edge.to)

    def leads(self, action: Action) -> bool:
        """Whether the action was recorded on the screen that is shown, so that `perform` knows what comes of it."""
        with self._lock:
            return bool(self._following(self._state, action))

    def apps(self) -> tuple[InstalledApp, ...]:
        return tuple(InstalledApp(app, self._title(app)) for app, _start in self.graph.starts if app)

    def foreground(self) -> str:
        return self._state.observation.activity

    def install(self, path: Path, progress: Callable[[float], object]) -> None:
        raise DeviceError("nothing can be installed on recorded screens", hint="Use a phone or the simulated phone.")

    def rotate(self) -> None:
        raise DeviceError("recorded screens cannot be turned", hint="Use a phone or the simulated phone.")

    def reconnect(self) -> None:
        """Go back to the first screen."""
        with self._lock:
            self._check()
            self._company = self._everyone
            self._show(self.graph.starts[0][1])

    def facts(self) -> Mapping[str, str]:
        return {"model": "recorded screens", "screen": str(self._state.picture.size), "states": str(self.states)}

    def close(self) -> None:
        with self._lock:
            self._closed = True
            for video in self._videos:
                video.close()

    def _check(self) -> None:
        if self._closed:
            raise DeviceLost("the recorded screens were closed")

    def _show(self, index: int) -> None:
        if index == self._state.index:
            return
        self._state = self.graph.states[index]
        self._videos = [video for video in self._videos if not video.closed]
        for video in self._videos:
            video.show(self._state)

    def _following(self, state: ReplayState, action: Action) -> tuple[Edge, ...]:
        """The recorded actions that this action is: none, one, or for typing at a place the tap and the typing."""
        edge = _best(state, action, self._company)
        if edge is not None:
            return (edge,)
        if isinstance(action, Type) and action.point is not None:
            touched = _best(state, Tap(action.point), self._company)
            there = self.graph.states[touched.to] if touched is not None else state
            typed = _best(there, Type(action.text), self._company)
            return tuple(one for one in (touched, typed) if one is not None) if typed is not None else ()
        if isinstance(action, OpenApp):
            wanted = action.text.casefold()
            found = ((app, start) for app, start in self.graph.starts
                     if wanted in (app.casefold(), self._title(app).casefold()))  # fmt: skip
            return tuple(Edge(action, start, self._everyone) for _app, start in found)[:1]
        return ()


class ReplayVideo:
    """The states as they are shown; when several came since the last was taken, the newest."""

    def __init__(self, read: Read, state: ReplayState) -> None:
        self._read = read
        self._waiting: queue.Queue[ReplayState | None] = queue.Queue()
        self._size: Size | None = None
        self.closed = False
        self._waiting.put(state)

    def __iter__(self) -> Iterator[Frame]:
        number = 0
        while (state := self._newest()) is not None:
            arrived = time.monotonic()
            try:
                yield _frame(self._read, state, self._size, number, arrived)
            except SourceError as error:
                raise DeviceError(f"the recorded picture cannot be read: {error.message}") from error
            number += 1

    def fit(self, size: Size | None) -> None:
        self._size = size

    def show(self, state: ReplayState) -> None:
        """Show another screen."""
        self._waiting.put(state)

    def close(self) -> None:
        self.closed = True
        self._waiting.put(None)

    def _newest(self) -> ReplayState | None:
        state = self._waiting.get()
        while state is not None and not self._waiting.empty():
            state = self._waiting.get()
        return state


def _frame(read: Read, state: ReplayState, limit: Size | None, number: int, arrived: float) -> Frame:
    """The screen's picture as a frame that fits into `limit`."""
    size = state.picture.size

    def whole() -> Pixels:
        return read(state.picture, None)

    small = size if limit is None else fitted(size, limit)
    pixels = resized(np.ascontiguousarray(read(state.picture, limit)), small)
    image = np.empty((small.height, small.width, 4), np.uint8)
    write_bgra(pixels, image)
    return Frame(image, size, number, arrived, time.monotonic(), whole)


def _best(state: ReplayState, action: Action, company: frozenset[str]) -> Edge | None:
    """The recorded action that this is; of several the one on an element of the same words and id, of a demonstration
    in `company`, on the smallest element, done most often. So whoever repeats what `company` did sees what came of it
    there, also where another demonstration touched a smaller element of the same words."""
    found = [edge for edge in state.edges if matches(edge.action, action, state.tree)]
    touched = _words_at(action, state.tree)

    def rank(edge: Edge) -> tuple[bool, bool, float, int]:
        same = _words_at(edge.action, state.tree) == touched
        return not same, not edge.episodes & company, _area(action_target(edge.action)), -len(edge.episodes)

    return min(found, key=rank, default=None)


def _words_at(action: Action, tree: UITree | None) -> tuple[str, str] | None:
    """Words and id of the element that an action is for: its target, else what lies under it."""
    target, point = action_target(action), action_point(action)
    if target is not None:
        return target.text, target.id or ""
    element = tree.target_at(point) if tree is not None and point is not None else None
    return (element.label, element.resource_id) if element is not None else None


def _area(target: Target | None) -> float:
    """The target's area as a share of the screen; 1 for an action without a place."""
    if target is None or target.box is None:
        return 1.0
    return target.box.area / (target.box.size.width * target.box.size.height)


def matches(recorded: Action, done: Action, tree: UITree | None) -> bool:
    """Whether `done` is the recorded action, on a screen with this UI tree.

    A touch is the same on the recorded target or an element of the same words and id, or, where no target was recorded,
    on the element that the recorded place lies on (where there is none: within `NEAR` of it); typed text, apps and
    choices are equal but for the case of letters; a swipe or scroll is the same in the same direction, whichever of the
    two was recorded; a drag from and to the same places; keys by name.
    """
    match recorded, done:
        case (Swipe() | Scroll(), Swipe() | Scroll()):
            return _view_moves(recorded) is _view_moves(done)
        case (Drag(), Drag()):
            return _hits(recorded, recorded.point, done.point, done.target, tree) and _near(recorded.to, done.to, tree)
        case (Type() | Select() | OpenApp(), Type() | Select() | OpenApp()):
            return type(recorded) is type(done) and recorded.text.casefold() == done.text.casefold()
        case (PressKey(), PressKey()):
            return recorded.key.casefold() == done.key.casefold()
        case (Tap() | LongPress() | DoubleTap() | Hover(), _) if type(recorded) is type(done):
            return _hits(recorded, recorded.point, action_point(done), action_target(done), tree)
    return type(recorded) is type(done) and recorded == done


def _view_moves(action: Swipe | Scroll) -> Direction:
    """Where one sees more: against the finger."""
    return _OPPOSITE[action.direction] if isinstance(action, Swipe) else action.direction


def _hits(recorded: Action, at: Point | None, point: Point | None, named: Target | None, tree: UITree | None) -> bool:
    target = action_target(recorded)
    if point is None:
        return target is not None and named is not None and (target.text, target.id) == (named.text, named.id)
    if target is None or target.box is None:
        return at is not None and _near(at, point, tree)
    if target.box.contains(point.rescaled(target.box.size)):
        return True
    element = tree.target_at(point) if tree is not None else None
    return (
        element is not None and bool(target.text) and (element.label, element.resource_id) == (target.text, target.id)
    )


def _near(one: Point, other: Point, tree: UITree | None) -> bool:
    """Whether both places are on the same element, or close by where there is none."""
    element = tree.target_at(one) if tree is not None else None
    if tree is None or element is None:
        return one.distance_in_fractions(other) <= NEAR
    return element == tree.target_at(other)
