"""The four settings of one run, worked out by hand, and how they hang together."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.evaluation.ask_cost import ask_cost, asking_above, own_threshold, thresholds_of
from stepscope.core.evaluation.ask_lanes import AskOutcome, by_outcome, episode_rows
from stepscope.core.evaluation.ask_settings import AskedEpisodes, AskSwitches, four_settings, tally_of
from stepscope.core.scoring.ask_steps import ScoredAskStep
from stepscope.core.scoring.ask_streams import Answered, AskSetting, Stream, StreamRule, counted

ORIGINAL, INCOMPLETE, ASK, DUAL = AskSetting
Y, N = True, False
LATE = AskSwitches(answered=Answered.ASKED)
PAPER = AskSwitches(answered=Answered.ALWAYS)


def step(
    number: int,
    due: int | None,
    asked: bool,
    first: bool | None,
    after: bool | None = None,
    whole: bool | None = None,
    unasked: bool | None = None,
    chance: float | None = None,
) -> ScoredAskStep:
    return ScoredAskStep(
        number, due, asked, {}, judged=True, right=first, right_after=after, right_whole=whole, right_unasked=unasked,
        asks_after=None if after is None else False, asks_whole=None if whole is None else False, chance=chance,
        partial=due is not None,
    )  # fmt: skip


def asked(*episodes: list[ScoredAskStep]) -> AskedEpisodes:
    return AskedEpisodes(tuple(f"e{n}" for n in range(len(episodes))), tuple(map(tuple, episodes)))


EARLY = [
    step(0, 2, N, Y, Y, Y),
    step(1, 2, Y, N, Y, Y),
    step(2, 2, N, N, Y, Y),
    step(3, 2, N, N, Y, Y),
]
"""Due at 2, asked at 1; the second stream is right throughout, the first at 0 alone."""
MISSED = [step(0, 1, N, Y, Y, Y), step(1, 1, N, N, Y, Y), step(2, 1, N, N, Y, N), step(3, 1, N, Y, Y, Y)]
"""Due at 1 and never asked; what follows is wrong at 2."""
QUIET = [step(0, None, N, Y), step(1, None, N, N)]
"""Nothing is missing."""


def test_the_four_settings_by_hand() -> None:
    found = four_settings(asked(EARLY, MISSED, QUIET), draws=0)
    original, incomplete, ask, dual = found.rows
    # EARLY 4/4, MISSED 3/4, QUIET 1/2.
    assert original.ssr == pytest.approx((1 + 3 / 4 + 1 / 2) / 3)
    assert (original.value("ssr_before"), original.value("ssr_after")) == (1, pytest.approx((1 + 1 / 2) / 2))
    # EARLY 1/4, MISSED 2/4.
    assert incomplete.ssr == pytest.approx((1 / 4 + 2 / 4 + 1 / 2) / 3)
    assert incomplete.asks == 0 and incomplete.value("ask_f1") is None
    # One stream. EARLY: 0; not 1, where it only asked; not 2, where it was due; 3, for it is told: 2/4. MISSED 2/4.
    assert ask.ssr == pytest.approx((2 / 4 + 2 / 4 + 1 / 2) / 3)
    assert ask.asks == pytest.approx(1 / 3)
    # EARLY: all, the due step by having asked: 4/4.
    assert dual.ssr == pytest.approx((1 + 2 / 4 + 1 / 2) / 3)
    assert dual.value("ssr_after") == pytest.approx((1 + 1 / 2) / 2)
    lost = (1 + 3 / 4) / 3 - (1 / 4 + 2 / 4) / 3
    assert incomplete.drop == pytest.approx(lost)
    assert ask.recovery == pytest.approx((1 / 4) / 3 / lost)
    assert dual.recovery == pytest.approx((3 / 4) / 3 / lost)
    assert dual.relative["ssr"] == pytest.approx(2 / (9 / 4))
    assert dual.gained == pytest.approx((3 / 4) / 3 / (1 / 3))
    assert (found.episodes, found.steps, found.without_question) == (3, 10, 1)


def test_always_answered_is_the_papers_way() -> None:
    """The answer is in the context of every step after the due one, whether or not it was asked for."""
    found = four_settings(asked(EARLY, MISSED), PAPER, draws=0)
    assert found.row(DUAL).value("ssr_after") == 1
    assert found.row(ASK).value("ssr_after") == 1
    assert found.row(DUAL).ssr == pytest.approx((1 + 3 / 4) / 2)
    assert four_settings(asked(EARLY, MISSED), LATE, draws=0).row(DUAL).value("ssr_after") == pytest.approx(3 / 4)


def test_a_late_ask_helps_from_its_next_step_on() -> None:
    late = [step(0, 0, N, N, Y), step(1, 0, Y, Y, Y), step(2, 0, N, N, Y)]
    streams = {one.step.step: (one.stream, one.right, one.asks) for one in counted(late, StreamRule(DUAL))}
    assert streams == {0: (Stream.FIRST, N, N), 1: (Stream.FIRST, N, Y), 2: (Stream.SECOND, Y, N)}


def test_each_of_two_questions_has_a_stretch_of_its_own() -> None:
    """Due at 1 and at 3: asked at 0, and for the second never."""
    steps = [step(0, 1, Y, N, Y), step(1, 1, N, N, Y), step(2, 3, N, N, Y), step(3, 3, N, Y, Y), step(4, 3, N, N, Y)]
    rights = [one.right for one in counted(steps, StreamRule(DUAL))]
    assert rights == [Y, Y, N, N, N], "the due step 3 was not asked at; 4 is not told"
    (row,) = episode_rows(asked(steps))
    assert (row.outcome, row.missed, row.rescued) == (AskOutcome.MISSED, (3,), (0, 1))
    assert row.due == (1, 3)


def test_where_asking_is_off_a_step_at_which_it_only_asks_is_wrong() -> None:
    only = [step(0, 0, Y, None, Y, Y), step(1, 0, N, Y, Y, Y)]
    assert four_settings(asked(only), draws=0).row(INCOMPLETE).ssr == 1 / 2
    may_not = [step(0, 0, Y, None, Y, Y, unasked=Y), only[1]]
    assert four_settings(asked(may_not), draws=0).row(INCOMPLETE).ssr == 1


def test_without_a_question_all_settings_are_alike_and_nothing_is_won_back() -> None:
    found = four_settings(asked(QUIET, [step(0, None, N, Y)]), draws=20)
    assert {row.ssr for row in found.rows} == {3 / 4}
    assert {row.recovery for row in found.rows} == {None}
    assert {row.recovery_interval for row in found.rows} == {None}
    assert found.without_question == 2


def test_an_ask_that_nobody_needed_costs_its_step() -> None:
    found = four_settings(asked([step(0, None, Y, Y), step(1, None, N, Y)]), draws=0)
    assert [row.ssr for row in found.rows] == [1 / 2, 1, 1 / 2, 1 / 2]
    assert [row.asks for row in found.rows] == [1, 0, 1, 1]


def test_who_was_not_told_the_whole_goal_has_no_original() -> None:
    plain = [one._replace(right_whole=None, asks_whole=None) for one in EARLY]
    found = four_settings(asked(plain), draws=10)
    assert found.row(ORIGINAL).ssr is None and "not told" in found.row(ORIGINAL).why
    assert found.row(DUAL).ssr == 1
    assert (found.row(DUAL).drop, found.row(DUAL).recovery) == (None, None)


def test_an_episode_whose_whole_goal_is_not_known_is_left_out_of_all_settings() -> None:
    unknown = [one._replace(partial=False, right_whole=None, asks_whole=None) for one in EARLY]
    found = four_settings(asked(MISSED, unknown), draws=0)
    assert (found.episodes, found.left_out) == (1, 1)
    assert found.row(DUAL).ssr == 2 / 4


def test_who_only_asks_has_no_success() -> None:
    mute = [one._replace(right=None, right_after=None, right_whole=None) for one in EARLY]
    found = four_settings(asked(mute), draws=10)
    assert {row.ssr for row in found.rows} == {None}
    assert found.row(DUAL).asks == 1 and "only asks" in found.row(DUAL).why
    assert ask_cost(asked(mute), draws=0).points == ()


def test_intervals_are_drawn_over_episodes_and_pairs() -> None:
    """The same episode twice: each draw is alike, so no interval has a width."""
    found = four_settings(asked(EARLY, EARLY), draws=50)
    dual = found.row(DUAL)
    assert dual.intervals["ssr"] == (1, 1)
    assert found.row(INCOMPLETE).drop_interval == (pytest.approx(3 / 4), pytest.approx(3 / 4))
    assert dual.recovery_interval == (1, 1)


SCORED = [
    [step(0, 1, N, Y, Y, Y, chance=0.2), step(1, 1, Y, N, Y, Y, chance=0.9), step(2, 1, N, N, Y, Y, chance=0.1)],
    [step(0, None, N, Y, chance=0.4), step(1, None, N, Y, chance=0.05)],
]
"""Asked above .5: once, when it was due."""


def test_the_curve_by_hand() -> None:
    cost = ask_cost(asked(*SCORED), draws=0)
    assert [one.threshold for one in cost.points] == [None, 0.9, 0.4, 0.2, 0.1, 0.05]
    # Never: 1/3 (the due step is not asked at), 1. Above .9: all right. At .4: a step of the second is lost.
    # At .2 asked at 0 too, which is answered: nothing is lost. At .05 the second episode is nothing but asks.
    assert [one.ssr for one in cost.points] == pytest.approx([2 / 3, 1, 3 / 4, 3 / 4, 3 / 4, 1 / 2])
    assert [one.asks for one in cost.points] == [0, 1 / 2, 1, 1, 1, 3 / 2]
    assert [one.precision for one in cost.points] == [None, 1, 1 / 2, 1 / 2, 1 / 3, 1 / 4], "of the first stream"
    assert (cost.best, cost.own_place, cost.own.threshold) == (1, 1, 0.9)
    assert cost.incomplete == pytest.approx(2 / 3), "the due step's action counts there, and it is wrong"
    assert cost.points[1].gained == pytest.approx((1 - 2 / 3) / (1 / 2))
    single = ask_cost(asked(*SCORED), AskSwitches(dual=False), draws=0)
    assert [one.ssr for one in single.points][3] == pytest.approx((2 / 3 + 1 / 2) / 2), "one stream: 0 is lost, 1 asked"


def test_another_run_stands_beside_the_curve() -> None:
    never = asking_above(asked(*SCORED), None)
    cost = ask_cost(asked(*SCORED), others={"never": never, "less": asked(SCORED[0])}, draws=10)
    assert [(one.name, one.asks, one.same_items) for one in cost.others] == [("never", 0, True), ("less", 1, False)]
    assert cost.others[0].ssr == pytest.approx(2 / 3)
    assert cost.own.interval is not None


def test_lists_by_hand() -> None:
    needless = [step(0, None, Y, Y), step(1, None, N, Y)]
    when_due = [step(0, 0, Y, N, Y, Y), step(1, 0, Y, N, Y, Y)]
    rows = episode_rows(asked(EARLY, MISSED, QUIET, needless, when_due))
    lists = by_outcome(rows)
    assert {outcome: [row.name for row in found] for outcome, found in lists.items()} == {
        AskOutcome.WHEN_DUE: ["e4"],
        AskOutcome.NOT_WHEN_DUE: ["e0"],
        AskOutcome.MISSED: ["e1"],
        AskOutcome.NOT_NEEDED: ["e3"],
        AskOutcome.QUIET: ["e2"],
    }
    early, missed, _, wasted, twice = rows
    assert early.rescued == (1, 2, 3) and early.needless == ()
    assert early.without == (Y, N, N, N) and early.with_ask == (Y, Y, Y, Y)
    assert missed.missed == (1,) and missed.rescued == ()
    assert wasted.needless == (0,) and wasted.asked == (0,)
    assert twice.asked == (0,), "its second ask is answered already"
    assert twice.rescued == (0, 1)


YES_NO = st.booleans()
FLAGS = st.none() | YES_NO


@st.composite
def runs(draw: st.DrawFn) -> AskedEpisodes:
    episodes = []
    for _ in range(draw(st.integers(1, 4))):
        length = draw(st.integers(1, 5))
        due = draw(st.none() | st.integers(0, length - 1))
        episodes.append(
            [
                step(n, due, draw(YES_NO), draw(YES_NO), draw(FLAGS) if due is not None else None,
                     draw(YES_NO) if due is not None else None, draw(FLAGS), draw(st.sampled_from([0.1, 0.5, 0.9])))
                for n in range(length)
            ]
        )  # fmt: skip
    return asked(*episodes)


@given(runs())
def test_what_holds_of_every_run(run: AskedEpisodes) -> None:
    rows = {row.setting: row for row in four_settings(run, draws=0).rows}
    asking = {one.setting: one for one in (rows[ASK], rows[DUAL])}
    assert rows[DUAL].value("ask_recall") == rows[ASK].value("ask_recall"), "a taken-back ask is no true positive"
    assert (asking[DUAL].asks or 0) <= (asking[ASK].asks or 0), "an answered question is not put again"
    cost = ask_cost(run, draws=0)
    for one, other in pairwise(cost.points):
        assert (one.recall or 0) <= (other.recall or 0), "a lower threshold asks wherever a higher one does"
    if cost.points:
        best = cost.points[cost.best or 0]
        assert all((one.ssr or 0) <= (best.ssr or 0) for one in cost.points)


@given(runs())
def test_the_settings_do_not_hang_on_the_order_of_episodes(run: AskedEpisodes) -> None:
    turned = AskedEpisodes(run.names[::-1], run.episodes[::-1])
    for setting in AskSetting:
        here, there = tally_of(run, StreamRule(setting)), tally_of(turned, StreamRule(setting))
        assert np.allclose(here.sums, there.sums[::-1])


def test_a_long_curve_keeps_its_own_point() -> None:
    many = [[step(0, 0, n > 150, Y, Y, Y, chance=n / 200)] for n in range(200)]
    run = asked(*many)
    found = thresholds_of(run)
    assert found[0] is None and len(found) <= 43
    assert own_threshold(run) == 151 / 200 and 151 / 200 in found
