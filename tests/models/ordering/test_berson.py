"""BERSON: chances that add up, searches against all orders, padding, learning and answers."""

from __future__ import annotations

import json
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from stepscope.core import limits
from stepscope.core.domain.prediction import OrderAnswer, PredictionStatus
from stepscope.core.domain.procedure import ProcedureStep
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.predictor import OrderRequest
from stepscope.core.lazy import lazy_module
from stepscope.models.learned.predictor import vectors_of
from stepscope.models.learned.recipe import Hyper
from stepscope.models.ordering.berson_recipe import RECIPE, BersonRecipe
from stepscope.models.ordering.step_inputs import StepInputs, TextCheckpoint
from stepscope.models.training.examples import MemoryExamples
from stepscope.models.training.loop import fit, outputs_of
from stepscope.models.training.state import TrainingCheckpoint

torch = lazy_module("torch")
decoders = lazy_module("stepscope.models.ordering.berson_decoder")
search = lazy_module("stepscope.models.ordering.berson_search")
pytestmark = pytest.mark.needs("torch", "transformers")


def memory_of(decoder: Any, *counts: int, size: int = 6) -> Any:
    """A drawn memory of procedures of so many steps, with sharp chances."""
    drawn = torch.Generator().manual_seed(1)
    mask = torch.tensor([[float(place < count) for place in range(size)] for count in counts])
    pairs, own = (3 * torch.randn(len(counts), size, size, 8, generator=drawn) for _ in range(2))
    return decoder.memory(pairs, own, mask)


@pytest.fixture
def decoder() -> Any:
    torch.manual_seed(0)
    found = decoders.BersonDecoder(8, 16, 8).eval()
    for parameter in found.parameters():
        parameter.data.mul_(3)
    return found


def chances_of_all(decoder: Any, memory: Any, row: int, count: int) -> dict[tuple[int, ...], float]:
    size = memory.mask.shape[1]
    orders = list(permutations(range(count)))
    padded = torch.tensor([[*one, *[-1] * (size - count)] for one in orders])
    chances = decoder.log_chance(memory.rows(torch.full((len(orders),), row)), padded)
    return dict(zip(orders, chances.tolist(), strict=True))


def test_the_chances_of_all_orders_add_up_to_one(decoder: Any) -> None:
    with torch.inference_mode():
        memory = memory_of(decoder, 5, 3, 1)
        for row, count in enumerate((5, 3, 1)):
            assert sum(map(np.exp, chances_of_all(decoder, memory, row, count).values())) == pytest.approx(1, abs=1e-5)


def test_exact_search_and_wide_beams_find_the_best_of_all_orders(decoder: Any) -> None:
    with torch.inference_mode():
        memory = memory_of(decoder, 6, 4, 1, 0)
        exact, wide, greedy = search.exact(decoder, memory), search.beam(decoder, memory, 720), search.beam(
            decoder, memory, 1
        )  # fmt: skip
        for row, count in enumerate((6, 4, 1)):
            every = chances_of_all(decoder, memory, row, count)
            best = max(every, key=lambda order: every[order])
            for orders, chances in (exact, wide):
                assert tuple(orders[row, :count].tolist()) == best
                assert float(chances[row]) == pytest.approx(every[best], abs=1e-5)
            assert every[tuple(greedy[0][row, :count].tolist())] == pytest.approx(float(greedy[1][row]), abs=1e-5)
        assert exact[0][3].tolist() == [-1] * 6 and float(exact[1][3]) == 0


def test_the_exact_search_finds_what_a_narrow_beam_misses() -> None:
    """Of many drawn memories one at least has its best order behind an unlikely beginning."""
    missed = 0
    with torch.inference_mode():
        for seed in range(12):
            torch.manual_seed(seed)
            decoder = decoders.BersonDecoder(8, 16, 8).eval()
            for parameter in decoder.parameters():
                parameter.data.mul_(4)
            memory = memory_of(decoder, 5)
            found, sure = search.beam(decoder, memory, 1)[1], search.exact(decoder, memory)[1]
            assert float(sure) >= float(found) - 1e-6
            missed += float(sure) > float(found) + 1e-4
    assert missed


def test_relation_loss_by_hand() -> None:
    before = torch.tensor([[[0.0, 2.0], [-1.0, 0.0]]])
    # True order 1, 0: (1, 0) is right and has −1, (0, 1) is wrong and has 2.
    found = decoders.relation_loss(before, torch.tensor([[1, 0]]))
    assert float(found[0]) == pytest.approx((np.log1p(np.exp(1.0)) + np.log1p(np.exp(2.0))) / 2, rel=1e-5)
    padded = torch.nn.functional.pad(before, (0, 1, 0, 1), value=5.0)
    assert float(decoders.relation_loss(padded, torch.tensor([[1, 0, -1]]))[0]) == pytest.approx(float(found[0]))
    assert float(decoders.relation_loss(padded, torch.tensor([[0, -1, -1]]))[0]) == 0


def test_attention_is_that_of_the_layers_as_torch_has_them(decoder: Any) -> None:
    """The layers one by one give what torch's own way through them gives, which keeps no weights."""
    drawn = torch.Generator().manual_seed(2)
    found = torch.randn(2, 5, 16, generator=drawn)
    hidden = torch.tensor([[False] * 5, [False, False, False, True, True]])
    with torch.inference_mode():
        states, looked = decoders.attended(decoder.mix, found, hidden)
        whole = decoder.mix(found, src_key_padding_mask=hidden)
    there = ~hidden
    torch.testing.assert_close(states[there], whole[there], atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(looked.sum(2), torch.ones(2, 5), atol=1e-5, rtol=0)
    assert float(looked[1, :, 3:].abs().sum()) == 0


def test_the_answer_tells_where_steps_looked(added_words: str, inputs: StepInputs) -> None:
    from stepscope.core.evaluation.attention import step_attention

    found, long = answers(RECIPE, inputs, request(3, 1, 2), request(*([1, 2] * 7)))
    looked = step_attention(found.raw, 3)
    assert [sum(row) for row in looked] == pytest.approx([1, 1, 1], abs=1e-3)
    assert step_attention(found.raw, 2) == () and step_attention(long.raw, 14) == ()


@pytest.fixture
def inputs(step_words: Any) -> StepInputs:
    from stepscope.models.encoders.transformers_folder import load_tokenizer

    return StepInputs(load_tokenizer(step_words), TextCheckpoint(step_words, "0"), ())


def config(**more: Any) -> dict[str, Any]:
    return {"encoders": {"texts": "step-words", "views": ""}, "sizes": {"text": 60, "view": 3}, **more}


def request(*numbers: int) -> OrderRequest:
    steps = tuple(ProcedureStep(str(place), f"step {number}") for place, number in enumerate(numbers, start=1))
    return OrderRequest("p", "do it", steps)


def example_of(one: OrderRequest, inputs: StepInputs, recipe: BersonRecipe = RECIPE) -> Any:
    draft = recipe.prepare(one, inputs)
    return recipe.example(draft, vectors_of(inputs, [draft]))


def with_patches(example: Any, seed: int) -> Any:
    drawn = np.random.default_rng(seed)
    count = len(example["lengths"])
    return {
        **example,
        "patches": drawn.normal(size=(count, 4, 3)).astype(np.float16),
        "seen": np.full(count, 4, np.float32),
    }


def test_tokens_of_a_step_have_both_ends(inputs: StepInputs) -> None:
    one = example_of(request(3, 11), inputs)
    assert one["ids"].tolist() == [[1, 5, 9, 2], [1, 5, 17, 2]] and one["lengths"].tolist() == [4, 4]
    assert example_of(request(), inputs)["ids"].shape == (0, 1)


def test_steps_in_a_row_have_one_beginning() -> None:
    from stepscope.models.ordering.step_encoder import joined

    ids = torch.tensor([[[1, 5, 2, 0], [1, 6, 7, 2]], [[1, 8, 2, 0], [0, 0, 0, 0]]])
    found, step_of, source = joined(ids, torch.tensor([[3, 4], [3, 0]]), 0)
    assert found.tolist() == [[1, 5, 2, 6, 7, 2], [1, 8, 2, 0, 0, 0]]
    assert step_of.tolist() == [[0, 0, 0, 1, 1, 1], [0, 0, 0, -1, -1, -1]]
    assert source[0].tolist() == [0, 1, 2, 1, 2, 3]


def test_a_square_grid_of_patches_is_averaged(added_words: str) -> None:
    from stepscope.models.ordering.step_encoder import EncoderShape, StepEncoder

    encoder = StepEncoder(added_words, EncoderShape(layers=1, grid=1, view_size=3))
    patches = torch.arange(12.0).reshape(1, 4, 3)
    assert encoder.places(patches).tolist() == [[[4.5, 5.5, 6.5]]]
    assert len(encoder.model.encoder.layer) == 1


@pytest.mark.parametrize("views", ["", "eyes"])
def test_padding_company_and_the_order_shown_change_nothing(added_words: str, inputs: StepInputs, views: str) -> None:
    torch.manual_seed(0)
    module = RECIPE.network(config() | {"encoders": {"texts": added_words, "views": views}}).eval()
    one, other = (
        with_patches(example_of(request(3, 1, 2), inputs), 0),
        with_patches(example_of(request(*range(7)), inputs), 1),
    )
    alone, beside = outputs_of(RECIPE, module, [one])[0], outputs_of(RECIPE, module, [one, other])[0]
    assert np.allclose(alone[2], beside[2][:3, :3], atol=1e-5)
    assert alone[3].tolist() == beside[3][:3].tolist() and alone[4] == pytest.approx(beside[4], abs=1e-5)
    turned = {name: array[[2, 0, 1]] if array.ndim else array for name, array in one.items()}
    again = outputs_of(RECIPE, module, [turned])[0]
    assert again[4] == pytest.approx(alone[4], abs=1e-5)
    assert [[2, 0, 1][place] for place in again[3]] == alone[3].tolist()
    if views:
        blind = {**one, "patches": one["patches"] * 0 + 1}
        assert not np.allclose(outputs_of(RECIPE, module, [blind])[0][2], alone[2], atol=1e-3)


def test_what_is_left_out_changes_nothing(added_words: str, inputs: StepInputs) -> None:
    one, other = (with_patches(example_of(request(*numbers), inputs), 0) for numbers in ((3, 1, 2), (4, 8, 9)))
    for without, same in ((["texts"], True), ([], False)):
        torch.manual_seed(0)
        made = config(without=without) | {"encoders": {"texts": added_words, "views": "eyes"}}
        first, second = outputs_of(RECIPE, RECIPE.network(made).eval(), [one, other])
        assert np.allclose(first[2], second[2], atol=1e-5) == same


def data(inputs: StepInputs, seed: int, count: int, steps: int = 4) -> MemoryExamples:
    drawn, found = np.random.default_rng(seed), MemoryExamples()
    for _ in range(count):
        numbers = drawn.choice(9, steps, replace=False)
        found.examples.append(example_of(request(*numbers), inputs))
        found.targets.append({"order": np.argsort(numbers)})
    return found


def test_it_learns_to_count(added_words: str, inputs: StepInputs) -> None:
    hyper = Hyper(epochs=4, batch=8, rate=5e-3, patience=4, workers=0, threads=1)
    # Of six steps five are drawn each time.
    *_, done = fit(RECIPE, config(layers=1), hyper, 0, data(inputs, 1, 64, 6), data(inputs, 2, 12, 4))
    assert isinstance(done, TrainingCheckpoint) and done.measure > 0.85


def answers(recipe: BersonRecipe, inputs: StepInputs, *requests: OrderRequest) -> Any:
    torch.manual_seed(0)
    module = recipe.network(config()).eval()
    drafts = [recipe.prepare(one, inputs) for one in requests]
    vectors = vectors_of(inputs, drafts)
    examples = [recipe.example(draft, vectors) for draft in drafts]
    return recipe.answers(drafts, examples, vectors, lambda given: outputs_of(recipe, module, given), {})


def test_answers_are_orders_with_their_relations(added_words: str, inputs: StepInputs) -> None:
    requests = (request(3, 1, 2), request(*range(11), 0, 0), request(1), request())
    few, many, single, none = (one.answer for one in answers(RECIPE, inputs, *requests))
    assert isinstance(few, OrderAnswer) and sorted(few.order) == ["1", "2", "3"]
    table = np.array(few.before)
    assert table.shape == (3, 3) and np.allclose(table + table.T, 1)
    assert sorted(many.order, key=int) == [str(place) for place in range(1, 14)] and many.before == ()
    assert single.order == ("1",) and none.order == ()


def test_a_long_manual_is_put_in_order_as_far_as_is_allowed(
    added_words: str, inputs: StepInputs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "limit", lambda name: {"order-steps": 12}[name])
    long, short = answers(RECIPE, inputs, request(*range(13)), request(*range(12)))
    assert (long.answer, long.status) == (None, PredictionStatus.FAILED)
    assert "It has 13 steps. The limit is 12" in long.why and "--limit-order-steps 24" in long.why
    assert len(short.answer.order) == 12


def test_the_search_is_a_setting(added_words: str, inputs: StepInputs) -> None:
    from stepscope.core.scoring.options import checked

    for given, words in (({"search": "exact"}, "exact search"), ({"beam": "3"}, "beam 3"), ({}, "beam 64")):
        checked("berson", RECIPE.info.settings, given)
        (found,) = answers(RECIPE.set_to(given), inputs, request(3, 1, 2))
        told = json.loads(found.raw)
        assert told["search"] == words and told["order"].split() == list(found.answer.order)
    with pytest.raises(UsageError, match="beam cannot be '0'"):
        checked("berson", RECIPE.info.settings, {"beam": "0"})
