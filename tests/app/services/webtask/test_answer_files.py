"""Tables of people's answers: the platform's columns, exact cells, and the same answers when they are read again."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stepscope.app.services.webtask import annotations
from stepscope.app.services.webtask.answer_files import AnswerTableLayout, export_file, export_folder
from stepscope.app.services.webtask.answer_imports import import_file, import_folder, moment_of
from stepscope.core.domain.web_answer import WebAnswer
from stepscope.core.errors import UsageError, UserError
from stepscope.core.sources.turkingbench import open_turkingbench
from stepscope.core.store.engine import Database

MakeAnswer = Callable[..., WebAnswer]
SOURCE, TASK = "data/tasks", "Rate 1"
NOON = datetime(2024, 5, 1, 12, 0, 30, tzinfo=UTC)


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.DictReader(stream))


def said_in(folder: Path, task: str = TASK) -> list[tuple[dict[str, str], list[dict[str, str]]]]:
    """What the data set in the folder tells: inputs that the page shows, and all workers' answers."""
    source = open_turkingbench(folder)
    found = source.instances_of(task)
    shown = source.read_task(task).columns
    return [({name: one.inputs[name] for name in shown}, [dict(said) for said in one.answers]) for one in found]


def test_the_platforms_columns(tasks: Path, tmp_path: Path, answer: MakeAnswer) -> None:
    some = [
        answer(1, "bob", why="=SUM(1)", good="0", seconds=90.4),
        answer(0, why='a "quoted"\nline', tick="x|y"),
        answer(2, submitted=None, why="a draft"),
    ]
    assert export_file(tasks, TASK, some, tmp_path / "out.csv") == 2
    raw = (tmp_path / "out.csv").read_bytes()
    assert raw.startswith(b'"HITId","HITTypeId","Title","Description","Keywords","Reward","CreationTime"')
    first, second = rows_of(tmp_path / "out.csv")
    assert list(first)[-12:] == [
        "Last7DaysApprovalRate", "Input.goal", "Input.who", "Input.unused", "Answer.good.1", "Answer.good.0",
        "Answer.tick", "Answer.why", "Answer.kind", "Answer.much", "Approve", "Reject",
    ]  # fmt: skip
    assert (first["WorkerId"], first["Input.goal"], first["Input.unused"]) == ("ann", "=make tea", "1")
    assert (first["Title"], first["Keywords"], first["AssignmentStatus"]) == ("Rate it", "plan, rate", "Submitted")
    assert (first["Answer.why"], first["Answer.tick"]) == ('a "quoted"\nline', "x|y")
    assert (second["AcceptTime"], second["SubmitTime"]) == (
        "Wed May 01 11:58:59 UTC 2024",
        "Wed May 01 12:00:30 UTC 2024",
    )
    assert (second["WorkTimeInSeconds"], second["Answer.why"]) == ("90", "=SUM(1)"), "exact, formula or not"
    assert (second["Answer.good.1"], second["Answer.good.0"]) == ("False", "True"), "as the data's own table has it"
    assert len({first["HITId"], second["HITId"], first["AssignmentId"], second["AssignmentId"]}) == 4
    assert first["HITTypeId"] == second["HITTypeId"] and len(first["HITId"]) == 30


@pytest.mark.parametrize("exploded", [None, True, False])
@pytest.mark.parametrize("layout", list(AnswerTableLayout))
def test_a_folder_of_answers_opens_and_says_the_same(
    tasks: Path, tmp_path: Path, answer: MakeAnswer, layout: AnswerTableLayout, exploded: bool | None
) -> None:
    some = [
        answer(0, "ann", good="1", tick="x|y", why="=1+1 ä", kind="b c", much="3"),
        answer(0, "bob", good="0", why="two\nlines"),
        answer(1, "ann"),
        answer(2, "bob", tick="y"),
        answer(1, "ann", task="Plain", goal="1"),
    ]
    written = export_folder(tasks, some, tmp_path / "out", layout, exploded)
    assert written == {TASK: 4, "Plain": 1}
    assert said_in(tmp_path / "out") == [
        ({"goal": "=make tea", "who": "Ann"}, [dict(some[0].fields), dict(some[1].fields)]),
        ({"goal": 'make\nsoup, "at" home', "who": "Bob"}, [{}]),
        ({"goal": "make tea", "who": "Ann"}, [{"tick": "y"}]),
    ]
    assert said_in(tmp_path / "out", "Plain") == [({"goal": "walk", "who": "Eve"}, [{"goal": "1"}])]
    columns = list(rows_of(tmp_path / "out" / TASK / "batch.csv")[0])
    assert ("Answer.good.1" in columns) == (exploded is not False) and ("Answer.tick.x" in columns) == bool(exploded)
    assert ("Input.goal" in columns) == (layout is AnswerTableLayout.MTURK) and ("goal" in columns) == (
        layout is not AnswerTableLayout.MTURK
    )


text = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12).filter(
    lambda one: one.strip() not in ("", "{}", "'{}'")
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=settings().max_examples * 4 // 5)
@given(
    why=text,
    ticks=st.sets(st.sampled_from("xyz")),
    good=st.sampled_from(["", "1", "0", "a|b"]),
    layout=st.sampled_from(AnswerTableLayout),
)
def test_any_answer_comes_back(
    tasks: Path, answer: MakeAnswer, why: str, ticks: set[str], good: str, layout: AnswerTableLayout
) -> None:
    fields = {"why": why, "tick": "|".join(sorted(ticks)), "good": good}
    said = {name: value for name, value in fields.items() if value}
    export_folder(tasks, [answer(0, **said)], tasks.parent / "out", layout)
    assert said_in(tasks.parent / "out")[0][1] == [said]


def test_what_was_written_is_imported_as_it_was(
    tasks: Path, tmp_path: Path, database: Database, answer: MakeAnswer
) -> None:
    here = annotations.known_as(tasks)
    answer = partial(answer, source=here)
    some = [answer(0, "ann", good="1", tick="x|y"), answer(0, "bob", why="=1"), answer(2, "bob", seconds=7.0)]
    export_folder(tasks, [*some, answer(0, "eve", task="Plain")], tmp_path / "out")
    mine = replace(some[0], fields={"good": "0"}, seconds=1.0, submitted=None)
    annotations.make(database, annotations.AnswerChange(after=(mine,)))
    found = import_folder(database, tasks, tmp_path / "out", [TASK, "Plain", "Other"])
    assert found.problems == () and found.change.before == (mine,)
    back = annotations.listed(database, here)
    assert back == [answer(0, "eve", task="Plain"), *some]
    annotations.make(database, found.change.undone())
    assert annotations.listed(database, here) == [mine]


def test_rows_that_cannot_be_taken_over_are_told(tasks: Path, tmp_path: Path, database: Database) -> None:
    header = [
        "WorkerId",
        "AssignmentStatus",
        "SubmitTime",
        "WorkTimeInSeconds",
        "Input.goal",
        "Input.who",
        "Answer.why",
    ]
    soup = ['make\nsoup, "at" home', "Bob"]
    rows: list[list[str]] = [
        ["ann", "Approved", "Fri Dec 02 14:25:41 PST 2016", "33", *soup, "first"],
        ["ann", "Approved", "", "", *soup, "twice"],
        ["bob", "Rejected", "", "", *soup, "bad"],
        ["bob", "Submitted", "soon", "-5", *soup, "good"],
        ["bob", "Submitted", "", "", "nothing", "like it", "x"],
        ["eve", "Submitted", "", "", "make tea"],
        ["", "Submitted", "", "", *soup, "nobody"],
    ]
    path = tmp_path / "in.csv"
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([header, *rows])
    found = import_file(database, tasks, TASK, path, now=NOON)
    assert [(one.row, one.message) for one in found.problems] == [
        (2, "ann answered Rate 1/1 in row 1 already"),
        (3, "it was rejected"),
        (5, "Rate 1 has no instance with these inputs"),
        (6, "it has 5 cells, the header 7"),
        (7, "This is no name of somebody who answers."),
    ]
    first, second = annotations.listed(database, annotations.known_as(tasks))
    assert (first.annotator, first.fields, first.seconds) == ("ann", {"why": "first"}, 33.0)
    assert first.submitted == datetime(2016, 12, 2, 22, 25, 41, tzinfo=UTC)
    assert (second.fields, second.seconds, second.submitted) == ({"why": "good"}, 0.0, NOON)


@pytest.mark.parametrize(
    ("header", "words"),
    [
        (["goal", "who"], "no answers"),
        (["goal", "Answer.why"], "no table of Rate 1"),
        (["goal", "who", "Answer.why"], "names no workers"),
    ],
)
def test_tables_of_something_else_are_refused(
    tasks: Path, tmp_path: Path, database: Database, header: list[str], words: str
) -> None:
    (tmp_path / "in.csv").write_text(",".join(header) + "\n")
    with pytest.raises(UsageError, match=words) as caught:
        import_file(database, tasks, TASK, tmp_path / "in.csv")
    assert caught.value.hint and annotations.listed(database, annotations.known_as(tasks)) == []


def test_a_table_without_workers_is_of_whom_one_says(tasks: Path, tmp_path: Path, database: Database) -> None:
    (tmp_path / "in.csv").write_text("goal,who,Answer.why\nmake tea,Ann,mine\n")
    found = import_file(database, tasks, TASK, tmp_path / "in.csv", " Zoe ", NOON)
    assert [(one.annotator, one.instance, one.fields) for one in found.change.after] == [
        ("Zoe", "Rate 1/2", {"why": "mine"})
    ]
    with pytest.raises(UsageError, match="no answers to these tasks"):
        import_folder(database, tasks, tmp_path, [TASK])


def test_instances_that_inputs_cannot_tell_apart_are_told(
    tmp_path: Path, database: Database, new_task: Callable[..., Path]
) -> None:
    new_task(tmp_path / "t" / TASK, ["goal", "who", "nr"], [["a", "b", "1"], ["a", "b", "2"]])
    (tmp_path / "in.csv").write_text("WorkerId,Input.goal,Input.who,Answer.why\nann,a,b,x\n")
    found = import_file(database, tmp_path / "t", TASK, tmp_path / "in.csv")
    assert [one.message for one in found.problems] == ["2 instances have its inputs"] and not found.change.after


def test_a_failed_export_leaves_the_old_file(tasks: Path, tmp_path: Path, answer: MakeAnswer) -> None:
    (tmp_path / "out.csv").write_text("old")
    with pytest.raises(UserError, match="is not in the data"):
        export_file(tasks, TASK, [answer(99)], tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == "old"
    with pytest.raises(UserError, match="cannot be made"):
        export_folder(tasks, [answer(0)], tmp_path / "out.csv")


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("Fri Dec 02 14:25:41 UTC 2016", datetime(2016, 12, 2, 14, 25, 41, tzinfo=UTC)),
        ("2016-12-02T14:25:41+02:00", datetime(2016, 12, 2, 12, 25, 41, tzinfo=UTC)),
        ("2016-12-02 14:25:41", datetime(2016, 12, 2, 14, 25, 41, tzinfo=UTC)),
        ("Fri Dec 32 14:25:41 UTC 2016", None),
        ("Fri Foo 02 14:25:41 UTC 2016", None),
        ("Fri Dec 02 14:25:41 XYZ 2016", None),
        ("", None),
    ],
)
def test_times_of_the_platform(text: str, moment: datetime | None) -> None:
    assert moment_of(text) == moment


@pytest.fixture
def bench(real_data: Path) -> Path:
    root = real_data / "turkingbench"
    if not root.is_dir():
        pytest.skip("the real tasks are not here")
    return root


@pytest.mark.parametrize(
    ("name", "layout"),
    [("Story Relations", AnswerTableLayout.TURKINGBENCH), ("Event effect", AnswerTableLayout.MTURK)],
)
def test_real_answers_survive_being_written_and_read(
    bench: Path, tmp_path: Path, name: str, layout: AnswerTableLayout
) -> None:
    """The workers' answers to the first instances, each worker as a person."""
    source = open_turkingbench(bench / "tasks" / name)
    rows = source.instances_of(name)[:15]
    some = [
        WebAnswer(SOURCE, name, row.id, f"worker {number:03}", dict(said), NOON, 1.0, NOON)
        for row in rows
        for number, said in enumerate(row.answers)
    ]
    export_folder(source.path, some, tmp_path / "out", layout)
    columns = source.read_task(name).columns
    shown = [{column: row.inputs[column] for column in columns} for row in rows]
    assert said_in(tmp_path / "out", name) == [
        (inputs, [*map(dict, row.answers)]) for inputs, row in zip(shown, rows, strict=True)
    ]
