"""What is looked at: one of the data sets that are open, or all as one list, and the runs of one task, or of all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu

from stepscope.app.gui.features.library.library_controller import LibraryController
from stepscope.app.gui.features.library.presenter import distinct_names, source_sign
from stepscope.app.gui.shell.commands.bar import CommandBar
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.events import RunsListed
from stepscope.app.gui.shell.feature import SessionPart
from stepscope.app.gui.shell.selection import OpenSource
from stepscope.app.gui.shell.task_titles import TASK_TITLES
from stepscope.app.services.provenance import data_of
from stepscope.core.domain.prediction import Task
from stepscope.widgets import format as words
from stepscope.widgets.common.plain_words import plain_label, tip_words
from stepscope.widgets.library import EpisodesView

ALL_TASKS = "All tasks"


class ScopeController(QObject):
    """`library` changes the current source and the list; the task is the selection's."""

    def __init__(self, context: Context, library: LibraryController, view: EpisodesView) -> None:
        super().__init__(context)
        self._context, self._library, self._bar = context, library, view.scope
        self._commands: CommandBar | None = None
        self._about: Mapping[str, tuple[Task, str]] = {}
        self.part = SessionPart(self)
        self.part.take_over(self._state, self._restore, context.selection.source_changed)
        self._bar.source.menu().aboutToShow.connect(lambda: self._fill_sources(self._bar.source.menu()))
        self._bar.task.menu().aboutToShow.connect(lambda: self._fill_tasks(self._bar.task.menu()))
        context.selection.source_changed.connect(self.refresh)
        context.selection.letters_changed.connect(self.refresh)
        library.listed.connect(self.refresh)
        context.events.on(RunsListed, self._take_runs)
        self.refresh()

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "scope.open": self._open,
            "scope.together": lambda: self.set_together(not self._library.listing.together),
            "scope.next": lambda: self._go(1),
        }

    def bind(self, commands: CommandBar) -> None:
        self._commands = commands
        self.refresh()

    # Sources ---------------------------------------------------------------------------------------------------------

    def set_together(self, together: bool) -> None:
        """List all that is open as one, or the current data alone."""
        self._library.listing.set_together(together)
        self.refresh()
        self.part.changed.emit()

    def _choose(self, source: OpenSource) -> None:
        self.set_together(False)
        self._library.choose_source(source)
        self.refresh()

    def _go(self, by: int) -> None:
        """To the next data set that is open."""
        sources, current = self._context.sources, self._context.selection.source
        if current is not None and len(sources) > 1:
            place = [source.key for source in sources].index(current.key)
            self._choose(sources[(place + by) % len(sources)])

    def _open(self) -> None:
        self._context.workspaces.show_dock("episodes")
        self._bar.source.setFocus()
        self._bar.source.showMenu()

    def _fill_sources(self, menu: QMenu) -> None:
        menu.clear()
        sources, current = self._context.sources, self._context.selection.source
        together = self._library.listing.is_together
        names, group = distinct_names(sources), QActionGroup(menu)
        for source in sources:
            many = words.counted(source.episodes, "episode")
            action = menu.addAction(f"{plain_label(names[source.key])}\t{many}")
            action.setToolTip(tip_words(str(source.source.path)))
            action.setCheckable(True)
            action.setChecked(source is current and not together)
            action.triggered.connect(partial(self._chosen, source))
            group.addAction(action)
        if len(sources) > 1:
            menu.addSeparator()
            total = words.counted(sum(source.episodes for source in sources), "episode")
            action = menu.addAction(f"All {len(sources)} as one list\t{total}")
            action.setCheckable(True)
            action.setChecked(together)
            action.triggered.connect(lambda on: self.set_together(on))
            group.addAction(action)
        if not sources:
            menu.addAction("Nothing is open").setEnabled(False)
        if self._commands is not None:
            menu.addSeparator()
            for command in ("open.folder", "open.file", "open.sample"):
                menu.addAction(self._commands.actions[command])

    def _chosen(self, source: OpenSource, _checked: bool = False) -> None:
        self._choose(source)

    # Tasks -----------------------------------------------------------------------------------------------------------

    def set_task(self, task: Task | None) -> None:
        """Look at the runs of one task, or of all."""
        self._context.selection.set_task(task)
        self.refresh()
        self.part.changed.emit()

    def _runs_here(self) -> dict[Task, int]:
        """How many runs of each task there are on what is listed."""
        listing, current = self._library.listing, self._context.selection.source
        sources = self._context.sources if listing.is_together else [current] if current is not None else []
        here = {data_of(source.key) for source in sources}
        counts: dict[Task, int] = {}
        for task, data in self._about.values():
            if data_of(data) in here:
                counts[task] = counts.get(task, 0) + 1
        return counts

    def _fill_tasks(self, menu: QMenu) -> None:
        menu.clear()
        counts, chosen = self._runs_here(), self._context.selection.task
        group = QActionGroup(menu)
        choices: list[tuple[Task | None, str]] = [(None, ALL_TASKS)]
        choices += [(task, title) for task, title in TASK_TITLES.items() if task in counts or task is chosen]
        for task, title in choices:
            many = words.counted(counts.get(task, 0) if task is not None else sum(counts.values()), "run")
            action = menu.addAction(f"{title}\t{many}")
            action.setCheckable(True)
            action.setChecked(task is chosen)
            action.triggered.connect(lambda _checked=False, task=task: self.set_task(task))
            group.addAction(action)

    def _take_runs(self, event: RunsListed) -> None:
        self._about = event.about

    # Showing ---------------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show what is looked at now."""
        current, sources = self._context.selection.source, self._context.sources
        task = self._context.selection.task
        self._bar.set_task(TASK_TITLES[task] if task is not None else ALL_TASKS)
        together = self._library.listing.is_together
        if current is None:
            self._bar.set_source("Nothing is open", "folder")
        elif together:
            self._bar.set_source(f"All {len(sources)} data sets", "layers", "\n".join(s.title for s in sources))
        else:
            name = distinct_names(sources).get(current.key, current.title)
            self._bar.set_source(name, source_sign(current), str(current.source.path))
        self._context.conditions.set("sources", len(sources) > 1)
        if self._commands is not None:
            self._commands.check("scope.together", together)

    def _state(self) -> dict[str, object]:
        task = self._context.selection.task
        return {"together": self._library.listing.together, "task": task.value if task is not None else ""}

    def _restore(self, saved: Mapping[str, object]) -> None:
        known = {task.value: task for task in TASK_TITLES}
        self._context.selection.set_task(known.get(str(saved.get("task", ""))))
        self._library.listing.set_together(saved.get("together") is True)
        self.refresh()
