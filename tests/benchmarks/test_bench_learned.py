"""Throughput of each trained model through the engine, over what model and preparation allow together.

Nothing is kept from before: every text and every screen is looked at once, as at a first run on new data. Three things
take turns, so that other load meets them alike: the run; the model alone, all calls of encoders and head as the run
made them, with their inputs at hand; and the preparation alone, the same run with answers at hand instead of those
calls: reading, decoding, cutting, search, scoring. All of them take all cores, so a run that wastes nothing takes as
long as the other two together: 1/(1/model + 1/preparation) items a second, the ceiling.

What is paid once in a process (imports, the word lists of a rule) is paid by the run before the turns, and told.
`LEARNED_EPISODES=N` looks at the first N episodes; `LEARNED_SOURCE=PATH` at others than the sample's, such as those of
`stepscope sample build`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from stepscope.core.evaluation.runner import evaluate
from stepscope.core.evaluation.tasks import task_kind
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.registry import run_scorer
from stepscope.core.sources.registry import open_source
from stepscope.models.encoders.registry import VIEWS
from stepscope.models.features.cache import FeatureCache
from stepscope.models.features.vectors import Features, load_features
from stepscope.models.learned.head import load_head
from stepscope.models.learned.model_folders import TrainedModel, find_trained, shipped_folder
from stepscope.models.learned.predictor import LearnedPredictor, blank
from stepscope.models.learned.recipe import Recipe
from stepscope.models.learned.recipes import recipe
from tests.benchmarks.figures import Tell

MODELS = ("two-tower", "feasibility-mlp", "goal-retrieval", "pairwise-pointer", "ask-timing")
SAMPLE = Path(os.environ.get("LEARNED_SOURCE") or Path(shipped_folder()).parent / "sample" / "episodes")
EPISODES = int(os.environ.get("LEARNED_EPISODES", "1000000"))
ROUNDS = 3

Call = tuple[Callable[..., Any], tuple[Any, ...], Any]
"""What was called with what, and its answer."""


class Taped:
    """An encoder or a head whose answers are those on the tape, in order; without a tape its own, put onto `calls`."""

    def __init__(self, inner: Any, calls: list[Call]) -> None:
        self._inner, self._calls = inner, calls
        self.tape: Iterator[Call] | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def embed(self, given: Sequence[Any]) -> Any:
        return self._answer(self._inner.embed, given)

    def run(self, *inputs: Any) -> Any:
        return self._answer(self._inner.run, *inputs)

    def _answer(self, ask: Callable[..., Any], *inputs: Any) -> Any:
        if self.tape is None:
            found = ask(*inputs)
            self._calls.append((ask, inputs, found))
            return found
        _ask, before, found = next(self.tape)
        assert len(before[0]) == len(inputs[0])
        return found


class Bench:
    """A trained model, the episodes it is asked about, and what its networks were asked in the first run."""

    def __init__(self, trained: TrainedModel, runtime: str, folder: Path) -> None:
        self.kind: Recipe = recipe(trained.card.recipe)
        self._trained, self._runtime, self._folder = trained, runtime, folder
        plain = load_features(views=VIEWS if self.kind.pictures else "", device="cpu")
        head, _ = load_head(
            trained, self.kind, self.kind.collate([blank(self.kind, trained)]), device="cpu", runtime=runtime
        )
        self.calls: list[Call] = []
        self._texts = [Taped(one, self.calls) for one in plain._texts]
        self._views = [Taped(one, self.calls) for one in plain._views]
        self._head = Taped(head, self.calls)
        self._source = open_source(SAMPLE)
        self._units = [row.id for row in self._source.scan() if hasattr(row, "steps")][:EPISODES]

    def run(self) -> list[Any]:
        """All outcomes, with nothing kept from before."""
        kept = FeatureCache(self._folder / f"{time.perf_counter_ns()}.db")
        features = Features(self._texts, self._views, kept)
        predictor = LearnedPredictor(self._trained, self.kind, features, self._head, self._runtime)
        scorer = run_scorer(task_kind(self.kind.info.task).protocol)
        options = parse_options(scorer.info, {})
        found = [*evaluate(self._source, self._units, predictor, scorer, options)]
        kept.close()
        return found

    def preparation_alone(self) -> list[Any]:
        calls = list(self.calls)
        for one in (*self._texts, *self._views, self._head):
            one.tape = iter([call for call in calls if call[0].__self__ is one._inner])
        try:
            return self.run()
        finally:
            for one in (*self._texts, *self._views, self._head):
                one.tape = None

    @staticmethod
    def model_alone(calls: Sequence[Call]) -> None:
        for ask, inputs, _found in calls:
            ask(*inputs)


def seconds(work: Callable[[], Any]) -> tuple[float, float]:
    """By the clock, and of the processor."""
    begun, worked = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - begun, time.process_time() - worked


def told(outcomes: Sequence[Any]) -> list[Any]:
    """What is kept of the outcomes, without how long they took."""
    return [(one.key, one.prediction.answer, one.prediction.confidence, one.score) for one in outcomes]


@pytest.mark.parametrize("runtime", ["onnx", "torch"])
@pytest.mark.parametrize("name", MODELS)
def test_throughput(name: str, runtime: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], figure: Tell) -> None:
    trained = find_trained(name)
    if trained is None:
        pytest.skip(f"{name} is not made")
    bench = Bench(trained, runtime, tmp_path)
    first: list[Any] = []
    begun, _ = seconds(lambda: first.extend(bench.run()))
    calls = list(bench.calls)
    assert first
    assert told(bench.preparation_alone()) == told(first)

    turns = []
    for _ in range(ROUNDS):
        model = seconds(lambda: bench.model_alone(calls))
        whole = seconds(bench.run)
        bench.calls[:] = calls
        turns.append((model, seconds(bench.preparation_alone), whole))
    shares = [(model[0] + preparation[0]) / whole[0] for model, preparation, whole in turns]
    of_work = [(model[1] + preparation[1]) / whole[1] for model, preparation, whole in turns]
    figure(f"{name}, {runtime}: share of the ceiling", median(shares), budget=0.85, more=True)
    with capsys.disabled():
        (model, _), (preparation, _), (whole, _) = (
            tuple(median(part) for part in zip(*column, strict=True)) for column in zip(*turns, strict=True)
        )
        items = len(first)
        print(f"\n{name}, {runtime}: {items} items, the first time {begun:.1f} s (load {os.getloadavg()[0]:.1f})")
        print(f"  items a second: model {items / model:.1f}, preparation {items / preparation:.1f}")
        print(
            f"  run {items / whole:.1f}: {median(shares):.2f} ({min(shares):.2f} to {max(shares):.2f}) of the ceiling"
        )
        print(f"  (budget: 0.85), of processor time {median(of_work):.2f}; {model / whole:.2f} of the bare model")
