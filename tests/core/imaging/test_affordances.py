"""Marks of what elements allow: letters by kind, how they go with the tree, and where they are painted."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from stepscope.core.domain.affordance import KINDS, Affordance, AffordanceAnswer, ElementAffordance, certain
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Observation, Step
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.domain.layers import DEFAULT_LAYERS, Layer
from stepscope.core.domain.mark import AffordanceMark, KindAgreement, Mark
from stepscope.core.domain.prediction import Prediction
from stepscope.core.imaging.affordances import LETTERS
from stepscope.core.imaging.overlay import Elements, RunMarks, build_marks
from stepscope.core.imaging.palette import INK, RUN_STYLES
from stepscope.core.imaging.rect import Rect
from stepscope.core.imaging.sketch import PicturePlacement, sketch
from stepscope.core.imaging.strokes import Fill, RoundedRect, Stroke, TextStroke

SIZE = Size(200, 400)
TAP, LONG, TYPE, SCROLL, CHECK = KINDS
AGREED, EXTRA, MISSED = KindAgreement
BUTTON = UIElement(0, Box(10, 10, 110, 50, SIZE), text="Log  in", clickable=True, checkable=True)
LIST = UIElement(1, Box(10, 10, 190, 390, SIZE), class_name="a.b.ListView", scrollable=True)
ANSWER = AffordanceAnswer((
    ElementAffordance(0, (0.9, 0.6, 0.0, 0.1, 0.2)), certain(1, (SCROLL,)), certain(7, (TAP,)),
))  # fmt: skip


def marks(told: Sequence[Affordance] = KINDS, answer: AffordanceAnswer = ANSWER) -> list[Mark]:
    step = Step(3, Observation(SIZE, tree=UITree((BUTTON, LIST), TreeOrigin.ACCESSIBILITY, SIZE)))
    said = RunMarks(1, Prediction("e", 3, answer))
    return list(build_marks(step, [said], layers=DEFAULT_LAYERS, elements=Elements(told=told)))


def test_each_kind_has_a_letter_of_its_own() -> None:
    assert set(LETTERS) == set(Affordance) and len(set(LETTERS.values())) == len(LETTERS)


def test_kinds_stand_beside_what_the_tree_declares() -> None:
    button, rows = marks()
    assert button == AffordanceMark(
        1, BUTTON.box, (("T", AGREED), ("L", EXTRA), ("C", MISSED)),
        "Log in: tap 0.90, long press 0.60, scroll 0.10, check 0.20; the tree says tap, check",
    )  # fmt: skip
    assert isinstance(rows, AffordanceMark) and rows.kinds == (("S", AGREED),)
    assert rows.text == "ListView: scroll 1.00; the tree says scroll"


def test_what_the_tree_does_not_tell_is_neither_right_nor_wrong() -> None:
    button, _ = marks(told=(TAP,))
    assert isinstance(button, AffordanceMark) and button.kinds == (("T", AGREED), ("L", AGREED))
    nothing_told, _ = marks(told=())
    assert isinstance(nothing_told, AffordanceMark) and "the tree" not in nothing_told.text


def test_where_the_episode_is_not_known_the_origin_of_the_tree_tells() -> None:
    tree = UITree((BUTTON, LIST), TreeOrigin.VIEW_HIERARCHY, SIZE)
    (button, _) = build_marks(Step(0, Observation(SIZE, tree=tree)), [RunMarks(0, Prediction("e", 0, ANSWER))])
    assert isinstance(button, AffordanceMark) and button.kinds == (("T", AGREED), ("L", EXTRA))


def test_elements_that_allow_nothing_and_a_hidden_layer_have_no_marks() -> None:
    silent = AffordanceAnswer((certain(1, ()),))
    assert marks(told=(TAP,), answer=silent) == []
    step = Step(0, Observation(SIZE))
    said = RunMarks(0, Prediction("e", 0, ANSWER))
    assert build_marks(step, [said]) == (), "without a tree nobody knows where they are"
    shown = Step(0, Observation(SIZE, tree=UITree((BUTTON, LIST), TreeOrigin.ACCESSIBILITY, SIZE)))
    assert build_marks(shown, [said], layers=DEFAULT_LAYERS.without(Layer.AFFORDANCE)) == ()


def drawn(*found: Mark) -> tuple[object, ...]:
    frame = PicturePlacement(0, 0, 1.0, 1.0, SIZE, Rect(0, 0, 200, 400))
    return sketch(found, frame, lambda text, size, _weight: 0.5 * size * len(text)).inks


def test_letters_are_full_hollow_or_broken() -> None:
    inks = drawn(AffordanceMark(1, BUTTON.box, (("T", AGREED), ("L", EXTRA), ("C", MISSED))))
    assert [ink.text for ink in inks if isinstance(ink, TextStroke)] == ["T", "L", "C"]
    assert [ink.colour for ink in inks if isinstance(ink, Fill)] == [RUN_STYLES[1].colour, INK, INK]
    _, *chips = [ink for ink in inks if isinstance(ink, Stroke)]
    assert [bool(ink.dash) for ink in chips] == [False, False, True]


def test_letters_of_elements_with_the_same_corner_stand_beside_each_other() -> None:
    one, other = (AffordanceMark(0, box, (("T", AGREED), ("L", AGREED))) for box in (LIST.box, BUTTON.box))
    grounds = [ink.outlines[0].rect for ink in drawn(one, other) if isinstance(ink, Fill)
               and isinstance(ink.outlines[0], RoundedRect)]  # fmt: skip
    assert len(grounds) == 4 and grounds[0].left == pytest.approx(10)
    assert not any(a.touches(b) for place, a in enumerate(grounds) for b in grounds[place + 1 :])
    far = Box(10, 9_000, 50, 9_050, SIZE)
    assert drawn(AffordanceMark(0, far, (("T", AGREED),))) == ()
