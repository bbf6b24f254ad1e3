"""The `feasibility` protocol: is a command feasible in its app, as MoTIF reports it, for record files and evaluations.

The metrics are in `feasibility_match`; rules and marks in docs/protocols/feasibility.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stepscope.core.domain.episode import Feasibility, FeasibilityLabel, InfeasibilityReason
from stepscope.core.domain.prediction import FeasibilityAnswer, Prediction, Task
from stepscope.core.domain.score import Score, ScoreStatus
from stepscope.core.scoring import fields
from stepscope.core.scoring.ask_content import FindEmbedder, no_embedder
from stepscope.core.scoring.feasibility_match import OUTCOMES, RATIOS, Outcome, average_precision, outcome
from stepscope.core.scoring.infeasible_details import (
    COS_SIM,
    DETAILS,
    METEOR,
    REASON,
    REASONS,
    SAID,
    InfeasibleDetails,
    detail_counts,
    detail_statistics,
    detail_sums,
    details_of,
)
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
from stepscope.core.scoring.statistics import FloatArray, Statistic
from stepscope.core.scoring.tally import IntArray, Tally

FEASIBLE, INFEASIBLE = LABELS = ("feasible", "infeasible")
SHARES = (25, 50, 75)
"""Percent of an episode's steps, after which P(infeasible) is ranked too."""
EARLY = {f"average_precision_{share}": f"score_{share}" for share in SHARES}
"""These metrics, and the part of a score that each ranks by."""

INFO = ProtocolInfo(
    name="feasibility",
    title="MoTIF task feasibility",
    task=Task.FEASIBILITY,
    version="1",
    source="MoTIF (Burns et al. 2022), section 4, and its released evaluation",
    options=(),
    metrics=(*RATIOS, "average_precision"),
    early=(*EARLY, *DETAILS),
    main="f1",
    rules=(
        Rule("Infeasible is the positive class; F1 is the metric that is reported.", "paper"),
        Rule("Precision, recall and accuracy beside it; a ratio whose denominator is 0 is 0.", "code"),
        Rule("A null prediction counts as the wrong class: fn when the reference is infeasible, fp when it is "
             "feasible.", "ours"),
        Rule("A reference other than feasible and infeasible is unscored; a prediction other than these two and null "
             "is bad input.", "ours"),
        Rule("average_precision ranks by score, P(infeasible) from 0 to 1, whatever the prediction says; equal scores "
             "are one threshold. (The released code ranks by hard decisions, and for the other class.)", "ours"),
        Rule("average_precision is null when a scored record has no score, and when no scored reference is infeasible.",
             "ours"),
        Rule("average_precision_25, _50 and _75 rank by P(infeasible) as it was after that share of the steps that "
             "were looked at, rounded up to a whole step: how much is known before the end. They are there where "
             "answers have a curve, and null when one of them has none.", "ours"),
        Rule("Where answers say why a goal is infeasible: reason_accuracy is over infeasible goals with a recorded "
             "reason (impossible, unclear, premature), of which one that was called feasible, and an answer without a "
             "reason, are wrong; reason_f1 is the mean of the reasons' F1 over these goals.", "ours"),
        Rule("Where answers have a follow-up question: question_cos_sim and question_meteor compare it with the "
             "recorded one that is most like it, as the content of ASK is compared; over infeasible goals that were "
             "called so, with a question on both sides.", "ours"),
        Rule("Results are means over ten trainings with different seeds.", "paper"),
        Rule("With the standard deviation over these trainings.", "ours"),
    ),
)  # fmt: skip


class FeasibilityRecord(NamedTuple):
    """True stands for infeasible. `reference` None: unscored. `prediction` None: counts as the wrong class."""

    line: int
    id: fields.Identity
    reference: bool | None
    prediction: bool | None
    score: float | None
    curve: tuple[float, ...] = ()
    details: Mapping[str, float] = MappingProxyType({})


class FeasibilityScorer(RecordScorer, AggregatingScorer):
    """Scorer of `feasibility`, for records and for evaluations."""

    info = INFO

    def __init__(self, embedder: FindEmbedder = no_embedder) -> None:
        """Without `embedder` question_cos_sim has no value."""
        self._embedder = embedder

    def judge(self, records: Records, options: Options) -> RecordScores:
        found = list(records.each(lambda line, form: read_record(line, form, self._embedder)))
        scored = [record for record in found if record.reference is not None]
        part = np.array([record.reference is not None for record in found], dtype=np.bool_)
        columns = [OUTCOMES.index(outcome(bool(record.reference), record.prediction)) for record in scored]
        sums = np.eye(len(OUTCOMES))[np.array(columns, dtype=np.int64)]
        null = sum(record.prediction is None for record in scored)
        return RecordScores(
            tally=_tally(
                sums,
                np.array([bool(record.reference) for record in scored], dtype=np.bool_),
                np.array([record.score for record in scored], dtype=np.float64),
                {
                    metric: np.array([early_score(record.curve, share) for record in scored], dtype=np.float64)
                    for metric, share in zip(EARLY, SHARES, strict=True)
                },
                np.where(part, np.cumsum(part) - 1, -1),
                details := _details(lambda name: _column([record.details for record in scored], name)),
            ),
            n=len(scored),
            unscored=len(found) - len(scored),
            malformed=null,
            null=null,
            details=LazyDetails(len(found), lambda row: _detail(found[row])),
            extra={"confusion": dict(zip(OUTCOMES, sums.sum(axis=0).astype(int).tolist(), strict=True))},
            counts=detail_counts(details),
        )

    def score_item(self, reference: Feasibility, prediction: Prediction, options: Options) -> Score:
        """One episode's label against the predicted one. The parts hold the reference (`infeasible`), the prediction
        (`predicted`), P(infeasible) (`score`) and what it was earlier (`score_25`, …), as far as they are known, and
        what `infeasible_details` has of reason and question."""
        if reference.label is None:
            return Score.unscored("The episode is labelled neither feasible nor infeasible.")
        infeasible = float(reference.label is FeasibilityLabel.INFEASIBLE)
        answer = prediction.answer
        if not isinstance(answer, FeasibilityAnswer):
            return unusable(prediction, infeasible=infeasible, **_reason_of(reference))
        predicted = float(answer.label is FeasibilityLabel.INFEASIBLE)
        parts = {"infeasible": infeasible, "predicted": predicted}
        if answer.score is not None:
            parts["score"] = answer.score
        if answer.curve:
            parts |= {
                part: early_score(answer.curve, share) for part, share in zip(EARLY.values(), SHARES, strict=True)
            }
        parts |= details_of(reference, answer, self._embedder)
        why = f"Predicted {answer.label.value}, reference {reference.label.value}."
        if REASON in parts:
            said = REASONS[int(parts[SAID])].value if SAID in parts else "none"
            why += f" Reason {REASONS[int(parts[REASON])].value}, predicted {said}." if answer.reason else ""
        return Score(ScoreStatus.SCORED, float(predicted == infeasible), why, parts=tuple(parts.items()))

    def tally(self, items: ScoredItems, options: Options) -> tuple[Tally, Mapping[str, int]]:
        """Every item is a unit."""
        infeasible, predicted = items.part("infeasible") == 1.0, items.part("predicted")
        counted = np.where(np.isnan(predicted), ~infeasible, predicted == 1.0)
        of_pair = np.array([[OUTCOMES.index(outcome(a, b)) for b in (False, True)] for a in (False, True)])
        sums = np.eye(len(OUTCOMES))[of_pair[infeasible.astype(np.intp), counted.astype(np.intp)]]
        early = {metric: items.part(part) for metric, part in EARLY.items()}
        details = _details(items.part)
        return _tally(sums, infeasible, items.part("score"), early, np.arange(len(items)), details), detail_counts(
            details
        )


def _reason_of(reference: Feasibility) -> dict[str, float]:
    return {} if reference.reason is None else {REASON: float(REASONS.index(reference.reason))}


def _details(part: Callable[[str], FloatArray]) -> InfeasibleDetails:
    return InfeasibleDetails(part(REASON), part(SAID), part(COS_SIM), part(METEOR))


def _column(rows: Sequence[Mapping[str, float]], name: str) -> FloatArray:
    return np.array([row.get(name, math.nan) for row in rows], np.float64)


def early_score(curve: Sequence[float], share: int) -> float:
    """P(infeasible) after `share` percent of the steps that the curve has, rounded up; NaN where it has none."""
    return curve[math.ceil(len(curve) * share / 100) - 1] if curve else math.nan


def _tally(
    sums: FloatArray,
    infeasible: NDArray[np.bool_],
    ranked: FloatArray,
    early: Mapping[str, FloatArray],
    unit_of: IntArray,
    details: InfeasibleDetails,
) -> Tally:
    """`sums` has a row for each scored item, with a 1 in the column of its outcome; `ranked` are the scores and `early`
    those of `EARLY`, NaN for none."""
    known = {metric: scores for metric, scores in early.items() if not np.isnan(scores).all()}
    further = detail_statistics(details, len(OUTCOMES))
    return Tally(
        sums=np.concatenate([sums, detail_sums(details)], axis=1),
        statistics={**{name: _of_outcomes(one) for name, one in RATIOS.items()}, **further},
        unit_of=unit_of,
        order=(*RATIOS, "average_precision", *known, *further),
        weighted={
            "average_precision": average_precision(infeasible, ranked),
            **{metric: average_precision(infeasible, scores) for metric, scores in known.items()},
        },
        yes_no={"accuracy": sums[:, OUTCOMES.index("tp")] + sums[:, OUTCOMES.index("tn")]},
    )


def _of_outcomes(statistic: Statistic) -> Statistic:
    """The same of sums whose first columns are the outcomes."""
    return lambda sums: statistic(sums[:, : len(OUTCOMES)])


def read_record(line: int, record: Mapping[str, Any], embedder: FindEmbedder = no_embedder) -> FeasibilityRecord:
    """Raises UserError with the line and the bad field. All but `id`, `reference` and `prediction` may be absent."""
    reference = fields.required(record, "reference", line)
    prediction = fields.required(record, "prediction", line)
    if prediction is not None and not _is_label(prediction):
        wrong = f"must be {FEASIBLE}, {INFEASIBLE} or null, not {fields.quoted_value(prediction)}"
        raise fields.bad_field(line, "prediction", wrong)
    return FeasibilityRecord(
        line,
        fields.identity(record, "id", line),
        reference == INFEASIBLE if _is_label(reference) else None,
        None if prediction is None else prediction == INFEASIBLE,
        _score(record.get("score"), line),
        _curve(record.get("curve"), line),
        _read_details(record, line, embedder),
    )


def _read_details(record: Mapping[str, Any], line: int, embedder: FindEmbedder) -> Mapping[str, float]:
    """Reason and question of a record, as those of an item are compared."""
    reason, said = (_reason(record.get(name), name, line) for name in ("reason", "predicted_reason"))
    given = record.get("follow_up")
    follow_up = () if given is None else tuple(
        fields.text(one, "follow_up", line) for one in fields.list_of(given, "follow_up", line)
    )  # fmt: skip
    question = "" if record.get("question") is None else fields.text(record["question"], "question", line)
    if record["reference"] != INFEASIBLE or record["prediction"] is None:
        return {} if reason is None or record["reference"] != INFEASIBLE else {REASON: float(REASONS.index(reason))}
    label = FeasibilityLabel(record["prediction"])
    reference = Feasibility(FeasibilityLabel.INFEASIBLE, reason, follow_up)
    return details_of(reference, FeasibilityAnswer(label, reason=said, question=question), embedder)


def _reason(value: object, name: str, line: int) -> InfeasibilityReason | None:
    return None if value is None else InfeasibilityReason(fields.one_of(value, REASONS, name, line))


def _is_label(value: object) -> bool:
    return isinstance(value, str) and value in LABELS


def _score(value: object, line: int) -> float | None:
    if value is None:
        return None
    score = fields.number(value, "score", line)
    if not 0 <= score <= 1:
        raise fields.bad_field(line, "score", f"must be P(infeasible), from 0 to 1, not {fields.quoted_value(value)}")
    return score


def _curve(value: object, line: int) -> tuple[float, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise fields.bad_field(line, "curve", f"must be a list of numbers, not {fields.quoted_value(value)}")
    numbers = tuple(fields.number(one, "curve", line) for one in value)
    if any(not 0 <= one <= 1 for one in numbers):
        raise fields.bad_field(line, "curve", "must be P(infeasible) after each step, from 0 to 1")
    return numbers


def _detail(record: FeasibilityRecord) -> Mapping[str, Any]:
    """`outcome` is the cell of the confusion that the record counts in."""
    scored = record.reference is not None
    found = outcome(bool(record.reference), record.prediction) if scored else None
    return {
        "record": record.line,
        "id": record.id,
        "status": "scored" if scored else "unscored",
        "malformed": scored and record.prediction is None,
        "null": scored and record.prediction is None,
        "accuracy": None if found is None else float(found in ("tp", "tn")),
        "outcome": found,
        "why": _why(record, found),
    }


def _why(record: FeasibilityRecord, found: Outcome | None) -> str:
    if found is None:
        return "The reference is neither feasible nor infeasible."
    reference = LABELS[bool(record.reference)]
    if record.prediction is None:
        return f"{NO_PREDICTION} It counts as the wrong class; the reference is {reference}."
    return f"Predicted {LABELS[record.prediction]}, reference {reference}."
