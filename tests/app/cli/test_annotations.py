"""Saying something about data on the command line, listing it, taking it to another store."""

from __future__ import annotations

import csv
import json
from datetime import datetime

import pytest

from stepscope.app.cli.output import json_lines, write_file


@pytest.fixture
def annotate(cli, recordings, store):
    """Call `annotate` on the recordings; it must do its work."""

    def call(*arguments):
        ended = cli("annotate", recordings, *arguments, "--json")
        assert (ended.status, ended.err) == (0, ""), ended.err
        return ended.json

    return call


@pytest.fixture
def listed(cli, recordings, store):
    """(episode, step, kind, value) of all annotations, or of one kind."""

    def call(*arguments):
        rows = cli("annotations", recordings, *arguments, "--json").json["annotations"]
        return [(row["episode"], row["step"], row["kind"], row["value"]) for row in rows]

    return call


def write_lines(path, *rows):
    write_file(path, json_lines(rows))
    return path


def test_what_somebody_else_said_is_not_replaced_in_silence(cli, recordings, store):
    cli("annotate", recordings, "lamp", "--note", "first", "--author", "anna")
    ended = cli("annotate", recordings, "lamp", "--note", "second", "--author", "bob")
    assert ended.status == 0
    assert ended.line.startswith(
        "stepscope: note 'second' takes the place of what was there: anna said the note “first” on "
    )
    assert cli("annotate", recordings, "lamp", "--note", "third", "--author", "bob").err == ""


def test_everything_that_can_be_said(cli, recordings, annotate, listed):
    made = annotate(
        "lamp", "--step", 1, "--star", "--note", "see  there", "--tag", "a", "--tag", "b", "--author", "ann"
    )
    assert (made["source"], made["episode"], made["step"], made["before"]) == (str(recordings), "lamp", 1, [])
    assert [(one["kind"], one["value"], one["author"]) for one in made["annotations"]] == [
        ("note", "see  there", "ann"), ("star", None, "ann"), ("tag", "a", "ann"), ("tag", "b", "ann"),
    ]  # fmt: skip
    assert datetime.fromisoformat(made["annotations"][0]["made"]).tzinfo
    annotate("chair", "--checked", "--defect", "wrong-reference", "--defect", "wrong picture")
    annotate("chair", "--label", "infeasible", "--reason", "unclear", "--follow-up", "Which?", "--follow-up", "Why?")
    label = {"label": "infeasible", "reason": "unclear", "follow_up": ["Which?", "Why?"]}
    assert listed() == [
        ("lamp", 1, "note", "see  there"), ("lamp", 1, "star", None), ("lamp", 1, "tag", "a"), ("lamp", 1, "tag", "b"),
        ("chair", None, "checked", None), ("chair", None, "defect", "wrong picture"),
        ("chair", None, "defect", "wrong reference"), ("chair", None, "label", label),
    ]  # fmt: skip
    assert listed("--kind", "tag") == [("lamp", 1, "tag", "a"), ("lamp", 1, "tag", "b")]
    counts = cli("annotations", recordings, "--json").json["counts"]
    assert counts == {"star": 1, "checked": 1, "note": 1, "tag": 2, "label": 1, "defect": 2}


def test_tables_for_a_reader(cli, recordings, annotate):
    assert cli("annotations", recordings).out.startswith("Nothing was said about this data yet")
    ended = cli("annotate", recordings, "chair", "--label", "infeasible", "--reason", "unclear", "--author", "ann")
    assert (ended.status, ended.err) == (0, "")
    assert "infeasible (unclear)" in ended.out
    assert "infeasible (unclear)" in cli("annotations", recordings).out
    ended = cli("annotate", recordings, "chair", "--remove", "label")
    assert ended.out == "Nothing is said about chair any more.\n"
    assert "as note yet" in cli("annotations", recordings, "--kind", "note").out


def test_what_was_there_before_is_told(annotate, listed):
    annotate("lamp", "--note", "first", "--author", "ann")
    made = annotate("lamp", "--note", "second", "--author", "bob")
    assert [(one["value"], one["author"]) for one in made["before"]] == [("first", "ann")]
    assert [(one["value"], one["author"]) for one in made["annotations"]] == [("second", "bob")]


def test_taking_back(annotate, listed):
    annotate("lamp", "--star", "--checked", "--tag", "a", "--tag", "b", "--tag", "c", "--note", "x")
    annotate("lamp", "--step", 0, "--star")
    annotate("lamp", "--unstar", "--unchecked", "--remove", "note", "--remove", "tag=b")
    assert listed() == [("lamp", None, "tag", "a"), ("lamp", None, "tag", "c"), ("lamp", 0, "star", None)]
    made = annotate("lamp", "--remove", "tag", "--tag", "new")
    assert [one["value"] for one in made["before"]] == ["a", "c"]
    assert listed("--kind", "tag") == [("lamp", None, "tag", "new")]
    assert annotate("lamp", "--remove", "defect")["before"] == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["lam", "--star"], "there is no episode 'lam'. Nearest: lamp."),
        (["lamp", "--step", "9", "--star"], "episode 'lamp' has no step 9. Nearest: 3."),
        (["lamp", "--step", "-1", "--star"], "Invalid value for '--step'"),
        (["lamp"], "nothing was said. Give --star"),
        (["lamp", "--note", " "], "a note needs a text. Take it back with --remove note."),
        (["lamp", "--defect", "wrong refrence"], "did you mean wrong reference?"),
        (["lamp", "--label", "maybe"], "Invalid value for '--label'"),
        (["lamp", "--label", "feasible", "--reason", "unclear"], "only what is infeasible has a reason. Give --label"),
        (["lamp", "--reason", "unclear"], "--reason and --follow-up go with --label."),
        (["lamp", "--step", "0", "--label", "feasible"], "a label is about a whole episode, not a step."),
        (["lamp", "--remove", "stars"], "--remove 'stars' names no kind of annotation. Kinds: star, checked, note"),
        (["lamp", "--remove", "note=x"], "there is one note at a place at most."),
        (["lamp", "--star", "--as", "pages"], "nothing can be opened as 'pages'"),
    ],
)
def test_what_cannot_be_said(cli, recordings, store, arguments, words):
    ended = cli("annotate", recordings, *arguments, "--json")
    assert (ended.status, ended.out) == (2, "")
    assert words in ended.line
    assert cli("annotations", recordings, "--json").json["annotations"] == []


def test_a_place_without_data(cli, store, tmp_path):
    for command in (["annotate", tmp_path / "none", "a", "--star"], ["annotations", tmp_path / "none"]):
        ended = cli(*command)
        assert (ended.status, ended.out) == (2, "")
        assert "There is nothing at this place" in ended.line


@pytest.mark.parametrize(("text", "n"), [('defect:"wrong picture" note:scroll', 2), ("-defect", 3), ("-star", 5)])
def test_filters_of_other_commands_find_them(cli, recordings, predictions, annotate, text, n):
    annotate("chair", "--step", 1, "--defect", "wrong picture", "--note", "It scrolls")
    chosen = "--predictions", predictions, "--protocol", "aitw", "--filter", text
    ended = cli("evaluate", "automation", recordings, *chosen, "--json")
    assert ended.json["n"] == n


def test_they_go_to_another_store_and_come_back_equal(cli, recordings, annotate, tmp_path):
    annotate("chair", "--label", "infeasible", "--author", "ann")
    annotate("lamp", "--step", 2, "--note", "two\nlines “ö”", "--defect", "wrong picture", "--author", "bob")
    before = cli("annotations", recordings, "--json").json
    file = tmp_path / "said.jsonl"
    ended = cli("annotations", recordings, "--export", file)
    assert (ended.status, ended.out, ended.err) == (0, f"{file}\n", "stepscope: 3 annotations\n")
    other = f"sqlite:///{tmp_path / 'other.db'}"
    ended = cli("annotations", recordings, "--import", file, "--store", other, "--json")
    assert (ended.status, ended.err) == (0, "")
    assert ended.json == {"source": str(recordings), "imported": 3, "replaced": 0, "bad_lines": []}
    assert cli("annotations", recordings, "--store", other, "--json").json == before
    again = cli("annotations", recordings, "--import", file, "--store", other)
    assert again.out == "3 annotations taken over, 3 of them in place of others.\n"
    assert cli("annotations", recordings, "--store", other, "--json").json == before


def test_the_kind_of_an_export(cli, recordings, annotate, tmp_path):
    annotate("lamp", "--star", "--tag", "a")
    ended = cli("annotations", recordings, "--kind", "tag", "--export", tmp_path / "tags.jsonl", "--json")
    assert ended.json == {"file": str(tmp_path / "tags.jsonl"), "written": 1}
    assert json.loads((tmp_path / "tags.jsonl").read_text())["value"] == "a"


def test_annotations_of_moved_data_can_be_listed_and_taken_along(cli, recordings, annotate, tmp_path):
    annotate("lamp", "--star")
    moved = recordings.rename(tmp_path / "moved")
    assert cli("annotations", moved, "--json").json["annotations"] == []
    assert cli("annotations", recordings, "--export", tmp_path / "said.jsonl").status == 0
    assert cli("annotations", moved, "--import", tmp_path / "said.jsonl").status == 0
    assert len(cli("annotations", moved, "--json").json["annotations"]) == 1


def test_bad_lines_are_kept_out_and_told_by_number(cli, recordings, store, listed, tmp_path):
    file = tmp_path / "said.jsonl"
    rows = [
        b'\xef\xbb\xbf{"episode": "lamp", "kind": "star"}', b"", b"{", b'{"episode": "\xff"}',
        b'{"episode": "lampe", "kind": "star"}', b'{"episode": "lamp", "step": 7, "kind": "star"}',
        b'{"episode": "lamp", "kind": "defect", "value": "broken"}', b'{"episode": "lamp", "kind": "star"}',
        b"[" * 100_000, b'{"episode": "lamp", "step": 3, "kind": "note", "value": "last screen", "author": "ann"}',
    ]  # fmt: skip
    file.write_bytes(b"\n".join(rows))
    ended = cli("annotations", recordings, "--import", file, "--author", "bob", "--json")
    assert ended.status == 1
    bad = {row["line"]: row["message"] for row in ended.json["bad_lines"]}
    assert list(bad) == [3, 4, 5, 6, 7, 8, 9]
    for line, words in {
        3: "broken JSON at column", 4: "not UTF-8 text", 5: "there is no episode 'lampe'. Nearest: lamp.",
        6: "episode 'lamp' has no step 7. Nearest: 3.", 7: "there is no defect 'broken'",
        8: "line 1 says the same kind of thing about the same place", 9: "JSON nested too deeply",
    }.items():  # fmt: skip
        assert words in bad[line]
    assert ended.err.splitlines()[0].startswith(f"stepscope: warning: {file}:3: broken JSON")
    assert listed() == [("lamp", None, "star", None), ("lamp", 3, "note", "last screen")]
    assert ended.json["imported"] == 2
    rows = cli("annotations", recordings, "--json").json["annotations"]
    assert [row["author"] for row in rows] == ["bob", "ann"]


def test_many_bad_lines_are_not_all_printed(cli, recordings, store, tmp_path):
    file = write_lines(tmp_path / "said.jsonl", *({"episode": f"x{n}", "kind": "star"} for n in range(30)))
    ended = cli("annotations", recordings, "--import", file)
    assert (ended.status, ended.out) == (
        1,
        "0 annotations taken over, 0 of them in place of others, 30 lines kept out.\n",
    )
    assert len(ended.err.splitlines()) == 21
    assert "10 more lines" in ended.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--import", "none.jsonl"], "none.jsonl: cannot be read: no such file"),
        (["--import", "."], "cannot be read: is a directory"),
        (["--import", "a", "--export", "b"], "do not go together"),
        (["--import", "a", "--kind", "tag"], "--kind does not go with --import"),
        (["--csv", "."], "this is a folder"),
        (["--kind", "stars"], "Invalid value for '--kind'"),
    ],
)
def test_bad_usage_is_one_line(cli, recordings, store, arguments, words):
    ended = cli("annotations", recordings, *arguments)
    assert (ended.status, ended.out) == (2, "")
    assert words in ended.line


def test_csv_is_for_spreadsheets(cli, recordings, annotate, tmp_path):
    annotate("lamp", "--step", 0, "--note", "=SUM(A1)\nö", "--author", "ann")
    annotate("chair", "--star", "--author", "@ann")
    assert cli("annotations", recordings, "--csv", tmp_path / "said.csv").status == 0
    with (tmp_path / "said.csv").open(newline="", encoding="utf-8") as stream:
        rows = [row[:5] for row in csv.reader(stream)]
    assert rows == [
        ["episode", "step", "kind", "value", "author"],
        ["lamp", "0", "note", "'=SUM(A1)\nö", "ann"],
        ["chair", "", "star", "", "'@ann"],
    ]


def test_the_data_stays_as_it_is(recordings, annotate):
    def content():
        return {path: path.read_bytes() for path in recordings.rglob("*") if path.is_file()}

    before = content()
    annotate("lamp", "--star", "--label", "infeasible")
    assert content() == before


def test_the_system_names_the_author(annotate, monkeypatch):
    monkeypatch.setattr("getpass.getuser", lambda: "ann")
    assert annotate("lamp", "--star")["annotations"][0]["author"] == "ann"

    def nobody():
        raise KeyError("uid not found")

    monkeypatch.setattr("getpass.getuser", nobody)
    assert annotate("lamp", "--checked")["annotations"][0]["author"] == ""


def test_procedures_have_their_own(cli, recordings, annotate, listed):
    annotate("lamp", "--as", "procedures", "--star")
    assert listed() == []
    assert listed("--as", "procedures") == [("lamp", None, "star", None)]
