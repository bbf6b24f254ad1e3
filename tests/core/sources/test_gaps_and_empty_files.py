"""What of a data set is not there: steps, whole files. The rest keeps its numbers and opens."""

from __future__ import annotations

import gzip
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stepscope.core.domain.episode import EpisodeSummary, Problem
from stepscope.core.sources.aitw_actions import in_order
from stepscope.core.sources.aitz import open_aitz
from stepscope.core.sources.android_world import open_android_world
from stepscope.core.sources.androidarena_tasks import open_androidarena_tasks
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.gui_odyssey import open_gui_odyssey
from stepscope.core.sources.meta_gui_dialog import DialogTurn, moments_of
from stepscope.core.sources.rico import open_rico

Rows = Callable[[Any], tuple[list[EpisodeSummary], list[Problem]]]


def aitz_step(number: int, **extra: object) -> dict[str, object]:
    none = "[-1.0, -1.0]"
    return {
        "episode_id": "83",
        "episode_length": 4,
        "step_id": number,
        "instruction": "Wake me",
        "ui_positions": "[]",
        "ui_text": "[]",
        "ui_types": "[]",
        "result_action_type": 6,
        "result_touch_yx": none,
        "result_lift_yx": none,
        "image_path": f"GENERAL-83_{number}.png",
        **extra,
    }


def aitz(root: Path, *steps: dict[str, object]) -> Path:
    folder = root / "test" / "general" / "GENERAL-83"
    folder.mkdir(parents=True)
    (folder / "GENERAL-83.json").write_text(json.dumps(steps))
    return root


def ordered(ids: list[object]) -> list[tuple[int, str]]:
    return in_order([f"step {name}" for name in ids], ids, None, Findings("1", Path()))


def test_a_missing_step_leaves_a_gap() -> None:
    assert ordered([3, 0, 2]) == [(0, "step 0"), (2, "step 2"), (3, "step 3")]


@pytest.mark.parametrize("ids", [[0, 1, 1], [0, None, 2], [-1, 0, 1], [0, 1, 10**12]])
def test_numbers_that_cannot_be_those_of_steps_are_counted_anew(ids: list[object]) -> None:
    assert [number for number, _ in ordered(ids)] == [0, 1, 2]


def test_aitz_keeps_the_steps_numbers_and_names_the_file_of_every_problem(tmp_path: Path, rows: Rows) -> None:
    source = open_aitz(aitz(tmp_path, aitz_step(0), aitz_step(3, ui_text="[", result_action_type=99)))
    assert rows(source)[0][0].steps == 2
    episode = source.read("83")
    assert [step.index for step in episode.steps] == [0, 3]
    told = {(problem.step, problem.field) for problem in episode.problems}
    assert {(3, "action"), (3, "view_hierarchy"), (3, "screenshot"), (None, "step_id")} <= told
    assert all(problem.file for problem in episode.problems)


def test_an_empty_episode_file_of_aitz_is_told(tmp_path: Path, rows: Rows) -> None:
    root = aitz(tmp_path, aitz_step(0))
    for name in ("GENERAL-84", "notes"):
        folder = root / "test" / "general" / name
        folder.mkdir()
        (folder / f"{name}.json").write_bytes(b"")
    found, problems = rows(open_aitz(root))
    assert [row.id for row in found] == ["83"]
    assert [(one.episode, one.file) for one in problems] == [("GENERAL-84", "test/general/GENERAL-84/GENERAL-84.json")]


def test_an_empty_annotation_of_gui_odyssey_is_told_and_names_do_not_depend_on_how_the_path_was_written(
    tmp_path: Path, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "odyssey" / "annotations"
    folder.mkdir(parents=True)
    form = {
        "episode_id": "0123",
        "device_info": {"w": 1080, "h": 2400},
        "task_info": {"instruction": "Go"},
        "steps": [{"action": "FLY", "info": ""}],
    }
    (folder / "0123.json").write_text(json.dumps(form))
    (folder / "0124.json").write_bytes(b"")
    monkeypatch.chdir(tmp_path)
    source = open_gui_odyssey(Path("odyssey"))
    assert [(one.episode, one.file) for one in rows(source)[1]] == [("0124", "annotations/0124.json")]
    assert {problem.file for problem in source.read("0123").problems} == {"annotations/0123.json"}


def test_an_empty_result_of_android_world_is_told(tmp_path: Path, rows: Rows) -> None:
    form = {"goal": "Go", "task_template": "Go", "instance_id": 0, "is_successful": 1.0, "episode_data": {}}
    (tmp_path / "Go_0.pkl.gz").write_bytes(gzip.compress(pickle.dumps([form])))
    (tmp_path / "Go_1.pkl.gz").write_bytes(b"")
    found, problems = rows(open_android_world(tmp_path))
    assert [row.id for row in found] == ["Go_0"] and [problem.file for problem in problems] == ["Go_1.pkl.gz"]


def test_an_empty_list_of_androidarena_is_told(tmp_path: Path, rows: Rows) -> None:
    (tmp_path / "clock.yaml").write_text("type: single\nmax_repeat_step: 3\ntasks:\n  - instruction: Go\n")
    (tmp_path / "maps.yaml").write_bytes(b"")
    found, problems = rows(open_androidarena_tasks(tmp_path))
    assert [row.id for row in found] == ["clock-0"] and [problem.file for problem in problems] == ["maps.yaml"]


def test_a_broken_gesture_is_told_with_its_file(tmp_path: Path) -> None:
    trace = tmp_path / "com.example.app" / "trace_0"
    (trace / "screenshots").mkdir(parents=True)
    (trace / "view_hierarchies").mkdir()
    for name in ("1", "2", "3"):
        (trace / "view_hierarchies" / f"{name}.json").write_text("null")
    (trace / "gestures.json").write_text('{"1": [[NaN, 0.5]], "3": []}')
    problems = open_rico(tmp_path).read("com.example.app/trace_0").problems
    gestures = [(one.step, one.file) for one in problems if one.field == "gestures"]
    assert gestures == [(0, "gestures.json"), (1, "gestures.json")]


@pytest.mark.parametrize(("line", "steps"), [(None, 1), ("", 1), ("|read|", 1), ("fly", 2), (5, 2), ("|click|1,2|", 2)])
def test_the_reply_does_not_hide_a_line_that_is_not_understood(line: object, steps: int) -> None:
    moments = moments_of(0, DialogTurn("Hi", "Done."), frozenset({"0.png"}), {"0": line})
    assert len(moments) == steps and moments[-1].reply == "Done."
