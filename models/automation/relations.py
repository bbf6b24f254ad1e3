"""How well each element of a screen lies where an instruction says (`referring`), as numbers for a network.

Source: that people name elements by kind, place, order and neighbours is what the referring expressions of UIBert show
(Bai et al. 2021, paper); the numbers are ours. All lengths are in widths of the screen, so that its height changes
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from stepscope.core.domain.elements import UIElement
from stepscope.core.domain.episode import Observation
from stepscope.core.domain.geometry import Box
from stepscope.models.automation.grounding import likeness
from stepscope.models.automation.referring import Reference, reference
from stepscope.models.automation.screen import shown_box, usable_elements
from stepscope.models.learned.recipe import Array

RELATIONS = 15
"""Numbers of an element: see `relation_features`."""
_ANCHORS = 4
_SAME_SHARE = 0.8
"""Elements whose words fit nearly as well as the best ones are looked at as anchors too."""
_ROW = 0.05
"""Middles this near above each other are one row."""
_AWAY, _ASIDE, _NEAR = 0.3, 0.08, 0.14
"""Widths over which what lies further off, further aside, further from an anchor counts e times less."""
_AXIS = {"left": (0, -1), "right": (0, 1), "above": (1, -1), "below": (1, 1)}
"""Where a side lies: 0 across, 1 down; towards the start of the screen or its end."""
_EDGES = {"left": (0, 0.0), "right": (0, 1.0), "top": (1, 0.0), "bottom": (1, 1.0)}
_WAYS = {
    "beside": (("left", 1.0), ("right", 1.0), ("above", 0.6), ("below", 0.6)),
    "before": (("left", 1.0), ("above", 0.8)),
    "after": (("right", 1.0), ("below", 0.8)),
}
"""Sides that a word may mean, the likelier ones first."""
_OVERLAP, _OVERLAPPED = 0.02, 0.3
"""Of an element that reaches into the anchor by more than that, so much counts."""
_RELATED = 0.05
"""From so much on an element lies on the said side of an anchor, where it is counted."""
_CLASSES = {
    "picture": re.compile(r"image|icon|drawee|photo|picture|avatar|star|fab", re.I),
    "button": re.compile(r"button|btn|fab", re.I),
    "words": re.compile(r"text|label|button|tab", re.I),
    "field": re.compile(r"edit|input|field|autocomplete|search", re.I),
    "switch": re.compile(r"check|switch|toggle|radio", re.I),
}


def relation_features(boxes: Sequence[Box], elements: Sequence[UIElement], seen: Observation, said: str) -> Array:
    """(elements, 15) of elements with their boxes on the screen: how well each lies as the instruction says from what
    it names, that less the best one's, the same of the named kind only (2); whether it is of the named kind; how well
    it lies at the named side of the screen, that less the best one's; whether it is the n-th of its kind; likeness to
    its own words and to the anchor's; nearness to the anchor; whether it is the n-th of those of its class and width;
    whether anchor, side, ordinal, kind are said."""
    found = np.zeros((len(elements), RELATIONS), np.float32)
    if not said or not elements:
        return found
    what = reference(said)
    width = boxes[0].size.width
    places = edges_of(boxes)
    kind = np.array([fits_kind(one, what.kinds) for one in elements])
    anchors, strength = _anchors(what, seen)
    related = _related(places, anchors / width, what.side) * strength if len(anchors) else np.zeros(len(elements))
    sided = _sided(places, what.sides, seen.size.height / seen.size.width)
    found[:, 0] = related
    found[:, 1] = related - related.max()
    found[:, 2] = related * kind - (related * kind).max()
    found[:, 3] = kind
    found[:, 4] = sided
    found[:, 5] = sided - sided.max()
    found[:, 6] = _in_order(places, kind, related, what)
    found[:, 7] = [likeness(what.own, one).score for one in elements] if what.own else 0.0
    found[:, 8] = [likeness(what.anchor, one).score for one in elements] if what.anchor else 0.0
    found[:, 9] = _nearness(places, anchors / width) if len(anchors) else 0.0
    found[:, 10] = _in_group(places, elements, what.ordinal)
    found[:, 11:] = [bool(len(anchors)), bool(what.sides), bool(what.ordinal), bool(what.kinds)]
    return found


def edges_of(boxes: Sequence[Box]) -> Array:
    """(boxes, 4): left, top, right and bottom in widths of the screen."""
    rows = [(box.left, box.top, box.right, box.bottom) for box in boxes]
    return np.array(rows, np.float64) / boxes[0].size.width


def fits_kind(element: UIElement, kinds: frozenset[str]) -> float:
    """1 where the element is of one of the kinds, or none is said."""
    if not kinds:
        return 1.0
    name = element.class_name.rsplit(".", 1)[-1]
    flags = {"field": element.editable, "switch": element.checkable, "button": element.clickable}
    return float(any(_CLASSES[kind].search(name) or flags.get(kind, False) for kind in kinds))


def _anchors(what: Reference, seen: Observation) -> tuple[Array, float]:
    """Boxes (anchors, 4) of the elements that the instruction names as neighbours, in pixels, and how well they fit."""
    if not what.anchor:
        return np.zeros((0, 4)), 0.0
    found = [(likeness(what.anchor, one).score, one) for one in usable_elements(seen)]
    best = max((score for score, _ in found), default=0.0)
    if best <= 0:
        return np.zeros((0, 4)), 0.0
    kept = sorted(
        (pair for pair in found if pair[0] >= _SAME_SHARE * best), key=lambda pair: (-pair[0], pair[1].box.area)
    )
    boxes = [shown_box(one, seen) for _, one in kept[:_ANCHORS]]
    return np.array([(box.left, box.top, box.right, box.bottom) for box in boxes if box is not None]), best


def _related(places: Array, anchors: Array, side: str) -> Array:
    """(elements,) how well each lies on that side of the nearest fitting anchor."""
    best = np.zeros(len(places))
    for anchor in anchors:
        best = np.maximum(best, lies_beside(places, anchor, side))
    return best


def lies_beside(places: Array, anchor: Array, side: str) -> Array:
    """(elements,) how well each of `places` lies on that side of `anchor`, 0 to 1; edges as `edges_of` gives them."""
    middle, own = _middles(places), (anchor[:2] + anchor[2:]) / 2
    found = np.zeros(len(places))
    for name, weight in _WAYS.get(side, ((side, 1.0),)):
        axis, sign = _AXIS[name]
        edge = (anchor[axis] - places[:, axis + 2]) if sign < 0 else (places[:, axis] - anchor[axis + 2])
        across = 1 - axis
        # What overlaps the anchor's stretch across is not aside of it.
        aside = np.maximum(
            0, np.maximum(places[:, across] - anchor[across + 2], anchor[across] - places[:, across + 2])
        )
        off = np.abs(middle[:, across] - own[across])
        beyond = sign * (middle[:, axis] - own[axis]) > 0
        fit = np.exp(-np.maximum(edge, 0) / _AWAY - aside / _ASIDE - off / (4 * _ASIDE))
        fit = np.where(edge < -_OVERLAP, fit * _OVERLAPPED, fit)
        found = np.maximum(found, weight * np.where(beyond, fit, 0.0))
    same = np.abs(places - anchor).max(axis=1) < 0.005
    return np.where(same, 0.0, found)


def _sided(places: Array, sides: frozenset[str], height: float) -> Array:
    """(elements,) nearness to the sides of the screen that are said; 0 all over where none is."""
    if not sides:
        return np.zeros(len(places))
    middle = _middles(places) / np.array([1.0, height])
    far = np.zeros(len(places))
    for side in sides:
        if side == "middle":
            far += np.abs(middle - 0.5).sum(axis=1)
        else:
            axis, wanted = _EDGES[side]
            far += np.abs(middle[:, axis] - wanted)
    return np.exp(-far / _AWAY)


def _in_order(places: Array, kind: Array, related: Array, what: Reference) -> Array:
    """(elements,) 1 for the n-th of the named kind in reading order, or from the side that it is counted from; of those
    on the said side of the anchor where there is one."""
    found = np.zeros(len(places))
    if not what.ordinal:
        return found
    counted = (kind > 0) & (related > _RELATED if related.max() > _RELATED else True)
    among = np.flatnonzero(counted).tolist()
    place = _nth(what.ordinal, len(among))
    if place is not None:
        found[_reading_order(places, among, what.start)[place]] = 1.0
    return found


def _in_group(places: Array, elements: Sequence[UIElement], ordinal: int) -> Array:
    """(elements,) 1 for the n-th, in reading order, of each row of elements that are like each other."""
    found = np.zeros(len(places))
    groups: dict[tuple[str, int], list[int]] = {}
    if ordinal:
        for place, one in enumerate(elements):
            groups.setdefault((one.class_name, round(20 * (places[place, 2] - places[place, 0]))), []).append(place)
    for group in groups.values():
        wanted = _nth(ordinal, len(group))
        if len(group) > 1 and wanted is not None:
            found[_reading_order(places, group, "")[wanted]] = 1.0
    return found


def _nth(ordinal: int, count: int) -> int | None:
    """The place of the n-th of so many, None where there are fewer."""
    place = ordinal - 1 if ordinal > 0 else count - 1
    return place if 0 <= place < count else None


def _reading_order(places: Array, among: Sequence[int], start: str) -> list[int]:
    """By rows from the top and from the left within a row; from another side first where one is named."""
    middle = _middles(places)
    rows = np.round(middle[:, 1] / _ROW)
    sides = {"left": middle[:, 0], "right": -middle[:, 0], "top": rows, "bottom": -rows}
    first = sides.get(start, rows)
    return sorted(among, key=lambda place: (first[place], rows[place], middle[place, 0]))


def _nearness(places: Array, anchors: Array) -> Array:
    middle = _middles(places)
    far = [np.hypot(*(middle - (anchor[:2] + anchor[2:]) / 2).T) for anchor in anchors]
    nearest: Array = np.min(far, axis=0)
    return np.exp(-nearest / _NEAR)


def _middles(places: Array) -> Array:
    return (places[:, :2] + places[:, 2:]) / 2
