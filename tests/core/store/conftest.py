"""A store in memory, one in a file, one on a server: what holds for a store must hold for all of them."""

from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import pytest

from stepscope.core.domain.action import PressKey, Tap, Type
from stepscope.core.domain.episode import (
    EpisodeSummary,
    Feasibility,
    FeasibilityLabel,
    InfeasibilityReason,
    Platform,
    Problem,
)
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.prediction import ActionAnswer, Prediction, PredictionStatus, Task
from stepscope.core.domain.run import ItemKey, Outcome, RunSpec
from stepscope.core.domain.score import Score
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import outcomes, runs, sources
from stepscope.core.store.worker import WorkerClaim

SIZE = Size(1080, 1920)


SPEC = RunSpec(
    Task.AUTOMATION, "noisy-copy", "data/phones", "motif", "aitw", (("text", "ignore"), ("direction", "axis")),
    split="test", limit=9, seed=3, device="cpu", predictions="p.jsonl", code_version="0.1", scorer_version="1",
)  # fmt: skip

SUMMARIES = (
    EpisodeSummary(
        "e1", "Play a song", "com.Spotify.music", Platform.ANDROID, 4, 4, (("tap", 2), ("type", 1)),
        Feasibility(FeasibilityLabel.FEASIBLE), splits=("train",),
    ),
    EpisodeSummary(
        "e2", "Öffne die Straße", None, Platform.WEB, 2, 1, (("press_key", 1),),
        Feasibility(FeasibilityLabel.INFEASIBLE, InfeasibilityReason.PREMATURE, ("Which one?", "Why?")),
        asks=2, splits=("test",), problems=(Problem("no tree", "e2", 1, "view_hierarchy", "1.xml"),),
    ),
    EpisodeSummary("e3", "50% off a_song", "shop", Platform.ANDROID, 10, 10, (("tap", 9),), splits=("train",)),
)  # fmt: skip
"""Three episodes unlike in everything that can be filtered."""


def tap(x=1.5, y=2.5):
    return ActionAnswer(Tap(Point(x, y, SIZE)))


def outcome(episode, step, value, *, reference="tap", answer=None, confidence=None, latency=None, malformed=False):
    """`value` None: unscored; "error": a broken item."""
    key = ItemKey(episode, step)
    if value == "error":
        return Outcome(
            key, Prediction(episode, step, None, PredictionStatus.FAILED, why="x"), Score.error("x"), reference
        )
    if malformed:
        prediction = Prediction(episode, step, None, PredictionStatus.MALFORMED, raw="?", why="not JSON")
        return Outcome(key, prediction, Score.scored(0, "nothing usable", malformed=True), reference)
    prediction = Prediction(episode, step, answer or tap(), confidence=confidence, latency_ms=latency, raw="CLICK 1")
    score = Score.unscored("no reference") if value is None else Score.scored(value, "because", distance=0.25)
    return Outcome(key, prediction, score, reference)


def store_run(database, *found):
    """Store a run with these outcomes; returns its id."""
    with database.unit_of_work() as db:
        run_id = runs.add(db, SPEC, [one.key.episode for one in found], WorkerClaim.here(), total=len(found))
        scoring = outcomes.scoring(db, run_id, SPEC.protocol, "1", SPEC.options, own=True)
        outcomes.add_many(db, run_id, scoring, found)
    return run_id


def store_two_runs(database):
    """A and B over e1 (taps at 0 and 1, typing at 2), and A alone over e3."""
    typed, back = ActionAnswer(Type("hi")), ActionAnswer(PressKey("back"))
    a = store_run(
        database,
        outcome("e1", 0, 1, confidence=0.9, latency=10),
        outcome("e1", 1, 0, confidence=0.3, latency=3000),
        outcome("e1", 2, 1, reference="type", answer=typed, confidence=0.8, latency=20),
        outcome("e3", 0, 0, malformed=True),
        outcome("e3", 1, None),
        outcome("e3", 2, "error"),
    )
    b = store_run(
        database,
        outcome("e1", 0, 1),
        outcome("e1", 1, 1),
        outcome("e1", 2, 0, reference="type", answer=back),
    )
    return {"A": a, "B": b}


def store_index(database):
    with database.unit_of_work() as db:
        return sources.replace_index(db, "data/phones", "motif", "f1", SUMMARIES).id


KINDS = ("memory", "file", "postgresql")


@contextmanager
def open_store(request, folder):
    """An empty store of the kind that the test is to run on."""
    if request.param == "postgresql":
        with request.getfixturevalue("postgresql").store() as url, Database.open(url) as opened:
            yield opened
        return
    url = "sqlite://" if request.param == "memory" else f"sqlite:///{folder}/one.db"
    with Database.open(url) as opened:
        yield opened


@pytest.fixture(params=KINDS)
def database(request, tmp_path):
    """An empty store."""
    with open_store(request, tmp_path) as opened:
        yield opened


@dataclass(frozen=True)
class Stocked:
    database: Database
    source_id: int
    runs: dict[str, str]


@pytest.fixture(scope="module", params=KINDS)
def stocked(request, tmp_path_factory):
    """A store with the three episodes and two runs, for tests that only read."""
    with open_store(request, tmp_path_factory.mktemp("stocked")) as opened:
        yield Stocked(opened, store_index(opened), store_two_runs(opened))


@pytest.fixture
def spec():
    return SPEC


@pytest.fixture
def summaries():
    return SUMMARIES


@pytest.fixture
def source_id(database):
    return store_index(database)


@pytest.fixture
def two_runs(database):
    return store_two_runs(database)


@pytest.fixture
def two_runs_in():
    return store_two_runs


@pytest.fixture
def add_run(database):
    return partial(store_run, database)


@pytest.fixture
def make_outcome():
    return outcome


@pytest.fixture(scope="module")
def outcome_of():
    """`make_outcome` for fixtures of a module."""
    return outcome


@pytest.fixture(scope="module")
def store():
    """Stores a run with these outcomes; returns its id."""
    return store_run


@pytest.fixture(scope="module")
def run_spec():
    return SPEC
