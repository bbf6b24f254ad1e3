"""`stepscope score`: values that the rules give by hand."""

from __future__ import annotations

import gzip
import json
import os
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


def test_details_replace_neither_links_nor_pipes(cli, records, tmp_path):
    """Else the link /dev/stdout would become a file where that may be written."""
    pipe, link, real = tmp_path / "pipe", tmp_path / "link", tmp_path / "real.jsonl"
    os.mkfifo(pipe)
    ended = cli("score", "aitw", records, "--details", pipe)
    assert (ended.status, ended.out) == (2, "")
    assert "which a file would replace" in ended.line
    link.symlink_to(real)
    assert cli("score", "aitw", records, "--details", link).status == 0
    assert link.is_symlink()
    assert len(real.read_text().splitlines()) == len(RECORDS)


def test_an_empty_file(cli, tmp_path):
    path = tmp_path / "none.jsonl"
    for content in (b"", b"\n\n", b"\xef\xbb\xbf"):
        path.write_bytes(content)
        for arguments in ((), ("--bootstrap", "10"), ("--cluster", "app", "--bootstrap", "10"), ("--skip-bad",)):
            ended = cli("score", "motif", path, *arguments, "--json")
            assert (ended.status, ended.err, ended.json["n"]) == (0, "", 0)
            assert set(ended.json["metrics"].values()) == {None}
            assert set(ended.json.get("ci", {}).values()) <= {None}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"episode": "a"', "is not JSON"),
        (b'{"episode": "\xff"}', "is not UTF-8"),
        (b'{"episode": NaN}', "NaN"),
        (b"[1]", "is not an object"),
        (b"{}", "episode is missing. Correct this line"),
        (b"\x00\xff\xfe\x01", "is not UTF-8"),
        (b'{"episode": ' + b"[" * 1000 + b"]" * 1000 + b"}", "nested too deeply"),
        (b'{"episode": ' + b"[" * 200 + b"]" * 200 + b"}", "must be text or a whole number, not [[[[[["),
        (b'{"episode": ' + b"9" * 100_000 + b"}", "too many digits"),
        (b'{"episode": 1e999}', "too large"),
        (b'{"episode": "a", "step": ' + b"9" * 300 + b"}", "step is out of range"),
        (b'{"episode": "a", "step": true}', "step must be a whole number, not True"),
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
        (["aitw", "FILE", "--details", "-"], "not to stdout"),
        (["aitw", "FILE", "--bootstrap", "-1"], "--bootstrap"),
        (["aitw", "FILE", "--bootstrap", "many"], "--bootstrap"),
        (["aitw", "FILE", "--seed", "-1", "--bootstrap", "10"], "--seed"),
        (["aitw", "-", "--another-seed", "-"], "stdin can be read once only"),
        (["aitw", "FILE", "--another-seed", "nowhere.jsonl"], "nowhere.jsonl: cannot be read: no such file"),
        (["aitw", "FILE", "--cluster", "app"], ":1: app is missing"),
        (["aitw", "FILE", "--details", "no/such/folder.jsonl"], "the folder of this file is not there"),
    ],
)
def test_what_does_not_exist(cli, records, arguments, words):
    ended = cli("score", *[records if word == "FILE" else word for word in arguments])
    assert (ended.status, ended.out) == (2, "")
    assert words in ended.line
    assert ended.line.startswith("stepscope: ")


# --- bad records left out --------------------------------------------------------------------------------------------

BAD = b'{"episode": "a"\n[1]\n\n{"episode": null}\n'


def test_bad_records_are_left_out_on_wish(cli, records):
    """Metrics are those of the good records; what was left out is listed, and the command ends with 1."""
    good = cli("score", "aitw", records, "--bootstrap", "20", "--json").json
    records.write_bytes(BAD + records.read_bytes())
    ended = cli("score", "aitw", records, "--bootstrap", "20", "--skip-bad", "--json")
    assert ended.status == 1
    assert [line.split(": ")[0] for line in ended.err.splitlines()] == [
        "stepscope", f"{records}:1", f"{records}:2", f"{records}:4",
    ]  # fmt: skip
    assert "3 bad records left out" in ended.err
    assert [bad["record"] for bad in ended.json["bad_records"]] == [1, 2, 4]
    assert "is not JSON" in ended.json["bad_records"][0]["message"]
    assert ended.json == {**good, "errors": 3, "skipped": 3, "bad_records": ended.json["bad_records"]}
    shown = cli("score", "aitw", records, "--skip-bad")
    assert (shown.status, "errors 3" in shown.out) == (1, True)


def test_nothing_left_out_is_no_failure(cli, records):
    ended = cli("score", "aitw", records, "--skip-bad", "--json")
    assert (ended.status, ended.err, ended.json["skipped"], ended.json["bad_records"]) == (0, "", 0, [])


def test_details_are_about_the_good_records(cli, records, tmp_path):
    records.write_bytes(BAD + records.read_bytes())
    details = tmp_path / "details.jsonl"
    assert cli("score", "aitw", records, "--skip-bad", "--details", details).status == 1
    assert [json.loads(line)["record"] for line in details.read_text().splitlines()] == [5, 6, 7, 8]


def test_a_file_with_nothing_good_in_it(cli, tmp_path):
    """A compressed file given by mistake is called what it is, skipped or not; no number comes out of it."""
    path = tmp_path / "records.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(RECORDS[0]).encode()))
    ended = cli("score", "aitw", path)
    assert (ended.status, ended.out) == (2, "")
    assert (
        ended.line
        == f"stepscope: {path}:1: the file is compressed with gzip, not JSON Lines. Unpack it first: gzip -d."
    )
    ended = cli("score", "aitw", path, "--skip-bad", "--json")
    assert (ended.status, ended.json["n"]) == (1, 0)
    assert set(ended.json["metrics"].values()) == {None}


def test_many_bad_records_are_not_all_listed_on_stderr(cli, tmp_path):
    path = tmp_path / "bad.jsonl"
    path.write_bytes(b"[]\n" * 1000)
    ended = cli("score", "aitw", path, "--skip-bad", "--json")
    assert len(ended.json["bad_records"]) == 1000
    assert len(ended.err.splitlines()) == 52
    assert "950 more" in ended.err


def test_bad_records_from_stdin(process, records):
    ended = process("score", "aitw", "-", "--skip-bad", "--json", given=BAD + records.read_bytes())
    assert (ended.status, ended.json["n"], ended.json["skipped"]) == (1, 4, 3)
    assert "stdin:4: " in ended.err
    for given in (b"\x00\xff\n", gzip.compress(b"{}"), b'{"a": ' + b"[" * 1000):
        ended = process("score", "aitw", "-", given=given)
        assert (ended.status, ended.out) == (2, "")
        assert ended.line.startswith("stepscope: stdin:1: ")


# --- clusters and seeds ----------------------------------------------------------------------------------------------


def write(path: Path, rows: list[dict]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_whole_clusters_are_drawn(cli, tmp_path):
    """Episodes a, b, c of one app: every draw is the whole, so the intervals are points. Values stay as they are."""
    path = write(tmp_path / "records.jsonl", [{**record, "app": "shop"} for record in RECORDS])
    form = cli("score", "aitw", path, "--bootstrap", "50", "--cluster", "app", "--json").json
    assert form["metrics"] == pytest.approx(METRICS)
    assert form["ci"] == {name: [pytest.approx(value)] * 2 for name, value in METRICS.items()}
    apart = cli("score", "aitw", path, "--bootstrap", "50", "--json").json["ci"]
    assert apart["step_accuracy"][0] < 0.5 < apart["step_accuracy"][1]


def test_an_episode_lies_in_one_cluster(cli, tmp_path):
    rows = [{**record, "app": app} for record, app in zip(RECORDS, ["x", "y", "x", "x"], strict=True)]
    path = write(tmp_path / "records.jsonl", rows)
    ended = cli("score", "aitw", path, "--bootstrap", "50", "--cluster", "app", "--json")
    assert (ended.status, ended.out) == (2, "")
    assert ended.line == (
        f"stepscope: {path}:2: the line belongs to another cluster than an earlier one of the same episode. "
        "Name a field with --cluster that all records of one episode share."
    )


@pytest.mark.parametrize("value", [None, 1.5, True, ["x"], {}])
def test_a_cluster_has_a_name(cli, tmp_path, value):
    path = write(tmp_path / "records.jsonl", [{**record, "app": value} for record in RECORDS])
    ended = cli("score", "aitw", path, "--cluster", "app")
    assert (ended.status, ended.out) == (2, "")
    assert ended.line.startswith(f"stepscope: {path}:1: app must be text or a whole number, not ")
    path = write(tmp_path / "records.jsonl", [*({**record, "app": 1} for record in RECORDS), RECORDS[0]])
    ended = cli("score", "aitw", path, "--cluster", "app", "--skip-bad", "--json")
    assert (ended.status, ended.json["n"], ended.json["skipped"]) == (1, 4, 1)


def test_mean_and_deviation_over_seeds(cli, records, tmp_path):
    """Step accuracy 1/2, 1 and 0: mean 1/2, deviation the root of (0 + 1/4 + 1/4) / 2."""
    right = write(tmp_path / "right.jsonl", [{**RECORDS[0], "prediction": RECORDS[0]["reference"]}])
    wrong = write(tmp_path / "wrong.jsonl", [RECORDS[3]])
    arguments = ("score", "aitw", records, "--another-seed", right, "--another-seed", wrong)
    form = cli(*arguments, "--json").json
    assert form["metrics"] == pytest.approx(METRICS), "the first file's own"
    assert form["seeds"]["n"] == 3
    assert form["seeds"]["mean"]["step_accuracy"] == pytest.approx(0.5)
    assert form["seeds"]["deviation"]["step_accuracy"] == pytest.approx(0.5)
    assert form["seeds"]["mean"]["complete_match"] == pytest.approx((1 / 3 + 1 + 0) / 3)
    assert "mean of 3" in cli(*arguments).out


def test_a_seed_without_a_value_is_left_out_and_told(cli, records, tmp_path):
    empty = write(tmp_path / "empty.jsonl", [])
    seeds = cli("score", "aitw", records, "--another-seed", empty, "--json").json["seeds"]
    assert (seeds["n"], set(seeds["counts"].values())) == (2, {1})
    assert (seeds["mean"]["step_accuracy"], seeds["deviation"]["step_accuracy"]) == (0.5, None)


def test_bad_records_of_another_seed_are_named_by_their_file(cli, records, tmp_path):
    other = tmp_path / "other.jsonl"
    other.write_bytes(BAD)
    ended = cli("score", "aitw", records, "--another-seed", other, "--json")
    assert (ended.status, ended.out) == (2, "")
    assert ended.line.startswith(f"stepscope: {other}:1: ")
    ended = cli("score", "aitw", records, "--another-seed", other, "--skip-bad", "--json")
    assert ended.status == 1
    assert f"{other}:4: " in ended.err
    assert ended.json["skipped"] == 0, "the first file has none"


def test_one_file_is_not_two_seeds(cli, records):
    ended = cli("score", "aitw", records, "--another-seed", records)
    assert (ended.status, ended.out) == (2, "")
    assert "given twice" in ended.line
