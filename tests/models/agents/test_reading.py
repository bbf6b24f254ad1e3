"""Raw outputs of published agents, as their repositories show them, against places worked out by hand: the screen has
1080 × 2400 pixels and its middle is (540, 1200)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.domain.action import (
    AskUser,
    DoubleTap,
    Drag,
    Finish,
    FinishStatus,
    Hover,
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
)
from stepscope.core.domain.geometry import Direction, Point, Size
from stepscope.models.agents.adapter import ReadAnswer, adapter_named, adapters, read_answer
from stepscope.models.agents.spaces import Space, extent, on_screen

SCREEN = Size(1080, 2400)
KNOWN = adapters()[0]


def at(x: float, y: float) -> Point:
    return Point(x, y, SCREEN)


MIDDLE = at(540, 1200)
UP = Swipe(at(540, 1920), at(540, 480))


def read(adapter: str, raw: object, **more: Any) -> ReadAnswer:
    return read_answer(adapter_named(adapter), raw, SCREEN, **more)


def tool(arguments: str, name: str = "mobile_use") -> str:
    return f'<tool_call>\n{{"name": "{name}", "arguments": {arguments}}}\n</tool_call>'


def deep(levels: int) -> Any:
    found: Any = 1
    for _ in range(levels):
        found = [found]
    return found


ENTER, BACK, HOME = PressKey("enter"), PressKey("back"), PressKey("home")
DOWN = Scroll(Direction.DOWN)

PUBLISHED: list[tuple[str, object, list[Any]]] = [
    ("ui-tars-1.0", "Thought: I tap Next.\nAction: click(start_box='(500,500)')", [Tap(MIDDLE)]),
    ("ui-tars-1.0", "Action: click(start_box='<|box_start|>(500,500)<|box_end|>')", [Tap(MIDDLE)]),
    ("ui-tars-1.0", "Action: scroll(start_box='(500,800)', end_box='(500,200)')", [UP]),
    ("ui-tars-1.0", "Action: scroll(direction='down')", [DOWN]),
    ("ui-tars-1.0", "Action: scroll(start_box='(500,500)', direction='up')", [Scroll(Direction.UP, MIDDLE)]),
    ("ui-tars-1.0", "Action: long_press(start_box='(450,480,550,520)', time='3')", [LongPress(MIDDLE)]),
    ("ui-tars-1.0", "Action: open_app(app_name='Google Chrome')", [OpenApp("Google Chrome")]),
    ("ui-tars-1.0", "Action: hotkey(key='ctrl c')", [PressKey("ctrl+c")]),
    ("ui-tars-1.0", "Action: left_double(start_box='(500,500)')", [DoubleTap(MIDDLE)]),
    ("ui-tars-1.0", "Action: drag(start_box='(500,800)', end_box='(500,200)')", [Drag(UP.point, UP.to)]),
    ("ui-tars-1.0", "Action: call_user()", [AskUser("")]),
    ("ui-tars-1.0", "Action: press_home()", [HOME]),
    ("ui-tars-1.0", "Action: finished(content='It is done.')", [Finish()]),
    ("ui-tars-1.5", "Thought: ..\nAction: click(start_box='(546,1204)')", [Tap(MIDDLE)]),
    ("ui-tars-1.5", "Thought: ..\nAction: click(point='<point>546 1204</point>')", [Tap(MIDDLE)]),
    ("ui-tars-1.5", "Action: click(start_box='<bbox>546 1204 546 1204</bbox>')", [Tap(MIDDLE)]),
    ("ui-tars-1.5", "Action: click(start_box='[546,1204]')", [Tap(MIDDLE)]),
    ("ui-tars-1.5", "Action: type(content='it\\'s ok\\n')", [Type("it's ok"), ENTER]),
    ("qwen2-vl", "<|box_start|>(450,480),(550,520)<|box_end|>", [Tap(MIDDLE)]),
    ("qwen2.5-vl", tool('{"action": "click", "coordinate": [546, 1204]}'), [Tap(MIDDLE)]),
    (
        "qwen2.5-vl",
        '{"name": "mobile_use", "arguments": '  # without tags
        '{"action": "swipe", "coordinate": [546, 1806], "coordinate2": [546, 602]}}',
        [Swipe(at(540, 1800), at(540, 600))],
    ),
    ("qwen2.5-vl", tool('{"action": "open", "text": "Clock"}'), [OpenApp("Clock")]),
    ("qwen2.5-vl", tool('{"action": "key", "text": "volume_up"}'), [PressKey("volume_up")]),
    ("qwen2.5-vl", tool('{"action": "terminate", "status": "failure"}'), [Finish(FinishStatus.IMPOSSIBLE)]),
    ("qwen2.5-vl", tool('{"action": "wait", "time": 2}'), [Wait()]),
    ("qwen2.5-vl", tool('{"action": "left_click"}', "computer_use"), [Tap(None)]),
    ("qwen2.5-vl", tool('{"action": "scroll", "pixels": 300}', "computer_use"), [Scroll(Direction.UP)]),
    ("qwen2.5-vl", tool('{"action": "key", "keys": ["ctrl", "c"]}', "computer_use"), [PressKey("ctrl+c")]),
    ("qwen2.5-vl", tool('{"action": "mouse_move", "coordinate": [546, 1204]}', "computer_use"), [Hover(MIDDLE)]),
    (
        "qwen3-vl",
        'Thought: a.\nAction: "Tap Next."\n' + tool('{"action": "click", "coordinate": [500, 500]}'),
        [Tap(MIDDLE)],
    ),
    ("qwen3-vl", tool('{"action": "system_button", "button": "Back"}'), [BACK]),
    ("qwen3-vl", tool('{"action": "answer", "text": "42"}'), [Say("42")]),
    ("qwen3-vl", tool('{"action": "hscroll", "pixels": -30}'), [Scroll(Direction.LEFT)]),
    (
        "qwen3-vl",
        "<tool_call><function=computer><parameter=action>left_click</parameter>"
        "<parameter=coordinate>[500, 500]</parameter></function></tool_call>",
        [Tap(MIDDLE)],
    ),
    ("os-atlas-pro", "thoughts:\nopen it\nactions:\nCLICK <point>[[500,500]]</point><|im_end|>", [Tap(MIDDLE)]),
    ("os-atlas-pro", "Thoughts: x\nActions:\nSCROLL [DOWN]", [DOWN]),
    ("os-atlas-pro", "actions:\nOPEN_APP [Google Chrome]", [OpenApp("Google Chrome")]),
    ("os-atlas-pro", "actions:\nTYPE [hello world]", [Type("hello world")]),
    ("os-atlas-pro", "actions:\nLONG_PRESS <point>[[500,500]]</point>", [LongPress(MIDDLE)]),
    ("os-atlas-pro", "actions:\nPRESS_RECENT", [PressKey("recents")]),
    ("os-atlas-pro", "actions:\nIMPOSSIBLE<|im_end|>", [Finish(FinishStatus.IMPOSSIBLE)]),
    ("aguvis", "all\nThought: ..\nAction: Tap Next.\nassistantos\npyautogui.click(x=0.5, y=0.5)", [Tap(MIDDLE)]),
    ("aguvis", "<|recipient|>os\npyautogui.click(x=0.5, y=0.5)<|diff_marker|>", [Tap(MIDDLE)]),
    ("aguvis", "os\nmobile.swipe(from_coord=[0.5, 0.8], to_coord=[0.5, 0.2])", [UP]),
    ("aguvis", "pyautogui.write(message='hi')", [Type("hi")]),
    ("aguvis", "pyautogui.scroll(page=-0.5)", [DOWN]),
    ("aguvis", "pyautogui.hscroll(page=-0.5)", [Scroll(Direction.LEFT)]),
    ("aguvis", "mobile.terminate(status='success')", [Finish()]),
    ("aguvis", "browser.select_option(x=0.5, y=0.5, value='Red')", [Select("Red", MIDDLE)]),
    (
        "cogagent",
        "Action: Tap.\nGrounded Operation: CLICK(box=[[450,480,550,520]], element_type='Button', element_info='Next')",
        [Tap(MIDDLE)],
    ),
    ("cogagent", "Grounded Operation: TYPE(box=[[450,480,550,520]], text='hi')\n<<一般操作>>", [Type("hi", MIDDLE)]),
    (
        "cogagent",
        "Grounded Operation: SCROLL_DOWN(box=[[450,480,550,520]], step_count=5)",
        [Scroll(Direction.DOWN, MIDDLE)],
    ),
    ("cogagent", "Grounded Operation: LAUNCH(app='Maps', url='None')", [OpenApp("Maps")]),
    ("cogagent", "Grounded Operation: END()", [Finish()]),
    ("seeclick", "(0.50,0.50)", [Tap(MIDDLE)]),
    ("seeclick", '{"action_type": 4, "click_point": (0.50,0.50)}', [Tap(MIDDLE)]),
    ("seeclick", '{"action_type": 3, "typed_text": "hi"}', [Type("hi")]),
    ("seeclick", '{"action_type": 2, "click_point": (0.5,0.5), "value": "Red"}', [Select("Red", MIDDLE)]),
    ("seeclick", '{"action_type": 0}', [DOWN]),
    ("seeclick", '{"action_type": 11}', [Finish(FinishStatus.IMPOSSIBLE)]),
    ("showui", "[0.5, 0.5]", [Tap(MIDDLE)]),
    ("showui", "{'action': 'TAP', 'value': None, 'position': [0.5, 0.5]}", [Tap(MIDDLE)]),
    ("showui", "{'action': 'SWIPE', 'value': None, 'position': [[0.5,0.8],[0.5,0.2]]}", [UP]),
    ("showui", "{'action': 'INPUT', 'value': 'hi', 'position': [0.5, 0.5]}", [Type("hi", MIDDLE)]),
    ("showui", "{'action': 'PRESS BACK', 'value': None, 'position': None}", [BACK]),
    ("uground", "(500, 500)", [Tap(MIDDLE)]),
    (
        "gui-r1",
        "<think>..</think> <answer>[{'action': 'click', 'point': [546, 1204], 'input_text': 'no input text'}]</answer>",
        [Tap(MIDDLE)],
    ),
    ("gui-r1", "<answer>[{'action': 'scroll', 'point': [-100, -100], 'input_text': 'down'}]</answer>", [DOWN]),
    (
        "gui-r1",
        "<answer>[{'action': 'open_app', 'point': [-100, -100], 'input_text': 'Clock'}]</answer>",
        [OpenApp("Clock")],
    ),
    ("infigui-r1", "<think>a</think>" + tool('{"action": "type", "text": "hi"}'), [Type("hi")]),
    ("agentcpm-gui", '{"thought":"..","POINT":[500,500]}', [Tap(MIDDLE)]),
    ("agentcpm-gui", '{"POINT":[500,500],"to":"up"}', [Scroll(Direction.DOWN, MIDDLE)]),  # the finger's direction
    ("agentcpm-gui", '{"POINT":[500,800],"to":[500,200]}', [UP]),
    ("agentcpm-gui", '{"TYPE":"hi"}', [Type("hi")]),
    ("agentcpm-gui", '{"PRESS":"HOME"}', [HOME]),
    ("agentcpm-gui", '{"STATUS":"finish"}', [Finish()]),
    ("agentcpm-gui", '{"STATUS":"need_feedback"}', [AskUser("")]),
    ("agentcpm-gui", '{"POINT":[500,500],"duration":1000}', [LongPress(MIDDLE)]),
    ("agentcpm-gui", '{"POINT":[500,500],"duration":200}', [Tap(MIDDLE)]),
    ("agentcpm-gui", '{"duration":1000}', [Wait()]),
    ("os-genesis", 'Low-level thought: Tap Next.\naction: {"action_type":"click","x":540.0,"y":1200.0}', [Tap(MIDDLE)]),
    ("os-genesis", 'action: {"action_type":"navigate_back"}', [BACK]),
    ("ui-venus", "<think>a</think><action>Click(box=(546, 1204))</action><conclusion>b</conclusion>", [Tap(MIDDLE)]),
    ("ui-venus", "<action>Scroll(start=(546, 1806), end=(546, 602))</action>", [Swipe(at(540, 1800), at(540, 600))]),
    ("ui-venus", "<action>Hotkey(keys=['ctrl','c'])</action>", [PressKey("ctrl+c")]),
    ("gui-owl-1", tool('{"action": "click", "coordinate": [546, 1204]}'), [Tap(MIDDLE)]),
    ("gui-owl-1.5", "Action: Tap Next.\n" + tool('{"action": "click", "coordinate": [500, 500]}'), [Tap(MIDDLE)]),
    ("opencua", "Thought..\n```python\npyautogui.click(x=546, y=1204)\n```", [Tap(MIDDLE)]),
    ("opencua", "```python\npyautogui.hotkey('ctrl', 'c')\n```", [PressKey("ctrl+c")]),
    ("opencua", "```python\ncomputer.terminate(status='success')\n```", [Finish()]),
    # A screen of 1080 × 2400 is sent with a long side of 1568: its middle is at (352.5, 784) of 705 × 1568.
    ("claude-computer", {"action": "left_click", "coordinate": [352.5, 784]}, [Tap(MIDDLE)]),
    ("claude-computer", {"action": "key", "text": "Return"}, [ENTER]),
    (
        "claude-computer",
        {"action": "scroll", "coordinate": [352.5, 784], "scroll_direction": "down", "scroll_amount": 3},
        [Scroll(Direction.DOWN, MIDDLE)],
    ),
    (
        "claude-computer",
        {"action": "left_click_drag", "start_coordinate": [352.5, 784], "coordinate": [0, 0]},
        [Drag(MIDDLE, at(0, 0))],
    ),
    (
        "openai-computer",
        {"type": "scroll", "x": 10, "y": 20, "scroll_x": 0, "scroll_y": 300},
        [Scroll(Direction.DOWN, at(10, 20))],
    ),
    ("openai-computer", {"type": "click", "button": "left", "x": 540, "y": 1200}, [Tap(MIDDLE)]),
    ("openai-computer", {"type": "drag", "path": [{"x": 1, "y": 2}, {"x": 3, "y": 4}]}, [Drag(at(1, 2), at(3, 4))]),
    ("openai-computer", {"type": "keypress", "keys": ["CTRL", "C"]}, [PressKey("ctrl+c")]),
    ("gemini-computer", {"name": "click_at", "args": {"x": 500, "y": 500}}, [Tap(MIDDLE)]),
    (
        "gemini-computer",
        {"name": "type_text_at", "args": {"x": 500, "y": 500, "text": "hi", "press_enter": True}},
        [Type("hi", MIDDLE), ENTER],
    ),
    (
        "gemini-computer",
        {"name": "drag_and_drop", "args": {"x": 500, "y": 500, "destination_x": 0, "destination_y": 0}},
        [Drag(MIDDLE, at(0, 0))],
    ),
    # InternVL's documented box, a name before it or not: its centre is the screen's middle.
    ("internvl", "<ref>Next</ref><box>[[450, 480, 550, 520]]</box>", [Tap(MIDDLE)]),
    ("internvl", "<box>[[450,480,550,520]]</box><|im_end|>", [Tap(MIDDLE)]),
    ("internvl", "[[450, 480, 550, 520]]", [Tap(MIDDLE)]),
    ("internvl", "CLICK <box>[[500, 500, 500, 500]]</box>", [Tap(MIDDLE)]),
    ("internvl", "LONG_PRESS <box>[[450, 480, 550, 520]]</box>", [LongPress(MIDDLE)]),
    ("internvl", "SCROLL [DOWN]", [DOWN]),
    ("internvl", "PRESS [back]", [BACK]),
    ("internvl", "ASK [Which date?]", [AskUser("Which date?")]),
    ("internvl", "SAY [May 5]", [Say("May 5")]),
    ("spiritsight", "CLICK(500, 500)", [Tap(MIDDLE)]),
    ("spiritsight", "CLICK([450, 480, 550, 520])", [Tap(MIDDLE)]),
    ("spiritsight", "INPUT('it\\'s ok')", [Type("it's ok")]),
    ("spiritsight", "INPUT(text='hi', point=[500, 500])", [Type("hi", MIDDLE)]),
    ("spiritsight", "SELECT(text='Red', point=[500, 500])", [Select("Red", MIDDLE)]),
    ("spiritsight", "SCROLL('down')", [DOWN]),
    ("spiritsight", "PRESS('home')", [HOME]),
    ("spiritsight", "OPEN('My Moon Phase')", [OpenApp("My Moon Phase")]),
    ("spiritsight", "ASK('Which date should I track?')", [AskUser("Which date should I track?")]),
    ("spiritsight", "SAY('January 1, 2024')", [Say("January 1, 2024")]),
    ("spiritsight", "COMPLETE()", [Finish()]),
    ("agentcpm-gui", '{"thought":"Which one?","STATUS":"need_feedback"}', [AskUser("Which one?")]),
    ("json", {"kind": "tap", "point": [540, 1200]}, [Tap(MIDDLE)]),
    ("json", 'I press it: {"kind": "swipe", "point": [540, 1920], "to": [540, 480]}', [UP]),
    ("json", {"kind": "finish", "status": "impossible"}, [Finish(FinishStatus.IMPOSSIBLE)]),
]


@pytest.mark.parametrize(("adapter", "raw", "wanted"), PUBLISHED)
def test_what_agents_publish(adapter: str, raw: object, wanted: list[Any]) -> None:
    found = read(adapter, raw)
    assert found.problem == "" and [*found.actions] == wanted


def test_every_adapter_has_an_example() -> None:
    assert {adapter for adapter, _, _ in PUBLISHED} == KNOWN.keys()


HAZARDS: list[tuple[str, str, list[Any]]] = [
    ("ui-tars-1.0", "Action: click(start_box='(500,500)'", [Tap(MIDDLE)]),  # the bracket is missing
    ("ui-tars-1.0", "Action: click(start_box='(500,500)", [Tap(MIDDLE)]),  # the quote as well
    ("ui-tars-1.0", "click(start_box='(500,500)')", [Tap(MIDDLE)]),  # no `Action:`
    ("ui-tars-1.0", "Action： click(start_box='(500,500)')", [Tap(MIDDLE)]),
    ("ui-tars-1.0", "Reflection: no.\nAction_Summary: x\nAction: click(start_box='(500,500)')", [Tap(MIDDLE)]),
    ("ui-tars-1.0", "Action: type(content='it's 'ok', isn't it')", [Type("it's 'ok', isn't it")]),
    ("ui-tars-1.0", "Action: type(content=\"say (x='1')\")", [Type("say (x='1')")]),
    ("ui-tars-1.0", "Action: click(start_box='(500.0,500.0)')<|im_end|>", [Tap(MIDDLE)]),
    ("ui-tars-1.0", "Action: tap(start_box='(500,500)')", [Tap(MIDDLE)]),
    ("ui-tars-1.0", "Action: click(start_box='(500,500)')\n\ntype(content='a')", [Tap(MIDDLE), Type("a")]),
    ("os-atlas-pro", "actions:\nTYPE [mime]<|im_end|>", [Type("mime")]),  # no letter of the end token is lost
    ("os-atlas-pro", "actions:\nTYPE mime", []),
    ("os-atlas-pro", "actions:\nTYPE [a\nb]", [Type("a\nb")]),
    ("os-atlas-pro", "actions:\nTYPE [[1] of actions: 2]", []),  # two brackets begin a box
    ("os-atlas-pro", "actions:\nTYPE [1] of actions: 2]", [Type("1] of actions: 2")]),
    ("os-atlas-pro", "actions:\nTYPE [hello", [Type("hello")]),
    ("os-atlas-pro", "actions:\nTYPE [hello\nPRESS_BACK", []),
    ("os-atlas-pro", "actions:\nCLICK [[500,500]]\nSCROLL [UP]", [Tap(MIDDLE), Scroll(Direction.UP)]),
    ("qwen2.5-vl", tool('{"action": "click", "coordinate": [546, 1204]}') * 2, [Tap(MIDDLE)] * 2),
    (
        "qwen2.5-vl",
        '<tool_call>{"name": "mobile_use", "arguments": {"action": "click", "coordinate": [546, 1204]',
        [Tap(MIDDLE)],
    ),
    ("qwen2.5-vl", tool('"{\\"action\\": \\"click\\", \\"coordinate\\": [546, 1204]}"'), [Tap(MIDDLE)]),
    (
        "qwen2.5-vl",
        "<tool_call>{'name': 'mobile_use', 'arguments': {'action': 'tap', 'coordinate': [546, 1204]}}",
        [Tap(MIDDLE)],
    ),
]


@pytest.mark.parametrize(("adapter", "raw", "wanted"), HAZARDS)
def test_lenient_about_form(adapter: str, raw: str, wanted: list[Any]) -> None:
    found = read(adapter, raw)
    assert [*found.actions] == wanted and (found.problem == "") == bool(wanted)


MALFORMED: list[tuple[str, object, str]] = [
    ("ui-tars-1.0", "Action: click(start_box='(1500,500)')", "lies outside the thousand space"),
    ("ui-tars-1.0", "Action: click(start_box='(500)')", "is no point"),
    ("ui-tars-1.0", "Action: click()", "no place is said"),
    ("ui-tars-1.0", "Action: right_single(start_box='(500,500)')", "no counterpart"),
    ("ui-tars-1.0", "Action: scroll(direction='sideways')", "is no direction"),
    ("ui-tars-1.0", "I do not know.", "no action of UI-TARS 1.0"),
    ("ui-tars-1.0", " \n", "is empty"),
    ("qwen2.5-vl", tool('{"action": "scroll", "pixels": 0}'), "a scroll by nothing"),
    ("qwen2.5-vl", tool('{"action": "terminate", "status": "perhaps"}'), "is no ending"),
    ("qwen2.5-vl", tool('{"action": "type"}'), "no text is said"),
    ("openai-computer", {"type": "click", "button": "right", "x": 1, "y": 1}, "the button 'right'"),
    ("openai-computer", {"type": "scroll", "x": 1, "y": 1, "scroll_x": 1, "scroll_y": 1}, "slanting"),
    ("openai-computer", {"type": "drag", "path": [{"x": 1, "y": 2}]}, "both ends"),
    ("ui-venus", "[-1,-1]", "is not on the screen"),
    ("seeclick", '{"action_type": 99}', "none of SeeClick's"),
    ("spiritsight", "CLICK(UnKnown)", "no place is said"),  # the code of Navi-plus's prompts: a place that is not known
    ("spiritsight", "CLICK(1200, 500)", "lies outside the thousand space"),
    ("internvl", "<box>[[450, 480, 550, 520], [1, 2, 3, 4]]</box>", "no action of InternVL"),
    ("agentcpm-gui", '{"point":[500,500]}', "none of AgentCPM-GUI's"),  # case counts
    ("json", 5, "neither a text nor an object"),
    ("json", {"x": 1}, "names no action"),
    ("json", "{" * 3000, "no action of Plain JSON"),
    ("json", "x" * 300_000, "300,000 characters"),
    ("json", {"kind": "tap", "point": [10**400, 1]}, "a number beyond all measure"),
    ("json", {"kind": "tap", "point": [1e400, 1]}, "lies outside"),
    ("json", {"kind": "tap", "point": deep(900)}, "nested too deeply"),
]


@pytest.mark.parametrize(("adapter", "raw", "problem"), MALFORMED)
def test_strict_about_meaning(adapter: str, raw: object, problem: str) -> None:
    found = read(adapter, raw)
    assert problem in found.problem and not found.actions and not found.said


HOSTILE = [
    ("os-atlas-pro", "A [\n" * 50_000),
    ("ui-tars-1.0", "click(" * 33_000),
    ("ui-tars-1.0", "Action: type(content='" + "'" * 190_000),
    ("json", "{" * 199_000),
    ("json", "{'a':" * 39_000),
    ("qwen2.5-vl", "<function=a>" + "<parameter=a>" * 15_000),
    ("qwen2-vl", "<|box_start|>" * 15_000),
    ("uground", " " * 190_000 + "x"),
    ("cogagent", "Action:\n" * 24_000),
]


@pytest.mark.parametrize(("adapter", "raw"), HOSTILE)
def test_answers_made_to_hang_a_reader_do_not(adapter: str, raw: str) -> None:
    found = read(adapter, raw)  # some took seconds to minutes
    assert bool(found.actions) != bool(found.problem)


def test_where_reading_stopped_is_told() -> None:
    raw = "Thought: a\nAction: click(start_box='(5,5)')\n\nfly(to='moon')"
    found = read("ui-tars-1.0", raw)
    assert found.problem == "'fly' has no counterpart among our actions" and raw[found.stopped :].startswith("fly(")


def test_the_space_and_the_sent_size_can_be_told() -> None:
    raw = tool('{"action": "click", "coordinate": [500, 500]}')
    by_999 = read("qwen3-vl", raw, space=Space.NINE99).actions[0].point  # type: ignore[union-attr]
    assert (by_999.x, by_999.y) == (pytest.approx(540.5405, abs=1e-4), pytest.approx(1201.2012, abs=1e-4))  # type: ignore[union-attr]
    found = read("qwen2.5-vl", raw, sent=Size(1000, 1000))
    assert found.actions == (Tap(MIDDLE),) and found.said == ((500, 500),) and found.space is Space.RESIZED


KEYS = st.sampled_from(["action", "name", "arguments", "coordinate", "x", "y", "POINT", "to", "text", "path"])
FORMS = st.recursive(
    st.none() | st.integers() | st.text(max_size=5) | st.sampled_from(["click", "swipe", "drag", "scroll", "type"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=8,
)


@given(adapter=st.sampled_from([*KNOWN]), raw=st.text(max_size=200) | FORMS)
def test_whatever_is_written_is_read_or_told(adapter: str, raw: object) -> None:
    found = read_answer(KNOWN[adapter], raw, SCREEN)
    assert bool(found.actions) != bool(found.problem)


NAMES = st.sampled_from(["click", "scroll", "type", "drag", "key", "hotkey", "finished", "swipe", "terminate"])
PIECES = st.sampled_from(
    ["start_box='(1,2)'", "content='a'", "end_box=(3,4)", "x=1", "[[1,2],[3,4]]", "direction='up'", *"(),'\\5\n"]
)


@given(name=NAMES, parts=st.lists(PIECES, max_size=8))
def test_broken_calls_are_read_or_told(name: str, parts: list[str]) -> None:
    for adapter in ("ui-tars-1.0", "opencua", "ui-venus"):
        found = read_answer(KNOWN[adapter], f"Action: {name}(" + "".join(parts), SCREEN)
        assert bool(found.actions) != bool(found.problem)


SIZES = st.builds(Size, st.integers(1, 5000), st.integers(1, 5000))


@given(x=st.floats(0, 1), y=st.floats(0, 1), space=st.sampled_from(Space), screen=SIZES, sent=SIZES)
def test_every_space_leads_to_the_same_place(x: float, y: float, space: Space, screen: Size, sent: Size) -> None:
    across, along = extent(space, screen, sent)
    found = on_screen(x * across, y * along, space, screen, sent)
    assert found.x == pytest.approx(x * screen.width) and found.y == pytest.approx(y * screen.height)
