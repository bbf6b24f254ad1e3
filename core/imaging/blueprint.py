"""A UI tree as a picture, for data without screenshots: a calm light page with the elements' boxes and words.

Containers are thin outlines, darker the deeper they lie. What can be clicked has a blue ground, what can be written
into a white one with a line at its foot, a picture is crossed out as draughtsmen do it. Smaller boxes lie on larger
ones. Words are written as large as their box allows, shortened to it, and are bars where they would be too small to
read.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.geometry import Size
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.draw import TYPICAL_SIDE, TextRenderer
from stepscope.core.imaging.labels import shortened
from stepscope.core.imaging.opencv import cv2
from stepscope.core.imaging.overlay import PASSWORD_DOTS
from stepscope.core.imaging.palette import rgb
from stepscope.core.imaging.panels import Area, fill, frame
from stepscope.core.imaging.parts import Pixels
from stepscope.core.imaging.resampling import fitted, resized
from stepscope.core.imaging.strokes import TextStroke

PAGE = "#F6F7F9"
TEXT = "#28303B"
HINT = "#7A8594"
"""Words that are not on the screen: a description or an id."""
LINK = "#1F4E9E"
CLICKABLE, CLICKABLE_EDGE = "#DCE8FC", "#86A9E6"
FIELD, FIELD_EDGE = "#FFFFFF", "#AAB4C2"
IMAGE, IMAGE_EDGE = "#E9EDF2", "#C6CFDA"
PAPER, PAPER_EDGE = "#FDFDFE", "#DDE3EA"
BAR = "#C9D0DA"
OUTLINES = ("#DFE4EB", "#D3DAE3", "#C7D0DB", "#BAC5D2")
"""Of containers, from the page inwards."""

MAX_ELEMENTS = 10_000
"""More are not drawn (ours): real pages have some thousands."""

_WEB_WIDTH = 1280
"""Width in pixels of the pages of the field's web data sets; their text has about 16 pixels."""
_TEXT = 15.0
_LEAST_TEXT = 6.0
_LONGEST_TEXT = 300
_LEAST_HINT = 4
_FINE_BELOW, _FINE = 14.0, 3
_LINE = 1.32
_SMALLER = 0.88
_SMALLEST = 0.6
"""A word too wide for its box is made smaller by at most this, then shortened."""
_WEIGHT, _BOLD = 400, 600
_WHOLE = 0.9
_GROUND_SHARE = 0.85
_LEVELS_A_TONE = 3
_REFERENCE_SIZE = 50.0
_FILLS = 60
"""Grounds together cover at most this many pages: boxes upon boxes upon boxes would take minutes."""


def draw_tree(tree: UITree, size: Size, max_size: Size | None = None) -> Pixels:
    """The tree's boxes on a page of `size`, height × width × 3; drawn smaller, not reduced, to fit into `max_size`."""
    page = fitted(size, max_size) if max_size is not None else size
    return _BlueprintPage(tree, size, page).drawn()


@dataclass(frozen=True, slots=True)
class _DrawnElement:
    """An element and where it lies on the page; `words` are those written in it."""

    element: UIElement
    area: Area
    leaf: bool
    words: str
    hint: bool


class _BlueprintPage:
    def __init__(self, tree: UITree, size: Size, page: Size) -> None:
        self._tree, self._size, self._page = tree, size, page
        self._scale = page.width / size.width
        full = size.width / _WEB_WIDTH if tree.origin is TreeOrigin.DOM else min(size.width, size.height) / TYPICAL_SIDE
        self._unit = max(full, 1.0) * self._scale
        self._pixels: Pixels = np.empty((page.height, page.width, 3), np.uint8)
        self._pixels[:] = rgb(PAGE)
        self._lettering = TextRenderer()
        self._widths: dict[tuple[str, int], float] = {}
        self._room = _FILLS * page.width * page.height

    def drawn(self) -> Pixels:
        items = self._items()
        for item in sorted(items, key=lambda item: -item.area.width * item.area.height):
            self._box(item)
        for item in items:
            if item.words:
                self._write(item)
        return self._pixels

    def _items(self) -> list[_DrawnElement]:
        tree, items = self._tree, []
        children, spoken = tree.children, _spoken_below(tree)
        for element in tree.elements[:MAX_ELEMENTS]:
            box = element.box.rescaled(self._size).clipped() if element.visible else None
            if box is None:
                continue
            s = self._scale
            left, top = round(box.left * s), round(box.top * s)
            right, bottom = max(round(box.right * s), left + 1), max(round(box.bottom * s), top + 1)
            area = Area(left, top, min(right, self._page.width), min(bottom, self._page.height))
            if area.width <= 0 or area.height <= 0:
                continue
            leaf = not any(tree.elements[child].visible for child in children[element.index])
            own = leaf or ((element.clickable or element.text) and not spoken[element.index])
            words, hint = _words_of(element) if own else ("", False)
            items.append(_DrawnElement(element, area, leaf, words, hint))
        return items

    def _box(self, item: _DrawnElement) -> None:
        element, area = item.element, item.area
        line = max(1, round(0.9 * self._unit))
        radius = min(round(4 * self._unit), area.width // 4, area.height // 4)
        whole = area.width * area.height >= _WHOLE * self._page.width * self._page.height
        if element.editable:
            self._ground(area, FIELD, radius)
            frame(self._pixels, area, rgb(FIELD_EDGE), line, radius)
            foot = Area(area.left + radius, max(area.bottom - 2 * line, area.top), area.right - radius, area.bottom)
            fill(self._pixels, foot, rgb(CLICKABLE_EDGE), 1.0, 0)
        elif element.clickable:
            if not whole:
                self._ground(area, CLICKABLE, radius)
            frame(self._pixels, area, rgb(CLICKABLE_EDGE), line, radius)
            if item.leaf and _is_image(element) and not item.words:
                self._cross(area, CLICKABLE_EDGE)
        elif item.leaf and _is_image(element) and not whole:
            self._ground(area, IMAGE, radius)
            frame(self._pixels, area, rgb(IMAGE_EDGE), line, radius)
            if not item.words:
                self._cross(area, IMAGE_EDGE)
        elif item.leaf and not whole:
            self._ground(area, PAPER, radius)
            frame(self._pixels, area, rgb(PAPER_EDGE), line, radius)
        elif not whole and not self._as_parent(element):
            tone = OUTLINES[min(element.depth // _LEVELS_A_TONE, len(OUTLINES) - 1)]
            frame(self._pixels, area, rgb(tone), line, 0)

    def _ground(self, area: Area, colour: str, radius: int) -> None:
        self._room -= area.width * area.height
        if self._room > 0:
            fill(self._pixels, area, rgb(colour), _GROUND_SHARE, radius)

    def _cross(self, area: Area, colour: str) -> None:
        inset = max(1, round(2 * self._unit))
        if min(area.width, area.height) < 6 * inset:
            return
        part = area.of(self._pixels)
        right, bottom = area.width - 1 - inset, area.height - 1 - inset
        for start, end in (((inset, inset), (right, bottom)), ((right, inset), (inset, bottom))):
            cv2.line(part, start, end, rgb(colour), max(1, round(0.6 * self._unit)), cv2.LINE_AA)

    def _as_parent(self, element: UIElement) -> bool:
        return element.parent >= 0 and self._tree.elements[element.parent].box == element.box

    def _write(self, item: _DrawnElement) -> None:
        """The words inside their box, in the largest letters up to the usual that let all of them be read."""
        element, area = item.element, item.area
        pad = min(4 * self._unit, area.width * 0.05)
        width, height = area.width - 2 * pad, float(area.height)
        usual = min(_TEXT * self._unit, height * 0.72)
        colour = HINT if item.hint else LINK if element.clickable and not element.editable else TEXT
        weight = _BOLD if element.clickable and item.leaf and not element.editable else _WEIGHT
        if usual < _LEAST_TEXT:
            self._bar(area, item.words, pad, colour)
            return
        size, lines = self._fitted(item.words, usual, width, height, weight)
        fitting = max(1, int(height / (size * _LINE)))
        if len(lines) > fitting:
            lines = [*lines[: fitting - 1], " ".join(lines[fitting - 1 :])]
        centred = element.clickable and not element.editable
        part, top = area.of(self._pixels), max((height - len(lines) * size * _LINE) / 2, 0.0)
        for row, line in enumerate(lines):
            text = shortened(line, width, size, lambda text, size, _: self._measure(text, size, weight))
            if item.hint and len(text) < min(_LEAST_HINT, len(line)):
                return
            spare = area.width - self._measure(text, size, weight) if centred else 0.0
            baseline = top + row * size * _LINE + size * (_LINE / 2 + 0.36)
            self._put(part, TextStroke(text, max(pad, spare / 2), baseline, size, weight, colour))

    def _put(self, part: Pixels, words: TextStroke) -> None:
        """Into a part of the page, which cuts it; small letters are drawn larger and reduced, else they stick."""
        if words.size >= _FINE_BELOW:
            self._lettering.put(part, words, words.x)
            return
        top = max(0, int(words.baseline - 1.2 * words.size))
        strip = part[top : int(words.baseline + 0.5 * words.size) + 1]
        height, width = strip.shape[:2]
        if height and width:
            large = np.repeat(np.repeat(strip, _FINE, axis=0), _FINE, axis=1)
            baseline = (words.baseline - top) * _FINE
            self._lettering.put(large, replace(words, baseline=baseline, size=words.size * _FINE), words.x * _FINE)
            strip[:] = resized(large, Size(width, height))

    def _fitted(self, text: str, size: float, width: float, height: float, weight: int) -> tuple[float, list[str]]:
        """The largest size down to the least, and the lines, at which no word is too wide and no line too much."""
        widest = max(self._width(word, weight) for word in text.split(" "))
        size = min(size, max(width / max(widest, 0.01), size * _SMALLEST, _LEAST_TEXT))
        lines = self._lines(text, size, width, weight)
        while len(lines) * size * _LINE > max(height, size * _LINE) and size * _SMALLER >= _LEAST_TEXT:
            size *= _SMALLER
            lines = self._lines(text, size, width, weight)
        return size, lines

    def _bar(self, area: Area, words: str, pad: float, colour: str) -> None:
        """Too small to be read: a bar as long as the words."""
        height = max(1, round(area.height * 0.28))
        length = min(area.width - 2 * pad, len(words) * area.height * 0.36)
        if area.height < 3 or length < 2:
            return
        top, left = area.top + (area.height - height) // 2, area.left + round(pad)
        tone = CLICKABLE_EDGE if colour == LINK else BAR
        fill(self._pixels, Area(left, top, left + round(length), top + height), rgb(tone), 1.0, height // 2)

    def _lines(self, text: str, size: float, width: float, weight: int) -> list[str]:
        lines: list[str] = []
        length = space = 0.0
        for word in text.split(" "):
            own = self._width(word, weight) * size
            if lines and length + space + own <= width:
                lines[-1] += " " + word
                length += space + own
            else:
                lines.append(word)
                length = own
            space = 0.27 * size
        return lines

    def _width(self, word: str, weight: int) -> float:
        """Width of a word in letters one pixel high."""
        key = (word, weight)
        if key not in self._widths:
            self._widths[key] = self._lettering.width(word, _REFERENCE_SIZE, weight) / _REFERENCE_SIZE
        return self._widths[key]

    def _measure(self, text: str, size: float, weight: int) -> float:
        return self._width(text, weight) * size


def _spoken_below(tree: UITree) -> list[bool]:
    """Whether an element inside it has words of its own, for each element."""
    spoken = [False] * len(tree)
    for element in reversed(tree.elements):
        if element.parent >= 0 and (spoken[element.index] or (element.visible and _words_of(element)[0])):
            spoken[element.parent] = True
    return spoken


def _words_of(element: UIElement) -> tuple[str, bool]:
    """The element's words and whether they are only a hint, not what the screen would show."""
    if element.password and element.text:
        return PASSWORD_DOTS, False
    text = _printable(element.text)
    if text:
        return text, False
    text = _printable(element.content_description)
    if not text and element.clickable:
        text = _printable(element.short_id.replace("_", " "))
    return text, True


def _printable(text: str) -> str:
    line = " ".join(text[:_LONGEST_TEXT].split())
    return line if line.isprintable() else "".join(letter for letter in line if letter.isprintable())


def _is_image(element: UIElement) -> bool:
    name = element.short_class.lower()
    return "image" in name or "icon" in name or name in ("img", "svg", "canvas", "picture", "video")
