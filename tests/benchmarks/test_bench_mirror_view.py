"""How quickly a live frame is painted: scaled by the decoder to its place, and at its full height.

Read as ratios to one plain copy of the frame's pixels, in the same run. Budget: a sixtieth of a second has to hold
decoding too, so half of it.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from pytestqt.qtbot import QtBot

from stepscope.core.device.frames import Frame, NewestFrame
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.domain.layers import Layer
from stepscope.widgets.live.mirror import MirrorView

SCREEN = Size(1080, 2400)
SHAPES = [(430, 955), (1080, 2400)]
"""Device pixels of the picture; the view is larger by its margins."""
ROUNDS = 60


def tree(count: int) -> UITree:
    places = ((10 + 210 * (i % 5), 10 + 118 * (i // 5)) for i in range(count))
    boxes = (Box(x, y, x + 190, y + 100, SCREEN) for x, y in places)
    elements = (UIElement(i, box, text=f"Element {i}", clickable=True) for i, box in enumerate(boxes))
    return UITree(tuple(elements), TreeOrigin.DUMP, SCREEN)


def frames(shape: tuple[int, int]) -> list[Frame]:
    random = np.random.default_rng(0)
    images = [random.integers(0, 255, (shape[1], shape[0], 4), np.uint8) for _ in range(3)]
    return [Frame(image, SCREEN, n, 0.0, 0.0, lambda: np.empty((0, 0, 3), np.uint8)) for n, image in enumerate(images)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.benchmark(group="mirror view")
def test_a_frame_with_a_hundred_boxes(benchmark: BenchmarkFixture, qtbot: QtBot, shape: tuple[int, int]) -> None:
    view, newest = MirrorView(), NewestFrame()
    qtbot.addWidget(view)
    view.resize(shape[0] + 44, shape[1] + 44)
    with qtbot.waitExposed(view):
        view.show()
    view.set_source(newest)
    view.set_layers(view.overlay.layers.toggled(Layer.TREE))
    view.set_tree(tree(100))
    shown = itertools.cycle(frames(shape))

    def paint() -> None:
        newest.put(next(shown))
        view.repaint(view._phone_area())

    paint()
    benchmark.pedantic(paint, rounds=ROUNDS, warmup_rounds=3)
    assert newest.counts().skipped == 0


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.benchmark(group="mirror view")
def test_one_plain_copy(benchmark: BenchmarkFixture, shape: tuple[int, int]) -> None:
    image = frames(shape)[0].image
    benchmark.pedantic(image.copy, rounds=ROUNDS, warmup_rounds=3)
