"""The workers' best answer to a field, and the call that brings a field to it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.webtask import FieldType, WebField
from stepscope.core.scoring.web_fields_match import score_field
from stepscope.core.webtask.actions import (
    ModifyCheckbox,
    ModifyRadio,
    ModifyRange,
    ModifySelect,
    ModifyText,
    PageAction,
)
from stepscope.core.webtask.filling import best_answers, candidates, filling

FIELDS = (
    WebField("words", FieldType.TEXTAREA),
    WebField("yes", FieldType.RADIO),
    WebField("why", FieldType.CHECKBOX),
    WebField("sure", FieldType.RANGE),
    WebField("gone", FieldType.TEXT),
)
WORKERS = (
    {"words": "tea and cake", "yes": "no", "why": "p|q", "sure": "80", "gone": "x"},
    {"words": "tea", "yes": "yes", "why": "p", "sure": "60", "gone": "x"},
    {"words": "tea and cake", "yes": "no", "sure": "70", "gone": "x"},
)


@pytest.mark.parametrize(
    ("kind", "value", "call"),
    [
        (FieldType.TEXT, "x", ModifyText("a", "x")),
        (FieldType.TEXTAREA, "", ModifyText("a", "")),
        (FieldType.HIDDEN, "x", ModifyText("a", "x")),
        (FieldType.RADIO, "1", ModifyRadio("a", "1")),
        (FieldType.SELECT, "1", ModifySelect("a", "1")),
        (FieldType.CHECKBOX, "p|q", ModifyCheckbox("a", ("p", "q"))),
        (FieldType.CHECKBOX, "", ModifyCheckbox("a", ())),
        (FieldType.RANGE, "2.5", ModifyRange("a", 2.5)),
        (FieldType.RANGE, "a lot", None),
        (FieldType.RANGE, "", None),
        (FieldType.RANGE, "nan", None),
        (FieldType.RANGE, "1e999", None),
    ],
)
def test_each_type_of_field_has_its_own_call(kind: FieldType, value: str, call: PageAction | None) -> None:
    assert filling("a", kind, value) == call


def test_the_best_answer_of_each_field_is_some_workers_own() -> None:
    # Ranges over 80: 80 is off by 30/3, 60 by 30/3, 70 by 20/3.
    assert best_answers(FIELDS, WORKERS) == {
        "words": "tea and cake", "yes": "no", "why": "p|q", "sure": "70", "gone": "x",
    }  # fmt: skip


def test_no_answers_leave_nothing_to_fill_in() -> None:
    assert best_answers(FIELDS, ()) == {}


def test_after_the_best_come_the_others_with_what_they_score() -> None:
    assert list(candidates(FIELDS[1], WORKERS)) == [(1.0, "no"), (0.0, "yes")]
    assert [answer for _, answer in candidates(FIELDS[3], WORKERS)] == ["70", "80", "60"]


@given(
    st.lists(st.integers(-20, 20), min_size=1, max_size=6), st.integers(-20, 20), st.sampled_from(["official", "paper"])
)
def test_no_number_does_better_on_a_range_than_the_oracles(golds: list[int], other: int, rules: str) -> None:
    answers = [str(gold) for gold in golds]
    best = best_answers((WebField("much", FieldType.RANGE),), [{"much": answer} for answer in answers])["much"]
    for rival in (str(other), f"{sum(golds) / len(golds)}"):
        found, beaten = (score_field("range", answers, one, rules).value for one in (best, rival))
        assert found is None or beaten is None or found >= beaten - 1e-12
