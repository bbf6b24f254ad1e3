"""What the docks beside a web task say, before anything is painted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.webtask.actions import (
    ACTIONS,
    CaptureScreen,
    Click,
    GetHtml,
    ModifyCheckbox,
    ModifyRange,
    ModifyText,
    PageAction,
    ScrollBy,
    WaitTillLoaded,
)
from stepscope.core.webtask.exchange import Exchange
from stepscope.widgets.webtask.action_kinds import KINDS, fitting
from stepscope.widgets.webtask.action_words import argument_words, call_words
from stepscope.widgets.webtask.raw_output import exchange_facts
from stepscope.widgets.webtask.side_values import (
    FieldAnswerState,
    FieldRow,
    FieldsState,
    PeopleAnswer,
    PeopleProgress,
    PeopleVisibility,
    WebTaskRow,
    answer_words,
    badge_of,
    people_words,
)
from stepscope.widgets.webtask.tasks_item_model import task_filter

TASKS = (
    WebTaskRow("a", "Story Relations", ("test",), 0.5),
    WebTaskRow("b", "Goal feasibility", ("train",), 0.75),
    WebTaskRow("c", "Photo Collection", ("challenge",), None),
)


def field(score: float | None = None, state: FieldAnswerState = FieldAnswerState.SCORED) -> FieldRow:
    return FieldRow("f", "radio", 1, "x", score=score, state=state)


@pytest.mark.parametrize(
    ("row", "words", "kind"),
    [
        (field(1.0), "✓ 1.00", "hit"),
        (field(0.0), "✕ 0.00", "miss"),
        (field(-1.0), "✕ −1.00", "miss"),
        (field(0.7843), "– 0.78", "warn"),
        (field(None), "unscored", "neutral"),
        (field(None, FieldAnswerState.UNSCORED), "unscored", "neutral"),
        (field(None, FieldAnswerState.MISSING), "not on the page", "neutral"),
        (field(None, FieldAnswerState.ERROR), "error", "miss"),
    ],
)
def test_a_badge_says_by_sign_and_number_how_right_a_field_is(row: FieldRow, words: str, kind: str) -> None:
    badge = badge_of(row)
    assert badge is not None and (badge.words, badge.kind) == (words, kind)


def test_no_badge_gives_away_what_people_said_while_it_is_hidden() -> None:
    assert (
        badge_of(field(0.0), PeopleVisibility.HIDDEN) is None and badge_of(field(None, FieldAnswerState.OPEN)) is None
    )
    missing = badge_of(field(None, FieldAnswerState.MISSING), PeopleVisibility.HIDDEN)
    assert missing is not None and missing.words == "not on the page"


def test_the_head_counts_what_is_not_scored() -> None:
    scored, left = field(1.0), field(None, FieldAnswerState.UNSCORED)
    assert FieldsState((scored,) * 5).detail == "5, all scored"
    assert FieldsState((scored,) * 4 + (left,)).detail == "5, 1 unscored"
    assert FieldsState((scored, field(None, FieldAnswerState.OPEN))).detail == "2"


def test_answers_stand_with_how_often_they_were_given() -> None:
    several = (PeopleAnswer("yes", 2), PeopleAnswer("no"))
    assert people_words(FieldRow("f", "radio", 1, people=several)) == "yes ×2, no ×1"
    assert people_words(FieldRow("f", "radio", 1, people=(PeopleAnswer("yes", 3),))) == "yes"
    alone = tuple(PeopleAnswer(words) for words in ("85", "70", "90"))
    assert people_words(FieldRow("f", "range", 1, people=alone)) == "85, 70, 90"
    commas = (PeopleAnswer("Well, yes"), PeopleAnswer("No"))
    assert people_words(FieldRow("f", "text", 1, people=commas)) == "Well, yes · No"
    assert answer_words("a|b", "checkbox") == "a | b" and answer_words("a|b", "text") == "a|b"
    assert answer_words(None) == "–" and answer_words(" ") == "(empty)"


def test_numbers_beside_the_page_have_their_units() -> None:
    assert PeopleProgress(12, 250, 2).words == "12 of 250 by you, 2 annotators"
    assert (
        exchange_facts(Exchange("", tokens_in=2140, tokens_out=96, cut=512, ms=1200))
        == "2,140 tokens in, 96 out · 512 cut · 1.2 s"
    )
    assert exchange_facts(Exchange("")) == ""


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("", "abc"), ("story", "a"), ("STORY rel", "a"), ("split:test", "a"), ("split:test,train", "ab"),
        ("split:", "abc"), ("-split:test", "bc"), ("score<0.6", "a"), ("score>=0.5", "ab"), ("-score<0.6", "bc"),
        ("score<", "abc"), ('"goal fea"', "b"), ("challenge", "c"), ("nothing", ""), ("-", "abc"),
    ],
)  # fmt: skip
def test_the_filter_takes_words_splits_and_scores(text: str, left: str) -> None:
    passes = task_filter(text)
    assert "".join(task.name for task in TASKS if passes(task)) == left


@given(st.text(max_size=40))
def test_no_filter_breaks_however_it_is_written(text: str) -> None:
    passes = task_filter(text)
    assert all(passes(task) in (True, False) for task in TASKS)


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (ModifyText("formal_sentence", "I am\ngoing"), "formal_sentence, “I am⏎going”"),
        (ModifyCheckbox("reasons", ("short", "punct")), "reasons, [“short”, “punct”]"),
        (ModifyRange("sure", 80.0), "sure, 80"),
        (ScrollBy(0.0, -240.0), "0, −240"),
        (Click(12.5, 7.0), "12.5, 7"),
        (GetHtml(), ""),
        (GetHtml("sure", 2), "sure, 2"),
        (WaitTillLoaded(), ""),
        (CaptureScreen("element", "sure"), "element, sure"),
    ],
)
def test_an_action_is_read_in_one_line(action: PageAction, words: str) -> None:
    assert argument_words(action) == words and call_words(action) == f"{action.name} {words}".strip()


def test_the_form_knows_every_action_of_the_library_and_no_other() -> None:
    assert {kind.name for kind in KINDS} == set(ACTIONS)


@pytest.mark.parametrize(
    ("field_type", "action"),
    [
        ("text", "modify_text"), ("textarea", "modify_text"), ("hidden", "modify_text"), ("radio", "modify_radio"),
        ("select", "modify_select"), ("checkbox", "modify_checkbox"), ("range", "modify_range"),
    ],
)  # fmt: skip
def test_every_type_of_field_has_an_action_that_fills_it_in(field_type: str, action: str) -> None:
    assert fitting(field_type).name == action
