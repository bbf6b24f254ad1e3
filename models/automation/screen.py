"""What the weightless predictors look at on a screen: usable elements, their middle, actions on them."""

from __future__ import annotations

from stepscope.core.domain.action import Target
from stepscope.core.domain.elements import UIElement
from stepscope.core.domain.episode import Observation
from stepscope.core.domain.geometry import Box, Point
from stepscope.core.domain.prediction import Prediction, PredictionStatus
from stepscope.core.evaluation.predictor import StepRequest

NO_ELEMENTS = "the screen has no UI elements"


def usable_elements(seen: Observation) -> tuple[UIElement, ...]:
    """Visible, enabled elements of which some part is on the screen, in tree order."""
    if seen.tree is None:
        return ()
    return tuple(
        element for element in seen.tree if element.visible and element.enabled and shown_box(element, seen) is not None
    )


def shown_box(element: UIElement, seen: Observation) -> Box | None:
    """The part of the element on the screen, in pixels of the observation."""
    return element.box.rescaled(seen.size).clipped()


def place_of(element: UIElement, seen: Observation) -> tuple[Point, Target]:
    """Where to touch the element, and the element as an action's target."""
    box = shown_box(element, seen)
    if box is None:
        raise ValueError(f"element {element.index} is not on the screen")
    return box.centre, Target(box, element.label, element.resource_id or None)


def screen_centre(seen: Observation) -> Point:
    """The middle of the screenshot, in its pixels."""
    return Point.from_fraction(0.5, 0.5, seen.size)


def malformed_prediction(request: StepRequest, why: str, raw: str = "") -> Prediction:
    """The prediction of a step that no action could be made for: `why` in words, `raw` what was come to before."""
    return Prediction(request.episode, request.step, None, PredictionStatus.MALFORMED, raw=raw, why=why)
