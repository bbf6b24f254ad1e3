"""What servers say, and the one sentence in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.prediction import PredictionStatus
from stepscope.models.chat.answers import ChatAnswer, answer_text, sentence
from tests.models.chat.faults import completion


@pytest.mark.parametrize(
    ("body", "status", "why"),
    [
        ("", "malformed", "answered with nothing"),
        ("   \n", "malformed", "answered with nothing"),
        ("<!doctype html><html>", "malformed", "web page"),
        ('{"choices": [{"mess', "malformed", "no JSON, or was cut off"),
        ("[]", "malformed", "no choices"),
        ("[" * 100_000, "malformed", "nested too deep"),
        ('{"choices": ' * 100_000, "malformed", "nested too deep"),
        ("9" * 5_000_000, "malformed", "no JSON"),
        ('{"choices": [' + "9" * 5_000_000 + "]}", "malformed", "no JSON"),
        ('{"choices": [{"message": {"content": ' + "9" * 4_000 + "}}]}", "malformed", "no text"),
        ('{"choices": []}', "malformed", "no choices"),
        ('{"choices": ["x"]}', "malformed", "no choices"),
        ('{"choices": [{}]}', "malformed", "no text"),
        ('{"choices": [{"message": {"content": null}}]}', "malformed", "no text"),
        ('{"error": {"message": "overloaded"}}', "malformed", "The server says: overloaded"),
        ('{"error": "out of memory"}', "malformed", "The server says: out of memory"),
        (completion("Open the", "length"), "malformed", "cut off before its end"),
        (completion(" \n"), "empty", "said nothing"),
        (completion("", "content_filter"), "refused", "filter"),
        (completion(None, refusal="I cannot help with that"), "refused", "I cannot help"),
    ],
)
def test_nonsense_is_told_in_a_sentence(body: str, status: str, why: str) -> None:
    found = answer_text(body)
    assert found.status == status and why in found.why and len(found.why.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("Set an alarm for 7:00.", "Set an alarm for 7:00."),
        ('"Set an alarm"', "Set an alarm"),
        ("**Goal:** Set an alarm\n\nBecause the clock was opened.", "Set an alarm"),
        ("First I looked.\nThe user opened it.\nGoal: Set an alarm", "Set an alarm"),
        ("<think>Is it\nan alarm?</think>\n\nSet an alarm", "Set an alarm"),
        ("- Set  an\talarm", "Set an alarm"),
        ("1. Set an alarm\n2. Close the app", "Set an alarm"),
    ],
)
def test_the_sentence_is_found(text: str, goal: str) -> None:
    assert sentence(answer_text(completion(text))).text == goal


def test_what_is_no_sentence() -> None:
    assert sentence(answer_text(completion("word " * 200))).status is PredictionStatus.MALFORMED
    assert sentence(answer_text(completion("<think>on and on"))).status is PredictionStatus.EMPTY
    assert sentence(answer_text(completion("…"))).status is PredictionStatus.EMPTY
    several = answer_text('{"choices": [{"message": {"content": [{"type": "text", "text": "Go"}, {"type": "x"}]}}]}')
    assert several.text == "Go"


@given(st.text(max_size=60) | st.recursive(st.none() | st.text(max_size=5), st.lists).map(str))
def test_anything_may_come(body: str) -> None:
    for found in (sentence(answer_text(body)), sentence(answer_text(completion(body)))):
        assert isinstance(found, ChatAnswer)
        assert bool(found.text) == (found.status is PredictionStatus.OK) and bool(found.text) != bool(found.why)
