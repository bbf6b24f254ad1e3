"""Hand-made recordings, and the command line called in this process or in one of its own."""

from __future__ import annotations

import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stepscope.app.cli.main import run
from stepscope.core.domain.action import Action, PressKey, Tap, Type
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import (
    Ask,
    Episode,
    Feasibility,
    FeasibilityLabel,
    InfeasibilityReason,
    Observation,
    Picture,
    Platform,
    Step,
)
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.imaging.draw import encode_png
from stepscope.core.settings import STORE_NAME, store_url
from stepscope.core.sources.recording_writer import write_recording
from stepscope.core.store.engine import Database

SIZE = Size(100, 200)
ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON document of stdout; anything beside it is an error here."""
        return json.loads(self.out)

    @property
    def line(self) -> str:
        """The one line of stderr."""
        lines = self.err.splitlines()
        assert len(lines) == 1, self.err
        return lines[0]


Cli = Callable[..., Ended]


@pytest.fixture(scope="session")
def cli() -> Cli:
    """Run a command in this process."""

    def call(*arguments: object) -> Ended:
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
        with redirect_stdout(out), redirect_stderr(err):
            status = run([str(argument) for argument in arguments])
        return Ended(status, *(stream.buffer.getvalue().decode() for stream in (out, err)))

    return call


@pytest.fixture
def process() -> Cli:
    """Run a command as a shell does, in a process of its own."""

    def call(*arguments: object, given: bytes = b"") -> Ended:
        command = [sys.executable, "-m", "stepscope.app.main", *map(str, arguments)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(command, input=given, capture_output=True, check=False, env=environment, timeout=60)
        return Ended(done.returncode, done.stdout.decode(), done.stderr.decode())

    return call


@pytest.fixture(scope="session")
def _empty_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("store") / STORE_NAME
    Database.open(store_url(path)).close()
    return path


@pytest.fixture
def store(_empty_store: Path, own_home: Path) -> Path:
    """The user's own store, empty; copied, since making its tables takes longer than most tests."""
    path = own_home / "data" / STORE_NAME
    path.parent.mkdir()
    return Path(shutil.copy(_empty_store, path))


def _step(index: int, action: Action | None, picture: Path | None = None, tree: UITree | None = None) -> Step:
    shown = Picture(picture, SIZE) if picture else None
    return Step(index, Observation(SIZE, shown, tree), action)


def _at(x: float, y: float) -> Point:
    return Point(x, y, SIZE)


def _write_recordings(folder: Path) -> None:
    grey = folder / "grey.png"
    grey.write_bytes(encode_png(np.full((200, 100, 3), 128, np.uint8)))
    button = UIElement(0, Box(40, 90, 60, 110, SIZE), text="Search", clickable=True)
    tree = UITree((button,), TreeOrigin.DUMP, SIZE)
    lamp = Episode(
        id="lamp",
        format="recording",
        platform=Platform.ANDROID,
        goal="Buy a lamp",
        app="org.example.shop",
        asks=(Ask(1, "Which lamp?", "The red one"),),
        splits=("train",),
        steps=(
            _step(0, Tap(_at(50, 100)), grey, tree),
            _step(1, Type("lamp"), grey),
            _step(2, PressKey("back")),
            _step(3, None),
        ),
    )
    chair = Episode(
        id="chair",
        format="recording",
        platform=Platform.ANDROID,
        goal="Order a chair",
        feasibility=Feasibility(FeasibilityLabel.INFEASIBLE, InfeasibilityReason.UNCLEAR, ("Which one?",)),
        splits=("test",),
        steps=(_step(0, Tap(_at(10, 10))), _step(1, Tap(_at(90, 190)))),
    )
    write_recording(lamp, folder / "recordings" / "1")
    write_recording(chair, folder / "recordings" / "2")


def _write_predictions(path: Path) -> None:
    lines = [
        {"run": {"model": "elsewhere", "note": "by hand"}},
        {"episode": "lamp", "step": 0, "action": {"kind": "tap", "point": [52, 104]}, "confidence": 0.5},
        {"episode": "lamp", "step": 1, "action": {"kind": "type", "text": "chair"}},
        {"episode": "lamp", "step": 2, "action": {"kind": "press_key", "key": "home"}},
        {"episode": "chair", "step": 0, "action": None, "raw": "???"},
        {"episode": "chair", "step": 1, "action": {"kind": "tap", "point": [10, 10]}},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


class SharedData:
    """Files that many tests read at the same place, put back after each test that changes them."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._kept = folder / "data", folder / "kept"
        self.folder.mkdir()
        _write_recordings(self.folder)
        _write_predictions(self.folder / "predictions.jsonl")
        shutil.copytree(self.folder, self._kept)
        self._facts = self._now()

    def put_back(self) -> None:
        """Make the files what they were."""
        if self._now() != self._facts:
            shutil.rmtree(self.folder, ignore_errors=True)
            shutil.copytree(self._kept, self.folder)

    def _now(self) -> dict[str, tuple[int, int]]:
        found = {path: path.stat() for path in sorted(self.folder.rglob("*"))}
        return {str(path): (fact.st_size, fact.st_mtime_ns) for path, fact in found.items() if path.is_file()}


@pytest.fixture(scope="session")
def _shared_data(tmp_path_factory: pytest.TempPathFactory) -> SharedData:
    return SharedData(tmp_path_factory.mktemp("shared"))


@pytest.fixture
def recordings(_shared_data: SharedData) -> Iterator[Path]:
    """Two episodes.

    `lamp` (split train): tap (50, 100) on a button, type, back, and a last screen; pictures of steps 0 and 1 only.
    `chair` (split test, infeasible): tap (10, 10), tap (90, 190); no pictures, no trees.
    """
    yield _shared_data.folder / "recordings"
    _shared_data.put_back()


@pytest.fixture
def predictions(_shared_data: SharedData) -> Iterator[Path]:
    """For every step of `recordings`. Under aitw two of five are right: lamp's tap (0.03 away, limit 0.14) and text
    (not compared); its key is another one, chair's first answer is null, its second 1.3 away and in no box."""
    yield _shared_data.folder / "predictions.jsonl"
    _shared_data.put_back()


@pytest.fixture(scope="session")
def _evaluated(
    cli: Cli, _shared_data: SharedData, _empty_store: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    home = tmp_path_factory.mktemp("evaluated")
    (home / "data").mkdir()
    store = Path(shutil.copy(_empty_store, home / "data"))
    recordings, predictions = _shared_data.folder / "recordings", _shared_data.folder / "predictions.jsonl"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STEPSCOPE_HOME", str(home))
        more = ("--predictions", predictions, "--protocol", "aitw")
        assert cli("evaluate", "automation", recordings, *more).status == 0
    return store


@pytest.fixture
def evaluated(_evaluated: Path, store: Path) -> str:
    """The id of a run of `predictions` over `recordings` under aitw, the only one in the user's own store."""
    shutil.copy(_evaluated, store)
    with closing(sqlite3.connect(store)) as raw:
        ((run,),) = raw.execute("SELECT id FROM run")
    return str(run)
