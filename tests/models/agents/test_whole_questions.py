"""Feasibility, order and asking by a model behind a server: what it is asked, and what is read of its answers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stepscope.core.domain.action import AskUser, PressKey, Tap
from stepscope.core.domain.episode import FeasibilityLabel, InfeasibilityReason, Observation, Picture, Platform
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.model_call import PictureMaker
from stepscope.core.domain.prediction import AskAnswer, FeasibilityAnswer, OrderAnswer, PredictionStatus, Task
from stepscope.core.domain.procedure import ProcedureStep
from stepscope.core.evaluation.predictor import EpisodeRequest, OrderRequest, StepRequest
from stepscope.core.imaging.draw import encode_png
from stepscope.models import registry
from stepscope.models.agents.adapter import adapter_named
from stepscope.models.agents.question import question
from stepscope.models.agents.settings import AskingSettings
from stepscope.models.chat import servers
from tests.models.chat.faults import Act, Stage, completion

pytestmark = pytest.mark.needs("openai")

SIZE = Size(90, 160)
TAP = Tap(Point(10, 10, SIZE))


@pytest.fixture
def picture(tmp_path: Path) -> Picture:
    file = tmp_path / "screen.png"
    file.write_bytes(encode_png(np.full((160, 90, 3), 200, np.uint8)))
    return Picture(file, SIZE)


def served(stage: Stage, task: Task, *answers: str, settings: str = "", **fields: Any) -> Any:
    stage.plays(*(Act(completion(one)) for one in answers))
    servers.add(stage.server(parallel=1, **fields))
    return registry.load(f"{registry.named_for('served:lab/m', task)}{settings}")


def told(stage: Stage, place: int = -1) -> str:
    return str(stage.bodies[place]["messages"])


def trajectory(picture: Picture, **fields: Any) -> EpisodeRequest:
    seen = Observation(SIZE, picture)
    return EpisodeRequest("e", "Buy milk", Platform.ANDROID, (seen, seen), (TAP, None), **fields)


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        ('{"feasible": false, "probability": 0.9, "reason": "x"}', FeasibilityAnswer(FeasibilityLabel.INFEASIBLE, 0.9)),
        (
            '{"feasible": false, "kind": "Premature", "question": "Which  list?"}',
            FeasibilityAnswer(
                FeasibilityLabel.INFEASIBLE, reason=InfeasibilityReason.PREMATURE, question="Which list?"
            ),
        ),
        (
            '{"feasible": true, "kind": "unclear", "question": "Really?"}',
            FeasibilityAnswer(FeasibilityLabel.FEASIBLE),
        ),
        ('{"feasible": false, "kind": "other"}', FeasibilityAnswer(FeasibilityLabel.INFEASIBLE)),
        ('<think>{"feasible": true}</think> {"feasible": false}', FeasibilityAnswer(FeasibilityLabel.INFEASIBLE)),
        ('```json\n{"feasible": true, "probability": 0}\n```', FeasibilityAnswer(FeasibilityLabel.FEASIBLE, 0.0)),
    ],
)
def test_feasibility_is_asked_with_what_was_done(
    stage: Stage, picture: Picture, answer: str, wanted: FeasibilityAnswer
) -> None:
    model = served(stage, Task.FEASIBILITY, answer)
    assert model.info.name == "served:lab/m#feasibility" and model.info.task is Task.FEASIBILITY
    found = model.predict(trajectory(picture))
    assert found.answer == wanted and found.raw == answer
    assert "Goal: Buy milk" in told(stage) and "Step 1: Tap" in told(stage) and "CANNOT" in told(stage)
    assert [(one.maker, one.step) for one in found.calls[0].pictures] == [
        (PictureMaker.TRAJECTORY, 0), (PictureMaker.TRAJECTORY, 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("It is feasible.", 'The answer has no object with "feasible": true or false.'),
        ('{"feasible": "yes"}', 'The answer has no object with "feasible": true or false.'),
        ('{"feasible": true, "probability": 7}', "The probability '7' is none."),
    ],
)
def test_what_says_nothing_of_feasibility_is_malformed(stage: Stage, picture: Picture, answer: str, why: str) -> None:
    found = served(stage, Task.FEASIBILITY, answer).predict(trajectory(picture))
    assert found.status is PredictionStatus.MALFORMED and found.why == why and found.raw == answer


def test_a_plan_in_words_is_told_in_its_words(stage: Stage) -> None:
    page = Observation(SIZE, None)
    request = EpisodeRequest(
        "e", "Bake", Platform.TEXT, (page, page), (None, None), words=("Heat the oven", "Wait for it")
    )
    found = served(stage, Task.FEASIBILITY, '{"feasible": true}').predict(request)
    assert found.answer is not None and "Wait for it" in told(stage)
    nothing = served_again("Nothing", request.goal)
    assert registry.load("served:lab/m#feasibility").predict(nothing).status is PredictionStatus.EMPTY


def served_again(name: str, goal: str | None) -> EpisodeRequest:
    return EpisodeRequest(name, goal, Platform.ANDROID, (), ())


STEPS = (ProcedureStep("1", "Eat it"), ProcedureStep("2", "Bake the cake", title="Heat"), ProcedureStep("3", "Mix"))


def test_an_order_is_asked_with_texts_and_pictures(stage: Stage, picture: Picture) -> None:
    model = served(stage, Task.ORDERING, '{"order": [3, "2", 1]}')
    steps = (*STEPS[:2], ProcedureStep("3", "Mix", (picture,)))
    found = model.predict(OrderRequest("cake", "Make a cake", steps))
    assert found.answer == OrderAnswer(("3", "2", "1"))
    content = stage.bodies[0]["messages"][1]["content"]
    assert [part.get("text", "picture") for part in content] == [
        "Procedure: Make a cake", "Number 1: Eat it", "Number 2: Heat Bake the cake", "Number 3: Mix", "picture",
    ]  # fmt: skip
    model.predict(OrderRequest("cake", "Make a cake", STEPS))
    assert isinstance(stage.bodies[1]["messages"][1]["content"], str), "without pictures it is one text"


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("3, 2, 1", 'The answer has no object with an "order".'),
        ('{"order": [1, 2]}', "The order leaves out 3."),
        ('{"order": [1, 2, 3, 3]}', "The order names 3 twice."),
        ('{"order": [1, 2, 3, 4]}', "The order names what was not shown."),
    ],
)
def test_what_is_no_order_is_malformed(stage: Stage, answer: str, why: str) -> None:
    found = served(stage, Task.ORDERING, answer).predict(OrderRequest("cake", "Make a cake", STEPS))
    assert found.status is PredictionStatus.MALFORMED and found.why == why


def step(picture: Picture, reply: tuple[str, str] | None) -> StepRequest:
    return StepRequest("e", 0, "Buy milk", Platform.ANDROID, Observation(SIZE, picture), reply=reply)


def test_an_agent_that_asks_is_asked_once_more_with_the_answer(stage: Stage, picture: Picture) -> None:
    model = served(stage, Task.ASK, '{"kind": "ask", "text": "Which milk?"}', '{"kind": "press_key", "key": "back"}')
    assert model.info.name == "served:lab/m#ask" and model.info.title == "m at lab · Plain JSON"
    found = model.predict(step(picture, ("Which?", "Oat milk")))
    assert found.answer == AskAnswer("Which milk?", None, None, PressKey("back"))
    assert len(found.calls) == 2
    assert "Oat milk" not in told(stage, 0), "whether to ask must not be told by it"
    assert '{"kind": "ask", "text": "Which?"}' in told(stage, 1)
    assert '{"kind": "say", "text": "Oat milk"}' in told(stage, 1)


@pytest.mark.parametrize(
    ("adapter", "words"),
    [
        ("spiritsight", "Done so far: ASK('Which?'); SAY('Oat milk')"),
        ("os-atlas-pro", "History: 1. ASK [Which?]\n2. SAY [Oat milk]"),
        ("qwen2.5-vl", "Task: Buy milk (You asked: “Which?” The person answered: “Oat milk”)"),
    ],
)
def test_question_and_answer_are_told_in_the_agents_words_where_it_has_them(
    picture: Picture, adapter: str, words: str
) -> None:
    settings = AskingSettings(adapter_named(adapter).asking)
    (message,) = [one for one in question(step(picture, ("Which?", "Oat milk")), settings).messages
                  if one["role"] == "user"]  # fmt: skip
    assert words in message["content"][0]["text"]


HOME = '{"kind": "press_key", "key": "home"}'
ACTS, ASKS = '{"kind": "press_key", "key": "back"}', '{"kind": "ask", "text": "Which milk?"}'


def test_what_it_does_once_answered_is_asked_from_its_first_ask_on(stage: Stage, picture: Picture) -> None:
    here = step(picture, ("Which?", "Oat milk"))
    quiet = served(stage, Task.ASK, ACTS).predict(replace(here, asked=False))
    assert quiet.answer == AskAnswer(None, None, PressKey("back")) and len(stage.seen) == 1
    stage.plays(*(Act(completion(one)) for one in (ASKS, HOME, ACTS)))
    asks = registry.load("served:lab/m#ask").predict(replace(here, asked=False))
    assert asks.answer == AskAnswer("Which milk?", after=PressKey("home"), unasked=PressKey("back"))
    assert "Oat milk" in told(stage, 2) and "You cannot ask" in told(stage, 3) and len(asks.calls) == 3
    stage.plays(Act(completion(ACTS)), Act(completion(HOME)))
    later = registry.load("served:lab/m#ask").predict(replace(here, asked=True))
    assert later.answer == AskAnswer(None, None, PressKey("back"), PressKey("home"))


def test_behind_the_due_step_it_asks_only_where_it_asks_again_once_answered(stage: Stage, picture: Picture) -> None:
    here = replace(step(picture, ("Which?", "Oat milk")), asked=True, behind=True)
    found = served(stage, Task.ASK, ASKS, HOME, ACTS).predict(here)
    assert found.answer == AskAnswer(None, after=PressKey("home"), unasked=PressKey("back")), (
        "without the answer it asks"
    )
    stage.plays(*(Act(completion(one)) for one in (ACTS, ASKS)))
    again = registry.load("served:lab/m#ask").predict(here).answer
    assert again == AskAnswer("Which milk?", action=PressKey("back"), after=AskUser("Which milk?"))


def test_an_agent_is_told_the_whole_goal_where_there_is_one(stage: Stage, picture: Picture) -> None:
    here = replace(step(picture, ("Which?", "Oat milk")), whole="Buy oat milk", asked=False)
    found = served(stage, Task.ASK, ACTS, ASKS).predict(here)
    assert found.answer == AskAnswer(None, None, PressKey("back"), whole=AskUser("Which milk?"))
    assert "Buy oat milk" not in told(stage, 0) and "Buy oat milk" in told(stage, 1)
    stage.plays(Act(completion(ACTS)))
    two = registry.load("served:lab/m#ask?streams=two")
    assert two.predict(here).answer == AskAnswer(None, None, PressKey("back"))
    assert two.info.asks_again == "asked" and "two streams" in two.info.title
    assert registry.load("served:lab/m#ask?streams=paper").info.asks_again == "always"


def test_what_was_answered_before_stays_in_its_context(stage: Stage, picture: Picture) -> None:
    here = replace(step(picture, None), asked=False, told=(("How much?", "Two litres"),))
    found = served(stage, Task.ASK, ACTS, ASKS).predict(here)
    assert found.answer == AskAnswer(None, None, PressKey("back"), unasked=AskUser("Which milk?"))
    assert "Two litres" in told(stage, 0) and "Two litres" not in told(stage, 1)


def test_a_question_whose_words_are_not_known_is_told_by_its_answer(stage: Stage, picture: Picture) -> None:
    served(stage, Task.ASK, ACTS, ACTS).predict(step(picture, ("", "Oat milk")))
    first, second = told(stage, 0), told(stage, 1)
    assert second.count("Oat milk") == 1 and second.count('"kind": "ask"') == first.count('"kind": "ask"')


def test_an_agent_that_acts_does_not_ask(stage: Stage, picture: Picture) -> None:
    model = served(stage, Task.ASK, '{"kind": "press_key", "key": "back"}')
    found = model.predict(step(picture, None))
    assert found.answer == AskAnswer(None, None, PressKey("back"), None) and len(stage.seen) == 1


def test_an_answer_that_cannot_be_read_is_malformed(stage: Stage, picture: Picture) -> None:
    found = served(stage, Task.ASK, "What milk?").predict(step(picture, ("Which?", "Oat")))
    assert found.status is PredictionStatus.MALFORMED and len(stage.seen) == 2


def test_each_task_is_a_model_of_its_own_in_the_lists(stage: Stage) -> None:
    servers.add(stage.server(model="m"))
    found = {name: one.info.task for name, one in registry.registry([]).models.items() if "lab/m" in name}
    assert found == {
        "served:lab/m": Task.GOAL,
        "served:lab/m#automation": Task.AUTOMATION,
        "served:lab/m#feasibility": Task.FEASIBILITY,
        "served:lab/m#ordering": Task.ORDERING,
        "served:lab/m#ask": Task.ASK,
        "served:lab/m#grounding": Task.GROUNDING,
        "page:lab/m": Task.WEBTASK,
    }
