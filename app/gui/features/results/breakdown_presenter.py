"""Where a run went wrong, as the results' cards show it: worked out from its columns in the reader lane."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from stepscope.app.gui.shell.run_words import noun_of
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import Run
from stepscope.widgets import format as words
from stepscope.widgets.results.breakdown_pages import Breakdown
from stepscope.widgets.results.breakdown_values import (
    Bar,
    CalibrationBin,
    CalibrationDiagram,
    Confusion,
    ConfusionCell,
    CurveDetails,
    CurveLine,
    CurvePoint,
    StepBar,
    StepShares,
)
from stepscope.widgets.results.web_values import WebResults

if TYPE_CHECKING:
    from stepscope.core.evaluation.breakdown import Grouping, PairedComparison
    from stepscope.core.store.columns import RunColumns
    from stepscope.core.store.engine import Database

"""What an item is called; episode for the others."""
THRESHOLD = 0.5
"""From this P(infeasible) on a model is taken to say infeasible, until it says otherwise itself."""
CURVE_POINTS = 500

Mask = Any
"""A boolean array over a run's items, or None for all of them."""


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


@dataclass(frozen=True, eq=False)
class BreakdownColumns:
    """A run's columns and all that the cards show of them. `kept` masks the items that count: None, all; `defective`
    are left out of it or not. `versus` compares with another run's columns, where there is one."""

    run: Run
    columns: RunColumns
    kept: Mask
    defective: int
    left_out: bool
    breakdown: Breakdown
    versus: PairedComparison | None = None
    other: RunColumns | None = None

    @property
    def noun(self) -> str:
        return noun_of(self.run)


def load_breakdown(
    database: Database,
    run: Run,
    columns: RunColumns,
    other: RunColumns | None,
    *,
    without_defects: bool,
    letters: tuple[int, int | None] = (0, None),
    web: Callable[[Mask], WebResults | None] = lambda _mask: None,
) -> BreakdownColumns:
    """Everything at once: it takes some hundredths of a second for a million items. `letters` are the run's own and
    that of the run it is compared with; `web` reads what only runs over web tasks have, of the items in a mask."""
    from stepscope.core.evaluation.breakdown import versus

    kept, defective = _kept(database, run, columns)
    mask = kept if without_defects else None
    found = versus(columns, other, mask, None) if other is not None else None
    shown = breakdown_of(run, columns, mask, other if letters[1] is not None else None, letters)
    shown = replace(shown, web=web(mask))
    return BreakdownColumns(run, columns, mask, defective, without_defects, shown, found, other)


def breakdown_of(
    run: Run, columns: RunColumns, mask: Mask, other: RunColumns | None, letters: tuple[int, int | None]
) -> Breakdown:
    from stepscope.core.evaluation import breakdown as core

    feasibility = run.spec.task is Task.FEASIBILITY
    by_kind, web = run.spec.task is Task.AUTOMATION, run.spec.task is Task.WEBTASK
    noun = noun_of(run)
    return Breakdown(
        confusion=_confusion(core.confusion(columns, mask), noun),
        reasons=_bars(core.recall_by_reason(columns, mask)) if feasibility else (),
        apps=_bars(core.wrong_by(columns, "app", mask, least=1), str if web else words.app_name),
        kinds=_bars(core.wrong_by(columns, "kind", mask, least=1)) if by_kind else (),
        steps=StepShares(
            _steps(core.wrong_by(columns, "step", mask, least=1)) if by_kind or run.spec.task is Task.ASK else (),
            _lengths(core.wrong_by(columns, "length", mask, least=1)),
            noun,
        ),
        curve=_curves(columns, mask, other, letters, noun) if feasibility else None,
        calibration=_calibration(columns, mask, letters[0], noun),
        run=letters[0],
        place="task" if web else "app",
    )


def mask_for(loaded: BreakdownColumns, keys: Sequence[object]) -> Any:
    """The items that all these keys stand for, as a boolean array."""
    from stepscope.core.evaluation.breakdown import ItemSelection, at_threshold, mask_of

    columns = loaded.columns
    found = np.ones(columns.n, np.bool_) if loaded.kept is None else loaded.kept.copy()
    for key in keys:
        if isinstance(key, Flips):
            found &= at_threshold(columns, key.threshold).flips
        elif isinstance(key, PairOutcome) and loaded.versus is not None:
            part = np.zeros(columns.n, np.bool_)
            part[loaded.versus.a[getattr(loaded.versus, key.which)]] = True
            found &= part
        elif isinstance(key, ItemSelection):
            found = mask_of(columns, key, found)
    return found


def worst_first(loaded: BreakdownColumns, places: Any) -> Any:
    """Indices of items with the wrong ones in front, those that are in error next; equal ones as they were done."""
    order = np.nan_to_num(loaded.columns.value[places], nan=0.5)
    return places[np.argsort(order, kind="stable")]


# Cards ----------------------------------------------------------------------------------------------------------------


def _kept(database: Database, run: Run, columns: RunColumns) -> tuple[Mask, int]:
    """The items without a defect, and how many have one."""
    from stepscope.core.evaluation.defects import defective

    with database.reading() as db:
        defects = defective(db, run.spec.source)
    if not defects:
        return None, 0
    bad = np.zeros(columns.n, np.bool_)
    known = {name: code for code, name in enumerate(columns.episodes)}
    for episode in defects.episodes & known.keys():
        bad |= columns.episode == known[episode]
    for key in defects.steps:
        if key.episode in known:
            bad |= (columns.episode == known[key.episode]) & (columns.step == key.step)
    return ~bad, int(np.count_nonzero(bad))


def _confusion(found: Any, noun: str) -> Confusion:
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
        return Confusion()
    return Confusion(tuple(map(_kind, found.references)), tuple(map(_kind, found.predictions)), cells, noun)


def _kind(name: str) -> str:
    return name.replace("_", " ") if name else "none"


def _bars(found: Grouping, shorten: Callable[[str], str] = str) -> tuple[Bar, ...]:
    """Two that are short for the same keep their whole names, which the tips always have."""
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
    from stepscope.core.evaluation.breakdown import best_f1, pr_curve

    own = pr_curve(columns, mask)
    if not len(own.thresholds):
        return None
    points = _points(columns, mask, own)
    best = best_f1(own)
    second = None
    if other is not None and letters[1] is not None:
        theirs = pr_curve(other)
        if len(theirs.thresholds):
            second = CurveLine(letters[1], _points(other, None, theirs), theirs.average_precision)
    positives = int(np.count_nonzero(_infeasible(columns) & _part(columns, mask)))
    return CurveDetails(
        own=CurveLine(letters[0], points, own.average_precision),
        baseline=second,
        chance=positives / own.n if own.n else None,
        threshold=THRESHOLD,
        best=None if best is None else min(points, key=lambda point: abs(point.threshold - best[1])),
        noun=noun,
    )


def _points(columns: RunColumns, mask: Mask, curve: Any) -> tuple[CurvePoint, ...]:
    """The curve's points, each with how many items would be decided otherwise there."""
    from stepscope.core.evaluation.breakdown.selection import SCORE_PART, counted_infeasible

    shown = curve.shown(CURVE_POINTS)
    scores = columns.part(SCORE_PART)
    part = _part(columns, mask) & (scores >= 0) & (scores <= 1)
    order = np.argsort(-scores[part], kind="stable")
    stored = counted_infeasible(columns)[part][order]
    newly = np.concatenate([[0], np.cumsum(~stored)])
    no_more = int(stored.sum()) - np.concatenate([[0], np.cumsum(stored)])
    count = np.searchsorted(-scores[part][order], -shown.thresholds, side="right")
    flips = newly[count] + no_more[count]
    rows = zip(shown.thresholds.tolist(), shown.recall.tolist(), shown.precision.tolist(), flips.tolist(), strict=True)
    found = tuple(CurvePoint(at, recall, precision, int(n), Flips(at)) for at, recall, precision, n in rows)
    if found and found[0].threshold < THRESHOLD:  # nothing reaches the threshold in force: nothing is found there
        none = CurvePoint(THRESHOLD, 0.0, 1.0, int(stored.sum()), Flips(THRESHOLD))
        return (none, *found)
    return found


def _part(columns: RunColumns, mask: Mask) -> Any:
    from stepscope.core.store.columns import SCORED

    scored = columns.status == SCORED
    return scored if mask is None else scored & mask


def _infeasible(columns: RunColumns) -> Any:
    from stepscope.core.evaluation.breakdown.selection import INFEASIBLE, code_of

    return columns.reference == code_of(columns.kinds, INFEASIBLE)


def _calibration(columns: RunColumns, mask: Mask, letter: int, noun: str) -> CalibrationDiagram | None:
    from stepscope.core.evaluation.breakdown import calibration

    found = calibration(columns, mask=mask)
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
