"""Scores of web tasks by type, by task and between two runs, on pages worked out by hand and beside SciPy."""

import numpy as np
import pytest

from stepscope.core.domain.filter_parser import parse
from stepscope.core.domain.prediction import Task
from stepscope.core.evaluation.breakdown import ItemSelection, by_task, by_type, mask_of, task_pairs
from stepscope.core.evaluation.breakdown.web_items import COUNT, TYPES
from stepscope.core.lazy import lazy_module
from stepscope.core.store.column_reading import TextCodes
from stepscope.core.store.columns import ERROR, SCORED, UNSCORED, RunColumns

scipy_stats = lazy_module("scipy.stats")
proportion = lazy_module("statsmodels.stats.proportion")
pytestmark = pytest.mark.needs("scipy.stats")


def pages_of(pages, status=None):
    """Columns of pages given as (id, {type: (sum, fields)}); `status` by id is SCORED unless it says otherwise."""
    names = [name for name, _ in pages]
    places, n = TextCodes(), len(pages)
    episode = places.of(names)
    parts = {}
    for kind in TYPES:
        for name, part in ((kind, 0), (COUNT.format(kind), 1)):
            found = [of[kind][part] if kind in of else np.nan for _, of in pages]
            parts[f"part {name}"] = np.array(found, float)
    states = np.array([(status or {}).get(name, SCORED) for name in names], np.int8)
    zeros, none = np.zeros(n, np.int32), np.zeros(len(places), np.int32)
    sums = np.array([sum(a for a, _ in of.values()) / max(sum(b for _, b in of.values()), 1) for _, of in pages])
    value = np.where(states == SCORED, sums, np.nan)
    return RunColumns(
        run_id="r", scoring_id=1, task=Task.WEBTASK, row=np.arange(1, n + 1), episode=episode,
        step=np.full(n, -1, np.int32), status=states, value=value, right=value == 1, malformed=np.zeros(n, bool),
        null=np.zeros(n, bool), reference=zeros, predicted=zeros, confidence=np.full(n, np.nan),
        episodes=tuple(places), kinds=("",), app=none, label=none, reason=none, steps=none - 1, apps=("",),
        labels=("",), reasons=("",), _database=None, _source_id=None, _kept=parts,
    )  # fmt: skip


PAGES = (
    ("Rate/0", {"radio": (1, 1), "text": (0.5, 1)}),
    ("Rate/1", {"radio": (0, 1), "text": (1, 1)}),
    ("Word/align/0", {"radio": (2, 3)}),
    ("Word/align/1", {}),
    ("Slide/0", {"range": (-1, 1)}),
    ("Slide/1", {"range": (1, 1)}),
)
RUN = pages_of(PAGES, {"Word/align/1": UNSCORED, "Slide/1": ERROR})


def wilson_of(count, n):
    return pytest.approx(proportion.proportion_confint(count, n, method="wilson"))


def test_by_type_is_the_mean_over_fields():
    found = {group.name: group for group in by_type(RUN)}
    assert list(found) == ["text", "radio", "range"], "types in their own order, only those that are there"
    assert (found["text"].mean, found["text"].fields, found["text"].pages) == (0.75, 2, 2)
    assert (found["radio"].mean, found["radio"].fields, found["radio"].pages) == (pytest.approx(3 / 5), 5, 3)
    assert (found["range"].mean, found["range"].fields, found["range"].pages) == (-1, 1, 1)
    assert found["text"].interval is None and found["range"].interval is None, "one task says nothing of others"
    assert found["radio"].interval == (pytest.approx(0.5), pytest.approx(2 / 3)), "the means of the two tasks"


def test_by_task_is_the_mean_over_the_fields_of_its_pages():
    rate, word, slide = by_task(RUN)
    assert (rate.name, rate.mean, rate.fields, rate.pages) == ("Rate", 0.625, 4, 2)
    assert rate.interval == wilson_of(1.25, 2)
    assert (word.name, word.mean, word.fields, word.pages) == ("Word/align", pytest.approx(2 / 3), 3, 1)
    assert (slide.name, slide.mean, slide.interval) == ("Slide", -1, wilson_of(0, 1))


def test_pages_of_many_fields_are_worth_fewer_draws():
    (task,) = by_task(pages_of([("T/0", {"radio": (4, 4)}), ("T/1", {"radio": (0, 1)})]))
    assert task.mean == 0.8
    assert task.interval == wilson_of(0.8 * 25 / 17, 25 / 17), "(4 + 1)² / (4² + 1²)"


def test_a_mask_leaves_pages_out():
    mask = np.array([True, False, False, True, True, True])
    assert [(group.name, group.mean) for group in by_task(RUN, mask)] == [("Rate", 0.75), ("Slide", -1)]
    assert [(group.name, group.mean) for group in by_type(RUN, mask)] == [("text", 0.5), ("radio", 1), ("range", -1)]


def test_the_pages_behind_a_group():
    places = {
        group.name: np.flatnonzero(mask_of(RUN, group.selection)).tolist() for group in (*by_type(RUN), *by_task(RUN))
    }
    assert places == {
        "text": [0, 1], "radio": [0, 1, 2], "range": [4, 5], "Rate": [0, 1], "Word/align": [2, 3], "Slide": [4, 5],
    }  # fmt: skip


def test_chips_and_the_filter_of_a_task():
    chosen = ItemSelection.of(("task", "Word/align"))
    assert chosen.words() == ("task: Word/align",) and ItemSelection.of(("type", "radio")).words() == ("fields: radio",)
    text = chosen.filter_text()
    assert text == 'app="Word/align"' and str(parse(text)) == text
    assert ItemSelection.of(("type", "radio")).filter_text() is None


def test_nothing_scored():
    nothing = pages_of([("T/0", {})], {"T/0": ERROR})
    assert by_type(nothing) == by_task(nothing) == task_pairs(nothing, nothing) == ()
    none = pages_of([])
    assert by_type(none) == by_task(none) == task_pairs(none, RUN) == task_pairs(RUN, none) == ()


def test_the_interval_of_a_type_is_that_of_scipy():
    draw = np.random.default_rng(5)
    pages = [(f"T{task}/{page}", {"radio": (float(draw.random() < 0.2 + 0.6 * (task % 2)), 1)})
             for task in range(40) for page in range(5)]  # fmt: skip
    (found,) = by_type(pages_of(pages))
    means = np.array([sum(of["radio"][0] for _, of in pages[5 * task : 5 * task + 5]) / 5 for task in range(40)])
    theirs = scipy_stats.bootstrap((means,), np.mean, method="percentile", n_resamples=4000, rng=1).confidence_interval
    assert found.interval == (pytest.approx(theirs.low, abs=0.02), pytest.approx(theirs.high, abs=0.02))


def run_with(values, order=None):
    pages = [(f"{task}/{page}", {"radio": (value, 1)}) for task, of in values.items() for page, value in enumerate(of)]
    return pages_of([pages[place] for place in order] if order else pages)


A = {"Same": [0.5, 0.5, 1.0], "Better": [0.1, 0.2, 0.0, 0.3], "One": [0.0]}
B = {"Same": [0.5, 1.0, 0.5], "Better": [0.9, 1.0, 0.7, 1.0], "One": [1.0]}


def test_two_runs_task_by_task():
    same, better, one = task_pairs(run_with(A), run_with(B, [7, 2, 0, 1, 6, 5, 4, 3]))
    assert (same.a, same.b, same.difference, same.notable) == (pytest.approx(2 / 3), pytest.approx(2 / 3), 0, False)
    assert (better.a, better.b, better.pages, better.notable) == (pytest.approx(0.15), pytest.approx(0.9), 4, True)
    assert one.difference == 1 and one.interval is None and not one.notable, "one page says nothing of others"


@pytest.mark.parametrize("task", ["Same", "Better"])
def test_the_interval_of_a_difference_is_that_of_a_paired_t_test(task):
    found = next(pair for pair in task_pairs(run_with(A), run_with(B)) if pair.name == task)
    theirs = scipy_stats.ttest_rel(B[task], A[task]).confidence_interval(0.95)
    assert found.interval == (pytest.approx(theirs.low), pytest.approx(theirs.high))


def test_only_pages_that_both_scored_are_compared():
    a = pages_of([("T/0", {"radio": (1, 1)}), ("T/1", {"radio": (0, 1)}), ("T/2", {"radio": (0, 1)})])
    b = pages_of([("T/0", {"radio": (0, 1)}), ("T/1", {"radio": (1, 1)}), ("U/0", {"radio": (1, 1)})], {"T/1": ERROR})
    (found,) = task_pairs(a, b)
    assert (found.name, found.pages, found.a, found.b) == ("T", 1, 1, 0)
    assert task_pairs(a, b, np.array([False, True, True])) == ()
