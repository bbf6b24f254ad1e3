"""The mirror's thread: frames come, a lost device is tried again after 1, 2, 4, 8 seconds, and it always ends."""

from __future__ import annotations

import queue
import threading

import pytest

from stepscope.core.device.device import DeviceError
from stepscope.core.device.mirror import RETRY_SECONDS, Mirror, MirrorPhase, MirrorState
from stepscope.core.domain.geometry import Size
from tests.core.device.fake import FakeDevice

PATIENCE = 10.0


class Watched:
    """A mirror whose states are waited for."""

    def __init__(self, device: FakeDevice, retry: tuple[float, ...] = (0.0,)) -> None:
        self.states: queue.Queue[MirrorState] = queue.Queue()
        self.woken = threading.Semaphore(0)
        self.mirror = Mirror(device, self.woken.release, self.states.put, retry=retry)
        self.mirror.start()

    def until(self, phase: MirrorPhase) -> MirrorState:
        while (state := self.states.get(timeout=PATIENCE)).phase is not phase:
            pass
        return state


def test_a_frame_wakes_the_one_who_shows() -> None:
    watched = Watched(FakeDevice())
    watched.until(MirrorPhase.LIVE)
    assert watched.woken.acquire(timeout=PATIENCE)
    taken = watched.mirror.newest.take()
    assert taken is not None and taken.number == 0
    watched.mirror.stop()
    assert watched.mirror.state.phase is MirrorPhase.STOPPED


def test_the_waits_grow_to_eight_seconds() -> None:
    assert RETRY_SECONDS == (1.0, 2.0, 4.0, 8.0)
    device = FakeDevice()
    device.lose()
    watched = Watched(device, retry=(0.001, 0.002, 0.004))
    found = [watched.until(MirrorPhase.LOST) for _ in range(5)]
    assert [(state.attempt, state.wait) for state in found] == [
        (1, 0.001), (2, 0.002), (3, 0.004), (4, 0.004), (5, 0.004)
    ]  # fmt: skip
    assert found[0].why == "the device is not there"
    watched.mirror.stop()


def test_a_device_that_comes_back_is_shown_again_and_attempts_count_anew() -> None:
    device = FakeDevice()
    watched = Watched(device)
    watched.until(MirrorPhase.LIVE)
    device.lose()
    assert watched.until(MirrorPhase.LOST).attempt == 1
    device.come_back()
    watched.until(MirrorPhase.LIVE)
    device.lose()
    assert watched.until(MirrorPhase.LOST).attempt == 1
    watched.mirror.stop()


def test_reconnecting_by_hand_does_not_wait() -> None:
    device = FakeDevice()
    device.lose()
    watched = Watched(device, retry=(3600.0,))
    assert watched.until(MirrorPhase.LOST).wait == 3600.0
    device.come_back()
    watched.mirror.reconnect()
    assert watched.until(MirrorPhase.LIVE).attempt == 0
    watched.mirror.stop()


def test_stopping_ends_a_wait_of_an_hour() -> None:
    device = FakeDevice()
    device.lose()
    watched = Watched(device, retry=(3600.0,))
    watched.until(MirrorPhase.LOST)
    watched.mirror.stop()
    assert watched.mirror.state.phase is MirrorPhase.STOPPED


def test_a_device_that_sends_no_picture_is_not_asked_again_until_a_person_says_so() -> None:
    device = FakeDevice()
    asked = 0

    def no_video(name: str) -> None:
        nonlocal asked
        if name == "video":
            asked += 1
            raise DeviceError("what it sends is no video")

    device.before = no_video
    watched = Watched(device)
    assert watched.until(MirrorPhase.FAILED).why == "what it sends is no video"
    assert asked == 1
    device.before = lambda name: None
    watched.mirror.reconnect()
    watched.until(MirrorPhase.LIVE)
    watched.mirror.stop()


@pytest.mark.parametrize("times", range(20))
def test_it_may_be_stopped_at_any_time(times: int) -> None:
    watched = Watched(FakeDevice())
    if times % 2:
        watched.mirror.reconnect()
    watched.mirror.stop()
    assert watched.mirror.state.phase is MirrorPhase.STOPPED


def test_a_screen_that_stands_still_is_sent_again_at_the_size_that_it_is_shown_at() -> None:
    watched = Watched(FakeDevice())
    watched.until(MirrorPhase.LIVE)
    assert watched.woken.acquire(timeout=PATIENCE)
    first = watched.mirror.newest.take()
    assert first is not None
    half = Size(first.size.width // 2, first.size.height // 2)
    watched.mirror.fit(half)
    assert watched.woken.acquire(timeout=PATIENCE)
    again = watched.mirror.newest.take()
    assert again is not None and again.number == first.number and again.size == first.size
    assert again.image.shape == (half.height, half.width, 4)
    assert again.image[-1, -1].tolist() == [*first.image[-1, -1, :3].tolist(), 255]  # blue, green, red as before
    watched.mirror.fit(half)
    watched.mirror.stop()
    assert watched.mirror.newest.take() is None  # it had that size
