"""What comes once a window has been painted: after it, once, and for a window that nobody sees as well."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from stepscope.app.gui.shell import first_paint
from stepscope.app.gui.shell.first_paint import FirstPaint


class Painted(QWidget):
    def __init__(self, told: list[str]) -> None:
        super().__init__()
        self._told = told

    def paintEvent(self, _event: QPaintEvent) -> None:
        self._told.append("painted")


def test_what_waits_comes_after_the_first_painting_and_once(qtbot: QtBot) -> None:
    told = list[str]()
    window = Painted(told)
    qtbot.addWidget(window)
    FirstPaint(window, lambda: told.append("then"))
    window.show()
    qtbot.waitUntil(lambda: "then" in told)
    assert told[0] == "painted"
    window.repaint()
    qtbot.waitUntil(lambda: told.count("painted") > 1)
    assert told.count("then") == 1


def test_a_window_that_is_not_seen_waits_no_longer_than_its_time(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_paint, "UNSEEN_MS", 1)
    told = list[str]()
    window = Painted(told)
    qtbot.addWidget(window)
    FirstPaint(window, lambda: told.append("then"))
    qtbot.waitUntil(lambda: told == ["then"])
