"""`stepscope runs orders`: what a run of step ordering gets wrong."""

from __future__ import annotations

import sys
from contextlib import closing
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stepscope.app.cli.arguments import MOST_DRAWS, DrawSeedOption, JsonFlag, StoreOption
from stepscope.app.cli.evaluate import index, say_of_models
from stepscope.app.cli.interrupts import cancelled_by_signals
from stepscope.app.cli.output import number_of, print_json, say, table, tell
from stepscope.app.cli.progress import bar
from stepscope.app.cli.runs_rules import RuleOption, RunId, chosen_rule
from stepscope.app.cli.statuses import DONE, INTERRUPTED
from stepscope.app.cli.stores import find_run, opened
from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module
from stepscope.core.plain_text import safe

if TYPE_CHECKING:
    from stepscope.app.services import order_results, order_tables
    from stepscope.app.services.order_results import OrderParty, OrderResults, OrderStudy
    from stepscope.app.services.order_tables import OrderTable
    from stepscope.core.domain.run import Run
    from stepscope.core.progress import CancelToken
    from stepscope.core.sources.source import Source
    from stepscope.core.store.engine import Database
else:
    order_results = lazy_module("stepscope.app.services.order_results")
    order_tables = lazy_module("stepscope.app.services.order_tables")

_LONGEST = 40


class OrdersFormat(StrEnum):
    """What the tables are printed as."""

    TABLE = "table"
    MARKDOWN = "markdown"
    CSV = "csv"


def orders(
    id: RunId,
    against: Annotated[
        str,
        typer.Option(
            metavar="RUN|people|people:NAME", help="Another run or people on the same data: gaps by category and flips."
        ),
    ] = "",
    rule: RuleOption = None,
    bootstrap: Annotated[
        int, typer.Option(metavar="N", min=0, max=MOST_DRAWS, help="Draws for intervals; 0: none.")
    ] = 1000,
    seed: DrawSeedOption = 0,
    without_defects: Annotated[
        bool, typer.Option("--without-defects", help="Leave out the items that people called defective.")
    ] = False,
    data: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Where the run's data is now, if it has moved.")
    ] = None,
    format: Annotated[OrdersFormat, typer.Option("--format", help="What to print.")] = OrdersFormat.TABLE,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    """Prints a table for each question. Gives 0, 130 when stopped. Raises UsageError for a run of another task."""
    scoring = chosen_rule(rule, None, None)
    with opened(store) as database, cancelled_by_signals() as token:
        run = find_run(database, id)
        if not order_results.is_studied(run):
            raise UsageError(f"run {run.id} is about {run.spec.task}: it orders no steps.", hint="Name another run.")
        party = _party(database, against, run) if against else None
        indexed = index(database, data or Path(run.spec.source), run.spec.format, token)
        if indexed is None:
            return INTERRUPTED
        study = order_results.OrderStudy(run, party, scoring, without_defects, bootstrap, seed)
        found = _read(database, study, indexed.source, token)
        if found is None:
            tell("stepscope: interrupted: nothing was changed.")
            return INTERRUPTED
    if json:
        print_json(order_tables.orders_json(found))
    elif format is OrdersFormat.TABLE:
        _show(found)
    else:
        sys.stdout.write(safe(_text(format, found), keep_lines=True))
    return DONE


def _party(database: Database, named: str, run: Run) -> OrderParty:
    people = order_results.PEOPLE
    if named.partition(":")[0] == people:
        return order_results.OrderParty(named, named.partition(":")[2] or "all people")
    other = find_run(database, named)
    if other.spec.task is not run.spec.task:
        raise UsageError(f"run {other.id} is about {other.spec.task}, run {run.id} about {run.spec.task}.")
    if other.spec.source != run.spec.source:
        tell("stepscope: warning: the two runs were made on data at different places.")
    return order_results.OrderParty(other.id, f"{other.spec.model} ({other.id})")


def _read(database: Database, study: OrderStudy, source: Source, token: CancelToken) -> OrderResults | None:
    found = None
    with bar("Reading orders") as show, closing(order_results.read_orders(database, study, source, token)) as updates:
        for update in updates:
            show(update.progress)
            found = update.result
    return found


def _show(found: OrderResults) -> None:
    spec = found.run.spec
    say(f"Run {found.run.id}, {spec.model}: {number_of(found.n, 'procedures')} scored")
    say_of_models(spec.model)
    for one in order_tables.order_tables(found):
        say("", f"{one.title}. {one.note}")
        if one.rows:
            _show_table(one)


def _show_table(one: OrderTable) -> None:
    shown = one.rows[:_LONGEST]
    heads = [head for head, _ in one.columns]
    numbers = [head for head, kind in one.columns if kind is not order_tables.Column.WORDS]
    table(heads, [order_tables.words_of_row(one, row) for row in shown], numbers=numbers)
    if len(one.rows) > len(shown):
        say(f"… and {number_of(len(one.rows) - len(shown), 'more rows')}: --json and --format csv have them all.")


def _text(format: OrdersFormat, found: OrderResults) -> str:
    from stepscope.app.services.version import VERSION

    tables = order_tables.order_tables(found)
    if format is OrdersFormat.CSV:
        return order_tables.csv_text(tables, found.run.id)
    return order_tables.markdown_text(tables, f"Run {found.run.id}, {found.run.spec.model}; stepscope {VERSION}")
