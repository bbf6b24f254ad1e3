"""Annotations as the workbench knows them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from stepscope.app.gui.features.annotate.annotating_controller import AnnotatingController
from stepscope.app.gui.shell.annotation_edits import AnnotationTarget
from stepscope.app.gui.shell.commands.bar import CommandBar
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.feature import Feature, Handlers
from stepscope.app.gui.shell.ports import ReplayViews
from stepscope.app.gui.shell.undo import UndoHistory


class AnnotateFeature(Feature):
    """`spots_of` says by workspace what its keys are about there, `several` which steps are chosen in Replay's grid."""

    id = "annotate"

    def __init__(
        self,
        context: Context,
        views: ReplayViews,
        history: UndoHistory,
        stop_playback: Callable[[], object],
        spots_of: Mapping[str, Callable[[], Iterable[AnnotationTarget]]],
        several: Callable[[], Iterable[AnnotationTarget]],
        note_several: Callable[[], bool],
    ) -> None:
        super().__init__(context)
        self.controller = AnnotatingController(context, views, history, stop_playback, spots_of, several, note_several)
        self.book = self.controller.book

    def handlers(self) -> Handlers:
        return self.controller.handlers()

    def bind(self, bar: CommandBar) -> None:
        self.controller.bind(bar)

    def end(self) -> None:
        self.controller.keep()
