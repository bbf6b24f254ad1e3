"""The task that the page of lanes shows: its recording and answers, small screens, and the chosen step's screen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from stepscope.app.gui.features.results.results_controller import ResultsController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.tasks import BackgroundTask
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QImage

    from stepscope.app.gui.features.results import lanes_export, lanes_presenter
    from stepscope.app.services import ask_results, library
    from stepscope.app.services.ask_results import AskReading, TaskLanes
    from stepscope.core.domain.run import Run
    from stepscope.core.sources.source import Source
    from stepscope.core.store.engine import Database
    from stepscope.widgets.results.lanes.ask_lanes_page import AskLanesPage
else:
    lanes_export = lazy_module("stepscope.app.gui.features.results.lanes_export")
    lanes_presenter = lazy_module("stepscope.app.gui.features.results.lanes_presenter")
    ask_results = lazy_module("stepscope.app.services.ask_results")
    library = lazy_module("stepscope.app.services.library")

THUMB = Size(90, 160)
"""The room that small screens are decoded for."""


class LanesTaskController(QObject):
    """One task at a time. `found` gives what is known of the run."""

    def __init__(
        self, context: Context, page: AskLanesPage, results: ResultsController, found: Callable[[], AskReading | None]
    ) -> None:
        super().__init__(context)
        self._context, self._page, self._results, self._found = context, page, results, found
        self._reading: BackgroundTask | None = None
        self.task: TaskLanes | None = None

    @property
    def is_working(self) -> bool:
        return self._reading is not None

    def forget(self) -> None:
        """Another run is shown."""
        if self._reading is not None:
            self._reading.cancel()
        self._reading, self.task = None, None

    def read(self, episode: str) -> None:
        """Read a task's recording and answers; until they are here the one before stays in view."""
        found, database = self._found(), self._context.database
        if found is None or database is None:
            return
        if self._reading is not None:
            self._reading.cancel()
        run, numbers = found.data.run, found.numbers
        source = self._context.selection.source_at(run.spec.source)

        def work(_token: CancelToken) -> TaskLanes:
            return ask_results.read_lanes(database, found.data, numbers, source or opened(database, run), episode)

        def take(lanes: TaskLanes) -> None:
            if task is self._reading and self._page.wanted == episode:
                fresh = self.task is None or self.task.episode.id != episode
                self.task = lanes
                self.show()
                if fresh:
                    self._read_thumbnails(lanes)

        def failed(error: Exception) -> None:
            if isinstance(error, UserError):
                self.task = None
                self._page.set_state(None)
                self._page.set_said(error.words_in_window)
            else:
                self._context.messages.failure(error)

        task = self._context.start("Lanes of a task", work, take, failed=failed, priority=1)
        self._reading = task
        task.finished.connect(lambda: self._finished(task))

    def _finished(self, task: BackgroundTask) -> None:
        if task is self._reading:
            self._reading = None

    def show(self) -> None:
        """The task in lanes, as the run's letter and name are now."""
        run, found = self._results.current, self._found()
        if self.task is None or run is None or found is None:
            return
        name, letter = self._results.name_of(run.id), self._results.letters_of(run).get(run.id)
        acts = found.data.asked.acts
        self._page.set_state(lanes_presenter.lanes_state(self.task, found.numbers, name, letter, acts=acts))

    def _read_thumbnails(self, task: TaskLanes) -> None:
        places = {step.index: step for step in task.episode.steps}
        for column, lane in enumerate(task.lanes.steps):
            step = places.get(lane.index)
            picture = None if step is None else step.observation.shown

            def take(image: QImage, column: int = column) -> None:
                if self.task is not None and self.task.episode.id == task.episode.id:
                    self._page.set_thumbnail(column, image)

            if picture is not None:
                self._context.thumbnail(picture, THUMB, take)

    def draw_step(self, column: int) -> None:
        """The step's screen with its marks."""
        run, task = self._results.current, self.task
        if task is None or run is None or not 0 <= column < len(task.lanes.steps):
            return
        lane = task.lanes.steps[column]
        step = next((one for one in task.episode.steps if one.index == lane.index), None)
        if step is None or step.observation.shown is None:
            self._page.panel.show_screen(None)
            return
        letter = self._results.letters_of(run).get(run.id)

        def take(image: QImage) -> None:
            if self.task is task and self._page.column == column:
                self._page.panel.show_screen(image)

        def failed(error: Exception) -> None:
            if isinstance(error, UserError):
                self._page.panel.show_screen(None, error.words_in_window)
            else:
                self._context.messages.failure(error)

        self._context.start(
            "screen of a step",
            lambda _token: lanes_export.drawn(step, lane, letter or 0),
            take,
            failed=failed,
            priority=2,
        )


def opened(database: Database, run: Run) -> Source:
    """The run's data, opened for it. Raises UserError where it is gone."""
    return library.indexed_source(database, Path(run.spec.source), run.spec.format)
