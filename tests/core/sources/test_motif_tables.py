"""MoTIF's tables: found near the traces, joined by id, and opened without any trace."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from stepscope.core.domain.episode import Episode, Feasibility, FeasibilityLabel, InfeasibilityReason, Platform
from stepscope.core.errors import SourceError, UsageError
from stepscope.core.sources.look import FolderScan
from stepscope.core.sources.motif import FORMAT, open_motif

A, B, C, D = (f"{letter * 8}-1111-4222-8333-444444444444" for letter in "abcd")
FEASIBLE, INFEASIBLE = Feasibility(FeasibilityLabel.FEASIBLE), Feasibility(FeasibilityLabel.INFEASIBLE)


@pytest.fixture
def trace(tmp_path: Path, write_picture: Any, write_json: Any) -> Path:
    """Trace A with one state and nothing said about its task."""
    folder = tmp_path / "MoTIF" / "raw_data" / "com.example.app" / A
    write_picture(folder / "screens" / "view_1.jpg", 54, 96)
    write_json(folder / "metadata.json", {"gestures": {"view_1.jpg": [[0.5, 0.5]]}})
    write_json(folder / "trace_info.json", {"trace_type": "language"})
    return folder


def write_tables(folder: Path, notes: list[Any] | None = None) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tasknames.csv").write_text(f"{A} Go to A, and on\n{B} go to B\n\n{C} go to C\n")
    (folder / "train_traces.txt").write_text(f"{A}\n{D}\n")
    (folder / "test_traces.txt").write_text(f"{B}\n")
    (folder / "eccv_motif_app_unseen_task_seen.json").write_text(json.dumps({"train": [B], "test": [A]}))
    (folder / "eccv_motif_app_seen_task_unseen_all.json").write_text(json.dumps({"train": [A], "test": []}))
    if notes is not None:
        (folder / "feasibility_annotations.p").write_bytes(pickle.dumps(notes))
    return folder


def read(path: Path, trace: str = A) -> Episode:
    return open_motif(path).read(trace)


class TestJoinedToTraces:
    @pytest.mark.parametrize(
        "place",
        ["raw_data/com.example.app", "raw_data", "raw_data/tables", ".", "data", ".."],
    )
    @pytest.mark.parametrize("opened", [0, 1, 2, 3])
    def test_goal_and_splits_wherever_the_tables_lie(self, trace: Path, place: str, opened: int) -> None:
        write_tables(trace.parents[2] / place)
        episode = read((trace, *trace.parents)[opened])
        assert episode.goal == "Go to A, and on"
        assert episode.splits == ("feasibility/train", "app_seen_task_unseen_all/train", "app_unseen_task_seen/test")
        assert episode.problems == ()

    def test_tables_deep_in_the_opened_repository(self, trace: Path) -> None:
        write_tables(trace.parents[2] / "task_automation" / "seq2act" / "motif_data_generation")
        assert read(trace.parents[2]).goal == "Go to A, and on"

    def test_the_nearest_table_counts(self, trace: Path) -> None:
        write_tables(trace.parents[2])
        (trace.parents[1] / "tasknames.csv").write_text(f"{A} nearer\n")
        assert read(trace).goal == "nearer" and read(trace.parents[1]).goal == "nearer"

    def test_the_traces_own_words_come_first(self, trace: Path, write_json: Any) -> None:
        write_tables(trace.parents[1], [["com.example.app", A, "noted", "No", ["view_1.jpg"]]])
        info = {"trace_type": "action", "task_command": "own", "feasibility": {"binary": "No", "reason": "unclear"}}
        write_json(trace / "trace_info.json", info)
        episode = read(trace)
        assert episode.goal == "own" and [problem.message for problem in episode.problems] == ["no view hierarchy"]
        assert episode.feasibility == Feasibility(FeasibilityLabel.INFEASIBLE, InfeasibilityReason.UNCLEAR)


class TestAnnotations:
    @pytest.mark.parametrize("protocol", [0, 2, 4])
    def test_label_and_goal_of_a_trace_without_its_own(self, trace: Path, protocol: int) -> None:
        notes = [["com.example.app", A, "noted", "No", ["view_1.jpg"]], ["com.example.app", B, "b", "Yes", []]]
        (trace.parents[1] / "feasibility_annotations.p").write_bytes(pickle.dumps(notes, protocol))
        episode = read(trace)
        assert (episode.goal, episode.feasibility, episode.problems) == ("noted", INFEASIBLE, ())
        assert read(trace.parents[1], B).feasibility == FEASIBLE

    def test_several_annotations_must_agree(self, trace: Path) -> None:
        notes = [("x", A, "first", "Yes", []), ("x", A, "second", "Yes", []), ("x", B, "b", "No", [])]
        write_tables(trace.parents[1], notes)
        assert (read(trace).goal, read(trace).feasibility, read(trace).problems) == ("first", FEASIBLE, ())
        write_tables(trace.parents[1], [*notes, ("x", A, "third", "No", [])])
        episode = read(trace)
        assert episode.feasibility == Feasibility()
        assert [(p.field, p.message) for p in episode.problems] == [("feasibility", "its 3 annotations do not agree")]

    def test_a_trace_that_says_otherwise_counts_and_is_told(self, trace: Path, write_json: Any) -> None:
        write_tables(trace.parents[1], [("x", A, "a", "No", [])])
        write_json(trace / "trace_info.json", {"trace_type": "action", "feasibility": {"binary": "Yes"}})
        episode = read(trace)
        assert episode.feasibility == FEASIBLE
        (problem,) = [problem for problem in episode.problems if problem.field != "view_hierarchy"]
        assert problem.field == "feasibility" and "annotation infeasible" in problem.message

    def test_follow_up_questions_stay_when_only_the_table_has_a_label(self, trace: Path, write_json: Any) -> None:
        write_tables(trace.parents[1], [("x", A, "a", "Yes", [])])
        form = {"trace_type": "action", "feasibility": {"binary": "Maybe", "follow_up": "Which one?"}}
        write_json(trace / "trace_info.json", form)
        assert read(trace).feasibility.follow_up == ("Which one?",)

    def test_a_pickle_that_would_run_code_runs_none(self, trace: Path, tmp_path: Path, rows: Any) -> None:
        class Harm:
            def __reduce__(self) -> tuple[Any, ...]:
                return (Path.touch, (tmp_path / "harm",))

        write_tables(trace.parents[1], [["x", A, "a", "Yes", [Harm()]]])
        episodes, problems = rows(open_motif(trace))
        assert not (tmp_path / "harm").exists()
        assert [row.id for row in episodes] == [A] and [p.file for p in problems] == ["feasibility_annotations.p"]


class TestTablesAlone:
    def test_every_listed_id_is_an_episode_without_steps(self, tmp_path: Path, rows: Any) -> None:
        root = write_tables(tmp_path / "tables", [("x", D, "go to D", "No", [])])
        assert FORMAT.sniff(FolderScan(root))
        episodes, problems = rows(open_motif(root))
        assert problems == []
        assert [(row.id, row.goal, row.steps, row.screens) for row in episodes] == [
            (A, "Go to A, and on", 0, 0), (B, "go to B", 0, 0), (C, "go to C", 0, 0), (D, "go to D", 0, 0)
        ]  # fmt: skip
        assert episodes[1].splits == ("feasibility/test", "app_unseen_task_seen/train")
        assert episodes[3].feasibility == INFEASIBLE and episodes[3].splits == ("feasibility/train",)
        assert all(row.checked and row.problems == () for row in episodes)

    def test_such_an_episode_is_read_with_and_without_its_place(self, tmp_path: Path, rows: Any) -> None:
        source = open_motif(write_tables(tmp_path))
        episodes, _ = rows(source)
        assert episodes[2].place == "tasknames.csv"
        for place in (episodes[2].place, ""):
            episode = source.read(C, place)
            assert (episode.goal, episode.steps, episode.platform) == ("go to C", (), Platform.ANDROID)
        with pytest.raises(UsageError):
            source.read("nobody")

    def test_one_table_alone_and_the_others_beside_it(self, tmp_path: Path, rows: Any) -> None:
        write_tables(tmp_path / "MoTIF")
        splits = tmp_path / "MoTIF" / "splits"
        splits.mkdir()
        (tmp_path / "MoTIF" / "test_traces.txt").rename(splits / "test_traces.txt")
        assert FORMAT.sniff(FolderScan(splits / "test_traces.txt"))
        episodes, _ = rows(open_motif(splits / "test_traces.txt"))
        assert [(row.id, row.goal, row.splits) for row in episodes] == [
            (B, "go to B", ("feasibility/test", "app_unseen_task_seen/train"))
        ]

    def test_traces_come_first_and_no_id_twice(self, trace: Path, rows: Any) -> None:
        write_tables(trace.parents[1])
        episodes, problems = rows(open_motif(trace.parents[1]))
        assert problems == []
        assert [(row.id, row.steps, row.checked) for row in episodes] == [
            (A, 1, False), (B, 0, True), (C, 0, True), (D, 0, True)
        ]  # fmt: skip

    def test_tables_above_what_was_opened_list_no_episodes(self, trace: Path, rows: Any) -> None:
        write_tables(trace.parents[1])
        assert [row.id for row in rows(open_motif(trace.parent))[0]] == [A]

    def test_a_trace_that_cannot_be_read_is_no_empty_episode(self, trace: Path, rows: Any) -> None:
        write_tables(trace.parents[1])
        (trace / "metadata.json").write_text('{"gestures": {"view_1')
        source = open_motif(trace.parents[1])
        episodes, problems = rows(source)
        assert [row.id for row in episodes] == [B, C, D]
        assert [(p.episode, p.file) for p in problems] == [(A, f"com.example.app/{A}/metadata.json")]
        with pytest.raises(SourceError, match="broken JSON"):
            source.read(A)


class TestBrokenTables:
    @pytest.mark.parametrize(
        ("name", "content", "field", "message"),
        [
            ("eccv_motif_app_unseen_task_seen.json", f'{{"train": ["{A}", "', "", "broken JSON"),
            ("eccv_motif_app_unseen_task_seen.json", f'{{"train": "{A}"}}', "splits", "no lists"),
            ("eccv_motif_app_unseen_task_seen.json", f'{{"train": ["{A}", NaN, 7, null], "test": []}}', "id", "3 such"),
            ("eccv_motif_app_unseen_task_seen.json", f'{{"train": ["{A}"], "test": ["{A}"]}}', "splits", "already"),
            ("test_traces.txt", "version https://git-lfs.github.com/spec/v1\n", "", "git-lfs pointer"),
            ("test_traces.txt", f"{B}\n../../etc/passwd\n", "id", "line 2: '../../etc/passwd' is no trace id"),
            ("test_traces.txt", f"{A}\n", "splits", "is in feasibility/train already"),
            ("tasknames.csv", f"{A} one\n{A} two\n", "id", "line 2"),
            ("tasknames.csv", f"{A} one\n<html> no\n<p> no\n", "id", "line 2: '<html>' is no trace id (2 such"),
            ("widget_exception_dims.json", f'{{"{A}": ["1080"], "{B}": [NaN, 1]}}', "view_hierarchy", "2 such"),
            ("widget_exception_dims.json", "[", "", "broken JSON"),
            ("feasibility_annotations.p", "not a pickle", "", "pickle"),
        ],
    )
    def test_is_told_with_its_file_and_the_rest_opens(
        self, trace: Path, rows: Any, name: str, content: str, field: str, message: str
    ) -> None:
        write_tables(trace.parents[1])
        (trace.parents[1] / name).write_text(content)
        episodes, problems = rows(open_motif(trace.parents[1]))
        assert episodes[0].id == A and len({row.id for row in episodes}) == len(episodes) >= 3
        assert [(p.file, p.field) for p in problems] == [(name, field)] and message in problems[0].message

    @pytest.mark.parametrize("record", [None, [], ["x"], ["x", 5, "a", "Yes"], ["x", A, None, "perhaps", []]])
    def test_a_broken_annotation_is_counted_and_skipped(self, trace: Path, rows: Any, record: Any) -> None:
        write_tables(trace.parents[1], [record, ["x", B, "b", "Yes", []]])
        source = open_motif(trace.parents[1])
        _, problems = rows(source)
        assert [p.file for p in problems] == ["feasibility_annotations.p"] and "record 1" in problems[0].message
        assert source.read(B).feasibility == FEASIBLE and source.read(A).feasibility == Feasibility()

    def test_other_peoples_files_of_that_name_are_not_claimed(self, tmp_path: Path) -> None:
        (tmp_path / "tasknames.csv").write_text("id,name\n1,open it\n")
        (tmp_path / "train_traces.txt").write_text("trace_1\n")
        (tmp_path / "metadata.json").write_text("{}")
        assert not FORMAT.sniff(FolderScan(tmp_path))


class TestReleasedTables:
    """Counts of the released files: lines, and lengths of the lists; three ids looked up by hand."""

    @pytest.fixture
    def tables(self, real_data: Path) -> Path:
        if not (real_data / "motif" / "tasknames.csv").is_file():
            pytest.skip("no motif tables")
        return real_data / "motif"

    def test_all_ids_and_the_sizes_of_their_splits(self, tables: Path, rows: Any) -> None:
        episodes, problems = rows(open_motif(tables))
        assert problems == [] and len(episodes) == len({row.id for row in episodes}) == 5439
        assert len({row.goal for row in episodes}) == 288  # 304 with the blanks at their ends
        assert all(row.goal for row in episodes)
        assert sum(not row.splits for row in episodes) == 778
        assert Counter(split for row in episodes for split in row.splits) == {
            "feasibility/train": 4183, "feasibility/test": 454,
            "app_seen_task_unseen_all/train": 2723, "app_seen_task_unseen_all/test": 333,
            "app_seen_task_unseen_curr/train": 2804, "app_seen_task_unseen_curr/test": 248,
            "app_unseen_task_seen/train": 2522, "app_unseen_task_seen/test": 302,
            "app_unseen_task_unseen/train": 2488, "app_unseen_task_unseen/test": 317,
        }  # fmt: skip

    def test_ids_looked_up(self, tables: Path) -> None:
        source = open_motif(tables)
        first = source.read("c47ad16a-44b2-4303-982a-17859efe40c6")
        assert (first.goal, first.splits, first.steps) == ("Go to my recipes and click on the menu", (), ())
        seen = source.read("656dcd36-c091-4e56-85e0-998c0dc69782")
        assert seen.goal == "go to categories"
        assert [split.partition("/")[2] for split in seen.splits] == ["train"] * 5
        tested = source.read("28cf8934-ea12-4c27-a3d5-9c6b57f1d9c7")
        assert tested.goal == "view my friends" and tested.splits == (
            "feasibility/test", "app_seen_task_unseen_all/test", "app_seen_task_unseen_curr/train",
            "app_unseen_task_seen/train", "app_unseen_task_unseen/test",
        )  # fmt: skip

    def test_a_split_file_alone(self, tables: Path, rows: Any) -> None:
        episodes, _ = rows(open_motif(tables / "task_feasibility_splits" / "test_traces.txt"))
        assert len(episodes) == 454 and episodes[0].goal == "view my friends"
