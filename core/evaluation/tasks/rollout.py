"""Roll-outs: the goal of every episode, to be reached alone (MoTIF, section 5.1: the test-time environment)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy.orm import Session

from stepscope.core.domain.prediction import Prediction, Task
from stepscope.core.domain.run import ItemKey
from stepscope.core.domain.score import Score
from stepscope.core.evaluation.predictor import WalkRequest
from stepscope.core.evaluation.tasks.kind import WHOLE_EPISODE, Item, Setting
from stepscope.core.scoring.rollout import WalkReference
from stepscope.core.scoring.rule import AggregatingScorer, Options
from stepscope.core.sources.source import Source


class Rollouts:
    """`Item.material` is a `WalkReference`."""

    task = Task.ROLLOUT
    protocol = "rollout"

    def items(self, source: Source, unit: str, setting: Setting) -> Iterator[Item]:
        episode = source.read(unit)
        label = episode.feasibility.label
        request = WalkRequest(episode.id, episode.goal, episode.platform, episode.app)
        yield Item(
            ItemKey(episode.id, WHOLE_EPISODE),
            request,
            label.value if label else "",
            WalkReference(episode.feasibility),
        )

    def score(self, item: Item, prediction: Prediction, scorer: AggregatingScorer, options: Options) -> Score:
        return scorer.score_item(item.material, prediction, options)

    def answer(self, item: Item, prediction: Prediction) -> Prediction:
        return prediction

    def count(self, db: Session, source_id: int, units: Sequence[str]) -> int | None:
        return len(units)
