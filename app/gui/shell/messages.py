"""Telling the person: expected trouble in the message bar, once; bugs go on to the crash panel.

A button is a command's id, or what is to be done, and its words. A message may say what it is `about`: once that is
settled (the data is closed, the run goes on), it goes.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable
from itertools import count
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from stepscope.core.errors import StoreError, UserError
from stepscope.widgets.common import MessageBar

log = logging.getLogger("stepscope")

MessageButton = tuple[str | Callable[[], object], str]


class Messages(QObject):
    """Puts words into the message bar. `store_damaged(StoreError)`: the store is, which is told in a way of its own.
    `button_pressed` gives the id of a button that is a command."""

    store_damaged = Signal(StoreError)
    button_pressed = Signal(str)

    def __init__(self, bar: MessageBar, parent: QObject) -> None:
        super().__init__(parent)
        self._bar = bar
        self._numbers = count()
        self._actions: dict[str, Callable[[], object]] = {}
        """what buttons do that are no commands, by the ids that they have in the bar"""
        bar.button_pressed.connect(self._press)
        bar.message_gone.connect(lambda buttons: [self._actions.pop(one, None) for one in buttons])

    def keep_clear(self, bar: QWidget) -> None:
        """A bar at the foot of a view in the middle: passing messages lie above it while it is shown."""
        self._bar.keep_clear(bar)

    def info(self, text: str, *buttons: MessageButton, title: str = "", about: Hashable = None) -> None:
        self._show("info", text, title, buttons, about)

    def done(self, text: str, *buttons: MessageButton, about: Hashable = None) -> None:
        """Something was finished; the message goes by itself, and later where it has a button."""
        self._show("done", text, "", buttons, about)

    def wrote(self, text: str, path: Path) -> None:
        """A file or folder was written; it can be shown where it lies."""
        self.done(text, (lambda: self._show_folder(path), "Show"))

    def _show_folder(self, path: Path) -> None:
        from PySide6.QtCore import QUrl
        from PySide6.QtGui import QDesktopServices

        folder = path if path.is_dir() else path.parent
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
            self.info(f"{path}", title="It lies here:")

    def warning(self, text: str, *buttons: MessageButton, title: str = "", about: Hashable = None) -> None:
        self._show("warn", text, title, buttons, about)

    def error(self, text: str, *buttons: MessageButton, title: str = "", about: Hashable = None) -> None:
        self._show("error", text, title, buttons, about)

    def settle(self, about: Hashable) -> None:
        """What messages were about is no more, or in order again: they go."""
        self._bar.take_away(about)

    def failure(self, error: Exception, about: Hashable = None) -> None:
        """A UserError is told, that of a damaged store as `store_damaged`; anything else is a bug and raised where the
        crash guard sees it."""
        if isinstance(error, StoreError) and error.of_damage:
            self.store_damaged.emit(error)
        elif isinstance(error, UserError):
            log.info("told: %s", error)
            self.error(error.words_in_window, about=about)
        else:
            raise error

    def _show(self, kind: str, text: str, title: str, buttons: tuple[MessageButton, ...], about: Hashable) -> None:
        self._bar.show_message(kind, text, title, [(self._id_of(what), words) for what, words in buttons], about)

    def _id_of(self, what: str | Callable[[], object]) -> str:
        if isinstance(what, str):
            return what
        identity = f"#{next(self._numbers)}"
        self._actions[identity] = what
        return identity

    def _press(self, identity: str) -> None:
        action = self._actions.pop(identity, None)
        if action is not None:
            action()
        else:
            self.button_pressed.emit(identity)
