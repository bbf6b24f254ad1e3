"""`position-prior`: words as buckets, the line that is learned against the one by hand, answers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from stepscope.core.domain.prediction import OrderAnswer
from stepscope.core.domain.procedure import ProcedureStep
from stepscope.core.evaluation.predictor import OrderRequest
from stepscope.core.lazy import lazy_module
from stepscope.models.features.vectors import Features, Vectors
from stepscope.models.ordering.position_recipe import RECIPE
from stepscope.models.ordering.position_words import WORDS, buckets
from stepscope.models.training.examples import MemoryExamples
from stepscope.models.training.loop import fit, outputs_of
from stepscope.models.training.state import TrainingCheckpoint

torch = lazy_module("torch")
pytestmark = pytest.mark.needs("torch")

FEATURES, VECTORS = Features([]), Vectors({}, {})


def request(*texts: str) -> OrderRequest:
    return OrderRequest("p", "do it", tuple(ProcedureStep(str(place), text) for place, text in enumerate(texts, 1)))


def example(*texts: str) -> dict[str, np.ndarray]:
    return dict(RECIPE.example(RECIPE.prepare(request(*texts), FEATURES), VECTORS))


def test_a_step_is_its_beginning_and_its_words_each_once() -> None:
    first, same, other, empty = buckets(["Open the the app", "open THE app!", "the app open", ""])
    assert (first == same).all() and (first > 0).sum() == 5  # begins: open; open the. Words: open, the, app
    assert set(first[2:5]) == set(other[2:5]) and not set(first[:2]) & set(other[:2])
    assert not empty.any()
    assert (buckets(["word " * 5 + " ".join(map(str, range(99)))]) > 0).sum() <= WORDS


def test_the_loss_is_the_one_by_hand() -> None:
    from stepscope.models.ordering.position_network import loss

    (wanted,) = RECIPE.collate_targets([{"order": np.array([2, 0, 1])}, {"order": np.array([1, 0])}], {})
    assert wanted.tolist() == [[0.5, 1.0, 0.0], [1.0, 0.0, -1.0]]
    places = torch.tensor([[0.5, 0.5, 0.5], [0.0, 0.0, 9.0]])
    assert float(loss(places, torch.from_numpy(wanted))) == pytest.approx((0 + 0.25 + 0.25 + 1 + 0) / 5)


def test_what_is_learned_is_the_ridge_regression_of_places() -> None:
    """Three steps of one word each: a word's place is the mean one, drawn to the middle."""
    shown = example("open", "tap", "save")
    orders = ((0, 1, 2), (0, 1, 2), (0, 2, 1), (1, 0, 2))  # open is first three times of four
    (wanted,) = RECIPE.collate_targets([{"order": np.array(order)} for order in orders], {})
    module, decay = RECIPE.network({}), 0.1
    optimizer = torch.optim.SGD(module.parameters(), lr=0.5, weight_decay=decay)
    inputs = [torch.from_numpy(array) for array in RECIPE.collate([shown] * len(orders))]
    for _ in range(200):
        optimizer.zero_grad()
        RECIPE.loss([module(*inputs)], [torch.from_numpy(wanted)], {}).backward()
        optimizer.step()
    (found,) = outputs_of(RECIPE, module, [shown])[0]
    means = np.array([0.5, 0.5 * 2 + 1, 1 * 3 + 0.5]) / 4
    # A word is in two buckets, each with the number w; 4 of the 12 steps have it: its place is 0.5 + √2 w. The slope
    # of the mean square and of the ridge for each bucket, 2/3 (√2 w + 0.5 - mean) / √2 + decay w, is 0 where
    share = (2 / 3) / (2 / 3 + decay)
    assert found == pytest.approx(0.5 + share * (means - 0.5), abs=1e-3)


def test_it_learns_what_stands_first() -> None:
    data = MemoryExamples()
    for thing in ("mail", "clock", "map", "notes"):
        data.examples.append(example(f"save the {thing}", f"open the {thing}", f"edit the {thing}"))
        data.targets.append({"order": np.array([1, 2, 0])})
    hyper = replace(RECIPE.hyper, epochs=5)
    *_, done = fit(RECIPE, {}, hyper, 0, data, data)
    assert isinstance(done, TrainingCheckpoint)
    module = RECIPE.network({})
    module.load_state_dict(done.state)
    (places,) = outputs_of(RECIPE, module, [example("open a door", "save a door")])[0]
    assert done.measure == 1 and places[0] < 0.5 < places[1]


def test_answers_are_sorted_by_place_and_tell_it() -> None:
    requests = [request("b", "a"), request("only"), request(), request("same", "same")]
    drafts = [RECIPE.prepare(one, FEATURES) for one in requests]
    examples = [RECIPE.example(draft, VECTORS) for draft in drafts]

    def run(given):  # type: ignore[no-untyped-def]
        return [(np.array([0.9, 0.2, 0.0]),) for _ in given]

    two, one, none, same = RECIPE.answers(drafts, examples, VECTORS, run, {})
    assert [found.answer for found in (two, one, none)] == [
        OrderAnswer(("2", "1")), OrderAnswer(("1",)), OrderAnswer(()),
    ]  # fmt: skip
    assert two.raw == "2:0.200 1:0.900"
    module = RECIPE.network({})
    (places,) = outputs_of(RECIPE, module, [examples[3]])[0]
    assert places.tolist() == [0.5, 0.5] and same.answer is not None
