"""The wrong steps of a run as tiles: worked out in the background, sorted by cause, filtered with the list, and marked
together."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMenu, QWidget

from stepscope.app.gui.features.grid import presenter
from stepscope.app.gui.features.grid.cause_edits import Labels, write_labels
from stepscope.app.gui.features.grid.grid_pictures import GridPictures
from stepscope.app.gui.shell.annotation_edits import AnnotationTarget
from stepscope.app.gui.shell.annotations import AnnotationBook
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.debouncer import Debouncer
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.events import AnnotationsChanged, CausesFound, EpisodesListed, RunsChanged, RunsListed
from stepscope.app.gui.shell.ports import Library
from stepscope.app.gui.shell.undo import UNDO_OFFERED, Edit, UndoHistory
from stepscope.app.services.error_causes import CAUSES, Place, WrongStep, WrongSteps, wrong_steps
from stepscope.app.services.provenance import is_made_here
from stepscope.core.domain.annotation import AnnotationKind
from stepscope.core.domain.error_cause import CAUSE_TITLES, CauseLabel, ErrorCause
from stepscope.core.domain.filter import EVERYTHING, FIELDS, Query, terms
from stepscope.core.scoring.named_rules import MatchingRule, rule_by_id
from stepscope.widgets.common import run_letter
from stepscope.widgets.common.plain_words import plain_label
from stepscope.widgets.format import counted
from stepscope.widgets.grid.bulk_bar import TO_CAUSE, TO_CHECK, TO_FLAW, TO_LEAVE, TO_NOTE, TO_OPEN, TO_STAR
from stepscope.widgets.grid.step_panel import StepPanel
from stepscope.widgets.grid.view import BY_APP, IN_ORDER, GridView

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

    from stepscope.app.gui.shell.tasks import BackgroundTask
    from stepscope.core.progress import CancelToken
    from stepscope.core.store.engine import Database

WORKSPACE = "replay"
NO_FILTER, OTHER_RULE = "clear", "rule"
Passing = Container[Place] | None
"""Steps that pass a filter; None: all do."""


class GridController(QObject):
    """`run_names` are what the runs are called; `open_screen` shows the screen in the grid's place, `command` does
    what a command says; `panel` shows the step with the keyboard's place."""

    def __init__(
        self,
        context: Context,
        view: GridView,
        viewer: EpisodeViewer,
        library: Library,
        book: AnnotationBook,
        run_names: Callable[[], Mapping[str, str]],
        open_screen: Callable[[], object],
        command: Callable[[str], object],
        history: UndoHistory,
        panel: StepPanel,
    ) -> None:
        super().__init__(context)
        self._history, self.panel = history, panel
        self._context, self.view, self._viewer, self._library, self._book = context, view, viewer, library, book
        self._run_names = run_names
        self._open_screen, self._command = open_screen, command
        self._run, self._read = "", ""
        self.steps: list[WrongStep] = []
        self._task: BackgroundTask | None = None
        self._passing: Passing = None
        self._tags: dict[Place, tuple[str, ...]] = {}
        self._rule = ""
        """by which the steps are wrong"""
        self._others: tuple[str, ...] = ()
        """ids of the rules besides under which the run has scores"""
        self._recent: list[str] = []
        self._grouping, self._order = BY_APP, IN_ORDER
        self._request = 0
        self._rest = Debouncer(self, self._show_current)
        self._redraw = Debouncer(self, self.draw)
        self.pictures = GridPictures(context, view.area, self._step_of)
        self._connect()

    def _connect(self) -> None:
        view, area, selection, events = self.view, self.view.area, self._context.selection, self._context.events
        events.signal_while_shown(WORKSPACE, selection.runs_changed, self.load)
        events.signal_while_shown(WORKSPACE, selection.source_changed, self.load)
        events.signal_while_shown(WORKSPACE, selection.rule_changed, self.load)
        events.signal_while_shown(WORKSPACE, selection.episode_changed, self._follow)
        events.signal_while_shown(WORKSPACE, selection.step_changed, self._follow)
        events.while_shown(WORKSPACE, RunsListed, lambda _event: self._show_runs())
        events.while_shown(WORKSPACE, RunsChanged, lambda _event: self._reload())
        events.while_shown(WORKSPACE, EpisodesListed, lambda _event: self._filter())
        events.while_shown(WORKSPACE, AnnotationsChanged, lambda _event: self._ask_tags())
        view.run_chosen.connect(self._choose_run)
        view.grouping_chosen.connect(self._group)
        view.order_chosen.connect(self._sort)
        view.causes.picked.connect(self._pick_cause)
        view.tags.picked.connect(lambda tag, _add: self._set_filter(presenter.with_tag(self._text, tag)))
        view.empty_pressed.connect(self._empty_pressed)
        area.chosen_changed.connect(view.show_chosen)
        area.chosen_changed.connect(self._show_details)
        area.moved.connect(self._rest.ask)
        area.current_changed.connect(lambda _key: self._show_details())
        self.panel.change_wanted.connect(lambda: self.ask_for_cause(self.panel.change))
        area.opened.connect(self._open)
        view.bulk.tagged.connect(self.tag)
        view.bulk.noted.connect(self.note)
        view.bulk.wanted.connect(self._do)
        self._context.messages.keep_clear(view.bulk)

    # Which steps ------------------------------------------------------------------------------------------------------

    @property
    def run(self) -> str:
        """The run whose wrong steps are shown, the first of the shown ones as a rule; "" for none."""
        runs = self._context.selection.runs
        return self._run if self._run in runs else next(iter(runs), "")

    @property
    def _text(self) -> str:
        return self._library.filter_text

    def load(self) -> None:
        """Work out the wrong steps of the run, unless they are there; a run that is under way is given up."""
        if not self.view.isVisible():
            return
        self._show_runs()
        source, run, database = self._context.selection.source, self.run, self._context.database
        rule = self._context.selection.rule
        wanted = f"{source.key}\n{run}\n{rule.id}" if source is not None and run else ""
        if wanted == self._read:
            self._filter()
            return
        if self._task is not None:
            self._task.cancel()
        self._task, self._read, self.steps = None, wanted, []
        self.view.area.choose(())
        self._ask_tags()
        if source is None or not run or database is None:
            self.draw()
            return
        index = self._context.selection.runs[run]
        reader = source.source

        def work(token: CancelToken) -> Iterator[WrongSteps]:
            yield from wrong_steps(database, reader, run, index, token, rule)

        task = self._task = self._context.start("sort wrong steps", work)

        def came(part: WrongSteps) -> None:
            if self._task is task:
                self.steps = list(part.found)
                self._rule, self._others = part.rule, part.others
                if part.unread and part.done == part.total:
                    self._context.messages.warning(
                        f"{counted(len(part.unread), 'episode')} cannot be read: {', '.join(part.unread[:3])}.",
                        title="The grid is not whole.", about=("grid", run),
                    )  # fmt: skip
                self.view.set_count(f"{part.done:,} of {counted(part.total, 'episode')}")
                self._redraw.ask()

        def ended() -> None:
            if self._task is task:
                self._task = None
                self._context.events.publish(CausesFound(run))
                self._filter()

        task.progressed.connect(came)
        task.finished.connect(ended)
        self.draw()

    def _reload(self) -> None:
        """Runs have other items or scores."""
        CAUSES.forget(self.run)
        self._read = ""
        self.load()

    def _choose_run(self, run: str) -> None:
        self._run = run
        self.load()

    def _filter(self) -> None:
        """Which steps pass the list's filter, causes left aside."""
        if not self.view.isVisible():
            return
        self._request += 1
        request, source = self._request, self._context.selection.source
        query = presenter.without_causes(self._text)
        if source is None or query == EVERYTHING:
            self._passing = None
            self._redraw.ask()
            return
        runs = {run_letter(index): run for run, index in self._context.selection.runs.items()}
        id, rule = source.id, self._context.selection.rule

        def ask(database: Database) -> Passing:
            return _passing(database, id, query, runs, rule)

        def answer(found: Passing) -> None:
            if request == self._request:
                self._passing = found
                self._redraw.ask()

        self._context.query("filter wrong steps", ask, answer, priority=1)

    def _ask_tags(self) -> None:
        source = self._context.selection.source
        if source is None:
            self._tags = {}
            return

        def ask(database: Database) -> dict[Place, tuple[str, ...]]:
            return _tags_of(database, source.key)

        def answer(found: dict[Place, tuple[str, ...]]) -> None:
            self._tags = found
            self._redraw.ask()

        self._context.query("tags of steps", ask, answer)

    # Showing ----------------------------------------------------------------------------------------------------------

    def _show_runs(self) -> None:
        names, runs = self._run_names(), self._context.selection.runs
        self.view.set_runs([(run, f"{run_letter(at)}  {names.get(run, run)}") for run, at in runs.items()], self.run)
        source = self._context.selection.source
        self.view.set_badge("not a finding" if self.run and source is not None and is_made_here(source.key) else "")

    def draw(self) -> None:
        """Causes, tags and tiles as they are now."""
        causes, tag = presenter.chosen_causes(self._text), presenter.chosen_tag(self._text)
        base = [one for one in self.steps if self._passing is None or one.place in self._passing]
        shown = [one for one in base if not causes or one.cause in causes]
        self.view.set_causes(presenter.cause_choices(base, causes))
        self.view.tags.set_choices(presenter.tag_choices(shown, self._tags, tag))
        only = ErrorCause(causes[0]) if len(causes) == 1 and causes[0] in CAUSE_TITLES else None
        self.view.explained.setText(presenter.EXPLAINED[only] if only is not None else "")
        self.view.set_groups(presenter.tile_groups(shown, self._grouping, self._order, self._tags))
        self.view.bulk.set_known_tags(self._known_tags())
        if self._task is None:
            words = ", ".join(CAUSE_TITLES[ErrorCause(one)].lower() for one in causes if one in CAUSE_TITLES)
            of_all = f"{len(shown):,} of {counted(len(self.steps), 'wrong step')}"
            under = f" under {self._rule}" if self._rule and self.steps else ""
            self.view.set_count(f"{of_all}, {words}{under}" if words else f"{of_all}{under}")
        self._show_empty(shown)
        self._show_details()
        self._follow()

    def _show_details(self) -> None:
        """The step with the keyboard's place, beside the tiles and for the key that shows it large."""
        area = self.view.area
        step = self._step_of(area.current) if area.current is not None else None
        if step is None:
            self.panel.show_step(None)
            self.view.peek.show_tile(None, None)
            return
        number = self._context.selection.runs.get(self.run, 0)
        details = presenter.details_of(step, number, self._tags.get(step.place, ()))
        known, small = self.panel.details, area.image_of(step.place)
        self.panel.show_step(details, len(area.chosen), small)
        self.view.peek.show_tile(details.tile, self.panel.picture.image)
        if known is None or known.tile.key != step.place:
            self.pictures.fetch_large(step.place, self._show_large)

    def _show_large(self, key: Place, image: QImage) -> None:
        if self.panel.details is not None and self.panel.details.tile.key == key:
            self.panel.set_picture(image)
            self.view.peek.show_tile(self.panel.details.tile, image)

    def _show_empty(self, shown: list[WrongStep]) -> None:
        if shown or (self._task is not None and not self.steps):
            self.view.set_empty("")
        elif not self.run:
            self.view.set_empty(
                "No run is shown.", "Tick one in Results, or evaluate a model.", ("evaluate", "Evaluate")
            )
        elif self.steps:
            self.view.set_empty("No wrong step passes the filter.", "", (NO_FILTER, "Clear filter"))
        else:
            button = (OTHER_RULE, "Show under another rule") if self._others else None
            self.view.set_empty("No wrong step under this rule.", self._rule, button)

    def _empty_pressed(self, what: str) -> None:
        if what == NO_FILTER:
            self._set_filter("")
        elif what == OTHER_RULE:
            self._context.selection.set_rule(rule_by_id(self._others[0]))
        else:
            self._command("evaluate.automation")

    def _group(self, value: str) -> None:
        self._grouping = value
        self.draw()

    def _sort(self, value: str) -> None:
        self._order = value
        self.draw()

    def _pick_cause(self, cause: str, add: bool) -> None:
        self._set_filter(presenter.with_cause(self._text, cause, add=add))

    def _set_filter(self, text: str) -> None:
        self._library.set_filter(text, tell_view=True)
        self._filter()

    def _step_of(self, key: Place) -> WrongStep | None:
        return next((one for one in self.steps if one.place == key), None)

    # The selection ----------------------------------------------------------------------------------------------------

    def _show_current(self) -> None:
        """The tile with the keyboard's place is the step that all of the window shows."""
        key, selection = self.view.area.current, self._context.selection
        if key is None or not self.view.isVisible():
            return
        episode, step = selection.episode, selection.step
        if episode is None or step is None or (episode.id, step.index) != key:
            self._viewer.open_step(*key)

    def _follow(self) -> None:
        """The step that is shown has the keyboard's place, where it is among the tiles; not while another one, as the
        one that a key just led to, is on its way."""
        episode, step = self._context.selection.episode, self._context.selection.step
        if self._rest.is_waiting or not self.view.isVisible():
            return
        if episode is not None and step is not None and self._viewer.heading_for == episode.id:
            key = (episode.id, step.index)
            if not self.view.area.hidden([key]):
                self.view.area.set_current(key)

    def _open(self, key: Place) -> None:
        self._viewer.open_step(*key)
        self._open_screen()

    # All chosen at once -----------------------------------------------------------------------------------------------

    def spots(self) -> list[AnnotationTarget]:
        """The chosen steps, while the grid is in front."""
        source = self._context.selection.source
        if source is None or not self.view.isVisible():
            return []
        order = {one.place: number for number, one in enumerate(self.steps)}
        chosen = sorted(self.view.area.chosen, key=lambda place: order.get(place, len(order)))
        return [AnnotationTarget(source.key, episode, step) for episode, step in chosen]

    def ask_for_tag(self) -> None:
        """Ask for the tag of the chosen steps; without any, of the one with the keyboard's place."""
        area = self.view.area
        if not area.chosen and area.current is not None:
            area.choose({area.current})
        if area.chosen:
            self.view.bulk.ask_for_tag()

    def tag(self, tag: str) -> None:
        """Tag all chosen steps as one change; the same tag is offered first next time."""
        spots = self.spots()
        try:
            self._book.add_tag(spots, tag)
        except ValueError as error:
            self._context.messages.error(f"This is no tag: {error}.")
            return
        self._recent = [tag, *(one for one in self._recent if one != tag)]
        self.view.area.setFocus()
        self._context.messages.done(f"{counted(len(spots), 'step')} tagged “{tag}”.", ("edit.undo", "Undo"))

    # Causes by hand ---------------------------------------------------------------------------------------------------

    def ask_for_cause(self, beside: QWidget | None = None) -> None:
        """Offer all causes for the chosen steps, or the one with the keyboard's place, in a menu below `beside`."""
        places = self._places_meant()
        steps = [one for one in self.steps if one.place in places]
        if not steps:
            return
        menu = QMenu(self.view)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        counts = {one.cause for one in steps}
        worked_out = {one.worked_out for one in steps}
        if any(one.label is not None for one in steps):
            words = CAUSE_TITLES[next(iter(worked_out))].lower() if len(worked_out) == 1 else "each its own"
            menu.addAction(plain_label(f"As worked out: {words}"), lambda: self.set_cause(None))
            menu.addSeparator()
        for cause, title in CAUSE_TITLES.items():
            action = menu.addAction(plain_label(title))
            action.triggered.connect(partial(self._choose_cause, cause))
            action.setToolTip(presenter.EXPLAINED[cause])
            action.setCheckable(True)
            action.setChecked(counts == {cause})
        menu.setToolTipsVisible(True)
        beside = beside or (self.view.bulk.cause_button if self.view.area.chosen else self.panel.change)
        place = beside.rect().bottomLeft() if beside.isVisible() else self.view.rect().center()
        menu.popup((beside if beside.isVisible() else self.view).mapToGlobal(place))
        self.menu = menu

    def _choose_cause(self, cause: ErrorCause, _checked: bool = False) -> None:
        self.set_cause(cause)

    def set_cause(self, cause: ErrorCause | None) -> None:
        """Give the chosen steps, or the one with the keyboard's place, this cause as one change; None: the one that was
        worked out of each."""
        from stepscope.app.services.annotations import user_name

        author = self._context.preferences.annotator or user_name()
        run, places, now = self.run, self._places_meant(), datetime.now(UTC)
        before: dict[Place, CauseLabel | None] = {}
        after: dict[Place, CauseLabel | None] = {}
        for one in self.steps:
            wanted = None if cause in (None, one.worked_out) else CauseLabel(cause or one.worked_out, author, now)
            if one.place in places and one.cause is not (wanted.cause if wanted is not None else one.worked_out):
                before[one.place], after[one.place] = one.label, wanted
        if not after:
            return
        words = f"the cause of {counted(len(after), 'step')}"
        self._history.make(
            Edit(
                f"change {words}",
                do=lambda database: write_labels(database, run, before, after),
                undo=lambda database: write_labels(database, run, after, before),
                show=lambda done: self._show_labels(run, after if done else before),
                settled=lambda written: self._labels_settled(run, written=written),
                in_view=self.view.isVisible,
            )
        )
        title = CAUSE_TITLES[cause].lower() if cause is not None else "as worked out"
        told = f"The cause of {counted(len(after), 'step')}: {title}."
        self._context.messages.done(told, ("edit.undo", "Undo"), about=UNDO_OFFERED)

    def _places_meant(self) -> set[Place]:
        area = self.view.area
        return set(area.chosen) or ({area.current} if area.current is not None else set())

    def _show_labels(self, run: str, labels: Labels) -> None:
        if run == self.run:
            self.steps = [replace(one, label=labels[one.place]) if one.place in labels else one for one in self.steps]
            self.draw()

    def _labels_settled(self, run: str, *, written: bool) -> None:
        """Filters for causes find others now; what could not be written is read again."""
        if not written:
            self._read = ""
            self.load()
        self._context.events.publish(CausesFound(run))

    def ask_for_note(self) -> bool:
        """Ask for a note on the chosen steps; False where none is chosen, or the grid is not in front."""
        if not self.spots():
            return False
        self.view.bulk.ask_for_note()
        return True

    def note(self, text: str) -> None:
        """Write the note on all chosen steps as one change, below what stands there."""
        spots = self.spots()
        self._book.add_note(spots, text)
        self.view.area.setFocus()
        self._context.messages.done(f"The note is on {counted(len(spots), 'step')}.", ("edit.undo", "Undo"))

    def _known_tags(self) -> list[str]:
        known = {tag for tags in self._tags.values() for tag in tags}
        return [*self._recent, *sorted(known - set(self._recent), key=str.casefold)]

    def _do(self, what: str) -> None:
        area = self.view.area
        if what == TO_LEAVE:
            area.choose(())
            area.setFocus()
        elif what == TO_CAUSE:
            self.ask_for_cause(self.view.bulk.cause_button)
        elif what == TO_OPEN and area.current is not None:
            self._open(area.current)
        else:
            commands = {TO_STAR: "mark.star", TO_CHECK: "mark.checked", TO_FLAW: "mark.defect", TO_NOTE: "mark.note"}
            if what in commands:
                self._command(commands[what])


def _passing(database: Database, source_id: int, query: Query, runs: Mapping[str, str], rule: MatchingRule) -> Passing:
    from stepscope.app.services.filtering import filter_inputs
    from stepscope.core.store.filter_search import find

    with database.reading() as db:
        found = find(db, source_id, query, inputs=filter_inputs(db, query, runs, rule))
    told = any(FIELDS[term.field].of_step or term.field in ("tag", "defect", "note") for term in terms(query))
    if told and found.steps:
        return set(found.hits())
    return _AllSteps(found.ids)


class _AllSteps:
    """Of these episodes."""

    def __init__(self, episodes: Iterable[str]) -> None:
        self._episodes = frozenset(episodes)

    def __contains__(self, place: object) -> bool:
        return isinstance(place, tuple) and place[0] in self._episodes


def _tags_of(database: Database, source: str) -> dict[Place, tuple[str, ...]]:
    from stepscope.core.store.repositories import annotations

    found: dict[Place, tuple[str, ...]] = {}
    with database.reading() as db:
        for said in annotations.of_source(db, source, AnnotationKind.TAG):
            if said.step is not None:
                place = said.episode, said.step
                found[place] = (*found.get(place, ()), said.value)
    return found
