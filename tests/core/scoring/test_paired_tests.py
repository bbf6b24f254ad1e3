"""Two tallies over the same items, beside scipy and statsmodels; several seeds, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module
from stepscope.core.scoring.grouping import step_tally
from stepscope.core.scoring.paired_tests import (
    Difference,
    SeedStatistics,
    bootstrap_p,
    compare,
    holm,
    mcnemar,
    over_seeds,
)
from stepscope.core.scoring.statistics import ratio
from stepscope.core.scoring.tally import Tally

scipy_stats = lazy_module("scipy.stats")
contingency_tables = lazy_module("statsmodels.stats.contingency_tables")
multitest = lazy_module("statsmodels.stats.multitest")
pytestmark = pytest.mark.needs("scipy.stats")

NAN = float("nan")
mark = st.sampled_from([0.0, 1.0, NAN])


def yes_no(scores: np.ndarray) -> Tally:
    """A mean of yes/no scores, one a unit."""
    sums = np.stack([scores, np.ones(len(scores))], 1)
    return Tally(sums, {"right": ratio(0, 1)}, np.arange(len(scores)), yes_no={"right": scores})


def mean_of(values: np.ndarray) -> Tally:
    return Tally(np.stack([values, np.ones(len(values))], 1), {"mean": ratio(0, 1)}, np.arange(len(values)))


def only(found: tuple[Difference, ...]) -> Difference:
    (one,) = found
    return one


# --- McNemar ---------------------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(mark, mark), max_size=60))
def test_mcnemar_is_the_exact_test_of_scipy_and_statsmodels(pairs: list[tuple[float, float]]) -> None:
    a, b = np.array(pairs).reshape(-1, 2).T
    table = [[sum((x, y) == (i, j) for x, y in pairs) for j in (1, 0)] for i in (1, 0)]
    found = mcnemar(a, b)
    if not sum(map(sum, table)):
        assert found is None
        return
    only_a, only_b = table[0][1], table[1][0]
    assert found == pytest.approx(contingency_tables.mcnemar(table, exact=True).pvalue)
    assert found == pytest.approx(scipy_stats.binomtest(only_a, only_a + only_b).pvalue if only_a + only_b else 1.0)


def test_mcnemar_by_hand() -> None:
    """Five items on which just one is right, all of them a's: two tails of 1/32."""
    a, b = np.array([1.0] * 5 + [1, 0, NAN]), np.array([0.0] * 5 + [1, 0, 1])
    assert mcnemar(a, b) == mcnemar(b, a) == pytest.approx(2 / 32)
    assert mcnemar(a, a) == 1.0
    assert mcnemar(np.array([NAN]), np.array([1.0])) is None


# --- Holm ------------------------------------------------------------------------------------------------------------


@settings(max_examples=settings().max_examples // 8)  # statsmodels takes its time
@given(st.lists(st.floats(0, 1) | st.sampled_from([0.01, 0.02, 0.5]), min_size=1, max_size=12))
def test_holm_is_that_of_statsmodels(values: list[float]) -> None:
    named = {str(place): value for place, value in enumerate(values)}
    wanted = multitest.multipletests(values, method="holm")[1]
    found = holm(named)
    assert [found[name] for name in named] == pytest.approx(wanted.tolist())


def test_holm_by_hand() -> None:
    """Sorted .01 .02 .03 .5 times 4 3 2 1, and never less than the one before."""
    assert holm({"a": 0.02, "b": 0.01, "c": 0.5, "d": 0.03}) == pytest.approx(
        {"b": 0.04, "a": 0.06, "d": 0.06, "c": 0.5}
    )
    assert holm({}) == {}


# --- paired bootstrap ------------------------------------------------------------------------------------------------


def test_bootstrap_p_by_hand() -> None:
    assert bootstrap_p(np.array([1.0] * 98 + [-1.0])) == pytest.approx(2 * 2 / 100)
    assert bootstrap_p(np.array([-1.0] * 99)) == pytest.approx(2 / 100)
    assert bootstrap_p(np.zeros(99)) == 1.0
    assert bootstrap_p(np.array([NAN, 1.0, -1.0, NAN])) == 1.0
    assert bootstrap_p(np.array([NAN])) is None


def test_under_the_null_p_is_about_uniform() -> None:
    """300 pairs of runs that differ by chance alone."""
    generator = np.random.default_rng(5)
    found = []
    for seed in range(300):
        both = generator.normal(0, 1, 80)
        a, b = (mean_of(both + generator.normal(0, 0.5, 80)) for _ in range(2))
        found.append(only(compare(a, b, draws=400, seed=seed)).p)
    assert scipy_stats.kstest(found, "uniform").pvalue > 0.01
    assert np.mean(np.array(found) < 0.05) == pytest.approx(0.05, abs=0.03)


def test_the_interval_of_a_difference_covers_it() -> None:
    """400 experiments: 95 % of the intervals hold the true difference of 0.1."""
    generator = np.random.default_rng(6)
    covered = 0
    for seed in range(400):
        both = generator.normal(0, 1, 100)
        a, b = mean_of(both + 0.1 + generator.normal(0, 0.3, 100)), mean_of(both)
        low, high = only(compare(a, b, draws=400, seed=seed)).ci or (NAN, NAN)
        covered += low <= 0.1 <= high
    assert covered / 400 == pytest.approx(0.95, abs=0.03)


def test_what_both_share_does_not_widen_the_interval() -> None:
    """Drawn together, runs that differ by a constant differ by it in every draw."""
    both = np.random.default_rng(7).normal(0, 10, 50)
    one = only(compare(mean_of(both + 1), mean_of(both), draws=200, seed=0))
    assert one.difference == pytest.approx(1.0)
    assert one.ci == pytest.approx((1.0, 1.0))
    assert one.p == pytest.approx(2 / 201)
    assert only(compare(mean_of(both), mean_of(both), draws=200, seed=0)).p == 1.0


def test_clusters_are_drawn_whole() -> None:
    """Units of one cluster never part: with two alike every draw is the whole."""
    a, b = mean_of(np.array([1.0, 2.0, 6.0] * 2)), mean_of(np.array([0.0, 3.0, 0.0] * 2))
    apart = only(compare(a, b, draws=500, seed=1))
    whole = only(compare(a, b, draws=500, seed=1, cluster_of=np.array([0, 0, 0, 1, 1, 1])))
    assert whole.ci == (2.0, 2.0)
    assert apart.ci is not None and apart.ci[0] < 2.0 < apart.ci[1]


def test_one_cluster_says_nothing_about_its_like() -> None:
    a, b = mean_of(np.array([1.0, 2.0, 6.0])), mean_of(np.array([0.0, 3.0, 0.0]))
    one = only(compare(a, b, draws=500, seed=1, cluster_of=np.array([0, 0, 0])))
    assert (one.difference, one.ci, one.p) == (2.0, None, None)


def test_tests_go_with_metrics_and_are_corrected_together() -> None:
    """Two steps an episode: yes/no metrics have McNemar's test, the mean of shares has draws."""
    groups, scored = np.repeat(np.arange(6), 2), np.ones(12, dtype=np.bool_)
    a = step_tally(groups, scored, np.array([1, 1] * 5 + [0, 1], dtype=np.bool_))
    b = step_tally(groups, scored, np.array([1, 0] * 5 + [0, 1], dtype=np.bool_))
    found = {one.metric: one for one in compare(a, b, draws=300, seed=0)}
    assert {name: one.test for name, one in found.items()} == {
        "step_accuracy": "mcnemar",
        "partial_match": "bootstrap",
        "complete_match": "mcnemar",
    }
    assert found["step_accuracy"].p == pytest.approx(2 / 32)
    assert found["complete_match"].p == pytest.approx(2 / 32)
    assert (found["step_accuracy"].a, found["step_accuracy"].b) == (11 / 12, 0.5)
    wanted = multitest.multipletests([one.p for one in found.values()], method="holm")[1]
    assert [one.p_holm for one in found.values()] == pytest.approx(wanted.tolist())


@settings(max_examples=settings().max_examples // 2)
@given(st.lists(st.tuples(mark, mark), max_size=12), st.integers(0, 40))
def test_whatever_is_compared_nothing_is_made_up(pairs: list[tuple[float, float]], draws: int) -> None:
    a, b = np.array(pairs).reshape(-1, 2).T
    part = ~(np.isnan(a) | np.isnan(b))
    one = only(compare(yes_no(a[part]), yes_no(b[part]), draws=draws, seed=0))
    if not part.any():
        assert (one.a, one.b, one.difference, one.ci, one.p, one.p_holm) == (None,) * 6
        return
    assert one.difference == pytest.approx(a[part].mean() - b[part].mean())
    assert one.p is not None and 0 < one.p <= 1 and one.p_holm == one.p
    assert (one.ci is None) == (draws == 0 or part.sum() < 2)
    if one.ci:
        assert -1 <= one.ci[0] <= one.ci[1] <= 1


def test_a_metric_without_a_value_has_no_p() -> None:
    empty = Tally(np.zeros((2, 2)), {"mean": ratio(0, 1)}, np.arange(2))
    one = only(compare(empty, mean_of(np.ones(2)), draws=20, seed=0))
    assert (one.a, one.b, one.difference, one.ci, one.p, one.p_holm) == (None, 1.0, None, None, None, None)


def test_the_same_seed_gives_the_same_and_the_other_way_round_the_negative() -> None:
    generator = np.random.default_rng(8)
    a, b = mean_of(generator.normal(0.2, 1, 40)), mean_of(generator.normal(0, 1, 40))
    first, again, other = (only(compare(a, b, draws=200, seed=seed)) for seed in (3, 3, 4))
    assert first == again and first.ci != other.ci
    turned = only(compare(b, a, draws=200, seed=3))
    assert turned.ci == pytest.approx((-first.ci[1], -first.ci[0]), abs=0.1)
    assert turned.difference == -first.difference


def test_other_items_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match="not the same items"):
        compare(mean_of(np.ones(2)), mean_of(np.ones(3)), draws=10, seed=0)
    with pytest.raises(ValueError, match="not the same items"):
        compare(mean_of(np.ones(2)), yes_no(np.ones(2)), draws=10, seed=0)
    with pytest.raises(UsageError):
        compare(mean_of(np.ones(2)), mean_of(np.ones(2)), draws=-1, seed=0)


# --- seeds -----------------------------------------------------------------------------------------------------------


def test_mean_and_deviation_over_seeds_by_hand() -> None:
    """Deviations −1, 0, 1 from 3: squares add up to 2, over n − 1 = 2."""
    assert over_seeds([2.0, 3.0, 4.0]) == SeedStatistics(3.0, 1.0, 3)
    assert over_seeds([0.5, None]) == SeedStatistics(0.5, None, 1)
    assert over_seeds([None]) == SeedStatistics(None, None, 0)
    assert over_seeds([]) == SeedStatistics(None, None, 0)
    assert over_seeds([1.0, None, 2.0]).deviation == pytest.approx(0.5**0.5)
