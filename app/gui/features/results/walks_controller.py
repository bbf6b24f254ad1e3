"""The walks of the roll-out that is shown: its goals, and each goal's walk as a graph beside the person's way; the walk
that is under way as it goes on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from stepscope.app.gui.features.results.results_controller import ResultsController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.run_words import names_of
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import Run
from stepscope.core.domain.walk import WalkAnswer, WalkUnderWay, World
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.widgets.results.rule_bar import WALKS

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

    from stepscope.app.gui.features.results import walks_presenter
    from stepscope.app.services import evaluation, library, rollout_reading, walk_screens
    from stepscope.app.services.walk_screens import AppScreens
    from stepscope.core.sources.source import Source
    from stepscope.core.store.engine import Database
    from stepscope.widgets.results.results_view import ResultsView
    from stepscope.widgets.results.selection import SelectionPanel
    from stepscope.widgets.results.walks.walk_values import GoalRow
    from stepscope.widgets.results.walks.walks_page import WalksPage
else:
    evaluation = lazy_module("stepscope.app.services.evaluation")
    library = lazy_module("stepscope.app.services.library")
    rollout_reading = lazy_module("stepscope.app.services.rollout_reading")
    walk_screens = lazy_module("stepscope.app.services.walk_screens")
    walks_presenter = lazy_module("stepscope.app.gui.features.results.walks_presenter")

ROOM = Size(480, 1040)
"""The room that screens are decoded for: sharp when the graph is zoomed in."""
MOST_LANES = 2
"""Walks of runs that are shown side by side."""


@dataclass(frozen=True, eq=False)
class _GoalWalks:
    """What was read of a goal: its walks by run, the shown one's first."""

    episode: str
    screens: AppScreens
    walks: dict[str, WalkAnswer | WalkUnderWay]

    def with_walk(self, run: str, walk: WalkUnderWay) -> _GoalWalks:
        """The same with the walk that the shown run is on."""
        others = {id_: one for id_, one in self.walks.items() if id_ != run}
        return replace(self, walks={run: walk, **others})


class WalksController(QObject):
    """One goal at a time; the screens of the app that was shown last are kept."""

    walk_wanted = Signal(object)
    """an `EvaluationRequest`: this goal on the simulated phone"""

    def __init__(
        self, context: Context, view: ResultsView, selected: SelectionPanel, results: ResultsController
    ) -> None:
        super().__init__(context)
        self._context, self._view, self._selected, self._results = context, view, selected, results
        self._page: WalksPage | None = None
        self._run = ""
        self._rows: dict[str, GoalRow] = {}
        self._episode = ""
        self._kept: tuple[str, str, AppScreens] | None = None
        self._found: _GoalWalks | None = None
        results.shown.connect(self._run_shown)
        results.walked.connect(self._walked)
        view.page_shown.connect(lambda page: self._enter() if page == WALKS else None)
        view.walks_shown.connect(self._beside)
        context.selection.letters_changed.connect(self._letters_changed)

    @property
    def page(self) -> WalksPage:
        """The page, connected when it is first wanted."""
        if self._page is None:
            self._page = page = self._view.walks
            page.goal_wanted.connect(self.show_goal)
            page.pictures_wanted.connect(self._read_pictures)
            page.replay_requested.connect(self._open)
            page.phone_requested.connect(self._walk_on_phone)
        return self._page

    def _beside(self, shown: bool) -> None:
        if shown or self._page is not None:
            self._selected.show_panel(self.page.panel if shown else None)

    def _run_shown(self) -> None:
        run = self._results.current
        walks = run is not None and run.spec.task is Task.ROLLOUT
        self._view.set_walks(walks)
        if walks and self._view.page == WALKS:
            self._enter()

    def _enter(self) -> None:
        run = self._results.current
        if run is None or run.spec.task is not Task.ROLLOUT:
            return
        if self._run != run.id:
            self._run, self._episode, self._rows = run.id, "", {}
            self.page.follows = True
            self.page.set_goals((), "", frozenset())
        self._context.query("walks", lambda database: _rows(database, run), lambda found: self._take_rows(run, found))

    def _take_rows(self, run: Run, rows: list[GoalRow]) -> None:
        if self._run != run.id:
            return
        before, self._rows = self._rows, {row.episode: row for row in self._with_walk_of(run, rows)}
        if self._rows == before:
            return
        shown, row = self._episode, self._rows.get(self._episode)
        self._list_goals(run)
        if self._episode == shown and row is not None and not row.under_way and row != before.get(shown):
            self.show_goal(shown)

    def _list_goals(self, run: Run) -> None:
        """The goals; the one that is being walked is chosen, unless a person has chosen another."""
        rows, walk = list(self._rows.values()), self._results.walk_of(run.id)
        current = walk.episode if walk is not None and self.page.follows else self._episode
        self.page.set_goals(rows, walks_presenter.share_words(rows), self._phone_goals(run), current)

    def _with_walk_of(self, run: Run, rows: list[GoalRow]) -> list[GoalRow]:
        """The goals with the one that the run is walking to now, and those it walked to that are not stored yet."""
        walk = self._results.walk_of(run.id)
        if walk is None:
            return rows
        found = {row.episode: row for row in self._rows.values() if row.under_way}
        found |= {row.episode: row for row in rows}
        found[walk.episode] = walks_presenter.row_under_way(walk)
        return list(found.values())

    def _walked(self, run_id: str) -> None:
        """The run is a step further, or at another goal, or at its end: what it did before is in the store soon."""
        run, walk = self._results.current, self._results.walk_of(run_id)
        if run is None or run.id != run_id or self._run != run_id or self._view.page != WALKS:
            return
        row = self._rows.get(walk.episode) if walk is not None else None
        if walk is None or row is None or not row.under_way:
            self._enter()
            return
        self._rows[walk.episode] = row = replace(row, actions=walk.actions)
        self._list_goals(run)
        if self._episode == walk.episode and self._found is not None and self._found.episode == walk.episode:
            self._found = self._found.with_walk(run_id, walk)
            self._show(run, row)

    def _phone_goals(self, run: Run) -> frozenset[str]:
        """Episodes that the simulated phone can be asked for, where the data is open and it was not walked there."""
        open_ = self._context.selection.source_at(run.spec.source) is not None
        on_graph = dict(run.spec.options).get("world", World.GRAPH.value) == World.GRAPH.value
        return frozenset(rollout_reading.sample_goals()) & self._rows.keys() if open_ and on_graph else frozenset()

    def show_goal(self, episode: str) -> None:
        """Read the walks of a goal, and put its app's screens together where they are not there yet."""
        run, database = self._results.current, self._context.database
        row = self._rows.get(episode)
        if run is None or database is None or row is None:
            return
        self._episode = episode
        known = self._kept
        kept = known[2] if known is not None and known[:2] == (run.spec.source, row.app) else None
        if kept is None or episode not in kept.episodes:
            self.page.set_waiting()
            self.page.forget_images()
            kept = None
        source = self._context.selection.source_at(run.spec.source)
        runs = [run.id, *self._others(run)]

        def take(found: _GoalWalks) -> None:
            if self._episode == episode and self._run == run.id:
                self._kept = run.spec.source, row.app, found.screens
                walk = self._results.walk_of(run.id)
                if walk is not None and walk.episode == episode:
                    found = found.with_walk(run.id, walk)
                self._found = found
                self._show(run, self._rows.get(episode, row))

        def failed(error: Exception) -> None:
            if self._episode == episode:
                self.page.set_state(None)
            self._context.messages.failure(error)

        self._context.start(
            "screens of the walk", lambda _token: _read(database, run, runs, row, source, kept), take, failed=failed
        )

    def _others(self, run: Run) -> list[str]:
        """Other roll-outs of the same data that are shown, by their letters."""
        shown = self._results.letters_of(run)
        known = [one for one in self._results.runs() if one.spec.task is Task.ROLLOUT and one.id in shown]
        same = sorted((one for one in known if one.id != run.id), key=lambda one: shown[one.id])
        return [one.id for one in same if one.spec.source == run.spec.source][: MOST_LANES - 1]

    def _show(self, run: Run, row: GoalRow) -> None:
        found = self._found
        if found is None:
            return
        letters = self._results.letters_of(run)
        names = names_of([one for one in self._results.runs() if one.id in found.walks], short=True)
        walks = [(id_, names.get(id_, id_), letters.get(id_), walk) for id_, walk in found.walks.items()]
        try:
            self.page.set_state(walks_presenter.walk_state(row, found.screens, walks))
        except UserError as error:
            self.page.set_state(None)
            self._context.messages.failure(error)

    def _letters_changed(self) -> None:
        """Another run may be shown beside this one, or this one in another colour."""
        if self._page is not None and self._view.page == WALKS and self._episode:
            self.show_goal(self._episode)

    def _read_pictures(self, names: list[str]) -> None:
        found = self._found
        if found is None:
            return
        for name in names:
            picture = found.screens.observation(name).shown if name in found.screens.names else None

            def take(image: QImage, name: str = name) -> None:
                if self._found is found or (self._found is not None and self._found.screens is found.screens):
                    self.page.set_image(name, image)

            if picture is not None:
                self._context.thumbnail(picture, ROOM, take)

    def _open(self, episode: str, place: int) -> None:
        found = self._found
        step = None if found is None else found.screens.step_of(f"{episode}/{place}")
        self._results.open_item(episode, step[1] if step is not None else 0)

    def _walk_on_phone(self, episode: str) -> None:
        """The same model, this goal, on the simulated phone."""
        run = self._results.current
        if run is None:
            return
        options = dict(run.spec.options) | {"world": World.PHONE.value}
        self.walk_wanted.emit(
            evaluation.EvaluationRequest(
                protocol=run.spec.protocol,
                model=run.spec.model,
                options=tuple(options.items()),
                episodes=(episode,),
                seed=run.spec.seed,
                device=run.spec.device,
                runtime=run.spec.runtime,
                task=Task.ROLLOUT,
            )
        )


def _rows(database: Database, run: Run) -> list[GoalRow]:
    """In the reader lane: the goals of a run, in its order."""
    from stepscope.core.store.repositories import sources

    walks = list(rollout_reading.stored_walks(database, run.id))
    with database.reading() as db:
        known = sources.find(db, Path(run.spec.source))
        rows = sources.summaries(db, known.id, [one.episode for one in walks]) if known is not None else []
    about = {row.id: row for row in rows}
    return [
        walks_presenter.goal_row(
            one,
            about[one.episode].goal if one.episode in about else "",
            (about[one.episode].app if one.episode in about else None) or "",
        )
        for one in walks
    ]


def _read(
    database: Database, run: Run, runs: list[str], row: GoalRow, source: Source | None, kept: AppScreens | None
) -> _GoalWalks:
    """In the reader lane: the walks to a goal and the app's screens. Raises UserError where the data is gone."""
    walks: dict[str, WalkAnswer | WalkUnderWay] = {}
    for one in runs:
        found = next(rollout_reading.stored_walks(database, one, [row.episode]), None)
        if found is not None and found.walk is not None:
            walks[one] = found.walk
    if kept is None:
        data = source or library.indexed_source(database, Path(run.spec.source), run.spec.format)
        kept = walk_screens.app_screens(data, row.app or None, row.episode)
    return _GoalWalks(row.episode, kept, walks)
