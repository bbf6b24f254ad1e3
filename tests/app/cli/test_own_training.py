"""From two checkpoints of one's own to a model that is evaluated: added, trained on two data sets, stopped in the
middle of an epoch, killed in the middle of the next, gone on with to the same numbers, exported."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stepscope.core.domain.action import Tap
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Episode, Feasibility, FeasibilityLabel, Observation, Picture, Platform, Step
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.imaging.draw import encode_png
from stepscope.core.sources.recording_writer import write_recording
from stepscope.models.learned.card import read_card
from stepscope.models.runtimes.weights import read_state
from tests.models.encoders.conftest import clip_folder, roberta  # noqa: F401 - fixtures

pytestmark = pytest.mark.needs("torch", "transformers", "torchvision", "onnxscript")

ROOT = Path(__file__).resolve().parents[3]
SIZE = Size(60, 120)
SPLITS = ["train"] * 24 + ["validation"] * 10 + ["app_unseen"] * 10

HELD = """
import sys
import stepscope.models.training.loop as loop
from stepscope.models.training.batches import BatchLoader

loop.KEEP_SECONDS = 0.0
seen, inner = 0, BatchLoader.batches

def held(loader, rows):
    global seen
    for batch in inner(loader, rows):
        seen += 1
        if seen == int(sys.argv[1]):
            print("in the middle", file=sys.stderr, flush=True)
            sys.stdin.readline()
        yield batch

BatchLoader.batches = held
from stepscope.app.cli.main import run
sys.exit(run(sys.argv[2:]))
"""


def episodes(folder: Path, first: int) -> Path:
    """Some goals can be reached; screens are light or dark, whatever the goal."""
    for place, split in enumerate(SPLITS):
        number = first + place
        light = bool((number * 7) % 3)
        file = folder / f"{number:03}.png"
        folder.mkdir(exist_ok=True)
        file.write_bytes(encode_png(np.full((SIZE.height, SIZE.width, 3), 230 if light else 20, np.uint8)))
        box = Box(0, 0, 50, 20, SIZE)
        element = UIElement(0, box, text="Alarm" if light else f"Error {number % 5}", clickable=True)
        seen = Observation(SIZE, Picture(file, SIZE), UITree((element,), TreeOrigin.VIEW_HIERARCHY, SIZE))
        label = FeasibilityLabel.FEASIBLE if number % 4 < 2 else FeasibilityLabel.INFEASIBLE
        write_recording(
            Episode(
                f"{number:03}", "recording", Platform.ANDROID, f"set alarm {number % 4}",
                (Step(0, seen, Tap(Point(5, 5, SIZE))),), app=f"org.example.{number % 5}",
                feasibility=Feasibility(label), splits=(split,),
            ),
            folder / f"{number:03}",
        )  # fmt: skip
    return folder


def interrupted(arguments: list[str], batch: int, number: signal.Signals) -> int:
    """Train until that batch is in hand, then send the signal; how it ended."""
    command = [sys.executable, "-c", HELD, str(batch), *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    with subprocess.Popen(
        command, text=True, env=environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None and process.stderr is not None
        told = []
        for line in process.stderr:
            told.append(line)
            if line == "in the middle\n":
                break
        else:
            pytest.fail("it ended before: " + "".join(told))
        process.send_signal(number)
        process.communicate("\n", timeout=60)
        return process.returncode


def test_added_trained_stopped_killed_gone_on_with_and_evaluated(
    cli: Any,
    roberta: Path,  # noqa: F811
    clip_folder: Path,  # noqa: F811
    tmp_path: Path,
) -> None:
    first, second = episodes(tmp_path / "first", 0), episodes(tmp_path / "second", 100)
    assert cli("weights", "add", roberta, "--name", "words").status == 0
    assert cli("weights", "add", clip_folder, "--name", "eyes").status == 0
    settings = "--texts words+eyes --views eyes --epochs 4 --seed 0 --batch 8 --patience 9 --device cpu"
    train = ["models", "train", "feasibility", "--data", str(first), "--data", f"{second}:0.5", *settings.split()]
    straight = cli(*train, "--name", "straight", "--json")
    assert straight.status == 0, straight.err

    # Of 24 + 12 items in batches of 8 an epoch has 5 batches.
    mine = [*train, "--name", "mine"]
    assert interrupted(mine, 3, signal.SIGINT) == 130
    assert interrupted(mine, 5, signal.SIGKILL) == -signal.SIGKILL  # in the second epoch, after the rest of the first
    done = cli(*mine, "--json")
    assert done.status == 0, done.err
    assert straight.json["seeds"][0]["best_epoch"] > 2, "what is kept was learned after both interruptions"
    states = [read_state(Path(one.json["folder"]) / "weights.safetensors") for one in (done, straight)]
    for name, tensor in states[1].items():
        assert states[0][name].numpy() == pytest.approx(tensor.numpy(), abs=1e-6), name
    assert done.json["held_out"]["metrics"] == pytest.approx(straight.json["held_out"]["metrics"], abs=1e-6)
    assert [one["source"] for one in done.json["held_out"]["also"]] == ["second"]

    card = read_card(Path(done.json["folder"]))
    assert card.config["encoders"] == {"texts": "words+eyes", "views": "eyes"}
    assert card.config["sizes"] == {"text": 28, "view": 12}
    assert cli("models", "export", "mine", "--format", "onnx").status == 0
    evaluated = {
        name: cli("evaluate", "feasibility", second, "--model", name, "--split", "app_unseen", "--json").json
        for name in ("mine", "straight", "always-feasible")
    }
    assert all(one["n"] == 10 and one["state"] == "done" for one in evaluated.values())
    assert evaluated["mine"]["metrics"] == pytest.approx(evaluated["straight"]["metrics"])

    # Other weights under the same name are other encoders.
    assert cli("weights", "remove", "words").status == 0
    gone = cli("evaluate", "feasibility", second, "--model", "mine", "--split", "app_unseen")
    assert gone.status == 2 and "There is no encoder 'words'" in gone.err
