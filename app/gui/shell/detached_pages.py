"""The centre of a workspace in a window of its own; its place says so, and has it back when that window is closed."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from stepscope.widgets.common import EmptyState
from stepscope.widgets.common.plain_words import window_title

OFFSET = QPoint(80, 80)


class PageWindow(QWidget):
    """A tool window of the main one, so that the keys of commands work in it. `closed` fires before it goes."""

    closed = Signal()

    def __init__(self, parent: QWidget, title: str) -> None:
        super().__init__(parent, Qt.WindowType.Tool)
        self.setWindowTitle(window_title(f"{title} – Stepscope"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.closed.emit()
        super().closeEvent(event)


class DetachedPages(QObject):
    """Takes pages out of the stack and puts them back. Their places in the stack stay theirs."""

    def __init__(self, window: QMainWindow, stack: QStackedWidget) -> None:
        super().__init__(window)
        self._window, self._stack = window, stack
        self._out: dict[QWidget, tuple[PageWindow, QWidget]] = {}
        """the window and the words in its place of each page that is out"""

    def holds(self, page: QWidget) -> bool:
        """Whether a page is in a window of its own."""
        return page in self._out

    def toggle(self, title: str) -> bool:
        """Detach the page in front, or put back the one that has the keyboard; False where neither has it."""
        focus = QApplication.focusWidget()
        if focus is None:
            return False
        for page, (own, _words) in self._out.items():
            if own.isAncestorOf(focus) or own is focus:
                self.put_back(page)
                return True
        front = self._stack.currentWidget()
        if front is None or front in (words for _own, words in self._out.values()) or not front.isAncestorOf(focus):
            return False
        self._detach(front, title, focus)
        return True

    def put_back(self, page: QWidget) -> None:
        """To its place in the stack; in front where that was."""
        own, words = self._out.pop(page)
        place = self._stack.indexOf(words)
        was_front = self._stack.currentWidget() is words
        self._stack.removeWidget(words)
        words.deleteLater()
        self._stack.insertWidget(place, page)
        if was_front:
            self._stack.setCurrentIndex(place)
        page.show()
        own.hide()
        own.deleteLater()
        self._window.activateWindow()

    def put_all_back(self) -> None:
        """Each to its place: the window is closing, or its layout is reset."""
        for page in tuple(self._out):
            self.put_back(page)

    def _detach(self, page: QWidget, title: str, focus: QWidget) -> None:
        place, size = self._stack.indexOf(page), page.size()
        words = EmptyState("open", f"{title} is in a window of its own", "Close that one to have it here.",
                           [("back", "Put Back")])  # fmt: skip
        words.pressed.connect(lambda _which: self.put_back(page))
        own = PageWindow(self._window, title)
        own.closed.connect(lambda: self.put_back(page) if page in self._out else None)
        self._out[page] = own, words
        self._stack.removeWidget(page)
        self._stack.insertWidget(place, words)
        self._stack.setCurrentIndex(place)
        layout = own.layout()
        assert layout is not None
        layout.addWidget(page)
        own.resize(size)
        own_screen = self._window.screen()
        others = [screen for screen in QApplication.screens() if screen is not own_screen]
        corner = others[0].availableGeometry().topLeft() if others else self._window.geometry().topLeft()
        own.move(corner + OFFSET)
        page.show()
        own.show()
        own.activateWindow()
        focus.setFocus()
