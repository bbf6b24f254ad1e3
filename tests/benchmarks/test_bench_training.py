"""Training against what it is made of: batches against decoding alone, steps against a bare loop of torch, memory
against the number of items. Both sides of a ratio are measured in turns in one run."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pytest

from stepscope.core.imaging.opencv import cv2
from stepscope.core.lazy import lazy_module
from stepscope.core.process.memory import own_bytes
from stepscope.models.feasibility.recipe import RECIPE as HEADS
from stepscope.models.feasibility.tuned_recipe import TunedFeasibilityRecipe
from stepscope.models.features.tuned_inputs import packed, unpacked
from stepscope.models.learned.recipe import Hyper
from stepscope.models.ordering.cues import wording
from stepscope.models.ordering.recipe import RECIPE as ORDERS
from stepscope.models.training import loop
from stepscope.models.training.batches import BatchLoader, batch_rows, epoch_order
from stepscope.models.training.examples import ExampleWriter, StoredExamples
from tests.benchmarks.figures import Tell

torch = lazy_module("torch")
pytestmark = pytest.mark.needs("torch")

SIDE, SCREENS = 224, 3
BATCH, ROUNDS = 16, 5


def stored(folder: Path, items: Iterator[tuple[Any, Any]]) -> StoredExamples:
    writer = ExampleWriter(folder)
    for example, target in items:
        writer.add(example, target)
    return writer.finish()


def spread(shares: list[float]) -> str:
    """Median, least and greatest."""
    return f"{median(shares):.2f} ({min(shares):.2f} to {max(shares):.2f})"


class OnlyPictures(TunedFeasibilityRecipe):
    """The pictures of `feasibility-tuned`, without a network."""

    version = "bench"


def pictured(count: int) -> Iterator[tuple[Any, Any]]:
    """Screens that pack as real ones do: areas, lines, a soft photograph."""
    for number in range(count):
        drawn = np.random.default_rng(number)
        pictures = []
        for _ in range(SCREENS):
            pixels = np.full((SIDE, SIDE, 3), 246, np.uint8)
            soft = drawn.integers(0, 255, (9, 12, 3), np.uint8)
            pixels[30:110] = cv2.resize(soft, (SIDE, 80), interpolation=cv2.INTER_CUBIC)
            for row in range(120, 220, 12):
                pixels[row : row + 3, 10 : int(drawn.integers(60, 210))] = 60
            pictures.append(packed(pixels))
        example = {
            "goal": np.ones((20, 2), np.int64),
            "screens": np.ones((SCREENS, 100, 2), np.int64),
            "packed": np.concatenate(pictures),
            "ends": np.cumsum([len(one) for one in pictures]),
            "frame": np.array([SIDE, SIDE]),
        }
        yield example, {"label": np.array(float(number % 2), np.float32)}


def test_batches_against_decoding_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str], figure: Tell) -> None:
    data = stored(tmp_path, pictured(640))
    recipe = OnlyPictures()
    rows = batch_rows(epoch_order(data, (), 0), BATCH)
    loader = BatchLoader(recipe, {}, data, workers=1)
    shares = []
    try:
        for _ in islice(loader.batches(rows[:2]), 2):
            pass  # the process has started
        for _ in range(ROUNDS):
            begun = time.perf_counter()
            for place in epoch_order(data, (), 0):
                example = data.examples[int(place)]
                ends = example["ends"]
                for begin, end in zip([0, *ends[:-1]], ends, strict=True):
                    unpacked(example["packed"][begin:end])
            alone = time.perf_counter() - begun
            begun = time.perf_counter()
            assert sum(count for count, _, _ in loader.batches(rows)) == len(data)
            shares.append(alone / (time.perf_counter() - begun))
    finally:
        loader.close()
    figure("batches over decoding alone", median(shares), budget=0.9, more=True)
    with capsys.disabled():
        print(f"\nbatches of one process over decoding alone: {spread(shares)}")
    assert median(shares) >= 0.5, "far from what is claimed"


def ways(count: int) -> Iterator[tuple[Any, Any]]:
    for number in range(count):
        drawn = np.random.default_rng(number)
        screens = int(drawn.integers(2, 9))
        example = {
            "goal": drawn.normal(size=384).astype(np.float32),
            "texts": drawn.normal(size=(screens, 384)).astype(np.float32),
            "views": drawn.normal(size=(screens, 1280)).astype(np.float32),
            "match": drawn.normal(size=(screens, 6)).astype(np.float32),
            "cover": drawn.normal(size=45).astype(np.float32),
        }
        yield example, {"label": np.array(float(number % 2), np.float32)}


def test_steps_against_a_bare_loop(tmp_path: Path, capsys: pytest.CaptureFixture[str], figure: Tell) -> None:
    data = stored(tmp_path, ways(2000))
    config = {"cover_mean": [0.0] * 45, "cover_spread": [1.0] * 45, "positive_weight": 1.0}
    hyper = replace(HEADS.hyper, epochs=1, batch=32, workers=0)
    shares = []
    for _ in range(ROUNDS):
        torch.manual_seed(0)
        module = HEADS.network(config).train()
        optimizer = torch.optim.AdamW(module.parameters(), lr=hyper.rate, weight_decay=hyper.weight_decay)
        begun = time.perf_counter()
        for rows in batch_rows(epoch_order(data, (), 0), hyper.batch):
            inputs = HEADS.collate([data.examples[int(row)] for row in rows])
            targets = HEADS.collate_targets([data.targets[int(row)] for row in rows], config)
            loss = HEADS.loss([module(*map(torch.from_numpy, inputs))], [*map(torch.from_numpy, targets)], config)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(module.parameters(), hyper.clip)
            optimizer.step()
        bare = time.perf_counter() - begun
        fitting = loop._Fitting(HEADS, config, hyper, 0, data, data, (), "cpu", None, None, loop.ALONE, {})
        begun = time.perf_counter()
        for _ in fitting._epoch():
            pass
        shares.append(bare / (time.perf_counter() - begun))
        fitting.close()
    figure("an epoch over a bare loop of torch", median(shares), budget=0.95, more=True)
    with capsys.disabled():
        print(f"\nan epoch of ours over a bare loop of torch: {spread(shares)}")
    assert median(shares) >= 0.5, "far from what is claimed"


def orders(count: int) -> Iterator[tuple[Any, Any]]:
    texts = np.random.default_rng(0).normal(size=(64, 384)).astype(np.float32)
    for number in range(count):
        drawn = np.random.default_rng(number)
        chosen = drawn.integers(0, 64, 4)
        worded = wording(("Open a file", "Read the file", "Save it", "Close the window"))
        example = {
            "goal": texts[chosen[0]],
            "texts": texts[chosen],
            "views": np.zeros((4, 8), np.float32),
            "cues": worded.cues,
            "named": worded.named,
            "known": worded.known,
        }
        yield example, {"order": drawn.permutation(4)}


def test_memory_is_flat_over_75000_items(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begin = own_bytes(os.getpid())
    data = stored(tmp_path, orders(75_000))
    kept = own_bytes(os.getpid()) - begin
    config = {"sizes": {"text": 384, "view": 8}}
    hyper = Hyper(epochs=1, batch=64, workers=0)
    fitting = loop._Fitting(ORDERS, config, hyper, 0, data, data, (), "cpu", None, None, loop.ALONE, {})
    marks = []
    for place, _ in enumerate(fitting._epoch()):  # it tells its pace once a second
        marks.append(own_bytes(os.getpid()))
        if place >= 20:
            break
    fitting.close()
    growth = max(marks) - marks[1]
    with capsys.disabled():
        disk = (tmp_path / "examples.bin").stat().st_size
        print(
            f"\n75,000 items, {disk / 1e6:.0f} MB on disk: {kept / 1e6:.1f} MB to keep them, {growth / 1e6:.1f} MB "
            f"more between the second and the {len(marks)}th second of an epoch, {max(marks) / 1e6:.0f} MB in all"
        )
    assert max(marks) < 2_000_000_000 and growth < 100_000_000
