"""The page of people: procedures given to them, files out and in, voted references, and orders kept as runs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.debouncer import Debouncer
from stepscope.app.gui.shell.events import RunsChanged
from stepscope.app.gui.shell.undo import Edit, UndoHistory
from stepscope.app.services.provenance import is_made_here
from stepscope.core.domain.human_order import StepInput
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import RunState
from stepscope.core.lazy import lazy_module
from stepscope.widgets.format import counted
from stepscope.widgets.ordering.assign_form import AssignForm

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from stepscope.app.gui.features.ordering import people_presenter
    from stepscope.app.gui.features.ordering.people_presenter import PeopleRead
    from stepscope.app.gui.features.ordering.procedures_controller import ProceduresController
    from stepscope.app.gui.shell.ports import Library, RunCatalog
    from stepscope.app.services import (
        evaluation,
        human_orders,
        order_assignment_files,
        order_assignments,
        order_people,
    )
    from stepscope.core.domain.order_assignment import OrderAssignment
    from stepscope.core.scoring import order_people as order_figures
    from stepscope.core.scoring.order_people import FlagRules
    from stepscope.core.sources.predictions import LineProblem
    from stepscope.core.store.engine import Database
    from stepscope.widgets.ordering.people_page import OrderPeoplePage
    from stepscope.widgets.ordering.people_values import AssignChoice
else:
    people_presenter = lazy_module("stepscope.app.gui.features.ordering.people_presenter")
    evaluation = lazy_module("stepscope.app.services.evaluation")
    human_orders = lazy_module("stepscope.app.services.human_orders")
    order_assignment_files = lazy_module("stepscope.app.services.order_assignment_files")
    order_assignments = lazy_module("stepscope.app.services.order_assignments")
    order_people = lazy_module("stepscope.app.services.order_people")
    order_figures = lazy_module("stepscope.core.scoring.order_people")

LINES, TABLES = "JSON Lines (*.jsonl)", "Tables (*.csv);;JSON Lines (*.jsonl)"


class PeopleController(QObject):
    """Fills the page, and does what its buttons ask for. Figures are made while the page is seen."""

    def __init__(
        self,
        context: Context,
        page: OrderPeoplePage,
        library: Library,
        runs: RunCatalog,
        history: UndoHistory,
        procedures: ProceduresController,
    ) -> None:
        super().__init__(context)
        self._context, self._page, self._library, self._runs = context, page, library, runs
        self._history, self._procedures = history, procedures
        self._request = 0
        self._blind = False
        self._read: PeopleRead | None = None
        self._form: AssignForm | None = None
        self._soon = Debouncer(context, self._ask)
        page.rules_changed.connect(self._soon.ask)
        page.assign_wanted.connect(self.open_form)
        page.assignments_wanted.connect(lambda take: self._choose(take, "Assignments", TABLES, self._assignments(take)))
        page.orders_wanted.connect(lambda take: self._choose(take, "Orders", LINES, self._orders(take)))
        page.references_wanted.connect(self._ask_for_references)
        page.run_wanted.connect(self.keep_run)

    def refresh(self, *, blind: bool) -> None:
        """Read what people were given and what they ordered; `blind`: how they did is not to be seen."""
        self._blind = blind
        self._soon.ask()

    def _rules(self) -> FlagRules:
        return order_figures.FlagRules(self._page.flags.agreement)

    def _ask(self) -> None:
        source, data = self._context.selection.source, self._procedures.source
        self._request += 1
        if source is None or source.has_web_tasks:
            self._page.set_content(people_presenter.page_of(people_presenter.PeopleRead(), blind=self._blind))
            return
        request, rules, leave_out = self._request, self._rules(), self._page.flags.leave_out
        procedure_of, read_of = self._procedures.procedure_of(), people_presenter.PeopleRead

        def look(database: Database) -> PeopleRead:
            tasks = tuple(order_assignments.tasks(database, data))
            every = order_people.collection(database, data, procedure_of)
            everybody = order_people.figures(every, rules)
            kept = order_people.collected(every.orders, procedure_of, rules) if leave_out else every
            figures = order_people.figures(kept, rules) if kept.left_out else everybody
            return read_of(tasks, kept, figures, everybody, is_made_here(data))

        def take(found: PeopleRead) -> None:
            if request == self._request:
                self._read = found
                self._page.set_content(people_presenter.page_of(found, blind=self._blind))

        self._context.query("read people", look, take)

    # Assignments ------------------------------------------------------------------------------------------------------

    def open_form(self) -> None:
        """Ask who is to order the procedures of the list, and what they are to see."""
        known = sorted({one.assignment.annotator for one in self._read.tasks}) if self._read else []
        form = self._form = AssignForm(len(self._library.ids), known, self._context.dialog_parent)
        form.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        form.finished.connect(self._form_closed)
        form.wanted.connect(self.assign)
        form.open()

    def _form_closed(self) -> None:
        self._form = None

    def assign(self, choice: AssignChoice) -> None:
        """Give the procedures of the list out; it can be undone."""
        opened, source = self._context.selection.source, self._procedures.source
        if opened is None:
            return
        wanted = evaluation.EvaluationRequest(task=Task.ORDERING, episodes=tuple(self._library.ids))
        shown = tuple(map(StepInput, choice.shown))
        request = order_assignments.AssignmentRequest(choice.people, choice.k, shown, choice.seed)

        procedure_of = self._procedures.procedure_of()

        def give(database: Database) -> tuple[order_assignments.OrderPlan, int]:
            names = evaluation.selection(database, opened.id, wanted)
            ordered, left_out = order_assignments.with_an_order(names, procedure_of)
            return order_assignments.assign(database, source, ordered, request), left_out

        def given(made: tuple[order_assignments.OrderPlan, int]) -> None:
            found, left_out = made
            if left_out:
                verb = "has" if left_out == 1 else "have"
                words = f"{counted(left_out, 'procedure')} of the list {verb} no order in time, as the data says."
                self._context.messages.info(words, title="Not given out.")
            self._remember(source, found.given, f"assignment of {counted(len(found.given), 'procedure')}")
            if found.short:
                lack = len({name for name, _ in found.short})
                words = f"{counted(lack, 'procedure')} of the list need more people."
                self._context.messages.warning(words, title="Too few people.")
            self._procedures.people_changed()

        self._context.write("assign procedures", give, given)

    def _remember(self, source: str, given: Sequence[OrderAssignment], words: str) -> None:
        """What was given out is one entry of the history."""
        if not given:
            self._context.messages.info("Everything was given out already.")
            return
        self._history.make(
            Edit(
                words,
                lambda database: order_assignments.keep(database, source, given),
                lambda database: order_assignments.drop(database, source, given),
                show=lambda _done: None,  # read anew once it is written
                settled=lambda _written: self._procedures.people_changed(),
                in_view=lambda: self._procedures.source == source,
            )
        )

    # Files ------------------------------------------------------------------------------------------------------------

    def _choose(self, take: bool, what: str, kinds: str, act: Callable[[Path], object]) -> None:
        parent, source = self._context.dialog_parent, self._procedures.source
        if not source:
            return
        if take:
            chosen, _ = QFileDialog.getOpenFileName(parent, f"Import {what}", str(Path.home()), kinds)
        else:
            ending = kinds.partition("(*")[2].partition(")")[0]
            name = f"{Path(source).name}-{what.lower()}{ending}"
            chosen, _ = QFileDialog.getSaveFileName(parent, f"Export {what}", str(Path.home() / name), kinds)
        if chosen:
            act(Path(chosen))

    def _assignments(self, take: bool) -> Callable[[Path], object]:
        return self.import_assignments if take else self.export_assignments

    def _orders(self, take: bool) -> Callable[[Path], object]:
        return self.import_orders if take else self.export_orders

    def import_assignments(self, path: Path) -> None:
        """Take assignments over out of a table or JSON Lines."""
        source, procedure_of = self._procedures.source, self._procedures.procedure_of()

        def read(database: Database) -> order_assignment_files.AssignmentImport:
            return order_assignment_files.import_assignments(database, source, procedure_of, path)

        def arrived(found: order_assignment_files.AssignmentImport) -> None:
            self._imported(path, counted(found.taken, "assignment"), found.taken, found.problems)

        self._context.write("import assignments", read, arrived)

    def import_orders(self, path: Path) -> None:
        """Take people's orders over out of JSON Lines."""
        source, procedure_of = self._procedures.source, self._procedures.procedure_of()
        author = self._procedures.person

        def read(database: Database) -> human_orders.HumanOrderImport:
            return human_orders.import_orders(database, source, procedure_of, path, author)

        def arrived(found: human_orders.HumanOrderImport) -> None:
            self._imported(path, counted(found.taken, "order"), found.taken, found.problems)

        self._context.write("import orders", read, arrived)

    def _imported(self, path: Path, words: str, taken: int, problems: Sequence[LineProblem]) -> None:
        if problems:
            first = problems[0]
            left = counted(len(problems), "line")
            self._context.messages.warning(
                f"{left} of {path.name} kept out; line {first.line}: {first.message.rstrip('.')}.",
                title="Not all was taken.",
            )
        if taken:
            self._context.messages.done(f"{words} taken over from {path.name}.")
        self._procedures.people_changed()

    def export_assignments(self, path: Path) -> None:
        """Write who is to order what as a table or JSON Lines."""
        source = self._procedures.source

        def write(database: Database) -> int:
            given = [one.assignment for one in order_assignments.tasks(database, source)]
            order_people.write_whole(path, order_assignment_files.write_assignments(path, given))
            return len(given)

        self._written("assignment", path, write)

    def export_orders(self, path: Path) -> None:
        """Write the orders that people accepted as JSON Lines."""
        source, procedure_of = self._procedures.source, self._procedures.procedure_of()

        def write(database: Database) -> int:
            found = human_orders.listed(database, source, drafts=False)
            lines = list(human_orders.export_records(found, procedure_of))
            order_people.write_whole(path, order_people.json_lines(lines))
            return len(lines)

        self._written("order", path, write)

    def _ask_for_references(self) -> None:
        self._choose(False, "References", LINES, self.write_references)

    def write_references(self, path: Path) -> None:
        """Vote the orders that people called right too, and write the references."""
        found = self._read.found if self._read is not None else None
        if found is None:
            return

        def write(_database: Database) -> int:
            votes = order_people.voted(found)
            order_people.write_whole(path, order_people.json_lines(order_people.reference_records(votes)))
            return sum(one.added for one in votes)

        self._written("further reference", path, write)

    def _written(self, what: str, path: Path, write: Callable[[Database], int]) -> None:
        def done(count: int) -> None:
            self._context.messages.wrote(f"{counted(count, what)} written to {path.name}.", path)

        self._context.query(f"write {what}s", write, done)

    # Runs -------------------------------------------------------------------------------------------------------------

    def keep_run(self, annotator: str, shown: str) -> None:
        """Keep the orders of a person ("": of all), of those who saw this ("": anything), as a run. The same orders are
        kept once."""
        source, found = self._context.selection.source, self._read.found if self._read is not None else None
        if source is None or found is None:
            return
        if self._blind:
            words = "A run shows how people did. Show the reference first, or keep the run when you are done."
            self._context.messages.info(words, title="You order blind.")
            return

        here = (one for one in self._runs.runs() if one.spec.source == str(source.source.path))
        there = {one.spec.predictions: one.id for one in here if one.state is RunState.DONE}

        def work(database: Database) -> str:
            condition = StepInput(shown) if shown else None
            lines = order_people.prediction_records(found, annotator=annotator, shown=condition)
            path = order_people.kept_predictions(lines)
            if known := there.get(str(path.resolve())):
                return known
            request = evaluation.EvaluationRequest(task=Task.ORDERING, predictions=path)
            run = evaluation.start(database, source.source, source.id, request).run
            with closing(cast("Generator[object]", run.updates())) as updates:
                for _update in updates:
                    pass
            return run.run_id

        def kept(run: str) -> None:
            if run in there.values():
                name = self._runs.name_of(run)
                self._context.messages.info(
                    f"It is {name}, in Results and Compare.", title="These orders are a run already."
                )
                return
            self._runs.tell_new(run)
            self._context.events.publish(RunsChanged())
            self._context.messages.done("The orders are a run now, in Results and Compare.")

        self._context.write("keep orders as a run", work, kept)
