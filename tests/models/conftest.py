"""Hand-made screens and episodes for the predictors, and runs of them over the sample."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stepscope.core.domain.action import Action
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import EpisodeSummary, Observation, Platform
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.domain.score import ScoreStatus
from stepscope.core.evaluation.predictor import EpisodeRequest, StepRequest
from stepscope.core.evaluation.runner import evaluate
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.registry import run_scorer, step_metrics
from stepscope.core.scoring.rule import ScoredItem
from stepscope.core.sources.registry import open_source
from stepscope.core.sources.source import Source
from stepscope.models.registry import load

SIZE = Size(1000, 2000)


@pytest.fixture
def request_for() -> Callable[..., StepRequest]:
    """A request on a screen of elements, each a dict with `box` = (left, top, right, bottom) and any other fields."""

    def made(*elements: dict[str, Any], goal: str = "", **fields: Any) -> StepRequest:
        nodes = []
        for index, element in enumerate(elements):
            edges = element.pop("box")
            nodes.append(UIElement(index, Box(*edges, SIZE), **element))
        tree = UITree(tuple(nodes), TreeOrigin.VIEW_HIERARCHY, SIZE)
        observation = Observation(SIZE, tree=tree if nodes else None)
        return StepRequest(
            fields.pop("episode", "e"), fields.pop("step", 0), goal, Platform.ANDROID, observation, **fields
        )

    return made


@pytest.fixture
def episode_request() -> Callable[..., EpisodeRequest]:
    """A request about a whole episode "e" of Android with these actions, each on a screen of its own."""

    def made(*actions: Action | None, goal: str | None = None, app: str | None = None) -> EpisodeRequest:
        seen = tuple(Observation(SIZE) for _ in actions)
        return EpisodeRequest("e", goal, Platform.ANDROID, seen, actions, app)

    return made


@pytest.fixture(scope="session")
def sample() -> tuple[Source, tuple[str, ...]]:
    """The sample episodes and their ids."""
    source = open_source(Path(__file__).resolve().parents[2] / "resources" / "sample" / "episodes")
    return source, tuple(row.id for row in source.scan() if isinstance(row, EpisodeSummary))


@pytest.fixture
def run_on_sample(sample: tuple[Source, tuple[str, ...]]) -> Callable[..., dict[str, Any]]:
    """Metrics of a model on all episodes of the sample, under a protocol with these options. No item may fail."""

    def run(model: str, protocol: str, *, seed: int = 0, **options: str) -> dict[str, Any]:
        source, units = sample
        scorer = run_scorer(protocol)
        chosen = parse_options(scorer.info, options)
        outcomes = list(evaluate(source, units, load(model, seed=seed), scorer, chosen, seed=seed))
        assert not [outcome for outcome in outcomes if outcome.score.status is ScoreStatus.ERROR]
        items = [ScoredItem(one.key.episode, one.key.step, one.score) for one in outcomes]
        found = step_metrics(scorer, items, chosen)
        return {**found.as_dict(), "n": found.n, "unscored": found.unscored, "malformed": found.malformed}

    return run
