"""Objects of families that name their actions in a way of their own, as calls.

Each takes the object as it was written and gives the call that it stands for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from stepscope.models.agents.calls import AgentCall, UnreadableError, numbers

Dialect = Callable[[Mapping[str, Any], int], AgentCall]


def plain(form: Mapping[str, Any], at: int) -> AgentCall:
    """Named by `action`, `kind`, `action_type`, `type` or `name`, the rest are its arguments; those of a function call
    (`args`, `arguments`, `parameters`) and of an action inside an object are taken out of it."""
    for key in ("action", "kind", "action_type", "type", "name"):
        name = form.get(key)
        if isinstance(name, str):
            rest = {other: value for other, value in form.items() if other != key}
            for inner in ("args", "arguments", "input", "parameters"):
                if isinstance(rest.get(inner), Mapping):
                    found = dict(rest[inner])
                    return plain(found, at) if isinstance(found.get("action"), str) else AgentCall(name, found, at)
            return AgentCall(name, rest, at)
        if isinstance(name, Mapping):
            return plain(name, at)
    return AgentCall("", dict(form), at)


def gui_r1(form: Mapping[str, Any], at: int) -> AgentCall:
    """GUI-R1 fills places that it does not use: (−100, −100) and "no input text"."""
    rest = dict(form)
    if numbers(rest.get("point")) == [-100, -100]:
        del rest["point"]
    if str(rest.get("input_text", "")).strip().lower() == "no input text":
        del rest["input_text"]
    found = plain(rest, at)
    if found.name.lower() in ("type", "scroll", "open_app") and "input_text" in found.arguments:
        return AgentCall(found.name, {"text": found.arguments["input_text"]}, at)
    return found


_SEECLICK = {
    0: AgentCall("scroll", {"direction": "down"}),
    1: AgentCall("scroll", {"direction": "up"}),
    8: AgentCall("scroll", {"direction": "left"}),
    9: AgentCall("scroll", {"direction": "right"}),
    5: AgentCall("press_back"),
    6: AgentCall("press_home"),
    7: AgentCall("press_enter"),
    10: AgentCall("complete"),
    11: AgentCall("impossible"),
}
"""Numbers of AitW's actions in SeeClick's prompts (agent_tasks/action_matching.py, aitw_test.py)."""


def seeclick(form: Mapping[str, Any], at: int) -> AgentCall:
    """SeeClick's numbers: 4 a click, 3 a text, 2 a choice of a web page, the others without arguments."""
    number = form.get("action_type")
    rest = {key: value for key, value in form.items() if key != "action_type"}
    match number:
        case 4:
            return AgentCall("click", rest, at)
        case 3:
            return AgentCall("type", rest, at)
        case 2:
            return AgentCall("select", rest, at)
        case int() if number in _SEECLICK:
            known = _SEECLICK[number]
            return AgentCall(known.name, known.arguments, at)
        case _:
            raise UnreadableError(f"action_type {number!r} is none of SeeClick's", at)


_LONG_MS = 200
"""A touch longer than this is a long press (AgentCPM-GUI's README)."""
_AGENTCPM_ENDINGS = {"finish": "complete", "satisfied": "complete", "impossible": "impossible", "need_feedback": "ask"}


def agentcpm(form: Mapping[str, Any], at: int) -> AgentCall:
    """AgentCPM-GUI's compact object (eval/utils/schema/schema.json): its keys are the actions. Case counts."""
    if "POINT" in form:
        place = {"point": form["POINT"]}
        if "to" in form:
            to = form["to"]
            return AgentCall("swipe", place | ({"direction": to} if isinstance(to, str) else {"end": to}), at)
        held = numbers(form.get("duration"))
        return AgentCall("long_press" if held and held[0] > _LONG_MS else "click", place, at)
    if "PRESS" in form:
        return AgentCall("press_key", {"key": form["PRESS"]}, at)
    if "TYPE" in form:
        return AgentCall("type", {"text": form["TYPE"]}, at)
    status = form.get("STATUS", "continue")
    if status in _AGENTCPM_ENDINGS:
        ending = _AGENTCPM_ENDINGS[status]
        said = {"text": form["thought"]} if ending == "ask" and isinstance(form.get("thought"), str) else {}
        return AgentCall(ending, said, at)
    if "duration" in form and status == "continue":
        return AgentCall("wait", {}, at)
    raise UnreadableError(f"none of AgentCPM-GUI's actions is in it (STATUS {status!r})", at)


DIALECTS: Mapping[str, Dialect] = {"plain": plain, "gui-r1": gui_r1, "seeclick": seeclick, "agentcpm": agentcpm}
