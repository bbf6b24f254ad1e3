"""Multimodal-Mind2Web and MC-Mind2Web: rows become tasks across files, pictures stay in their cells, questions asks."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stepscope.core.domain.action import Tap, Type
from stepscope.core.domain.episode import Ask, Cell, Episode, EpisodeSummary, Feasibility, Problem
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import SourceError
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.evaluation.tasks import Setting, task_kind
from stepscope.core.sources.ask_records import FORMAT as ASKS
from stepscope.core.sources.ask_records import ask_lines, ask_record_of, asking_episodes, open_asks
from stepscope.core.sources.look import FolderScan
from stepscope.core.sources.mind2web import FORMAT as RAW
from stepscope.core.sources.mind2web_tables import (
    CLARIFIED_FORMAT,
    MULTIMODAL_FORMAT,
    open_mc_mind2web,
    open_multimodal_mind2web,
)
from stepscope.core.sources.seeact import FORMAT as SEEACT
from stepscope.core.sources.source import Source

TEXTS = pa.list_(pa.string())
SCHEMA = pa.schema([
    ("action_uid", pa.string()), ("raw_html", pa.string()), ("cleaned_html", pa.string()), ("operation", pa.string()),
    ("pos_candidates", TEXTS), ("neg_candidates", TEXTS), ("website", pa.string()), ("domain", pa.string()),
    ("subdomain", pa.string()), ("annotation_id", pa.string()), ("confirmed_task", pa.string()),
    ("screenshot", pa.struct([("bytes", pa.binary()), ("path", pa.string())])), ("action_reprs", TEXTS),
    ("target_action_index", pa.string()), ("target_action_reprs", pa.string()),
])  # fmt: skip
"""The features that the data set's card lists."""

CLARIFIED = pa.schema([
    *SCHEMA, ("vague_task", pa.string()), ("difficulty", pa.string()), ("dependent_value", pa.string()),
    ("selective_action", pa.bool_()), ("clarification_point", pa.bool_()), ("clarification_details", pa.string()),
    ("crop_bbox", pa.string()),
])  # fmt: skip


def picture(width: int, height: int) -> bytes:
    done, data = cv2.imencode(".jpg", np.full((height, width, 3), 90, np.uint8))
    assert done
    return data.tobytes()


def candidate(identity: str, rect: str) -> str:
    attributes = json.dumps({"backend_node_id": identity, "bounding_box_rect": rect})
    return json.dumps({"tag": "a", "attributes": attributes, "is_original_target": True, "backend_node_id": identity})


def row(task: str, index: str, rect: str = "31.5,400.25,60,20", **more: Any) -> dict[str, Any]:
    return {
        "action_uid": f"{task}-{index}",
        "raw_html": "<!DOCTYPE html>" + "x" * 50,
        "cleaned_html": f'<html backend_node_id="1"><a backend_node_id="7">Step {index}</a></html>',
        "operation": json.dumps({"original_op": "CLICK", "value": "", "op": "CLICK"}),
        "pos_candidates": [candidate("7", rect)],
        "neg_candidates": [candidate("1", "0,0,1500,900")],
        "website": "inns",
        "domain": "Travel",
        "subdomain": "Hotel",
        "annotation_id": task,
        "confirmed_task": f"Full {task}",
        "screenshot": {"bytes": picture(1500, 900), "path": None},
        "action_reprs": ["[link]  a -> CLICK"] * 12,
        "target_action_index": index,
        "target_action_reprs": "[link]  a -> CLICK",
        **more,
    }


def asked(task: str, index: str, details: dict[str, Any] | None, **more: Any) -> dict[str, Any]:
    crop = {"top": 0, "bottom": 1080, "image_width": 1500, "image_height": 900, "type": "valid_bbox"}
    return row(
        task,
        index,
        vague_task=f"Vague {task}",
        difficulty="easy",
        dependent_value="van",
        selective_action=True,
        clarification_point=details is not None,
        clarification_details=json.dumps(details) if details else None,
        crop_bbox=json.dumps(crop),
        **more,
    )


DETAILS = {
    "modification_type": "unfeasible",
    "modified_value": "van",
    "clarifying_question": "There are no vans. Which car?",
    "user_response": "A small one.",
}


def write(path: Path, rows: list[dict[str, Any]], schema: pa.Schema = SCHEMA, group: int = 2) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    table = pa.Table.from_pylist(rows, schema=schema)
    pq.write_table(table, path, row_group_size=group)
    return path


def listed(source: Source) -> tuple[list[EpisodeSummary], list[Problem]]:
    found = list(source.scan())
    return (
        [one for one in found if isinstance(one, EpisodeSummary)],
        [one for one in found if isinstance(one, Problem)],
    )


def only(source: Source) -> Episode:
    (found,), problems = listed(source)
    assert problems == []
    return source.read(found.id, found.place)


def told(episode: Episode) -> list[tuple[str, int | None, str]]:
    return [(problem.message, problem.step, problem.field) for problem in episode.problems]


class TestMultimodal:
    def test_rows_are_brought_together_over_files_and_put_in_order_of_their_numbers(self, tmp_path: Path) -> None:
        data = tmp_path / "data"
        write(data / "test_task-00000-of-00002.parquet", [row("a", "10"), row("b", "0"), row("a", "9")])
        write(data / "test_task-00001-of-00002.parquet", [row("a", "2", "900.5,-3,40,77.25"), row("c", "0")])
        write(data / "train-00000-of-00001-0123456789abcdef.parquet", [row("d", "0")])
        assert MULTIMODAL_FORMAT.sniff(FolderScan(tmp_path)) and not CLARIFIED_FORMAT.sniff(FolderScan(tmp_path))
        source = open_multimodal_mind2web(tmp_path)
        found, problems = listed(source)
        assert problems == []
        assert [(one.id, one.splits, one.steps, one.screens) for one in found] == [
            ("a", ("test_task",), 3, 3), ("b", ("test_task",), 1, 1), ("c", ("test_task",), 1, 1),
            ("d", ("train",), 1, 1),
        ]  # fmt: skip
        assert found[0].actions == (("tap", 3),) and not found[0].checked
        episode = source.read("a", found[0].place)
        assert episode == source.read("a")
        assert [step.index for step in episode.steps] == [2, 9, 10]
        assert (episode.goal, episode.original_goal, episode.app) == ("Full a", None, "inns")
        assert told(episode) == [
            ("9 of its 12 actions are not in the data: 0, 1, 3, 4, 5, 6, 7, 8, 11", None, "target_action_index")
        ]

    def test_boxes_are_pixels_of_the_picture_and_pictures_are_cells(self, tmp_path: Path) -> None:
        rows = [row("a", str(index), f"{900 + index}.5,-3,40,77.25") for index in range(5)]
        path = write(tmp_path / "train-00000-of-00001.parquet", rows)
        episode = only(open_multimodal_mind2web(path))
        seen = episode.steps[4].observation
        assert seen.size == Size(1500, 900) and seen.screenshot is not None
        assert (seen.screenshot.path, seen.screenshot.part) == (path, Cell(2, 0, "screenshot.bytes"))
        done = episode.steps[4].action
        assert isinstance(done, Tap) and done.target is not None and done.target.box is not None
        box = done.target.box
        assert (box.left, box.top, box.right, box.bottom) == (904.5, -3, 944.5, 74.25)
        assert done.target.text == "Step 4" and seen.tree is not None and len(seen.tree) == 2
        assert [step.observation.screenshot.part for step in episode.steps if step.observation.screenshot] == [
            Cell(0, 0, "screenshot.bytes"), Cell(0, 1, "screenshot.bytes"), Cell(1, 0, "screenshot.bytes"),
            Cell(1, 1, "screenshot.bytes"), Cell(2, 0, "screenshot.bytes"),
        ]  # fmt: skip

    def test_a_file_alone_is_read_alone(self, tmp_path: Path) -> None:
        write(tmp_path / "train-00000-of-00002.parquet", [row("a", "0")])
        second = write(tmp_path / "train-00001-of-00002.parquet", [row("a", "1"), row("b", "0")])
        found, _ = listed(open_multimodal_mind2web(second))
        assert [(one.id, one.steps) for one in found] == [("a", 1), ("b", 1)]

    def test_numbered_files_of_a_folder_are_its_split(self, tmp_path: Path) -> None:
        write(tmp_path / "test_website" / "0000.parquet", [row("a", "0")])
        write(tmp_path / "test_website" / "0001.parquet", [row("a", "1")])
        found, _ = listed(open_multimodal_mind2web(tmp_path))
        assert [(one.id, one.steps, one.splits) for one in found] == [("a", 2, ("test_website",))]

    def test_the_older_release_has_no_numbers(self, tmp_path: Path) -> None:
        rows = [row("a", "5"), row("a", "4")]
        schema = pa.schema([field for field in SCHEMA if not field.name.startswith("target_")])
        path = write(tmp_path / "test_task-00000-of-00001.parquet", rows, schema)
        episode = only(open_multimodal_mind2web(path))
        assert [step.index for step in episode.steps] == [0, 1]
        assert told(episode)[0] == (
            "the row does not tell the action's number; it is put last", 0, "target_action_index"
        )  # fmt: skip

    def test_an_index_reads_small_columns_only(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = write(tmp_path / "train-00000-of-00001.parquet", [row("a", str(index)) for index in range(7)])
        asked_for: list[list[str]] = []
        original = pq.ParquetFile.iter_batches

        def noted(self: Any, *given: Any, columns: list[str], **more: Any) -> Any:
            asked_for.append(columns)
            return original(self, *given, columns=columns, **more)

        monkeypatch.setattr(pq.ParquetFile, "iter_batches", noted)
        listed(open_multimodal_mind2web(path))
        big = {"raw_html", "cleaned_html", "screenshot", "pos_candidates", "neg_candidates"}
        assert asked_for and not any(big.intersection(columns) for columns in asked_for)

    def test_a_number_twice_keeps_the_first_row(self, tmp_path: Path) -> None:
        rows = [row("a", "0"), row("a", "0", website="other"), row("a", "1", action_reprs=["x", "y"])]
        path = write(tmp_path / "train-00000-of-00001.parquet", [{**one, "action_reprs": ["x", "y"]} for one in rows])
        source = open_multimodal_mind2web(path)
        (found,), _ = listed(source)
        episode = source.read(found.id, found.place)
        assert found.steps == len(episode.steps) == 2
        assert told(episode) == [("a second row has this number and is left out", 0, "target_action_index")]

    @pytest.mark.parametrize(
        ("value", "said"),
        [
            (None, "there is no screenshot in this row"),
            ({"bytes": b"", "path": None}, "there is no screenshot in this row"),
            ({"bytes": b"GIF89a", "path": None}, "this is not a PNG, JPEG or WebP picture"),
            ({"bytes": None, "path": "../../etc/passwd"}, "the name '../../etc/passwd' leads out of the data's folder"),
            ({"bytes": None, "path": "absent.jpg"}, "the picture is not there"),
            ({"bytes": None, "path": "a" * 300}, "the picture is not there"),
        ],
    )
    def test_a_missing_picture_is_said_and_its_places_stay(self, tmp_path: Path, value: Any, said: str) -> None:
        rows = [row("a", "0", screenshot=value, action_reprs=["x"])]
        episode = only(open_multimodal_mind2web(write(tmp_path / "train-00000-of-00001.parquet", rows)))
        assert told(episode) == [(said, 0, "screenshot")]
        seen = episode.steps[0].observation
        assert seen.screenshot is None and seen.size == Size(1280, 900) and seen.tree is not None

    def test_a_picture_may_lie_beside_the_table(self, tmp_path: Path, write_picture: Any) -> None:
        write_picture(tmp_path / "shots" / "a.png", 1300, 777)
        rows = [row("a", "0", screenshot={"bytes": None, "path": "shots/a.png"}, action_reprs=["x"])]
        episode = only(open_multimodal_mind2web(write(tmp_path / "train-00000-of-00001.parquet", rows)))
        shown = episode.steps[0].observation.screenshot
        assert shown is not None and (shown.size, shown.part) == (Size(1300, 777), None) and episode.problems == ()

    def test_rows_without_a_task_and_files_that_are_damaged(self, tmp_path: Path) -> None:
        write(tmp_path / "train-00000-of-00003.parquet", [row("a", "0"), row("", "0")])
        whole = write(tmp_path / "train-00001-of-00003.parquet", [row("b", "0")]).read_bytes()
        (tmp_path / "train-00001-of-00003.parquet").write_bytes(whole[:-30])
        (tmp_path / "train-00002-of-00003.parquet").write_bytes(b"version https://git-lfs.github.com/spec/v1\n")
        found, problems = listed(open_multimodal_mind2web(tmp_path))
        assert [one.id for one in found] == ["a"]
        assert [(one.file, one.field) for one in problems] == [
            ("train-00000-of-00003.parquet", "annotation_id"),
            ("train-00001-of-00003.parquet", ""),
            ("train-00002-of-00003.parquet", ""),
        ]
        assert "git-lfs pointer" in problems[2].message

    def test_a_note_that_is_not_understood(self, tmp_path: Path) -> None:
        name = "train-00000-of-00001.parquet"
        write(tmp_path / name, [row("a", "0")])
        source = open_multimodal_mind2web(tmp_path)
        for place in ("", "[]", "{}", '{"x": 3}', '{"x": [[1]]}', '{"x": [[-1, 0]]}', '{"../x": [[0, 0]]}',
                      f'{{"{name}": [[0, 1]]}}', f'{{"{name}": [[1, 0]]}}'):  # fmt: skip
            with pytest.raises(SourceError):
                source.read("a", f"{name}\t{place}")


class TestClarified:
    def test_the_goal_is_vague_and_the_question_an_ask(self, tmp_path: Path) -> None:
        typed = json.dumps({"original_op": "TYPE", "value": "Ulm", "op": "TYPE"})
        rows = [asked("a", "0", None), asked("a", "1", DETAILS, operation=typed), asked("a", "2", None)]
        path = write(tmp_path / "train-00000-of-00001.parquet", [{**one, "action_reprs": ["x"] * 3} for one in rows],
                     CLARIFIED)  # fmt: skip
        assert CLARIFIED_FORMAT.sniff(FolderScan(path)) and not MULTIMODAL_FORMAT.sniff(FolderScan(path))
        source = open_mc_mind2web(path)
        (found,), problems = listed(source)
        assert problems == [] and (found.goal, found.asks, found.steps) == ("Vague a", 1, 3)
        episode = source.read("a", found.place)
        assert (episode.goal, episode.original_goal, episode.problems) == ("Vague a", "Full a", ())
        assert episode.asks == (Ask(1, "There are no vans. Which car?", "A small one.", "unfeasible"),)
        assert episode.feasibility == Feasibility()
        assert isinstance(episode.steps[1].action, Type) and episode.steps[1].action.text == "Ulm"
        items = [*task_kind(Task.ASK).items(source, "a", Setting())]
        assert [item.material.now for item in items] == [False, True, False]
        request = items[1].request
        assert isinstance(request, StepRequest)
        assert (request.goal, request.whole) == ("Vague a", "Full a")
        assert request.reply == ("There are no vans. Which car?", "A small one.")

    @pytest.mark.parametrize("kind", ["parquet", "jsonl"])
    def test_questions_become_ask_records_that_read_back_equal(self, tmp_path: Path, kind: str) -> None:
        """`a` is asked at its steps 2 and 0, told in that order by its rows; `b` at none; `c` without an answer."""
        date = {"modification_type": "omission", "clarifying_question": "For which day?", "user_response": "March 4."}
        bare = {"modification_type": "unfeasible", "clarifying_question": "No such inn. Another?"}
        rows = [asked("a", "2", DETAILS), asked("b", "0", None), asked("a", "0", date), asked("a", "1", None),
                asked("c", "0", None), asked("c", "1", bare)]  # fmt: skip
        for one, steps in zip(rows, (3, 1, 3, 3, 2, 2), strict=True):
            one["action_reprs"] = ["x"] * steps
        path = tmp_path / "data" / f"train-00000-of-00001.{kind}"
        if kind == "parquet":
            write(path, rows, CLARIFIED)
        else:
            path.parent.mkdir()
            path.write_text("".join(json.dumps({**one, "screenshot": None}) + "\n" for one in rows))
        source = open_mc_mind2web(path.parent)
        places = [(one.id, one.place) for one in listed(source)[0]]
        written = [one for one in asking_episodes(source, places) if isinstance(one, Episode)]
        records = [ask_record_of(one) for one in written]
        assert records == [
            {"episode_id": "a", "original_task": "Full a", "ambiguous_task": "Vague a", "asks": [
                {"step": 0, "question": "For which day?", "answer": "March 4.", "kind": "omission"},
                {"step": 2, "question": "There are no vans. Which car?", "answer": "A small one.",
                 "kind": "unfeasible"},
            ]},
            {"episode_id": "c", "original_task": "Full c", "ambiguous_task": "Vague c", "asks": [
                {"step": 1, "question": "No such inn. Another?", "answer": "", "kind": "unfeasible"},
            ]},
        ]  # fmt: skip
        (tmp_path / "asks.jsonl").write_text("".join(ask_lines(written)), "utf-8")
        assert ASKS.sniff(FolderScan(tmp_path / "asks.jsonl"))
        back = open_asks(tmp_path / "asks.jsonl")
        found, problems = listed(back)
        assert problems == [] and [one.asks for one in found] == [2, 1]
        assert [ask_record_of(back.read(one.id, one.place)) for one in found] == records

    def test_a_question_that_is_due_and_not_given(self, tmp_path: Path) -> None:
        rows = [asked("a", "0", {"modification_type": "omission"}, action_reprs=["x"])]
        episode = only(open_mc_mind2web(write(tmp_path / "train-00000-of-00001.parquet", rows, CLARIFIED)))
        assert episode.asks == ()
        assert told(episode) == [("a question is due here, but none is given", 0, "clarification_details")]

    def test_the_crop_tells_the_size_of_a_picture_that_is_missing(self, tmp_path: Path) -> None:
        rows = [asked("a", "0", None, screenshot=None, action_reprs=["x"])]
        episode = only(open_mc_mind2web(write(tmp_path / "train-00000-of-00001.parquet", rows, CLARIFIED)))
        assert episode.steps[0].observation.size == Size(1500, 900)

    @pytest.mark.parametrize("lines", [True, False])
    def test_rows_as_json(self, tmp_path: Path, lines: bool, write_picture: Any) -> None:
        write_picture(tmp_path / "shots" / "1.png", 1500, 900)
        rows = [asked("a", "1", DETAILS), asked("b", "0", None), asked("a", "0", None)]
        for one in rows:
            one.update(action_reprs=["x"] * 2, screenshot={"path": "shots/1.png"})
        text = "\n".join(map(json.dumps, rows)) if lines else json.dumps(rows, indent=1)
        path = tmp_path / ("train.jsonl" if lines else "train.json")
        path.write_text(text)
        assert CLARIFIED_FORMAT.sniff(FolderScan(path)) and not MULTIMODAL_FORMAT.sniff(FolderScan(path))
        assert not RAW.sniff(FolderScan(path)) and not SEEACT.sniff(FolderScan(path))
        source = open_mc_mind2web(tmp_path)
        found, problems = listed(source)
        assert problems == []
        assert [(one.id, one.steps, one.screens, one.asks, one.splits) for one in found] == [
            ("a", 2, 2, 1, ("train",)), ("b", 1, 1, 0, ("train",)),
        ]  # fmt: skip
        episode = source.read("a", found[0].place)
        assert [step.index for step in episode.steps] == [0, 1] and episode.asks[0].step == 1
        assert episode.steps[0].observation.screenshot is not None and episode.problems == ()

    def test_rows_without_vague_tasks_as_json_are_the_multimodal_release(self, tmp_path: Path) -> None:
        (tmp_path / "rows.jsonl").write_text(json.dumps({**row("a", "0"), "screenshot": None}) + "\n" + "x\n")
        assert MULTIMODAL_FORMAT.sniff(FolderScan(tmp_path)) and not CLARIFIED_FORMAT.sniff(FolderScan(tmp_path))
        found, problems = listed(open_multimodal_mind2web(tmp_path))
        assert [one.id for one in found] == ["a"] and "record 2" in problems[0].message


JUNK: st.SearchStrategy[Any] = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=6), st.builds(dict), st.builds(list),
    st.sampled_from(["[", "{", '{"op": 1}', "-1", "9999999999999999999999", "\ud800", "../../x"]),
)  # fmt: skip


@given(st.lists(st.dictionaries(st.sampled_from(CLARIFIED.names), JUNK, max_size=4), min_size=1, max_size=4))
@example([{"target_action_index": "9999"}])
def test_mutated_rows_open_or_are_refused(
    tmp_path_factory: pytest.TempPathFactory, changes: list[dict[str, Any]]
) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "train.jsonl"
    rows = [{**asked("a", str(index), DETAILS, screenshot=None), **change} for index, change in enumerate(changes)]
    path.write_bytes(b"".join(json.dumps(one).encode("utf-8", "surrogatepass") + b"\n" for one in rows))
    read_all(open_mc_mind2web(path))


SMALL_PARQUET: list[bytes] = []


@given(st.lists(st.tuples(st.integers(0, 1 << 20), st.integers(0, 255)), min_size=1, max_size=3), st.booleans())
def test_damaged_tables_open_or_are_refused(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[int, int]], footer: bool
) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "train-00000-of-00001.parquet"
    if not SMALL_PARQUET:
        small = [{**row("a", str(index)), "screenshot": {"bytes": picture(9, 7), "path": None}} for index in range(3)]
        SMALL_PARQUET.append(write(path, small).read_bytes())
    data = bytearray(SMALL_PARQUET[0])
    for place, value in changes:
        data[-1 - place % 3000 if footer else place % len(data)] = value
    path.write_bytes(bytes(data))
    MULTIMODAL_FORMAT.sniff(FolderScan(path))
    read_all(open_multimodal_mind2web(path))


def read_all(source: Source) -> None:
    """Rows, and episodes or SourceError, nothing else."""
    for found in source.scan():
        if isinstance(found, EpisodeSummary):
            with contextlib.suppress(SourceError):
                source.read(found.id, found.place)
