"""Training a model of one's own, for tests of both faces: episodes to learn from, and what it is held in the middle
of."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from stepscope.core.domain.action import Tap
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Episode, Feasibility, FeasibilityLabel, Observation, Picture, Platform, Step
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.imaging.draw import encode_png
from stepscope.core.sources.recording_writer import write_recording
from stepscope.models.runtimes.weights import read_state

SIZE = Size(60, 120)
HELD_OUT = 10
SPLITS = ["train"] * 24 + ["validation"] * 10 + ["app_unseen"] * HELD_OUT


def episodes(folder: Path, first: int) -> Path:
    """Some goals can be reached; screens are light or dark, whatever the goal."""
    for place, split in enumerate(SPLITS):
        number = first + place
        light = bool((number * 7) % 3)
        file = folder / f"{number:03}.png"
        folder.mkdir(exist_ok=True)
        file.write_bytes(encode_png(np.full((SIZE.height, SIZE.width, 3), 230 if light else 20, np.uint8)))
        box = Box(0, 0, 50, 20, SIZE)
        element = UIElement(0, box, text="Alarm" if light else f"Error {number % 5}", clickable=True)
        seen = Observation(SIZE, Picture(file, SIZE), UITree((element,), TreeOrigin.VIEW_HIERARCHY, SIZE))
        label = FeasibilityLabel.FEASIBLE if number % 4 < 2 else FeasibilityLabel.INFEASIBLE
        write_recording(
            Episode(
                f"{number:03}", "recording", Platform.ANDROID, f"set alarm {number % 4}",
                (Step(0, seen, Tap(Point(5, 5, SIZE))),), app=f"org.example.{number % 5}",
                feasibility=Feasibility(label), splits=(split,),
            ),
            folder / f"{number:03}",
        )  # fmt: skip
    return folder


def assert_same_weights(one: Path, other: Path) -> None:
    """Two trained models' folders hold the same numbers, to 1e-6."""
    first, second = (read_state(folder / "weights.safetensors") for folder in (one, other))
    assert first.keys() == second.keys()
    for name, tensor in second.items():
        assert first[name].numpy() == pytest.approx(tensor.numpy(), abs=1e-6), name
