"""Finding one's way: command palette, shortcut page, guide, what this machine has, about."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from PySide6 import QtCore, QtWidgets
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication, QShortcut
from PySide6.QtWidgets import QDialog, QVBoxLayout

from stepscope.app.gui.shell.commands.bar import CommandBar
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.crash import versions
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.ports import Library
from stepscope.app.services.provenance import is_sample
from stepscope.core.bundled import licence_file
from stepscope.core.domain.filter import quoted
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.scoring.named_rules import rule_by_id
from stepscope.widgets.common.plain_words import window_title
from stepscope.widgets.library import SavedFilter

if TYPE_CHECKING:
    from stepscope.app.services import machine
    from stepscope.core.scoring.rule import ProtocolInfo
    from stepscope.widgets.shell.guide import GuideSection
    from stepscope.widgets.shell.palette.palette_row import PaletteRow
    from stepscope.widgets.shell.palette.view import CommandPalette
    from stepscope.widgets.start import start_values
else:
    machine = lazy_module("stepscope.app.services.machine")
    start_values = lazy_module("stepscope.widgets.start.start_values")

log = logging.getLogger("stepscope")

DOCS = Path(__file__).resolve().parents[3] / "docs"
DOCUMENTS = (
    "guide.md", "tutorial.md", "install.md", "cli.md", "glossary.md", "models.md", "own-formats.md", "sample.md",
    "devices.md", "campaigns.md", "webtasks.md", "store.md", "limits.md", "performance.md", "scale.md",
    "out-of-scope.md", "architecture.md", "reference/README.md",
)  # fmt: skip
FOLDERS = ("how-to", "protocols", "formats", "models")
"""What the guide's contents list, in order."""
CHAPTERS = {
    "results": "results", "compare": "compare", "ordering": "the-order-of-steps",
    "judge": "judge-descriptions", "live": "a-live-phone", "webtask": "web-tasks",
    "ambiguous": "review-ambiguous-tasks",
}  # fmt: skip
"""Where the guide opens while a workspace is in front."""
EPISODES_OFFERED = 2000
SAMPLE_BAR = "the sample's bar"
"""What the message for newcomers is about."""


@dataclass(frozen=True)
class PaletteOffer:
    """Rows of one `kind` for the palette, and what choosing one of them does, by its id."""

    kind: str
    rows: Callable[[], Sequence[PaletteRow]]
    choose: Callable[[str], object]


class HelpController(QObject):
    """Makes palette and pages of the declared commands and of what is open. In the palette saved filters are offered by
    their names, and a link that is typed or pasted as `link_row` has it: `follow` opens it. `more` offers what features
    have besides."""

    def __init__(
        self,
        context: Context,
        library: Library,
        replay: EpisodeViewer,
        *,
        saved_filters: Callable[[], Sequence[SavedFilter]],
        link_row: Callable[[str], PaletteRow | None],
        follow: Callable[[str], object],
        more: Sequence[PaletteOffer],
    ) -> None:
        super().__init__(context)
        self._context, self._library, self._replay = context, library, replay
        self._bar: CommandBar | None = None
        self._request = 0
        self._follow, self._saved_filters = follow, saved_filters
        self._link_row = link_row
        self._more = {offer.kind: offer for offer in more}
        self._opened: CommandPalette | None = None
        self.guide: QDialog | None = None
        """the open guide"""
        context.messages.button_pressed.connect(self._message_button)
        context.selection.source_changed.connect(self._leave_sample)
        context.workspaces.workspace_changed.connect(self._leave_sample)

    def bind(self, bar: CommandBar) -> None:
        self._bar = bar

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "tools.palette": self.open_palette,
            "help.shortcuts": self.show_shortcuts,
            "help.guide": lambda: self.open_guide("guide.md", CHAPTERS.get(self._context.workspaces.workspace, "")),
            "help.protocols": self.show_protocols,
            "help.formats": lambda: self.open_guide("formats/README.md"),
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
        rows = immediate_rows(self._bar, self._saved_filters(), episode.steps if episode else ())
        rows += [row for offer in self._more.values() for row in offer.rows()]
        self.palette.open_with(rows, query)
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
            case _:
                self._more[kind].choose(identity)

    # Pages -----------------------------------------------------------------------------------------------------------

    def show_shortcuts(self) -> None:
        from stepscope.widgets.shell.shortcuts import ShortcutPage, ShortcutRow

        assert self._bar is not None
        table, rows = self._bar.keys, []
        for row in (*table.rows, *table.fixed):
            if keys := row.keys if row in table.fixed else table.keys(row):
                group = row.menu.split("/")[0].replace("&", "") or "While held"
                rows.append(ShortcutRow(group, row.plain_text, keys, row.workspace.title()))
        page = ShortcutPage()
        page.set_rows(rows)
        dialog = self._make_dialog("Shortcuts", page, 720, 680)
        page.change_wanted.connect(partial(self._leave_for, dialog, "keys.change"))
        there = QShortcut(dialog)  # the window's own rests meanwhile
        there.setKeys(self._bar.actions["app.preferences"].shortcuts())
        there.activated.connect(partial(self._leave_for, dialog, "app.preferences"))
        dialog.open()

    def _leave_for(self, dialog: QDialog, command: str) -> None:
        assert self._bar is not None
        dialog.close()
        self._bar.run(command)

    def show_protocols(self) -> None:
        """Every rule with its mark; the page of the protocol whose rule is chosen first."""
        from stepscope.widgets.shell.protocols import ProtocolsView  # here: no other thread may load Qt's classes

        chosen = self._context.selection.rule.protocol

        def show(infos: list[ProtocolInfo]) -> None:
            view = ProtocolsView(infos)
            view.choose(chosen)
            self._show_dialog("Protocols", view, 860, 640)

        self._context.start("protocols", lambda _token: protocol_infos(), show)

    def show_about(self) -> None:
        from PySide6.QtWidgets import QMessageBox

        box = QMessageBox(self._context.dialog_parent)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setWindowTitle("About Stepscope")
        box.setText("Stepscope, a workbench for people who build GUI agents.")
        licences = licence_file()
        all_of_them = f" The licences of all that comes along are in {licences}." if licences else ""
        box.setInformativeText(
            f"{versions()}\n\nApache License 2.0. Qt is used under the LGPL.{all_of_them}\n\n"
            f"{start_values.NOTHING_SENT}"
        )
        box.setStandardButtons(QMessageBox.StandardButton.Close)
        copy = box.addButton("Copy &Diagnostics", QMessageBox.ButtonRole.ActionRole)
        copy.setToolTip("What this machine has, to be put into a report of a bug: no names of your data, no keys")
        copy.clicked.connect(self.copy_diagnostics)
        box.open()

    def copy_diagnostics(self) -> None:
        """What a report of a bug needs, onto the clipboard; it takes a second to ask the machine."""
        store = self._context.places.store_url

        def copied(text: str) -> None:
            QGuiApplication.clipboard().setText(text)
            self._context.messages.done("Diagnostics are on the clipboard.")

        self._context.start("diagnostics", lambda _token: machine.diagnostics(store), copied)

    def show_sample_bar(self) -> None:
        """Offer the sample to a newcomer: by a bar, not a dialog, that stays until something else is in front."""
        self._context.messages.info(
            "Its runs are no finding.",
            ("open.folder", "Open a folder"),
            ("device.connect", "Connect a phone"),
            ("help.tour", "Tour"),
            title="This is the sample.",
            about=SAMPLE_BAR,
        )

    def _leave_sample(self) -> None:
        source = self._context.selection.source
        is_there = source is not None and is_sample(source.source.path)
        if not is_there or self._context.workspaces.workspace != "replay":
            self._context.messages.settle(SAMPLE_BAR)

    def _message_button(self, identity: str) -> None:
        """Buttons of messages are commands."""
        if self._bar is not None and identity in self._bar.actions:
            self._bar.run(identity)

    def show_crash(self, title: str, report: str) -> None:
        """A bug: what happened with all that a report needs; the window lives on."""
        page = QtWidgets.QPlainTextEdit(f"{title}\n\nThis is a bug of Stepscope. Your results are kept.\n\n{report}")
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

    # Guide -----------------------------------------------------------------------------------------------------------

    def open_guide(self, file: str, heading: str = "") -> None:
        """Show a document beside the window, at a heading; the window goes on meanwhile."""

        def read(_token: object) -> list[GuideSection]:
            from stepscope.widgets.shell.guide.sections import sections_of

            paths = [DOCS / name for name in DOCUMENTS] + [
                path for folder in FOLDERS for path in sorted((DOCS / folder).glob("*.md"))
            ]
            there = [path for path in paths if path.is_file()]
            return [
                section
                for path in there
                for section in sections_of(path.relative_to(DOCS).as_posix(), path.read_text("utf-8"))
            ]

        def show(sections: list[GuideSection]) -> None:
            self._show_guide(sections, file, heading)

        self._context.start("read the guide", read, show)

    def _show_guide(self, sections: list[GuideSection], file: str, heading: str) -> None:
        from stepscope.widgets.shell.guide import GuideView

        if self.guide is None:
            made = GuideView(DOCS)
            made.outside.connect(self._open_outside)
            self.guide = self._make_dialog("Guide", made, 1080, 760)
            self.guide.destroyed.connect(lambda: setattr(self, "guide", None))
        view = cast(GuideView, self.guide.findChild(GuideView))
        self.guide.show()
        self.guide.raise_()
        self.guide.activateWindow()
        view.set_sections(sections)
        view.open(file, heading)
        view.page.setFocus()

    def _open_outside(self, link: QtCore.QUrl) -> None:
        """A link that leads to the web opens in the browser; where there is none it can be copied."""
        from PySide6.QtGui import QDesktopServices

        if not QDesktopServices.openUrl(link):
            QGuiApplication.clipboard().setText(link.toString())
            self._context.messages.info(f"{link.toString()} is on the clipboard.", title="There is no browser here.")

    def _show_dialog(self, title: str, page: Any, width: int, height: int) -> None:
        self._make_dialog(title, page, width, height).open()

    def _make_dialog(self, title: str, page: Any, width: int, height: int) -> QDialog:
        dialog = QDialog(self._context.dialog_parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(window_title(title))
        dialog.resize(width, height)
        column = QVBoxLayout(dialog)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(page)
        return dialog


def protocol_infos() -> list[ProtocolInfo]:
    """What every protocol says of itself, by title."""
    from stepscope.core.scoring.registry import PROTOCOLS

    return sorted((scorer.info for scorer in PROTOCOLS.values()), key=lambda info: info.title.casefold())
