"""`stepscope reproduce`: tables of papers made again, ours beside the published numbers."""

from __future__ import annotations

import re
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from stepscope.app.cli.arguments import JsonFlag, StoreOption
from stepscope.app.cli.interrupts import cancelled_by_signals
from stepscope.app.cli.output import number_of, print_json, say, table, tell
from stepscope.app.cli.progress import bar
from stepscope.app.cli.statuses import DONE, INTERRUPTED, SOME_FAILED
from stepscope.app.cli.stores import opened
from stepscope.core.domain.largest_number import LARGEST_NUMBER
from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from collections.abc import Generator

    from stepscope.app.services.goal_judging import JudgingCount
    from stepscope.app.services.reproduction import documents, planning, results, running, tables
    from stepscope.app.services.reproduction.planning import PlannedRun, TableData, TablePlan
    from stepscope.app.services.reproduction.results import CellResult, TableResult
    from stepscope.app.services.reproduction.running import TableEvent
    from stepscope.app.services.reproduction.tables import PaperTable
    from stepscope.core.progress import CancelToken
    from stepscope.core.store.engine import Database
    from stepscope.models.goal.judges.judge import GoalJudge
else:
    documents = lazy_module("stepscope.app.services.reproduction.documents")
    planning = lazy_module("stepscope.app.services.reproduction.planning")
    results = lazy_module("stepscope.app.services.reproduction.results")
    running = lazy_module("stepscope.app.services.reproduction.running")
    tables = lazy_module("stepscope.app.services.reproduction.tables")

LIST = "list"
"""In the place of a table's name: all tables."""
_MOST_SEEDS = 100
_FAILED_SHOWN = 20
WRITTEN = "texts that people wrote"
_NUMBERS = ("paper", "ours", "95 % or SD", "difference")


def reproduce(
    name: Annotated[
        str, typer.Argument(metavar="list|NAME", help="All tables; or one: its name, or the path of your own .toml.")
    ],
    data: Annotated[
        list[Path] | None, typer.Option("--data", metavar="PATH", help="A data set of the table; repeat it for more.")
    ] = None,
    train_data: Annotated[
        list[Path] | None,
        typer.Option("--train-data", metavar="PATH", help="Further data for rows that learn from more; repeat it."),
    ] = None,
    model: Annotated[
        list[str] | None, typer.Option("--model", metavar="ROW=NAME", help="Run a row with this model; repeat it.")
    ] = None,
    seeds: Annotated[
        str, typer.Option("--seeds", metavar="N,N,…", help="Seeds of the rows whose answers hang on them; the paper's.")
    ] = "",
    limit: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=LARGEST_NUMBER, help="Only the first N episodes.")
    ] = None,
    per_app: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, max=LARGEST_NUMBER, help="Only the first N of each app, or of each web task."),
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Goals are judged by it: rules, served:SERVER/MODEL or local:CHECKPOINT."),
    ] = None,
    device: Annotated[str, typer.Option(metavar="auto|cpu|cuda[:i]", help="Where models compute.")] = "auto",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FOLDER", help="Write NAME.html, NAME.md and NAME.tex there.")
    ] = None,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    """Prints ours beside the published numbers. Gives 0 also where rows are missing, which are named; 1 where a run,
    items of one, or a judge on a pair failed; 130 when stopped. Raises UsageError before anything is run for a choice
    that makes no sense."""
    if name == LIST:
        return _list(store, json)
    found = tables.find_table(name)
    choices = planning.TableChoices(_models(model or []), _seeds(seeds), limit, per_app, device, judge=judge or "")
    planning.check_choices(found, choices)
    asked = _judge(judge, device)
    choices = replace(choices, judge=asked.name if asked else "")
    if train_data:
        planning.check_learns_from_further(found, train_data[0])
    if out is not None:
        documents.check_folder(out)
    with opened(store) as database, cancelled_by_signals() as token:
        further = tuple(_data(database, train_data or [], token))
        choices = replace(choices, train_data=further)
        plan = planning.plan_table(database, found, _data(database, data or [], token), choices)
        failures, unjudged = ({}, 0) if token.cancelled else _work(database, plan, token, asked)
        result = results.table_result(database, plan, failures)
        written = () if out is None else documents.write_documents(result, out)
        stopped = token.cancelled
    _show(result, written, json)
    if stopped:
        tell("stepscope: interrupted: what was done is kept. The same command goes on.")
        return INTERRUPTED
    return SOME_FAILED if failures or unjudged or result.errors else DONE


def _judge(name: str | None, device: str) -> GoalJudge | None:
    """The judge of that name. Raises UsageError, and what loading it raises."""
    if name is None:
        return None
    from stepscope.models.goal.judges.named import judge_named

    return judge_named(name, device=device)


def _models(given: list[str]) -> dict[str, str]:
    """ROW=NAME texts as a mapping. Raises UsageError."""
    found: dict[str, str] = {}
    for text in given:
        row, equals, name = text.partition("=")
        if not equals or not row.strip() or not name.strip():
            raise UsageError(f"--model {text!r} is not ROW=NAME.", hint="'stepscope reproduce list' names the rows.")
        found[row.strip()] = name.strip()
    return found


def _seeds(text: str) -> tuple[int, ...]:
    """Numbers with commas between them, each once. Raises UsageError."""
    if not text:
        return ()
    parts = [part.strip() for part in text.split(",")]
    right = all(re.fullmatch(r"[0-9]{1,10}", part) and int(part) <= LARGEST_NUMBER for part in parts)
    if not right or len(parts) > _MOST_SEEDS:
        hint = f"Give up to {_MOST_SEEDS} whole numbers, such as 0,1,2."
        raise UsageError(f"--seeds {text!r} are no seeds.", hint=hint)
    return tuple(dict.fromkeys(int(part) for part in parts))


def _data(database: Database, paths: list[Path], token: CancelToken) -> list[TableData]:
    """The data sets with whole indexes in the store; fewer when cancelled."""
    from stepscope.app.cli.evaluate import read_index

    found = []
    for path in dict.fromkeys(path.resolve() for path in paths):
        indexed = read_index(database, path, None, token)
        if indexed is None:
            break
        found.append(planning.TableData(path, indexed.source, indexed.source_id))
    return found


def _work(
    database: Database, plan: TablePlan, token: CancelToken, judge: GoalJudge | None
) -> tuple[dict[PlannedRun, str], int]:
    """Do the runs, showing how far each is; what failed, with why, and on how many pairs and questions the judge came
    to nothing."""
    failures: dict[PlannedRun, str] = {}
    unjudged = 0
    events = cast("Generator[TableEvent]", running.work_on_table(database, plan, token, judge=judge))
    with closing(events), bar(f"Reproducing {plan.table.name}") as show:
        for event in events:
            match event:
                case running.TableRunBegun(planned, run_id, number, total, kept, finished, warning):
                    end = "is done already" if finished else f"{number_of(len(planned.episodes), 'episodes')}"
                    more = f", {number_of(kept, 'items')} kept" if kept and not finished else ""
                    seed = f", seed {planned.request.seed}" if planned.request.seed else ""
                    words = f"{planned.request.model}{seed}"
                    tell(f"stepscope: run {number} of {total}: {run_id}: {words}: {end}{more}")
                    if warning:
                        tell(f"stepscope: warning: {warning}")
                case running.TableRunProgressed(planned, progress):
                    show(progress, planned.request.model)
                case running.TableTrained(_, doing, progress):
                    if progress is not None:
                        show(progress, doing)
                case running.TableJudging(_, run_id, progress, count):
                    show(progress, f"Judging {run_id}")
                    if count is not None:
                        unjudged += len(count.failed) + count.malformed
                        _tell_judged(run_id, count)
                case running.TableRunFailed(planned, message):
                    failures[planned] = message
                    tell(f"stepscope: {planned.request.model} failed: {message}")
    return failures, unjudged


def _tell_judged(run_id: str, count: JudgingCount) -> None:
    known = f", {count.known:,} known from before" if count.known else ""
    malformed = f", {number_of(count.malformed, 'answers')} without a verdict" if count.malformed else ""
    tell(f"stepscope: {run_id}: {number_of(count.judged, 'pairs')} judged{known}{malformed}")
    for episode, why in count.failed[:_FAILED_SHOWN]:
        tell(f"stepscope: warning: {episode}: {why}")
    if len(count.failed) > _FAILED_SHOWN:
        tell(f"stepscope: warning: … and {len(count.failed) - _FAILED_SHOWN:,} more pairs could not be judged.")


def _show(result: TableResult, written: tuple[Path, ...], json: bool) -> None:
    if json:
        print_json(_form(result) | {"files": [str(file) for file in written]})
        return
    paper = result.table
    say(f"{paper.title} ({paper.paper}, {paper.place})")
    if result.sample:
        say("Sample data made by this project: no number of it is a finding.")
    say("")
    rows = documents.row_words(result)
    for at, column in enumerate(paper.columns):
        lines = [[row.label, one.published, one.ours, one.spread, one.difference]
                 for row in rows for one in (row.cells[at],)]  # fmt: skip
        table([column.title, *_NUMBERS], lines, numbers=_NUMBERS)
        say("")
    for section in documents.sections(result):
        say(f"{section.title}:", *(f"  {where}: {text}" for where, text in section.lines), "")
    say(*(f"Wrote {file}" for file in written))


def _form(result: TableResult) -> dict[str, Any]:
    paper = result.table
    return {
        "table": paper.name,
        "title": paper.title,
        "paper": paper.paper,
        "place": paper.place,
        "task": paper.task.value,
        "protocol": paper.protocol,
        "sample": result.sample,
        "complete": result.complete,
        "rows": [
            {
                "row": row.id,
                "label": row.label,
                "model": result.models.get(row.id),
                "cells": [_cell_form(cell) for cell in result.of_row(row)],
            }
            for row in paper.rows
        ],
    }


def _cell_form(cell: CellResult) -> dict[str, Any]:
    ours = cell.ours
    return {
        "column": cell.column.id,
        "metric": cell.column.metric,
        "judged": cell.column.judged or None,
        "published": None if cell.published is None else cell.published.value,
        "ours": None if ours is None else ours.mean,
        "difference": cell.difference,
        "interval": None if cell.interval is None else list(cell.interval),
        "deviation": None if ours is None else ours.deviation,
        "seeds": 0 if ours is None else ours.n,
        "n": cell.n,
        "errors": cell.errors,
        "apps": cell.apps,
        "runs": list(cell.runs),
        "missing": cell.missing or None,
        "remarks": list(cell.remarks),
    }


def _list(store: str | None, json: bool) -> int:
    """Every table, with what the models and the data that are known here allow."""
    with opened(store) as database:
        forms = [_listed(database, tables.find_table(name)) for name in tables.table_names()]
    if json:
        print_json(forms)
        return DONE
    for form in forms:
        say(f"{form['name']}: {form['title']}", f"  {form['paper']}, {form['place']}", "")
        table(
            ["row", "", "model"],
            [[one["row"], one["label"], one["missing"] or one["model"] or WRITTEN] for one in form["rows"]],
        )
        say("")
        columns = [[one["column"], one["title"], one["missing"] or ", ".join(one["data"])] for one in form["columns"]]
        table(["column", "title", "data"], columns)
        say("")
    return DONE


def _listed(database: Database, paper: PaperTable) -> dict[str, Any]:
    data: dict[tuple[str, str, str], tuple[Path, ...]] = {}
    for column in paper.columns:
        key = column.format, column.platform, column.split
        if key not in data:
            data[key] = planning.known_data(database, column)
    return {
        "name": paper.name,
        "title": paper.title,
        "paper": paper.paper,
        "place": paper.place,
        "task": paper.task.value,
        "protocol": paper.protocol,
        "rows": [
            {
                "row": row.id,
                "label": row.label,
                "kind": row.run.kind,
                "model": model or None,
                "missing": missing or None,
            }
            for row in paper.rows
            for model, missing in (planning.row_model(paper.task, row),)
        ],
        "columns": [
            {
                "column": column.id,
                "title": column.title,
                "metric": column.metric,
                "judged": column.judged or None,
                "format": column.format or None,
                "split": column.split or None,
                "data": [str(path) for path in known],
                "missing": None if known else planning.needed_data(column),
            }
            for column in paper.columns
            for known in (data[column.format, column.platform, column.split],)
        ],
    }
