"""`feasibility` beyond the label: reasons and follow-up questions, worked out by hand, by records and by items."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from stepscope.core.domain.episode import Feasibility, FeasibilityLabel, InfeasibilityReason
from stepscope.core.domain.prediction import FeasibilityAnswer, Prediction
from stepscope.core.errors import UserError
from stepscope.core.scoring.feasibility import FeasibilityScorer
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.registry import score_records, step_metrics
from stepscope.core.scoring.rule import ScoredItem

YES, NO = FeasibilityLabel.FEASIBLE, FeasibilityLabel.INFEASIBLE
IMPOSSIBLE, UNCLEAR, PREMATURE = InfeasibilityReason


class Letters:
    """A sentence is where it has an a, a b, a c."""

    name = "letters"

    def embed(self, texts: Sequence[str]) -> Any:
        rows = np.array([[text.count(letter) for letter in "abc"] for text in texts], np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


SCORER = FeasibilityScorer(Letters)


def record(reference: Any, prediction: Any, **more: Any) -> dict[str, Any]:
    return {"id": "a", "reference": reference, "prediction": prediction, **more}


RECORDS = [
    record("infeasible", "infeasible", reason="impossible", predicted_reason="impossible"),
    record("infeasible", "infeasible", reason="impossible", predicted_reason="unclear"),
    record("infeasible", "infeasible", reason="premature", predicted_reason="premature", follow_up=["ab", "c"],
           question="abb"),
    record("infeasible", "feasible", reason="premature", predicted_reason="premature"),  # not called infeasible: wrong
    record("infeasible", None, reason="unclear"),  # no answer: wrong
    record("infeasible", "infeasible", predicted_reason="unclear", follow_up=["a"]),  # nobody says why: not counted
    record("feasible", "infeasible", predicted_reason="unclear", question="a"),
]  # fmt: skip


def test_reasons_and_questions_by_hand() -> None:
    found = score_records(SCORER, Records.of(RECORDS), {})
    values = found.metrics.as_dict()
    assert values["reason_accuracy"] == pytest.approx(2 / 5)
    # impossible: right 1, said 1, meant 2; unclear: 0, 1, 1; premature: 1, 1, 2
    assert values["reason_f1"] == pytest.approx((2 / 3 + 0 + 2 / 3) / 3)
    cosine = (1 * 1 + 1 * 2) / (np.sqrt(2) * np.sqrt(5))
    assert values["question_cos_sim"] == pytest.approx(cosine), "the recorded one that is most like it counts"
    counts = dict(found.metrics.counts)
    assert (counts["reason_accuracy"], counts["reason_f1"], counts["question_cos_sim"]) == (5, 5, 1)
    assert list(values)[:5] == ["f1", "precision", "recall", "accuracy", "average_precision"]


def test_without_reasons_and_questions_there_are_no_such_metrics() -> None:
    plain = [{name: one[name] for name in ("id", "reference", "prediction")} for one in RECORDS]
    found = score_records(SCORER, Records.of(plain), {}).metrics
    assert list(found.as_dict()) == ["f1", "precision", "recall", "accuracy", "average_precision"]
    same = score_records(SCORER, Records.of(RECORDS), {}).metrics.as_dict()
    assert {name: same[name] for name in ("f1", "accuracy")} == {
        name: found.as_dict()[name] for name in ("f1", "accuracy")
    }


def test_items_say_the_same() -> None:
    scores = []
    for number, one in enumerate(RECORDS):
        reason = InfeasibilityReason(one["reason"]) if "reason" in one else None
        reference = Feasibility(FeasibilityLabel(one["reference"]), reason, tuple(one.get("follow_up", ())))
        said = one.get("predicted_reason")
        answer = None if one["prediction"] is None else FeasibilityAnswer(
            FeasibilityLabel(one["prediction"]), reason=InfeasibilityReason(said) if said else None,
            question=one.get("question", ""),
        )  # fmt: skip
        prediction = (
            Prediction(str(number), None, answer) if answer is not None
            else Prediction(str(number), None, None, status="empty")  # type: ignore[arg-type]
        )  # fmt: skip
        scores.append(ScoredItem(str(number), -1, SCORER.score_item(reference, prediction, {})))
    assert (
        step_metrics(SCORER, scores, {}).as_dict() == score_records(SCORER, Records.of(RECORDS), {}).metrics.as_dict()
    )
    assert scores[1].score.why.endswith("Reason impossible, predicted unclear.")


@pytest.mark.parametrize(
    ("more", "words"),
    [({"reason": "dull"}, "reason"), ({"predicted_reason": 3}, "predicted_reason"), ({"follow_up": "a"}, "follow_up")],
)
def test_bad_fields_are_named(more: dict[str, Any], words: str) -> None:
    with pytest.raises(UserError, match=words):
        score_records(SCORER, Records.of([record("infeasible", "infeasible", **more)]), {})
