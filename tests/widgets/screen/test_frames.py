"""Steps that were painted before they were asked for look as if they had not been."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from stepscope.core.domain.geometry import Box, Ellipse, Point, Region, Size
from stepscope.core.domain.layers import Layer
from stepscope.core.domain.mark import BoxMark, Mark, MarkVerdict, PillKind, PillMark, PointMark, RegionMark, TreeMark
from stepscope.widgets import theme
from stepscope.widgets.screen import Neighbour, ScreenContent, ScreenPicture, ScreenView
from stepscope.widgets.screen.content import ScreenColors
from stepscope.widgets.screen.picture import memory_of
from stepscope.widgets.screen.viewport import Viewport
from tests.widgets.screen.hands import point_at

SIZE = Size(600, 1300)


def picture(seed: int) -> ScreenPicture:
    noise = np.random.default_rng(seed).integers(0, 255, (SIZE.height, SIZE.width, 3), np.uint8)
    return ScreenPicture.from_pixels(noise)


PICTURES = tuple(picture(seed) for seed in range(3))


def marks() -> tuple[Mark, ...]:
    """Of each kind of stroke something: tint, dashes, boxes, glyphs, words."""
    point, box = Point(200, 300, SIZE), Box(150, 250, 420, 380, SIZE)
    region = Region((Ellipse(point, 90, 140), Box(20, 700, 300, 900, SIZE)), "a rule")
    tree = TreeMark((box, Box(10, 10, 590, 200, SIZE)))
    pill = PillMark(Layer.REFERENCE, PillKind.TYPED, "some words", box)
    return tree, RegionMark(region), BoxMark(box), PointMark(Layer.RUN_A, point, MarkVerdict.MISS), pill


def step() -> ScreenContent:
    """As it is made anew each time that it is shown, of the same pictures."""
    beside = Neighbour(2, PICTURES[1]), Neighbour(4, PICTURES[2])
    return ScreenContent(SIZE, PICTURES[0], marks(), 3, 5, *beside)


@pytest.fixture(params=[1.0, 1.5, 2.0])
def view(request: pytest.FixtureRequest, qtbot: QtBot, themed: object, monkeypatch: pytest.MonkeyPatch) -> ScreenView:
    shown = ScreenView()
    qtbot.addWidget(shown)
    monkeypatch.setattr(shown, "devicePixelRatioF", lambda: request.param)
    shown.resize(700, 500)
    shown.show()
    qtbot.waitExposed(shown)
    shown._resized()
    return shown


def seen(view: ScreenView) -> bytes:
    """All device pixels."""
    ratio = view.devicePixelRatioF()
    image = QImage(round(700 * ratio), round(500 * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    view.render(image)
    return memory_of(image)[:, :, :3].tobytes()


def is_copied(view: ScreenView) -> bool:
    return view._frame() is not None


@pytest.mark.parametrize("zoomed", [False, True])
def test_it_looks_as_if_it_had_not_been(view: ScreenView, zoomed: bool) -> None:
    if zoomed:
        view.show_step(step())
        view.zoom_about(QPointF(300, 200), 3.0)
    view.show_step(step())
    as_ever = seen(view)
    view.prepare_steps([step()])
    view.show_step(step())
    assert is_copied(view)
    assert seen(view) == as_ever


def test_what_comes_over_it_is_drawn_too(view: ScreenView) -> None:
    view.show_step(step())
    view.set_hover_box(Box(30, 30, 90, 90, SIZE))
    lit = seen(view)
    view.set_hover_box(None)
    point_at(view, QPointF(350, 250))
    pointed = seen(view)
    view.prepare_steps([step()])
    assert seen(view) == pointed
    point_at(view, QPointF(1, 1))
    view.set_hover_box(Box(30, 30, 90, 90, SIZE))
    assert seen(view) == lit
    view.set_hover_box(None)
    assert is_copied(view)
    view.set_bare(True)
    assert not is_copied(view)


def test_nothing_old_is_shown(view: ScreenView) -> None:
    view.show_step(step())
    for change in (
        lambda: view.set_strengths({Layer.REFERENCE: 0.5}),
        lambda: view.set_mark_size(1.5),
        lambda: view.set_colors(ScreenColors.of(theme.LIGHT)),
        view.zoom_in,
        lambda: view.set_marks(marks()[:2]),
        lambda: view.set_picture(PICTURES[1]),
        lambda: view.set_neighbours(None, Neighbour(4, PICTURES[2])),
    ):
        view.show_step(step())
        view.prepare_steps([step()])
        assert is_copied(view)
        change()
        assert not is_copied(view)
        shown = view.content
        assert shown is not None
        before = seen(view)
        view.prepare_steps([shown])
        assert seen(view) == before


def test_few_are_kept(view: ScreenView) -> None:
    steps = [ScreenContent(SIZE, PICTURES[0], number=number) for number in range(1, 6)]
    for one in steps:
        view.prepare_steps([one])
    copied = []
    for one in steps:
        view.show_step(one)
        copied.append(is_copied(view))
    assert copied == [False, False, True, True, True]


def test_who_walks_on_has_one_step_painted_each_time(view: ScreenView, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = [ScreenContent(SIZE, PICTURES[0], number=number) for number in range(1, 8)]
    painted: list[int] = []
    paint = ScreenView._paint_plain

    def counted(self: ScreenView, painter: QPainter, content: ScreenContent, viewport: Viewport) -> None:
        painted.append(content.number)
        paint(self, painter, content, viewport)

    monkeypatch.setattr(ScreenView, "_paint_plain", counted)
    for place in range(1, 6):
        view.show_step(steps[place])
        assert is_copied(view) is (place > 1)
        while view.prepare_steps([steps[place + 1], steps[place - 1]]):
            pass
    assert painted == [3, 1, 4, 2, 5, 6, 7]
