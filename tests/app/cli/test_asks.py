"""`stepscope asks`, and `episode --as asks`: what was left out of tasks, asked and answered."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from stepscope.core.errors import SourceError
from stepscope.core.sources.shards import ShardSource

ROOT = Path(__file__).resolve().parents[3]
LAMP = {
    "episode_id": "lamp",
    "original_task": "Buy a lamp",
    "ambiguous_task": "Buy a lamp",
    "asks": [{"step": 1, "question": "Which lamp?", "answer": "The red one", "kind": ""}],
}
MOON = {
    "episode_id": "7",
    "original_task": "Track the moon phase of March 4",
    "ambiguous_task": "Track the moon phase of a date",
    "asks": [{"step": 3, "question": "Quel jour\u202f?", "answer": "Le 4 mars à midi.", "kind": "info"}],
}


@pytest.fixture
def moons(tmp_path: Path) -> Path:
    """A file of two records; the second one asks nothing."""
    path = tmp_path / "moons.jsonl"
    path.write_text("".join(json.dumps(form) + "\n" for form in (MOON, {**MOON, "episode_id": "8", "asks": []})))
    return path


def test_one_line_for_each_episode_with_asks(cli, recordings):
    ended = cli("asks", recordings)
    assert (ended.status, ended.line) == (0, "stepscope: 1 record of 2 episodes")
    assert [json.loads(line) for line in ended.out.splitlines()] == [LAMP]


def test_what_is_written_opens_again_and_gives_the_same(cli, moons, tmp_path):
    out = tmp_path / "out" / "asks.jsonl"
    out.parent.mkdir()
    ended = cli("asks", moons, "-o", out)
    assert (ended.status, ended.out) == (0, f"{out}\n")
    assert ended.line == "stepscope: 1 record of 2 episodes"
    assert [json.loads(line) for line in out.read_text("utf-8").splitlines()] == [MOON]
    again = cli("asks", out.parent, "--format", "asks")
    assert (again.status, again.out) == (0, out.read_text("utf-8"))
    assert cli("episode", out, "7", "--as", "asks", "--json").json == MOON
    assert [path.name for path in out.parent.iterdir()] == ["asks.jsonl"]


def test_lines_are_json_on_a_stream_that_takes_ascii_only(moons):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "stepscope.app.main", "asks", str(moons)]
    done = subprocess.run(command, capture_output=True, check=True, env=environment, timeout=60)
    assert [json.loads(line) for line in done.stdout.decode("ascii").splitlines()] == [MOON]


def test_an_episode_that_cannot_be_read_is_named(cli, moons, monkeypatch):
    def read(_source, _id, _place=""):
        raise SourceError("the file is shorter than it was", place=moons)

    monkeypatch.setattr(ShardSource, "read", read)
    ended = cli("asks", moons)
    assert (ended.status, ended.out) == (1, "")
    assert ended.err.splitlines() == [
        "stepscope: warning: 7: the file is shorter than it was",
        "stepscope: 0 records of 2 episodes",
    ]


def test_damaged_records_are_counted_and_inspect_lists_them(cli, moons):
    moons.write_text(moons.read_text() + "{\n")
    ended = cli("asks", moons)
    assert (ended.status, len(ended.out.splitlines())) == (0, 1)
    assert ended.err.splitlines()[0] == (
        f"stepscope: warning: 1 problem beside the episodes; 'stepscope inspect {moons}' lists them."
    )


def test_data_without_questions_gives_no_lines(cli, recordings, tmp_path):
    ended = cli("asks", recordings / "2", "-o", tmp_path / "none.jsonl")
    assert (ended.status, (tmp_path / "none.jsonl").read_text()) == (0, "")
    assert ended.line == "stepscope: 0 records of 1 episode"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["DATA", "-o", "no/asks.jsonl"], "the folder of this file is not there"),
        (["DATA", "--format", "rico"], "nothing of the format rico is here"),
        (["DATA", "--format", "rico", "-o", "asks.jsonl"], "nothing of the format rico is here"),
        (["DATA", "--format", "vhs"], "there is no format 'vhs'"),
        (["nowhere"], "there is no such file or folder"),
        ([], "Missing argument 'PATH'"),
    ],
)
def test_what_does_not_fit(cli, recordings, monkeypatch, tmp_path, arguments, words):
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    ended = cli("asks", *[recordings if word == "DATA" else word for word in arguments])
    assert (ended.status, ended.out) == (2, "")
    assert words in ended.line
    assert sorted(tmp_path.iterdir()) == before


def test_one_episode_as_an_ask_record(cli, recordings):
    ended = cli("episode", recordings, "lamp", "--as", "asks", "--json")
    assert (ended.status, ended.err, ended.json) == (0, "", LAMP)
    assert cli("episode", recordings, "chair", "--as", "asks", "--json").json["asks"] == []


def test_one_ask_record_in_words(cli, moons):
    ended = cli("episode", moons, "7", "--as", "asks")
    assert (ended.status, ended.err) == (0, "")
    lines = ended.out.splitlines()
    assert lines[:3] == [
        "7",
        "Original task: Track the moon phase of March 4",
        "Ambiguous task: Track the moon phase of a date",
    ]
    assert any("Le 4 mars à midi." in line and "info" in line for line in lines)


def test_only_one_episode_is_shown_as_an_ask_record(cli, recordings):
    ended = cli("inspect", recordings, "--as", "asks")
    assert (ended.status, ended.out) == (2, "")
    assert ended.line.endswith("nothing can be opened as 'asks'. Give --as procedures, or leave it out.")
    ended = cli("episode", recordings, "lamp", "--as", "songs")
    assert ended.line.endswith("nothing can be opened as 'songs'. Give --as procedures or asks, or leave it out.")
