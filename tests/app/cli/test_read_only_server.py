"""A user of a server who may only read: what reads works, what writes says in one sentence that it cannot."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

REFUSED = "The store is read-only."
ASKED = "ask the owner of the database for the right to write"


@pytest.fixture(scope="module")
def database(postgresql: Any) -> Iterator[str]:
    with postgresql.database() as url:
        yield url


@pytest.fixture
def reader(cli: Any, database: str, postgresql: Any, recordings: Path, predictions: Path) -> Iterator[str]:
    """The reader's URL of a store with a run, an annotation, a campaign."""
    of_writer = ("--store", database)
    listed = cli("runs", "list", "--json", *of_writer).json
    if not listed:
        for made in (
            ("evaluate", "automation", recordings, "--predictions", predictions),
            ("annotate", recordings, "lamp", "--note", "Anna's"),
            ("campaign", "new", "phones"),
        ):
            ended = cli(*made, *of_writer)
            assert ended.status in (0, 1), ended.err
    with postgresql.reader(database) as url:
        yield url


READING = [
    ("runs", "list"),
    ("runs", "list", "--json"),
    ("runs", "show", "last"),
    ("runs", "show", "last", "--show", "wrong"),
    ("runs", "board", "automation"),
    ("runs", "compare", "last", "last"),
    ("runs", "export", "last", "-o", "OUT/run.csv"),
    ("runs", "export", "last", "-o", "OUT/run.bundle"),
    ("runs", "export", "last", "-o", "OUT/run.html"),
    ("annotations", "DATA"),
    ("annotations", "DATA", "--csv", "OUT/said.csv"),
    ("campaign", "list"),
    ("campaign", "show", "phones"),
    ("campaign", "agreement", "phones"),
    ("orders", "list", "DATA"),
]
WRITING = [
    ("evaluate", "automation", "DATA", "--model", "noisy-copy"),
    ("evaluate", "automation", "OTHER", "--model", "noisy-copy"),
    ("annotate", "DATA", "lamp", "--star"),
    ("annotations", "DATA", "--import", "LINES"),
    ("campaign", "new", "others"),
    ("campaign", "next", "phones"),
    ("runs", "label", "last", "--name", "mine"),
    ("runs", "delete", "last", "--yes"),
    ("runs", "rescore", "last", "--protocol", "aitw"),
]


@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_what_reads_works(cli: Any, reader: str, recordings: Path, tmp_path: Path, command: tuple[str, ...]) -> None:
    ended = cli(*filled(command, recordings, tmp_path), "--store", reader)
    assert ended.status == 0, ended.err
    assert "read-only" not in ended.err


@pytest.mark.parametrize("command", WRITING, ids=" ".join)
def test_what_writes_says_so(cli: Any, reader: str, recordings: Path, tmp_path: Path, command: tuple[str, ...]) -> None:
    (tmp_path / "lines.jsonl").write_text('{"episode": "lamp", "step": null, "kind": "star"}\n')
    shutil.copytree(recordings, tmp_path / "other")
    ended = cli(*filled(command, recordings, tmp_path), "--store", reader)
    assert ended.status == 2, ended.err
    assert REFUSED in ended.line and ASKED in ended.line


def filled(command: tuple[str, ...], data: Path, folder: Path) -> list[str]:
    places = {"DATA": str(data), "OTHER": str(folder / "other"), "LINES": str(folder / "lines.jsonl")}
    return [places.get(word, word.replace("OUT", str(folder))) for word in command]
