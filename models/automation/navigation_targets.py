"""What a step teaches `seq2seq` and `moca`: the kind of the action, and where on the screen it was done."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stepscope.core.domain.action import Action, LongPress, Tap, Type, action_point, action_target
from stepscope.core.domain.episode import Step
from stepscope.core.domain.geometry import Box
from stepscope.core.frozen import dataclass
from stepscope.models.automation.seq2act_features import OBJECTS
from stepscope.models.automation.tower_elements import ElementFeatures, place_in, seen_elements
from stepscope.models.automation.tower_features import KINDS, kind_of
from stepscope.models.learned.recipe import Array

_AROUND = 0.04
"""Half the sides of the place of a touch of which nothing but the point is known (a tap's reach in AitW's rule)."""
_NOWHERE = -1


@dataclass(frozen=True, slots=True)
class ActionPlace:
    """Where an action was done: `point` (2,) and `box` (4,) of its element; `element` among `elements`, −1 for none of
    them."""

    point: Array
    box: Array
    element: int
    elements: tuple[ElementFeatures, ...]


def kind_number(action: Action | None) -> int | None:
    """The kind by number; None for what is no action on the phone."""
    kind = kind_of(action) if action is not None else ""
    return KINDS.index(kind) if kind in KINDS else None


def place_of_action(step: Step) -> ActionPlace | None:
    """None for an action that has no place. The box is the element's, else the data's own, else what lies around the
    touch."""
    action = step.action
    if not isinstance(action, Tap | LongPress | Type) or (point := action_point(action)) is None:
        return None
    seen = step.observation
    x, y = (min(max(value, 0.0), 1.0) for value in point.fraction)
    elements = seen_elements(seen, OBJECTS)
    element = place_in(elements, action, seen)
    target = action_target(action)
    named = target.box.clipped() if target is not None and target.box is not None else None
    if element != _NOWHERE:
        box = fractions_of([elements[element].box])[0]
    elif named is not None:
        box = fractions_of([named])[0]
    else:
        box = np.clip([x - _AROUND, y - _AROUND, x + _AROUND, y + _AROUND], 0, 1).astype(np.float32)
    return ActionPlace(np.array([x, y], np.float32), box, element, elements)


def fractions_of(boxes: Sequence[Box]) -> Array:
    """(boxes, 4): left, top, right, bottom as fractions of the screen."""
    rows = [
        (one.left / one.size.width, one.top / one.size.height, one.right / one.size.width, one.bottom / one.size.height)
        for one in boxes
    ]
    return np.array(rows, np.float32).reshape(-1, 4)
