"""The pretraining: what each objective reads and is asked, by hand; taking turns; going on to the same weights."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.models.learned.recipe import Hyper
from stepscope.models.ordering.berson_recipe import RECIPE
from stepscope.models.ordering.pretraining_objectives import Objective
from stepscope.models.ordering.step_inputs import StepInputs, TextCheckpoint
from stepscope.models.training.loop import fit
from stepscope.models.training.pace import TrainingPace
from stepscope.models.training.state import TrainingCheckpoint
from tests.models.ordering.test_berson import config, data, example_of, request, with_patches

torch = lazy_module("torch")
encoders = lazy_module("stepscope.models.ordering.step_encoder")
pretraining = lazy_module("stepscope.models.ordering.pretraining_network")
pytestmark = pytest.mark.needs("torch", "transformers")

MASK = 3


class Tokens:
    mask_token_id = MASK

    def convert_ids_to_tokens(self, ids: list[int]) -> list[str]:
        return [str(one) for one in ids]


def plain_encoder() -> Any:
    """An encoder that gives back what it is given: patches as they are, words as their number in two dimensions."""

    class Plain(torch.nn.Module):  # type: ignore[misc, name-defined, unused-ignore]
        width, view_size = 2, 2

        def __init__(self) -> None:
            super().__init__()
            self.model = self
            self.table = torch.nn.Embedding(20, 2)
            self.given: list[Any] = []

        def get_input_embeddings(self) -> Any:
            return self.table

        def places(self, patches: Any) -> Any:
            return patches

        def forward(self, rows: Any, *, blank: Any = None) -> Any:
            self.given.append(rows)
            ids, step_of, source = encoders.joined(rows.ids, rows.lengths, 0)
            patches = rows.patches if blank is None else rows.patches.masked_fill(blank.unsqueeze(3), 0.0)
            whole = patches[:, 0, 0]  # of the first picture the first patch
            return encoders.States(whole, self.table(ids), step_of, source, patches)

    return Plain()


def module_of(*objectives: Objective) -> Any:
    torch.manual_seed(0)
    return pretraining.SequencePretraining(plain_encoder(), Tokens(), objectives)


def rows_of(pictures: int = 2, places: int = 3) -> Any:
    ids = torch.tensor([[[1, 5, 6, 2], [1, 7, 2, 0]]])
    patches = torch.arange(pictures * places * 2, dtype=torch.float32).reshape(1, pictures, places, 2) / 10
    return encoders.Rows(ids, torch.tensor([[4, 3]]), patches, torch.full((1, pictures), float(places)))


def test_masked_words_are_guessed_from_what_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    module, rows = module_of(Objective.MLM), rows_of()
    masked = torch.tensor([[False, True, False, False], [False, True, False, False]])
    monkeypatch.setattr(pretraining.draws, "masked_words", lambda *_: masked)
    monkeypatch.setattr(pretraining.draws, "replaced_words", lambda ids, there, mask, _: ids.masked_fill(there, mask))
    found = module._loss(Objective.MLM, rows)
    assert module.encoder.given[0].ids.tolist() == [[[1, MASK, 6, 2], [1, MASK, 2, 0]]]
    state = module.words(module.encoder.table.weight[MASK])
    chances = (state @ module.encoder.table.weight.T + module.bias).log_softmax(0)
    assert found.item() == pytest.approx(-(chances[5] + chances[7]).item() / 2, rel=1e-5)
    assert module.drawn.words == (("1", "3", "6", "2"), ("1", "3", "2")) and module.drawn.masked_words == ((1,), (1,))


@pytest.mark.parametrize("swapped", [True, False])
def test_pictures_that_were_swapped_are_told(monkeypatch: pytest.MonkeyPatch, swapped: bool) -> None:
    module, rows = module_of(Objective.ISP), rows_of()
    source = torch.tensor([1, 0] if swapped else [0, 1])
    monkeypatch.setattr(pretraining.draws, "swapped_pictures", lambda _: (source, swapped))
    found = module._loss(Objective.ISP, rows)
    first = rows.patches[0, 1 if swapped else 0, 0]
    assert torch.equal(module.encoder.given[0].patches[0], rows.patches[0, source])
    logit = module.in_order(first).item()
    assert found.item() == pytest.approx(math.log1p(math.exp(logit if swapped else -logit)), rel=1e-5)  # 1: in order
    assert module.drawn.swapped is swapped
    assert module.drawn.moved_patches[0] == (((0, 1, 0), (1, 1, 1), (2, 1, 2)) if swapped else ())


def test_patches_that_were_swapped_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    module, rows = module_of(Objective.PISP), rows_of()
    source = torch.tensor([[5, 1, 2], [3, 4, 0]])  # the first of the first picture against the last of the second
    monkeypatch.setattr(pretraining.draws, "swapped_patches", lambda *_: (source, True))
    found = module._loss(Objective.PISP, rows)
    read = module.encoder.given[0].patches[0]
    assert torch.equal(read[0, 0], rows.patches[0, 1, 2]) and torch.equal(read[1, 2], rows.patches[0, 0, 0])
    logit = module.pieces_in_order(rows.patches[0, 1, 2]).item()
    assert found.item() == pytest.approx(math.log1p(math.exp(logit)), rel=1e-5)
    assert module.drawn.moved_patches == (((0, 1, 2),), ((2, 0, 0),))


def test_a_procedure_with_one_picture_is_not_asked_about_swaps() -> None:
    module, rows = module_of(Objective.ISP), rows_of()
    alone = replace(rows, seen=torch.tensor([[3.0, 0.0]]))
    assert module._loss(Objective.ISP, alone).item() == 0


def test_pictures_that_change_places_take_their_number_of_regions_along(monkeypatch: pytest.MonkeyPatch) -> None:
    module, rows = module_of(Objective.ISP), rows_of()
    monkeypatch.setattr(pretraining.draws, "swapped_pictures", lambda _: (torch.tensor([1, 0]), True))
    module._loss(Objective.ISP, replace(rows, seen=torch.tensor([[3.0, 1.0]])))
    assert module.encoder.given[0].seen.tolist() == [[1.0, 3.0]]
    assert torch.equal(module.encoder.given[0].patches[0, 0], rows.patches[0, 1])
    assert module.drawn.places == (3, 1), "what is drawn has as many as each picture had"


def test_masked_regions_are_found_among_what_was_masked(monkeypatch: pytest.MonkeyPatch) -> None:
    module, rows = module_of(Objective.SMRM), rows_of()
    masked = torch.tensor([[True, False, False], [False, True, False]])
    monkeypatch.setattr(pretraining.draws, "masked_regions", lambda *_: masked)
    turned = (torch.tensor([[1, 0], [0, 1]]), torch.tensor([1, 1]))  # each with its candidates in its own order
    monkeypatch.setattr(pretraining.draws, "shuffled_candidates", lambda _: turned)
    found = module._loss(Objective.SMRM, rows)
    candidates = [rows.patches[0, 0, 0], rows.patches[0, 1, 1]]
    losses = []
    for own in (0, 1):
        scores = torch.cat([module.same(torch.cat([torch.zeros(2), one])) for one in candidates])  # masked: zeros
        losses.append(-scores.log_softmax(0)[own].item())
    assert found.item() == pytest.approx(sum(losses) / 2, rel=1e-5)
    assert module.drawn.masked_patches == ((0,), (1,))


def test_objectives_take_turns_and_steps_stand_in_the_right_order() -> None:
    module = module_of(*Objective)
    seen: list[Objective] = []
    module._loss = lambda objective, rows: (seen.append(objective), rows.patches.sum() * 0)[1]
    ids = torch.arange(12).reshape(1, 4, 3)
    order = torch.tensor([[2, 0, 3, 1]])
    patches = torch.zeros(1, 4, 3, 2)
    for _ in range(2000):
        module(ids, torch.full((1, 4), 3), patches, torch.full((1, 4), 3.0), torch.zeros(1), order)
    counts = Counter(seen)
    # A quarter of 2,000 within four deviations.
    assert set(counts) == set(Objective) and all(abs(one - 500) < 78 for one in counts.values())
    firsts = [2, 0, 3, 1]
    for _ in range(50):
        rows = module._ordered(ids, torch.full((1, 4), 3), patches, torch.full((1, 4), 3.0), order)
        read = [int(one) // 3 for one in rows.ids[0, :, 0]]
        assert 2 <= len(read) <= 4 and [firsts.index(one) for one in read] == sorted(map(firsts.index, read))


@pytest.fixture
def inputs(step_words: Path) -> StepInputs:
    from stepscope.models.encoders.transformers_folder import load_tokenizer

    return StepInputs(load_tokenizer(step_words), TextCheckpoint(step_words, "0"), ())


def pretrained(inputs: StepInputs, folder: Path | None, stop_after: int = 0) -> TrainingCheckpoint:
    hyper = Hyper(epochs=2, batch=4, rate=3e-3, workers=0)
    made = config() | {"encoders": {"texts": "step-words", "views": "eyes"}}
    train, check = data(inputs, 1, 12), data(inputs, 2, 4)
    for kept in (train, check):
        kept.examples[:] = [with_patches(one, place) for place, one in enumerate(kept.examples)]
    token = CancelToken()
    for place, event in enumerate(
        fit(RECIPE.pretraining(hyper, made), made, hyper, 0, train, check, folder=folder, token=token)
    ):
        if stop_after and place + 1 == stop_after:
            token.cancel()
        if isinstance(event, TrainingPace):
            assert event.drawn is not None and event.drawn.objective in list(Objective)
    assert isinstance(event, TrainingCheckpoint)
    return event


def test_a_pretraining_that_was_stopped_ends_with_the_same_weights(
    added_words: str, inputs: StepInputs, tmp_path: Path
) -> None:
    whole = pretrained(inputs, None)
    stopped = pretrained(inputs, tmp_path, stop_after=1)
    assert len(stopped.history) < 2
    done = pretrained(inputs, tmp_path)
    assert done.state.keys() == whole.state.keys()
    assert all(torch.allclose(done.state[name], one, atol=1e-6) for name, one in whole.state.items())
    begun = RECIPE.begun(whole.state)
    fresh = RECIPE.network(config() | {"encoders": {"texts": "step-words", "views": "eyes"}}).state_dict()
    assert begun and all(name in fresh and fresh[name].shape == one.shape for name, one in begun.items())


def test_a_training_begins_with_what_it_is_given(added_words: str, inputs: StepInputs) -> None:
    state = RECIPE.network(config()).state_dict()
    begin = {name: torch.full_like(one, 0.01) for name, one in state.items() if name.startswith("encoder.modality")}
    hyper = Hyper(epochs=1, batch=4, rate=0.0, weight_decay=0.0, workers=0)
    *_, done = fit(RECIPE, config(), hyper, 0, data(inputs, 1, 4), data(inputs, 2, 2), begin=begin)
    assert isinstance(done, TrainingCheckpoint)
    assert torch.equal(done.state["encoder.modality.weight"], begin["encoder.modality.weight"])


def test_words_cannot_be_masked_without_a_sign_for_it(
    added_words: str, monkeypatch: pytest.MonkeyPatch, step_words: Path
) -> None:
    from stepscope.models.encoders import transformers_folder

    tokenizer = transformers_folder.load_tokenizer(step_words)
    monkeypatch.setattr(tokenizer, "mask_token", None)
    monkeypatch.setattr(transformers_folder, "load_tokenizer", lambda _folder: tokenizer)
    with pytest.raises(UserError, match="no sign that masks a word"):
        RECIPE.pretraining(Hyper(), config()).network(config())


def test_numbers_of_an_epoch_are_shares_of_what_it_should_be(added_words: str, inputs: StepInputs) -> None:
    recipe = RECIPE.pretraining(Hyper(objectives="mlm"), config())
    found = recipe.measure([(np.float32(2.0),), (np.float32(4.0),)], [], {})
    assert found == pytest.approx(math.exp(-3))
    assert example_of(request(1, 2), inputs)["patches"].shape == (2, 1, inputs.view_size)
