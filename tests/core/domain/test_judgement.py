"""Judgements as values and as lines of a file."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.goal_error import GoalErrorClass
from stepscope.core.domain.judgement import (
    QUESTIONS,
    REFERENCE,
    WHOLE,
    JudgeAssignment,
    JudgeId,
    Judgement,
    OriginKind,
    PairAnswers,
    TextOrigin,
    WrittenText,
    assignment_to_json,
    is_swapped,
    judgement_to_json,
    judging_from_json,
    origin_of,
    pair_of,
    side_seed,
    written_to_json,
)

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
LATER = datetime(2025, 1, 1, tzinfo=UTC)
RUN, OTHER, ANN = (TextOrigin(kind, name) for kind, name in (
    (OriginKind.RUN, "r1"), (OriginKind.RUN, "r2"), (OriginKind.PERSON, "ann"),
))  # fmt: skip
PAIR = pair_of("data", "e1", WHOLE, (RUN, "Open the clock"), (REFERENCE, "Set an alarm"))

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=20).map(str.strip)
said = st.builds(
    Judgement,
    pair=st.builds(
        pair_of, st.just("data"), words.filter(bool), st.integers(WHOLE, 99),
        st.tuples(st.sampled_from([REFERENCE, ANN]), words.filter(bool)),
        st.tuples(st.sampled_from([RUN, OTHER]), words.filter(bool)),
    ),
    judge=st.builds(JudgeId, words.filter(bool), st.booleans()),
    answers=st.builds(PairAnswers, *[st.sampled_from([True, False, None])] * 4),
    made=st.just(NOON),
    rejected=words,
    remark=words,
    seconds=st.integers(0, 10**6).map(lambda thousandths: thousandths / 1000),
    seed=st.integers(0, 2**31 - 1),
    error=st.sampled_from([None, *GoalErrorClass]),
)  # fmt: skip


@given(said)
def test_a_judgement_comes_back_from_its_line(one: Judgement) -> None:
    assert judging_from_json(judgement_to_json(one), "data", LATER) == one


def test_written_texts_and_assignments_come_back_too() -> None:
    written = WrittenText("data", "e1", 3, "ann", "Set an alarm", NOON, 1.5)
    given_out = JudgeAssignment(PAIR.key, "ann", 7)
    assert judging_from_json(written_to_json(written), "data", LATER) == written
    assert judging_from_json(assignment_to_json(given_out), "data", LATER) == given_out


LINE = judgement_to_json(Judgement(PAIR, JudgeId("ann"), PairAnswers(True), NOON))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"judgement": ""}, "judgement must be a text"),
        ({"written": "ann"}, "one of judgement, written and assigned"),
        ({"episode": 3}, "episode must be a text"),
        ({"step": -1}, "step must be a whole number"),
        ({"step": True}, "step must be a whole number"),
        ({"first": "run:r1", "second": "reference"}, "first must come before second"),
        ({"first": "reference:x"}, "an origin is reference"),
        ({"second": "run:"}, "an origin is reference"),
        ({"first_fulfilled": "yes"}, "first_fulfilled must be true, false or null"),
        ({"first_satisfies": 1}, "first_satisfies must be true, false or null"),
        ({"seconds": float("nan")}, "seconds must be a number from 0"),
        ({"seed": -1}, "seed must be a whole number"),
        ({"error": "silly"}, "error must be one of too specific, too general"),
        ({"error": []}, "error must be one of"),
        ({"made": "2024-05-01"}, "made must be a time with its zone"),
        ({"first_text": "a" * 10_001}, "first_text has more than 10,000 characters"),
    ],
)
def test_a_bad_line_is_told_with_its_field(change, told) -> None:
    with pytest.raises(ValueError, match=told):
        judging_from_json({**LINE, **change}, "data", LATER)


def test_what_a_line_leaves_out_is_not_said() -> None:
    short = {name: LINE[name] for name in ("judgement", "episode", "first", "second", "first_text", "second_text")}
    assert judging_from_json(short, "data", LATER) == Judgement(PAIR, JudgeId("ann"), PairAnswers(), LATER)


def test_the_reference_comes_before_people_and_they_before_runs() -> None:
    assert (PAIR.key.first, PAIR.first) == (REFERENCE, "Set an alarm")
    assert pair_of("data", "e1", WHOLE, (RUN, "a"), (ANN, "b")).key[3:] == (ANN, RUN)
    assert pair_of("data", "e1", WHOLE, (OTHER, "a"), (RUN, "b")).second == "a"
    with pytest.raises(ValueError, match="against itself"):
        pair_of("data", "e1", WHOLE, (RUN, "a"), (RUN, "b"))
    assert [origin_of(one.code) for one in (REFERENCE, RUN, ANN)] == [REFERENCE, RUN, ANN]


def test_sides_are_drawn_for_each_pair_and_person_and_stay() -> None:
    """About half of many pairs are swapped, by another half for another person."""
    keys = [PAIR.key._replace(episode=f"e{number}") for number in range(1000)]
    ann, ben = ([is_swapped(side_seed(key, who)) for key in keys] for who in ("ann", "ben"))
    assert ann == [is_swapped(side_seed(key, "ann")) for key in keys]
    assert all(420 < sum(drawn) < 580 for drawn in (ann, ben, [a != b for a, b in zip(ann, ben, strict=True)]))


def test_swapped_answers_are_about_the_same_texts() -> None:
    answers = PairAnswers(True, False, None, True)
    assert answers.swapped() == PairAnswers(False, True, True, None)
    assert answers.swapped().swapped() == answers and len(QUESTIONS) == 4


def test_a_judgement_is_done_when_all_is_answered_or_it_is_rejected() -> None:
    half = Judgement(PAIR, JudgeId("ann"), PairAnswers(True, True, None, True), NOON)
    assert not half.done and half.says_something
    assert replace(half, rejected="a screen is missing").done
    assert replace(half, answers=PairAnswers(True, True, False, True)).done
    assert not replace(half, answers=PairAnswers()).says_something
