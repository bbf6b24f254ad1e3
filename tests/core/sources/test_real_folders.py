"""Every folder of real samples opens as its one format, with counts that were worked out from the raw files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from stepscope.app.cli.data import inspection, whole_rows
from stepscope.core.domain.episode import EpisodeSummary
from stepscope.core.sources.registry import detect_all, open_source

COUNTS: dict[str, dict[str, Any]] = {
    "aitz_coat": {
        "format": "aitz", "episodes": 1, "steps": 4, "screens": 4, "problems": 0,
        "actions": {"press_key": 1, "swipe": 1, "tap": 1, "finish": 1},
    },
    "androidarena": {
        "format": "androidarena", "episodes": 4, "steps": 28, "screens": 28, "problems": 0,
        "actions": {"tap": 10, "open_app": 4, "type": 3, "scroll": 2, "press_key": 1, "finish": 4},
    },
    "llamatouch": {
        "format": "llamatouch", "episodes": 1, "steps": 5, "screens": 5, "problems": 0,
        "actions": {"press_key": 1, "tap": 3},
    },
    "mind2web_seeact": {
        "format": "seeact", "episodes": 110, "steps": 2, "screens": 2, "problems": 0, "actions": {"tap": 2},
    },
    "miniwob_demos": {
        "format": "miniwob", "episodes": 18, "steps": 81, "screens": 0, "problems": 0,
        "actions": {"tap": 49, "double_tap": 4, "press_key": 5, "type": 4, "scroll": 19},
    },
    "motif": {"format": "motif", "episodes": 5439, "steps": 0, "screens": 0, "problems": 0, "actions": {}},
    "os_genesis": {"format": "os_genesis", "episodes": 655, "steps": 1800, "screens": 0, "problems": 0, "actions": {}},
    "rico_traces": {
        "format": "rico", "episodes": 6, "steps": 19, "screens": 19, "problems": 2, "actions": {"tap": 17, "swipe": 1},
    },
    "turkingbench": {
        "format": "turkingbench", "episodes": 0, "steps": 0, "screens": 0, "problems": 0, "actions": {},
        "tasks": 18, "instances": 1929,
    },
    "uibert_refexp": {
        "format": "uibert_refexp", "episodes": 509, "steps": 509, "screens": 0, "problems": 0, "actions": {"tap": 509},
    },
    "webvoyager": {
        "format": "webvoyager", "episodes": 4, "steps": 21, "screens": 21, "problems": 0,
        "actions": {"tap": 11, "type": 5, "say": 4, "scroll": 1},
    },
    "wikihow_goal_step": {
        "format": "wikihow_goal_step", "episodes": 0, "steps": 0, "screens": 0, "problems": 0, "actions": {},
        "procedures": 1000,
    },
}  # fmt: skip


@pytest.mark.parametrize("folder", COUNTS)
def test_counts_of_a_real_folder(real_data: Path, folder: str) -> None:
    path = real_data / folder
    if not path.is_dir():
        pytest.skip(f"no {folder}")
    wanted = COUNTS[folder]
    assert [known.name for known in detect_all(path)] == [wanted["format"]]
    source = open_source(path)
    report = inspection(path, source.format, whole_rows(source))
    assert {name: report[name] if name != "problems" else len(report[name]) for name in wanted} == wanted


def test_all_real_folders_open_together(real_data: Path) -> None:
    found = {known.name for known in detect_all(real_data)}
    there = {counts["format"] for folder, counts in COUNTS.items() if (real_data / folder).is_dir()}
    assert found == there
    rows = [row for row in open_source(real_data).scan() if isinstance(row, EpisodeSummary)]
    assert (
        len({row.id for row in rows})
        == len(rows)
        >= sum(
            counts["episodes"] + counts.get("procedures", 0) + counts.get("instances", 0)
            for folder, counts in COUNTS.items()
            if (real_data / folder).is_dir()
        )
    )
