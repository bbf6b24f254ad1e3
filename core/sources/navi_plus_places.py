"""Places of Navi-plus's samples in the forms that they may have, in pixels."""

from __future__ import annotations

import re
from collections.abc import Sequence

from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.sources.files import told
from stepscope.core.sources.sniffers.navi_plus_keys import Keys

_NUMBER = re.compile(r"-?[0-9]{1,9}(?:\.[0-9]{1,12})?")
_FARTHEST = 1e7
"""A coordinate beyond ten million pixels is a broken number, not a place (ours)."""
_EDGES = ("left", "top", "right", "bottom")
_CORNER_AND_SIZE = ("x", "y", "width", "height")


def numbers_in(text: str) -> list[float]:
    """The numbers of a text that holds nothing else but brackets, commas and white space."""
    if _NUMBER.sub("", text).strip("()[], \t\n<>"):
        return []
    return [float(number) for number in _NUMBER.findall(text)]


def _finite(number: object) -> float:
    if not isinstance(number, int | float) or isinstance(number, bool) or not -_FARTHEST <= number <= _FARTHEST:
        raise ValueError(f"{told(number)} is no number of a screen")
    return float(number)


def point_or_none(pair: object, x: object, y: object, keys: Keys, size: Size) -> Point | None:
    """The place that a pair or else two numbers name; None where there are none."""
    if isinstance(pair, str):
        pair = numbers_in(pair)
    if pair is None and (x is not None or y is not None):
        pair = [x, y]
    if pair is None:
        return None
    if not isinstance(pair, list) or len(pair) != 2:
        raise ValueError(f"a place has two numbers, not {told(pair)}")
    return point_of(pair, keys, size)


def point_of(numbers: Sequence[object], keys: Keys, size: Size) -> Point:
    """x and y in the space that `keys` names, as pixels of `size`. ValueError for what is no number of a screen."""
    x, y = _scaled([_finite(number) for number in numbers], keys, size)
    return Point(x, y, size)


def box_of(value: object, keys: Keys, size: Size) -> Box:
    """A box of four numbers: a list, a text, or an object of edges or of a corner and a size."""
    has_size = keys.box_has_size
    if isinstance(value, dict):
        has_size = all(name in value for name in _CORNER_AND_SIZE)
        value = [value.get(name) for name in (_CORNER_AND_SIZE if has_size else _EDGES)]
    numbers = numbers_in(value) if isinstance(value, str) else value
    if not isinstance(numbers, list) or len(numbers) != 4:
        raise ValueError(f"a box has four numbers, not {told(value)}")
    left, top, right, bottom = _scaled([_finite(number) for number in numbers], keys, size)
    return Box.from_xywh(left, top, right, bottom, size) if has_size else Box(left, top, right, bottom, size)


def _scaled(numbers: list[float], keys: Keys, size: Size) -> list[float]:
    """x, y, x, y … of the data's own space in pixels."""
    if keys.space == "pixels":
        return numbers
    whole = 1000 if keys.space == "thousandths" else 1
    sides = (size.width / whole, size.height / whole)
    return [number * sides[place % 2] for place, number in enumerate(numbers)]
