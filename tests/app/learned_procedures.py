"""Procedures with pictures to learn the order of, for tests of both faces, and what orders of them are worth."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np

from stepscope.core.domain.episode import Episode, Observation, Picture, Platform, Step
from stepscope.core.domain.geometry import Size
from stepscope.core.imaging.draw import encode_png
from stepscope.core.sources.recording_writer import write_recording

SIZE = Size(60, 120)
RIGHT = ("0", "1", "2")
HELD_OUT = ("10", "11", "12", "13", "14", "15")
SPLITS = ["train"] * 7 + ["validation"] * 3 + ["app_unseen"] * len(HELD_OUT)


def procedures(folder: Path) -> Path:
    """Sixteen of three steps: numbers that count up from anywhere, and pictures that become lighter."""
    folder.mkdir()
    for place, split in enumerate(SPLITS):
        steps = []
        for index in range(len(RIGHT)):
            file = folder / f"{place:02}-{index}.png"
            file.write_bytes(encode_png(np.full((SIZE.height, SIZE.width, 3), 20 + 90 * index, np.uint8)))
            seen = Observation(SIZE, Picture(file, SIZE))
            steps.append(Step(index, seen, instruction=f"step {(place + index) % 7 + 1}"))
        write_recording(
            Episode(
                f"{place:02}", "recording", Platform.ANDROID, f"count from {place}", tuple(steps),
                app=f"org.example.{place % 5}", splits=(split,),
            ),
            folder / f"{place:02}",
        )  # fmt: skip
    return folder


def tau(order: tuple[str, ...]) -> Fraction:
    """Kendall's tau of an order with the right one: pairs in order less pairs turned, over all three."""
    pairs = list(combinations(order, 2))
    return Fraction(sum(1 if first < second else -1 for first, second in pairs), len(pairs))


def mean(values: Collection[Fraction]) -> float:
    return float(sum(values) / len(values))
