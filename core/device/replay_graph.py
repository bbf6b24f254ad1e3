"""An app as far as demonstrations went into it: screens that were seen are states, actions that were done lead from one
to the next. After MoTIF's offline test environment (Burns et al., ECCV 2022, section 5: "an offline version of each
Android app to approximate a complete state-action space graph"); how screens are told apart is ours:

Two screens are one state when size and activity are equal and
* both have a UI tree: text fields and which of them has the focus, what is checked and what is selected are equal, at
  least `SAME_ELEMENTS` of the visible elements (class, id, words; the system's bars left out) are common to both, and
  the pictures differ by at most `SAME_WITH_TREE` of their brightness on average (a dark theme is another state);
* otherwise: the pictures differ by at most `SAME_PICTURE`.
Two screens of one demonstration are one state only where all of their elements are equal, or without trees their
pictures as above: whoever repeats a demonstration sees all of its screens.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from stepscope.core.device.password_fields import SYSTEM_BARS
from stepscope.core.domain.action import Action
from stepscope.core.domain.elements import UIElement, UITree
from stepscope.core.domain.episode import Episode, Observation, Picture
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.decode import decode
from stepscope.core.imaging.resampling import resized

SAME_ELEMENTS = 0.8
SAME_WITH_TREE = 0.08
SAME_PICTURE = 0.02
_SMALL = Size(36, 80)
"""Pictures are compared this small, in grey."""

Pixels = NDArray[np.uint8]
Read = Callable[[Picture, Size | None], Pixels]
"""Decodes a picture, reduced to fit into a size."""


@dataclass(frozen=True, slots=True)
class Edge:
    """`action`, done in the state it leaves from, led to state `to` in these `episodes`."""

    action: Action
    to: int
    episodes: frozenset[str]


@dataclass(frozen=True)
class ReplayState:
    """One screen. `observation` is the first that was seen of it; its picture may be a drawing of the tree."""

    index: int
    observation: Observation
    picture: Picture
    edges: tuple[Edge, ...] = ()

    @cached_property
    def tree(self) -> UITree | None:
        """The UI tree in pixels of the picture."""
        tree = self.observation.tree
        return tree if tree is None or tree.size == self.picture.size else _stretched(tree, self.picture.size)


@dataclass(frozen=True, slots=True)
class Graph:
    """`starts` are the apps' packages with the states in which their demonstrations began most often, the app with the
    most demonstrations first. `ways` are, by episode, the states of its steps in order (None: nothing to see)."""

    states: tuple[ReplayState, ...]
    starts: tuple[tuple[str, int], ...]
    ways: Mapping[str, tuple[int | None, ...]]

    @property
    def edges(self) -> int:
        return sum(len(state.edges) for state in self.states)


def build(episodes: Iterable[Episode], read: Read = decode) -> Graph:
    """The graph of all demonstrations. Pictures are decoded only where trees alone do not tell two screens apart; one
    that cannot be read is compared with nothing."""
    builder = ReplayGraphBuilder(read)
    for episode in episodes:
        builder.add(episode)
    return builder.graph()


@dataclass(frozen=True, slots=True)
class _ScreenTraits:
    """The traits by which two screens are compared. `elements` and `held` None: there is no tree."""

    elements: Counter[tuple[str, ...]] | None
    held: Counter[tuple[str, ...]] | None
    picture: Picture


def _look(seen: Observation, picture: Picture) -> _ScreenTraits:
    if seen.tree is None:
        return _ScreenTraits(None, None, picture)
    shown = [one for one in seen.tree if one.visible and one.box.area > 0 and one.package != SYSTEM_BARS]
    return _ScreenTraits(Counter(map(_signature, shown)), Counter(map(_held, filter(_holds, shown))), picture)


def _signature(element: UIElement) -> tuple[str, ...]:
    return element.short_class, element.resource_id, element.text, element.content_description


def _holds(element: UIElement) -> bool:
    return element.editable or element.checked or element.selected


def _held(element: UIElement) -> tuple[str, ...]:
    return *_signature(element), str(element.checked), str(element.selected), str(element.focused)


@dataclass
class _StateDraft:
    """A state while the graph is made."""

    observation: Observation
    look: _ScreenTraits
    edges: dict[tuple[Action, int], set[str]] = field(default_factory=dict)


class ReplayGraphBuilder:
    """Puts demonstrations together; `find` says which state a screen shows that is not of them."""

    def __init__(self, read: Read = decode) -> None:
        self._read = read
        self._drafts: list[_StateDraft] = []
        self._buckets: dict[tuple[object, ...], list[int]] = {}
        self._small: dict[Picture, Pixels | None] = {}
        self._starts: dict[str, Counter[int]] = {}
        self._ways: dict[str, tuple[int | None, ...]] = {}
        self._looks: dict[str, dict[int, _ScreenTraits]] = {}

    def add(self, episode: Episode) -> None:
        """One demonstration; steps without anything to see break its way in two."""
        own: dict[int, _ScreenTraits] = {}
        way: list[int | None] = []
        before: Action | None = None
        for step in episode.steps:
            picture = step.observation.shown
            state = None
            if picture is not None:
                look = _look(step.observation, picture)
                state = self._state(step.observation, look, own)
                own[state] = look
                last = way[-1] if way else None
                if last is not None and before is not None:
                    self._drafts[last].edges.setdefault((before, state), set()).add(episode.id)
            way.append(state)
            before = step.action
        first = next((state for state in way if state is not None), None)
        if first is not None:
            self._ways[episode.id] = tuple(way)
            self._looks[episode.id] = own
            self._starts.setdefault(episode.app or "", Counter())[first] += 1

    def graph(self) -> Graph:
        """What was put together so far."""
        states = tuple(
            ReplayState(
                index,
                draft.observation,
                draft.look.picture,
                tuple(Edge(action, to, frozenset(names)) for (action, to), names in draft.edges.items()),
            )
            for index, draft in enumerate(self._drafts)
        )
        ordered = sorted(self._starts.items(), key=lambda one: -one[1].total())
        return Graph(states, tuple((app, counts.most_common(1)[0][0]) for app, counts in ordered), self._ways)

    def find(self, seen: Observation, episode: str = "", expected: int | None = None) -> int | None:
        """The state that this screen shows, None where it is none of those that were seen. States that the episode was
        in are compared as they looked there; of those with equally much in common it is the expected one."""
        picture = seen.shown
        if picture is None:
            return None
        look, own = _look(seen, picture), self._looks.get(episode, {})
        found = {
            index: self._share(look, own.get(index, self._drafts[index].look)) for index in self._bucket(seen, look)
        }
        self._small.pop(picture, None)  # of a phone's screen, which is not looked at again
        best = max(found.values(), default=-1.0)
        if best < 0.0:
            return None
        return expected if expected is not None and found.get(expected) == best else max(found, key=found.__getitem__)

    def _bucket(self, seen: Observation, look: _ScreenTraits) -> list[int]:
        """The states that a screen may be compared with at all."""
        return self._buckets.setdefault((look.picture.size, seen.activity, look.elements is None), [])

    def _state(self, seen: Observation, look: _ScreenTraits, own: dict[int, _ScreenTraits]) -> int:
        """The state that this screen shows, a new one where there is none; `own` are those its demonstration has been
        in, as they looked then."""
        bucket = self._bucket(seen, look)
        found = self._nearest(bucket, look, own)
        if found is not None:
            return found
        self._drafts.append(_StateDraft(seen, look))
        bucket.append(len(self._drafts) - 1)
        return len(self._drafts) - 1

    def _nearest(self, bucket: list[int], look: _ScreenTraits, own: dict[int, _ScreenTraits]) -> int | None:
        """The state of these with which the screen has most in common, None where it is another than all of them."""
        best, found = -1.0, None
        for index in bucket:
            share = self._share(look, own[index], True) if index in own else self._share(look, self._drafts[index].look)
            if share > best:
                best, found = share, index
        return found

    def _share(self, one: _ScreenTraits, other: _ScreenTraits, same_episode: bool = False) -> float:
        """How much two screens have in common, -1 when they are two states."""
        if one.elements is None or other.elements is None:
            return 1.0 if self._differ(one.picture, other.picture) <= SAME_PICTURE else -1.0
        if one.held != other.held:
            return -1.0
        both = (one.elements & other.elements).total()
        share = both / max((one.elements | other.elements).total(), 1)
        if share < (1.0 if same_episode else SAME_ELEMENTS):
            return -1.0
        return share if self._differ(one.picture, other.picture) <= SAME_WITH_TREE else -1.0

    def _differ(self, one: Picture, other: Picture) -> float:
        """Mean difference of brightness, 0..1; pictures that cannot be read differ wholly, drawings of trees not at
        all: the trees were compared."""
        if one == other:
            return 0.0
        first, second = self._shrunk(one), self._shrunk(other)
        if first is None or second is None:
            return 1.0
        return float(np.abs(first.astype(np.int16) - second.astype(np.int16)).mean()) / 255

    def _shrunk(self, picture: Picture) -> Pixels | None:
        if picture not in self._small:
            try:
                pixels = self._read(picture, Size(_SMALL.width * 4, _SMALL.height * 4))
                grey = np.asarray(pixels[:, :, :3].mean(axis=2), np.uint8)
                self._small[picture] = resized(np.ascontiguousarray(grey), _SMALL)
            except SourceError:
                self._small[picture] = None
        return self._small[picture]


def _stretched(tree: UITree, size: Size) -> UITree:
    return replace(tree, size=size, elements=tuple(replace(one, box=one.box.rescaled(size)) for one in tree))
