"""`pairwise-topological`: its loss against one by hand, padding, learning, answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from stepscope.core.domain.prediction import OrderAnswer
from stepscope.core.lazy import lazy_module
from stepscope.models.learned.predictor import vectors_of
from stepscope.models.ordering.topological_recipe import RECIPE
from stepscope.models.training.examples import MemoryExamples
from stepscope.models.training.loop import fit, outputs_of
from stepscope.models.training.state import TrainingCheckpoint
from tests.models.ordering.test_recipe import FEATURES, request

torch = lazy_module("torch")
pytestmark = pytest.mark.needs("torch")


def example_of(*numbers: int) -> Any:
    draft = RECIPE.prepare(request(*numbers), FEATURES)
    return RECIPE.example(draft, vectors_of(FEATURES, [draft]))


def test_the_loss_is_the_one_by_hand() -> None:
    from stepscope.models.ordering.pair_network import loss

    before = torch.tensor([[[0.0, 2.0, 9.0], [-2.0, 0.0, 9.0], [-9.0, -9.0, 0.0]]] * 2)
    # As recorded: 1, 0 (a pair with the logit −2; the third is padding), and 0, 1, 2 (2, 9 and 9).
    found = loss(before, torch.tensor([[1, 0, -1], [0, 1, 2]]))
    wanted = np.log1p(np.exp([2.0, -2.0, -9.0, -9.0])).mean()
    assert float(found) == pytest.approx(wanted, rel=1e-5)


def test_a_pair_knows_of_no_third_step() -> None:
    torch.manual_seed(0)
    module = RECIPE.network({}).eval()
    alone = outputs_of(RECIPE, module, [example_of(3, 1)])[0][0]
    more = outputs_of(RECIPE, module, [example_of(3, 1), example_of(3, 1, *range(7))])
    assert np.allclose(alone, more[0][0][:2, :2], atol=1e-5)
    assert np.allclose(alone, more[1][0][:2, :2], atol=1e-5)
    assert np.allclose(more[1][0], -more[1][0].T, atol=1e-6) and np.abs(alone[0, 1]) > 0


def test_it_learns_to_count() -> None:
    def data(seed: int, count: int) -> MemoryExamples:
        seeded_random, found = np.random.default_rng(seed), MemoryExamples()
        for _ in range(count):
            numbers = seeded_random.choice(8, 4, replace=False)
            found.examples.append(example_of(*numbers))
            found.targets.append({"order": np.argsort(numbers)})
        return found

    hyper = RECIPE.hyper.__class__(epochs=6, batch=16, rate=3e-3, patience=8)
    *_, done = fit(RECIPE, {}, hyper, 0, data(1, 150), data(2, 40))
    assert isinstance(done, TrainingCheckpoint)
    assert done.measure > 0.95


def test_answers_are_orders_with_their_relations() -> None:
    torch.manual_seed(0)
    module = RECIPE.network({}).eval()
    drafts = [RECIPE.prepare(request(*numbers), FEATURES) for numbers in ((3, 1, 2), range(20), (1,), ())]
    vectors = vectors_of(FEATURES, drafts)
    examples = [RECIPE.example(draft, vectors) for draft in drafts]
    found = RECIPE.answers(drafts, examples, vectors, lambda given: outputs_of(RECIPE, module, given), {})
    few, many, single, none = (one.answer for one in found)
    assert isinstance(few, OrderAnswer) and isinstance(many, OrderAnswer)
    table = np.array(few.before)
    assert sorted(few.order) == ["1", "2", "3"] and np.allclose(table + table.T, 1)
    assert sorted(many.order, key=int) == [str(place) for place in range(1, 21)] and many.before == ()
    assert (single, none) == (OrderAnswer(("1",), ((0.5,),)), OrderAnswer(()))
