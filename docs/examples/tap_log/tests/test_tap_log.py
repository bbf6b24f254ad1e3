"""The package as Stepscope finds it: by its entry points, on a log that is made here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

LOG = "Buy milk, please\n0.png,540,1200\n1.png,10,20\n1.png,here,there\n"


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """One episode of three steps, the last of them broken; its pictures are missing."""
    folder = tmp_path / "logs" / "first"
    folder.mkdir(parents=True)
    (folder / "taps.csv").write_text(LOG, "utf-8")
    return folder.parent


def stepscope(*arguments: str | Path, home: Path) -> dict:
    """What a command says as JSON; with a store of its own."""
    command = [sys.executable, "-m", "stepscope", *map(str, arguments), "--json"]
    done = subprocess.run(command, env=os.environ | {"STEPSCOPE_HOME": str(home)}, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout)


def test_a_folder_of_logs_is_known_by_its_content(logs: Path, tmp_path: Path) -> None:
    found = stepscope("inspect", logs, home=tmp_path / "home")
    assert (found["format"], found["episodes"], found["steps"]) == ("tap_log", 1, 3)
    assert {(one["step"], one["field"]) for one in found["problems"]} >= {(2, "action")}


def test_places_are_pixels(logs: Path, tmp_path: Path) -> None:
    episode = stepscope("episode", logs, "first", home=tmp_path / "home")
    assert episode["goal"] == "Buy milk, please"
    assert [step["action"] and step["action"]["point"] for step in episode["steps"]] == [[540, 1200], [10, 20], None]


def test_the_model_taps_the_middle(logs: Path, tmp_path: Path) -> None:
    """Worked out by hand: 1080 × 2400 has its middle at 540, 1200; the other tap is 0.69 of the screen away."""
    command = ("evaluate", "automation", logs, "--model", "centre-tap", "--protocol", "aitw")
    run = stepscope(*command, home=tmp_path / "home")
    assert run["metrics"]["step_accuracy"] == 0.5
