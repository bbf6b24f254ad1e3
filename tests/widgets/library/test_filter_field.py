"""Line and chips edit one filter; values are offered when they come."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from stepscope.widgets.library import FilterProblem, FilterSuggestion
from stepscope.widgets.library.filter_field import FilterField
from stepscope.widgets.library.filter_line import RUN_LETTERS

NAMES = [FilterSuggestion(name) for name in ("app:", "conf:", "star", "steps:", "wrong:")]
APPS = [FilterSuggestion("spotify", "Spotify", 12), FilterSuggestion('"sports news"', "", 3)]


@pytest.fixture
def field(qtbot: QtBot, themed: object) -> FilterField:
    shown = FilterField()
    shown.line.set_names(NAMES)
    qtbot.addWidget(shown)
    shown.resize(336, 120)
    shown.show()
    qtbot.waitExposed(shown)
    return shown


def chips(field: FilterField) -> list[str]:
    return [chip.text() for chip in field.chips.chips()]


def test_each_condition_of_the_filter_has_a_chip(field: FilterField, qtbot: QtBot) -> None:
    field.show_text("wrong:B steps<20 action:tap")
    assert chips(field) == ["wrong: B", "steps < 20", "tap"]
    with qtbot.waitSignal(field.changed):
        QTest.keyClicks(field.line, " -star")
        QTest.keyClick(field.line, Qt.Key.Key_Return)
    assert chips(field)[-1] == "not star"


def test_the_cross_and_the_delete_key_take_a_condition_away(field: FilterField, qtbot: QtBot) -> None:
    field.show_text("wrong:B steps<20 action:tap")
    middle = field.chips.chips()[1]
    with qtbot.waitSignal(field.changed) as told:
        QTest.mouseClick(middle, Qt.MouseButton.LeftButton, pos=middle.cross().center())
    assert told.args == ["wrong:B action:tap"]
    field.chips.chips()[0].setFocus()
    with qtbot.waitSignal(field.changed) as told:
        QTest.keyClick(field.chips.chips()[0], Qt.Key.Key_Delete)
    assert told.args == ["action:tap"]
    assert field.line.text() == "action:tap"
    assert QApplication.focusWidget() is field.chips.chips()[0], "the next chip has the keyboard"


def test_a_click_on_a_chip_selects_its_condition_in_the_line(field: FilterField) -> None:
    field.show_text("wrong:B steps<20 action:tap")
    QTest.mouseClick(field.chips.chips()[1], Qt.MouseButton.LeftButton, pos=field.chips.chips()[1].rect().center())
    assert field.line.selectedText() == "steps<20"
    QTest.keyClicks(field.line, "steps<9")
    assert field.line.text() == "wrong:B steps<9 action:tap"


def test_chips_stand_for_the_filter_in_force_while_another_is_wrong(field: FilterField, qtbot: QtBot) -> None:
    field.show_text("wrong:B star")
    with qtbot.waitSignal(field.changed):
        QTest.keyClicks(field.line, " stepps>8")
        QTest.keyClick(field.line, Qt.Key.Key_Return)
    field.set_error(FilterProblem("No field “stepps”.", 13, 6, "steps", 14))
    assert chips(field) == ["wrong: B", "star"]
    with qtbot.waitSignal(field.changed) as told:
        QTest.keyClick(field.chips.chips()[0], Qt.Key.Key_Delete)
    assert told.args == ["star"]
    assert field.message() == ""


def test_chips_go_on_in_the_next_row_where_there_is_no_room(field: FilterField) -> None:
    field.show_text(" ".join(f"app:somewhere{number}" for number in range(6)))
    QApplication.processEvents()
    places = [chip.mapTo(field, chip.rect().topLeft()) for chip in field.chips.chips()]
    assert len({place.y() for place in places}) > 1
    right = [chip.mapTo(field, chip.rect().bottomRight()) for chip in field.chips.chips()]
    assert all(corner.x() < field.width() for corner in right)


def test_the_plus_offers_every_field_behind_the_filter(field: FilterField) -> None:
    field.show_text("star | wrong:A")
    QTest.mouseClick(field.chips._add, Qt.MouseButton.LeftButton)
    assert field.line.text() == "(star | wrong:A) "
    assert field.line.offered() == [name.text for name in NAMES]


def test_values_of_a_field_are_asked_for_and_offered(field: FilterField, qtbot: QtBot) -> None:
    line = field.line
    line.setFocus()
    asked: list[tuple[str, str]] = []
    line.suggestions_wanted.connect(lambda name, prefix: asked.append((name, prefix)))
    QTest.keyClicks(line, "star -app:sp")
    assert asked[-1] == ("app", "sp")
    line.set_suggestions("app", "s", APPS)
    assert line.offered() == [], "an answer to what was typed before"
    line.set_suggestions("app", "sp", APPS)
    assert line.offered() == ["spotify", '"sports news"']
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Return):
        QTest.keyClick(QApplication.activePopupWidget(), key)
    assert line.text() == 'star -app:"sports news"'
    QTest.keyClicks(line, ",x")
    assert asked[-1] == ("app", "x"), "another value of the same field"


@pytest.mark.parametrize(
    ("text", "letters"),
    [("wrong:B steps<20", "B"), ("differs:A,c -conf:a<0.4", "A,c a"), ("wrong:ALPHA goal:B", ""), ("wrong:run2", "")],
)
def test_letters_of_runs_are_found(text: str, letters: str) -> None:
    assert " ".join(match.group(1) for match in re.finditer(RUN_LETTERS, text)) == letters


def test_a_letter_has_its_runs_colour(field: FilterField) -> None:
    from PySide6.QtGui import QColor

    from stepscope.widgets import theme

    def colours() -> set[str]:
        picture = field.line.grab().toImage()
        pixels = {picture.pixel(x, y) for x in range(picture.width()) for y in range(picture.height())}
        return {QColor(pixel).name() for pixel in pixels}

    field.show_text("wrong:x")
    run_b = QColor(theme.current().run_b)
    assert run_b.name() not in colours()
    field.show_text("wrong:B")
    near = [c for c in map(QColor, colours()) if abs(c.hueF() - run_b.hueF()) < 0.02 and c.saturationF() > 0.4]
    assert near, "some of the letter's pixels are pink"
