"""`replay:PATH#app`: which episodes become a device."""

from __future__ import annotations

from pathlib import Path

import pytest

from stepscope.app.services.live.devices import info_of, open_device
from stepscope.app.services.live.replaying import open_replay
from stepscope.core.device.device import DeviceError, DeviceKind
from stepscope.core.domain.action import OpenApp
from stepscope.core.errors import SourceError, UsageError, UserError
from stepscope.core.sources.recording import read_recording
from stepscope.core.sources.recording_writer import write_recording

SAMPLE = Path(__file__).parents[4] / "resources" / "sample" / "episodes"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three of the sample's episodes: two of the clock, one of the settings."""
    for name in ("clock-tokyo", "ask-cake-timer", "settings-dark-theme"):
        write_recording(read_recording(SAMPLE / name), tmp_path / "made" / name)
    return tmp_path / "made"


def test_all_apps_or_one(folder: Path) -> None:
    device = open_replay(f"replay:{folder}")
    assert [(app.title, app.package.rsplit(".", 1)[-1]) for app in device.apps()] == [
        ("Clock", "clock"),
        ("Settings", "settings"),
    ]
    assert (device.info.kind, device.info.name) == (DeviceKind.REPLAY, "Recorded: made")
    device.perform(OpenApp("settings"))
    assert device.foreground().startswith("com.stepscope.sample.settings/")
    for name in ("settings", "Settings", "com.stepscope.sample.settings"):
        assert len(open_replay(f"replay:{folder}#{name}").graph.ways) == 1


def test_it_is_a_device_by_its_serial(folder: Path) -> None:
    serial = f"replay:{folder}"
    assert info_of(serial).kind is DeviceKind.REPLAY
    device = open_device(serial)
    assert device.info.serial == serial
    device.close()


def test_a_broken_episode_costs_itself(folder: Path) -> None:
    (folder / "clock-tokyo" / "episode.json").write_text("{")
    assert len(open_replay(f"replay:{folder}").graph.ways) == 2


def test_what_cannot_be_opened_is_said(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no episode of the app 'mail'"):
        open_replay(f"replay:{folder}#mail")
    with pytest.raises(UserError):
        open_replay(f"replay:{tmp_path / 'nothing'}")
    (tmp_path / "empty").mkdir()
    with pytest.raises((SourceError, DeviceError, UsageError)):
        open_replay(f"replay:{tmp_path / 'empty'}")
