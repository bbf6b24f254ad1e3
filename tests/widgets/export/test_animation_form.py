"""The questions before an animation: what can be answered, and how long it becomes."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from stepscope.widgets.export import AnimationChoice, AnimationForm, AnimationSubject

ABOUT = AnimationSubject("Buy a lamp", 8, "Drawn as on the screen: reference, run A.", 20.5)


@pytest.fixture
def form(qtbot: QtBot, themed: object) -> AnimationForm:
    shown = AnimationForm()
    qtbot.addWidget(shown)
    shown.set_about(ABOUT)
    shown.show()
    qtbot.waitExposed(shown)
    return shown


def texts(form: AnimationForm) -> list[str]:
    return [label.text() for label in form.findChildren(QLabel)]


def test_it_tells_what_is_exported_and_how_long_it_becomes(form: AnimationForm) -> None:
    assert {"Buy a lamp", "Drawn as on the screen: reference, run A.", "8 steps, 12.0 s"} <= set(texts(form))
    form.seconds.setValue(0.5)
    assert "8 steps, 4.0 s" in texts(form)


def test_the_answers_are_handed_over_and_kept(form: AnimationForm, qtbot: QtBot) -> None:
    form.kind.set_value("mp4")
    form.size_choice.set_value("large")
    form.seconds.setValue(2.25)
    with qtbot.waitSignal(form.export_wanted) as wanted:
        qtbot.mouseClick(form.export_button, Qt.MouseButton.LeftButton)
    assert wanted.args == [AnimationChoice("mp4", "large", 2.25)]
    assert not form.isVisible()
    form.show()
    assert form.choice() == AnimationChoice("mp4", "large", 2.25)


def test_recorded_times_rest_the_fixed_one(form: AnimationForm, qtbot: QtBot) -> None:
    second = form.times._group.button(1)
    qtbot.mouseClick(second, Qt.MouseButton.LeftButton)
    assert form.choice().recorded and not form.seconds.isEnabled()
    assert "8 steps, 20.5 s" in texts(form)


def test_without_recorded_times_they_cannot_be_chosen(form: AnimationForm) -> None:
    form.times.set_value("recorded")
    form.set_about(AnimationSubject("Order a chair", 1, "", None))
    assert not form.times._group.button(1).isVisible()
    assert not form.choice().recorded and "1 step, 1.5 s" in texts(form)


def test_it_is_no_dialog_in_the_way_and_escape_closes_it(form: AnimationForm, qtbot: QtBot) -> None:
    assert not form.isModal()
    qtbot.keyClick(form, Qt.Key.Key_Escape)
    assert not form.isVisible()


def test_enter_exports(form: AnimationForm, qtbot: QtBot) -> None:
    with qtbot.waitSignal(form.export_wanted):
        qtbot.keyClick(form, Qt.Key.Key_Return)


def test_all_fields_have_names(form: AnimationForm) -> None:
    for field in (form.kind, form.size_choice, form.times, form.seconds):
        assert field.accessibleName()
