"""Putting a UI tree together element by element, leaving out what has no usable box.

Readers of dumps walk their own records without recursion and add elements in pre-order; an element that is left out
hands its children to its nearest kept ancestor, so the rest of the tree opens.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from stepscope.core.domain.action import Target
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.domain.quick_values import unchecked
from stepscope.core.frozen import dataclass
from stepscope.core.limits import hint, limit

FARTHEST = 1e7
"""A coordinate beyond ten million pixels is a broken number, not a place (ours)."""
_FAR = int(FARTHEST)
_STEEP = 1e30
"""Numbers of a screen that are scaled and shifted by less stay finite."""
_ENDLESS = float("inf")
_NUMBERS = (int, float)
_NO_FIELDS: Mapping[str, Any] = {}
_box = unchecked(Box)
_element = unchecked(UIElement)

_ROW_TEXTS = 3
"""A row has a title, a subtitle and perhaps a value; what holds more texts is a container (ours)."""


@dataclass(frozen=True, slots=True)
class Placement:
    """The place of a dump's own frame on the screenshot: x·scale_x, y·scale_y + shift_y, in pixels of `size`."""

    size: Size
    scale_x: float = 1.0
    scale_y: float = 1.0
    shift_y: float = 0.0

    @classmethod
    def stretched(cls, width: float, height: float, size: Size) -> Placement:
        """A frame of `width` × `height` stretched over the whole screenshot."""
        return cls(size, size.width / width, size.height / height)

    @property
    def upright(self) -> bool:
        """Whether edges that are in order, and not too far, stay so: no box needs to be looked at then."""
        return 0 < self.scale_x < _STEEP and 0 < self.scale_y < _STEEP and abs(self.shift_y) < _STEEP

    def box(self, left: float, top: float, right: float, bottom: float) -> Box:
        """The box on the screenshot, unclipped; ValueError when an edge is on the wrong side."""
        x, y, shift = self.scale_x, self.scale_y, self.shift_y
        left, top, right, bottom = left * x, top * y + shift, right * x, bottom * y + shift
        sound = -_ENDLESS < left <= right < _ENDLESS and -_ENDLESS < top <= bottom < _ENDLESS
        make = _box if sound else Box  # which says what is wrong
        return make(left, top, right, bottom, self.size)


@dataclass(frozen=True, slots=True)
class TreeReading:
    """A dump's tree, None when there is none in it, and notes on what was left out."""

    tree: UITree | None
    notes: tuple[str, ...] = ()


@dataclass
class TreeBuilder:
    """Collects elements in pre-order."""

    origin: TreeOrigin
    placement: Placement
    activity: str = ""
    _elements: list[UIElement] = field(default_factory=list)
    _most: int = field(default_factory=lambda: limit("tree-elements"))
    _beyond: bool = False
    _left_out: int = 0
    _first_reason: str = ""

    def __post_init__(self) -> None:
        place = self.placement
        self._lay = place.scale_x, place.scale_y, place.shift_y, place.size
        self._upright = place.upright

    def add(self, parent: int, edges: object, **fields: Any) -> int:
        """Add an element with `edges` [left, top, right, bottom] in the dump's frame.

        Returns the index that its children must name as parent: its own, or `parent` when it was left out.
        """
        return self.add_values(parent, edges, (), fields)

    def add_values(
        self, parent: int, edges: object, values: Sequence[str | bool], fields: Mapping[str, Any] = _NO_FIELDS
    ) -> int:
        """Add an element with `values` for the fields of `UIElement` from `text` on, in their order (quicker than by
        names)."""
        box = self._quick_box(edges) or self.box(edges)
        if box is None:
            return parent
        elements = self._elements
        index = len(elements)
        if index >= self._most:
            self._beyond = True
            return parent
        depth = elements[parent].depth + 1 if parent >= 0 else 0
        elements.append(_element(index, box, parent, depth, *values, **fields))
        return index

    def add_all(self, elements: Sequence[UIElement]) -> None:
        """All elements at once, in pre-order, in an empty builder."""
        self._elements += elements
        self._beyond = len(elements) > self._most

    def box(self, edges: object) -> Box | None:
        """The box of edges [left, top, right, bottom] in the dump's frame; None where they make none: then the record
        counts as left out."""
        try:
            return self.placement.box(*edge_numbers(edges))
        except ValueError as error:
            self.leave_out(str(error))
            return None

    def _quick_box(self, edges: object) -> Box | None:
        """The box of edges as nearly all are: whole numbers in a list, in order, on a placement that keeps the order.
        None for any other, of which nothing is said here."""
        if type(edges) is not list or len(edges) != 4 or not self._upright:
            return None
        left, top, right, bottom = edges
        if not type(left) is type(top) is type(right) is type(bottom) is int:
            return None
        if not (-_FAR <= left <= right <= _FAR and -_FAR <= top <= bottom <= _FAR):
            return None
        x, y, shift, size = self._lay
        return _box(left * x, top * y + shift, right * x, bottom * y + shift, size)

    def leave_out(self, reason: str) -> None:
        """Count one record that became no element."""
        self._left_out += 1
        self._first_reason = self._first_reason or reason

    def finish(self) -> TreeReading:
        """The tree; none, with a note, where it has more elements than `tree-elements`."""
        if self._beyond:
            note = f"the tree has more than {self._most:,} elements and is left out. {hint('tree-elements')}"
            return TreeReading(None, (note,))
        notes = []
        if self._left_out:
            count = "1 element" if self._left_out == 1 else f"{self._left_out} elements"
            notes.append(f"{count} left out: {self._first_reason}")
        elif not self._elements and self.origin is not TreeOrigin.DETECTOR:
            notes.append("no elements in it")
        return TreeReading(UITree(tuple(self._elements), self.origin, self.placement.size, self.activity), tuple(notes))


def edge_numbers(edges: object) -> tuple[float, float, float, float]:
    """Four finite numbers, or ValueError saying what was there instead."""
    if not isinstance(edges, (list, Sequence)) or isinstance(edges, str) or len(edges) != 4:
        raise ValueError("no bounds of four numbers")
    left, top, right, bottom = edges
    plain = type(left) is type(top) is type(right) is type(bottom) is int  # as nearly all are
    if not plain and not {type(left), type(top), type(right), type(bottom)}.issubset(_NUMBERS):
        raise ValueError("bounds that are no numbers of a screen")
    far = FARTHEST
    if -far <= left <= far and -far <= top <= far and -far <= right <= far and -far <= bottom <= far:
        return left, top, right, bottom
    raise ValueError("bounds that are no numbers of a screen")


def target_at(tree: UITree | None, point: Point) -> Target | None:
    """The UI element under an action as its target, None when no tree or element is there.

    The text is the element's own, else the first one inside it (a row is named by its label); an element with many
    texts inside is a container and has none.
    """
    element = tree.target_at(point) if tree is not None else None
    if tree is None or element is None:
        return None
    text = element.text or element.content_description or _inner_text(tree, element.index)
    return Target(element.box, text, element.resource_id or None)


def _inner_text(tree: UITree, index: int) -> str:
    depth = tree.elements[index].depth
    texts: list[str] = []
    for element in tree.elements[index + 1 :]:
        if element.depth <= depth:
            break
        if element.visible and (element.text or element.content_description):
            texts.append(element.text or element.content_description)
            if len(texts) > _ROW_TEXTS:
                return ""
    return texts[0] if texts else ""
