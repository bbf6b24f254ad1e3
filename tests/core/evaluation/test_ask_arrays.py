"""Columns give what the rules give step by step."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.evaluation.ask_arrays import AskArrays
from stepscope.core.evaluation.ask_cost import asking_above
from stepscope.core.evaluation.ask_settings import AskedEpisodes
from stepscope.core.scoring.ask_steps import ScoredAskStep
from stepscope.core.scoring.ask_streams import Answered, AskSetting, StreamRule
from stepscope.core.scoring.ask_tally import evaluated

maybe = st.sampled_from([None, True, False])
RULES = [
    StreamRule(setting, credit, answered) for setting in AskSetting for credit in (False, True) for answered in Answered
]


@st.composite
def episodes(draw: st.DrawFn) -> tuple[ScoredAskStep, ...]:
    """Up to six steps about up to two questions; the due step itself may be lost."""
    steps = sorted(draw(st.sets(st.integers(0, 6), max_size=6)))
    dues = sorted(draw(st.sets(st.integers(0, 6), max_size=2)))
    partial = draw(st.booleans())
    found = []
    for step in steps:
        due = next((one for one in dues if one >= step), dues[-1] if dues else None)
        likeness = draw(st.sampled_from([{}, {"cos_sim": 0.5}, {"cos_sim": 0.25, "meteor": 0.75}]))
        verdicts = [draw(maybe) for _ in range(6)]
        chance = draw(st.sampled_from([None, 0.25, 0.5, 0.75]))
        asked, judged = draw(st.booleans()), draw(st.booleans())
        found.append(ScoredAskStep(step, due, asked, likeness, judged, *verdicts, chance, partial))
    return tuple(found)


@given(st.lists(episodes(), max_size=4), st.sampled_from(RULES), st.sampled_from(["own", None, 0.5]))
def test_columns_give_what_the_rules_give(
    found: list[tuple[ScoredAskStep, ...]], rule: StreamRule, threshold: float | str | None
) -> None:
    asked = AskedEpisodes(tuple(map(str, range(len(found)))), tuple(found))
    arrays = AskArrays.of(asked.episodes)
    if not isinstance(threshold, str):
        asked, arrays = asking_above(asked, threshold), arrays.asking_above(threshold)
    sums, asks = evaluated(asked.episodes, rule)
    again, asks_again = arrays.evaluated(rule)
    np.testing.assert_allclose(again, sums)
    np.testing.assert_array_equal(asks_again, asks)
