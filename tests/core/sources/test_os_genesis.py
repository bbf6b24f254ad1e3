"""OS-Genesis: rows of one exploration are one episode, whose steps are numbered as the list numbers them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.errors import SourceError
from stepscope.core.sources.look import FolderScan
from stepscope.core.sources.os_genesis import FORMAT, load, open_os_genesis, outline


def row(episode: object, step: object, words: object = "Open it.", app: str = "Tasks") -> dict[str, object]:
    keys = {"app_name": app, "task_name": f"Task of {episode}"}
    return {"episode_id": episode, "step_id": step, **keys, "instruction": words}


ROWS = [row("a", 7, "Seventh."), row("b", 1, app="Home"), row("a", 2, "Second.", "Home"), row("a", 4, "Fourth.")]


def test_rows_are_grouped_and_ordered(tmp_path: Path, write_json: Any, rows: Any) -> None:
    source = open_os_genesis(write_json(tmp_path / "list.json", ROWS).parent)
    found, problems = rows(source)
    assert problems == [] and [(r.id, r.goal, r.app, r.steps, r.screens) for r in found] == [
        ("a", "Task of a", "Tasks", 3, 0),
        ("b", "Task of b", "Home", 1, 0),
    ]
    episode = source.read("a", found[0].place)
    assert [(step.index, step.instruction, step.action) for step in episode.steps] == [
        (2, "Second.", None),
        (4, "Fourth.", None),
        (7, "Seventh.", None),
    ]


def test_rows_without_a_number_come_last_and_are_said(tmp_path: Path, write_json: Any) -> None:
    path = write_json(tmp_path / "list.json", [row("a", 3), row("a", 3, "Again."), row("a", None, 5), "x", {}])
    episode = load(path, "a", "a")
    assert [(step.index, step.instruction) for step in episode.steps] == [(3, "Open it."), (4, "Again."), (5, None)]
    assert [problem.field for problem in episode.problems] == ["step_id", "step_id", "instruction"]
    (last,) = [item for item in outline(path) if not hasattr(item, "steps")]
    assert last.message == "2 items are no instructions of an exploration"


@pytest.mark.parametrize("number", [2**31, 2**64, 10**400, 999_999_999, -1])
def test_a_number_that_leaves_no_room_is_none(tmp_path: Path, write_json: Any, number: int) -> None:
    path = write_json(tmp_path / "list.json", [row("a", number, "Far."), row("a", 3), row("a", None, "Lost.")])
    episode = load(path, "a", "a")
    assert [(step.index, step.instruction) for step in episode.steps] == [(3, "Open it."), (4, "Far."), (5, "Lost.")]
    assert [problem.field for problem in episode.problems] == ["step_id", "step_id"]


@pytest.mark.parametrize("text", ["", "{}", "[", "5"])
def test_what_is_no_list_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "list.json").write_text(text)
    with pytest.raises(SourceError):
        list(outline(tmp_path / "list.json"))


def test_other_lists_are_left_alone(tmp_path: Path, write_json: Any) -> None:
    assert FORMAT.sniff(FolderScan(write_json(tmp_path / "a" / "x.json", ROWS)))
    other = write_json(tmp_path / "b" / "x.json", [{"episode_id": "a", "step_id": 1, "task_name": "t"}])
    assert not FORMAT.sniff(FolderScan(other))
    with pytest.raises(SourceError):
        load(tmp_path / "a" / "x.json", "c", "c")


VALUES = st.none() | st.integers(-2, 9) | st.floats() | st.text(max_size=4) | st.lists(st.integers(), max_size=2)


@given(
    form=st.lists(
        VALUES
        | st.dictionaries(
            st.sampled_from(["episode_id", "step_id", "app_name", "task_name", "instruction"]),
            VALUES | st.sampled_from(["a", "b"]),
        ),
        max_size=6,
    )
)
def test_any_list_is_read(form: list[Any], tmp_path: Path) -> None:
    path = tmp_path / "list.json"
    path.write_text(json.dumps(form))
    for item in outline(path):
        if hasattr(item, "place"):
            assert len(load(path, item.place, "x").steps) == item.steps


def test_the_released_list(real_data: Path, rows: Any) -> None:
    folder = real_data / "os_genesis"
    if not folder.is_dir():
        pytest.skip("OS-Genesis' list is not here")
    source = open_os_genesis(folder)
    found, problems = rows(source)
    assert problems == [] and (len(found), sum(r.steps for r in found)) == (655, 1800)
    assert not any(r.problems for r in found)
    first = source.read("13f59898-5868-4be3-9c4f-c84ce0d50911", found[0].place)
    assert (first.id, first.app, first.goal) == (found[0].id, "Tasks", "TasksDueOnDate")
    assert [(step.index, step.instruction) for step in first.steps] == [
        (2, "Schedule the task for October 26 and confirm the changes."),
        (4, "Set a task deadline to November 19th in the task management app."),
        (7, "Set the due date of the 'Research Vacation Destinations' task to November 16 in the task manager app."),
    ]
