"""Pictures that are learned from: packed, unpacked where batches are made, through an encoder whose weights change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stepscope.core.domain.episode import Picture
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.procedure import ProcedureStep
from stepscope.core.evaluation.predictor import OrderRequest
from stepscope.core.imaging.draw import encode_png
from stepscope.core.lazy import lazy_module
from stepscope.models.learned.predictor import vectors_of
from stepscope.models.learned.recipe import Hyper
from stepscope.models.ordering import step_recipe
from stepscope.models.ordering.berson_recipe import RECIPE
from stepscope.models.ordering.step_inputs import StepInputs, TextCheckpoint
from stepscope.models.training.examples import MemoryExamples
from stepscope.models.training.loop import fit, outputs_of
from stepscope.models.training.save import shapes_of
from stepscope.models.training.state import TrainingCheckpoint
from tests.models.encoders.conftest import dinov2  # noqa: F401 - a fixture

torch = lazy_module("torch")
pytestmark = pytest.mark.needs("torch", "transformers", "torchvision")

SIZE = Size(48, 64)
CONFIG = {"encoders": {"texts": "step-words", "views": "eyes"}, "sizes": {"text": 60, "view": 24}}


def steps(folder: Path, *lights: int | None) -> OrderRequest:
    """A step for each: with a picture so light, or without one."""
    found = []
    for place, light in enumerate(lights, start=1):
        pictures: tuple[Picture, ...] = ()
        if light is not None:
            file = folder / f"{light}.png"
            file.write_bytes(encode_png(np.full((SIZE.height, SIZE.width, 3), light, np.uint8)))
            pictures = (Picture(file, SIZE),)
        found.append(ProcedureStep(str(place), "step", pictures))
    return OrderRequest("p", "", tuple(found))


@pytest.fixture
def inputs(
    added_words: str,
    step_words: Path,
    dinov2: Path,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> StepInputs:
    from stepscope.models.encoders import transformers_image
    from stepscope.models.encoders.transformers_folder import load_tokenizer

    def eyes(_reference: str, device: str) -> tuple[Any, ...]:
        return (transformers_image.load(dinov2, device=device, output="tokens"),)

    monkeypatch.setattr(step_recipe, "load_views", eyes)
    return StepInputs(load_tokenizer(step_words), TextCheckpoint(step_words, "0"), eyes("", "cpu"))


def test_packed_pictures_come_back_and_missing_ones_are_none(inputs: StepInputs, tmp_path: Path) -> None:
    draft = RECIPE.prepare(steps(tmp_path, 200, None, 40), inputs)
    example = RECIPE.example(draft, vectors_of(inputs, [draft]))
    assert example["seen"].tolist() == [320, 0, 320] and example["frame"].tolist() == [32, 32]
    loaded = RECIPE.loaded(example)
    assert loaded["patches"].shape == (3, 32, 32, 3) and loaded["patches"].dtype == np.uint8
    assert [int(one.max()) for one in loaded["patches"]] == [200, 0, 40]
    assert shapes_of([example], RECIPE)["patches"] == [[3, 32, 32, 3], "uint8"]
    packed, unpacked = RECIPE.collate([example]), RECIPE.collate([loaded])
    assert all(np.array_equal(one, other) for one, other in zip(packed, unpacked, strict=True))


def test_the_encoder_of_pictures_learns_with_the_rest(inputs: StepInputs, tmp_path: Path) -> None:
    def data(*rows: tuple[int, ...]) -> MemoryExamples:
        found = MemoryExamples()
        for row in rows:
            draft = RECIPE.prepare(steps(tmp_path, *row), inputs)
            found.examples.append(RECIPE.example(draft, vectors_of(inputs, [draft])))
            found.targets.append({"order": np.argsort(row)})
        return found

    hyper = Hyper(epochs=1, batch=2, rate=1e-3, workers=0)
    train = data((10, 90, 200), (90, 10, 200), (200, 90, 10), (10, 200, 90))
    for recipe in (RECIPE, RECIPE.pretraining(hyper, CONFIG)):
        torch.manual_seed(0)
        before = recipe.network(CONFIG).state_dict()
        *_, done = fit(recipe, CONFIG, hyper, 0, train, data((90, 200, 10)))
        assert isinstance(done, TrainingCheckpoint)
        seen = [name for name in done.state if name.startswith("encoder.views.") and name.endswith("weight")]
        assert seen and any(not torch.equal(done.state[name], before[name]) for name in seen)
    frozen = {**CONFIG, "freeze": ["^encoder.views"]}
    *_, done = fit(RECIPE, frozen, hyper, 0, train, data((90, 200, 10)))
    assert isinstance(done, TrainingCheckpoint) and not set(seen) & set(done.state)


def test_what_is_seen_decides(inputs: StepInputs, tmp_path: Path) -> None:
    torch.manual_seed(0)
    module = RECIPE.network(CONFIG).eval()
    drafts = [RECIPE.prepare(steps(tmp_path, *row), inputs) for row in ((10, 200), (10, 120), (None, None))]
    examples = [RECIPE.example(draft, vectors_of(inputs, [draft])) for draft in drafts]
    first, second, blind = (one[2] for one in outputs_of(RECIPE, module, examples))
    assert not np.allclose(first, second, atol=1e-4)
    assert np.allclose(blind[0, 1], blind[1, 0], atol=1e-5), "steps of the same words without pictures are alike"
