"""`stepscope score`: values that the rules give by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


def _tap(y: float, x: float) -> dict:
    return {"type": 4, "touch": [y, x], "lift": [y, x], "text": ""}


def _swipe(y: float, to: float) -> dict:
    return {"type": 4, "touch": [y, 0.5], "lift": [to, 0.5], "text": ""}


RECORDS = [
    {"episode": "a", "step": 0, "reference": _tap(0.5, 0.5), "prediction": _tap(0.6, 0.5), "boxes": []},  # 0.1 away
    {"episode": "a", "step": 1, "reference": _tap(0.5, 0.5), "prediction": _tap(0.8, 0.5), "boxes": []},  # 0.3 away
    {"episode": "b", "step": 0, "reference": _swipe(0.2, 0.8), "prediction": _swipe(0.8, 0.2), "boxes": []},  # upwards
    {"episode": "c", "step": 0, "reference": _tap(0.5, 0.5), "prediction": None, "boxes": []},
]
METRICS = {"step_accuracy": 0.5, "partial_match": 0.5, "complete_match": 1 / 3}


@pytest.fixture
def records(tmp_path: Path) -> Path:
    path = tmp_path / "records.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in RECORDS))
    return path


def test_the_result(cli, records):
    ended = cli("score", "aitw", records, "--json")
    assert (ended.status, ended.err) == (0, "")
    assert ended.json == {
        "protocol": "aitw",
        "options": {"text": "ignore", "direction": "axis"},
        "n": 4,
        "unscored": 0,
        "malformed": 1,
        "null": 1,
        "errors": 0,
        "metrics": pytest.approx(METRICS),
    }


def test_the_result_in_words(cli, records):
    ended = cli("score", "aitw", records)
    assert ended.status == 0
    assert "n 4, unscored 0, malformed 1" in ended.out
    assert "0.3333" in ended.out


@pytest.mark.parametrize(
    "settings",
    [["--set", "direction=exact", "text=exact"], ["--set", "direction=exact", "--set", "text=exact"]],
)
def test_options_in_both_spellings(cli, records, settings):
    for arguments in (["score", "aitw", records, *settings], ["score", *settings, "aitw", records]):
        ended = cli(*arguments, "--json")
        assert ended.json["options"] == {"text": "exact", "direction": "exact"}
        assert ended.json["metrics"]["step_accuracy"] == 0.25, "the swipe the other way is wrong now"


def test_records_from_stdin(process, records):
    ended = process("score", "aitw", "-", "--json", given=records.read_bytes())
    assert (ended.status, ended.json["metrics"]) == (0, pytest.approx(METRICS))
    ended = process("score", "aitw", "-", "--json", given=b"{}\n")
    assert (ended.status, ended.out) == (2, "")
    assert ended.line.startswith("stepscope: stdin:1: ")


def test_intervals_are_the_same_for_a_seed(cli, records):
    first, second = (
        cli("score", "aitw", records, "--bootstrap", "200", "--seed", "7", "--json").json["ci"] for _ in range(2)
    )
    assert first == second
    low, high = first["step_accuracy"]
    assert 0 <= low <= 0.5 <= high <= 1
    assert "ci" not in cli("score", "aitw", records, "--json").json


def test_details_have_a_line_for_each_record(cli, records, tmp_path):
    details = tmp_path / "details.jsonl"
    ended = cli("score", "aitw", records, "--details", details, "--json")
    assert ended.status == 0
    assert ended.json["n"] == 4
    lines = [json.loads(line) for line in details.read_text().splitlines()]
    assert [(line["episode"], line["step"]) for line in lines] == [("a", 0), ("a", 1), ("b", 0), ("c", 0)]
    assert {path.name for path in tmp_path.iterdir()} == {"records.jsonl", "details.jsonl"}


def test_details_never_replace_the_records(cli, records):
    before = records.read_bytes()
    ended = cli("score", "aitw", records, "--details", records)
    assert ended.status == 2
    assert "would overwrite" in ended.line
    assert records.read_bytes() == before


def test_an_empty_file(cli, tmp_path):
    (tmp_path / "none.jsonl").write_text("")
    ended = cli("score", "motif", tmp_path / "none.jsonl", "--json")
    assert (ended.status, ended.json["n"]) == (0, 0)
    assert set(ended.json["metrics"].values()) == {None}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"episode": "a"', "is not JSON"),
        (b'{"episode": "\xff"}', "is not UTF-8"),
        (b'{"episode": NaN}', "NaN"),
        (b"[1]", "is not an object"),
        (b"{}", ""),
    ],
)
def test_bad_records_are_named_by_their_line(cli, records, content, words):
    with records.open("ab") as stream:
        stream.write(b"\n" + content + b"\n")
    details = records.with_name("details.jsonl")
    ended = cli("score", "aitw", records, "--details", details, "--json")
    assert (ended.status, ended.out) == (2, "")
    assert ended.line.startswith(f"stepscope: {records}:6: "), "the blank line counts"
    assert words in ended.line
    assert not details.exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["atiw", "FILE"], "There is no protocol 'atiw'"),
        (["aitw", "FILE", "--set", "colour=red"], "has no option 'colour'"),
        (["aitw", "FILE", "--set", "text=loud"], "text cannot be 'loud'"),
        (["aitw", "FILE", "--set", "text"], "is not name=value"),
        (["aitw", "nowhere.jsonl"], "no such file"),
        (["aitw", "."], "is a directory"),
        (["aitw", "FILE", "--details", "no/such/folder.jsonl"], "the folder of this file is not there"),
    ],
)
def test_what_does_not_exist(cli, records, arguments, words):
    ended = cli("score", *[records if word == "FILE" else word for word in arguments])
    assert (ended.status, ended.out) == (2, "")
    assert words in ended.line
