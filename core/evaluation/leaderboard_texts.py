"""A leaderboard as it is seen, for other programs: LaTeX (package booktabs), Markdown, CSV.

Every table names rule and version, and n of each row; whoever shows the leaderboard says which groups, rows and columns
are seen, in which order.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import field
from datetime import datetime

from stepscope.core.domain.run import RunState
from stepscope.core.evaluation.latex import latex_words
from stepscope.core.evaluation.leaderboard import (
    COUNT,
    ENDED,
    MAIN,
    MALFORMED,
    SECONDS,
    SEED_SD,
    TOKENS,
    UNSCORED,
    EntryKey,
    LeaderboardGroup,
    LeaderboardRow,
    model_title,
)
from stepscope.core.evaluation.report_numbers import MINUS, NONE, title_of_metric
from stepscope.core.frozen import dataclass
from stepscope.core.spreadsheet import write_rows

_TITLES = {
    SEED_SD: "Seed SD",
    COUNT: "n",
    UNSCORED: "Unscored",
    MALFORMED: "Malformed",
    SECONDS: "s / item",
    TOKENS: "Tokens / item",
    ENDED: "Ended",
}
NOT_RANKED = {
    RunState.RUNNING: "running",
    RunState.PAUSED: "paused",
    RunState.QUEUED: "waiting",
    RunState.CANCELLED: "cancelled",
    RunState.FAILED: "failed",
    RunState.INTERRUPTED: "interrupted",
}
"""Why a row is not ranked."""


@dataclass(frozen=True, slots=True)
class SeenGroup:
    """A group as it is seen: `rows` in their order, `title` of its data, `rule` in words; and why scores are no
    findings, of all rows (`remark`, "" for nothing) or of one, by its key. `below_rules` says by the id of a run where
    its model is below a rule on real data."""

    group: LeaderboardGroup
    title: str
    rule: str
    rows: tuple[LeaderboardRow, ...]
    remark: str = ""
    row_remarks: Mapping[EntryKey, str] = field(default_factory=dict)
    below_rules: Mapping[str, str] = field(default_factory=dict)

    def about(self, row: LeaderboardRow, *, seeds: bool = True) -> str:
        """What tells a row apart, and why its scores are no finding."""
        return " · ".join(filter(None, (settings_text(row, seeds=seeds), self.row_remarks.get(row.key, ""))))

    def below_rules_of(self, row: LeaderboardRow) -> str:
        """Where the model of a row is below a rule, "" where it is not."""
        return self.below_rules.get(row.entry.run.id, "")

    def all_about(self, row: LeaderboardRow) -> str:
        """What `about` says, and where the row's model is below a rule: for a table without marks."""
        return " · ".join(filter(None, (self.about(row), self.below_rules_of(row))))

    def title_of(self, column: str) -> str:
        """A column in words, MAIN as the metric that it is here."""
        return column_title(self.group.main if column == MAIN else column)


def column_title(column: str) -> str:
    """A metric or another column in words."""
    return _TITLES.get(column) or title_of_metric(column)


def cell_text(row: LeaderboardRow, column: str) -> str:
    """What a row shows in a column: 0.641, 8,444, 0.4 %, 1.9; a dash without a value."""
    value = row.value(column)
    if value is None:
        return NONE
    if column == ENDED:
        return f"{datetime.fromtimestamp(value).astimezone():%Y-%m-%d %H:%M}"
    if column in (COUNT, UNSCORED, TOKENS):
        return f"{round(value):,}"
    if column == MALFORMED:
        return f"{100 * value:.1f} %"
    if column == SECONDS:
        return f"{value:.1f}" if value >= 0.1 else f"{value:.3f}"
    return f"{value:.3f}".replace("-", MINUS)


def interval_text(row: LeaderboardRow, column: str) -> str:
    """The 95 % interval; of a mean over seeds the deviation."""
    bounds = row.interval(column)
    if bounds is not None:
        return f"{bounds[0]:.3f} – {bounds[1]:.3f}".replace("-", MINUS)
    over = dict(row.spread).get(row.main if column == MAIN else column)
    return NONE if over is None or over.deviation is None else f"SD {over.deviation:.3f}"


def settings_text(row: LeaderboardRow, *, seeds: bool = True) -> str:
    """What tells a row apart: how many `seeds`, that its answers were scored again, its state, its settings."""
    parts = [f"{len(row.members)} seeds"] if seeds and len(row.members) > 1 else []
    parts += [] if row.entry.own else ["the same answers, scored again"]
    state = NOT_RANKED.get(row.entry.run.state)
    if state:
        total = row.entry.run.total
        parts.append(f"{state}, {row.entry.run.done:,} of {'?' if total is None else f'{total:,}'}")
    return " · ".join((*parts, *row.settings))


def markdown_text(groups: Sequence[SeenGroup], columns: Sequence[str], made_by: str) -> str:
    """A table for each group under a heading; `made_by` is this program with its version."""
    lines = []
    for seen in groups:
        head = ["Run", "Settings", *_heads(seen, columns)]
        lines += [f"### {marked_down(f'{seen.title}, {seen.rule}')}", "", marked_down(_about(seen, made_by)), ""]
        lines += [_piped([marked_down(one) for one in head]), _piped([":--", ":--", *["--:"] * (len(head) - 2)])]
        lines += [_piped([marked_down(one) for one in _cells(seen, row, columns)]) for row in seen.rows]
        lines.append("")
    return "\n".join(lines)


def latex_text(groups: Sequence[SeenGroup], columns: Sequence[str], made_by: str) -> str:
    """One table with a heading for each group; comments above it name runs, rules and versions."""
    width = len(_cells_of_columns(columns)) + 3
    mains = {seen.group.main for seen in groups}
    lines = [f"% {_commented(made_by)}"]
    body: list[str] = []
    for seen in groups:
        lines.append(f"% {_commented(f'{seen.title}, {seen.rule}: {_about(seen, made_by)}')}")
        lines += [
            f"%   {' '.join(one.run.id for one in row.members)}: {_commented(name_of_row(row))}" for row in seen.rows
        ]
        metric = f": {column_title(seen.group.main)}" if MAIN in columns and len(mains) > 1 else ""
        heading = latex_words(f"{seen.title}, {seen.rule}{metric}" + (f" ({seen.remark})" if seen.remark else ""))
        body += [rf"    \multicolumn{{{width}}}{{l}}{{\textit{{{heading}}}}} \\"] if not body else [
            r"    \midrule", rf"    \multicolumn{{{width}}}{{l}}{{\textit{{{heading}}}}} \\"
        ]  # fmt: skip
        body += [
            f"    {' & '.join(latex_words(cell) for cell in _cells(seen, row, columns))} " + r"\\" for row in seen.rows
        ]
    heads = ["Run", "Settings", *(_heads(groups[0], columns) if groups else ())]
    if len(mains) > 1 and MAIN in columns:
        heads[2 + columns.index(MAIN)] = "Main metric"
    lines += [
        r"\begin{table}", r"  \centering", rf"  \begin{{tabular}}{{ll{'r' * (width - 2)}}}", r"    \toprule",
        f"    {' & '.join(latex_words(head) for head in heads)} " + r"\\", r"    \midrule", *body, r"    \bottomrule",
        r"  \end{tabular}", r"\end{table}", "",
    ]  # fmt: skip
    return "\n".join(lines)


def csv_text(groups: Sequence[SeenGroup], columns: Sequence[str], made_by: str) -> str:
    """One row a run (of several seeds: the latest) with its data, rule and version; numbers as they are."""
    stream = io.StringIO(newline="")
    shown = [column for column in columns if column != COUNT]
    heads = [
        head for column in shown for head in (*(("main_metric",) if column == MAIN else ()), column, *_bounds(column))
    ]
    fixed = ("data", "split", "protocol", "options", "version", "run", "name", "settings", "state", "seeds", "remark")
    rows: list[list[str | int | float | None]] = [[*fixed, "below_rules", *heads, "n", "made_by"]]
    for seen in groups:
        group = seen.group
        options = ", ".join(f"{name}={value}" for name, value in group.scoring.options)
        for row in seen.rows:
            cells: list[str | int | float | None] = [
                seen.title, group.split, group.scoring.protocol, options, group.version, row.entry.run.id,
                name_of_row(row), settings_text(row), row.entry.run.state.value, len(row.members),
                seen.remark or seen.row_remarks.get(row.key, ""), seen.below_rules_of(row),
            ]  # fmt: skip
            for column in shown:
                if column == MAIN:
                    cells.append(group.main)
                cells.append(cell_text(row, ENDED) if column == ENDED else row.value(column))
                cells += (row.interval(column) or (None, None)) if _bounds(column) else ()
            rows.append([*cells, None if row.numbers is None else row.numbers.metrics.n, made_by])
    write_rows(stream, rows)
    return stream.getvalue()


def name_of_row(row: LeaderboardRow) -> str:
    """What a row is called: the own name that all its runs share, else that of its latest run or its model."""
    return model_title(row.entry.run)


def _bounds(column: str) -> tuple[str, ...]:
    return () if column in _TITLES else (f"{column}_low", f"{column}_high")


def _heads(seen: SeenGroup, columns: Sequence[str]) -> list[str]:
    return [
        "95 % interval" if part else seen.title_of(column) + (" ↓" if seen.group.lower_is_better(column) else "")
        for column, part in _cells_of_columns(columns)
    ] + ["n"]


def _cells(seen: SeenGroup, row: LeaderboardRow, columns: Sequence[str]) -> list[str]:
    cells = [
        interval_text(row, column) if part else cell_text(row, column) for column, part in _cells_of_columns(columns)
    ]
    return [name_of_row(row), seen.all_about(row), *cells, cell_text(row, COUNT)]


def _cells_of_columns(columns: Sequence[str]) -> list[tuple[str, int]]:
    """Columns as they are written: the interval stands behind the first metric; n is at the end anyway."""
    found: list[tuple[str, int]] = []
    for column in columns:
        if column == COUNT:
            continue
        first = column not in _TITLES and not any(part for _column, part in found)
        found += [(column, 0), (column, 1)] if first else [(column, 0)]
    return found


def _about(seen: SeenGroup, made_by: str) -> str:
    group = seen.group
    common = "" if group.common == group.items else f" Common items: {group.common:,} of {group.items:,}."
    remark = f" {seen.remark[:1].upper()}{seen.remark[1:]}." if seen.remark else ""
    return f"Rule {group.scoring.words}, version {group.version}; {made_by}.{common}{remark}"


def _piped(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def marked_down(text: str) -> str:
    """The text on one line, with nothing in it that Markdown would take for a sign of its own."""
    plain = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return "".join(f"\\{sign}" if sign in "\\`*_{}[]<>#|~&" else sign for sign in plain)


def _commented(text: str) -> str:
    """The text on one line: what follows a line end would be no comment any more."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
