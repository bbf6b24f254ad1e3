"""Scoring a million AitW steps: in memory against loops, from a file against parsing it, and its memory; intervals.

The mix: six steps in ten are taps, 15 % drags, the rest types and keys. Three predictions in four repeat the kind of
the reference with a touch some 0.07 off, which makes seven steps in ten right, as published models are; the others are
drawn anew. A screen has 0 to 20 annotation boxes. 15 % of the steps have two taps so far apart that boxes decide.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest

from stepscope.core.scoring.aitw_match import AitwColumns, Gestures, judge
from stepscope.core.scoring.bootstrap import intervals
from stepscope.core.scoring.statistics import ratio
from stepscope.core.scoring.tally import Tally
from tests.benchmarks.figures import Tell

STEPS = 1_000_000
LOOPED, BY_NUMPY = 100_000, 10_000
"""So many of them are judged one by one; the times are scaled."""

Form = dict[str, Any]

# --- the data --------------------------------------------------------------------------------------------------------


def made(count: int) -> AitwColumns:
    generator = np.random.default_rng(0)
    types = np.array([4, 4, 3, 5, 6, 7, 10, 11])

    def side() -> tuple[np.ndarray, np.ndarray]:
        kind = generator.choice(8, count, p=[0.6, 0.15, 0.1, 0.05, 0.03, 0.02, 0.04, 0.01])
        touch = generator.random((2, count))
        way = generator.normal(0, 0.3, (2, count)) * (kind == 1) + generator.normal(0, 0.005, (2, count)) * (kind == 0)
        return types[kind], np.concatenate([touch, touch + way])

    (of_reference, reference), (of_prediction, prediction) = side(), side()
    alike = generator.random(count) < 0.75
    of_prediction = np.where(alike, of_reference, of_prediction)
    prediction = np.where(alike, reference + np.tile(generator.normal(0, 0.07, (2, count)), (2, 1)), prediction)
    first = np.concatenate([[0], np.cumsum(generator.integers(0, 21, count))])
    boxes = [generator.uniform(low, high, first[-1]) for low, high in ((0, 1), (0, 0.8), (0.01, 0.08), (0.02, 0.4))]
    return AitwColumns(
        Gestures(of_reference, reference), Gestures(of_prediction, prediction), np.ones(count, np.bool_),
        np.stack(boxes), first,
    )  # fmt: skip


def forms_of(columns: AitwColumns, start: int, stop: int) -> list[Form]:
    """Some of the steps as records."""

    def actions(side: Gestures) -> list[Form]:
        rows = zip(side.types[start:stop].tolist(), side.places[:, start:stop].T.tolist(), strict=True)
        return [
            {"type": kind, "touch": place[:2], "lift": place[2:]} if kind == 4 else {"type": kind, "text": ""}
            for kind, place in rows
        ]

    first = columns.first[start : stop + 1].tolist()
    sides = zip(actions(columns.reference), actions(columns.prediction), strict=True)
    return [
        {
            "episode": str((start + row) // 8),
            "step": row % 8,
            "reference": reference,
            "prediction": prediction,
            "boxes": columns.boxes[:, first[row] : first[row + 1]].T.tolist(),
        }
        for row, (reference, prediction) in enumerate(sides)
    ]


# --- the same rule, one step after the other -------------------------------------------------------------------------


def plain_loop(records: Sequence[Form]) -> list[bool]:
    """As tight as plain Python gets: local names, no call but the root, the sides of a box only as far as needed."""
    root = math.sqrt
    found = []
    say = found.append
    for record in records:
        reference, prediction = record["reference"], record["prediction"]
        kind = reference["type"]
        if kind != 4 or prediction["type"] != 4:
            say(kind == prediction["type"])
            continue
        (ry, rx), (rv, ru) = reference["touch"], reference["lift"]
        (py, px), (pv, pu) = prediction["touch"], prediction["lift"]
        rv -= ry
        ru -= rx
        pv -= py
        pu -= px
        tap = root(rv * rv + ru * ru) <= 0.04
        if tap != (root(pv * pv + pu * pu) <= 0.04):
            say(False)
            continue
        if not tap:
            say((abs(rv) >= abs(ru)) == (abs(pv) >= abs(pu)))
            continue
        dy, dx = py - ry, px - rx
        if root(dy * dy + dx * dx) <= 0.14:
            say(True)
            continue
        low_y, high_y = (ry, py) if ry < py else (py, ry)
        low_x, high_x = (rx, px) if rx < px else (px, rx)
        shared = False
        for y, x, h, w in record["boxes"]:
            top = y - 0.7 * h
            if top < 0.0:
                top = 0.0
            if top <= low_y and high_y <= top + (2.4 * h if 2.4 * h < 1.0 else 1.0):
                left = x - 0.7 * w
                if left < 0.0:
                    left = 0.0
                if left <= low_x and high_x <= left + (2.4 * w if 2.4 * w < 1.0 else 1.0):
                    shared = True
                    break
        say(shared)
    return found


Arrays = tuple[int, np.ndarray, np.ndarray, int, np.ndarray, np.ndarray, np.ndarray]


def arrays_of(record: Form) -> Arrays:
    """A step's small arrays, made beforehand: type, touch, lift of both sides, and boxes."""
    found: list[Any] = []
    for side in (record["reference"], record["prediction"]):
        found += [side["type"], np.array(side.get("touch", [0, 0])), np.array(side.get("lift", [0, 0]))]
    return (*found, np.array(record["boxes"]).reshape(-1, 4))


def by_numpy(steps: Sequence[Arrays]) -> list[bool]:
    """In the manner of the released code: a call a step, which works on that step's small arrays."""
    return [numpy_step(*step) for step in steps]


def numpy_step(
    of_r: int, touch_r: np.ndarray, lift_r: np.ndarray, of_p: int, touch_p: np.ndarray, lift_p: np.ndarray,
    boxes: np.ndarray,
) -> bool:  # fmt: skip
    tap_r, tap_p = (np.linalg.norm(lift - touch) <= 0.04 for touch, lift in ((touch_r, lift_r), (touch_p, lift_p)))
    near = np.linalg.norm(touch_p - touch_r) <= 0.14
    start = np.maximum(boxes[:, :2] - 0.7 * boxes[:, 2:], 0)
    end = start + np.minimum(2.4 * boxes[:, 2:], 1)
    inside = [np.all((start <= touch) & (touch <= end), axis=1) for touch in (touch_r, touch_p)]
    taps = near or np.any(inside[0] & inside[1])
    axis_r, axis_p = (np.argmax(np.abs(lift - touch)) for touch, lift in ((touch_r, lift_r), (touch_p, lift_p)))
    if of_r != 4 or of_p != 4:
        return of_r == of_p
    return bool(tap_r == tap_p and (taps if tap_r else axis_r == axis_p))


# --- measuring -------------------------------------------------------------------------------------------------------


def best(work: Callable[[], Any], times: int = 5) -> tuple[float, Any]:
    """The shortest time, in seconds, and the last result."""
    found = []
    for _ in range(times):
        began = time.perf_counter()
        result = work()
        found.append(time.perf_counter() - began)
    return min(found), result


def test_a_million_steps_in_memory(capsys: pytest.CaptureFixture[str], figure: Tell) -> None:
    columns = made(STEPS)
    forms = forms_of(columns, 0, LOOPED)
    arrays = [arrays_of(form) for form in forms[:BY_NUMPY]]
    at_once, verdicts = best(lambda: judge(columns))
    loop, of_loop = best(lambda: plain_loop(forms))
    numpy, of_numpy = best(lambda: by_numpy(arrays), 2)
    assert verdicts[:LOOPED].tolist() == of_loop
    assert verdicts[:BY_NUMPY].tolist() == of_numpy
    loop, numpy = loop * STEPS / LOOPED, numpy * STEPS / BY_NUMPY
    figure("judging a million steps: a plain loop over it", loop / at_once, budget=20, more=True)
    figure("judging a million steps: numpy by steps over it", numpy / at_once, budget=50, more=True)
    with capsys.disabled():
        print(
            f"\n1,000,000 steps, {columns.first[-1]:,} boxes, {verdicts.mean():.0%} right: {at_once:.3f} s at once, "
            f"{loop:.2f} s in a plain loop ({loop / at_once:.0f} times as long; goal 20), "
            f"{numpy:.0f} s by numpy a step ({numpy / at_once:.0f} times; goal 50)"
        )


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A million records with two boxes each, and the same mix otherwise."""
    columns = made(STEPS)
    columns = AitwColumns(
        columns.reference, columns.prediction, columns.same_text, columns.boxes, np.arange(STEPS + 1) * 2
    )  # fmt: skip
    path = tmp_path_factory.mktemp("aitw") / "records.jsonl"
    with path.open("wb") as stream:
        for start in range(0, STEPS, 50_000):
            stream.writelines(orjson.dumps(form) + b"\n" for form in forms_of(columns, start, start + 50_000))
    return path


CHILD = """
import json, sys, time
from pathlib import Path
import orjson
from stepscope.core.scoring.options import default_options
from stepscope.core.scoring.registry import record_scorer, score_file
path = Path(sys.argv[1])
scorer = record_scorer("aitw")
def parsed():
    with path.open("rb") as stream:
        for line in stream:
            orjson.loads(line)
def timed(work):
    began = time.perf_counter()
    found = work()
    return time.perf_counter() - began, found
def peak():  # getrusage would tell of the parent's peak
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM"))
parsed()
before, times = peak(), []
for _ in range(3):
    times.append((timed(parsed), timed(lambda: score_file(scorer, path, default_options(scorer.info)).metrics.n)))
parse, whole = (min(one[which][0] for one in times) for which in (0, 1))
print(json.dumps({"parse": parse, "whole": whole, "before": before, "peak": peak(), "n": times[0][1][1]}))
"""


def test_a_million_records_from_a_file(file: Path, capsys: pytest.CaptureFixture[str], figure: Tell) -> None:
    """In a process of its own, whose peak memory is its own too."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(file)], capture_output=True, check=True, timeout=900, env=environment
    )
    found = json.loads(done.stdout)
    assert found["n"] == STEPS
    figure("score aitw, a million records, over orjson", found["whole"] / found["parse"], budget=2)
    figure("score aitw, a million records, most memory", found["peak"], "MB")
    with capsys.disabled():
        print(
            f"\n1,000,000 records, {file.stat().st_size / 1e6:.0f} MB: parsed in {found['parse']:.2f} s; parsed, "
            f"checked and scored in {found['whole']:.2f} s, {found['whole'] / found['parse']:.1f} times as long "
            f"(goal 2); peak memory {found['peak']:.0f} MB, {found['before']:.0f} MB of them before any record was kept"
        )


@pytest.mark.parametrize("alike", [True, False])
def test_a_thousand_draws_of_a_hundred_thousand_episodes(
    alike: bool, capsys: pytest.CaptureFixture[str], figure: Tell
) -> None:
    generator = np.random.default_rng(0)
    steps = generator.integers(1, 30, 100_000).astype(float)
    right = np.floor(steps * generator.random(100_000)) if alike else steps * generator.random(100_000)
    tally = Tally(np.stack([right, steps], 1), {"accuracy": ratio(0, 1)}, np.arange(100_000))
    took, _ = best(lambda: intervals(tally, draws=1000, seed=0), 2)
    figure(f"1,000 draws of 100,000 episodes {'of few kinds' if alike else 'all unlike'}", took, "s", budget=2)
    with capsys.disabled():
        print(f"\n1,000 draws of 100,000 episodes {'of few kinds' if alike else 'all unlike'}: {took:.2f} s (goal 2)")
