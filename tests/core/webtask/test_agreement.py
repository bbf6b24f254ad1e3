"""Agreement of people who filled in the same pages, held against numbers worked out by hand."""

from __future__ import annotations

import pytest

from stepscope.core.domain.webtask import FieldType, WebField, WebTask
from stepscope.core.webtask.agreement import DIFFERENCE, KAPPA, ROUGE_L, WorkerComparison, agreement


def task(**fields: FieldType) -> WebTask:
    return WebTask("t", "T", "", "", (), tuple(WebField(name, kind) for name, kind in fields.items()))


def given(field: str, *rows: dict[str, str]) -> dict[str, dict[str, dict[str, str]]]:
    """Answers to one field: for each instance what everybody said."""
    return {
        f"t/{n}": {name: {field: value} if value else {} for name, value in row.items()} for n, row in enumerate(rows)
    }


def test_choices_are_compared_by_kappa() -> None:
    """Shares of yes 2/4 and 1/4: chance 1/8 + 3/8, observed 3/4. Alpha: 1 - 7 * 2 / (2 * 3 * 5)."""
    rows = [{"a": "yes", "b": "yes"}, {"a": "yes", "b": "no"}, {"a": "no", "b": "no"}, {"a": "no", "b": "no"}]
    found = agreement(task(q=FieldType.RADIO), given("q", *rows))
    (field,) = found.fields
    assert (found.people, found.instances) == (("a", "b"), 4)
    assert (field.measure, field.value, field.observed) == (KAPPA, pytest.approx(0.5), 0.75)
    assert field.alpha == pytest.approx(1 - 14 / 30)
    assert (field.instances, field.pairs, field.n) == (4, 1, 4)
    assert found.mean(KAPPA) == (pytest.approx(0.5), 1) and found.mean(ROUGE_L) == (None, 0)


def test_kappa_is_the_mean_over_pairs_of_people() -> None:
    """a and b agree in full, c with a and with b not beyond chance: (1 + 0 + 0) / 3."""
    rows = [{"a": "1", "b": "1", "c": "1"}, {"a": "2", "b": "2", "c": "1"}, {"a": "2"}]
    found = agreement(task(q=FieldType.SELECT), given("q", *rows))
    (field,) = found.fields
    assert (field.value, field.pairs, field.instances, field.n) == (pytest.approx(1 / 3), 3, 2, 6)
    assert field.observed == pytest.approx(4 / 6)


def test_boxes_agree_only_as_whole_sets_in_any_order() -> None:
    rows = [{"a": "x|y", "b": "y|x"}, {"a": "x", "b": "x|y"}, {"a": "", "b": ""}]
    (field,) = agreement(task(q=FieldType.CHECKBOX), given("q", *rows)).fields
    assert (field.measure, field.observed, field.n) == (KAPPA, pytest.approx(2 / 3), 3)


def test_texts_are_compared_by_rouge_and_nothing_with_nothing_is_equal() -> None:
    """Two of three words in common: 2/3."""
    rows = [{"a": "the cat sat", "b": "the cat ran"}, {"a": "", "b": ""}, {"a": "word", "b": ""}, {"a": "!", "b": "!"}]
    (field,) = agreement(task(q=FieldType.TEXTAREA), given("q", *rows)).fields
    assert (field.measure, field.value, field.n) == (ROUGE_L, pytest.approx((2 / 3 + 1 + 0 + 1) / 4), 4)
    assert (field.alpha, field.observed) == (None, 0.5)


def test_sliders_tell_how_far_they_are_apart() -> None:
    rows = [{"a": "10", "b": "30"}, {"a": "20", "b": "20.0"}, {"a": "5", "b": ""}, {"a": "nan", "b": "1"}]
    (field,) = agreement(task(q=FieldType.RANGE), given("q", *rows)).fields
    assert (field.measure, field.value, field.n, field.instances) == (DIFFERENCE, 10.0, 2, 4)


def test_one_person_alone_agrees_with_nobody() -> None:
    kinds = {"q": FieldType.RADIO, "w": FieldType.TEXT, "r": FieldType.RANGE, "c": FieldType.CHECKBOX}
    found = agreement(task(**kinds), given("q", {"a": "yes"}, {"b": "no"}))
    assert (found.people, found.instances) == (("a", "b"), 0)
    assert [(one.value, one.observed, one.alpha, one.n) for one in found.fields] == [(None, None, None, 0)] * 4
    assert found.workers == (WorkerComparison("a", None, 0, 0), WorkerComparison("b", None, 0, 0))
    assert agreement(task(**kinds), {}).people == ()


def test_everybody_is_scored_against_the_workers_as_a_model_is() -> None:
    """The majority says yes; of the texts the nearer one counts, 2/3; nobody wrote into `empty`: unscored."""
    kinds = task(q=FieldType.RADIO, w=FieldType.TEXT, empty=FieldType.TEXT)
    answers = {
        "t/0": {"a": {"q": "yes", "w": "the cat ran"}, "b": {"q": "no"}},
        "t/1": {"a": {"q": "yes"}},
    }
    workers = {"t/0": [{"q": "yes", "w": "the cat sat"}, {"q": "no", "w": "dog"}, {"q": "yes"}]}
    found = agreement(kinds, answers, workers)
    a, b = found.workers
    assert (a.annotator, a.n, a.instances, a.score) == ("a", 2, 1, pytest.approx((1 + 2 / 3) / 2))
    assert (b.annotator, b.n, b.instances, b.score) == ("b", 2, 1, 0.0)
