"""Pictures that predictors attach: what they may be, and how they lie over a screen."""

from __future__ import annotations

import numpy as np
import pytest

from stepscope.core.domain.action import Tap
from stepscope.core.domain.episode import Observation, Step
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.domain.layers import DEFAULT_LAYERS, Layer, Layers
from stepscope.core.domain.prediction import (
    LARGEST_PICTURE,
    MOST_PICTURES,
    ActionAnswer,
    AttachedPicture,
    FeasibilityAnswer,
    FeasibilityLabel,
    Prediction,
)
from stepscope.core.imaging.attached_pictures import laid_over
from stepscope.core.imaging.attachment_check import check_attached
from stepscope.core.imaging.draw import render_step
from stepscope.core.imaging.opencv import cv2
from stepscope.core.imaging.overlay import RunMarks, build_marks

SIZE = Size(100, 200)
RUN_A = (255, 176, 32)
"""The colour of run A, #FFB020."""
SHOWN = Layers.of(Layer.SALIENCY, Layer.RUN_A)


def file_of(pixels, suffix: str = ".png") -> bytes:
    """A picture file; colours in OpenCV's order."""
    done, data = cv2.imencode(suffix, np.array(pixels, np.uint8))
    assert done
    return data.tobytes()


def grey(value: int, suffix: str = ".png") -> bytes:
    return file_of(np.full((8, 4), value), suffix)


def step(index: int = 0) -> Step:
    return Step(index, Observation(SIZE), None)


def marks_of(prediction: Prediction, index: int = 0, layers: Layers = SHOWN):
    return build_marks(step(index), [RunMarks(0, prediction)], None, layers)


def tap(*pictures: AttachedPicture, index: int = 0) -> Prediction:
    return Prediction("lamp", index, ActionAnswer(Tap(Point(1, 1, SIZE))), pictures=pictures)


# What they may be ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "data", "step", "words"),
    [
        ("", b"x", None, "needs a name"),
        ("a" * 61, b"x", None, "at most 60"),
        ("two\nlines", b"x", None, "printable"),
        ("a", b"", None, "0 bytes"),
        ("a", bytes(LARGEST_PICTURE + 1), None, "2,097,153 bytes, of 2,097,152 at most"),
        ("a", b"x", -1, "about step -1"),
    ],
)
def test_what_cannot_be_kept_is_refused(name, data, step, words) -> None:
    with pytest.raises(ValueError, match=words):
        AttachedPicture(name, data, None, step)


def test_a_prediction_has_few_of_them() -> None:
    one = AttachedPicture("map", grey(1))
    assert len(tap(*[one] * MOST_PICTURES).pictures) == 8
    with pytest.raises(ValueError, match="at most 8 pictures, not 9"):
        tap(*[one] * 9)


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".webp"])
def test_whole_pictures_pass(suffix) -> None:
    check_attached([AttachedPicture("map", grey(200, suffix), Box(0, 0, 100, 200, SIZE))])


@pytest.mark.parametrize(
    ("picture", "words"),
    [
        (AttachedPicture("map", b"no picture at all"), "'map' cannot be read: this is not a PNG"),
        (AttachedPicture("map", grey(1)[:-8]), "'map' cannot be read: the PNG is cut short"),
        (AttachedPicture("map", file_of(np.zeros((1, 4097), np.uint8))), "4097 × 1, of 4096 pixels a side"),
        (AttachedPicture("map", grey(1), Box(0, 0, 101, 200, SIZE)), "not on the screen"),
        (AttachedPicture("map", grey(1), Box(5, 5, 5, 9, SIZE)), "empty or not on the screen"),
        ("map.png", "not what it should be"),
    ],
)
def test_what_is_no_picture_is_refused(picture, words) -> None:
    with pytest.raises(ValueError, match=words):
        check_attached([picture])


# On which step -------------------------------------------------------------------------------------------------------


def test_a_picture_lies_on_its_own_step_or_on_the_one_it_names() -> None:
    own, third = AttachedPicture("own", grey(1)), AttachedPicture("third", grey(1), step=3)
    acting = tap(own, third, index=1)
    assert [acting.pictures_at(index) for index in (0, 1, 3)] == [(), (own,), (third,)]
    answer = FeasibilityAnswer(FeasibilityLabel.FEASIBLE)
    judging = Prediction("lamp", None, answer, pictures=(own, third))
    assert [judging.pictures_at(index) for index in (0, 3)] == [(own,), (own, third)]


# How they look -------------------------------------------------------------------------------------------------------


def test_a_grey_picture_becomes_the_runs_colour_the_brighter_the_more() -> None:
    layer = laid_over(AttachedPicture("map", file_of([[0, 255], [128, 64]])), "#FFB020")
    assert (layer[:, :, :3] == RUN_A).all()
    assert layer[:, :, 3].tolist() == [[0, 204], [102, 51]], "0.8 of the brightness"


def test_grey_is_told_whatever_the_files_kind() -> None:
    for suffix in (".jpg", ".webp"):
        layer = laid_over(AttachedPicture("map", grey(128, suffix)), "#FFB020")
        assert (layer[:, :, :3] == RUN_A).all() and abs(int(layer[0, 0, 3]) - 102) <= 2


def test_a_coloured_picture_keeps_its_colours_and_its_own_transparency() -> None:
    plain = laid_over(AttachedPicture("map", file_of([[[255, 0, 10]]])), "#FFB020")
    assert plain.tolist() == [[[10, 0, 255, 153]]]
    clear = laid_over(AttachedPicture("map", file_of([[[255, 0, 10, 30]]])), "#FFB020")
    assert clear.tolist() == [[[10, 0, 255, 30]]]


def test_sixteen_bits_are_read_as_eight() -> None:
    done, data = cv2.imencode(".png", np.array([[0, 65535]], np.uint16))
    assert done
    assert laid_over(AttachedPicture("map", data.tobytes()), "#FFB020")[0, :, 3].tolist() == [0, 204]


def test_it_covers_the_screen_or_its_box_and_nothing_else() -> None:
    white = np.full((200, 100, 3), 255, np.uint8)
    bright = AttachedPicture("map", grey(255))
    whole = render_step(white, marks_of(tap(bright)))
    blended = np.rint(255 + (np.array(RUN_A) - 255) * 0.8)
    assert (whole[150:, 50:] == blended).all()
    part = AttachedPicture("map", grey(255), Box(20, 40, 60, 80, SIZE))
    drawn = render_step(white, [mark for mark in marks_of(tap(part)) if mark.layer is Layer.SALIENCY])
    changed = (drawn != 255).any(axis=2)
    assert changed[40:80, 20:60].all() and changed.sum() == 40 * 40


def test_strengths_weaken_it() -> None:
    white = np.full((200, 100, 3), 255, np.uint8)
    marks = [mark for mark in marks_of(tap(AttachedPicture("map", grey(255)))) if mark.layer is Layer.SALIENCY]
    drawn = render_step(white, marks, strengths={Layer.SALIENCY: 0.5})
    assert (drawn[100, 50] == np.rint(255 + (np.array(RUN_A) - 255) * 0.4)).all()


def test_it_is_drawn_where_its_layer_and_its_run_are_shown() -> None:
    prediction = tap(AttachedPicture("map", grey(255)))
    kinds = {mark.layer for mark in marks_of(prediction)}
    assert Layer.SALIENCY in kinds
    for layers in (DEFAULT_LAYERS, Layers.of(Layer.SALIENCY)):
        assert Layer.SALIENCY not in {mark.layer for mark in marks_of(prediction, layers=layers)}


def test_what_cannot_be_decoded_is_left_out() -> None:
    data = bytearray(grey(255))
    data[45] ^= 0xFF  # inside the packed pixels
    broken = AttachedPicture("map", bytes(data))
    white = np.full((200, 100, 3), 255, np.uint8)
    marks = [mark for mark in marks_of(tap(broken)) if mark.layer is Layer.SALIENCY]
    assert len(marks) == 1 and (render_step(white, marks) == 255).all()
