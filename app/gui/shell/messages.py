"""Telling the person: expected trouble in the message bar, once; bugs go on to the crash panel."""

from __future__ import annotations

import logging

from PySide6.QtCore import QObject, Signal

from stepscope.core.errors import StoreError, UserError
from stepscope.widgets.common import MessageBar

log = logging.getLogger("stepscope")


class Messages(QObject):
    """Puts words into the message bar. `store_damaged(StoreError)`: the store is, which is told in a way of its own."""

    store_damaged = Signal(StoreError)

    def __init__(self, bar: MessageBar, parent: QObject) -> None:
        super().__init__(parent)
        self._bar = bar
        self.button_pressed = bar.button_pressed

    def info(self, text: str, *buttons: tuple[str, str], title: str = "") -> None:
        self._bar.show_message("info", text, title=title, buttons=buttons)

    def take_away(self, text: str, title: str = "") -> None:
        """Take the message away: what it says is no longer needed."""
        self._bar.take_away(text, title)

    def done(self, text: str) -> None:
        """Something was finished; the message goes by itself."""
        self._bar.show_message("done", text)

    def warning(self, text: str, *buttons: tuple[str, str], title: str = "") -> None:
        self._bar.show_message("warn", text, title=title, buttons=buttons)

    def error(self, text: str, *buttons: tuple[str, str], title: str = "") -> None:
        self._bar.show_message("error", text, title=title, buttons=buttons)

    def failure(self, error: Exception) -> None:
        """A UserError is told, that of a damaged store as `store_damaged`; anything else is a bug and raised where the
        crash guard sees it."""
        if isinstance(error, StoreError) and error.of_damage:
            self.store_damaged.emit(error)
        elif isinstance(error, UserError):
            log.info("told: %s", error)
            self.error(str(error))
        else:
            raise error
