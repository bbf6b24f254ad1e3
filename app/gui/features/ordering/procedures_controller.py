"""The procedures of the list: what each is, how everybody ordered it, how far they agree; and which comes next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from stepscope.app.gui.features.ordering.overview_presenter import OverviewTables
from stepscope.app.gui.features.ordering.procedure_overview import ProcedureOverview, read_overview
from stepscope.app.gui.features.ordering.your_order_controller import YourOrderController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.debouncer import Debouncer
from stepscope.app.gui.shell.events import EpisodesListed, RunsChanged
from stepscope.app.services.provenance import data_of, is_made_here
from stepscope.core.domain.filter import FilterError
from stepscope.core.domain.filter_parser import parse
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
    from stepscope.app.gui.shell.ports import Library
    from stepscope.app.services import order_assignments
    from stepscope.app.services.human_orders import ProcedureOf
    from stepscope.core.store.engine import Database
    from stepscope.widgets.ordering import OrderPanel, ProceduresPanel
    from stepscope.widgets.ordering.centre import OrderingCentre
else:
    order_assignments = lazy_module("stepscope.app.services.order_assignments")

NAME = "ordering"


class ProceduresController(QObject):
    """`opened()`: a procedure of the list was opened, and its cards are wanted; `changed()`: what people ordered was
    read anew."""

    opened = Signal()
    changed = Signal()

    def __init__(
        self,
        context: Context,
        panel: ProceduresPanel,
        centre: OrderingCentre,
        orders: OrderPanel,
        library: Library,
        viewer: EpisodeViewer,
        yours: YourOrderController,
    ) -> None:
        super().__init__(context)
        self._context, self._library, self._viewer, self._yours = context, library, viewer, yours
        self._panel, self._centre, self._orders = panel, centre, orders
        self._accepted: frozenset[str] = frozenset()
        self._tasks: dict[str, bool] = {}
        """what the person was given to order, and whether they have"""
        self._procedures: tuple[object, ProcedureOf] | None = None
        self._request = 0
        self._soon = Debouncer(context, self._read)
        self._connect()

    def _connect(self) -> None:
        context, panel = self._context, self._panel
        for kind in (EpisodesListed, RunsChanged):
            context.events.while_shown(NAME, kind, lambda _event: self.refresh())
        for signal in (context.selection.runs_changed, context.selection.source_changed):
            context.events.signal_while_shown(NAME, signal, self.refresh)
        context.events.signal_while_shown(NAME, context.selection.episode_changed, self._show_chosen)
        self._yours.kept.connect(self.refresh)
        context.annotator_leaves.connect(self._yours.leave)
        context.annotator_changed.connect(self._name_changed)
        panel.procedure_chosen.connect(self.open)
        panel.left_for_board.connect(self.opened)
        panel.filter_settled.connect(self._set_filter)
        panel.person_named.connect(self._name)
        panel.next_wanted.connect(self.open_next)
        self._centre.procedure_opened.connect(self._open_from_table)

    @property
    def person(self) -> str:
        """Whoever orders: the name under which pages are answered, else the system's user, as for annotations."""
        from stepscope.app.services.annotations import user_name

        return self._context.preferences.annotator or user_name() or "me"

    @property
    def source(self) -> str:
        """What the store calls the open data, "" for none."""
        source = self._context.selection.source
        return data_of(source.key) if source is not None else ""

    def refresh(self) -> None:
        """Ask the store what there is now."""
        if self._context.workspaces.workspace == NAME:
            self._soon.ask()

    def people_changed(self) -> None:
        """Others were given procedures, or ordered some: so perhaps was the one that is open."""
        self._yours.reload()
        self.refresh()

    def hide_numbers(self) -> None:
        """What may be seen is another from now on: no numbers until it is known what."""
        self._panel.set_lines((), ())
        self._centre.set_lines((), ())
        self._orders.set_totals("", ())
        self._orders.set_people((), ())
        self.refresh()

    def _show(self, found: OverviewTables, tasks: Mapping[str, bool] | None = None) -> None:
        self._accepted, self._tasks = found.accepted, dict(tasks or {})
        self._panel.set_tasks(sum(self._tasks.values()), len(self._tasks))
        self._panel.set_person(self.person)
        self._panel.filter.show_text(self._library.filter_text)
        self._panel.set_counts(len(found.list_lines), found.total)
        self._panel.set_lines(found.list_columns, found.list_lines)
        self._panel.set_agreement(found.people, found.kappas)
        self._centre.set_lines(found.columns, found.lines)
        of_sample = " (sample, not a finding)" if is_made_here(self.source) else ""
        self._orders.set_totals(f"All {found.scored:,} procedures{of_sample}", found.totals)
        self._orders.set_people(found.helped, found.pairs)
        self._show_chosen()
        self.changed.emit()

    def focus_filter(self) -> None:
        """Begin to write a filter."""
        self._context.workspaces.show_dock("procedures")
        self._panel.filter.setFocus()
        self._panel.filter.selectAll()

    def open(self, procedure: str) -> None:
        self._viewer.open_episode(procedure)

    def next_open(self, procedure: str) -> str | None:
        """The next procedure of the list that the person has not done with, behind this one and then from the start, of
        those that they were given where they were given some; None when all are done."""
        ids = [line.id for line in self._panel.table.items.lines] or list(self._library.ids)
        done = self._accepted | {procedure}
        if self._yours.blind and self._tasks:
            done |= set(ids) - {name for name, is_done in self._tasks.items() if not is_done}
        start = ids.index(procedure) + 1 if procedure in ids else 0
        return next((name for name in ids[start:] + ids[:start] if name not in done), None)

    @property
    def all_done(self) -> str:
        """What there is to say when no procedure is left."""
        given = self._yours.blind and self._tasks
        return (
            "You have ordered everything that you were given."
            if given
            else ("You have ordered every procedure of the list.")
        )

    def open_next(self) -> None:
        """Open the next procedure that the person has not done with, and its cards."""
        episode = self._context.selection.episode
        following = self.next_open(episode.id if episode is not None else "")
        if following is None:
            self._context.messages.done(self.all_done)
        else:
            self._open_from_table(following)

    def _read(self) -> None:
        source = self._context.selection.source
        self._request += 1
        if source is None:
            self._show(OverviewTables.of(ProcedureOverview(), self.person, (), blind=self._yours.blind))
            return
        request, runs, person, data = self._request, dict(self._context.selection.runs), self.person, self.source
        procedure_of, blind = self.procedure_of(), self._yours.blind
        ids = () if source.has_web_tasks else self._library.ids

        def ask(database: Database) -> tuple[OverviewTables, Mapping[str, bool]]:
            found = read_overview(database, source.id, data, runs, person, procedure_of)
            given = order_assignments.tasks(database, data, annotator=person)
            mine = {one.assignment.procedure: one.is_done for one in given}
            return OverviewTables.of(found, person, ids, blind=blind), mine

        def answer(found: tuple[OverviewTables, Mapping[str, bool]]) -> None:
            if request == self._request:
                self._show(*found)

        self._context.query("read procedures", ask, answer)

    def procedure_of(self) -> ProcedureOf:
        """What reads the source's procedures; known ones are kept while it is open."""
        from stepscope.app.services.human_orders import cached_procedures

        source = self._context.selection.source
        assert source is not None
        if self._procedures is None or self._procedures[0] is not source.source:
            self._procedures = source.source, cached_procedures(source.source)
        return self._procedures[1]

    def _show_chosen(self) -> None:
        episode = self._context.selection.episode
        self._panel.show_chosen(episode.id if episode is not None else "")

    def _set_filter(self, text: str) -> None:
        """A filter that cannot be read is told here, and the list stays."""
        try:
            parse(text)
        except FilterError as error:
            self._panel.set_problem(f"{error.message} {error.hint}".strip())
            return
        self._panel.set_problem("")
        self._library.set_filter(text, tell_view=True)

    def _name(self, name: str) -> None:
        if name != self._context.preferences.annotator and name != self.person:
            self._context.prefer(annotator=name)

    def _name_changed(self) -> None:
        self._yours.reload()
        self.refresh()

    def _open_from_table(self, procedure: str) -> None:
        self.open(procedure)
        self.opened.emit()
