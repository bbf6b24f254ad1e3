"""When it would have been asked, had somebody else decided."""

from __future__ import annotations

import pytest

from stepscope.core.evaluation.ask_deciders import AskDecider, can_decide, deciding
from stepscope.core.evaluation.ask_settings import AskedEpisodes
from stepscope.core.scoring.ask_steps import ScoredAskStep


def steps(*, after: bool = True, right: bool | None = True) -> tuple[ScoredAskStep, ...]:
    """Due at 4; the numbers begin at 3."""
    return tuple(
        ScoredAskStep(
            number, 4, number == 5, {}, judged=True, right=right, right_after=True,
            asks_after=False if after else None,
        )
        for number in (3, 4, 5)
    )  # fmt: skip


@pytest.mark.parametrize(
    ("decider", "asks"),
    [
        (AskDecider.NEVER, []), (AskDecider.STEP_0, [3]), (AskDecider.ALWAYS, [3, 4, 5]), (AskDecider.ORACLE, [4]),
    ],
)  # fmt: skip
def test_where_each_would_ask(decider: AskDecider, asks: list[int]) -> None:
    found = deciding(AskedEpisodes(("e",), (steps()[::-1],)), decider)
    assert sorted(step.step for step in found.episodes[0] if step.asked) == asks


def test_it_is_told_only_of_answers_that_say_all() -> None:
    assert can_decide(AskedEpisodes(("e",), (steps(),)))
    assert not can_decide(AskedEpisodes(("e",), (steps(after=False),)))
    assert not can_decide(AskedEpisodes(("e",), (steps(right=None),)))
