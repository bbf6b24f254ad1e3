"""`stepscope runs`: list, show, export, delete."""

from __future__ import annotations

import csv
import json
import sqlite3
from contextlib import closing
from datetime import datetime

import pytest

pytestmark = pytest.mark.usefixtures("store")


@pytest.fixture
def run(evaluated, recordings, predictions) -> str:
    """A run over `recordings` under aitw; its id."""
    return evaluated


def test_no_runs(cli):
    assert cli("runs", "list", "--json").json == []
    assert "no runs yet" in cli("runs", "list").out
    ended = cli("runs", "show", "last")
    assert (ended.status, ended.out) == (2, "")
    assert "There is no run 'last'" in ended.line


def test_what_people_say_of_a_run(cli, run):
    said = {"name": "The baseline", "remark": "for the table", "tags": ["camera ready", "old"], "pinned": True,
            "archived": False}  # fmt: skip
    ended = cli(
        "runs", "label", run[:6], "--name", " The  baseline", "--remark", "for the table", "--tag", "camera ready",
        "--tag", "old", "--pin", "--json",
    )  # fmt: skip
    assert ended.json == {"run": run, "labels": said}
    assert cli("runs", "label", run, "--untag", "old", "--archive", "--name", "", "--json").json["labels"] == said | {
        "name": "", "tags": ["camera ready"], "archived": True
    }  # fmt: skip
    lines = cli("runs", "show", run).out.splitlines()
    assert {"Tags: camera ready", "Remark: for the table", "Pinned, archived"} <= set(lines)
    assert "camera ready" in cli("runs", "label", run).out


def test_what_a_run_took_and_was_made_with(cli, recordings):
    made = cli("evaluate", "automation", recordings, "--model", "text-match", "--seed", "7", "--json").json["run"]
    shown = cli("runs", "show", made, "--json").json
    took, known = shown["took"], shown["made_with"]
    assert took["seconds"] > 0 and (took["calls"], took["tokens_in"], took["cost"]) == (0, None, None)
    assert known["seed"] == 7 and known["weights"] is None
    (machine,) = known["machines"]
    assert machine["processor"] and machine["memory"] > 0 and "numpy" in machine["libraries"]
    lines = cli("runs", "show", made).out
    assert "Machine: " in lines and "Worked: " in lines and "Libraries: " in lines


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--untag", "old"), "has no tag 'old'"),
        (("--tag", "a,b"), "A tag has no comma."),
        (("--name", "x" * 200), "A name has at most"),
    ],
)
def test_what_cannot_be_said_of_a_run_is_told_and_nothing_is_changed(cli, run, options, words):
    ended = cli("runs", "label", run, "--pin", *options)
    assert ended.status == 2 and words in ended.line
    assert cli("runs", "list", "--json").json[0]["labels"]["pinned"] is False


MOTIF = {"grounding": "object", "object_tolerance": "1", "partial": "position"}


def test_the_list_has_what_evaluate_said_and_when(cli, run, recordings):
    second = cli("evaluate", "automation", recordings, "--model", "random", "--json").json
    listed = cli("runs", "list", "--json").json
    assert [entry["run"] for entry in listed] == [second["run"], run], "the latest first"
    created = datetime.fromisoformat(listed[0].pop("created"))
    assert created.tzinfo is not None
    settings = {"split": None, "filter": None, "limit": None, "chosen": None, "seed": 0}
    settings |= {"data": str(recordings.resolve()), "options": MOTIF}
    settings |= {"labels": {"name": "", "remark": "", "tags": [], "pinned": False, "archived": False}}
    assert listed[0] == second | settings
    out = cli("runs", "list").out
    assert run in out and recordings.name in out and "both_partial" in out


def test_a_run_with_its_items(cli, run):
    ended = cli("runs", "show", run[:5], "--json")
    assert (ended.status, ended.err) == (0, "")
    form = ended.json
    assert form["run"] == run
    scores = [(item["episode"], item["step"], item["status"], item["score"]) for item in form["items"]]
    assert scores == [
        ("lamp", 0, "scored", 1.0),
        ("lamp", 1, "scored", 1.0),
        ("lamp", 2, "scored", 0.0),
        ("chair", 0, "scored", 0.0),
        ("chair", 1, "scored", 0.0),
    ]
    assert form["items"][0]["prediction"]["action"]["point"] == [52.0, 104.0]
    assert form["items"][3]["prediction"] is None
    assert all(item["why"] for item in form["items"])


def test_a_run_in_words(cli, run):
    out = cli("runs", "show", "last").out
    assert f"Run {run}: elsewhere on automation under aitw, done" in out
    assert "limit 0.14" in out
    assert "stand-in" not in out


@pytest.mark.parametrize(
    ("arguments", "steps"),
    [
        (["--show", "right"], [("lamp", 0), ("lamp", 1)]),
        (["--show", "malformed"], [("chair", 0)]),
        (["--filter", "infeasible"], [("chair", 0), ("chair", 1)]),
        (["--filter", "right:A"], [("lamp", 0), ("lamp", 1), ("lamp", 2)]),
        (["--filter", "right:A", "--show", "wrong"], [("lamp", 2)]),
        (["--filter", "wrong:A key:back"], [("lamp", 0), ("lamp", 1), ("lamp", 2)]),
        (["--filter", "wrong:A text:search"], []),
        (["--filter", "none(text:search)"], [("chair", 0), ("chair", 1)]),
    ],
)
def test_items_can_be_chosen(cli, run, arguments, steps):
    items = cli("runs", "show", run, *arguments, "--json").json["items"]
    assert [(item["episode"], item["step"]) for item in items] == steps


def test_csv(cli, run, tmp_path):
    out = tmp_path / "run.csv"
    assert cli("runs", "export", run, "-o", out).status == 0
    with out.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert [(row["episode"], row["step"], float(row["score"])) for row in rows][:2] == [
        ("lamp", "0", 1),
        ("lamp", "1", 1),
    ]
    assert cli("runs", "export", run, "-o", out, "--show", "wrong").status == 0
    assert len(out.read_text().splitlines()) == 1 + 3


def test_exported_predictions_give_the_same_result_again(cli, run, recordings, tmp_path):
    out = tmp_path / "again.jsonl"
    assert cli("runs", "export", run, "-o", out).status == 0
    first = cli("runs", "show", run, "--json").json
    again = cli("evaluate", "automation", recordings, "--predictions", out, "--protocol", "aitw", "--json").json
    assert again["metrics"] == first["metrics"]
    assert json.loads(out.read_text().splitlines()[0])["run"]["model"] == "elsewhere"


def test_a_report_shows_the_wrong_steps(cli, run, tmp_path):
    out = tmp_path / "report.html"
    assert cli("runs", "export", run, "-o", out).status == 0
    text = out.read_text(encoding="utf-8")
    assert text.lstrip().lower().startswith("<!doctype html")
    assert "elsewhere" in text
    assert str(tmp_path) not in text, "no paths of this machine"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["export", "RUN", "-o", "run.doc"], "Name it .csv, .jsonl, .html, .tex or .bundle"),
        (["export", "RUN", "-o", "run.csv", "--as", "doc"], "--as"),
        (["export", "RUN", "-o", "no/run.csv"], "the folder of this file is not there"),
        (["export", "RUN", "-o", "run.html", "--show", "wrong"], "--show goes with csv and pictures only"),
        (["export", "zzz", "-o", "run.csv"], "There is no run 'zzz'"),
        (["export", "RUN"], "Missing option"),
        (["show", "RUN", "--filter", "wrong:B"], "There is no run “B”"),
        (["show", "RUN", "--show", "nice"], "--show"),
        (["delete", "zzz"], "There is no run 'zzz'"),
        (["delete"], "Missing argument"),
    ],
)
def test_what_does_not_fit(cli, run, monkeypatch, tmp_path, arguments, words):
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    ended = cli("runs", *[run if word == "RUN" else word for word in arguments])
    assert (ended.status, ended.out) == (2, "")
    assert words in ended.line
    assert sorted(tmp_path.iterdir()) == before


def test_deleting(process, cli, run, recordings):
    kept = cli("evaluate", "automation", recordings, "--model", "random", "--json").json["run"]
    ended = process("runs", "delete", run[:6], run, "--json")
    assert (ended.status, ended.json) == (0, {"deleted": [run]})
    assert [entry["run"] for entry in cli("runs", "list", "--json").json] == [kept]


@pytest.mark.parametrize(("typed", "left"), [("n\n", 1), ("", 1), ("y\n", 0)])
def test_a_person_is_asked_before_deleting(cli, run, monkeypatch, typed, left):
    class Terminal:
        def isatty(self) -> bool:
            return True

        def readline(self) -> str:
            return typed

    monkeypatch.setattr("sys.stdin", Terminal())
    ended = cli("runs", "delete", run)
    assert ended.status == 0
    assert f"Delete {run}" in ended.err
    assert len(cli("runs", "list", "--json").json) == left


def test_a_store_that_is_none(cli, tmp_path):
    (tmp_path / "notes.db").write_text("milk, eggs" * 1000)
    before = (tmp_path / "notes.db").read_bytes()
    ended = cli("runs", "list", "--store", f"sqlite:///{tmp_path / 'notes.db'}")
    assert (ended.status, ended.out) == (2, "")
    assert ended.line.startswith(f"stepscope: {tmp_path / 'notes.db'}: ")
    assert (tmp_path / "notes.db").read_bytes() == before


def test_a_run_under_a_rule_of_another_version_stays_listed(cli, run, store):
    with closing(sqlite3.connect(store)) as database, database:
        database.execute("UPDATE run SET protocol = 'future'")
        database.execute("UPDATE scoring SET scorer = 'future' WHERE own")
    ended = cli("runs", "list", "--json")
    assert ended.status == 0
    assert [(entry["protocol"], entry["n"], entry["metrics"]) for entry in ended.json] == [("future", 5, {})]
    assert f"warning: run {run}: There is no protocol 'future'" in ended.line
