"""Names of fields that are offered while a filter is typed."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from stepscope.widgets.library import FilterSuggestion
from stepscope.widgets.library.filter_line import FilterLine

NAMES = ["app:", "checked", "note", "note:", "star", "steps:"]


@pytest.fixture
def line(qtbot, themed) -> FilterLine:
    line = FilterLine()
    line.set_names([FilterSuggestion(name) for name in NAMES])
    qtbot.addWidget(line)
    line.resize(300, 28)
    line.show()
    line.setFocus()
    return line


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("st", ["star", "steps:"]), ("NO", ["note", "note:"]), ("-ch", ["checked"]), ("app:x (st", ["star", "steps:"]),
        ("wrong:A|a", ["app:"]), ("star", []), ("app:st", []), ("xyz", []), ("", []), ("st ", []), ("a-s", []),
    ],
)  # fmt: skip
def test_names_are_offered_where_a_term_begins(line, typed, offered) -> None:
    QTest.keyClicks(line, typed)
    assert line.offered() == offered
    assert line.text() == typed


def test_a_chosen_name_takes_the_place_of_what_was_typed(line, qtbot) -> None:
    QTest.keyClicks(line, "star -no")
    with qtbot.waitSignal(line.settled):
        for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Return):
            QTest.keyClick(QApplication.activePopupWidget(), key)
    assert line.text() == "star -note:"
    assert line.offered() == []


def test_enter_without_a_choice_takes_the_text_as_it_is(line, qtbot) -> None:
    QTest.keyClicks(line, "st")
    with qtbot.waitSignal(line.settled) as told:
        QTest.keyClick(QApplication.activePopupWidget(), Qt.Key.Key_Return)
    assert told.args == ["st"]


def test_escape_puts_the_offers_away_and_then_empties_the_line(line, qtbot) -> None:
    with qtbot.waitSignal(line.settled):
        QTest.keyClicks(line, "st")
    assert line.offered() == ["star", "steps:"]
    QTest.keyClick(QApplication.activePopupWidget(), Qt.Key.Key_Escape)
    assert (line.text(), line.offered()) == ("st", [])
    with qtbot.waitSignal(line.settled) as told:
        QTest.keyClick(line, Qt.Key.Key_Escape)
    assert told.args == [""]


def test_nothing_is_offered_for_a_value_that_is_written_out(line) -> None:
    line.set_names([FilterSuggestion("wrong:")])
    QTest.keyClicks(line, "wrong:a")
    line.set_suggestions("wrong", "a", [FilterSuggestion("A", "text-match"), FilterSuggestion("B", "random")])
    assert line.offered() == [], "B is found by its words only"
    line.set_suggestions("wrong", "a", [FilterSuggestion("A", "text-match"), FilterSuggestion("AB", "two")])
    assert line.offered() == ["A", "AB"], "something else begins alike"
