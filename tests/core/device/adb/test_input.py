"""Actions as the device's `input` and scrcpy's control channel get them."""

from __future__ import annotations

import threading

import pytest

from stepscope.core.device.adb import keys
from stepscope.core.device.adb.input import DeviceInput, scroll_stroke
from stepscope.core.device.device import DeviceError
from stepscope.core.domain.action import (
    Action,
    DoubleTap,
    Drag,
    Finish,
    Hover,
    LongPress,
    OpenApp,
    PressKey,
    Scroll,
    Select,
    Swipe,
    Tap,
    Type,
    Wait,
)
from stepscope.core.domain.geometry import Direction, Point, Size

SCREEN = Size(1080, 2400)


class FakeLink:
    def __init__(self, said: str = "") -> None:
        self.commands: list[str] = []
        self.said = said

    def text(self, command: str, *, seconds: float = 0.0) -> str:
        self.commands.append(command)
        return self.said


class FakeApps:
    def __init__(self) -> None:
        self.launched: list[str] = []

    def launch(self, name: str) -> None:
        self.launched.append(name)


class FakeControl:
    def __init__(self) -> None:
        self.done: list[object] = []

    def finger(self, path: list[tuple[float, float]], seconds: float) -> None:
        self.done.append((path, seconds))

    def key(self, code: int) -> None:
        self.done.append(code)


def hands(link: FakeLink, control: FakeControl | None = None) -> DeviceInput:
    closed = threading.Event()
    closed.set()  # waits are over at once
    return DeviceInput(link, FakeApps(), lambda start: control, lambda size: SCREEN, closed)  # type: ignore[arg-type, return-value]


def at(x: float, y: float, size: Size = SCREEN) -> Point:
    return Point(x, y, size)


@pytest.mark.parametrize(
    ("action", "milliseconds", "command"),
    [
        (Tap(at(10.4, 20.6)), None, "input tap 10 21"),
        (Tap(at(540, 1200, Size(2160, 4800))), None, "input tap 270 600"),
        (Tap(at(1080, 2400)), None, "input tap 1079 2399"),
        (Tap(at(-5, 3)), None, "input tap 0 3"),
        (Tap(at(10, 20)), 90, "input swipe 10 20 10 20 90"),
        (LongPress(at(10, 20)), None, "input swipe 10 20 10 20 800"),
        (LongPress(at(10, 20)), 1500, "input swipe 10 20 10 20 1500"),
        (DoubleTap(at(1, 2)), None, "input tap 1 2; input tap 1 2"),
        (Swipe(at(1, 2), at(3, 4)), None, "input swipe 1 2 3 4 300"),
        (Swipe(at(1, 2), at(3, 4)), 10**9, "input swipe 1 2 3 4 60000"),
        (Drag(at(1, 2), at(3, 4)), None, "input draganddrop 1 2 3 4 1200"),
        (Scroll(Direction.DOWN), None, "input swipe 540 1620 540 780 400"),
        (PressKey("back"), None, "input keyevent 4"),
        (PressKey("KEYCODE_VOLUME_UP"), None, "input keyevent 24"),
    ],
)
def test_by_input(action: Action, milliseconds: int | None, command: str) -> None:
    link = FakeLink()
    hands(link).perform(action, milliseconds)
    assert link.commands == [command]


def test_by_scrcpy() -> None:
    link, control = FakeLink(), FakeControl()
    made = hands(link, control)
    made.perform(Tap(at(540, 600)))
    made.perform(LongPress(at(540, 600)))
    made.perform(DoubleTap(at(0, 0)))
    made.perform(Swipe(at(0, 0), at(1080, 2400)), 200)
    made.perform(Drag(at(0, 0), at(540, 1200)))
    made.perform(PressKey("home"))
    assert link.commands == []
    assert control.done == [
        ([(0.5, 0.25)], 0.04),
        ([(0.5, 0.25)], 0.8),
        ([(0.0, 0.0)], 0.04),
        ([(0.0, 0.0)], 0.04),
        ([(0.0, 0.0), (1.0, 1.0)], 0.2),
        ([(0.0, 0.0), (0.0, 0.0), (0.5, 0.5)], 1.2),
        3,
    ]


def test_a_field_is_tapped_before_it_is_typed_into() -> None:
    link = FakeLink()
    hands(link).perform(Type("a b", at(5, 6)))
    assert link.commands == ["input tap 5 6", "input text a%sb"]


def test_apps_and_waiting() -> None:
    link = FakeLink()
    made = hands(link)
    made.perform(OpenApp("Clock"))
    made.perform(Wait())
    assert made._apps.launched == ["Clock"]  # type: ignore[attr-defined]
    assert link.commands == []


@pytest.mark.parametrize("action", [Hover(at(1, 1)), Select("x", at(1, 1)), Finish(), Tap(None), LongPress(None)])
def test_what_a_phone_cannot_do(action: Action) -> None:
    with pytest.raises(DeviceError) as told:
        hands(FakeLink()).perform(action)
    assert told.value.hint


def test_what_the_device_says_against_it() -> None:
    said = "java.lang.SecurityException: Injecting to another application requires INJECT_EVENTS permission"
    with pytest.raises(DeviceError, match="does not let") as told:
        hands(FakeLink(said)).perform(Tap(at(1, 1)))
    assert "security settings" in told.value.hint
    with pytest.raises(DeviceError, match="refused: Error: Invalid"):
        hands(FakeLink("Error: Invalid arguments\n\tat x")).perform(Tap(at(1, 1)))
    hands(FakeLink("WARNING: linker: Warning: unused DT entry")).perform(Tap(at(1, 1)))


@pytest.mark.parametrize(
    ("scroll", "stroke"),
    [
        (Scroll(Direction.DOWN), ((500, 675), (500, 325))),
        (Scroll(Direction.UP), ((500, 325), (500, 675))),
        (Scroll(Direction.RIGHT), ((675, 500), (325, 500))),
        (Scroll(Direction.DOWN, Point(100, 990, Size(1000, 1000))), ((100, 920), (100, 570))),
        (Scroll(Direction.LEFT, Point(10, 500, Size(1000, 1000))), ((80, 500), (430, 500))),
    ],
)
def test_scrolling_towards_a_side_moves_the_finger_to_the_other(
    scroll: Scroll, stroke: tuple[tuple[float, float], ...]
) -> None:
    start, end = scroll_stroke(scroll, Size(1000, 1000))
    assert ((start.x, start.y), (end.x, end.y)) == (pytest.approx(stroke[0]), pytest.approx(stroke[1]))


def test_keys() -> None:
    names = ("back", "Back", "KEYCODE_BACK", "4", "recents", "app_switch", "del", "backspace", "a", "29", "Volume-Down")
    assert [keys.code(name) for name in names] == [4, 4, 4, 4, 187, 187, 67, 67, 29, 29, 25]
    for wrong in ("", "ä", "²", "4; reboot", "99999", "-3", "key"):
        with pytest.raises(DeviceError, match="no key"):
            keys.code(wrong)
