"""The keys 1 to 9, and 0, as choices of what waits for a person, wherever the keyboard is but in a field."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

from stepscope.app.gui.shell.key_filter import is_text_field


class ChoiceKeys(QObject):
    """Installed on the window, which sees the keys that the focused view did not take. `count` tells how many choices
    there are now (0: the keys are the window's own), `choose` takes a number from 1; where `has_zero` says so, key 0 is
    a choice too."""

    def __init__(
        self,
        window: QWidget,
        count: Callable[[], int],
        choose: Callable[[int], object],
        has_zero: Callable[[], bool] = lambda: False,
    ) -> None:
        super().__init__(window)
        self._count, self._choose, self._has_zero = count, choose, has_zero
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or not self._takes(event):
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if event.type() == QEvent.Type.KeyPress:
            self._choose(event.key() - Qt.Key.Key_0)
            return True
        return False

    def _takes(self, event: QKeyEvent) -> bool:
        number = event.key() - Qt.Key.Key_0
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if not 0 <= number <= 9 or held != Qt.KeyboardModifier.NoModifier:
            return False
        if is_text_field(QApplication.focusWidget()):
            return False
        return number <= self._count() if number else self._has_zero()
