"""What WebVoyager's messages say: the marks of a user's turn, the thought and the action of a reply.

Marks stand as `[3]: <button> "Travel", "its aria-label";` one behind the other, parted by tabs; the tag is there for
buttons and text fields only. Actions are `Click [3]`, `Type [3]; text` (clears, types, presses Enter),
`Scroll [3 or WINDOW]; up|down`, `Wait`, `GoBack`, `Google`, `ANSWER; text`. Both as the released `utils.py` writes and
reads them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from stepscope.core.domain.action import Action, Key, OpenApp, PressKey, Say, Scroll, Tap, Target, Type, Wait
from stepscope.core.domain.elements import TreeOrigin, UITree
from stepscope.core.domain.geometry import Direction, Size
from stepscope.core.frozen import dataclass
from stepscope.core.sources.files import shortened
from stepscope.core.sources.tree_builder import Placement, TreeBuilder

_THOUGHT, _ACTION = "Thought:", "Action:"
_NEXT = re.compile(r"Thought:|Action:|Observation:")
_MARKS_FOLLOW = "textual information.\n"
_MARK = re.compile(r"(?:^|\t)\[(\d{1,6})\]: ")
_TAGGED = re.compile(r"(?:<([\w-]{1,40})> )?\"(.*)\"", re.DOTALL)
_FIELDS = ("input", "textarea")


@dataclass(frozen=True, slots=True)
class Mark:
    """A numbered web element; `tag` and `label` (its aria-label) are "" where the list does not tell them."""

    number: str
    tag: str
    text: str
    label: str

    @property
    def id(self) -> str:
        return f"[{self.number}]"


Marks = Mapping[str, Mark]


def marks_of(told: str) -> dict[str, Mark]:
    """The marks that a user's turn lists, by number; none where the list was left out of the conversation."""
    place = told.find(_MARKS_FOLLOW)
    pieces = _MARK.split(told[place + len(_MARKS_FOLLOW) :]) if place >= 0 else [""]
    marks: dict[str, Mark] = {}
    for number, words in zip(pieces[1::2], pieces[2::2], strict=True):
        match = _TAGGED.fullmatch(words.strip().removesuffix(";"))
        if match is not None:
            text, _, label = match[2].partition('", "')
            marks.setdefault(number, Mark(number, match[1] or "", text, label))
    return marks


def tree_of(marks: Marks, size: Size) -> UITree | None:
    """The marks as a flat tree without boxes (the data has none); None when there are no marks."""
    if not marks:
        return None
    builder = TreeBuilder(TreeOrigin.DOM, Placement(size))
    for mark in marks.values():
        builder.add(
            -1,
            (0, 0, 0, 0),
            text=mark.text,
            content_description=mark.label,
            resource_id=mark.id,
            class_name=mark.tag,
            clickable=True,
            editable=mark.tag in _FIELDS,
        )
    return builder.finish().tree


def split_reply(reply: str) -> tuple[str, str]:
    """Thought and action of a reply; all of it is the action where it does not keep to the form."""
    _, begun, rest = reply.partition(_THOUGHT)
    thought, told, words = rest.partition(_ACTION)
    if not (begun and told):
        return "", reply.strip()
    return thought.strip(), _NEXT.split(words, maxsplit=1)[0].strip()


def action_of(words: str, marks: Marks) -> Action:
    """The action that `words` call for; ValueError for anything else."""
    for find in (re.match, re.search):  # an action first, then one inside other words, as the released reader takes it
        for pattern, make in _ACTIONS.items():
            if match := find(pattern, words, re.DOTALL):
                return make(match, marks)
    raise ValueError(f"{shortened(words)!r} is no action of WebVoyager's")


def _target(number: str, marks: Marks) -> Target:
    mark = marks.get(number)
    return Target(None, (mark.text or mark.label) if mark else "", f"[{number}]")


def _bare(text: str) -> str:
    """Content without the brackets that some replies put around it."""
    text = text.strip()
    return text[1:-1] if text.startswith("[") and text.endswith("]") else text


def _scroll(match: re.Match[str], marks: Marks) -> Action:
    target = None if match[1] == "WINDOW" else _target(match[1], marks)
    return Scroll(Direction(match[2]), None, target)


_ACTIONS: dict[str, Callable[[re.Match[str], Marks], Action]] = {
    r"Click \[?(\d{1,6})\]?": lambda match, marks: Tap(None, _target(match[1], marks)),
    r"Type \[?(\d{1,6})\]?[; ]+(.+)": lambda match, marks: Type(_bare(match[2]), None, _target(match[1], marks)),
    r"Scroll \[?(\d{1,6}|WINDOW)\]?[; ]+\[?(up|down)\]?": _scroll,
    r"Wait\b": lambda match, marks: Wait(),
    r"GoBack\b": lambda match, marks: PressKey(Key.BACK),
    r"Google\b": lambda match, marks: OpenApp("Google"),
    r"ANSWER[; ]+(.+)": lambda match, marks: Say(_bare(match[1])),
}
