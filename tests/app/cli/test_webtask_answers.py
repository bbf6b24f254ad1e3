"""`stepscope webtask answers`: people's answers listed, compared, and carried from one store to another."""

import csv
from datetime import UTC, datetime

import pytest

from stepscope.app.services.webtask import annotations
from stepscope.core.domain.web_answer import WebAnswer
from stepscope.core.settings import store_url
from stepscope.core.store.engine import Database

PAGE = """<p>${goal}</p><input type="radio" name="good" value="1"><input type="radio" name="good" value="0">
<textarea name="why"></textarea>"""
HEADER = ["goal", "Answer.good", "Answer.why"]
NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
def tasks(tmp_path):
    for name in ("Rate", "Other"):
        folder = tmp_path / "tasks" / name
        folder.mkdir(parents=True)
        (folder / "template.html").write_text(PAGE)
        with (folder / "batch.csv").open("w", newline="") as stream:
            csv.writer(stream).writerows([HEADER, ["tea", "1", "hot"], ["soup", "0", ""]])
    return tmp_path / "tasks"


@pytest.fixture
def answered(tasks, store):
    """Two people agree on one of two instances; a third only began."""
    said = [("ann", 0, "1"), ("ann", 1, "0"), ("bob", 0, "1"), ("bob", 1, "1"), ("eve", 0, "")]
    source = annotations.known_as(tasks)
    with Database.open(store_url(store)) as database:
        for who, number, good in said:
            fields = {"good": good, "why": "=hot"}
            done = None if who == "eve" else NOON
            one = WebAnswer(source, "Rate", f"Rate/{number}", who, fields, NOON, 10.0, done)
            annotations.make(database, annotations.AnswerChange(after=(one,)))
    return tasks


def test_nothing_is_there_at_first(cli, tasks, store):
    assert "Nobody answered anything here yet" in cli("webtask", "answers", "list", tasks).out
    assert "Nobody submitted anything" in cli("webtask", "answers", "agreement", tasks).out
    ended = cli("webtask", "answers", "export", tasks, "-o", tasks.parent / "out")
    assert ended.status == 2 and "nothing was submitted" in ended.line


def test_list(cli, answered):
    found = cli("webtask", "answers", "list", answered, "--json").json
    assert [(one["annotator"], one["submitted"], one["drafts"], one["instances"]) for one in found["progress"]] == [
        ("ann", 2, 0, 2),
        ("bob", 2, 0, 2),
        ("eve", 0, 1, 2),
    ]
    assert found["answers"][0] == {
        "task": "Rate", "instance": "Rate/0", "annotator": "ann", "state": "submitted",
        "fields": {"good": "1", "why": "=hot"}, "seconds": 10.0, "changed": NOON.isoformat(),
        "submitted": NOON.isoformat(),
    }  # fmt: skip
    one = cli("webtask", "answers", "list", answered, "--annotator", "eve", "--task", "Rate")
    assert one.status == 0 and "draft" in one.out and "bob" not in one.out


def test_agreement(cli, answered):
    """good: observed 1/2, chance 1/2, kappa 0. Against the workers ann is right twice; of `why` one is scored."""
    (task,) = cli("webtask", "answers", "agreement", answered, "--json").json["tasks"]
    good, why = task["fields"]
    assert (good["measure"], good["value"], good["observed"], good["n"], good["type"]) == (
        "kappa",
        0.0,
        0.5,
        2,
        "radio",
    )
    assert (why["measure"], why["value"], why["n"]) == ("rouge_l", 1.0, 2)
    assert task["means"]["kappa"] == {"value": 0.0, "fields": 1}
    ann, bob = task["workers"]
    assert (ann["annotator"], ann["n"], ann["instances"], ann["score"]) == ("ann", 3, 2, pytest.approx(1.0))
    assert bob["score"] == pytest.approx(2 / 3)
    shown = cli("webtask", "answers", "agreement", answered).out
    assert "rouge_l" in shown and "score against the workers" in shown
    assert cli("webtask", "answers", "agreement", answered, "--rules", "mine").status == 2


@pytest.mark.parametrize("layout", ["mturk", "turkingbench"])
def test_answers_go_from_one_store_to_another(cli, answered, tmp_path, layout):
    out, other = tmp_path / "out", f"sqlite:///{tmp_path}/other.db"
    done = cli("webtask", "answers", "export", answered, "-o", out, "--layout", layout, "--json")
    assert done.json == {"place": str(out), "written": {"Rate": 4}}
    assert sorted(path.name for path in (out / "Rate").iterdir()) == ["batch.csv", "template.html"]
    taken = cli("webtask", "answers", "import", answered, out, "--store", other, "--annotator", "zoe", "--json")
    if layout == "mturk":
        assert taken.json == {"imported": 4, "replaced": 0, "bad_rows": []}
        both = [cli("webtask", "answers", "list", answered, *more, "--json").json for more in ((), ("--store", other))]
        assert [one["annotator"] for one in both[1]["answers"]] == ["ann", "bob", "ann", "bob"]
        assert [one["fields"] for one in both[1]["answers"]] == [
            one["fields"] for one in both[0]["answers"] if one["state"] == "submitted"
        ]
    else:
        assert taken.status == 1, "without names, all are of one person"
        assert taken.json["imported"] == 2 and [one["row"] for one in taken.json["bad_rows"]] == [2, 4]


def test_one_task_is_one_file(cli, answered, tmp_path):
    file = tmp_path / "rate.csv"
    assert cli("webtask", "answers", "export", answered, "--task", "Rate", "--exploded", "-o", file).out == f"{file}\n"
    with file.open(newline="") as stream:
        first = next(csv.DictReader(stream))
    assert (first["Answer.good.1"], first["Answer.good.0"], first["Answer.why"]) == ("True", "False", "=hot")
    refused = cli("webtask", "answers", "import", answered, file)
    assert refused.status == 2 and "several tasks" in refused.line
    taken = cli("webtask", "answers", "import", answered, file, "--task", "Rate")
    assert taken.out == "4 answers taken over, 4 of them in place of others.\n"
    assert cli("webtask", "answers", "import", answered, file, "--task", "Nothing").status == 2
    assert cli("webtask", "answers", "import", answered / "Rate", file).status == 0, "data of one task"


@pytest.mark.parametrize("wrong", [["--layout", "xls"], ["--task", "Rate", "-o", "no/such/folder.csv"]])
def test_what_cannot_be_written_is_refused(cli, answered, tmp_path, wrong):
    assert cli("webtask", "answers", "export", answered, "-o", tmp_path / "o", *wrong).status == 2


def test_what_is_no_folder_of_tasks_is_refused(cli, store, tmp_path):
    ended = cli("webtask", "answers", "import", tmp_path, tmp_path)
    assert ended.status == 2 and "no web tasks" in ended.line
