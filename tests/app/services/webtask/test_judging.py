"""One page field by field: scores, what the workers said, and how far they agree."""

from __future__ import annotations

import pytest

from stepscope.app.services.webtask.judging import AnswerCount, judged_page
from stepscope.core.domain.webtask import FieldType, WebField
from stepscope.core.webtask.filling import best_answers

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


def test_every_field_has_its_score_and_the_page_their_mean() -> None:
    values = {"words": "tea and two cakes", "yes": "no", "why": "p|q|r", "sure": "70"}
    page = judged_page(FIELDS, WORKERS, values, "official", missing=("gone",))
    scores = {one.name: one.score for one in page.fields}

    # ROUGE-L: tea, and, cake of the answer's three words, of four predicted ("cakes" has the stem cake).
    assert scores["words"] == pytest.approx(2 * (3 / 4) * 1 / (3 / 4 + 1))
    assert scores["yes"] == 1
    assert scores["why"] == 0
    # Distances 10, 10, 0; the largest value is 80.
    assert scores["sure"] == pytest.approx(1 - (20 / 3) / 80)
    assert scores["gone"] is None
    assert page.scored == 4
    assert page.score == pytest.approx((6 / 7 + 1 + 0 + 1 - 1 / 12) / 4)


def test_the_papers_rules_give_parts_of_a_checkbox() -> None:
    page = judged_page(FIELDS[2:3], WORKERS, {"why": "p|q|r"}, "paper")

    assert page.score == pytest.approx(2 / 3)


def test_what_was_said_is_counted() -> None:
    page = judged_page(FIELDS, WORKERS, {}, "official")
    by_name = {one.name: one for one in page.fields}

    assert by_name["words"].said == (AnswerCount("tea and cake", 2), AnswerCount("tea", 1))
    assert by_name["why"].said == (AnswerCount("p|q", 1), AnswerCount("p", 1), AnswerCount("", 1))
    assert by_name["yes"].agreement == "majority 2 of 3"
    assert by_name["words"].agreement == "alike 2 of 3"
    assert [one.number for one in page.fields] == [1, 2, 3, 4, 5]


def test_a_page_that_nobody_answered_has_no_score() -> None:
    page = judged_page(FIELDS, (), {"yes": "no"}, "official")

    assert page.score is None
    assert all(one.score is None and one.why for one in page.fields)


def test_a_page_is_never_below_nothing() -> None:
    below = judged_page(FIELDS[3:4], [{"sure": "-5"}], {"sure": "5"}, "official")

    assert below.fields[0].score == -1
    assert below.score == 0


def test_the_best_answers_score_all_that_can_be_had() -> None:
    page = judged_page(FIELDS, WORKERS, best_answers(FIELDS, WORKERS), "official")

    assert [one.score for one in page.fields][:3] == [1, 1, 1]
