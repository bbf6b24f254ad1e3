"""Task automation: the next action at every step that has a reference action, a finish included (MoTIF, section 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy.orm import Session

from stepscope.core.domain.action import Action
from stepscope.core.domain.episode import Observation
from stepscope.core.domain.prediction import Prediction, Task
from stepscope.core.domain.run import ItemKey
from stepscope.core.domain.score import Score
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.evaluation.tasks.kind import Item, Setting
from stepscope.core.scoring.rule import AggregatingScorer, Options
from stepscope.core.sources.source import Source
from stepscope.core.store.repositories import sources


class Automation:
    """`Item.material` is the step."""

    task = Task.AUTOMATION
    protocol = "motif"

    def items(self, source: Source, unit: str, setting: Setting) -> Iterator[Item]:
        episode = source.read(unit)
        history: tuple[Action, ...] = ()
        past: tuple[Observation, ...] = ()
        for step in episode.steps:
            if step.action is None:
                continue
            request = StepRequest(
                episode=episode.id,
                step=step.index,
                goal=episode.goal,
                platform=episode.platform,
                observation=step.observation,
                instruction=step.instruction,
                app=episode.app,
                history=history,
                reference=step.action if setting.show_reference else None,
                past=past[max(0, len(past) - setting.past_screens) :],
            )
            yield Item(ItemKey(episode.id, step.index), request, step.action.kind, step)
            history += (step.action,)
            past += (step.observation,)

    def score(self, item: Item, prediction: Prediction, scorer: AggregatingScorer, options: Options) -> Score:
        return scorer.score_item(item.material, prediction, options)

    def answer(self, item: Item, prediction: Prediction) -> Prediction:
        return prediction

    def count(self, db: Session, source_id: int, units: Sequence[str]) -> int | None:
        return sources.count_actions(db, source_id, units)
