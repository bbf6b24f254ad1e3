"""Whether this machine is ready, in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from stepscope.app.services import machine
from stepscope.core.errors import UserError
from stepscope.core.settings import store_url


def no_adb() -> Path:
    raise UserError("there is no adb")


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with nothing but the program."""
    monkeypatch.setattr(machine, "gpu_memory", lambda: None)
    monkeypatch.setattr("stepscope.core.device.adb.server.find_adb", no_adb)
    monkeypatch.setattr("stepscope.models.chat.servers.load", lambda: ())


def test_what_it_has_is_told_in_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = store_url(tmp_path / "store.db")
    assert machine.readiness(url) == machine.Readiness("", ("no GPU", "no adb", "no model server"))
    monkeypatch.setattr(machine, "gpu_memory", lambda: 24_564)
    monkeypatch.setattr("stepscope.core.device.adb.server.find_adb", lambda: Path("/usr/bin/adb"))
    monkeypatch.setattr("stepscope.models.chat.servers.load", lambda: (object(), object()))
    assert machine.readiness(url).facts == ("GPU 24 GB", "adb found", "2 model servers")


def test_the_first_thing_that_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = store_url(tmp_path / "store.db")
    monkeypatch.setattr(machine, "gpu_memory", lambda: 0)
    assert machine.readiness(url).problem == "The GPU does not answer"
    (tmp_path / "broken.db").write_text("no database")
    assert machine.readiness(store_url(tmp_path / "broken.db")).problem == "The store cannot be read"


def test_the_gpus_own_tool_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    tool = tmp_path / "nvidia-smi"
    tool.write_text("#!/bin/sh\nprintf '8192\\n24564\\n'\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert machine.gpu_memory() == 24_564
    tool.write_text("#!/bin/sh\nexit 9\n")
    assert machine.gpu_memory() == 0
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    assert machine.gpu_memory() is None
