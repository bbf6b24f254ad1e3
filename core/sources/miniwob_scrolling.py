"""Where the view went while a MiniWoB++ page scrolled: the events do not say it, the elements' places do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from stepscope.core.domain.geometry import Direction
from stepscope.core.sources.miniwob_dom import dom_of, key_of, nodes_of, number_of
from stepscope.core.sources.miniwob_events import Gesture, Place

_DIRECTIONS = {(0, -1): Direction.DOWN, (0, 1): Direction.UP, (-1, 0): Direction.RIGHT, (1, 0): Direction.LEFT}
"""What comes into view when the content moves by this much: content that moves up shows what is below."""


def with_directions(done: Sequence[Gesture], states: Sequence[object]) -> list[tuple[Gesture, Direction | None]]:
    """Each gesture with the direction in which it scrolled; a scroll that ended where it began is none."""
    kept = []
    for place, gesture in enumerate(done):
        after = done[place + 1].state if place + 1 < len(done) else len(states) - 1
        direction = _movement(states, gesture.state, after) if gesture.scroller is not None else None
        if gesture.kind != "scroll" or direction is not None:
            kept.append((gesture, direction))
    return kept


def _movement(states: Sequence[object], before: int, after: int) -> Direction | None:
    """Where the view went: most elements that are on both pages and moved, moved by the same amount."""
    old, new = _corners(states[before]), _corners(states[after])
    shifts = Counter(
        (new[ref][0] - left, new[ref][1] - top)
        for ref, (left, top) in old.items()
        if ref in new and new[ref] != (left, top)
    )
    if not shifts:
        return None
    (dx, dy), _ = shifts.most_common(1)[0]
    return _DIRECTIONS[(0, 1 if dy > 0 else -1) if abs(dy) >= abs(dx) else (1 if dx > 0 else -1, 0)]


def _corners(state: object) -> dict[object, Place]:
    corners = {}
    for node in nodes_of(dom_of(state)):
        left, top = number_of(node.get("left")), number_of(node.get("top"))
        if left is not None and top is not None:
            corners[key_of(node)] = (left, top)
    return corners
