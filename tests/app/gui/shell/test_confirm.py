"""Questions before something is lost: the safe button has the keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from stepscope.app.gui.shell.confirm import confirmed


@pytest.mark.parametrize("key", ["Return", "Escape", "Space"])
@pytest.mark.parametrize("destructive", [True, False])
def test_a_key_that_is_pressed_without_looking_loses_nothing(qtbot: QtBot, key: str, destructive: bool) -> None:
    parent, asked = QWidget(), []
    qtbot.addWidget(parent)
    parent.show()

    def press() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        asked.append(box.focusWidget().text())
        QTest.keySequence(box.focusWidget(), key)

    QTimer.singleShot(0, press)
    assert not confirmed(parent, "Delete it?", "It is lost.", "Delete", "Keep", destructive=destructive)
    assert asked == ["Keep"]
