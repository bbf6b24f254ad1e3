"""Every action has the screen before it; a look that still holds is not taken again; a lost device hangs nobody."""

from __future__ import annotations

import queue
from collections.abc import Iterator

import numpy as np
import pytest

from stepscope.core.device.device import DeviceError, DeviceLost
from stepscope.core.device.frames import Frame
from stepscope.core.device.mirror import MirrorPhase, MirrorState
from stepscope.core.device.session import LiveSession, ScreenSnapshot, alike, observe, with_target
from stepscope.core.domain.action import PressKey, Tap, Target, Type
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.imaging.probe import probe_bytes
from tests.core.device.fake import SIZE, FakeDevice

PATIENCE = 10.0


@pytest.fixture
def device() -> FakeDevice:
    return FakeDevice()


@pytest.fixture
def session(device: FakeDevice) -> Iterator[LiveSession]:
    states: queue.Queue[MirrorState] = queue.Queue()
    made = LiveSession(device, on_state=states.put, rest=0.0)
    made.start()
    while states.get(timeout=PATIENCE).phase is not MirrorPhase.LIVE:
        pass
    yield made
    made.close()


def frame(pixels: np.ndarray) -> Frame:
    height, width = pixels.shape[:2]
    return Frame(pixels, Size(width, height), 0, 0.0, 0.0, lambda: pixels[:, :, :3])


def test_an_action_is_done_with_what_was_seen_before_it(device: FakeDevice, session: LiveSession) -> None:
    session.watch_screen = True
    first = session.act(Tap(device.place("Shop"))).result(PATIENCE)
    assert device.page == "list"
    assert first.before is not None and first.before.tree is not None
    assert first.before.activity == "org.example.launcher/.Home"
    assert probe_bytes(first.before.picture).size == SIZE
    assert isinstance(first.action, Tap) and first.action.target == Target(
        first.before.tree.elements[1].box, "Shop", "org.example.launcher:id/shop"
    )
    second = session.act(PressKey("back")).result(PATIENCE)
    assert second.before is not None and second.before.activity == "org.example.shop/.List"


def test_nobody_looks_where_nobody_needs_it(device: FakeDevice, session: LiveSession) -> None:
    asked: list[str] = []
    device.before = asked.append
    acted = session.act(PressKey("home")).result(PATIENCE)
    assert acted.before is None
    assert asked == ["perform"]


def test_a_screen_that_has_not_changed_is_not_looked_at_again(device: FakeDevice, session: LiveSession) -> None:
    first = session.look().result(PATIENCE)
    assert session.look().result(PATIENCE) is first
    assert session.look(fresh=True).result(PATIENCE) is not first


def test_a_screen_that_changed_by_itself_is(device: FakeDevice, session: LiveSession) -> None:
    first = session.look().result(PATIENCE)
    shown = session.mirror.newest.latest
    device.go("clock")
    while session.mirror.newest.latest is shown:
        pass
    second = session.look().result(PATIENCE)
    assert second is not first and second.activity == "org.example.clock/.Clock"


def test_an_objection_keeps_the_action_from_being_done(device: FakeDevice, session: LiveSession) -> None:
    def object_to_it(action: object, seen: ScreenSnapshot) -> None:
        raise DeviceError("not this")

    told: list[object] = []
    session.performed.add(told.append)
    with pytest.raises(DeviceError, match="not this"):
        session.act(PressKey("home"), check=object_to_it).result(PATIENCE)
    assert device.done == [] and told == []


def test_a_lost_device_is_told_to_who_acts(device: FakeDevice, session: LiveSession) -> None:
    device.lose()
    with pytest.raises(DeviceLost):
        session.act(PressKey("home")).result(PATIENCE)


def test_a_screen_without_a_tree_is_seen_all_the_same(device: FakeDevice, session: LiveSession) -> None:
    device.has_tree = False
    seen = session.look().result(PATIENCE)
    assert seen.tree is None and seen.tree_problem == "the screen never rests"
    assert seen.activity == "org.example.launcher/.Home"


def test_typed_text_belongs_to_the_field_that_has_the_focus(device: FakeDevice, session: LiveSession) -> None:
    device.page = "list"
    device.perform(Tap(device.place("Search")))
    seen = session.look(fresh=True).result(PATIENCE)
    typed = with_target(Type("tea"), seen)
    assert isinstance(typed, Type) and typed.target is not None and typed.target.text == "Search"


def test_a_named_target_stays(device: FakeDevice, session: LiveSession) -> None:
    seen = session.look().result(PATIENCE)
    named = Tap(Point(50, 30, SIZE), Target(None, "by name"))
    assert with_target(named, seen) is named


def test_a_screen_that_never_rests_is_taken_after_three_looks(device: FakeDevice) -> None:
    looks = 0
    frames = iter([frame(np.full((4, 4, 4), 40 * number, np.uint8)) for number in range(7)])

    def count(name: str) -> None:
        nonlocal looks
        looks += name == "screenshot"

    device.before = count
    seen = observe(device, lambda: next(frames))
    assert looks == 3 and not seen.matched and seen.tree is not None


def test_a_tree_of_the_turned_screen_does_not_belong_to_the_picture(device: FakeDevice) -> None:
    def turn(name: str) -> None:
        device.turned = name == "tree"

    device.before = turn
    seen = observe(device, lambda: None)
    assert seen.tree is None and "another size" in seen.tree_problem and seen.size == SIZE


def test_a_caret_is_no_change_and_a_box_that_was_ticked_is_one() -> None:
    before = np.zeros((955, 430, 4), np.uint8)
    caret, ticked = before.copy(), before.copy()
    caret[100:124, 50:52] = 255
    ticked[100:124, 50:74] = 255
    assert alike(frame(before), frame(caret))
    assert not alike(frame(before), frame(ticked))
    assert not alike(frame(before), frame(np.zeros((430, 955, 4), np.uint8)))
    assert alike(None, None) and not alike(None, frame(before))


def test_what_was_done_is_told_and_what_failed_is_not(device: FakeDevice, session: LiveSession) -> None:
    told: list[object] = []
    session.performed.add(told.append)
    acted = session.act(PressKey("home")).result(PATIENCE)
    with pytest.raises(DeviceError, match="focus"):
        session.act(Type("tea")).result(PATIENCE)
    assert told == [acted]


def test_several_hear_what_was_done_and_may_begin_and_end_between_two_actions(
    device: FakeDevice, session: LiveSession
) -> None:
    first, second = list[object](), list[object]()
    end_first = session.performed.add(first.append)
    session.performed.add(second.append)
    home = session.act(PressKey("home")).result(PATIENCE)
    end_first()
    back = session.act(PressKey("back")).result(PATIENCE)
    assert (first, second) == ([home], [home, back])
