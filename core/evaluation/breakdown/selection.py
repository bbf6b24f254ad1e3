"""Which items of a run are meant: criteria that all hold, as a mask, as words on chips, and as an episode filter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from stepscope.core.domain.episode import FeasibilityLabel
from stepscope.core.domain.filter import And, FilterError, Number, Query, Range, Term, Text
from stepscope.core.domain.filter_parser import parse
from stepscope.core.evaluation.breakdown.feasibility_answers import SAID, evidence_of, said_classes
from stepscope.core.evaluation.breakdown.web_items import COUNT, tasks_of
from stepscope.core.frozen import dataclass
from stepscope.core.store.column_reading import BoolArray
from stepscope.core.store.columns import ERROR, SCORED, UNSCORED, RunColumns
from stepscope.core.store.queries import ItemVerdict

Field = Literal[
    "reference", "kind", "predicted", "counted", "app", "label", "reason", "step", "length", "verdict", "confidence",
    "score", "task", "type", "said", "evidence",
]  # fmt: skip

FEASIBLE, INFEASIBLE = FeasibilityLabel.FEASIBLE.value, FeasibilityLabel.INFEASIBLE.value
SCORE_PART = "score"
"""The part of a feasibility score that holds P(infeasible)."""

LENGTHS = ((1, 3), (4, 6), (7, 10), (11, 15), (16, 20), (21, None))
"""Episode lengths that are counted together, from and to."""


@dataclass(frozen=True, slots=True)
class NumberRange:
    """Numbers from `low` to `high`, None for no end. `above`: not `low` itself."""

    low: float | None
    high: float | None
    above: bool = False

    def __str__(self) -> str:
        if self.high is None:
            return f"{self.low:g} or more"
        if self.low is None:
            return f"{self.high:g} or less"
        return f"{self.low:g}" if self.low == self.high else f"{self.low:g} – {self.high:g}"


@dataclass(frozen=True, slots=True)
class Criterion:
    """One thing that holds of an item.

    `reference`, `predicted`: a kind ("" none); `kind` is the reference's. `counted`: feasible or infeasible as the
    prediction counts, which is the wrong one when there is none that makes sense. `app`, `label`, `reason`: "" is
    unknown. `step`: its index, or a Span of these, -1 for a whole episode. `length`: a Span of steps of the episode.
    `verdict`: a `ItemVerdict`, or "scored", and "right" and "wrong" of these. `confidence`, `score`
    (P(infeasible)): a Span. `task`: of web tasks; `type`: of a field that the page has a score for. `said`: the class
    that a feasibility answer is of, `evidence`: what weighed most in it, both in the words of `feasibility_answers`.
    """

    field: Field
    value: str | int | NumberRange

    def __str__(self) -> str:
        """The criterion in the words of a chip."""
        if self.field == "verdict":
            return str(self.value)
        name = {
            "counted": "predicted", "said": "predicted", "score": "P(infeasible)", "type": "fields",
        }.get(self.field, self.field)  # fmt: skip
        return f"{name}: {self._value()}"

    def _value(self) -> str:
        if self.field == "step" and isinstance(self.value, int):
            return "whole episode" if self.value < 0 else str(self.value + 1)
        if self.field == "step" and isinstance(self.value, NumberRange):
            low, high = (None if end is None else end + 1 for end in (self.value.low, self.value.high))
            return str(NumberRange(low, high))
        if self.value == "":
            return "none" if self.field in ("reference", "kind", "predicted") else "unknown"
        return str(self.value)


@dataclass(frozen=True, slots=True)
class ItemSelection:
    """Items for which all criteria hold; without any, all items."""

    criteria: tuple[Criterion, ...] = ()

    @classmethod
    def of(cls, *pairs: tuple[Field, str | int | NumberRange]) -> ItemSelection:
        return cls(tuple(Criterion(name, value) for name, value in pairs))

    def with_(self, other: ItemSelection) -> ItemSelection:
        """What both say."""
        return ItemSelection(tuple(dict.fromkeys((*self.criteria, *other.criteria))))

    def without(self, criterion: Criterion) -> ItemSelection:
        return ItemSelection(tuple(one for one in self.criteria if one != criterion))

    def words(self) -> tuple[str, ...]:
        """What each chip says."""
        return tuple(map(str, self.criteria))

    def filter_text(self, run: str = "A") -> str | None:
        """The episodes with such an item in the project's filter language, the run under its letter there; None when
        the language has no words for it."""
        found: list[Query] = []
        for criterion in self.criteria:
            asked = _terms(criterion, run)
            if asked is None:
                return None
            found.extend(asked)
        placed = any(isinstance(term, Term) and term.field == "step" for term in found)
        if placed and not any(isinstance(term, Term) and term.runs for term in found):
            return None  # the language asks for a step only together with a run
        text = str(And(tuple(found)))
        try:
            return text if str(parse(text)) == text else None
        except FilterError:
            return None


def mask_of(columns: RunColumns, selection: ItemSelection, mask: BoolArray | None = None) -> BoolArray:
    """Which items are meant; with a mask, those of them that it has. Raises ValueError for a criterion that makes no
    sense of its value, StoreError when P(infeasible) is asked for and cannot be read."""
    found = np.ones(columns.n, np.bool_) if mask is None else mask.copy()
    for criterion in selection.criteria:
        found &= _MASKS[criterion.field](columns, criterion)
    return found


def episodes_of(columns: RunColumns, mask: BoolArray) -> list[str]:
    """The episodes with an item in the mask, in order of first appearance."""
    has = np.zeros(len(columns.episodes), np.bool_)
    has[columns.episode[mask]] = True
    return [columns.episodes[code] for code in np.flatnonzero(has).tolist()]


def counted_infeasible(columns: RunColumns) -> BoolArray:
    """Whether infeasible is what a feasibility item counts as having said: nothing usable is the wrong class."""
    infeasible = columns.predicted == code_of(columns.kinds, INFEASIBLE)
    unusable = columns.malformed | ~(infeasible | (columns.predicted == code_of(columns.kinds, FEASIBLE)))
    found: BoolArray = np.where(unusable, columns.reference != code_of(columns.kinds, INFEASIBLE), infeasible)
    return found


def code_of(names: tuple[str, ...], name: object) -> int:
    """The index of the name, -2 when it is none of the names."""
    return names.index(str(name)) if name in names else -2


def _kind(columns: RunColumns, criterion: Criterion) -> BoolArray:
    codes = columns.predicted if criterion.field == "predicted" else columns.reference
    return _same(codes, code_of(columns.kinds, criterion.value))


def _counted(columns: RunColumns, criterion: Criterion) -> BoolArray:
    infeasible = counted_infeasible(columns)
    return infeasible if criterion.value == INFEASIBLE else ~infeasible


def _of_episode(columns: RunColumns, criterion: Criterion) -> BoolArray:
    codes, names = {
        "app": (columns.app, columns.apps),
        "label": (columns.label, columns.labels),
        "reason": (columns.reason, columns.reasons),
    }[criterion.field]
    found: BoolArray = _same(codes, code_of(names, criterion.value))[columns.episode]
    return found


def _task(columns: RunColumns, criterion: Criterion) -> BoolArray:
    codes, names = tasks_of(columns)
    found: BoolArray = _same(codes, code_of(names, criterion.value))[columns.episode]
    return found


def _type(columns: RunColumns, criterion: Criterion) -> BoolArray:
    found: BoolArray = columns.part(COUNT.format(criterion.value)) > 0
    return found


def _said(columns: RunColumns, criterion: Criterion) -> BoolArray:
    return _same(said_classes(columns), code_of(SAID, criterion.value))


def _evidence(columns: RunColumns, criterion: Criterion) -> BoolArray:
    codes, names = evidence_of(columns)
    return _same(codes, code_of(names, criterion.value))


def _step(columns: RunColumns, criterion: Criterion) -> BoolArray:
    if isinstance(criterion.value, NumberRange):
        return _within(columns.step, criterion.value)
    return _same(columns.step, _number(criterion))


def _length(columns: RunColumns, criterion: Criterion) -> BoolArray:
    found: BoolArray = _within(columns.steps, _span(criterion))[columns.episode]
    return found


def _verdict(columns: RunColumns, criterion: Criterion) -> BoolArray:
    scored: BoolArray = columns.status == SCORED
    match criterion.value:
        case "scored":
            return scored
        case "right":
            return scored & columns.right
        case "wrong":
            return scored & ~columns.right
        case ItemVerdict.HIT:
            return scored & columns.right & ~columns.malformed
        case ItemVerdict.MISS:
            return scored & ~columns.right & ~columns.malformed
        case ItemVerdict.MALFORMED:
            return scored & columns.malformed & ~columns.null
        case ItemVerdict.NULL:
            return scored & columns.null
        case ItemVerdict.UNSCORED:
            return _same(columns.status, UNSCORED)
        case ItemVerdict.ERROR:
            return _same(columns.status, ERROR)
    raise ValueError(f"{criterion.value} is no verdict")


def _measured(columns: RunColumns, criterion: Criterion) -> BoolArray:
    values = columns.confidence if criterion.field == "confidence" else columns.part(SCORE_PART)
    return _within(values, _span(criterion))


_MASKS: dict[str, Callable[[RunColumns, Criterion], BoolArray]] = {
    **dict.fromkeys(("reference", "kind", "predicted"), _kind),
    "counted": _counted,
    **dict.fromkeys(("app", "label", "reason"), _of_episode),
    "task": _task,
    "type": _type,
    "said": _said,
    "evidence": _evidence,
    "step": _step,
    "length": _length,
    "verdict": _verdict,
    **dict.fromkeys(("confidence", "score"), _measured),
}


def _same(codes: NDArray[np.integer], code: int) -> BoolArray:
    found: BoolArray = codes == code
    return found


def _within(values: NDArray[np.number], span: NumberRange) -> BoolArray:
    """NaN and, where nothing may be below 0, -1 for unknown are in no span with a lower end."""
    found = np.ones(len(values), np.bool_)
    if span.low is not None:
        found &= values > span.low if span.above else values >= span.low
    if span.high is not None:
        found &= values <= span.high
    return found


def _span(criterion: Criterion) -> NumberRange:
    if not isinstance(criterion.value, NumberRange):
        raise ValueError(f"{criterion.field} takes a span, not {criterion.value}")
    return criterion.value


def _number(criterion: Criterion) -> int:
    if not isinstance(criterion.value, int):
        raise ValueError(f"{criterion.field} takes a number, not {criterion.value}")
    return criterion.value


def _terms(criterion: Criterion, run: str) -> tuple[Query, ...] | None:
    """The criterion in the filter language, None where that has no words for it."""
    value = criterion.value
    match criterion.field:
        case "reference" | "kind" if value in (FEASIBLE, INFEASIBLE):
            return (Term(str(value)),)
        case "reference" | "kind" if value:
            return (Term("action", ":", (Text(str(value)),)),)
        case "app" | "task" if value:
            return (Term("app", "=", (Text(str(value)),)),)
        case "label" | "reason" if value:
            return (Term(criterion.field, ":", (Text(str(value)),)),)
        case "step":
            return _step_terms(value)
        case "length" if isinstance(value, NumberRange):
            return (Term("steps", ":", (_range(value.low, value.high),)),)
        case "verdict":
            name = {"right": "right", "wrong": "wrong", ItemVerdict.UNSCORED: "unscored"}.get(str(value))
            return None if name is None else (Term(name, ":", (), (run,)),)
        case "confidence" if isinstance(value, NumberRange):
            return _confidence_terms(value, run)
    return None


def _step_terms(value: str | int | NumberRange) -> tuple[Query, ...] | None:
    if isinstance(value, NumberRange):
        low, high = (None if end is None else end + 1 for end in (value.low, value.high))
        return (Term("step", ":", (_range(low, high),)),)
    return (Term("step", ":", (Number(float(value) + 1),)),) if isinstance(value, int) and value >= 0 else None


def _range(low: float | None, high: float | None) -> Range:
    return Range(*(None if end is None else float(end) for end in (low, high)))


def _confidence_terms(span: NumberRange, run: str) -> tuple[Query, ...]:
    found: list[Query] = []
    if span.low is not None:
        found.append(Term("conf", ">" if span.above else ">=", (Number(float(span.low)),), (run,)))
    if span.high is not None:
        found.append(Term("conf", "<=", (Number(float(span.high)),), (run,)))
    return tuple(found)
