"""The contract between a task and the runner."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from sqlalchemy.orm import Session

from stepscope.core.domain.action import Action, Finish
from stepscope.core.domain.episode import Episode
from stepscope.core.domain.prediction import Prediction, Task
from stepscope.core.domain.run import ItemKey
from stepscope.core.domain.score import Score
from stepscope.core.evaluation.predictor import Request
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.rule import AggregatingScorer, Options
from stepscope.core.sources.source import Source

WHOLE_EPISODE = -1
"""`ItemKey.step` of an item about a whole episode, and of an episode that could not be read."""


def done_in(episode: Episode) -> tuple[Action | None, ...]:
    """What was done at each step, without the mark that the task is over: it tells whether the goal could be reached,
    and that is what a predictor of whole episodes is to find out."""
    return tuple(None if isinstance(step.action, Finish) else step.action for step in episode.steps)


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to predict and to score. `reference` is a word for the right answer (the kind of an action, a label)
    by which confusions are counted, "" when there is none; `material` is what the rule compares with."""

    key: ItemKey
    request: Request
    reference: str
    material: Any


@dataclass(frozen=True, slots=True)
class Setting:
    """The settings of a run that decide how its items look: `seed` shuffles what has to be shuffled, `show_reference`
    lets a predictor for tests see the right answer, `demonstrations` is how many solved pages a predictor wants to
    see, `past_screens` how many screens before the step's. With `last_screen` the screen that an episode ends on is
    asked about too where nothing was done on it, and finishing is right. `goal_alone`: the prompt has no instruction of
    the step, so that a rule which reads the prompt has none either. `step_instructions`: whoever judges a whole episode
    reads the instructions of its steps. `after_each_step`: a trajectory is asked about after each of its steps."""

    seed: int = 0
    show_reference: bool = False
    demonstrations: int = 0
    past_screens: int = 0
    last_screen: bool = False
    goal_alone: bool = False
    step_instructions: bool = False
    after_each_step: bool = False


class TaskKind(Protocol):
    """A task. `protocol` is the rule where none is chosen. Nothing here keeps a state."""

    task: Task
    protocol: str

    def items(self, source: Source, unit: str, setting: Setting) -> Iterator[Item]:
        """The items of one row of the source (an episode, a procedure, an instance), read when asked for.

        Raises what the source raises.
        """
        ...

    def score(self, item: Item, prediction: Prediction, scorer: AggregatingScorer, options: Options) -> Score:
        """The rule's score of a prediction that answers this item's request."""
        ...

    def answer(self, item: Item, prediction: Prediction) -> Prediction:
        """The prediction in the words of the data, where the request used others (places for the ids of steps)."""
        ...

    def count(self, db: Session, source_id: int, units: Sequence[str]) -> int | None:
        """How many items these rows of an indexed source have; None where that is not known before reading."""
        ...
