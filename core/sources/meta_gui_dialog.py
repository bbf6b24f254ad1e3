"""What META-GUI's text files say: a dialogue as turns, a turn as moments, and the lines of `actions.json` as actions.

`dialog.json` is a list of {`isUser`, `text`, …} in which the two sides take turns; turn k of the data is the person's
words 2k and the agent's 2k + 1. `actions.json` has a line for each screen: `<text>|<kind>|<argument>|<argument>`, of
which the first field says nothing. All as in the released `processors.py`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from stepscope.core.domain.action import Action, AskUser, Key, PressKey, Say, Swipe, Tap, Type
from stepscope.core.domain.elements import UITree
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.frozen import dataclass
from stepscope.core.sources.files import json_words, mapping_of, shortened, text_of
from stepscope.core.sources.tree_builder import target_at

_QUESTION_MARKS = ("?", "？")
_SCREEN = re.compile(r"(0|[1-9][0-9]{0,3})\.(?:png|xml)")
_NUMBER = re.compile(r"(0|[1-9][0-9]{0,3})")
_PAIR = re.compile(r"\s*(-?[0-9]{1,6})\s*,\s*(-?[0-9]{1,6})\s*")
_BACK_FROM = 2392
"""A click this far down is one on the phone's back key (`processors.py`)."""

_PRESSED = {"enter": Key.ENTER, "back": Key.BACK, "home": Key.HOME, "clear": "clear"}
_IDLE = "read"


@dataclass(frozen=True, slots=True)
class DialogTurn:
    """The person's words and the agent's reply; "" where one of them said nothing."""

    user: str
    reply: str


@dataclass(frozen=True, slots=True)
class DialogStep:
    """A step to be: a screen of a turn, or a reply that was given on none (`file` "").

    `file` is the screen's files' name without suffix, `line` that of `actions.json`; `said` are the person's words at
    the turn's first moment, `reply` the agent's at its last.
    """

    turn: int
    file: str = ""
    line: object = None
    has_picture: bool = False
    said: str = ""
    reply: str = ""


def turns_of(form: object) -> tuple[DialogTurn, ...]:
    """The turns of a parsed `dialog.json`; ValueError when it is no list of utterances.

    Without `isUser` the sides alternate, the person first. Where one side speaks twice in a row its words are joined.
    """
    if not isinstance(form, list) or not form:
        raise ValueError("the dialogue is no list of utterances")
    turns: list[tuple[list[str], list[str]]] = []
    for place, item in enumerate(form):
        fields = mapping_of(item)
        text = fields.get("text")
        if not isinstance(text, str):
            raise ValueError(f"utterance {place} has no text")
        said = fields.get("isUser")
        by_user = said if isinstance(said, bool) else place % 2 == 0
        if not turns or (by_user and turns[-1][1]):
            turns.append(([], []))
        turns[-1][0 if by_user else 1].append(text_of(text).strip())
    return tuple(DialogTurn(_joined(user), _joined(reply)) for user, reply in turns)


def _joined(words: Sequence[str]) -> str:
    return " ".join(word for word in words if word)


def moments_of(number: int, turn: DialogTurn, names: frozenset[str], lines: Mapping[str, object]) -> list[DialogStep]:
    """A turn's screens in order, those with a picture, a dump or a line, and the reply.

    The reply is given on the last screen; where something else was done there it is a moment of its own.
    """
    known = {int(match[1]) for name in names if (match := _SCREEN.fullmatch(name))}
    known |= {int(key) for key in lines if _NUMBER.fullmatch(key)}
    moments = [
        DialogStep(number, f"turn_{number}/{screen}", lines.get(str(screen)), f"{screen}.png" in names)
        for screen in sorted(known)
    ]
    if turn.reply and not any(_kind(moment.line) == "response" for moment in moments):
        if moments and (moments[-1].line in (None, "") or _kind(moments[-1].line) == _IDLE):
            moments[-1] = replace(moments[-1], reply=turn.reply)
        else:
            moments.append(DialogStep(number, reply=turn.reply))
    if moments:
        moments[0] = replace(moments[0], said=turn.user)
    return moments


def _kind(line: object) -> str:
    """The kind of a line; "" where there is none."""
    fields = line.split("|") if isinstance(line, str) else []
    return fields[1].strip().lower() if len(fields) > 1 else ""


def agent_message(text: str) -> Action:
    """The agent's words: a question to the person when they hold a question mark, else something said (ours)."""
    return AskUser(text) if any(mark in text for mark in _QUESTION_MARKS) else Say(text)


def line_action(line: object, size: Size, tree: UITree | None) -> Action | None:
    """The action of one line in pixels of `size`, its target out of `tree`.

    None where nothing was done on the screen: no line, null, or `read`. ValueError for lines that are not understood.
    """
    if line is None:
        return None
    if not isinstance(line, str) or "|" not in line:
        raise ValueError(f"{json_words(line)} is no action")
    kind = _kind(line)
    first, second = _arguments(line)
    if kind == _IDLE:
        return None
    if kind in _PRESSED:
        return PressKey(_PRESSED[kind])
    if kind == "input":
        return Type(text_of(second))
    if kind == "response":
        return agent_message(text_of(second))
    if kind == "click":
        point = _point(first, size)
        return PressKey(Key.BACK) if point.y >= _BACK_FROM else Tap(point, target_at(tree, point))
    if kind == "swipe":
        start, end = _point(first, size), _point(second, size)
        return Swipe(start, end, target_at(tree, start))
    raise ValueError(f"the action {shortened(kind)!r} is not known")


def _arguments(line: str) -> tuple[str, str]:
    """The third and fourth field; bars belong to the last one."""
    _, _, *rest = line.split("|", 3)
    return (rest[0] if rest else "", rest[1] if len(rest) > 1 else "")


def _point(text: str, size: Size) -> Point:
    match = _PAIR.fullmatch(text)
    if match is None:
        raise ValueError(f"{shortened(text)!r} is no place x,y")
    return Point(int(match[1]), int(match[2]), size)
