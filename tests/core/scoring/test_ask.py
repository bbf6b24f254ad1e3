"""`stepscope score ask`: hand-worked episodes, the published table, and an obvious implementation."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from stepscope.core.errors import UnavailableError, UserError
from stepscope.core.scoring import ask_content
from stepscope.core.scoring.ask import AskScorer
from stepscope.core.scoring.ask_content import QuestionSimilarity
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.registry import result_json, score_records

SUCCESS = ("ssr", "sr", "ssr_before", "ssr_after")
TIMING = ("tp", "fp", "fn", "tn")


class LetterCounts:
    """Embeds a text as how often a, b and c stand in it, so that cosines can be worked out by hand."""

    name = "letters a, b, c"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        counts = np.array([[text.count(letter) for letter in "abc"] for text in texts], dtype=np.float32)
        return counts / np.linalg.norm(counts, axis=1, keepdims=True)


@pytest.fixture(autouse=True)
def no_wordnet(monkeypatch: pytest.MonkeyPatch) -> None:
    """METEOR has tests of its own; here it is 1 for equal texts and else 0."""

    def equal(pairs: Any) -> QuestionSimilarity:
        return QuestionSimilarity(np.array([float(one == other) for one, other in pairs]), by="equal texts")

    monkeypatch.setattr("stepscope.core.scoring.ask.meteors", equal)


def stream(marks: str, start: int = 0, question: str | None = "a") -> list[dict[str, Any]]:
    """A stream written down: o right, x wrong, A an ask, . no entry."""
    return [
        {
            "step": start + place,
            "ask": mark == "A",
            "correct": mark == "o",
            "question": question if mark == "A" else None,
        }
        for place, mark in enumerate(marks)
        if mark != "."
    ]


def record(due: int | None, first: Any, second: Any = None, question: str | None = "a", **more: Any) -> dict[str, Any]:
    first = stream(first) if isinstance(first, str) else first
    second = stream(second) if isinstance(second, str) else second
    return {"id": "e", "ask_step": due, "first": first, "second": second, "reference_question": question, **more}


def score(*records: dict[str, Any], bootstrap: int = 0, **options: str) -> Any:
    scorer = AskScorer(LetterCounts)
    return score_records(scorer, Records.of(records), parse_options(scorer.info, options), bootstrap=bootstrap)


def metrics(*records: dict[str, Any], **options: str) -> dict[str, float | None]:
    found: dict[str, float | None] = score(*records, **options).metrics.as_dict()
    return found


def success(one: dict[str, Any], **options: str) -> tuple[float | None, ...]:
    found = metrics(one, **options)
    return tuple(found[name] for name in SUCCESS)


def timing(*records: dict[str, Any], **options: str) -> tuple[int, ...]:
    found = score(*records, **options).extra["timing"]
    return tuple(found[name] for name in TIMING)


# --- the example of the page -----------------------------------------------------------------------------------------

EXAMPLE = (
    record(3, "oAxAo", stream("oxx", start=1), "ab"),
    record(2, "ooxo"),
    record(None, "oAo"),
    record(4, "oo"),
    record(None, None),
)


def test_the_example_of_the_page() -> None:
    result = score(*EXAMPLE)
    assert (result.metrics.n, result.metrics.unscored, result.metrics.malformed) == (4, 1, 0)
    found = result.metrics.as_dict()
    assert [row["ssr"] for row in result.details] == [4 / 5, 3 / 4, 2 / 3, 2 / 5, None]
    assert found["ssr"] == pytest.approx((4 / 5 + 3 / 4 + 2 / 3 + 2 / 5) / 4)
    assert found["sr"] == 0
    assert found["ssr_before"] == pytest.approx((2 / 3 + 2 / 2 + 2 / 4) / 3)
    assert found["ssr_after"] == pytest.approx((1 + 1) / 2)
    assert result.extra["timing"] == {"tp": 1, "fp": 1, "fn": 1, "tn": 11}
    assert found["ask_precision"] == 1 / 2
    assert found["ask_fpr"] == pytest.approx(1 / 12)
    assert found["ask_recall"] == 1 / 2
    assert found["ask_f1"] == 1 / 2
    assert found["cos_sim"] == pytest.approx(1 / 2**0.5)
    assert dict(result.metrics.counts) == {
        "ssr_before": 3, "ssr_after": 2, "ask_precision": 2, "ask_fpr": 12, "ask_recall": 2, "cos_sim": 1, "meteor": 1,
    }  # fmt: skip


def test_the_example_under_the_other_options() -> None:
    off = score(*EXAMPLE, dual="off")
    assert [row["ssr"] for row in off.details][:1] == [3 / 5]
    assert off.extra["timing"] == {"tp": 1, "fp": 2, "fn": 1, "tn": 10}
    credit = score(*EXAMPLE, early_ask="credit")
    assert credit.extra["timing"] == {"tp": 1, "fp": 1, "fn": 1, "tn": 11}


# --- success ---------------------------------------------------------------------------------------------------------


def test_the_asking_step_is_right_when_asked_there_whatever_correct_says() -> None:
    assert success(record(1, "oAo")) == (1, 1, 1, 1)
    assert success(record(1, "ooo")) == (2 / 3, 0, 1, 1)
    asked_and_right = stream("oAo")
    asked_and_right[1]["correct"] = True
    assert success(record(1, asked_and_right), dual="off") == (1, 1, 1, 1)


def test_an_early_ask_makes_the_asking_step_right_only_with_two_streams() -> None:
    early = record(2, "oAxo", stream("ox", start=1))
    assert success(early) == (1, 1, 1, 1)
    assert success(early, dual="off") == (2 / 4, 0, 1 / 2, 1)


def test_the_second_stream_replaces_from_the_first_early_ask_to_the_asking_step_only() -> None:
    every = record(3, "xAxxx", "oooooo")
    assert success(every) == (3 / 5, 0, 2 / 3, 0)
    later = record(3, "xAAxx", stream("xo", start=1))  # two early asks: from the first of them
    assert success(later) == (2 / 5, 0, 1 / 3, 0)
    worse = record(3, "oAoAo", stream("xx", start=1))  # the second stream may be wrong where the first was right
    assert success(worse) == (3 / 5, 0, 1 / 3, 1)


def test_a_second_stream_without_an_early_ask_changes_nothing() -> None:
    for due in (None, 0, 2):
        with_second, without = record(due, "xxAx", "oooo"), record(due, "xxAx")
        assert success(with_second) == success(without)


def test_steps_missing_in_the_second_stream_keep_the_first() -> None:
    assert success(record(3, "oAxoo", stream("o", start=1))) == (4 / 5, 0, 2 / 3, 1)
    for empty in (None, []):
        assert success(record(3, "oAooo", empty)) == (4 / 5, 0, 2 / 3, 1)


def test_an_ask_in_the_second_stream_is_not_judged_as_an_ask() -> None:
    again = record(2, "AxAo", stream("AA", start=0))
    assert timing(again) == (1, 0, 0, 3)
    assert success(again) == (2 / 4, 0, 0, 1)


def test_without_an_asking_step_correct_decides() -> None:
    assert success(record(None, "ooo")) == (1, 1, None, None)
    assert success(record(None, "oAx")) == (1 / 3, 0, None, None)


def test_no_steps_before_or_after() -> None:
    assert success(record(0, "Ao")) == (1, 1, None, 1)
    assert success(record(1, "oA")) == (1, 1, 1, None)
    assert success(record(0, "A")) == (1, 1, None, None)


def test_a_first_stream_that_ends_before_the_asking_step() -> None:
    short = record(4, "ooo")
    assert success(short) == (3 / 5, 0, 3 / 4, None)
    assert timing(short) == (0, 0, 0, 3)
    asked = record(4, "oAo", "ooooo")  # what the first stream did not reach is wrong, the asking step too
    assert success(asked) == (3 / 5, 0, 3 / 4, None)
    assert timing(asked) == (0, 0, 0, 3)
    assert timing(asked, early_ask="credit") == (0, 0, 0, 3)  # booked on the asking step, which was not reached
    assert timing(asked, dual="off") == (0, 1, 0, 2)


def test_an_empty_or_null_first_stream() -> None:
    for first in (None, []):
        result = score(record(2, first), record(None, first), record(None, first, reference_steps=4), record(0, first))
        assert (result.metrics.n, result.metrics.unscored) == (3, 1)
        assert (result.metrics.malformed, result.metrics.null) == (3, 3 if first is None else 0)
        found = result.metrics.as_dict()
        assert [found[name] for name in SUCCESS] == [0, 0, 0, None]
        assert [found[f"ask_{name}"] for name in ("precision", "fpr", "recall", "f1")] == [None] * 4
        assert [row["status"] for row in result.details] == ["scored", "unscored", "scored", "scored"]
        assert [row["malformed"] for row in result.details] == [True, False, True, True]


def test_a_known_length_makes_missing_steps_at_the_end_wrong() -> None:
    assert success(record(1, "oAo", reference_steps=4)) == (3 / 4, 0, 1, 1 / 2)
    assert success(record(None, "oo", reference_steps=2)) == (1, 1, None, None)
    assert success(record(None, "oo", reference_steps=None)) == (1, 1, None, None)


def test_steps_may_be_numbered_from_one() -> None:
    from_one = record(2, stream("oAo", start=1))
    assert success(from_one) == (1, 1, 1, 1)
    assert timing(from_one) == (1, 0, 0, 2)
    assert success(record(2, stream("oAo", start=1), reference_steps=6)) == (3 / 6, 0, 1, 1 / 4)


# --- timing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("due", "first", "neutral", "credit", "off"),
    [
        # tp, fp, fn, tn
        (2, "ooAo", (1, 0, 0, 3), (1, 0, 0, 3), (1, 0, 0, 3)),
        (2, "oooo", (0, 0, 1, 3), (0, 0, 1, 3), (0, 0, 1, 3)),
        (2, "Aooo", (0, 0, 1, 3), (1, 0, 0, 3), (0, 1, 1, 2)),
        (2, "AAoo", (0, 0, 1, 3), (1, 0, 0, 3), (0, 2, 1, 1)),
        (2, "AoAo", (1, 0, 0, 3), (1, 0, 0, 3), (1, 1, 0, 2)),
        (2, "oooA", (0, 1, 1, 2), (0, 1, 1, 2), (0, 1, 1, 2)),
        (2, "AoAA", (1, 1, 0, 2), (1, 1, 0, 2), (1, 2, 0, 1)),
        (0, "AA", (1, 1, 0, 0), (1, 1, 0, 0), (1, 1, 0, 0)),
        (None, "AoA", (0, 2, 0, 1), (0, 2, 0, 1), (0, 2, 0, 1)),
    ],
)
def test_timing(due: Any, first: str, neutral: Any, credit: Any, off: Any) -> None:
    assert timing(record(due, first)) == neutral
    assert timing(record(due, first), early_ask="credit") == credit
    assert timing(record(due, first), dual="off") == off
    assert timing(record(due, first), dual="off", early_ask="credit") == off


def test_empty_denominators_are_null_and_f1_needs_a_positive() -> None:
    def rates(*records: dict[str, Any]) -> list[float | None]:
        found = metrics(*records)
        return [found[f"ask_{name}"] for name in ("precision", "fpr", "recall", "f1")]

    assert rates(record(None, "oo")) == [None, 0, None, None]
    assert rates(record(0, "o")) == [None, None, 0, 0]
    assert rates(record(None, "A")) == [0, 1, None, 0]
    assert rates() == [None] * 4


def test_nothing_scored_is_null() -> None:
    result = score(bootstrap=5)
    assert result.metrics.as_dict() == dict.fromkeys(AskScorer.info.metrics)
    assert result.metrics.n == 0
    assert score(record(None, []), bootstrap=5).metrics.as_dict() == dict.fromkeys(AskScorer.info.metrics)


# --- the published table ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("off", "on", "recall"),
    [((0.463, 0.454), (0.935, 0.603), 0.445), ((0.574, 0.487), (0.947, 0.585), 0.423)],
)
def test_published_precision_and_f1_imply_one_recall_under_both_settings(off: Any, on: Any, recall: float) -> None:
    """Table 1: from F1 = 2PR/(P + R) follows R = F1 P/(2P - F1). So an ask that was taken back is no true positive."""
    for precision, f1 in (off, on):
        assert f1 * precision / (2 * precision - f1) == pytest.approx(recall, abs=0.0015)


@pytest.mark.parametrize(
    ("hits", "misses", "early", "late", "others", "off", "on"),
    [
        # Table 1, SpiritSight-Agent-8B and Qwen2.5-VL-3B: precision, FPR, F1; recall as it follows from them.
        (445, 555, 485, 31, 5670, (0.463, 0.091, 0.454, 0.445), (0.935, 0.005, 0.603, 0.445)),
        (1269, 1731, 871, 71, 17127, (0.574, 0.055, 0.487, 0.423), (0.947, 0.004, 0.585, 0.423)),
    ],
)
def test_the_published_timing_comes_out_of_one_set_of_episodes(
    hits: int, misses: int, early: int, late: int, others: int, off: Any, on: Any
) -> None:
    """Episodes made so that plain counting gives the row "+ ASK"; the rule must then give the row "+ Dual Eval"."""
    episodes = []
    for number in range(hits + misses):
        steps = others // (hits + misses) + (number < others % (hits + misses))  # steps beside the asking step
        before = ("A" if number < early else "o") + "o" * (steps - 2)
        episodes.append(record(steps - 1, before + ("A" if number < hits else "o") + ("A" if number < late else "o")))
    for options, wanted in (({"dual": "off"}, off), ({"dual": "on"}, on)):
        found = metrics(*episodes, **options)
        assert tuple(round(found[f"ask_{name}"] or 0, 3) for name in ("precision", "fpr", "f1", "recall")) == wanted


# --- content ---------------------------------------------------------------------------------------------------------


def test_cosine_over_the_asks_that_count() -> None:
    asked = stream("AA", question="aab")
    asked[1]["question"] = "b"
    both = record(1, asked, question="a")
    assert metrics(both)["cos_sim"] == pytest.approx(0)  # b against a
    assert metrics(both, early_ask="credit")["cos_sim"] == pytest.approx(2 / 5**0.5)  # aab against a
    assert metrics(both, dual="off", early_ask="credit")["cos_sim"] == pytest.approx(0)
    early = record(1, stream("Ao", question="ab"), question="a")
    assert metrics(early)["cos_sim"] is None
    assert metrics(early, early_ask="credit")["cos_sim"] == pytest.approx(1 / 2**0.5)


def test_a_false_positive_has_no_content() -> None:
    result = score(record(None, "A"), record(0, "oA"))
    assert result.metrics.as_dict()["cos_sim"] is None
    assert result.extra["content"] == {"n": 0, "left_out": 0}
    assert result.extra["measured_by"]["cos_sim"] is None
    assert "notes" not in result.extra


def test_pairs_without_one_of_the_texts_are_left_out_and_counted() -> None:
    result = score(
        record(0, stream("A", question="ab"), question="a"),
        record(0, stream("A", question=None), question="a"),
        record(0, stream("A", question="b"), question=None),
        bootstrap=20,
    )
    assert result.metrics.as_dict()["cos_sim"] == pytest.approx(1 / 2**0.5)
    assert result.extra["content"] == {"n": 1, "left_out": 2}
    assert [row["cos_sim"] for row in result.details] == [pytest.approx(1 / 2**0.5), None, None]
    assert [row["meteor"] for row in result.details] == [0, None, None]
    assert result.metrics.as_dict()["ask_recall"] == 1


def test_what_measured_is_named_and_what_is_missing_told() -> None:
    assert score(record(0, "A")).extra["measured_by"] == {"cos_sim": "letters a, b, c", "meteor": "equal texts"}

    def missing() -> Any:
        raise UnavailableError("the weights are not here.", hint="Install them.")

    scorer = AskScorer(missing)
    options = parse_options(scorer.info, {})
    result = score_records(scorer, Records.of([record(0, "A")]), options, bootstrap=5)
    assert result.metrics.as_dict()["cos_sim"] is None
    assert result.metrics.as_dict()["ssr"] == 1
    form = result_json(scorer.info, options, result, bootstrap=5)
    assert form["measured_by"]["cos_sim"] is None
    assert form["notes"] == ["cos_sim is null: the weights are not here. Install them."]
    assert score_records(AskScorer(), Records.of([record(0, "A")]), options).extra["notes"] == [
        "cos_sim is null: no sentence model was given to the scorer."
    ]


def test_a_named_model_that_cannot_be_loaded_is_an_error() -> None:
    def broken() -> Any:
        raise UserError("cannot be loaded")

    with pytest.raises(UserError, match="cannot be loaded"):
        ask_content.cosines([ask_content.QuestionPair("a", "b")], broken)


# --- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"id": None}, "id"),
        ({"ask_step": 1.0}, "ask_step"),
        ({"ask_step": True}, "ask_step"),
        ({"ask_step": -1}, "ask_step"),
        ({"ask_step": "1"}, "ask_step"),
        ({"first": {}}, "first"),
        ({"first": "x"}, "first"),
        ({"first": [None]}, "first[0]"),
        ({"first": [{"ask": False, "correct": True}]}, "first[0].step"),
        ({"first": [{"step": 0, "correct": True}]}, "first[0].ask"),
        ({"first": [{"step": 0, "ask": False}]}, "first[0].correct"),
        ({"first": [{"step": 0, "ask": 0, "correct": True}]}, "first[0].ask"),
        ({"first": [{"step": 0, "ask": False, "correct": None}]}, "first[0].correct"),
        ({"first": [{"step": 0, "ask": False, "correct": "yes"}]}, "first[0].correct"),
        ({"first": [{"step": 0, "ask": True, "correct": False}]}, "first[0].question"),
        ({"first": [{"step": 0, "ask": True, "correct": False, "question": 3}]}, "first[0].question"),
        ({"first": stream("o", start=-1)}, "first[0].step"),
        ({"first": stream("oo") + stream("o", start=1)}, "first[2].step"),
        ({"first": stream("o.o")}, "first[1].step"),
        ({"first": stream("oo")[::-1]}, "first[1].step"),
        ({"first": stream("oo", start=3)}, "ask_step"),
        ({"second": {}}, "second"),
        ({"second": stream("o") * 2}, "second[1].step"),
        ({"second": [{"step": 0, "ask": False}]}, "second[0].correct"),
        ({"reference_question": 5}, "reference_question"),
        ({"reference_question": ["a"]}, "reference_question"),
        ({"reference_steps": 0}, "reference_steps"),
        ({"reference_steps": 2.0}, "reference_steps"),
        ({"reference_steps": 2}, "reference_steps"),
        ({"reference_steps": 3, "ask_step": 3}, "reference_steps"),
    ],
)
def test_a_bad_field_is_named_with_its_line(change: dict[str, Any], field: str) -> None:
    good = record(1, "oAo")
    with pytest.raises(UserError) as caught:
        score(good, {**good, **change})
    assert caught.value.record == "2"
    assert caught.value.message.startswith(f"{field} ")


@pytest.mark.parametrize("field", ["id", "ask_step", "first", "second", "reference_question"])
def test_a_missing_field_is_not_null(field: str) -> None:
    form = record(1, "oAo")
    del form[field]
    with pytest.raises(UserError, match=f"{field} is missing"):
        score(form)


def test_what_may_be_left_out() -> None:
    plain = [{"step": 0, "ask": False, "correct": True}, {"step": 1, "ask": True, "question": None}]
    assert success(record(1, plain)) == (1, 1, 1, None)
    assert success(record(1, "oA", more={"deep": [1]}, question="aü\u0000🙂")) == (1, 1, 1, None)


# --- the obvious implementation --------------------------------------------------------------------------------------


def obvious(form: dict[str, Any], dual: str, early_ask: str) -> dict[str, Any] | None:
    """Step by step, with dictionaries."""
    first = {step["step"]: step for step in form["first"] or []}
    due, length = form["ask_step"], form["reference_steps"]
    numbers = set(first) | set(range(length or 0))
    if due is not None:
        numbers |= set(range(due + 1))
    if not numbers:
        return None
    early = sorted(n for n, step in first.items() if dual == "on" and step["ask"] and due is not None and n < due)
    second = {step["step"]: step for step in form["second"] or []} if early else {}
    right, cells = {}, {}
    for n in sorted(numbers):
        if n not in first:
            right[n] = False
            continue
        asked = first[n]["ask"]
        if n == due:
            right[n] = asked or bool(early)
            cells[n] = "tp" if asked or (early and early_ask == "credit") else "fn"
        else:
            inside = bool(early) and early[0] <= n <= due
            right[n] = second[n]["correct"] if inside and n in second else first[n]["correct"]
            cells[n] = "fp" if asked and n not in early else "tn"
    before = [right[n] for n in numbers if due is not None and n < due]
    after = [right[n] for n in numbers if due is not None and n > due]
    question = None
    if "tp" in cells.values():
        question = first[early[0] if early and early_ask == "credit" else due]["question"]
    return {
        "ssr": sum(right.values()) / len(right),
        "sr": float(all(right.values())),
        "ssr_before": sum(before) / len(before) if before else None,
        "ssr_after": sum(after) / len(after) if after else None,
        "timing": [list(cells.values()).count(name) for name in TIMING],
        "pair": None if None in (question, form["reference_question"]) else (question, form["reference_question"]),
    }


def mean(values: list[float | None]) -> float | None:
    given = [value for value in values if value is not None]
    return sum(given) / len(given) if given else None


def share(above: int, below: int) -> float | None:
    return above / below if below else None


@st.composite
def forms(draw: st.DrawFn) -> dict[str, Any]:
    questions = st.none() | st.sampled_from(["a", "b", "ab", "bc", "aübc"])

    def steps(numbers: list[int]) -> list[dict[str, Any]]:
        return [
            {"step": n, "ask": draw(st.booleans()), "correct": draw(st.booleans()), "question": draw(questions)}
            for n in numbers
        ]

    count = draw(st.integers(0, 5))
    due = draw(st.none() | st.integers(0, 6))
    known = max(count, 0 if due is None else due + 1, 1)
    return {
        "id": draw(st.sampled_from(["e", "f", 1])),
        "ask_step": due,
        "first": steps(list(range(count))) if count or draw(st.booleans()) else None,
        "second": draw(st.none() | st.sets(st.integers(0, 6)).map(sorted).map(steps)),
        "reference_question": draw(questions),
        "reference_steps": draw(st.none() | st.integers(known, known + 2)),
    }


@settings(max_examples=settings().max_examples * 3, deadline=None)
@given(st.lists(forms(), max_size=6), st.sampled_from(["on", "off"]), st.sampled_from(["neutral", "credit"]))
def test_agrees_with_the_obvious_implementation(records: Any, dual: str, early_ask: str) -> None:
    result = score(*records, dual=dual, early_ask=early_ask)
    found = result.metrics.as_dict()
    wanted = [one for one in (obvious(form, dual, early_ask) for form in records) if one is not None]
    assert result.metrics.n == len(wanted)
    assert result.metrics.unscored == len(records) - len(wanted)
    for name in SUCCESS:
        assert found[name] == pytest.approx(mean([one[name] for one in wanted]))
    tp, fp, fn, tn = (sum(one["timing"][cell] for one in wanted) for cell in range(4))
    assert result.extra["timing"] == {"tp": tp, "fp": fp, "fn": fn, "tn": tn}
    precision, recall = share(tp, tp + fp), share(tp, tp + fn)
    assert (found["ask_precision"], found["ask_recall"], found["ask_fpr"]) == (precision, recall, share(fp, fp + tn))
    assert found["ask_f1"] == pytest.approx(share(2 * tp, 2 * tp + fp + fn))
    pairs = [one["pair"] for one in wanted if one["pair"] is not None]
    letters = LetterCounts().embed([text for pair in pairs for text in pair] or ["a"])
    cosines = [float(letters[2 * k] @ letters[2 * k + 1]) for k in range(len(pairs))]
    assert found["cos_sim"] == pytest.approx(mean(cosines), abs=1e-6)
    assert found["meteor"] == pytest.approx(mean([float(one == other) for one, other in pairs]))
    if tp:
        assert found["ask_f1"] == pytest.approx(2 * precision * recall / (precision + recall))


def test_intervals_draw_whole_records() -> None:
    records = [record(2, marks) for marks in ("ooAo", "oooo", "Aooo", "oooA")] * 5
    result = score(*records, bootstrap=200)
    for name, (low, high) in result.metrics.intervals:
        value = result.metrics.as_dict()[name]
        assert low <= value <= high
