"""Orders predicted in an evaluation are judged as the same orders in a file are."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.prediction import GoalAnswer, OrderAnswer, Prediction, PredictionStatus
from stepscope.core.domain.procedure import Procedure, ProcedureStep
from stepscope.core.domain.score import Metrics, Score
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.ordering import METRICS, OrderingScorer
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.registry import score_records, step_metrics
from stepscope.core.scoring.rule import ScoredItem

SCORER = OrderingScorer()
STATUSES = (PredictionStatus.MALFORMED, PredictionStatus.EMPTY, PredictionStatus.FAILED)


def procedure(order: Any, *others: Any, ordered: bool = True) -> Procedure:
    steps = tuple(ProcedureStep(step, f"Do {step}") for step in order)
    return Procedure("p", "test", "Make it", steps, tuple(map(tuple, others)), ordered)


def predicted(order: Any) -> Prediction:
    if isinstance(order, PredictionStatus):
        return Prediction("p", None, None, order, why="It said nothing.")
    return Prediction("p", None, OrderAnswer(tuple(order)))


def judged(reference: Procedure, order: Any, **options: str) -> Score:
    return SCORER.score_item(reference, predicted(order), parse_options(SCORER.info, options))


def metrics(scores: list[Score], **options: str) -> Metrics:
    items = [ScoredItem(str(place), -1, score) for place, score in enumerate(scores)]
    return step_metrics(SCORER, items, parse_options(SCORER.info, options), bootstrap=20)


def test_an_order_by_hand() -> None:
    found = judged(procedure("abcde"), "dbcae")
    assert (found.value, found.why) == (0.6, "3 of 5 positions right.")
    wanted = {"accuracy": 0.6, "pmr": 0, "distance": 1.2, "lcs_subsequence": 3, "lcs_substring": 2, "kendall_tau": 0}
    assert dict(found.parts) == pytest.approx(wanted)
    assert judged(procedure("abcde"), "abcde").right
    assert judged(procedure("abcd", "bacd"), "bacd").right
    assert judged(procedure("abcd", "bacd"), "badc").why.endswith("Against reference 2 of 2.")


@pytest.mark.parametrize("order", [(), "ab", "abb", "abd", "abcd", *STATUSES])
def test_an_order_that_names_not_each_step_once_is_wrong_and_malformed(order: Any) -> None:
    found = judged(procedure("abc"), order)
    assert (found.value, found.malformed) == (0, True)
    assert found.null is (order in STATUSES[1:])
    assert dict(found.parts) == {**dict.fromkeys(METRICS, 0), "distance": 3}


def test_an_answer_to_another_task_is_none() -> None:
    found = SCORER.score_item(procedure("ab"), Prediction("p", None, GoalAnswer("a")), parse_options(SCORER.info, {}))
    assert (found.value, found.malformed, found.null) == (0, True, True)


@pytest.mark.parametrize("reference", [procedure("abc", ordered=False), procedure("")])
def test_without_an_order_nothing_is_scored(reference: Procedure) -> None:
    assert judged(reference, "abc").value is None


@st.composite
def cases(draw: st.DrawFn) -> tuple[tuple[str, ...], list[tuple[str, ...]], Any]:
    ids = tuple(map(str, range(draw(st.integers(1, 6)))))
    order = st.permutations(ids).map(tuple)
    answer = order | st.lists(st.sampled_from((*ids, "x")), max_size=7).map(tuple) | st.sampled_from(STATUSES)
    return draw(order), draw(st.lists(order, max_size=3)), draw(answer)


@given(st.lists(cases(), max_size=6), st.sampled_from(["joint", "per_metric"]))
def test_metrics_are_those_of_the_same_records(found: list[Any], rule: str) -> None:
    scores = [judged(procedure(order, *others), answer, multi_reference=rule) for order, others, answer in found]
    records = [
        {"id": "p", "references": [list(order), *map(list, others)],
         "prediction": None if isinstance(answer, PredictionStatus) else list(answer)}
        for order, others, answer in found
    ]  # fmt: skip
    options = parse_options(SCORER.info, {"multi_reference": rule})
    wanted = score_records(SCORER, Records.of(records), options, bootstrap=20)
    run = metrics(scores, multi_reference=rule)
    assert run.as_dict() == wanted.metrics.as_dict()
    assert (run.n, run.unscored, run.malformed) == (wanted.metrics.n, 0, wanted.metrics.malformed)
    assert run.intervals == wanted.metrics.intervals
    for score, row in zip(scores, wanted.details, strict=True):
        assert dict(score.parts) == {name: row[name] for name in METRICS}
        assert score.right == (row["pmr"] == 1)
