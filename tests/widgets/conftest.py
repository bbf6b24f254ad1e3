"""Views are shown as the application shows them: in a theme, without a display."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from stepscope.app.gui.shell.theme import apply_theme
from stepscope.widgets.theme import Theme


@pytest.fixture(autouse=True)
def swept(qapp: QApplication) -> Iterator[None]:
    """Views that are done with go at once: every further theme would be put upon all of them."""
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def themed(qapp: QApplication) -> Iterator[QApplication]:
    """The dark theme in force."""
    qapp.setStyle("Fusion")
    apply_theme(qapp, Theme.dark())
    yield qapp
    qapp.setStyleSheet("")
