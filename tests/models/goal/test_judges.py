"""Judges: the rules on pairs that a person decided, and what a model is asked and answers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.action import Tap, Target, Type
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Observation, Platform
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.domain.judgement import PairAnswers
from stepscope.core.domain.prediction import PredictionStatus
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.predictor import EpisodeRequest
from stepscope.core.progress import CancelToken
from stepscope.models.chat import servers
from stepscope.models.chat.answers import ChatAnswer
from stepscope.models.chat.client import ServerError
from stepscope.models.chat.servers import ChatServer
from stepscope.models.goal.judges.asked_judge import AskedJudge, judge_name, judge_prompt, judge_settings
from stepscope.models.goal.judges.judge import JudgedRequirement
from stepscope.models.goal.judges.named import judge_named
from stepscope.models.goal.judges.requirements import Act, GoalKind, kind_of, requirements_of
from stepscope.models.goal.judges.rule_judge import RuleJudge
from tests.models.chat.conftest import own_home  # noqa: F401 - a fixture, autouse

SIZE = Size(90, 160)
NOTHING = EpisodeRequest("e", None, Platform.ANDROID, (), ())


def shop() -> EpisodeRequest:
    """Somebody typed kettle into a search field and put the blue one into the cart."""
    field = UIElement(0, Box(0, 0, 90, 20, SIZE), text="Search the shop", editable=True)
    add = UIElement(1, Box(0, 30, 90, 50, SIZE), text="Add to cart", clickable=True)
    blue = UIElement(2, Box(0, 60, 90, 80, SIZE), text="Blue kettle, 1.5 l")
    seen = Observation(SIZE, None, UITree((field, add, blue), TreeOrigin.VIEW_HIERARCHY, SIZE))
    actions = (Type("kettle", target=Target(field.box, field.text)), Tap(Point(10, 40, SIZE)), None)
    return EpisodeRequest("e", None, Platform.ANDROID, (seen,) * 3, actions, "com.example.shop")


# Rules ----------------------------------------------------------------------------------------------------------------

WORKED = [  # figure 9, section 3 and figure 6 of the paper, in words of our own: whether the first satisfies the second
    ("Buy a single train ticket from Bern to Basel with SBB", "Book a train from Bern to Basel", True),
    ("Get a mushroom pizza", "Get a large mushroom pizza", True),
    ("Buy the cheapest train to Basel", "Book a train to Basel for less than 40 francs", False),
    ("Find a hostel in Lisbon with five stars", "Find a well rated hostel in Lisbon", True),
    ("Book a room in a hotel with a sauna in Turin", "Reserve a room at Hotel Aurora in Turin", False),
    ("Sign up for the Early Bird club", "Find out about the Early Bird club", True),
    ("Find out about the Early Bird club", "Sign up for the Early Bird club", False),
    ("Buy the earliest train ticket to Leeds", "Buy a train ticket to Leeds", True),
    ("Buy a train ticket to Leeds", "Buy the earliest train ticket to Leeds", False),
    ("Turn the Wi-Fi on", "Turn the Wi-Fi off", False),
    ("Open the settings menu to increase the brightness by 10%", "Increase the brightness by 10%", True),
    ("Find a big desk", "Find a desk for 10 people", True),
]
BEYOND_RULES = {1, 3, 11}
"""What needs knowledge: a default that the page shows, that five stars are the best, how large a desk is."""


@pytest.mark.parametrize("number", range(len(WORKED)))
def test_the_rules_decide_the_papers_kinds_of_pairs(number: int) -> None:
    one, other, right = WORKED[number]
    found = RuleJudge().judge(NOTHING, one, other).answers
    assert (found.first_satisfies is right) == (number not in BEYOND_RULES)


def test_a_description_is_taken_apart() -> None:
    found = requirements_of("Please open the Clock app and set two alarms for 6:30")
    assert (found.act, found.state, found.terms) == (Act.SET, None, {"2": "two", "alarm": "alarms", "6:30": "6:30"})
    assert requirements_of("Disable the Wi-Fi").state is False and requirements_of("Turn on and off").state is None
    assert requirements_of("").terms == {} and requirements_of("買一個水壺").act is Act.OTHER


def test_what_was_done_or_shown_fulfils_and_says_what_is_lacking() -> None:
    found = RuleJudge().judge(shop(), "Buy a blue kettle of 1.5 l", "Buy a red kettle")
    assert found.answers == PairAnswers(True, False, False, False)
    second = found.questions[1]
    assert second.why == "Not met: red." and JudgedRequirement("kettle", True, "kettle") in second.requirements
    assert RuleJudge().judge(NOTHING, "Buy", "Buy").answers.first_fulfilled is None, "it has seen nothing"


@given(st.text(max_size=60), st.text(max_size=60))
def test_every_text_satisfies_itself_and_nothing_breaks(one: str, other: str) -> None:
    judge = RuleJudge()
    found = judge.judge(NOTHING, one, one).answers
    assert found.first_satisfies and found.second_satisfies
    forth, back = judge.judge(NOTHING, one, other).answers, judge.judge(NOTHING, other, one).answers
    assert forth.swapped() == back, "it does not matter which stands first"


# Asked ----------------------------------------------------------------------------------------------------------------

YES, NO = "[SATISFACTION] YES [/SATISFACTION]", "[SATISFACTION]NO[/SATISFACTION]"
DONE, NOT = "[FULFILLED] YES [/FULFILLED]", "[FULFILLED] NO [/FULFILLED]"


class Says:
    """A model that says these answers one after the other."""

    def __init__(self, *answers: str | ServerError) -> None:
        self.answers, self.heard = list(answers), []

    def set_token(self, token: CancelToken) -> None:
        pass

    def ask(self, messages: Sequence[dict[str, Any]], most_tokens: int) -> ChatAnswer | ServerError:
        self.heard.append(messages)
        said = self.answers.pop(0)
        if isinstance(said, ServerError):
            return said
        return ChatAnswer(PredictionStatus.OK, said, raw=said, tokens_in=10, tokens_out=2)


def judged(*answers: str | ServerError, **given: str):
    says = Says(*answers)
    settings = judge_settings("m", given, sees=False)
    return AskedJudge("m", says, settings, 1).judge(shop(), "Buy a kettle", "Buy a blue kettle"), says  # type: ignore[arg-type]


def test_four_questions_are_put_and_their_tags_count() -> None:
    listed = "[REQUIREMENTS]\n- buy a kettle -> yes: the same\n* blue → no: any colour\n[/REQUIREMENTS]\nAny may do. "
    found, says = judged(DONE, f"Well. {NOT} No: {DONE}", listed + NO, YES)
    assert found.answers == PairAnswers(True, True, False, True)
    texts = [one[1]["content"] for one in says.heard]
    assert [text.splitlines()[-1] for text in texts] == [
        "Do these steps fulfil the description?", "Do these steps fulfil the description?", "Does A satisfy B?",
        "Does A satisfy B?",
    ]  # fmt: skip
    assert texts[2].startswith("A: Buy a kettle\nB: Buy a blue kettle\nThe steps:\nStep 1: Type “kettle”")
    assert texts[3].startswith("A: Buy a blue kettle\nB: Buy a kettle")
    forth = found.questions[2]
    assert forth.requirements == (
        JudgedRequirement("buy a kettle", True, "the same"), JudgedRequirement("blue", False, "any colour"),
    )  # fmt: skip
    assert forth.why == "Any may do." and forth.raw == (listed + NO,) and (found.tokens_in, found.tokens_out) == (40, 8)
    kept = json.loads(found.detail)["questions"][2]
    assert kept["requirements"][1] == {"text": "blue", "met": False, "by": "any colour"} and kept["raw"] == [
        listed + NO
    ]


def test_the_majority_of_several_answers_counts() -> None:
    found, _ = judged(YES, NO, YES, "no tag", NO, "<think>" + YES + "</think>", fulfilment="0", samples="3")
    assert found.answers == PairAnswers(first_satisfies=True, second_satisfies=False)
    assert found.questions[1].votes == (None, False, None)
    tie, _ = judged(YES, NO, "nothing", "", "", "", fulfilment="0", samples="3")
    assert tie.answers == PairAnswers() and tie.questions[0].why == "As many say yes as no."
    assert tie.questions[1].why == "No verdict was found in the answer."


def test_the_texts_named_the_other_way_round_show_what_the_place_does() -> None:
    found, says = judged(YES, NO, NO, NO, fulfilment="0", swap="1")
    assert found.answers == PairAnswers(first_satisfies=True, second_satisfies=False), "the usual way counts"
    assert found.swapped == (False, True)
    assert says.heard[1][1]["content"].startswith("A: Buy a blue kettle\nB: Buy a kettle")
    assert says.heard[1][1]["content"].endswith("Does B satisfy A?")
    assert json.loads(found.detail)["same_when_swapped"] == [False, True]


def test_a_server_that_fails_leaves_the_pair_open() -> None:
    found, _ = judged(DONE, ServerError("The server is down."))
    assert found.failed == "The server is down." and found.answers == PairAnswers()


def test_judges_have_names_with_what_is_set() -> None:
    servers.add(ChatServer("lab", "http://127.0.0.1:9/v1", "m"))
    assert judge_named("rules").name == "rules"
    assert judge_named("served:lab/m?swap=1&samples=1").name == "served:lab/m?swap=1"
    assert judge_name("m?tokens=64&samples=3") == "m?samples=3&tokens=64"
    for name in ("nobody", "served:lab/m?samples=2", "served:lab/m?x=1", "rules?x=1", "served:nowhere/m"):
        with pytest.raises(UsageError):
            judge_named(name)


def test_the_programs_words_name_the_tags_that_are_read() -> None:
    prompt = judge_prompt()
    assert YES in prompt.satisfaction and DONE in prompt.fulfilment
    assert "{seen}" in prompt.satisfaction and set(prompt.seen) == {"android", "web", "none"}


@pytest.mark.parametrize(("goal", "kind"), [
    ("Find a hotel in Bern", GoalKind.INFORMATION), ("What is the weather in Bern?", GoalKind.INFORMATION),
    ("Open the news app and check the headlines", GoalKind.INFORMATION), ("Book a room in Bern", GoalKind.TRANSACTION),
    ("Turn the Wi-Fi off", GoalKind.TRANSACTION), ("Bern", GoalKind.UNKNOWN), ("", GoalKind.UNKNOWN),
])  # fmt: skip
def test_goals_seek_information_or_want_something_done(goal: str, kind: GoalKind) -> None:
    assert kind_of(goal) is kind
