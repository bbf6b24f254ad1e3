"""Requirements with their marks, and outlines on the screen, as a person meets them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest

from stepscope.widgets.judge.judge_values import RequirementGroup, RequirementShown
from stepscope.widgets.judge.requirement_list import RequirementList
from stepscope.widgets.judge.screen_outlines import CONTRADICTS, SUPPORTS, ScreenOutline
from stepscope.widgets.judge.trajectory import StripStep, TrajectoryView

ROWS = (
    RequirementShown("lamp", "supported", "Supported at step 2: typed “lamp”", leads=True),
    RequirementShown("two", "contradicted", "Contradicted at step 3: typed “3”", leads=True),
    RequirementShown("warm light", "nothing", "No step shows it"),
)


def test_requirements_are_clicked_or_pressed_and_those_without_a_step_are_not(qtbot, themed) -> None:
    listed = RequirementList()
    qtbot.addWidget(listed)
    assert listed.isHidden()
    listed.resize(320, 300)
    listed.set_groups([RequirementGroup("A", ROWS[:1]), RequirementGroup("B", ROWS[1:])])
    listed.show()
    chosen: list[int] = []
    listed.chosen.connect(chosen.append)
    QTest.mouseClick(listed.buttons[1], Qt.MouseButton.LeftButton)
    QTest.keyClick(listed.buttons[0], Qt.Key.Key_Space)
    QTest.mouseClick(listed.buttons[2], Qt.MouseButton.LeftButton)
    assert chosen == [1, 0]
    assert listed.buttons[1].accessibleName() == "two. Contradicted at step 3: typed “3”"
    listed.set_chosen(0)
    assert [button.isChecked() for button in listed.buttons] == [True, False, False]
    before = listed.buttons
    listed.set_groups([RequirementGroup("A", ROWS[:1]), RequirementGroup("B", ROWS[1:])])
    assert listed.buttons is before, "the same again"
    listed.set_groups(())
    assert listed.isHidden() and listed.words() == []


@pytest.mark.parametrize(("supports", "colour"), [(True, SUPPORTS), (False, CONTRADICTS)])
def test_an_outline_stands_around_the_element_at_every_zoom(qtbot, supports: bool, colour: str) -> None:
    view = TrajectoryView()
    qtbot.addWidget(view)
    view.resize(700, 700)
    view.show()
    view.set_steps([StripStep(1, "Tap")])
    view.set_current(0)
    image = QImage(200, 200, QImage.Format.Format_RGB888)
    image.fill(Qt.GlobalColor.white)
    view.set_screen(image, outlines=[ScreenOutline(80, 80, 120, 120, supports)])
    for zoom in (1.0, 1.5):
        view.picture.zoom(zoom)
        edge = view.picture.mapFromScene(80, 100) - QPoint(5, 0)
        seen = QColor(view.picture.viewport().grab().toImage().pixel(edge * view.devicePixelRatioF()))
        assert seen == QColor(colour), "five pixels beside the element"
    view.set_screen(image)
    assert view.picture.outlines() == (), "another screen has none"
