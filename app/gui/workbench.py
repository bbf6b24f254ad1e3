"""The workbench: makes the controllers, joins them, starts and ends. What each does is its own business."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication

from stepscope.app.gui.features.annotate.annotating_controller import AnnotatingController
from stepscope.app.gui.features.campaigns.campaigns_controller import CampaignsController
from stepscope.app.gui.features.compare.compare_controller import CompareController
from stepscope.app.gui.features.compare.compare_rules_controller import CompareRulesController
from stepscope.app.gui.features.compare.compare_screens_controller import CompareScreensController
from stepscope.app.gui.features.evaluate import evaluating
from stepscope.app.gui.features.evaluate.evaluate_controller import EvaluateController
from stepscope.app.gui.features.export.export_controller import ExportController
from stepscope.app.gui.features.export.export_episode_controller import EpisodeExportController
from stepscope.app.gui.features.export.export_list_controller import ListExportController
from stepscope.app.gui.features.library.filters_controller import FiltersController
from stepscope.app.gui.features.library.library_controller import LibraryController
from stepscope.app.gui.features.live.live_workspace import LiveWorkspace
from stepscope.app.gui.features.models.models_controller import ModelsController
from stepscope.app.gui.features.models.servers_controller import ServersController
from stepscope.app.gui.features.ordering.ordering_controller import OrderingController
from stepscope.app.gui.features.replay.attached_controller import AttachedController
from stepscope.app.gui.features.replay.details_controller import DetailsController
from stepscope.app.gui.features.replay.elements_controller import ElementsController
from stepscope.app.gui.features.replay.navigate_controller import NavigateController
from stepscope.app.gui.features.replay.playback_controller import PlaybackController
from stepscope.app.gui.features.replay.screen_controller import ScreenController
from stepscope.app.gui.features.results.breakdown_controller import BreakdownController
from stepscope.app.gui.features.results.rescoring_controller import RescoringController
from stepscope.app.gui.features.results.results_controller import ResultsController
from stepscope.app.gui.features.results.web_tables_controller import WebTablesController
from stepscope.app.gui.features.training.training_controller import TrainingController
from stepscope.app.gui.features.webtask.webtask_workspace import WebTaskWorkspace
from stepscope.app.gui.shell.appearance_controller import AppearanceController
from stepscope.app.gui.shell.commands.bar import CommandBar
from stepscope.app.gui.shell.commands.table import COMMANDS
from stepscope.app.gui.shell.confirm import ROLES, confirmed
from stepscope.app.gui.shell.context import Context, Places
from stepscope.app.gui.shell.damaged_store_controller import DamagedStoreController
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.export_work import ExportWork
from stepscope.app.gui.shell.help_controller import HelpController
from stepscope.app.gui.shell.key_filter import KeyFilter
from stepscope.app.gui.shell.links_controller import LinksController
from stepscope.app.gui.shell.preferences_controller import PreferencesController
from stepscope.app.gui.shell.session_controller import SessionController, save_session
from stepscope.app.gui.shell.soon import Soon
from stepscope.app.services.provenance import SAMPLE
from stepscope.core.domain.prediction import Task as ModelTask
from stepscope.core.errors import UserError
from stepscope.widgets.results.plot_library import import_others, plot_library

if TYPE_CHECKING:
    from stepscope.core.store.engine import Database


log = logging.getLogger("stepscope")

MEMORY = "sqlite://"
"""A store that is gone when the window is closed."""


@dataclass(frozen=True)
class Beginning:
    """What a window begins with: the data at `paths`, else the step that a link names, else, unless `fresh` begins on
    the sample, what `session` says, or the store where that is None. `prepare` is done before the store is opened, and
    says what a person is to know of it."""

    paths: tuple[Path, ...] = ()
    fresh: bool = False
    link: str = ""
    session: Mapping[str, Any] | None = None
    prepare: Callable[[], str] | None = None


class Workbench(QObject):
    """One window and all that belongs to it. `succeeded_by` is the place and the beginning of the window that is to
    open once this one is closed, None as a rule."""

    def __init__(self, application: QApplication, places: Places) -> None:
        super().__init__()
        self._application = application
        self._ended = False
        self._beginning = Beginning()
        self._in_memory = False
        self.succeeded_by: tuple[Places, Beginning] | None = None
        self._took = 0.0
        self.context = context = Context(places)
        self._measures = Soon(context, self._show_measures, light=True)
        self.window = context.window
        self.library = LibraryController(context)
        self.replay = EpisodeViewer(context)
        self.playback = PlaybackController(context, self.replay)
        self.results = ResultsController(context)
        self.breakdown = BreakdownController(context, self.results)
        self.annotating = AnnotatingController(context, self.playback.stop)
        self.filters = FiltersController(context, self.library.listing, self.annotating.history)
        self.details = DetailsController(context, self.replay, self.results.shown_names)
        self.screen = ScreenController(context, self.replay)
        self.attached = AttachedController(context)
        self.elements = ElementsController(context, self.replay)
        self.ordering = OrderingController(context, self.replay)
        self.evaluate = EvaluateController(context, self.library, self.results)
        self.training = TrainingController(context, self.library)
        self.models = ModelsController(context)
        self.servers = ServersController(context)
        self.preferences = PreferencesController(context)
        self.rescoring = RescoringController(context, self.results)
        exports = ExportWork(context)
        self.export = ExportController(context, lambda: self.results.results, exports)
        self.list_export = ListExportController(context, self.library.listing, exports)
        self.web_tables = WebTablesController(context, self.breakdown, exports)
        self.campaigns = CampaignsController(context, self.annotating.history, exports)
        self.export_episode = EpisodeExportController(
            context,
            lambda: self.details.current,
            lambda step: self.screen.elements_of(step),
            lambda: self.attached.chosen,
            self.results.shown_names,
            exports,
        )
        self.navigate = NavigateController(context, self.library, self.replay, self.details, self.annotating.book)
        self.links = LinksController(context, self.library, self.replay)
        self.session = SessionController(context, self.library, self.replay)
        self.damaged_store = DamagedStoreController(context, self._at_work)
        self.appearance = AppearanceController(context)
        self.help = HelpController(context, self.library, self.replay)
        self.compare = CompareController(context, self.results, self.navigate.show_item)
        self.compare_screens = CompareScreensController(context, self.replay)
        self.compare_rules = CompareRulesController(context, self.compare, self.rescoring.score_runs)
        self.live = LiveWorkspace(context, self.library, self.replay)
        self.webtask = WebTaskWorkspace(context, self.library, self.replay, self.evaluate.show_form, exports)
        self.keys = KeyFilter(self.window)
        self.commands = self._make_commands()
        self._join()

    def _make_commands(self) -> CommandBar:
        handlers: dict[str, Callable[[], object]] = {
            "app.quit": self.window.close,
            "open.link": lambda: self.help.open_palette_on(self.links.pasted()),
            "step.next": lambda: self.replay.move(1),
            "step.previous": lambda: self.replay.move(-1),
            "step.next_ten": lambda: self.replay.move(10),
            "step.previous_ten": lambda: self.replay.move(-10),
            "step.first": lambda: self.replay.go(0),
            "step.last": self.replay.last,
            "cache.clear": self._clear_cache,
        }
        for controller in (
            self.library, self.filters, self.screen, self.elements, self.results, self.evaluate, self.rescoring,
            self.export, self.export_episode, self.navigate, self.session, self.appearance, self.help, self.annotating,
            self.breakdown, self.training, self.models, self.servers, self.playback, self.links, self.attached,
            self.list_export, self.live, self.campaigns, self.webtask, self.preferences, self.damaged_store,
        ):  # fmt: skip
            handlers |= controller.handlers()
        for workspace, own in (
            ("compare", self.compare.own_keys()), ("live", self.live.own_keys()), ("webtask", self.webtask.own_keys()),
        ):  # fmt: skip
            for command, here in own.items():
                handlers[command] = partial(self._by_workspace, workspace, handlers[command], here)
        return CommandBar(self.window, COMMANDS, handlers, self.context.conditions)

    def _by_workspace(self, workspace: str, usual: Callable[[], object], here: Callable[[], object]) -> None:
        """A command that means something of its own in a workspace."""
        (here if self.window.workspace == workspace else usual)()

    def _join(self) -> None:
        file_menu, sample = self.commands.menu("&File"), self.commands.actions["open.sample"]
        self.library.opening.fill_recent_menu_of(file_menu, before=sample)
        for controller in (
            self.appearance, self.screen, self.playback, self.help, self.annotating, self.models, self.live,
        ):  # fmt: skip
            controller.bind(self.commands)
        rail, actions = self.window.rail, self.commands.actions
        rail.add_workspace(actions["workspace.replay"], "replay")
        rail.add_workspace(actions["workspace.results"], "results")
        rail.add_workspace(actions["workspace.compare"], "compare")
        rail.add_workspace(actions["workspace.ordering"], "ordering")
        rail.add_workspace(actions["workspace.live"], "live")
        rail.add_workspace(actions["workspace.webtask"], "app")
        rail.add_bottom(self.appearance.theme_action)
        self.window.set_menu_corner(self.commands.key_of("tools.palette"), self.help.open_palette)
        self.details.judged.connect(self.attached.set_judged)
        self.attached.changed.connect(self.screen.refresh_marks)
        self.screen.pictures_of = self.attached.pictures_of
        self.details.judged.connect(lambda judged: self.screen.set_judged(judged, self.results.shown_names()))
        self.details.judged.connect(self.elements.set_judged)
        self.screen.elements_of = self.elements.drawn
        self.elements.changed.connect(self.screen.refresh_marks)
        self.details.judged.connect(lambda judged: self.ordering.set_judged(judged, self.results.shown_names()))
        self._join_compare()
        self.campaigns.task_wanted.connect(self.live.take_task)
        self.live.recording.finished.connect(self.campaigns.demonstration_done)
        self.window.inspector.evidence_chosen.connect(self.screen.light)
        self.results.item_wanted.connect(self._open_item)
        self.results.resume_requested.connect(self.evaluate.resume)
        self.results.again_requested.connect(self.evaluate.run_again)
        self.results.shown.connect(self.export.check_filter)
        self.help.offer_filters(lambda: self.filters.saved)
        self.help.offer_links(self.links.row, self.links.follow)
        self.breakdown.replay_requested.connect(lambda key: self.results.open_item(key.episode, key.step))
        self.library.opening.predictions_dropped.connect(self.evaluate.import_predictions)
        self.library.listed.connect(self._open_first)
        self.library.place_kept.connect(self.replay.open_episode)
        for signal in (self.training.trained, self.models.changed, self.servers.changed):
            signal.connect(lambda *_: self.evaluate.forms.look_up_models())
        self.training.trained.connect(lambda _task, name: self.models.refresh(name))
        for maker in (self.training, self.models):
            maker.evaluate_wanted.connect(self.evaluate.show_form)
        self.keys.held.connect(self.screen.set_bare)
        self.keys.let_go.connect(self.replay.stay)
        self.keys.loupe_held.connect(self.window.replay.view.hold_loupe)
        self.window.episodes.episode_chosen.connect(lambda _place, episode: self.replay.open_episode(episode))
        self.window.replay.back_clicked.connect(lambda: self.commands.run("go.back"))
        self.window.timeline.next_wrong_requested.connect(lambda: self.commands.run("wrong.next"))
        self.window.timeline.next_unchecked_requested.connect(lambda: self.commands.run("unchecked.next"))
        self.library.opened.connect(self.filters.count_soon)
        self.annotating.replay_wanted.connect(lambda spot: self.results.open_item(spot.episode, spot.step or 0))
        self.breakdown.export_wanted.connect(self.export.ask_for_selection)
        self.annotating.spots_of["results"] = self.breakdown.spots
        self.window.before_close = self._keep_everything
        self.damaged_store.another_wanted.connect(self._go_on_with)
        for view in (self.window.runs, self.window.results):
            view.export_requested.connect(self._offer_exports)
        for centre in (self.window.replay.view, self.window.compare):
            centre.step_painted.connect(self._step_painted)
        self.window.workspace_changed.connect(self._focus_centre)
        self.window.workspace_changed.connect(self.commands.set_workspace)

    def _open_item(self, path: str, episode: str, step: int) -> None:
        """Show an item of the chosen run: a page with what the run left in it, or a step."""
        run = self.results.current
        if run is None or run.spec.task is not ModelTask.WEBTASK:
            self.navigate.open_item(path, episode, step)
            return
        self.webtask.show_run(run.id)
        self.window.set_workspace("webtask")
        self.navigate.show_item(path, episode, 0)

    def _join_compare(self) -> None:
        compare, window = self.compare, self.window
        self.details.judged.connect(lambda judged: self.compare_screens.set_judged(judged, self.compare.names()))
        self.details.judged.connect(self.compare_rules.set_judged)
        self.keys.held.connect(self.compare_screens.set_bare)
        self.keys.let_go.connect(self.replay.stay)
        self.keys.loupe_held.connect(self.compare_screens.hold_loupe)
        compare.filter_wanted.connect(self._filter_episodes)
        window.compared.rescore_wanted.connect(self.compare_rules.rescore)
        window.compared.evaluate_wanted.connect(lambda: self.commands.run("evaluate.automation"))
        window.rules.explain_wanted.connect(lambda: self.commands.run("help.protocols"))
        window.compare.back_clicked.connect(lambda: self.commands.run("go.back"))
        for name, part, changed in (
            ("compare", compare, compare.changed),
            ("compare screens", self.compare_screens, window.compare.view_options_changed),
        ):
            self.session.keep(name, part.state, part.restore, changed)

    def _filter_episodes(self, words: str) -> None:
        """The episodes that have such a step, in Replay."""
        self.window.set_workspace("replay")
        self.library.set_filter(words, tell_view=True)

    # Start and end ---------------------------------------------------------------------------------------------------

    def start(self, paths: list[Path], *, fresh: bool = False, link: str = "") -> None:
        """Show the window, then open the store and the data: `paths`, else the step that a link names, else the last
        session, else the sample."""
        self.begin(Beginning(tuple(paths), fresh, link))

    def begin(self, beginning: Beginning) -> None:
        """The same as the beginning says."""
        self._beginning = beginning
        self.window.restore_geometry()
        self.window.show()
        self.window.replay.view.setFocus()
        QTimer.singleShot(0, self, self._open_store)

    def _open_store(self) -> None:
        url, beginning = self.context.places.store_url, self._beginning

        def opened(found: Opened) -> None:
            self._opened(found.database)
            self.results.tell_interrupted(found.interrupted)
            if found.told:
                self.context.messages.info(found.told)

        def failed(error: Exception) -> None:
            self.context.messages.failure(error)
            self.context.messages.warning("What is done now is lost when the window is closed.", title="No store.")
            self.evaluate.work = evaluating.here
            self._in_memory = True
            self.context.start("open store in memory", lambda _token: _open(MEMORY), opened)

        self.context.start("open store", lambda _token: _open(url, beginning), opened, failed=failed)

    def _opened(self, database: Database) -> None:
        self.context.database = database
        self.context.store_opened.emit()
        ready = self.context.start("get ready to read", _get_ready, lane="index", priority=-9)
        ready.finished.connect(self._get_plots_ready)
        if database.read_only:
            refusal = database.refusal()
            self.context.messages.warning(f"{refusal.place}: {refusal.hint}", title=refusal.message)
        beginning = self._beginning
        if beginning.paths:
            self.session.begin()
            self.library.opening.open_paths([str(path) for path in beginning.paths])
        elif beginning.link:
            self.session.begin()
            self.links.follow(beginning.link)
        elif beginning.fresh:
            self.session.begin()
            self.library.opening.open_path(SAMPLE)
        else:
            self.session.restore(self._first_run)

    def _go_on_with(self, store_url: str, prepare: Callable[[], str]) -> None:
        """Close this window, and let another open on that store: on the same data at the same place, or, where this
        one never had its store, as this one began."""
        beginning = replace(self._beginning, prepare=prepare)
        if not self._in_memory:
            beginning = Beginning(session=self.session.state(), prepare=prepare)
        self.succeeded_by = replace(self.context.places, store_url=store_url), beginning
        if not self.close():
            self.succeeded_by = None

    def _at_work(self) -> str:
        """What writes to the store for long, in words, "" where nothing does."""
        if self.evaluate.is_running:
            return "An evaluation is running."
        return "A training is running." if self.training.is_running else ""

    def _get_plots_ready(self) -> None:
        """Bring in what plots stand on before results are looked at."""
        if not self._ended:
            plot_library().begin()

    def _first_run(self) -> None:
        self.library.opening.open_path(SAMPLE)
        if not self.context.preferences.seen_sample_bar:
            self.help.show_sample_bar()
            self.context.prefer(seen_sample_bar=True)

    def _open_first(self) -> None:
        """A list without an episode that is open or on its way shows its first one."""
        if self.library.ids and not self.replay.heading_for:
            self.replay.open_episode(self.library.ids[0])

    def close(self) -> bool:
        """Close the window as its own button does; False when the person goes back."""
        return self.window.close()

    def _keep_everything(self) -> bool:
        """Ask when an evaluation or a training is running, then bring all work to rest and keep what there is."""
        if self._ended:
            return True
        if (self.evaluate.is_running or self.training.is_running) and not self._may_stop():
            return False
        self._ended = True
        self.playback.stop()
        plot_library().stop()
        self.annotating.keep()
        self.live.end()
        self.webtask.end()
        self.context.tasks.stop_all()
        try:
            self.webtask.people.keep_last()
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
        return confirmed(self.window, question, detail, "Stop and keep results", role=ROLES.AcceptRole)

    def _focus_centre(self, workspace: str) -> None:
        """The keys go to what the workspace is about."""
        if workspace == "replay":
            self.window.replay.view.setFocus()
        elif workspace == "ordering":
            self.window.ordering.board.setFocus()
        elif workspace == "compare":
            self.window.compare.focus_screen()
        elif workspace == "live":
            self.live.enter()
        elif workspace == "webtask":
            self.webtask.enter(lambda: self.commands.run("open.folder"), lambda: self.commands.run("evaluate.webtask"))
        else:
            self.window.results.focus_page()

    def _offer_exports(self, run: str) -> None:
        self.results.choose(run)
        self.commands.menu("&File/&Export").popup(QCursor.pos())

    def _clear_cache(self) -> None:
        self.context.pictures.clear()
        self._show_cache()

    def _step_painted(self, _milliseconds: float) -> None:
        self._took = self.replay.since_asked()
        self._measures.ask()

    def _show_measures(self) -> None:
        self.window.status.put_time(self._took)
        self._show_cache()

    def _show_cache(self) -> None:
        used = self.context.cache.statistics
        self.window.status.put("cache", f"cache {used.bytes // 2**20} of {used.limit // 2**20} MB", "Decoded pictures")


@dataclass(frozen=True)
class Opened:
    """The store, the runs whose program ended before they did, and what a person is to know of the store."""

    database: Database
    interrupted: list[str]
    told: str = ""


def _open(url: str, beginning: Beginning | None = None) -> Opened:
    """Raises StoreError; then nothing is open."""
    from stepscope.core.evaluation.runs import mark_interrupted
    from stepscope.core.store.engine import Database

    told = beginning.prepare() if beginning is not None and beginning.prepare is not None else ""
    database = Database.open(url)
    try:
        interrupted = mark_interrupted(database)
        if beginning is not None and beginning.session is not None and not database.read_only:
            save_session(database, beginning.session)
    except BaseException:
        database.close()
        raise
    return Opened(database, interrupted, told)


def _get_ready(_token: object) -> None:
    """Load what reads data sets, here and in the reading process, all rules, and what plots need besides Qt, before a
    person asks for them."""
    from stepscope.app.services.library import warm_up
    from stepscope.core.scoring.registry import run_protocols

    warm_up()
    run_protocols()
    import_others()
