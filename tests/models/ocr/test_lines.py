from __future__ import annotations

from stepscope.core.domain.elements import TreeOrigin
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.models.ocr.lines import TextLine, in_reading_order, text_tree

SIZE = Size(400, 800)


def line(text: str, left: float, top: float, right: float, bottom: float) -> TextLine:
    return TextLine(text, (left, top, right, bottom), 0.9)


TITLE = line("Alarms", 20, 10, 120, 40)
TIME, SWITCH = line("7:30", 20, 100, 90, 150), line("On", 300, 115, 340, 135)
"""The switch stands beside the time and begins a little lower."""
DAYS = line("Every day", 20, 155, 140, 175)


def test_rows_from_the_top_and_each_from_the_left() -> None:
    assert in_reading_order([DAYS, SWITCH, TITLE, TIME]) == [TITLE, TIME, SWITCH, DAYS]


def test_lines_become_a_flat_tree_that_names_its_origin() -> None:
    tree = text_tree([TIME, TITLE], SIZE)
    assert tree.origin is TreeOrigin.OCR and tree.size == SIZE
    assert [(e.text, e.box, e.parent) for e in tree] == [
        ("Alarms", Box(20, 10, 120, 40, SIZE), -1),
        ("7:30", Box(20, 100, 90, 150, SIZE), -1),
    ]
    assert [e.label for e in tree.at(Point(50, 20, SIZE))] == ["Alarms"]


def test_a_line_over_the_edge_is_cut_off_there() -> None:
    assert text_tree([line("Bar", -5, 790, 405, 810)], SIZE).elements[0].box == Box(0, 790, 400, 800, SIZE)


def test_a_picture_without_words_has_an_empty_tree() -> None:
    assert len(text_tree([], SIZE)) == 0
