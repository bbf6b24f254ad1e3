"""Element affordance: which kinds of action the elements of a screen allow, at every step that has a UI tree (MoTIF,
section 6, future work; the task is ours).

What the tree declares is the right answer and is taken out of what a predictor gets to see. A kind that the format does
not tell, or makes up of an element's class, is not compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sqlalchemy.orm import Session

from stepscope.core.domain.action import Action, action_point
from stepscope.core.domain.affordance import Affordance, asked_elements, flagged, told_kinds, without_flags
from stepscope.core.domain.elements import UITree
from stepscope.core.domain.episode import Episode, Step
from stepscope.core.domain.prediction import Prediction, Task
from stepscope.core.domain.run import ItemKey
from stepscope.core.domain.score import Score
from stepscope.core.evaluation.predictor import ScreenRequest
from stepscope.core.evaluation.tasks.kind import Item, Setting
from stepscope.core.scoring.affordance_match import AllowedActions
from stepscope.core.scoring.rule import AggregatingScorer, Options
from stepscope.core.sources.source import Source

_DONE = {
    "tap": Affordance.TAP, "double_tap": Affordance.TAP, "long_press": Affordance.LONG_PRESS, "type": Affordance.TYPE,
}  # fmt: skip
"""Actions of which it is known which element they are done on."""
NO_TREE = "The screen has no UI tree."
NO_ELEMENTS = "The UI tree has no element that can be seen."
NOT_TOLD = "The data does not tell what its elements allow."


class Affordances:
    """`Item.material` is an `AllowedActions`. Nothing is asked about a screen without elements."""

    task = Task.AFFORDANCE
    protocol = "affordance"

    def items(self, source: Source, unit: str, setting: Setting) -> Iterator[Item]:
        episode = source.read(unit)
        for step in episode.steps:
            tree = step.observation.tree
            elements, left_out = ((), 0) if tree is None else asked_elements(tree)
            seen = step.observation if tree is None else replace(step.observation, tree=without_flags(tree))
            request = ScreenRequest(episode.id, step.index, episode.platform, seen, elements, episode.app)
            yield Item(ItemKey(episode.id, step.index), request, "", allowed_at(episode, step, elements, left_out))

    def score(self, item: Item, prediction: Prediction, scorer: AggregatingScorer, options: Options) -> Score:
        return scorer.score_item(item.material, prediction, options)

    def answer(self, item: Item, prediction: Prediction) -> Prediction:
        return prediction

    def count(self, db: Session, source_id: int, units: Sequence[str]) -> int | None:
        """Not known before reading: which steps could be read is not in the index."""
        return None


def allowed_at(episode: Episode, step: Step, elements: Sequence[int], left_out: int = 0) -> AllowedActions:
    """What the data says that these elements of the step's tree allow."""
    tree = step.observation.tree
    if tree is None:
        return AllowedActions({}, why=NO_TREE)
    if not elements:
        return AllowedActions({}, why=NO_ELEMENTS)
    told = told_kinds(episode, tree)
    if not told:
        return AllowedActions({}, (), why=NOT_TOLD)
    allowed = {index: flagged(tree.elements[index]) for index in elements}
    return AllowedActions(allowed, told, _done(step.action, tree, frozenset(elements), told), left_out)


def _done(
    action: Action | None, tree: UITree, elements: frozenset[int], told: Sequence[Affordance]
) -> tuple[int, Affordance] | None:
    kind = None if action is None else _DONE.get(action.kind)
    point = None if action is None else action_point(action)
    if kind is None or point is None or kind not in told:
        return None
    element = tree.target_at(point)
    return None if element is None or element.index not in elements else (element.index, kind)
