"""Choices that take the width there is stand in as few rows as they have room in."""

from PySide6.QtWidgets import QAbstractButton

from stepscope.widgets.common import SegmentedControl

CHOICES = [("all", "All"), ("clickable", "Clickable"), ("text", "With text"), ("changes", "Changes")]


def rows(control: SegmentedControl) -> list[int]:
    """How many choices stand in each row."""
    tops = [button.y() for button in control.findChildren(QAbstractButton)]
    return [tops.count(top) for top in sorted(set(tops))]


def test_rows_follow_the_width(qtbot, themed) -> None:
    control = SegmentedControl(CHOICES, "Elements shown")
    control.spread()
    qtbot.addWidget(control)
    control.show()
    widest = max(button.sizeHint().width() for button in control.findChildren(QAbstractButton))
    for width, wanted in ((6 * widest, [4]), (2 * widest + 12, [2, 2]), (widest + 8, [1, 1, 1, 1]), (6 * widest, [4])):
        control.resize(width, control.sizeHint().height())
        qtbot.waitUntil(lambda wanted=wanted: rows(control) == wanted)
