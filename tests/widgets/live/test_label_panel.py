"""The survey after a demonstration, and the place where apps are dropped."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from stepscope.app.gui.shell.theme import apply_theme
from stepscope.widgets.live import DropZone, InstallState, LabelPanel, LabelPhase, LabelState, SurveyAnswers
from stepscope.widgets.live.label import REASONS
from stepscope.widgets.theme import Theme


@pytest.fixture
def panel(show) -> LabelPanel:
    return show(LabelPanel(), height=420)


def press(panel: LabelPanel, words: str) -> None:
    place = ("Feasible", "Infeasible", "Not yet").index(words)
    QTest.mouseClick(panel.labels._group.button(place), Qt.MouseButton.LeftButton)


def test_without_a_recording_nothing_can_be_said(panel) -> None:
    assert not panel.labels.isEnabled() and not panel.save.isVisible() and panel.words() == ""


def test_while_recording_the_label_can_be_given_already(panel, heard) -> None:
    told = heard(panel.survey_changed)
    panel.show_state(LabelState(LabelPhase.RECORDING, 5, 1))
    assert panel.labels.value() == "" and panel.words() == "One question and answer will be kept"
    press(panel, "Feasible")
    assert told == [SurveyAnswers("feasible")] and not panel.save.isVisible()
    panel.show_state(LabelState(LabelPhase.RECORDING, 6, 4))
    assert panel.survey() == SurveyAnswers("feasible") and panel.words() == "4 questions and answers will be kept"


def test_after_the_demonstration_it_asks_without_a_dialog(panel, heard) -> None:
    saved, thrown = heard(panel.save_requested), heard(panel.discard_requested)
    panel.show_state(LabelState(LabelPhase.RECORDING))
    panel.show_state(LabelState(LabelPhase.DUE, 5))
    panel.ask_for_label()
    assert panel.labels._group.checkedButton().hasFocus() and panel._header._title.text() == "Was the goal reached?"
    press(panel, "Feasible")
    panel.save.click()
    panel.discard.click()
    assert saved == [SurveyAnswers("feasible")] and len(thrown) == 1


def test_an_infeasible_goal_needs_its_reason_and_is_asked_for_a_question(panel, heard) -> None:
    saved = heard(panel.save_requested)
    panel.show_state(LabelState(LabelPhase.DUE, 5))
    assert not panel.reasons["unclear"].isEnabled()
    press(panel, "Infeasible")
    assert not panel.save.isEnabled() and panel.words() == "Choose why it cannot be done."
    panel.reasons["impossible"].click()
    panel.reasons["unclear"].click()
    QTest.keyClicks(panel.why, "No day was named")
    QTest.keyClicks(panel.follow_up, "Which day?")
    QTest.keyClick(panel.follow_up, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(panel.follow_up, "At what time?")
    assert panel.words() == "2 follow-up questions will be kept"
    QTest.keyClick(panel.follow_up, Qt.Key.Key_Return)
    assert saved == [SurveyAnswers("infeasible", "unclear", "No day was named", ("Which day?", "At what time?"))]


def test_a_second_click_takes_the_reason_away(panel) -> None:
    panel.show_state(LabelState(LabelPhase.DUE, 5))
    press(panel, "Infeasible")
    panel.reasons["premature"].click()
    panel.reasons["premature"].click()
    assert panel.survey().reason == "" and not panel.save.isEnabled()


def test_a_feasible_goal_has_no_reason_but_may_have_a_question(panel) -> None:
    panel.show_state(LabelState(LabelPhase.DUE, 5))
    panel.show_survey(SurveyAnswers("infeasible", "premature", "log in first", ("Which account?",)))
    press(panel, "Feasible")
    assert panel.survey() == SurveyAnswers("feasible", "", "log in first", ("Which account?",))


def test_not_feasible_in_the_conversation_leads_to_the_reasons(panel, heard) -> None:
    told = heard(panel.survey_changed)
    panel.show_state(LabelState(LabelPhase.RECORDING, 2))
    panel.ask_infeasible()
    assert told == [SurveyAnswers("infeasible")] and panel.reasons["impossible"].hasFocus()


def test_the_reasons_say_what_the_paper_means_by_them(panel) -> None:
    assert set(panel.reasons) == {"impossible", "unclear", "premature"}
    assert all(REASONS[name] == chip.toolTip() != "" for name, chip in panel.reasons.items())


def test_saving_is_said_and_a_failure_stays_until_it_is_mended(panel) -> None:
    panel.show_state(LabelState(LabelPhase.SAVING, 5))
    assert not panel.save.isEnabled() and not panel.discard.isEnabled() and "Saving" in panel.words()
    panel.show_state(LabelState(LabelPhase.DUE, 5, problem="The disk is full. Make room, then save again."))
    assert panel.save.isEnabled() and panel.words() == "The disk is full. Make room, then save again."


def test_a_new_recording_begins_without_a_label(panel) -> None:
    panel.show_state(LabelState(LabelPhase.DUE, 5))
    panel.show_survey(SurveyAnswers("infeasible", "unclear"))
    panel.show_state(LabelState())
    panel.show_state(LabelState(LabelPhase.RECORDING))
    assert panel.survey() == SurveyAnswers()


@pytest.mark.parametrize("percent", [80, 200])
def test_labels_stand_in_more_rows_where_they_have_no_room_in_one(panel, qtbot, themed, percent) -> None:
    panel.show_state(LabelState(LabelPhase.DUE, 5))
    apply_theme(themed, Theme.high_contrast(), percent)
    buttons = panel.labels._group.buttons()
    tops = {True: 2, False: 1}[percent == 200]
    qtbot.waitUntil(lambda: len({button.y() for button in buttons}) == tops)
    assert all(button.width() >= button.sizeHint().width() for button in buttons)


# apps that are dropped


@pytest.fixture
def zone(show) -> DropZone:
    return show(DropZone(), height=60)


def drag(zone: DropZone, *paths: Path) -> bool:
    """Drag files in and let them go; whether they were taken."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(9, 9), copy, data, left, none)
    enter.ignore()
    QApplication.sendEvent(zone, enter)
    if enter.isAccepted():
        assert zone.words() == "Let go to install it"
        QApplication.sendEvent(zone, QDropEvent(QPointF(9, 9), copy, data, left, none, QEvent.Type.Drop))
    return enter.isAccepted()


def test_an_app_is_taken_and_nothing_else(zone, heard, tmp_path) -> None:
    dropped = heard(zone.apk_dropped)
    assert drag(zone, tmp_path / "Shop 2.APK")
    assert not drag(zone, tmp_path / "notes.txt") and not drag(zone, tmp_path / "a.apk", tmp_path / "b.apk")
    assert dropped == [str(tmp_path / "Shop 2.APK")] and zone.words() == "Drop an .apk here to install it"


def test_a_click_asks_for_a_file(zone, heard) -> None:
    asked = heard(zone.browse_requested)
    QTest.mouseClick(zone, Qt.MouseButton.LeftButton)
    QTest.keyClick(zone, Qt.Key.Key_Space)
    assert len(asked) == 2


def test_the_installation_is_told_while_it_goes_on(zone, heard, tmp_path) -> None:
    zone.show_state(InstallState("Installing shop.apk, 14 of 24 MB", 0.6))
    assert not zone.isEnabled() and zone.words() == "Installing shop.apk, 14 of 24 MB"
    assert zone.accessibleDescription() == zone.words()
    zone.show_state(InstallState("shop.apk could not be installed: it is older than the app there.", kind="error"))
    assert zone.isEnabled() and "older" in zone.toolTip()
    zone.show_state(InstallState(why_not="The simulated phone takes no apps"))
    assert not zone.isEnabled() and zone.words() == "The simulated phone takes no apps"


def test_long_words_make_it_higher(zone) -> None:
    low = zone.heightForWidth(240)
    zone.show_state(
        InstallState("shop.apk could not be installed: " + "it is older than the app there. " * 6, kind="error")
    )
    assert zone.heightForWidth(240) > low and zone.heightForWidth(600) < zone.heightForWidth(240)
