"""What became of asking as tables, for the command line and files: the four settings with what the paper has, the cost
of asking, the sweep over what is removed, the lists and an episode's lanes."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from stepscope.core.domain.action import Action
from stepscope.core.evaluation.ask_cost import AskCost, CostPoint
from stepscope.core.evaluation.ask_lanes import AskEpisodeRow, AskLanes, LaneStep, StreamCell, by_outcome
from stepscope.core.evaluation.ask_removed import RemovedRow
from stepscope.core.evaluation.ask_settings import ASKS, SUCCESSES, AskSettingRow, FourSettings
from stepscope.core.evaluation.latex import latex_words
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.ask_streams import AskSetting
from stepscope.core.scoring.bootstrap import Interval
from stepscope.core.scoring.published_numbers import PublishedNumber, of_protocol
from stepscope.core.sources.procedures import action_words
from stepscope.core.spreadsheet import write_rows

SETTING_WORDS: Mapping[AskSetting, str] = {
    AskSetting.ORIGINAL: "original task",
    AskSetting.INCOMPLETE: "incomplete task",
    AskSetting.ASK: "+ ASK",
    AskSetting.DUAL: "+ Dual Eval",
}
"""As the paper calls them."""
NAVI = "Navi-plus, table 1"
FOLLOWS = "Recovery, and relative to the original task, follow from the printed numbers."

Cell = str | int | float | Interval | None


@dataclass(frozen=True, slots=True)
class AskTable:
    """`numbers` are the columns that are set to the right. `note` is for a reader."""

    key: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    numbers: frozenset[str] = field(default_factory=frozenset)
    note: str = ""


_SUCCESS = ("setting", "SSR", "95 %", "SR", "before", "after", "drop", "recovery", "of original")
_ASKING = ("setting", "precision", "FPR", "F1", "CosSim", "Meteor", "asks a task", "SSR an ask")
_TIMING = ("ask_precision", "ask_fpr", "ask_f1", "cos_sim", "meteor")


def settings_tables(name: str, found: FourSettings) -> tuple[AskTable, AskTable]:
    """The four settings of a run: how it succeeds, and how it asks where it may."""
    parts = [f"{found.episodes:,} episodes, {found.steps:,} steps, {found.without_question:,} without a question"]
    if found.left_out:
        parts.append(f"{found.left_out:,} left out, whose whole goal is not known")
    if found.unanswered:
        parts.append(f"at {found.unanswered:,} steps the run does not say what it does with the answer")
    if any(row.recovery is not None and row.recovery > 1 for row in found.rows):
        parts.append("the due step is right by asking where the agent may ask, so that recovery can be above 1")
    whys = dict.fromkeys(row.why for row in found.rows if row.why)
    note = f"{'; '.join(parts)}. {' '.join(whys)}".strip()
    success = tuple(_success_row(row) for row in found.rows)
    asking = tuple(
        (SETTING_WORDS[row.setting], *(row.value(name) for name in _TIMING), row.value(ASKS), row.gained)
        for row in found.rows
    )
    return (
        _table("settings", f"Four settings: {name}", _SUCCESS, success, note),
        _table("asking", f"Asking: {name}", _ASKING, asking),
    )


def _success_row(row: AskSettingRow) -> tuple[Cell, ...]:
    return (
        SETTING_WORDS[row.setting], row.ssr, row.intervals.get("ssr"), *(row.value(name) for name in SUCCESSES[1:]),
        row.drop, row.recovery, row.relative.get("ssr") if row.setting is not AskSetting.ORIGINAL else None,
    )  # fmt: skip


def published_tables() -> tuple[AskTable, ...]:
    """The paper's four settings, two tables for each of its models."""
    models = dict.fromkeys(number.model for number in _table_one())
    return tuple(one for model in models for one in _published(model))


def published_value(model: str, setting: AskSetting, metric: str) -> float | None:
    """What the paper has for one of its models."""
    for number in _table_one():
        if (number.model, number.metric) == (model, metric) and published_setting(number) is setting:
            return number.value
    return None


def published_setting(number: PublishedNumber) -> AskSetting:
    """The setting that a number of the paper's table 1 is of."""
    if "dual" in number.options:
        return AskSetting.DUAL if number.options["dual"] == "on" else AskSetting.ASK
    return AskSetting.ORIGINAL if "original task" in number.data else AskSetting.INCOMPLETE


def _table_one() -> list[PublishedNumber]:
    return [number for number in of_protocol("ask") if number.source == NAVI]


def _published(model: str) -> tuple[AskTable, AskTable]:
    def value(setting: AskSetting, metric: str = "ssr") -> float | None:
        return published_value(model, setting, metric)

    first, told = value(AskSetting.ORIGINAL), value(AskSetting.INCOMPLETE)
    rows: list[tuple[Cell, ...]] = []
    asking: list[tuple[Cell, ...]] = []
    for setting in AskSetting:
        ssr = value(setting)
        drop = relative = recovery = None
        if setting is not AskSetting.ORIGINAL and first and ssr is not None:
            drop, relative = first - ssr, ssr / first
        if setting in (AskSetting.ASK, AskSetting.DUAL) and first and told is not None and ssr is not None:
            recovery = (ssr - told) / (first - told)
        successes = (value(setting, name) for name in SUCCESSES[1:])
        rows.append((SETTING_WORDS[setting], ssr, None, *successes, drop, recovery, relative))
        timing = (value(setting, name) for name in _TIMING)
        if setting in (AskSetting.ASK, AskSetting.DUAL):
            asking.append((SETTING_WORDS[setting], *timing, None, None))
    title = f"{model} ({NAVI}, AndroidControl)"
    return (
        _table("published", f"Published: {title}", _SUCCESS, tuple(rows), FOLLOWS),
        _table("published", f"Published, asking: {title}", _ASKING, tuple(asking)),
    )


_COST = ("", "asks above", "SSR", "95 %", "SR", "asks a task", "SSR an ask", "precision", "recall", "F1")


def cost_table(name: str, cost: AskCost) -> AskTable:
    """The curve over the threshold with the run's own point and the best one, then other runs on the same items."""
    rows = [_cost_row(_mark(cost, place), one) for place, one in enumerate(cost.points)]
    if cost.own_place is None:
        rows.append(_cost_row("as it asked", cost.own))
    rows += [_cost_row(one.name + ("" if one.same_items else " (other items)"), one) for one in cost.others]
    told = [] if cost.whole is None else [f"Whole goal: SSR {cost.whole:.4f}."]
    told += [] if cost.incomplete is None else [f"Without asking: {cost.incomplete:.4f}."]
    return _table("cost", f"Cost of asking: {name}", _COST, tuple(rows), " ".join([*told, cost.why]).strip())


def _mark(cost: AskCost, place: int) -> str:
    marks = ["never"] if cost.points[place].threshold is None else []
    marks += ["as it asked"] if place == cost.own_place else []
    marks += ["best"] if place == cost.best else []
    return ", ".join(marks)


def _cost_row(mark: str, one: CostPoint) -> tuple[Cell, ...]:
    return (
        mark, one.threshold, one.ssr, one.interval, one.sr, one.asks, one.gained, one.precision, one.recall, one.f1,
    )  # fmt: skip


_REMOVED = ("removed", "episodes", "SSR", "95 %", "change", "SR", "change of SR", "SSR + ASK", "SSR + Dual Eval")


def removed_table(name: str, rows: Sequence[RemovedRow]) -> AskTable:
    """The sweep of Navi-plus, table 2."""
    found = tuple(
        (
            row.removed, row.episodes, row.counted.ssr, row.counted.intervals.get("ssr"), row.change("ssr"),
            row.counted.value("sr"), row.change("sr"),
            *(row.settings.row(one).ssr if row.removed else None for one in (AskSetting.ASK, AskSetting.DUAL)),
        )
        for row in rows
    )  # fmt: skip
    note = "0: the original task of all episodes. Changes are against the same episodes' original task."
    return _table("removed", f"By what is removed: {name}", _REMOVED, found, note)


def published_removed_tables() -> tuple[AskTable, ...]:
    """Table 2 as published, a table for each of its data sets."""
    found = []
    for title, by_removed in REMOVED_DATA.items():
        rows: list[tuple[Cell, ...]] = []
        models = dict.fromkeys(one.model for one in of_protocol("ask") if one.data in by_removed)
        for model in models:
            firsts = {name: _of(model, by_removed[0], name) for name in ("ssr", "sr")}
            for removed, data in enumerate(by_removed):
                ssr, sr = (_of(model, data, name) for name in ("ssr", "sr"))
                if ssr is not None:
                    changes = (_change(value, firsts[name], removed) for name, value in (("ssr", ssr), ("sr", sr)))
                    change, of_sr = changes
                    rows.append((model, removed, ssr, change, sr, of_sr))
        columns = ("model", "removed", "SSR", "change", "SR", "change of SR")
        found.append(_table("published", f"Published: Navi-plus, table 2, {title}", columns, tuple(rows)))
    return tuple(found)


REMOVED_DATA: Mapping[str, tuple[str, ...]] = {
    "AndroidControl": (
        "AndroidControl-Naviplus, original task, no ASK",
        "AndroidControl-Naviplus, incomplete task, no ASK",
        "AndroidControl-Naviplus, two steps' information removed, no ASK",
    ),
    "Mind2Web": ("Mind2Web-Naviplus, original task, no ASK", "Mind2Web-Naviplus, incomplete task, no ASK"),
}
"""The published data by how many steps' information is removed."""


def _of(model: str, data: str, metric: str) -> float | None:
    found = (one.value for one in of_protocol("ask") if (one.model, one.data, one.metric) == (model, data, metric))
    return next(found, None)


def _change(value: float | None, first: float | None, removed: int) -> float | None:
    return None if not removed or value is None or not first else value / first - 1


def lists_table(name: str, rows: Sequence[AskEpisodeRow]) -> AskTable:
    """How many episodes each outcome has, with what the answer rescued and what was asked in vain."""
    found = tuple(
        (outcome.value, len(mine), sum(len(one.asked) for one in mine), sum(len(one.rescued) for one in mine),
         sum(len(one.needless) for one in mine))
        for outcome, mine in by_outcome(rows).items()
    )  # fmt: skip
    return _table("outcomes", f"Asks: {name}", ("", "episodes", "asks", "steps rescued", "needless asks"), found)


_LANES = ("step", "reference", "whole goal", "goal alone", "goal and answer", "counts", "")


def lanes_tables(lanes: AskLanes) -> tuple[AskTable, ...]:
    """An episode step by step, and its questions beside the reference's."""
    rows = tuple(_lane_row(step) for step in lanes.steps)
    note = f"Goal: “{lanes.goal}”." + (f" Whole goal: “{lanes.whole_goal}”." if lanes.whole_goal else "")
    questions = tuple(
        (one.ask.step, one.kind, one.ask.question or None, one.step, one.asked, one.ask.answer or None,
         one.likeness.get("cos_sim"), one.likeness.get("meteor"))
        for one in lanes.questions
    )  # fmt: skip
    columns = ("due", "missing", "reference question", "asked at", "question", "answer", "CosSim", "Meteor")
    return (
        _table("lanes", f"{lanes.episode}: {lanes.outcome.value}", _LANES, rows, note),
        _table("questions", "Questions", columns, questions, " ".join(lanes.doubts)),
    )


def _lane_row(step: LaneStep) -> tuple[Cell, ...]:
    remarks = ["ask due"] if step.due is not None else []
    if step.offset is not None and step.offset:
        when = "late" if step.offset > 0 else "early"
        remarks.append(f"asked {abs(step.offset)} step{'s' if abs(step.offset) > 1 else ''} {when}")
    remarks += ["rescued"] if step.rescued else []
    remarks += ["needless ask"] if step.needless else []
    remarks += [step.error] if step.error else []
    streams = (_cell_words(one) for one in (step.whole, step.first, step.second))
    return (
        step.index, None if step.reference is None else action_words(step.reference), *streams,
        {True: "right", False: "wrong", None: None}[step.right], ", ".join(remarks) or None,
    )  # fmt: skip


def _cell_words(cell: StreamCell | None) -> str | None:
    if cell is None:
        return None
    verdict = {True: "right: ", False: "wrong: ", None: ""}[cell.right]
    return f"asks: {cell.question}" if cell.question is not None else f"{verdict}{_action(cell.action)}"


def _action(action: Action | None) -> str:
    return "no action" if action is None else action_words(action)


def _table(
    key: str, title: str, columns: tuple[str, ...], rows: tuple[tuple[Cell, ...], ...], note: str = ""
) -> AskTable:
    """The columns that hold a number somewhere, and no words, are set to the right."""
    numbers = frozenset(
        name
        for place, name in enumerate(columns)
        if not any(isinstance(row[place], str) for row in rows) and any(row[place] is not None for row in rows)
    )
    return AskTable(key, title, columns, rows, numbers, note)


def shown(value: Cell) -> str | int | float | None:
    """A cell as a reader sees it: an interval as one text, a number with as many digits as it says something by."""
    return f"{value[0]:.3f} – {value[1]:.3f}" if isinstance(value, tuple) else value


def as_csv(tables: Sequence[AskTable]) -> str:
    """All tables below one another, each with its title in the first column."""
    stream = io.StringIO(newline="")
    for one in tables:
        write_rows(stream, [["table", *one.columns], *([one.title, *map(shown, row)] for row in one.rows)])
    return stream.getvalue()


def as_latex(tables: Sequence[AskTable]) -> str:
    """A table environment for each (package booktabs)."""
    return "\n".join(map(_latex, tables))


def _latex(one: AskTable) -> str:
    def line(cells: Sequence[Cell], words: Callable[[Cell], str]) -> str:
        return rf"    {' & '.join(map(words, cells))} \\"

    shape = "".join("r" if name in one.numbers else "l" for name in one.columns)
    body = "\n".join(line(row, _latex_cell) for row in one.rows)
    head = line(one.columns, _latex_cell)
    return "\n".join(
        [
            r"\begin{table}",
            r"  \centering",
            rf"  \caption{{{latex_words(f'{one.title}. {one.note}'.strip())}}}",
            rf"  \begin{{tabular}}{{{shape}}}",
            r"    \toprule",
            head,
            r"    \midrule",
            body,
            r"    \bottomrule",
            r"  \end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def _latex_cell(value: Cell) -> str:
    if value is None:
        return "--"
    if isinstance(value, float):
        return f"${value:.3f}$"
    return latex_words(str(shown(value)))
