"""What is dropped on the window and is no data set: one clear message for each, nothing is stored, nothing waits. A
whole bundle of a run is imported."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QPushButton
from sqlalchemy import func, select

from stepscope.core.evaluation.bundle import write_bundle
from stepscope.core.store.repositories import runs
from stepscope.core.store.tables import RunRow, SourceRow

HEAD: dict[str, Any] = {
    "format": "stepscope run bundle",
    "version": 1,
    "schema": 1,
    "run": {"id": "a" * 32},
    "episodes": 1,
}


def packed(*lines: object, sound: bool = True) -> bytes:
    """A bundle of these lines with a right digest, or another one."""
    text = b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines)
    digest = hashlib.sha256(text if sound else b"").hexdigest()
    return gzip.compress(text + json.dumps({"sha256": digest}).encode() + b"\n")


WHOLE = packed(HEAD, {"episodes": ["lamp"]}, {"prediction": {"episode": "lamp", "step": 0}, "scores": []})

FORGED: dict[str, bytes] = {
    "whole.bundle": WHOLE,
    "cut.bundle": WHOLE[: len(WHOLE) // 2],
    "head only.bundle": WHOLE[:10],
    "two bytes.bundle": WHOLE[:2],
    "empty.bundle": b"",
    "turned bit.bundle": WHOLE[:20] + bytes([WHOLE[20] ^ 1]) + WHOLE[21:],
    "behind.bundle": WHOLE + b"more",
    "twice.bundle": WHOLE + WHOLE,
    "wrong digest.bundle": packed(HEAD, sound=False),
    "no lines.bundle": packed(),
    "list.bundle": packed([1, 2]),
    "newer.bundle": packed(HEAD | {"version": 99}),
    "other format.bundle": packed(HEAD | {"format": "stepscope-recording"}),
    "huge count.bundle": packed(HEAD | {"episodes": 10**12, "predictions": 10**12}),
    "no run.bundle": packed(HEAD | {"run": None}),
    "path.bundle": packed(HEAD | {"run": {"id": "../../x", "source": "/etc/passwd"}}),
    "html.bundle": packed(HEAD | {"run": {"model": "<img src='file:///x'>"}}),
    "deep.bundle": gzip.compress(b"[" * 200_000),
    "long line.bundle": gzip.compress(b'{"format": "' + b"x" * 5_000_000),
    "bomb.bundle": gzip.compress(bytes(50_000_000)),
    "not packed.bundle": json.dumps(HEAD).encode(),
    "a bundle.jsonl": WHOLE,
    "lines of a bundle.jsonl": gzip.decompress(WHOLE),
    "a bundle.zip": WHOLE,
    "a bundle.tar.gz": WHOLE,
    "a bundle.json": WHOLE,
    "a bundle.parquet": WHOLE,
    "a bundle.tfrecord": WHOLE,
    "a bundle.png": WHOLE,
    "episode.json": WHOLE,
    "no end.jsonl": b'{"episode": "lamp", "step": 0, "action": {"kind": "tap"',
    "bytes.jsonl": bytes(range(256)) * 40,
    "deep.jsonl": b"[" * 100_000 + b"\n",
    "nothing.jsonl": b"",
    "blank.ndjson": b"\n" * 1000,
    "empty.zip": b"",
    "cut.zip": b"PK\x03\x04" + bytes(30),
    "cut.7z": b"7z\xbc\xaf\x27\x1c" + bytes(10),
    "turned \u202egpj.bundle": WHOLE,
    "two\nlines.bundle": WHOLE,
    "& <b>.bundle": WHOLE,
}


def stored(person: Any) -> tuple[int, int]:
    """How many data sets and runs the store has."""
    with person.bench.context.database.reading() as db:
        return db.scalar(select(func.count()).select_from(SourceRow)), db.scalar(
            select(func.count()).select_from(RunRow)
        )


class Watch:
    """Notes what the GUI thread itself asks the disk about a folder's content."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: list[str] = []
        for module, name in ((os, "open"), (os, "stat"), (os, "scandir"), (io, "open")):
            real = getattr(module, name)

            def call(path: Any, *rest: Any, real: Any = real, name: str = name, **more: Any) -> Any:
                if threading.current_thread() is threading.main_thread() and str(path).startswith(f"{folder}{os.sep}"):
                    self.asked.append(f"{name} {path}")
                return real(path, *rest, **more)

            monkeypatch.setattr(module, name, call)


@pytest.fixture
def tried(open_window, shop, tmp_path, monkeypatch):
    """Drop a file into an open window: one message comes, and nothing else changes."""
    person = open_window(shop)
    before, recent = stored(person), person.bench.context.preferences.recent
    folder = tmp_path / "dropped"
    folder.mkdir()
    watch = Watch(folder, monkeypatch)

    def drop(path: Path) -> str:
        person.window.messages.clear_messages()
        watch.asked.clear()
        person.drop(path)
        person.settle()
        assert watch.asked == [], path
        assert len(person.told) == 1, (path, person.told)
        assert stored(person) == before and person.bench.context.preferences.recent == recent, path
        assert person.selection.source.title == "shop" and person.window.workspace == "replay", path
        assert person.alive()
        return person.told[0]

    drop.folder = folder
    return drop


def test_forged_bundles_and_predictions(tried) -> None:
    """41 files. The window says of each in one message why it is not opened."""
    assert len(FORGED) == 41
    for name, data in FORGED.items():
        (tried.folder / name).write_bytes(data)
        assert "stepscope " not in tried(tried.folder / name), "no command is named"


def test_a_bundle_is_imported_once_and_another_run_of_its_id_under_a_new_one(
    open_window, shop, tmp_path, guesses
) -> None:
    person = open_window(shop)
    run = person.score(guesses)
    database, bundle = person.bench.context.database, tmp_path / "run.bundle"
    with bundle.open("wb") as stream:
        list(write_bundle(database, run, stream))

    def drop(words: str) -> None:
        person.window.messages.clear_messages()
        person.drop(bundle)
        person.until(lambda: any(words in told for told in person.told), words)
        person.settle()

    drop("There already:")
    person.bench.results.delete_now(run)
    person.until(lambda: not person.bench.results.run_ids, "the run gone")
    drop("Imported elsewhere, 6 items.")
    assert person.bench.results.run_ids == (run,)
    with database.unit_of_work() as db:
        runs.set_note(db, run, "another one")
    drop("there is another run")
    person.click(next(iter(person.window.messages.findChildren(QPushButton))))
    person.until(lambda: len(person.bench.results.run_ids) == 2, "the run under a new id")
    person.settle()
    person.click(person.window.messages.items()[0].findChild(QPushButton))
    person.settle()
    assert person.window.workspace == "results" and person.bench.results.current.id != run


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_what_is_no_file_is_not_waited_for(tried) -> None:
    folder = tried.folder
    for name in ("pipe", "pipe.jsonl", "pipe.zip", "in a folder/episode.json"):
        (folder / name).parent.mkdir(exist_ok=True)
        os.mkfifo(folder / name)
    links = {"to a pipe": "pipe", "to a pipe.jsonl": "pipe.jsonl", "to itself": "to itself", "to nothing": "nothing",
             "zero": "/dev/zero", "zero.jsonl": "/dev/zero", "full.zip": "/dev/full"}  # fmt: skip
    for name, target in links.items():
        (folder / name).symlink_to(target)
    for name in ("empty", "empty.zip", "empty.jsonl"):
        (folder / name).mkdir()
    for name in ("pipe", "pipe.jsonl", "pipe.zip", "in a folder", *links, "empty", "empty.zip", "empty.jsonl"):
        tried(folder / name)
    assert "neither a file nor a folder" in tried(folder / "pipe.zip")
    assert "neither a file nor a folder" in tried(folder / "zero")


def test_what_is_gone_before_it_is_read_and_names_that_no_disk_takes(tried) -> None:
    for ending in ("", ".jsonl", ".zip", "/episode.json"):
        for name in ("gone", "x" * 300, "y/" * 3_000 + "y"):
            told = tried(tried.folder / f"{name}{ending}")
            assert any(words in told for words in ("nothing at this place", "no such file", "cannot be read")), told


def test_a_thousand_files_at_once(open_window, shop, tmp_path) -> None:
    person = open_window(shop)
    before = stored(person)
    files = [tmp_path / f"{number}.png" for number in range(1_000)]
    for file in files:
        file.write_bytes(b"\x89PNG")
    person.drop(*files)
    person.settle()
    assert len(person.told) == 21, "one for each of the first 20, and one for all others"
    assert sum(told.startswith("980 of 1,000 were left out.") for told in person.told) == 1
    assert stored(person) == before and person.alive()
