"""Opening the sample where the two runs that come with it differ."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.events import EpisodeJudged, RunsChanged, RunsListed
from stepscope.app.gui.shell.ports import Library
from stepscope.app.services.provenance import SAMPLE
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.app.services import sample_runs
else:
    sample_runs = lazy_module("stepscope.app.services.sample_runs")


class SampleOpening(QObject):
    """Each opening goes to the step at which the two differ, and shows the runs where none is shown on the sample."""

    def __init__(self, context: Context, library: Library, viewer: EpisodeViewer) -> None:
        super().__init__(context)
        self._context, self._library, self._viewer = context, library, viewer
        self._is_opening = self._awaits_runs = False
        self._to_show: tuple[str, ...] = ()
        self._has_none = False
        """no run is to be shown on the sample: all were deleted"""
        self._then: Callable[[], object] | None = None
        context.selection.source_changed.connect(self._go_there)
        context.selection.episode_changed.connect(self._went_elsewhere)
        context.events.on(RunsListed, self._show_runs)
        context.events.on(EpisodeJudged, lambda event: self._arrived(event.judged.episode, bool(event.judged.runs)))

    def open(self, then: Callable[[], object] | None = None) -> None:
        """Open the sample in Replay; `then` is done when the step is shown with the verdicts of its runs, unless the
        person goes elsewhere before that."""
        context = self._context
        if context.database is None:
            context.store_opened.connect(lambda: self.open(then), Qt.ConnectionType.SingleShotConnection)
            return
        self._is_opening, self._awaits_runs, self._has_none, self._then = True, True, False, then
        if context.workspaces.workspace != "replay":
            context.workspaces.set_workspace("replay")
        for shown in (self._viewer.picture_ready, self._viewer.picture_failed):
            shown.connect(self._enter_runs, Qt.ConnectionType.SingleShotConnection)  # nothing listens to later steps
        self._library.open_path(SAMPLE, self._opened)

    def _go_there(self) -> None:
        """The sample is the current source: its episode can be read, whether or not the list has it already."""
        source = self._context.selection.source
        if self._is_opening and source is not None and source.key == str(SAMPLE):
            self._is_opening = False
            self._viewer.open_step(sample_runs.EPISODE, sample_runs.STEP)

    def _opened(self) -> None:
        """Reading has ended, perhaps because it was stopped before there was anything."""
        self._is_opening = False
        self._enter_runs()

    def _enter_runs(self, _shown: object = None) -> None:
        """The screen comes first, then what the runs did on it."""
        if self._awaits_runs:
            self._awaits_runs = False
            self._context.write("enter the sample's runs", sample_runs.enter_shipped_runs, self._entered)

    def _entered(self, runs: tuple[str, ...]) -> None:
        self._to_show = runs
        self._has_none = not runs and not self._context.selection.runs_on(str(SAMPLE))
        self._context.events.publish(RunsChanged())
        episode = self._context.selection.episode
        if self._has_none and episode is not None:
            self._arrived(episode.id, False)

    def _show_runs(self, event: RunsListed) -> None:
        """Give the runs their letters once the list has them: it forgets letters of runs that it does not know."""
        if not self._to_show or any(run not in event.names for run in self._to_show):
            return
        runs, self._to_show = self._to_show, ()
        if not self._context.selection.runs_on(str(SAMPLE)):
            self._context.selection.set_runs(runs, str(SAMPLE))

    def _arrived(self, episode: str, judged: bool) -> None:
        if self._then is not None and (judged or self._has_none) and episode == sample_runs.EPISODE:
            then, self._then = self._then, None
            then()

    def _went_elsewhere(self) -> None:
        episode = self._context.selection.episode
        if self._then is not None and episode is not None and episode.id != sample_runs.EPISODE:
            self._then = None
