"""The twelve types of elements that MOCA predicts, and the choice of an element by type and box.

Source: that the type is one of twelve, "including button, checkbox, edit text, image view, and more", and narrows the
elements at test time, is of MoTIF (section 5.1, paper). Which twelve, and that the box then chooses by overlap, else by
distance, is ours.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stepscope.core.domain.elements import UIElement
from stepscope.models.automation.seq2act_features import CLASSES, class_of
from stepscope.models.learned.recipe import Array

TYPES = (
    "", "Button", "CheckBox", "CheckedTextView", "EditText", "ImageButton", "ImageView", "RadioButton", "Spinner",
    "Switch", "TextView", "ToggleButton",
)  # fmt: skip
"""0 is every other."""


def type_of(element: UIElement) -> int:
    """The number of the element's type."""
    name = CLASSES[class_of(element)]
    return TYPES.index(name) if name in TYPES else 0


def narrowed(box: Array, kind: int, boxes: Array, types: Sequence[int] | Array) -> tuple[Array, Array]:
    """Which elements are left (n,) as true or false: those of the predicted type, all where none is of it; and their
    order (those left,), best first: by overlap with the predicted `box` (4,), then by the distance of the middles,
    then as they stand. `boxes` (n, 4) left, top, right, bottom, in fractions of the screen as `box`."""
    left = np.asarray(types, np.int64) == kind
    if not left.any():
        left = np.ones(len(left), bool)
    among = np.flatnonzero(left)
    overlap = overlaps(box, boxes[among])
    apart = np.linalg.norm(_middles(boxes[among]) - _middles(box.reshape(1, 4)), axis=1)
    return left, among[np.lexsort((among, apart, -overlap))]


def overlaps(box: Array, boxes: Array) -> Array:
    """(n,): intersection over union of the box (4,) with each (n, 4); 0 where the union has no area."""
    box, boxes = box.astype(np.float64), boxes.astype(np.float64)
    low, high = np.maximum(box[:2], boxes[:, :2]), np.minimum(box[2:], boxes[:, 2:])
    shared = np.clip(high - low, 0, None).prod(1)
    union = (box[2:] - box[:2]).prod() + (boxes[:, 2:] - boxes[:, :2]).prod(1) - shared
    found: Array = np.divide(shared, union, out=np.zeros(len(boxes)), where=union > 0)
    return found


def _middles(boxes: Array) -> Array:
    found: Array = (boxes[:, :2] + boxes[:, 2:]) / 2
    return found
