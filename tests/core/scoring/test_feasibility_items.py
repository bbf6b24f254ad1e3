"""Labels predicted in an evaluation are judged as the same labels in a file are."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.episode import Feasibility, FeasibilityLabel
from stepscope.core.domain.prediction import FeasibilityAnswer, Prediction, PredictionStatus
from stepscope.core.domain.score import Score, ScoreStatus
from stepscope.core.scoring.feasibility import FeasibilityScorer
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.registry import score_records, step_metrics
from stepscope.core.scoring.rule import ScoredItem

SCORER = FeasibilityScorer()
YES, NO = FeasibilityLabel.INFEASIBLE, FeasibilityLabel.FEASIBLE


def judged(reference: FeasibilityLabel | None, label: FeasibilityLabel | None, score: float | None = None) -> Score:
    if label is None:
        prediction = Prediction("e", None, None, PredictionStatus.MALFORMED, why="It said maybe.")
    else:
        prediction = Prediction("e", None, FeasibilityAnswer(label, score))
    return SCORER.score_item(Feasibility(reference), prediction, {})


def test_an_episode_by_hand() -> None:
    right = judged(YES, YES, 0.9)
    assert (right.value, right.why) == (1, "Predicted infeasible, reference infeasible.")
    assert dict(right.parts) == {"infeasible": 1, "predicted": 1, "score": 0.9}
    assert (judged(NO, YES).value, dict(judged(NO, YES).parts)) == (0, {"infeasible": 0, "predicted": 1})
    assert judged(None, YES).status is ScoreStatus.UNSCORED


@pytest.mark.parametrize("reference", [YES, NO])
def test_no_usable_answer_is_the_wrong_class(reference: FeasibilityLabel) -> None:
    found = judged(reference, None)
    assert (found.value, found.malformed, found.null, found.why) == (0, True, False, "It said maybe.")
    metrics = step_metrics(SCORER, [ScoredItem("e", -1, found)], {}).as_dict()
    assert (metrics["accuracy"], metrics["f1"]) == (0, 0)


def test_an_answer_with_a_curve_is_ranked_as_it_was_on_the_way_too() -> None:
    def item(name: str, reference: FeasibilityLabel, curve: tuple[float, ...]) -> ScoredItem:
        answer = FeasibilityAnswer(YES, curve[-1], curve)
        return ScoredItem(name, -1, SCORER.score_item(Feasibility(reference), Prediction(name, None, answer), {}))

    items = [item("a", YES, (0.2, 0.6, 0.6, 0.9)), item("b", NO, (0.5, 0.5, 0.5, 0.1))]
    assert dict(items[0].score.parts)["score_50"] == 0.6
    metrics = step_metrics(SCORER, items, {}, bootstrap=20)
    found = metrics.as_dict()
    assert [found[f"average_precision_{share}"] for share in (25, 50, 75)] == [0.5, 1.0, 1.0]
    assert dict(metrics.intervals).keys() >= {"average_precision_25", "average_precision"}


LABELS = st.none() | st.sampled_from([YES, NO])
ROWS = st.lists(st.tuples(LABELS, st.sampled_from([YES, NO]), st.sampled_from([0.0, 0.25, 0.5, 1.0])), max_size=20)


@given(ROWS, st.booleans())
def test_metrics_are_those_of_the_same_records(rows: list[Any], ranked: bool) -> None:
    items, records = [], []
    for number, (reference, label, score) in enumerate(rows):
        score = score if ranked else None
        items.append(ScoredItem(str(number), -1, judged(reference, label, score)))
        records.append({"id": number, "reference": reference, "prediction": label.value, "score": score})
    wanted = score_records(SCORER, Records.of(records), {}, bootstrap=10)
    assert step_metrics(SCORER, items, {}, bootstrap=10) == wanted.metrics


@given(st.lists(st.tuples(LABELS, LABELS), max_size=20))
def test_unusable_answers_count_the_same(rows: list[Any]) -> None:
    items = [ScoredItem(str(number), -1, judged(*row)) for number, row in enumerate(rows)]
    records = [{"id": 0, "reference": reference, "prediction": label} for reference, label in rows]
    wanted = score_records(SCORER, Records.of(records), {}).metrics
    found = step_metrics(SCORER, items, {})
    assert (found.values, found.n, found.malformed) == (wanted.values, wanted.n, wanted.malformed)
