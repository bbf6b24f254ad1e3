"""Every kind of filter over a million steps with two runs of a million items, on columns in memory.

150,000 episodes of 6 or 7 steps in 300 apps; a screen has 20 texts: 14 of its app's 200, 3 of 1,000 that stand
everywhere, 3 of 300,000. Six actions in ten are taps, seven predictions in ten are right, 2 % malformed, 3 % unscored.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import insert, select

from stepscope.core.domain.annotation import Annotation, AnnotationKind
from stepscope.core.domain.episode import EpisodeSummary, Feasibility, FeasibilityLabel, InfeasibilityReason, Platform
from stepscope.core.domain.filter_parser import parse
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import RunSpec
from stepscope.core.domain.step_summary import StepSummary
from stepscope.core.settings import store_url
from stepscope.core.store.engine import Database
from stepscope.core.store.filter_search import FilterInputs, find
from stepscope.core.store.repositories import annotations, outcomes, runs, sources
from stepscope.core.store.tables import PredictionRow, ScoreRow, StepsRow, table_of
from stepscope.core.store.worker import WorkerClaim
from tests.benchmarks.figures import Tell

EPISODES, STEPS, AT_ONCE = 150_000, 1_000_000, 2_000
APPS = [f"com.maker{n % 40}.app{n}" for n in range(297)] + ["com.spotify.music", "com.android.chrome", "com.reddit"]
COMMON = ["Settings", "Back", "Search", "Home", "More options", *(f"Common thing {n}" for n in range(995))]
OWN = [[f"{app[4:]} label {n}" for n in range(200)] for app in APPS]
RARE = [f"Somebody wrote {n * 7919 % 1_000_003} about it" for n in range(300_000)]
KINDS = ["tap"] * 6 + ["type", "press_key", "swipe", "finish"]
REASONS = [None, *InfeasibilityReason]
RULES = dict.fromkeys(("radius14", "aitz"), ("aitw", '{"radius":"14"}'))
"""One rule under two names: what is counted is the same."""

FILTERS = [
    'app:spotify -feasible wrong:run2 steps>5 action:type text:"settings"',
    "infeasible reason:premature,unclear",
    "right:A wrong:B",
    "action:tap dist:A>0.14",
    "conf:A<0.4 wrong:A",
    "malformed:B | unscored:B",
    "differs:A,B step:1..3",
    "flips:radius14,aitz",
    "ask -checked",
    "none(wrong:A) wrong:B",
    "all(right:A) steps>=7",
    r'typed:/\d{5}/ target:"zip"',
    "key:back app:chrome,settings",
    "(app:reddit | app:quora) latency:B>2000",
    'defect note:"scroll"',
    "text:settings",
    "-text:settings",
    "text:wrote",
    "text=search",
    r"typed:/\d{5}/",
    "target:label",
    "step:3",
    "action:tap",
    "-action:tap",
    "goal:number",
    "flight number 12",
]
"""The examples of the language, then what finds much, and what is searched in many texts."""


@dataclass(frozen=True)
class Stocked:
    database: Database
    source: int
    runs: dict[str, str]
    seconds: float


def summary(number: int, draw: random.Random) -> EpisodeSummary:
    app = draw.randrange(len(APPS))
    steps = tuple(step(index, app, draw) for index in range(6 + (number % 3 > 0)))
    reason = REASONS[number % 4]
    label = FeasibilityLabel.INFEASIBLE if reason else FeasibilityLabel.FEASIBLE
    goal = f"Find the cheapest flight number {number} and put it into the calendar"
    return EpisodeSummary(
        f"{number * 7919:012}-trace", goal, APPS[app], Platform.ANDROID, len(steps), len(steps), (("tap", 5),),
        Feasibility(label, reason), asks=sum(one.ask for one in steps), splits=("standard/train",), details=steps,
    )  # fmt: skip


def step(index: int, app: int, draw: random.Random) -> StepSummary:
    kind = draw.choice(KINDS)
    texts = (*draw.choices(OWN[app], k=14), *draw.choices(COMMON, k=3), *draw.choices(RARE, k=3))
    return StepSummary(
        index,
        kind,
        key=draw.choice(("back", "home", "enter")) if kind == "press_key" else "",
        typed=f"{draw.randrange(200_000)} Main street" if kind == "type" else "",
        target=texts[0] if kind == "tap" else "ZIP code" if kind == "type" else "",
        name="zip field" if kind == "type" else "",
        texts=tuple(dict.fromkeys(texts)),
        ask=draw.random() < 0.01,
    )


@pytest.fixture(scope="module")
def stocked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stocked]:
    with Database.open(store_url(tmp_path_factory.mktemp("filters") / "store.db")) as database:
        draw, seconds, lengths = random.Random(0), 0.0, []
        with database.unit_of_work() as db:
            source = sources.begin_index(db, "data", "aitw")
            for first in range(0, EPISODES, AT_ONCE):
                some = [summary(number, draw) for number in range(first, first + AT_ONCE)]
                lengths += [entry.steps for entry in some]
                began = time.perf_counter()
                sources.add_index(db, source, first, some)
                seconds += time.perf_counter() - began
            sources.finish_index(db, source, "f")
            said = [
                Annotation("data", f"{n * 7919:012}-trace", None, kind, value, "a", datetime(2024, 5, 1, tzinfo=UTC))
                for n in range(500)
                for kind, value in ((AnnotationKind.CHECKED, ""), (AnnotationKind.NOTE, "should scroll"),
                                    (AnnotationKind.DEFECT, "wrong picture"))
            ]  # fmt: skip
            annotations.replace(db, (), said)
        both = {name: stored_run(database, lengths, seed) for seed, name in enumerate("AB")}
        yield Stocked(database, source, both, seconds)


def stored_run(database: Database, lengths: list[int], seed: int) -> str:
    """A run over every step, with a second rule under which one in ten comes out otherwise."""
    episode = np.repeat(np.arange(len(lengths)), lengths)
    step = np.concatenate([np.arange(length) for length in lengths])
    draw = np.random.default_rng(seed)
    n = len(episode)
    right, malformed, unscored, other = draw.random((4, n)) < [[0.7], [0.02], [0.03], [0.1]]
    confidence, latency, distance = draw.random((3, n))
    spec = RunSpec(Task.AUTOMATION, "m", "data", "aitw", "aitw")
    with database.unit_of_work() as db:
        run = runs.add(db, spec, [], WorkerClaim.here(), total=n)
        own = outcomes.scoring(db, run, "aitw", "1", (), own=True)
        second = outcomes.scoring(db, run, "aitw", "1", (("radius", "14"),))
        before = db.scalar(select(PredictionRow.id).order_by(PredictionRow.id.desc()).limit(1)) or 0
        for start in range(0, n, 50_000):
            part = range(start, min(start + 50_000, n))
            db.execute(insert(table_of(PredictionRow)), [{
                "id": before + item + 1, "run_id": run, "episode": f"{episode[item] * 7919:012}-trace",
                "step": int(step[item]), "status": "malformed" if malformed[item] else "ok", "reference": "tap",
                "kind": "tap", "answer": "{}", "confidence": float(confidence[item]),
                "latency_ms": float(latency[item] * 3000), "raw": "CLICK", "why": "",
            } for item in part])  # fmt: skip
            for scoring, turned in ((own, None), (second, other)):
                db.execute(insert(table_of(ScoreRow)), [{
                    "scoring_id": scoring, "prediction_id": before + item + 1,
                    "status": "unscored" if unscored[item] else "scored",
                    "value": None if unscored[item] else float((right[item] and not malformed[item])
                                                               != (turned is not None and turned[item])),
                    "malformed": bool(malformed[item]), "why": "", "parts": f'[["distance",{distance[item]:.6f}]]',
                } for item in part])  # fmt: skip
    return run


def measured(work: Callable[[], Any], times: int = 1) -> tuple[float, float]:
    """The shortest time by the clock, and of the thread's processor, in seconds."""
    clock, processor = [], []
    for _ in range(times):
        began = time.perf_counter(), time.thread_time()
        work()
        clock.append(time.perf_counter() - began[0])
        processor.append(time.thread_time() - began[1])
    return min(clock), min(processor)


def resident() -> float:
    """Megabytes of this process in memory."""
    with Path("/proc/self/status").open() as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024


LOADS = (("columns of episodes", "app:spotify"), ("steps", "step:3"), ("texts", "text:settings"), ("run A", "wrong:A"),
         ("run B", "wrong:B"), ("confidences of A", "conf:A<0.4"), ("words of actions", "typed:main"))  # fmt: skip
"""What the first filter of its kind reads."""


def loaded_again(stocked: Stocked, figure: Tell) -> list[str]:
    """The same by a program that is started when all columns are kept."""
    for thread in threading.enumerate():
        if thread.name == "keep columns":
            thread.join()
    lines = []
    with Database.open(stocked.database._engine.url.render_as_string()) as database, database.reading() as db:
        for what, text in LOADS:
            work = lambda text=text: find(db, stocked.source, parse(text), inputs=FilterInputs(stocked.runs, RULES))  # noqa: E731
            clock, processor = measured(work)
            figure(f"{what} loaded out of files", processor, "s of processor", budget=1)
            lines.append(f"{what} out of files: {clock:.2f} s, of the processor {processor:.2f} (1)")
    return lines


@pytest.mark.timeout(1800)
def test_a_million_steps(stocked: Stocked, capsys: pytest.CaptureFixture[str], figure: Tell) -> None:
    lines = [f"a million steps with 20 texts each entered in {stocked.seconds:.0f} s"]
    before = resident()
    with stocked.database.reading() as db:

        def ask(text: str) -> Any:
            return find(db, stocked.source, parse(text), inputs=FilterInputs(stocked.runs, RULES))

        for what, text in LOADS:
            clock, processor = measured(lambda text=text: ask(text))
            figure(f"{what} loaded for the first time", processor, "s of processor", budget=1)
            lines.append(f"first filter that needs {what}: {clock:.2f} s, of the processor {processor:.2f}")
        lines += loaded_again(stocked, figure)
        lines.append(f"memory for all that: {resident() - before:.0f} MB")
        clock, processor = measured(lambda: list(db.execute(select(StepsRow.facts))), 3)
        lines.append(f"fetching the rows of all steps alone: {clock:.2f} s, of the processor {processor:.2f}")
        for text in FILTERS:
            found = ask(text)
            clock, processor = measured(lambda text=text: ask(text), 7)
            figure(f"filter {text}", 1e3 * processor, "ms of processor", budget=50)
            lines.append(f"{1e3 * clock:6.1f} ms, of the processor {1e3 * processor:5.1f} (50)  "
                         f"{len(found.ids):7,} episodes {found.steps:9,} steps  {text}")  # fmt: skip
        with_and_without = ask("text:settings").steps + ask("-text:settings").steps
    with capsys.disabled():
        print("\n" + "\n".join(lines))
    assert with_and_without == STEPS
