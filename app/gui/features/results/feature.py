"""Results as the workbench knows them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from stepscope.app.gui.features.results.misread_controller import MisreadController
from stepscope.app.gui.features.results.results_controller import ResultsController
from stepscope.app.gui.features.results.run_labels_controller import RunLabelsController
from stepscope.app.gui.shell.annotation_edits import AnnotationTarget
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.events import LooksElsewhere
from stepscope.app.gui.shell.export_work import ExportWork
from stepscope.app.gui.shell.feature import Handlers, LateFeature, SessionPart
from stepscope.app.gui.shell.ports import ResultsViews
from stepscope.app.gui.shell.undo import UndoHistory
from stepscope.core.domain.run import Run
from stepscope.core.frozen import dataclass
from stepscope.widgets.results.view_names import RUN

if TYPE_CHECKING:
    from stepscope.app.gui.features.results.breakdown_controller import BreakdownController
    from stepscope.app.gui.features.results.coordinates_controller import CoordinatesController
    from stepscope.app.gui.features.results.lanes_controller import LanesController
    from stepscope.app.gui.features.results.leaderboard_controller import LeaderboardController
    from stepscope.app.gui.features.results.orders_controller import OrdersController
    from stepscope.app.gui.features.results.rescoring_controller import RescoringController
    from stepscope.app.gui.features.results.walks_controller import WalksController
    from stepscope.app.gui.features.results.web_tables_controller import WebTablesController


@dataclass(frozen=True, slots=True)
class _ResultsPlace:
    """What a person looked at in Results: a run under a rule, a page, and what was chosen in the cards."""

    run: str
    rule: str
    page: str
    keys: tuple[object, ...]
    view: str = RUN


class ResultsFeature(LateFeature):
    """The stored runs are known from the start (`runs`), since others need them; what they consist of is read when the
    workspace is entered first."""

    id = "results"
    views = ("results", "selected")
    commands = ("run.compare", "run.rescore", "run.rescore_all", "results.view", "results.differs", "results.bars",
                "results.export")  # fmt: skip
    modules = (
        "stepscope.app.gui.features.results.breakdown_controller",
        "stepscope.app.gui.features.results.coordinates_controller",
        "stepscope.app.gui.features.results.lanes_controller",
        "stepscope.app.gui.features.results.orders_controller",
        "stepscope.app.gui.features.results.questions_controller",
        "stepscope.app.gui.features.results.rescoring_controller",
        "stepscope.app.gui.features.results.web_tables_controller",
        "stepscope.app.gui.features.results.walks_controller",
        "stepscope.app.gui.features.results.leaderboard_controller",
        "stepscope.widgets.results.lanes.ask_lanes_page",
        "stepscope.widgets.results.orders_page",
        "stepscope.widgets.results.results_view",
        "stepscope.widgets.results.runs_view",
        "stepscope.widgets.results.selection",
        "stepscope.widgets.results.walks.walks_page",
    )

    export_wanted = Signal(object, str)
    """ids of the selected predictions, and how they were chosen"""
    walk_wanted = Signal(object)
    """an `EvaluationRequest` for the simulated phone"""
    make_wanted = Signal(str)
    """ambiguous tasks are to be made of the data at this path"""

    def __init__(self, context: Context, views: ResultsViews, exports: ExportWork, history: UndoHistory) -> None:
        super().__init__(context)
        self._views, self._exports, self._history = views, exports, history
        self.runs = ResultsController(context, views)
        self.labels = RunLabelsController(context, views, self.runs, history, self._in_leaderboard)
        self.shown_view = SessionPart(self)
        self.looked_at_runs = SessionPart(self)
        self.looked_at_runs.take_over(self.runs.looked_at, self.runs.restore_looked_at, self.runs.looked_elsewhere)
        self.misread = MisreadController(context, views, self.runs, history)
        self._controllers: tuple[BreakdownController, RescoringController, WebTablesController] | None = None
        self._leaderboard: LeaderboardController | None = None
        self._coordinates: CoordinatesController | None = None
        self._walks: WalksController | None = None
        self._orders: OrdersController | None = None
        self._lanes: LanesController | None = None
        self._going_to: _ResultsPlace | None = None

    @property
    def controllers(self) -> tuple[BreakdownController, RescoringController, WebTablesController]:
        """The controllers of the cards, of other rules, and of the tables of web tasks."""
        self.build()
        assert self._controllers is not None
        return self._controllers

    @property
    def coordinates(self) -> CoordinatesController:
        """The controller of the coordinate check."""
        self.build()
        assert self._coordinates is not None
        return self._coordinates

    @property
    def orders(self) -> OrdersController:
        """The controller of what runs of step ordering get wrong."""
        self.build()
        assert self._orders is not None
        return self._orders

    @property
    def lanes(self) -> LanesController:
        """The controller of the lanes of runs of asking."""
        self.build()
        assert self._lanes is not None
        return self._lanes

    @property
    def walks(self) -> WalksController:
        """The controller of the walks of roll-outs."""
        self.build()
        assert self._walks is not None
        return self._walks

    @property
    def leaderboard(self) -> LeaderboardController:
        """The controller of the leaderboard."""
        self.build()
        assert self._leaderboard is not None
        return self._leaderboard

    def _in_leaderboard(self) -> str:
        return self._leaderboard.focused_run if self._leaderboard is not None else ""

    def handlers(self) -> Handlers:
        return super().handlers() | self.runs.handlers() | self.labels.handlers()

    def enter(self) -> None:
        if self._leaderboard is not None:
            self._leaderboard.come_to_front()
        self._views.results.focus_page()

    def looked_at(self) -> object:
        if self._controllers is None or not self.runs.chosen:
            return None
        keys = self._controllers[0].keys
        shown = self._views.results
        return self._going_to or _ResultsPlace(self.runs.chosen, self.runs.rule, shown.page, keys, shown.view)

    def look_at(self, looked_at: object) -> None:
        """The page and what is chosen in it come with the run's numbers."""
        if isinstance(looked_at, _ResultsPlace) and self.runs.run_of(looked_at.run) is not None:
            self._going_to = looked_at
            if self._views.results.view != looked_at.view:
                self.leaderboard.show_view(looked_at.view)
            self.runs.choose(looked_at.run, looked_at.rule)

    def _arrive(self) -> None:
        """The cards show a run: what one goes back to, or something new."""
        place, self._going_to = self._going_to, None
        if place is not None and place.run == self.runs.chosen:
            self._views.results.show_page(place.page)
            self.controllers[0].select(place.keys)
        self._tell_place()

    def _tell_place(self) -> None:
        self._context.events.publish(LooksElsewhere())

    def score_runs(self, runs: Sequence[Run]) -> None:
        """Score runs of one task under every rule with a short name that they have no scores under."""
        self.controllers[1].score_runs(runs)

    def spots(self) -> list[AnnotationTarget]:
        """What keys for stars, notes and defects are about: the current row."""
        return self._controllers[0].spots() if self._controllers is not None else []

    def _build(self) -> tuple[Handlers, Handlers]:
        from stepscope.app.gui.features.results.breakdown_controller import BreakdownController
        from stepscope.app.gui.features.results.coordinates_controller import CoordinatesController
        from stepscope.app.gui.features.results.lanes_controller import LanesController
        from stepscope.app.gui.features.results.leaderboard_controller import LeaderboardController
        from stepscope.app.gui.features.results.orders_controller import OrdersController
        from stepscope.app.gui.features.results.questions_controller import QuestionsController
        from stepscope.app.gui.features.results.rescoring_controller import RescoringController
        from stepscope.app.gui.features.results.walks_controller import WalksController
        from stepscope.app.gui.features.results.web_tables_controller import WebTablesController

        views = self._views
        breakdown = BreakdownController(self._context, views.results, views.selected, self.runs)
        rescoring = RescoringController(self._context, views.results, self.runs)
        tables = WebTablesController(self._context, views.results, breakdown, self._exports)
        self._coordinates = CoordinatesController(
            self._context, views.results, views.selected, self.runs, self._history
        )
        self._orders = OrdersController(self._context, views.results, self.runs, self._exports)
        self._lanes = LanesController(self._context, views.results, views.selected, self.runs, self._exports)
        self._lanes.make_wanted.connect(self.make_wanted)
        self._walks = WalksController(self._context, views.results, views.selected, self.runs)
        self._walks.walk_wanted.connect(self.walk_wanted)
        views.results.coordinates.keep_requested.connect(lambda: self.misread.keep(self.runs.chosen))
        questions = QuestionsController(self._context, views.results, breakdown)
        for asking in (breakdown, questions):
            asking.replay_requested.connect(lambda key: self.runs.open_item(key.episode, breakdown.step_of(key)))
        breakdown.export_wanted.connect(self.export_wanted)
        breakdown.shown.connect(self._arrive)
        breakdown.selected.connect(self._tell_place)
        views.results.page_shown.connect(self._tell_place)
        self._controllers = breakdown, rescoring, tables
        board = self._leaderboard = LeaderboardController(
            self._context, views.results, views.runs, self.runs, self._exports
        )
        board.renamed.connect(self.labels.rename)
        board.changed.connect(self._tell_place)
        self.shown_view.take_over(board.state, board.restore, board.changed)
        if self.runs.results is not None:
            self.runs.shown.emit()  # to those that were not made yet when it came
        own = {
            "results.view": board.toggle_view,
            "results.differs": board.show_differences,
            "results.bars": board.show_bars,
        }
        return breakdown.handlers() | rescoring.handlers() | own | {"results.export": self._export}, {}

    def _export(self) -> None:
        """Offer what can be written of what is shown: of the leaderboard, or of one run."""
        board = self.leaderboard
        if board.is_shown:
            board.ask_export()
        elif self.runs.chosen:
            self._views.results.export_requested.emit(self.runs.chosen)
