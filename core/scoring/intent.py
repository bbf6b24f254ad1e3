"""The `intent` protocol: verdicts on predicted goals, for record files.

The rule is in `intent_match`; rules and marks in docs/protocols/intent.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from stepscope.core.domain.prediction import Task
from stepscope.core.scoring import fields
from stepscope.core.scoring.intent_match import RELATIONS, relation
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.rule import LazyDetails, Options, ProtocolInfo, RecordScorer, RecordScores, Rule
from stepscope.core.scoring.statistics import FloatArray, ratio
from stepscope.core.scoring.tally import Tally

METRICS = ("fulfillment", *RELATIONS)
VERDICTS = ("fulfilled", "prediction_satisfies_reference", "reference_satisfies_prediction")

INFO = ProtocolInfo(
    name="intent",
    title="Goal identification",
    task=Task.GOAL,
    version="1",
    source="User goals from UI trajectories (2024), section 3",
    options=(),
    metrics=METRICS,
    main="match",
    rules=(
        Rule("fulfillment is the share of predictions that the trajectory fulfils: it does what the prediction asks, "
             "or shows what it seeks.", "paper"),
        Rule("A satisfies B when every reasonable trajectory that fulfils A also fulfils B. match: prediction and "
             "reference satisfy each other; partial_match: one satisfies the other; non_match: neither does.", "paper"),
        Rule("Each metric is over the records that have the verdicts it needs: fulfillment one, the others both "
             "directions.", "ours"),
        Rule("A record with any null verdict is unscored, though its other verdicts still count.", "ours"),
        Rule("A model judge is asked once for each direction; its last [SATISFACTION] YES or NO [/SATISFACTION] "
             "counts.", "paper"),
        Rule("Any other answer of a model judge is malformed: its verdict is null.", "ours"),
    ),
)  # fmt: skip

_STATISTICS = {name: ratio(column, len(METRICS) + (column > 0)) for column, name in enumerate(METRICS)}
"""The columns are those of `_sums`: what the metrics count, then the records for fulfillment and for the others."""


class IntentRecord(NamedTuple):
    """Verdicts of a judge; None: there is none."""

    line: int
    id: fields.Identity
    fulfilled: bool | None
    forth: bool | None
    back: bool | None

    @property
    def values(self) -> tuple[float | None, ...]:
        """The metrics' values in the order of `METRICS`."""
        found = relation(self.forth, self.back)
        fulfilled = None if self.fulfilled is None else float(self.fulfilled)
        return fulfilled, *(None if found is None else float(found == name) for name in RELATIONS)

    @property
    def complete(self) -> bool:
        return None not in (self.fulfilled, self.forth, self.back)


class IntentScorer(RecordScorer):
    """Record scorer of `intent`."""

    info = INFO

    def judge(self, records: Records, options: Options) -> RecordScores:
        found = list(records.each(read_record))
        values = np.array([record.values for record in found], dtype=np.float64).reshape(-1, len(METRICS))
        part = ~np.isnan(values).all(axis=1)
        sums = _sums(values[part])
        counts = dict(zip(METRICS, (~np.isnan(values)).sum(axis=0).tolist(), strict=True))
        n = sum(record.complete for record in found)
        return RecordScores(
            tally=Tally(
                sums=sums,
                statistics=_STATISTICS,
                unit_of=np.where(part, np.cumsum(part) - 1, -1),
                yes_no={name: values[part, column] for column, name in enumerate(METRICS)},
            ),
            n=n,
            unscored=len(found) - n,
            malformed=0,
            null=0,
            details=LazyDetails(len(found), lambda row: _detail(found[row])),
            extra={"n_by_metric": counts},
            counts=counts,
        )


def read_record(line: int, record: Mapping[str, Any]) -> IntentRecord:
    """Raises UserError with the line and the bad field."""
    verdicts = [_verdict(fields.required(record, name, line), name, line) for name in VERDICTS]
    return IntentRecord(line, fields.identity(record, "id", line), *verdicts)


def _verdict(value: object, name: str, line: int) -> bool | None:
    return None if value is None else fields.flag(value, name, line)


def _sums(values: FloatArray) -> FloatArray:
    judged = ~np.isnan(values[:, :2])
    return np.concatenate([np.nan_to_num(values), judged], axis=1)


def _detail(record: IntentRecord) -> Mapping[str, Any]:
    return {
        "record": record.line,
        "id": record.id,
        "status": "scored" if record.complete else "unscored",
        "malformed": False,
        "null": False,
        **dict(zip(METRICS, record.values, strict=True)),
        "why": f"{_why_fulfilled(record)} {_why_relation(record)}",
    }


def _why_fulfilled(record: IntentRecord) -> str:
    if record.fulfilled is None:
        return "No verdict on fulfilment."
    return "Fulfilled." if record.fulfilled else "Not fulfilled."


def _why_relation(record: IntentRecord) -> str:
    if record.forth is None or record.back is None:
        return "No verdicts on both directions."
    if record.forth and record.back:
        return "Each satisfies the other."
    if not record.forth and not record.back:
        return "Neither satisfies the other."
    return (
        "Only the prediction satisfies the reference."
        if record.forth
        else ("Only the reference satisfies the prediction.")
    )
