"""The newest frame wins, and what was not shown is counted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stepscope.core.device.frames import Frame, FrameCounts, NewestFrame
from stepscope.core.domain.geometry import Size


def frame(number: int, arrived: float = 0.0) -> Frame:
    image = np.zeros((4, 2, 4), np.uint8)
    return Frame(image, Size(2, 4), number, arrived, arrived, lambda: image[:, :, :3])


def test_of_three_frames_that_come_before_a_look_the_last_is_shown_and_two_are_skipped() -> None:
    slot = NewestFrame(lambda: 10.0)
    assert [slot.put(frame(number)) for number in range(3)] == [True, False, False]
    taken = slot.take()
    assert taken is not None and taken.number == 2
    assert slot.take() is None
    assert slot.counts() == FrameCounts(0.0, None, 0, 2)


def test_pictures_that_were_never_made_into_frames_are_skipped_too() -> None:
    slot = NewestFrame()
    slot.put(frame(0))
    slot.take()
    slot.put(replace(frame(1), skipped=3))
    assert slot.counts().skipped == 3


def test_who_has_taken_the_frame_is_woken_for_the_next() -> None:
    slot = NewestFrame()
    assert slot.put(frame(0))
    slot.take()
    assert slot.put(frame(1))
    assert slot.latest is not None and slot.latest.number == 1


def test_rate_and_lateness_are_those_of_the_last_second() -> None:
    now = 0.0
    slot = NewestFrame(lambda: now)
    for number in range(30):
        now = 100 + number / 30
        slot.painted(frame(number, arrived=now - 0.010))
    counts = slot.counts()
    assert counts.per_second == 30 and counts.shown == 30
    assert counts.behind_ms is not None and abs(counts.behind_ms - 10) < 1e-6
    now = 102.0
    assert slot.counts() == FrameCounts(0.0, None, 30, 0)


def test_a_frame_at_another_size_takes_the_place_of_its_own_and_of_no_newer_one() -> None:
    slot = NewestFrame()
    first, larger, second = frame(0), frame(0), frame(1)
    slot.put(first)
    slot.take()
    assert slot.replace(first, larger)
    assert slot.take() is larger
    slot.put(second)
    assert not slot.replace(larger, frame(0))
    assert slot.take() is second
    assert slot.counts().skipped == 0
