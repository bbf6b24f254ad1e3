"""Preferences ▸ Privacy ▸ Never sent: the rules in a dialog of their own, kept as soon as they are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from stepscope.app.gui.shell.context import Context
from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.widgets.preferences.redactions_dialog import RedactionRow, RedactionsDialog

if TYPE_CHECKING:
    from stepscope.models.chat import redaction_rules
    from stepscope.models.chat.redaction_rules import RedactionRule
else:
    redaction_rules = lazy_module("stepscope.models.chat.redaction_rules")

Written = Callable[[CancelToken], "tuple[RedactionRule, ...]"]
"""Changes the rules; gives what they are then."""


class RedactionsController(QObject):
    """`changed`: there is a rule more or less."""

    changed = Signal()

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self.dialog: RedactionsDialog | None = None

    def open(self) -> None:
        """The rules as they are now."""
        dialog = RedactionsDialog(self._context.dialog_parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.added.connect(self._add)
        dialog.removed.connect(self._remove)
        dialog.finished.connect(self._closed)
        self.dialog = dialog
        dialog.open()
        self._context.start("rules of what is never sent", _rules, self._show, failed=self._failed)

    def _closed(self) -> None:
        self.dialog = None

    def _add(self, given: Mapping[str, str]) -> None:
        def keep(token: CancelToken) -> tuple[RedactionRule, ...]:
            redaction_rules.add(redaction_rules.RedactionRule(**given))
            return _rules(token)

        self._write("keep a rule", keep, added=True)

    def _remove(self, name: str) -> None:
        def forget(token: CancelToken) -> tuple[RedactionRule, ...]:
            redaction_rules.remove(name)
            return _rules(token)

        self._write("forget a rule", forget)

    def _write(self, name: str, work: Written, *, added: bool = False) -> None:
        def written(rules: tuple[RedactionRule, ...]) -> None:
            self._show(rules, added)
            self.changed.emit()

        self._context.start(name, work, written, failed=self._failed, lane="writer")

    def _show(self, rules: tuple[RedactionRule, ...], added: bool = False) -> None:
        if self.dialog is not None:
            self.dialog.show_rules([RedactionRow(one.name, one.words) for one in rules], added)

    def _failed(self, error: Exception) -> None:
        if self.dialog is not None and isinstance(error, UserError):
            self.dialog.set_trouble(error.words_in_window)
        else:
            self._context.messages.failure(error)


def _rules(_token: CancelToken) -> tuple[RedactionRule, ...]:
    return redaction_rules.load()
