"""Pixels of drawn marks, asked one by one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from stepscope.core.domain.action import Tap
from stepscope.core.domain.episode import Observation, Picture, Step
from stepscope.core.domain.geometry import Box, Ellipse, Point, Region, Size
from stepscope.core.domain.layers import Layer
from stepscope.core.domain.mark import Mark, MarkVerdict, PillKind, PillMark, PointMark, RegionMark, TreeMark
from stepscope.core.imaging.boxes import draw_outlines, outlines
from stepscope.core.imaging.decode import decode
from stepscope.core.imaging.draw import encode_png, render_step
from stepscope.core.imaging.opencv import cv2, load_opencv
from stepscope.core.imaging.overlay import build_marks
from stepscope.core.imaging.parts import Pixels
from stepscope.core.imaging.resampling import resized

SCREEN = Size(412, 800)
REFERENCE, ORANGE, CASING, INK = (76, 201, 255), (255, 176, 32), (13, 16, 20), (20, 23, 28)


def white() -> Pixels:
    return np.full((800, 412, 3), 255, np.uint8)


def at(x: float, y: float) -> Point:
    return Point(x, y, SCREEN)


def colour(pixels: Pixels, x: int, y: int) -> tuple[int, ...]:
    return tuple(pixels[y, x].tolist())


def test_the_reference_is_a_ring_with_ticks_and_a_dot() -> None:
    pixels = render_step(white(), [PointMark(Layer.REFERENCE, at(200, 300))])
    assert colour(pixels, 212, 300) == REFERENCE  # ring
    assert colour(pixels, 200, 300) == REFERENCE  # dot
    assert colour(pixels, 215, 300) == REFERENCE  # tick
    assert colour(pixels, 207, 303) == (255, 255, 255)  # one sees through the ring
    assert colour(pixels, 208, 316) != REFERENCE


def test_the_picture_itself_is_left_alone() -> None:
    before = white()
    render_step(before, [PointMark(Layer.REFERENCE, at(200, 300))])
    assert (before == 255).all()


def test_hit_and_miss_differ_in_shape_not_only_in_colour() -> None:
    hit = render_step(white(), [PointMark(Layer.RUN_A, at(200, 300), MarkVerdict.HIT)])
    miss = render_step(white(), [PointMark(Layer.RUN_A, at(200, 300), MarkVerdict.MISS)])
    assert colour(hit, 192, 300) == ORANGE
    assert colour(miss, 192, 300) == INK
    assert colour(miss, 211, 289) == (255, 255, 255)  # the cross
    assert colour(miss, 211, 285) == CASING
    assert colour(hit, 211, 289) == (255, 255, 255)  # nothing there but the picture
    assert colour(hit, 211, 285) == (255, 255, 255)


def test_the_tolerance_of_a_tall_screen_is_an_ellipse() -> None:
    region = Region((Ellipse(at(200, 300), 0.14 * 412, 0.14 * 800),), "aitw")
    tinted = (render_step(white(), [RegionMark(region)]) != 255).any(axis=2)
    assert tinted[300, 150] and tinted[200, 200]
    assert not tinted[300, 135] and not tinted[180, 200]
    assert not tinted[210, 155]  # a corner of its box
    inside = render_step(white(), [RegionMark(region)])[300, 200]
    assert inside.tolist() == pytest.approx([255 - 0.13 * (255 - c) for c in REFERENCE], abs=1)


def test_a_region_beyond_the_picture_is_cut_off() -> None:
    region = Region((Box(-5000, -5000, 9000, 9000, SCREEN),), "everything")
    pixels = render_step(white(), [RegionMark(region)])
    assert (pixels[:, :, 0] < 255).all()


def test_later_marks_lie_over_earlier_ones() -> None:
    below = [PointMark(Layer.RUN_A, at(200, 300), MarkVerdict.HIT), PointMark(Layer.REFERENCE, at(200, 300))]
    assert colour(render_step(white(), below), 200, 300) == REFERENCE
    assert colour(render_step(white(), below[::-1]), 193, 300) == ORANGE


def test_glyphs_grow_with_the_picture() -> None:
    large = np.full((2400, 1080, 3), 255, np.uint8)
    unit = 1080 / 412
    pixels = render_step(large, [PointMark(Layer.REFERENCE, Point(500, 900, Size(1080, 2400)))])
    assert colour(pixels, round(500 + 12 * unit), 900) == REFERENCE
    given = render_step(large, [PointMark(Layer.REFERENCE, Point(500, 900, Size(1080, 2400)))], 1.0)
    assert colour(given, 512, 900) == REFERENCE


def test_drawn_reduced_as_reduced_after_it_was_drawn() -> None:
    size = Size(1080, 2400)
    large, small = np.full((2400, 1080, 3), 255, np.uint8), np.full((800, 360, 3), 255, np.uint8)
    box = Box(90, 240, 900, 600, size)
    marks: list[Mark] = [
        PointMark(Layer.REFERENCE, Point(500, 900, size)),
        PointMark(Layer.RUN_A, Point(300, 1500, size), MarkVerdict.MISS),
        RegionMark(Region((Ellipse(Point(500, 900, size), 150.0, 330.0),), "aitw")),
        PillMark(Layer.RUN_A, PillKind.TYPED, "words", box),
    ]
    after = resized(render_step(large, marks), Size(360, 800)).astype(int)
    reduced = render_step(small, marks, reduced_from=size).astype(int)
    assert np.abs(reduced - after).mean() < 0.5
    assert (np.abs(reduced - after).max(axis=2) > 128).mean() < 0.002, "letters apart the same pixels"


def test_tree_boxes_are_thin_and_grey() -> None:
    pixels = render_step(white(), [TreeMark((Box(50, 60, 150, 160, SCREEN),))])
    grey = tuple(round(255 - 0.75 * (255 - c)) for c in (0x56, 0x61, 0x6F))
    assert colour(pixels, 50, 100) == pytest.approx(grey, abs=1)
    assert colour(pixels, 149, 100) == pytest.approx(grey, abs=1)
    assert colour(pixels, 51, 100) == (255, 255, 255)


@pytest.mark.parametrize("text", ["Grüße", "中文输入", "ภาษาไทย", "😀", "a\u0301", ""])
def test_any_script_can_be_written(text: str) -> None:
    mark = PillMark(Layer.RUN_A, PillKind.TYPED, text, Box(50, 60, 150, 90, SCREEN))
    assert (render_step(white(), [mark]) != 255).any()


def test_text_is_written_without_outline_fonts_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(load_opencv(), "FontFace", raising=False)
    marks: list[Mark] = [PillMark(Layer.RUN_A, PillKind.TYPED, "“Grüße” ●●", Box(50, 60, 150, 90, SCREEN))]
    assert (render_step(white(), marks) != 255).any()


def test_a_glyph_far_outside_is_no_trouble() -> None:
    pixels = render_step(white(), [PointMark(Layer.RUN_A, at(1e9, -1e9), MarkVerdict.MISS)])
    assert (pixels == 255).all()


def test_a_png_holds_the_same_pixels() -> None:
    pixels = render_step(white(), [PointMark(Layer.RUN_A, at(200, 300), MarkVerdict.HIT)])
    back = cv2.imdecode(np.frombuffer(encode_png(pixels), np.uint8), cv2.IMREAD_COLOR_RGB)
    assert (back == pixels).all()


def test_box_outlines_are_what_drawing_each_gives() -> None:
    random = np.random.default_rng(0)
    boxes = random.uniform(-40, 140, (300, 4))
    boxes[:, 2:] = boxes[:, :2] + random.uniform(0, 60, (300, 2))
    expected = np.zeros((90, 100), np.uint8)
    for left, top, right, bottom in np.round(boxes).astype(int).tolist():
        for y in range(max(top, 0), min(max(bottom, top + 1), 90)):
            for x in range(max(left, 0), min(max(right, left + 1), 100)):
                edge = x in (left, max(right, left + 1) - 1) or y in (top, max(bottom, top + 1) - 1)
                expected[y, x] |= edge
    assert (outlines(boxes, 100, 90) == expected).all()
    pixels = np.full((90, 100, 4), 9, np.uint8)
    draw_outlines(boxes, pixels, (1, 2, 3, 250))
    assert (pixels == np.where(expected[:, :, None] == 1, (1, 2, 3, 250), 9)).all()


def test_a_real_step_carries_its_reference_on_the_recorded_place(real_data: Path) -> None:
    size = Size(1080, 2400)
    picture = Picture(real_data / "llamatouch" / "trace_18" / "1.png", size)
    tapped = Step(1, Observation(size, picture), Tap(Point(204, 170, Size(320, 720))))
    pixels = render_step(decode(picture), build_marks(tapped, []))
    assert colour(pixels, 688, 566) == REFERENCE
