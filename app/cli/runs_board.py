"""`stepscope runs board`: the runs of a task side by side."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stepscope.app.cli.arguments import JsonFlag, StoreOption
from stepscope.app.cli.evaluate import parse_task
from stepscope.app.cli.output import print_json, say, table
from stepscope.app.cli.runs_rules import RuleOption
from stepscope.app.cli.statuses import DONE
from stepscope.app.cli.stores import opened
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module
from stepscope.core.plain_text import safe

if TYPE_CHECKING:
    from stepscope.app.services import leaderboard as seen
    from stepscope.core.evaluation import leaderboard, leaderboard_texts
    from stepscope.core.evaluation import rules as scoring_rules
    from stepscope.core.evaluation.leaderboard import LeaderboardGroup, LeaderboardRow
    from stepscope.core.evaluation.leaderboard_texts import SeenGroup
else:
    seen = lazy_module("stepscope.app.services.leaderboard")
    leaderboard = lazy_module("stepscope.core.evaluation.leaderboard")
    leaderboard_texts = lazy_module("stepscope.core.evaluation.leaderboard_texts")
    scoring_rules = lazy_module("stepscope.core.evaluation.rules")


class BoardFormat(StrEnum):
    """What the leaderboard is printed as."""

    TABLE = "table"
    LATEX = "latex"
    MARKDOWN = "markdown"
    CSV = "csv"


def board(
    task: Annotated[str, typer.Argument(metavar="TASK", help=f"One of {', '.join(Task)}.")],
    data: Annotated[
        Path | None, typer.Option("--data", metavar="PATH", help="Only runs on this data; its name is enough.")
    ] = None,
    rule: RuleOption = None,
    sort: Annotated[
        str | None, typer.Option("--sort", metavar="COLUMN", help="Rank by it; else by the rule's main metric.")
    ] = None,
    column: Annotated[
        list[str] | None, typer.Option("--column", metavar="COLUMN", help="Show this one; repeat it for several.")
    ] = None,
    each_seed: Annotated[
        bool, typer.Option("--each-seed", help="A row for each seed, where one stands for several else.")
    ] = False,
    archived: Annotated[bool, typer.Option("--archived", help="Archived runs too.")] = False,
    format: Annotated[BoardFormat, typer.Option("--format", help="What to print.")] = BoardFormat.TABLE,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    """Prints a table for each group; gives 0. Raises UsageError for a column that no group has."""
    kept = leaderboard.Leaderboard()
    scoring = None if rule is None else scoring_rules.named_scoring(rule)
    with opened(store) as database:
        entries = [
            entry
            for entry in kept.entries(database, parse_task(task))
            if (archived or not entry.run.labels.archived)
            and (data is None or _is_on(entry.run.spec.source, data))
            and (scoring is None or entry.scoring == scoring)
        ]
        for _done in kept.each(database, entries):
            pass
        found = kept.groups(entries, fold_seeds=not each_seed)
    known = list(dict.fromkeys(name for one in found for name in (*one.metrics, *leaderboard.EXTRA_COLUMNS)))
    for name in (*(column or ()), *([sort] if sort else ())):
        if found and name not in known:
            raise UsageError(f"there is no column {name!r}.", hint=f"Columns: {', '.join(known)}.")

    def order(group: LeaderboardGroup) -> list[LeaderboardRow]:
        return leaderboard.ranked(group, sort or group.main)

    below_rules = seen.below_rules_by_run(entry.run for entry in entries)
    groups = seen.seen_groups(found, order, below_rules)
    if json:
        print_json([_form(one) for one in groups])
    elif not groups:
        say("There are no such runs: 'stepscope evaluate' makes one.")
    elif format is BoardFormat.TABLE:
        for one in groups:
            _show(one, column or [*one.group.metrics])
    else:
        _write(format, groups, column or [name for name in known if name not in leaderboard.EXTRA_COLUMNS])
    return DONE


def _is_on(source: str, data: Path) -> bool:
    return str(data.resolve()) == source or data.name == Path(source).name


def _write(format: BoardFormat, groups: tuple[SeenGroup, ...], columns: list[str]) -> None:
    from stepscope.app.services.version import VERSION

    writers = {
        BoardFormat.LATEX: leaderboard_texts.latex_text,
        BoardFormat.MARKDOWN: leaderboard_texts.markdown_text,
        BoardFormat.CSV: leaderboard_texts.csv_text,
    }
    sys.stdout.write(safe(writers[format](groups, columns, f"stepscope {VERSION}"), keep_lines=True))


def _show(one: SeenGroup, columns: list[str]) -> None:
    """A group for a reader."""
    group = one.group
    say(f"{one.title}, {one.rule} (version {group.version})" + (f": {one.remark}" if one.remark else ""))
    if group.common != group.items:
        say(f"Not the same items: common {group.common:,} of {group.items:,}")
    shown = [name for name in columns if name != leaderboard.COUNT]
    heads = [leaderboard_texts.column_title(name) for name in shown]
    main = group.main in shown
    rows = []
    for row in one.rows:
        cells = [leaderboard_texts.cell_text(row, name) for name in shown]
        bounds = [leaderboard_texts.interval_text(row, group.main)] if main else []
        n = leaderboard_texts.cell_text(row, leaderboard.COUNT)
        rows.append([row.entry.run.id, leaderboard_texts.name_of_row(row), one.all_about(row), *cells, *bounds, n])
    bounds = [f"95 % of {leaderboard_texts.column_title(group.main)}"] if main else []
    table(["run", "name", "settings", *heads, *bounds, "n"], rows, numbers=[*heads, *bounds, "n"])
    say("")


def _form(one: SeenGroup) -> dict[str, Any]:
    group = one.group
    return {
        "data": group.source,
        "split": group.split or None,
        "protocol": group.scoring.protocol,
        "options": dict(group.scoring.options),
        "rule": scoring_rules.rule_name(group.scoring),
        "version": group.version,
        "main": group.main,
        "common": group.common,
        "items": group.items,
        "remark": one.remark or None,
        "rows": [_row_form(one, row) for row in one.rows],
    }


def _row_form(one: SeenGroup, row: LeaderboardRow) -> dict[str, Any]:
    run, metrics = row.entry.run, row.numbers.metrics if row.numbers is not None else None
    names = one.group.metrics
    return {
        "run": run.id,
        "name": leaderboard_texts.name_of_row(row),
        "settings": list(row.settings),
        "own": row.entry.own,
        "state": run.state.value,
        "ranked": row.ranked,
        "n": metrics and metrics.n,
        "unscored": metrics and metrics.unscored,
        "malformed": metrics and metrics.malformed,
        "seconds": row.value(leaderboard.SECONDS),
        "tokens": row.value(leaderboard.TOKENS),
        "metrics": {name: row.value(name) for name in names},
        "intervals": {name: list(ci) for name in names if (ci := row.interval(name))},
        "seeds": {
            "n": len(row.members),
            "runs": [member.run.id for member in row.members],
            "deviation": {name: over.deviation for name, over in row.spread},
        } if len(row.members) > 1 else None,
        "training_step": row.step,
        "remark": one.row_remarks.get(row.key),
        "below_rules": one.below_rules_of(row) or None,
    }  # fmt: skip
