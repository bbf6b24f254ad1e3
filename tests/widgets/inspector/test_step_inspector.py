from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from stepscope.core.scoring.named_rules import rule_by_id
from stepscope.widgets.common import ShownVerdict
from stepscope.widgets.inspector import StepInspector
from stepscope.widgets.inspector.cards import ReferenceCard
from stepscope.widgets.inspector.parts import ScrolledColumn
from stepscope.widgets.inspector.step_details import EpisodeDetails, EvidenceLine, RunCard, StepDetails, TalkTurn

RAW = '{"action": "CLICK"}\n' * 200
HIT = RunCard(0, "Northstar 7B", ShownVerdict.HIT, "0.084 away, limit 0.14.", "tap 542, 682", "#tooltip", 0.71)
MISS = RunCard(1, "Pelican 3B", ShownVerdict.MISS, "0.47 away, limit 0.14.", "tap 969, 436", "", 0.64, 812.0, RAW)
STEP = StepDetails(2, "tap 506, 867", "LinearLayout", "oval", "Open the current lesson", (HIT, MISS))
EPISODE = EpisodeDetails(
    "18",
    "Practice French",
    "Duolingo",
    label="infeasible",
    reason="premature",
    follow_up=("Should I finish the lesson first?",),
    asks=((2, "Which language?", "French"),),
    problems=("3.xml is not valid XML (line 41)",),
    talk=(TalkTurn("goal", "Practice French"), TalkTurn("ask", "Which language?", 2, 0), TalkTurn("action", "Tap", 1)),
)


@pytest.fixture
def inspector(qtbot: QtBot, themed: object) -> StepInspector:
    shown = StepInspector()
    qtbot.addWidget(shown)
    shown.resize(340, 900)
    shown.show()
    qtbot.waitExposed(shown)
    return shown


def texts(widget: QWidget) -> list[str]:
    return [label.text() for label in widget.findChildren(QLabel) if label.isVisibleTo(widget)]


def test_a_step_tells_reference_verdicts_and_reasons_with_numbers(inspector: StepInspector) -> None:
    inspector.set_step(STEP)
    shown = texts(inspector.step_page)
    assert {"tap 506, 867", "LinearLayout #oval", "Open the current lesson", "✓ hit", "✕ miss", "0.71"} <= set(shown)
    assert "0.47 away, limit 0.14." in shown and "0.8 s" in shown
    assert inspector.step_page.cards[1].accessibleName() == "Run B, Pelican 3B: miss. 0.47 away, limit 0.14."


def test_raw_output_is_whole_and_stays_open_on_the_next_step(inspector: StepInspector, qtbot: QtBot) -> None:
    inspector.set_step(STEP)
    first, second = inspector.step_page.cards
    assert first.raw_link is None and second.raw_link is not None
    assert not second.raw_is_shown()
    qtbot.mouseClick(second.raw_link, Qt.MouseButton.LeftButton)
    assert second.raw_is_shown() and second.raw_text() == RAW
    assert texts(second).count("tap 969, 436") == 2, "what was read from it stands beside it"
    assert second._raw is not None
    qtbot.mouseClick(second._raw.copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == RAW
    inspector.set_step(StepDetails(3, "tap 1, 2", runs=(HIT, MISS)))
    assert inspector.step_page.cards[1].raw_is_shown()


def test_the_rule_that_a_person_chooses_is_told(inspector: StepInspector, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(inspector.rule_changed):
        inspector.set_rules([rule_by_id("aitw"), rule_by_id("aitz")], "aitz")
    assert inspector.step_page.rule() == "aitz"
    inspector.set_step(STEP)
    with qtbot.waitSignal(inspector.rule_changed) as told:
        qtbot.keyClick(inspector.step_page._rules, Qt.Key.Key_Up)
    assert told.args == ["aitw"]


def test_a_run_without_a_prediction_says_so(inspector: StepInspector) -> None:
    inspector.set_step(StepDetails(0, "tap", runs=(RunCard(0, "A model", None, "No prediction here."),)))
    assert {"nothing", "No prediction here."} <= set(texts(inspector.step_page))


def test_an_episode_tells_feasibility_questions_and_problems(inspector: StepInspector, qtbot: QtBot) -> None:
    inspector.set_episode(EPISODE)
    inspector.setCurrentWidget(inspector.episode_page)
    shown = texts(inspector.episode_page)
    wanted = {"infeasible", "premature", "Should I finish the lesson first?", "Which language?", "French"}
    assert wanted <= set(shown)
    assert "3.xml is not valid XML (line 41)" in shown


def test_a_turn_of_the_talk_leads_to_its_step(inspector: StepInspector, qtbot: QtBot) -> None:
    inspector.set_episode(EPISODE)
    inspector.setCurrentWidget(inspector.talk_page)
    goal, ask, action = inspector.talk_page.lines
    with qtbot.waitSignal(inspector.step_chosen) as told:
        qtbot.mouseClick(action, Qt.MouseButton.LeftButton)
    assert told.args == [1]
    with qtbot.waitSignal(inspector.step_chosen) as told:
        qtbot.keyClick(ask, Qt.Key.Key_Space)
    assert told.args == [2]
    with qtbot.assertNotEmitted(inspector.step_chosen):
        qtbot.mouseClick(goal, Qt.MouseButton.LeftButton)


def test_no_episode_leaves_nothing_of_the_old_one(inspector: StepInspector) -> None:
    inspector.set_episode(EPISODE)
    inspector.set_step(STEP)
    inspector.set_episode(None)
    assert inspector.step_page.cards == [] and inspector.talk_page.lines == []
    assert "No step is shown" in texts(inspector.step_page)


def test_cards_that_say_the_same_are_kept(inspector: StepInspector) -> None:
    inspector.set_step(STEP)
    page = inspector.step_page
    first, second = page.cards
    (reference,) = page.findChildren(ReferenceCard)
    other = replace(MISS, why="0.2 away, limit 0.14.")
    inspector.set_step(replace(STEP, runs=(HIT, other), rule_note="A is a miss under 3 of 5 other rules"))
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert page.cards[0] is first and page.cards[1] is not second
    assert page.findChildren(ReferenceCard) == [reference] and reference.isVisibleTo(page)
    shown = texts(page)
    assert "0.2 away, limit 0.14." in shown and "0.47 away, limit 0.14." not in shown


def test_a_page_out_of_view_takes_the_step_when_it_comes_into_view(inspector: StepInspector) -> None:
    inspector.setCurrentWidget(inspector.talk_page)
    inspector.set_step(STEP)
    assert inspector.step_page.cards == []
    inspector.setCurrentWidget(inspector.step_page)
    assert [card.run for card in inspector.step_page.cards] == [0, 1]


EVIDENCE = tuple(EvidenceLine(place, place // 2, f"Thing {place}", 0.4 / (1 + place)) for place in range(10))
FEASIBLE = RunCard(
    0, "Feasibility", ShownVerdict.HIT, "Predicted infeasible, reference infeasible.",
    facts=(("Label", "infeasible"), ("Score", "0.83")), evidence=EVIDENCE,
)  # fmt: skip


def test_an_answer_about_the_episode_stands_beside_the_reference_with_its_evidence(
    inspector: StepInspector, qtbot: QtBot
) -> None:
    inspector.set_episode(EPISODE)
    inspector.set_answers([FEASIBLE], EPISODE.talk)
    assert inspector.episode_page.answers == [], "nobody looks at the page"
    inspector.setCurrentWidget(inspector.episode_page)
    (card,) = inspector.episode_page.answers
    shown = texts(inspector.episode_page)
    assert {"infeasible", "0.83", "✓ hit", "and 2 lighter ones", "Practice French"} <= set(shown)
    assert card.evidence is not None and len(card.evidence.rows) == 8
    assert card.evidence.rows[2].accessibleName() == "Evidence at step 2: Thing 2, weight 0.13"
    with qtbot.waitSignal(inspector.evidence_chosen) as chosen:
        qtbot.mouseClick(card.evidence.rows[2], Qt.MouseButton.LeftButton)
    assert chosen.args == [0, 2]
    inspector.set_answers([FEASIBLE, replace(FEASIBLE, run=1)], EPISODE.talk)
    assert inspector.episode_page.answers[0] is card, "what says the same stays"
    inspector.set_episode(EPISODE)
    assert inspector.episode_page.answers == []


def test_evidence_of_a_step_is_chosen_with_the_keyboard(inspector: StepInspector, qtbot: QtBot) -> None:
    inspector.set_step(replace(STEP, runs=(replace(FEASIBLE, run=1),)))
    (card,) = inspector.step_page.cards
    assert card.evidence is not None
    card.evidence.rows[0].setFocus()
    with qtbot.waitSignal(inspector.evidence_chosen) as chosen:
        qtbot.keyClick(card.evidence.rows[0], Qt.Key.Key_Space)
    assert chosen.args == [1, 0]


def test_questions_of_a_run_join_the_talk_in_its_colour(inspector: StepInspector) -> None:
    inspector.set_episode(EPISODE)
    assert inspector.talk_page.lines == [], "nobody looks at the talk"
    inspector.setCurrentWidget(inspector.talk_page)
    lines = inspector.talk_page.lines
    assert len(lines) == 3
    inspector.set_answers([], EPISODE.talk)
    assert inspector.talk_page.lines is lines, "the same talk is not made anew"
    inspector.set_answers([], (*EPISODE.talk, TalkTurn("ask", "Which one?", 1, 1, "asked by Asks")))
    assert inspector.talk_page.lines[-1].toolTip() == "asked by Asks, step 2"


class LayoutWatch(QObject):
    """Counts how often a widget is asked to lay itself out."""

    count = 0

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.LayoutRequest
        return False


def test_a_page_that_is_laid_out_comes_to_rest(inspector: StepInspector) -> None:
    watch = LayoutWatch()
    inspector.step_page.findChild(ScrolledColumn).installEventFilter(watch)
    inspector.set_step(STEP)
    for _ in range(200):
        QCoreApplication.processEvents()
    assert watch.count < 20


def test_the_card_of_a_mark_is_framed_until_the_next_step(inspector: StepInspector) -> None:
    inspector.set_step(STEP)
    inspector.setCurrentWidget(inspector.talk_page)
    inspector.show_card(1)
    assert inspector.currentWidget() is inspector.step_page
    cards = [inspector.findChild(ReferenceCard), *inspector.step_page.cards]
    assert [bool(card.property("chosen")) for card in cards] == [False, False, True]
    inspector.show_card(None)
    assert [bool(card.property("chosen")) for card in cards] == [True, False, False]
    inspector.set_step(replace(STEP, index=3))
    assert not any(card.property("chosen") for card in inspector.step_page.cards)
