"""Docks in windows of their own: put on another screen where there is one, and back when they are closed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow

OFFSET = QPoint(80, 80)
LEAST_WIDTH, LEAST_HEIGHT = 420, 320


class DetachedDocks(QObject):
    """A dock that was detached goes back to its place when its window is closed: nothing is lost by a click."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window

    def toggle(self) -> QDockWidget | None:
        """Detach the dock that has the keyboard, or put it back; None where no dock has it."""
        dock = self._with_keyboard()
        if dock is None:
            return None
        if dock.isFloating():
            self.put_back(dock)
        else:
            self._detach(dock)
        return dock

    def put_back(self, dock: QDockWidget) -> None:
        """To its place in the window."""
        dock.setFloating(False)
        dock.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Close and isinstance(watched, QDockWidget) and watched.isFloating():
            event.ignore()
            self.put_back(watched)
            return True
        return False

    def _detach(self, dock: QDockWidget) -> None:
        focus = QApplication.focusWidget()
        dock.removeEventFilter(self)
        dock.installEventFilter(self)
        size = dock.size()
        dock.setFloating(True)
        dock.resize(max(size.width(), LEAST_WIDTH), max(size.height(), LEAST_HEIGHT))
        own = self._window.screen()
        others = [screen for screen in QApplication.screens() if screen is not own]
        corner = others[0].availableGeometry().topLeft() if others else self._window.geometry().topLeft()
        dock.move(corner + OFFSET)
        dock.activateWindow()
        if focus is not None:
            focus.setFocus()

    def _with_keyboard(self) -> QDockWidget | None:
        widget = QApplication.focusWidget()
        while widget is not None and not isinstance(widget, QDockWidget):
            widget = widget.parentWidget()
        return widget
