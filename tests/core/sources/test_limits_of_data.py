"""Data that takes too much is refused with its file, its field and the limit; what lies beside it still opens.

Sources are read in this process, as the window reads an episode whose outline was shown first: the readers bound
themselves, not only the process that reads.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stepscope.core import limits
from stepscope.core.domain.elements import TreeOrigin
from stepscope.core.domain.episode import EpisodeSummary, Problem
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.sources.accessibility_forest import parse_forest
from stepscope.core.sources.csv_table import read_table
from stepscope.core.sources.files import check_steps, read_json, read_text
from stepscope.core.sources.findings import MOST_TOLD, Findings
from stepscope.core.sources.folders import unique_id
from stepscope.core.sources.mind2web import open_mind2web
from stepscope.core.sources.mind2web_tables import open_multimodal_mind2web
from stepscope.core.sources.predictions import read_predictions
from stepscope.core.sources.recording import open_recording
from stepscope.core.sources.rico import open_rico
from stepscope.core.sources.source import Source
from stepscope.core.sources.tree_builder import Placement, TreeBuilder
from stepscope.core.sources.turkingbench import open_turkingbench
from stepscope.core.sources.ui_dumps import parse_droidbot, parse_uiautomator
from stepscope.core.sources.weblinx_page import Pages

SIZE = Size(100, 100)
PLACEMENT = Placement(SIZE)


def recording(steps: list[Any], **more: Any) -> dict[str, Any]:
    head = {"format": "stepscope-recording", "version": 1, "id": "one", "platform": "android", "goal": "Go"}
    return {**head, "steps": steps, **more}


def listed(source: Source) -> tuple[list[EpisodeSummary], list[Problem]]:
    found = list(source.scan())
    rows = [one for one in found if isinstance(one, EpisodeSummary)]
    return rows, [one for one in found if isinstance(one, Problem)]


class TestReadHere:
    """An outline was shown, then the limit is met while the episode is read in this process."""

    def test_a_recording_of_too_many_steps(self, tmp_path: Path, write_json: Callable[..., Path]) -> None:
        write_json(tmp_path / "a" / "episode.json", recording([{"size": [10, 10]}] * 5))
        source = open_recording(tmp_path)
        (row,), _ = listed(source)
        limits.choose({"episode-steps": 4})
        with pytest.raises(SourceError, match="the episode has 5 steps") as caught:
            source.read(row.id, row.place)
        assert caught.value.place.endswith("episode.json") and caught.value.field == "steps"
        assert "--limit-episode-steps 8" in caught.value.hint

    def test_a_recording_of_too_many_values_and_the_one_beside_it(
        self, tmp_path: Path, write_json: Callable[..., Path]
    ) -> None:
        write_json(tmp_path / "a" / "episode.json", recording([], junk=[[]] * 200))
        write_json(tmp_path / "b" / "episode.json", recording([{"size": [10, 10]}]) | {"id": "two"})
        source = open_recording(tmp_path)
        rows, _ = listed(source)
        assert [row.id for row in rows] == ["one", "two"]
        limits.choose({"json-nodes": 100})
        with pytest.raises(SourceError, match="the JSON has more than 100 values") as caught:
            source.read("one", "a")
        assert "--limit-json-nodes 200" in caught.value.hint and caught.value.place.endswith("episode.json")
        assert len(source.read("two", "b").steps) == 1

    def test_a_tree_of_too_many_elements_costs_the_tree_alone(self, tmp_path: Path) -> None:
        nodes = [{"bounds": [0, 0, 1, 1]}] * 30
        trace = tmp_path / "app" / "trace_0"
        for name, form in (
            ("gestures.json", {"1": [[0.5, 0.5]], "2": [[0.1, 0.1]]}),
            ("view_hierarchies/1.json", {"activity": {"root": {"bounds": [0, 0, 9, 9], "children": nodes}}}),
            ("view_hierarchies/2.json", {"activity": {"root": {"bounds": [0, 0, 9, 9]}}}),
        ):
            (trace / name).parent.mkdir(parents=True, exist_ok=True)
            (trace / name).write_text(json.dumps(form))
        source = open_rico(tmp_path)
        limits.choose({"tree-elements": 30})
        first, second = source.read("app/trace_0").steps
        assert first.observation.tree is None and first.action is not None
        assert second.observation.tree is not None and len(second.observation.tree) == 1
        (problem,) = [one for one in source.read("app/trace_0").problems if "elements" in one.message]
        assert problem.step == 0 and problem.file.endswith("view_hierarchies/1.json")
        assert "--limit-tree-elements 60" in problem.message

    def test_html_of_too_many_tags_leaves_the_elements_without_nesting(self, tmp_path: Path) -> None:
        one = json.dumps({"backend_node_id": "1", "tag": "a", "attributes": '{"bounding_box_rect": "0,0,5,5"}'})
        action = {"action_uid": "u", "cleaned_html": "<html>" + "<b/>" * 50 + "</html>", "pos_candidates": [one]}
        task = {"annotation_id": "t", "confirmed_task": "Go", "actions": [action | {"neg_candidates": []}]}
        (tmp_path / "train_0.json").write_text(json.dumps([task]))
        source = open_mind2web(tmp_path)
        (row,), _ = listed(source)
        limits.choose({"tree-elements": 50})
        episode = source.read(row.id, row.place)
        assert episode.steps[0].observation.tree is not None and len(episode.steps[0].observation.tree) == 1
        assert any("more than 50 tags" in problem.message for problem in episode.problems)

    def test_a_web_task_whose_page_is_too_large(self, tmp_path: Path) -> None:
        task = tmp_path / "tasks" / "T"
        task.mkdir(parents=True)
        (task / "batch.csv").write_text("Input.a,Answer.b\n1,2\n")
        (task / "template.html").write_text("<input name=b>" + "x" * 100)
        source = open_turkingbench(tmp_path)
        (row,), _ = listed(source)
        limits.choose({"page-bytes": 50})
        with pytest.raises(SourceError, match="the page is larger than 50 bytes") as caught:
            source.read(row.id, row.place)
        assert caught.value.place.endswith("template.html")


def test_a_file_that_is_too_large_is_told_with_its_limit(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('"' + "a" * 100 + '"')
    limits.choose({"json-bytes": 100})
    with pytest.raises(SourceError, match="the file is larger than 100 bytes") as caught:
        read_json(tmp_path / "a.json")
    assert "--limit-json-bytes" in caught.value.hint
    with pytest.raises(SourceError):
        read_text(tmp_path / "a.json")


def test_as_many_steps_as_may_be(tmp_path: Path) -> None:
    limits.choose({"episode-steps": 3})
    check_steps(3, tmp_path)
    with pytest.raises(SourceError):
        check_steps(4, tmp_path)


class TestTrees:
    def test_a_tree_is_taken_at_its_limit_and_left_out_above(self) -> None:
        limits.choose({"tree-elements": 3})
        for count, whole in ((3, True), (4, False)):
            builder = TreeBuilder(TreeOrigin.DOM, PLACEMENT)
            for _ in range(count):
                builder.add(-1, (0, 0, 1, 1))
            assert (builder.finish().tree is not None) == whole

    def test_a_dump_of_too_many_tags(self) -> None:
        limits.choose({"tree-elements": 10})
        dump = b"<h>" + b'<node bounds="[0,0][1,1]"></node>' * 9 + b"</h>"
        tree = parse_uiautomator(dump, PLACEMENT).tree
        assert tree is not None and len(tree) == 9
        with pytest.raises(SourceError, match="more than 10 tags"):
            parse_uiautomator(dump.replace(b"</h>", b"<node/></h>"), PLACEMENT)

    def test_a_list_of_too_many_views(self) -> None:
        limits.choose({"tree-elements": 10})
        views = [{"temp_id": number, "parent": -1, "bounds": [[0, 0], [1, 1]]} for number in range(11)]
        reading = parse_droidbot(views, PLACEMENT)
        assert reading.tree is None and "more than 10 elements" in reading.notes[0]

    def test_a_forest_of_too_many_bytes(self) -> None:
        limits.choose({"tree-bytes": 10})
        with pytest.raises(SourceError, match="larger than 10 bytes"):
            parse_forest(b"x" * 11, SIZE)

    def test_a_page_of_weblinx_with_too_many_tags(self, tmp_path: Path) -> None:
        for name, text in (("bboxes/bboxes-1.json", "{}"), ("pages/page-1-0.html", "<p>" * 20)):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(text)
        limits.choose({"tree-elements": 19})
        findings = Findings("a", tmp_path)
        assert Pages(tmp_path).tree("page-1-0.html", PLACEMENT, 0, findings) is None
        assert "--limit-tree-elements" in findings.problems[0].message


class TestTables:
    def table(self, folder: Path, text: str) -> list[tuple[str, ...]]:
        (folder / "a.csv").write_text(text, newline="")
        header, rows = read_table(folder / "a.csv")
        return [header, *(row.cells for row in rows)]

    @pytest.mark.parametrize(
        ("chosen", "text", "words", "record"),
        [
            ({"table-columns": 3}, "a,b\n1,2\n,,,,,\n", "more than 3 columns", "3"),
            ({"table-columns": 3}, 'a,b\n"x\ny",,,,,\n', "more than 3 columns", "3"),
            ({"table-columns": 3}, 'a,b\nx"y,z",,,,\n', "more than 3 columns", "2"),
            ({"table-rows": 2}, "a\n1\n2\n3\n", "more than 2 rows", "3"),
            ({"table-cells": 5}, "a,b\n1\n2\n3\n", "more than 5 cells", "3"),
            ({"table-cell-bytes": 4}, "a,b\n1,12345\n", "a cell has more than 4 bytes", ""),
            ({"json-bytes": 5}, "a,b\n1,2\n", "larger than 5 bytes", ""),
        ],
    )
    def test_what_is_too_much(self, tmp_path: Path, chosen: dict[str, int], text: str, words: str, record: str) -> None:
        limits.choose(chosen)
        with pytest.raises(SourceError, match=words) as caught:
            self.table(tmp_path, text)
        assert caught.value.place.endswith("a.csv") and caught.value.record == record
        assert f"--limit-{next(iter(chosen))}" in caught.value.hint

    def test_commas_within_quotation_marks_part_no_cells(self, tmp_path: Path) -> None:
        limits.choose({"table-columns": 3})
        rows = self.table(tmp_path, 'a,b\n"1,2,3,4,5,6",x\n"1,""2,3\n,4,5,6"",7",y\n')
        assert rows == [("a", "b"), ("1,2,3,4,5,6", "x"), ('1,"2,3\n,4,5,6",7', "y")]


class TestFloods:
    def test_problems_of_an_episode_beyond_a_thousand_are_counted(self, tmp_path: Path) -> None:
        findings = Findings("a", tmp_path)
        for number in range(MOST_TOLD + 500):
            findings.add(f"slip {number}")
        told = findings.as_tuple()
        assert len(told) == MOST_TOLD + 1 and told[-1].message == "500 more problems are not listed"

    def test_problems_of_a_file_beyond_a_thousand_are_counted(self, tmp_path: Path) -> None:
        good = '{"annotation_id": "t", "confirmed_task": "Go", "actions": [{"action_uid": "u"}]}'
        (tmp_path / "train_0.json").write_text("[" + good + ",[]" * (MOST_TOLD + 7) + "]")
        rows, problems = listed(open_mind2web(tmp_path))
        assert len(rows) == 1 and len(problems) == MOST_TOLD + 1
        assert problems[-1].message == "7 more problems are not listed"

    def test_ids_that_occur_very_often_are_numbered_at_once(self) -> None:
        used: dict[str, int] = {}
        assert [unique_id("a", used) for _ in range(4)] == ["a", "a~2", "a~3", "a~4"]
        assert unique_id("a~2", used) == "a~2~2"
        assert unique_id("b~2", used) == "b~2" and unique_id("b", used) == "b" and unique_id("b", used) == "b~3"
        given = {unique_id("a", used) for _ in range(50_000)}  # minutes, if each looked through those before it
        assert len(given) == 50_000

    def test_rows_of_one_task_beyond_the_steps_of_an_episode(self, tmp_path: Path) -> None:
        row = '{"action_uid": "u", "annotation_id": "t", "confirmed_task": "Go"}'
        (tmp_path / "train.json").write_text("[" + ",".join([row] * 5) + "]")
        limits.choose({"episode-steps": 3})
        rows, problems = listed(open_multimodal_mind2web(tmp_path))
        assert [row.steps for row in rows] == [3] and len(problems) == 2
        assert problems[0].message.startswith("record 4: its task has more than 3")


class TestPredictions:
    def read(self, path: Path, text: str) -> list[tuple[int, str]]:
        path.write_text(text)
        return [(one.line, one.message) for one in read_predictions(path, lambda episode, step: SIZE).problems]

    def test_a_line_of_too_many_values_costs_that_line(self, tmp_path: Path) -> None:
        limits.choose({"json-nodes": 10})
        many = '{"episode": "a", "step": 0, "x": [' + ",".join("0" * 20) + "]}\n"
        ((line, message),) = self.read(tmp_path / "p.jsonl", many + '{"episode": "b", "step": 0, "action": null}\n')
        assert line == 1 and message.startswith("the JSON has more than 10 values") and "--limit-json-nodes" in message

    def test_a_line_that_is_too_long_costs_that_line(self, tmp_path: Path) -> None:
        limits.choose({"json-bytes": 60})
        text = "x" * 200 + '\n{"episode": "b", "step": 0, "action": null}\n'
        ((line, message),) = self.read(tmp_path / "p.jsonl", text)
        assert line == 1 and message.startswith("the line is longer than 60 bytes")

    def test_lines_without_end(self, tmp_path: Path) -> None:
        limits.choose({"file-records": 3})
        with pytest.raises(SourceError, match="more than 3 lines"):
            self.read(tmp_path / "p.jsonl", "x\n" * 5)
