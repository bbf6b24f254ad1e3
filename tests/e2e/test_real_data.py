"""An episode of each real data set, walked through by keys in a real window; its marks looked for in the pixels."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.data_walk import ALIKE, CLOSE

WALK = Path(__file__).with_name("data_walk.py")
Surroundings = Callable[..., dict[str, str]]

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(400)]

EPISODES_WITH_TAPS = ("aitz_coat", "llamatouch", "mind2web_seeact", "miniwob_demos", "rico_traces", "uibert_refexp")
"""Data whose first episode that is found has a tap on a screen."""
NO_EPISODES = ("weblinx",)
"""Only its splits are here."""
TABLES_ALONE = ("motif",)
"""Goals and labels without traces."""


def test_an_episode_of_each_data_set_is_walked_through_and_marked_where_the_data_says(
    display: str, tmp_path: Path, surroundings: Surroundings, real_data: Path
) -> None:
    folders = sorted(folder for folder in real_data.iterdir() if folder.is_dir() and folder.name not in NO_EPISODES)
    done = subprocess.run(
        [sys.executable, str(WALK), *map(str, folders)],
        env=surroundings(tmp_path / "home", DISPLAY=display, QT_QPA_PLATFORM="xcb"),
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert set(seen) == {folder.name for folder in folders}
    for name, found in seen.items():
        assert found["steps"] >= 1 or name in TABLES_ALONE, name
        assert all(off <= CLOSE for off in found["marks"]), (name, found)
        assert all(unlike <= ALIKE for unlike in found["pictures"]), (name, found)
    for name in EPISODES_WITH_TAPS:
        assert seen[name]["marks"], (name, seen[name])
    assert sum(len(found["pictures"]) for found in seen.values()) >= 15
