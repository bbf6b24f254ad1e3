"""Bootstrap intervals over clusters."""

import time

import numpy as np
import pytest

from core.errors import UsageError
from core.scoring.bootstrap import intervals
from core.scoring.statistics import ratio, resampled_sums
from core.scoring.tally import Tally

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
