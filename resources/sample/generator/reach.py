"""What lies on the screen, what must be scrolled to, and how far: reading an app's first page for a plan."""

from __future__ import annotations

import random
from collections.abc import Sequence

from stepscope.core.domain.elements import UIElement, UITree
from stepscope.resources.sample.script import Move, PhoneView, scroll, shows

ENOUGH = 0.7
"""The part of a row that must be seen for a person to touch it without scrolling."""
REACH = 0.5
"""How far one scroll goes at most, as a share of the screen's height."""


def element(tree: UITree, name: str) -> UIElement | None:
    """The visible element whose resource id ends with `name`."""
    return next((e for e in tree if e.short_id == name), None)


def scrolls_to(
    view: PhoneView, container: str, order: Sequence[str], target: str, says: Sequence[str], chance: random.Random
) -> tuple[Move, ...] | None:
    """The scrolls of the list `container` that bring `target` to its middle; none when it can be touched as it is.

    `order` are the short ids of all its rows, which must be of one height, top to bottom; the first two must be on the
    screen. Returns None when they are not.
    """
    box = element(view.tree, container)
    first, second = (element(view.tree, name) for name in order[:2]) if len(order) > 1 else (None, None)
    if box is None or first is None or second is None:
        return None
    seen, pitch = element(view.tree, target), second.box.top - first.box.top
    if seen is not None and seen.box.height >= ENOUGH * first.box.height:
        return ()
    height = view.tree.size.height
    top = first.box.top + pitch * order.index(target)
    bottom = first.box.top + pitch * len(order)
    way = min(top + pitch / 2 - box.box.centre.y, bottom - box.box.bottom + pitch)
    number = max(1, round(way / (REACH * height) + 0.45))
    share = max(way / number / height, 0.12)
    moves = [scroll(container, chance.choice(says), share=share) for _ in range(number - 1)]
    return (*moves, scroll(container, chance.choice(says), shows(target), share=share))
