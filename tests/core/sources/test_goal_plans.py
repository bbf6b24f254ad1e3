"""Goals with rated plans: rows of one plan are its workers, their mean is the label, and what is wrong is told."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stepscope.core.domain.episode import EpisodeSummary, Feasibility, FeasibilityLabel, Platform, Problem
from stepscope.core.errors import SourceError, UsageError
from stepscope.core.sources.goal_plans import FORMAT, label_of, load, open_goal_plans, outline, split_steps
from stepscope.core.sources.look import FolderScan
from stepscope.core.sources.registry import detect_all, open_source
from stepscope.core.sources.turkingbench import open_turkingbench

HEADER = ["Title", "goal", "steps_html", "label", "Answer.achievable", "Answer.complete"]
TEA = ["How good?", "Make tea", "boil water > pour it in > wait", "1"]
MOON = ["How good?", "Swim to the moon", "find the sea > swim", "0"]
ROWS = [[*TEA, "2", "1"], [*MOON, "-2", "0"], [*TEA, "0", "2"], [*MOON, "1.0", "0"]]


def write(path: Path, rows: list[list[str]], header: list[str] | None = None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8-sig") as stream:
        csv.writer(stream).writerows([HEADER if header is None else header, *rows])
    return path


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write(tmp_path / "batch.csv", ROWS)


def test_a_plan_is_an_episode_in_words(table: Path, rows: Any) -> None:
    found, problems = rows(open_goal_plans(table.parent))
    assert problems == []
    assert [(row.id, row.kind, row.platform, row.goal, row.steps, row.screens, row.actions) for row in found] == [
        ("0", "episode", Platform.TEXT, "Make tea", 3, 0, ()),
        ("1", "episode", Platform.TEXT, "Swim to the moon", 2, 0, ()),
    ]
    assert [row.feasibility.label for row in found] == [FeasibilityLabel.FEASIBLE, FeasibilityLabel.INFEASIBLE]
    source = open_goal_plans(table)
    assert [(step.index, step.instruction, step.action) for step in source.read("0").steps] == [
        (0, "boil water", None),
        (1, "pour it in", None),
        (2, "wait", None),
    ]
    plan = source.record("1", found[1].place)
    assert plan.votes == (-2, 1) and plan.columns == {"Title": "How good?", "label": "0"}
    assert plan.answers == ({"achievable": "-2", "complete": "0"}, {"achievable": "1.0", "complete": "0"})


def test_votes_on_both_sides_are_told(table: Path, rows: Any) -> None:
    found, _ = rows(open_goal_plans(table))
    assert found[0].problems == ()
    assert found[1].problems == (
        Problem("its 2 workers do not agree: -2, 1", "1", None, "Answer.achievable", "batch.csv"),
    )


@pytest.mark.parametrize(
    ("votes", "label"),
    [
        ((2, 1), FeasibilityLabel.FEASIBLE),
        ((-1, 2), FeasibilityLabel.FEASIBLE),
        ((0, -1), FeasibilityLabel.INFEASIBLE),
        ((-2, 2), None),
        ((0, 0), None),
        ((), None),
    ],
)
def test_the_mean_of_the_votes_is_the_label(votes: tuple[int, ...], label: FeasibilityLabel | None) -> None:
    assert label_of(votes) is label


STEP = st.text(alphabet="ab <.\n", min_size=1).map(str.strip).filter(bool)


@given(st.lists(STEP))
def test_steps_that_were_joined_are_parted(steps: list[str]) -> None:
    assert split_steps(" > ".join(steps)) == tuple(steps)


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("boil > pour", ("boil", "pour")),
        ("keep x>y > stop ", ("keep x>y", "stop")),
        (" > a >  > b", ("a", "b")),
        ("", ()),
    ],
)
def test_steps_are_parted_by_arrows(text: str, steps: tuple[str, ...]) -> None:
    assert split_steps(text) == steps


def test_broken_rows_are_told_with_file_row_and_field_and_the_rest_opens(table: Path, rows: Any) -> None:
    write(
        table,
        [
            [*TEA, "7", "1"],
            [*TEA, "1", "1"],
            MOON[:3],
            ["t", "Rest", " ", "1", "1", "1"],
            ["t", "", "lie down", "1", "1", "1"],
            [*MOON, "", "1", "much"],
            [*MOON, "{}", "1"],
        ],
    )
    found, problems = rows(open_goal_plans(table.parent))
    assert [(row.id, row.goal, row.feasibility.label) for row in found] == [
        ("0", "Make tea", FeasibilityLabel.FEASIBLE),
        ("4", "Swim to the moon", None),
    ]
    told = [
        (problem.message, problem.episode, problem.field, problem.file) for row in found for problem in row.problems
    ]
    assert told == [
        ("row 1: '7' is none of -2, -1, 0, 1 and 2", "0", "Answer.achievable", "batch.csv"),
        ("row 6 has 7 cells, its header 6", "4", "", "batch.csv"),
    ]
    assert [(problem.message, problem.episode, problem.field, problem.file) for problem in problems] == [
        ("row 3 has 3 cells, its header 6", "1", "label", "batch.csv"),
        ("row 4 has nothing in steps_html", "2", "steps_html", "batch.csv"),
        ("row 5 has nothing in goal", "3", "goal", "batch.csv"),
    ]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b"goal,steps_html,label\na,b,1\n", "no column Answer.achievable"),
        (b"goal,steps_html,Answer.achievable,AssignmentId\na,b,1,x\n", "no column goal"),
        (b"go\xffal,steps_html,Answer.achievable\na,b,1\n", "not UTF-8"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "git-lfs"),
    ],
)
def test_a_table_that_cannot_be_read_says_why(table: Path, data: bytes, said: str) -> None:
    table.write_bytes(data)
    with pytest.raises(SourceError, match=said):
        list(outline(table))


def test_a_row_that_is_not_utf8_is_told_and_the_rest_opens(table: Path, rows: Any) -> None:
    table.write_bytes(b"goal,steps_html,Answer.achievable\ncaf\xe9,go > sit,1\nTea,boil > pour,-1\n")
    found, problems = rows(open_goal_plans(table))
    assert [(row.id, row.goal) for row in found] == [("1", "Tea")]
    assert [problem.message for problem in problems] == ["row 1 is not UTF-8 text"]


def test_a_plan_that_is_not_there_is_said(table: Path) -> None:
    with pytest.raises(UsageError):
        open_goal_plans(table).read("2")
    for place in ("2", "-1", "x", "9" * 30):
        with pytest.raises(SourceError, match="no such plan"):
            load(table, place, "x")


def test_a_changed_table_is_read_again(table: Path) -> None:
    source = open_goal_plans(table)
    assert source.read("0").goal == "Make tea"
    write(table, [[*MOON, "-2", "0"]])
    assert source.read("0").goal == "Swim to the moon"


def test_mechanical_turks_own_tables_name_their_inputs(tmp_path: Path, rows: Any) -> None:
    header = ["AssignmentId", "WorkerId", "Input.goal", "Input.steps_html", "Answer.achievable"]
    path = write(tmp_path / "own.csv", [["a", "w1", *TEA[1:3], "1"], ["b", "w2", *TEA[1:3], "2"]], header)
    assert FORMAT.sniff(FolderScan(path))
    ((row,), problems) = rows(open_goal_plans(path))
    assert (row.goal, row.steps, problems) == ("Make tea", 3, [])


def test_the_table_alone_is_plans_and_beside_its_page_a_web_task(table: Path) -> None:
    def opened(path: Path) -> list[str]:
        return [known.name for known in detect_all(path)]

    assert opened(table) == opened(table.parent) == ["goal_plans"]
    (table.parent / "template.html").write_text("<p>${goal}</p><input type=radio name=achievable value=2>")
    assert opened(table) == ["goal_plans"]
    assert opened(table.parent) == opened(table.parent / "template.html") == ["turkingbench"]
    with pytest.raises(SourceError, match="not in the format"):
        open_source(table, "turkingbench")
    kept = [row.id for row in open_turkingbench(table).scan() if isinstance(row, EpisodeSummary)]
    name = table.parent.name
    assert kept == [f"{name}/0", f"{name}/1"], "as an index that was made before knows it"


def test_other_tables_are_not_claimed(tmp_path: Path) -> None:
    write(tmp_path / "other.csv", [], ["goal", "steps_html", "Answer.good"])
    (tmp_path / "bytes.csv").write_bytes(b"\xff\xfe\0\0")
    assert not FORMAT.sniff(FolderScan(tmp_path))


CELL = st.text(max_size=12) | st.sampled_from(["1", "-2", "a > b", "a", "\0", '"', "", "{}"])


@given(st.binary(max_size=200) | st.lists(st.lists(CELL, max_size=5), max_size=6))
@example([["a", "a > b", "1"], ["a", "a > b", "-1"], []])
def test_any_table_gives_plans_or_problems(tmp_path: Path, content: Any) -> None:
    path = tmp_path / "fuzz.csv"
    if isinstance(content, bytes):
        path.write_bytes(b"goal,steps_html,Answer.achievable\n" + content)
    else:
        with path.open("w", newline="", encoding="utf-8", errors="replace") as stream:
            writer = csv.writer(stream, escapechar="\\")
            writer.writerows([["goal", "steps_html", "Answer.achievable"], *content])
    source = open_goal_plans(path)
    for row in source.scan():
        if isinstance(row, EpisodeSummary):
            plan = source.record(row.id, row.place)
            assert plan.steps and len(plan.steps) == row.steps and all(-2 <= vote <= 2 for vote in plan.votes)
            assert row.feasibility == Feasibility(label_of(plan.votes))
        else:
            assert isinstance(row, Problem) and row.message


class TestRealTable:
    """Counted with the standard library's `csv`."""

    @pytest.fixture
    def table(self, real_data: Path) -> Path:
        table = real_data / "turkingbench" / "tasks" / "Goal feasibility" / "batch.csv"
        return table if table.is_file() else pytest.skip("no Goal feasibility")

    def test_every_plan_opens_with_its_label(self, table: Path, rows: Any) -> None:
        found, problems = rows(open_source(table))
        assert problems == [] and [row.id for row in found] == [str(number) for number in range(250)]
        assert Counter(row.feasibility.label for row in found) == {
            FeasibilityLabel.FEASIBLE: 206,
            FeasibilityLabel.INFEASIBLE: 23,
            None: 21,
        }
        assert len({row.goal.casefold() for row in found}) == 250, "no goal comes twice"
        assert sum(row.steps for row in found) == 1360
        assert Counter(len(row.problems) for row in found) == {0: 237, 1: 13}, "votes on both sides"

    def test_a_plan_worked_out_by_hand(self, table: Path) -> None:
        source = open_goal_plans(table)
        plan = source.record("2")
        assert (plan.goal, len(plan.steps), plan.votes, plan.columns["label"]) == (
            "Appear on the cover of magazines", 5, (0, 0), "0",
        )  # fmt: skip
        assert plan.answers[1] == {"achievable": "0", "complete": "1", "on-topic": "1", "ordering": "1"}
        assert open_turkingbench(table.parent).read_instance("Goal feasibility/2").inputs["goal"] == plan.goal
