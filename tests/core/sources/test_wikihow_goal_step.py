"""wikiHow goal-step: one procedure a row, steps split at the ends of sentences, ordered or not."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stepscope.core.domain.episode import EpisodeSummary, Platform, Problem
from stepscope.core.errors import SourceError, UsageError
from stepscope.core.sources.look import FolderScan
from stepscope.core.sources.source import ProcedureSource
from stepscope.core.sources.wikihow_goal_step import FORMAT, open_wikihow_goal_step, outline, split_steps

HEADER = ["goal", "steps", "ordered?"]
ROWS = [
    ["How to Make Tea - Using a Pot", "Boil the water. Pour it in. Wait!", "1"],
    ["How to Rest", 'Lie down. Say "hi, all." Sleep.', "0"],
]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write(tmp_path / "annotations.csv", ROWS)


def write(path: Path, rows: list[list[str]], header: list[str] | None = None) -> Path:
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([HEADER if header is None else header, *rows])
    return path


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("Boil. Pour.", ("Boil.", "Pour.")),
        ("  Laugh! Are you sure? Go on  ", ("Laugh!", "Are you sure?", "Go on")),
        ("Cut a 2.5 cm piece. Fold it.", ("Cut a 2.5 cm piece.", "Fold it.")),
        ("Eat fruit, e.g. Apples. Drink.", ("Eat fruit, e.g. Apples.", "Drink.")),
        ("Pick one (i.e. Choose). Go.", ("Pick one (i.e. Choose).", "Go.")),
        ("Ask Dr. Who vs. Mr. Spock. Go.", ("Ask Dr. Who vs. Mr. Spock.", "Go.")),
        ("Pack pens, etc. Close the box.", ("Pack pens, etc.", "Close the box.")),
        ("Press the Reset... button. Confirm.", ("Press the Reset... button.", "Confirm.")),
        ("Press Save As... Then wait.", ("Press Save As... Then wait.",)),
        ("Tap More…. Slide it.", ("Tap More….", "Slide it.")),
        ("Click “Clear...”. Press go.", ("Click “Clear...”.", "Press go.")),
        ('Say "I agree." Sign (twice.) Send', ('Say "I agree."', "Sign (twice.)", "Send")),
        ("Eat vitamin C. Read J. K. Rowling. Sleep.", ("Eat vitamin C.", "Read J. K. Rowling.", "Sleep.")),
        ("Open Start . Click . Shut down.", ("Open Start .", "Click .", "Shut down.")),
        ("Do 1. Do 2. 3 more.", ("Do 1.", "Do 2.", "3 more.")),
        ("Be on time. memorize it.", ("Be on time. memorize it.",)),
        ("No space.Here is none.", ("No space.Here is none.",)),
        ("", ()),
        ("...", ("...",)),
    ],
)  # fmt: skip
def test_steps_end_where_sentences_do(text: str, steps: tuple[str, ...]) -> None:
    assert split_steps(text) == steps


@given(st.text(alphabet='aB .!?…"”)(e.g1\n', max_size=60))
def test_splitting_loses_nothing_but_white_space(text: str) -> None:
    assert "".join("".join(split_steps(text)).split()) == "".join(text.split())


def test_a_table_in_full(table: Path, rows: Any) -> None:
    source = open_wikihow_goal_step(table.parent)
    assert (
        isinstance(source, ProcedureSource)
        and FORMAT.sniff(FolderScan(table.parent))
        and FORMAT.sniff(FolderScan(table))
    )
    found, problems = rows(source)
    assert problems == []
    assert [(row.id, row.kind, row.platform, row.steps, row.screens, row.checked) for row in found] == [
        ("1", "procedure", Platform.TEXT, 3, 0, True),
        ("2", "procedure", Platform.TEXT, 3, 0, True),
    ]
    tea, rest = (source.read_procedure(row.id, row.place) for row in found)
    assert (tea.goal, tea.ordered, rest.ordered) == ("How to Make Tea - Using a Pot", True, False)
    assert [(step.id, step.text) for step in rest.steps] == [
        ("1", "Lie down."),
        ("2", 'Say "hi, all."'),
        ("3", "Sleep."),
    ]
    shown = source.read("1")
    assert [step.instruction for step in shown.steps] == ["Boil the water.", "Pour it in.", "Wait!"]
    assert open_wikihow_goal_step(table).read_procedure("2") == rest


def test_a_row_that_is_not_there_is_said(table: Path) -> None:
    source = open_wikihow_goal_step(table)
    with pytest.raises(UsageError):
        source.read_procedure("3")
    with pytest.raises(SourceError, match="no row"):
        source.read_procedure("1", f"{table.name}\t7")


def test_broken_rows_are_problems_and_the_rest_opens(table: Path, rows: Any) -> None:
    write(table, [["a", "Go.", "yes"], ROWS[0], ["b", "Go."], ["c", " ", "1"]])
    found, problems = rows(open_wikihow_goal_step(table.parent))
    assert [row.id for row in found] == ["2"]
    assert [(problem.message.partition(":")[0], problem.field, problem.file) for problem in problems] == [
        ("row 1", "ordered?", "annotations.csv"),
        ("row 3", "", "annotations.csv"),
        ("row 4", "steps", "annotations.csv"),
    ]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b"goal,steps,label\na,b.,1\n", "header"),
        (b'goal,steps,ordered?,\xff\na,"b.",1\n', "not UTF-8"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "git-lfs"),
    ],
)
def test_a_table_that_cannot_be_read_is_one_problem(table: Path, rows: Any, data: bytes, said: str) -> None:
    table.write_bytes(data)
    with pytest.raises(SourceError, match=said):
        list(outline(table))


def test_a_row_that_is_not_utf8_is_told_with_its_number_and_the_rest_opens(table: Path, rows: Any) -> None:
    table.write_bytes(b'goal,steps,ordered?\na,"Go. Stop.",1\ncaf\xe9,"Sit. Drink.",1\n"caf\xc3\xa9","Sit. Pay.",0\n')
    found, problems = rows(open_wikihow_goal_step(table))
    assert [(row.id, row.goal) for row in found] == [("1", "a"), ("3", "café")]
    assert [problem.message for problem in problems] == ["row 2: is not UTF-8 text"]


def test_cells_of_any_length_and_a_byte_order_mark_open(table: Path, rows: Any) -> None:
    long = "Go on. " * 60_000
    table.write_text(f'\ufeffgoal,steps,ordered?\n\n"two\nlines",{long},0\n', encoding="utf-8")
    (row,), problems = rows(open_wikihow_goal_step(table))
    assert (row.goal, row.steps, row.id) == ("two\nlines", 60_000, "1") and problems == []


def test_other_tables_are_not_claimed(tmp_path: Path) -> None:
    write(tmp_path / "other.csv", [], ["goal", "ordered?", "steps"])
    (tmp_path / "bytes.csv").write_bytes(b"\xff\xfe\0\0")
    assert not FORMAT.sniff(FolderScan(tmp_path))


CELL = st.one_of(st.text(max_size=12), st.sampled_from(["1", "0", "Go. Stop.", "\0", '"', ""]))


@given(st.one_of(st.binary(max_size=200), st.lists(st.lists(CELL, max_size=5), max_size=5)))
@example([["1"], []])
def test_any_bytes_give_rows_or_problems(tmp_path: Path, content: Any) -> None:
    path = tmp_path / "fuzz.csv"
    if isinstance(content, bytes):
        path.write_bytes(b"goal,steps,ordered?\n" + content)
    else:
        with path.open("w", newline="", encoding="utf-8") as stream:
            writer = csv.writer(stream, escapechar="\\")
            writer.writerows([HEADER, *content])
    for row in open_wikihow_goal_step(path).scan():
        assert isinstance(row, EpisodeSummary | Problem)


class TestRealTable:
    @pytest.fixture
    def source(self, real_data: Path) -> Any:
        folder = real_data / "wikihow_goal_step"
        if not folder.is_dir():
            pytest.skip("no wikihow_goal_step")
        return open_wikihow_goal_step(folder)

    def test_every_row_opens_ordered_or_not(self, source: Any, rows: Any) -> None:
        found, problems = rows(source)
        assert problems == [] and [row.id for row in found] == [str(number) for number in range(1, 1001)]
        ordered = [source.read_procedure(row.id, row.place).ordered for row in found]
        assert (ordered.count(True), ordered.count(False), sum(ordered[:100])) == (414, 586, 49)
        assert ordered[:7] == [True, False, False, False, True, True, True]

    @pytest.mark.parametrize(
        ("row", "count", "place", "words"),
        [
            ("1", 5, 3, "Confirm the date with vendors and officiants."),
            ("2", 7, 5, "Look for a cave-style bed if your dog likes to burrow."),
            ("72", 11, 2, "Click Shut Down."),
            ("405", 9, 5, "Click “Clear History...”."),
            ("442", 4, 0, "Evaluate using your own merchant account vs. a third-party."),
            ("484", 6, 4, "Press the Reset Firefox... button located at the top right of the page."),
            ("585", 3, 2, "Be on the lookout for books by J. K. Rowling."),
        ],
    )
    def test_rows_counted_by_hand(self, source: Any, row: str, count: int, place: int, words: str) -> None:
        steps = source.read_procedure(row).steps
        assert (len(steps), steps[place].text) == (count, words)
