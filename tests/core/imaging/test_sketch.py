"""Where marks lie on a drawing: sizes, order, places of words."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.action import FinishStatus
from stepscope.core.domain.geometry import Box, Ellipse, Patch, Point, Region, Size
from stepscope.core.domain.layers import Layer, run_layer
from stepscope.core.domain.mark import (
    ArrowKind,
    ArrowMark,
    BubbleKind,
    BubbleMark,
    CandidateMark,
    ChangeMark,
    ChangeSign,
    EvidenceMark,
    FlagMark,
    LabelMark,
    Mark,
    MarkVerdict,
    MissLine,
    PillKind,
    PillMark,
    PointMark,
    RegionMark,
    TreeMark,
)
from stepscope.core.imaging.palette import RUN_STYLES, rgb
from stepscope.core.imaging.rect import Rect
from stepscope.core.imaging.sketch import PicturePlacement, Sketch, sketch
from stepscope.core.imaging.strokes import Fill, Grid, Oval, Polyline, RoundedRect, Stroke, TextStroke, dashes, polygon

SCREEN = Size(1080, 2400)


def frame(scale: float = 0.25, left: float = 0.0, top: float = 0.0) -> PicturePlacement:
    return PicturePlacement(left, top, scale, 1.0, SCREEN, Rect(0, 0, 800, 700))


def drawn(marks: list[Mark], where: PicturePlacement | None = None) -> Sketch:
    return sketch(marks, where or frame(), lambda text, size, _weight: 0.6 * size * len(text))


def at(x: float, y: float) -> Point:
    return Point(x, y, SCREEN)


@pytest.mark.parametrize("scale", [0.1, 0.26, 1.0, 7.5])
def test_a_run_glyph_is_22_units_wide_at_any_zoom(scale: float) -> None:
    where = PicturePlacement(10, 20, scale, 1.0, SCREEN, Rect(0, 0, 1e5, 1e5))
    inks = drawn([PointMark(Layer.RUN_A, at(400, 600), MarkVerdict.HIT)], where).inks
    (fill,) = [ink for ink in inks if isinstance(ink, Fill)]
    assert fill.outlines == (Oval(10 + 400 * scale, 20 + 600 * scale, 11, 11),)


def test_every_glyph_lies_on_a_dark_casing() -> None:
    for layer in (Layer.REFERENCE, *(run_layer(i) for i in range(8))):
        first = drawn([PointMark(layer, at(400, 600), MarkVerdict.MISS)]).inks[0]
        assert isinstance(first, Stroke)
        assert first.colour == "#0D1014"


def test_a_hit_is_filled_and_a_miss_is_hollow_with_a_cross() -> None:
    hit = drawn([PointMark(Layer.RUN_B, at(400, 600), MarkVerdict.HIT)]).inks
    miss = drawn([PointMark(Layer.RUN_B, at(400, 600), MarkVerdict.MISS)]).inks
    unscored = drawn([PointMark(Layer.RUN_B, at(400, 600), MarkVerdict.UNSCORED)]).inks
    pink = RUN_STYLES[1].colour
    assert [ink.colour for ink in hit if isinstance(ink, Fill)] == [pink]
    assert pink not in [ink.colour for ink in miss if isinstance(ink, Fill)]
    letters = [next(ink for ink in inks if isinstance(ink, TextStroke)) for inks in (hit, miss, unscored)]
    assert [letter.colour for letter in letters] == ["#0D1014", pink, pink]
    crosses = [any(ink.colour == "#FFFFFF" for ink in inks) for inks in (hit, miss, unscored)]
    assert crosses == [False, True, False]


def test_eight_runs_have_eight_looks() -> None:
    looks = {(style.letter, style.colour, style.shape, style.double) for style in RUN_STYLES}
    assert len(looks) == 8
    assert [style.double for style in RUN_STYLES] == [False] * 4 + [True] * 4


def test_the_tolerance_keeps_its_true_shape_and_stays_on_the_picture() -> None:
    region = Region((Ellipse(at(500, 800), 0.14 * 1080, 0.14 * 2400), Box(400, 700, 600, 900, SCREEN)), "aitw")
    inks = drawn([RegionMark(region)]).inks
    others, fill = [ink for ink in inks if isinstance(ink, Fill)]
    assert fill.outlines == (Oval(125, 200, pytest.approx(37.8), pytest.approx(84)),)
    assert (others.opacity, fill.opacity) == (0.06, 0.13)
    assert others.outlines == (RoundedRect(Rect(100, 175, 150, 225)),)
    assert all(ink.clipped for ink in inks if isinstance(ink, (Fill, Stroke)))


def test_arrows_over_the_same_way_lie_beside_each_other() -> None:
    """Upwards in the middle: the second is 7 units to one side, the third to the other; one from elsewhere stays."""
    layers = (Layer.REFERENCE, Layer.RUN_A, Layer.RUN_B)
    marks = [ArrowMark(layer, ArrowKind.SWIPE, at(500, 1600), at(500, 800), MarkVerdict.HIT) for layer in layers]
    marks.append(ArrowMark(Layer.RUN_C, ArrowKind.SWIPE, at(200, 1600), at(500, 800), MarkVerdict.HIT))
    middles = [(spot.rect.left + spot.rect.right) / 2 for spot in drawn(marks).spots]
    assert sorted(middles) == pytest.approx([118, 125, 125, 132])
    assert middles[0] == middles[3] == 125


def test_what_a_rule_accepts_beside_the_target_is_one_faint_area() -> None:
    """Two boxes of 400 that share a corner of 200, and a small one, the target's, inside both; drawn a quarter as
    large."""
    boxes = [Box(l, t, r, b, SCREEN) for l, t, r, b in ((100, 100, 500, 500), (300, 300, 700, 700))]  # noqa: E741
    region = Region((*boxes, Box(380, 380, 420, 420, SCREEN)), "aitw", 2)
    others, target = [ink for ink in drawn([RegionMark(region)]).inks if isinstance(ink, Fill)]
    assert target.outlines == (RoundedRect(Rect(95, 95, 105, 105)),) and others.opacity < target.opacity
    (line,) = (np.array(polygon(outline)) for outline in others.outlines)
    assert not ((line > 76) & (line < 124)).all(axis=1).any(), "no line where the two boxes meet"
    assert np.allclose([line.min(), line.max()], [25, 175], atol=0.6)
    strokes = [ink for ink in drawn([RegionMark(region)]).inks if isinstance(ink, Stroke)]
    assert max(ink.width for ink in strokes if ink.outlines == others.outlines) < max(ink.width for ink in strokes)


def test_words_cover_neither_glyphs_nor_each_other() -> None:
    marks: list[Mark] = [
        PointMark(Layer.REFERENCE, at(500, 2300)),
        MissLine(Layer.RUN_A, at(300, 2300), at(500, 2300), "0.47 away"),
        PillMark(Layer.REFERENCE, PillKind.KEY, "home"),
        *(PillMark(run_layer(i), PillKind.KEY, "back", None, MarkVerdict.MISS) for i in range(4)),
        BubbleMark(Layer.RUN_E, BubbleKind.ASK, "Which of the two accounts should be used for this?"),
        FlagMark(Layer.RUN_F, FinishStatus.IMPOSSIBLE),
        *(PillMark(run_layer(i), PillKind.TYPED, "“x”", Box(300, 2000, 700, 2100, SCREEN)) for i in (6, 7)),
    ]
    spots = drawn(marks).spots
    assert len(spots) == len(marks)
    for one, other in itertools.combinations(spots, 2):
        assert not one.rect.touches(other.rect), (one, other)


def test_typed_text_hangs_under_its_field_or_over_it_where_there_is_no_room() -> None:
    under = drawn([PillMark(Layer.RUN_A, PillKind.TYPED, "x", Box(400, 400, 800, 500, SCREEN))]).spots[0].rect
    over = drawn([PillMark(Layer.RUN_A, PillKind.TYPED, "x", Box(400, 2300, 800, 2390, SCREEN))]).spots[0].rect
    assert under.top > 125
    assert over.bottom <= 600


def test_runs_that_tap_one_place_stand_side_by_side() -> None:
    taps: list[Mark] = [PointMark(run_layer(i), at(400, 600), MarkVerdict.HIT) for i in range(8)]
    spots = drawn(taps).spots
    middles = [((s.rect.left + s.rect.right) / 2, (s.rect.top + s.rect.bottom) / 2) for s in spots]
    assert middles[0] == (100, 150)
    gaps = [np.hypot(a[0] - b[0], a[1] - b[1]) for a, b in itertools.combinations(middles, 2)]
    assert min(gaps) >= 15


def test_a_click_finds_the_topmost_mark() -> None:
    found = drawn([PointMark(Layer.REFERENCE, at(400, 600)), PointMark(Layer.RUN_A, at(412, 600), MarkVerdict.HIT)])
    assert found.layer_at(103, 150) is Layer.RUN_A
    assert found.layer_at(86, 150) is Layer.REFERENCE
    assert found.layer_at(300, 300) is None


def test_labels_are_left_out_where_they_do_not_fit() -> None:
    wide, narrow = Box(0, 0, 400, 200, SCREEN), Box(0, 800, 40, 900, SCREEN)
    words = [
        ink for ink in drawn([LabelMark("Hello", wide), LabelMark("No", narrow)]).inks if isinstance(ink, TextStroke)
    ]
    assert [ink.text for ink in words] == ["Hello"]


def test_a_weakened_layer_is_fainter_and_others_are_not() -> None:
    marks: list[Mark] = [PointMark(Layer.REFERENCE, at(9, 9)), PointMark(Layer.RUN_A, at(900, 900))]
    weak = sketch(marks, frame(), lambda *_: 10.0, {Layer.REFERENCE: 0.25})
    assert {ink.opacity for ink in weak.inks} == {0.25, 1.0}


def test_a_tree_is_one_grid_in_the_scale_of_the_picture() -> None:
    tree = TreeMark((Box(40, 80, 400, 800, SCREEN), Box(0, 0, 1080, 2400, SCREEN)))
    (grid,) = drawn([tree], frame(0.25, 7, 9)).inks
    assert isinstance(grid, Grid)
    assert grid.boxes.tolist() == [[10, 20, 100, 200], [0, 0, 270, 600]]
    assert (grid.left, grid.top) == (7, 9)


@given(st.lists(st.floats(0.5, 30), min_size=2, max_size=2), st.floats(1, 300))
def test_dashes_cover_their_share_of_a_line(pattern: list[float], length: float) -> None:
    pieces = dashes(((0.0, 0.0), (length, 0.0)), False, tuple(pattern))
    covered = sum(piece[-1][0] - piece[0][0] for piece in pieces)
    line, gap = pattern
    whole, rest = divmod(length, line + gap)
    assert covered == pytest.approx(whole * line + min(rest, line), abs=1e-6)


def test_round_outlines_become_polygons_that_touch_their_extremes() -> None:
    corners = np.array(polygon(Oval(50, 60, 40, 20)))
    assert corners.min(axis=0) == pytest.approx([10, 40], abs=0.3)
    assert corners.max(axis=0) == pytest.approx([90, 80], abs=0.3)
    assert polygon(Polyline(((0, 0), (1, 1)))) == ((0, 0), (1, 1))
    assert len(polygon(RoundedRect(Rect(0, 0, 10, 10)))) == 4


def test_colours_are_read_as_red_green_blue() -> None:
    assert rgb("#4CC9FF") == (76, 201, 255)


def test_heavier_evidence_has_the_thicker_frame_and_a_candidate_its_number_on_a_disc() -> None:
    box = Box(100, 100, 300, 200, SCREEN)
    heavy, light = (drawn([EvidenceMark(0, box, share)]).inks for share in (1.0, 0.1))
    widths = [max(ink.width for ink in inks if isinstance(ink, Stroke)) for inks in (heavy, light)]
    assert widths[0] > widths[1]
    inks = drawn([CandidateMark(1, 3, box)]).inks
    assert [ink.text for ink in inks if isinstance(ink, TextStroke)] == ["3"]
    assert drawn([EvidenceMark(0, Box(0, 90_000, 5, 90_005, SCREEN), 1.0)]).inks == ()


def test_a_candidate_has_its_runs_shape_and_its_score_on_the_picture() -> None:
    inside = drawn([CandidateMark(1, 3, Box(400, 600, 400, 600, SCREEN), "3: tap, 0.41", 0.41)]).inks
    assert [ink.text for ink in inside if isinstance(ink, TextStroke)] == ["0.41", "3"]
    assert any(isinstance(outline, RoundedRect) for ink in inside if isinstance(ink, Fill) for outline in ink.outlines)
    at_edge = drawn([CandidateMark(0, 1, Box(1078, 600, 1078, 600, SCREEN), "", 0.9)]).inks
    score = next(ink for ink in at_edge if isinstance(ink, TextStroke))
    assert score.text == "0.90" and score.x < 1078 * 0.25 - 20, "at the left of the number"


def test_candidates_of_several_runs_at_one_place_stand_below_each_other_and_clear_of_the_distance() -> None:
    place = Box(400, 600, 400, 600, SCREEN)
    marks = [CandidateMark(run, 1, place, score=score) for run, score in enumerate((0.06, 0.08, 0.11))]
    start, end = at(390, 560), at(410, 640)
    inks = drawn([*marks, MissLine(Layer.RUN_A, start, end, "0.06 away")]).inks
    scores = [ink for ink in inks if isinstance(ink, TextStroke) and ink.text in ("0.06", "0.08", "0.11")]
    assert len({ink.x for ink in scores}) == 1
    assert all(below.baseline - above.baseline > above.size for above, below in itertools.pairwise(scores))
    (away,) = [ink for ink in inks if isinstance(ink, TextStroke) and ink.text.endswith("away")]
    assert all(abs(away.baseline - ink.baseline) > away.size or abs(away.x - ink.x) > 30 for ink in scores)


def test_what_changed_is_told_by_sign_and_line_beside_the_colour() -> None:
    box = Box(100, 100, 300, 200, SCREEN)

    def looks(sign: ChangeSign) -> tuple[bool, int]:
        """Whether the frame is dashed, and how many strokes the sign at its corner has."""
        inks = drawn([ChangeMark(sign, box)]).inks
        frame = [ink for ink in inks if isinstance(ink, Stroke) and isinstance(ink.outlines[0], RoundedRect)]
        signs = [ink for ink in inks if isinstance(ink, Stroke) and isinstance(ink.outlines[0], Polyline)]
        return bool(frame[-1].dash), sum(len(ink.outlines) for ink in signs)

    assert looks(ChangeSign.APPEARED) == (False, 2), "a whole line and a plus"
    assert looks(ChangeSign.VANISHED) == (True, 1), "dashes and a minus"
    assert looks(ChangeSign.CHANGED) == (True, 1), "dots and a wave"
    assert looks(ChangeSign.REGION) == (True, 0)
    assert all(ink.clipped for ink in drawn([ChangeMark(ChangeSign.REGION, box)]).inks if isinstance(ink, Fill))
    assert drawn([ChangeMark(ChangeSign.APPEARED, Box(0, 90_000, 5, 90_005, SCREEN))]).inks == ()


def test_a_patch_has_one_outline_around_its_pieces_and_one_around_its_hole() -> None:
    """A square of 400 less one of 200 in its middle, in four pieces; the drawing is a quarter as large."""
    pieces = ((100, 100, 200, 500), (400, 100, 500, 500), (200, 100, 400, 200), (200, 400, 400, 500))
    patch = Patch(tuple(((l, t), (r, t), (r, b), (l, b)) for l, t, r, b in pieces), SCREEN)  # noqa: E741
    inks = drawn([RegionMark(Region((patch,), "motif"))]).inks
    (fill,) = [ink for ink in inks if isinstance(ink, Fill)]
    assert fill.even_odd and fill.clipped and fill.opacity == 0.13
    corners = [polygon(outline) for outline in fill.outlines]
    assert len(corners) == 2
    around, hole = sorted((np.array(line) for line in corners), key=lambda line: line.min())
    assert np.allclose([around.min(), around.max()], [25, 125], atol=0.6)
    assert np.allclose([hole.min(), hole.max()], [50, 100], atol=0.6)
    far = PicturePlacement(0.0, 0.0, 0.25, 1.0, SCREEN, Rect(500, 500, 600, 600))
    assert [ink for ink in drawn([RegionMark(Region((patch,), ""))], far).inks if isinstance(ink, Fill)] == []
