"""`stepscope score fields`: fields by hand, and an obvious implementation."""

import json
import math
import string
from collections import Counter
from functools import cache
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.registry import score_records
from stepscope.core.scoring.web_fields import WebFieldsScorer
from stepscope.core.scoring.web_fields_match import score_field
from stepscope.core.scoring.web_fields_rouge import rouge_l

SCORER = WebFieldsScorer()
rouge_scorer = lazy_module("rouge_score.rouge_scorer")
pytestmark = pytest.mark.needs("scipy.stats")  # which the library loads by way of nltk


@cache
def rouge() -> Any:
    return rouge_scorer.RougeScorer(["rougeL"], use_stemmer=True)


TEXTS = ("text", "textarea", "hidden")
CHOICES = ("radio", "select")
TYPES = (*TEXTS, *CHOICES, "checkbox", "range")


def record(type: str, reference: Any, prediction: Any, task: Any = "t", instance: Any = "t/0") -> dict[str, Any]:
    return {"task": task, "instance": instance, "field": "f", "type": type, "reference": reference,
            "prediction": prediction}  # fmt: skip


def score(*records: dict[str, Any], bootstrap: int = 0, **options: str) -> Any:
    return score_records(SCORER, Records.of(records), parse_options(SCORER.info, options), bootstrap=bootstrap)


def value(type: str, reference: Any, prediction: Any, rules: str = "official") -> float | None:
    found = score(record(type, reference, prediction), rules=rules).details[0]["score"]
    assert found is None or isinstance(found, float)
    return found


def test_the_worked_example_of_the_page() -> None:
    records = [
        record("radio", ["1.0", "1", "0"], 1, "Rate", 0),
        record("textarea", ["tea &amp; cake", ""], "tea & two cakes", "Rate", 0),
        record("checkbox", ["a|b", "b"], ["b", "a", "c"], "Rate", 1),
        record("hidden", ["{}", ""], "x", "Rate", 1),
        record("range", [-5, 1], 5, "Move", 0),
        record("range", ["3", "high"], "High!", "Move", 0),
        record("radio", ["2"], None, "Move", 1),
    ]
    result = score(*records)
    # tea, cake against tea, two, cake: precision 2/3, recall 1. Range: mean (10, 4) / 5.
    assert [row["score"] for row in result.details] == pytest.approx([1, 0.8, 0, None, -0.4, 0.5, 0])
    assert [row["instance_score"] for row in result.details] == pytest.approx([0.9, 0.9, 0, 0, 0.05, 0.05, 0])
    assert result.extra["by_task"] == pytest.approx({"Rate": 0.6, "Move": 0.1 / 3})
    assert result.extra["by_type"] == pytest.approx(
        {"textarea": 0.8, "hidden": None, "radio": 0.5, "checkbox": 0, "range": 0.05}
    )
    metrics = result.metrics
    assert metrics.as_dict() == pytest.approx({"score": (0.6 + 0.1 / 3) / 2})
    assert (metrics.n, metrics.unscored, metrics.malformed, metrics.null) == (6, 1, 1, 1)
    paper = score(*records, rules="paper")
    # Two of three boxes. Mean (10, 4) over the largest gold, 1, is 7: floored.
    assert [row["score"] for row in paper.details] == pytest.approx([1, 0.8, 2 / 3, None, 0, 0.5, 0])


def test_text() -> None:
    assert value("text", ["a dog", "the cats were running"], "The cat was RUN") == 0.75  # the, cat, run; were is no was
    assert value("textarea", ["x & y"], "x &amp; y") == 1 == value("hidden", ["&amp;"], "&")
    assert value("text", ["日本語"], "日本語") == 1 and value("text", ["日本語"], "日本") == 0
    assert value("text", ["", None, "tea"], "") == 0 and value("text", ["", "tea"], "tea") == 1
    for empty in ([], [""], [None, ""], ["nan"], ["{}", "nan", ""], ["'{}'"], ["'{}'", "{}", None]):
        assert value("text", empty, "") is None and value("hidden", empty, None) is None
    assert value("text", [" "], " ") == 1


@pytest.mark.parametrize("empty", ["nan", "{}", "'{}'", ""])
def test_an_empty_cell_beside_a_real_answer_is_no_answer(empty: str) -> None:
    for type in TEXTS:
        assert value(type, [empty, "tea"], "tea") == 1 and value(type, [empty, "tea"], empty) == 0
    assert value("text", ["Nan", "tea"], "Nan") == 1 and value("text", [" {}", "tea"], " {}") == 1  # letter by letter
    assert value("radio", [empty, empty, "tea"], empty) == 1  # a vote like any other


def test_numbers_in_texts_take_their_shortest_form_on_both_sides() -> None:
    for gold, answer in [("1.0", "1"), ("1", "1e0"), ("3.50", "3.5"), ("007", "7"), (" 2 ", "2.0"), (3.0, "3")]:
        for type in TEXTS:
            assert value(type, [gold], answer) == 1 == value(type, [answer], gold)
    assert value("text", ["1.25"], "1.2") == 0.5  # the words 1 25 and 1 2
    assert value("text", ["1.0 kg"], "1 kg") == pytest.approx(0.8)  # no number: the words 1 0 kg and 1 kg
    assert value("text", ["nan", "1.0"], "1") == 1 and value("text", ["inf"], "infinity") == 0


def test_choices() -> None:
    assert value("radio", ["b", "a", "a", "b"], "b") == 1  # a tie: the first seen
    assert value("radio", ["1", "1.0", "0", "0"], 1) == 0  # the vote is letter by letter: two say 0
    assert value("radio", [1, "1", "0"], 1) == 1
    assert value("select", ["Rock &  Roll!"], "rock roll") == 1 and value("select", ["&amp;"], "&") == 0
    assert value("radio", ["-2"], "2") == 1 and value("radio", ["0.5"], ".5") == 1 and value("radio", ["1e3"], "1000.0")
    assert value("radio", ["nan"], "NaN") == 1 and value("radio", ["nan"], "") == 0
    assert value("radio", ["", None, "a"], "") == 1 and value("radio", ["", None, "a"], "a") == 0


def test_checkboxes() -> None:
    for prediction in ("b|a", ["a", "b"], ["b", "a"], "A|B", "|a|b"):
        assert value("checkbox", ["c", "a|b"], prediction) == 1
    assert value("checkbox", ["a|bc"], "ab|c") == 1  # by the released rule, punctuation does not count
    assert value("checkbox", ["a|bc"], "ab|c", "paper") == 0
    assert value("checkbox", ["a", ""], "") == 1 == value("checkbox", ["a", ""], [], "paper")
    assert value("checkbox", [["a", "b"]], "a|b") == 1 and value("checkbox", ["1|2"], [2, 1]) == 1
    assert value("checkbox", ["a|b|c", "d"], "a|b|d", "paper") == 0.5
    assert value("checkbox", ["a"], "A", "paper") == 0


def test_ranges() -> None:
    assert value("range", [-5], 5) == -1 and value("range", [0, 0.0], "0") == 1
    assert value("range", [4, "2"], 3) == 0.75 and value("range", [10], 20) == 0.5
    assert value("range", [4, "2"], 3, "paper") == 0.75 and value("range", [10], 20, "paper") == 0
    assert value("range", [0, -1], None, "paper") is None and value("range", [0, -1], 0, "paper") is None
    assert value("range", ["low", "low", "3"], "LOW") == pytest.approx(2 / 3)
    assert value("range", ["3", ""], 3.0) == 0.5 == value("range", ["3", ""], 3.0, "paper")
    assert value("range", ["nan"], "nan") == 1 and value("range", ["inf", "1"], "inf") == 0.5
    assert value("range", [1e308], -1e308) == -1 and value("range", [1e308, -1e308], 0) == 0
    assert value("range", [-1e308, 1e-300], 1e308, "paper") == 0


def test_an_empty_reference() -> None:
    for type in ("radio", "select", "checkbox", "range"):
        for empty in ([], [""], ["", None]):
            assert [value(type, empty, prediction) for prediction in ("", "x", " ", None)] == [1, 0, 0, 0]
    assert value("checkbox", [], []) == 1 == value("checkbox", [[]], ["", None])


def test_null_unscored_and_error_are_told_apart() -> None:
    result = score(
        record("text", ["a"], None), record("text", [], None), record("radio", None, None), record("radio", ["a"], "b")
    )
    rows = [(row["status"], row["null"], row["malformed"], row["score"]) for row in result.details]
    assert rows == [
        ("scored", True, True, 0), ("unscored", False, False, None), ("unscored", False, False, None),
        ("scored", False, False, 0),
    ]  # fmt: skip
    assert (result.metrics.malformed, result.metrics.unscored) == (1, 2)
    assert len({row["why"] for row in result.details}) == 4


def test_nothing_scored_is_null() -> None:
    assert score().metrics.as_dict() == {"score": None} and score().extra == {"by_type": {}, "by_task": {}}
    result = score(record("text", [""], "a"), bootstrap=5)
    assert result.metrics.as_dict() == {"score": None} and result.metrics.intervals == ()
    assert result.extra == {"by_type": {"text": None}, "by_task": {"t": None}}


def test_tasks_are_the_units_and_ids_are_not_mixed_up() -> None:
    records = [record("radio", ["a"], "a", 7), record("radio", ["a"], "b", "7"), record("radio", ["a"], "a", 8)]
    result = score(*records, bootstrap=200)
    assert result.extra["by_task"] == {"7 (number)": 1, "7": 0, "8": 1}
    assert dict(result.metrics.intervals)["score"] == (0, 1) and dict(result.metrics.counts) == {"score": 3}
    one = [record("radio", ["a"], prediction) for prediction in "ab" * 20]
    assert dict(score(*one, bootstrap=50).metrics.intervals)["score"] == (0.5, 0.5)  # one task, drawn whole


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"type": "date"}, "type"),
        ({"type": ["radio"]}, "type"),
        ({"reference": "a"}, "reference"),
        ({"reference": [["a"]]}, "reference[0]"),
        ({"reference": ["a", True]}, "reference[1]"),
        ({"type": "checkbox", "reference": [["a", ["b"]]]}, "reference[0][1]"),
        ({"prediction": ["a"]}, "prediction"),
        ({"prediction": {"value": "a"}}, "prediction"),
        ({"prediction": False}, "prediction"),
        ({"prediction": math.nan}, "prediction"),
        ({"prediction": 10**400}, "prediction"),
        ({"task": None}, "task"),
        ({"instance": 1.5}, "instance"),
        ({"field": []}, "field"),
    ],
)
def test_bad_input_names_the_field(change: dict[str, Any], field: str) -> None:
    with pytest.raises(UserError, match="must be") as caught:
        score(record("radio", ["a"], "a"), record("radio", ["a"], "a") | change)
    assert caught.value.record == "2" and caught.value.message.startswith(f"{field} ")


@pytest.mark.parametrize("field", ["task", "instance", "field", "type", "reference", "prediction"])
def test_every_field_is_needed(field: str) -> None:
    form = record("radio", ["a"], "a")
    del form[field]
    with pytest.raises(UserError, match=f":1: {field} is missing"):
        score(form)


words = st.sampled_from(
    ["the", "cats", "cat", "running", "run", "relational", "a1", "Ünï", "&amp;", "&", "—", "y" * 50]
)
sentences = st.one_of(st.lists(words, max_size=8).map(" ".join), st.text(max_size=20))


@given(sentences, sentences)
@settings(max_examples=settings().max_examples * 3)
def test_rouge_is_that_of_the_library(answer: str, prediction: str) -> None:
    assert rouge_l(answer, prediction) == rouge().score(answer, prediction)["rougeL"].fmeasure


def plain_text(value: Any) -> str:
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)


def plain_boxes(value: Any) -> list[str]:
    whole = value if isinstance(value, list) else [value]
    found = [part for one in whole for part in plain_text(one).split("|")]
    return [one for one in found if one != ""]


def plain_number(text: str) -> float | None:
    try:
        return float(text) if math.isfinite(float(text)) else None
    except ValueError:
        return None


def plain_equal(first: str, second: str) -> bool:
    def even(text: str) -> str:
        number = plain_number(text)
        if number is not None:
            text = repr(number).removesuffix(".0") if abs(number) < 1e15 else f"{int(number)}"
            if "e" in text or text == "-0":  # repr writes small and negative zero otherwise
                text = str(number) if number else "0"
        kept = "".join(letter for letter in text.lower() if letter not in string.punctuation)
        return " ".join(kept.split())

    return even(first) == even(second)


def plain_shortest(text: str) -> str:
    if text.strip().lstrip("+-").replace("_", "").isdecimal() and plain_number(text) is not None:
        return str(int(text))
    number = plain_number(text)
    return text if number is None else f"{int(number)}" if number.is_integer() else repr(number)


def plain_range(golds: list[str], answer: str, rules: str) -> float | None:
    numbers = [plain_number(gold) for gold in golds]
    known = [number for number in numbers if number is not None]
    predicted = plain_number(answer)
    if len(known) < len(golds) or predicted is None:
        return sum(plain_equal(gold, answer) for gold in golds) / len(golds)
    distance = sum(abs(gold - predicted) for gold in known) / len(known)
    if rules == "paper":
        return max(0.0, 1 - distance / max(known))
    limit = max([abs(predicted), *(abs(gold) for gold in known)])
    return 1 - distance / limit if limit else 1.0


def plain_score(type: str, reference: list[Any], prediction: Any, rules: str) -> float | None:
    """The rules read from top to bottom, nothing shared with the product."""
    if type == "checkbox":
        golds = ["|".join(sorted(plain_boxes(one))) for one in reference]
        answer = "|".join(sorted(plain_boxes(prediction)))
    else:
        golds, answer = [plain_text(one) for one in reference], plain_text(prediction)
    if type in TEXTS:
        golds = ["" if gold in ("nan", "{}", "'{}'") else gold for gold in golds]
        golds, answer = [plain_shortest(gold) for gold in golds if gold], plain_shortest(answer)
        if not golds:
            return None
    if type == "range" and rules == "paper" and golds:
        numbers = [plain_number(gold) for gold in golds]
        if None not in numbers and max(number for number in numbers if number is not None) <= 0:
            return None
    if prediction is None:
        return 0.0
    if all(gold == "" for gold in golds):
        return float(answer == "")
    if type in TEXTS:
        pairs = [(gold.replace("&amp;", "&"), answer.replace("&amp;", "&")) for gold in golds]
        return max(1.0 if gold == got else rouge().score(gold, got)["rougeL"].fmeasure for gold, got in pairs)
    if type in CHOICES:
        return float(plain_equal(Counter(golds).most_common(1)[0][0], answer))
    if type == "checkbox" and rules == "official":
        return float(any(plain_equal(gold, answer) for gold in golds))
    if type == "checkbox":
        chosen = set(plain_boxes(prediction))
        sets = [set(plain_boxes(one)) for one in reference]
        return max(len(chosen & one) / len(chosen | one) if chosen | one else 1.0 for one in sets)
    return plain_range(golds, answer, rules)


def plain_mean(values: list[float]) -> float | None:
    return sum(values) / len(values) if values else None


odd = ["", "a", "A.", "b", "a|b", "b|a", "ab", "nan", "{}", "'{}'", "inf", "1", "1.0", "3.50", "3.5", "-1", "1e3",
       " 2 ", "-0.0", "٣", "0.001", "running cats", "The cat runs", "tea &amp; cake", "tea & cake", "1_0", "\u2028",
       "9" * 20]  # fmt: skip
values = st.one_of(
    st.sampled_from(odd),
    st.sampled_from(odd),
    st.none(),
    st.integers(-3, 3),
    st.floats(-1e6, 1e6).filter(lambda number: number == 0 or abs(number) > 1e-4),
    st.text(max_size=6),
)
boxes = st.one_of(values, st.lists(values, max_size=3))


@st.composite
def fields_of_tasks(draw: st.DrawFn) -> dict[str, Any]:
    type = draw(st.sampled_from(TYPES))
    one = boxes if type == "checkbox" else values
    reference = draw(st.lists(one, max_size=4))
    guesses = st.one_of(one, st.sampled_from(reference)) if reference else one
    return record(type, reference, draw(guesses), draw(st.sampled_from("AB")), draw(st.integers(0, 2)))


@given(st.lists(fields_of_tasks(), max_size=10), st.sampled_from(["official", "paper"]))
@example([record("radio", ["1.0", "1", "0", "0"], "0")], "official")
@settings(max_examples=settings().max_examples * 3)
def test_equal_to_the_obvious_implementation(records: list[dict[str, Any]], rules: str) -> None:
    expected = [plain_score(one["type"], one["reference"], one["prediction"], rules) for one in records]
    result = score(*records, rules=rules)
    assert [row["score"] for row in result.details] == pytest.approx(expected, abs=1e-12)
    scored = [(one, got) for one, got in zip(records, expected, strict=True) if got is not None]

    def mean(**wanted: Any) -> float | None:
        return plain_mean([got for one, got in scored if all(one[name] == value for name, value in wanted.items())])

    tasks = dict.fromkeys(one["task"] for one in records)
    means = {task: mean(task=task) for task in tasks}
    assert result.extra["by_task"] == pytest.approx(means)
    assert result.extra["by_type"] == pytest.approx({one["type"]: mean(type=one["type"]) for one in records})
    known = [task for task in means.values() if task is not None]
    assert result.metrics.as_dict() == pytest.approx({"score": plain_mean(known)})
    instances = [mean(task=one["task"], instance=one["instance"]) for one in records]
    assert [row["instance_score"] for row in result.details] == pytest.approx(instances)
    null = sum(one["prediction"] is None for one, _ in scored)
    assert (result.metrics.n, result.metrics.null) == (len(scored), null)


@given(st.lists(st.text(max_size=5), max_size=3), st.text(max_size=5))
def test_a_worker_s_own_answer_is_right(answers: list[str], answer: str) -> None:
    for type in TYPES:
        assert score_field(type, [answer], answer).value in (1.0, None)
    if answer not in ("", "nan", "{}", "'{}'"):
        assert score_field("textarea", [*answers, answer], answer).value == 1
    assert score_field("checkbox", [*answers, answer], answer).value == 1
    assert score_field("checkbox", [*answers, answer], answer, "paper").value == 1
