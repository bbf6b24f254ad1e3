"""The page of keys: gives keys to commands, tells clashes, writes the page for printing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from stepscope.app.gui.features.preferences.key_words import clash_words, key_caps, key_rows, keys_page
from stepscope.app.gui.shell.commands.bar import CommandBar
from stepscope.app.gui.shell.commands.key_table import KeyTable, key_name
from stepscope.app.gui.shell.context import Context
from stepscope.core.drafts import reason, write_whole
from stepscope.core.errors import UserError
from stepscope.widgets.preferences import KeyboardPage

FILE = "stepscope-keys.html"
HELD = {"": "Bare keys", "Shift": "Shift and a key", "Ctrl": "Ctrl and a key", "Alt": "Alt and a key"}

Change = Callable[[str, dict[str, object]], object]


class KeyboardController(QObject):
    """`change` makes a change of the preferences that can be taken back."""

    def __init__(self, context: Context, page: KeyboardPage, bar: CommandBar, change: Change) -> None:
        super().__init__(context)
        self._context, self._page, self._bar, self._change = context, page, bar, change
        page.asked.connect(self._ask)
        page.written.connect(self._write)
        page.given.connect(self._give)
        page.reset.connect(self._reset)
        page.export_wanted.connect(self.export)
        page.looked.connect(self._look)
        bar.keys_changed.connect(self.refresh)

    def refresh(self) -> None:
        """Show all keys as they are now."""
        self._page.show_rows(key_rows(self._bar.keys))

    def _ask(self, command: str, key: str) -> None:
        table = self._bar.keys
        if words := clash_words(table, command, key):
            can_give = not any(row in table.fixed for row in table.clashes(command, key))
            self._page.show_clash(key, words, can_give=can_give)

    def _write(self, command: str, keys: tuple[str, ...]) -> None:
        title = self._bar.keys.row(command).plain_text
        self._keep(f"Keys of {title}", self._bar.keys.with_keys(command, keys))

    def _give(self, command: str, key: str) -> None:
        title = self._bar.keys.row(command).plain_text
        self._keep(f"{key_name(key)} for {title}", self._bar.keys.given(command, key))

    def _reset(self, commands: tuple[str, ...]) -> None:
        self._keep("All keys as usual", self._bar.keys.as_usual(commands))

    def _keep(self, words: str, table: KeyTable) -> None:
        self._change(words, {"keys": tuple(table.chosen.items())})

    def _look(self, held: str, workspace: str) -> None:
        where = f" in {workspace.title()}" if workspace else ""
        self._page.set_caps(key_caps(self._bar.keys, held, workspace), f"{HELD[held]}{where}")

    def export(self) -> None:
        """Ask for a file, and write all keys there as a page."""
        text = keys_page(self._bar.keys)
        name, _filter = QFileDialog.getSaveFileName(self._context.dialog_parent, "Export Keys", FILE, "Pages (*.html)")
        if not name:
            return

        def write(_token: object) -> Path:
            path = Path(name)
            try:
                write_whole(path, text.encode())
            except OSError as error:
                raise UserError(
                    f"cannot be written: {reason(error)}", place=path, hint="Choose another folder."
                ) from error
            return path

        self._context.start(
            "write the keys", write, lambda path: self._context.messages.done(f"All keys are in {path}.")
        )
