"""Goal identification: which goal a trajectory was after, told from its screens and actions (User goals from UI
trajectories, 2024).

Every episode is an item, or, where the goal is guessed while it happens, every step with all before it; an episode
without a goal is unscored. The final mark that the task is over is left out (paper).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sqlalchemy.orm import Session

from stepscope.core.domain.episode import Episode
from stepscope.core.domain.prediction import Prediction, Task
from stepscope.core.domain.run import ItemKey
from stepscope.core.domain.score import Score
from stepscope.core.evaluation.predictor import EpisodeRequest
from stepscope.core.evaluation.tasks.kind import WHOLE_EPISODE, Item, Setting, done_in
from stepscope.core.scoring.rule import AggregatingScorer, Options
from stepscope.core.sources.source import Source


def goal_request(episode: Episode) -> EpisodeRequest:
    """The question what the goal of the episode was."""
    return EpisodeRequest(
        episode=episode.id,
        goal=None,
        platform=episode.platform,
        observations=tuple(step.observation for step in episode.steps),
        actions=done_in(episode),
        app=episode.app,
    )


def up_to(request: EpisodeRequest, count: int) -> EpisodeRequest:
    """The question after the first `count` steps, with what was done on the last of them."""
    if count == len(request.observations):
        return request
    return replace(
        request,
        observations=request.observations[:count],
        actions=request.actions[:count],
        words=request.words[:count],
        instructions=request.instructions[:count],
    )


class Goals:
    """`Item.material` is the goal: the full one, where what the agent was told leaves something out."""

    task = Task.GOAL
    protocol = "goal_text"

    def items(self, source: Source, unit: str, setting: Setting) -> Iterator[Item]:
        episode = source.read(unit)
        goal = episode.goal if episode.original_goal is None else episode.original_goal
        request = goal_request(episode)
        if setting.show_reference and goal:
            request = replace(request, reference=goal)
        if setting.after_each_step:
            for count, step in enumerate(episode.steps, 1):
                yield Item(ItemKey(episode.id, step.index), up_to(request, count), "", goal)
            return
        yield Item(ItemKey(episode.id, WHOLE_EPISODE), request, "", goal)

    def score(self, item: Item, prediction: Prediction, scorer: AggregatingScorer, options: Options) -> Score:
        return scorer.score_item(item.material, prediction, options)

    def answer(self, item: Item, prediction: Prediction) -> Prediction:
        return prediction

    def count(self, db: Session, source_id: int, units: Sequence[str]) -> int | None:
        return len(units)
