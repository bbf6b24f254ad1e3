"""The table of a page's fields."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest

from stepscope.widgets import theme
from stepscope.widgets.webtask.field_row import arrow_place, parts_of
from stepscope.widgets.webtask.fields_item_model import FieldsItemModel
from stepscope.widgets.webtask.fields_panel import FieldsPanel
from stepscope.widgets.webtask.side_values import (
    FieldAnswerState,
    FieldRow,
    FieldsState,
    PeopleAnswer,
    PeopleVisibility,
)

LONG = "I am going to pick up the children from school. Could you please begin preparing dinner? " * 3
ROWS = (
    FieldRow("formal", "textarea", 1, LONG, (PeopleAnswer(LONG), PeopleAnswer("No.")), 0.78, why="best of 2"),
    FieldRow("request", "radio", 2, "yes", (PeopleAnswer("yes", 3),), 1.0, agreement="majority 3 of 3"),
    FieldRow("reasons", "checkbox", 3, "short|punct", (PeopleAnswer("short|slang", 2), PeopleAnswer("short")), 0.0),
    FieldRow("browser", "hidden", 4, None, (), None, FieldAnswerState.MISSING, why="no element has this name"),
)
STATE = FieldsState(ROWS, 0, "Model", 0.74)


@pytest.fixture
def panel(show) -> FieldsPanel:
    panel = show(FieldsPanel(), 360, 620)
    panel.set_state(STATE)
    return panel


def words_of(row: FieldRow, state: FieldsState = STATE, *, is_open: bool = False) -> list[tuple[str, str]]:
    return [(part.caption, part.words) for part in parts_of(row, state, is_open=is_open)]


def press(panel: FieldsPanel, row: int) -> None:
    place = panel.list.visualRect(panel.model.index(row, 0)).center()
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_keeps_qts_rules_while_pages_come_and_go(themed) -> None:
    model = FieldsItemModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    many = tuple(replace(ROWS[1], name=f"field{place}", number=place) for place in range(1000))
    model.set_state(FieldsState(many))
    model.toggle("field7")
    model.set_state(FieldsState(many[:20]))
    model.set_state(STATE)
    assert tester.model() is model


def test_a_row_has_model_people_and_why_in_a_line_each() -> None:
    assert words_of(ROWS[2]) == [("Model", "short | punct"), ("People", "short | slang ×2, short ×1")]
    assert words_of(ROWS[1])[-1] == ("", "majority 3 of 3")
    assert words_of(ROWS[3]) == [("People", "no answers"), ("", "no element has this name")]
    closed = words_of(ROWS[0])
    assert closed[1][1].startswith(LONG) and closed[2] == ("", "best of 2")
    assert [words for _caption, words in words_of(ROWS[0], is_open=True)] == [LONG, LONG, "No.", "best of 2"]


def test_words_of_a_page_stay_as_they_are(themed) -> None:
    model = FieldsItemModel()
    model.set_state(FieldsState((replace(ROWS[1], name='<img src="file:///x.png">'),)))
    assert '<img src="file:///x.png">' in model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)


def test_the_person_sees_no_answer_and_no_score_before_the_page_is_submitted(panel, heard) -> None:
    asked = heard(panel.people_toggled)
    assert not panel.show_people.isVisible()
    blind = replace(STATE, who="You", run=None, mine=True, people=PeopleVisibility.HIDDEN)
    panel.set_state(blind)
    said = "\n".join(words for row in ROWS for _caption, words in words_of(row, blind))
    assert "hidden until you submit" in said and "majority" not in said and "slang" not in said
    spoken = panel.model.index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "2: request, radio, You: yes" and panel._score.text() == "–"
    assert "slang" not in panel.table_text() and "0.78" not in panel.table_text()
    panel.show_people.click()
    panel.set_state(replace(blind, people=PeopleVisibility.ASKED_FOR))
    assert asked == [True] and panel.show_people.isChecked() and panel._score.text() == "0.74"


def test_head_and_foot_say_rules_and_score(panel, heard) -> None:
    told = heard(panel.rules_chosen)
    assert panel._detail.text() == "4, 1 unscored" and panel._score.text() == "0.74"
    QTest.mouseClick(panel.rules._group.button(1), Qt.MouseButton.LeftButton)
    assert told == ["paper"]
    panel.set_state(replace(STATE, rules="official", score=None))
    assert panel.rules.value() == "official" and panel._score.text() == "–"


def test_fields_are_chosen_by_mouse_and_key_and_from_elsewhere(panel, heard) -> None:
    told = heard(panel.field_chosen)
    press(panel, 1)
    QTest.keyClick(panel.list, Qt.Key.Key_Down)
    panel.choose("formal")
    assert told == ["request", "reasons"] and panel.list.currentIndex().row() == 0
    QTest.keyClick(panel.list, Qt.Key.Key_Return)
    assert told == ["request", "reasons", "formal"]
    panel.choose("not there")
    assert not panel.list.selectionModel().hasSelection()


def test_the_chosen_field_stays_chosen_when_its_values_change(panel, heard) -> None:
    panel.choose("reasons")
    told = heard(panel.field_chosen)
    panel.set_state(replace(STATE, rows=tuple(replace(row, score=0.5) for row in ROWS)))
    panel.set_state(replace(STATE, rows=ROWS[1:]))
    assert panel.list.currentIndex().data() == "reasons" and told == []


def test_a_row_opens_by_its_arrow_and_by_keys_and_then_shows_all_in_full(panel, heard) -> None:
    told = heard(panel.field_chosen)
    closed = panel.list.visualRect(panel.model.index(0, 0))
    place = arrow_place(closed, panel.list.font()).center()
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    whole = panel.list.visualRect(panel.model.index(0, 0))
    assert whole.height() > closed.height() + 100 and told == []
    panel.resize(300, 620)
    assert panel.list.visualRect(panel.model.index(0, 0)).height() > whole.height(), "narrower, it has more lines"
    panel.choose("formal")
    QTest.keyClick(panel.list, Qt.Key.Key_Left)
    assert panel.list.visualRect(panel.model.index(0, 0)).height() == closed.height()
    QTest.keyClick(panel.list, Qt.Key.Key_Right)
    QTest.keyClick(panel.list, Qt.Key.Key_Right)
    assert panel.model.is_open("formal")
    QTest.keyClick(panel.list, Qt.Key.Key_Space)
    assert not panel.model.is_open("formal")


def test_the_row_under_the_mouse_is_told_once(panel, heard) -> None:
    told = heard(panel.field_pointed)
    for row in (1, 1, 2):
        panel.list.entered.emit(panel.model.index(row, 0))
    panel.list.viewportEntered.emit()
    assert told == ["request", "reasons", ""]


def test_values_are_copied(panel, heard) -> None:
    copied = heard(panel.copied)
    panel.choose("reasons")
    QTest.keyClick(panel.list, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "short|punct"
    menu = panel.menu_for(ROWS[2])
    actions = {action.text(): action for action in menu.actions()}
    actions["Copy People's Answers"].trigger()
    assert QGuiApplication.clipboard().text() == "short | slang ×2\nshort ×1"
    actions["Copy All Fields"].trigger()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].split("\t") == ["Field", "Type", "Model", "People", "Score", "Why"]
    assert lines[2].split("\t") == ["request", "radio", "yes", "yes", "1.000", ""] and len(lines) == 5
    actions["Show All Rows Whole"].trigger()
    assert panel.model.open == {row.name for row in ROWS} and len(copied) == 3


def test_the_number_has_the_colour_of_whose_values_they_are(panel) -> None:
    def ink() -> QColor:
        row = panel.list.visualRect(panel.model.index(0, 0))
        return panel.list.viewport().grab(row).toImage().pixelColor(15, 16)

    assert ink() == QColor(theme.current().run_a)
    panel.set_state(replace(STATE, run=1))
    assert ink() == QColor(theme.current().run_b)
    panel.set_state(replace(STATE, run=None, who="Oracle"))
    assert ink() == QColor(theme.current().reference)
    panel.set_state(replace(STATE, run=None, who="You", mine=True))
    assert ink() == QColor(theme.current().accent)


def test_no_page_and_a_page_without_fields_say_so(panel) -> None:
    assert panel.words() == ""
    panel.set_state(FieldsState())
    assert panel.words().startswith("This page has no answer fields")
    panel.set_state(None)
    assert panel.words().startswith("No page is open") and panel._detail.text() == ""
