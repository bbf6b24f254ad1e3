"""AndroidWorld's objects as they lie in a pickle: dataclasses, numpy's arrays and numbers, UI elements.

`UIElement` and `BoundingBox` (`representation_utils.py`), `JSONAction` (`json_action.py`) are told by their fields, so
that agents which write dicts instead are read too. Bounds are pixels of the screen as it was turned; each element has
them once more as fractions, by which the size of that screen is known.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from stepscope.core.archives.inert_pickle import ByteString, Global, PickledObject
from stepscope.core.domain.action import Target
from stepscope.core.domain.elements import TreeOrigin, UITree
from stepscope.core.domain.episode import Encoding, Picture, Slice
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.probe import check_pixels
from stepscope.core.sources.files import text_of
from stepscope.core.sources.tree_builder import Placement, TreeBuilder, edge_numbers

_NUMBERS = {
    "f8": "d",
    "f4": "f",
    "i8": "q",
    "i4": "i",
    "i2": "h",
    "i1": "b",
    "u8": "Q",
    "u4": "I",
    "u1": "B",
    "b1": "?",
}
_BOUNDS = ("x_min", "y_min", "x_max", "y_max")
_LISTED = re.compile(r'^UI element (\d{1,4}): \{"index": \d{1,4}, (.{0,4000})\}$', re.MULTILINE)
_WORDS = re.compile(r'"(text|content_description|hint_text)": "(.*?)", (?="\w+": )')
_FLAGS = {
    "clickable": "is_clickable",
    "long_clickable": "is_long_clickable",
    "scrollable": "is_scrollable",
    "checkable": "is_checkable",
    "checked": "is_checked",
    "editable": "is_editable",
    "focused": "is_focused",
    "selected": "is_selected",
}


def fields_of(value: object) -> Mapping[str, Any]:
    """The fields of a dataclass's object or of a dict; none for anything else."""
    state = value.state if isinstance(value, PickledObject) else value
    return state if isinstance(state, dict) else {}


def list_of(value: object) -> Sequence[Any]:
    """A list or tuple; empty for anything else."""
    return value if isinstance(value, list | tuple) else ()


def number_of(value: object) -> float | None:
    """A number, also one of numpy's; None for anything else."""
    if (
        isinstance(value, PickledObject)
        and isinstance(value.of, Global)
        and value.of.name == "scalar"
        and len(value.args) == 2
    ):
        kind, data = value.args
        code = _NUMBERS.get(_type_name(kind))
        if code and isinstance(data, ByteString) and len(data.data) == struct.calcsize("<" + code):
            value = struct.unpack("<" + code, data.data)[0]
    if not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:
        return None


def _type_name(kind: object) -> str:
    """The name of a numpy type such as `u1`, little-endian or of single bytes."""
    name = kind.args[0] if isinstance(kind, PickledObject) and kind.args else ""
    return name.lstrip("<|=") if isinstance(name, str) else ""


def picture_of(value: object, path: Path, gzip: bool) -> Picture:
    """A screenshot, height × width × 3 bytes as numpy keeps them, as its place in the file; ValueError for others."""
    shape, kind, fortran, data = _array_parts(value)
    sizes = [size for size in list_of(shape) if type(size) is int and size > 0]
    if len(sizes) != 3 or len(list_of(shape)) != 3 or _type_name(kind) != "u1" or not isinstance(data, ByteString):
        raise ValueError("the screenshot is no array of bytes with three sides")
    height, width, channels = sizes
    if channels != 3 or fortran or data.length != height * width * 3:
        raise ValueError("the screenshot's bytes are not red, green and blue, row by row")
    check_pixels(width, height, path)
    return Picture(path, Size(width, height), Slice(data.offset, data.length, gzip, Encoding.RGB))


def _array_parts(value: object) -> tuple[object, object, bool, object]:
    """Shape, type, whether it lies column by column, and bytes: as numpy's `__reduce__` and `_frombuffer` give them."""
    if isinstance(value, PickledObject) and isinstance(value.of, Global) and value.of.module.startswith("numpy"):
        if value.of.name == "_reconstruct" and isinstance(value.state, tuple) and len(value.state) == 5:
            _, shape, kind, fortran, data = value.state
            return shape, kind, fortran is True, data
        if value.of.name == "_frombuffer" and len(value.args) == 4:
            data, kind, shape, order = value.args
            return shape, kind, order != "C", data
    raise ValueError("the screenshot is no array")


@dataclass(frozen=True, slots=True)
class AndroidWorldScreen:
    """A step's elements on its screenshot: by `places`, the recorded index leads to the tree's (-1: left out).

    `bounded` False: the elements' words were recorded and their bounds were not.
    """

    placement: Placement
    tree: UITree | None = None
    places: tuple[int, ...] = ()
    bounded: bool = True
    notes: tuple[str, ...] = ()

    def point(self, x: float, y: float) -> Point:
        """A place in pixels of the screen, on the screenshot; ValueError when it is none."""
        left, top, _, _ = edge_numbers((x, y, x, y))
        return self.placement.box(left, top, left, top).centre

    def target(self, index: int) -> Target:
        """The element with that recorded index, with what is known of it; ValueError when the step has none such."""
        if self.bounded and self.places and index >= len(self.places):
            raise ValueError(f"there are {len(self.places)} elements and no element {index}")
        place = self.places[index] if index < len(self.places) else -1
        if self.tree is None or place < 0:
            return Target(None, "", f"[{index}]")
        element = self.tree.elements[place]
        text = element.text or element.content_description
        if not self.bounded:
            return Target(None, text, f"[{index}]")
        return Target(element.box, text, element.resource_id or None)


def screen_of(values: Sequence[Any], size: Size) -> AndroidWorldScreen:
    """The elements as a flat tree; without one where the screen was turned and the screenshot was not."""
    elements = [fields_of(value) for value in values]
    elements = [fields_of(element.get("ui_element")) or element for element in elements]
    screen = next(_screen_sizes(elements), (size.width, size.height))
    if (screen[0] > screen[1]) != (size.width > size.height) and screen[0] != screen[1] and elements:
        return AndroidWorldScreen(
            Placement(size), notes=("the screen was turned, its screenshot was not: no places are told",)
        )
    placement = Placement.stretched(*screen, size)
    if not elements:
        return AndroidWorldScreen(placement)
    builder = TreeBuilder(TreeOrigin.ACCESSIBILITY, placement)
    places: list[int] = []
    for element in elements:
        edges = _edges(fields_of(element.get("bbox_pixels")))
        places.append(builder.add(-1, edges, **_texts(element)))
    reading = builder.finish()
    return AndroidWorldScreen(placement, reading.tree, tuple(places), True, reading.notes)


def listed_screen(prompt: str, size: Size) -> AndroidWorldScreen:
    """The elements that M3A's prompt lists, `UI element 3: {"index": 3, "text": "…", …}`: words without bounds."""
    builder = TreeBuilder(TreeOrigin.ACCESSIBILITY, Placement(size))
    found: dict[int, int] = {}
    for match in _LISTED.finditer(prompt):
        words = dict(_WORDS.findall(match[2]))
        texts = {
            "text": words.get("text", ""),
            "content_description": words.get("content_description", "") or words.get("hint_text", ""),
            "resource_id": f"[{match[1]}]",
            **{name: f'"{field}": True' in match[2] for name, field in _FLAGS.items()},
        }
        found.setdefault(int(match[1]), builder.add(-1, (0, 0, 0, 0), **texts))
    if not found:
        return AndroidWorldScreen(Placement(size), bounded=False)
    places = tuple(found.get(index, -1) for index in range(max(found) + 1))
    return AndroidWorldScreen(Placement(size), builder.finish().tree, places, False)


def _edges(box: Mapping[str, Any]) -> list[float | None]:
    numbers = [number_of(box.get(name)) for name in _BOUNDS]
    return [number if number is None or math.isfinite(number) else None for number in numbers]


def _screen_sizes(elements: Sequence[Mapping[str, Any]]) -> Iterator[tuple[int, int]]:
    """The screen's size by each element that has its bounds both in pixels and in fractions."""
    for element in elements:
        pixels, shares = _edges(fields_of(element.get("bbox_pixels"))), _edges(fields_of(element.get("bbox")))
        (right, bottom), (share_x, share_y) = pixels[2:], shares[2:]
        if right and bottom and share_x and share_y:
            width, height = right / share_x, bottom / share_y
            if 1 <= width <= 1e5 and 1 <= height <= 1e5:
                yield round(width), round(height)


def _texts(element: Mapping[str, Any]) -> dict[str, str | bool]:
    return {
        "text": text_of(element.get("text")),
        "content_description": text_of(element.get("content_description")) or text_of(element.get("hint_text")),
        "resource_id": text_of(element.get("resource_name")) or text_of(element.get("resource_id")),
        "class_name": text_of(element.get("class_name")),
        "package": text_of(element.get("package_name")),
        "enabled": element.get("is_enabled") is not False,
        "visible": element.get("is_visible") is not False,
        **{name: element.get(field) is True for name, field in _FLAGS.items()},
    }
