"""What a command takes before and beside its own work: processes that start, do next to nothing and end.

Each is measured in turns with a bare interpreter under the same flags, so that what else the machine does falls on
both; of the processor times the least counts. Nothing is asserted about seconds.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import pytest

from stepscope.core.domain.action import Tap
from stepscope.core.domain.episode import Episode, Observation, Platform, Step
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.sources.recording_writer import write_recording
from stepscope.models.encoders.sentences import packaged
from tests.benchmarks.figures import Tell

ROUNDS = 7
SENTENCES = """
import sys
import numpy as np, onnxruntime
from tokenizers import Tokenizer
tokenizer = Tokenizer.from_file(sys.argv[2])
session = onnxruntime.InferenceSession(sys.argv[1], providers=["CPUExecutionProvider"])
told = [tokenizer.encode(words) for words in ("Which size would you like?", "Which size is it?")]
for one in told:
    given = {"input_ids": one.ids, "attention_mask": one.attention_mask, "token_type_ids": one.type_ids}
    session.run(None, {known.name: np.array([given[known.name]], np.int64) for known in session.get_inputs()})
"""
"""What `score ask` cannot do without where there is a question: the sentence model, by its libraries alone."""

BUDGETS = {"--help": 0.15, "score": 0.35, "evaluate": 0.6}
"""Seconds on a quiet machine, by the first word."""


@dataclass
class Measured:
    """Seconds of each turn."""

    processor: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)


def take(measured: Measured, arguments: list[str], home: Path) -> None:
    environment = os.environ | {"STEPSCOPE_HOME": str(home)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program is compiled once
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run([sys.executable, *arguments], env=environment, check=False, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, done.stderr.decode()
    measured.wall.append(time.perf_counter() - began)
    measured.processor.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def records(folder: Path) -> dict[str, Path]:
    """A file of one record for some protocols."""
    spot = {"type": 4, "touch": [0.5, 0.5], "lift": [0.5, 0.5], "text": ""}
    place = {"task": "t", "instance": "0", "field": "f", "type": "text"}
    asks = {"step": 0, "ask": True, "correct": False, "question": "Which size would you like?"}
    forms = {
        "aitw": {"episode": "e", "step": 0, "reference": spot, "prediction": spot, "boxes": []},
        "ask": {"id": "a", "ask_step": 0, "first": [asks], "second": None, "reference_question": "Which size is it?"},
        "feasibility": {"id": "a", "reference": "infeasible", "prediction": "infeasible", "score": 0.7},
        "fields": place | {"reference": ["a red lamp", "red lamps"], "prediction": "the red lamp"},
        "ordering": {"id": "a", "references": [["a", "b", "c"]], "prediction": ["a", "c", "b"]},
    }
    files = {name: folder / f"{name}.jsonl" for name in forms}
    for name, file in files.items():
        file.write_text(json.dumps(forms[name]) + "\n")
    return files


def recording(folder: Path) -> Path:
    size = Size(100, 200)
    step = Step(0, Observation(size, None, None), Tap(Point(50, 100, size)))
    episode = Episode(id="e", format="recording", platform=Platform.ANDROID, goal="g", steps=(step,))
    write_recording(episode, folder / "e")
    return folder


def test_commands_against_a_bare_interpreter(tmp_path: Path, capsys: pytest.CaptureFixture[str], figure: Tell) -> None:
    data = str(recording(tmp_path / "data"))
    commands = [
        ["--help"], ["--version"], ["score", "--help"], ["runs", "--help"], ["formats"], ["models", "list"],
        ["runs", "list"], ["inspect", data], *(["score", name, str(file)] for name, file in records(tmp_path).items()),
        ["evaluate", "automation", data, "--model", "random"],
    ]  # fmt: skip
    bare, measured = Measured(), {" ".join(one): Measured() for one in commands}
    for turn in range(ROUNDS + 1):  # the first compiles, and makes the store
        for one in commands:
            take(bare, ["-c", "pass"], tmp_path / "home")
            take(measured[" ".join(one)], ["-m", "stepscope", *one], tmp_path / "home")
        if not turn:
            for each in (bare, *measured.values()):
                each.processor.clear(), each.wall.clear()
    floor = min(bare.processor)
    with capsys.disabled():
        print(f"\nbare interpreter: {floor:.3f} s of the processor, {median(bare.wall):.3f} by the clock")
        alone = Measured()
        files = packaged()
        for _ in range(ROUNDS):
            take(alone, ["-c", SENTENCES, str(files.weights), str(files.tokenizer)], tmp_path / "home")
        figure("the sentence model by its libraries alone, by the clock", median(alone.wall), "s")
        print(f"the sentence model alone: {min(alone.processor):.3f} s, {median(alone.wall):.3f} by the clock")
        for words, found in measured.items():
            least, budget = min(found.processor), BUDGETS.get(words.partition(" ")[0])
            name = words.replace(str(tmp_path), "…")
            figure(f"{name}, over a bare interpreter, of the processor", least / floor)
            figure(f"{name}, by the clock", median(found.wall), "s", budget=budget)
            print(
                f"{name:50} {least:.3f} s of processor, {least / floor:.1f} times bare, "
                f"{median(found.wall):.3f} by the clock" + (f" (budget {budget})" if budget else "")
            )
    assert measured
