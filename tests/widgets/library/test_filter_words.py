"""Conditions of a filter in words, and texts from which one was taken."""

from __future__ import annotations

import pytest

from stepscope.core.domain.filter_parser import parse
from stepscope.widgets.library.filter_words import conditions_of, ready_for_more, without


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("wrong:B steps<20 action:tap", ["wrong: B", "steps < 20", "tap"]),
        ("-feasible reason:premature,unclear", ["not feasible", "reason: premature or unclear"]),
        ("differs:a,b step:1..3", ["differs: A and B", "step 1 to 3"]),
        ("conf:A<0.4 latency:B>=2000", ["conf of A < 0.4", "latency of B ≥ 2000"]),
        ("steps:6 ask", ["steps = 6", "ask"]),
        ("steps:5.. steps:..9", ["steps ≥ 5", "steps ≤ 9"]),
        ('lamp "red chair"', ["“lamp”", "“red chair”"]),
        ("malformed:B | unscored:B", ["malformed: B or unscored: B"]),
        ("(app:reddit | app:quora) note", ["app: reddit or app: quora", "note"]),
        ("-(star checked)", ["not (star and checked)"]),
        ("none(wrong:A) all(right:A)", ["no step: wrong: A", "each step: right: A"]),
        (r'typed:/\d{5}/ target="zip"', [r"typed: /\d{5}/", "target = zip"]),
        ("flips:aitz", ["flips: aitz"]),
        ("wrong:northstar", ["wrong: northstar"]),
        ("", []),
        ("stepps>8", []),
    ],
)
def test_conditions_are_said_in_words(text: str, words: list[str]) -> None:
    assert [condition.words for condition in conditions_of(text)] == words


@pytest.mark.parametrize(
    ("text", "place", "left"),
    [
        ("wrong:B  steps<20 action:tap", 1, "wrong:B action:tap"),
        ("wrong:B steps<20", 0, "steps<20"),
        ("wrong:B steps<20 ", 1, "wrong:B"),
        (' a"b"c ', 1, "a c"),
        ("a | b", 0, ""),
        ("(a | b) -c", 1, "(a | b)"),
    ],
)
def test_one_condition_is_taken_away(text: str, place: int, left: str) -> None:
    assert without(text, conditions_of(text)[place]) == left


@pytest.mark.parametrize(
    ("text", "ready"),
    [("", ""), (" app:x ", "app:x "), ("a | b", "(a | b) "), ("(a | b)", "(a | b) "), ("(a) | b", "((a) | b) ")],
)
def test_another_condition_holds_together_with_all_that_is_there(text: str, ready: str) -> None:
    assert ready_for_more(text) == ready
    if ready:
        parse(ready + "star")
        assert len(conditions_of(ready + "star")) == len(conditions_of(ready)) + 1
