"""The conversation: turns, a question that waits, the person's answer."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QRect, Qt, SignalInstance
from PySide6.QtGui import QFont, QGuiApplication, QImage, QInputMethodEvent, QPainter
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from stepscope.app.gui.shell.theme import apply_theme
from stepscope.widgets import theme
from stepscope.widgets.common.text_block import MOST_LETTERS, TextBlock
from stepscope.widgets.live.conversation import (
    AnswerSuggestion,
    ConversationView,
    Origin,
    PendingQuestion,
    Turn,
    TurnKind,
)
from stepscope.widgets.live.conversation.turn_painting import SIDE, Neighbours, caption, paint_turn, spoken, turn_height
from stepscope.widgets.live.conversation.turns_item_model import TurnsItemModel
from stepscope.widgets.theme import Theme

GOAL = Turn(TurnKind.GOAL, "Order the oil paint set with 12 colours.", "You", 0.0)
QUESTION = (
    "Which delivery would you like: standard in 3 to 5 days, express tomorrow for 6.90, or collect in store today?"
)
ASK = Turn(TurnKind.ASK, QUESTION, "Northstar 7B", 31.0, run=0, step=5, waiting=True)
SAY = Turn(TurnKind.SAY, "Express", "You", 40.0, step=5)
ASKING = PendingQuestion(
    (
        AnswerSuggestion("Standard", "Radio button in Delivery"),
        AnswerSuggestion("Express"),
        AnswerSuggestion("Collect in store"),
    ),
    (("Missing in goal", "delivery method"), ("Step type", "informative"), ("Ask was due at", "step 6, by the tree")),
)
ARABIC = "ما هي طريقة التوصيل التي تفضلها؟"


def action(step: int, text: str = "Tap Shop") -> Turn:
    return Turn(TurnKind.ACTION, text, time=4.0 * step, icon="tap", step=step)


@pytest.fixture
def view(qtbot: QtBot, themed: QApplication) -> ConversationView:
    shown = ConversationView()
    qtbot.addWidget(shown)
    shown.resize(372, 760)
    shown.show()
    qtbot.waitExposed(shown)
    shown.activateWindow()
    return shown


@pytest.fixture
def heard() -> Callable[[SignalInstance], list]:
    def listen(signal: SignalInstance) -> list:
        told: list = []
        signal.connect(lambda *values: told.append(values[0] if len(values) == 1 else values))
        return told

    return listen


# turns


def test_before_anything_was_said_it_tells_what_will_stand_here(view) -> None:
    assert view.empty.isVisible() and not view.turns.isVisible()
    view.add_turn(GOAL)
    assert view.turns.isVisible() and not view.empty.isVisible()


def test_captions_tell_who_and_when() -> None:
    assert caption(GOAL) == "You, goal · 0:00"
    assert caption(ASK) == "Northstar 7B · 0:31 · waiting for you"
    assert caption(Turn(TurnKind.SAY, "Yes")) == ""
    assert spoken(ASK) == f"Northstar 7B · 0:31 · waiting for you. Asks. {QUESTION}. Live"
    assert spoken(Turn(TurnKind.SAY, "Yes.", "You", origin=Origin.SIMULATED)) == "You. Says. Yes. Answered by a program"


def test_actions_one_after_the_other_share_a_card() -> None:
    model = TurnsItemModel()
    model.set_turns((GOAL, action(0), action(1), action(2), ASK, action(3)))
    assert model.around(0) == Neighbours(True, False, True)
    assert [model.around(place) for place in (1, 2, 3)] == [
        Neighbours(True, False),
        Neighbours(False, False),
        Neighbours(False, True),
    ]
    assert model.around(5) == Neighbours(True, True)


def test_the_model_keeps_its_promises(qtbot, themed) -> None:
    model = TurnsItemModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.add_turn(GOAL)
    model.set_turns((GOAL, action(0), action(1), ASK))
    model.set_turn(3, Turn(TurnKind.ASK, QUESTION))
    model.set_turn(9, GOAL)
    model.set_turns((GOAL, action(0), SAY))
    model.set_turns(())
    model.set_turns((GOAL,))
    assert tester.model() is model and model.turns() == (GOAL,)


def test_turns_that_stay_are_not_made_anew(view, qtbot) -> None:
    view.set_turns((GOAL, action(0), action(1)))
    model, removed, inserted = view.turns.turns(), [], []
    model.rowsRemoved.connect(lambda _parent, first, last: removed.append((first, last)))
    model.rowsInserted.connect(lambda _parent, first, last: inserted.append((first, last)))
    view.set_turns((GOAL, action(0), action(1), ASK))
    view.set_turns((GOAL, action(0), SAY))
    assert (removed, inserted) == ([(2, 3)], [(3, 3), (2, 2)])


def test_rows_are_as_high_as_their_words(view) -> None:
    view.set_turns((GOAL, action(0), action(1), ASK))
    header, width = view.turns.verticalHeader(), view.turns.viewport().width()
    heights = [header.sectionSize(row) for row in range(4)]
    wanted = [
        turn_height(turn, view.turns.font(), width, view.turns.turns().around(row))
        for row, turn in enumerate(view.turns.turns().turns())
    ]
    assert heights == wanted
    view.resize(900, 760)
    assert header.sectionSize(3) < heights[3], "a wide question needs fewer lines"


def test_the_card_ends_with_its_last_line_only(view) -> None:
    view.set_turns((GOAL, action(0)))
    alone = view.turns.verticalHeader().sectionSize(1)
    view.add_turn(action(1))
    assert view.turns.verticalHeader().sectionSize(1) < alone
    view.set_turns((GOAL, action(0)))
    assert view.turns.verticalHeader().sectionSize(1) == alone


def test_a_click_and_enter_lead_to_the_turns_step(view, heard) -> None:
    chosen = heard(view.step_chosen)
    view.set_turns((GOAL, action(0), action(1), ASK))
    turns = view.turns
    for row in (0, 2):
        place = turns.visualRect(turns.model().index(row, 0)).center()
        QTest.mouseClick(turns.viewport(), Qt.MouseButton.LeftButton, pos=place)
    QTest.keyClick(turns, Qt.Key.Key_Down)
    QTest.keyClick(turns, Qt.Key.Key_Return)
    assert chosen == [1, 5]


def test_a_turn_is_copied_whole(view) -> None:
    view.set_turns((GOAL, Turn(TurnKind.SAY, "word " * 2000)))
    view.turns.setCurrentIndex(view.turns.model().index(1, 0))
    QTest.keyClick(view.turns, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "word " * 2000
    menu = view.turns.menu_for(0)
    assert [(entry.text(), entry.isEnabled()) for entry in menu.actions()] == [
        ("Copy text", True),
        ("Go to step", False),
    ]
    menu.actions()[0].trigger()
    assert QGuiApplication.clipboard().text() == GOAL.text


def test_a_question_that_waits_is_read_aloud_once(view, monkeypatch) -> None:
    told: list[str] = []
    monkeypatch.setattr("stepscope.widgets.live.conversation.view.QAccessible.isActive", lambda: True)
    monkeypatch.setattr(
        "stepscope.widgets.live.conversation.view.QAccessible.updateAccessibility",
        lambda event: told.append(event.message()),
    )
    view.set_turns((GOAL,))
    view.add_turn(ASK)
    view.set_turns((GOAL, ASK))
    assert told == [spoken(ASK)]


def test_the_step_that_is_shown_is_lit_and_in_view(view) -> None:
    view.set_turns([GOAL, *(action(step) for step in range(200))])
    view.set_current_step(120)
    turns = view.turns
    lit = turns.visualRect(turns.model().index(121, 0))
    assert turns.viewport().rect().contains(lit)
    shot = turns.viewport().grab().toImage()
    assert theme.current().selection.lower() in {shot.pixelColor(x, lit.top() + 3).name() for x in range(30, 300)}


def test_the_end_stays_in_view_unless_one_has_scrolled_up(view, qtbot) -> None:
    view.set_turns([GOAL, *(action(step) for step in range(200))])
    bar = view.turns.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    view.turns.scrollToBottom()
    view.add_turn(ASK)
    qtbot.waitUntil(lambda: bar.value() == bar.maximum())
    bar.setValue(30)
    view.add_turn(SAY)
    assert bar.value() == 30


def test_a_long_conversation_stays_quick(view) -> None:
    def many(count: int) -> list[Turn]:
        return [ASK if n % 10 == 9 else action(n) for n in range(count)]

    view.set_turns(many(3000))
    view.turns.scrollToBottom()
    begun = time.perf_counter()
    for _turn in range(10):
        view.add_turn(action(1))
        view.turns.viewport().repaint()
    assert (time.perf_counter() - begun) / 10 < 0.1


# painting


def painted(turn: Turn, width: int = 340) -> QImage:
    around = Neighbours()
    image = QImage(width, turn_height(turn, QFont(), width, around), QImage.Format.Format_RGB32)
    image.fill(0)
    painter = QPainter(image)
    paint_turn(painter, QRect(QPoint(), image.size()), turn, QFont(), around, lit=False, ring=False)
    painter.end()
    return image


def test_the_person_speaks_at_the_right_in_blue_and_the_agent_at_the_left_in_its_colour(themed) -> None:
    colours = theme.current()
    mine, asked = painted(Turn(TurnKind.SAY, "Yes")), painted(Turn(TurnKind.ASK, "Yes?", run=1))
    blue = colours.accent_background.lower()
    assert mine.pixelColor(318, 12).name() == blue and mine.pixelColor(24, 12).name() == "#000000"
    edge = {asked.pixelColor(SIDE, y).name() for y in range(14, 30)}
    assert len(edge) == 1 and asked.pixelColor(318, 12).name() == "#000000"
    pink, panel = theme.current().run_b, colours.panel
    mixed = [round(0.55 * int(pink[i : i + 2], 16) + 0.45 * int(panel[i : i + 2], 16)) for i in (1, 3, 5)]
    got = asked.pixelColor(SIDE, 20)
    assert all(abs(a - b) <= 2 for a, b in zip(mixed, (got.red(), got.green(), got.blue()), strict=True))


def test_recorded_simulated_and_live_turns_differ_by_their_icon(themed) -> None:
    images = [painted(Turn(TurnKind.SAY, "Yes", "You", 1.0, origin)) for origin in Origin]
    assert images[0] != images[1] != images[2] != images[0]


def test_right_to_left_words_run_from_the_right(themed) -> None:
    font = QFont()
    block = TextBlock(f"{ARABIC}\nLatin", font, 400)
    assert block._layouts[0].lineAt(0).cursorToX(0)[0] > block._layouts[0].lineAt(0).cursorToX(len(ARABIC))[0]
    assert block._layouts[1].lineAt(0).cursorToX(0)[0] < block._layouts[1].lineAt(0).cursorToX(5)[0]


def test_words_without_a_blank_break_and_endless_ones_are_shown_in_part(themed) -> None:
    font = QFont()
    assert TextBlock("x" * 500, font, 100).size.width() <= 100
    assert TextBlock("x" * 500, font, 100).size.height() > 10 * TextBlock("x", font, 100).size.height()
    endless = TextBlock("ab " * MOST_LETTERS, font, 300)
    assert sum(len(layout.text()) for layout in endless._layouts) == MOST_LETTERS + 2
    assert TextBlock("", font, 100).size.height() > 0


@pytest.mark.parametrize("kind", list(TurnKind))
@pytest.mark.parametrize("text", ["", "one\ntwo", ARABIC, "😀" * 80])
def test_every_turn_paints_at_every_width(themed, kind: TurnKind, text: str) -> None:
    for width in (60, 340):
        assert not painted(Turn(kind, text, "Somebody with a long name", 3.0), width).isNull()


# answering


def test_nothing_can_be_answered_before_something_is_asked(view, heard) -> None:
    answered = heard(view.answered)
    assert not view.answer.field.isEnabled() and not view.answer.button.isEnabled() and not view.offers.isVisible()
    assert not view.decide.isVisible() and not view.take_over.isVisible()
    view.choose_offer(1)
    assert answered == []
    view.set_running(True)
    assert view.take_over.isVisible() and view.not_feasible.isVisible() and not view.decide.isVisible()


def test_enter_answers_and_shift_enter_begins_a_line(view, heard) -> None:
    answered = heard(view.answered)
    view.set_asking(ASKING)
    view.focus_answer()
    QTest.keyClick(view.answer.field, Qt.Key.Key_Return)
    assert answered == [], "nothing is no answer"
    QTest.keyClicks(view.answer.field, "Express")
    QTest.keyClick(view.answer.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(view.answer.field, "it is a present")
    QTest.keyClick(view.answer.field, Qt.Key.Key_Return)
    assert answered == [("Express\nit is a present", -1)]
    assert view.answer_text(), "what is written goes once the question is answered"
    view.set_asking(None)
    assert view.answer_text() == "" and not view.answer.field.isEnabled()


def test_an_offer_is_taken_by_click_and_more_can_be_said(view, heard) -> None:
    answered, offered = heard(view.answered), heard(view.offer_chosen)
    view.set_asking(ASKING)
    QTest.mouseClick(view.offers.chips[1], Qt.MouseButton.LeftButton)
    assert offered == [1] and view.answer_text() == "Express" and view.answer.field.hasFocus()
    assert [chip.isChecked() for chip in view.offers.chips] == [False, True, False]
    QTest.keyClicks(view.answer.field, ", it is a present")
    QTest.keyClick(view.answer.field, Qt.Key.Key_Return)
    assert answered == [("Express, it is a present", 1)]
    view.answer.field.selectAll()
    QTest.keyClicks(view.answer.field, "None of them")
    view.answer.button.click()
    assert answered[1] == ("None of them", -1) and not any(chip.isChecked() for chip in view.offers.chips)


def test_number_keys_take_offers_outside_the_field_and_are_digits_inside(view, heard) -> None:
    offered = heard(view.offer_chosen)
    view.set_asking(ASKING)
    view.turns.setFocus()
    QTest.keyClick(view, Qt.Key.Key_3)
    QTest.keyClick(view, Qt.Key.Key_7)
    assert offered == [2] and view.answer_text() == "Collect in store"
    view.clear_answer()
    QTest.keyClicks(view.answer.field, "2")
    assert offered == [2] and view.answer_text() == "2"
    view.choose_offer(1)
    assert offered == [2, 0]


def test_the_answer_of_the_data_is_one_key_or_one_click_away(view, heard) -> None:
    wanted, answered = heard(view.data_answer_requested), heard(view.answered)
    view.set_asking(replace(ASKING, from_data="Express, please."))
    button = view.answer.from_data
    assert button.isVisible() and view.has_data_answer()
    assert button.accessibleName() == "From the data: Express, please."
    button.click()
    QTest.keyClick(view, Qt.Key.Key_0)
    assert (len(wanted), answered) == (2, [])
    view.focus_answer()
    QTest.keyClick(view.answer.field, Qt.Key.Key_0)
    assert (len(wanted), view.answer_text()) == (2, "0"), "a digit in the field"
    view.set_asking(ASKING)
    assert not button.isVisible() and not view.has_data_answer()
    QTest.keyClick(view, Qt.Key.Key_0)
    assert len(wanted) == 2


def test_answers_come_through_input_methods(view, heard) -> None:
    answered = heard(view.answered)
    view.set_asking(ASKING)
    view.focus_answer()
    for composed, committed in (("とく", ""), ("", "特急でお願いします 🎁 ")):
        event = QInputMethodEvent(composed, [])
        event.setCommitString(committed)
        QApplication.sendEvent(view.answer.field, event)
    QTest.keyClick(view.answer.field, Qt.Key.Key_Return)
    assert answered == [("特急でお願いします 🎁", -1)]


def test_another_question_begins_with_an_empty_field(view) -> None:
    view.set_asking(ASKING)
    view.choose_offer(2)
    view.set_asking(ASKING)
    assert view.answer_text() == "Express", "the same question again changes nothing"
    view.set_asking(PendingQuestion((AnswerSuggestion("Yes"),)))
    assert view.answer_text() == "" and len(view.offers.chips) == 1 and not view.changes.isVisible()


def test_what_the_answer_changes_is_told(view) -> None:
    view.set_asking(ASKING)
    assert view.changes.isVisible() and view.changes.rows() == ASKING.changes
    assert view.answer._note.text() == "SAY: goes to the agent and into the recording"


def test_the_buttons_below_tell_what_the_person_wants(view, heard) -> None:
    told = [heard(signal) for signal in (view.decide_requested, view.take_over_requested, view.not_feasible_requested)]
    view.set_asking(ASKING)
    for button in (view.decide, view.take_over, view.not_feasible):
        button.click()
    assert [len(calls) for calls in told] == [1, 1, 1]


def test_in_replay_it_has_turns_only(qtbot, themed) -> None:
    view = ConversationView(answering=False)
    qtbot.addWidget(view)
    view.show()
    qtbot.waitExposed(view)
    view.set_turns((GOAL, ASK))
    assert view.turns.isVisible() and not view.foot.isVisible() and not view.offers.isVisible()


def test_the_keyboard_goes_from_the_turns_to_the_offers_to_the_answer(view) -> None:
    view.set_turns((GOAL, ASK))
    view.set_asking(ASKING)
    view.turns.setFocus()
    order = []
    for _press in range(6):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        order.append(QApplication.focusWidget())
    assert order == [*view.offers.chips, view.answer.field, view.decide, view.take_over]


def test_everything_has_a_name(view) -> None:
    view.set_turns((GOAL, ASK))
    view.set_asking(ASKING)
    parts = (view.turns, view.answer.field, view.answer.button, view.decide, view.take_over, view.not_feasible)
    assert all(part.accessibleName() for part in parts)
    assert view.offers.chips[0].accessibleName() == "Answer 1: Standard"
    assert view.offers.chips[0].toolTip() == "Standard\nRadio button in Delivery"
    assert view.turns.model().index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole) == spoken(GOAL)


@pytest.mark.parametrize("percent", [80, 200])
def test_nothing_is_cut_off_at_any_text_size(view, qtbot, themed, percent) -> None:
    view.set_turns((GOAL, action(0), ASK))
    view.set_asking(
        PendingQuestion(
            (AnswerSuggestion("An answer that is rather long for a button " * 3), AnswerSuggestion("Yes")),
            ASKING.changes,
            from_data="45 minutes.",
        )
    )
    apply_theme(themed, Theme.light(), percent)
    view.resize(372, max(760, view.minimumSizeHint().height()))
    parts = [view.answer.button, view.answer.from_data, view.decide, view.take_over, view.not_feasible]
    qtbot.waitUntil(lambda: all(part.width() >= part.minimumSizeHint().width() for part in parts))
    right = [part.mapTo(view, part.rect().topRight()).x() for part in (*parts, *view.offers.chips)]
    assert max(right) <= view.width()
    heights = [view.turns.verticalHeader().sectionSize(row) for row in range(3)]
    around = view.turns.turns().around
    turns = view.turns.turns().turns()
    width = view.turns.viewport().width()
    assert heights == [turn_height(turn, view.turns.font(), width, around(row)) for row, turn in enumerate(turns)]
