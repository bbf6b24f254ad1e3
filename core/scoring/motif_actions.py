"""Domain actions as steps of MoTIF: action class, object, box and point.

Sources: three classes click, type, swipe (paper, section 5); the object under a gesture is the leaf with the nearest
midpoint among those whose box holds the point, else the nearest leaf (code). Ours: other kinds are classes of their
own, and the objects of a screen are the leaves of its UI tree in tree order.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from stepscope.core.domain.action import Action, action_point, action_target
from stepscope.core.domain.areas import Pair, Piece, bounds, inside, nearer, overlap, rectangle, without
from stepscope.core.domain.elements import UIElement, UITree
from stepscope.core.domain.episode import Observation
from stepscope.core.domain.geometry import Box, Point
from stepscope.core.scoring.motif_match import MotifStep
from stepscope.core.scoring.names import action_name

ACTION_CLASSES = {"tap": "click", "type": "type", "swipe": "swipe", "scroll": "swipe", "drag": "swipe"}
"""MoTIF's three classes; every other kind is its own, keys and ways to finish apart (ours)."""
PLACELESS = "swipe"
"""The class whose gestures are about no object."""


def encode(action: Action, observation: Observation) -> MotifStep:
    """The action as a step; places in pixels of the observation."""
    name = ACTION_CLASSES.get(action.kind) or action_name(action)
    target = action_target(action)
    point = action_point(action) or (target.box.centre if target and target.box else None)
    if name == PLACELESS or point is None:
        return MotifStep(name)
    point = point.rescaled(observation.size)
    leaf = nearest_leaf(observation.tree, point) if observation.tree else None
    element_box = observation.tree.leaves[leaf].box if observation.tree and leaf is not None else None
    box = target.box if target and target.box else element_box
    return MotifStep(name, leaf, _edges(box.rescaled(observation.size)) if box else None, (point.x, point.y))


def nearest_leaf(tree: UITree, point: Point) -> int | None:
    """Index among `tree.leaves` of the leaf that a gesture at `point` is about; ties go to the earlier leaf."""
    place = point.rescaled(tree.size)
    boxes = [leaf_box(leaf, tree) for leaf in tree.leaves]
    under = [index for index, box in enumerate(boxes) if box.contains(place)]
    return _nearest(under or range(len(boxes)), boxes, place)


def places_of_leaf(tree: UITree, index: int) -> list[Piece]:
    """All places of the screen at which `nearest_leaf` gives this leaf, in convex pieces; in pixels of the tree's
    frame: in its box where no other leaf's midpoint is nearer, and of what lies between all boxes."""
    boxes = [_edges(leaf_box(leaf, tree)) for leaf in tree.leaves]
    centres = [((left + right) / 2, (top + bottom) / 2) for left, top, right, bottom in boxes]
    own, centre = boxes[index], centres[index]
    mine = [rectangle(own)]
    for other, edges in enumerate(boxes):
        if other != index and overlap(own, edges):
            ours = () if _comes_first(other, index, centres) else centres[other]
            shared = [nearer(inside(piece, edges), centre, ours) for piece in mine] if ours else []
            mine = [*without(mine, [edges]), *filter(None, shared)]
    screen = (0.0, 0.0, float(tree.size.width), float(tree.size.height))
    between = _nearest_part(rectangle(screen), index, centres)
    close = [edges for edges in boxes if between and overlap(bounds(between), edges)]
    return [*mine, *without([between], close)]


def _nearest_part(piece: Piece, index: int, centres: Sequence[Pair]) -> Piece:
    """The part that is nearer to this midpoint than to all others."""
    here = centres[index]
    for other in sorted(range(len(centres)), key=lambda one: math.dist(centres[one], here)):
        if other == index:
            continue
        if not piece or _comes_first(other, index, centres):
            return ()
        if math.dist(centres[other], here) > 2 * max(math.dist(corner, here) for corner in piece):
            break  # no place of the piece is as near to this one, nor to those further off
        piece = nearer(piece, here, centres[other])
    return piece


def _comes_first(other: int, index: int, centres: Sequence[Pair]) -> bool:
    """Whether all ties go to the other leaf: it has the same midpoint and is earlier."""
    return other < index and centres[other] == centres[index]


def leaf_box(leaf: UIElement, tree: UITree) -> Box:
    """The leaf's box in pixels of the tree's frame."""
    return leaf.box.rescaled(tree.size)


def _nearest(indices: Sequence[int], boxes: Sequence[Box], point: Point) -> int | None:
    if not indices:
        return None

    def distance(index: int) -> float:
        centre = boxes[index].centre
        return math.hypot(centre.x - point.x, centre.y - point.y)

    return min(indices, key=distance)


def _edges(box: Box) -> tuple[float, float, float, float]:
    return box.left, box.top, box.right, box.bottom
