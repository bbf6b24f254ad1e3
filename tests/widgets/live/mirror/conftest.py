from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray
from pytestqt.qtbot import QtBot

from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.geometry import Box, Size
from stepscope.widgets.live.mirror import MirrorView

SCREEN = Size(1088, 2400)
LYING = Size(2400, 1088)
VIEW = (400, 644)
"""22 pixels of margin leave 600 for the height of 2400: a quarter. The picture is 272 wide and begins at (64, 22)."""


@dataclass(frozen=True, eq=False)
class StillFrame:
    """A frame as the mirror takes it."""

    image: NDArray[np.uint8]
    size: Size
    number: int = 0


def noise(width: int, height: int, seed: int = 3) -> NDArray[np.uint8]:
    return np.random.default_rng(seed).integers(0, 255, (height, width, 4), np.uint8)


def frame(size: Size = SCREEN, shown: tuple[int, int] = (272, 600), number: int = 0) -> StillFrame:
    return StillFrame(noise(*shown), size, number)


def tree_of(*boxes: tuple[str, float, float, float, float], size: Size = SCREEN) -> UITree:
    """A root as large as the screen with tappable children: (words, left, top, right, bottom)."""
    root = UIElement(0, Box(0, 0, size.width, size.height, size), class_name="FrameLayout")
    children = (
        UIElement(number, Box(*place, size), 0, 1, text=words, class_name="android.widget.Button", clickable=True)
        for number, (words, *place) in enumerate(boxes, 1)
    )
    return UITree((root, *children), TreeOrigin.VIEW_HIERARCHY, size)


MENU = tree_of(
    ("Standard", 40, 800, 1040, 1000),
    ("Express", 40, 1000, 1040, 1200),
    ("Left", 40, 1400, 500, 1600),
    ("Right", 580, 1400, 1040, 1600),
)


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def make_view(qtbot: QtBot, themed: object, clock: Clock) -> Callable[..., MirrorView]:
    """A shown view of some size, with a frame where one is given."""

    def make(size: tuple[int, int] = VIEW, shown: StillFrame | None = None) -> MirrorView:
        view = MirrorView(clock=clock)
        qtbot.addWidget(view)
        view.resize(*size)
        if shown is not None:
            view.show_frame(shown)
        with qtbot.waitExposed(view):
            view.show()
        return view

    return make


@pytest.fixture
def view(make_view: Callable[..., MirrorView]) -> MirrorView:
    """400 × 644 with an upright screen of 1088 × 2400, at a quarter."""
    return make_view(VIEW, frame())
