"""How quickly the screen follows a hand, and whether another way of drawing would follow it more quickly.

Read as ratios to one plain copy of a window's pixels, in the same run. The scene of Qt (QGraphicsView) shows the same
picture and the same boxes in the simplest way that it offers.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QGraphicsItem, QGraphicsScene, QGraphicsView, QStyleOptionGraphicsItem, QWidget
from pytest_benchmark.fixture import BenchmarkFixture
from pytestqt.qtbot import QtBot

from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.domain.layers import Layer
from stepscope.core.domain.mark import Mark, MarkVerdict, MissLine, PointMark, TreeMark
from stepscope.widgets.screen import Neighbour, ScreenContent, ScreenPicture, ScreenView
from tests.benchmarks.long_recordings import screen

PHONE = Size(1080, 2400)
FULL, SQUARE = Size(1080, 2400), Size(1000, 1000)
CASES = [(1000, PHONE, FULL), (5000, SQUARE, SQUARE)]
"""Boxes, picture, view in device pixels. Budget for each frame: a sixtieth of a second."""
ROUNDS = 40


def picture(size: Size, seed: int = 0) -> ScreenPicture:
    return ScreenPicture.from_pixels(screen(size, seed))


def boxes(count: int, size: Size) -> tuple[Box, ...]:
    random = np.random.default_rng(1)
    corners = random.uniform(0, 0.9, (count, 2)) * (size.width, size.height)
    spans = random.uniform(10, 160, (count, 2))
    return tuple(Box(x, y, x + w, y + h, size) for (x, y), (w, h) in zip(corners, spans, strict=True))


def marks(shift: float) -> tuple[Mark, ...]:
    reference, run = Point(506, 867 + shift, PHONE), Point(969, 436, PHONE)
    return (
        MissLine(Layer.RUN_B, run, reference, "0.47 away"),
        PointMark(Layer.REFERENCE, reference),
        PointMark(Layer.RUN_B, run, MarkVerdict.MISS),
    )


class BoxesItem(QGraphicsItem):
    """All boxes as one item of a scene."""

    def __init__(self, shown: tuple[Box, ...], size: Size) -> None:
        super().__init__()
        self._rects = [QRectF(box.left, box.top, box.width, box.height) for box in shown]
        self._bounds = QRectF(0, 0, size.width, size.height)

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None) -> None:
        pen = QPen(QColor("#9AA4B2"), 1)
        pen.setCosmetic(True)
        painter.setPen(pen)
        painter.drawRects(self._rects)


Move = Callable[[], None]
Mover = Callable[[int, Size, Size, str], Move]


@pytest.fixture
def own(qtbot: QtBot) -> Mover:
    """The window's own view."""

    def make(count: int, size: Size, view_size: Size, way: str) -> Move:
        view = ScreenView()
        qtbot.addWidget(view)
        view.set_beside(False)
        view.resize(view_size.width, view_size.height)
        with qtbot.waitExposed(view):
            view.show()
        view.show_step(ScreenContent(size, picture(size), (TreeMark(boxes(count, size)),)))
        view.actual_size()
        turns, ways = zooms(), pans()

        def move() -> None:
            if way == "zoom":
                view.follow(view.viewport.zoomed(next(turns), view.width() / 2, view.height() / 2))
            else:
                view.follow(view.viewport.panned(next(ways), 1))
            view.repaint()

        return move

    return make


@pytest.fixture
def scene(qtbot: QtBot) -> Mover:
    """A QGraphicsView."""

    def make(count: int, size: Size, view_size: Size, way: str) -> Move:
        view = QGraphicsView()
        qtbot.addWidget(view)
        held = QGraphicsScene(view)
        view.setScene(held)
        pixels = held.addPixmap(QPixmap.fromImage(picture(size).image))
        pixels.setTransformationMode(Qt.TransformationMode.SmoothTransformation)
        held.addItem(BoxesItem(boxes(count, size), size))
        view.resize(view_size.width, view_size.height)
        with qtbot.waitExposed(view):
            view.show()
        turns, ways, bar = zooms(), pans(), view.horizontalScrollBar()

        def move() -> None:
            if way == "zoom":
                factor = next(turns)
                view.scale(factor, factor)
            else:
                bar.setRange(-1000, 1000)
                bar.setValue(bar.value() + next(ways))
            view.viewport().repaint()

        return move

    return make


def zooms() -> itertools.cycle[float]:
    return itertools.cycle([1.07] * 10 + [1 / 1.07] * 10)


def pans() -> itertools.cycle[int]:
    return itertools.cycle([3] * 20 + [-3] * 20)


def test_a_plain_copy_of_the_window(benchmark: BenchmarkFixture) -> None:
    source, target = picture(Size(1600, 1000)).image, np.zeros((1000, 1600, 4), np.uint8)
    pixels = np.frombuffer(source.constBits(), np.uint8).reshape(target.shape)
    benchmark(np.copyto, target, pixels)


def test_a_step_with_its_neighbours(benchmark: BenchmarkFixture, qtbot: QtBot) -> None:
    view = ScreenView()
    qtbot.addWidget(view)
    view.resize(1600, 1000)
    with qtbot.waitExposed(view):
        view.show()
    pictures = [picture(PHONE, seed) for seed in range(8)]
    around = [(pictures[i - 1], pictures[i], pictures[(i + 1) % 8]) for i in range(8)]
    steps = itertools.cycle(
        ScreenContent(PHONE, now, marks(i), i + 1, 8, Neighbour(i, before), Neighbour(i + 2, after))
        for i, (before, now, after) in enumerate(around)
    )

    def step() -> None:
        view.show_step(next(steps))
        view.repaint()

    benchmark.pedantic(step, rounds=ROUNDS, warmup_rounds=8)


def test_a_step_in_a_scene(benchmark: BenchmarkFixture, qtbot: QtBot) -> None:
    """The picture alone, without marks and neighbours, fitted."""
    held = QGraphicsScene()
    item = held.addPixmap(QPixmap())
    item.setTransformationMode(Qt.TransformationMode.SmoothTransformation)
    view = QGraphicsView(held)
    qtbot.addWidget(view)
    view.resize(1600, 1000)
    with qtbot.waitExposed(view):
        view.show()
    shown = itertools.cycle([QPixmap.fromImage(picture(PHONE, seed).image) for seed in range(8)])

    def step() -> None:
        item.setPixmap(next(shown))
        view.fitInView(item, Qt.AspectRatioMode.KeepAspectRatio)
        view.viewport().repaint()

    benchmark.pedantic(step, rounds=ROUNDS, warmup_rounds=8)


@pytest.mark.parametrize(("count", "size", "view_size"), CASES)
@pytest.mark.parametrize("way", ["pan", "zoom"])
@pytest.mark.parametrize("kind", ["own", "scene"])
def test_many_boxes(
    benchmark: BenchmarkFixture,
    request: pytest.FixtureRequest,
    count: int,
    size: Size,
    view_size: Size,
    way: str,
    kind: str,
) -> None:
    mover: Mover = request.getfixturevalue(kind)
    benchmark.pedantic(mover(count, size, view_size, way), rounds=ROUNDS, warmup_rounds=4)
