"""What an agent would have written, read back by its own reader; and prompts made of their templates."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.action import (
    Action,
    AskUser,
    DoubleTap,
    Drag,
    Finish,
    FinishStatus,
    Hover,
    Key,
    LongPress,
    OpenApp,
    PressKey,
    Say,
    Scroll,
    Select,
    Swipe,
    Tap,
    Type,
    Wait,
    action_end,
    action_point,
)
from stepscope.core.domain.geometry import Direction, Point, Size
from stepscope.core.errors import UsageError
from stepscope.models.agents.adapter import Adapter, adapter_for, adapters, read_answer
from stepscope.models.agents.prompts import PromptTemplate, filled

SCREEN = Size(1080, 2400)
MIDDLE, BELOW = Point(540, 1200, SCREEN), Point(540, 1800, SCREEN)
SHIPPED = adapters()[0]
PLATFORMS = [(name, platform) for name, one in SHIPPED.items() for platform in one.platform if platform != "desktop"]


def near(found: Point | None, wanted: Point | None) -> bool:
    """Within what the space's steps cannot tell: a hundredth of the screen."""
    if found is None or wanted is None:
        return found is wanted
    return found.distance_in_fractions(wanted) < 0.01


def same(found: Action, wanted: Action) -> bool:
    if type(found) is not type(wanted):
        return False
    if not (near(action_point(found), action_point(wanted)) and near(action_end(found), action_end(wanted))):
        return False
    names = [name for name in ("text", "key", "direction", "status") if hasattr(wanted, name)]
    return [getattr(found, name) for name in names] == [getattr(wanted, name) for name in names]


def reread(adapter: Adapter, action: Action, platform: str) -> tuple[str | None, Action | None]:
    """What is written for the action, and the first action that is read of it."""
    text = adapter.written(action, SCREEN, adapter.sent(SCREEN), platform)
    if text is None:
        return None, None
    answer = (adapter.prompt_on(platform).answer).replace("{action}", text).replace("{words}", "Go on")
    found = read_answer(adapter, answer, SCREEN)
    assert not found.problem, (adapter.name, text, found.problem)
    return text, found.actions[0]


ACTIONS: list[Action] = [
    Tap(MIDDLE),
    LongPress(MIDDLE),
    DoubleTap(MIDDLE),
    Swipe(BELOW, MIDDLE),
    Swipe(MIDDLE, Point(100, 1200, SCREEN)),
    Scroll(Direction.DOWN),
    Scroll(Direction.LEFT, MIDDLE),
    Drag(MIDDLE, BELOW),
    Type("it's 5 o'clock"),
    Type("milk", MIDDLE),
    Select("Large", MIDDLE),
    Hover(MIDDLE),
    *(PressKey(key) for key in Key),
    OpenApp("Google Chrome"),
    Wait(),
    AskUser("Which one?"),
    Say("Yes"),
    Finish(),
    Finish(FinishStatus.IMPOSSIBLE),
]


@pytest.mark.parametrize(("name", "platform"), PLATFORMS)
def test_what_is_written_is_what_is_read(name: str, platform: str) -> None:
    adapter, wrote = SHIPPED[name], 0
    for action in ACTIONS:
        text, found = reread(adapter, action, platform)
        if text is None:
            continue
        wrote += 1
        assert found is not None
        if isinstance(action, Type) and "{x}" not in adapter.writes.get("type_at", ""):
            action = replace(action, point=None)
        if isinstance(action, Scroll | Swipe):  # agents have one of them, and often no place for it
            assert side(found) is side(action), text
        else:
            assert same(found, action), (text, found)
    assert wrote, "it writes nothing"


def side(action: Action) -> Direction:
    """The side that comes into view."""
    assert isinstance(action, Scroll | Swipe)
    return action.direction if isinstance(action, Scroll) else action.direction.opposite


def test_every_adapter_touches() -> None:
    assert [name for name, one in SHIPPED.items() if one.written(Tap(MIDDLE), SCREEN, one.sent(SCREEN)) is None] == []


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("ui-tars-1.0", "click(start_box='<|box_start|>(500,500)<|box_end|>')"),
        ("ui-tars-1.5", "click(point='<point>546 1204</point>')"),
        ("qwen2.5-vl", '{"name": "mobile_use", "arguments": {"action": "click", "coordinate": [546, 1204]}}'),
        ("qwen3-vl", '{"name": "mobile_use", "arguments": {"action": "click", "coordinate": [500, 500]}}'),
        ("os-atlas-pro", "CLICK <point>[[500,500]]</point>"),
        ("aguvis", "pyautogui.click(x=0.5000, y=0.5000)"),
        ("showui", "{'action': 'TAP', 'value': None, 'position': [0.50, 0.50]}"),
        ("agentcpm-gui", '{"POINT":[500,500]}'),
        ("os-genesis", '{"action_type":"click","x":540,"y":1200}'),
    ],
)
def test_places_are_said_in_the_agents_space(name: str, wanted: str) -> None:
    """By the table of published outputs: the middle of a screen of 1080 × 2400."""
    assert SHIPPED[name].written(Tap(MIDDLE), SCREEN, SHIPPED[name].sent(SCREEN)) == wanted


def test_a_web_page_is_clicked_where_a_phone_is_tapped() -> None:
    adapter = SHIPPED["qwen2.5-vl"]
    assert "left_click" in (adapter.written(Tap(MIDDLE), SCREEN, SCREEN, "web") or "")
    assert "computer_use" in adapter.prompt_on("web").system and "mobile_use" in adapter.prompt_on("android").system


@given(st.text(max_size=40))
def test_any_text_survives_quotes(text: str) -> None:
    """Line ends at its end mean Enter to some, and some strip what is around a text."""
    wanted = text.strip()
    for name in ("ui-tars-1.5", "qwen2.5-vl", "json", "agentcpm-gui", "claude-computer"):
        if not wanted:
            continue
        _, found = reread(SHIPPED[name], Type(wanted), "android")
        assert found == Type(wanted), name


@pytest.mark.parametrize(
    ("model", "wanted"),
    [
        ("ByteDance-Seed/UI-TARS-1.5-7B", "ui-tars-1.5"),
        ("UI-TARS-7B-DPO", "ui-tars-1.0"),
        ("Qwen/Qwen2.5-VL-7B-Instruct", "qwen2.5-vl"),
        ("qwen3-vl-8b", "qwen3-vl"),
        ("OS-Copilot/OS-Atlas-Pro-7B", "os-atlas-pro"),
        ("mPLUG/GUI-Owl-1.5-8B-Instruct", "gui-owl-1.5"),
        ("GUI-Owl-7B", "gui-owl-1"),
        ("InfiX-ai/InfiGUI-R1-3B", "infigui-r1"),
        ("gpt-5", "json"),
    ],
)
def test_a_models_name_tells_how_it_speaks(model: str, wanted: str) -> None:
    assert adapter_for(model, SHIPPED) == wanted


def test_lines_with_nothing_to_say_are_left_out() -> None:
    text = 'Task: {goal}\nNow: {instruction}\nDone: {history}\n{"kind": "tap"}\n{x}'
    assert filled(text, {"goal": "Buy {milk}", "instruction": "", "history": "nothing"}) == (
        'Task: Buy {milk}\nDone: nothing\n{"kind": "tap"}\n{x}'
    )


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"user": "Do {gaol}"}, "user names {gaol}, which is none of goal"),
        ({"user": "Do it"}, "neither {goal} nor {step}"),
        ({"user": "{goal}", "past": "{step}"}, "past names {step}, which is none of number"),
    ],
)
def test_a_prompt_that_cannot_work_is_refused(fields: dict[str, str], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        PromptTemplate("1", **fields)  # type: ignore[arg-type]


def test_an_adapter_without_prompt_says_so() -> None:
    bare = replace(SHIPPED["json"], prompt=None, prompt_web=None)
    with pytest.raises(UsageError, match="has no prompt: it reads answers only"):
        bare.prompt_on("android")


NO_ASK = {"seeclick", "qwen2-vl", "uground"}
"""SeeClick's actions are numbers, and the others only point."""


@pytest.mark.parametrize("name", [name for name in SHIPPED if name not in NO_ASK])
def test_every_agent_that_acts_has_words_to_ask(name: str) -> None:
    """They are read back as they were written, and told in its prompt."""
    adapter = SHIPPED[name].asking
    wrote, found = reread(adapter, AskUser("Which date, please?"), "android")
    assert found == AskUser("Which date, please?"), wrote
    for place in ("prompt", "prompt_web"):
        prompt = getattr(adapter, place)
        told = adapter.asks.get("told", "")
        assert prompt is None or prompt.user.endswith(told)
    if adapter.tells_answers:
        wrote, found = reread(adapter, Say("May 5"), "android")
        assert found == Say("May 5"), wrote


def test_who_may_not_ask_is_told_nothing_of_it() -> None:
    plain = SHIPPED["os-atlas-pro"]
    assert "ask" not in plain.writes and "ASK" not in plain.prompt_on("android").user
    assert plain.asking.digest != plain.digest and "ASK [question]" in plain.asking.prompt_on("web").user
    assert all(SHIPPED[name].asking is SHIPPED[name] for name in NO_ASK)
