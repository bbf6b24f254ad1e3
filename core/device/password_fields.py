"""What a recording must never keep: what is typed into password fields.

Typed text becomes `BULLETS`, however long it was; keys of the phone's own keyboard become the same; UI trees lose the
field's text and the picture its box. A field stays a password field when its content is shown on purpose, and what was
typed into it is hidden wherever else it turns up. Without a UI tree nobody can tell a password field: where one had the
focus just before, typed text is taken for a password, touches are left out and there is no picture. Other ways to log
in are for the person to mark. Source: ours; MoTIF (section 3.1) keeps logging in out of its demonstrations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from stepscope.core.device.session import ScreenSnapshot
from stepscope.core.domain.action import (
    Action,
    DoubleTap,
    Drag,
    Key,
    LongPress,
    OpenApp,
    PressKey,
    Swipe,
    Tap,
    Target,
    Type,
    action_target,
)
from stepscope.core.domain.elements import UIElement, UITree
from stepscope.core.domain.geometry import Box, Point
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.decode import decode_bytes
from stepscope.core.imaging.draw import encode_png

BULLETS = "••••••••"
SYSTEM_BARS = "com.android.systemui"

_FILL = 128
_LEAST = 4
"""A typed text this long is hidden inside longer texts too; a shorter one only where it stands alone."""
_KEYBOARD_FROM = 0.4
"""Keyboards lie below this share of the screen's height, where the UI tree does not tell."""

_Touch = Tap | LongPress | DoubleTap | Swipe | Drag


@dataclass(frozen=True, slots=True, eq=False)
class RedactedStep:
    """The part of a step that may be kept; `seen` has no picture. `picture` gives the file's bytes, blanked where it
    has to be (some 0.1 s for a phone's screen; None: it cannot be); None in its place: it may show what nobody can
    blank. `secret`: the action was typing into a password field."""

    seen: ScreenSnapshot
    action: Action | None
    picture: Callable[[], bytes | None] | None
    secret: bool = False


class PasswordFields:
    """Remembers which fields hold passwords and what was typed into them, in memory only. One for each recording."""

    def __init__(self) -> None:
        self._fields: set[tuple[object, ...]] = set()
        self._texts: set[str] = set()
        self._typing = ""
        self._focus = False
        self._touched = False

    def keep(self, seen: ScreenSnapshot, action: Action | None) -> RedactedStep | None:
        """The step as it may be kept; None where it must be left out as a whole."""
        if seen.tree is None:
            return self._unseen(seen, action)
        fields = [element for element in seen.tree if self._holds_password(element, seen.tree)]
        field = _focused(fields)
        if field is None and fields and self._touched and not any(element.focused for element in seen.tree):
            field = fields[0]
        into = _typed_into(seen.tree, fields, field, action)
        self._remember(seen.tree, fields, field, into, action)
        tree, boxes = self._masked(seen.tree, fields)
        picture = partial(blanked_picture, seen.picture, boxes)
        clean = replace(seen, tree=tree, picture=b"")
        if into is not None:
            shown = tree.elements[into.index]
            point = action.point if isinstance(action, Type) else None
            hidden = Type(BULLETS, point, Target(shown.box, shown.label, shown.resource_id or None))
            return RedactedStep(clean, hidden, picture, secret=True)
        return RedactedStep(clean, self._aimed(action, seen.tree, tree), picture)

    def _unseen(self, seen: ScreenSnapshot, action: Action | None) -> RedactedStep | None:
        """A screen without a UI tree."""
        clean = replace(seen, picture=b"")
        if not self._focus:
            return RedactedStep(clean, action, lambda: seen.picture)
        if isinstance(action, _Touch):
            return None
        if isinstance(action, Type):
            self._note_text(action.text)
            return RedactedStep(clean, Type(BULLETS), None, secret=True)
        self._focus = self._focus and not _leaves(action)
        return RedactedStep(clean, action, None)

    def _holds_password(self, element: UIElement, tree: UITree) -> bool:
        name: tuple[object, ...] = (element.package, element.resource_id)
        if not element.resource_id:
            name = (tree.activity, element.box)
        if element.password:
            self._fields.add(name)
        return element.password or (element.editable and name in self._fields)

    def _remember(
        self,
        tree: UITree,
        fields: list[UIElement],
        field: UIElement | None,
        into: UIElement | None,
        action: Action | None,
    ) -> None:
        if into is not None:
            self._note_text(action.text if isinstance(action, Type) else "")
            self._focus = self._touched = True
            return
        if isinstance(action, _Touch):
            self._touched = any(one.box.contains(action.point.rescaled(tree.size)) for one in fields if action.point)
        if isinstance(action, (Type, *_TOUCHES)):
            self._typing = ""
        self._touched = self._touched and not _leaves(action)
        self._focus = (field is not None or self._touched) and not _leaves(action)

    def _note_text(self, text: str) -> None:
        """Typed letter by letter or at once: whatever may be shown of it later."""
        self._typing += text
        self._texts |= {one for one in (text, self._typing) if one.strip()}

    def _shows(self, text: str) -> bool:
        return any(text == one or (len(one) >= _LEAST and one in text) for one in self._texts)

    def _masked(self, tree: UITree, fields: list[UIElement]) -> tuple[UITree, list[Box]]:
        """The tree without passwords, and the boxes in which the picture may show one."""
        secret = {field.index for field in fields}
        elements, boxes = [], []
        for element in tree:
            hide_text = (element.index in secret and bool(element.text)) or self._shows(element.text)
            hide_words = self._shows(element.content_description)
            if (element.index in secret or hide_text or hide_words) and element.box.area > 0:
                boxes.append(element.box)
            if hide_text or hide_words:
                element = replace(
                    element,
                    text=BULLETS if hide_text else element.text,
                    content_description=BULLETS if hide_words else element.content_description,
                )
            elements.append(element)
        return (replace(tree, elements=tuple(elements)) if boxes else tree), boxes

    def _aimed(self, action: Action | None, before: UITree, after: UITree) -> Action | None:
        """The action with the words of the masked tree at its target."""
        target = action_target(action) if action is not None else None
        if target is None or before is after:
            return action
        for element, shown in zip(before, after, strict=True):
            if element is not shown and (target.box == element.box or target.text == element.label):
                return replace(action, target=replace(target, text=shown.label))  # type: ignore[type-var]
        return action


_TOUCHES = (Tap, LongPress, DoubleTap, Swipe, Drag)


def blanked_picture(picture: bytes, boxes: Sequence[Box]) -> bytes | None:
    """The picture as a PNG with the boxes filled, itself where there are none; None when it cannot be decoded."""
    if not boxes:
        return picture
    try:
        pixels = decode_bytes(picture).copy()
    except SourceError:
        return None
    height, width = pixels.shape[:2]
    for box in boxes:
        x, y = width / box.size.width, height / box.size.height
        left, top = max(int(box.left * x), 0), max(int(box.top * y), 0)
        right, bottom = max(int(np.ceil(box.right * x)), 0), max(int(np.ceil(box.bottom * y)), 0)
        pixels[top:bottom, left:right] = _FILL
    return encode_png(pixels)


def _focused(fields: list[UIElement]) -> UIElement | None:
    return next((field for field in fields if field.focused), None)


def _leaves(action: Action | None) -> bool:
    """Whether nothing has the focus after it."""
    return isinstance(action, OpenApp) or (isinstance(action, PressKey) and action.key in (Key.HOME, Key.RECENTS))


def _typed_into(
    tree: UITree, fields: list[UIElement], focused: UIElement | None, action: Action | None
) -> UIElement | None:
    """The password field that the action types into, None when it does not."""
    if isinstance(action, Type):
        if action.point is not None:
            point = action.point.rescaled(tree.size)
            return _under(fields, point) or (None if any(one.editable for one in tree.at(point)) else focused)
        named = action.target
        return next((field for field in fields if named is not None and _is_target(field, named)), focused)
    if focused is None or not isinstance(action, _Touch) or action.point is None:
        return None
    return focused if _is_key(tree, action.point.rescaled(tree.size), focused) else None


def _under(fields: list[UIElement], point: Point) -> UIElement | None:
    return next((field for field in fields if field.box.contains(point)), None)


def _is_target(field: UIElement, target: Target) -> bool:
    return target.box == field.box or (bool(target.id) and target.id == field.resource_id)


def _is_key(tree: UITree, point: Point, field: UIElement) -> bool:
    """Whether a touch there is on the phone's keyboard: on an element of a package that is neither the app's nor the
    system's bars, or, where the UI tree has no such element, low on the screen where nothing of the app takes touches
    but what is as large as half of it."""
    own = {field.package, SYSTEM_BARS}
    under = tree.at(point)
    if any(element.package and element.package not in own for element in tree):
        return bool(under) and under[0].package not in own
    if point.y < tree.size.height * _KEYBOARD_FROM:
        return False
    limit = tree.size.width * tree.size.height / 2
    return not any(
        (one.clickable or one.long_clickable or one.editable or one.checkable) and one.box.area < limit for one in under
    )
