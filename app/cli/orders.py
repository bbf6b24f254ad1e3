"""`stepscope orders`: the orders that people gave to the steps of procedures, kept in the store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stepscope.app.cli.arguments import DataPath, FormatOption, JsonFlag, StoreOption
from stepscope.app.cli.command_row import CommandRow
from stepscope.app.cli.evaluate import read_index
from stepscope.app.cli.output import check_output, json_lines, number_of, print_json, say, table, tell, write_file
from stepscope.app.cli.statuses import DONE, SOME_FAILED
from stepscope.app.cli.stores import opened
from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken

if TYPE_CHECKING:
    from stepscope.app.cli import orders_assignments, orders_people
    from stepscope.app.services import human_orders
    from stepscope.app.services.human_orders import HumanOrderImport, PeopleAgreement, ProcedureOf
    from stepscope.core.domain.human_order import HumanOrder
    from stepscope.core.store.engine import Database
else:
    orders_assignments = lazy_module("stepscope.app.cli.orders_assignments")
    orders_people = lazy_module("stepscope.app.cli.orders_people")
    human_orders = lazy_module("stepscope.app.services.human_orders")

COMMANDS = {
    "list": CommandRow("Who ordered what, and how.", lambda: listing),
    "agreement": CommandRow("How far people agree with each other and with the data.", lambda: agreement),
    "export": CommandRow("Write orders as JSON Lines that 'stepscope score' and 'orders import' read.", lambda: export),
    "import": CommandRow("Take over orders from JSON Lines.", lambda: take),
    "people": CommandRow(
        "People's accuracy, agreement, time and confidence; who is flagged; what helped.", lambda: orders_people.people
    ),
    "references": CommandRow(
        "Vote orders that are right too into references, and write them as a file.", lambda: orders_people.references
    ),
    "run": CommandRow("Keep people's orders as a run beside those of models.", lambda: orders_people.run),
    "assignments": CommandRow("Who is to order which procedure, seeing what.", lambda: orders_assignments.COMMANDS),
}

PersonOption = Annotated[str | None, typer.Option("--annotator", metavar="WHO", help="Only this person.")]
OutputFile = Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The file to write.")]
_LISTED = ("procedure", "annotator", "blind", "state", "alternatives", "seconds", "confidence", "helped", "shown")
_PAIRS = ("annotator", "against", "procedures", "exact", "tau")
_PROBLEMS_SHOWN = 20
_PLAIN, _AGREEMENT, _ALTERNATIVES = "orders", "agreement", "alternatives"


def listing(path: DataPath, annotator: PersonOption = None, store: StoreOption = None, json: JsonFlag = False) -> int:
    """Gives 0."""
    with opened(store) as database:
        found = human_orders.listed(database, _known_as(path), annotator=annotator)
    if json:
        from stepscope.core.domain.human_order import human_order_to_json

        print_json({"source": _known_as(path), "orders": [human_order_to_json(one) for one in found]})
    elif found:
        table(_LISTED, [_row(one) for one in found], numbers=["alternatives", "seconds", "confidence"])
    else:
        say("Nobody ordered anything here yet: the Ordering workspace of the window is for that.")
    return DONE


def agreement(path: DataPath, format: FormatOption = None, store: StoreOption = None, json: JsonFlag = False) -> int:
    """Gives 0. What was not blind, or is a draft, is left out."""
    with opened(store) as database:
        found = human_orders.listed(database, _known_as(path), drafts=False)
        said = human_orders.people_agreement(
            found, _procedures(database, path, format) if found else lambda _name: None
        )
    if json:
        print_json({"source": _known_as(path), **asdict(said)})
    elif said.people:
        _show_agreement(said)
    else:
        say("Nobody accepted a blind order here yet.")
    return DONE


def export(
    path: DataPath,
    output: OutputFile,
    annotator: PersonOption = None,
    as_records: Annotated[
        str,
        typer.Option(
            "--as",
            metavar="orders|agreement|alternatives",
            help="A line an order, for 'score ordering', or a line a procedure with what all people said, for 'score "
            "order_agreement': their own orders, or those that they called right too.",
        ),
    ] = _PLAIN,
    drafts: Annotated[bool, typer.Option("--drafts", help="Orders that were not accepted yet, too.")] = False,
    format: FormatOption = None,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    """Gives 0. Raises UsageError where nobody accepted an order, and for another word after --as."""
    if as_records not in (_PLAIN, _AGREEMENT, _ALTERNATIVES):
        hint = f"Give --as {_PLAIN}, {_AGREEMENT} or {_ALTERNATIVES}."
        raise UsageError(f"orders are not written as {as_records!r}.", hint=hint)
    check_output(output)
    with opened(store) as database:
        found = human_orders.listed(database, _known_as(path), annotator=annotator, drafts=drafts)
        if not found:
            raise UsageError("nobody accepted an order here.", place=path, hint="'stepscope orders list' tells.")
        procedures = _procedures(database, path, format)
        if as_records == _PLAIN:
            records = list(human_orders.export_records(found, procedures))
        else:
            alternatives = as_records == _ALTERNATIVES
            records = list(human_orders.agreement_records(found, procedures, alternatives=alternatives))
    write_file(output, json_lines(records))
    if json:
        print_json({"file": str(output), "written": len(records)})
    else:
        say(str(output))
        tell(f"stepscope: {number_of(len(records), 'records')}")
    return DONE


def take(
    path: DataPath,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSON Lines as 'orders export' writes them.")],
    annotator: Annotated[
        str | None, typer.Option("--annotator", metavar="WHO", help="Whose orders they are where a line names nobody.")
    ] = None,
    format: FormatOption = None,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    """Gives 0, or 1 where lines are kept out."""
    from stepscope.app.services.annotations import user_name

    with opened(store) as database:
        who = user_name() if annotator is None else annotator
        found = human_orders.import_orders(database, _known_as(path), _procedures(database, path, format), file, who)
    _told_imported(found, file, json)
    return SOME_FAILED if found.problems else DONE


def _known_as(path: Path) -> str:
    return str(path.resolve())


def _procedures(database: Database, path: Path, format: str | None) -> ProcedureOf:
    indexed = read_index(database, path, format, CancelToken())
    assert indexed is not None  # nobody cancels
    return human_orders.cached_procedures(indexed.source)


def _row(order: HumanOrder) -> Sequence[Any]:
    return [
        order.procedure, order.annotator, "yes" if order.blind else "no", order.state.value, len(order.orders) - 1,
        round(order.seconds), order.confidence, order.helped, order.shown,
    ]  # fmt: skip


def _show_agreement(said: PeopleAgreement) -> None:
    kappas = [
        [words, found.kappa, found.n]
        for words, found in (("standard order", said.standard), ("alternative orders", said.alternative))
    ]
    table(("kappa of all people", "value", "procedures"), kappas, numbers=["value", "procedures"])
    say("")
    rows = [[one.first, one.second, one.n, one.exact, one.tau] for one in said.pairs]
    table(_PAIRS, rows, numbers=_PAIRS[2:])


def _told_imported(found: HumanOrderImport, file: Path, json: bool) -> None:
    for problem in found.problems[:_PROBLEMS_SHOWN]:
        tell(f"stepscope: warning: {file}:{problem.line}: {problem.message}")
    if len(found.problems) > _PROBLEMS_SHOWN:
        tell(f"stepscope: warning: … and {len(found.problems) - _PROBLEMS_SHOWN} more lines were kept out.")
    if json:
        bad = [{"line": problem.line, "message": problem.message} for problem in found.problems]
        print_json({"imported": found.taken, "replaced": found.replaced, "bad_lines": bad})
    else:
        kept_out = f", {number_of(len(found.problems), 'lines')} kept out" if found.problems else ""
        say(f"{number_of(found.taken, 'orders')} taken over, {found.replaced} of them in place of others{kept_out}.")
