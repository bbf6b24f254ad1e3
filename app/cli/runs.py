"""`stepscope runs`: the stored evaluations."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stepscope.app.cli.arguments import FilterOption, JsonFlag, SetOption, StoreOption
from stepscope.app.cli.command_row import CommandRow
from stepscope.app.cli.defects import show_without_defects, without_defects
from stepscope.app.cli.evaluate import show_summary
from stepscope.app.cli.output import number_of, print_json, say, table, tell
from stepscope.app.cli.runs_items import RunItemFilter, ShowOption, passing
from stepscope.app.cli.runs_label import labels_json, labels_said
from stepscope.app.cli.runs_rules import (
    ProtocolOption,
    RuleOption,
    RunId,
    chosen_rule,
    scoring_id,
    summary_under,
    titled,
)
from stepscope.app.cli.statuses import DONE
from stepscope.app.cli.stores import find_run, opened
from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.app.cli import (
        runs_asks,
        runs_board,
        runs_bundle,
        runs_compare,
        runs_export,
        runs_label,
        runs_orders,
        runs_rescore,
        runs_rescue,
    )
    from stepscope.core.domain.run import Run
    from stepscope.core.evaluation import summaries
    from stepscope.core.store import queries
    from stepscope.core.store.engine import Database
    from stepscope.core.store.repositories import runs
else:
    runs_asks = lazy_module("stepscope.app.cli.runs_asks")
    runs_board = lazy_module("stepscope.app.cli.runs_board")
    runs_bundle = lazy_module("stepscope.app.cli.runs_bundle")
    runs_compare = lazy_module("stepscope.app.cli.runs_compare")
    runs_export = lazy_module("stepscope.app.cli.runs_export")
    runs_label = lazy_module("stepscope.app.cli.runs_label")
    runs_orders = lazy_module("stepscope.app.cli.runs_orders")
    runs_rescore = lazy_module("stepscope.app.cli.runs_rescore")
    runs_rescue = lazy_module("stepscope.app.cli.runs_rescue")
    summaries = lazy_module("stepscope.core.evaluation.summaries")
    queries = lazy_module("stepscope.core.store.queries")
    runs = lazy_module("stepscope.core.store.repositories.runs")

COMMANDS = {
    "list": CommandRow("All runs, the latest first.", lambda: list_runs),
    "show": CommandRow("One run with its items.", lambda: show),
    "delete": CommandRow("Delete runs with their predictions and scores.", lambda: delete),
    "rescore": CommandRow(
        "Score a run's stored predictions again under other rules, without a model.", lambda: runs_rescore.rescore
    ),
    "board": CommandRow(
        "Leaderboard of a task: runs by metrics, ranked on the same data and rule.", lambda: runs_board.board
    ),
    "compare": CommandRow(
        "Two runs on the items that both have: differences, intervals, p.", lambda: runs_compare.compare
    ),
    "seeds": CommandRow(
        "Mean and standard deviation over runs that differ in their seed only.", lambda: runs_compare.seeds
    ),
    "orders": CommandRow(
        "What a run of step ordering gets wrong, and what its doubts tell.", lambda: runs_orders.orders
    ),
    "asks": CommandRow(
        "Runs of asking under the four settings of Navi-plus, and what asking costs.", lambda: runs_asks.asks
    ),
    "import": CommandRow(
        "Runs of another store: from bundles, or straight with --from.", lambda: runs_bundle.import_runs
    ),
    "export": CommandRow(
        "A run as CSV, predictions to be scored again (jsonl), HTML report, LaTeX table, annotated pictures, or "
        "whole, for another store (bundle).",
        lambda: runs_export.export,
    ),
    "rescue": CommandRow("Copy what can be read of a damaged store into a new one.", lambda: runs_rescue.rescue_store),
    "label": CommandRow(
        "Name a run, tag it, remark on it, pin or archive it; without options tell.", lambda: runs_label.label
    ),
}


_COLUMNS = (
    "run", "name", "created", "state", "task", "model", "data", "protocol", "options", "seed", "metric", "value", "n",
    "errors", "unscored", "malformed", "null",
)  # fmt: skip


def list_runs(store: StoreOption = None, json: JsonFlag = False) -> int:
    with opened(store) as database:
        with database.reading() as db:
            found = [counts.run for counts in queries.run_list(db)]
        rows = [_listed(database, run) for run in found]
    if json:
        print_json(rows)
    elif rows:
        lines = [row | _in_short(row) for row in rows]
        table(_COLUMNS, [[line[name] for name in _COLUMNS] for line in lines], numbers=("seed", *_COLUMNS[11:]))
    else:
        say("There are no runs yet: 'stepscope evaluate' makes one.")
    return DONE


def show(
    id: RunId,
    show: ShowOption = RunItemFilter.ALL,
    filter: FilterOption = None,
    rule: RuleOption = None,
    protocol: ProtocolOption = None,
    set: SetOption = None,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    from stepscope.app.services.run_costs import costs_json, costs_of, costs_rows, machine_rows, made_with_json

    scoring = chosen_rule(rule, protocol, set)
    if show is RunItemFilter.FLIPS and scoring is None:
        raise UsageError("--show flips needs a rule.", hint="Give --rule ID, or --protocol P.")
    with opened(store) as database:
        run = find_run(database, id)
        under = None if scoring is None else scoring_id(database, run, scoring)
        items = list(_items(database, run, show, filter, under))
        form = _listed(database, run) if scoring is None else summary_under(database, run, scoring)
        if scoring is None and form["metrics"]:
            form |= without_defects(database, run.id)
        if form["metrics"]:
            form |= summaries.field_means(database, run, under)
            form |= summaries.means_by_feasibility(database, run, scoring, under)
        took = costs_of(database, run)
    if json:
        print_json({**form, "took": costs_json(run, took), "made_with": made_with_json(run), "items": items})
        return DONE
    show_summary(form if scoring is None else titled(form))
    _say_selection(run)
    say(*labels_said(run.labels))
    say(*(f"{name}: {value}" for name, value in (*costs_rows(run, took), *machine_rows(run))))
    show_without_defects(form)
    say("")
    rows = [[item["episode"], item["step"], _status(item), item["score"], item["why"]] for item in items]
    table(["episode", "step", "status", "score", "why"], rows, numbers=["step", "score"])
    return DONE


def _say_selection(run: Run) -> None:
    """Which items the run is about."""
    spec = run.spec
    parts = [f"split {spec.split}"] if spec.split else []
    parts += [f"filter {spec.filter}"] if spec.filter else []
    parts += [f"{number_of(spec.chosen, 'episodes')} named one by one"] if spec.chosen is not None else []
    parts += [f"at most {number_of(spec.limit, 'episodes')}"] if spec.limit is not None else []
    say(f"Data {spec.source}: {', '.join(parts) or 'all of it'}; seed {spec.seed}")


def _status(item: dict[str, Any]) -> str:
    """The status of an item's score, with what is scored for want of a usable prediction told apart."""
    return "null" if item["null"] else "malformed" if item["malformed"] else str(item["status"])


def delete(
    ids: Annotated[list[str], typer.Argument(metavar="RUN ...", help="The start of each run's id.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask (only a terminal is asked).")] = False,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    with opened(store) as database:
        found = list({run.id: run for run in (find_run(database, beginning) for beginning in ids)}.values())
        _check_idle(database, found)
        if not yes and sys.stdin.isatty() and not _confirmed(found):
            tell("stepscope: nothing was deleted.")
            return DONE
        with database.unit_of_work() as db:
            for run in found:
                runs.remove(db, run.id)
    if json:
        print_json({"deleted": [run.id for run in found]})
    else:
        say(*(f"Deleted run {run.id}" for run in found))
    return DONE


def _listed(database: Database, run: Run) -> dict[str, Any]:
    """The object of `runs list`; a run under a rule that is not known here has no metrics."""
    try:
        form = summaries.summary(database, run.id)
    except UsageError as error:
        tell(f"stepscope: warning: run {run.id}: {error}")
        with database.reading() as db:
            counts = queries.run_counts(db, run.id)
        spec = run.spec
        form = {"run": run.id, "task": spec.task.value, "model": spec.model, "protocol": spec.protocol}
        form |= {"state": run.state.value, "n": counts.scored, "errors": counts.errors}
        form |= {"unscored": counts.unscored, "malformed": counts.malformed, "null": counts.null}
        form["metrics"] = {}
    return {**form, "created": run.created.isoformat(), **_selection(run), "labels": labels_json(run.labels)}


def _in_short(form: dict[str, Any]) -> dict[str, Any]:
    """A listed run in few characters: the data's folder, options that are not the protocol's own, the main metric."""
    from stepscope.core.scoring.registry import run_scorer

    options, metric = form["options"], ""
    try:
        info = run_scorer(form["protocol"]).info
    except UsageError:
        pass
    else:
        usual = {option.name: str(option.default) for option in info.options}
        options = {name: value for name, value in options.items() if value != usual.get(name)}
        metric = info.main_of(form["metrics"])
    words = ", ".join(f"{name}={value}" for name, value in options.items())
    value = form["metrics"].get(metric)
    return {"name": form["labels"]["name"], "data": Path(form["data"]).name, "options": words, "metric": metric,
            "value": value, "created": form["created"][:16].replace("T", " ")}  # fmt: skip


def _selection(run: Run) -> dict[str, Any]:
    """What the run is about, and with which settings."""
    spec = run.spec
    return {
        "data": spec.source,
        "split": spec.split or None,
        "filter": spec.filter or None,
        "limit": spec.limit,
        "chosen": spec.chosen,
        "seed": spec.seed,
        "options": dict(spec.options),
    }


def _items(
    database: Database, run: Run, show: RunItemFilter, filter: str | None, under: int | None
) -> Iterator[dict[str, Any]]:
    from stepscope.core.evaluation.export import items_json

    chosen = None if filter is None else passing(database, run, filter)
    for item in items_json(database, run.id, show.value, under):
        if chosen is None or item["episode"] in chosen:
            yield item


def _check_idle(database: Database, found: list[Run]) -> None:
    """Raise UsageError for a run that somebody works on."""
    wanted = {run.id for run in found}
    with database.reading() as db:
        busy = [claim.run_id for claim in runs.claimed(db) if claim.run_id in wanted]
    if busy:
        raise UsageError(f"run {busy[0]} is at work.", hint="Cancel it first.")


def _confirmed(found: list[Run]) -> bool:
    names = ", ".join(f"{run.id} ({run.spec.model}, {run.done} items)" for run in found)
    tell(f"Delete {names}? [y/N]", end=" ")
    return sys.stdin.readline().strip().lower() in ("y", "yes")
