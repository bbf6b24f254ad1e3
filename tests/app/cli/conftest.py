"""Hand-made recordings, and the command line called in this process or in one of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
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


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run a command in this process."""

    def call(*arguments: object) -> Ended:
        capsys.readouterr()
        status = run([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return Ended(status, printed.out, printed.err)

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


@pytest.fixture
def recordings(tmp_path: Path) -> Path:
    """Two episodes.

    `lamp` (split train): tap (50, 100) on a button, type, back, and a last screen; pictures of steps 0 and 1 only.
    `chair` (split test, infeasible): tap (10, 10), tap (90, 190); no pictures, no trees.
    """
    grey = tmp_path / "grey.png"
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
    folder = tmp_path / "recordings"
    write_recording(lamp, folder / "1")
    write_recording(chair, folder / "2")
    return folder


@pytest.fixture
def predictions(tmp_path: Path) -> Path:
    """For every step of `recordings`. Under aitw two of five are right: lamp's tap (0.03 away, limit 0.14) and text
    (not compared); its key is another one, chair's first answer is null, its second 1.3 away and in no box."""
    lines = [
        {"run": {"model": "elsewhere", "note": "by hand"}},
        {"episode": "lamp", "step": 0, "action": {"kind": "tap", "point": [52, 104]}, "confidence": 0.5},
        {"episode": "lamp", "step": 1, "action": {"kind": "type", "text": "chair"}},
        {"episode": "lamp", "step": 2, "action": {"kind": "press_key", "key": "home"}},
        {"episode": "chair", "step": 0, "action": None, "raw": "???"},
        {"episode": "chair", "step": 1, "action": {"kind": "tap", "point": [10, 10]}},
    ]
    path = tmp_path / "predictions.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path
