"""What calls of published agents mean, as actions of ours: strict, never a guess.

Words differ and meanings seldom do, so there is one table of words for all; where the same word means different things
(the direction of a scroll, above all) the adapter says which. A call that has no counterpart among our actions, lacks
what its action needs, or says a place outside the space is a problem that names it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

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
)
from stepscope.core.domain.geometry import Direction, Point
from stepscope.models.agents.calls import AgentCall, UnreadableError, numbers

Place = Callable[[float, float], Point]
"""From what the model says to the recorded screen. Raises ValueError."""


@dataclass(slots=True)
class Meaning:
    """What is known while an answer is read. `finger`: directions are those of the finger, else the side of the
    content that comes into view. `submits`: a line end after a text presses Enter. `said`: the places as the model
    said them."""

    place: Place
    finger: bool = False
    submits: bool = False
    said: list[tuple[float, float]] = field(default_factory=list)
    refused: bool = False

    def point(self, value: object, call: AgentCall) -> Point:
        """The place of two numbers, or the centre of four."""
        found = numbers(value)
        if len(found) == 4:
            found = [(found[0] + found[2]) / 2, (found[1] + found[3]) / 2]
        if len(found) != 2:
            raise UnreadableError(f"{call.name}: {str(value)[:80]!r} is no point", call.at)
        if found == _REFUSED:
            self.refused = True
            raise UnreadableError(f"{call.name}: (-1, -1) says that it is not on the screen", call.at)
        try:
            point = self.place(*found)
        except ValueError as error:
            raise UnreadableError(f"{call.name}: {error}", call.at) from error
        self.said.append((found[0], found[1]))
        return point


_POINTS = ("start_box", "point", "start_point", "coordinate", "box", "position", "click_point", "start", "from_coord",
           "start_coordinate", "bbox")  # fmt: skip
_ENDS = ("end_box", "end_point", "coordinate2", "to_coord", "end", "end_coordinate", "destination", "to")
_TEXTS = ("content", "text", "message", "typed_text", "value", "input_text", "0")
_APPS = ("app_name", "app", "text", "content", "value", "url", "input_text", "0")
_DIRECTIONS = ("direction", "scroll_direction", "text", "value", "input_text", "0")
_REFUSED = [-1, -1]
"""UI-Venus's way to say that what is looked for is not there (models/grounding)."""


def actions_of(calls: Sequence[AgentCall], meaning: Meaning) -> list[Action]:
    """The actions of the calls, in order. Raises UnreadableError."""
    return [action for call in calls for action in _actions(call, meaning)]


def _actions(call: AgentCall, meaning: Meaning) -> list[Action]:
    word = call.name.strip().lower().replace(" ", "_").replace("-", "_")
    make = _WORDS.get(word)
    if make is None:
        problem = f"{call.name!r} has no counterpart among our actions" if word else "the object names no action"
        raise UnreadableError(problem, call.at)
    return make(call, meaning)


# What arguments say ---------------------------------------------------------------------------------------------------


def _first(arguments: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((arguments[name] for name in names if arguments.get(name) is not None), None)


def _start(call: AgentCall, meaning: Meaning) -> Point | None:
    """Where the call begins; None where it says no place."""
    arguments = call.arguments
    if "x" in arguments and "y" in arguments:
        return meaning.point([arguments["x"], arguments["y"]], call)
    if {"0", "1"} <= arguments.keys() and len(numbers([arguments["0"], arguments["1"]])) == 2:
        return meaning.point([arguments["0"], arguments["1"]], call)
    value = _first(arguments, _POINTS)
    if value is None and len(numbers(arguments.get("0"))) in (2, 4) and not isinstance(arguments["0"], int | float):
        value = arguments["0"]
    return None if value is None else meaning.point(value, call)


def _needed(call: AgentCall, meaning: Meaning) -> Point:
    found = _start(call, meaning)
    if found is None:
        raise UnreadableError(f"{call.name}: no place is said", call.at)
    return found


def _end(call: AgentCall, meaning: Meaning) -> Point | None:
    arguments = call.arguments
    if "destination_x" in arguments and "destination_y" in arguments:
        return meaning.point([arguments["destination_x"], arguments["destination_y"]], call)
    value = _first(arguments, _ENDS)
    return None if value is None else meaning.point(value, call)


def _text(call: AgentCall, names: Sequence[str] = _TEXTS) -> str:
    found = _first(call.arguments, names)
    if found is None or isinstance(found, list | dict):
        raise UnreadableError(f"{call.name}: no text is said", call.at)
    return str(found)


def _direction(call: AgentCall, names: Sequence[str] = _DIRECTIONS) -> Direction | None:
    found = _first(call.arguments, names)
    if not isinstance(found, str):
        return None
    try:
        return Direction(found.strip().strip("[]").lower())
    except ValueError as error:
        raise UnreadableError(f"{call.name}: {found[:40]!r} is no direction", call.at) from error


# Actions --------------------------------------------------------------------------------------------------------------


def _tap(call: AgentCall, meaning: Meaning) -> list[Action]:
    button = str(call.arguments.get("button", "left")).lower()
    if button not in ("left", "none"):
        raise UnreadableError(f"{call.name}: the button {button!r} has no counterpart among our actions", call.at)
    clicks = numbers(call.arguments.get("clicks", call.arguments.get("num_clicks")))
    if clicks == [2.0]:
        return [DoubleTap(_needed(call, meaning))]
    if clicks and clicks != [1.0]:
        raise UnreadableError(f"{call.name}: {clicks[0]:g} clicks have no counterpart among our actions", call.at)
    return [Tap(_needed(call, meaning))]


def _left_click(call: AgentCall, meaning: Meaning) -> list[Action]:
    """Qwen's may leave its place out: a click where the pointer is."""
    point = _start(call, meaning)
    return [Tap(point)]


def _long_press(call: AgentCall, meaning: Meaning) -> list[Action]:
    return [LongPress(_needed(call, meaning))]


def _double_tap(call: AgentCall, meaning: Meaning) -> list[Action]:
    return [DoubleTap(_needed(call, meaning))]


def _hover(call: AgentCall, meaning: Meaning) -> list[Action]:
    return [Hover(_needed(call, meaning))]


def _pair(call: AgentCall, meaning: Meaning) -> tuple[Point, Point] | None:
    """Both ends of a movement, where the call says them."""
    together = _first(call.arguments, ("position", "path"))
    places = together if isinstance(together, list | tuple) and len(together) >= 2 else ()
    if places and all(len(numbers(one)) == 2 for one in (places[0], places[-1])):
        return meaning.point(places[0], call), meaning.point(places[-1], call)
    if len(numbers(_first(call.arguments, _ENDS))) or "destination_x" in call.arguments:
        start, end = _needed(call, meaning), _end(call, meaning)
        assert end is not None  # it was seen just now
        return start, end
    return None


def _swipe(call: AgentCall, meaning: Meaning) -> list[Action]:
    """A movement from place to place; with a direction alone, what the adapter says directions mean."""
    ends = _pair(call, meaning)
    if ends is not None:
        return [Swipe(*ends)]
    direction = _direction(call)
    if direction is None:
        raise UnreadableError(f"{call.name}: neither both ends nor a direction is said", call.at)
    side = direction.opposite if meaning.finger else direction
    return [Scroll(side, _start(call, meaning))]


def _scroll(call: AgentCall, meaning: Meaning) -> list[Action]:
    amount = _first(call.arguments, ("pixels", "page", "clicks"))
    if isinstance(amount, int | float) or (amount is None and isinstance(call.arguments.get("0"), int | float)):
        found = numbers(call.arguments.get("0") if amount is None else amount)
        return [Scroll(_signed(call, found[0], Direction.UP, Direction.DOWN), _scrolled_at(call, meaning))]
    if "scroll_x" in call.arguments or "scroll_y" in call.arguments:
        across, along = (numbers(call.arguments.get(name, 0)) or [0.0] for name in ("scroll_x", "scroll_y"))
        if across[0] and along[0]:
            raise UnreadableError(f"{call.name}: a slanting scroll has no counterpart among our actions", call.at)
        side = (
            _signed(call, across[0], Direction.RIGHT, Direction.LEFT)
            if across[0]
            else _signed(call, along[0], Direction.DOWN, Direction.UP)
        )
        return [Scroll(side, _start(call, meaning))]
    return _swipe(call, meaning)


def _scrolled_at(call: AgentCall, meaning: Meaning) -> Point | None:
    return _start(
        AgentCall(call.name, {key: one for key, one in call.arguments.items() if key != "0"}, call.at), meaning
    )


def _across(call: AgentCall, meaning: Meaning) -> list[Action]:
    found = numbers(_first(call.arguments, ("pixels", "page", "0")))
    if len(found) != 1:
        raise UnreadableError(f"{call.name}: it does not say how far", call.at)
    return [Scroll(_signed(call, found[0], Direction.RIGHT, Direction.LEFT), _scrolled_at(call, meaning))]


def _signed(call: AgentCall, amount: float, above: Direction, below: Direction) -> Direction:
    if not amount:
        raise UnreadableError(f"{call.name}: a scroll by nothing", call.at)
    return above if amount > 0 else below


def _scroll_to(direction: Direction) -> Callable[[AgentCall, Meaning], list[Action]]:
    def make(call: AgentCall, meaning: Meaning) -> list[Action]:
        return [Scroll(direction, _start(call, meaning))]

    return make


def _drag(call: AgentCall, meaning: Meaning) -> list[Action]:
    ends = _pair(call, meaning)
    if ends is None and {"start_coordinate", "coordinate"} <= call.arguments.keys():
        start, end = call.arguments["start_coordinate"], call.arguments["coordinate"]
        ends = meaning.point(start, call), meaning.point(end, call)
    if ends is None:
        raise UnreadableError(f"{call.name}: both ends of a drag must be said", call.at)
    return [Drag(*ends)]


def _type(call: AgentCall, meaning: Meaning) -> list[Action]:
    text, point = _text(call), _start(call, meaning)
    submitted = meaning.submits and text.endswith("\n")
    found: list[Action] = [Type(text.rstrip("\n") if submitted else text, point)]
    if submitted or call.arguments.get("press_enter") is True:
        found.append(PressKey(Key.ENTER))
    return found


def _select(call: AgentCall, meaning: Meaning) -> list[Action]:
    return [Select(_text(call, ("value", "text", "option")), _start(call, meaning))]


_KEYS = {"return": Key.ENTER, "kp_enter": Key.ENTER, "recent": Key.RECENTS, "app_switch": Key.RECENTS,
         "appselect": Key.RECENTS}  # fmt: skip
"""Other words for keys that every Android has."""


def _key(call: AgentCall, meaning: Meaning) -> list[Action]:
    value = _first(call.arguments, ("keys", "key", "button", "text", "value", "0"))
    places = [call.arguments[one] for one in sorted(call.arguments, key=str) if one.isdigit()]
    parts = value if isinstance(value, list | tuple) else places if len(places) > 1 else str(value or "").split()
    names = [_key_name(str(one)) for one in parts if str(one).strip()]
    if not names:
        raise UnreadableError(f"{call.name}: no key is said", call.at)
    return [PressKey("+".join(names))]


def _key_name(word: str) -> str:
    found = word.strip().lower().removeprefix("keycode_").removeprefix("key_")
    return _KEYS.get(found, found)


def _pressed(key: str) -> Callable[[AgentCall, Meaning], list[Action]]:
    return lambda call, meaning: [PressKey(key)]


def _open(call: AgentCall, meaning: Meaning) -> list[Action]:
    return [OpenApp(_text(call, _APPS))]


def _wait(call: AgentCall, meaning: Meaning) -> list[Action]:
    return [Wait()]


def _say(call: AgentCall, meaning: Meaning) -> list[Action]:
    return [Say(_text(call))]


def _ask(call: AgentCall, meaning: Meaning) -> list[Action]:
    found = _first(call.arguments, _TEXTS)
    return [AskUser("" if found is None else str(found))]


_ENDINGS = {
    **dict.fromkeys(("success", "complete", "completed", "finish", "finished", "satisfied", "done", "successful", ""),
                    FinishStatus.COMPLETE),
    **dict.fromkeys(("failure", "fail", "failed", "impossible", "infeasible"), FinishStatus.IMPOSSIBLE),
}  # fmt: skip


def _finish(call: AgentCall, meaning: Meaning) -> list[Action]:
    found = _first(call.arguments, ("status", "goal_status", "0"))
    status = _ENDINGS.get(str(found or "").strip().lower().removeprefix("task_"))
    if status is None:
        raise UnreadableError(f"{call.name}: {str(found)[:40]!r} is no ending", call.at)
    return [Finish(status)]


def _finished(status: FinishStatus) -> Callable[[AgentCall, Meaning], list[Action]]:
    return lambda call, meaning: [Finish(status)]


Maker = Callable[[AgentCall, Meaning], list[Action]]

_WORDS: dict[str, Maker] = {
    **dict.fromkeys(("click", "tap", "left_single", "click_at", "touch", "single_click"), _tap),
    "left_click": _left_click,
    **dict.fromkeys(("long_press", "longpress", "long_click", "long_tap"), _long_press),
    **dict.fromkeys(("double_tap", "double_click", "doubleclick", "left_double"), _double_tap),
    **dict.fromkeys(("hover", "mouse_move", "move", "moveto", "move_to", "hover_at"), _hover),
    "swipe": _swipe,
    **dict.fromkeys(("scroll", "scroll_at", "scroll_document"), _scroll),
    "hscroll": _across,
    **{f"scroll_{side}": _scroll_to(side) for side in Direction},
    **dict.fromkeys(("drag", "dragto", "left_click_drag", "drag_and_drop"), _drag),
    **dict.fromkeys(("type", "input_text", "input", "write", "type_text_at", "typewrite"), _type),
    **dict.fromkeys(("select", "select_option"), _select),
    **dict.fromkeys(("key", "press", "hotkey", "keypress", "key_press", "press_key", "system_button",
                     "key_combination"), _key),
    **dict.fromkeys(("press_home", "home", "navigate_home", "presshome"), _pressed(Key.HOME)),
    **dict.fromkeys(("press_back", "back", "navigate_back", "pressback", "go_back"), _pressed(Key.BACK)),
    **dict.fromkeys(("press_enter", "enter", "keyboard_enter", "pressenter"), _pressed(Key.ENTER)),
    **dict.fromkeys(("press_recent", "press_recents", "pressrecent", "press_appselect"), _pressed(Key.RECENTS)),
    **dict.fromkeys(("open_app", "open", "launch", "app_open"), _open),
    **dict.fromkeys(("wait", "wait_5_seconds", "sleep"), _wait),
    **dict.fromkeys(("answer", "say"), _say),
    **dict.fromkeys(("call_user", "calluser", "interact", "ask", "ask_user"), _ask),
    **dict.fromkeys(("terminate", "finish", "status"), _finish),
    **dict.fromkeys(("complete", "finished", "end", "task_complete", "status_task_complete", "done"),
                    _finished(FinishStatus.COMPLETE)),
    **dict.fromkeys(("impossible", "infeasible", "task_impossible", "status_task_impossible"),
                    _finished(FinishStatus.IMPOSSIBLE)),
}  # fmt: skip
