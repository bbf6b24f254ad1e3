"""A data set, a model and a rule that are small enough to work out by hand. Loaded by conftest.py and by the child
process that is killed."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from stepscope.core.domain.action import Finish, Tap
from stepscope.core.domain.episode import Episode, Observation, Platform, Step, summarise
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.prediction import ActionAnswer, Prediction, Task
from stepscope.core.domain.run import RunSpec
from stepscope.core.domain.score import Score
from stepscope.core.errors import SourceError, UsageError
from stepscope.core.evaluation.predictor import ModelInfo
from stepscope.core.scoring.option import Option
from stepscope.core.scoring.rule import ProtocolInfo, StepScorer, unusable
from stepscope.core.scoring.statistics import ratio
from stepscope.core.scoring.tally import Tally

SIZE = Size(100, 200)
SPEC = RunSpec(Task.AUTOMATION, "fake", "data/fake", "fake", "side", (("limit", "0.5"),))


def episode(name: str, taps: int, *, observed: bool = True) -> Episode:
    """`taps` taps at x 0, 1, 2, …, then a finish, then a last screen without an action when `observed`."""
    see = Observation(SIZE)
    steps = [Step(n, see, Tap(Point(n, 0, SIZE))) for n in range(taps)]
    steps.append(Step(taps, see, Finish()))
    if observed:
        steps.append(Step(taps + 1, see))
    return Episode(name, "fake", Platform.ANDROID, f"Goal of {name}", tuple(steps), app="app")


class FakeSource:
    """Episodes by id; None is one that cannot be read."""

    format = "fake"
    path = Path("data/fake")

    def __init__(self, episodes: dict[str, Episode | None]) -> None:
        self.episodes = episodes
        self.read_ids: list[str] = []

    @classmethod
    def of(cls, **taps: int) -> "FakeSource":
        return cls({name: episode(name, count) for name, count in taps.items()})

    def scan(self) -> Iterator[object]:
        for found in self.episodes.values():
            if found is not None:
                yield summarise(found)

    def read(self, episode_id: str) -> Episode:
        self.read_ids.append(episode_id)
        if episode_id not in self.episodes:
            raise UsageError(f"There is no episode {episode_id!r}.")
        found = self.episodes[episode_id]
        if found is None:
            raise SourceError("goal is missing", place="data/fake", record=episode_id, field="goal")
        return found


@dataclass
class FakePredictor:
    """Taps at the step's own number, which is right, but one to the side at every third step."""

    needs_reference: bool = False
    requests: list = field(default_factory=list)
    name: str = "fake"

    @property
    def info(self) -> ModelInfo:
        return ModelInfo(self.name, "Fake", Task.AUTOMATION, "for tests", "tests", needs_reference=self.needs_reference)

    def predict(self, request) -> Prediction:
        self.requests.append(request)
        x = request.step + (request.step % 3 == 2)
        return Prediction(request.episode, request.step, ActionAnswer(Tap(Point(x, 0, SIZE))), confidence=0.5)


class FakeScorer(StepScorer):
    """Right when the tap is at most `limit` pixels to the side; a finish is not judged. One metric."""

    info = ProtocolInfo(
        "side", "Side", Task.AUTOMATION, "7", "tests", (Option("limit", 0.5, "pixels", "ours"),), ("accuracy",)
    )

    def __init__(self) -> None:
        self.tallied: list[int] = []

    def score_step(self, step, prediction, options) -> Score:
        if not isinstance(step.action, Tap):
            return Score.unscored("A finish is not judged.")
        if prediction.action is None:
            return unusable(prediction)
        away = abs(prediction.action.point.x - step.action.point.x)
        return Score.scored(away <= options["limit"], f"{away:g} away", away=away)

    def region(self, step, options):
        return None

    def tally(self, items, options):
        self.tallied.append(len(items))
        columns = [np.bincount(items.unit, weights, items.episodes) for weights in (items.value, np.ones(len(items)))]
        return Tally(np.stack(columns, axis=1), {"accuracy": ratio(0, 1)}, items.unit), {}
