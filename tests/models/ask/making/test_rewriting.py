"""A model's answers about ambiguous tasks: read in many forms, and one clear problem for each that cannot be."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.models.ask.making.rewriting import Rewriting, UnreadableAnswerError, read_instruction, read_rewriting

FORM: dict[str, Any] = {
    "Full Task": "See the tides on March 4",
    "Selected Step to Exclude": "Choose March 4",
    "Overlapping Information": "March 4",
    "Incomplete Task Description": "See the tides on",
    "Rephrased Incomplete Task Description": "See the tides on a certain day",
    "Follow Up Question": "Which day?",
    "Human Answer": "March 4, please.",
}
READ = Rewriting("March 4", "See the tides on a certain day", "Which day?", "March 4, please.")


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(FORM),
        f"<think>{{}}</think>Here you are:\n```json\n{json.dumps(FORM, indent=1)}\n```",
        json.dumps({name.lower().replace(" ", "_"): value for name, value in FORM.items()}),
        str(FORM),
        json.dumps({"Full Task": "x"}) + json.dumps(FORM),
        json.dumps(FORM)[:-1] + ',}',
    ],
)  # fmt: skip
def test_answers_are_read_in_many_forms(text: str) -> None:
    assert read_rewriting(text) == READ


@pytest.mark.parametrize("said", ["None", "none.", "", None, "N/A", "No overlap"])
def test_a_step_that_shares_nothing_is_transactional(said: str | None) -> None:
    assert read_rewriting(json.dumps(FORM | {"Overlapping Information": said})) is None


def test_the_goal_is_the_mended_one_where_there_is_one() -> None:
    form = FORM | {"Rephrased Incomplete Task Description": "None", "Overlapping Information": ["March", "4"]}
    found = read_rewriting(json.dumps(form))
    assert found is not None and (found.goal, found.overlap) == ("See the tides on", "March; 4")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no JSON object"),
        ("I cannot do that.", "no JSON object"),
        ('{"Full Task": "x"}', "has no “Overlapping Information”"),
        (json.dumps(FORM | {"Follow Up Question": ""}), "“Follow Up Question” is empty"),
        (json.dumps(FORM | {"Human Answer": None}), "“Human Answer” is empty"),
        (json.dumps(FORM | {"Human Answer": {"a": 1}}), "“Human Answer” is no text"),
        (json.dumps(FORM | {"Human Answer": "x" * 10_001}), "more than 10,000 characters"),
        (
            json.dumps(FORM | {"Incomplete Task Description": "", "Rephrased Incomplete Task Description": ""}),
            "“Incomplete Task Description” is empty",
        ),
    ],
)
def test_what_cannot_be_read_has_one_clear_problem(text: str, words: str) -> None:
    with pytest.raises(UnreadableAnswerError, match=words):
        read_rewriting(text)


def test_an_instruction_is_read() -> None:
    assert read_instruction('{"Step Instruction": " Choose  March 4 "}') == "Choose March 4"
    for text in ('{"Step Instruction": ""}', '{"Full Task": "x"}', "Choose"):
        with pytest.raises(UnreadableAnswerError):
            read_instruction(text)


@given(st.text(max_size=60) | st.recursive(st.none() | st.text(max_size=5), lambda inner: st.lists(inner)).map(str))
def test_no_answer_breaks_it(text: str) -> None:
    for read in (read_rewriting, read_instruction):
        try:
            read(text)
        except UnreadableAnswerError as error:
            assert str(error)
