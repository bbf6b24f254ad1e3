"""What every controller works with: one of each, made at start and handed around."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QSettings, Signal
from PySide6.QtWidgets import QWidget

from stepscope.app.gui.shell.commands.bar import Conditions
from stepscope.app.gui.shell.events import Events
from stepscope.app.gui.shell.long_work import LongWork
from stepscope.app.gui.shell.main_window import MainWindow
from stepscope.app.gui.shell.messages import Messages
from stepscope.app.gui.shell.picture_prefetcher import PicturePrefetcher
from stepscope.app.gui.shell.preferences import load_preferences, save_preferences
from stepscope.app.gui.shell.selection import OpenSource, Selection
from stepscope.app.gui.shell.task_history import StepTimes
from stepscope.app.gui.shell.tasks import BackgroundTask, TaskRunner, Work
from stepscope.core.domain.episode import Picture
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import StoreError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.named_rules import RULES
from stepscope.core.settings import user_config_dir

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

    from stepscope.app.gui.shell.ports import Workspaces
    from stepscope.core.store.engine import Database


@dataclass(frozen=True)
class AppFolders:
    """The folders of the window's own files."""

    preferences: Path
    layout: Path
    store_url: str

    @classmethod
    def of_user(cls, store_url: str) -> AppFolders:
        folder = user_config_dir()
        return cls(folder / "preferences.json", folder / "window.ini", store_url)

    def open_layout(self) -> QSettings:
        """The settings of the window; its folder is made where it can be."""
        with suppress(OSError):  # where nothing can be kept, the window is as it is at first
            self.layout.parent.mkdir(parents=True, exist_ok=True)
        return QSettings(str(self.layout), QSettings.Format.IniFormat)


class Context(QObject):
    """`store_opened` fires once the database is there; until then `database` is None and nothing is asked of it.
    `settled` fires once, when what the window begins with is shown: what is not in front may be read from then on. Of
    the window it knows what all features need: the workspaces, the status line, and what dialogs open over."""

    store_opened = Signal()
    settled = Signal()
    preferences_changed = Signal()
    annotator_leaves = Signal()
    annotator_changed = Signal()

    def __init__(self, places: AppFolders, layout: QSettings, window: MainWindow) -> None:
        super().__init__()
        self.places, self.layout = places, layout
        self.preferences = load_preferences(places.preferences)
        self.selection = Selection(RULES[0], self)
        self.workspaces: Workspaces = window
        self.dialog_parent: QWidget = window
        self.status = window.status
        self.events = Events(lambda: window.workspace, self)
        window.workspace_changed.connect(self.events.tell)
        self.messages = Messages(window.messages, self)
        self.tasks = TaskRunner(self)
        self.step_times = StepTimes()
        self.long_work = LongWork(window.task_chip, self)
        self.conditions = Conditions(self)
        self.pictures = PicturePrefetcher(self.preferences.cache_megabytes * 2**20, self)
        self.cache, self.thumbnails = self.pictures.whole, self.pictures.small
        self.database: Database | None = None
        self.sources: list[OpenSource] = []

    def prefer(self, **changes: Any) -> None:
        """Change preferences; they hold at once and are written in the background. Who works under a name is told
        before it is another's, to keep what is unsaved under the old one, and after it."""
        renamed = changes.get("annotator", self.preferences.annotator) != self.preferences.annotator
        if renamed:
            self.annotator_leaves.emit()
        self.preferences = replace(self.preferences, **changes)
        self.cache.set_limit(self.preferences.cache_megabytes * 2**20)
        chosen, path = self.preferences, self.places.preferences
        self.start("save preferences", lambda _token: save_preferences(chosen, path), lane="writer")
        self.preferences_changed.emit()
        if renamed:
            self.annotator_changed.emit()

    def start(
        self,
        name: str,
        work: Work,
        done: Callable[[Any], object] | None = None,
        *,
        failed: Callable[[Exception], object] | None = None,
        lane: str = "reader",
        priority: int = 0,
    ) -> BackgroundTask:
        """Start work off the GUI thread; `done` gets its value there. A failure is told in the message bar."""
        task = self.tasks.start(name, work, lane=lane, priority=priority)
        if done is not None:
            task.succeeded.connect(done)
        task.failed.connect(failed or self.messages.failure)
        task.failed.connect(self._look_for_damage)
        return task

    def thumbnail(
        self, picture: Picture, room: Size, take: Callable[[QImage], object], *, priority: int = -1
    ) -> BackgroundTask:
        """Decode a small screen off the GUI thread, where `take` gets it. One that cannot be decoded is nothing here:
        its trouble is told where somebody goes to that step."""

        def small(_token: object) -> QImage | None:
            try:
                return self.thumbnails.get(picture, room).image
            except UserError:
                return None

        def arrived(image: QImage | None) -> None:
            if image is not None:
                take(image)

        return self.start("thumbnail", small, arrived, priority=priority)

    def _look_for_damage(self, error: Exception) -> None:
        """However a failure is told: that the store is damaged is told in one way."""
        if isinstance(error, StoreError) and error.of_damage:
            self.messages.store_damaged.emit(error)

    def query(
        self, name: str, question: Callable[[Database], Any], done: Callable[[Any], object], *, priority: int = 0
    ) -> BackgroundTask | None:
        """Ask the store in the reader lane; nothing happens while it is not open."""
        database = self.database
        if database is None:
            return None
        return self.start(name, lambda _token: question(database), done, priority=priority)

    def write(
        self,
        name: str,
        change: Callable[[Database], Any],
        done: Callable[[Any], object] | None = None,
        *,
        failed: Callable[[Exception], object] | None = None,
    ) -> None:
        """Change the store in the writer lane; a failure (it is read-only, say) is told in the message bar, or by
        `failed`."""
        database = self.database
        if database is not None:
            self.start(name, lambda _token: change(database), done, failed=failed, lane="writer")
