"""TurkingBench: a page and its batch become a task; rows with equal inputs are one instance of many answers."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stepscope.core.domain.action import Select, Target, Type
from stepscope.core.domain.episode import EpisodeSummary, Platform, Problem
from stepscope.core.domain.webtask import FieldType, WebField
from stepscope.core.errors import SourceError, UsageError
from stepscope.core.sources.look import FolderScan
from stepscope.core.sources.source import WebTaskSource
from stepscope.core.sources.turkingbench import FORMAT, open_turkingbench

FILES = ("batch.csv", "template.html")
PAGE = """<!DOCTYPE html><html><head><title>Rate  it</title><script>const text = `${script}`;</script></head><body>
<p>${goal} by ${who}</p><!-- <input name="commented"> -->
<form><input type="hidden" name="assignmentId"><input type="hidden" name="seen" value="${who}">
<fieldset><legend>How good?</legend>
<label><input type="radio" name="good" value="1"> yes</label>
<label><input type="radio" name="good" value="0"> no</label>
</fieldset>
<label for="w">Why</label><textarea id="w" name="why"></textarea>
<select name="kind"><option value="">choose</option><option value="a">A</option><option>b c</option></select>
<input type="checkbox" name="tick" value="x"><input type="checkbox" name="tick" value="y">
<label>Only this <input type="checkbox" name="odd"></label>
<input name="word" placeholder="a word"><input type="RANGE" name="much"><input type="submit" name="go">
</form></body></html>"""
COLUMNS = ["Title", "Description", "Keywords", "goal", "who"]
ANSWERS = ["Answer.good", "Answer.why", "Answer.kind", "Answer.tick.x", "Answer.tick.y", "Answer.odd", "Answer.made"]
TEA = ["Rate it", "Say how good", "plan", "make <b>tea</b>", "Ann"]
SOUP = ["Rate it", "Say how good", "plan", "make\nsoup, at home", "Bob"]


def write_task(folder: Path, rows: list[list[str]], header: list[str] | None = None, page: str = PAGE) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "template.html").write_text(page, encoding="utf-8")
    with (folder / "batch.csv").open("w", newline="", encoding="utf-8-sig") as stream:
        csv.writer(stream).writerows([COLUMNS + ANSWERS if header is None else header, *rows])
    return folder


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    write_task(
        tmp_path / "tasks" / "Rate 2",
        [
            [*TEA, "1.0", "nice", "a", "True", "True", "on", "free"],
            [*SOUP, "0", "{}", "", "False", "True", "", ""],
            [*TEA, "", "{}", "b c", "False", "False", "", ""],
        ],
    )
    write_task(tmp_path / "tasks" / "Rate 10", [[*SOUP, "1", "", "", "", "", "", ""]])
    (tmp_path / "splits").mkdir()
    (tmp_path / "splits" / "easy.txt").write_text("Other\nRate 2")
    (tmp_path / "splits" / "hard.txt").write_text("Rate 2\r\n")
    return tmp_path


def test_a_task_in_full(bench: Path) -> None:
    source = open_turkingbench(bench)
    assert isinstance(source, WebTaskSource) and FORMAT.sniff(FolderScan(bench)) and FORMAT.kind == "webtasks"
    task = source.read_task("Rate 2")
    assert (task.title, task.description, task.keywords) == ("Rate it", "Say how good", "plan")
    assert (task.columns, task.splits, task.template) == (("goal", "who"), ("easy", "hard"), PAGE)
    assert task.fields == (
        WebField("good", FieldType.RADIO, ("1", "0"), "How good?"),
        WebField("why", FieldType.TEXTAREA, (), "Why"),
        WebField("kind", FieldType.SELECT, ("a", "b c")),
        WebField("tick", FieldType.CHECKBOX, ("x", "y")),
        WebField("odd", FieldType.CHECKBOX, ("on",), "Only this"),
        WebField("made", FieldType.TEXT),
    )
    assert source.read_task("Rate 10").splits == ("train",)
    with pytest.raises(UsageError):
        source.read_task("Rate")


def test_rows_with_equal_inputs_are_one_instance(bench: Path, rows: Any) -> None:
    source = open_turkingbench(bench)
    found, problems = rows(source)
    assert problems == []
    assert [(row.id, row.app, row.kind, row.platform, row.steps, row.screens) for row in found] == [
        ("Rate 2/0", "Rate 2", "instance", Platform.WEB, 6, 0),
        ("Rate 2/1", "Rate 2", "instance", Platform.WEB, 2, 0),
        ("Rate 10/0", "Rate 10", "instance", Platform.WEB, 1, 0),
    ]
    assert [row.goal for row in found[:2]] == ["Rate it · make tea · Ann", "Rate it · make soup, at home · Bob"]
    assert found[0].actions == (("select", 4), ("type", 2)) and found[0].splits == ("easy", "hard")
    tea, soup = (source.read_instance(row.id, row.place) for row in found[:2])
    assert dict(tea.inputs) == {"goal": "make <b>tea</b>", "who": "Ann"}
    assert [dict(answer) for answer in tea.answers] == [
        {"good": "1", "why": "nice", "kind": "a", "tick": "x|y", "odd": "on", "made": "free"},
        {"kind": "b c"},
    ]
    assert [dict(answer) for answer in soup.answers] == [{"good": "0", "tick": "y"}]
    assert source.read_instance("Rate 2/1") == soup and soup.task == "Rate 2"


def test_an_instance_is_shown_by_what_the_first_worker_did(bench: Path) -> None:
    shown = open_turkingbench(bench).read("Rate 2/0")
    assert [(step.instruction, step.action) for step in shown.steps] == [
        ("How good?", Select("1", None, Target(None, "How good?", "good"))),
        ("Why", Type("nice", None, Target(None, "Why", "why"))),
        ("kind", Select("a", None, Target(None, "", "kind"))),
        ("tick", Select("x|y", None, Target(None, "", "tick"))),
        ("Only this", Select("on", None, Target(None, "Only this", "odd"))),
        ("made", Type("free", None, Target(None, "", "made"))),
    ]
    assert all(step.observation.screenshot is None for step in shown.steps)


@pytest.mark.parametrize(
    "inside", ["", "tasks", "tasks/Rate 2", "tasks/Rate 2/batch.csv", "tasks/Rate 2/template.html"]
)
def test_root_task_and_either_file_open(bench: Path, rows: Any, inside: str) -> None:
    assert FORMAT.sniff(FolderScan(bench / inside))
    found, problems = rows(open_turkingbench(bench / inside))
    assert found[0].id == "Rate 2/0" and found[0].splits == ("easy", "hard") and problems == []
    assert open_turkingbench(bench / inside).read_task("Rate 2").name == "Rate 2"


def test_a_page_without_its_table_is_no_task(tmp_path: Path) -> None:
    write_task(tmp_path / "a", []).joinpath("batch.csv").unlink()
    write_task(tmp_path / "b", []).joinpath("template.html").unlink()
    assert not FORMAT.sniff(FolderScan(tmp_path)) and list(open_turkingbench(tmp_path).scan()) == []


def test_without_answers_the_fields_are_what_can_be_filled_in(tmp_path: Path, rows: Any) -> None:
    folder = write_task(tmp_path / "new", [["tea", "Ann"], ["tea", "Ann"]], ["goal", "who"])
    ((row,), problems) = rows(open_turkingbench(folder))
    assert (row.id, row.steps, row.goal, row.splits, problems) == ("new/0", 0, "Rate it · tea · Ann", (), [])
    task = open_turkingbench(folder).read_task("new")
    assert [field.name for field in task.fields] == ["good", "why", "kind", "tick", "odd", "word", "much"]
    assert task.fields[-1].type is FieldType.RANGE and task.fields[-2].label == "a word"
    assert open_turkingbench(folder).read_instance("new/0").answers == ()


def test_mechanical_turks_own_tables_name_their_inputs(tmp_path: Path, rows: Any) -> None:
    header = ["HITId", "WorkerId", "Title", "Input.goal", "Input.who", "Answer.good.0", "Answer.good.1"]
    table = [["h1", "w1", "T", "tea", "Ann", "false", "true"], ["h1", "w2", "T", "tea", "Ann", "true", "false"]]
    source = open_turkingbench(write_task(tmp_path / "raw", table, header))
    ((row,), _) = rows(source)
    instance = source.read_instance(row.id)
    assert dict(instance.inputs) == {"goal": "tea", "who": "Ann"} and source.read_task("raw").columns == ("goal", "who")
    assert [dict(answer) for answer in instance.answers] == [{"good": "1"}, {"good": "0"}]


def test_rows_of_another_length_open_with_a_problem(tmp_path: Path, rows: Any) -> None:
    table = [[*TEA, "1"], [], ["", ""], [*SOUP, *[""] * 7, "too many"]]
    source = open_turkingbench(write_task(tmp_path / "t", table))
    found, problems = rows(source)
    assert [row.id for row in found] == ["t/0", "t/1"] and problems == []
    assert dict(source.read_instance("t/0").answers[0]) == {"good": "1"}
    assert [problem.message for row in found for problem in row.problems] == [
        "row 1 has 6 cells, its header 12",
        "row 3 has 13 cells, its header 12",
    ]


@pytest.mark.parametrize(
    ("file", "data"),
    [
        ("batch.csv", b""),
        ("batch.csv", b"go\xffal,Answer.good\nx,1\n"),
        ("batch.csv", b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n"),
        ("template.html", b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n"),
    ],
)
def test_a_file_that_cannot_be_read_is_a_problem_and_the_rest_opens(
    bench: Path, rows: Any, file: str, data: bytes
) -> None:
    (bench / "tasks" / "Rate 2" / file).write_bytes(data)
    found, problems = rows(open_turkingbench(bench))
    assert [row.id for row in found] == ["Rate 10/0"]
    assert [problem.file for problem in problems] == [f"tasks/Rate 2/{file}"]


def test_a_row_that_is_not_utf8_is_told_and_every_instance_opens(tmp_path: Path, rows: Any) -> None:
    (tmp_path / "template.html").write_text("<p>${goal}</p><input name=good>")
    (tmp_path / "batch.csv").write_bytes(b"goal,Answer.good\nTea,1\nCaf\xe9,2\n")
    source = open_turkingbench(tmp_path)
    found, problems = rows(source)
    assert len(found) == 2 and problems == [] and found[0].problems == ()
    assert [problem.message for problem in found[1].problems] == ["row 2 is not UTF-8 text"]
    assert source.read_instance(found[1].id).inputs == {"goal": "Caf\ufffd"}


def test_a_changed_table_is_read_again(bench: Path) -> None:
    source = open_turkingbench(bench)
    assert source.read_task("Rate 10").title == "Rate it"
    write_task(bench / "tasks" / "Rate 10", [["New title", *SOUP[1:], "1", *[""] * 6]])
    assert source.read_task("Rate 10").title == "New title"


def test_tasks_of_one_name_in_two_folders_both_open(tmp_path: Path, rows: Any) -> None:
    for part in ("a", "b"):
        write_task(tmp_path / part / "same", [[*TEA[:3], part, "", "1", *[""] * 6]])
    source = open_turkingbench(tmp_path)
    assert [row.id for row in rows(source)[0]] == ["same/0", "same/0~2"]
    second = source.read_instance("same/0~2")
    assert (second.id, second.inputs["goal"]) == ("same/0~2", "b")


@pytest.mark.parametrize("place", ["3", "-1", "x", "9" * 5000])
def test_a_place_that_is_none_is_refused(bench: Path, place: str) -> None:
    with pytest.raises(SourceError, match="no such instance"):
        open_turkingbench(bench).read_instance("Rate 2/0", f"tasks/Rate 2/batch.csv\t{place}")


CELL = st.sampled_from(["", "True", "1", "1.0", "{}", "a|b", "x\ny", '"', "nan", "\0"]) | st.text(max_size=5)
NAME = st.sampled_from(["Title", "goal", "Input.goal", "Answer.good", "Answer.good.1", "Answer.tick.", "Answer..", ""])
HEADER = st.lists(NAME | st.text(max_size=4), max_size=6)


@given(HEADER, st.lists(st.lists(CELL, max_size=7), max_size=4), st.binary(max_size=40))
@example([""], [], b"")
def test_any_table_gives_rows_or_problems(
    tmp_path: Path, header: list[str], table: list[list[str]], tail: bytes
) -> None:
    folder = tmp_path / "fuzz-turk"
    folder.mkdir(exist_ok=True)
    (folder / "template.html").write_text(PAGE)
    path = folder / "batch.csv"
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream, escapechar="\\").writerows([header, *table])
    path.write_bytes(path.read_bytes() + tail)
    source = open_turkingbench(folder)
    for row in source.scan():
        if isinstance(row, EpisodeSummary):
            assert source.read_instance(row.id, row.place).id == row.id
        else:
            assert isinstance(row, Problem)


EASY = "evaluation_tasks_easy/test"
INSTANCES = {
    "ANLI Generation": (167, 3, 4),
    "ATOMIC - Event Sequences": (600, 1, 12),
    "ATOMIC - Required Objects (Sequence)": (106, 1, 27),
    "Associate countries and languages with Ethnologue": (48, 3, 4),
    "Clarifiction": (1, 150, 5),
    "Elicitation subj": (10, 8, 35),
    "Essential Terms in Questions 2": (20, 5, 2),
    "Ethical rule-of-thumb quality": (10, 50, 14),
    "Evaluate Questions": (167, 3, 3),
    "Event effect": (136, 3, 11),
    "Formalize sentence": (20, 3, 1),
    "Goal feasibility": (250, 2, 4),
    "Photo Collection GVDB": (10, 3, 4),
    "RocStories 1": (167, 3, 5),
    "Spanish Word Alignment": (57, 2, 4),
    "Story Relations": (50, 3, 25),
    "WikiHow Goal Membership": (10, 4, 46),
    "Winogrande plausiblity": (100, 1, 6),
}
"""By task: instances, most workers of one, fields that were answered."""

ANSWERED = {
    "ATOMIC - Event Sequences": 5234,
    "Associate countries and languages with Ethnologue": 565,
    "Elicitation subj": 1321,
    "Event effect": 1998,
    "Goal feasibility": 2000,
    "Photo Collection GVDB": 93,
    "Spanish Word Alignment": 208,
    "Story Relations": 3727,
    "WikiHow Goal Membership": 531,
    "Winogrande plausiblity": 207,
}
"""By task: fields filled in by all its workers together."""


class TestRealTasks:
    """Counted with the standard library's csv and html.parser, apart from the reader."""

    @pytest.fixture
    def root(self, real_data: Path) -> Path:
        root = real_data / "turkingbench"
        if not root.is_dir():
            pytest.skip("no turkingbench")
        return root

    def test_tasks_instances_fields_and_answers(self, root: Path, rows: Any) -> None:
        source = open_turkingbench(root)
        found, problems = rows(source)
        assert problems == [] and not any(row.problems for row in found) and len(found) == 1929
        instances = [source.read_instance(row.id, row.place) for row in found]
        counts = Counter(instance.task for instance in instances)
        workers = {name: max(len(one.answers) for one in instances if one.task == name) for name in counts}
        fields = {name: len(source.read_task(name).fields) for name in counts}
        assert {name: (counts[name], workers[name], fields[name]) for name in counts} == INSTANCES
        answered: Counter[str] = Counter()
        for instance in instances:
            answered[instance.task] += sum(map(len, instance.answers))
        assert {name: answered[name] for name in ANSWERED} == ANSWERED

    @pytest.mark.parametrize(
        ("name", "kinds", "split"),
        [
            ("ATOMIC - Event Sequences", {"hidden": 3, "textarea": 6, "checkbox": 3}, "train"),
            ("Ethical rule-of-thumb quality", {"radio": 9, "checkbox": 2, "text": 2, "hidden": 1}, EASY),
            ("Elicitation subj", {"text": 35}, "evaluation_tasks_hard/challenge"),
            ("Event effect", {"radio": 2, "text": 8, "textarea": 1}, EASY),
            ("WikiHow Goal Membership", {"radio": 16, "checkbox": 30}, "train"),
            ("Winogrande plausiblity", {"radio": 2, "checkbox": 2, "hidden": 2}, EASY),
        ],
    )  # fmt: skip
    def test_field_types_and_splits(self, root: Path, name: str, kinds: dict[str, int], split: str) -> None:
        task = open_turkingbench(root / "tasks" / name).read_task(name)
        assert Counter(field.type.value for field in task.fields) == kinds and task.splits == (split,)

    def test_a_plan_and_its_two_raters(self, root: Path) -> None:
        source = open_turkingbench(root)
        instance = source.read_instance("Goal feasibility/0")
        assert instance.inputs["goal"] == "Being interviewed on live television"
        assert list(instance.inputs) == ["goal", "steps_html", "label"] and instance.inputs["label"] == "1"
        assert [dict(answer) for answer in instance.answers] == [
            {"achievable": "1", "on-topic": "1", "ordering": "2", "complete": "2"},
            {"achievable": "-1", "on-topic": "0", "ordering": "0", "complete": "-1"},
        ]
        task = source.read_task("Goal feasibility")
        assert task.fields[2] == WebField("ordering", FieldType.RADIO, ("2", "1", "0", "-1", "-2"))
        assert task.columns == ("goal", "steps_html")

    def test_options_in_columns_of_their_own(self, root: Path) -> None:
        source = open_turkingbench(root)
        story = source.read_instance("Story Relations/7")
        assert [answer["bestq-3"] for answer in story.answers] == ["2", "2", "2"]
        first = source.read_instance("Story Relations/0").answers[0]
        assert [first[f"coherent-{number}"] for number in range(1, 6)] == ["2", "2", "1", "1", "1"]
        assert "intra-2" not in first and len(first) == 24
        ticked = source.read_instance("WikiHow Goal Membership/4").answers[2]
        assert ticked["noidea2"] == "on" and "grammar2" not in ticked

    def test_values_that_are_empty_many_or_numbers(self, root: Path) -> None:
        source = open_turkingbench(root)
        language = source.read_instance("Associate countries and languages with Ethnologue/0")
        assert language.answers[1]["countries"].split("|")[-2:] == ["russia", "other"] and len(language.answers) == 3
        assert source.read_instance("Winogrande plausiblity/4").answers[0]["equal1"] == "1"
        assert "equal1" not in source.read_instance("Winogrande plausiblity/5").answers[0]
        event = source.read_instance("ATOMIC - Event Sequences/0").answers[0]
        assert (
            "before1" not in event and event["event-valid1"] == "on" and event["Event1"] == "PersonX looks and looked"
        )
        assert [len(source.read_instance(f"Spanish Word Alignment/{n}").answers) for n in (29, 30, 44, 52)] == [
            1,
            2,
            2,
            2,
        ]


def test_the_released_lists_are_called_as_in_the_paper(tmp_path: Path) -> None:
    """A list of subjective tasks takes none of them out of the rest."""
    for name in ("easy one", "hard one", "felt", "other"):
        folder = tmp_path / "tasks" / name
        folder.mkdir(parents=True)
        (folder / "template.html").write_text("<input name=a>")
        (folder / "batch.csv").write_text("x\n1\n")
    (tmp_path / "splits").mkdir()
    for file, tasks in (
        ("evaluation_tasks_easy", "easy one"), ("evaluation_tasks_hard", "hard one"),
        ("subjective_evaluation_tasks", "felt\nhard one"),
    ):  # fmt: skip
        (tmp_path / "splits" / f"{file}.txt").write_text(tasks)
    source = open_turkingbench(tmp_path)

    assert {name: set(source.read_task(name).splits) for name in ("easy one", "hard one", "felt", "other")} == {
        "easy one": {"evaluation_tasks_easy/test"},
        "hard one": {"evaluation_tasks_hard/challenge", "subjective_evaluation_tasks"},
        "felt": {"train", "subjective_evaluation_tasks"},
        "other": {"train"},
    }
