"""An agent behind a server in the engine: what it is sent, what is read of its answer, and what is kept of both."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stepscope.app.services.sent_pictures import sent_file
from stepscope.core.domain.action import Action, AskUser, PressKey, Scroll, Tap, Target, Type
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Episode, Observation, Picture, Platform, Step
from stepscope.core.domain.geometry import Box, Direction, Point, Size
from stepscope.core.domain.model_call import CoordinateSpace, PictureMaker, SaidPoint, SentPicture
from stepscope.core.domain.prediction import Prediction, PredictionStatus, Task
from stepscope.core.errors import UsageError, UserError
from stepscope.core.evaluation.prediction_cache import request_key
from stepscope.core.evaluation.predictor import Cancellable, OwnAnswer, StepRequest, is_batching
from stepscope.core.imaging.draw import encode_png
from stepscope.core.imaging.probe import probe_bytes
from stepscope.core.progress import CancelToken
from stepscope.models import registry
from stepscope.models.agents.adapter import adapter_named
from stepscope.models.agents.question import AgentQuestion, question
from stepscope.models.agents.settings import AskingSettings
from stepscope.models.chat import servers
from tests.models.chat.faults import Act, Stage, completion

pytestmark = pytest.mark.needs("openai")

SIZE = Size(1080, 2400)
BACK, DOWN = PressKey("back"), Scroll(Direction.DOWN)
TAP = Tap(Point(540, 1200, SIZE), Target(None, "Next", None))


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Observation:
    file = tmp_path_factory.mktemp("screens") / "screen.png"
    file.write_bytes(encode_png(np.full((SIZE.height, SIZE.width, 3), 200, np.uint8)))
    return Observation(SIZE, Picture(file, SIZE))


def request(seen: Observation, *history: Action, past: int = 0, **fields: Any) -> StepRequest:
    step = len(history)
    return StepRequest("e", step, "Open the settings", Platform.ANDROID, seen, history=history,
                       past=(seen,) * past, **fields)  # fmt: skip


def ask(adapter: str, asked: StepRequest, *, pictures: bool = True, **settings: Any) -> AgentQuestion:
    return question(asked, AskingSettings(adapter_named(adapter), **settings), pictures=pictures)


def shape(asked: AgentQuestion) -> list[tuple[str, list[str]]]:
    """Role and parts of each message; a picture as its size."""
    return [(one["role"], [part_words(part) for part in parts(one)]) for one in asked.messages]


def parts(message: dict[str, Any]) -> list[Any]:
    content = message["content"]
    return content if isinstance(content, list) else [{"type": "text", "text": content}]


def part_words(part: dict[str, Any]) -> str:
    if part["type"] == "text":
        return str(part["text"])
    data = base64.b64decode(part["image_url"]["url"].removeprefix("data:image/png;base64,"))
    found = probe_bytes(data).size
    return f"{found.width}x{found.height}"


def test_the_picture_is_sent_at_the_size_that_the_adapter_says(seen: Observation) -> None:
    found = ask("qwen2.5-vl", request(seen, instruction="Tap Next"))
    assert found.sent == Size(1092, 2408)  # the library's own function says so (GUI agents, A1)
    (_, (system,)), (_, (user, picture)) = shape(found)
    assert picture == "1092x2408" and "1092x2408 pixels" in system
    assert user == "Task: Open the settings\nWhat to do now: Tap Next\nDone so far: nothing"
    assert shape(ask("showui", request(seen)))[-1][1][-1] == "672x1512"


def test_history_is_told_in_the_agents_words(seen: Observation) -> None:
    user = shape(ask("qwen2.5-vl", request(seen, TAP, BACK)))[1][1][0]
    assert user.splitlines()[1] == (
        'Done so far: Step 1: {"name": "mobile_use", "arguments": {"action": "click", "coordinate": [546, 1204]}}; '
        'Step 2: {"name": "mobile_use", "arguments": {"action": "system_button", "button": "Back"}}'
    )
    assert "Next" in shape(ask("qwen3-vl", request(seen, TAP)))[1][1][0], "this one is told in plain words"
    alone = shape(ask("qwen2.5-vl", request(seen, TAP, BACK), history="none"))[1][1][0]
    assert alone == "Task: Open the settings\nDone so far: nothing"


def test_history_can_be_what_the_agent_said_itself(seen: Observation) -> None:
    own = (OwnAnswer(BACK, "raw back"), OwnAnswer(None, "what?"))
    user = shape(ask("qwen2.5-vl", request(seen, TAP, DOWN, own=own), history="predicted"))[1][1][0]
    assert user.splitlines()[1] == (
        'Done so far: Step 1: {"name": "mobile_use", "arguments": {"action": "system_button", "button": "Back"}}; '
        "Step 2: (an answer that could not be read)"
    )
    turns = shape(ask("ui-tars-1.5", request(seen, TAP, DOWN, past=2, own=own), history="predicted", screens=2))
    said = [shown for role, shown in turns if role == "assistant"]
    assert said == [["raw back"], ["what?"]], "as it came, with its thought"
    assert [one for _, shown in turns for one in shown].count("1092x2408") == 3


def test_turns_have_their_screens_the_last_ones(seen: Observation) -> None:
    found = ask("ui-tars-1.5", request(seen, TAP, DOWN, BACK, past=2), screens=2)
    roles = shape(found)
    assert [role for role, _ in roles] == ["user", "assistant", "user", "assistant", "user", "assistant", "user"]
    assert roles[1][1] == ["Action: click(point='<point>546 1204</point>')"]
    assert [one for _, shown in roles[2:] for one in shown] == [
        "1092x2408", "Action: scroll(direction='down')", "1092x2408", "Action: press_back()", "1092x2408",
    ]  # fmt: skip
    assert found.places == (1, 2, 3)
    first = shape(ask("ui-tars-1.5", request(seen)))
    assert [len(shown) for _, shown in first] == [2] and "## Task\nOpen the settings" in first[0][1][0]


def test_questions_are_no_part_of_what_was_done(seen: Observation) -> None:
    found = ask("ui-tars-1.5", request(seen, AskUser("Which?"), TAP, past=2), screens=2)
    assert [role for role, _ in shape(found)] == ["user", "assistant", "user"]
    assert found.places == (1, 2)


def test_a_password_is_nobodys_business(seen: Observation) -> None:
    typed = Type("hunter2", Point(5, 5, SIZE), Target(None, "", "com.example:id/password"))
    assert "hunter2" not in str(ask("qwen2.5-vl", request(seen, typed)).messages)


def test_a_server_without_eyes_is_told_the_elements(seen: Observation) -> None:
    button = UIElement(0, Box(0, 0, 1080, 240, SIZE), text="Wi-Fi", clickable=True)
    tree = UITree((button,), TreeOrigin.VIEW_HIERARCHY, SIZE)
    found = ask("qwen3-vl", request(replace(seen, tree=tree)), pictures=False)
    assert shape(found)[-1][1][-1].endswith('Elements on the screen: "wi-fi" (500, 50)')
    assert '"wi-fi" (540, 120)' in str(ask("os-genesis", request(replace(seen, tree=tree))).messages)


def test_a_screen_that_cannot_be_shown_is_told(tmp_path: Path) -> None:
    thin = Size(20_000, 50)
    with pytest.raises(UserError, match="more than 200 times as long as wide"):
        ask("qwen2.5-vl", request(Observation(thin, None)))
    with pytest.raises(UserError, match="The step has no picture"):
        ask("qwen2.5-vl", request(Observation(SIZE, None)))


def test_a_picture_of_one_pixel_is_made_large_enough(tmp_path: Path) -> None:
    file = tmp_path / "dot.png"
    file.write_bytes(encode_png(np.zeros((1, 1, 3), np.uint8)))
    dot = Size(1, 1)
    assert shape(ask("qwen2.5-vl", request(Observation(dot, Picture(file, dot)))))[1][1][-1] == "56x56"


# Behind a server ------------------------------------------------------------------------------------------------------


def served(stage: Stage, *answers: Act | str, settings: str = "adapter=ui-tars-1.5", **fields: Any) -> Any:
    stage.plays(*(one if isinstance(one, Act) else completion(one) for one in answers))
    servers.add(stage.server(parallel=1, **fields))
    return registry.load(f"served:lab/m#automation?{settings}")


def predicted(model: Any, asked: StepRequest) -> Prediction:
    found: Prediction = model.predict(asked)
    return found


def test_an_answer_becomes_an_action_on_the_recorded_screen(stage: Stage, seen: Observation) -> None:
    model = served(stage, "Thought: there.\nAction: click(point='<point>546 602</point>')")
    found = predicted(model, request(seen))
    assert found.action == Tap(Point(540, 600, SIZE)) and found.raw.startswith("Thought: there.")
    (call,) = found.calls
    assert call.said == (SaidPoint(546, 602, CoordinateSpace.SENT),)
    (picture,) = call.pictures
    assert (picture.width, picture.height, picture.maker, picture.step) == (1092, 2408, PictureMaker.SCREEN, 0)
    assert not picture.data, "it is made again of the data"
    (body,) = stage.bodies
    assert body["model"] == "m" and body["max_tokens"] == 1024 and body["temperature"] == 0


def test_the_sent_picture_is_made_again(stage: Stage, seen: Observation) -> None:
    model = served(stage, "Action: wait()")
    (picture,) = predicted(model, request(seen)).calls[0].pictures
    episode = Episode("e", "sample", Platform.ANDROID, "Open the settings", (Step(0, seen, TAP),))
    again = sent_file(None, "", picture, episode)  # type: ignore[arg-type]  # nothing is looked up
    assert again is not None and again.same
    gone = SentPicture(picture.digest, 1, 1, step=7, maker=PictureMaker.SCREEN)
    assert sent_file(None, "", gone, episode) is None  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("answer", "status", "why"),
    [
        ("Action: click(point='<point>9999 1</point>')", PredictionStatus.MALFORMED, "lies outside the resized space"),
        ("I would tap.", PredictionStatus.MALFORMED, "No action of UI-TARS 1.5 is in the answer (at character 13)."),
        ("Action: wait()\n\nAction: press_back()", PredictionStatus.OK, ""),
        ("Action: press_back()\n\npress_home()", PredictionStatus.OK, "It said 2 actions; the first counts."),
        ("", PredictionStatus.EMPTY, "The model said nothing."),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_told(
    stage: Stage, seen: Observation, answer: str, status: PredictionStatus, why: str
) -> None:
    found = predicted(served(stage, answer), request(seen))
    assert found.status is status and why in found.why and found.raw == answer


def test_an_answer_cut_at_its_limit_counts_where_its_action_is_whole(stage: Stage, seen: Observation) -> None:
    model = served(
        stage,
        Act(completion("Action: press_back()\nI think that", "length")),
        Act(completion("Thought: let me think", "length")),
    )
    assert predicted(model, request(seen)).action == BACK
    lost = predicted(model, request(seen, TAP))
    assert lost.status is PredictionStatus.MALFORMED and "cut off before its end" in lost.why


def test_a_call_that_the_server_took_out_of_the_text_is_read(stage: Stage, seen: Observation) -> None:
    """vLLM with a tool parser, and hosted servers, give calls apart."""
    call = {"function": {"name": "mobile_use", "arguments": '{"action": "click", "coordinate": [546, 1204]}'}}
    model = served(stage, Act(completion(None, tool_calls=[call])), settings="adapter=qwen2.5-vl")
    assert predicted(model, request(seen)).action == Tap(Point(540, 1200, SIZE))


def named(model: str) -> Act:
    """An answer of a server that says which model gave it."""
    return Act(json.dumps(json.loads(completion("Action: press_back()")) | {"model": model}))


def test_a_server_that_changes_its_model_is_told(stage: Stage, seen: Observation) -> None:
    predictor = served(stage, named("m-2026-01"), named("m-2026-01"), named("m-2026-09"))
    told = [predictor.predict(request(seen)).why for _ in range(3)]
    assert told == ["", "", "The server answered as m-2026-09; when this run began it was m-2026-01."]
    predictor.set_token(CancelToken())
    assert predictor.predict(request(seen)).why == "", "another run"


def test_a_server_that_fails_is_told_for_each_item(stage: Stage, seen: Observation) -> None:
    model = served(stage, Act('{"error": {"message": "no such key"}}', 401))
    assert is_batching(model) and isinstance(model, Cancellable)
    found = model.predict_batch([model.prepare(request(seen)), model.prepare(request(seen, TAP))])
    assert [one.status for one in found] == [PredictionStatus.FAILED] * 2
    assert "refuses the key" in found[0].why and len(stage.seen) == 1


# Names ----------------------------------------------------------------------------------------------------------------


def test_a_name_says_task_and_what_is_set(stage: Stage) -> None:
    servers.add(stage.server(model="UI-TARS-1.5-7B"))
    assert registry.named_for("served:lab", Task.AUTOMATION) == "served:lab#automation"
    assert registry.named_for("served:lab", Task.GOAL) == "served:lab"
    assert registry.named_for("text-match", Task.AUTOMATION) == "text-match"
    info = registry.model_info("served:lab#automation?history=none&screens=4&adapter=ui-tars-1.5")
    assert info.name == "served:lab/UI-TARS-1.5-7B#automation?history=none", "as many screens as usual"
    assert info.title == "UI-TARS-1.5-7B at lab · UI-TARS 1.5, no history, 4 screens before" and not info.own_history
    own = registry.model_info("served:lab#automation?history=predicted")
    assert own.own_history and "own history" in own.title and own.name != info.name
    assert info.task is Task.AUTOMATION and info.past_screens == 4
    alone = registry.model_info(info.name + "&instructions=hidden")
    assert alone.title.endswith("goal alone") and "history=none" in alone.name
    assert {"served:lab/UI-TARS-1.5-7B", "served:lab/UI-TARS-1.5-7B#automation"} <= registry.registry([]).models.keys()


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("served:lab#sleeping", "cannot be asked about 'sleeping'"),
        ("served:lab#automation?adapter=qwen25-vl", "no adapter 'qwen25-vl'"),
        ("served:lab?screens=1", "has no option 'screens'"),
        ("served:lab#automation?screens=99", "screens cannot be '99'"),
        ("served:lab#automation?colour=1", "has no option 'colour'"),
    ],
)
def test_what_cannot_be_set_is_told(stage: Stage, name: str, told: str) -> None:
    servers.add(stage.server())
    with pytest.raises(UsageError, match=told):
        registry.model_info(name)


def test_past_screens_are_part_of_the_question_and_only_then(seen: Observation) -> None:
    """Answers that were kept before there were any are found again."""
    plain, more = request(seen, TAP), request(seen, TAP, past=1)
    assert request_key("x", plain) != request_key("x", more)
    assert request_key("x", plain) == request_key("x", replace(plain, step=9, episode="other"))
