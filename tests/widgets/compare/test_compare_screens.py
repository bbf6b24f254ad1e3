"""The centre of a comparison by itself: columns, thumbs of more than four runs, linked zoom, one screen for all."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.layers import Layer
from stepscope.core.domain.mark import MarkVerdict as MarkVerdict
from stepscope.core.domain.mark import PointMark
from stepscope.widgets.common import ShownVerdict
from stepscope.widgets.compare import CompareScreens, RunAtStep
from stepscope.widgets.compare.run_screen import RunThumb
from stepscope.widgets.screen import ScreenContent

SIZE = Size(108, 240)


def mark(layer: Layer) -> PointMark:
    return PointMark(layer, Point(54, 120, SIZE), MarkVerdict.HIT)


def at_step(run: int, verdict: ShownVerdict | None = ShownVerdict.HIT) -> RunAtStep:
    marks = (mark(Layer.RUN_A if run == 0 else Layer.RUN_B),)
    return RunAtStep(run, f"model {run}", verdict, "tap 54, 120", 0.5, "0.02 away.", marks)


@pytest.fixture
def centre(qtbot, themed) -> CompareScreens:
    view = CompareScreens()
    qtbot.addWidget(view)
    view.resize(900, 600)
    view.show()
    return view


def show(centre: CompareScreens, *runs: RunAtStep) -> None:
    centre.set_runs(runs)
    centre.show_step(ScreenContent(SIZE), runs, tuple(one.marks[0] for one in runs))


def test_fewer_than_two_runs_ask_for_another(qtbot, centre) -> None:
    assert centre.words() == "Pick a second run"
    button = next(button for button in centre._second._buttons)
    with qtbot.waitSignal(centre.second_wanted):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    centre.show_no_episode()
    assert centre.words() == "No episode is open Choose a step in the list."


def test_each_run_has_its_own_marks_and_words(qtbot, centre) -> None:
    show(centre, at_step(0), at_step(1, ShownVerdict.MISS))
    first, second = centre.panes
    assert [pane.view.content.marks[0].layer for pane in centre.panes] == [Layer.RUN_A, Layer.RUN_B]
    assert (second.verdict.text(), second.action.text(), second.confidence.text()) == ("✕ miss", "tap 54, 120", "0.50")
    assert first.why.text() == "0.02 away." and first.view.accessibleName() == "Screen of run A"
    with qtbot.waitSignal(centre.replay_wanted) as told:
        QTest.mouseClick(second.replay, Qt.MouseButton.LeftButton)
    assert told.args == [1] and second.replay.accessibleName() == "Open run B in Replay"


def test_a_run_without_an_answer_has_no_badge(centre) -> None:
    show(centre, at_step(0), RunAtStep(1, "model 1", None, marks=(mark(Layer.RUN_B),)))
    assert not centre.panes[1].verdict.isVisible() and centre.panes[1].confidence.text() == ""


def test_five_runs_leave_a_row_to_choose_from(qtbot, centre) -> None:
    runs = [at_step(number) for number in range(5)]
    centre.set_runs(runs[:4], runs)
    thumbs = [thumb for thumb in centre.findChildren(RunThumb) if thumb.isVisible()]
    assert [thumb.isChecked() for thumb in thumbs] == [True] * 4 + [False]
    assert thumbs[4].accessibleName() == "Run E model 4, hit"
    with qtbot.waitSignal(centre.large_toggled) as told:
        QTest.keyClick(thumbs[4], Qt.Key.Key_Space)
    assert told.args == [4]
    centre.set_runs(runs[:2])
    assert [pane.isVisible() for pane in centre.panes] == [True, True, False, False]
    assert not any(thumb.isVisible() for thumb in centre.findChildren(RunThumb))


def test_zoom_follows_only_while_linked(centre) -> None:
    show(centre, at_step(0), at_step(1))
    first, second = (pane.view for pane in centre.panes)
    centre.zoomed(lambda screen: screen.zoom_in())
    assert not first.viewport.fit and not second.viewport.fit
    QTest.mouseClick(centre.linked, Qt.MouseButton.LeftButton)
    second.setFocus()
    centre.zoomed(lambda screen: screen.fit())
    assert second.viewport.fit and not first.viewport.fit, "the screen with the keyboard, by itself"
    QTest.mouseClick(centre.linked, Qt.MouseButton.LeftButton)
    assert first.viewport.fit


def test_one_screen_for_all_keeps_the_words(qtbot, centre) -> None:
    show(centre, at_step(0), at_step(1))
    with qtbot.waitSignal(centre.view_options_changed):
        QTest.mouseClick(centre.overlaid, Qt.MouseButton.LeftButton)
    assert centre.overlay.isVisible() and not centre.panes[0].view.isVisible() and centre.panes[0].why.isVisible()
    assert [one.layer for one in centre.overlay.content.marks] == [Layer.RUN_A, Layer.RUN_B]
    assert centre.active() is centre.overlay
    centre.set_overlaid(False)
    assert centre.panes[0].view.isVisible() and not centre.overlay.isVisible()


def test_a_picture_that_cannot_be_read_is_told_on_every_screen(centre) -> None:
    show(centre, at_step(0), at_step(1))
    centre.set_error("Cannot show step 3", "3.png is cut off.")
    assert all(pane.view._error.isVisible() for pane in centre.panes)
