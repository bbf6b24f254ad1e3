"""Task feasibility: whether the goal can be reached in this app, from the states that were visited (MoTIF, section 4).

Every episode is an item; one that nobody labelled is unscored. How the episode was ended, as done or as impossible, is
not shown. Of an episode in words, such as a plan, the steps' words are the states.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy.orm import Session

from stepscope.core.domain.episode import Platform
from stepscope.core.domain.prediction import Prediction, Task
from stepscope.core.domain.run import ItemKey
from stepscope.core.domain.score import Score
from stepscope.core.evaluation.predictor import EpisodeRequest
from stepscope.core.evaluation.tasks.kind import WHOLE_EPISODE, Item, Setting, done_in
from stepscope.core.scoring.rule import AggregatingScorer, Options
from stepscope.core.sources.source import Source


class Feasibilities:
    """`Item.material` is the episode's `Feasibility`."""

    task = Task.FEASIBILITY
    protocol = "feasibility"

    def items(self, source: Source, unit: str, setting: Setting) -> Iterator[Item]:
        episode = source.read(unit)
        label = episode.feasibility.label
        word = label.value if label else ""
        request = EpisodeRequest(
            episode=episode.id,
            goal=episode.goal,
            platform=episode.platform,
            observations=tuple(step.observation for step in episode.steps),
            actions=done_in(episode),
            app=episode.app,
            reference=word if setting.show_reference and word else None,
            instructions=(
                tuple(step.instruction or "" for step in episode.steps)
                if setting.step_instructions and episode.platform is not Platform.TEXT
                else ()
            ),
            words=tuple(step.instruction or "" for step in episode.steps) if episode.platform is Platform.TEXT else (),
        )
        yield Item(ItemKey(episode.id, WHOLE_EPISODE), request, word, episode.feasibility)

    def score(self, item: Item, prediction: Prediction, scorer: AggregatingScorer, options: Options) -> Score:
        return scorer.score_item(item.material, prediction, options)

    def answer(self, item: Item, prediction: Prediction) -> Prediction:
        return prediction

    def count(self, db: Session, source_id: int, units: Sequence[str]) -> int | None:
        return len(units)
