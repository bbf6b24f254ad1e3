"""Where a run went wrong, as the cards of the results and the lists behind them show it, worked out from its columns.

Apart from `presenter`, which the list of runs needs from the start: this is not loaded before the workspace is wanted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from stepscope.app.gui.shell.run_words import noun_of
from stepscope.app.gui.shell.step_words import verdict_of
from stepscope.core.domain.annotation import AnnotationKind
from stepscope.core.domain.prediction import AskAnswer, FeasibilityAnswer, GoalAnswer, Task
from stepscope.core.domain.run import Run
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.widgets import format as words
from stepscope.widgets.common import ShownVerdict
from stepscope.widgets.results.breakdown_pages import Breakdown
from stepscope.widgets.scores.breakdown_values import (
    Bar,
    CalibrationBin,
    CalibrationDiagram,
    ConfusionCell,
    ConfusionTable,
    CurveDetails,
    CurveLine,
    CurvePoint,
    ItemPairRow,
    PairCell,
    PairCounts,
    SelectionListRow,
    StepBar,
    StepShares,
)

if TYPE_CHECKING:
    from stepscope.core.domain.episode import EpisodeSummary
    from stepscope.core.domain.run import Outcome
    from stepscope.core.evaluation import breakdown
    from stepscope.core.evaluation.breakdown import Grouping, PairedComparison, selection
    from stepscope.core.store.columns import RunColumns
else:
    breakdown = lazy_module("stepscope.core.evaluation.breakdown")
    selection = lazy_module("stepscope.core.evaluation.breakdown.selection")

THRESHOLD = 0.5
"""From this P(infeasible) on a model is taken to say infeasible, unless its answers say otherwise."""
CURVE_POINTS = 500

Mask = Any
"""A boolean array over a run's items, or None for all of them."""
Said = dict[tuple[str, int | None], set[AnnotationKind]]
"""What people said, by episode and step."""


@dataclass(frozen=True, eq=False)
class Flips:
    """Key of the items that would be decided otherwise at this threshold."""

    threshold: float

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Flips) and other.threshold == self.threshold

    def __hash__(self) -> int:
        return hash(("flips", self.threshold))


@dataclass(frozen=True, slots=True)
class PairOutcome:
    """Key of a cell of the comparison: both_right, only_a, only_b or both_wrong."""

    which: str


@dataclass(frozen=True, slots=True)
class NamedEpisodes:
    """Key of the items of these episodes; `said` is what the chip says."""

    said: str
    episodes: frozenset[str]

    def words(self) -> tuple[str, ...]:
        return (self.said,)


def breakdown_of(
    run: Run, columns: RunColumns, mask: Mask, other: RunColumns | None, letters: tuple[int, int | None]
) -> Breakdown:
    feasibility = run.spec.task is Task.FEASIBILITY
    pointing = run.spec.task is Task.GROUNDING
    by_kind, web = run.spec.task is Task.AUTOMATION, run.spec.task is Task.WEBTASK
    noun = noun_of(run)
    return Breakdown(
        confusion=_confusion(breakdown.confusion(columns, mask), noun),
        reasons=bars_of(breakdown.recall_by_reason(columns, mask)) if feasibility else (),
        apps=bars_of(breakdown.wrong_by(columns, "app", mask, least=1), str if web else words.app_name),
        kinds=bars_of(breakdown.wrong_by(columns, "kind", mask, least=1)) if by_kind or pointing else (),
        kind_word="kind of element" if pointing else "kind of action",
        steps=StepShares(
            _steps(breakdown.wrong_by(columns, "step", mask, least=1)) if by_kind or run.spec.task is Task.ASK else (),
            _lengths(breakdown.wrong_by(columns, "length", mask, least=1)),
            noun,
        ),
        curve=_curves(columns, mask, other, letters, noun) if feasibility else None,
        calibration=_calibration(columns, mask, letters[0], noun),
        run=letters[0],
        place="task" if web else "app",
    )


# Cards ----------------------------------------------------------------------------------------------------------------


def _confusion(found: Any, noun: str) -> ConfusionTable:
    cells = tuple(
        tuple(
            ConfusionCell(
                cell.count, cell.reference == cell.predicted, cell.selection if cell.count else None, cell.name
            )
            for cell in row
        )
        for row in found.cells
    )
    if not found.total or (len(found.references) == 1 and found.references[0] == ""):
        return ConfusionTable()
    return ConfusionTable(tuple(map(_kind, found.references)), tuple(map(_kind, found.predictions)), cells, noun)


def _kind(name: str) -> str:
    return name.replace("_", " ") if name else "none"


def bars_of(found: Grouping, shorten: Callable[[str], str] = str) -> tuple[Bar, ...]:
    """A bar for each group. Two that are short for the same keep their whole names, which the tips always have."""
    short = [shorten(group.name) for group in found.groups]
    names = [name if short.count(name) == 1 else group.name for name, group in zip(short, found.groups, strict=True)]
    return tuple(
        Bar(name.replace("_", " ") or "unknown", group.count, group.n, group.selection, group.interval, group.name)
        for name, group in zip(names, found.groups, strict=True)
    )


def _steps(found: Grouping) -> tuple[StepBar, ...]:
    return tuple(
        StepBar(int(group.name), group.count, group.n, group.interval, group.selection)
        for group in found.groups
        if group.name.isdigit()
    )


def _lengths(found: Grouping) -> tuple[StepBar, ...]:
    return tuple(
        StepBar(place, group.count, group.n, group.interval, group.selection, group.name)
        for place, group in enumerate(found.groups, start=1)
    )


def _curves(
    columns: RunColumns, mask: Mask, other: RunColumns | None, letters: tuple[int, int | None], noun: str
) -> CurveDetails | None:
    own = breakdown.pr_curve(columns, mask)
    if not len(own.thresholds):
        return None
    decided, explained = breakdown.as_decided(columns, THRESHOLD, mask)
    points = _points(columns, mask, own, decided.threshold)
    best = breakdown.best_f1(own)
    second = None
    if other is not None and letters[1] is not None:
        theirs = breakdown.pr_curve(other)
        if len(theirs.thresholds):
            other_decided, _ = breakdown.as_decided(other, THRESHOLD)
            theirs_points = _points(other, None, theirs, other_decided.threshold)
            second = CurveLine(letters[1], theirs_points, theirs.average_precision)
    positives = int(np.count_nonzero(_infeasible(columns) & _part(columns, mask)))
    return CurveDetails(
        own=CurveLine(letters[0], points, own.average_precision),
        baseline=second,
        chance=positives / own.n if own.n else None,
        threshold=decided.threshold,
        used=CurvePoint(decided.threshold, decided.recall, decided.precision, 0),
        explained=explained,
        best=None if best is None else min(points, key=lambda point: abs(point.threshold - best[1])),
        noun=noun,
    )


def _points(columns: RunColumns, mask: Mask, curve: Any, used: float) -> tuple[CurvePoint, ...]:
    """The curve's points, each with how many items would be decided otherwise there; `used` is the run's threshold."""
    shown = curve.shown(CURVE_POINTS)
    scores = columns.part(selection.SCORE_PART)
    part = _part(columns, mask) & (scores >= 0) & (scores <= 1)
    order = np.argsort(-scores[part], kind="stable")
    stored = selection.counted_infeasible(columns)[part][order]
    newly = np.concatenate([[0], np.cumsum(~stored)])
    no_more = int(stored.sum()) - np.concatenate([[0], np.cumsum(stored)])
    count = np.searchsorted(-scores[part][order], -shown.thresholds, side="right")
    flips = newly[count] + no_more[count]
    rows = zip(shown.thresholds.tolist(), shown.recall.tolist(), shown.precision.tolist(), flips.tolist(), strict=True)
    found = tuple(CurvePoint(at, recall, precision, int(n), Flips(at)) for at, recall, precision, n in rows)
    if found and found[0].threshold < used:  # nothing reaches the threshold in force: nothing is found there
        none = CurvePoint(used, 0.0, 1.0, int(stored.sum()), Flips(used))
        return (none, *found)
    return found


def _part(columns: RunColumns, mask: Mask) -> Any:
    from stepscope.core.store.columns import SCORED

    scored = columns.status == SCORED
    return scored if mask is None else scored & mask


def _infeasible(columns: RunColumns) -> Any:
    return columns.reference == selection.code_of(columns.kinds, selection.INFEASIBLE)


def _calibration(columns: RunColumns, mask: Mask, letter: int, noun: str) -> CalibrationDiagram | None:
    found = breakdown.calibration(columns, mask=mask)
    if not found.n:
        return None
    bins = tuple(
        CalibrationBin(
            part.low,
            part.high,
            part.score if part.score is not None else (part.low + part.high) / 2,
            round((part.right or 0.0) * part.n),
            part.n,
            part.interval if part.n else None,
            part.selection if part.n else None,
        )
        for part in found.bins
    )
    return CalibrationDiagram(letter, bins, found.error, noun)


# Items ----------------------------------------------------------------------------------------------------------------


def pair_counts(found: PairedComparison, letters: tuple[int, int], noun: str, test: str) -> PairCounts:
    """Two by two, each cell with its key; `noun` is what an item is called, `test` what tested the difference."""

    def cell(which: str) -> PairCell:
        count = int(np.count_nonzero(getattr(found, which)))
        return PairCell(count, PairOutcome(which) if count else None)

    return PairCounts(
        cell("both_right"), cell("only_a"), cell("only_b"), cell("both_wrong"), *letters, noun=noun, test=test
    )


def words_of(key: object, letters: tuple[str, str] = ("A", "B")) -> tuple[str, ...]:
    """What the chips say for a key."""
    if isinstance(key, Flips):
        return (f"flips at threshold {key.threshold:.2f}",)
    if isinstance(key, PairOutcome):
        a, b = letters
        return {
            "both_right": (f"{a} and {b} right",),
            "only_a": (f"only {a} right",),
            "only_b": (f"only {b} right",),
            "both_wrong": (f"{a} and {b} wrong",),
        }[key.which]
    said: tuple[str, ...] = key.words() if hasattr(key, "words") else ()
    return said


def parts_of(key: object) -> tuple[object, ...]:
    """A key as several that can be taken away one by one."""
    if isinstance(key, breakdown.ItemSelection):
        return tuple(breakdown.ItemSelection((criterion,)) for criterion in key.criteria)
    return (key,)


def selection_row(run: Run, outcome: Outcome, summary: EpisodeSummary | None, said: Said) -> SelectionListRow:
    """An item as the Selection dock lists it."""
    key, verdict = outcome.key, verdict_of(outcome.score)
    kinds = said.get((key.episode, None), set()) | said.get((key.episode, key.step), set())
    badge, kind = _badge(run, summary, verdict)
    follow_up = summary.feasibility.follow_up if summary else ()
    return SelectionListRow(
        key=key,
        goal=_goal(outcome, summary),
        app=words.app_name(summary.app or "") if summary else "",
        detail=_place_words(outcome, summary),
        badge=badge,
        kind=kind,
        confidence=_confidence(outcome),
        question=follow_up[0] if follow_up and run.spec.task is Task.FEASIBILITY else "",
        said=_said(outcome),
        why=outcome.score.why if _said(outcome) else "",
        star=AnnotationKind.STAR in kinds,
        note=AnnotationKind.NOTE in kinds,
        defect=AnnotationKind.DEFECT in kinds,
    )


def pair_row(one: Outcome, two: Outcome, difference: float, summary: EpisodeSummary | None) -> ItemPairRow:
    """An item that two runs answered."""
    goal, place = _goal(one, summary), _place_words(one, summary)
    return ItemPairRow(one.key, goal, place, verdict_of(one.score), verdict_of(two.score), difference)


def _badge(run: Run, summary: EpisodeSummary | None, verdict: ShownVerdict) -> tuple[str, str]:
    reason = summary.feasibility.reason if summary else None
    if run.spec.task is Task.FEASIBILITY and reason is not None:
        return reason.value, "warn"
    kind = {ShownVerdict.HIT: "hit", ShownVerdict.MISS: "miss", ShownVerdict.UNSCORED: "neutral"}.get(verdict, "warn")
    return verdict.value.replace("_", " "), kind


def _confidence(outcome: Outcome) -> float | None:
    answer = outcome.prediction.answer
    if isinstance(answer, FeasibilityAnswer):
        return answer.score
    return outcome.prediction.confidence


def _said(outcome: Outcome) -> str:
    """The goal or the question that the model put into words, a goal with its score."""
    match outcome.prediction.answer:
        case GoalAnswer(text):
            return text if outcome.score.value is None else f"{words.score(outcome.score.value)} {text}"
        case AskAnswer(question):
            return question or ""
        case _:
            return ""


def _goal(outcome: Outcome, summary: EpisodeSummary | None) -> str:
    return summary.goal if summary and summary.goal else outcome.key.episode


def _place_words(outcome: Outcome, summary: EpisodeSummary | None) -> str:
    if outcome.key.step < 0:
        return ""
    of = f" of {summary.steps}" if summary else ""
    return f"step {outcome.key.step + 1}{of}"
