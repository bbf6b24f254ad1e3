"""What a trajectory has to fill into a sentence: typed texts, names of rows and buttons that were touched, the app."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TypeGuard

from stepscope.core.domain.action import (
    Action,
    AskUser,
    DoubleTap,
    Finish,
    LongPress,
    PressKey,
    Say,
    Select,
    Swipe,
    Tap,
    Type,
)
from stepscope.core.domain.action import action_point as point_of
from stepscope.core.domain.action import action_target as target_of
from stepscope.core.domain.elements import UIElement, UITree
from stepscope.core.domain.episode import Observation
from stepscope.core.evaluation.predictor import EpisodeRequest
from stepscope.models.goal.template import app_name

ROLES = ("typed", "typed first", "item", "item first", "button", "button before", "app")
"""Names of the places in a template. An item is a row: its name lies inside it; a button has its words itself. Without
a further word the last of its kind."""

Pieces = Mapping[str, str]
"""The words for each role that there is something for."""

MOST_WORDS = 12
"""A longer text is content, not a name."""
_BACK = frozenset(("back", "escape"))
_LEAVES = frozenset(("navigate up", "back", "close", "cancel", "collapse"))
_ONWARDS = frozenset(
    ("more options", "more", "menu", "open navigation drawer", "ok", "done", "settings", "preferences")
)
"""Buttons that only lead further: no goal is named after them."""
_NAMING = re.compile(r"[^\W\d_]{4}")


def done_pairs(request: EpisodeRequest) -> list[tuple[Observation, Action]]:
    """What was done and on which screen, without asking, saying and the end, and without what was taken back at once: a
    touch directly before leaving again."""
    found: list[tuple[Observation, Action]] = []
    for seen, action in zip(request.observations, request.actions, strict=True):
        if action is None or isinstance(action, AskUser | Say | Finish):
            continue
        if found and _leaves(seen, action) and isinstance(found[-1][1], Tap):
            found.pop()
        else:
            found.append((seen, action))
    return found


def pieces_of(request: EpisodeRequest) -> Pieces:
    """The words for each role; roles whose words would be those of another are left out."""
    typed: list[str] = []
    items: list[str] = []
    buttons: list[str] = []
    done = done_pairs(request)
    for seen, action in done:
        if isinstance(action, Type | Select):
            typed += _named(action.text)
        elif _touches(action):
            name, is_row = name_of(seen, action)
            if is_row:
                items += _named(name)
            elif name.lower() not in _ONWARDS | _LEAVES:
                buttons += _named(name)
    pairs = (
        ("typed", typed[-1:]),
        ("typed first", [text for text in typed[:1] if text != typed[-1]]),
        ("item", items[-1:]),
        ("item first", [text for text in items[:1] if text != items[-1]]),
        ("button", buttons[-1:]),
        ("button before", [text for text in buttons[-2:-1] if text != buttons[-1]]),
        ("app", _named(app_name(request, [action for _, action in done]))),
    )
    return {role: texts[0] for role, texts in pairs if texts}


def name_of(seen: Observation, action: Action) -> tuple[str, bool]:
    """The name of what was touched and whether it is a row. A row is told by the first text of four letters or more
    inside it; what the recording calls the element decides where there is no tree."""
    target, point = target_of(action), point_of(action)
    place = target.box.centre if target and target.box else point
    element = seen.tree.target_at(place) if seen.tree is not None and place is not None else None
    if element is not None and seen.tree is not None:
        inside = [text for text in _texts(seen.tree, element) if text != element.text]
        naming = [text for text in inside if _NAMING.search(text)] or inside
        if naming and not element.text:
            return naming[0], True
        if element.text or element.content_description:
            return element.text or element.content_description, False
    return (target.text or "", False) if target else ("", False)


def _texts(tree: UITree, element: UIElement) -> Iterator[str]:
    """Visible texts inside the element, in the tree's order; descriptions are of pictures and of further buttons."""
    for child in tree.children[element.index]:
        inner = tree.elements[child]
        if inner.visible and inner.text.strip():
            yield inner.text
        yield from _texts(tree, inner)


def _touches(action: Action) -> TypeGuard[Tap | LongPress | DoubleTap | Swipe]:
    """Swiping a row is an act on it; swiping a list is not, but a list has no name."""
    return isinstance(action, Tap | LongPress | DoubleTap) or (
        isinstance(action, Swipe) and action.direction.value in ("left", "right")
    )


def _leaves(seen: Observation, action: Action) -> bool:
    if isinstance(action, PressKey):
        return action.key in _BACK
    return isinstance(action, Tap) and name_of(seen, action)[0].lower() in _LEAVES


def _named(text: str) -> list[str]:
    """The text on one line, as a list of one; none for no words and for too many."""
    words = text.split()
    return [" ".join(words)] if 0 < len(words) <= MOST_WORDS else []
