"""The workbench: makes the controllers, joins them, starts and ends. What each does is its own business."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject
from PySide6.QtGui import QCloseEvent, QCursor
from PySide6.QtWidgets import QApplication

from stepscope.app.gui.features.ambiguous.feature import AmbiguousFeature
from stepscope.app.gui.features.annotate.feature import AnnotateFeature
from stepscope.app.gui.features.campaigns.feature import CampaignsFeature
from stepscope.app.gui.features.compare.feature import CompareFeature
from stepscope.app.gui.features.evaluate.feature import EvaluateFeature
from stepscope.app.gui.features.export.feature import ExportFeature
from stepscope.app.gui.features.grid.feature import GridFeature
from stepscope.app.gui.features.judge.feature import JudgeFeature
from stepscope.app.gui.features.library.feature import LibraryFeature
from stepscope.app.gui.features.live.feature import LiveFeature
from stepscope.app.gui.features.models.feature import ModelsFeature
from stepscope.app.gui.features.ordering.feature import OrderingFeature
from stepscope.app.gui.features.preferences.feature import PreferencesFeature
from stepscope.app.gui.features.replay.feature import ReplayFeature
from stepscope.app.gui.features.results.feature import ResultsFeature
from stepscope.app.gui.features.start.feature import StartFeature
from stepscope.app.gui.features.tools.feature import ToolsFeature
from stepscope.app.gui.features.training.feature import TrainingFeature
from stepscope.app.gui.features.transcript.feature import TranscriptFeature
from stepscope.app.gui.features.webtask.feature import WebTaskFeature
from stepscope.app.gui.shell.appearance_controller import AppearanceController
from stepscope.app.gui.shell.back_and_forward import BackAndForward
from stepscope.app.gui.shell.commands.bar import CommandBar
from stepscope.app.gui.shell.commands.table import COMMANDS, HELD_KEYS
from stepscope.app.gui.shell.confirm import confirmed
from stepscope.app.gui.shell.context import AppFolders, Context
from stepscope.app.gui.shell.damaged_store_controller import DamagedStoreController
from stepscope.app.gui.shell.debouncer import Debouncer
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.events import ModelsChanged
from stepscope.app.gui.shell.export_work import ExportWork
from stepscope.app.gui.shell.feature import Feature, Handlers, LateFeature
from stepscope.app.gui.shell.first_paint import FirstPaint
from stepscope.app.gui.shell.help_controller import HelpController, PaletteOffer
from stepscope.app.gui.shell.idle_loader import IdleLoader, load_order
from stepscope.app.gui.shell.key_filter import KeyFilter
from stepscope.app.gui.shell.layouts import WORKSPACES
from stepscope.app.gui.shell.links_controller import LinksController
from stepscope.app.gui.shell.main_window import MainWindow
from stepscope.app.gui.shell.named_sessions import NamedSessions
from stepscope.app.gui.shell.ports import ReplayViews
from stepscope.app.gui.shell.preferences import load_preferences
from stepscope.app.gui.shell.run_names import RunNames
from stepscope.app.gui.shell.session_controller import SessionController, save_session
from stepscope.app.gui.shell.theme import apply_text_size
from stepscope.app.gui.shell.undo import UndoHistory
from stepscope.app.services.provenance import SAMPLE
from stepscope.core.domain.prediction import Task as ModelTask
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.widgets.icons import icon
from stepscope.widgets.plot_library import import_others, plot_library

if TYPE_CHECKING:
    from stepscope.app.gui.features.ambiguous.make_controller import MakeController
    from stepscope.app.gui.features.ambiguous.review_controller import ReviewController
    from stepscope.app.gui.features.annotate.annotating_controller import AnnotatingController
    from stepscope.app.gui.features.campaigns.campaigns_controller import CampaignsController
    from stepscope.app.gui.features.compare.compare_controller import CompareController
    from stepscope.app.gui.features.compare.compare_rules_controller import CompareRulesController
    from stepscope.app.gui.features.evaluate.evaluate_controller import EvaluateController
    from stepscope.app.gui.features.export.export_controller import ExportController
    from stepscope.app.gui.features.export.export_episode_controller import EpisodeExportController
    from stepscope.app.gui.features.grid.grid_controller import GridController
    from stepscope.app.gui.features.judge.judge_controller import JudgeController
    from stepscope.app.gui.features.library.filters_controller import FiltersController
    from stepscope.app.gui.features.library.library_controller import LibraryController
    from stepscope.app.gui.features.live.live_workspace import LiveWorkspace
    from stepscope.app.gui.features.models.add_model_controller import AddModelController
    from stepscope.app.gui.features.models.models_controller import ModelsController
    from stepscope.app.gui.features.models.servers_controller import ServersController
    from stepscope.app.gui.features.models.weights_controller import WeightsController
    from stepscope.app.gui.features.ordering.ordering_controller import OrderingController
    from stepscope.app.gui.features.preferences.preferences_controller import PreferencesController
    from stepscope.app.gui.features.replay.attached_controller import AttachedController
    from stepscope.app.gui.features.replay.details_controller import DetailsController
    from stepscope.app.gui.features.replay.elements_controller import ElementsController
    from stepscope.app.gui.features.replay.navigate_controller import NavigateController
    from stepscope.app.gui.features.replay.playback_controller import PlaybackController
    from stepscope.app.gui.features.replay.screen_controller import ScreenController
    from stepscope.app.gui.features.results.breakdown_controller import BreakdownController
    from stepscope.app.gui.features.results.lanes_controller import LanesController
    from stepscope.app.gui.features.results.leaderboard_controller import LeaderboardController
    from stepscope.app.gui.features.results.orders_controller import OrdersController
    from stepscope.app.gui.features.results.rescoring_controller import RescoringController
    from stepscope.app.gui.features.results.results_controller import ResultsController
    from stepscope.app.gui.features.tools.tools_controller import ToolsController
    from stepscope.app.gui.features.training.training_controller import TrainingController
    from stepscope.app.gui.features.transcript.transcript_controller import TranscriptController
    from stepscope.app.gui.features.webtask.webtask_workspace import WebTaskWorkspace
    from stepscope.app.gui.shell import command_line, training_line
    from stepscope.core.store.engine import Database
    from stepscope.widgets.forms.evaluate_choices import EvaluateRequest
    from stepscope.widgets.shell.palette.palette_row import PaletteRow
    from stepscope.widgets.training import RecipeChoice, TrainRequest
else:
    command_line = lazy_module("stepscope.app.gui.shell.command_line")
    training_line = lazy_module("stepscope.app.gui.shell.training_line")


log = logging.getLogger("stepscope")

SIGNS = {
    "replay": "replay", "results": "results", "compare": "compare", "ordering": "ordering",
    "judge": "judge", "live": "live", "webtask": "app", "ambiguous": "ask",
}  # fmt: skip
"""Workspaces in the order of the rail, and their signs there."""

MEMORY = "sqlite://"
"""A store that is gone when the window is closed."""


@dataclass(frozen=True)
class StartupRequest:
    """The data that a window begins with: the data at `paths`, else the step that a link names, else, unless `fresh`
    begins on the sample, what `session` says, or the store where that is None. `prepare` is done before the store is
    opened, and says what a person is to know of it."""

    paths: tuple[Path, ...] = ()
    fresh: bool = False
    link: str = ""
    session: Mapping[str, Any] | None = None
    prepare: Callable[[], str] | None = None


class Workbench(QObject):
    """One window and its features. `succeeded_by` is the place and the beginning of the window that is to open once
    this one is closed, None as a rule."""

    def __init__(self, application: QApplication, places: AppFolders) -> None:
        super().__init__()
        self._ended = False
        self._beginning = StartupRequest()
        self._in_memory = False
        self.succeeded_by: tuple[AppFolders, StartupRequest] | None = None
        self._took = self._measured = 0.0
        self._entered_at = 0.0
        self._going_to = ""
        layout = places.open_layout()
        apply_text_size(application, load_preferences(places.preferences).text_percent)
        self.window = MainWindow(layout, self._command_line, self._training_line)
        self.context = context = Context(places, layout, self.window)
        self._measures = Debouncer(context, self._show_measures, light=True)
        self.keys = KeyFilter(self.window)
        self._loader = IdleLoader(context, self._is_waited_for)
        self.viewer = EpisodeViewer(context)
        self._make_features(context)
        self.session = SessionController(context, self.library, self.viewer, self.window.replay.layers)
        self.sessions = NamedSessions(context, self.session)
        self.links = LinksController(context, self.library, self.viewer, self.window.replay.layers)
        self.help = HelpController(
            context,
            self.library,
            self.viewer,
            saved_filters=lambda: self.filters.saved,
            link_row=self.links.row,
            follow=self.links.follow,
            more=(
                PaletteOffer("run", self._run_rows, self._show_run),
                PaletteOffer("setting", self._preferences.palette_rows, self._preferences.show_setting),
            ),
        )
        self.places = BackAndForward(
            context, self.viewer, self.library, {one.id: one for one in self.features if one.id in WORKSPACES}
        )
        self.damaged_store = DamagedStoreController(context, self._at_work)
        self.appearance = AppearanceController(context, self.window, self._go_to)
        self.commands = self._make_commands()
        self._bind()
        self._join()
        self.appearance.apply()

    def _make_features(self, context: Context) -> None:
        history, exports, window = UndoHistory(context), ExportWork(context), self.window
        names = RunNames(context)
        views = ReplayViews(window.replay, window.inspector, window.tree, window.timeline)
        self._library = LibraryFeature(context, window, history, names.shown)
        self._results = ResultsFeature(context, window, exports, history)
        self._annotate = AnnotateFeature(
            context, views, history, lambda: self.playback.stop(), {"results": self._results.spots},
            lambda: self._grid.spots(), lambda: self._grid.ask_for_note(),
        )  # fmt: skip
        library, runs = self._library.controller, self._results.runs
        self._replay = ReplayFeature(
            context, views, self.viewer, library, self._annotate.book, names.shown, self.keys,
            lambda ids: self._results.score_runs([run for run in map(runs.run_of, ids) if run is not None]),
        )  # fmt: skip
        self._grid = GridFeature(
            context, window.replay, self.viewer, library, self._annotate.book, names.shown, history, window.tree_room
        )
        self._transcript = TranscriptFeature(
            context, window.replay, self.viewer, library.listing, history, lambda: self.details.current, names.shown
        )
        self._evaluate = EvaluateFeature(
            context, window, library, runs, exports, self.viewer, self._annotate.book, history
        )
        self._training = TrainingFeature(context, window, library)
        self._models = ModelsFeature(context, window)
        self._ordering = OrderingFeature(
            context, window, self.viewer, library, runs, history, lambda: self.details.current, names.shown
        )
        self._judge = JudgeFeature(
            context, window, self.viewer, runs, library, history, lambda task: self.evaluate.show_form(task)
        )
        self._ambiguous = AmbiguousFeature(context, window, self.viewer, library, history, exports)
        self._compare = CompareFeature(
            context, window, window.replay.layers, self.viewer, runs, self.navigate.show_item, self._results.score_runs,
            lambda: self.details.current, self._filter_episodes, self.keys,
        )  # fmt: skip
        self._export = ExportFeature(
            context, window.replay, lambda: runs.results, lambda: runs.items_filter, library.listing,
            self._replay.drawn, exports,
        )  # fmt: skip
        self._campaigns = CampaignsFeature(context, history, exports)
        self._live = LiveFeature(context, window, library, self.viewer)
        self._webtask = WebTaskFeature(
            context, window, library, self.viewer, self.evaluate.show_form, exports,
            lambda command: self.commands.run(command),
        )  # fmt: skip
        self._start = StartFeature(
            context, window, library, self.viewer, runs, library.opening.open_paths,
            self._library.missing.locate, window.place_of,
        )  # fmt: skip
        self._preferences = PreferencesFeature(context, window)
        self._tools = ToolsFeature(context, self.viewer, runs, self._run_again, library.rescan)
        self.features: tuple[Feature, ...] = (
            self._library, self._replay, self._grid, self._transcript, self._results, self._compare, self._ordering,
            self._judge, self._live, self._webtask, self._ambiguous,
            self._evaluate, self._training, self._models, self._annotate, self._export, self._campaigns,
            self._start, self._preferences, self._tools,
        )  # fmt: skip
        for feature in self.features:
            if isinstance(feature, LateFeature):
                for view in feature.views:
                    window.when_made(view, feature.build)

    # Parts of features -----------------------------------------------------------------------------------------------

    @property
    def library(self) -> LibraryController:
        return self._library.controller

    @property
    def filters(self) -> FiltersController:
        return self._library.filters

    @property
    def playback(self) -> PlaybackController:
        return self._replay.playback

    @property
    def details(self) -> DetailsController:
        return self._replay.details

    @property
    def screen(self) -> ScreenController:
        return self._replay.screen

    @property
    def attached(self) -> AttachedController:
        return self._replay.attached

    @property
    def elements(self) -> ElementsController:
        return self._replay.elements

    @property
    def navigate(self) -> NavigateController:
        return self._replay.navigate

    @property
    def grid(self) -> GridController:
        return self._grid.controller

    @property
    def transcript(self) -> TranscriptController:
        return self._transcript.controller

    @property
    def results(self) -> ResultsController:
        return self._results.runs

    @property
    def breakdown(self) -> BreakdownController:
        return self._results.controllers[0]

    @property
    def leaderboard(self) -> LeaderboardController:
        return self._results.leaderboard

    @property
    def lanes(self) -> LanesController:
        return self._results.lanes

    @property
    def orders(self) -> OrdersController:
        return self._results.orders

    @property
    def rescoring(self) -> RescoringController:
        return self._results.controllers[1]

    @property
    def compare(self) -> CompareController:
        return self._compare.controllers[0]

    @property
    def compare_rules(self) -> CompareRulesController:
        return self._compare.controllers[2]

    @property
    def ordering(self) -> OrderingController:
        return self._ordering.controller

    @property
    def judge(self) -> JudgeController:
        return self._judge.controller

    @property
    def review(self) -> ReviewController:
        return self._ambiguous.controller

    @property
    def making(self) -> MakeController:
        return self._ambiguous.making

    @property
    def evaluate(self) -> EvaluateController:
        return self._evaluate.controller

    @property
    def training(self) -> TrainingController:
        return self._training.controller

    @property
    def models(self) -> ModelsController:
        return self._models.controller

    @property
    def servers(self) -> ServersController:
        return self._models.servers

    @property
    def add_model(self) -> AddModelController:
        return self._models.adding

    @property
    def weights(self) -> WeightsController:
        return self._models.weights

    @property
    def tools(self) -> ToolsController:
        return self._tools.controller

    @property
    def preferences(self) -> PreferencesController:
        return self._preferences.controller

    @property
    def annotating(self) -> AnnotatingController:
        return self._annotate.controller

    @property
    def export(self) -> ExportController:
        return self._export.controllers[0]

    @property
    def export_episode(self) -> EpisodeExportController:
        return self._export.controllers[2]

    @property
    def campaigns(self) -> CampaignsController:
        return self._campaigns.controller

    @property
    def live(self) -> LiveWorkspace:
        return self._live.workspace

    @property
    def webtask(self) -> WebTaskWorkspace:
        return self._webtask.workspace

    # Joining ---------------------------------------------------------------------------------------------------------

    def _make_commands(self) -> CommandBar:
        handlers: Handlers = {
            "app.quit": self.window.close,
            "open.link": lambda: self.help.open_palette_on(self.links.pasted()),
            "cache.clear": self._clear_cache,
        }
        for feature in self.features:
            handlers |= feature.handlers()
        handlers |= self.sessions.handlers() | self.links.handlers() | self.help.handlers()
        handlers |= self.places.handlers() | self.damaged_store.handlers() | self.appearance.handlers()
        for feature in self.features:
            for command, here in feature.own_keys().items():
                handlers[command] = partial(self._by_workspace, feature.id, handlers[command], here)
        return CommandBar(self.window, COMMANDS, handlers, self.context.conditions, HELD_KEYS)

    def _by_workspace(self, workspace: str, usual: Callable[[], object], here: Callable[[], object]) -> None:
        """A command that means something of its own in a workspace."""
        (here if self.window.workspace == workspace else usual)()

    def _bind(self) -> None:
        self.appearance.bind(self.commands)
        for feature in self.features:
            feature.bind(self.commands)
        self.help.bind(self.commands)
        rail, actions = self.window.rail, self.commands.actions
        for workspace, sign in SIGNS.items():
            rail.add_workspace(workspace, actions[f"workspace.{workspace}"], sign)
        rail.add_bottom(self.appearance.theme_action)
        actions["app.preferences"].setIcon(icon("settings"))
        actions["app.preferences"].setIconText("Settings")
        rail.add_bottom(actions["app.preferences"])
        self.commands.keys_changed.connect(rail.rename)
        self.window.set_menu_corner(self.commands.key_of("tools.palette"), self.help.open_palette)

    def _join(self) -> None:
        window, run = self.window, self.commands.run
        self.results.item_wanted.connect(self._open_item)
        self.results.resume_requested.connect(self.evaluate.resume)
        self.results.again_requested.connect(self.evaluate.run_again)
        self._results.walk_wanted.connect(self.evaluate.queue)
        self._results.make_wanted.connect(self._make_ambiguous)
        self._results.export_wanted.connect(lambda rows, words: self.export.ask_for_selection(rows, words))
        self.campaigns.task_wanted.connect(self._live.take_task)
        self._live.when_built(lambda: self.live.recording.finished.connect(self.campaigns.demonstration_done))
        self._training.when_built(lambda: self.training.evaluate_wanted.connect(self.evaluate.show_form))
        self.models.evaluate_wanted.connect(self.evaluate.show_form)
        self.context.events.on(ModelsChanged, lambda event: self.models.refresh(event.name) if event.name else None)
        self.library.opening.ended.connect(lambda _path: self._tools.source_read())
        self.library.opening.completed.connect(lambda _old, _fresh: self._tools.source_read())
        window.episodes.problems_requested.connect(lambda: self.commands.run("source.problems"))
        self.library.opening.predictions_dropped.connect(self.evaluate.import_predictions)
        self.library.opening.bundle_dropped.connect(self._export.import_bundle)
        self._export.run_wanted.connect(self.evaluate.show_run)
        self.library.listed.connect(self._open_first)
        self.library.place_kept.connect(self.viewer.open_episode)
        self.viewer.episodes_beside = self.library.beside
        self.library.listed.connect(self.viewer.read_beside)
        self.keys.begin()
        self.keys.let_go.connect(self.viewer.stay)
        window.episodes.episode_chosen.connect(
            lambda place, _episode: self.viewer.open_episode(self.library.choose_listed(place))
        )
        self.annotating.replay_wanted.connect(lambda spot: self.results.open_item(spot.episode, spot.step or 0))
        self.session.keep("replay", self._replay.shown_view)
        self.session.keep("scope", self._library.scope.part)
        self.session.keep("compare", self._compare.pair)
        self.session.keep("judge", self._judge.looked_at_part)
        self.session.keep("review", self._ambiguous.looked_at_part)
        self.session.keep("results", self._results.shown_view)
        self.session.keep("runs looked at", self._results.looked_at_runs, of_runs=True)
        self.session.keep("compare screens", self._compare.screens_looked_at)
        window.closing.connect(self._close_or_stay)
        window.paths_dropped.connect(self.library.opening.open_paths)
        window.escaped.connect(self.playback.leave_loop)
        self.damaged_store.another_wanted.connect(self._go_on_with)
        window.when_made("runs", lambda: window.runs.export_requested.connect(self._offer_exports))
        window.when_made("results", lambda: window.results.export_requested.connect(self._offer_exports))
        window.when_made("compare", lambda: window.compare.step_painted.connect(self._step_painted))
        window.when_made("compare", lambda: window.compare.back_clicked.connect(lambda: run("go.back")))
        window.when_made(
            "compared", lambda: window.compared.evaluate_wanted.connect(lambda: run("evaluate.automation"))
        )
        window.when_made("rules", lambda: window.rules.explain_wanted.connect(lambda: run("help.protocols")))
        window.replay.view.step_painted.connect(self._step_painted)
        self.context.selection.source_changed.connect(self._closed_one)
        window.workspace_changed.connect(self._enter)
        window.workspace_changed.connect(self.commands.set_workspace)

    def when_built(self, feature: str, join: Callable[[], object]) -> None:
        """Do this once the feature of this name is built, or now where it is."""
        found = next(one for one in self.features if one.id == feature)
        if isinstance(found, LateFeature):
            found.when_built(join)
        else:
            join()

    def _go_to(self, workspace: str) -> None:
        """Bring a workspace to the front, once what it stands on is loaded: the window answers meanwhile."""
        self._going_to = workspace
        feature = next(one for one in self.features if one.id == workspace)
        modules = feature.modules

        def arrive() -> None:
            if self._going_to == workspace:
                self.window.set_workspace(workspace)

        if all(name in sys.modules for name in modules):
            arrive()
        else:
            load = partial(self._loader.load_first, then=arrive)
            self.context.start("load a workspace", lambda _token: load_order(modules), load)

    def _enter(self, workspace: str) -> None:
        self._going_to = ""
        self._entered_at = time.perf_counter()
        next(feature for feature in self.features if feature.id == workspace).enter()

    def _command_line(self, request: EvaluateRequest) -> str:
        return command_line.command_line(self._source_path, request)

    def _training_line(self, request: TrainRequest, recipe: RecipeChoice | None) -> str:
        return training_line.training_line(self._source_path, request, recipe)

    @property
    def _source_path(self) -> Path | None:
        source = self.context.selection.source
        return source.source.path if source else None

    def _run_rows(self) -> list[PaletteRow]:
        """The stored runs as the palette offers them."""
        from stepscope.widgets.shell.palette.palette_row import PaletteRow

        rows = (row for row in self.results.rows() if not row.archived)
        return [PaletteRow("run", row.id, row.name, f"{row.group}  {row.metric}".rstrip()) for row in rows]

    def _show_run(self, run: str) -> None:
        self.results.choose(run)
        self._go_to("results")

    def _run_again(self, run: str) -> None:
        """Go on with a run that ended early, or open the form on what another one was."""
        known = self.results.run_of(run)
        if known is not None and known.state.resumable:
            self.results.resume(run)
        elif known is not None:
            self.evaluate.show_form(known.spec.task, known.spec.model, known.spec.protocol)

    def _open_item(self, path: str, episode: str, step: int) -> None:
        """Show an item of the chosen run: a page with what the run left in it, or a step."""
        run = self.results.current
        if run is None or run.spec.task is not ModelTask.WEBTASK:
            self.navigate.open_item(path, episode, step)
            return
        self._webtask.show_run(run.id)
        self.window.set_workspace("webtask")
        self.navigate.show_item(path, episode, 0)

    def _filter_episodes(self, words: str) -> None:
        """The episodes that have such a step, in Replay."""
        self.window.set_workspace("replay")
        self.library.set_filter(words, tell_view=True)

    # Start and end ---------------------------------------------------------------------------------------------------

    def start(self, paths: list[Path], *, fresh: bool = False, link: str = "") -> None:
        """Show the window, then open the store and the data: `paths`, else the step that a link names, else the last
        session, else the sample."""
        self.begin(StartupRequest(tuple(paths), fresh, link))

    def begin(self, beginning: StartupRequest) -> None:
        """The same as the beginning says."""
        self._beginning = beginning
        self.window.restore_geometry()
        self.window.show()
        self.window.replay.view.setFocus()
        FirstPaint(self.window, self._open_store)

    def _open_store(self) -> None:
        if self._ended:
            return
        url, beginning = self.context.places.store_url, self._beginning

        def opened(found: OpenedStore) -> None:
            self._opened(found.database)
            self.results.tell_interrupted(found.interrupted)
            if found.told:
                self.context.messages.info(found.told)

        def failed(error: Exception) -> None:
            self.context.messages.failure(error)
            self.context.messages.warning("What is done now is lost when the window is closed.", title="No store.")
            self.evaluate.work_here()
            self._in_memory = True
            self.context.start("open store in memory", lambda _token: _open(MEMORY), opened)

        self.context.start("open store", lambda _token: _open(url, beginning), opened, failed=failed)

    def _opened(self, database: Database) -> None:
        self.context.database = database
        self.context.store_opened.emit()
        self.context.tasks.changed.connect(self._look_for_rest)
        if database.read_only:
            refusal = database.refusal()
            self.context.messages.warning(f"{refusal.place}: {refusal.hint}", title=refusal.message)
        beginning = self._beginning
        paths, link = [str(path) for path in beginning.paths], beginning.link
        if paths:
            self.session.begin_elsewhere(lambda: self.library.opening.open_paths(paths))
        elif link:
            self.session.begin_elsewhere(lambda: self.links.follow(link))
        elif beginning.fresh:
            self.session.begin_elsewhere(lambda: self.library.opening.open_path(SAMPLE))
        else:
            self.session.restore(self._first_run, self._start.show_where_nothing_is_open)

    def _look_for_rest(self) -> None:
        """Once what the window begins with is shown, what is not in front may come. Data sets that go on being read
        are not waited for, but what is shown of them."""
        waits_for_data = self.context.selection.episode is None
        busy = any(waits_for_data or task.lane != "index" for task in self.context.tasks.tasks)
        if self.session.is_back and not busy:
            self.context.tasks.changed.disconnect(self._look_for_rest)
            self.context.settled.emit()
            self._get_ready_for_more()

    def _is_waited_for(self) -> bool:
        """Whether a person waits for something, or will in a moment."""
        waiting = any(task.lane in ("urgent", "reader") for task in self.context.tasks.tasks)
        return waiting or self.viewer.is_fetching

    def _get_ready_for_more(self) -> None:
        """Load in the background what a person will ask for next."""
        ready = self.context.start("get ready to read", get_ready, lane="index", priority=-9)
        ready.finished.connect(self._get_plots_ready)
        late = [name for feature in self.features for name in feature.modules]
        self.context.start(
            "order of loading",
            lambda _token: load_order(late),
            lambda names: self._loader.begin(names, [lambda: self.evaluate.forms], self.window.make_docks_later()),
            lane="index",
            priority=-10,
        )

    def _go_on_with(self, store_url: str, prepare: Callable[[], str]) -> None:
        """Close this window, and let another open on that store: on the same data at the same place, or, where this
        one never had its store, as this one began."""
        beginning = replace(self._beginning, prepare=prepare)
        if not self._in_memory:
            beginning = StartupRequest(session=self.session.state(), prepare=prepare)
        self.succeeded_by = replace(self.context.places, store_url=store_url), beginning
        if not self.close():
            self.succeeded_by = None

    def _at_work(self) -> str:
        """What writes to the store for long, in words, "" where nothing does."""
        if self.evaluate.is_running:
            return "An evaluation is running."
        return "A training is running." if self._training.is_running else ""

    def _get_plots_ready(self) -> None:
        """Bring in what plots stand on before results are looked at."""
        if not self._ended:
            plot_library().begin()

    def _first_run(self) -> None:
        self._start.sample.open()
        if not self.context.preferences.seen_sample_bar:
            self.help.show_sample_bar()
            self.context.prefer(seen_sample_bar=True)

    def _open_first(self) -> None:
        """A list without an episode that is open or on its way shows its first one."""
        if self.library.ids and not self.viewer.heading_for:
            self.viewer.open_episode(self.library.ids[0])

    def close(self) -> bool:
        """Close the window as its own button does; False when the person goes back."""
        return self.window.close()

    def _close_or_stay(self, event: QCloseEvent) -> None:
        if not self._keep_everything():
            event.ignore()

    def _keep_everything(self) -> bool:
        """Ask when an evaluation or a training is running, then bring all work to rest and keep what there is."""
        if self._ended:
            return True
        if (self.evaluate.is_running or self._training.is_running) and not self._may_stop():
            return False
        self._ended = True
        plot_library().stop()
        self._loader.stop()
        for feature in (
            self._replay, self._annotate, self._ordering, self._judge, self._live, self._webtask, self._ambiguous,
        ):  # fmt: skip
            feature.end()
        self.context.tasks.stop_all()
        try:
            self._webtask.keep_last()
        except UserError as error:
            log.warning("the last answers were not saved: %s", error)
        try:
            self.evaluate.end()
            self.session.save_now()
        except UserError as error:
            log.warning("the session was not saved: %s", error)
        self.window.save_geometry()
        self.context.pictures.close()
        if self.context.database is not None:
            self.context.database.close()
            self.context.database = None
        return True

    def _may_stop(self) -> bool:
        question = self._at_work()
        if self.evaluate.is_running:
            detail = "Its results so far are kept, and it can be resumed."
        else:
            detail = "Its epochs so far are kept; with the same settings it goes on from there."
        return confirmed(self.window, question, detail, "Stop and keep results", destructive=False)

    def _make_ambiguous(self, data: str) -> None:
        """Ambiguous tasks of this data, which comes to the front for it, by the command for them."""

        def make() -> None:
            shown = self.context.selection.source
            if shown is not None and shown.source.path == Path(data):
                self.commands.run("ambiguous.make")

        shown = self.context.selection.source
        if shown is not None and shown.source.path == Path(data):
            make()
        else:
            self.library.opening.open_path(Path(data), make)

    def _offer_exports(self, run: str) -> None:
        self.results.choose(run)
        self.commands.menu("&File/&Export").popup(QCursor.pos())

    def _clear_cache(self) -> None:
        self.context.pictures.clear()
        self._show_cache()

    def _step_painted(self, _milliseconds: float) -> None:
        self.context.pictures.go_on()
        asked = self.viewer.asked_at
        if asked <= max(self._entered_at, self._measured):
            return  # the step that is shown was painted anew: its workspace was entered, a mark came or went
        self._measured, self._took = asked, self.viewer.since_asked()
        self.context.step_times.add(self._took)
        self._measures.ask()

    def _show_measures(self) -> None:
        """What was measured says nothing where nothing is open."""
        if self.context.selection.source is None:
            for place in ("time", "cache"):
                self.window.status.put(place, "")
        else:
            self.window.status.put_time(self._took)
            self._show_cache()

    def _closed_one(self) -> None:
        if self.context.selection.source is None:
            self._measures.ask()

    def _show_cache(self) -> None:
        used = self.context.cache.statistics
        self.window.status.put("cache", f"cache {used.bytes // 2**20} of {used.limit // 2**20} MB", "Decoded pictures")


@dataclass(frozen=True)
class OpenedStore:
    """The store, the runs whose program ended before they did, and what a person is to know of the store."""

    database: Database
    interrupted: list[str]
    told: str = ""


def _open(url: str, beginning: StartupRequest | None = None) -> OpenedStore:
    """Raises StoreError; then nothing is open."""
    from stepscope.core.process.children import work_for_a_window
    from stepscope.core.store.abandoned_runs import mark_interrupted
    from stepscope.core.store.engine import Database

    work_for_a_window()
    told = beginning.prepare() if beginning is not None and beginning.prepare is not None else ""
    database = Database.open(url)
    try:
        interrupted = mark_interrupted(database)
        if beginning is not None and beginning.session is not None and not database.read_only:
            save_session(database, beginning.session)
    except BaseException:
        database.close()
        raise
    return OpenedStore(database, interrupted, told)


def get_ready(_token: object) -> None:
    """Load what reads data sets, here and in the reading process, all rules, and what plots need besides Qt, before a
    person asks for them."""
    from stepscope.app.services.indexing import warm_up
    from stepscope.core.scoring.registry import run_protocols

    warm_up()
    run_protocols()
    import_others()
