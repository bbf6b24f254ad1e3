"""Rows as an ablation: what stands first, what stands together, and the same as a file; numbers set by hand."""

import csv
import io
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import Run, RunSpec, RunState
from stepscope.core.domain.score import Metrics
from stepscope.core.evaluation.ablation import FeatureName, ablation_bars, ablation_csv
from stepscope.core.evaluation.leaderboard import LeaderboardEntry, LeaderboardGroup, LeaderboardRow, RunNumbers
from stepscope.core.evaluation.rules import Scoring
from stepscope.core.scoring.paired_tests import over_seeds
from stepscope.core.scoring.registry import record_scorer

RULE = Scoring("feasibility", ())
INFO = record_scorer("feasibility").info


def entry(name, state=RunState.DONE, seed=0):
    spec = RunSpec(Task.FEASIBILITY, name, "data", "motif", "feasibility", seed=seed)
    made = datetime(2026, 1, 2, tzinfo=UTC)
    run = Run(f"{name}/{seed}", spec, state, made, 10, 10)
    return LeaderboardEntry(run, made, 1, 1, RULE, "1", True)


def row(name, value, low=0.0, high=1.0):
    numbers = RunNumbers(Metrics((("f1", value),), 10, intervals=(("f1", (low, high)),)))
    one = entry(name)
    return LeaderboardRow(one, (one,), numbers, main="f1")


def group(*rows, info=INFO):
    return LeaderboardGroup("data", "test", RULE, "1", info, rows, 10, 10)


NAMES = {
    "clip+cat/0": FeatureName("clip", "cat"),
    "clip+avg/0": FeatureName("clip", "avg"),
    "fast+cat/0": FeatureName("fast", "cat"),
    "fast+avg/0": FeatureName("fast", "avg"),
    "icons+cat/0": FeatureName("icons", "cat"),
}
ROWS = (
    row("fast+cat", 0.5),
    row("random", 0.2, 0.1, 0.3),
    row("clip+cat", 0.6),
    row("icons+cat", 0.55),
    row("clip+avg", 0.4),
    row("fast+avg", 0.45),
)


def shown(bars):
    return [(bar.heading, bar.label) for bar in bars]


def test_variants_stand_together_and_the_best_block_first():
    bars = ablation_bars(group(*ROWS), ROWS, "f1", NAMES, baseline=ROWS[1].key)
    assert shown(bars) == [
        ("", "random"),
        ("clip", "cat"),
        ("clip", "avg"),
        ("", "icons+cat"),
        ("fast", "cat"),
        ("fast", "avg"),
    ]
    assert [bar.difference for bar in bars] == [None, *map(pytest.approx, (0.4, 0.2, 0.35, 0.3, 0.25))]
    assert [bar.is_baseline for bar in bars] == [True, False, False, False, False, False]
    assert (bars[0].interval, bars[0].n) == ((0.1, 0.3), 10)


def test_by_name_and_without_a_baseline():
    bars = ablation_bars(group(*ROWS), ROWS, "f1", NAMES, by_name=True)
    assert shown(bars) == [
        ("clip", "avg"),
        ("clip", "cat"),
        ("fast", "avg"),
        ("fast", "cat"),
        ("", "icons+cat"),
        ("", "random"),
    ]
    assert {bar.difference for bar in bars} == {None}


def test_what_is_lower_is_better_begins_with_the_lowest():
    lower = replace(INFO, lower_is_better=frozenset({"f1"}))
    bars = ablation_bars(group(*ROWS, info=lower), ROWS, "f1", {})
    assert [bar.value for bar in bars] == [0.2, 0.4, 0.45, 0.5, 0.55, 0.6]


def test_the_baseline_is_out_of_its_block_and_one_that_is_left_alone_has_no_heading():
    bars = ablation_bars(group(*ROWS), ROWS[:5], "f1", NAMES, baseline=("clip+cat/0", 1))
    assert shown(bars) == [
        ("", "clip+cat"),
        ("", "icons+cat"),
        ("", "fast+cat"),
        ("", "clip+avg"),
        ("", "random"),
    ]


def test_a_run_without_a_value_is_no_bar_and_a_mean_has_seeds_in_place_of_an_interval():
    running = replace(row("x", 0.1), numbers=None)
    several = [RunNumbers(Metrics((("f1", value),), 10)) for value in (0.2, 0.4)]
    seeds = tuple(entry("y", seed=seed) for seed in (0, 1))
    mean = LeaderboardRow(seeds[0], seeds, several[0], (("f1", over_seeds([0.2, 0.4])),), tuple(several), main="f1")
    (bar,) = ablation_bars(group(running, mean), [running, mean, row("z", None)], "f1", {})
    assert (bar.value, bar.seeds, bar.interval) == (pytest.approx(0.3), (0.2, 0.4), None)
    assert bar.deviation == pytest.approx(0.02**0.5), "the root of half of .1² + .1², times two"


def test_the_file_has_numbers_as_they_are():
    of = group(*ROWS)
    bars = ablation_bars(of, ROWS[:3], "f1", NAMES, baseline=ROWS[1].key)
    rows = list(csv.DictReader(io.StringIO(ablation_csv(of, bars, "f1", "Data, test"))))
    assert [(one["name"], one["features"], one["variant"], float(one["value"])) for one in rows] == [
        ("random", "", "", 0.2),
        ("clip+cat", "clip", "cat", 0.6),
        ("fast+cat", "fast", "cat", 0.5),
    ]
    assert [one["less_baseline"] for one in rows] == ["", "0.39999999999999997", "0.3"]
    assert (rows[0]["low"], rows[0]["high"], rows[0]["n"], rows[0]["seeds"]) == ("0.1", "0.3", "10", "1")
    assert (rows[0]["data"], rows[0]["rule"], rows[0]["version"]) == ("Data, test", "feasibility", "1")
    assert [one["baseline"] for one in rows] == ["1", "0", "0"]
