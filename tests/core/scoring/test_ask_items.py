"""Asks of an evaluation are judged as the same asks in a file of first streams are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from stepscope.core.domain.action import Action, AskUser, Tap, Wait
from stepscope.core.domain.episode import Observation, Step
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.prediction import AskAnswer, Prediction, PredictionStatus
from stepscope.core.domain.score import Metrics, Score
from stepscope.core.errors import UnavailableError
from stepscope.core.scoring import ask_content
from stepscope.core.scoring.ask import AskScorer
from stepscope.core.scoring.ask_steps import DueAsk
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.records import Records
from stepscope.core.scoring.registry import score_records, step_metrics
from stepscope.core.scoring.rule import ScoredItem

TIMING = ("ask_precision", "ask_fpr", "ask_recall", "ask_f1")
CONTENT = ("cos_sim", "meteor")
SUCCESS = ("ssr", "sr", "ssr_before", "ssr_after")
WANTED = "Which size?"


class Lengths:
    """Embeds a text by its length: texts that differ by 60 letters are at right angles."""

    name = "lengths"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        angles = np.array([len(text) / 60 * np.pi / 2 for text in texts])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


class Overlap:
    """Share of the question's letters that the reference has."""

    name = "overlap"

    def score(self, reference: str, asked: str) -> float:
        return sum(letter in reference for letter in asked) / max(1, len(asked))


SCORER = AskScorer(Lengths)


@pytest.fixture(autouse=True)
def quick_meteor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ask_content.Meteor, "load", Overlap)


def judged(reference: DueAsk, question: str | None, scorer: AskScorer = SCORER, **options: str) -> Score:
    prediction = Prediction("e", reference.step, AskAnswer(question))
    return scorer.score_item(reference, prediction, parse_options(scorer.info, options))


def metrics(items: list[ScoredItem], **options: str) -> Metrics:
    return step_metrics(SCORER, items, parse_options(SCORER.info, options), bootstrap=10)


def episode(name: str, due: int | None, asks: Sequence[str | None], **options: str) -> list[ScoredItem]:
    return [
        ScoredItem(name, step, judged(DueAsk(step, due, WANTED), question, **options))
        for step, question in enumerate(asks)
    ]


@pytest.mark.parametrize(
    ("reference", "question", "value", "why"),
    [
        (DueAsk(2, 2, WANTED), "How big?", 1, "Asked, and a question was due."),
        (DueAsk(2, 2, WANTED), "", 1, "Asked, and a question was due."),
        (DueAsk(2, 2, WANTED), None, 0, "A question was due, and none was asked."),
        (DueAsk(1, 2, WANTED), "How big?", 0, "Asked too early: a question is due at step 2."),
        (DueAsk(3, 2, WANTED), "How big?", 0, "Asked, and nothing was missing."),
        (DueAsk(3, 2, WANTED), None, 1, "Not asked, and no question was due."),
        (DueAsk(0, None), "How big?", 0, "Asked, and nothing was missing."),
        (DueAsk(0, None), None, 1, "Not asked, and no question was due."),
    ],
)
def test_a_step_is_right_when_it_asks_exactly_where_a_question_is_due(
    reference: DueAsk, question: str | None, value: float, why: str
) -> None:
    found = judged(reference, question)
    assert (found.value, found.why) == (value, why)
    parts = dict(found.parts)
    assert (parts["due"], parts["asked"]) == (reference.due == reference.step, question is not None)
    assert parts.get("due_step") == reference.due
    assert ("cos_sim" in parts) == (question is not None and reference.due == reference.step)


def test_an_early_ask_is_measured_where_it_may_be_credited() -> None:
    assert "cos_sim" in dict(judged(DueAsk(0, 2, WANTED), "Size?", early_ask="credit").parts)
    assert "cos_sim" not in dict(judged(DueAsk(0, 2, WANTED), "Size?", early_ask="credit", dual="off").parts)
    assert "cos_sim" not in dict(judged(DueAsk(3, 2, WANTED), "Size?", early_ask="credit").parts)


def test_what_cannot_be_measured_here_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise UnavailableError("no WordNet")

    monkeypatch.setattr(ask_content.Meteor, "load", missing)
    assert set(dict(judged(DueAsk(0, 0, WANTED), "Size?", AskScorer()).parts)) == {"due", "asked", "due_step"}


@pytest.mark.parametrize("status", [PredictionStatus.FAILED, PredictionStatus.MALFORMED])
def test_no_usable_answer_is_wrong_and_counts_as_no_ask(status: PredictionStatus) -> None:
    prediction = Prediction("e", 1, None, status, why="It broke.")
    for reference in (DueAsk(1, 1, WANTED), DueAsk(1, None)):
        found = SCORER.score_item(reference, prediction, parse_options(SCORER.info, {}))
        assert (found.value, found.malformed, dict(found.parts)["asked"]) == (0, True, 0)


def test_two_episodes_by_hand() -> None:
    items = [*episode("a", 1, ["Size?", WANTED, None, "More?"]), *episode("b", None, [None, "Eh?", None])]
    found = metrics(items)
    # a: taken back, right, quiet, false alarm; b: quiet, false alarm, quiet.
    assert found.as_dict() == pytest.approx(
        {**dict.fromkeys(SUCCESS), "ask_precision": 1 / 3, "ask_fpr": 2 / 6, "ask_recall": 1, "ask_f1": 2 / 4,
         "cos_sim": 1, "meteor": 1}
    )  # fmt: skip
    assert [found.n_of(name) for name in (*SUCCESS, *TIMING, *CONTENT)] == [0, 0, 0, 0, 3, 6, 1, 2, 1, 1]
    assert metrics(items, dual="off").as_dict()["ask_precision"] == 1 / 4


def test_several_questions_part_an_episode() -> None:
    """Due at 1 and at 3: an ask at 2 is too early for the second, one at 4 a false alarm."""
    dues = [1, 1, 3, 3, 3]
    asks = [None, "A?", "B?", "C?", "D?"]
    scores = [judged(DueAsk(step, due, WANTED), asks[step]) for step, due in enumerate(dues)]
    found = metrics([ScoredItem("e", step, score) for step, score in enumerate(scores)])
    assert (found.as_dict()["ask_precision"], found.as_dict()["ask_recall"]) == (2 / 3, 1)
    assert found.as_dict()["ask_fpr"] == 1 / 3
    assert found.n_of("cos_sim") == 2


def test_a_due_step_in_error_is_neither_missed_nor_found() -> None:
    items = episode("a", 2, ["Size?", None, None, "Eh?", None])
    lost = [item if item.step != 2 else ScoredItem("a", 2, Score.error("It broke.")) for item in items]
    found = metrics(lost)
    assert (found.n, found.errors) == (4, 1)
    assert found.as_dict()["ask_recall"] is None
    assert (found.as_dict()["ask_fpr"], found.n_of("ask_fpr")) == (1 / 4, 4)
    alone = [item for item in lost if item.step in (2, 3)]
    assert metrics(alone).n_of("ask_fpr") == 1


QUESTIONS = st.sampled_from([None, None, "Size?", "Which colour shall it be?", ""])


@st.composite
def cases(draw: st.DrawFn) -> tuple[int | None, list[str | None]]:
    asks = draw(st.lists(QUESTIONS, min_size=1, max_size=6))
    return draw(st.none() | st.integers(0, len(asks) - 1)), asks


@given(st.lists(cases(), max_size=5), st.sampled_from(["on", "off"]), st.sampled_from(["neutral", "credit"]))
def test_metrics_are_those_of_the_same_records(found: list[Any], dual: str, early: str) -> None:
    rule = {"dual": dual, "early_ask": early}
    items, records = [], []
    for number, (due, asks) in enumerate(found):
        items += episode(str(number), due, asks, **rule)
        first = [
            {"step": step, "ask": question is not None, "correct": False, "question": question}
            for step, question in enumerate(asks)
        ]
        records.append({"id": number, "ask_step": due, "reference_question": WANTED, "first": first, "second": None})
    options = parse_options(SCORER.info, rule)
    wanted = score_records(SCORER, Records.of(records), options).metrics
    run = metrics(items, **rule)
    for name in (*TIMING, *CONTENT):
        assert run.as_dict()[name] == pytest.approx(wanted.as_dict()[name], abs=1e-12)
        assert run.n_of(name) == wanted.n_of(name)
    assert {run.as_dict()[name] for name in SUCCESS} == {None}


SIZE = Size(100, 200)
RIGHT, WRONG = Tap(Point(10, 10, SIZE)), Tap(Point(90, 190, SIZE))
Does = tuple[str | None, bool | None, bool | None]
"""The question, and whether the action of the first and of the second stream is right (None: it gives none)."""


def acting(name: str, due: int | None, does: Sequence[Does], reference: Action | None = RIGHT) -> list[ScoredItem]:
    """An episode of an agent that asks and acts."""
    words = {True: RIGHT, False: WRONG, None: None}
    found = []
    for number, (question, first, second) in enumerate(does):
        step = DueAsk(number, due, WANTED, Step(number, Observation(SIZE), reference))
        answer = AskAnswer(question, None, words[first], words[second])
        prediction = Prediction(name, number, answer)
        found.append(ScoredItem(name, number, SCORER.score_item(step, prediction, parse_options(SCORER.info, {}))))
    return found


E1: list[Does] = [(None, True, None), ("Size?", False, True), (None, False, False), (WANTED, False, None),
                  (None, True, None)]  # fmt: skip
E2: list[Does] = [(None, True, None), (None, True, None), (None, False, None), (None, True, None)]
E3: list[Does] = [(None, True, None), ("Eh?", False, None), (None, True, None)]


def test_one_number_stands_for_models_that_act_and_for_those_that_only_ask() -> None:
    acts = metrics([*acting("e1", 3, E1), *acting("e2", 2, E2)]).as_dict()
    asks = metrics(episode("a", 1, ["Size?", WANTED, None, "More?"])).as_dict()
    quiet = metrics(acting("e3", None, [(None, True, None)])).as_dict()
    info = AskScorer().info
    assert [info.main_of(one) for one in (acts, asks)] == ["ask_f1", "ask_f1"]
    assert quiet["ask_f1"] is None and info.main_of(quiet) == "ssr", "success where there is no timing"


def test_success_by_hand() -> None:
    """The first three episodes of the worked example in docs/protocols/ask.md."""
    items = [*acting("e1", 3, E1), *acting("e2", 2, E2), *acting("e3", None, E3)]
    found = metrics(items)
    # e1: 0, 1 (second stream), 3 (asked), 4; before 2 of 3, after 1 of 1. e2: 0, 1, 3 of 4; 2/2, 1/1. e3: 2 of 3.
    assert found.as_dict()["ssr"] == pytest.approx((4 / 5 + 3 / 4 + 2 / 3) / 3)
    assert found.as_dict()["sr"] == 0
    assert found.as_dict()["ssr_before"] == pytest.approx((2 / 3 + 1) / 2)
    assert found.as_dict()["ssr_after"] == 1
    assert [found.n_of(name) for name in SUCCESS] == [3, 3, 2, 2]
    # One stream: the ask at 1 is a false alarm and its step wrong, e1 has 0, 3, 4 right; before 1 of 3.
    single = metrics(items, dual="off").as_dict()
    assert single["ssr"] == pytest.approx((3 / 5 + 3 / 4 + 2 / 3) / 3)
    assert single["ssr_before"] == pytest.approx((1 / 3 + 1) / 2)


def test_the_words_tell_whether_the_actions_are_right() -> None:
    one = acting("e", 1, [("Size?", False, True)])[0].score
    asked = {"due": 0, "asked": 1, "due_step": 1, "asks_after": 0}
    assert dict(one.parts) == {**asked, "judged": 1, "right": 0, "right_after": 1}
    assert "Its action is wrong" in one.why and "once answered is right" in one.why


def test_a_due_step_needs_no_reference_and_others_without_one_are_left_out() -> None:
    nothing = [
        ScoredItem("e", 1, acting("e", 1, [(None, None, None), (WANTED, False, None)], AskUser("Size?"))[1].score)
    ]
    items = [*acting("e", 1, [(None, True, None)]), *nothing]
    assert metrics(items).as_dict()["ssr"] == 1
    placeless = acting("e", 5, [(None, True, None)], Tap(None))
    assert "judged" not in dict(placeless[0].score.parts)
    both = [
        *items,
        ScoredItem("e", 2, acting("e", 1, [(None, None, None)] * 2 + [(None, False, None)], Tap(None))[2].score),
    ]
    assert metrics(both).as_dict()["ssr"] == 1
    assert metrics(both).as_dict()["ssr_after"] is None


def test_no_action_of_an_actor_is_wrong_and_a_step_in_error_is_left_out() -> None:
    does: list[Does] = [(None, True, None), (None, None, None), (None, True, None), (None, True, None)]
    items = acting("e", None, does)
    assert metrics(items).as_dict()["ssr"] == 3 / 4
    broken = Prediction("e", 1, None, PredictionStatus.FAILED, why="It broke.")
    step = DueAsk(1, None, "", Step(1, Observation(SIZE), Wait()))
    unusable = ScoredItem("e", 1, SCORER.score_item(step, broken, parse_options(SCORER.info, {})))
    assert metrics([items[0], unusable, *items[2:]]).as_dict()["ssr"] == 3 / 4
    lost = ScoredItem("e", 1, Score.error("It broke."))
    assert metrics([items[0], lost, *items[2:]]).as_dict()["ssr"] == 1


def test_a_due_step_in_error_takes_no_part_in_the_success() -> None:
    items = acting("e", 2, [("Size?", False, True), (None, True, True), (None, None, None), (None, False, None)])
    lost = [*items[:2], ScoredItem("e", 2, Score.error("It broke.")), items[3]]
    assert metrics(lost).as_dict()["ssr"] == pytest.approx(2 / 3)


def test_whoever_only_asks_has_no_success() -> None:
    items = acting("e", 1, [(None, None, None), (WANTED, None, None)])
    assert {metrics(items).as_dict()[name] for name in SUCCESS} == {None}
    assert metrics(items).as_dict()["ask_recall"] == 1


@st.composite
def acted(draw: st.DrawFn) -> tuple[int | None, list[Does]]:
    does = draw(st.lists(st.tuples(QUESTIONS, st.booleans(), st.none() | st.booleans()), min_size=1, max_size=6))
    return draw(st.none() | st.integers(0, len(does) - 1)), does


@given(
    st.lists(acted(), min_size=1, max_size=5), st.sampled_from(["on", "off"]), st.sampled_from(["neutral", "credit"])
)
def test_success_is_that_of_the_same_records(found: list[Any], dual: str, early: str) -> None:
    rule = {"dual": dual, "early_ask": early}
    items, records = [], []
    for number, (due, does) in enumerate(found):
        items += acting(str(number), due, does)
        asks = [step for step, (question, *_) in enumerate(does) if question is not None]
        first = [
            {"step": step, "ask": question is not None, "question": question, "correct": told if due is not None
             and step > due and told is not None and asks and asks[0] < step else good and question is None}
            for step, (question, good, told) in enumerate(does)
        ]  # fmt: skip
        second = [
            {"step": step, "ask": False, "correct": good, "question": None}
            for step, (_, _, good) in enumerate(does) if good is not None
        ]  # fmt: skip
        records.append({"id": number, "ask_step": due, "reference_question": WANTED, "first": first, "second": second})
    wanted = score_records(SCORER, Records.of(records), parse_options(SCORER.info, rule)).metrics
    run = metrics(items, **rule)
    for name in (*SUCCESS, *TIMING):
        assert run.as_dict()[name] == pytest.approx(wanted.as_dict()[name], abs=1e-12), name
    assert [run.n_of(name) for name in SUCCESS[2:]] == [wanted.n_of(name) for name in SUCCESS[2:]]


def test_an_agent_of_which_nothing_can_be_used_has_no_right_step() -> None:
    found = []
    for number in range(3):
        step = DueAsk(number, 1, WANTED, Step(number, Observation(SIZE), RIGHT))
        broken = Prediction("e", number, None, PredictionStatus.MALFORMED, why="What?")
        found.append(ScoredItem("e", number, SCORER.score_item(step, broken, parse_options(SCORER.info, {}))))
    assert metrics(found).as_dict()["ssr"] == 0
    only_asks = metrics([*episode("a", 1, ["Size?", WANTED]), *found]).as_dict()
    assert only_asks["ssr"] is None, "it answers, and does nothing"
