"""The words of AndroidArena's pages: observations as trees, thoughts and action lines as actions.

An observation is a sentence ("The current APP is Clock.: ") and one element a line, four spaces deeper for each level:
`[n7825] TextView icon ;click long-click ; checked ;;Chrome Chrome : ` - id, class (left out for plain layouts and
views) and resource id, what can be done, status, status in words, text and description. An action stands in the thought
between hash signs (`#set_text [n4263] [Beijing]#`) and once more in words ("type Beijing in … EditText of Clock APP").
"""

from __future__ import annotations

import re
from collections.abc import Callable

from stepscope.core.domain.action import (
    Action,
    Finish,
    FinishStatus,
    Key,
    LongPress,
    OpenApp,
    PressKey,
    Scroll,
    Tap,
    Target,
    Type,
)
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.geometry import Direction, Size
from stepscope.core.sources.files import shortened
from stepscope.core.sources.tree_builder import Placement, TreeBuilder

_APP = re.compile(r"The current APP is (.{1,200}?)\.: *(?:\n|\Z)")
_ELEMENT = re.compile(r"( *)\[([\w-]{1,40})\] (.*)")
_HASHED = re.compile(r"#\s*\[?([a-z_]{3,20})\]?([^\n]*?)#")
_ARGUMENT = re.compile(r"\[(.+?)\]")
_TWO_ARGUMENTS = re.compile(r"\[(.+?)\]\s*\[(.*)\]", re.DOTALL)
_REFUSED = "invalid action"
_LONGEST = 4_000
"""Characters of an action line that are looked at (ours)."""
_NOT_POSSIBLE = "n/a"

_SCROLLS = {
    "swipe_up": Direction.DOWN,
    "scroll_down": Direction.DOWN,
    "swipe_down": Direction.UP,
    "swipe_left": Direction.RIGHT,
    "swipe_right": Direction.LEFT,
}
"""Where the view goes; the finger moves the other way, and its way is not told."""

_KEYS = {
    "press_back": Key.BACK,
    "press_home": Key.HOME,
    "press_enter": Key.ENTER,
    "press_recent": Key.RECENTS,
}

_LINES: dict[str, Callable[[re.Match[str]], Action]] = {
    r"launch (.+) APP": lambda match: OpenApp(match[1]),
    r"click (.+) on .+ APP": lambda match: Tap(None, Target(None, match[1])),
    r"long click (.+) on .+ APP": lambda match: LongPress(None, Target(None, match[1])),
    r"type (.*) in (.+) of .+ APP": lambda match: Type(match[1], None, Target(None, match[2])),
    r"swip (up|down|left|right) on .+ APP": lambda match: Scroll(_SCROLLS[f"swipe_{match[1]}"]),
    r"press the (back|home|enter) key": lambda match: PressKey(_KEYS[f"press_{match[1]}"]),
    r"show recent Apps": lambda match: PressKey(Key.RECENTS),
    r"task finished": lambda match: Finish(),
}
"""Action lines, by which an action is told where the thought names none. "swip" is the environment's own spelling."""


def app_of(observed: str) -> str:
    """The app that the observation names; "" for the home screen and for what is no observation."""
    match = _APP.match(observed)
    return match[1] if match else ""


def tree_of(observed: str, size: Size) -> UITree | None:
    """The elements without boxes (the data has none); None when no line is an element."""
    builder = TreeBuilder(TreeOrigin.DUMP, Placement(size))
    above: list[tuple[int, int]] = []
    found = False
    for line in observed.split("\n"):
        match = _ELEMENT.fullmatch(line.rstrip().removesuffix(":"))
        if match is None:
            continue
        found = True
        indent = len(match[1])
        while above and above[-1][0] >= indent:
            above.pop()
        index = builder.add(above[-1][1] if above else -1, (0, 0, 0, 0), **_fields(match[2], match[3]))
        above.append((indent, index))
    return builder.finish().tree if found else None


def _fields(identity: str, description: str) -> dict[str, str | bool]:
    names, can, status, _, words = (*description.split(";", 4), "", "", "", "")[:5]
    kind, resource = _names(names.split())
    text, described = _halves(words.strip())
    doing, state = can.split(), status.split()
    return {
        "text": text,
        "content_description": described,
        "resource_id": identity,
        "class_name": f"{kind} {resource}".strip(),
        "clickable": "click" in doing,
        "long_clickable": "long-click" in doing,
        "scrollable": "scroll" in doing,
        "checkable": "check" in doing,
        "checked": "checked" in state,
        "editable": kind in ("EditText", "AutoCompleteTextView"),
        "selected": "selected" in state,
        "password": "password" in state,
    }


def _names(words: list[str]) -> tuple[str, str]:
    """Class and resource id; of a single word, the class when it begins with a capital letter."""
    if len(words) > 1:
        return words[0], " ".join(words[1:])
    word = words[0] if words else ""
    return (word, "") if word[:1].isupper() else ("", word)


def _halves(words: str) -> tuple[str, str]:
    """Text and description: both are written one behind the other, and told apart only where they are the same."""
    middle = len(words) // 2
    if len(words) % 2 and words[middle] == " " and words[:middle] == words[middle + 1 :]:
        return words[:middle], words[:middle]
    return words, ""


def action_of(thought: str, line: str, tree: UITree | None) -> Action:
    """The action that was done: as the thought calls for it, else as the action line tells it.

    Raises ValueError for one that the environment refused and for one that is not known.
    """
    if line.lower() == _REFUSED:
        raise ValueError("the environment refused the action as invalid")
    for match in reversed(list(_HASHED.finditer(thought))):
        action = _called_for(match[1], match[2].strip(), tree)
        if action is not None:
            return action
    for pattern, make in _LINES.items():
        told = re.fullmatch(pattern, line[:_LONGEST], re.DOTALL)
        if told:
            return make(told)
    raise ValueError(f"the action {shortened(line or thought[-60:])!r} is not known")


def _called_for(verb: str, rest: str, tree: UITree | None) -> Action | None:
    """One command between hash signs; None when it is none or lacks what it needs."""
    if verb in _SCROLLS:
        return Scroll(_SCROLLS[verb])
    if verb in _KEYS:
        return PressKey(_KEYS[verb])
    if verb == "finish":
        return Finish(FinishStatus.IMPOSSIBLE if rest.strip("[] ").lower() == _NOT_POSSIBLE else FinishStatus.COMPLETE)
    if verb == "set_text":
        both = _TWO_ARGUMENTS.fullmatch(rest)
        return Type(both[2], None, _target(both[1], tree)) if both else None
    argument = _ARGUMENT.search(rest)
    if argument is None:
        return None
    if verb == "start":
        return OpenApp(argument[1])
    if verb == "long_click":
        return LongPress(None, _target(argument[1], tree))
    return Tap(None, _target(argument[1], tree)) if verb == "click" else None


def _target(identity: str, tree: UITree | None) -> Target:
    element = next((element for element in tree or () if element.resource_id == identity), None)
    return Target(None, _label(element), identity)


def _label(element: UIElement | None) -> str:
    return (element.text or element.content_description) if element else ""
