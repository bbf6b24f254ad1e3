"""How a model is asked for a goal: what is told with each setting, and what its answer says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.app.services.question_size import picture_of
from stepscope.core.domain.action import Action, Select, Swipe, Tap, Target, Type
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Observation, Picture, Platform
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.domain.prediction import GoalAnswer, PredictionStatus
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.predictor import EpisodeRequest
from stepscope.core.imaging.draw import encode_png
from stepscope.core.imaging.probe import probe_bytes
from stepscope.models.goal.asking import goal_question, goal_settings, read_goal
from stepscope.models.goal.prompts import SAMPLE, file_of, goal_prompt, save_prompt
from tests.models.chat.conftest import own_home  # noqa: F401 - a fixture, autouse

SIZE, PAGE = Size(90, 160), Size(400, 2000)
TAP = Tap(Point(10, 10, SIZE), Target(Box(0, 0, 20, 20, SIZE), "Save", None))
ASKED = "What did the person want to reach? One JSON object."


@pytest.fixture
def seen(tmp_path: Path) -> Observation:
    return screen(tmp_path, SIZE)


def screen(folder: Path, size: Size, tree: UITree | None = None) -> Observation:
    file = folder / f"{size.width}.png"
    file.write_bytes(encode_png(np.full((int(size.height), int(size.width), 3), 200, np.uint8)))
    return Observation(size, Picture(file, size), tree)


def request(*pairs: tuple[Observation, Action | None], platform: Platform = Platform.ANDROID) -> EpisodeRequest:
    return EpisodeRequest("e", None, platform, tuple(one for one, _ in pairs), tuple(action for _, action in pairs))


def asked(made: EpisodeRequest, *, sees: bool = True, **given: Any) -> list[dict[str, Any]]:
    settings, _ = goal_settings("m", {name: str(value) for name, value in given.items()}, sees=sees)
    messages = goal_question(made, settings).messages
    assert messages is not None
    return messages


def told(message: dict[str, Any]) -> list[str]:
    parts = message["content"]
    return [part.get("text") or "picture" for part in parts] if isinstance(parts, list) else parts.splitlines()


# What is sent ---------------------------------------------------------------------------------------------------------


def test_inputs_are_both_pictures_alone_or_words_alone(seen: Observation) -> None:
    made = request((seen, TAP), (seen, Type("milk")), (seen, None))
    assert told(asked(made)[1]) == [
        "Step 1: Tap “Save”", "picture", "Step 2: Type “milk”", "picture", "At the end:", "picture", ASKED,
    ]  # fmt: skip
    system, user = asked(made, inputs="pictures")
    assert told(user) == ["Step 1:", "picture", "Step 2:", "picture", "At the end:", "picture", ASKED]
    assert "stands in words" not in system["content"] and "blue plus" in system["content"]
    system, user = asked(made, inputs="words")
    assert told(user) == ["Step 1: Tap “Save”", "Step 2: Type “milk”", "At the end:", ASKED]
    assert "There are no pictures." in system["content"] and "stands in words" in system["content"]


def test_the_last_actions_keep_their_numbers_and_the_last_screen(seen: Observation) -> None:
    made = request(*[(seen, TAP)] * 5, (seen, None))
    assert told(asked(made, steps=2, inputs="words")[1]) == [
        "Step 4: Tap “Save”", "Step 5: Tap “Save”", "At the end:", ASKED,
    ]  # fmt: skip
    ends = request(*[(seen, TAP)] * 5)  # recorded to the last action, with no screen after it
    assert told(asked(ends, steps=2, inputs="words")[1])[:2] == ["Step 4: Tap “Save”", "Step 5: Tap “Save”"]


def test_so_many_pictures_and_the_last_always(seen: Observation) -> None:
    made = request(*[(seen, TAP)] * 8, (seen, None))
    parts = told(asked(made, pictures=2)[1])
    assert parts.count("picture") == 2 and parts[1] == "picture" and parts[-2] == "picture"


def test_web_actions_have_the_papers_form(tmp_path: Path) -> None:
    def box(top: float) -> Box:
        return Box(0, top, 100, top + 20, PAGE)

    elements = (
        UIElement(0, box(0), class_name="button", text="Search", clickable=True),
        UIElement(1, box(100), class_name="input", text="Departure station", editable=True),
        UIElement(2, box(200), class_name="select", text="Hour", clickable=True),
        UIElement(3, box(300), class_name="input", text="PIN", editable=True, password=True, focused=True),
    )
    page = screen(tmp_path, PAGE, UITree(elements, TreeOrigin.DOM, PAGE))
    bare = screen(tmp_path, SIZE)

    def at(place: int) -> Target:
        return Target(elements[place].box, elements[place].text, None)

    made = request(
        (page, Tap(Point(50, 10, PAGE), at(0))),
        (bare, Type("Edinburgh", target=Target(None, "Departure station, London"))),
        (page, Select("17", target=at(2))),
        (bare, Swipe(Point(1, 1, SIZE), Point(1, 50, SIZE))),
        (bare, None),
        platform=Platform.WEB,
    )
    assert told(asked(made, inputs="words")[1])[:5] == [
        "Step 1: [button] Search -> CLICK", "Step 2: Departure station, London -> TYPE: Edinburgh",
        "Step 3: [select] Hour -> SELECT: 17", "Step 4: Swipe down", "At the end:",
    ]  # fmt: skip
    secret = request((page, Type("1234", target=at(3))), (page, None), platform=Platform.WEB)
    assert told(asked(secret, inputs="words")[1])[0] == "Step 1: [input] PIN -> TYPE: ●●●●●●●●"


@pytest.mark.parametrize(("page", "height"), [(1.0, 400), (2.5, 1000), (20.0, 2000)])
def test_a_long_page_is_cut_to_the_height_that_was_chosen(tmp_path: Path, page: float, height: int) -> None:
    made = request((screen(tmp_path, PAGE), Tap(Point(50, 1990, PAGE))), platform=Platform.WEB)
    (_, user) = asked(made, page=page)
    size = probe_bytes(picture_of(user["content"][1])).size
    shrunk = min(1.0, 1024 / height)
    assert (size.width, size.height) == (round(400 * shrunk), round(height * shrunk))


def test_pictures_of_the_usual_height_can_be_made_again_and_others_are_kept(tmp_path: Path) -> None:
    made = request((screen(tmp_path, PAGE), Tap(Point(50, 50, PAGE))), platform=Platform.WEB)
    usual = goal_question(made, goal_settings("m", {}, sees=True)[0])
    other = goal_question(made, goal_settings("m", {"page": "2"}, sees=True)[0])
    assert (usual.steps, other.steps) == ((0,), (None,))


@pytest.mark.parametrize(("prompt", "answer"), [
    ("sentence", "Add Tokyo to my world clock so that I know when to call Kenji"),
    ("step-by-step", '{"steps": ["Open the World tab", "Tap the round button with the plus", '),
])  # fmt: skip
def test_one_solved_trajectory_can_be_shown_before(seen: Observation, prompt: str, answer: str) -> None:
    made = request((seen, TAP), (seen, None))
    settings, _ = goal_settings("m", {"prompt": prompt, "example": "1"}, sees=True)
    question = goal_question(made, settings)
    assert question.messages is not None
    system, example, solved, user = question.messages
    assert [one["role"] for one in question.messages] == ["system", "user", "assistant", "user"]
    assert told(example)[0].startswith("An example. Each picture is the screen before a step")
    assert solved["content"].startswith(answer)
    pictures = sum(one == "picture" for one in told(example))
    assert question.steps == (None,) * pictures + (0, 1), "the example's are no steps of the episode"
    assert told(user)[0] == "Step 1: Tap “Save”" and "{seen}" not in system["content"]
    itself = EpisodeRequest("clock-tokyo", None, Platform.ANDROID, made.observations, made.actions)
    assert "Tokyo" not in str(goal_question(itself, settings).messages), "no episode is its own example"


def test_every_example_of_the_program_is_there_and_solves_something() -> None:
    for name in goal_prompt("step-by-step").examples:
        assert (SAMPLE / name / "episode.json").is_file()


# Settings -------------------------------------------------------------------------------------------------------------


def test_a_model_that_reads_text_has_no_settings_of_pictures() -> None:
    settings, offered = goal_settings("m", {"steps": "3"}, sees=False)
    assert [one.name for one in offered] == ["prompt", "steps", "example", "tokens"]
    assert settings.telling.inputs == "words" and settings.words == "the last 3 actions"
    with pytest.raises(UsageError, match="no option 'inputs'"):
        goal_settings("m", {"inputs": "pictures"}, sees=False)


@pytest.mark.parametrize("given", [{"prompt": "nobody"}, {"inputs": "smell"}, {"steps": "-1"}, {"page": "0"}])
def test_settings_that_cannot_be_are_refused(given: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        goal_settings("m", given, sees=True)


def test_an_example_that_a_prompt_does_not_have_is_refused() -> None:
    file = file_of(save_prompt(goal_prompt("sentence"), "mine", {}))
    assert file is not None
    file.write_text(re.sub(r"examples = .*", "examples = []", file.read_text()))
    with pytest.raises(UsageError, match="mine has no example"):
        goal_settings("m", {"prompt": "mine", "example": "1"}, sees=True)


def test_whatever_is_sent_otherwise_has_another_version() -> None:
    given = [{}, {"prompt": "sentence"}]
    assert len({goal_settings("m", one, sees=True)[0].version for one in given}) == 2


def test_nothing_to_ask_about_says_why() -> None:
    settings, _ = goal_settings("m", {"inputs": "pictures"}, sees=True)
    blank = goal_question(request((Observation(SIZE), TAP), (Observation(SIZE), None)), settings)
    assert blank.messages is None and blank.why == "The trajectory has no pictures."
    empty = goal_question(request(), settings)
    assert empty.messages is None and empty.why == "The trajectory has no steps."


# Answers --------------------------------------------------------------------------------------------------------------

STEPS = goal_prompt("step-by-step")


@pytest.mark.parametrize(("text", "goal", "why"), [
    ('{"steps": ["a"], "goal": "Buy a kettle"}', "Buy a kettle", ""),
    ('Thinking {about} it.\n```json\n{"steps": ["a"],\n "goal": "Buy a kettle."}\n```', "Buy a kettle.", ""),
    ('{"step-by-step description": ["a"], "concise task": "Buy a kettle"}', "Buy a kettle", ""),
    ('{"goal": ["Buy a kettle"]}', "Buy a kettle", ""),
    ('<think>{"goal": "Sleep"}</think>{"goal": "Buy a kettle"}', "Buy a kettle", ""),
    ('{"goal": "Sleep"} or rather {"goal": "Buy a kettle"}', "Buy a kettle", "It gives 2 goals; the last counts."),
    ("Buy a kettle", "Buy a kettle", ""),
    ("First the shop.\nThen a kettle.\nGoal: Buy a kettle", "Buy a kettle", ""),
    ('{"steps": ["打开"], "goal": "買一個水壺"}', "買一個水壺", ""),
])  # fmt: skip
def test_the_goal_is_found_in_the_answer(text: str, goal: str, why: str) -> None:
    found = read_goal("e", text, STEPS)
    assert (found.answer, found.status, found.why) == (GoalAnswer(goal), PredictionStatus.OK, why)
    assert found.raw == text


@pytest.mark.parametrize(("text", "status", "why"), [
    ("1. Opens the shop.\n2. Taps a kettle.", PredictionStatus.MALFORMED, 'no JSON object with a "goal"'),
    ('{"goal": ["Buy a kettle", "Sleep"]}', PredictionStatus.MALFORMED, "gives 2 goals"),
    ('{"goal": 7}', PredictionStatus.MALFORMED, "is no text"),
    ('{"goal": ""}', PredictionStatus.EMPTY, "nothing that is a goal"),
    ('{"goal": "' + "very " * 90 + 'long"}', PredictionStatus.MALFORMED, "more than 80 words"),
])  # fmt: skip
def test_what_is_no_goal_says_why(text: str, status: PredictionStatus, why: str) -> None:
    found = read_goal("e", text, STEPS)
    assert found.status is status and found.answer is None and why in found.why


@given(st.text(max_size=400))
def test_no_answer_breaks_the_reading(text: str) -> None:
    for prompt in (STEPS, goal_prompt("sentence")):
        found = read_goal("e", text, prompt)
        assert (found.answer is not None) == (found.status is PredictionStatus.OK) and (found.answer or found.why)
