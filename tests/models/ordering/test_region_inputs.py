"""Regions in the place of patches: steps with more and fewer of them, none at all, and that they are learned from."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Picture
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.domain.procedure import ProcedureStep
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.predictor import OrderRequest
from stepscope.core.lazy import lazy_module
from stepscope.models.features.regions import DetectorRegions, TreeRegions
from stepscope.models.features.screen_regions import SIZE
from stepscope.models.learned.predictor import vectors_of
from stepscope.models.learned.recipe import Hyper
from stepscope.models.ordering.berson_recipe import RECIPE
from stepscope.models.ordering.step_inputs import StepInputs, TextCheckpoint
from stepscope.models.training.examples import MemoryExamples
from stepscope.models.training.loop import fit, outputs_of
from stepscope.models.training.state import TrainingCheckpoint

torch = lazy_module("torch")
pytestmark = pytest.mark.needs("torch", "transformers")
SCREEN = Size(120, 240)


@pytest.fixture
def inputs(step_words: Any) -> StepInputs:
    from stepscope.models.encoders.transformers_folder import load_tokenizer

    return StepInputs(load_tokenizer(step_words), TextCheckpoint(step_words, "0"), (), regions=TreeRegions())


def tree(*tops: float) -> UITree:
    boxes = [Box(0, top, 60, top + 20, SCREEN) for top in tops]
    return UITree(tuple(UIElement(at, box) for at, box in enumerate(boxes)), TreeOrigin.DETECTOR, SCREEN)


def steps(*trees: UITree | None) -> OrderRequest:
    made = [ProcedureStep(str(at), "step", (), "", one) for at, one in enumerate(trees, start=1)]
    return OrderRequest("p", "do it", tuple(made))


def example_of(request: OrderRequest, inputs: StepInputs) -> Any:
    draft = RECIPE.prepare(request, inputs)
    return RECIPE.example(draft, vectors_of(inputs, [draft]))


def config(texts: str, **more: Any) -> dict[str, Any]:
    return {"encoders": {"texts": texts, "views": "ui-elements"}, "sizes": {"text": 60, "view": SIZE}, **more}


def test_each_step_has_as_many_as_its_tree(inputs: StepInputs) -> None:
    one = example_of(steps(tree(0, 40, 80), None, tree(), tree(20)), inputs)
    assert one["patches"].shape == (4, 3, SIZE) and one["seen"].tolist() == [3, 0, 0, 1]
    assert (inputs.view_size, inputs.fingerprint.rsplit("; ", 1)[-1]) == (SIZE, TreeRegions.fingerprint)


def test_regions_that_there_are_not_change_nothing(added_words: str, inputs: StepInputs) -> None:
    torch.manual_seed(0)
    module = RECIPE.network(config(added_words)).eval()
    one = example_of(steps(tree(0, 40), tree(100), None), inputs)
    other = example_of(steps(*(tree(*range(0, 200, 20)) for _ in range(4))), inputs)
    alone, beside = outputs_of(RECIPE, module, [one])[0], outputs_of(RECIPE, module, [one, other])[0]
    assert np.allclose(alone[2], beside[2][:3, :3], atol=1e-5)
    moved = example_of(steps(tree(0, 40), tree(180), None), inputs)
    assert not np.allclose(outputs_of(RECIPE, module, [moved])[0][2], alone[2], atol=3e-5)


def rows(inputs: StepInputs, seed: int, count: int) -> MemoryExamples:
    """Steps whose words are one another's, each with its element further down than that of the step before."""
    drawn, found = np.random.default_rng(seed), MemoryExamples()
    for _ in range(count):
        tops: Sequence[float] = drawn.choice(11, 4, replace=False) * 20.0
        found.examples.append(example_of(steps(*(tree(top) for top in tops)), inputs))
        found.targets.append({"order": np.argsort(tops)})
    return found


def test_it_learns_where_things_are_and_is_pretrained_on_them(added_words: str, inputs: StepInputs) -> None:
    hyper = Hyper(epochs=4, batch=8, rate=5e-3, patience=4, workers=0, threads=1)
    train, check = rows(inputs, 0, 160), rows(inputs, 1, 32)
    *_, done = fit(RECIPE, config(added_words), hyper, 0, train, check)
    assert isinstance(done, TrainingCheckpoint) and done.measure > 0.9
    assert not any("place" in name for name in done.state), "regions tell their places themselves"
    short = Hyper(epochs=1, batch=8, rate=1e-3, workers=0, threads=1)
    pretraining = RECIPE.pretraining(Hyper(objectives="isp,pisp"), config(added_words))
    pretraining.network(config(added_words, freeze=["^decoder"]))  # what the training has, and this has not
    with pytest.raises(UsageError, match="'nothing' is in no parameter's name"):
        pretraining.network(config(added_words, freeze=["nothing"]))
    *_, before = fit(pretraining, config(added_words), short, 0, train, check)
    assert isinstance(before, TrainingCheckpoint) and RECIPE.begun(before.state)


def test_words_are_left_out_at_times_while_it_learns(added_words: str, inputs: StepInputs) -> None:
    one = example_of(steps(tree(0, 40), tree(100), tree(20)), inputs)
    collated = [torch.from_numpy(array) for array in RECIPE.collate([one] * 400)]
    order = torch.tensor([[2, 0, 1]] * 400)

    def losses(**more: Any) -> Any:
        torch.manual_seed(0)
        module = RECIPE.network(config(added_words, **more)).train()
        for part in module.modules():
            if isinstance(part, torch.nn.Dropout | torch.nn.MultiheadAttention):
                part.p = part.dropout = 0.0
        torch.manual_seed(1)
        with torch.no_grad():
            return module(*collated, order)[1]

    whole, never, always = losses(), losses(drop_texts=0.0), losses(drop_texts=1.0)
    assert torch.equal(whole, never) and torch.allclose(always, losses(without=["texts"]), atol=1e-5)
    some = losses(drop_texts=0.25)
    bare = (some - always).abs() < (some - whole).abs()
    assert 66 <= int(bare.sum()) <= 134  # a hundred within four deviations of 8.7
    module = RECIPE.network(config(added_words, drop_texts=1.0)).eval()
    spoken = outputs_of(RECIPE, module, [one])[0]
    module.dropped = 0.0
    assert np.allclose(outputs_of(RECIPE, module, [one])[0][2], spoken[2]), "asked, it reads the words"


def test_a_detectors_file_is_read_and_another_of_it_may_follow(tmp_path: Path, step_words: Any) -> None:
    """What is kept of answers hangs on the file, what a model was trained on does not."""
    from stepscope.models.encoders.transformers_folder import load_tokenizer

    def with_file(name: str, *numbers: float) -> StepInputs:
        path = tmp_path / f"{name}.tsv"
        packed = [base64.b64encode(np.array(one, "<f4").tobytes()).decode() for one in ([0, 0, 60, 120], numbers)]
        path.write_text("\t".join(("screen", "120", "240", "1", *packed)) + "\n")
        regions = DetectorRegions(path, name)
        return StepInputs(load_tokenizer(step_words), TextCheckpoint(step_words, "0"), (), regions=regions)

    first, second, other = with_file("a", 1, 2), with_file("b", 3, 4), with_file("c", 1, 2, 3)
    picture = Picture(tmp_path / "screen.png", SCREEN)
    asked = OrderRequest("p", "", (ProcedureStep("1", "step", (picture,)), ProcedureStep("2", "step")))
    one = example_of(asked, first)
    assert one["seen"].tolist() == [1, 0] and one["patches"][0, 0].tolist() == [1, 2, 0, 0, 0.5, 0.5, 0.5, 0.5]
    assert first.fingerprint == second.fingerprint != other.fingerprint
    assert first.computed_by != second.computed_by
