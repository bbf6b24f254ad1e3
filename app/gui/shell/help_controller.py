"""Finding one's way: command palette, shortcut page, guide, what this machine has, about."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QVBoxLayout

from stepscope.app.gui.shell.commands.bar import CommandBar
from stepscope.app.gui.shell.commands.table import COMMANDS, HELD_KEYS
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.crash import versions
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.ports import Library
from stepscope.core.domain.filter import quoted
from stepscope.core.scoring.named_rules import rule_by_id
from stepscope.widgets.common.plain_words import window_title
from stepscope.widgets.library import SavedFilter

if TYPE_CHECKING:
    from stepscope.core.scoring.rule import ProtocolInfo
    from stepscope.widgets.shell.palette.palette_row import PaletteRow
    from stepscope.widgets.shell.palette.view import CommandPalette

log = logging.getLogger("stepscope")

DOCS = Path(__file__).resolve().parents[3] / "docs"
EPISODES_OFFERED = 2000


class HelpController(QObject):
    """Makes palette and pages of the declared commands and of what is open. In the palette saved filters are offered by
    their names, and a link that is typed or pasted as `link_row` has it: `follow` opens it."""

    def __init__(
        self,
        context: Context,
        library: Library,
        replay: EpisodeViewer,
        *,
        saved_filters: Callable[[], Sequence[SavedFilter]],
        link_row: Callable[[str], PaletteRow | None],
        follow: Callable[[str], object],
    ) -> None:
        super().__init__(context)
        self._context, self._library, self._replay = context, library, replay
        self._bar: CommandBar | None = None
        self._request = 0
        self._follow, self._saved_filters = follow, saved_filters
        self._link_row = link_row
        self._opened: CommandPalette | None = None
        context.messages.button_pressed.connect(self._message_button)

    def bind(self, bar: CommandBar) -> None:
        self._bar = bar

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "tools.palette": self.open_palette,
            "help.shortcuts": self.show_shortcuts,
            "help.guide": lambda: self._open_document("guide.md"),
            "help.protocols": self.show_protocols,
            "help.formats": lambda: self._open_document("formats"),
            "help.machine": self.show_machine,
            "help.about": self.show_about,
        }

    # Palette ---------------------------------------------------------------------------------------------------------

    @property
    def palette(self) -> CommandPalette:
        """Made when it is first opened."""
        if self._opened is None:
            from stepscope.widgets.shell.palette.view import CommandPalette

            self._opened = CommandPalette(self._context.dialog_parent, self._link_row)
            self._opened.chosen.connect(self._chosen)
        return self._opened

    def open_palette(self) -> None:
        self.open_palette_on("")

    def open_palette_on(self, query: str) -> None:
        """Show it at once with commands and rules; episodes follow when the store has answered."""
        from stepscope.app.gui.shell.palette_offer import immediate_rows, stored_rows

        assert self._bar is not None
        episode, source = self._context.selection.episode, self._context.selection.source
        self.palette.open_with(
            immediate_rows(self._bar, self._saved_filters(), episode.steps if episode else ()), query
        )
        if source is None:
            return
        id, ids = source.id, self._library.ids[:EPISODES_OFFERED]
        self._request += 1
        request = self._request

        def answer(rows: list[PaletteRow]) -> None:
            if request == self._request:
                self.palette.add_rows(rows)

        self._context.query("palette", lambda database: stored_rows(database, id, ids), answer)

    def _chosen(self, kind: str, identity: str) -> None:
        match kind:
            case "command":
                assert self._bar is not None
                self._bar.run(identity)
            case "rule":
                self._context.selection.set_rule(rule_by_id(identity))
            case "step":
                self._replay.go(int(identity))
            case "episode":
                self._replay.open_episode(identity)
            case "link":
                self._follow(identity)
            case "filter":
                self._library.set_filter(identity, tell_view=True)
            case "app":
                self._library.set_filter(f"app:{quoted(identity)}", tell_view=True)

    # Pages -----------------------------------------------------------------------------------------------------------

    def show_shortcuts(self) -> None:
        from stepscope.widgets.shell.shortcuts import ShortcutPage, ShortcutRow

        assert self._bar is not None
        rows = []
        for row in (*COMMANDS, *HELD_KEYS):
            if row.keys:
                group = row.menu.split("/")[0].replace("&", "") or "While held"
                rows.append(ShortcutRow(group, row.plain_text, row.keys, row.workspace.title()))
        page = ShortcutPage()
        page.set_rows(rows)
        self._show_dialog("Shortcuts", page, 560, 640)

    def show_protocols(self) -> None:
        """Every rule with its mark; the page of the protocol whose rule is chosen first."""
        from stepscope.widgets.shell.protocols import ProtocolsView  # here: no other thread may load Qt's classes

        chosen = self._context.selection.rule.protocol

        def show(infos: list[ProtocolInfo]) -> None:
            view = ProtocolsView(infos)
            view.choose(chosen)
            self._show_dialog("Protocols", view, 860, 640)

        self._context.start("protocols", lambda _token: protocol_infos(), show)

    def show_machine(self) -> None:
        """What the command line's doctor says, asked in the background."""

        def ask(_token: object) -> str:
            from stepscope.app.services.machine import report_lines

            return "\n".join(report_lines(self._context.places.store_url))

        def show(text: str) -> None:
            page = QPlainTextEdit(text)
            page.setReadOnly(True)
            page.setProperty("mono", True)
            self._show_dialog("This machine", page, 640, 520)

        self._context.start("check this machine", ask, show)

    def show_about(self) -> None:
        from PySide6.QtWidgets import QMessageBox

        box = QMessageBox(self._context.dialog_parent)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setWindowTitle("About Stepscope")
        box.setText("Stepscope, a workbench for people who build GUI agents.")
        box.setInformativeText(f"{versions()}\n\nApache License 2.0. Qt is used under the LGPL.")
        box.open()

    def show_sample_bar(self) -> None:
        """Offer the sample to a newcomer: by a bar, not a dialog."""
        self._context.messages.info(
            "Made by this project on a simulated phone.",
            ("open.folder", "Open a folder"),
            ("help.guide", "Guide"),
            title="This is the sample.",
        )

    def _message_button(self, identity: str) -> None:
        """Buttons of messages are commands."""
        if self._bar is not None and identity in self._bar.actions:
            self._bar.run(identity)

    def show_crash(self, title: str, report: str) -> None:
        """A bug: what happened with all that a report needs; the window lives on."""
        page = QPlainTextEdit(f"{title}\n\nThis is a bug of Stepscope. Your results are kept.\n\n{report}")
        page.setReadOnly(True)
        page.setProperty("mono", True)
        self._show_dialog("Something went wrong", page, 760, 480)

    def tell_of_crash(self, report: str) -> None:
        """The last run of the program ended in a crash of Qt or of a library."""
        log.warning("the last run ended with\n%s", report)
        self._context.messages.warning("Its results are kept, the report is in the log.", title="The last run crashed.")

    def close_palette(self) -> None:
        if self._opened is not None:
            self._opened.dismiss()

    def _open_document(self, name: str) -> None:
        path = DOCS / name
        if path.exists():
            from PySide6.QtCore import QUrl
            from PySide6.QtGui import QDesktopServices

            QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
        else:
            self._context.messages.warning("The documentation is not installed here. It lies in docs/ of the source.")

    def _show_dialog(self, title: str, page: Any, width: int, height: int) -> None:
        dialog = QDialog(self._context.dialog_parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(window_title(title))
        dialog.resize(width, height)
        column = QVBoxLayout(dialog)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(page)
        dialog.open()


def protocol_infos() -> list[ProtocolInfo]:
    """What every protocol says of itself, by title."""
    from stepscope.core.scoring.registry import PROTOCOLS

    return sorted((scorer.info for scorer in PROTOCOLS.values()), key=lambda info: info.title.casefold())
