"""The fakes, and a store in memory, in a file and on a server."""

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from stepscope.core.domain.action import Tap
from stepscope.core.domain.geometry import Point
from stepscope.core.domain.prediction import ActionAnswer, Prediction
from stepscope.core.evaluation.runs import EvaluationRun
from stepscope.core.progress import CancelToken
from stepscope.core.scoring import registry
from stepscope.core.store.engine import Database


def _load(name):
    spec = importlib.util.spec_from_file_location(f"evaluation_{name}", Path(__file__).with_name(f"{name}.py"))
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


_FAKES = _load("fakes")
_load("bundled")


@pytest.fixture
def fakes():
    return _FAKES


@pytest.fixture(params=["memory", "file", "postgresql"])
def database(request, tmp_path):
    if request.param == "postgresql":
        with request.getfixturevalue("postgresql").store() as url, Database.open(url) as opened:
            yield opened
        return
    url = "sqlite://" if request.param == "memory" else f"sqlite:///{tmp_path}/one.db"
    with Database.open(url) as opened:
        yield opened


@pytest.fixture
def side_rule(monkeypatch, fakes):
    """The fake rule, known as `side`."""
    scorer = fakes.FakeScorer()
    monkeypatch.setitem(registry.PROTOCOLS._loaded, "side", scorer)
    return scorer


@pytest.fixture
def aside(fakes):
    """A model that taps 1 pixel aside at these (episode, step), and breaks at `broken`."""

    class Aside(fakes.FakePredictor):
        def __init__(self, wrong, broken=(), name="fake"):
            super().__init__(name=name)
            self.wrong, self.broken = wrong, broken

        def predict(self, request):
            key = (request.episode, request.step)
            if key in self.broken:
                raise RuntimeError("broken")
            place = Point(request.step + (key in self.wrong), 0, fakes.SIZE)
            return Prediction(*key, ActionAnswer(Tap(place)))

    return Aside


@pytest.fixture
def evaluate(database, fakes):
    def evaluate(source, predictor, /, *, until=None, **settings):
        spec = replace(fakes.SPEC, **settings)
        token = CancelToken()
        run = EvaluationRun.start(
            database, spec, source, list(source.episodes), predictor, fakes.FakeScorer(), token=token
        )
        for update in run.updates():
            if update.progress.done == until:
                token.cancel()
        return run.run_id

    return evaluate


class Clock:
    """Time that passes only when it is told to."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()
