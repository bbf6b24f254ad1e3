"""Asking: at every step of an episode the agent may put a question; it should exactly where one is due (Navi-plus,
section 2.3).

Steps are those with a reference action, and those at which a question is due. The agent gets the goal as it was told,
the screen and the actions before, never an instruction, which may hold what the goal leaves out, and no ask.

The request has besides what the person would answer (`StepRequest.reply`): an agent that acts needs it for the second
stream, in which it has asked already. It must ask without a look at it. After the step at which the last question is
due it is there as well: whoever has asked knows it from then on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy.orm import Session

from stepscope.core.domain.action import Action, AskUser
from stepscope.core.domain.episode import ONE_TOO_MANY, Ask, Episode, Observation, Step
from stepscope.core.domain.prediction import ASKS, ASKS_NOT, Prediction, Task
from stepscope.core.domain.run import ItemKey
from stepscope.core.domain.score import Score
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.evaluation.tasks.kind import Item, Setting
from stepscope.core.scoring.ask_steps import DueAsk
from stepscope.core.scoring.rule import AggregatingScorer, Options
from stepscope.core.sources.source import Source
from stepscope.core.store.repositories import sources


class Asks:
    """`Item.material` is the step's `DueAsk`."""

    task = Task.ASK
    protocol = "ask"

    def items(self, source: Source, unit: str, setting: Setting) -> Iterator[Item]:
        episode = source.read(unit)
        history: tuple[Action, ...] = ()
        past: tuple[Observation, ...] = ()
        for step in episode.steps:
            ask = ask_for(episode, step.index)
            due = ask is not None and ask.step == step.index
            if step.action is not None or due:
                request = StepRequest(
                    episode=episode.id,
                    step=step.index,
                    goal=episode.goal,
                    platform=episode.platform,
                    observation=step.observation,
                    app=episode.app,
                    history=history,
                    reply=None if ask is None or not ask.answer.strip() else (ask.question, ask.answer),
                    whole=episode.original_goal,
                    reference=_shown(step, ask if due else None) if setting.show_reference else None,
                    past=past[max(0, len(past) - setting.past_screens) :],
                )
                partial = episode.original_goal not in (None, episode.goal)
                material = DueAsk(step.index, None, reference=step, partial=partial)
                if ask is not None:
                    material = DueAsk(step.index, ask.step, ask.question, step, partial)
                yield Item(ItemKey(episode.id, step.index), request, ASKS if due else ASKS_NOT, material)
            if step.action is not None and not isinstance(step.action, AskUser):
                history += (step.action,)
                past += (step.observation,)

    def score(self, item: Item, prediction: Prediction, scorer: AggregatingScorer, options: Options) -> Score:
        return scorer.score_item(item.material, prediction, options)

    def answer(self, item: Item, prediction: Prediction) -> Prediction:
        return prediction

    def count(self, db: Session, source_id: int, units: Sequence[str]) -> int | None:
        """The reference actions; None where there are none, for a question may be due all the same."""
        return sources.count_actions(db, source_id, units) or None


def _shown(step: Step, ask: Ask | None) -> Action | None:
    """What a predictor for tests is shown as right: the ask where one is due, the step's action elsewhere."""
    return step.action if ask is None else AskUser(ask.question)


def ask_for(episode: Episode, step: int) -> Ask | None:
    """The question that this step is judged by: the next that is due from here on, after the last one that one.

    An episode with several falls into as many stretches, each up to its own question, the last to the episode's end
    (ours: the paper has one question at most). One that is due at a step which the episode does not have, such as after
    its end, is none.
    """
    asks = due_asks(episode)
    return next((one for one in asks if one.step >= step), asks[-1]) if asks else None


def due_asks(episode: Episode) -> list[Ask]:
    """The questions of the episode's own steps by these steps. Several at a step are one: their words, and their
    answers, one after the other; one that an agent put behind its limit was not due (ours)."""
    present = {one.index for one in episode.steps}
    found: dict[int, Ask] = {}
    for one in sorted(episode.asks, key=lambda ask: ask.step):
        if one.step in present and one.kind != ONE_TOO_MANY:
            known = found.get(one.step)
            found[one.step] = one if known is None else _together(known, one)
    return [*found.values()]


def _together(one: Ask, other: Ask) -> Ask:
    def words(first: str, second: str) -> str:
        return " ".join(dict.fromkeys(filter(None, (first.strip(), second.strip()))))

    question, answer = words(one.question, other.question), words(one.answer, other.answer)
    return Ask(one.step, question, answer, one.kind or other.kind)
