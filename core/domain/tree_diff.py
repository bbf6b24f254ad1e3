"""What is different between the UI trees of two screens."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from enum import StrEnum

from stepscope.core.domain.elements import UIElement, UITree
from stepscope.core.domain.geometry import Size
from stepscope.core.frozen import dataclass

FLAGS = ("clickable", "long_clickable", "scrollable", "checkable", "checked", "editable", "enabled", "focused",
         "selected")  # fmt: skip
"""What an element can be or not, so far as a person may see it change."""


class ChangeKind(StrEnum):
    """The kind of a change of an element from one screen to the next."""

    APPEARED = "appeared"
    VANISHED = "vanished"
    CHANGED = "changed"
    """the same element with other words or in another state; it may have moved too"""


@dataclass(frozen=True, slots=True)
class ElementChange:
    """`before` is the element's index in the earlier tree, `after` in the later one; None where it is not there.

    `what` tells each difference of a changed element in words.
    """

    kind: ChangeKind
    before: int | None
    after: int | None
    what: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TreeDiff:
    """Changes: what appeared, vanished and changed, each in tree order. `moved` more are the same elsewhere. `stayed`
    counts all elements that are on both screens, those that only hold others too."""

    changes: tuple[ElementChange, ...]
    moved: int = 0
    stayed: int = 0

    @property
    def is_another_screen(self) -> bool:
        """Whether more elements went than stayed."""
        return self.count(ChangeKind.VANISHED) > self.stayed

    def count(self, kind: ChangeKind) -> int:
        return sum(change.kind is kind for change in self.changes)


Pair = tuple[UIElement, UIElement]
Key = Callable[[UIElement, Size], Hashable]


def tree_diff(before: UITree, after: UITree) -> TreeDiff:
    """What is different in `after`.

    Only visible elements with an area are compared. Two are the same one when they agree in class, id, words and
    bounds; of the rest when they agree in class, id and words; then in class and id; then in class, words and bounds
    (pages give new ids); then, without ids, in class and bounds. Equal candidates are paired in tree order. Elements
    that only hold others (no words, nothing to do with them) are paired but not told. All this is ours.
    """
    size = after.size
    old, new = _seen(before), _seen(after)
    same: list[Pair] = []
    for key in (_exact, _words, _name, _look, _place):
        found = _paired(old, new, lambda element, key=key: key(element, size))  # type: ignore[misc]
        same += found
        gone = {a.index for a, _ in found}
        came = {b.index for _, b in found}
        old = [element for element in old if element.index not in gone]
        new = [element for element in new if element.index not in came]
    changed = [
        ElementChange(ChangeKind.CHANGED, a.index, b.index, what) for a, b in same if (what := tuple(_what(a, b)))
    ]
    moved = sum(not any(_what(a, b)) and _bounds(a, size) != _bounds(b, size) for a, b in same if _speaks(after, b))
    appeared = [ElementChange(ChangeKind.APPEARED, None, element.index) for element in new if _speaks(after, element)]
    vanished = [ElementChange(ChangeKind.VANISHED, element.index, None) for element in old if _speaks(before, element)]
    changed.sort(key=lambda change: change.after or 0)
    return TreeDiff((*appeared, *vanished, *changed), moved, len(same))


def _seen(tree: UITree) -> list[UIElement]:
    return [element for element in tree if element.visible and element.box.area > 0]


def _paired(old: Iterable[UIElement], new: Iterable[UIElement], key: Callable[[UIElement], Hashable]) -> list[Pair]:
    """Elements with equal keys, first with first; a key of None pairs with nothing."""
    waiting: dict[Hashable, list[UIElement]] = defaultdict(list)
    for element in old:
        waiting[key(element)].append(element)
    taken: dict[Hashable, int] = defaultdict(int)
    found = []
    for element in new:
        name = key(element)
        place = taken[name]
        if name is not None and place < len(waiting.get(name, ())):
            found.append((waiting[name][place], element))
            taken[name] += 1
    return found


def _exact(element: UIElement, size: Size) -> Hashable:
    return element.class_name, element.resource_id, _said(element), _bounds(element, size)


def _words(element: UIElement, _size: Size) -> Hashable:
    """The element's id and words; None without them, since many such elements are alike and their order says little."""
    named = element.resource_id or any(_said(element))
    return (element.class_name, element.resource_id, _said(element)) if named else None


def _name(element: UIElement, _size: Size) -> Hashable:
    return (element.class_name, element.resource_id) if element.resource_id else None


def _look(element: UIElement, size: Size) -> Hashable:
    return element.class_name, _said(element), _bounds(element, size)


def _place(element: UIElement, size: Size) -> Hashable:
    return None if element.resource_id else (element.class_name, _bounds(element, size))


def _said(element: UIElement) -> tuple[str, str]:
    return element.text, element.content_description


def _bounds(element: UIElement, size: Size) -> tuple[int, int, int, int]:
    box = element.box.rescaled(size)
    return round(box.left), round(box.top), round(box.right), round(box.bottom)


def _what(before: UIElement, after: UIElement) -> Iterator[str]:
    if before.text != after.text:
        yield f"text “{before.text}” → “{after.text}”"
    if before.content_description != after.content_description:
        yield f"description “{before.content_description}” → “{after.content_description}”"
    for flag in FLAGS:
        was, now = getattr(before, flag), getattr(after, flag)
        if was != now:
            yield f"{'now' if now else 'no longer'} {flag.replace('_', ' ')}"


def _speaks(tree: UITree, element: UIElement) -> bool:
    """Whether the element is something by itself, and not only what holds others."""
    able = element.clickable or element.editable or element.checkable or element.scrollable
    return bool(able or any(_said(element)) or not tree.children[element.index])
