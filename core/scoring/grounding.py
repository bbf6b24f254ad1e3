"""The `grounding` protocol: whether a point lies in the element that an expression means, for record files and for
evaluations.

Sources (code): SeeClick's pretrain/screenspot_test.py and ScreenSpot-Pro's eval_screenspot_pro.py (edges included),
GUI-R1's guir1/eval/eval_screenspot.py (edges excluded); docs/protocols/grounding.md. Points (x, y) and boxes (left,
top, right, bottom) in pixels of each item's own screen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from stepscope.core.domain.action import Action, Finish, FinishStatus, action_point, action_target
from stepscope.core.domain.geometry import Box, Point
from stepscope.core.domain.prediction import Prediction, Task
from stepscope.core.domain.score import Score
from stepscope.core.frozen import dataclass
from stepscope.core.scoring import fields
from stepscope.core.scoring.option import Option
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.rule import (
    NO_PREDICTION,
    AggregatingScorer,
    LazyDetails,
    Options,
    ProtocolInfo,
    RecordScorer,
    RecordScores,
    Rule,
    unusable,
)
from stepscope.core.scoring.scored_items import ScoredItems
from stepscope.core.scoring.statistics import FloatArray, Statistic, quotient
from stepscope.core.scoring.tally import IntArray, Tally

SURFACES = ("mobile", "desktop", "web")
TYPES = ("text", "icon", "")
"""Of elements; "" where the data does not tell."""
REFUSE = "refuse"
"""The answer that nothing on the screen is meant."""
NO_TARGET = "The data does not say where the element is."

_CELLS = tuple((surface, kind) for surface in SURFACES for kind in TYPES)
_REFUSALS = len(_CELLS)
"""The cell of items whose right answer is a refusal."""
_COUNT = _REFUSALS + 1


@dataclass(frozen=True, slots=True)
class MeantElement:
    """What an expression means. `box` None and `refusal`: nothing on the screen; None alone: nobody knows where."""

    box: Box | None
    refusal: bool = False
    surface: str = "mobile"
    kind: str = ""

    @property
    def cell(self) -> int:
        return _REFUSALS if self.refusal else _CELLS.index((self.surface, self.kind))


def _mean_of(*cells: int) -> Statistic:
    """Right over all, of some cells together. The first columns are those that are right."""

    def statistic(sums: FloatArray) -> FloatArray:
        places = list(cells)
        return quotient(sums[:, places].sum(axis=1), sums[:, [_COUNT + place for place in places]].sum(axis=1))

    return statistic


def _mean_of_means(*cells: int) -> Statistic:
    """The mean of the cells' own shares, of those that have items."""

    def statistic(sums: FloatArray) -> FloatArray:
        places = list(cells)
        right, count = sums[:, places], sums[:, [_COUNT + place for place in places]]
        return quotient(quotient(right, count, empty=0.0).sum(axis=1), (count > 0).sum(axis=1).astype(np.float64))

    return statistic


def _cells(surface: str | None = None, kind: str | None = None) -> tuple[int, ...]:
    return tuple(
        place for place, (where, what) in enumerate(_CELLS) if surface in (None, where) and kind in (None, what)
    )


_STATISTICS: dict[str, Statistic] = {
    "micro_accuracy": _mean_of(*range(_COUNT)),
    "macro_accuracy": _mean_of_means(*range(_COUNT)),
    "text_accuracy": _mean_of(*_cells(kind="text")),
    "icon_accuracy": _mean_of(*_cells(kind="icon")),
    "mobile_accuracy": _mean_of(*_cells("mobile")),
    "desktop_accuracy": _mean_of(*_cells("desktop")),
    "web_accuracy": _mean_of(*_cells("web")),
    "refusal_accuracy": _mean_of(_REFUSALS),
}

INFO = ProtocolInfo(
    name="grounding",
    title="Point in the box of the element",
    task=Task.GROUNDING,
    version="1",
    source="ScreenSpot (SeeClick, Cheng et al. 2024), ScreenSpot-Pro (Li et al. 2025), released evaluations",
    options=(
        Option("edges", "inclusive", "whether a point on the edge of the box is right (SeeClick, ScreenSpot-Pro) or "
               "not (GUI-R1: strict)", "code", ("inclusive", "strict")),
    ),
    metrics=tuple(_STATISTICS),
    main="micro_accuracy",
    rules=(
        Rule("A point is right inside the box of the element that is meant, edges included; edges=strict: excluded.",
             "code"),
        Rule("Of a box that is answered the centre counts.", "code"),
        Rule("micro_accuracy is the share of all items; macro_accuracy the mean of the shares of the cells, platform "
             "by text or icon (and refusals), that have items. Papers give either; they differ by one or two points.",
             "code"),
        Rule("Where nothing on the screen is meant a refusal is right, and where something is meant a refusal is "
             "wrong.", "code"),
        Rule("Where the data does not say text or icon, an element with words is text, one of a tree without words an "
             "icon; without a tree it is neither, and a cell of its own.", "ours"),
        Rule("A null prediction and one that names no place are wrong.", "ours"),
    ),
)  # fmt: skip


class PointedAt(NamedTuple):
    """What was answered: `place` (x, y) in pixels, or a refusal; neither: an answer without a place."""

    place: tuple[float, float] | None
    refused: bool = False


def pointed_at(action: Action) -> PointedAt:
    """The place of an action of any kind, of one with a box alone its centre; saying that it cannot be done is a
    refusal."""
    if isinstance(action, Finish):
        return PointedAt(None, action.status is FinishStatus.IMPOSSIBLE)
    point, target = action_point(action), action_target(action)
    if point is None and target is not None and target.box is not None:
        point = target.box.centre
    return PointedAt(None if point is None else (point.x, point.y))


def judge(meant: MeantElement, box: Sequence[float] | None, answer: PointedAt, strict: bool) -> tuple[bool, str]:
    """Whether the answer is right, and why. `box` is that of the element in the pixels of the answer."""
    if meant.refusal:
        return answer.refused, "Nothing is meant, and it refused." if answer.refused else "Nothing is meant."
    if answer.refused:
        return False, "It refused, and something is meant."
    if answer.place is None:
        return False, "The prediction names no place."
    assert box is not None
    (x, y), (left, top, right, bottom) = answer.place, box
    inside = left < x < right and top < y < bottom if strict else left <= x <= right and top <= y <= bottom
    if inside:
        return True, "Inside the box."
    beside = max(left - x, 0.0, x - right), max(top - y, 0.0, y - bottom)
    if not any(beside):
        return False, "On the edge of the box, which does not count."
    return False, f"Outside the box, {beside[0]:.0f} px beside and {beside[1]:.0f} px above or below."


class GroundingScorer(RecordScorer, AggregatingScorer):
    """Scorer of `grounding`, for records and for evaluations."""

    info = INFO

    def judge(self, records: Records, options: Options) -> RecordScores:
        strict = options["edges"] == "strict"
        found = list(records.each(lambda line, form: _read(line, form, strict)))
        part = np.array([one.scored for one in found], dtype=np.bool_)
        scored = [one for one in found if one.scored]
        cells = np.array([one.cell for one in scored], dtype=np.int64)
        right = np.array([one.right for one in scored], dtype=np.bool_)
        null = sum(one.null for one in scored)
        return RecordScores(
            tally=_tally(cells, right, np.where(part, np.cumsum(part) - 1, -1)),
            n=len(scored),
            unscored=len(found) - len(scored),
            malformed=null,
            null=null,
            details=LazyDetails(len(found), lambda row: _detail(found[row])),
            extra={"by_cell": _by_cell(cells, right)},
            counts=_counts(cells),
        )

    def score_item(self, reference: MeantElement, prediction: Prediction, options: Options) -> Score:
        """The parts hold the cell of the item."""
        if reference.box is None and not reference.refusal:
            return Score.unscored(NO_TARGET)
        cell = float(reference.cell)
        if prediction.action is None:
            return unusable(prediction, cell=cell)
        answer, box = pointed_at(prediction.action), reference.box
        if box is not None and answer.place is not None:
            at = action_point(prediction.action)
            size = at.size if at is not None else box.size
            place = Point(*answer.place, size).rescaled(box.size)
            answer = PointedAt((place.x, place.y))
        edges = None if box is None else (box.left, box.top, box.right, box.bottom)
        right, why = judge(reference, edges, answer, options["edges"] == "strict")
        return Score.scored(right, why, cell=cell)

    def tally(self, items: ScoredItems, options: Options) -> tuple[Tally, Mapping[str, int]]:
        """Every item is a unit."""
        cells = items.part("cell").astype(np.int64)
        return _tally(cells, items.right, np.arange(len(items))), _counts(cells)


def _tally(cells: IntArray, right: np.typing.NDArray[np.bool_], unit_of: IntArray) -> Tally:
    """`cells` and `right` have an entry for each scored item, which is a unit."""
    here = np.eye(_COUNT)[cells]
    sums = np.concatenate([here * right[:, None], here], axis=1)
    yes_no = {"micro_accuracy": right.astype(np.float64)}
    return Tally(sums, _STATISTICS, unit_of, yes_no=yes_no)


def _counts(cells: IntArray) -> dict[str, int]:
    """Over how many items each share is."""
    parts = {
        "text_accuracy": _cells(kind="text"), "icon_accuracy": _cells(kind="icon"), "refusal_accuracy": (_REFUSALS,),
        **{f"{surface}_accuracy": _cells(surface) for surface in SURFACES},
    }  # fmt: skip
    return {name: int(np.isin(cells, part).sum()) for name, part in parts.items()}


def _by_cell(cells: IntArray, right: np.typing.NDArray[np.bool_]) -> dict[str, dict[str, float | int]]:
    """The cells that have items: `mobile text` and so on."""
    names = [f"{surface} {kind or 'unknown'}" for surface, kind in _CELLS] + ["refusal"]
    return {
        names[cell]: {"n": int((cells == cell).sum()), "accuracy": float(right[cells == cell].mean())}
        for cell in np.unique(cells).tolist()
    }


@dataclass(frozen=True, slots=True)
class _GroundingRecord:
    """`why` there is no verdict where it is not scored."""

    line: int
    id: fields.Identity
    cell: int
    scored: bool
    right: bool
    null: bool
    why: str


def _read(line: int, record: Mapping[str, Any], strict: bool) -> _GroundingRecord:
    """The format, field by field. Raises UserError with the line and the bad field."""
    identity = fields.identity(record, "id", line)
    meant, box = _meant(record, line)
    given = fields.required(record, "prediction", line)
    if box is None and not meant.refusal:
        return _GroundingRecord(line, identity, meant.cell, False, False, False, NO_TARGET)
    if given is None:
        return _GroundingRecord(line, identity, meant.cell, True, False, True, NO_PREDICTION)
    right, why = judge(meant, box, _answer(given, line), strict)
    return _GroundingRecord(line, identity, meant.cell, True, right, False, why)


def _meant(record: Mapping[str, Any], line: int) -> tuple[MeantElement, tuple[float, ...] | None]:
    reference = fields.required(record, "reference", line)
    surface = record.get("platform")
    kind = record.get("type")
    where = "mobile" if surface is None else fields.one_of(surface, SURFACES, "platform", line)
    what = "" if kind is None else fields.one_of(kind, TYPES[:2], "type", line)
    refusal = reference == REFUSE
    box = None if reference is None or refusal else fields.box(reference, "reference", line)
    return MeantElement(None, refusal, where, what), box


def _answer(value: object, line: int) -> PointedAt:
    if value == REFUSE:
        return PointedAt(None, refused=True)
    if isinstance(value, list) and len(value) == 4:
        left, top, right, bottom = fields.box(value, "prediction", line)
        return PointedAt(((left + right) / 2, (top + bottom) / 2))
    x, y = fields.numbers(value, 2, "prediction", line)
    return PointedAt((x, y))


def _detail(record: _GroundingRecord) -> Mapping[str, Any]:
    surface, kind = ("", "refusal") if record.cell == _REFUSALS else _CELLS[record.cell]
    return {
        "record": record.line,
        "id": record.id,
        "status": "scored" if record.scored else "unscored",
        "score": float(record.right) if record.scored else None,
        "platform": surface or None,
        "type": kind or None,
        "malformed": record.null,
        "null": record.null,
        "why": record.why,
    }
