"""What counts of an asking agent's step under each setting: which of its answers, whether that is right, and whether
the person is asked there.

Source: Navi-plus, section 2.3 and algorithm 1 (paper) for the steps from an early ask to the due one; that an answer
which was given stays in the context afterwards, and what a step is at which the agent only asks, are ours
(docs/protocols/ask.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from stepscope.core.frozen import dataclass
from stepscope.core.scoring.ask_steps import ScoredAskStep, by_due


class AskSetting(StrEnum):
    """The four settings of Navi-plus, table 1."""

    ORIGINAL = "original"
    """told the whole goal; an ask is wrong"""
    INCOMPLETE = "incomplete"
    """told the goal that leaves something out, and it cannot ask"""
    ASK = "ask"
    """it may ask; one stream"""
    DUAL = "dual"
    """it may ask; an ask before the due step is answered, and the steps from there run again"""


class Answered(StrEnum):
    """When the person's answer is in the context after the due step."""

    ASKED = "asked"
    """once the agent has asked: what an honest run gives (ours)"""
    ALWAYS = "always"
    """whether or not it has asked: the annotated ask and its answer are part of every later step's past (paper)"""


class Stream(StrEnum):
    """The answer of the agent that counts at a step."""

    FIRST = "first"
    SECOND = "second"
    WHOLE = "whole"
    UNASKED = "unasked"


@dataclass(frozen=True, slots=True)
class StreamRule:
    """A setting with what can be switched about it after the fact."""

    setting: AskSetting = AskSetting.DUAL
    credit: bool = False
    answered: Answered = Answered.ASKED

    @property
    def dual(self) -> bool:
        return self.setting is AskSetting.DUAL

    @property
    def may_ask(self) -> bool:
        return self.setting in (AskSetting.ASK, AskSetting.DUAL)


class CountedStep(NamedTuple):
    """A step as it counts. `right`: None where it is left out of the success. `asks`: a question that the person gets.
    `due`: whether the step is the one at which a question is due, and judged by asking."""

    step: ScoredAskStep
    stream: Stream
    right: bool | None
    asks: bool
    due: bool = False

    @property
    def before(self) -> bool:
        """Whether it lies before the step at which a question is due."""
        return self.step.due is not None and self.step.step < self.step.due

    @property
    def after(self) -> bool:
        return self.step.due is not None and self.step.step > self.step.due


def counted(steps: Sequence[ScoredAskStep], rule: StreamRule) -> Iterator[CountedStep]:
    """The steps of an episode as they count under the rule, stretch by stretch.

    A step whose reference no action can be compared with is left out of the success, unless a question is due at it and
    the agent may ask. There alone is it judged by asking: where it cannot ask, by its action like any other.
    """
    if rule.setting is AskSetting.INCOMPLETE:
        yield from map(_unasked, steps)
    elif rule.setting is AskSetting.ORIGINAL:
        yield from map(_whole, steps)
    else:
        for due, part in by_due(steps).items():
            yield from _asking(part, due, rule)


def _asking(part: Sequence[ScoredAskStep], due: int | None, rule: StreamRule) -> Iterator[CountedStep]:
    """The steps about one question, by their numbers: the due step itself may have been lost to an error."""
    ask = next((step.step for step in part if step.asked), None)
    for step in part:
        if due is None or ask is None:
            again, told = False, due is not None and step.step > due and rule.answered is Answered.ALWAYS
        else:
            again = rule.dual and ask < due and ask <= step.step <= due
            told = step.step > due and (ask < step.step or rule.answered is Answered.ALWAYS)
        if step.step == due:
            yield _asked_when_due(step, again)
        else:
            yield _acted(step, again=again, told=told, first=step.step == ask)


def _asked_when_due(step: ScoredAskStep, again: bool) -> CountedStep:
    """The due step: right when it asked there, or earlier in a second stream."""
    asks = step.asks_after if again and step.asks_after is not None else step.asked
    return CountedStep(step, Stream.SECOND if again else Stream.FIRST, again or step.asked, asks, due=True)


def _acted(step: ScoredAskStep, *, again: bool, told: bool, first: bool) -> CountedStep:
    """Any other step. `again`: the second stream runs here; `told`: the answer is in the context; `first`: it is the
    first ask of the stretch."""
    own = bool(step.right) and not step.asked
    if not (again or told) or step.asks_after is None:
        return CountedStep(step, Stream.FIRST, own if step.judged else None, step.asked)
    right = bool(step.right_after) if step.right_after is not None else own
    return CountedStep(step, Stream.SECOND, right if step.judged else None, step.asks_after or (first and again))


def _unasked(step: ScoredAskStep) -> CountedStep:
    """It cannot ask: a step at which it did nothing else is wrong."""
    if step.right_unasked is not None:
        return CountedStep(step, Stream.UNASKED, step.right_unasked if step.judged else None, asks=False)
    return CountedStep(step, Stream.FIRST, bool(step.right) if step.judged else None, asks=False)


def _whole(step: ScoredAskStep) -> CountedStep:
    """Told the whole goal. Where that is the goal that is told, it does what it does when it cannot ask: nothing was
    left out, so that there is no drop, and asks that nobody needed are none of this setting's."""
    if not step.partial:
        return _unasked(step)
    return CountedStep(step, Stream.WHOLE, bool(step.right_whole) if step.judged else None, bool(step.asks_whole))
