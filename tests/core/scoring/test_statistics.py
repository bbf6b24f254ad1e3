"""Bootstrap intervals over clusters."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module
from stepscope.core.scoring.bootstrap import intervals
from stepscope.core.scoring.statistics import ratio, resampled_sums
from stepscope.core.scoring.tally import Tally

scipy_stats = lazy_module("scipy.stats")
pytestmark = pytest.mark.needs("scipy.stats")

ACCURACY = {"accuracy": ratio(0, 1)}


def drawn(sums: np.ndarray, *, draws: int, seed: int) -> dict:
    return dict(intervals(Tally(sums, ACCURACY, np.arange(len(sums))), draws=draws, seed=seed))


def test_whole_clusters_are_drawn() -> None:
    """Two episodes of 100 equal steps: a draw can only give 0, a half or 1."""
    sums = np.array([[100.0, 100.0], [0.0, 100.0]])
    sample = resampled_sums(sums, draws=4000, seed=0)
    values, counts = np.unique(sample[:, 0] / sample[:, 1], return_counts=True)
    assert values.tolist() == [0.0, 0.5, 1.0]
    assert counts / 4000 == pytest.approx([0.25, 0.5, 0.25], abs=0.03)
    assert drawn(sums, draws=4000, seed=0)["accuracy"] == (0.0, 1.0)


@pytest.mark.parametrize("spread", [0.0, 1.0])
def test_the_interval_has_the_width_of_theory(spread: float) -> None:
    """A mean of coins: 1.96 standard errors a side. `spread` makes every cluster unlike: the other way of drawing."""
    generator = np.random.default_rng(1)
    size = 10_000 if spread else 400
    coins = (generator.random(size) < 0.3).astype(float) + spread * generator.normal(0, 0.01, size)
    low, high = drawn(np.stack([coins, np.ones(size)], 1), draws=1500, seed=3)["accuracy"]
    error = coins.std() / np.sqrt(size)
    assert (low + high) / 2 == pytest.approx(coins.mean(), abs=0.3 * error)
    assert high - low == pytest.approx(2 * 1.96 * error, rel=0.1)


@pytest.mark.parametrize("spread", [0.0, 1e-6])
def test_the_interval_of_a_ratio_of_sums_is_that_of_scipy(spread: float) -> None:
    """Right steps over steps, whole episodes drawn. `spread` makes no two episodes alike."""
    generator = np.random.default_rng(2)
    steps = generator.integers(1, 12, 3000).astype(float)
    right = generator.binomial(steps.astype(int), 0.6) + spread * generator.random(3000)
    found = drawn(np.stack([right, steps], 1), draws=4000, seed=1)["accuracy"]
    wanted = scipy_stats.bootstrap(
        (right, steps), lambda a, b, axis: a.sum(axis=axis) / b.sum(axis=axis), paired=True, vectorized=True,
        n_resamples=4000, method="percentile", rng=np.random.default_rng(4), batch=200,
    )  # fmt: skip
    width = wanted.confidence_interval.high - wanted.confidence_interval.low
    assert found == pytest.approx(tuple(wanted.confidence_interval), abs=0.06 * width)


@given(st.integers(0, 2**32), st.integers(1, 40), st.integers(1, 8))
def test_drawing_clusters_of_units_is_drawing_their_sums(seed: int, units: int, clusters: int) -> None:
    """Grouped units give to the digit what one unit with their sums gives; so does a metric of weights."""
    generator = np.random.default_rng(seed)
    sums = np.stack([generator.integers(0, 5, units), generator.integers(1, 9, units)], 1).astype(float)
    cluster_of = np.unique(generator.integers(0, clusters, units), return_inverse=True)[1]
    whole = np.stack([sums[cluster_of == one].sum(axis=0) for one in range(cluster_of.max() + 1)])
    tally = Tally(sums, ACCURACY, np.arange(units))
    found = intervals(tally, draws=50, seed=1, cluster_of=cluster_of)
    assert found == intervals(Tally(whole, ACCURACY, np.arange(len(whole))), draws=50, seed=1)

    def of_weights(weights: np.ndarray) -> np.ndarray:
        return (weights @ sums[:, 0]) / (weights @ sums[:, 1])

    weighted = Tally(sums, {}, np.arange(units), weighted={"accuracy": of_weights})
    (low, high) = dict(intervals(weighted, draws=400, seed=1, cluster_of=cluster_of))["accuracy"]
    ratios = whole[:, 0] / whole[:, 1]
    assert ratios.min() - 1e-12 <= low <= high <= ratios.max() + 1e-12
    assert dict(weighted.values()) == pytest.approx(dict(tally.values()))


def test_clusters_widen_the_interval() -> None:
    """100 episodes in 10 apps that are right throughout or wrong throughout: 10 things, not 100."""
    right = np.repeat(np.tile([0.0, 1.0], 5), 10)
    tally = Tally(np.stack([right, np.ones(100)], 1), ACCURACY, np.arange(100))
    apart, together = (
        dict(intervals(tally, draws=3000, seed=0, cluster_of=cluster_of))["accuracy"]
        for cluster_of in (None, np.repeat(np.arange(10), 10))
    )
    assert apart[1] - apart[0] == pytest.approx(2 * 1.96 * np.sqrt(0.25 / 100), rel=0.1)
    assert together[1] - together[0] == pytest.approx(2 * 1.96 * np.sqrt(0.25 / 10), rel=0.15)


def test_a_metric_of_weights_is_drawn_like_one_of_sums() -> None:
    """The same mean, once from sums and once from weights: both intervals have the width of theory."""
    values = np.random.default_rng(3).normal(0, 1, 500)
    tally = Tally(
        np.stack([values, np.ones(500)], 1),
        {"of_sums": ratio(0, 1)},
        np.arange(500),
        weighted={"of_weights": lambda weights: (weights @ values) / weights.sum(axis=1)},
    )
    found = dict(intervals(tally, draws=1500, seed=0))
    assert found["of_weights"] == pytest.approx(found["of_sums"])
    low, high = found["of_sums"]
    assert high - low == pytest.approx(2 * 1.96 * values.std() / np.sqrt(500), rel=0.1)


def test_same_seed_same_interval() -> None:
    sums = np.stack([np.arange(50.0), np.full(50, 50.0)], 1)
    first, again, other = (drawn(sums, draws=100, seed=seed) for seed in (7, 7, 8))
    assert first == again != other


def test_nothing_to_say_no_interval() -> None:
    assert drawn(np.empty((0, 2)), draws=10, seed=0) == {}
    assert drawn(np.zeros((3, 2)), draws=10, seed=0) == {}
    assert drawn(np.ones((3, 2)), draws=0, seed=0) == {}


def test_draws_without_a_value_are_left_out() -> None:
    sums = np.array([[1.0, 1.0], [0.0, 0.0], [0.0, 0.0]])
    assert drawn(sums, draws=200, seed=0) == {"accuracy": (1.0, 1.0)}


def test_negative_draws_are_bad_usage() -> None:
    with pytest.raises(UsageError):
        drawn(np.ones((1, 2)), draws=-1, seed=0)


def test_a_thousand_draws_of_a_hundred_thousand_episodes_are_quick() -> None:
    generator = np.random.default_rng(0)
    steps = generator.integers(1, 30, 100_000).astype(float)
    sums = np.stack([np.floor(steps * generator.random(100_000)), steps], 1)
    started = time.process_time()
    drawn(sums, draws=1000, seed=0)
    assert time.process_time() - started < 5.0  # some hundredths where few kinds of episodes are found, as here
