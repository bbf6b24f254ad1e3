"""The leaderboard in the words of its table, its plot, and what differs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from stepscope.app.gui.features.results.presenter import why_none
from stepscope.app.gui.shell.run_letters import RunLetters
from stepscope.app.gui.shell.run_words import DRAWS, metric_title, noun_of, source_name, when_words
from stepscope.app.gui.shell.task_titles import TASK_TITLES
from stepscope.app.services.leaderboard import group_title, seen_groups
from stepscope.core.domain.prediction import Task
from stepscope.core.evaluation.leaderboard import (
    ENDED,
    EXTRA_COLUMNS,
    LESS_IS_BETTER,
    MAIN,
    MALFORMED,
    SEED_SD,
    UNSCORED,
    LeaderboardGroup,
    LeaderboardRow,
    ranked,
)
from stepscope.core.evaluation.leaderboard_texts import (
    SeenGroup,
    cell_text,
    column_title,
    interval_text,
    name_of_row,
)
from stepscope.core.evaluation.run_differences import Effect, made_with, settings_apart
from stepscope.core.frozen import dataclass
from stepscope.widgets import format as words
from stepscope.widgets.results.leaderboard_values import (
    BoardCell,
    BoardColumn,
    BoardContent,
    BoardHeading,
    BoardRow,
    BoardScope,
    DifferenceDetails,
    DifferencePart,
    RowKey,
    SettingApart,
    TimeLine,
    TimePoint,
)
from stepscope.widgets.results.result_rows import BELOW_RULES

if TYPE_CHECKING:
    from stepscope.core.domain.run import Run
    from stepscope.core.evaluation.comparison import Comparison
    from stepscope.core.evaluation.run_differences import DifferenceParts
    from stepscope.core.scoring.paired_tests import Difference

MUCH_MALFORMED = 0.02
"""From this share of malformed answers on the number asks for attention."""
MAY_BE_MISREAD = "may be misread"
FEW = 10
"""Below this many items a rate says little."""
EFFECTS = {
    Effect.MODEL: ("model", "neutral", "Another model"),
    Effect.ITEMS: ("other items", "warn", "The scores are about other items; the difference is over the common ones"),
    Effect.RULE: ("rule", "warn", "Another rule judges the same answers otherwise"),
    Effect.MATTERS: ("matters", "warn", "Known to move scores"),
    Effect.CHANCE: ("chance", "neutral", "Another seed: a difference by chance alone is possible"),
}
BY = {"kind": "by kind of action", "reason": "by reason", "app": "by app", "length": "by length"}


@dataclass(frozen=True)
class BoardChoices:
    """How the person wants the leaderboard: `columns` in their order (None: those that it begins with), what it is
    sorted by and which way, which rows are ticked, what is closed."""

    columns: tuple[str, ...] | None = None
    sorted_by: str = MAIN
    best_first: bool = True
    pinned_first: bool = True
    ticked: tuple[RowKey, ...] = ()
    closed: frozenset[str] = frozenset()
    filter: str = ""


def scopes(runs: Collection[Run]) -> list[BoardScope]:
    """Tasks, and below each the data that its runs are about; tasks without runs too."""
    found = []
    for task in Task:
        of_task = [run for run in runs if run.spec.task is task]
        found.append(BoardScope(task.value, TASK_TITLES[task], runs=len(of_task)))
        for source in dict.fromkeys(run.spec.source for run in of_task):
            several = [run for run in of_task if run.spec.source == source]
            found.append(BoardScope(task.value, source_name(several[0]), source, len(several)))
    return found


def common_main(groups: Sequence[LeaderboardGroup]) -> str:
    """The metric that stands for all of the groups, "" where they have not the same."""
    mains = {group.main for group in groups}
    return mains.pop() if len(mains) == 1 else ""


def every_column(groups: Sequence[LeaderboardGroup]) -> list[str]:
    """Metrics of all groups, then the other columns; without those that are the main metric wherever they are: that
    stands first in every row."""
    names = dict.fromkeys(name for group in groups for name in group.metrics)
    further = [name for name in names if any(name in group.metrics and name != group.main for group in groups)]
    return [*further, *EXTRA_COLUMNS]


def usual_columns(groups: Sequence[LeaderboardGroup]) -> tuple[str, ...]:
    """The columns that it begins with: the metrics of the latest run's rule, and what is known of every run."""
    own = groups[0].metrics if groups else ()
    rows = [row for group in groups for row in group.rows]
    known = [name for name in EXTRA_COLUMNS if any(row.value(name) is not None for row in rows)]
    wanted = {*own, *known} - {UNSCORED, SEED_SD}
    return tuple(name for name in every_column(groups) if name in wanted)


def board_column(groups: Sequence[LeaderboardGroup], name: str) -> BoardColumn:
    """A column in words; the main metric as the one that it is in all groups."""
    lower = name in LESS_IS_BETTER or any(group.lower_is_better(name) for group in groups)
    if name == MAIN:
        main = common_main(groups)
        return BoardColumn(MAIN, metric_title(main) if main else "Main metric", lower)
    return BoardColumn(name, column_title(name) if name in EXTRA_COLUMNS else metric_title(name), lower)


def passing_rows(group: LeaderboardGroup, choices: BoardChoices) -> list[LeaderboardRow]:
    """The rows of a group that pass the filter, as they are sorted."""
    rows = ranked(group, choices.sorted_by, best_first=choices.best_first, pinned_first=choices.pinned_first)
    wanted = choices.filter.casefold().split()
    return [row for row in rows if all(word in _searched(row) for word in wanted)]


def seen_groups_of(
    groups: Sequence[LeaderboardGroup], choices: BoardChoices, below_rules: Mapping[str, str]
) -> list[SeenGroup]:
    """The groups as they are seen, closed ones too; `below_rules` as `below_rules_by_run` tells it."""
    return list(seen_groups(groups, lambda group: passing_rows(group, choices), below_rules))


def board_content(
    groups: Sequence[LeaderboardGroup],
    choices: BoardChoices,
    letters: Callable[[str], RunLetters],
    new: Collection[str],
    below_rules: Mapping[str, str],
    doubts: Mapping[str, str] = MappingProxyType({}),
) -> BoardContent:
    """The table. `letters` gives the letters of the runs that are shown on some data; `below_rules` says of a run by
    its id where its model is below a rule, `doubts` why its places may be misread."""
    shown = usual_columns(groups) if choices.columns is None else choices.columns
    known = every_column(groups)
    names = [name for name in shown if name in known]
    rows: list[BoardHeading | BoardRow] = []
    seen = seen_groups_of(groups, choices, below_rules)
    for one in seen:
        is_open = group_key(one.group) not in choices.closed
        heading = _heading(one, is_open=is_open, names_metric=not common_main(groups))
        rows.append(heading)
        if heading.is_open:
            rows += [_row(one, row, names, choices, letters(one.group.source), new, doubts) for row in one.rows]
    span, ticks = _scale([row for one in seen for row in one.rows])
    return BoardContent(
        board_column(groups, MAIN),
        tuple(board_column(groups, name) for name in names),
        tuple(rows),
        span,
        ticks,
        choices.sorted_by,
        choices.best_first,
        metrics=next((n for n, name in enumerate(names) if name in EXTRA_COLUMNS), len(names)),
    )


def group_key(group: LeaderboardGroup) -> str:
    """A group by its data and rule, as text."""
    return "\n".join((group.source, group.split, group.scoring.words, group.version))


def time_line(seen: SeenGroup, every: Sequence[LeaderboardRow], letters: RunLetters) -> TimeLine:
    """The finished runs of a group, each seed for itself (`every`), over time."""
    points, main = [], seen.group.main
    for row in every:
        value, ended = row.value(main), row.entry.ended or row.entry.run.created
        if value is None or not row.ranked:
            continue
        run = row.entry.run
        said = f"{name_of_row(row)}: {words.score(value)}, {words.interval(row.interval(main))}, {when_words(ended)}"
        points.append(
            TimePoint(
                row.key, name_of_row(row), ended.timestamp(), row.step, value, row.interval(main), letters.get(run.id),
                said if row.step is None else f"{said}, step {words.count(row.step)}",
            )
        )  # fmt: skip
    title = f"{metric_title(main).lower()}, {seen.title}, {seen.rule}"
    return TimeLine(title, tuple(points), seen.group.lower_is_better(main))


def difference_details(
    rows: tuple[LeaderboardRow, LeaderboardRow],
    letters: tuple[int | None, int | None],
    main: str,
    compared: Comparison | None,
    where: DifferenceParts | None,
    why: str,
) -> DifferenceDetails:
    """Two rows; `compared` over their common items, or `why` they cannot be."""
    runs = rows[0].entry.run, rows[1].entry.run
    unequal, equal = settings_apart(*runs)
    under = [row.entry.scoring.words for row in rows]
    apart = [SettingApart(one.name, one.a, one.b, *EFFECTS.get(one.effect, ("", "neutral", ""))) for one in unequal]
    if under[0] != under[1] and not any(one.badge == "rule" for one in apart):
        apart.insert(0, SettingApart("Shown under", under[0], under[1], *EFFECTS[Effect.RULE]))
    gap = next((one for one in compared.differences if one.metric == main), None) if compared else None
    detail, tip = ("", "") if gap is None or compared is None else _gap_words(gap, compared, rows)
    return DifferenceDetails(
        names=(name_of_row(rows[0]), name_of_row(rows[1])),
        letters=letters,
        gap="" if gap is None else words.signed(gap.difference),
        detail=detail,
        tip=tip,
        why=why,
        warning=_common_words(compared, noun_of(runs[0])) if compared else "",
        unequal=tuple(apart),
        equal=tuple((one.name, one.value or "usual") for one in equal),
        by=BY[where.by] if where else "",
        parts=tuple(
            DifferencePart(_part_name(part.name, where.by), part.n, part.difference) for part in where.parts
        ) if where else (),
        noun=noun_of(runs[0]),
        keys=(rows[0].key, rows[1].key),
    )  # fmt: skip


def about_words(groups: Sequence[LeaderboardGroup]) -> str:
    """5 runs under 2 rules, on 2 data sets."""
    runs = len({member.run.id for group in groups for row in group.rows for member in row.members})
    rules = len({(group.scoring, group.version) for group in groups})
    data = len({(group.source, group.split) for group in groups})
    parts = [words.counted(runs, "run")]
    parts += [f"under {words.counted(rules, 'rule')}"] if rules > 1 else []
    parts += [f"on {words.counted(data, 'data set')}"] if data > 1 else []
    return " ".join(parts)


def _gap_words(gap: Difference, compared: Comparison, rows: tuple[LeaderboardRow, LeaderboardRow]) -> tuple[str, str]:
    """Interval and p; and for the tip how they came about."""
    test = "McNemar's test" if gap.test == "mcnemar" else "paired bootstrap over episodes"
    seeds = [f"Of {name_of_row(row)} this is seed {row.entry.run.spec.seed} alone." for row in rows if row.spread]
    tip = (
        f"{metric_title(gap.metric)} of the first less that of the second, over "
        f"{words.counted(compared.n_common, 'common item')}. Interval: {DRAWS:,} draws of whole episodes, seed 0. "
        f"p by {test}."
    )
    interval = f"{words.signed(gap.ci[0])} to {words.signed(gap.ci[1])}, " if gap.ci else ""
    p = words.p_value(gap.p)
    return f"{interval}p {p}" if gap.p is not None else interval.rstrip(", "), " ".join((tip, *seeds))


def _common_words(compared: Comparison, noun: str) -> str:
    apart = len(compared.only_a) + len(compared.only_b) + len(compared.unscored)
    every = compared.n_common + apart
    return f"common {words.count(compared.n_common)} of {words.count(every)} {noun}s" if apart else ""


def _part_name(name: str, by: str) -> str:
    if by == "app":
        return words.app_name(name) or "unknown"
    return (name.replace("_", " ") or ("feasible" if by == "reason" else "unknown")).capitalize()


def _searched(row: LeaderboardRow) -> str:
    labels = [member.run.labels for member in row.members]
    said = [
        *(one.name for one in labels),
        *(tag for one in labels for tag in one.tags),
        *(one.remark for one in labels),
    ]
    return " ".join((name_of_row(row), row.entry.run.spec.model, *row.settings, *said)).casefold()


def _heading(seen: SeenGroup, *, is_open: bool, names_metric: bool) -> BoardHeading:
    group, noun = seen.group, noun_of(seen.rows[0].entry.run)
    finished = [row.numbers.metrics for row in group.rows if row.ranked and row.numbers is not None]
    unscored = max((one.unscored for one in finished), default=0)
    detail = words.counted(group.items, noun) if finished else ""
    if finished:
        detail += ", all scored" if not unscored else f", {words.count(unscored)} unscored"
    if names_metric and group.main:
        detail = " · ".join(filter(None, (metric_title(group.main), detail)))
    apart = group.common != group.items
    return BoardHeading(
        group_key(group),
        seen.title,
        seen.rule,
        detail if group.info is not None else "This rule is not known here",
        f"common {words.count(group.common)} of {words.count(group.items)}" if apart else "",
        seen.remark,
        is_open,
        f"{group.source}\n{group.scoring.words}, version {group.version}",
    )


def _row(
    seen: SeenGroup,
    row: LeaderboardRow,
    names: Sequence[str],
    choices: BoardChoices,
    letters: RunLetters,
    new: Collection[str],
    doubts: Mapping[str, str],
) -> BoardRow:
    run, group, main = row.entry.run, seen.group, seen.group.main
    below = seen.below_rules_of(row)
    doubt = next((doubts[member.run.id] for member in row.members if member.run.id in doubts), "")
    badges = [(BELOW_RULES, "warn")] if below else []
    badges += [(MAY_BE_MISREAD, "warn")] if doubt else []
    badges += [(f"{len(row.members)} seeds, SD {_sd(row, main)}", "neutral")] if row.spread else []
    badges += [("new", "accent")] if any(member.run.id in new for member in row.members) else []
    value, grey = row.value(main), not row.ranked
    few = row.numbers is not None and 0 < row.numbers.metrics.n < FEW
    missing = "" if value is not None else _why_none(row, group, main)
    told = row if row.settings else replace(row, settings=made_with(run))  # where nothing tells it apart
    about = seen.about(told, seeds=False)
    every = [f"{column_title(name)} {cell_text(row, name)}" for name in (*group.metrics, *EXTRA_COLUMNS)]
    return BoardRow(
        row.key,
        name_of_row(row),
        run.labels.name,
        about,
        next((letters[member.run.id] for member in row.members if member.run.id in letters), None),
        run.labels.pinned,
        row.key in choices.ticked,
        tuple(badges),
        BoardCell(words.score(value) if value is not None else "…" if row.numbers is None else words.NONE, tip=missing),
        BoardCell("few" if few and not row.spread else interval_text(row, main)),
        value,
        None if few else row.interval(main),
        row.values_of_seeds(main),
        tuple(_cell(row, group, name) for name in names),
        grey,
        "\n".join(filter(None, (name_of_row(row), about, below, doubt, f"{group_title(group)}, {seen.rule}", *every))),
    )


def _cell(row: LeaderboardRow, group: LeaderboardGroup, name: str) -> BoardCell:
    value = row.value(name)
    if value is None:
        return BoardCell("…" if row.numbers is None else words.NONE, tip=_why_none(row, group, name))
    if name == ENDED and row.entry.ended is not None:
        return BoardCell(when_words(row.entry.ended), tip=cell_text(row, ENDED))
    return BoardCell(cell_text(row, name), warn=name == MALFORMED and value >= MUCH_MALFORMED)


def _why_none(row: LeaderboardRow, group: LeaderboardGroup, name: str) -> str:
    if row.numbers is None:
        return "Is being worked out"
    if row.numbers.why:
        return row.numbers.why
    if name == SEED_SD:
        return "One seed alone has no deviation"
    if name in EXTRA_COLUMNS:
        return "Nothing says so"
    return why_none(name, row.numbers.metrics) if name in group.metrics else "This rule has no such metric"


def _sd(row: LeaderboardRow, main: str) -> str:
    over = dict(row.spread).get(main)
    return words.score(over.deviation if over is not None else None)


def _scale(rows: Sequence[LeaderboardRow]) -> tuple[tuple[float, float], tuple[float, ...]]:
    """Ends of the plot's scale and round numbers on it."""
    ends = [
        end
        for row in rows
        for end in (row.value(MAIN), *(row.interval(MAIN) or ()), *row.values_of_seeds(MAIN))
        if end is not None
    ]
    if not ends:
        return (0.0, 1.0), (0.0, 0.5, 1.0)
    low, high = min(ends), max(ends)
    pad = (high - low) * 0.08 or 0.05
    span = low - pad, high + pad
    width = span[1] - span[0]
    step = next(step for step in (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1, 2, 5, 10, 50, 1e9) if width / step <= 3.5)
    first = int(span[0] // step) + 1
    return span, tuple(round(n * step, 6) for n in range(first, first + 5) if n * step <= span[1])
