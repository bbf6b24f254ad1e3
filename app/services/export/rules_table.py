"""A run under all rules as one table to send: CSV, Markdown or LaTeX (package booktabs), by the file's ending."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

from stepscope.app.services.version import VERSION
from stepscope.core.domain.run import Run
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.latex import latex_words
from stepscope.core.evaluation.leaderboard_texts import marked_down
from stepscope.core.evaluation.rescore import RuleMetrics, rule_table
from stepscope.core.scoring.registry import run_scorer
from stepscope.core.spreadsheet import write_rows
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import runs

HEADS = ("rule", "metric", "value", "low", "high", "n", "unscored", "malformed", "flips", "left out because")
SUFFIXES = (".csv", ".md", ".tex")
DRAWS = 1000
"""Of an interval, over whole episodes; the seed is 0."""

_Row = tuple[str | int | float | None, ...]


def check_suffix(path: Path) -> None:
    """Raises UsageError for an ending that says no kind of table."""
    if path.suffix.lower() not in SUFFIXES:
        raise UsageError("this ending says no kind of table.", place=path, hint=f"End it with {', '.join(SUFFIXES)}.")


def rules_text(database: Database, run_id: str, suffix: str) -> str:
    """The run's stored scores under every rule; rules that it was not scored by are left out. Raises UsageError for an
    unknown run."""
    with database.reading() as db:
        run = runs.get(db, run_id)
    rows = [_row(one) for one in rule_table(database, run_id, bootstrap=DRAWS) if one.metrics is not None]
    return {".csv": _csv, ".md": _markdown, ".tex": _latex}[suffix.lower()](run, rows)


def _row(one: RuleMetrics) -> _Row:
    found = one.metrics
    assert found is not None
    values, intervals = found.as_dict(), dict(found.intervals)
    main = run_scorer(one.protocol).info.main_of(values)
    low, high = intervals.get(main, (None, None))
    left_out = " ".join(f"{count:,}: {why}" for why, count in one.left_out)
    name = f"{one.title} (own)" if one.own else one.title
    flips = None if one.own else one.flips
    return (name, main, values.get(main), low, high, found.n, found.unscored, found.malformed, flips, left_out)


def _heading(run: Run) -> str:
    return f"Run {run.id}: {run.spec.model} on {run.spec.task} under all rules, stepscope {VERSION}"


def _csv(run: Run, rows: Sequence[_Row]) -> str:
    text = io.StringIO()
    write_rows(text, [HEADS, *rows])
    return text.getvalue()


def _markdown(run: Run, rows: Sequence[_Row]) -> str:
    marks = "|" + ":--|" * 2 + "--:|" * 7 + ":--|"
    lines = [marked_down(_heading(run)), "", _piped(HEADS), marks]
    return "\n".join([*lines, *(_piped([_word(cell) for cell in row]) for row in rows), ""])


def _piped(cells: Sequence[str]) -> str:
    return "| " + " | ".join(marked_down(cell) for cell in cells) + " |"


def _latex(run: Run, rows: Sequence[_Row]) -> str:
    heads = " & ".join(latex_words(head) for head in HEADS)
    body = [rf"    {' & '.join(latex_words(_word(cell)) for cell in row)} \\" for row in rows]
    return "\n".join([
        f"% {latex_words(_heading(run))}", r"\begin{tabular}{llrrrrrrrp{6cm}}", r"    \toprule", rf"    {heads} \\",
        r"    \midrule", *body, r"    \bottomrule", r"\end{tabular}", "",
    ])  # fmt: skip


def _word(cell: str | float | None) -> str:
    if cell is None:
        return "–"
    if isinstance(cell, float):
        return f"{cell:.3f}"
    return f"{cell:,}" if isinstance(cell, int) else cell
