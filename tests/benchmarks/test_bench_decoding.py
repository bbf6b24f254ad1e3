"""Decoders of pictures beside one another: processor time of the decoding thread over `cv2.imdecode`'s, by turns.

The pictures are made ones, and real screens and pages where the samples are at hand. What else could decode them and is
installed, Pillow and pyspng, stands beside ours.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from statistics import median

import cv2
import numpy as np
import pytest

from stepscope.core.domain.geometry import Size
from stepscope.core.imaging.decode import decode_bytes
from stepscope.core.imaging.draw import encode_jpeg, encode_png
from stepscope.core.imaging.resampling import fitted
from tests.benchmarks.figures import Tell
from tests.benchmarks.long_recordings import screen

ROUNDS = 7
PHONE, PAGE = Size(1080, 2400), Size(1280, 5808)
SMALL = Size(400, 600)
"""The size of pictures in the timeline."""

REAL = {
    "png phone": ("llamatouch/trace_18/0.png", "llamatouch/trace_18/1.png", "llamatouch/trace_18/2.png"),
    "png browser": ("webvoyager/results/examples/taskApple--17/screenshot2.png",),
    "jpeg phone": ("rico_traces/aa.apps.dailyreflections/trace_1/screenshots/43.jpg",),
    "jpeg page": (
        "mind2web_seeact/examples/image_annotation/725d96cd-9283-4ec7-b902-d003503f2d6b_c69cbea4-7231-42f7-b5fc-e0fac8f781e9/images/1.jpg",
    ),
}
Decoder = Callable[[bytes], object]


def pictures(real: Path | None) -> dict[str, bytes]:
    made = {
        "made png": encode_png(screen(PHONE, 1)),
        "made jpeg": encode_jpeg(screen(PHONE, 1)),
        "made jpeg page": encode_jpeg(screen(PAGE, 1)),
        "made webp": bytes(cv2.imencode(".webp", screen(PHONE, 1))[1]),
    }
    if real is None:
        return made
    return made | {f"{kind} {name[-8:]}": (real / name).read_bytes() for kind, names in REAL.items() for name in names}


def by_opencv(data: bytes) -> object:
    return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR_RGB | cv2.IMREAD_IGNORE_ORIENTATION)


def by_pillow(data: bytes) -> object:
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))


def by_pyspng(data: bytes) -> object:
    import pyspng

    return pyspng.load(data, "RGB")


def small(data: bytes) -> object:
    return decode_bytes(data, SMALL)


def small_by_opencv(data: bytes) -> object:
    """The whole, then averaged, as one does who knows nothing of scaled decoding."""
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR_RGB)
    size = fitted(Size(pixels.shape[1], pixels.shape[0]), SMALL)
    return cv2.resize(pixels, (size.width, size.height), interpolation=cv2.INTER_AREA)


def decoders(data: bytes) -> dict[str, Decoder]:
    found: dict[str, Decoder] = {"cv2": by_opencv, "ours": decode_bytes}
    if find_spec("PIL"):
        found["pillow"] = by_pillow
    if find_spec("pyspng") and data.startswith(b"\x89PNG"):
        found["pyspng"] = by_pyspng
    return found | {"small, cv2": small_by_opencv, "small, ours": small}


@pytest.mark.timeout(900)
def test_decoding(real_data_or_none: Path | None, capsys: pytest.CaptureFixture[str], figure: Tell) -> None:
    """`ours` checks the file before it decodes it, and is held against decoding alone."""
    cv2.setNumThreads(1)
    for name, data in pictures(real_data_or_none).items():
        taken = rounds(decoders(data), data)
        base = min(taken["cv2"])
        rows = (f"{way} {min(ms):.1f} ({median(ms):.1f}) = {min(ms) / base:.2f}" for way, ms in taken.items())
        figure(f"decoding {name} over OpenCV", min(taken["ours"]) / base, budget=0.5)
        with capsys.disabled():
            print(f"\n{name}, {len(data):,} bytes; least (median) ms of processor, over cv2's: {'; '.join(rows)}")
        assert min(taken["ours"]) < 1.5 * base


def rounds(ways: dict[str, Decoder], data: bytes) -> dict[str, list[float]]:
    """Milliseconds of this thread's processor time for each way, by turns."""
    taken: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(ROUNDS):
        for way, decode in ways.items():
            began = time.thread_time()
            decode(data)
            taken[way].append(1000 * (time.thread_time() - began))
    return taken
