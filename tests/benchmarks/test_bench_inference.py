"""Batch inference with everything ahead of it: how near a run comes to what model and preparation allow together.

Both need the processor here. Were they to share it without loss, a run would reach 1/(1/model + 1/preparation) pictures
a second, each of them alone taking all cores. All three are measured in turns, so that other load meets them alike.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pytest

from stepscope.core.domain.episode import Picture
from stepscope.core.domain.geometry import Size
from stepscope.core.evaluation.batches import BatchSizer
from stepscope.core.evaluation.prefetch import predicted_ahead, prepared_ahead
from stepscope.core.imaging.opencv import cv2
from stepscope.core.lazy import lazy_module
from stepscope.models.encoders import networks
from stepscope.models.encoders.images import ImageEncoder, export, load_clip, load_onnx
from tests.benchmarks.figures import Tell

torch, open_clip = lazy_module("torch"), lazy_module("open_clip")
pytestmark = pytest.mark.needs("torch", "open_clip", "onnxscript")

ARCHITECTURE = "ViT-B-32"
PICTURES, BATCH, ROUNDS = 48, 16, 5
WORKERS, DEPTH = 2, 2 * BATCH
KINDS = {"png": Size(1080, 2400), "jpg": Size(1080, 1920)}


@pytest.fixture(scope="module")
def encoders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, ImageEncoder]:
    """The same random weights in both runtimes."""
    folder = tmp_path_factory.mktemp("weights")
    torch.save(open_clip.create_model(ARCHITECTURE).state_dict(), folder / "clip.pt")
    export(networks.clip(ARCHITECTURE, folder / "clip.pt"), folder / "clip.pt", folder / "clip.onnx")
    return {
        "torch": load_clip(ARCHITECTURE, folder / "clip.pt", device="cpu"),
        "onnx": load_onnx(folder / "clip.onnx", device="cpu"),
    }


@pytest.fixture(scope="module")
def screens(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Picture]]:
    """Unlike screens: words and boxes on a light ground, and a photograph's worth of soft noise."""
    folder = tmp_path_factory.mktemp("screens")
    return {kind: [_screen(folder, kind, number) for number in range(PICTURES)] for kind in KINDS}


def _screen(folder: Path, kind: str, number: int) -> Picture:
    draw, size = np.random.default_rng(number), KINDS[kind]
    pixels = np.full((size.height, size.width, 3), 246, np.uint8)
    soft = cv2.resize(draw.integers(0, 255, (60, 108, 3), np.uint8), (size.width, 600), interpolation=cv2.INTER_CUBIC)
    pixels[300:900] = np.clip(soft.astype(int) + draw.integers(-6, 7, soft.shape), 0, 255)
    for row in range(900, size.height - 60, 70):
        colour = tuple(int(value) for value in draw.integers(60, 250, 3))
        cv2.rectangle(pixels, (30, row), (30 + int(draw.integers(60, 1000)), row + 50), colour, -1)
        words = f"Row {row} of screen {number}, {draw.integers(10**9)}"
        cv2.putText(pixels, words, (60, row + 36), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (30, 30, 30), 2, cv2.LINE_AA)
    file = folder / f"{number}.{kind}"
    cv2.imwrite(str(file), pixels)
    return Picture(file, size)


def rate(work: Callable[[], Any]) -> float:
    """Pictures a second."""
    began = time.perf_counter()
    work()
    return PICTURES / (time.perf_counter() - began)


def model_alone(encoder: ImageEncoder, prepared: list[Any]) -> None:
    for first in range(0, PICTURES, BATCH):
        encoder.embed(prepared[first : first + BATCH])


def preparation_alone(encoder: ImageEncoder, pictures: list[Picture]) -> list[Any]:
    with ThreadPoolExecutor(WORKERS) as pool:
        return list(pool.map(encoder.prepare, pictures))


def run(encoder: ImageEncoder, pictures: Iterator[Picture]) -> list[Any]:
    with ThreadPoolExecutor(1) as inference:
        ahead = prepared_ahead(pictures, encoder.prepare, workers=WORKERS, depth=DEPTH)
        return list(predicted_ahead(ahead, encoder.embed, sizer=BatchSizer(BATCH), inference=inference))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("runtime", ["torch", "onnx"])
def test_a_run_comes_near_to_the_ceiling(
    encoders: dict[str, ImageEncoder],
    screens: dict[str, list[Picture]],
    runtime: str,
    kind: str,
    capsys: pytest.CaptureFixture[str],
    figure: Tell,
) -> None:
    encoder, pictures = encoders[runtime], screens[kind]
    prepared = preparation_alone(encoder, pictures)
    encoder.warm_up(BATCH)
    rates: list[tuple[float, float, float]] = []
    for _ in range(ROUNDS):
        model = rate(lambda: model_alone(encoder, prepared))
        whole = rate(lambda: run(encoder, iter(pictures)))
        rates.append((model, rate(lambda: preparation_alone(encoder, pictures)), whole))
    shares = [whole * (1 / model + 1 / preparation) for model, preparation, whole in rates]
    figure(f"{ARCHITECTURE}, {runtime}, {kind}: share of the ceiling", median(shares), budget=0.85, more=True)
    model, preparation, whole = (median(column) for column in zip(*rates, strict=True))
    with capsys.disabled():
        print(
            f"\n{ARCHITECTURE}, {runtime}, {kind}: model {model:.1f}, preparation {preparation:.1f} pictures a second"
        )
        print(f"  run {whole:.1f}: {median(shares):.2f} ({min(shares):.2f} to {max(shares):.2f}) of the ceiling")
        print(f"  (budget: 0.85), {whole / model:.2f} of the bare model")
    answers = run(encoder, iter(pictures))
    assert [picture for picture, _vector in answers] == pictures
    alone = encoder.embed(prepared[:BATCH])
    assert np.array([vector for _picture, vector in answers[:BATCH]]) == pytest.approx(alone, abs=1e-4)
