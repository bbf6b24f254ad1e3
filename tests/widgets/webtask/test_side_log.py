"""Action log, raw output, and both beside the fields."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest

from stepscope.app.gui.shell.theme import apply_theme
from stepscope.core.webtask.actions import Click, GetHtml, ModifyCheckbox, ModifySelect, ModifyText, WaitTillLoaded
from stepscope.core.webtask.exchange import Exchange
from stepscope.core.webtask.page import ExecutedCall
from stepscope.widgets.theme import Theme
from stepscope.widgets.webtask.action_log import ActionLogPanel, time_words
from stepscope.widgets.webtask.action_log_item_model import ActionLogItemModel, LaterRole, result_words
from stepscope.widgets.webtask.raw_output import FEW, MANY, RawOutputPanel
from stepscope.widgets.webtask.side import WebTaskSide
from stepscope.widgets.webtask.side_values import FieldChoice, FieldRow, FieldsState

TICK = ModifyCheckbox("reasons", ("short", "punct"))
LINES = (
    ExecutedCall(GetHtml(), 0.0, 0.02, said="12.4 kB"),
    ExecutedCall(WaitTillLoaded(), 0.6, 0.0),
    ExecutedCall(ModifyText("formal", "Good morning"), 1.9, 0.1, raw="text('a')"),
    ExecutedCall(TICK, 4.0, 0.0, raw="tick(1)"),
    ExecutedCall(ModifySelect("speaker", "x"), 4.8, 0.0, ok=False, said="no such item"),
    ExecutedCall(TICK, 6.1, 0.0, raw="tick(1)"),
)


@pytest.fixture
def log(show) -> ActionLogPanel:
    panel = show(ActionLogPanel(), 360, 300)
    panel.set_lines(LINES, seconds=6.1)
    return panel


@pytest.fixture
def raw(show) -> RawOutputPanel:
    return show(RawOutputPanel(), 360, 200)


def later(log: ActionLogPanel) -> list[bool]:
    return [log.model.index(row, 0).data(LaterRole) for row in range(log.model.rowCount())]


def test_keeps_qts_rules_while_actions_come(themed) -> None:
    model = ActionLogItemModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    many = tuple(ExecutedCall(Click(1.0, float(place)), float(place), 0.0) for place in range(1000))
    for lines in (many[:400], many, many[5:9], ()):
        model.set_lines(lines)
        model.set_position(3)
    assert tester.model() is model and model.position == 0


def test_a_line_says_what_came_of_it() -> None:
    assert [result_words(line) for line in LINES] == ["12.4 kB", "", "ok", "ok", "error", "ok"]
    assert time_words(4.8) == "4.8" and time_words(65) == "1:05"


def test_the_whole_of_a_line_is_in_its_tooltip(log) -> None:
    assert log.header.detail() == "6 actions, 6.1 s"
    assert (
        log.model.index(4, 0).data(Qt.ItemDataRole.ToolTipRole)
        == "modify_select speaker, “x”\n4.8 s\nerror: no such item"
    )
    spoken = log.model.index(2, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "modify_text formal, “Good morning”, 1.9 s, took 0.1 s, ok"


def test_what_the_shown_page_has_not_seen_yet_is_dimmed(log) -> None:
    assert log.position() == 6 and not any(later(log))
    log.set_position(4)
    assert later(log) == [False] * 4 + [True] * 2 and log.list.currentIndex().row() == 3
    log.set_position(0)
    assert all(later(log)) and not log.list.selectionModel().hasSelection()


def test_a_click_and_keys_scrub(log, heard) -> None:
    told = heard(log.scrubbed)
    place = log.list.visualRect(log.model.index(1, 0)).center()
    QTest.mouseClick(log.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    QTest.keyClick(log.list, Qt.Key.Key_Down)
    QTest.keyClick(log.list, Qt.Key.Key_Home)
    QTest.keyClick(log.list, Qt.Key.Key_Up)
    QTest.keyClick(log.list, Qt.Key.Key_End)
    assert told == [2, 3, 1, 0, 6]
    log.set_position(2)
    assert len(told) == 5, "what the program shows is not told"


def test_a_growing_log_shows_its_end(log, heard) -> None:
    told = heard(log.scrubbed)
    log.set_lines(LINES[:2])
    log.set_lines(LINES)
    assert log.position() == 6 and log.list.currentIndex().row() == 5 and told == []
    assert log.header.detail() == "6 actions, 6.1 s"


def test_a_log_is_copied_as_words_or_asked_for_as_program_and_file(log, heard) -> None:
    asked = heard(log.program_requested), heard(log.export_requested)
    log.program.click()
    log.export.click()
    assert [len(one) for one in asked] == [1, 1]
    log.set_position(4)
    QTest.keyClick(log.list, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "modify_checkbox reasons, [“short”, “punct”]\n"
    log.set_lines(())
    assert log.words().startswith("Nothing was done yet") and not log.program.isEnabled()


def test_the_piece_of_the_current_action_is_lit_and_seen(raw, qtbot) -> None:
    text = "\n".join(f"line {place}" for place in range(40))
    raw.set_exchanges((Exchange(text, tokens_in=2140),))
    raw.set_current("line 23\nline 24")
    assert raw.lit() == "line 23\nline 24" and raw._facts.text() == "2,140 tokens in"
    qtbot.waitUntil(lambda: raw.output.verticalScrollBar().value() == 23)
    raw.set_current("")
    assert raw.lit() == "" and raw.output.extraSelections() == []


def test_equal_pieces_are_told_apart_by_their_order_over_all_exchanges(raw) -> None:
    raw.set_exchanges((Exchange("😀 tick(1)", "a"), Exchange("tick(1) tick(1)", "b"), Exchange("", "c")))
    places = []
    for nth in range(3):
        raw.set_current("tick(1)", nth)
        places.append((raw.choice.currentText(), raw._piece().selectionStart()))
        assert raw.lit() == "tick(1)"
    assert places == [("1 of 3: a", 3), ("2 of 3: b", 0), ("2 of 3: b", 8)]
    raw.set_current("not there")
    assert raw.lit() == "" and raw.choice.currentText() == "2 of 3: b"


def test_show_all_has_more_lines_and_back(raw) -> None:
    raw.set_exchanges((Exchange("one line"),))
    assert not raw.all.isVisible() and not raw.choice.isVisible()
    raw.set_exchanges((Exchange("\n".join("abcdefghijklmnop")),))
    few = raw.output.sizeHint().height()
    raw.all.click()
    assert raw.all.text() == "Show less" and raw.output.sizeHint().height() == raw.output.height_for(MANY)
    raw.all.click()
    assert raw.output.sizeHint().height() == few == raw.output.height_for(FEW)
    raw.set_exchanges(())
    assert raw._nothing.isVisible() and not raw.output.isVisible()


@pytest.fixture
def side(show) -> WebTaskSide:
    side = show(WebTaskSide(), 372, 900)
    rows = tuple(FieldRow(f"field{place}", "radio", place, "yes", score=1.0) for place in range(1, 8))
    side.fields.set_state(FieldsState(rows, 0, score=1.0))
    side.show_run(LINES, (Exchange("text('a')\ntick(1)\ntick(1)"),), seconds=6.1)
    return side


def test_the_output_follows_the_log(side, heard) -> None:
    assert side.raw.lit() == "tick(1)" and side.raw._piece().selectionStart() == 18
    told = heard(side.log.scrubbed)
    side.set_position(4)
    assert side.raw._piece().selectionStart() == 10 and told == []
    QTest.keyClick(side.log.list, Qt.Key.Key_Up)
    assert side.raw.lit() == "text('a')" and told == [3]
    side.set_position(0)
    assert side.raw.lit() == ""


def test_a_person_has_the_form_where_a_run_has_its_output(side) -> None:
    assert side.raw.isVisible() and not side.form.isVisible()
    side.set_by_hand(True)
    side.form.set_fields((FieldChoice("field2", "radio", (("yes", "Yes"), ("no", "No")), "no"),))
    assert side.form.isVisible() and not side.raw.isVisible()
    place = side.fields.list.visualRect(side.fields.model.index(1, 0)).center()
    QTest.mouseClick(side.fields.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert side.form.form() == {"do": "modify_radio", "field": "field2", "value": "no"}


@pytest.mark.parametrize("percent", [80, 150, 200])
def test_nothing_is_cut_off_at_any_text_size(side, qtbot, themed, percent: int) -> None:
    apply_theme(themed, Theme.light(), percent)
    side.set_by_hand(True)
    side.form.set_folded(False)
    side.form.set_fields((FieldChoice("field2", "radio", (("yes", "Yes"), ("no", "No")), "no"),))
    side.form.set_field("field2")
    side.resize(side.minimumSizeHint().width(), 640)
    parts = (side.form.kinds, side.form.field, side.form.do, side.fields.rules, side.form.editor())
    qtbot.waitUntil(lambda: all(part.height() >= part.minimumSizeHint().height() for part in parts))
    inside = side.widget()
    assert inside is not None
    qtbot.waitUntil(lambda: inside.width() <= side.viewport().width())
    assert max(part.mapTo(inside, part.rect().topRight()).x() for part in parts) < inside.width()
