from __future__ import annotations

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from stepscope.core.domain.geometry import Size
from stepscope.widgets.screen import ScreenContent, ScreenPicture, ScreenView

SIZE = Size(400, 800)
"""Of the graded screens: pixel (x, y) is red x / 2, green y / 4, blue 30."""


def graded() -> ScreenPicture:
    """A picture every pixel of which tells where it is."""
    pixels = np.full((SIZE.height, SIZE.width, 3), 30, np.uint8)
    pixels[:, :, 0] = np.arange(SIZE.width)[None, :] // 2
    pixels[:, :, 1] = np.arange(SIZE.height)[:, None] // 4
    return ScreenPicture.from_pixels(pixels)


@pytest.fixture
def graded_view(qtbot: QtBot, themed: object) -> ScreenView:
    """A view of 860 × 660 with one graded picture, without neighbours."""
    view = ScreenView()
    qtbot.addWidget(view)
    view.resize(860, 660)
    view.show_step(ScreenContent(SIZE, graded()))
    view.show()
    qtbot.waitExposed(view)
    return view
