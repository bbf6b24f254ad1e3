"""Devices that mean no good, and an adb server that dies: nothing hangs, nothing grows, nothing is believed."""

from __future__ import annotations

import shlex
import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.device.adb import scrcpy_file
from stepscope.core.device.adb import tree as tree_module
from stepscope.core.device.adb.video import VideoKind
from stepscope.core.device.device import DeviceError, DeviceLost, UITreeUnavailableError
from stepscope.core.device.mirror import MirrorPhase
from stepscope.core.domain.action import Tap, Type
from stepscope.core.domain.geometry import Point, Size
from tests.core.device.wired import BLUE, opened, shows, stand_in_server, watched
from tests.device_side.adb_server import find_adb, running
from tests.device_side.device import DeviceSide
from tests.device_side.screens import NotePad
from tests.device_side.words import commands

pytestmark = pytest.mark.xdist_group("adb")

SIZE = Size(360, 800)
BOMB = (
    '<?xml version="1.0"?><!DOCTYPE b [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    '<hierarchy><node text="&b;" bounds="[0,0][9,9]"/></hierarchy>'
)
FILE = '<?xml version="1.0"?><!DOCTYPE h [<!ENTITY f SYSTEM "file:///etc/passwd">]><hierarchy>&f;</hierarchy>'
DEEP = '<?xml version="1.0"?><hierarchy>' + '<node bounds="[0,0][9,9]">' * 5000 + "</node>" * 5000 + "</hierarchy>"
BOXES = '<?xml version="1.0"?><hierarchy><node bounds="[9e99,nan][inf,1]"/><node bounds="[5,5][1,1]"/></hierarchy>'


@pytest.fixture(autouse=True)
def server_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scrcpy_file, "find", stand_in_server)
    monkeypatch.setattr(tree_module, "_PAUSE", 0.01)


@pytest.mark.parametrize("way", [VideoKind.SCRCPY, VideoKind.SCREENRECORD])
def test_pictures_without_end_do_not_pile_up(test_device: DeviceSide, way: VideoKind) -> None:
    test_device.phone.faults.flood = True
    device = opened(test_device, way)
    with watched(device) as eyes:
        eyes.see(shows(BLUE, 0.5, 0.5))
        eyes.see(lambda frame: frame.number > 100)
        device.perform(Tap(Point(180, 400, SIZE)))
        assert test_device.phone.wait(lambda: len(test_device.phone.done) == 1)
        began = time.monotonic()
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("xml", [BOMB, FILE, DEEP, BOXES], ids=["bomb", "file", "deep", "boxes"])
def test_a_dump_made_to_harm_is_refused_or_harmless(test_device: DeviceSide, xml: str) -> None:
    test_device.phone.faults.dump_answer = xml
    device = opened(test_device)
    try:
        assert all(element.box.right < 1e7 for element in device.tree())
    except UITreeUnavailableError as reason:
        assert len(str(reason)) < 1000 and "root:" not in str(reason)
    finally:
        device.close()


@pytest.mark.parametrize("size", [Size(1, 1), Size(99999, 99999)])
def test_a_size_that_no_screen_has_does_no_harm(test_device: DeviceSide, size: Size) -> None:
    test_device.phone.faults.claimed_size = size
    device = opened(test_device)
    with watched(device) as eyes:
        assert eyes.see(shows(BLUE, 0.5, 0.5)).size == SIZE
        device.screenshot()
        device.perform(Tap(Point(180, 400, SIZE)))
        assert test_device.phone.wait(lambda: test_device.phone.done == [Tap(Point(180, 400, SIZE))])


def test_silence_is_noticed_and_ends(test_device: DeviceSide) -> None:
    """Connected, and no command ever answers: closing does not wait for it."""
    device = opened(test_device)
    test_device.phone.faults.silent = True
    with watched(device) as eyes:
        eyes.mirror.fit(Size(90, 200))
        assert test_device.phone.wait(lambda: bool(test_device.phone.commands))
        began = time.monotonic()
    assert time.monotonic() - began < 5


@given(st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0")))
def test_what_is_quoted_reaches_the_program_as_one_word(text: str) -> None:
    """Of the test device itself: it must be no more lenient than a shell."""
    assert [command.words for command in commands(f"input text {shlex.quote(text)}")] == [["input", "text", text]]


def test_no_text_runs_a_command(test_device: DeviceSide) -> None:
    device = opened(test_device)
    device.perform(Tap(Point(180, 140, SIZE)))
    for text in ("; input tap 1 1 ;", "' && input tap 1 1 '", "$(input tap 1 1)", "`input tap 1 1`", "| x", "> /x"):
        device.perform(Type(text))
    assert all(isinstance(action, Type) for action in test_device.phone.done[1:])
    assert "/x" not in test_device.phone.files
    for serial_like in ("com.x; input tap 1 1", "$(input tap 1 1)"):
        with pytest.raises(DeviceError):
            device._apps.launch(serial_like)
    assert len(test_device.phone.done) == 7
    device.close()


def test_the_adb_server_dies_and_is_started_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if find_adb() is None:
        pytest.skip("adbutils is not installed")
    with running(tmp_path / "adb") as server, DeviceSide(NotePad()) as side:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("STEPSCOPE_ADB", server.adb)
        server.connect(side.address)
        device = opened(side)
        try:
            with watched(device) as eyes:
                eyes.see(shows(BLUE, 0.5, 0.5))
                server.run("kill-server")
                lost = eyes.hear(MirrorPhase.LOST)
                eyes.hear(MirrorPhase.LIVE, eyes.states.index(lost))
                device.perform(Tap(Point(180, 400, SIZE)))
                assert side.phone.wait(lambda: bool(side.phone.done))
        finally:
            subprocess.run([server.adb, "kill-server"], check=False, capture_output=True, timeout=20)


def test_a_device_closed_is_lost(test_device: DeviceSide) -> None:
    device = opened(test_device)
    device.close()
    with pytest.raises(DeviceLost):
        device.screenshot()
