"""`stepscope runs asks`: the four settings of runs of asking out of their stored answers, what asking costs, and an
episode's streams as lanes."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stepscope.app.cli.arguments import MOST_DRAWS, DrawSeedOption, JsonFlag, StoreOption
from stepscope.app.cli.asked_tables import show_table
from stepscope.app.cli.evaluate import index, say_of_models
from stepscope.app.cli.interrupts import cancelled_by_signals
from stepscope.app.cli.output import check_output, print_json, tell, write_file
from stepscope.app.cli.statuses import DONE, INTERRUPTED
from stepscope.app.cli.stores import find_run, opened
from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module
from stepscope.core.plain_text import safe

if TYPE_CHECKING:
    from stepscope.app.services import ask_forms, ask_tables
    from stepscope.core.domain.run import Run
    from stepscope.core.evaluation import ask_cost, ask_lanes, ask_runs, ask_settings
    from stepscope.core.evaluation.ask_lanes import AskLanes
    from stepscope.core.scoring import ask_streams
else:
    ask_forms = lazy_module("stepscope.app.services.ask_forms")
    ask_tables = lazy_module("stepscope.app.services.ask_tables")
    ask_cost = lazy_module("stepscope.core.evaluation.ask_cost")
    ask_lanes = lazy_module("stepscope.core.evaluation.ask_lanes")
    ask_runs = lazy_module("stepscope.core.evaluation.ask_runs")
    ask_settings = lazy_module("stepscope.core.evaluation.ask_settings")
    ask_streams = lazy_module("stepscope.core.scoring.ask_streams")


class AsksFormat(StrEnum):
    """What the tables are written as."""

    TEXT = "text"
    JSON = "json"
    CSV = "csv"
    LATEX = "latex"


class DualSwitch(StrEnum):
    """Whether an early ask is taken back and answered."""

    ON = "on"
    OFF = "off"


class EarlyAskSwitch(StrEnum):
    """What an ask before the due step counts as with two streams."""

    NEUTRAL = "neutral"
    CREDIT = "credit"


class AnsweredSwitch(StrEnum):
    """When the answer is in the context after the due step."""

    ASKED = "asked"
    ALWAYS = "always"


def asks(
    ids: Annotated[
        list[str],
        typer.Argument(metavar="RUN ...", help="The start of each run's id, or 'last'; the others are put beside it."),
    ],
    dual: Annotated[DualSwitch, typer.Option("--dual", help="Two streams or one, for curve and lanes.")] = (
        DualSwitch.ON
    ),
    early_ask: Annotated[
        EarlyAskSwitch, typer.Option("--early-ask", help="What an early ask is with two streams.")
    ] = EarlyAskSwitch.NEUTRAL,
    answered: Annotated[
        AnsweredSwitch,
        typer.Option("--answered", help="The answer is there after the due step: once asked, or always (the paper)."),
    ] = AnsweredSwitch.ASKED,
    curve: Annotated[bool, typer.Option("--curve", help="The cost of asking over the threshold.")] = False,
    removed: Annotated[bool, typer.Option("--removed", help="By how many things the goals leave out.")] = False,
    lanes: Annotated[str, typer.Option("--lanes", metavar="EPISODE", help="An episode of the first run by step.")] = "",
    bootstrap: Annotated[
        int, typer.Option(metavar="N", min=0, max=MOST_DRAWS, help="Draws for intervals; 0: none.")
    ] = 1000,
    seed: DrawSeedOption = 0,
    data: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Where the run's data is now, if it has moved (for lanes).")
    ] = None,
    format: Annotated[AsksFormat, typer.Option("--format", help="What to write.")] = AsksFormat.TEXT,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="The file to write [default: stdout].")
    ] = None,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    """Prints the tables. Gives 0, 130 when stopped while data is read. Raises UsageError for runs of other tasks, and
    for those that have to be scored again first."""
    if output is not None:
        check_output(output)
        if format is AsksFormat.TEXT and not json:
            raise UsageError("-o needs a format.", hint="Add --format json, csv or latex.")
    rule = ask_streams.Answered(answered.value)
    switches = ask_settings.AskSwitches(dual is DualSwitch.ON, early_ask is EarlyAskSwitch.CREDIT, rule)
    with opened(store) as database, cancelled_by_signals() as token:
        runs = [find_run(database, one) for one in ids]
        asked = [ask_runs.asked_of_run(database, run.id) for run in runs]
        found_lanes: AskLanes | None = None
        if lanes:
            indexed = index(database, data or Path(runs[0].spec.source), runs[0].spec.format, token)
            if indexed is None:
                return INTERRUPTED
            found_lanes = ask_runs.lanes_of_run(database, runs[0].id, indexed.source, lanes, switches)
    study = ask_forms.AskStudy(
        tuple((name_of(run), one) for run, one in zip(runs, asked, strict=True)),
        switches, curve=curve, removed=removed, lanes=found_lanes, draws=bootstrap, seed=seed,
    )  # fmt: skip
    _write(study, AsksFormat.JSON if json else format, output, runs)
    return DONE


def name_of(run: Run) -> str:
    """A run in a table: what it is called, and its id."""
    return f"{run.labels.name or run.spec.model} ({run.id})"


def _write(study: Any, format: AsksFormat, output: Path | None, runs: list[Run]) -> None:
    if format is AsksFormat.TEXT:
        for run in runs:
            say_of_models(run.spec.model)
        for one in study.tables():
            show_table(one)
        return
    if format is AsksFormat.JSON and output is None:
        print_json(study.form())
        return
    text = {
        AsksFormat.JSON: study.as_json,
        AsksFormat.CSV: lambda: ask_tables.as_csv(study.tables()),
        AsksFormat.LATEX: lambda: ask_tables.as_latex(study.tables()),
    }[format]()
    if output is None:
        sys.stdout.write(safe(text, keep_lines=True))
        return
    write_file(output, lambda stream: stream.write(text.encode()))
    tell(f"stepscope: wrote {output}")
