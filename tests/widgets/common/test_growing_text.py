"""A field that is as high as what is written in it, and widgets that stand side by side where they can."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from stepscope.widgets.common.growing_text import GrowingLine, GrowingText
from stepscope.widgets.common.room_row import RoomRow


@pytest.fixture
def field(qtbot: QtBot, themed: object) -> GrowingText:
    field = GrowingText("Answer", least=2, most=4)
    qtbot.addWidget(field)
    field.resize(200, 60)
    field.show()
    qtbot.waitExposed(field)
    return field


@pytest.mark.parametrize(("lines", "high"), [(0, 2), (1, 2), (3, 3), (4, 4), (9, 4)])
def test_it_is_as_high_as_its_lines_between_two_bounds(field, lines: int, high: int) -> None:
    field.show_text("\n".join("x" * (lines > 0) for _ in range(lines)))
    assert field.sizeHint().height() == field.height_for(high)
    never = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    assert (field.verticalScrollBarPolicy() == never) is (lines <= 4)


def test_long_lines_count_as_they_wrap(field) -> None:
    field.show_text("word " * 20)
    assert field.sizeHint().height() > field.height_for(2)


def test_only_what_the_person_writes_is_told(field, qtbot) -> None:
    told: list[str] = []
    field.edited.connect(told.append)
    field.show_text("from elsewhere")
    QTest.keyClicks(field, "!")
    assert told == ["from elsewhere!"] and field.text() == "from elsewhere!"


def test_enter_submits_and_shift_enter_begins_a_line(field, qtbot) -> None:
    with qtbot.waitSignal(field.submitted):
        QTest.keyClick(field, Qt.Key.Key_Enter)
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert field.toPlainText() == "\n"


def test_buttons_stand_side_by_side_where_they_have_room(qtbot, themed) -> None:
    buttons = [QPushButton(words) for words in ("Pause agent", "Step", "Stop")]
    row = RoomRow(*buttons, pushed=2)
    qtbot.addWidget(row)
    row.resize(600, 40)
    row.show()
    qtbot.waitExposed(row)
    assert not row.stacked() and buttons[2].geometry().right() == row.rect().right()
    row.resize(120, 120)
    assert row.stacked()
    buttons[0].hide()
    buttons[1].hide()
    qtbot.waitUntil(lambda: not row.stacked())
    assert row.minimumSizeHint().width() == buttons[2].minimumSizeHint().width()


def test_a_text_of_two_lines_is_seen_from_its_first(qtbot: QtBot, themed: QApplication) -> None:
    panel = QWidget()
    column = QVBoxLayout(panel)
    field = GrowingLine("Goal")
    column.addWidget(field)
    column.addStretch(1)
    qtbot.addWidget(panel)
    panel.resize(240, 300)
    panel.show()
    field.show_text("Order the oil paint set with 12 colours, to be delivered tomorrow")
    qtbot.waitUntil(lambda: field.height() == field.sizeHint().height() and field.height() > field.height_for(1))
    assert field.verticalScrollBar().value() == 0
    assert field.firstVisibleBlock().blockNumber() == 0
