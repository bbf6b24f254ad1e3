"""Grounding: the place of what an expression means, at every step that has an expression and an element (SeeClick,
section 4; UIBert, section 4.2: referring expressions).

The expression is the step's instruction, or the goal of an episode of one step. Nothing of what was done before is
told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy.orm import Session

from stepscope.core.domain.action import Action, Finish, FinishStatus, action_target
from stepscope.core.domain.episode import Episode, Platform, Step
from stepscope.core.domain.prediction import Prediction, Task
from stepscope.core.domain.run import ItemKey
from stepscope.core.domain.score import Score
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.evaluation.tasks.kind import Item, Setting
from stepscope.core.scoring.grounding import SURFACES, TYPES, MeantElement
from stepscope.core.scoring.rule import AggregatingScorer, Options
from stepscope.core.sources.source import Source
from stepscope.core.store.repositories import sources

_POINTING = ("tap", "long_press", "double_tap", "hover")
PLATFORM, TYPE = "platform/", "type/"
"""How a data set says in an episode's splits which platform and type of element an expression is about."""


class Grounding:
    """`Item.material` is the element that is meant."""

    task = Task.GROUNDING
    protocol = "grounding"

    def items(self, source: Source, unit: str, setting: Setting) -> Iterator[Item]:
        episode = source.read(unit)
        for step in episode.steps:
            expression = expression_of(episode, step)
            if step.action is None or not expression or not _points(episode, step.action):
                continue
            request = StepRequest(
                episode=episode.id,
                step=step.index,
                goal=expression,
                platform=episode.platform,
                observation=step.observation,
                instruction=expression,
                app=episode.app,
                reference=step.action if setting.show_reference else None,
            )
            meant = meant_by(episode, step, step.action)
            word = "refusal" if meant.refusal else meant.kind
            yield Item(ItemKey(episode.id, step.index), request, word, meant)

    def score(self, item: Item, prediction: Prediction, scorer: AggregatingScorer, options: Options) -> Score:
        return scorer.score_item(item.material, prediction, options)

    def answer(self, item: Item, prediction: Prediction) -> Prediction:
        return prediction

    def count(self, db: Session, source_id: int, units: Sequence[str]) -> int | None:
        """Known where every episode is one expression; of longer ones it is not known which steps point."""
        counted = sources.count_actions(db, source_id, units)
        return counted if counted == len(units) else None


def expression_of(episode: Episode, step: Step) -> str:
    """What is asked for at the step, "" where nothing is."""
    return step.instruction or (episode.goal if len(episode.steps) == 1 else "")


def meant_by(episode: Episode, step: Step, action: Action) -> MeantElement:
    """The element that is pointed at, with what the data says of it."""
    if isinstance(action, Finish):
        return MeantElement(None, refusal=True)
    target = action_target(action)
    named = [split.removeprefix(PLATFORM) for split in episode.splits if split.startswith(PLATFORM)]
    surface = next(
        (name for name in named if name in SURFACES), "web" if episode.platform is Platform.WEB else "mobile"
    )
    box = None if target is None else target.box
    return MeantElement(box, surface=surface, kind=_type(episode, step, target.text if target else ""))


def _type(episode: Episode, step: Step, words: str) -> str:
    """Text or icon, as the data says; else by the words of the element (ours)."""
    named = [split.removeprefix(TYPE) for split in episode.splits if split.startswith(TYPE)]
    said = next((name for name in named if name in TYPES), "")
    if said or step.observation.tree is None:
        return said
    return "text" if words.strip() else "icon"


def _points(episode: Episode, action: Action) -> bool:
    """Whether the action is a place, or says of an expression that there is none; where more was done, giving up is
    the end of a task."""
    if isinstance(action, Finish):
        return action.status is FinishStatus.IMPOSSIBLE and len(episode.steps) == 1
    return action.kind in _POINTING
