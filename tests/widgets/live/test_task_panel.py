"""Goal, agent, how far it may go, and its buttons."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from stepscope.app.gui.shell.theme import apply_theme
from stepscope.widgets.live import NO_AGENT, AgentChoice, AgentPhase, GoalSuggestion, TaskPanel, TaskState
from stepscope.widgets.theme import Theme

NORTHSTAR = AgentChoice("northstar", "Northstar 7B", "local, GPU 0", 0)
MATCH = AgentChoice("text-match", "Text match", run=1)
ABSENT = AgentChoice("far", "Far away", why_not="Its server does not answer.")
GOAL = "Order the oil paint set with 12 colours."


@pytest.fixture
def panel(show) -> TaskPanel:
    panel = show(TaskPanel(), height=520)
    panel.set_agents((NORTHSTAR, MATCH, ABSENT))
    return panel


def shown(panel: TaskPanel) -> list[str]:
    """Buttons in view, those that can be pressed with a star."""
    buttons = (panel.start, panel.step, panel.pause, panel.resume, panel.stop)
    return [b.accessibleName() + "*" * b.isEnabled() for b in buttons if b.isVisible()]


def choose(panel: TaskPanel, name: str) -> None:
    place = panel.agents.findData(name)
    panel.agents.setCurrentIndex(place)
    panel.agents.activated.emit(place)


def test_nobody_is_the_first_choice_and_hides_what_only_an_agent_needs(panel) -> None:
    assert panel.agent() == NO_AGENT and panel.agents.currentText() == "None: I do it myself"
    assert shown(panel) == [] and not panel.slider.isVisible()
    assert "yourself" in panel.words()


def test_an_agent_begins_once_there_is_a_goal(panel, heard) -> None:
    chosen, goals = heard(panel.agent_chosen), heard(panel.goal_changed)
    choose(panel, "northstar")
    assert chosen == ["northstar"] and panel.slider.isVisible()
    assert shown(panel) == ["Start agent", "Step"] and panel.words() == "Write the goal first."
    QTest.keyClicks(panel.goal_field, "Go")
    assert goals == ["G", "Go"] and shown(panel) == ["Start agent*", "Step*"] and panel.words() == ""


def test_the_buttons_follow_what_the_agent_does(panel, heard) -> None:
    panel.set_goal(GOAL)
    choose(panel, "northstar")
    told = {name: heard(getattr(panel, f"{name}_requested")) for name in ("start", "step", "pause", "resume", "stop")}
    panel.start.click()
    panel.step.click()
    panel.show_state(TaskState(AgentPhase.THINKING, "Thinking, step 3 of 20"))
    assert shown(panel) == ["Pause agent*", "Stop*"] and panel.words() == "Thinking, step 3 of 20"
    assert panel.goal_field.isReadOnly() and not panel.agents.isEnabled() and panel.slider.isEnabled()
    panel.pause.click()
    panel.show_state(TaskState(AgentPhase.PAUSED, "Paused"))
    assert shown(panel) == ["Step*", "Resume agent*", "Stop*"]
    panel.resume.click()
    panel.stop.click()
    panel.show_state(TaskState(words="Done after 6 steps"))
    assert shown(panel) == ["Start agent*", "Step*"] and panel.words() == "Done after 6 steps"
    assert {name: len(calls) for name, calls in told.items()} == dict.fromkeys(told, 1)


@pytest.mark.parametrize("phase", list(AgentPhase))
def test_a_running_agent_can_always_be_paused_and_stopped(panel, phase: AgentPhase) -> None:
    panel.set_goal(GOAL)
    choose(panel, "northstar")
    panel.show_state(TaskState(phase))
    assert ("Pause agent*" in shown(panel)) is phase.running
    assert ("Stop*" in shown(panel)) is (phase is not AgentPhase.IDLE)


def test_what_keeps_the_agent_from_starting_is_said(panel) -> None:
    panel.set_goal(GOAL)
    choose(panel, "northstar")
    panel.show_state(TaskState(problem="No phone is connected. Choose one above."))
    assert shown(panel) == ["Start agent", "Step"] and panel.words() == "No phone is connected. Choose one above."


def test_an_agent_that_cannot_be_used_cannot_be_chosen(panel) -> None:
    place = panel.agents.findData("far")
    assert not panel.agents.model().item(place).isEnabled()
    assert panel.agents.itemData(place, Qt.ItemDataRole.ToolTipRole) == "Its server does not answer."


def test_the_chosen_agent_stays_while_others_come_and_goes_with_it(panel) -> None:
    choose(panel, "text-match")
    panel.set_agents((MATCH, NORTHSTAR))
    assert panel.agent() == "text-match"
    panel.set_agents((NORTHSTAR,))
    assert panel.agent() == NO_AGENT and shown(panel) == []


def test_mode_limit_and_steps_are_told_when_the_person_changes_them(panel, heard) -> None:
    choose(panel, "northstar")
    modes, limits, steps = heard(panel.mode_chosen), heard(panel.limit_changed), heard(panel.steps_changed)
    panel.set_mode("own")
    panel.set_limit(0.25)
    panel.set_steps(7)
    assert (modes, limits, steps) == ([], [], [])
    assert (panel.mode(), panel.limit(), panel.steps()) == ("own", 0.25, 7)
    assert panel.slider.accessibleName() == "Asks below confidence 0.25"
    QTest.keyClick(panel.slider, Qt.Key.Key_Right)
    QTest.keyClick(panel.slider, Qt.Key.Key_PageUp)
    QTest.keyClick(panel.spin, Qt.Key.Key_Up)
    QTest.mouseClick(panel.modes._group.button(0), Qt.MouseButton.LeftButton)
    assert (modes, limits, steps) == (["approve"], [0.26, 0.36], [8])


# the goal


def test_down_shows_the_suggested_goals_and_enter_takes_one(panel, heard) -> None:
    panel.set_suggestions(
        (GoalSuggestion("Set an alarm", "Campaign Clocks"), GoalSuggestion(GOAL), GoalSuggestion("Open notes"))
    )
    goals = heard(panel.goal_changed)
    QTest.keyClick(panel.goal_field, Qt.Key.Key_Down)
    assert panel.goal_field.suggested() == ["Set an alarm", GOAL, "Open notes"] and panel.goal_field.list_shown()
    panel.goal_field._list.setCurrentIndex(panel.goal_field._list.model().index(1, 0))
    QTest.keyClick(panel.goal_field._list, Qt.Key.Key_Return)
    assert panel.goal() == GOAL and goals == [GOAL] and not panel.goal_field.list_shown()


def test_writing_narrows_the_suggestions_and_escape_closes_them(panel) -> None:
    panel.set_suggestions((GoalSuggestion("Set an alarm"), GoalSuggestion(GOAL)))
    QTest.keyClicks(panel.goal_field, "paint")
    assert panel.goal_field.suggested() == [GOAL]
    QTest.keyClick(panel.goal_field._list, Qt.Key.Key_Escape)
    assert not panel.goal_field.list_shown() and panel.goal() == "paint"


def test_a_goal_is_one_paragraph_that_grows(panel, qtbot) -> None:
    one = panel.goal_field.height()
    data = QMimeData()
    data.setText("Order the oil paint set\nwith 12 colours and have it\tbrought to the office before Friday, please")
    panel.goal_field.insertFromMimeData(data)
    assert "\n" not in panel.goal() and panel.goal().startswith("Order the oil paint set with 12 colours and")
    qtbot.waitUntil(lambda: panel.goal_field.height() > one)
    panel.set_goal("word " * 400)
    qtbot.waitUntil(lambda: panel.goal_field.height() == panel.goal_field.height_for(4))


def test_a_goal_is_written_in_any_script(panel, heard) -> None:
    goals = heard(panel.goal_changed)
    event = QInputMethodEvent()
    event.setCommitString("設定鬧鐘 ⏰ مرحبا")
    QApplication.sendEvent(panel.goal_field, event)
    assert panel.goal() == "設定鬧鐘 ⏰ مرحبا" and goals == ["設定鬧鐘 ⏰ مرحبا"]


def test_enter_in_the_goal_goes_on_to_the_agent(panel) -> None:
    panel.focus_goal()
    QTest.keyClick(panel.goal_field, Qt.Key.Key_Return)
    assert panel.agents.hasFocus() and panel.goal() == ""


@pytest.mark.parametrize("percent", [80, 100, 200])
def test_nothing_is_cut_off_at_any_text_size(panel, qtbot, themed, percent) -> None:
    panel.set_goal(GOAL)
    choose(panel, "northstar")
    panel.show_state(TaskState(AgentPhase.PAUSED, "Paused"))
    apply_theme(themed, Theme.dark(), percent)
    panel.resize(288, panel.minimumSizeHint().height())
    assert panel.minimumSizeHint().width() <= (288 if percent < 200 else 400)
    panel.resize(max(288, panel.minimumSizeHint().width()), 900)
    parts = (panel.modes, panel.resume, panel.step, panel.stop, panel.spin)
    qtbot.waitUntil(lambda: all(part.width() >= part.minimumSizeHint().width() for part in parts))
    assert all(part.geometry().right() <= part.parentWidget().width() for part in parts)
