"""Fingers, keys, text in any script and apps, over the real adb server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from stepscope.core.device.adb import scrcpy_file
from stepscope.core.device.adb.device import AdbDevice
from stepscope.core.device.adb.packets import UnsupportedVideoError
from stepscope.core.device.adb.video import VideoKind
from stepscope.core.device.device import DeviceCapability, DeviceError, DeviceLost
from stepscope.core.domain.action import Action, DoubleTap, Drag, LongPress, OpenApp, PressKey, Scroll, Swipe, Tap, Type
from stepscope.core.domain.geometry import Direction, Point, Size
from tests.core.device.wired import opened, stand_in_server, watched
from tests.device_side.device import DeviceSide
from tests.device_side.fixtures import Plug
from tests.device_side.phone import ADB_KEYBOARD, App, Phone
from tests.device_side.screens import NotePad

pytestmark = pytest.mark.xdist_group("adb")

SIZE = Size(360, 800)
FIELD = Tap(Point(180, 140, SIZE))
ASCII = [
    "plain",
    "it's \"quoted\" 'twice'",
    "  two  spaces ",
    "100% %s %d %%s",
    "$HOME $(reboot) `id` ${x}",
    "a;b&&c|d>e<f&",
    "back\\slash \\n",
    "*?[x]{y}~#!",
    "-n --help",
]
ANY = ["Привет, мир", "日本語 テスト", "👍🏽 ok 👨‍👩‍👧", "naïve “quotes” – dash", "עברית عربى"]


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """No file of scrcpy's server on this machine."""

    def missing() -> None:
        raise UnsupportedVideoError("not installed")

    monkeypatch.setattr(scrcpy_file, "find", missing)


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scrcpy_file, "find", stand_in_server)


def typed(device: DeviceSide) -> str:
    assert isinstance(device.phone.screens, NotePad)
    return device.phone.screens.typed


@pytest.fixture
def hands(test_device: DeviceSide) -> Iterator[AdbDevice]:
    """The device without a mirror: every touch is a command."""
    device = opened(test_device)
    device.perform(FIELD)
    yield device
    device.close()


@pytest.mark.parametrize("text", ASCII)
def test_ascii_arrives_as_it_is(bare: None, test_device: DeviceSide, hands: AdbDevice, text: str) -> None:
    hands.perform(Type(text))
    assert typed(test_device) == text


def test_line_ends_are_the_enter_key(bare: None, test_device: DeviceSide, hands: AdbDevice) -> None:
    hands.perform(Type("one\ntwo"))
    assert test_device.phone.done[1:] == [Type("one"), PressKey("enter"), Type("two")]


@pytest.mark.parametrize("text", ANY)
def test_any_script_goes_over_the_clipboard(served: None, test_device: DeviceSide, hands: AdbDevice, text: str) -> None:
    assert DeviceCapability.ANY_TEXT in hands.abilities
    hands.perform(Type(text))
    assert test_device.phone.wait(lambda: typed(test_device) == text)


@pytest.mark.parametrize("text", [*ASCII, *ANY])
def test_text_through_the_mirror(served: None, test_device: DeviceSide, text: str) -> None:
    device = opened(test_device, VideoKind.SCRCPY)
    with watched(device) as eyes:
        eyes.see(lambda frame: True)
        device.perform(FIELD)
        device.perform(Type(text))
        assert test_device.phone.wait(lambda: typed(test_device) == text), typed(test_device)


def test_any_script_goes_over_the_keyboard_that_takes_text(bare: None, plug: Plug) -> None:
    phone = Phone(NotePad())
    phone.keyboards.append(ADB_KEYBOARD)
    device_side = plug(phone)
    device = opened(device_side)
    device.perform(FIELD)
    device.perform(Type("".join(ANY)))
    assert typed(device_side) == "".join(ANY)
    assert phone.settings["secure", "default_input_method"] == phone.keyboards[0]
    device.close()


def test_text_that_cannot_be_typed_says_what_to_do(bare: None, test_device: DeviceSide, hands: AdbDevice) -> None:
    assert DeviceCapability.ANY_TEXT not in hands.abilities
    with pytest.raises(DeviceError) as caught:
        hands.perform(Type("Привет"))
    assert "ADBKeyBoard" in str(caught.value.hint)
    assert typed(test_device) == ""


P, Q = Point(100, 300, SIZE), Point(250, 650, SIZE)
ACTIONS: list[tuple[Action, list[Action]]] = [
    (Tap(P), [Tap(P)]),
    (Tap(Point(200, 600, Size(720, 1600))), [Tap(P)]),
    (LongPress(P), [LongPress(P)]),
    (DoubleTap(P), [Tap(P), Tap(P)]),
    (Swipe(P, Q), [Swipe(P, Q)]),
    (PressKey("back"), [PressKey("back")]),
    (PressKey("home"), [PressKey("home")]),
    (PressKey("recents"), [PressKey("recents")]),
    (PressKey("enter"), [PressKey("enter")]),
    (PressKey("del"), [PressKey("del")]),
]


@pytest.mark.parametrize("through", ["commands", "mirror"])
def test_actions_reach_the_screen(served: None, test_device: DeviceSide, through: str) -> None:
    device = opened(test_device, VideoKind.SCRCPY)
    with watched(device) as eyes:
        if through == "commands":
            eyes.mirror.stop()
        else:
            eyes.see(lambda frame: True)
        for action, _done in ACTIONS:
            device.perform(action, milliseconds=60 if isinstance(action, Swipe) else None)
        expected = [done for _action, wanted in ACTIONS for done in wanted]
        assert test_device.phone.wait(lambda: len(test_device.phone.done) >= len(expected))
        assert test_device.phone.done == expected


def test_scrolling_down_moves_the_finger_up(bare: None, test_device: DeviceSide) -> None:
    device = opened(test_device)
    device.perform(Scroll(Direction.DOWN), milliseconds=50)
    device.perform(Drag(P, Q), milliseconds=50)
    swipe, drag = test_device.phone.done
    assert isinstance(swipe, Swipe) and swipe.direction is Direction.UP
    assert drag == Drag(P, Q)
    device.close()


def test_a_turned_screen_is_touched_where_it_was_meant(bare: None, test_device: DeviceSide, hands: AdbDevice) -> None:
    hands.rotate()
    hands.perform(Tap(Point(700, 30, Size(800, 360))))
    hands.rotate()
    hands.perform(Tap(P))
    assert test_device.phone.done[1:] == [Tap(Point(700, 30, Size(800, 360))), Tap(P)]


def test_apps_are_listed_opened_and_told(bare: None, plug: Plug) -> None:
    side = plug(Phone(NotePad(), apps=[App("com.example.notes"), App("com.example.clock"), App("com.hidden", "")]))
    device = opened(side)
    assert {app.package for app in device.apps()} >= {"com.example.notes", "com.example.clock"}
    device.perform(OpenApp("com.example.clock"))
    assert side.phone.done == [OpenApp("com.example.clock")]
    assert device.foreground() == "com.example.notes/com.example.notes.MainActivity"
    with pytest.raises(DeviceError):
        device.perform(OpenApp("no such app"))
    facts = device.facts()
    assert facts["model"] == "Stepscope Test Phone" and facts["size"] == "360x800"
    assert side.phone.serial not in str(facts)
    device.close()


def test_an_app_is_installed_or_the_reason_told(
    bare: None, test_device: DeviceSide, hands: AdbDevice, tmp_path: Path
) -> None:
    package, shares = tmp_path / "it's an app.apk", list[float]()
    package.write_bytes(b"APK com.example.new\n" + bytes(500_000))
    hands.install(package, shares.append)
    assert test_device.phone.apps[-1] == App("com.example.new")
    assert shares == sorted(shares) and shares[-1] == 1.0
    package.write_bytes(b"APK com.example.big\nFULL" + bytes(10))
    with pytest.raises(DeviceError, match=r"(?i)space|storage|room"):
        hands.install(package, shares.append)
    assert not [name for name in test_device.phone.files if name.endswith(".apk")], "nothing is left on the phone"


def test_what_the_phone_forbids_is_said_with_what_to_do(
    bare: None, test_device: DeviceSide, hands: AdbDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stepscope.core.device.adb.device._TURN_PAUSE", 0.01)
    test_device.phone.faults.no_touch = test_device.phone.faults.no_turn = True
    for action in (Tap(P), PressKey("back")):
        with pytest.raises(DeviceError) as caught:
            hands.perform(action)
        assert caught.value.hint
    with pytest.raises(DeviceError) as caught:
        hands.rotate()
    assert caught.value.hint
    assert len(test_device.phone.done) == 1


def test_a_device_that_has_gone_is_lost_at_once(bare: None, test_device: DeviceSide, hands: AdbDevice) -> None:
    test_device.unplug()
    with pytest.raises(DeviceLost):
        hands.perform(Tap(P))
    with pytest.raises(DeviceLost):
        hands.reconnect()
    test_device.plug_in()
    hands.reconnect()
    hands.perform(Tap(P))
    assert test_device.phone.done[-1] == Tap(P)
