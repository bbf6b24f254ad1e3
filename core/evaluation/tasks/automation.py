"""Task automation: the next action at every step that has a reference action, a finish included (MoTIF, section 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sqlalchemy.orm import Session

from stepscope.core.domain.action import Action, Finish
from stepscope.core.domain.episode import Episode, Observation
from stepscope.core.domain.prediction import Prediction, Task
from stepscope.core.domain.run import ItemKey
from stepscope.core.domain.score import Score
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.evaluation.tasks.kind import Item, Setting
from stepscope.core.scoring.rule import AggregatingScorer, Options
from stepscope.core.sources.source import Source
from stepscope.core.store.repositories import sources


def with_finish(episode: Episode) -> Episode:
    """The episode with a finish on its last screen, where nothing was done on that; as it is where it has actions none
    or an end already. What AgentCPM-GUI's data add to AndroidControl (`process_ac.py`)."""
    *before, last = episode.steps or (None,)
    acted = [step.action for step in before if step is not None and step.action is not None]
    if last is None or last.action is not None or not acted or any(isinstance(one, Finish) for one in acted):
        return episode
    return replace(episode, steps=(*episode.steps[:-1], replace(last, action=Finish())))


class Automation:
    """`Item.material` is the step, without its instruction where the prompt has none."""

    task = Task.AUTOMATION
    protocol = "motif"

    def items(self, source: Source, unit: str, setting: Setting) -> Iterator[Item]:
        episode = source.read(unit)
        if setting.last_screen:
            episode = with_finish(episode)
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
            meant = replace(step, instruction=None) if setting.goal_alone else step
            yield Item(ItemKey(episode.id, step.index), request, step.action.kind, meant)
            history += (step.action,)
            past += (step.observation,)

    def score(self, item: Item, prediction: Prediction, scorer: AggregatingScorer, options: Options) -> Score:
        return scorer.score_item(item.material, prediction, options)

    def answer(self, item: Item, prediction: Prediction) -> Prediction:
        return prediction

    def count(self, db: Session, source_id: int, units: Sequence[str]) -> int | None:
        return sources.count_actions(db, source_id, units)
