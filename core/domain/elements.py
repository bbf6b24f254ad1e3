"""UI elements and the UI tree of one observation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from enum import StrEnum
from functools import cached_property

from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.frozen import dataclass


class TreeOrigin(StrEnum):
    """The origin of a UI tree."""

    VIEW_HIERARCHY = "view hierarchy"
    ACCESSIBILITY = "accessibility"
    DUMP = "dump"
    DOM = "DOM"
    DETECTOR = "detector"
    OCR = "OCR"


@dataclass(frozen=True, slots=True)
class UIElement:
    """One node of a UI tree.

    `index` is its place in `UITree.elements`, `parent` that of its parent (-1 for a root). `box` is in pixels of the
    screenshot. `resource_id` and `class_name` are whole, as the platform writes them.
    """

    index: int
    box: Box
    parent: int = -1
    depth: int = 0
    text: str = ""
    content_description: str = ""
    resource_id: str = ""
    class_name: str = ""
    package: str = ""
    clickable: bool = False
    long_clickable: bool = False
    scrollable: bool = False
    checkable: bool = False
    checked: bool = False
    editable: bool = False
    enabled: bool = True
    focused: bool = False
    selected: bool = False
    password: bool = False
    visible: bool = True

    @property
    def label(self) -> str:
        """The words that a person would call it by: its text, else its description, else the tail of its id."""
        return self.text or self.content_description or self.short_id.replace("_", " ")

    @property
    def short_id(self) -> str:
        """The part of the resource id after its last slash."""
        return self.resource_id.rsplit("/", 1)[-1]

    @property
    def short_class(self) -> str:
        """The class name without its package."""
        return self.class_name.rsplit(".", 1)[-1]


@dataclass(frozen=True)
class UITree:
    """All elements of one observation in pre-order (a parent before its children).

    A flat list of boxes, as a detector gives it, is a tree whose elements are all roots.
    """

    elements: tuple[UIElement, ...]
    origin: TreeOrigin
    size: Size
    activity: str = field(default="")

    def __post_init__(self) -> None:
        for place, element in enumerate(self.elements):
            if element.index != place or not -1 <= element.parent < place:
                raise ValueError(f"element {place} is out of order (index {element.index}, parent {element.parent})")

    def __len__(self) -> int:
        return len(self.elements)

    def __iter__(self) -> Iterator[UIElement]:
        return iter(self.elements)

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """Indices of each element's children, by element index."""
        found: list[list[int]] = [[] for _ in self.elements]
        for element in self.elements:
            if element.parent >= 0:
                found[element.parent].append(element.index)
        return tuple(map(tuple, found))

    @cached_property
    def key(self) -> str:
        """A value that is the same for equal trees in one process: drawings of trees are kept by it."""
        return f"{hash((self.elements, self.size)):x}"

    @cached_property
    def leaves(self) -> tuple[UIElement, ...]:
        """Visible elements without children and with an area, in tree order."""
        return tuple(e for e in self.elements if e.visible and e.box.area > 0 and not self.children[e.index])

    def ancestors(self, index: int) -> Iterator[UIElement]:
        """Parent, grandparent, … of the element."""
        while (index := self.elements[index].parent) >= 0:
            yield self.elements[index]

    @cached_property
    def _areas(self) -> tuple[tuple[float, float, float, float, float, int], ...]:
        """left, top, right, bottom, area and index of visible elements with an area, each as `at` sorts it."""
        boxes = [(e.box, e.index) for e in self.elements if e.visible]
        edges = [(b.left, b.top, b.right, b.bottom, b.area, index) for b, index in boxes if b.area > 0]
        return tuple(sorted(edges, key=lambda edge: (edge[4], -edge[5])))

    def at(self, point: Point) -> list[UIElement]:
        """Visible elements whose box holds the point: smallest area first, then the later drawn."""
        place = point.rescaled(self.size)
        x, y = place.x, place.y
        return [
            self.elements[index]
            for left, top, right, bottom, _area, index in self._areas
            if left <= x <= right and top <= y <= bottom
        ]

    def target_at(self, point: Point) -> UIElement | None:
        """The element that a tap at `point` is meant for.

        The smallest element under the point, or its nearest clickable ancestor when it is not clickable itself and that
        ancestor is smaller than half the screen.
        """
        under = self.at(point)
        if not under:
            return None
        smallest = under[0]
        if smallest.clickable or smallest.editable:
            return smallest
        limit = self.size.width * self.size.height / 2
        for ancestor in self.ancestors(smallest.index):
            if ancestor.clickable and ancestor.box.area < limit:
                return ancestor
        return smallest
