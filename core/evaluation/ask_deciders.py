"""Other ways to decide when to ask, with the same actor, after the fact: out of one run's stored answers (ours)."""

from __future__ import annotations

from enum import StrEnum

from stepscope.core.evaluation.ask_cost import why_no_curve
from stepscope.core.evaluation.ask_settings import AskedEpisodes
from stepscope.core.scoring.ask_steps import ScoredAskStep


class AskDecider(StrEnum):
    """When an agent asks that acts like the one of a run."""

    NEVER = "never"
    STEP_0 = "step_0"
    """once, at the first step of an episode"""
    ALWAYS = "always"
    ORACLE = "oracle"
    """exactly where a question is due"""


def can_decide(asked: AskedEpisodes) -> bool:
    """Whether the run's answers say what the agent would have done: what it does at every step, and what after an
    answer."""
    sure = tuple(tuple(step._replace(chance=1.0) for step in steps) for steps in asked.episodes)
    return not why_no_curve(AskedEpisodes(asked.names, sure))


def deciding(asked: AskedEpisodes, decider: AskDecider) -> AskedEpisodes:
    """The same answers as if it were decided this way when to ask."""
    episodes = tuple(
        tuple(step._replace(asked=_asks(step, decider, place=place)) for place, step in enumerate(_in_order(steps)))
        for steps in asked.episodes
    )
    return AskedEpisodes(asked.names, episodes)


def _in_order(steps: tuple[ScoredAskStep, ...]) -> list[ScoredAskStep]:
    return sorted(steps, key=lambda one: one.step)


def _asks(step: ScoredAskStep, decider: AskDecider, *, place: int) -> bool:
    match decider:
        case AskDecider.NEVER:
            return False
        case AskDecider.ALWAYS:
            return True
        case AskDecider.STEP_0:
            return place == 0
        case AskDecider.ORACLE:
            return step.due == step.step
