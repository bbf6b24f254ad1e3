"""`rules`: ambiguous tasks without a model (ours); the same episode has the same tasks, always.

What goal and step share is taken out of the goal; steps that share the same words have one question, at the first of
them. Which of several are left out is drawn by seed and episode; those that leave out more leave out the same and more.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

from stepscope.core.domain.ambiguous_task import RULES, Cut, MissingPiece, PieceKind, StepReading, StepRole
from stepscope.core.domain.episode import Episode, Step
from stepscope.core.domain.goal_words import with_cuts
from stepscope.core.progress import CancelToken
from stepscope.models.ask.making.asking_words import answer_for, question_for
from stepscope.models.ask.making.goal_cutting import WordRun, cut_out, noun_after, runs_of
from stepscope.models.ask.making.maker import EpisodeDrafts, TaskDraft
from stepscope.models.ask.making.shared_words import SharedWords, StepText, goal_words, kind_of_value, shared
from stepscope.models.ask.making.step_texts import done_steps, instruction_of, texts_of

Thing = TypeVar("Thing")
VERSION = "rules 1"
"""Changes with what the rules make of the same episode."""


class SharedValue(NamedTuple):
    """A value of the goal that steps need: its words in the goal, the first of the steps, all of them, the step's text
    that has the most of it, and every place of the goal where it stands."""

    run: WordRun
    step: int
    steps: tuple[int, ...]
    text: StepText
    runs: tuple[WordRun, ...]
    kind: PieceKind


class RuleTaskMaker:
    """See `AskTaskMaker`."""

    name = RULES
    at_once = 1

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    @property
    def version(self) -> str:
        return VERSION if not self._seed else f"{VERSION}, seed {self._seed}"

    def set_token(self, token: CancelToken) -> None:
        """It takes no time."""

    def make(self, episode: Episode, removed: Sequence[int]) -> EpisodeDrafts:
        """See `AskTaskMaker`."""
        steps, goal = done_steps(episode), episode.goal
        values = shared_values(goal, steps)
        order = drawn([value for value in values if cut_out(goal, [(value.runs, value.kind)])], self._seed, episode.id)
        readings = tuple(_reading(episode, step, values) for step in steps)
        return EpisodeDrafts(tuple(self._draft(goal, order, count) for count in removed), readings)

    def _draft(self, goal: str, order: Sequence[SharedValue], count: int) -> TaskDraft:
        chosen = sorted(order[:count], key=lambda value: value.run)
        cuts = cut_out(goal, [(value.runs, value.kind) for value in chosen]) if len(chosen) == count else None
        if cuts is None:
            return TaskDraft(count, goal)
        made = with_cuts(goal, [cut for several in cuts for cut in several])
        pieces = [_piece(goal, value, several) for value, several in zip(chosen, cuts, strict=True)]
        return TaskDraft(count, made, tuple(sorted(pieces, key=lambda piece: piece.step)))


def drawn(things: Iterable[Thing], seed: int, episode: str) -> list[Thing]:
    """In an order that seed and episode decide."""
    found = list(things)
    random.Random(f"{seed}:{episode}").shuffle(found)
    return found


def shared_values(goal: str, steps: Iterable[Step]) -> list[SharedValue]:
    """The values of the goal that steps need, in the order of the goal; what overlaps is one. A step needs one at most:
    of several that begin at one step the longest counts."""
    found: list[tuple[int, SharedWords]] = []
    for step in steps:
        words = [run for text in texts_of(step) if (run := shared(goal, text)) is not None]
        if words:
            found.append((step.index, max(words, key=lambda run: run.length)))
    groups: list[list[tuple[int, SharedWords]]] = []
    for one in sorted(found, key=lambda one: (one[1].first, one[1].last)):
        if groups and one[1].first < max(other.last for _, other in groups[-1]):
            groups[-1].append(one)
        else:
            groups.append([one])
    return _once([_value(goal, group) for group in groups])


def _once(values: Sequence[SharedValue]) -> list[SharedValue]:
    """One place of the goal belongs to one value, the first."""
    kept: list[SharedValue] = []
    for value in values:
        taken = [run for other in kept for run in other.runs]
        if all(value.run.last <= run.first or value.run.first >= run.last for run in taken):
            kept.append(value)
    return kept


def _value(goal: str, group: Sequence[tuple[int, SharedWords]]) -> SharedValue:
    run = WordRun(min(one.first for _, one in group), max(one.last for _, one in group))
    text = max((one for _, one in group), key=lambda one: one.length).text
    typed = next((one.text for _, one in group if one.text.field), text)
    words = goal_words(goal)
    before = words[run.first - 1].plain if run.first else ""
    steps = tuple(sorted({step for step, _ in group}))
    kind = kind_of_value(goal, _written(goal, run), typed if text.field == "" else text, before)
    return SharedValue(run, steps[0], steps, text, tuple(runs_of(goal, run)), kind)


def _written(goal: str, run: WordRun) -> str:
    words = goal_words(goal)
    return goal[words[run.first].start : words[run.last - 1].end]


def _piece(goal: str, value: SharedValue, cuts: Sequence[Cut]) -> MissingPiece:
    written = _written(goal, value.run)
    question = question_for(value.kind, written, value.text, noun_after(goal, value.run))
    return MissingPiece(value.step, written, question, answer_for(written), value.kind, tuple(cuts))


def _reading(episode: Episode, step: Step, values: Sequence[SharedValue]) -> StepReading:
    words = [_written(episode.goal, value.run) for value in values if step.index in value.steps]
    role = StepRole.INFORMATIVE if words else StepRole.TRANSACTIONAL
    return StepReading(step.index, instruction_of(episode, step), role, "; ".join(words))
