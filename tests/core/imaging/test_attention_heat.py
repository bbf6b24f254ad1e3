"""Attention over a screen: cells as heat, elements as outlines, drawn where and as densely as worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from stepscope.core.domain.action import Tap
from stepscope.core.domain.attention import AttentionArea
from stepscope.core.domain.episode import Observation, Step
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.domain.layers import DEFAULT_LAYERS, Layer, Layers
from stepscope.core.domain.mark import AttentionHeat, AttentionMark, BoxMark, Mark
from stepscope.core.domain.prediction import ActionAnswer, Prediction
from stepscope.core.imaging.attention_heat import heat
from stepscope.core.imaging.draw import render_step
from stepscope.core.imaging.overlay import RunMarks, build_marks

SIZE = Size(160, 320)
RUN_A = (255, 176, 32)
"""The colour of run A, #FFB020."""
SHOWN = Layers.of(Layer.ATTENTION, Layer.RUN_A)
WHITE = np.full((320, 160, 3), 255, np.uint8)


def cell(left: float, top: float, right: float, bottom: float, weight: float) -> AttentionArea:
    return AttentionArea(left, top, right, bottom, weight)


CELLS = (cell(0, 0, 0.5, 0.5, 0.2), cell(0.5, 0, 1, 0.5, 0.1), cell(0, 0.5, 0.5, 1, 0.05), cell(0, 0, 0.5, 0.25, 0.1))
"""The last lies on the first, which is heavier."""


def test_cells_are_as_opaque_as_their_weight_beside_the_heaviest() -> None:
    """0.65 × 255 = 165.75; half of it 82.875, a quarter 41.4375."""
    layer = heat(CELLS, SIZE, "#FFB020")
    assert layer.shape == (320, 160, 4) and not layer.flags.writeable
    opacity = layer[:, :, 3]
    corners = opacity[0, 0], opacity[159, 79], opacity[0, 80], opacity[160, 0], opacity[319, 159]
    assert corners == (166, 166, 83, 41, 0)
    assert np.unique(layer[:, :, :3].reshape(-1, 3), axis=0).tolist() == [list(RUN_A)]


def test_weightless_and_tiny_cells() -> None:
    assert not heat((cell(0, 0, 1, 1, 0.0),), SIZE, "#FFB020")[:, :, 3].any()
    tiny = heat((cell(0.5, 0.5, 0.5001, 0.5001, 1.0),), SIZE, "#FFB020")[:, :, 3]
    assert np.argwhere(tiny).tolist() == [[160, 80]], "a pixel at least"
    assert heat((), Size(10_000, 10), "#FFB020").shape == (1, 320, 4)


def marks_of(layers: Layers = SHOWN, *attention: AttentionHeat | AttentionMark) -> tuple[Mark, ...]:
    said = Prediction("lamp", 0, ActionAnswer(Tap(Point(150, 310, SIZE))))
    step = Step(0, Observation(SIZE), Tap(Point(20, 20, SIZE)))
    return build_marks(step, [RunMarks(0, said, attention=attention)], None, layers)


def test_heat_lies_over_the_screen_in_the_runs_colour() -> None:
    """White plus 0.65 or half of it of the way to amber."""
    marks = [mark for mark in marks_of(SHOWN, AttentionHeat(0, CELLS)) if mark.layer is Layer.ATTENTION]
    drawn = render_step(WHITE, marks)
    assert drawn[10, 10] == pytest.approx([255, 204, 110], abs=2)
    assert drawn[10, 150] == pytest.approx([255, 229, 183], abs=2)
    assert drawn[300, 150].tolist() == [255, 255, 255]
    weak = render_step(WHITE, marks, strengths={Layer.ATTENTION: 0.5})
    assert weak[10, 10] == pytest.approx([255, 229, 183], abs=2)


def test_outlines_are_the_stronger_the_heavier_and_stand_out_when_pointed_at() -> None:
    boxes = [Box(20, 20, 80, 80, SIZE), Box(20, 120, 80, 180, SIZE), Box(20, 220, 80, 280, SIZE)]
    strengths = ((1.0, False), (0.05, False), (0.05, True))
    drawn = render_step(
        WHITE, [AttentionMark(0, box, share, lit=lit) for box, (share, lit) in zip(boxes, strengths, strict=True)]
    )
    strong, weak, lit = (drawn[y, 20].astype(int) for y in (50, 150, 250))
    assert strong == pytest.approx(RUN_A, abs=3) and lit == pytest.approx(RUN_A, abs=30)
    assert weak.min() > strong.min() + 60, "nearly as white as the screen"
    inside = [drawn[y, 50].astype(int).min() for y in (50, 150, 250)]
    assert inside[2] < inside[0] < inside[1], "what is pointed at is filled most"


def test_attention_has_a_layer_of_its_own_that_is_off_at_first() -> None:
    heat_mark, outline = AttentionHeat(0, CELLS), AttentionMark(0, Box(20, 20, 80, 80, SIZE), 1.0)
    kinds = [type(mark) for mark in marks_of(Layers.all(), outline, heat_mark)]
    assert kinds.index(AttentionHeat) < kinds.index(AttentionMark), "heat lies below"
    assert BoxMark not in kinds or kinds.index(BoxMark) < kinds.index(AttentionMark)
    for layers in (DEFAULT_LAYERS, Layers.of(Layer.ATTENTION), Layers.of(Layer.RUN_A)):
        assert not {AttentionHeat, AttentionMark} & {type(mark) for mark in marks_of(layers, heat_mark, outline)}
