"""`early_goal`: worked out by hand, and the same in files and evaluations."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.prediction import GoalAnswer, Prediction, PredictionStatus, Task
from stepscope.core.errors import UserError
from stepscope.core.scoring.early_goal import EarlyGoalScorer, convergence
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.registry import run_protocols, score_records, step_metrics
from stepscope.core.scoring.rule import ScoredItem

SCORER = EarlyGoalScorer()
OPTIONS = parse_options(SCORER.info, {})
EXACT = parse_options(SCORER.info, {"measure": "exact"})
WANTED, OTHER = "Delete the choir alarm", "Open the clock"


def record(*guesses: Any, reference: Any = WANTED, name: str = "e") -> dict[str, Any]:
    return {"id": name, "reference": reference, "guesses": list(guesses)}


def score(*records: dict[str, Any], options: Any = OPTIONS, **settings: Any) -> Any:
    return score_records(SCORER, Records.of(records), options, **settings)


def values(*records: dict[str, Any], options: Any = OPTIONS) -> dict[str, float | None]:
    return dict(score(*records, options=options).metrics.values)


@pytest.mark.parametrize(
    ("right", "since", "earliness"),
    [
        ([True], 1, 1.0),
        ([False], None, 0.0),
        ([False, True, True], 2, 2 / 3),
        ([True, False, True], 3, 1 / 3),
        ([True, True, False], None, 0.0),
        ([False, False, True, True, True], 3, 3 / 5),
    ],
)
def test_convergence(right, since, earliness):
    found = convergence(right)
    assert (found.since, found.earliness) == (since, pytest.approx(earliness))


def test_a_file():
    """Four trajectories: right from step 2 of 4; never (right at first, then not); without a guess; from the first."""
    found = values(
        record(OTHER, WANTED, WANTED, WANTED),
        record(WANTED, OTHER, name="f"),
        record(None, None, name="g"),
        record(WANTED, name="h"),
    )
    assert found["earliness"] == pytest.approx((3 / 4 + 0 + 0 + 1) / 4)
    assert found["convergence"] == pytest.approx(2 / 4)
    assert found["convergence_point"] == pytest.approx((2 / 4 + 1 / 1) / 2)
    assert found["precision"] == pytest.approx((3 + 1 + 1) / (4 + 2 + 1))
    assert found["recall"] == pytest.approx(5 / 9)


def test_what_is_counted():
    metrics = score(record(WANTED), record(None), record(WANTED, reference=" "), record(reference=WANTED)).metrics
    assert (metrics.n, metrics.unscored, metrics.malformed, metrics.null) == (2, 2, 1, 1)


def test_without_records_nothing_has_a_value():
    assert set(values().values()) == {None}
    assert values(record(None))["precision"] is None
    assert values(record(OTHER))["convergence_point"] is None


def test_a_null_guess_is_wrong_and_was_not_made():
    found = values(record(None, WANTED))
    assert (found["precision"], found["recall"], found["earliness"]) == (1.0, 0.5, 0.5)


def test_what_is_right_hangs_on_the_measure():
    """ "Delete choir alarm" has 3 words of 4: ROUGE-L is 2 · 3/(3 + 4) = 0.857."""
    near = record("Delete choir alarm")
    assert values(near)["convergence"] == 1.0
    assert values(near, options=EXACT)["convergence"] == 0.0
    assert values(near, options=parse_options(SCORER.info, {"at": "0.86"}))["convergence"] == 0.0
    assert values(near, options=parse_options(SCORER.info, {"at": "0.85"}))["convergence"] == 1.0


def test_verdicts_of_a_judge_take_the_place_of_words():
    found = values({"id": 1, "right": [False, None, True, True]})
    assert (found["earliness"], found["precision"], found["recall"]) == (0.5, pytest.approx(2 / 3), 0.5)
    assert score({"id": 1, "right": []}).metrics.unscored == 1


@pytest.mark.parametrize(
    ("bad", "field"),
    [
        ({"id": 1, "guesses": []}, "reference"),
        ({"id": 1, "reference": "a"}, "guesses"),
        ({"id": 1, "reference": "a", "guesses": "b"}, "guesses"),
        ({"id": 1, "reference": "a", "guesses": [3]}, "guesses"),
        ({"id": 1, "reference": 4, "guesses": []}, "reference"),
        ({"id": 1, "right": [1]}, "right"),
        ({"reference": "a", "guesses": []}, "id"),
    ],
)
def test_bad_records_are_told_by_field(bad, field):
    with pytest.raises(UserError, match=field):
        score(bad)


def test_details():
    found = score(record(OTHER, WANTED), record(WANTED, OTHER), record(None), record(reference=None)).details
    assert [one["why"] for one in found] == [
        "Right from step 2 of 2 on.", "The last guess is not right.", "No usable prediction.", "No steps."
    ]  # fmt: skip
    assert [one["since"] for one in found] == [2, None, None, None]


def item(step: int, text: str | None, reference: str = WANTED, episode: str = "e") -> ScoredItem:
    status = PredictionStatus.EMPTY if text is None else PredictionStatus.OK
    answer = None if text is None else GoalAnswer(text)
    prediction = Prediction(episode, step, answer, status)
    return ScoredItem(episode, step, SCORER.score_item(reference, prediction, OPTIONS))


GUESSES = st.lists(st.sampled_from((None, WANTED, OTHER)), min_size=1, max_size=6)


@given(st.lists(GUESSES, max_size=5), st.randoms())
def test_items_give_what_records_give(trajectories, random):
    """In whatever order the items come."""
    items = [
        item(step, guess, episode=str(place))
        for place, guesses in enumerate(trajectories)
        for step, guess in enumerate(guesses)
    ]
    random.shuffle(items)
    found = step_metrics(SCORER, items, OPTIONS)
    records = [record(*guesses, name=str(place)) for place, guesses in enumerate(trajectories)]
    assert dict(found.values) == pytest.approx(values(*records))


def test_an_item_tells_what_it_has():
    right, near, none = item(0, WANTED).score, item(0, OTHER).score, item(0, None).score
    assert right.value == 1.0 and right.why == "Right: rouge_l 1.00, where 0.7 is enough."
    # "the" of three and four words: 2 · 1/(3 + 4).
    assert near.value == pytest.approx(2 / 7) and near.why.startswith("Not right")
    assert none.value == 0.0 and none.malformed
    assert item(0, WANTED, reference=" ").score.value is None


def test_intervals_are_drawn_by_trajectory():
    items = [item(step, WANTED, episode=str(place)) for place in range(4) for step in range(3)]
    found = step_metrics(SCORER, items, OPTIONS, bootstrap=50, seed=1)
    assert dict(found.intervals)["earliness"] == (1.0, 1.0)


def test_it_judges_goals():
    assert "early_goal" in run_protocols(Task.GOAL)
