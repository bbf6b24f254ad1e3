"""Going over the elements of a screen without a mouse: the nearest one in a direction, and along the UI tree."""

from __future__ import annotations

from stepscope.core.domain.elements import UIElement, UITree
from stepscope.core.domain.geometry import Direction, Point

_ASIDE = 2.0
"""How much more a pixel aside counts than one ahead: who goes down wants what is below, not what is beside."""


def stops(tree: UITree) -> tuple[UIElement, ...]:
    """What the crosshair stops at: visible elements that can be touched or typed into, and the leaves with words."""
    wanted = {e.index: e for e in tree.leaves if e.label}
    wanted |= {e.index: e for e in tree if e.visible and e.box.area > 0 and (e.clickable or e.editable)}
    return tuple(e for _, e in sorted(wanted.items()) if e.box.clipped() is not None)


def next_stop(tree: UITree, start: Point, way: Direction) -> UIElement | None:
    """The nearest stop whose centre lies in the direction `way` of `start`; None where there is none."""
    place = start.rescaled(tree.size)
    best: tuple[float, UIElement] | None = None
    for element in stops(tree):
        centre = element.box.centre
        dx, dy = centre.x - place.x, centre.y - place.y
        ahead, aside = _turned(dx, dy, way)
        if ahead < 1.0:
            continue
        far = ahead + _ASIDE * abs(aside)
        if best is None or far < best[0]:
            best = (far, element)
    return best[1] if best else None


def relative(tree: UITree, index: int, way: Direction) -> UIElement | None:
    """Up: the parent; down: the first child; left and right: the sibling before and after."""
    element = tree.elements[index]
    if way is Direction.UP:
        return tree.elements[element.parent] if element.parent >= 0 else None
    if way is Direction.DOWN:
        return next((tree.elements[child] for child in tree.children[index]), None)
    roots = tuple(one.index for one in tree if one.parent < 0)
    siblings = tree.children[element.parent] if element.parent >= 0 else roots
    place = siblings.index(index) + (1 if way is Direction.RIGHT else -1)
    return tree.elements[siblings[place]] if 0 <= place < len(siblings) else None


def same_element(before: UITree | None, after: UITree | None, index: int) -> int:
    """The index in a later tree of the element that was `index`: at the same place, of the same class and id; else
    −1."""
    if before is None or after is None or not 0 <= index < len(before):
        return -1
    old = before.elements[index]
    known = (old.box, old.class_name, old.resource_id)
    return next((one.index for one in after if (one.box, one.class_name, one.resource_id) == known), -1)


def _turned(dx: float, dy: float, way: Direction) -> tuple[float, float]:
    """How far ahead and how far aside, seen in a direction."""
    match way:
        case Direction.UP:
            return -dy, dx
        case Direction.DOWN:
            return dy, dx
        case Direction.LEFT:
            return -dx, dy
        case _:
            return dx, dy
