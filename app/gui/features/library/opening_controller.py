"""Opening data sets: reading them in the background, stopping that, reading them whole afterwards, those opened before.

One source at a time is taken up for showing; what becomes of its list is the library's business.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6 import QtWidgets
from PySide6.QtCore import QObject, Signal, SignalInstance
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from stepscope.app.gui.features.library.presenter import progress_words
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.selection import OpenSource
from stepscope.app.gui.shell.tasks import BackgroundTask
from stepscope.app.services.provenance import SAMPLE_WEB, is_sample, source_title
from stepscope.core.archives.opening import ARCHIVE_SUFFIXES
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.regular_files import is_file
from stepscope.widgets import format as words
from stepscope.widgets.common.plain_words import plain_label

if TYPE_CHECKING:
    from stepscope.app.services import indexing, library
    from stepscope.app.services.library import CheckProgress, ExternalIndexProgress, IndexProgress
    from stepscope.widgets.library import EpisodesView
else:
    indexing = lazy_module("stepscope.app.services.indexing")
    library = lazy_module("stepscope.app.services.library")

PREDICTION_SUFFIXES = (".jsonl", ".ndjson")
BUNDLE_SUFFIX = ".bundle"
EPISODE_FILE = "episode.json"
"""Lies in the folder of every recording."""

MOST_AT_ONCE = 20
"""Whoever drops more means the folder that they lie in: each would be a data set of its own."""

LANE = "index"

REFRESH_SECONDS = 2.0
"""How often rows are read again while episodes are read whole: their apps and actions may have become known."""


@dataclass(slots=True)
class _OpenedTogether:
    """Paths that were opened at once: which of them is shown, by its place among them, and its key."""

    place: int | None = None
    key: str = ""


@dataclass(frozen=True, slots=True)
class _Turn:
    """The place of one of them."""

    together: _OpenedTogether
    place: int

    def may_show(self, current: str) -> bool:
        """Whether it is to be shown beside `current`, which is: none of them is yet, or a later one, and the person has
        not gone elsewhere."""
        shown = self.together
        return shown.place is None or (self.place < shown.place and current == shown.key)

    def show(self, key: str) -> None:
        self.together.place, self.together.key = self.place, key


def _unshown() -> _Turn:
    """That of a source which is opened beside one that is shown."""
    return _Turn(_OpenedTogether(place=-1), 0)


class OpeningController(QObject):
    """`taken(source)`: show this one. `grown(old, new)`: its list is another one. `completed(old, new)`: rows that are
    listed already say more. `ended(path)`: it has been read."""

    taken = Signal(object)
    grown = Signal(object, object)
    completed = Signal(object, object)
    ended = Signal(object)
    predictions_dropped = Signal(str)
    bundle_dropped = Signal(str)

    def __init__(self, context: Context, view: EpisodesView) -> None:
        super().__init__(context)
        self._context, self._view = context, view
        self._reading: dict[str, BackgroundTask] = {}
        """tasks under way by the title of what they read"""
        self._told: dict[str, str] = {}

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "open.folder": self.ask_for_folder,
            "open.file": self.ask_for_file,
            "open.sample_web": lambda: self.open_path(
                SAMPLE_WEB, lambda: self._context.workspaces.set_workspace("webtask")
            ),
            "open.procedures": self.open_as_procedures,
            "source.stop": self.stop,
        }

    def fill_recent_menu_of(self, file_menu: QMenu, before: QAction) -> None:
        """Put Open Recent into the File menu; it is filled when it is shown."""
        menu = QMenu("Open &Recent", file_menu)
        file_menu.insertMenu(before, menu)
        menu.aboutToShow.connect(lambda: self._fill_recent(menu))

    def _fill_recent(self, menu: QMenu) -> None:
        menu.clear()
        for path in self._context.preferences.recent:
            action = menu.addAction(plain_label(path))
            action.triggered.connect(lambda _checked=False, chosen=path: self.open_paths([chosen]))
        if not self._context.preferences.recent:
            menu.addAction("Nothing was opened yet").setEnabled(False)

    def ask_for_folder(self) -> None:
        start = self._context.preferences.recent[0] if self._context.preferences.recent else str(Path.home())
        window, title = self._context.dialog_parent, "Open a data set's folder"
        chosen = QtWidgets.QFileDialog.getExistingDirectory(window, title, start)
        if chosen:
            self.open_paths([chosen])

    def ask_for_file(self) -> None:
        chosen, _ = QtWidgets.QFileDialog.getOpenFileName(self._context.dialog_parent, "Open a file", str(Path.home()))
        if chosen:
            self.open_paths([chosen])

    def open_paths(self, paths: Iterable[str]) -> None:
        """Open folders, files and archives; a recording's own file stands for its folder, predictions are imported. Of
        several that are data the first is shown, in whatever order they are read; where it cannot be opened, the next.
        Of very many the first are opened, and one message tells of the others."""
        wanted = list(map(Path, paths))
        together = _OpenedTogether()
        for place, path in enumerate(wanted[:MOST_AT_ONCE]):
            turn = _Turn(together, place)
            if path.suffix.lower() in PREDICTION_SUFFIXES:
                self._open_lines(path, turn)
            elif path.suffix.lower() == BUNDLE_SUFFIX:
                self._open_bundle(path, turn)
            elif path.name.lower().endswith(ARCHIVE_SUFFIXES):
                self._if_file(path, partial(self._unpack, turn=turn), turn)
            elif path.name == EPISODE_FILE:
                self._if_file(path, partial(self._open_folder_of, turn=turn), turn)
            else:
                self.open_path(path, turn=turn)
        if (more := len(wanted) - MOST_AT_ONCE) > 0:
            self._context.messages.warning(
                f"Only the first {MOST_AT_ONCE} are opened at once. Open the folder that holds them all.",
                title=f"{more:,} of {len(wanted):,} were left out.",
            )

    def _if_file(self, path: Path, then: Callable[[Path], object], turn: _Turn) -> None:
        """Do something with a file; what is no file is opened as it is, which says why it cannot be. A disk may take
        its time to say so."""
        self._context.start(
            f"look at {path.name}",
            lambda _token: is_file(path),
            lambda found: then(path) if found else self.open_path(path, turn=turn),
        )

    def _open_folder_of(self, file: Path, turn: _Turn) -> None:
        self.open_path(file.parent, turn=turn)

    def _open_bundle(self, path: Path, turn: _Turn) -> None:
        """A file named like a run bundle is imported where it is one."""

        def is_bundle(_token: object) -> bool:
            from stepscope.core.sources.bundle_mark import is_run_bundle

            return is_file(path) and is_run_bundle(path)

        def known(found: bool) -> None:
            if found:
                self.bundle_dropped.emit(str(path))
            else:
                self.open_path(path, turn=turn)

        self._context.start(f"look at {path.name}", is_bundle, known)

    def _open_lines(self, path: Path, turn: _Turn) -> None:
        """A file of JSON Lines is a data set, or else predictions for one."""

        def is_data(_token: object) -> bool:
            from stepscope.core.sources.registry import detect_all

            return is_file(path) and bool(detect_all(path))

        def known(found: bool) -> None:
            if found:
                self.open_path(path, turn=turn)
            else:
                self.predictions_dropped.emit(str(path))

        self._context.start(f"look at {path.name}", is_data, known)

    def open_as_procedures(self) -> None:
        """The current source once more, its episodes as procedures."""
        source = self._context.selection.source
        if source is not None:
            self.open_path(source.source.path, as_procedures=True)

    def open_path(
        self,
        path: Path,
        then: Callable[[], object] | None = None,
        *,
        again: bool = False,
        remember: bool = True,
        as_procedures: bool = False,
        shown: bool = True,
        known: Callable[[], object] | None = None,
        turn: _Turn | None = None,
    ) -> None:
        """Open one path in the background; its rows appear while it is still being read. `then` is called at the end,
        also when it cannot be opened or reading is stopped. `known` is called before it is shown, where the store has
        its whole index. `turn`: its place among those opened together."""
        turn = turn if shown else _unshown()
        database = self._context.database
        if database is None:
            self._context.store_opened.connect(
                lambda: self.open_path(
                    path, then, again=again, remember=remember, as_procedures=as_procedures, known=known, turn=turn
                )
            )
            return
        title = source_title(path, as_procedures)
        now: list[OpenSource] = []

        def progressed(index: IndexProgress | ExternalIndexProgress) -> None:
            if isinstance(index, library.ExternalIndexProgress):
                self._tell(title, f"{title}: {index}")
                return
            if index.file is not None:
                self._tell(title, f"Reading {title}: {words.counted(index.episodes, 'episode')}, {index.file}")
                return
            fresh = _open_source(index, title, as_procedures)
            if not now and known is not None and (index.old or index.whole):
                known()
            if not now and not (again and self._left_behind(fresh)):
                self._take(fresh, turn)
            elif not now:
                self._grow(fresh, fresh)
            elif fresh != now[0]:  # an index that was known from before is that of the files, as a rule
                self._grow(now[0], fresh)
            now[:] = [fresh]
            if not index.old:
                self._tell(title, f"Reading {title}: {words.counted(index.episodes, 'episode')}")

        def ended(_value: object) -> None:
            self.ended.emit(path)
            if then:
                then()
            if now:
                self._check(now[0])

        self._tell(title, f"Reading {title}")
        task = self._context.start(
            f"Reading {title}",
            lambda token: indexing.open_aside(database, path, token, again=again, as_procedures=as_procedures),
            ended,
            failed=partial(self._not_opened, path, then),
            lane=LANE,
        )
        task.progressed.connect(progressed)
        task.cancelled.connect(lambda: self._stopped(title, now, then))
        self._follow(title, task)
        if remember and not is_sample(path):
            self._remember(path)

    def stop(self) -> None:
        """Stop all reading; what has been read stays open."""
        for task in list(self._reading.values()):
            task.cancel()

    def stop_for(self, source: OpenSource) -> None:
        """Stop reading one source: it is being closed or read anew."""
        task = self._reading.get(source.title)
        if task is not None:
            task.cancel()

    def is_reading(self, source: OpenSource) -> bool:
        """Whether its data is still being read."""
        return source.title in self._reading

    def reading_words(self) -> str:
        """What is being read, "" for nothing."""
        return next(reversed(self._told.values()), "")

    # What comes of it ------------------------------------------------------------------------------------------------

    def _take(self, fresh: OpenSource, turn: _Turn | None = None) -> None:
        """It is open now; shown, unless one that was given before it, together with it, is."""
        context = self._context
        context.messages.settle(("source", fresh.key))
        context.sources = [other for other in context.sources if other.key != fresh.key] + [fresh]
        current = context.selection.source
        if turn is None or turn.may_show(current.key if current is not None else ""):
            if turn is not None:
                turn.show(fresh.key)
            self.taken.emit(fresh)
        else:
            self.grown.emit(fresh, fresh)

    def _left_behind(self, fresh: OpenSource) -> bool:
        """Whether a source that is read anew is open and the person has gone to another one meanwhile."""
        context = self._context
        current = context.selection.source
        return current is not None and current.key != fresh.key and any(s.key == fresh.key for s in context.sources)

    def _grow(self, old: OpenSource, fresh: OpenSource, signal: SignalInstance | None = None) -> None:
        """Take in more of a source that is being read, or all of it; a source read anew has another index in the
        store."""
        context = self._context
        known = next((source for source in context.sources if source.key == old.key), None)
        if known is not None:
            context.sources = [fresh if source is known else source for source in context.sources]
            (signal or self.grown).emit(known, fresh)

    def _check(self, source: OpenSource) -> None:
        """Read every episode whole of which only the outline is known."""
        database = self._context.database
        if database is None:
            return
        now, due = [source], [time.monotonic() + REFRESH_SECONDS]

        def progressed(done: CheckProgress) -> None:
            stored = done.stored
            fresh = replace(now[0], episodes=stored.episodes, problems=stored.problems)
            if fresh != now[0] or done.progress.done == done.progress.total or time.monotonic() > due[0]:
                self._grow(now[0], fresh, self.completed)
                now[:], due[:] = [fresh], [time.monotonic() + REFRESH_SECONDS]
            self._tell(source.title, f"Checking {source.title}: {progress_words(done.progress)}")

        task = self._context.start(
            f"Checking {source.title}",
            lambda token: indexing.check_aside(database, source.id, source.source, token),
            lane=LANE,
            priority=-2,
        )
        task.progressed.connect(progressed)
        self._follow(source.title, task)

    def _unpack(self, path: Path, turn: _Turn | None = None) -> None:
        from stepscope.app.services.unpacking import unpack

        def unpacked(folder: Path | None) -> None:
            if folder is not None:
                self.open_path(folder, remember=False, turn=turn)

        title = path.name
        task = self._context.start(
            f"Unpacking {title}",
            lambda token: unpack(path, token),
            unpacked,
            failed=partial(self._not_opened, path, None),
            lane=LANE,
        )
        task.progressed.connect(lambda done: self._tell(title, f"Unpacking {title}: {progress_words(done)}"))
        self._follow(title, task)
        self._tell(title, f"Unpacking {title}")
        self._remember(path)

    def _remember(self, path: Path) -> None:
        """Put it at the head of what was opened."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        self._context.prefer(**self._context.preferences.with_recent(str(path), now).recent_changes())

    def _stopped(self, title: str, now: list[OpenSource], then: Callable[[], object] | None) -> None:
        if now:
            found = words.counted(now[0].episodes, "episode")
            self._context.messages.warning(
                f"{found} were found and are open. Read Source Again goes through all of it.",
                title=f"Stopped reading {title}.",
                about=("source", now[0].key),
            )
        if then:
            then()

    def _not_opened(self, path: Path, then: Callable[[], object] | None, error: Exception) -> None:
        self._context.messages.failure(error, about=("source", str(path)))
        if str(path) not in self._context.preferences.recent_pinned:
            self._context.prefer(**self._context.preferences.without_recent(str(path)).recent_changes())
        if then:
            then()

    def _follow(self, title: str, task: BackgroundTask) -> None:
        """Keep a task in sight until it ends."""
        self._reading[title] = task
        self._context.conditions.set("reading", True)

        def finished() -> None:
            if self._reading.get(title) is task:
                del self._reading[title]
                self._tell(title, "")
            self._context.conditions.set("reading", bool(self._reading))

        task.finished.connect(finished)

    def _tell(self, title: str, said: str) -> None:
        self._told.pop(title, None)
        if said:
            self._told[title] = said
        self._view.set_loading(self.reading_words())


def _open_source(index: IndexProgress, title: str, as_procedures: bool) -> OpenSource:
    counts = index.episodes, index.skipped, index.problems
    return OpenSource(index.source_id, index.source, title, *counts, as_procedures)
