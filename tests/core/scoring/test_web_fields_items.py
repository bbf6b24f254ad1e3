"""Pages filled in by an evaluation are judged as the same fields in a file are."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.prediction import FieldsAnswer, Prediction, PredictionStatus
from stepscope.core.domain.score import Score, ScoreStatus
from stepscope.core.domain.webtask import FieldType, WebField, task_of
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.registry import score_records, step_metrics
from stepscope.core.scoring.rule import ScoredItem
from stepscope.core.scoring.web_fields import FilledPage, WebFieldsScorer

SCORER = WebFieldsScorer()
FIELDS = tuple(WebField(f"f_{kind}", kind) for kind in FieldType)


def page(*answers: dict[str, str], fields: tuple[WebField, ...] = FIELDS) -> FilledPage:
    return FilledPage(fields, answers)


def judged(reference: FilledPage, fields: dict[str, str] | None, rules: str = "official") -> Score:
    if fields is None:
        prediction = Prediction("t/0", None, None, PredictionStatus.FAILED, why="It crashed.")
    else:
        prediction = Prediction("t/0", None, FieldsAnswer(tuple(fields.items())))
    return SCORER.score_item(reference, prediction, parse_options(SCORER.info, {"rules": rules}))


RADIO, TEXT, TICK, RANGE = (
    WebField("good", FieldType.RADIO),
    WebField("why", FieldType.TEXTAREA),
    WebField("boxes", FieldType.CHECKBOX),
    WebField("much", FieldType.RANGE),
)


def test_a_page_by_hand() -> None:
    reference = page(
        {"good": "1.0", "why": "tea &amp; cake", "boxes": "a|b"},
        {"good": "1", "boxes": "b"},
        {"good": "0"},
        fields=(RADIO, TEXT, TICK),
    )
    answer = {"good": "1", "why": "tea & two cakes", "boxes": "c|a|b", "unknown": "x"}
    found = judged(reference, answer)
    assert (found.value, found.why) == (pytest.approx(0.6), "1 of 3 fields right, 0.60 on average.")
    assert dict(found.parts) == {
        "radio": 1, "radio_fields": 1, "textarea": pytest.approx(0.8), "textarea_fields": 1,
        "checkbox": 0, "checkbox_fields": 1,
    }  # fmt: skip
    assert dict(judged(reference, answer, "paper").parts)["checkbox"] == pytest.approx(2 / 3)
    assert judged(reference, {"good": "1", "why": "tea & cake", "boxes": "b|a"}).right


def test_a_field_that_is_not_named_was_left_empty() -> None:
    reference = page({"good": "1"}, {"good": "1", "boxes": "a"}, {}, fields=(RADIO, TICK))
    assert dict(judged(reference, {}).parts) == {"radio": 0, "radio_fields": 1, "checkbox": 1, "checkbox_fields": 1}


def test_no_usable_answer_is_wrong_in_every_field_that_counts() -> None:
    found = judged(page({}, fields=(RADIO, TEXT)), None)
    assert (found.value, found.malformed, found.null, found.why) == (0, True, True, "It crashed.")
    assert dict(found.parts) == {"radio": 0, "radio_fields": 1}


@pytest.mark.parametrize("reference", [page(), page({"why": "{}"}, fields=(TEXT,)), page({}, fields=())])
def test_a_page_without_a_field_to_score_is_unscored(reference: FilledPage) -> None:
    assert judged(reference, {}).status is ScoreStatus.UNSCORED


@pytest.mark.parametrize("rules", ["official", "paper"])
def test_fields_that_the_page_does_not_have_are_not_scored(rules: str) -> None:
    reference = page({"good": "1", "why": "tea", "boxes": "a"}, fields=(RADIO, TEXT, TICK))

    def found(*missing: str) -> Score:
        prediction = Prediction("t/0", None, FieldsAnswer((("good", "1"),), missing))
        return SCORER.score_item(reference, prediction, parse_options(SCORER.info, {"rules": rules}))

    assert dict(found().parts) == {
        "radio": 1, "radio_fields": 1, "textarea": 0, "textarea_fields": 1, "checkbox": 0, "checkbox_fields": 1
    }  # fmt: skip
    one = found("why", "unknown")
    assert (one.value, dict(one.parts).keys()) == (0.5, {"radio", "radio_fields", "checkbox", "checkbox_fields"})
    assert one.why == "1 of 2 fields right, 0.50 on average. Not scored, for the page does not have it: why."
    assert found("why", "boxes").value == 1 and "does not have them: why, boxes." in found("why", "boxes").why
    none = found("boxes", "good", "why")
    assert (none.status, none.why) == (ScoreStatus.UNSCORED, "The page has none of its fields.")


def test_a_page_that_lacks_what_could_be_scored_is_unscored_and_says_so() -> None:
    reference = page({"good": "1"}, fields=(RADIO, TEXT))
    found = SCORER.score_item(
        reference, Prediction("t/0", None, FieldsAnswer((("why", ""),), ("good",))), {"rules": "official"}
    )
    assert found.status is ScoreStatus.UNSCORED
    assert found.why.endswith("Not scored, for the page does not have it: good.")
    only = page({"good": "1"}, fields=(RADIO,))
    gone = SCORER.score_item(only, Prediction("t/0", None, FieldsAnswer((), ("good",))), {"rules": "official"})
    assert (gone.status, gone.why) == (ScoreStatus.UNSCORED, "The page does not have this field.")


def test_a_range_below_0_makes_no_value_below_0_but_keeps_its_sum() -> None:
    found = judged(page({"much": "-5"}, fields=(RANGE,)), {"much": "5"})
    assert (found.value, dict(found.parts)["range"]) == (0, -1)


def test_a_task_is_told_by_the_id() -> None:
    assert [task_of(name) for name in ("a/0", "a/b/0", "a", "/0")] == ["a", "a/b", "a", "/0"]


WORDS = st.sampled_from(["", "1", "1.0", "2", "a", "a|b", "b|a", "tea & cake", "nan", "-3"])
PAGES = st.lists(st.fixed_dictionaries({}, optional={field.name: WORDS for field in FIELDS}), min_size=1, max_size=3)
ANSWERS = st.none() | st.fixed_dictionaries({field.name: WORDS for field in FIELDS})
CASES = st.lists(st.tuples(st.sampled_from("abc"), PAGES, ANSWERS), max_size=6)


@given(CASES, st.sampled_from(["official", "paper"]))
def test_metrics_are_those_of_the_same_records(found: list[Any], rules: str) -> None:
    items, records = [], []
    for number, (task, workers, answer) in enumerate(found):
        items.append(ScoredItem(f"{task}/{number}", -1, judged(page(*workers), answer, rules)))
        for field in FIELDS:
            reference = [worker.get(field.name, "") for worker in workers]
            said = None if answer is None else answer[field.name]
            names = {"task": task, "instance": number, "field": field.name, "type": field.type.value}
            records.append({**names, "reference": reference, "prediction": said})
    options = parse_options(SCORER.info, {"rules": rules})
    wanted = score_records(SCORER, Records.of(records), options, bootstrap=10).metrics
    run = step_metrics(SCORER, items, options, bootstrap=10)
    assert run.as_dict() == pytest.approx(wanted.as_dict(), abs=1e-12)
    assert run.counts == wanted.counts
    assert [name for name, _ in run.intervals] == [name for name, _ in wanted.intervals]
    for (_, ours), (_, theirs) in zip(run.intervals, wanted.intervals, strict=True):
        assert ours == pytest.approx(theirs, abs=1e-12)
