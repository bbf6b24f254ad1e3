"""What became of asking in each episode of a run: whether it was asked when a question was due, which steps only the
answer rescued, which asks nobody needed; and an episode step by step as lanes, one for each stream.

All of it out of stored answers and their scores. The words are ours; the streams are those of Navi-plus, figure 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import StrEnum

from stepscope.core.domain.action import Action, AskUser
from stepscope.core.domain.episode import Ask, Episode
from stepscope.core.domain.prediction import AskAnswer, Prediction
from stepscope.core.domain.run import Outcome
from stepscope.core.domain.score import ScoreStatus
from stepscope.core.evaluation.ask_checks import ask_doubts
from stepscope.core.evaluation.ask_settings import AskedEpisodes, AskSwitches
from stepscope.core.evaluation.missing_value import missing_value
from stepscope.core.evaluation.tasks.ask import due_asks
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.ask_steps import ScoredAskStep, asked_steps, by_due
from stepscope.core.scoring.ask_streams import AskSetting, CountedStep, Stream, counted
from stepscope.core.scoring.rule import ScoredItem
from stepscope.core.scoring.scored_items import ScoredItems


class AskOutcome(StrEnum):
    """What became of asking in an episode; of several questions the worst stands for it."""

    WHEN_DUE = "asked when due"
    NOT_WHEN_DUE = "asked, but not when due"
    MISSED = "missed ask"
    NOT_NEEDED = "nobody needed it"
    """it asked, and nothing was missing"""
    QUIET = "nothing to ask"
    """nothing was missing, and it did not ask"""


@dataclass(frozen=True, slots=True)
class AskEpisodeRow:
    """An episode in a list. `without` and `with_ask` have an entry a step, in the order of `steps`: whether it is right
    when the agent cannot ask, and as it counts; None: left out. `asked` are the steps at which the person is asked,
    `due` those at which a question is due, `missed` those of them that were not asked for by then, `rescued` the steps
    that are right only with the answer, `needless` the asks that brought nothing."""

    name: str
    outcome: AskOutcome
    steps: tuple[int, ...]
    without: tuple[bool | None, ...]
    with_ask: tuple[bool | None, ...]
    asked: tuple[int, ...]
    due: tuple[int, ...]
    missed: tuple[int, ...]
    rescued: tuple[int, ...]
    needless: tuple[int, ...]


def episode_rows(asked: AskedEpisodes, switches: AskSwitches | None = None) -> tuple[AskEpisodeRow, ...]:
    """A row for each episode of a run, in its order."""
    chosen = switches or AskSwitches()
    return tuple(_row(name, steps, chosen) for name, steps in zip(asked.names, asked.episodes, strict=True))


def by_outcome(rows: Sequence[AskEpisodeRow]) -> dict[AskOutcome, tuple[AskEpisodeRow, ...]]:
    """The rows of each outcome; every outcome is there."""
    return {outcome: tuple(row for row in rows if row.outcome is outcome) for outcome in AskOutcome}


def _row(name: str, steps: Sequence[ScoredAskStep], switches: AskSwitches) -> AskEpisodeRow:
    mine = sorted(counted(steps, switches.rule(switches.setting)), key=lambda one: one.step.step)
    alone = {one.step.step: one.right for one in counted(steps, switches.rule(AskSetting.INCOMPLETE))}
    due = sorted({one.due for one in steps if one.due is not None})
    return AskEpisodeRow(
        name,
        outcome_of(steps),
        tuple(one.step.step for one in mine),
        tuple(alone[one.step.step] for one in mine),
        tuple(one.right for one in mine),
        tuple(one.step.step for one in mine if one.asks),
        tuple(due),
        tuple(one for one in due if _first_ask(steps, one) is None or _offset(steps, one) > 0),
        tuple(one.step.step for one in mine if is_rescued(one, alone[one.step.step])),
        tuple(one.step.step for one in mine if is_needless(one, steps)),
    )


def outcome_of(steps: Sequence[ScoredAskStep]) -> AskOutcome:
    """By the first ask about each question: of several questions a missed one stands for the episode, else one that was
    not asked for when it was due."""
    dues = {step.due for step in steps if step.due is not None}
    if not dues:
        return AskOutcome.NOT_NEEDED if any(step.asked for step in steps) else AskOutcome.QUIET
    if any(_first_ask(steps, due) is None for due in dues):
        return AskOutcome.MISSED
    return AskOutcome.WHEN_DUE if all(_offset(steps, due) == 0 for due in dues) else AskOutcome.NOT_WHEN_DUE


def is_rescued(one: CountedStep, without: bool | None) -> bool:
    """Whether a step is wrong when the agent cannot ask (`without`) and right with the answer. The due step itself is
    judged by asking: there it is about what the agent does once answered."""
    if without is not False or not one.right:
        return False
    return bool(one.step.right_after) if one.due else one.stream is Stream.SECOND


def is_needless(one: CountedStep, steps: Sequence[ScoredAskStep]) -> bool:
    """Whether the person is asked where nothing is missing, or once more after the question was asked."""
    due = one.step.due
    return one.asks and (due is None or (not one.due and one.step.step != _first_ask(steps, due)))


def _first_ask(steps: Sequence[ScoredAskStep], due: int) -> int | None:
    return next((step.step for step in by_due(steps)[due] if step.asked), None)


def _offset(steps: Sequence[ScoredAskStep], due: int) -> int:
    """How many steps after the due one the first ask about it came; below 0: before."""
    first = _first_ask(steps, due)
    assert first is not None
    return first - due


@dataclass(frozen=True, slots=True)
class StreamCell:
    """What one stream did at a step: its action, or its question. `right`: None where nothing can be said."""

    action: Action | None = None
    question: str | None = None
    right: bool | None = None


@dataclass(frozen=True, slots=True)
class LaneStep:
    """A step of an episode. `reference` is what was recorded, `due` the question that is due here.

    `whole`, `first` and `second` are the streams, None where one did not run; `unasked` what it does where it may not
    ask. `second` is there from the agent's first ask on, where the answer was in its context. `counts` names the stream
    that counts, `right` whether the step is right by it (None: left out), `asks` whether the person is asked here.
    `offset`: of the first ask about a question, how many steps after the due one it came, below 0 before it."""

    index: int
    reference: Action | None
    due: Ask | None
    whole: StreamCell | None
    first: StreamCell | None
    second: StreamCell | None
    unasked: StreamCell | None
    counts: Stream
    right: bool | None
    asks: bool
    offset: int | None = None
    rescued: bool = False
    needless: bool = False
    error: str = ""
    """why the step has no score"""


@dataclass(frozen=True, slots=True)
class QuestionBeside:
    """A question that is due, with the agent's first about it: `asked` None where there is none. `kind` of the value
    that is missing; `likeness` has cos_sim and meteor as far as they were measured."""

    ask: Ask
    kind: str
    asked: str | None
    step: int | None
    likeness: Mapping[str, float] = field(default_factory=dict)

    @property
    def offset(self) -> int | None:
        return None if self.step is None else self.step - self.ask.step


@dataclass(frozen=True, slots=True)
class AskLanes:
    """An episode with all its streams."""

    episode: str
    goal: str
    whole_goal: str | None
    outcome: AskOutcome
    steps: tuple[LaneStep, ...]
    questions: tuple[QuestionBeside, ...]
    doubts: tuple[str, ...] = ()
    """what is odd about the data's questions"""

    @property
    def rescued(self) -> tuple[int, ...]:
        return tuple(step.index for step in self.steps if step.rescued)


def ask_kinds(episode: Episode) -> dict[int, str]:
    """The kind of each value that is missing, by the step at which the question is due."""
    actions = {step.index: step.action for step in episode.steps}
    return {ask.step: missing_value(ask, actions.get(ask.step)) for ask in due_asks(episode)}


def ask_lanes(
    episode: Episode,
    outcomes: Sequence[Outcome],
    switches: AskSwitches | None = None,
    scored: Sequence[ScoredAskStep] | None = None,
) -> AskLanes:
    """The lanes of an episode of a run. `outcomes` are its items; `scored` its steps where they are other than the
    scores say, such as at another threshold (`ask_cost.asking_above`)."""
    chosen = switches or AskSwitches()
    steps = scored_steps(outcomes) if scored is None else scored
    said = {one.key.step: one for one in outcomes}
    mine = {one.step.step: one for one in counted(steps, chosen.rule(chosen.setting))}
    alone = {one.step.step: one.right for one in counted(steps, chosen.rule(AskSetting.INCOMPLETE))}
    asks = {ask.step: ask for ask in due_asks(episode)}
    kinds = ask_kinds(episode)
    found = []
    for step in episode.steps:
        if (outcome := said.get(step.index)) is not None:
            one = mine.get(step.index)
            found.append(_lane_step(step.action, outcome, one, steps, asks.get(step.index), alone.get(step.index)))
    questions = tuple(_beside(ask, kinds[ask.step], steps, said) for ask in asks.values())
    goals = episode.goal, episode.original_goal
    return AskLanes(episode.id, *goals, outcome_of(steps), tuple(found), questions, ask_doubts(episode))


def scored_steps(outcomes: Sequence[Outcome]) -> tuple[ScoredAskStep, ...]:
    """The scored steps among an episode's items."""
    kept = [one for one in outcomes if one.score.status is ScoreStatus.SCORED]
    return tuple(asked_steps(ScoredItems.of([ScoredItem(one.key.episode, one.key.step, one.score) for one in kept])))


def _lane_step(
    reference: Action | None,
    outcome: Outcome,
    one: CountedStep | None,
    steps: Sequence[ScoredAskStep],
    due: Ask | None,
    alone: bool | None,
) -> LaneStep:
    answer, index = _answer(outcome.prediction), outcome.key.step
    if one is None:
        why = outcome.score.why
        return LaneStep(index, reference, due, None, None, None, None, Stream.FIRST, None, asks=False, error=why)
    mine = one.step
    first_ask = None if mine.due is None else _first_ask(steps, mine.due)
    told = one.stream is Stream.SECOND or (one.due and mine.asked)
    own = bool(mine.right) and not mine.asked if mine.judged else None
    acted = StreamCell(None if answer is None else answer.action, None, own)
    return LaneStep(
        index,
        reference,
        due,
        _cell(answer, "whole", mine.right_whole),
        StreamCell(None, _question(answer), own) if mine.asked else acted,
        _cell(answer, "after", mine.right_after) if told else None,
        _cell(answer, "unasked", mine.right_unasked),
        one.stream,
        one.right,
        one.asks,
        index - mine.due if mine.due is not None and first_ask == index else None,
        is_rescued(one, alone),
        is_needless(one, steps),
    )


def _answer(prediction: Prediction) -> AskAnswer | None:
    return prediction.answer if isinstance(prediction.answer, AskAnswer) else None


def _question(answer: AskAnswer | None) -> str:
    """The words of an ask; "" where it asks at this threshold only, and said none."""
    return "" if answer is None or answer.question is None else answer.question


def _cell(answer: AskAnswer | None, name: str, right: bool | None) -> StreamCell | None:
    action: Action | None = None if answer is None else getattr(answer, name)
    if action is None:
        return None
    return StreamCell(None, action.text, right) if isinstance(action, AskUser) else StreamCell(action, None, right)


def _beside(ask: Ask, kind: str, steps: Sequence[ScoredAskStep], said: Mapping[int, Outcome]) -> QuestionBeside:
    mine = by_due(steps).get(ask.step, ())
    first = next((step for step in mine if step.asked), None)
    if first is None:
        return QuestionBeside(ask, kind, None, None)
    return QuestionBeside(ask, kind, _question(_answer(said[first.step].prediction)), first.step, first.likeness)
