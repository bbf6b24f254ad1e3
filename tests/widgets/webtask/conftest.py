"""Parts of the workspace are shown as the application shows them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import pytest
from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

W = TypeVar("W", bound=QWidget)


@pytest.fixture
def show(qtbot: QtBot, themed: QApplication) -> Callable[..., QWidget]:
    """Shows a widget at a size, in the dark theme."""

    def shown(widget: W, width: int = 288, height: int = 600) -> W:
        qtbot.addWidget(widget)
        widget.resize(width, height)
        widget.show()
        qtbot.waitExposed(widget)
        widget.activateWindow()
        return widget

    return shown


@pytest.fixture
def heard() -> Callable[[SignalInstance], list]:
    """What a signal has told, one entry a time: its value, or the tuple of its values."""

    def listen(signal: SignalInstance) -> list:
        told: list = []
        signal.connect(lambda *values: told.append(values[0] if len(values) == 1 else values))
        return told

    return listen
