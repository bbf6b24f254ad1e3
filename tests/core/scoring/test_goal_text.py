"""`goal_text`: by hand, beside the rouge-score library, and the same in files and evaluations."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.prediction import GoalAnswer, Prediction, PredictionStatus
from stepscope.core.domain.score import Score, ScoreStatus
from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.scoring.goal_text import GoalTextScorer
from stepscope.core.scoring.goal_text_match import METRICS, likeness, words
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.registry import run_protocols, score_records, step_metrics
from stepscope.core.scoring.rule import ScoredItem

SCORER = GoalTextScorer()
rouge_scorer = lazy_module("rouge_score.rouge_scorer")
pytestmark = pytest.mark.needs("scipy.stats")  # which the library loads by way of nltk


@cache
def rouge() -> Any:
    return rouge_scorer.RougeScorer(["rougeL"], use_stemmer=True)


def record(reference: Any, prediction: Any) -> dict[str, Any]:
    return {"id": "e", "reference": reference, "prediction": prediction}


def score(*records: dict[str, Any], **settings: Any) -> Any:
    return score_records(SCORER, Records.of(records), {}, **settings)


def judged(reference: str, text: str | None) -> Score:
    if text is None:
        return SCORER.score_item(reference, Prediction("e", None, None, PredictionStatus.EMPTY), {})
    return SCORER.score_item(reference, Prediction("e", None, GoalAnswer(text)), {})


@pytest.mark.parametrize(
    ("reference", "prediction", "values"),
    [
        ("Turn the Wi-Fi on", "turn  the wi fi ON.", (1, 1, 1)),
        ("Straße „Am Hof“", 'STRASSE "am hof"', (1, 1, 1)),
        ("日本語の設定", "日本語の設定。", (1, 1, 1)),
        ("…", "…", (1, 1, 1)),
        ("…", "!", (0, 0, 0)),
        ("Open it", "", (0, 0, 0)),
        # turn, wi, fi of four and five words: P 3/4, R 3/5.
        ("turn the wi fi on", "turn wi fi off", (0, 2 / 3, 2 / 3)),
        # In order set, alarm: 2 of 5 and 5. As a bag set, alarm, nine, now: 4 of 5 and 5.
        ("set alarm for nine now", "now set nine alarm please", (0, 0.4, 0.8)),
        # Stems are ROUGE's alone.
        ("delete alarms", "deleting alarm", (0, 1, 0)),
        # Each word counts as often as both have it.
        ("go go go", "go", (0, 0.5, 0.5)),
    ],
)
def test_texts_by_hand(reference: str, prediction: str, values: tuple[float, ...]) -> None:
    assert likeness(reference, prediction) == pytest.approx(values)


def test_words_are_evened_out() -> None:
    assert words(" It’s  5:30 – “now”, ﬁne?") == ("it", "s", "5", "30", "now", "fine")


def test_the_example_of_the_page() -> None:
    found = score(
        record("Turn the Wi-Fi on", "turn the wi-fi on."),
        record("Set an alarm for nine", "Set nine alarms"),
        record("Delete the choir alarm", None),
        record(" ", "Open the clock"),
        bootstrap=10,
    )
    assert [row["rouge_l"] for row in found.details] == pytest.approx([1, 0.5, 0, None])
    assert [row["token_f1"] for row in found.details] == pytest.approx([1, 0.5, 0, None])
    metrics = found.metrics
    assert metrics.as_dict() == pytest.approx({"exact": 1 / 3, "rouge_l": 0.5, "token_f1": 0.5})
    assert (metrics.n, metrics.unscored, metrics.malformed, metrics.null) == (3, 1, 1, 1)
    assert [name for name, _ in metrics.intervals] == list(METRICS)
    assert [row["why"] for row in found.details] == [
        "The same words as the recorded goal.",
        "Like the recorded goal by ROUGE-L 0.50, shared words 0.50.",
        "No usable prediction.",
        "No reference goal.",
    ]


def test_over_nothing_there_is_no_value() -> None:
    assert score().metrics.as_dict() == dict.fromkeys(METRICS)
    assert score(record(None, "x")).metrics.as_dict() == dict.fromkeys(METRICS)


@pytest.mark.parametrize(("change", "field"), [({"prediction": 1}, "prediction"), ({"reference": []}, "reference")])
def test_a_bad_field_is_named_with_its_line(change: dict[str, Any], field: str) -> None:
    with pytest.raises(UserError, match=f"{field} must be text"):
        score({**record("a", "b"), **change})
    missing = record("a", "b")
    del missing[field]
    with pytest.raises(UserError, match=f"{field} is missing"):
        score(missing)


def test_only_an_exact_goal_is_right_in_an_evaluation() -> None:
    assert judged("Delete alarms", "delete  alarms!").right
    stems = judged("Delete alarms", "Deleting alarm")
    assert dict(stems.parts)["rouge_l"] == 1 and not stems.right and stems.value == pytest.approx(1)
    other = judged("音量 Wi-Fi", "設定 Wi-Fi")
    assert dict(other.parts)["rouge_l"] == 1 and not other.right
    assert judged("", "x").status is judged(" \n", None).status is ScoreStatus.UNSCORED
    nothing = judged("x", None)
    assert (nothing.value, nothing.malformed, nothing.null) == (0, True, True)


def test_it_is_the_protocol_of_goals_that_judges_runs() -> None:
    from stepscope.core.domain.prediction import Task

    assert run_protocols(Task.GOAL) == ("early_goal", "goal_text")


TEXTS = st.lists(
    st.sampled_from(["set", "Set", "alarms", "alarm.", "the", "nine", "9:30", "é", "設定", "-"]), max_size=6
).map(" ".join)


@given(TEXTS, TEXTS)
def test_rouge_is_the_librarys_and_no_measure_leaves_0_to_1(reference: str, prediction: str) -> None:
    found = likeness(reference, prediction)
    if not found.exact:
        assert found.rouge_l == pytest.approx(rouge().score(reference, prediction)["rougeL"].fmeasure)
    assert all(0 <= value <= 1 for value in found)
    assert likeness(prediction, reference) == pytest.approx(found)


@given(st.lists(st.tuples(TEXTS, st.none() | TEXTS), max_size=6))
def test_metrics_are_those_of_the_same_records(found: list[tuple[str, str | None]]) -> None:
    items = [ScoredItem(str(place), -1, judged(*texts)) for place, texts in enumerate(found)]
    wanted = score(*(record(*texts) for texts in found), bootstrap=10)
    run = step_metrics(SCORER, items, {}, bootstrap=10)
    assert (run, run.n_of("exact")) == (wanted.metrics, wanted.metrics.n)
