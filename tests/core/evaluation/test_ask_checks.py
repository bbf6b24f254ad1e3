"""What is odd about questions, the kinds of what is missing, and lanes of such data."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.action import Action, AskUser, Tap, Type
from stepscope.core.domain.episode import Ask, Episode, Observation, Platform, Step
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.prediction import AskAnswer, Prediction
from stepscope.core.domain.run import ItemKey, Outcome
from stepscope.core.domain.score import Score
from stepscope.core.evaluation.ask_checks import ask_doubts
from stepscope.core.evaluation.ask_lanes import AskOutcome, ask_kinds, ask_lanes
from stepscope.core.evaluation.missing_value import MissingValue, missing_value
from stepscope.core.scoring.ask import AskScorer
from stepscope.core.scoring.ask_steps import DueAsk
from stepscope.core.scoring.options import parse_options

SIZE = Size(100, 200)
RIGHT, WRONG = Tap(Point(10, 10, SIZE)), Tap(Point(90, 190, SIZE))


def episode(*asks: Ask, whole: str | None = "Set a timer for 45 minutes", steps: int = 3) -> Episode:
    found = tuple(Step(n, Observation(SIZE), RIGHT) for n in range(steps))
    return Episode("e", "fake", Platform.ANDROID, "Set a timer", found, asks=asks, original_goal=whole)


@pytest.mark.parametrize(
    ("asks", "words"),
    [
        ((Ask(1, "How long?", "45 minutes"),), ()),
        ((Ask(1, "How long?", "For 30 minutes"),), ("contradicts the whole goal",)),
        ((Ask(1, "Which sound?", "A bell"),), ()),
        ((Ask(9, "How long?", "45"),), ("after the last step, 2: it is due nowhere",)),
        ((Ask(1, " ", "45"),), ("has no text",)),
        ((Ask(1, "How long?", ""),), ("has no answer",)),
        ((Ask(1, "How long?", "45"), Ask(1, "Loud?", "Yes")), ("Step 1 has several questions",)),
        ((), ()),
    ],
)
def test_what_is_odd_is_told(asks: tuple[Ask, ...], words: tuple[str, ...]) -> None:
    found = ask_doubts(episode(*asks))
    assert len(found) == len(words)
    assert all(word in doubt for word, doubt in zip(words, found, strict=True))


def test_a_record_without_steps_has_its_questions_nowhere() -> None:
    assert ask_doubts(episode(Ask(1, "How long?", "45"), whole=None, steps=0)) == ()


@pytest.mark.parametrize(
    ("question", "answer", "action", "kind"),
    [
        ("How long?", "45 minutes", None, MissingValue.NUMBER),
        ("When?", "Tomorrow", None, MissingValue.DATE),
        ("What time?", "", None, MissingValue.TIME),
        ("When?", "at 7:30", None, MissingValue.TIME),
        ("What time?", "7 pm", None, MissingValue.TIME),
        ("Which colour?", "Red", RIGHT, MissingValue.OPTION),
        ("Tea or coffee?", "Tea", RIGHT, MissingValue.OPTION),
        ("What shall it say?", "Hello", Type("Hello"), MissingValue.TEXT),
        ("What?", "The lamp", RIGHT, MissingValue.OTHER),
        ("", "", None, MissingValue.OTHER),
    ],
)
def test_kinds_of_missing_values(question: str, answer: str, action: Action | None, kind: str) -> None:
    assert missing_value(Ask(0, question, answer), action) == kind


def test_the_datas_own_word_comes_first() -> None:
    assert missing_value(Ask(0, "When?", "7 pm", "confirmation needed")) == "confirmation needed"
    assert ask_kinds(episode(Ask(1, "When?", "7 pm"), Ask(2, "", "", "place"))) == {1: "time", 2: "place"}


@given(st.text(max_size=40), st.text(max_size=40))
def test_every_question_has_a_kind(question: str, answer: str) -> None:
    assert missing_value(Ask(0, question, answer)) in set(MissingValue)


def outcomes(data: Episode, answers: dict[int, AskAnswer]) -> list[Outcome]:
    """What a run stores of the answers; a step without one is in error."""
    scorer, found = AskScorer(), []
    due = data.asks[0].step if data.asks else None
    for step in data.steps:
        key = ItemKey("e", step.index)
        if step.index not in answers:
            found.append(Outcome(key, Prediction("e", step.index, AskAnswer(None)), Score.error("It broke.")))
            continue
        prediction = Prediction("e", step.index, answers[step.index])
        about = DueAsk(step.index, due, "", step, partial=data.original_goal is not None)
        found.append(Outcome(key, prediction, scorer.score_item(about, prediction, parse_options(scorer.info, {}))))
    return found


def test_lanes_of_an_episode_with_a_step_in_error() -> None:
    data = episode(Ask(1, "", "45"))
    answers = {
        0: AskAnswer("How long?", after=RIGHT),
        2: AskAnswer(None, action=WRONG, after=RIGHT, whole=AskUser("?")),
    }
    lanes = ask_lanes(data, outcomes(data, answers))
    first, broken, last = lanes.steps
    assert (first.offset, first.rescued, first.asks) == (-1, True, True)
    assert first.first is not None and first.first.question == "How long?"
    assert first.second is not None and first.second.action == RIGHT
    assert broken.error == "It broke." and broken.right is None and broken.due == data.asks[0]
    assert (last.right, last.rescued) == (True, True), "it was told before"
    assert last.whole is not None and (last.whole.question, last.whole.right) == ("?", False)
    assert lanes.outcome is AskOutcome.NOT_WHEN_DUE and lanes.rescued == (0, 2)
    assert "has no text" in lanes.doubts[0]
    (beside,) = lanes.questions
    assert (beside.asked, beside.offset, beside.likeness) == ("How long?", -1, {})


def test_lanes_of_an_episode_without_a_question() -> None:
    data = episode(whole=None)
    lanes = ask_lanes(data, outcomes(data, {n: AskAnswer(None, action=RIGHT) for n in range(3)}))
    assert lanes.outcome is AskOutcome.QUIET and lanes.questions == ()
    assert [step.right for step in lanes.steps] == [True] * 3
    assert {step.second for step in lanes.steps} == {None}
