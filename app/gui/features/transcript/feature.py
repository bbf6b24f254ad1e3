"""The transcript as the workbench knows it: a view of Replay's selection that is made when it is first shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from stepscope.app.gui.shell.commands.bar import CommandBar
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_judgements import JudgedEpisode
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.feature import Handlers, LateFeature
from stepscope.app.gui.shell.ports import EpisodeList
from stepscope.app.gui.shell.undo import UndoHistory

if TYPE_CHECKING:
    from stepscope.app.gui.features.transcript.transcript_controller import TranscriptController
    from stepscope.widgets.replay.centre import ReplayCentre

VIEW = "transcript"
SCREEN = "screen"


class TranscriptFeature(LateFeature):
    """`judged` gives what the shown runs answered about the shown episode, `run_names` the runs' names by id."""

    id = VIEW
    commands = ("view.transcript", "view.screen")
    modules = (
        "stepscope.app.gui.features.transcript.transcript_search_controller",
        "stepscope.app.gui.features.transcript.price_controller",
        "stepscope.widgets.transcript.view",
    )

    def __init__(
        self,
        context: Context,
        centre: ReplayCentre,
        viewer: EpisodeViewer,
        listing: EpisodeList,
        history: UndoHistory,
        judged: Callable[[], JudgedEpisode],
        run_names: Callable[[], Mapping[str, str]],
    ) -> None:
        super().__init__(context)
        self._centre, self._viewer, self._listing, self._history = centre, viewer, listing, history
        self._judged, self._run_names = judged, run_names
        self._controller: TranscriptController | None = None
        centre.add_view(VIEW, "code", self._make_view)
        centre.view_changed.connect(self._view_changed)

    @property
    def controller(self) -> TranscriptController:
        """There is one from the first time on that the view is shown."""
        assert self._controller is not None
        return self._controller

    def bind(self, bar: CommandBar) -> None:
        def check() -> None:
            for name in (SCREEN, VIEW):
                bar.actions[f"view.{name}"].setChecked(self._centre.shown_view == name)

        self._centre.view_changed.connect(lambda _name: check())
        check()

    def _show(self, name: str) -> None:
        self._context.workspaces.set_workspace("replay")
        self._centre.show_view(name)

    def _view_changed(self, name: str) -> None:
        if name == VIEW:
            self.controller.load()

    def _make_view(self, room: QWidget) -> QWidget:
        from stepscope.app.gui.features.transcript.price_controller import PriceController
        from stepscope.app.gui.features.transcript.transcript_controller import TranscriptController
        from stepscope.app.gui.features.transcript.transcript_search_controller import TranscriptSearchController
        from stepscope.widgets.transcript.view import TranscriptView

        view = TranscriptView(room)
        shown = TranscriptController(self._context, view, self._viewer, self._judged, self._run_names)
        self._controller = shown
        TranscriptSearchController(self._context, shown, self._viewer, self._listing)
        PriceController(self._context, shown, self._history)
        return view

    def _build(self) -> tuple[Handlers, Handlers]:
        return {"view.transcript": lambda: self._show(VIEW), "view.screen": lambda: self._show(SCREEN)}, {}
