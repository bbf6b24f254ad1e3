"""Several windows on one new store at once, each a process: every one opens and evaluates everything."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy import func, select

from stepscope.core.domain.action import PressKey
from stepscope.core.domain.episode import Episode, Observation, Platform, Step
from stepscope.core.domain.geometry import Size
from stepscope.core.sources.recording_writer import write_recording
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import sources
from stepscope.core.store.tables import PredictionRow, RunRow

ROOT = Path(__file__).parents[4]
EPISODES, ACTIONS = 60, 2


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    seen = Observation(Size(10, 20))
    steps = tuple(Step(n, seen, PressKey("back")) for n in range(ACTIONS))
    for n in range(EPISODES):
        write_recording(Episode(f"e{n:02}", "recording", Platform.ANDROID, "goal", steps), folder / f"e{n:02}")
    return folder


@pytest.mark.parametrize("number", range(int(os.environ.get("STEPSCOPE_STARTS", "1"))))
def test_windows_that_open_new_data_at_once_evaluate_all_of_it(
    data: Path, tmp_path: Path, number: int, request: pytest.FixtureRequest
) -> None:
    """Two windows, on a file and on a PostgreSQL server by turns. `STEPSCOPE_STARTS` says how often (1)."""
    with ExitStack() as stack:
        if number % 2 == 0:
            url = f"sqlite:///{tmp_path}/new.db"
        else:
            url = stack.enter_context(request.getfixturevalue("postgresql").database())
        windows = [stack.enter_context(opened(tmp_path / name, url, data)) for name in ("first", "second")]
        for window in windows:
            assert window.stdout and window.stdout.readline() == "ready\n"
        for window in windows:
            assert window.stdin
            window.stdin.write("go\n")
            window.stdin.flush()
        ends = [(window.communicate(timeout=100)[1], window.returncode) for window in windows]
        assert [status for _, status in ends] == [0, 0], ends
        with Database.open(url) as database, database.reading() as db:
            items = select(RunRow.state, func.count()).join(PredictionRow).group_by(RunRow.id)
            found = [tuple(row) for row in db.execute(items)]
            read = {source.path: source.episodes for source in sources.all_sources(db)}
    assert found == [("done", EPISODES * ACTIONS)] * 2
    assert read[str(data)] == EPISODES


def opened(folder: Path, url: str, data: Path) -> subprocess.Popen[str]:
    folder.mkdir()
    own = {"PYTHONPATH": str(ROOT), "STEPSCOPE_HOME": str(folder.parent / "home"), "STEPSCOPE_ADB": "none"}
    return subprocess.Popen(
        [sys.executable, "-m", "tests.app.gui.shell.one_window", str(folder), url, str(data)],
        env=os.environ | own,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
