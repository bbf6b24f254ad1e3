"""`stepscope evaluate` on a server that is stopped and started in the middle."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from stepscope.core.domain.action import PressKey
from stepscope.core.domain.episode import Episode, Observation, Platform, Step
from stepscope.core.domain.geometry import Size
from stepscope.core.sources.recording_writer import write_recording
from stepscope.core.store.server import LOCK
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[3]
EPISODES, ACTIONS = 40, 40


@pytest.fixture(scope="module")
def server(postgresql_servers: Any) -> Iterator[Any]:
    with postgresql_servers() as running:
        yield running


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    seen = Observation(Size(10, 20))
    steps = tuple(Step(n, seen, PressKey("back")) for n in range(ACTIONS))
    for n in range(EPISODES):
        write_recording(Episode(f"e{n:02}", "recording", Platform.ANDROID, "goal", steps), folder / f"e{n:02}")
    return folder


def started(store: str, data: Path, *more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "stepscope.app.main", "evaluate", "automation", str(data), "--model", "noisy-copy"]
    return subprocess.Popen(
        [*command, "--store", store, "--json", *more],
        env=os.environ | {"PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def line_with(program: subprocess.Popen[str], words: str) -> str:
    assert program.stderr
    for line in program.stderr:
        if words in line:
            return line
    raise AssertionError(f"it never said {words!r}")


def stopped_in_the_middle(server: Any, url: str, program: subprocess.Popen[str]) -> None:
    """Stop the server while the run waits with a batch in hand."""
    line_with(program, "stepscope: run ")
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"SELECT pg_advisory_lock({LOCK})"))
        waiting = text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
        end = time.monotonic() + PATIENCE
        while not connection.scalar(waiting):
            assert time.monotonic() < end and program.poll() is None, "the run was not in the middle"
        server.stop()
    engine.dispose()


def test_the_numbers_are_those_of_a_run_that_was_not_disturbed(server: Any, data: Path) -> None:
    with server.database() as url:
        program = started(url, data)
        stopped_in_the_middle(server, url, program)
        told = line_with(program, "server is away")
        assert told == "stepscope: the store's server is away: waiting for 0 s, for 15 min at most.\n"
        server.start()
        out, err = program.communicate(timeout=PATIENCE)
        assert program.returncode == 0, err
        assert "stepscope: the store's server is back after " in err
        whole, _ = started(url, data).communicate(timeout=PATIENCE)
        broken, unbroken = json.loads(out), json.loads(whole)
        assert broken["n"] == EPISODES * ACTIONS
        for changing in ("run", "created", "finished", "worked_s"):
            broken.pop(changing, None), unbroken.pop(changing, None)
        assert broken == unbroken


def test_control_c_ends_the_waiting(server: Any, data: Path) -> None:
    with server.database() as url:
        program = started(url, data)
        stopped_in_the_middle(server, url, program)
        line_with(program, "server is away")
        program.send_signal(signal.SIGINT)
        _, err = program.communicate(timeout=PATIENCE)
        assert program.returncode == 2
        assert "Cancelled while the store's server was away" in err
        server.start()
        resumed = started(url, data, "--resume", "last")
        out, err = resumed.communicate(timeout=PATIENCE)
        assert resumed.returncode == 0, err
        assert "was interrupted: its program ended before it was done" in err
        assert json.loads(out)["n"] == EPISODES * ACTIONS
