"""Whether two looks show the same screen, as far as an agent's next touch is concerned."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

from stepscope.core.device.session import ScreenSnapshot
from stepscope.core.domain.action import Action, action_end, action_point, action_target
from stepscope.core.domain.elements import UIElement
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.prediction import Candidate, Prediction


def signature(seen: ScreenSnapshot) -> Hashable:
    """The same for screens that an action has not changed: by the UI tree, without one by the picture."""
    if seen.tree is not None:
        return seen.tree.elements, seen.activity
    return seen.picture


def has_moved(action: Action, proposed: ScreenSnapshot, now: ScreenSnapshot) -> bool:
    """Whether the action would now hit something else than on the screen for which it was proposed."""
    if now is proposed:
        return False
    if now.size != proposed.size or now.activity != proposed.activity:
        return True
    if (now.tree is None) != (proposed.tree is None):
        return True
    if now.tree is None or proposed.tree is None:
        return False  # nothing is known of either: a touch there was confirmed by a person who sees the screen
    for point in (action_point(action), action_end(action)):
        if point is not None and _known(now.tree.target_at(point)) != _known(proposed.tree.target_at(point)):
            return True
    if action_point(action) is None:
        focused = [_known(next((e for e in seen.tree if e.focused), None)) for seen in (now, proposed) if seen.tree]
        return focused[0] != focused[1]
    return False


def _known(element: UIElement | None) -> tuple[str, ...] | None:
    if element is None:
        return None
    return element.text, element.content_description, element.resource_id, element.class_name


def choices_of(prediction: Prediction, action: Action, weighed: tuple[Candidate, ...], size: Size) -> list[Candidate]:
    """What was weighed, the answer first, in pixels of the screen."""
    lead = next((one for one in weighed if one.action == action), None)
    lead = lead or Candidate(action, prediction.confidence if prediction.confidence is not None else 1.0)
    found = [lead, *(one for one in weighed if one.action != action)]
    return [replace(one, action=in_frame(one.action, size)) for one in found]


def in_frame(action: Action, size: Size) -> Action:
    """The action with its places in pixels of `size`: a model may have answered in the frame of its own picture."""
    changes: dict[str, Any] = {}
    for name in ("point", "to"):
        place = getattr(action, name, None)
        if place is not None and place.size != size:
            changes[name] = place.rescaled(size)
    target = action_target(action)
    if target is not None and target.box is not None and target.box.size != size:
        changes["target"] = replace(target, box=target.box.rescaled(size))
    return replace(action, **changes) if changes else action
