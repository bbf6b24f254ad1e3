"""Data that goes while it is open, or was gone before: told once, and found again where it is now."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6 import QtWidgets
from PySide6.QtCore import QObject

from stepscope.app.gui.features.library.library_controller import LibraryController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.events import AnnotationsChanged, DataMissing, RunsChanged
from stepscope.app.services.provenance import source_title
from stepscope.core.lazy import lazy_module
from stepscope.core.regular_files import is_there
from stepscope.widgets.format import counted
from stepscope.widgets.library import EpisodesView

if TYPE_CHECKING:
    from stepscope.app.services import moved_data
    from stepscope.app.services.moved_data import OtherData
    from stepscope.core.store.repositories.moving import MovedRows
else:
    moved_data = lazy_module("stepscope.app.services.moved_data")


class MissingDataController(QObject):
    def __init__(self, context: Context, library: LibraryController, view: EpisodesView) -> None:
        super().__init__(context)
        self._context, self._library, self._view = context, library, view
        self._missing: set[Path] = set()
        """paths at which data was that is open, or that somebody asked for"""
        context.events.on(DataMissing, lambda event: self._tell(event.path))
        context.selection.source_changed.connect(self._show)
        library.opening.taken.connect(lambda source: self._is_back(source.source.path))
        view.locate_wanted.connect(self._locate_current)

    def _tell(self, path: Path) -> None:
        self._missing.add(path)
        self._context.messages.error(
            f"It was at {path}. Connect its disk, put it back, or say where it is now.",
            (partial(self.locate, path), "Locate again…"),
            (partial(self.try_again, path), "Try again"),
            title=f"{source_title(path)} is not there any more.",
            about=("missing", path),
        )
        self._show()
        self._library.listing.mark_current()  # the one that was asked for cannot be read

    def _show(self) -> None:
        """The list says what is missing, and so does the window's title."""
        source = self._context.selection.source
        missing = source is not None and source.source.path in self._missing
        self._view.set_missing(missing=missing)
        self._library.show_title(missing=missing)

    def _is_back(self, path: Path) -> None:
        if path in self._missing:
            self._missing.discard(path)
            self._context.messages.settle(("missing", path))
            self._show()

    def try_again(self, path: Path) -> None:
        """Look whether the data is there again."""

        def look(_token: object) -> bool:
            return is_there(path)

        def found(there: bool) -> None:
            if not there:
                self._tell(path)
                return
            self._is_back(path)
            source = self._context.selection.source
            if source is not None and source.source.path == path:
                self._library.rescan()

        self._context.start("look for the data", look, found)

    # Elsewhere -------------------------------------------------------------------------------------------------------

    def _locate_current(self) -> None:
        source = self._context.selection.source
        if source is not None:
            self.locate(source.source.path)

    def locate(self, path: Path) -> None:
        """Ask where the data is now, open it there, and let what is said of it go along."""
        title, near = f"Where is {source_title(path)} now?", str(next(filter(is_there, path.parents), Path.home()))
        if path.suffix:
            chosen, _ = QtWidgets.QFileDialog.getOpenFileName(self._context.dialog_parent, title, near)
        else:
            chosen = QtWidgets.QFileDialog.getExistingDirectory(self._context.dialog_parent, title, near)
        if chosen:
            self.follow(path, Path(chosen).resolve())
        else:
            self._tell(path)

    def follow(self, old: Path, new: Path) -> None:
        """Open the data where it is now; runs, annotations and answers go along where it is the same."""
        self._context.messages.settle(("missing", old))
        self._library.open_path(new, partial(self._opened, old, new))

    def _opened(self, old: Path, new: Path) -> None:
        source = self._context.selection.source
        if source is None or source.source.path != new:
            self._tell(old)  # it could not be opened, which has been told
            return

        def done(found: MovedRows | OtherData) -> None:
            if isinstance(found, moved_data.OtherData):
                self._tell_other(old, new, found)
            else:
                self._moved(old, new, found)

        self._context.write("follow the data", lambda database: moved_data.follow_data(database, old, new), done)

    def _tell_other(self, old: Path, new: Path, found: OtherData) -> None:
        lacks = f"{counted(found.missing, 'episode')} of {source_title(old)} are not in it"
        self._context.messages.warning(f"{lacks}. It is open beside it.", title=f"{source_title(new)} is other data.")
        self._tell(old)

    def _moved(self, old: Path, new: Path, found: MovedRows) -> None:
        context = self._context
        self._missing.discard(old)
        context.selection.move_letters(str(old), str(new))
        self._library.drop(old)
        context.prefer(**context.preferences.with_moved(str(old), str(new)).recent_changes())
        said = [
            counted(number, noun)
            for number, noun in ((found.runs, "run"), (found.annotations, "note"), (found.answers, "answer"))
            if number
        ]
        along = f" {' and '.join(said)} came along." if said else ""
        context.messages.done(f"{source_title(new)} is found again.{along}")
        context.events.publish(RunsChanged())
        context.events.publish(AnnotationsChanged(str(new), frozenset()))
        self._show()
