"""The ordering model: its loss against one by hand, padding, learning, answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from stepscope.core.domain.prediction import OrderAnswer
from stepscope.core.domain.procedure import ProcedureStep
from stepscope.core.evaluation.predictor import OrderRequest
from stepscope.core.lazy import lazy_module
from stepscope.models.features.vectors import Features
from stepscope.models.learned.predictor import vectors_of
from stepscope.models.ordering.recipe import RECIPE
from stepscope.models.training.examples import MemoryExamples
from stepscope.models.training.loop import fit, outputs_of
from stepscope.models.training.state import TrainingCheckpoint
from tests.models.plain_encoders import PlainTexts

torch = lazy_module("torch")
pytestmark = pytest.mark.needs("torch")


class Numbers(PlainTexts):
    """A text encoder to whom "step 3" is the third direction and its size."""

    fingerprint = "numbers"

    def embed(self, texts: Sequence[str]) -> Any:
        found = np.zeros((len(texts), 384), np.float32)
        for row, text in enumerate(texts):
            number = int(text.split()[-1]) if text.split()[-1].isdigit() else 0
            found[row, number], found[row, 383] = 1, number / 10
        return found


FEATURES = Features([Numbers()])


def request(*numbers: int, goal: str = "do it") -> OrderRequest:
    steps = tuple(ProcedureStep(str(place), f"step {number}") for place, number in enumerate(numbers, start=1))
    return OrderRequest("p", goal, steps)


def example_of(one: OrderRequest) -> Any:
    draft = RECIPE.prepare(one, FEATURES)
    return RECIPE.example(draft, vectors_of(FEATURES, [draft]))


def test_the_loss_is_the_one_by_hand() -> None:
    from stepscope.models.ordering.network import loss

    before = torch.tensor([[[0.0, 2.0], [-2.0, 0.0]]])
    follows = torch.tensor([[[0.0, 1.0], [0.5, 0.0], [0.3, -0.2]]])
    weight = torch.tensor([0.7])
    # True order 1, 0: the pair (1 before 0) has the logit −2.
    relation = np.log(1 + np.exp(2.0))
    first = {0: 0.3 + 0.7 * 2.0, 1: -0.2 + 0.7 * -2.0}
    pointer = -(first[1] - np.log(np.exp(first[0]) + np.exp(first[1]))) / 2  # the second place has one choice: 0
    found = loss(before, follows, weight, torch.tensor([[1, 0]]))
    assert float(found) == pytest.approx(relation + pointer, rel=1e-5)
    padded = loss(
        torch.nn.functional.pad(before, (0, 1, 0, 1)),
        torch.cat([torch.nn.functional.pad(follows[:, :2], (0, 1)), torch.zeros(1, 1, 3),
                   torch.nn.functional.pad(follows[:, 2:], (0, 1))], dim=1),
        weight,
        torch.tensor([[1, 0, -1]]),
    )  # fmt: skip
    assert float(padded) == pytest.approx(float(found), rel=1e-5)


def test_padding_and_company_change_nothing() -> None:
    torch.manual_seed(0)
    module = RECIPE.network({}).eval()
    alone = outputs_of(RECIPE, module, [example_of(request(3, 1, 2))])[0]
    longer = outputs_of(RECIPE, module, [example_of(request(3, 1, 2)), example_of(request(*range(9)))])[0]
    assert np.allclose(alone[0], longer[0][:3, :3], atol=1e-5)
    assert np.allclose(alone[1][:3], longer[1][:3, :3], atol=1e-5)
    assert np.allclose(alone[1][3], longer[1][9, :3], atol=1e-5)
    assert np.allclose(alone[0], -alone[0].T, atol=1e-6)


def test_it_learns_to_count() -> None:
    def data(seed: int, count: int) -> MemoryExamples:
        seeded_random, found = np.random.default_rng(seed), MemoryExamples()
        for _ in range(count):
            numbers = seeded_random.choice(8, 4, replace=False)
            one = request(*numbers)
            found.examples.append(example_of(one))
            found.targets.append({"order": np.argsort(numbers)})
        return found

    hyper = RECIPE.hyper.__class__(epochs=8, batch=16, rate=3e-3, patience=8)
    *_, done = fit(RECIPE, {}, hyper, 0, data(1, 200), data(2, 50))
    assert isinstance(done, TrainingCheckpoint)
    assert done.measure > 0.95


def answers(*requests: OrderRequest) -> list[OrderAnswer]:
    torch.manual_seed(0)
    module = RECIPE.network({}).eval()
    drafts = [RECIPE.prepare(one, FEATURES) for one in requests]
    vectors = vectors_of(FEATURES, drafts)
    examples = [RECIPE.example(draft, vectors) for draft in drafts]
    found = RECIPE.answers(drafts, examples, vectors, lambda given: outputs_of(RECIPE, module, given), {})
    return [one.answer for one in found]  # type: ignore[misc]


def test_answers_are_orders_with_their_relations() -> None:
    few, many, single, none = answers(request(3, 1, 2), request(*range(40)), request(1), request())
    assert sorted(few.order) == ["1", "2", "3"]
    table = np.array(few.before)
    assert table.shape == (3, 3) and np.allclose(table + table.T, 1)
    assert sorted(many.order, key=int) == [str(place) for place in range(1, 41)] and many.before == ()
    assert single.order == ("1",) and none.order == ()
