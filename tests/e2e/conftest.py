"""The surroundings of a person who never used Stepscope, and an X server."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def surroundings() -> Callable[..., dict[str, str]]:
    """`surroundings(home, …)`: an environment with these settings, and with no display unless one is given."""

    def make(home: Path, **more: str) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        kept.pop("QT_QPA_PLATFORM", None)
        return {**kept, "PYTHONPATH": str(ROOT), "STEPSCOPE_HOME": str(home), **more}

    return make


@pytest.fixture
def display() -> Iterator[str]:
    """An X server of its own, such as ":7"."""
    for tool in ("Xvfb", "xdotool"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not here")
    reading, writing = os.pipe()
    # without -noreset the server begins anew, and is away for a moment, whenever the last client has left
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1600x1000x24", "-nolisten", "tcp", "-noreset"]
    with subprocess.Popen(command, pass_fds=(writing,), stderr=subprocess.DEVNULL) as server:
        os.close(writing)
        with os.fdopen(reading) as told:
            number = told.readline().strip()
        assert number, "the X server did not start"
        yield f":{number}"
        server.terminate()
