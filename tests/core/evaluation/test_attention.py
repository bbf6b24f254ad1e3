"""Attention out of raw output: the form by hand, what is left out, Seq2Act's own, and that nothing is raised."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepscope.core.domain.attention import (
    UNLIT,
    AttentionArea,
    AttentionLight,
    AttentionPointer,
    AttentionStream,
    AttentionText,
    AttentionWord,
    WordElementMatch,
    stream_titled,
)
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.domain.mark import AttentionHeat, AttentionMark
from stepscope.core.evaluation import attention
from stepscope.core.evaluation.attention import attention_marks, step_attention, streams_of

GOAL = "turn on dark mode"
"""turn 0-4, on 5-7, dark 8-12, mode 13-17"""
SIZE = Size(200, 400)


def raw(*streams: Any, **more: Any) -> str:
    return json.dumps({"kind": "tap", "attention": list(streams), **more})


def stream(**parts: Any) -> dict[str, Any]:
    return {"stream": "action", "text": "goal"} | parts


def read(**parts: Any) -> AttentionStream:
    (found,) = streams_of(raw(stream(**parts)), GOAL)
    return found


def test_a_stream_as_it_is_given() -> None:
    given = stream(words=[[0, 4, 0.25], [8, 12, 0.75]], cells=[[0, 0, 0.5, 0.25, 1], [0.5, 0, 1, 0.25, 0.1]])
    assert streams_of(raw(given), GOAL) == (
        AttentionStream(
            "action",
            AttentionText.GOAL,
            GOAL,
            (AttentionWord(0, 4, 0.25), AttentionWord(8, 12, 0.75)),
            (AttentionArea(0, 0, 0.5, 0.25, 1), AttentionArea(0.5, 0, 1, 0.25, 0.1)),
        ),
    )


def test_streams_are_told_apart_by_name_and_text() -> None:
    given = raw(*(stream(text=text, words=[[0, 2, 1]]) for text in ("goal", "instruction")))
    streams = streams_of(given, GOAL, "Tap it")
    assert [one.title for one in streams] == ["action, goal", "action, instruction"]
    assert [one.text for one in streams] == [GOAL, "Tap it"]
    assert stream_titled(streams, "action, instruction") is streams[1]
    assert stream_titled(streams, "decoder, goal") is streams[0]
    assert stream_titled((), "action, goal") is None


def test_matches_follow_what_is_left_of_both_lists() -> None:
    """The first word and the first element do not fit: what was second is first now."""
    found = read(
        words=[[16, 99, 0.5], [13, 17, 0.4], [0, 4, 0.6]],
        elements=[[0.5, 0, 0.4, 1, 0.9, "no width"], [0, 0, 1, 0.5, 0.8, " Dark\n mode "]],
        matches=[[0, 1, 0.9], [1, 1, 0.7], [2, 0, 0.6], [2, 1, 0.2]],
    )
    assert found.words == (AttentionWord(0, 4, 0.6), AttentionWord(13, 17, 0.4)), "in the order of the text"
    assert found.elements == (AttentionArea(0, 0, 1, 0.5, 0.8, "Dark mode"),)
    assert found.matches == (WordElementMatch(1, 0, 0.7), WordElementMatch(0, 0, 0.2))
    assert found.light(AttentionPointer(word=1)) == AttentionLight({1: 0.4}, {0: 0.7})
    assert found.light(AttentionPointer(element=0)) == AttentionLight({1: 0.7, 0: 0.2}, {0: 0.8})
    for nothing in (AttentionPointer(), AttentionPointer(word=2), AttentionPointer(element=-1)):
        assert found.light(nothing) == UNLIT


@pytest.mark.parametrize(
    "word",
    [[0, 18, 1], [4, 4, 1], [5, 2, 1], [-1, 2, 1], [0, 2], [0, 2, 1, 1], [0.0, 2, 1], [False, True, 1], ["0", 2, 1],
     [0, 2, -0.1], [0, 2, 1.1], [0, 2, float("nan")], [0, 2, True], [0, 2, None], [0, 2, 10**400], None, {}, "0"],
)  # fmt: skip
def test_words_that_do_not_fit_are_left_out(word: Any) -> None:
    assert read(words=[word, [8, 12, 0.5]]).words == (AttentionWord(8, 12, 0.5),)


def test_of_words_that_share_letters_the_first_is_kept() -> None:
    found = read(words=[[3, 6, 0.3], [0, 4, 0.2], [5, 7, 0.1]])
    assert found.words == (AttentionWord(0, 4, 0.2), AttentionWord(5, 7, 0.1))


@pytest.mark.parametrize(
    "cell",
    [[0, 0, 0, 1, 1], [0, 1, 1, 0, 1], [0, 0, 1, 1], [0, 0, 1, 1, 2], [0, 0, 1, float("inf"), 1], [1, 0, 2, 1, 1],
     ["0", 0, 1, 1, 1], [0, 0, 1, 1, "x"], [0, 0, 1, 1, 1, "x", "y"], None, 7],
)  # fmt: skip
def test_cells_that_do_not_fit_are_left_out(cell: Any) -> None:
    assert read(cells=[cell, [0, 0, 1, 1, 0.5]]).cells == (AttentionArea(0, 0, 1, 1, 0.5),)


def test_what_reaches_out_of_the_screen_is_cut_and_rounding_forgiven() -> None:
    assert read(cells=[[-0.2, 0.5, 1.25, 2, 1.0000001]]).cells == (AttentionArea(0, 0.5, 1, 1, 1.0),)


@pytest.mark.parametrize(
    "text",
    ["", "tap", "[1]", "null", '{"attention": 3}', '{"attention": [3, null, {}]}', '{"attention": [', "NaN",
     raw(stream()), raw(stream(stream=3, words=[[0, 2, 1]])), raw(stream(stream=" ", words=[[0, 2, 1]])),
     raw(stream(text="title", words=[[0, 2, 1]])), raw(stream(text=["goal"], words=[[0, 2, 1]])),
     raw(stream(words={"0": 1}, cells="x")), '{"attention":' + "[" * 100_000,
     '{"text": 1, "elements": [{"like": {}}]}', '{"text": "a", "elements": {"like": 1}}',
     '{"text": "a", "elements": [{"like": 3, "box": [1]}, 7]}'],
)  # fmt: skip
def test_without_streams_there_are_none(text: str) -> None:
    assert streams_of(text, GOAL, GOAL) == ()


def test_letters_that_no_window_can_show_and_long_names() -> None:
    name = AttentionArea(0, 0, 1, 1, 1, "a�b")
    assert read(elements=[[0, 0, 1, 1, 1, "a\ud800b"]]).elements == (name,)
    assert len(read(stream="x" * 1000, words=[[0, 2, 1]]).name) == attention.LONGEST_NAME


def test_of_streams_of_one_title_the_first_is_kept() -> None:
    found = streams_of(raw(stream(words=[[0, 2, 1]]), stream(words=[[5, 7, 1]])), GOAL)
    assert [one.words for one in found] == [(AttentionWord(0, 2, 1),)]


def test_at_most_so_many_streams() -> None:
    many = [stream(stream=str(number), words=[[0, 2, 1]]) for number in range(attention.MOST_STREAMS + 1)]
    assert len(streams_of(raw(*many), GOAL)) == attention.MOST_STREAMS


SEQ2ACT = {
    "text": "Turn on Dark mode",
    "kind": "tap",
    "elements": [
        {"element": 7, "words": "Dark mode", "p": 0.8, "like": {"dark": 1.0, "mode": 0.75}, "box": [0, 0.5, 1, 0.75]},
        {"element": 2, "words": "Turn off", "p": 0.2, "like": {"turn": 0.5}, "box": [0, 0, 0.5, 0.5]},
    ],
}


def test_what_seq2act_keeps_is_a_stream_of_words_and_elements() -> None:
    """Weights: dark .8 × 1, mode .8 × .75, turn .2 × .5."""
    (found,) = streams_of(json.dumps(SEQ2ACT), GOAL, "Turn on Dark mode ")
    assert (found.title, found.text) == ("grounding, instruction", "Turn on Dark mode")
    places = [(found.text[one.start : one.end], pytest.approx(one.weight)) for one in found.words]
    assert places == [("Turn", 0.1), ("Dark", 0.8), ("mode", 0.6)]
    assert found.elements == (
        AttentionArea(0, 0.5, 1, 0.75, 0.8, "Dark mode"),
        AttentionArea(0, 0, 0.5, 0.5, 0.2, "Turn off"),
    )
    assert dict(found.light(AttentionPointer(element=0)).words) == {1: 1.0, 2: 0.75}
    assert dict(found.light(AttentionPointer(word=0)).elements) == {1: 0.5}
    assert streams_of(json.dumps(SEQ2ACT), "Please: Turn on Dark mode")[0].source is AttentionText.GOAL
    assert streams_of(json.dumps(SEQ2ACT), "Buy a lamp")[0].source is AttentionText.OTHER


def test_what_seq2act_kept_before_it_told_boxes_still_has_its_words() -> None:
    old = {**SEQ2ACT, "elements": [{key: one[key] for key in one if key != "box"} for one in SEQ2ACT["elements"]]}
    (found,) = streams_of(json.dumps(old), GOAL)
    assert len(found.words) == 3 and found.elements == found.matches == ()


def test_a_word_said_twice_stands_at_both_places() -> None:
    told = {"text": "on and on", "elements": [{"words": "On", "p": 1, "like": {"on": 1}, "box": [0, 0, 1, 1]}]}
    (found,) = streams_of(json.dumps(told))
    assert [(one.start, one.end) for one in found.words] == [(0, 2), (7, 9)]
    assert dict(found.light(AttentionPointer(element=0)).words) == {0: 1.0, 1: 1.0}


def test_marks_are_heat_and_outlines_beside_the_heaviest() -> None:
    found = read(cells=[[0, 0, 0.5, 0.5, 0.3]], words=[[8, 12, 1]], matches=[[0, 1, 0.9]],
                 elements=[[0, 0, 0.5, 0.5, 0.4, "Dark"], [0.5, 0.5, 1, 1, 0.1, ""]])  # fmt: skip
    heat, first, second = attention_marks(found, 1, SIZE, AttentionPointer(word=0))
    assert heat == AttentionHeat(1, found.cells)
    assert first == AttentionMark(1, Box(0, 0, 100, 200, SIZE), 1.0, "Dark, 0.40")
    assert second == AttentionMark(1, Box(100, 200, 200, 400, SIZE), pytest.approx(0.25), "0.10", lit=True)
    assert attention_marks(None, 0, SIZE) == ()


def test_the_smallest_element_lies_under_the_pointer() -> None:
    found = read(elements=[[0, 0, 1, 1, 0.4], [0.2, 0.2, 0.4, 0.4, 0.1]])
    assert (found.element_at(0.3, 0.3), found.element_at(0.9, 0.9)) == (1, 0)
    assert read(elements=[[0, 0, 0.5, 0.5, 0.4]]).element_at(0.9, 0.1) is None


def test_no_more_values_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stepscope.core.json_bounds.limit", lambda _name: 3)
    assert streams_of(raw(stream(words=[[0, 2, 1]])), GOAL) == ()


leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6)
anything = st.recursive(leaves, lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=4), inner))
numbers = st.integers(-2, 30) | st.floats(-0.5, 1.5) | leaves
rows = st.lists(st.lists(numbers, max_size=7) | anything, max_size=6)
given_streams = st.lists(
    st.fixed_dictionaries(
        {"stream": st.text(max_size=3) | leaves, "text": st.sampled_from(["goal", "instruction", "x", 1])},
        optional={"words": rows, "cells": rows, "elements": rows, "matches": rows},
    )
    | anything,
    max_size=4,
)
given_elements = st.fixed_dictionaries(
    {"text": st.text("ab \ud801", max_size=9) | leaves, "elements": st.lists(st.fixed_dictionaries(
        {"p": numbers, "words": leaves, "like": st.dictionaries(st.sampled_from("ab"), numbers) | leaves},
        optional={"box": st.lists(numbers, max_size=6) | leaves},
    ) | anything, max_size=4)}
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(
    told=st.fixed_dictionaries({"attention": given_streams}) | given_elements | anything,
    goal=st.text(max_size=20),
    instruction=st.text("ab ", max_size=20),
)
def test_whatever_is_given_what_is_read_fits(told: Any, goal: str, instruction: str) -> None:
    for found in streams_of(json.dumps(told), goal, instruction):
        assert found.name and (found.words or found.cells or found.elements)
        ends = 0
        for word in found.words:
            assert ends <= word.start < word.end <= len(found.text) and 0 <= word.weight <= 1
            ends = word.end
        for area in (*found.cells, *found.elements):
            assert 0 <= area.left < area.right <= 1 and 0 <= area.top < area.bottom <= 1 and 0 <= area.weight <= 1
            area.name.encode()
        for match in found.matches:
            assert 0 <= match.word < len(found.words) and 0 <= match.element < len(found.elements)
            assert 0 <= match.likeness <= 1
        attention_marks(found, 0, SIZE, AttentionPointer(word=0))


@given(text=st.text(max_size=40))
def test_no_text_is_too_odd(text: str) -> None:
    assert streams_of(f'{text}"attention"') == ()
    streams_of(f'{{"attention": {text}}}', "a b")


def test_the_example_of_the_documentation_is_read_whole() -> None:
    page = (Path(__file__).parents[3] / "docs/models/attention.md").read_text(encoding="utf-8")
    example = page.split("```json\n")[1].split("```")[0]
    action, grounding = streams_of(example, "Turn on dark mode", "Tap the dark mode switch")
    assert (len(action.words), len(action.cells)) == (2, 2)
    assert [grounding.text[one.start : one.end] for one in grounding.words] == ["Tap", "dark"]
    assert len(grounding.elements) == 2 and grounding.light(AttentionPointer(word=1)).elements == {0: 0.95}


@pytest.mark.parametrize(
    ("rows", "read"),
    [
        ([[0.25, 0.75], [1, 0]], ((0.25, 0.75), (1.0, 0.0))),
        ([[0.25, 0.75]], ()),
        ([[0.25], [1]], ()),
        ([[0.25, 2], [1, 0]], ()),
        ([[0.25, "1"], [1, 0]], ()),
        ("rows", ()),
        ([0.5, 0.5], ()),
    ],
)
def test_attention_between_steps_as_it_is_given(rows: Any, read: Any) -> None:
    assert step_attention(json.dumps({"step_attention": rows}), 2) == read
    assert step_attention('{"step_attention": [', 2) == () == step_attention("", 2)
