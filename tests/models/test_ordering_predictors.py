"""Orders by chance, and that they are no better than chance on the sample."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from stepscope.core.domain.prediction import OrderAnswer
from stepscope.core.domain.procedure import ProcedureStep
from stepscope.core.evaluation.predictor import OrderRequest
from stepscope.models.ordering.floors import RandomOrder, ShownOrderPredictor


def request(procedure: str, steps: int) -> OrderRequest:
    return OrderRequest(procedure, "Make it", tuple(ProcedureStep(str(n + 1), "") for n in range(steps)))


def order(predictor: ShownOrderPredictor | RandomOrder, procedure: str = "p", steps: int = 3) -> tuple[str, ...]:
    found = predictor.predict(request(procedure, steps))
    assert (found.episode, found.step) == (procedure, None)
    assert isinstance(found.answer, OrderAnswer)
    return found.answer.order


def test_as_given_leaves_the_steps_alone() -> None:
    assert order(ShownOrderPredictor(), steps=4) == ("1", "2", "3", "4")
    assert order(ShownOrderPredictor(), steps=0) == ()


def test_random_order_draws_every_order_by_seed_and_procedure() -> None:
    assert order(RandomOrder(seed=1)) == order(RandomOrder(seed=1))
    drawn = Counter(order(RandomOrder(seed=seed)) for seed in range(600))
    assert len(drawn) == 6 and min(drawn.values()) > 70
    assert len({order(RandomOrder(), str(place)) for place in range(100)}) == 6


@pytest.mark.parametrize("model", ["as-given", "random-order"])
def test_both_are_chance_on_the_sample(model: str, run_on_sample: Callable[..., dict[str, Any]]) -> None:
    """Steps are shown shuffled, so that even the order shown is worth as little as a drawn one: tau 0."""
    runs = [run_on_sample(model, "ordering", seed=seed) for seed in range(8)]
    assert {(run["n"], run["malformed"]) for run in runs} == {(52, 0)}
    assert sum(run["kendall_tau"] for run in runs) / len(runs) == pytest.approx(0, abs=0.08)
    assert 0.15 < sum(run["accuracy"] for run in runs) / len(runs) < 0.3
