"""A model that makes ambiguous tasks: what it is asked, what is made of its answers, and when it is asked no more."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from stepscope.core.domain.action import Action, PressKey, Tap, Target, Type
from stepscope.core.domain.ambiguous_task import Cut, StepRole
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Episode, Observation, Picture, Platform, Step
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.domain.prediction import PredictionStatus
from stepscope.core.domain.price import TokenPrice
from stepscope.core.errors import UsageError, UserError
from stepscope.core.evaluation.prediction_cache import PredictionCache
from stepscope.core.progress import CancelToken
from stepscope.models.ask.making import ask_prompts
from stepscope.models.ask.making.asked_maker import AskedMakerSettings, AskedTaskMaker
from stepscope.models.ask.making.maker import StepProblem
from stepscope.models.ask.making.named import maker_name, maker_named
from stepscope.models.ask.making.question_budget import QuestionBudget
from stepscope.models.chat.answers import ChatAnswer
from stepscope.models.chat.client import ServerError

SIZE = Size(100, 200)
GOAL = "Send the mug to Ann in Porto"
Reply = Callable[[str], str | ServerError]


class Spoken:
    """A chat that answers by rule; `asked` are the words of the person's turn, `pictures` how many there were."""

    def __init__(self, reply: Reply) -> None:
        self.reply = reply
        self.asked: list[str] = []
        self.systems: list[str] = []
        self.pictures = 0

    def set_token(self, token: CancelToken) -> None:
        """It takes no time."""

    def ask(self, messages: list[dict[str, Any]], most_tokens: int) -> ChatAnswer | ServerError:
        said = messages[1]["content"]
        parts = [{"type": "text", "text": said}] if isinstance(said, str) else said
        self.pictures += sum(part["type"] == "image_url" for part in parts)
        words = "\n".join(part["text"] for part in parts if part["type"] == "text")
        self.systems.append(messages[0]["content"])
        self.asked.append(words)
        found = self.reply(words)
        if isinstance(found, ServerError):
            return found
        return ChatAnswer(PredictionStatus.OK, found, raw=found, tokens_in=100, tokens_out=10)


def told(words: str, name: str) -> str:
    return next(line.removeprefix(f"{name}: ") for line in words.splitlines() if line.startswith(f"{name}: "))


def reply(words: str) -> str:
    """Takes the step's last word out of the goal; tells of an action that it was done."""
    if "Action: " in words:
        return json.dumps({"Step Instruction": f"Do {told(words, 'Action')}"})
    goal, value = told(words, "Goal"), told(words, "Step").strip("“”").rpartition(" ")[2].strip("“”")
    if value not in goal.split():
        return json.dumps({"Overlapping Information": "None"})
    return json.dumps(
        {
            "Overlapping Information": value,
            "Incomplete Task Description": goal.replace(value, "something"),
            "Rephrased Incomplete Task Description": "",
            "Follow Up Question": "Which one?",
            "Human Answer": f"{value}, please.",
        }
    )


def tap(words: str) -> Tap:
    return Tap(Point(5, 5, SIZE), Target(Box(0, 0, 10, 10, SIZE), words))


def episode(*actions: Action, picture: Picture | None = None, tree: UITree | None = None) -> Episode:
    seen = Observation(SIZE, picture, tree)
    steps = tuple(Step(index, seen, action) for index, action in enumerate(actions))
    return Episode("e", "recording", Platform.ANDROID, GOAL, steps)


def maker(chat: Spoken, **more: Any) -> AskedTaskMaker:
    settings = {name: more.pop(name) for name in ("sees", "anew", "every_instruction") if name in more}
    prompt = AskedMakerSettings(ask_prompts.ask_prompt(ask_prompts.USUAL), **settings)
    return AskedTaskMaker("served:lab/m", chat, prompt, fingerprint="m", **more)


STEPS = tap("mug"), Type("Ann"), PressKey("back"), tap("More"), Type("Porto")


def test_each_step_that_the_goal_may_decide_is_asked_about_twice() -> None:
    chat = Spoken(reply)
    made = maker(chat, sees=False).make(episode(*STEPS), (1, 2, 3, 4))
    assert len(chat.asked) == 2 * 4 + 3, (
        "two for each step that is no key, one for the second step left out, two for the third"
    )
    one, two, three, four = made.drafts
    assert [(reading.role is StepRole.INFORMATIVE, reading.words) for reading in made.readings] == [
        (True, "mug"), (True, "Ann"), (False, ""), (False, ""), (True, "Porto")
    ]  # fmt: skip
    assert made.readings[2].instruction == "Press back" and made.readings[1].instruction == "Do Type “Ann”"
    assert three.goal == "Send the something to something in something" and four.pieces == ()
    assert [(piece.step, piece.value, piece.answer) for piece in three.pieces] == [
        (0, "mug", "mug, please."), (1, "Ann", "Ann, please."), (4, "Porto", "Porto, please.")
    ]  # fmt: skip
    assert [piece.cuts for piece in three.pieces] == [
        (Cut(9, 12, "something"),), (Cut(16, 19, "something"),), (Cut(23, 28, "something"),)
    ]  # fmt: skip
    assert {piece.step for piece in one.pieces} < {piece.step for piece in two.pieces}
    assert not made.problems and not made.failed


def test_the_screen_is_sent_with_the_action_drawn_and_its_words_where_it_is_not(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    assert cv2.imwrite(str(path), np.zeros((200, 100, 3), np.uint8))
    element = UIElement(0, Box(0, 0, 50, 50, SIZE), text="A brown mug")
    tree = UITree((element,), TreeOrigin.DUMP, SIZE)
    whole = episode(tap("mug"), picture=Picture(path, SIZE), tree=tree)
    seeing, blind = Spoken(reply), Spoken(reply)
    maker(seeing).make(whole, (1,))
    maker(blind, sees=False).make(whole, (1,))
    assert (seeing.pictures, blind.pictures) == (1, 0)
    assert "On the screen" not in seeing.asked[0] and "blue plus" in seeing.systems[0]
    assert "On the screen: a brown mug" in blind.asked[0] and "no picture" in blind.systems[0]


def test_instructions_of_the_data_are_not_asked_for_unless_wanted() -> None:
    whole = Episode("e", "f", Platform.ANDROID, GOAL, (Step(0, Observation(SIZE), tap("x"), "Choose mug"),))
    chat = Spoken(reply)
    made = maker(chat, sees=False).make(whole, (1,))
    assert [told(words, "Step") for words in chat.asked] == ["Choose mug"] and made.drafts[0].pieces[0].value == "mug"
    every = Spoken(reply)
    maker(every, sees=False, every_instruction=True).make(whole, (1,))
    assert len(every.asked) == 2


def test_answers_are_remembered_and_asked_again_when_wanted(tmp_path: Path) -> None:
    cache = PredictionCache(tmp_path / "answers.db")
    first, second, third = Spoken(reply), Spoken(reply), Spoken(reply)
    made = maker(first, sees=False, cache=cache).make(episode(*STEPS), (1, 2))
    budget = QuestionBudget(0)
    assert maker(second, sees=False, cache=cache, budget=budget).make(episode(*STEPS), (1, 2)) == made
    assert second.asked == [] and budget.remembered == len(first.asked) and budget.asked == 0
    assert maker(third, sees=False, cache=cache, anew=True).make(episode(*STEPS), (1, 2)) == made
    assert third.asked == first.asked
    cache.close()


def test_it_ends_when_the_questions_or_the_money_are_spent(tmp_path: Path) -> None:
    cache = PredictionCache(tmp_path / "answers.db")
    chat, budget = Spoken(reply), QuestionBudget(3)
    assert maker(chat, sees=False, cache=cache, budget=budget).make(episode(*STEPS), (1,)).unfinished
    assert len(chat.asked) == 3 == budget.asked and budget.spent
    rest = Spoken(reply)
    done = maker(rest, sees=False, cache=cache).make(episode(*STEPS), (1,))
    assert len(rest.asked) == 5 and done.drafts[0].pieces, "what was asked is not asked again"
    cache.close()
    price = QuestionBudget(None, 0.00025, TokenPrice(1.0, 1.0))
    assert maker(Spoken(reply), sees=False, budget=price).make(episode(*STEPS), (1,)).unfinished
    assert price.asked == 3 and price.cost == pytest.approx(0.00033), "110 tokens a question at 1 a million"


def test_a_fault_of_the_server_leaves_the_episode_for_another_time() -> None:
    made = maker(Spoken(lambda _words: ServerError("busy (503)")), sees=False).make(episode(*STEPS), (1,))
    assert (made.failed, made.drafts) == ("busy (503)", ())


def test_answers_that_cannot_be_read_are_told_and_too_few_steps_make_no_task() -> None:
    def broken(words: str) -> str:
        return "I would rather not." if "Ann" in words.splitlines()[1] else reply(words)

    made = maker(Spoken(broken), sees=False).make(episode(*STEPS), (1, 2, 3))
    assert made.problems == (StepProblem(1, "The answer has no JSON object."),) * 2
    assert [draft.removed for draft in made.drafts] == [1, 2], "three could not be told from two that failed"
    assert made.readings[1].instruction == "Type “Ann”"


def test_an_answer_that_takes_out_something_else_is_left_to_the_checks() -> None:
    def other(words: str) -> str:
        if "Action: " in words:
            return reply(words)
        return json.dumps(
            {
                "Overlapping Information": "the colour of it",
                "Incomplete Task Description": "Send the mug to Ann",
                "Follow Up Question": "Where to?",
                "Human Answer": "Lisbon.",
            }
        )

    made = maker(Spoken(other), sees=False).make(episode(tap("mug")), (1,))
    (piece,) = made.drafts[0].pieces
    assert (piece.value, piece.answer, piece.cuts) == ("in Porto", "Lisbon.", (Cut(20, 28),))


def test_names_and_settings_of_makers() -> None:
    assert maker_name("rules") == "rules" and maker_named("rules").version == "rules 1"
    for name in ("rules?seed=1", "text-match", "served:nobody/m"):
        with pytest.raises(UsageError):
            maker_name(name)


# Prompts -------------------------------------------------------------------------------------------------------------


def test_a_persons_own_prompt_takes_the_place_of_the_programs(own_home: Path) -> None:
    usual = ask_prompts.ask_prompt(ask_prompts.USUAL)
    file = ask_prompts.copy_ask_prompt(ask_prompts.USUAL, "mine")
    file.write_text(file.read_text("utf-8").replace("One JSON object.", "One."), "utf-8")
    mine = ask_prompts.ask_prompt("mine")
    assert mine.digest != usual.digest and list(ask_prompts.ask_prompts()[0]) == [ask_prompts.USUAL, "mine"]
    assert mine.words("rewriting", {"task": "Go {step}", "step": "Tap"})[1] == "Goal: Go {step}\nStep: Tap\nOne."
    for name, own in (("nobody", "x"), (ask_prompts.USUAL, "mine"), (ask_prompts.USUAL, "Not A Name")):
        with pytest.raises(UsageError):
            ask_prompts.copy_ask_prompt(name, own)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("{action}", "", "{action} is not in user"),
        ("[seen]", "[sen]", "has no 'sen'"),
        ('none = "There', 'some = "There', "seen must have"),
        ('version = "1"', "version = 1", "version of AskPrompt"),
        ("[rewriting]", "[rewriting", "prompt"),
    ],
)
def test_a_broken_prompt_is_told(own_home: Path, old: str, new: str, words: str) -> None:
    file = ask_prompts.copy_ask_prompt(ask_prompts.USUAL, "mine")
    file.write_text(file.read_text("utf-8").replace(old, new, 1), "utf-8")
    with pytest.raises(UserError, match=words.replace("{", r"\{")):
        ask_prompts.ask_prompt("mine")
    known, problems = ask_prompts.ask_prompts()
    assert list(known) == [ask_prompts.USUAL] and len(problems) == 1
