"""Throughput of each trained model through the engine, against the bare forward pass of all its networks.

Nothing is kept from before: every text and every screen is looked at once, as at a first run on new data. The bare pass
is what the encoders and the head take for the same distinct inputs, already decoded and cut, in batches of 32; it is
the ceiling that reading, decoding, scoring and storing are held against.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from stepscope.core.evaluation.runner import evaluate
from stepscope.core.evaluation.tasks import task_kind
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.registry import run_scorer
from stepscope.core.sources.registry import open_source
from stepscope.models.encoders.registry import VIEWS
from stepscope.models.features.cache import FeatureCache
from stepscope.models.features.vectors import Features, load_features
from stepscope.models.learned.head import load_head
from stepscope.models.learned.model_folders import find_trained, shipped_folder
from stepscope.models.learned.predictor import LearnedPredictor, blank
from stepscope.models.learned.recipes import recipe

MODELS = ("two-tower", "feasibility-mlp", "goal-retrieval", "pairwise-pointer", "ask-timing")
SAMPLE = Path(shipped_folder()).parent / "sample" / "episodes"


class Counting:
    """The encoders, remembering what they were asked and how long they took."""

    def __init__(self, inner: Any) -> None:
        self._inner, self.spent, self.count = inner, 0.0, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def embed(self, given: Sequence[Any]) -> Any:
        begun = time.perf_counter()
        found = self._inner.embed(given)
        self.spent += time.perf_counter() - begun
        self.count += len(given)
        return found


@pytest.mark.parametrize("runtime", ["onnx", "torch"])
@pytest.mark.parametrize("name", MODELS)
def test_throughput(name: str, runtime: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trained = find_trained(name)
    if trained is None:
        pytest.skip(f"{name} is not made")
    kind = recipe(trained.card.recipe)
    plain = load_features(views=VIEWS if kind.pictures else "", device="cpu")
    texts, views = Counting(plain._texts[0]), Counting(plain._views[0]) if plain._views else None
    features = Features([texts], [views] if views else (), FeatureCache(tmp_path / "features.db"))
    head, _ = load_head(trained, kind, kind.collate([blank(kind, trained)]), device="cpu", runtime=runtime)
    heads = Counting(head)
    spent = [0.0]

    def run(*inputs: Any) -> Any:
        begun = time.perf_counter()
        found = head.run(*inputs)
        spent[0] += time.perf_counter() - begun
        return found

    heads.run = run
    predictor = LearnedPredictor(trained, kind, features, heads, runtime)
    source = open_source(SAMPLE)
    units = [row.id for row in source.scan() if hasattr(row, "steps")]
    scorer = run_scorer(task_kind(kind.info.task).protocol)
    begun = time.perf_counter()
    items = sum(1 for _ in evaluate(source, units, predictor, scorer, parse_options(scorer.info, {})))
    whole = time.perf_counter() - begun
    bare = texts.spent + (views.spent if views else 0.0) + spent[0]
    looked = views.count if views else 0
    with capsys.disabled():
        asked = f"{items} items, {texts.count} texts, {looked} pictures"
        rates = f"{items / whole:.1f} items/s; bare forward pass {items / bare:.1f}; share {bare / whole:.2f}"
        print(f"\n{name} in {runtime}: {asked}; {rates} (load {os.getloadavg()[0]:.1f})")
    assert items
