"""`stepscope runs rescore`: stored predictions under other rules, and which verdicts that turns."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from stepscope.app.cli.arguments import JsonFlag, SetOption, StoreOption
from stepscope.app.cli.evaluate import index, say_of_models, show_summary
from stepscope.app.cli.interrupts import cancelled_by_signals
from stepscope.app.cli.output import check_output, number_of, print_json, say, table, tell, write_file
from stepscope.app.cli.progress import bar
from stepscope.app.cli.runs_rules import ProtocolOption, RulesOption, RunId, chosen_rules, rule_form, scoring_id, titled
from stepscope.app.cli.statuses import DONE, INTERRUPTED, SOME_FAILED
from stepscope.app.cli.stores import find_run, opened
from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken

if TYPE_CHECKING:
    from collections.abc import Generator

    from stepscope.app.services import rescoring
    from stepscope.app.services.export import rules_table
    from stepscope.core.domain.run import ItemKey, Run
    from stepscope.core.evaluation import rescore as rule_scores
    from stepscope.core.evaluation import rules
    from stepscope.core.evaluation.rescore import RescoreDifference, RescoreUpdate, RuleMetrics
    from stepscope.core.evaluation.rules import Scoring
    from stepscope.core.store.engine import Database
else:
    rescoring = lazy_module("stepscope.app.services.rescoring")
    rules_table = lazy_module("stepscope.app.services.export.rules_table")
    rule_scores = lazy_module("stepscope.core.evaluation.rescore")
    rules = lazy_module("stepscope.core.evaluation.rules")

_COLUMNS = ("rule", "n", "unscored", "malformed", "null", "errors", "flips", "metric", "value", "why", "left out")
_ERRORS_SHOWN = 50


def rescore(
    id: RunId,
    rule: RulesOption = None,
    protocol: ProtocolOption = None,
    set: SetOption = None,
    all: Annotated[bool, typer.Option("--all", help="Every rule with a short name, side by side.")] = False,
    data: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Where the run's data is now, if it has moved.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="With --all: the table as .csv, .md or .tex.")
    ] = None,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    """Prints what the rules make of the run. Gives 0, 1 where items failed, 130 when stopped, with everything done
    kept. Raises UsageError for rules that are not there or do not go together."""
    wanted = chosen_rules(rule or [], protocol, set)
    _check(wanted, all)
    if output is not None:
        _check_table(output, all)
    with opened(store) as database, cancelled_by_signals() as token:
        run = find_run(database, id)
        if all:
            wanted = list(rescoring.rules_for(run).values())
        if not _work(database, run, wanted, data, token):
            return INTERRUPTED
        if output is not None:
            text = rules_table.rules_text(database, run.id, output.suffix)
            write_file(output, lambda stream: stream.write(text.encode()))
        if all or len(wanted) > 1:
            return _told_all(database, run, wanted, all, json)
        return _told_one(database, run, wanted[0], json)


def _check(wanted: list[Scoring], all: bool) -> None:
    if all and wanted:
        raise UsageError("--all takes every rule already.", hint="Leave --rule and --protocol out.")
    if not all and not wanted:
        raise UsageError("no rule is named.", hint="Give --rule ID, --protocol P, or --all.")


def _check_table(output: Path, all: bool) -> None:
    if not all:
        raise UsageError("a table is of every rule.", hint="Give --all with --output.")
    rules_table.check_suffix(output)
    check_output(output)


def _work(database: Database, run: Run, wanted: list[Scoring], data: Path | None, token: CancelToken) -> bool:
    """Score what is left, showing how far it is; False when it was interrupted, with everything done kept."""
    moved = None
    if data is not None:
        moved = index(database, data, run.spec.format, token)
        if moved is None:
            raise KeyboardInterrupt
    source = None if moved is None else moved.source
    updates = cast(
        "Generator[RescoreUpdate]", rescoring.rescore_run(database, run.id, wanted, source=source, token=token)
    )
    with closing(updates), bar(f"Scoring run {run.id}") as show:
        for update in updates:
            show(update.progress)
    if not update.complete:
        of = f"{update.committed} of {update.progress.total} items"
        tell(f"stepscope: interrupted: {of} are scored and kept. The same command goes on with the others.")
    return update.complete


def _told_one(database: Database, run: Run, scoring: Scoring, json: bool) -> int:
    form = rule_form(run, scoring, rule_scores.metrics_under(database, run.id, scoring))
    found = rule_scores.changes(database, run.id, scoring)
    form["flips"] = [
        {
            "episode": flip.key.episode,
            "step": flip.key.step,
            "before": _verdict(flip.before.right),
            "after": _verdict(flip.after.right),
            "why": flip.after.why,
        }
        for flip in found.flips
    ]
    form["only_before"], form["only_after"] = keys_json(found.only_before), keys_json(found.only_after)
    if json:
        print_json(form)
    else:
        _show_one(form, found, run)
    if form["errors"]:
        _list_errors(database, run, scoring, form["errors"])
    return SOME_FAILED if form["errors"] else DONE


def _show_one(form: dict[str, Any], found: RescoreDifference, run: Run) -> None:
    show_summary(titled(form))
    say("")
    own = f"the run's own rule, {run.spec.protocol}"
    count = len(found.flips)
    say(f"{number_of(count, 'steps')} {'has' if count == 1 else 'have'} another verdict than under {own}.")
    if found.only_before or found.only_after:
        say(f"Scored under its own rule only: {len(found.only_before)}; under this one only: {len(found.only_after)}.")
    if count:
        names = ["episode", "step", "before", "after", "why"]
        table(names, [[flip[name] for name in names] for flip in form["flips"]], numbers=["step"])


def _told_all(database: Database, run: Run, wanted: list[Scoring], all: bool, json: bool) -> int:
    rows = rule_scores.rule_table(database, run.id)
    shown = [row for row in rows if all or row.own or rules.Scoring(row.protocol, row.options) in wanted]
    if json:
        print_json({"run": run.id, "rules": [_row_form(run, row) for row in shown]})
    else:
        say(f"Run {run.id}: {run.spec.model} on {run.spec.task} under {number_of(len(shown), 'rules')}")
        say_of_models(run.spec.model)
        say("")
        table(_COLUMNS, [_row_cells(row) for row in shown], numbers=(*_COLUMNS[1:7], "value"))
    failed = [row for row in shown if row.metrics and row.metrics.errors and not row.own]
    for row in failed:
        tell(f"stepscope: {number_of(row.metrics.errors, 'items')} failed under {row.title}.")  # type: ignore[union-attr]
    return SOME_FAILED if failed else DONE


def _row_form(run: Run, row: RuleMetrics) -> dict[str, Any]:
    form = rule_form(run, rules.Scoring(row.protocol, row.options), row.metrics)
    return {**form, "title": row.title, "own": row.own, "flips": row.flips, "why": row.why,
            "left_out": [{"why": why, "n": count} for why, count in row.left_out]}  # fmt: skip


def _row_cells(row: RuleMetrics) -> list[object]:
    """The row with the one metric that stands for its protocol."""
    name = (row.rule or row.title) + (" (own)" if row.own else "")
    if row.metrics is None:
        return [name, *[None] * 8, row.why, ""]
    from stepscope.core.scoring.registry import run_scorer

    found = row.metrics
    main = run_scorer(row.protocol).info.main_of(found.as_dict())
    counts = (found.n, found.unscored, found.malformed, found.null, found.errors, row.flips)
    left_out = " ".join(f"{count:,}: {why}" for why, count in row.left_out)
    return [name, *counts, main, found.as_dict().get(main), row.why, left_out]


def _list_errors(database: Database, run: Run, scoring: Scoring, count: int) -> None:
    from stepscope.core.evaluation.export import items_json

    tell(f"stepscope: {number_of(count, 'items')} failed:")
    errors = items_json(database, run.id, "error", scoring_id(database, run, scoring))
    with closing(cast("Generator[dict[str, Any]]", errors)):
        for shown, item in enumerate(errors):
            if shown == _ERRORS_SHOWN:
                tell(f"… and {count - shown} more.")
                return
            step = "" if item["step"] is None else f":{item['step']}"
            tell(f"{item['episode']}{step}: {item['why']}")


def keys_json(keys: tuple[ItemKey, ...]) -> list[dict[str, Any]]:
    """Items as episode and step; the step is null for an item about a whole episode."""
    return [{"episode": key.episode, "step": None if key.step < 0 else key.step} for key in keys]


def _verdict(right: bool) -> str:
    return "right" if right else "wrong"
