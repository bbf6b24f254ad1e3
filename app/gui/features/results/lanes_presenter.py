"""A run of asking in the values of its page: tasks, lanes, settings, the cost of asking."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from stepscope.app.gui.features.results.lanes_talk_presenter import talk_of
from stepscope.app.gui.shell.step_words import element_words
from stepscope.app.services.ask_results import AskNumbers, AskRunData, TaskLanes, by_kind, listed
from stepscope.app.services.ask_tables import NAVI, published_value
from stepscope.app.services.ask_words import removed_words
from stepscope.core.domain.action import Action
from stepscope.core.domain.episode import Step
from stepscope.core.evaluation.ask_cost import AskCost
from stepscope.core.evaluation.ask_cost import CostPoint as MeasuredPoint
from stepscope.core.evaluation.ask_lanes import AskEpisodeRow, AskLanes, AskOutcome, LaneStep, StreamCell
from stepscope.core.evaluation.ask_settings import AskSettingRow
from stepscope.core.scoring.ask_streams import AskSetting
from stepscope.core.scoring.published_numbers import of_protocol
from stepscope.widgets import format as words
from stepscope.widgets.common.action_words import action_words
from stepscope.widgets.common.verdict import ShownVerdict
from stepscope.widgets.results.lanes.lane_values import (
    ALONE,
    ANSWERED,
    DUE,
    WHOLE,
    AskCostPoint,
    AskingCost,
    CostMark,
    FilmDot,
    GoalPiece,
    LanesBar,
    LanesColumn,
    LanesGroup,
    LanesLine,
    LanesSetting,
    LanesSquare,
    LanesState,
    LanesTaskRow,
    SettingsTable,
)
from stepscope.widgets.results.order_values import OrderLine, OrderSheet

GROUPS = {
    AskOutcome.WHEN_DUE: LanesGroup.WHEN_DUE,
    AskOutcome.NOT_WHEN_DUE: LanesGroup.NOT_WHEN_DUE,
    AskOutcome.MISSED: LanesGroup.MISSED,
    AskOutcome.NOT_NEEDED: LanesGroup.NOT_NEEDED,
}
TITLES = {
    AskSetting.ORIGINAL: ("Original", "whole goal"),
    AskSetting.INCOMPLETE: ("Incomplete", "words removed, asking off"),
    AskSetting.ASK: ("+ ASK", "may ask, one stream"),
    AskSetting.DUAL: ("+ dual stream", "after the ask, both goals"),
}
TIMING = {"ask_f1": "F1", "ask_precision": "precision", "ask_recall": "recall"}
SAME = LanesSquare("same", is_faint=True)
NOTHING = LanesSquare(words.NONE, is_faint=True)
KIND_HEADS = (
    ("Missing value", True), ("Due", False), ("Asked when due", False), ("Missed", False), ("Nobody needed it", False),
    ("Steps rescued", False),
)  # fmt: skip
ABOVE_HIGHEST = 0.02
"""Of the scores' range: where the slider ends, above the highest score, nothing asks."""

Kinds = Mapping[str, Mapping[int, str]]


# Tasks ----------------------------------------------------------------------------------------------------------------


def task_rows(data: AskRunData, numbers: AskNumbers, kinds: Kinds) -> list[LanesTaskRow]:
    """The tasks that are about asking, in the run's order."""
    acts = data.asked.acts
    return [_task_row(row, data, kinds, acts=acts) for row in listed(numbers.rows)]


def _task_row(row: AskEpisodeRow, data: AskRunData, kinds: Kinds, *, acts: bool) -> LanesTaskRow:
    of = kinds.get(row.name, {})
    kind = next((of[step] for step in row.due if step in of), "")
    return LanesTaskRow(
        row.name,
        data.goals.get(row.name) or row.name,
        data.apps.get(row.name, ""),
        GROUPS.get(row.outcome),
        kind,
        len(row.rescued) if acts else None,
        _film(row, acts=acts),
    )


def _film(row: AskEpisodeRow, *, acts: bool) -> tuple[str, str]:
    asked = set(row.asked)
    letters = {True: FilmDot.HIT, False: FilmDot.MISS, None: FilmDot.UNSCORED}
    alone = "".join(
        FilmDot.ASK if step in asked else letters[right if acts else None]
        for step, right in zip(row.steps, row.without, strict=True)
    )
    answered = "".join(letters[right] for right in row.with_ask) if acts else ""
    return alone, answered


def said_of(data: AskRunData, numbers: AskNumbers) -> str:
    """What is left out, in words; "" where nothing is."""
    quiet = sum(row.outcome is AskOutcome.QUIET for row in numbers.rows)
    left = numbers.settings.left_out
    parts = []
    if quiet:
        one = quiet == 1
        leaves, counts = ("leaves", "counts") if one else ("leave", "count")
        listed_ = "is not listed; it" if one else "are not listed; they"
        parts.append(f"{words.counted(quiet, 'task')} that {leaves} nothing out {listed_} {counts} in the settings.")
    if left:
        parts.append(
            f"{words.counted(left, 'task')} without a whole goal in the data "
            f"{'is' if left == 1 else 'are'} left out of the settings."
        )
    if not data.asked.acts:
        parts.append("This agent only asks, so the lanes have no streams, and nothing can be right or wrong.")
    return " ".join(parts)


def kind_sheet(numbers: AskNumbers, kinds: Kinds, *, acts: bool) -> OrderSheet:
    """Counts by kind of missing value, with a row of all."""
    counts = by_kind(numbers.rows, kinds)
    lines = []
    for one in counts:
        cells = (one.due, one.when_due, one.missed, one.needless, one.rescued if acts else None)
        lines.append(_kind_line(one.kind, cells))
    if len(counts) > 1:
        whole = [
            sum(getattr(one, name) for one in counts) for name in ("due", "when_due", "missed", "needless", "rescued")
        ]
        lines.append(_kind_line("All", (*whole[:4], whole[4] if acts else None)))
    note = "" if counts else "No question is due, and none was asked."
    return OrderSheet("kinds", "By missing value", KIND_HEADS, tuple(lines), note)


def _kind_line(name: str, cells: Sequence[int | None]) -> OrderLine:
    return OrderLine((name, *map(words.count, cells)), (name, *(None if one is None else float(one) for one in cells)))


# Settings -------------------------------------------------------------------------------------------------------------


def settings_table(
    data: AskRunData, numbers: AskNumbers, cost: AskCost | None, letters: Mapping[str, int]
) -> SettingsTable:
    """The four settings, and other ways to decide when to ask below them; `letters` are those of runs by their ids."""
    letter = letters.get(data.run.id)
    settings, chosen = numbers.settings, numbers.switches.setting
    published = published_ssr()
    rows = [_setting_line(row, row.setting is chosen, published, letter) for row in settings.rows]
    whole = settings.row(AskSetting.ORIGINAL).ssr
    part = settings.row(AskSetting.INCOMPLETE).ssr
    others = () if cost is None else cost.others
    for one in others:
        its = letters.get(data.runs[one.name]) if one.name in data.runs else letter
        rows.append(_other_line(one, data, whole, part, its))
    row = settings.row(chosen)
    timing = [(title, words.score(row.value(name))) for name, title in TIMING.items() if row.values]
    tasks, steps = words.counted(settings.episodes, "task"), words.counted(settings.steps, "step")
    asks_only = "" if data.asked.acts else row.why
    same_actor = "with the same actor, " if data.ways else ""
    return SettingsTable(
        tuple(rows),
        f"{tasks}, {steps}, one stored run",
        f"Other ways to decide when, {same_actor}{'dual stream' if numbers.switches.dual else 'one stream'}",
        tuple(timing),
        "bars: 95 %, by task",
        _published_words(),
        asks_only,
    )


def _setting_line(
    row: AskSettingRow, is_chosen: bool, published: Mapping[AskSetting, str], letter: int | None
) -> LanesSetting:
    title, note = TITLES[row.setting]
    return LanesSetting(
        row.setting.value,
        title,
        note,
        row.ssr,
        row.intervals.get("ssr"),
        row.value("sr"),
        None if row.drop is None else -row.drop,
        row.recovery,
        row.asks,
        published.get(row.setting, ""),
        row.why,
        is_chosen=is_chosen,
        run=letter,
    )


def _other_line(
    one: MeasuredPoint, data: AskRunData, whole: float | None, part: float | None, letter: int | None
) -> LanesSetting:
    """Drop and recovery are against the run that is shown."""
    drop = None if whole is None or one.ssr is None else one.ssr - whole
    lost = None if whole is None or part is None else whole - part
    back = None if one.ssr is None or part is None or not lost or lost <= 0 else (one.ssr - part) / lost
    note = "" if one.same_items else "other steps"
    why = "" if one.name in data.ways else "Another run on the same data."
    return LanesSetting(
        one.name, one.name, note, one.ssr, one.interval, one.sr, drop, back, one.asks, "", why, True, False, letter
    )


def published_ssr() -> dict[AskSetting, str]:
    """The paper's SSR by setting, both of its models in its order: "0.676 | 0.554"."""
    models = _published_models()
    return {
        setting: " | ".join(words.score(published_value(model, setting, "ssr")) for model in models)
        for setting in AskSetting
    }


def _published_models() -> list[str]:
    return list(dict.fromkeys(one.model for one in of_protocol("ask") if one.source == NAVI))


def _published_words() -> str:
    return (
        f"Published: {' | '.join(_published_models())}, AndroidControl (Navi-plus, table 1); this run is on other data."
    )


# Cost -----------------------------------------------------------------------------------------------------------------


def asking_cost(data: AskRunData, cost: AskCost, threshold: float | None, letter: int | None) -> AskingCost:
    """The curve with the point of the threshold; None: as the run itself decided."""
    points = tuple(
        AskCostPoint(math.inf if one.threshold is None else one.threshold, one.asks, one.ssr, one.interval)
        for one in cost.points
        if one.ssr is not None
    )
    marks = [CostMark(_short(one.name, data), one.asks, one.ssr) for one in cost.others if one.ssr is not None]
    own = math.inf if cost.own.threshold is None else cost.own.threshold
    if points and cost.own_place is None and cost.own.ssr is not None:
        marks.append(CostMark("as it asked", cost.own.asks, cost.own.ssr))
    at = (own if threshold is None else threshold) if points else None
    finite = [one.threshold for one in points if math.isfinite(one.threshold)]
    low, high = min(finite, default=0.0), max(finite, default=1.0)
    shown = AskingCost(
        points,
        tuple(marks),
        cost.whole,
        at,
        letter,
        "",
        cost.why,
        (low, high + max(ABOVE_HIGHEST * (high - low), 1e-6)),
        own if points else None,
    )
    return AskingCost(
        shown.points, shown.marks, shown.whole, shown.threshold, letter, _gain_words(shown), shown.why, shown.ends,
        shown.own,
    )  # fmt: skip


def _short(name: str, data: AskRunData) -> str:
    return {"never": "never", "step_0": "at step 0", "always": "always", "oracle": "oracle"}.get(
        data.ways.get(name, ""), name
    )


def _gain_words(cost: AskingCost) -> str:
    """What an ask brought so far, and what the next ones bring."""
    at = cost.point()
    if at is None:
        return ""
    never = next((one for one in cost.points if one.asks == 0), None)
    later = next((one for one in cost.points if one.asks > at.asks), None)
    parts = []
    if never is not None and at.asks > 0:
        parts.append(f"{words.signed((at.ssr - never.ssr) / at.asks)} an ask so far")
    if later is not None:
        parts.append(f"{words.signed((later.ssr - at.ssr) / (later.asks - at.asks))} an ask after it")
    return ", ".join(parts)


# Lanes ----------------------------------------------------------------------------------------------------------------


def lanes_state(task: TaskLanes, numbers: AskNumbers, name: str, letter: int | None, *, acts: bool) -> LanesState:
    """A task in lanes; `name` is the run's, `acts` whether its agent does anything but ask."""
    lanes = task.lanes
    steps = {step.index: step for step in task.episode.steps}
    shown = [(steps[one.index], one) for one in lanes.steps if one.index in steps]
    said = {one.key.step: one.prediction.raw for one in task.outcomes}
    columns = tuple(_column(step, lane) for step, lane in shown)
    lines = tuple(_lines(shown, lanes, acts=acts))
    return LanesState(
        lanes.episode,
        tuple(GoalPiece(piece, gone) for piece, gone in removed_words(lanes.whole_goal, lanes.goal)),
        columns,
        lines,
        tuple(_bars(lanes, [lane.index for _step, lane in shown])) if acts else (),
        talk_of(task, numbers, name),
        letter,
        _note(lanes, acts=acts),
        _reference_note(lanes),
        tuple(said.get(lane.index) or "" for _step, lane in shown),
        tuple(_spoken(place, columns, lines) for place in range(len(columns))),
        _start(lanes),
    )


def _column(step: Step, lane: LaneStep) -> LanesColumn:
    said = action_words(lane.reference, element=_plain(element_words(step, lane.reference)))
    if lane.reference is None and lane.due is not None:
        return LanesColumn(lane.index, "ask", "Ask", "due", is_due=True)
    return LanesColumn(lane.index, said.icon, said.word, said.detail)


def _lines(shown: Sequence[tuple[Step, LaneStep]], lanes: AskLanes, *, acts: bool) -> Iterator[LanesLine]:
    if acts:
        told = any(lane.whole is not None for _step, lane in shown)
        whole = [_square(step, lane.whole) if told else NOTHING for step, lane in shown]
        note = "nothing removed" if told else "not told to it" if lanes.whole_goal else "not in the data"
        yield LanesLine(WHOLE, "Whole goal", note, tuple(whole))
    due = [LanesSquare("due", ask="due", tip=lane.due.question) if lane.due is not None else LanesSquare()
           for _step, lane in shown]  # fmt: skip
    yield LanesLine(DUE, "Due", "by the removed words", tuple(due))
    alone = [_square(step, lane.first) if acts or _asks(lane.first) else LanesSquare() for step, lane in shown]
    yield LanesLine(ALONE, "Goal alone", "stream 1" if acts else "when it asks", tuple(alone))
    if acts:
        answered = [_answered(step, lane) for step, lane in shown]
        again = [lane.index + 1 for _step, lane in shown if lane.second is not None]
        yield LanesLine(ANSWERED, "Goal and answer", _ran_again(again), tuple(answered))


def _asks(cell: StreamCell | None) -> bool:
    return cell is not None and cell.question is not None


def _ran_again(again: Sequence[int]) -> str:
    if not again:
        return "stream 2, did not run"
    gaps = any(later != earlier + 1 for earlier, later in pairwise(again))
    between = str(again[0]) if len(again) == 1 else f"{again[0]} to {again[-1]}"
    return f"stream 2, ran {'some of ' if gaps else ''}{between} again"


def _square(step: Step, cell: StreamCell | None) -> LanesSquare:
    if cell is None:
        return NOTHING
    if cell.question is not None:
        return LanesSquare("asks", ask="asks", tip=cell.question or "Asks at this threshold; its words are not known.")
    if cell.action is None:
        return LanesSquare("no action", _verdict(cell.right), is_faint=True)
    said = _said(step, cell.action)
    return LanesSquare(said, _verdict(cell.right), tip=action_words(cell.action).exact)


def _answered(step: Step, lane: LaneStep) -> LanesSquare:
    if lane.second is None:
        return SAME
    square = _square(step, lane.second)
    return LanesSquare(square.words, square.verdict, square.ask, lane.rescued, square.tip, square.is_faint)


def _said(step: Step, action: Action) -> str:
    said = action_words(action, element=_plain(element_words(step, action)))
    return f"{said.word} {said.detail}".strip()


def _plain(element: str) -> str:
    """`#id “text”` as its text, where it has one: lanes are narrow."""
    _name, quoted, rest = element.partition(" “")
    return rest.removesuffix("”") if quoted else element


def _verdict(right: bool | None) -> ShownVerdict:
    return ShownVerdict.UNSCORED if right is None else ShownVerdict.HIT if right else ShownVerdict.MISS


def _bars(lanes: AskLanes, indices: Sequence[int]) -> Iterator[LanesBar]:
    """Steps that were rescued, next to each other as one bar; and by how much an ask was late or early, where it has
    room beside them, else in the first bar's words."""
    rescued = [place for place, index in enumerate(indices) if index in lanes.rescued]
    timing = list(_timing(lanes, indices))
    beside = [bar for bar in timing if not set(range(bar.first, bar.last + 1)) & set(rescued)]
    inside = [bar.words for bar in timing if bar not in beside]
    yield from beside
    start = 0
    for place, column in enumerate(rescued):
        if place + 1 == len(rescued) or rescued[place + 1] != column + 1:
            found = words.counted(place + 1 - start, "step") + " rescued"
            if inside:
                found, inside = ", ".join((found, *inside)), []
            yield LanesBar(rescued[start], column, found, True)
            start = place + 1


def _timing(lanes: AskLanes, indices: Sequence[int]) -> Iterator[LanesBar]:
    for one in lanes.questions:
        offset, due = one.offset, one.ask.step
        if not offset or one.step is None or due not in indices or one.step not in indices:
            continue
        late = offset > 0
        found = f"{words.counted(abs(offset), 'step')} {'late' if late else 'early'}"
        first, last = sorted((indices.index(due), indices.index(one.step)))
        yield LanesBar(first, max(first, last - 1), found, False)


def _note(lanes: AskLanes, *, acts: bool) -> str:
    if not acts:
        return "This agent only asks"
    if any(step.second is not None for step in lanes.steps):
        return "Goal alone and goal with answer; only the steps after the ask ran again"
    return "Nothing ran again: nobody was asked"


def _reference_note(lanes: AskLanes) -> str:
    dues = sum(step.due is not None for step in lanes.steps)
    return f"{words.counted(len(lanes.steps), 'step')}, {words.counted(dues, 'ask') if dues else 'no ask'}"


def _start(lanes: AskLanes) -> int:
    """The column of the first ask, else of the first question that is due."""
    asks = [place for place, step in enumerate(lanes.steps) if _asks(step.first)]
    dues = [place for place, step in enumerate(lanes.steps) if step.due is not None]
    return next(iter((*asks, *dues)), 0)


def _spoken(place: int, columns: Sequence[LanesColumn], lines: Sequence[LanesLine]) -> str:
    """A step for screen readers: "Step 3 of 7. Reference Tap 4. Goal alone asks. Goal and answer Tap 4, hit"."""
    column = columns[place]
    parts = [f"Step {column.step + 1} of {len(columns)}", f"Reference {column.word} {column.detail}".strip()]
    for line in lines:
        square = line.squares[place]
        if square.words and line.key != DUE:
            verdict = {ShownVerdict.HIT: "hit", ShownVerdict.MISS: "miss"}.get(square.verdict, "")  # type: ignore[arg-type]
            rescued = "rescued" if square.is_rescued else ""
            parts.append(", ".join(filter(None, (f"{line.title} {square.words}", verdict, rescued))))
        elif square.words:
            parts.append("A question is due")
    return ". ".join(parts)
