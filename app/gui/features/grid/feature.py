"""The grid as the workbench knows it: a view of Replay's selection that is made when it is first shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QStackedWidget, QWidget

from stepscope.app.gui.shell.annotation_edits import AnnotationTarget
from stepscope.app.gui.shell.annotations import AnnotationBook
from stepscope.app.gui.shell.commands.bar import CommandBar
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.feature import Handlers, LateFeature
from stepscope.app.gui.shell.ports import Library
from stepscope.app.gui.shell.undo import UndoHistory

if TYPE_CHECKING:
    from stepscope.app.gui.features.grid.grid_controller import GridController
    from stepscope.widgets.replay.centre import ReplayCentre

VIEW = "grid"
SCREEN = "screen"


class GridFeature(LateFeature):
    """`run_names` gives the runs' names by id; `beside` is the room of the UI tree, whose place the step with the
    keyboard's place takes while the grid is in front."""

    id = VIEW
    commands = ("view.grid", "grid.tag", "grid.cause")
    modules = (
        "stepscope.app.gui.features.grid.grid_controller",
        "stepscope.widgets.grid.step_panel",
        "stepscope.widgets.grid.view",
    )

    def __init__(
        self,
        context: Context,
        centre: ReplayCentre,
        viewer: EpisodeViewer,
        library: Library,
        book: AnnotationBook,
        run_names: Callable[[], Mapping[str, str]],
        history: UndoHistory,
        beside: QStackedWidget,
    ) -> None:
        super().__init__(context)
        self._history, self._beside = history, beside
        self._centre, self._viewer, self._library, self._book = centre, viewer, library, book
        self._run_names = run_names
        self._bar: CommandBar | None = None
        self._controller: GridController | None = None
        centre.add_view(VIEW, "grid", self._make_view)
        centre.view_changed.connect(self._view_changed)

    @property
    def controller(self) -> GridController:
        """There is one from the first time on that the view is shown."""
        assert self._controller is not None
        return self._controller

    def bind(self, bar: CommandBar) -> None:
        self._bar = bar

        def check() -> None:
            bar.actions["view.grid"].setChecked(self._centre.shown_view == VIEW)

        self._centre.view_changed.connect(lambda _name: check())
        check()

    def spots(self) -> list[AnnotationTarget]:
        """The steps that are chosen in the grid, while it is in front."""
        return self._controller.spots() if self._controller is not None else []

    def ask_for_note(self) -> bool:
        """Ask for a note on the steps that are chosen in the grid, while it is in front; False where none is."""
        return self._controller is not None and self._controller.ask_for_note()

    def _show(self) -> None:
        self._context.workspaces.set_workspace("replay")
        self._centre.show_view(VIEW)

    def _tag(self) -> None:
        if self._centre.shown_view == VIEW:
            self.controller.ask_for_tag()
        else:
            assert self._bar is not None
            self._bar.run("mark.note")

    def _ask_for_cause(self) -> None:
        if self._centre.shown_view == VIEW:
            self.controller.ask_for_cause()
        else:
            self._show()  # the steps are chosen there

    def _view_changed(self, name: str) -> None:
        if name == VIEW:
            self.controller.load()
            self._beside.setCurrentWidget(self.controller.panel)
        else:
            self._beside.setCurrentIndex(0)

    def _make_view(self, room: QWidget) -> QWidget:
        from stepscope.app.gui.features.grid.grid_controller import GridController
        from stepscope.widgets.grid.step_panel import StepPanel
        from stepscope.widgets.grid.view import GridView

        assert self._bar is not None
        view = GridView(room)
        panel = StepPanel(self._beside)
        self._beside.addWidget(panel)
        self._controller = GridController(
            self._context, view, self._viewer, self._library, self._book, self._run_names,
            lambda: self._centre.show_view(SCREEN), self._bar.run, self._history, panel,
        )  # fmt: skip
        return view

    def _build(self) -> tuple[Handlers, Handlers]:
        return {"view.grid": self._show, "grid.tag": self._tag, "grid.cause": self._ask_for_cause}, {}
