"""What never leaves: what stands in password fields, as the screen's tree names them, in pictures and in words."""

from __future__ import annotations

from dataclasses import replace

from stepscope.core.domain.elements import UITree
from stepscope.core.domain.episode import Observation
from stepscope.core.domain.geometry import Size
from stepscope.core.imaging.parts import Pixels

GREY = 128


def without_passwords(pixels: Pixels, seen: Observation) -> Pixels:
    """The screen's pixels (height, width, 3) with every visible password field painted over, whatever its size; the
    same array where there is none. What no tree names is not found."""
    if seen.tree is None:
        return pixels
    fields = [element.box for element in seen.tree if element.password and element.visible]
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


def without_password_words(seen: Observation) -> Observation:
    """The screen whose password fields have no text; the same where there is none. Their descriptions stay."""
    tree = seen.tree
    if tree is None or not any(element.password and element.text for element in tree):
        return seen
    elements = tuple(replace(one, text="") if one.password else one for one in tree)
    return replace(seen, tree=UITree(elements, tree.origin, tree.size))
