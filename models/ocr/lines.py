"""Lines of text on a picture, and the UI tree that they make."""

from __future__ import annotations

from collections.abc import Sequence

from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.frozen import dataclass


@dataclass(frozen=True, slots=True)
class TextLine:
    """`edges` are left, top, right, bottom in pixels; `score` 0..1 says how sure the reader is."""

    text: str
    edges: tuple[float, float, float, float]
    score: float


def text_tree(lines: Sequence[TextLine], size: Size) -> UITree:
    """A flat tree of the lines in reading order, in pixels of a picture of this size."""
    elements = [
        UIElement(index, _box(line, size), text=line.text) for index, line in enumerate(in_reading_order(lines))
    ]
    return UITree(tuple(elements), TreeOrigin.OCR, size)


def in_reading_order(lines: Sequence[TextLine]) -> list[TextLine]:
    """The lines from the top, and from the left where the middle of one line is within the height of the row's
    first."""
    rows: list[list[TextLine]] = []
    for line in sorted(lines, key=lambda one: one.edges[1] + one.edges[3]):
        middle = (line.edges[1] + line.edges[3]) / 2
        if rows and rows[-1][0].edges[1] <= middle <= rows[-1][0].edges[3]:
            rows[-1].append(line)
        else:
            rows.append([line])
    return [line for row in rows for line in sorted(row, key=lambda one: one.edges[0])]


def _box(line: TextLine, size: Size) -> Box:
    left, top, right, bottom = line.edges
    box = Box(min(left, right), min(top, bottom), max(left, right), max(top, bottom), size)
    return box.clipped() or box
