"""All panels of the left dock together."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from stepscope.app.gui.shell.theme import apply_theme
from stepscope.widgets.live import AgentChoice, DeviceRow, LabelPhase, LabelState, LiveSide
from stepscope.widgets.theme import Theme


@pytest.fixture
def side(show) -> LiveSide:
    side = show(LiveSide(), 288, 900)
    side.devices.set_devices((DeviceRow("simulated", "Simulated phone", "simulated", detail="no phone needed"),))
    side.task.set_agents((AgentChoice("northstar", "Northstar 7B", "local, GPU 0"),), "northstar")
    side.task.set_goal("Order the oil paint set with 12 colours.")
    side.label.show_state(LabelState(LabelPhase.DUE, 5, 1))
    return side


def focused() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def test_tab_goes_from_the_devices_over_the_task_to_the_label_and_the_apps(side) -> None:
    side.devices.refresh.setFocus()
    passed = []
    while not passed or (focused() is not side.devices.refresh and len(passed) < 30):
        passed.append(focused())
        QTest.keyClick(focused(), Qt.Key.Key_Tab)
    wanted = [
        side.devices.refresh, side.devices.plus, side.devices.list, side.task.goal_field, side.task.agents,
        side.task.slider, side.task.spin, side.task.start, side.task.step, side.label.why, side.label.follow_up,
        side.label.save, side.label.discard, side.drop,
    ]  # fmt: skip
    assert [part for part in passed if part in wanted] == wanted
    assert all(part.accessibleName() or part.text() for part in passed)


@pytest.mark.parametrize("percent", [80, 150, 200])
def test_it_asks_for_the_width_that_nothing_is_cut_off(side, qtbot, themed, percent) -> None:
    apply_theme(themed, Theme.light(), percent)
    qtbot.waitUntil(lambda: side.task.goal_field.font().pixelSize() == round(13 * percent / 100))
    side.resize(side.minimumSizeHint().width(), 700)
    inside = side.widget()
    qtbot.waitUntil(lambda: inside.width() <= side.viewport().width())
    parts = (side.task.start, side.task.step, side.label.save, side.label.discard, side.drop, side.task.modes)
    qtbot.waitUntil(lambda: all(part.height() >= part.minimumSizeHint().height() for part in parts))
    right = [part.mapTo(inside, part.rect().topRight()).x() for part in parts]
    assert max(right) < inside.width()
