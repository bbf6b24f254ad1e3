"""What never leaves: what stands in password fields, as the screen's tree names them, and in the elements that a
person's rules name (`redaction_rules`), in pictures and in words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from stepscope.core.domain.action import Action, Select, Type, action_point, action_target
from stepscope.core.domain.elements import UIElement, UITree
from stepscope.core.domain.episode import Observation
from stepscope.core.domain.geometry import Size
from stepscope.core.imaging.overlay import PASSWORD_DOTS
from stepscope.core.imaging.parts import Pixels
from stepscope.models.chat.redaction_rules import Redaction

GREY = 128
SHORTEST = 3
"""Letters of what an element that is hidden says, from which on others are found to repeat it (ours)."""


def painted_over(pixels: Pixels, seen: Observation, redaction: Redaction) -> Pixels:
    """The screen's pixels (height, width, 3) with every visible password field painted over and every element that a
    rule hides, whatever its size; the same array where there is none. What no tree names is not found."""
    if seen.tree is None:
        return pixels
    hidden = redacted_elements(seen, redaction)
    fields = [one.box for one in seen.tree if one.visible and (one.password or one.index in hidden)]
    if not fields:
        return pixels
    found = pixels.copy()
    size = Size(pixels.shape[1], pixels.shape[0])
    for field in fields:
        box = field.rescaled(size).clipped()
        if box is None:  # wholly off the screen
            continue
        found[int(box.top) : int(-(-box.bottom // 1)), int(box.left) : int(-(-box.right // 1))] = GREY
    return found


def redacted_elements(seen: Observation, redaction: Redaction) -> frozenset[int]:
    """The indices of the elements that a rule hides, and of all that lies in them."""
    if seen.tree is None or not redaction.rules:
        return frozenset()
    found: set[int] = set()
    activity = seen.activity or seen.tree.activity
    for one in seen.tree:  # parents come before their children
        if one.parent in found or redaction.hides(one, activity):
            found.add(one.index)
    return frozenset(found)


def without_secret_words(seen: Observation, redaction: Redaction) -> Observation:
    """The screen whose password fields have no text, and whose elements that a rule hides neither text nor description;
    those are left out too where other elements repeat them, as a row's description does. The same where there is
    none."""
    tree = seen.tree
    if tree is None:
        return seen
    hidden = redacted_elements(seen, redaction)
    if not hidden and not any(element.password and element.text for element in tree):
        return seen
    secret = _words_of(tree, hidden)
    elements = tuple(_without_words(one, hidden, secret) for one in tree)
    return replace(seen, tree=UITree(elements, tree.origin, tree.size, tree.activity))


def _without_words(element: UIElement, hidden: frozenset[int], secret: frozenset[str]) -> UIElement:
    if element.index in hidden:
        return replace(element, text="", content_description="")
    text = "" if element.password or _repeats(element.text, secret) else element.text
    description = "" if _repeats(element.content_description, secret) else element.content_description
    if (text, description) == (element.text, element.content_description):
        return element
    return replace(element, text=text, content_description=description)


def _words_of(tree: UITree, hidden: frozenset[int]) -> frozenset[str]:
    """What hidden elements say, where it is long enough to be known again."""
    texts = (text for one in hidden for text in (tree.elements[one].text, tree.elements[one].content_description))
    return frozenset(plain for text in texts if len(plain := _plain(text)) >= SHORTEST)


def _repeats(text: str, secret: frozenset[str]) -> bool:
    plain = _plain(text) if secret else ""
    return any(one in plain for one in secret)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def without_secrets(action: Action, seen: Observation | None, redaction: Redaction) -> Action:
    """The action without a typed password, and without the words of an element that a rule hides: neither what was
    typed or chosen there, nor its name. `seen` None: the screen is not known, and the action's own record decides."""
    tree = None if seen is None else seen.tree
    if seen is None or tree is None:
        hides = redaction.hides_target(action_target(action))
        return _cleaned(action, words=hides, name=hides)
    hidden = redacted_elements(seen, redaction)
    under = _under(tree, action)
    focused = {one.index for one in tree if one.focused}
    fields = under | focused if isinstance(action, Type) else under
    secret = isinstance(action, Type) and any(tree.elements[one].password for one in fields)
    names_it = bool(under & hidden) or _named_as_hidden(action, tree, hidden, redaction)
    return _cleaned(action, words=secret or names_it or bool(fields & hidden), name=names_it)


def without_named_password(action: Action) -> Action:
    """The action without what was typed into an element that its own record names as one for passwords."""
    target = action_target(action)
    secret = target is not None and "password" in f"{target.id} {target.text}".lower()
    return _cleaned(action, words=secret and isinstance(action, Type), name=False)


def _named_as_hidden(action: Action, tree: UITree, hidden: frozenset[int], redaction: Redaction) -> bool:
    """Whether the action's record of its element is of one that a rule hides: where it has no place in the tree, or
    repeats the words of one."""
    target = action_target(action)
    if target is None or not redaction.rules:
        return False
    placed = target.box is not None or action_point(action) is not None
    return _repeats(target.text, _words_of(tree, hidden)) or (not placed and redaction.hides_target(target))


def _under(tree: UITree, action: Action) -> set[int]:
    """The elements that the action is about: what is smallest there, and what a touch there means."""
    target, point = action_target(action), action_point(action)
    places = [target.box.centre] if target is not None and target.box is not None else []
    places += [point] if point is not None else []
    found = {one.index for place in places for one in tree.at(place)[:1]}
    return found | {one.index for place in places if (one := tree.target_at(place)) is not None}


def _cleaned(action: Action, *, words: bool, name: bool) -> Action:
    changes: dict[str, Any] = {}
    target = action_target(action)
    if words and isinstance(action, Type | Select):
        changes["text"] = PASSWORD_DOTS
    if name and target is not None and target.text:
        changes["target"] = replace(target, text="")
    return replace(action, **changes) if changes else action
