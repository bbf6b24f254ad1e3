"""The coordinate check of the run that is shown: made when its page is entered, and its answers read again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from stepscope.app.gui.features.results.results_controller import NAME, ResultsController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.events import RunsChanged
from stepscope.app.gui.shell.tasks import BackgroundTask
from stepscope.app.gui.shell.undo import UNDO_OFFERED, Edit, OutdatedError, UndoHistory
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.domain.prediction import WITH_PLACES
from stepscope.core.domain.run import Run, RunState
from stepscope.core.errors import UsageError, UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.models.agents.spaces import AS_SAID, Space
from stepscope.widgets.common.action_words import action_words
from stepscope.widgets.results.coordinates_values import CoordinatesState, SpaceRow, TurnRow
from stepscope.widgets.results.rule_bar import COORDINATES

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

    from stepscope.app.services import coordinate_check, coordinate_doubts, library
    from stepscope.app.services.coordinate_check import CheckUpdate, CoordinateCheck, SpaceCandidate, SpaceTurn
    from stepscope.core.domain.geometry import Point
    from stepscope.core.evaluation.runs import RunUpdate
    from stepscope.core.sources.source import Source
    from stepscope.core.store.engine import Database
    from stepscope.models.agents.adapter import Adapter
    from stepscope.widgets.results.results_view import ResultsView
    from stepscope.widgets.results.selection import SelectionPanel
else:
    coordinate_check = lazy_module("stepscope.app.services.coordinate_check")
    coordinate_doubts = lazy_module("stepscope.app.services.coordinate_doubts")
    library = lazy_module("stepscope.app.services.library")

ROOM = Size(720, 1600)
"""The room that the screen of a step is decoded for."""
MOST_TURNS = 500
"""Steps that would turn that are listed; the command tells all."""


class CoordinatesController(QObject):
    """One check at a time; what was found is kept for as long as its run is shown."""

    def __init__(
        self,
        context: Context,
        view: ResultsView,
        selected: SelectionPanel,
        results: ResultsController,
        history: UndoHistory,
    ) -> None:
        super().__init__(context)
        self._history = history
        self._context, self._view, self._results = context, view, results
        self._page = view.coordinates
        self._task: BackgroundTask | None = None
        self._checked = ""
        self._found: CoordinateCheck | None = None
        self._made: tuple[Run, str] | None = None
        """the run whose answers are being read again, and the id of the one that they are read into"""
        results.shown.connect(self._run_shown)
        view.page_shown.connect(self._page_shown)
        results.doubts_changed.connect(self._doubt_changed)
        self._page.read_again_requested.connect(self.read_again)
        self._page.stop_requested.connect(self.stop)
        self._page.examples.turn_shown.connect(self._show_turn)
        view.coordinates_shown.connect(lambda on: selected.show_panel(self._page.examples if on else None))
        self._letter: int | None = None
        context.selection.letters_changed.connect(self._letters_changed)

    @property
    def is_running(self) -> bool:
        return self._task is not None

    def stop(self) -> None:
        """End what goes on; nothing was changed by a check."""
        if self._task is not None:
            self._task.cancel()

    def _show_turn(self, place: int) -> None:
        """The screen of the step in this row of those that would turn, -1 for none."""
        run, found = self._results.current, self._found
        if run is None or found is None or not 0 <= place < len(found.turns):
            self._page.examples.example.set_turn(None, None)
            return
        turn = found.turns[place]
        self._page.examples.example.set_turn(_turn(turn), self._results.letters_of(run).get(run.id))

        def take(image: QImage) -> None:
            if self._found is found and self._page.examples.table.currentIndex().row() == place:
                self._page.examples.example.set_image(image)

        if turn.meant.picture is not None:
            self._context.thumbnail(turn.meant.picture, ROOM, take, priority=1)

    def check(self) -> None:
        """Read the answers of the run that is shown in every space, in the background."""
        run, database = self._results.current, self._context.database
        if run is None or database is None or self._checked == run.id or self._made is not None:
            return
        self.stop()
        self._checked = run.id
        source = self._context.selection.source_at(run.spec.source)

        def failed(error: Exception) -> None:
            self._checked = ""
            if isinstance(error, UserError):
                self._page.set_trouble(error.words_in_window)
            else:
                self._context.messages.failure(error)

        self._begin(
            f"Reading run {run.id} in every space", lambda token: checking(database, run, source, token), failed
        )

    def read_again(self, space: str) -> None:
        """Read the answers in this space; what comes of it takes the run's place, which can be undone."""
        run, database = self._results.current, self._context.database
        if run is None or database is None or self._task is not None:
            return
        source = self._context.selection.source_at(run.spec.source)
        self._begin(
            f"Reading run {run.id} again",
            lambda token: reading_again(database, run, source, space, token),
            self._context.messages.failure,
        )
        self._made = (run, "")

    def _begin(self, name: str, work: object, failed: object) -> None:
        task = self._context.start(name, work, failed=failed, lane="index")  # type: ignore[arg-type]
        self._task = task
        self._page.set_progress(0, None)
        task.progressed.connect(self._progressed)
        task.finished.connect(lambda: self._finished(task))

    def _progressed(self, update: CheckUpdate | RunUpdate) -> None:
        progress = update.progress
        self._page.set_progress(progress.done, progress.total)
        if isinstance(update, coordinate_check.CheckUpdate):
            if update.result is not None and self._checked == update.result.run_id:
                self._found = update.result
                self._show()
                self._results.reread_doubts()
        elif self._made is not None:
            self._made = (self._made[0], update.run_id if update.state is RunState.DONE else "")

    def _show(self) -> None:
        if self._found is not None:
            known = self._results.doubts.get(self._found.run_id)
            kept = known is not None and known.doubt.kept
            self._letter = self._letter_now()
            self._page.set_state(state_of(self._found, self._adapter(), kept=kept), self._letter)

    def _letter_now(self) -> int | None:
        run = self._results.current
        return None if run is None else self._results.letters_of(run).get(run.id)

    def _letters_changed(self) -> None:
        """The run's own colour may be another; what a person chose on the page stays where it is not."""
        if self._letter_now() != self._letter:
            self._show()

    def _doubt_changed(self, run: str) -> None:
        if self._found is not None and self._found.run_id == run:
            self._show()

    def _finished(self, task: BackgroundTask) -> None:
        if self._task is not task:
            return
        self._task = None
        self._page.set_progress(None, None)
        if task.token.cancelled:
            self._checked = ""
        if self._made is not None:
            (former, made), self._made = self._made, None
            self._context.events.publish(RunsChanged())
            if made:
                self._stand(former, made)
            elif self._view.page == COORDINATES:
                self.check()

    def _stand(self, former: Run, made: str) -> None:
        """The whole reading stands in the run's place: it has its letter, and Ctrl+Z brings the former one back."""
        name = self._results.name_of(former.id)

        def show(done: bool) -> None:
            before, now = (former.id, made) if done else (made, former.id)
            self._context.selection.hand_on(before, now, former.spec.source)
            if self._results.chosen == before:
                self._results.choose(now)

        self._history.make(
            Edit(
                f"read {name} again",
                do=lambda database: standing(database, made, former.id),
                undo=lambda database: standing(database, former.id, made),
                show=show,
                settled=lambda _written: self._context.events.publish(RunsChanged()),
                in_view=lambda: self._context.workspaces.workspace == NAME,
            )
        )
        told = f"{name} is read again. The former reading is among the archived runs."
        self._context.messages.done(told, ("edit.undo", "Undo"), about=UNDO_OFFERED)

    def _run_shown(self) -> None:
        run = self._results.current
        shown = run is not None and run.spec.task in WITH_PLACES
        if run is None or run.id != self._checked:
            self._checked, self._found = "", None
            self._page.set_state(None)
        self._view.set_coordinates(shown)
        if shown and self._view.page == COORDINATES:
            self.check()

    def _page_shown(self, page: str) -> None:
        if page == COORDINATES:
            self.check()

    def _adapter(self) -> Adapter | None:
        run = self._results.current
        return None if run is None else coordinate_check.adapter_of(run)


def checking(database: Database, run: Run, source: Source | None, token: CancelToken) -> Iterator[CheckUpdate]:
    """The check on the data that is open, or else opened for it. Raises UserError where the data is gone."""
    data = source or library.indexed_source(database, Path(run.spec.source), run.spec.format)
    for update in coordinate_check.check(database, run, data, token=token):
        if update.result is not None:
            coordinate_doubts.remember(database, update.result)
        yield update


def reading_again(
    database: Database, run: Run, source: Source | None, space: str, token: CancelToken
) -> Iterator[RunUpdate]:
    """The new run, step by step. Raises UserError where the data or the answers are gone."""
    from stepscope.core.store.repositories import sources

    data = source or library.indexed_source(database, Path(run.spec.source), run.spec.format)
    with database.reading() as db:
        known = sources.find(db, data.path)
    if known is None:
        raise UserError("The run's data is not in the store any more.", hint="Open it once.")
    prepared = coordinate_check.read_again(database, run, data, known.id, space, token)
    yield from prepared.run.updates()


def standing(database: Database, run: str, away: str) -> None:
    """In the writer lane: this run stands where the other did. Raises OutdatedError when one of them is deleted."""
    from stepscope.core.store.repositories import readings

    try:
        with database.unit_of_work() as db:
            readings.stand(db, run, away)
    except UsageError as error:
        raise OutdatedError(f"The reading cannot be changed: {error}") from error


def state_of(found: CoordinateCheck, adapter: Adapter | None, *, kept: bool = False) -> CoordinatesState:
    """The check in words; `kept`: a person says that the run is read rightly."""
    best, chosen = found.candidates[0], found.chosen
    title, own = (coordinate_check.space_words(one.name, adapter) for one in (best, chosen))
    low, high = best.interval or (0.0, 0.0)
    if found.few:
        headline = "Too few points to tell"
        detail = f"{chosen.points:,} steps have a place; nothing is concluded from fewer than {coordinate_check.FEW}."
    elif not found.explains:
        headline, detail = "No space explains these points", "No point would be right in any of them."
    elif found.winner:
        headline = f"The points of this run fit {_lower(title)}, not {_lower(own)}"
        gain = best.accuracy - chosen.accuracy
        right = f"{best.right:,} of {best.points:,} points right instead of {chosen.right:,} ({low:.3f} – {high:.3f})."
        detail = f"{right} Step accuracy would be {best.accuracy:.3f} instead of {chosen.accuracy:.3f}, {gain:+.3f}."
        detail += " The answers are stored, so nothing is asked again." if found.raw else ""
        detail += " No list marks it any more." if kept else ""
    else:
        headline, detail = "The chosen space fits as well as any", f"Read as {_lower(own)}."
    others = f"{found.steps - chosen.points:,} without one count the same in every space"
    footer = f"{chosen.points:,} steps with a point; {others} · Rule: {coordinate_check.rule_title(found.rule)}"
    read = f" --read {found.winner}" if found.winner and found.raw else ""
    return CoordinatesState(
        headline,
        detail,
        tuple(_row(one, found, adapter, best is one and not found.few) for one in found.candidates),
        tuple(map(_turn, found.turns[:MOST_TURNS])) if found.winner else (),
        footer,
        f"stepscope agents diagnose {found.run_id}{read}",
        winner=found.winner,
        can_read=found.raw,
        kept=kept and bool(found.winner),
        said=(tuple(x for x, _y in found.said), tuple(y for _x, y in found.said)),
        said_words=_said_words(found),
        episodes=found.episodes,
        turning=len(found.turns) if found.winner else 0,
    )


def _said_words(found: CoordinateCheck) -> str:
    if not found.said:
        return ""
    sent = f", on pictures {found.sent.width:,} × {found.sent.height:,} px as sent" if found.sent is not None else ""
    return f"The largest is {max(max(pair) for pair in found.said):,g}{sent}. Points outside every space are left out."


def _ends(name: str, found: CoordinateCheck, adapter: Adapter | None) -> tuple[float, float] | None:
    """The largest x and y of a space, None for one without an end of its own, or whose pictures are not known."""
    own = Space.ORIGINAL if adapter is None else adapter.space
    space = own if name == AS_SAID else next((one for one in Space if one.value == name), None)
    size = {Space.RESIZED: found.sent, Space.ORIGINAL: found.recorded}.get(space) if space is not None else None
    if size is not None:
        return float(size.width), float(size.height)
    end = {Space.UNIT: 1.0, Space.THOUSAND: 1000.0, Space.NINE99: 999.0}.get(space) if space is not None else None
    return None if end is None else (end, end)


def _row(one: SpaceCandidate, found: CoordinateCheck, adapter: Adapter | None, is_best: bool) -> SpaceRow:
    chosen = found.chosen
    note = "chosen" if one.chosen else "fits best" if is_best and one.right else ""
    note = note or ("cannot be told apart" if one.same_as_best and one.right else "")
    above = one.interval is not None and chosen.interval is not None and one.interval[0] > chosen.interval[1]
    return SpaceRow(
        one.name,
        coordinate_check.space_words(one.name, adapter),
        one.right,
        one.share,
        one.interval,
        one.on_screen / one.points if one.points else None,
        one.accuracy,
        None if one.chosen else one.accuracy - chosen.accuracy,
        note,
        one.chosen,
        above,
        one.points,
        one.gained,
        one.lost,
        one.whole if found.has_episodes else None,
        one.malformed,
        _ends(one.name, found, adapter),
    )


def _turn(turn: SpaceTurn) -> TurnRow:
    said = "" if turn.said is None else f"{turn.said[0]:g}, {turn.said[1]:g}"
    words = action_words(turn.meant.reference)
    return TurnRow(
        turn.key.episode,
        turn.key.step,
        turn.better,
        said,
        _place(turn.now),
        _place(turn.then),
        None if turn.now is None else turn.now.fraction,
        None if turn.then is None else turn.then.fraction,
        _shares(turn.meant.target),
        turn.meant.expression or f"{words.word} {words.detail}".strip(),
    )


def _shares(box: Box | None) -> tuple[float, float, float, float] | None:
    """The box as shares of the screen."""
    if box is None:
        return None
    wide, high = box.size.width, box.size.height
    return box.left / wide, box.top / high, box.right / wide, box.bottom / high


def _lower(words: str) -> str:
    """Within a sentence."""
    return words[:1].lower() + words[1:]


def _place(point: Point | None) -> str:
    return "nowhere" if point is None else f"{point.x:.0f}, {point.y:.0f}"
