"""Animations: every step for its time, in both kinds of file; nothing whole after a cancel."""

from __future__ import annotations

import io
import sys
from dataclasses import replace

import av
import numpy as np
import pytest
from PIL import Image

from stepscope.app.services.export.episode_animation import check_animation, write_animation
from stepscope.app.services.export.episode_frames import Frames, FrameSize, Timing, seen_part, sheet_steps
from stepscope.core.domain.episode import Observation, Step
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.layers import Layer
from stepscope.core.domain.mark import PointMark
from stepscope.core.errors import UnavailableError, UsageError
from stepscope.core.imaging.opencv import cv2
from stepscope.core.progress import CancelToken
from tests.app.episodes import GREY, picture, view


def finished(steps):
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def written(shown, suffix: str, **more) -> bytes:
    stream = io.BytesIO()
    assert finished(write_animation(shown, stream, suffix, CancelToken(), **more)) == len(shown.episode.steps)
    return stream.getvalue()


# Times ---------------------------------------------------------------------------------------------------------------


def times(*seconds: float | None) -> tuple[Step, ...]:
    return tuple(Step(index, Observation(Size(1, 1), time=time)) for index, time in enumerate(seconds))


@pytest.mark.parametrize(
    ("timing", "expected"),
    [
        (Timing(2.0), [2.0, 2.0, 2.0, 2.0, 2.0]),
        # 2.5 as it was, 0.05 and 30 at the bounds, after an unknown time and at the end the fixed one
        (Timing(1.0, recorded=True), [2.5, 0.3, 8.0, 1.0, 1.0]),
    ],
)
def test_steps_stay_for_their_time(timing, expected) -> None:
    assert timing.of(times(0.0, 2.5, 2.55, 32.55, None)) == pytest.approx(expected)


def test_a_clock_that_goes_back_is_no_time() -> None:
    assert Timing(1.0, recorded=True).of(times(5.0, 3.0)) == [1.0, 1.0]


# Frames --------------------------------------------------------------------------------------------------------------


def test_all_frames_have_one_even_size_and_the_picture_in_them(tmp_path) -> None:
    frames = Frames(view(tmp_path), FrameSize.SMALL)
    assert frames.size.width == 360 and frames.size.height > 640 and frames.size.height % 2 == 0
    drawn = [frames.frame(place) for place in range(3)]
    assert {one.shape for one in drawn} == {(frames.size.height, frames.size.width, 3)}
    shown = drawn[0][:640]
    assert (shown[20, 180] == GREY).all(), "the picture, 320 pixels wide, stands in the middle"
    assert (shown[:, :20] == (0x17, 0x19, 0x1D)).all()
    caption = drawn[0][640:]
    assert len(np.unique(caption.reshape(-1, 3), axis=0)) > 20, "words"
    assert (drawn[0] != drawn[1]).any() and (drawn[1] != drawn[2]).any()


def test_a_picture_is_never_enlarged(tmp_path) -> None:
    shown = view(tmp_path)
    assert Frames(shown, FrameSize.LARGE).size.width == 400


def test_of_a_very_tall_page_the_part_around_the_marks_is_shown() -> None:
    size = Size(100, 2000)
    pixels = np.repeat(np.arange(2000) // 8, 100).reshape(2000, 100, 1).repeat(3, 2).astype(np.uint8)
    mark = PointMark(Layer.REFERENCE, Point(50, 1500, size))
    assert (seen_part(pixels, (mark,)) == pixels[1375:1625]).all()
    assert (seen_part(pixels, ()) == pixels[:250]).all()
    low = PointMark(Layer.REFERENCE, Point(50, 1999, size))
    assert (seen_part(pixels, (low,)) == pixels[1750:]).all()
    assert seen_part(pixels[:250], (mark,)).shape == (250, 100, 3)


def test_a_page_among_phones_does_not_make_the_frames_huge(tmp_path) -> None:
    shown = view(tmp_path)
    tall = Size(100, 5000)
    page = Step(3, Observation(tall, picture(tmp_path, tall)))
    mixed = replace(shown, episode=replace(shown.episode, steps=(*shown.episode.steps, page)))
    frames = Frames(mixed, FrameSize.SMALL)
    assert frames.size == Frames(shown, FrameSize.SMALL).size
    assert frames.frame(3).shape[:2] == (frames.size.height, frames.size.width)


def test_a_sheet_has_all_frames_in_rows(tmp_path) -> None:
    shown = view(tmp_path)
    many = replace(shown, episode=replace(shown.episode, steps=shown.episode.steps * 3))
    data = finished(sheet_steps(many, CancelToken(), size=FrameSize.SMALL))
    size = Frames(many, FrameSize.SMALL).size
    sheet = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert sheet.shape == (2 * size.height + 12, 6 * size.width + 60, 3)
    with pytest.raises(UsageError, match="1 to 120 steps, not 0"):
        finished(sheet_steps(replace(shown, episode=replace(shown.episode, steps=())), CancelToken()))


# Files ---------------------------------------------------------------------------------------------------------------


def test_an_animated_webp(tmp_path) -> None:
    shown = view(tmp_path)
    data = written(shown, ".webp", size=FrameSize.SMALL, timing=Timing(1.0, recorded=True))
    size = Frames(shown, FrameSize.SMALL).size
    with Image.open(io.BytesIO(data)) as found:
        assert (found.format, found.n_frames, found.size) == ("WEBP", 3, (size.width, size.height))
        assert found.info["loop"] == 0, "for ever"
        durations = []
        for place in range(3):
            found.seek(place)
            found.load()
            durations.append(found.info["duration"])
            middle = np.asarray(found.convert("RGB")).astype(int)[20, 180]
            assert place == 2 or np.abs(middle - GREY).max() <= 3
        assert durations[:2] == [2500, 300]


def test_a_video_in_vp9_shows_its_last_step_to_the_end(tmp_path) -> None:
    shown = view(tmp_path)
    data = written(shown, ".mp4", size=FrameSize.SMALL, timing=Timing(0.5))
    with av.open(io.BytesIO(data)) as container:
        (track,) = container.streams.video
        frames = [(frame.time, frame.to_ndarray(format="rgb24")) for frame in container.decode(track)]
        assert (container.format.name.split(",")[0], track.codec_context.name) == ("mov", "vp9")
    assert [time for time, _ in frames] == pytest.approx([0.0, 0.5, 1.0, 1.5])
    drawn = Frames(shown, FrameSize.SMALL)
    for place, (_time, pixels) in enumerate([*frames[:3]]):
        apart = np.abs(pixels.astype(int) - drawn.frame(place))
        assert apart.mean() < 6, "lossy, but the same picture"
    assert np.abs(frames[3][1].astype(int) - frames[2][1]).mean() < 2


def test_a_cancel_ends_between_two_steps(tmp_path) -> None:
    token = CancelToken()
    steps = write_animation(view(tmp_path), io.BytesIO(), ".webp", token, size=FrameSize.SMALL)
    assert next(steps).done == 1
    token.cancel()
    assert finished(steps) == 1


@pytest.mark.parametrize("suffix", [".gif", ".avi", ""])
def test_another_kind_of_file_is_refused(suffix) -> None:
    with pytest.raises(UsageError, match="no kind of animation"):
        check_animation(suffix)


def test_without_pyav_it_is_said_what_to_install(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(UnavailableError, match="PyAV") as refused:
        check_animation(".webp")
    assert "stepscope[video]" in refused.value.hint


def test_an_episode_without_steps_has_no_animation(tmp_path) -> None:
    shown = view(tmp_path)
    empty = replace(shown, episode=replace(shown.episode, steps=()))
    with pytest.raises(UsageError, match="no steps"):
        finished(write_animation(empty, io.BytesIO(), ".mp4", CancelToken()))
