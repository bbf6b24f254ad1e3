"""What an agent does and asks in words."""

from __future__ import annotations

from collections.abc import Sequence

from stepscope.core.domain.action import (
    Action,
    AskUser,
    Drag,
    Finish,
    FinishStatus,
    OpenApp,
    PressKey,
    Say,
    Scroll,
    Select,
    Swipe,
    Type,
    Wait,
    action_point,
    action_target,
)
from stepscope.core.domain.prediction import Candidate

MOST_OFFERS = 5
"""Elements that are offered as answers."""
DECIDE = "You decide."
"""The recorded answer of a person who leaves it to the agent."""
GO_ON = "There is no answer. Go on without asking."
"""The recorded answer where nobody answers."""
NO_ANSWERS = (DECIDE, GO_ON)
WORDLESS = "What should be done here?"
"""The question of an agent that asks without words."""

_VERBS = {"tap": "Tap", "long_press": "Hold", "double_tap": "Double tap", "hover": "Point at"}


def label_of(action: Action) -> str:
    """The element that the action is about, as a person would call it; else what it does."""
    target = action_target(action)
    named = (target.text or (target.id or "").rsplit("/", 1)[-1].replace("_", " ")) if target else ""
    return named or said(action)


def said(action: Action) -> str:
    """The action as a short sentence without a full stop: “Tap Buy now”."""
    match action:
        case PressKey(key):
            return f"Press {key}"
        case OpenApp(text):
            return f"Open {text}"
        case Type(text):
            return f"Type “{text}”"
        case Select(text):
            return f"Choose “{text}”"
        case Scroll(direction):
            return f"Scroll {direction.value}"
        case Swipe():
            return f"Swipe {action.direction.value}"
        case Wait():
            return "Wait"
        case AskUser(text):
            return f"Ask “{text}”"
        case Say(text):
            return f"Say “{text}”"
        case Finish(status):
            return "Finish: done" if status is FinishStatus.COMPLETE else "Finish: cannot be done"
        case _:
            return f"{'Drag' if isinstance(action, Drag) else _VERBS.get(action.kind, action.kind)} {_place(action)}"


def unsure_question(offers: Sequence[Candidate]) -> str:
    """The question of an agent that is not sure enough to act."""
    names = list(dict.fromkeys(label_of(one.action) for one in offers))
    match names:
        case []:
            return WORDLESS
        case [name]:
            return f"Is “{name}” right here?"
        case _:
            return f"Which is right here: {', '.join(names[:-1])} or {names[-1]}?"


def offered(choices: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Those of the choices that can be told apart by their words, the best `MOST_OFFERS`; touches of what has no name
    only where nothing has one."""
    by_name: dict[str, Candidate] = {}
    for choice in [one for one in choices if _has_name(one.action)] or choices:
        by_name.setdefault(label_of(choice.action), choice)
    return tuple(by_name.values())[:MOST_OFFERS]


def _has_name(action: Action) -> bool:
    target = action_target(action)
    return action_point(action) is None or (target is not None and bool(target.text or target.id))


def _place(action: Action) -> str:
    target, point = action_target(action), action_point(action)
    if target is not None and (target.text or target.id):
        return target.text or (target.id or "").rsplit("/", 1)[-1].replace("_", " ")
    return f"at {point.x:.0f}, {point.y:.0f}" if point is not None else "somewhere"
