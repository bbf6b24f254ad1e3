"""How quickly the screen follows a hand. Read as ratios to one plain copy of the window's pixels, in the same run."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from pytestqt.qtbot import QtBot

from core.domain.geometry import Box, Point, Size
from core.domain.mark import Layer, Mark, MissLine, PointMark, TreeMark, Verdict
from widgets.screen import Neighbour, ScreenContent, ScreenPicture, ScreenView

PHONE = Size(1080, 2400)


def noise(size: Size, seed: int = 0) -> ScreenPicture:
    pixels = np.random.default_rng(seed).integers(0, 255, (size.height, size.width, 3), np.uint8)
    return ScreenPicture.from_pixels(pixels)


def boxes(count: int, size: Size) -> TreeMark:
    random = np.random.default_rng(1)
    corners = random.uniform(0, 0.9, (count, 2)) * (size.width, size.height)
    spans = random.uniform(10, 160, (count, 2))
    return TreeMark(tuple(Box(x, y, x + w, y + h, size) for (x, y), (w, h) in zip(corners, spans, strict=True)))


def marks(shift: float) -> tuple[Mark, ...]:
    reference, run = Point(506, 867 + shift, PHONE), Point(969, 436, PHONE)
    return (
        MissLine(Layer.RUN_B, run, reference, "0.47 away"),
        PointMark(Layer.REFERENCE, reference),
        PointMark(Layer.RUN_B, run, Verdict.MISS),
    )


@pytest.fixture
def view(qtbot: QtBot) -> ScreenView:
    shown = ScreenView()
    qtbot.addWidget(shown)
    shown.resize(1600, 1000)
    shown.show()
    qtbot.waitExposed(shown)
    return shown


def test_a_plain_copy_of_the_window(benchmark: BenchmarkFixture) -> None:
    source, target = noise(Size(1600, 1000)).image, np.zeros((1000, 1600, 4), np.uint8)
    pixels = np.frombuffer(source.constBits(), np.uint8).reshape(target.shape)
    benchmark(np.copyto, target, pixels)


def test_a_step_with_its_neighbours(benchmark: BenchmarkFixture, view: ScreenView) -> None:
    pictures = [noise(PHONE, seed) for seed in range(4)]
    around = [(pictures[i - 1], pictures[i], pictures[(i + 1) % 4]) for i in range(4)]
    steps = itertools.cycle(
        ScreenContent(PHONE, now, marks(i), i + 1, 4, Neighbour(i, before), Neighbour(i + 2, after))
        for i, (before, now, after) in enumerate(around)
    )

    def step() -> None:
        view.show_step(next(steps))
        view.repaint()

    benchmark(step)


@pytest.mark.parametrize(("count", "size"), [(1000, PHONE), (5000, Size(1000, 1000))])
@pytest.mark.parametrize("way", ["pan", "zoom"])
def test_many_boxes(benchmark: BenchmarkFixture, view: ScreenView, count: int, size: Size, way: str) -> None:
    view.show_step(ScreenContent(size, noise(size), (boxes(count, size),)))
    view.actual_size()
    turns = itertools.cycle([1.07] * 10 + [1 / 1.07] * 10)
    ways = itertools.cycle([3] * 20 + [-3] * 20)

    def move() -> None:
        if way == "zoom":
            view.follow(view.viewport.zoomed(next(turns), 700, 400))
        else:
            view.follow(view.viewport.panned(next(ways), 1))
        view.repaint()

    benchmark(move)
