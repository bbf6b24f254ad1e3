"""The `goal_text` protocol: predicted goals beside the recorded ones, as texts, for record files and evaluations.

What it gives are no verdicts on meaning: those need judges, whose verdicts `intent` counts. The measures are in
`goal_text_match`; rules and marks in docs/protocols/goal_text.md.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from stepscope.core.domain.prediction import GoalAnswer, Prediction, Task
from stepscope.core.domain.score import Score, ScoreStatus
from stepscope.core.scoring import fields
from stepscope.core.scoring.goal_text_match import METRICS, TextSimilarity, likeness
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
from stepscope.core.scoring.statistics import FloatArray, ratio
from stepscope.core.scoring.tally import IntArray, Tally

INFO = ProtocolInfo(
    name="goal_text",
    title="Goals compared as texts",
    task=Task.GOAL,
    version="1",
    source="This project; ROUGE-L as the rouge-score library has it",
    options=(),
    metrics=METRICS,
    main="rouge_l",
    rules=(
        Rule("Texts are compared, not what they mean: these are no verdicts on whether one goal satisfies another, "
             "which are what papers report (see intent).", "ours"),
        Rule("exact: the same words in the same order; case, punctuation, white space and compatibility forms of "
             "letters are evened out.", "ours"),
        Rule("rouge_l: F of the longest common subsequence of words, stemmed, as the rouge-score library computes it; "
             "it knows the letters a to z and digits only. An exact text has 1.", "ours"),
        Rule("token_f1: F of the words that both have, each as often as both have it, evened out as for exact.",
             "ours"),
        Rule("A null prediction has 0 in all three. A reference that is null or blank is unscored.", "ours"),
        Rule("In an evaluation the value of an item is 1 where it is exact, else rouge_l, which then counts as below "
             "1. Where the agent was told less than the full goal, the full goal is the reference.", "ours"),
    ),
)  # fmt: skip

_STATISTICS = {name: ratio(column, len(METRICS)) for column, name in enumerate(METRICS)}
_NOTHING = TextSimilarity(0.0, 0.0, 0.0)
_BELOW_1 = math.nextafter(1.0, 0.0)


class GoalTextRecord(NamedTuple):
    """`reference` None: unscored. `prediction` None: there is none."""

    line: int
    id: fields.Identity
    reference: str | None
    prediction: str | None

    @property
    def values(self) -> TextSimilarity | None:
        if self.reference is None:
            return None
        return _NOTHING if self.prediction is None else likeness(self.reference, self.prediction)


class GoalTextScorer(RecordScorer, AggregatingScorer):
    """Scorer of `goal_text`, for records and for evaluations."""

    info = INFO

    def judge(self, records: Records, options: Options) -> RecordScores:
        found = [(record, record.values) for record in records.each(read_record)]
        scored = [values for _, values in found if values is not None]
        part = np.array([values is not None for _, values in found], dtype=np.bool_)
        null = sum(values is not None and record.prediction is None for record, values in found)
        return RecordScores(
            tally=_tally(np.array(scored, dtype=np.float64), np.where(part, np.cumsum(part) - 1, -1)),
            n=len(scored),
            unscored=len(found) - len(scored),
            malformed=null,
            null=null,
            details=LazyDetails(len(found), lambda row: _detail(*found[row])),
        )

    def score_item(self, reference: str, prediction: Prediction, options: Options) -> Score:
        """The predicted goal beside the recorded one; the parts are the three metrics."""
        if not reference.strip():
            return Score.unscored("The episode has no goal.")
        if not isinstance(prediction.answer, GoalAnswer):
            return unusable(prediction, **_NOTHING._asdict())
        found = likeness(reference, prediction.answer.text)
        # Stems, and letters that ROUGE does not know, give 1 to texts that are not the same.
        value = found.exact or min(found.rouge_l, _BELOW_1)
        return Score(ScoreStatus.SCORED, value, _why(found), parts=tuple(found._asdict().items()))

    def tally(self, items: ScoredItems, options: Options) -> tuple[Tally, Mapping[str, int]]:
        """Every item is a unit."""
        return _tally(items.parts(*METRICS), np.arange(len(items))), {}


def read_record(line: int, record: Mapping[str, Any]) -> GoalTextRecord:
    """Raises UserError with the line and the bad field."""
    reference = fields.required(record, "reference", line)
    prediction = fields.required(record, "prediction", line)
    wanted = None if reference is None else fields.text(reference, "reference", line)
    return GoalTextRecord(
        line,
        fields.identity(record, "id", line),
        wanted if wanted and wanted.strip() else None,
        None if prediction is None else fields.text(prediction, "prediction", line),
    )


def _tally(values: FloatArray, unit_of: IntArray) -> Tally:
    """`values` has a row for each scored item, the columns being the metrics."""
    rows = values.reshape(-1, len(METRICS))
    sums = np.column_stack([rows, np.ones(len(rows))])
    return Tally(sums, _STATISTICS, unit_of, yes_no={"exact": rows[:, METRICS.index("exact")]})


def _detail(record: GoalTextRecord, found: TextSimilarity | None) -> Mapping[str, Any]:
    null = found is not None and record.prediction is None
    return {
        "record": record.line,
        "id": record.id,
        "status": "unscored" if found is None else "scored",
        "malformed": null,
        "null": null,
        **(dict.fromkeys(METRICS) if found is None else found._asdict()),
        "why": "No reference goal." if found is None else NO_PREDICTION if null else _why(found),
    }


def _why(found: TextSimilarity) -> str:
    if found.exact:
        return "The same words as the recorded goal."
    return f"Like the recorded goal by ROUGE-L {found.rouge_l:.2f}, shared words {found.token_f1:.2f}."
