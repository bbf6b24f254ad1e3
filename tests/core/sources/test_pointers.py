"""Files that were never fetched: git-lfs pointers beside data, instead of data, and given alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stepscope.core.domain.episode import EpisodeSummary, Problem
from stepscope.core.errors import SourceError
from stepscope.core.sources.registry import open_source

POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 12345\n"
TASKS = [
    {
        "annotation_id": "a-1",
        "confirmed_task": "Buy a table",
        "website": "shop",
        "actions": [{"action_uid": "u", "operation": {"op": "CLICK"}, "pos_candidates": [], "neg_candidates": []}],
    }
]


def _problems(path: Path) -> list[Problem]:
    return [row for row in open_source(path).scan() if isinstance(row, Problem)]


def test_a_pointer_beside_data_of_its_kind_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "train").mkdir()
    (tmp_path / "train" / "train_0.json").write_text(json.dumps(TASKS))
    (tmp_path / "train" / "train_1.json").write_bytes(POINTER)
    (tmp_path / "train" / "notes").write_bytes(POINTER)
    problems = _problems(tmp_path)
    assert [problem.file for problem in problems] == ["train/train_1.json"]
    assert "git-lfs pointer" in problems[0].message and "git lfs pull" in problems[0].message


def test_a_pointer_beside_data_of_several_formats_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "train_0.json").write_text(json.dumps(TASKS))
    (tmp_path / "asked.json").write_text(json.dumps([{"task_id": "1", "website": "w", "confirmed_task": "Look"}]))
    (tmp_path / "train_1.json").write_bytes(POINTER)
    rows = list(open_source(tmp_path).scan())
    assert len([row for row in rows if isinstance(row, EpisodeSummary)]) == 2
    told = [row.file for row in rows if isinstance(row, Problem) and "git-lfs" in row.message]
    assert told == ["train_1.json"]


@pytest.mark.parametrize("name", ["train_0.json", "train-00000-of-00001.parquet", "batch.csv", "demo.json.gz"])
def test_a_folder_or_file_of_pointers_says_what_is_missing(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(POINTER)
    for path in (tmp_path, tmp_path / name):
        with pytest.raises(SourceError, match="git-lfs pointer") as caught:
            open_source(path)
        assert Path(caught.value.place) == tmp_path / name and "git lfs pull" in caught.value.hint
