"""Domain actions as Mind2Web writes them: an operation in words, and the element that was chosen.

Sources: CLICK, TYPE, SELECT; a hover is a CLICK in the release (code). Ours: other kinds are operations of their own
names; the element that a point stands for.
"""

from __future__ import annotations

from itertools import chain

from stepscope.core.domain.action import Action, Target, action_point, action_target, action_text
from stepscope.core.domain.areas import Edges, Piece, rectangle, without
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Observation
from stepscope.core.domain.geometry import Box, Point
from stepscope.core.scoring.mind2web_match import CLICK, predicted_text, reference_text

OPERATIONS = {"tap": CLICK, "hover": CLICK, "type": "TYPE", "select": "SELECT"}
"""Mind2Web's operations; every other kind is its own (ours)."""


def wanted_operation(action: Action) -> str:
    """The reference's operation in words."""
    return reference_text(*_operation(action))


def predicted_operation(action: Action) -> str:
    """The prediction's operation in words."""
    return predicted_text(*_operation(action))


def has_no_positive(action: Action, seen: Observation) -> bool:
    """Whether the step is one of those whose element was lost when the page was cleaned: an operation of Mind2Web's on
    a page whose elements are known, without element and place."""
    on_page = seen.tree is not None and seen.tree.origin is TreeOrigin.DOM and action.kind in OPERATIONS
    return on_page and action_target(action) is None and action_point(action) is None


def element_id(action: Action) -> str | None:
    """The id of the element that the action names; "" is none."""
    target = action_target(action)
    return (target.id or None) if target else None


def bearers(tree: UITree | None, identity: str) -> int:
    """How many elements of the tree bear this id."""
    return sum(element.resource_id == identity for element in tree or ())


def chosen_element(action: Action, seen: Observation, wanted: Target) -> str | None:
    """The id of the element that a predicted action chooses; None when it chooses none, "" for one without an id.

    The named element counts. A point chooses the smallest element that holds it. Where that one cannot be clicked, the
    click reaches those around it, up to the first that can be: when the reference, `wanted`, is among them, it is the
    chosen one. Where no UI tree holds the reference, its box is all that a point can choose (all ours).
    """
    named, point = element_id(action), action_point(action)
    if named is not None or point is None:
        return named
    if seen.tree is None or not bearers(seen.tree, wanted.id or ""):
        box = wanted.box
        return wanted.id if box is not None and box.contains(point.rescaled(box.size)) else None
    reached = _reached(seen.tree, point)
    return wanted.id if wanted.id in reached else next(iter(reached), None)


def places_that_choose(tree: UITree, identity: str) -> list[Piece]:
    """All places at which a click chooses the element with this id, in convex pieces; in pixels of the tree's frame."""
    found: list[Piece] = []
    for element in tree:
        if element.visible and element.box.area > 0 and identity in _ids_up_from(tree, element):
            smaller = (other for other in tree if _lies_over(other, element))
            found += without([rectangle(_edges(element.box))], [_edges(other.box) for other in smaller])
    return found


def _lies_over(other: UIElement, element: UIElement) -> bool:
    """Whether a click where both are goes to the other: the order of `UITree.at`."""
    if not other.visible or other.box.area <= 0:
        return False
    return (other.box.area, -other.index) < (element.box.area, -element.index)


def _edges(box: Box) -> Edges:
    return box.left, box.top, box.right, box.bottom


def _reached(tree: UITree, point: Point) -> list[str]:
    """Ids of the elements that a click at the point reaches, the smallest first."""
    smallest = tree.at(point)[:1]
    return _ids_up_from(tree, smallest[0]) if smallest else []


def _ids_up_from(tree: UITree, element: UIElement) -> list[str]:
    """Ids of the element and those around it, up to the first that can be clicked."""
    ids = []
    for one in chain([element], tree.ancestors(element.index)):
        ids.append(one.resource_id)
        if one.clickable or one.editable:
            break
    return ids


def _operation(action: Action) -> tuple[str, str]:
    return OPERATIONS.get(action.kind, action.kind.upper()), action_text(action) or ""
