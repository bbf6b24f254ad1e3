"""`stepscope devices`, and what `doctor` tells of adb."""

from __future__ import annotations

import pytest

from stepscope.core.device.adb import server as adb
from tests.core.device.adb.fake_server import serving, words


def test_devices(cli, monkeypatch):
    with serving() as server:
        server.hosts["host:devices-l"] = b"OKAY" + words("shut unauthorized usb:1-2 model:Pixel_8\n")
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(server.port))
        form = cli("devices", "--json")
        plain = cli("devices")
    assert (form.status, form.err) == (0, "")
    assert form.json == [
        {
            "serial": "simulated",
            "name": "Simulated phone",
            "kind": "simulated",
            "state": "ready",
            "detail": "1080 × 2400",
            "hint": "",
        },
        {
            "serial": "shut",
            "name": "Pixel 8",
            "kind": "USB",
            "state": "unauthorised",
            "detail": "",
            "hint": "Unlock the phone and allow USB debugging.",
        },
    ]
    assert "shut: Unlock the phone" in plain.out


@pytest.fixture
def without_adb(monkeypatch):
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", "1")
    monkeypatch.setattr(adb, "find_adb", lambda preferred=None: None)


def test_without_adb_there_is_a_note_and_no_error(cli, without_adb):
    ended = cli("devices", "--json")
    assert ended.status == 0
    assert [row["serial"] for row in ended.json] == ["simulated"]
    assert "note: adb is not on this machine" in ended.err


def test_doctor(cli, without_adb):
    form = cli("doctor", "--json").json["adb"]
    assert form["path"] is None
    assert form["server"] is False
    assert form["port"] == 1
    assert form["video_decoder"].startswith("PyAV ")
    assert form["scrcpy"]


def test_doctor_with_a_wrong_setting(cli, monkeypatch):
    monkeypatch.delenv("STEPSCOPE_ADB")
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", "milk")
    form = cli("doctor", "--json").json["adb"]
    assert (form["port"], form["server"]) == (None, False)
    assert "milk" in form["problem"]
