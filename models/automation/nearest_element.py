"""`nearest-element`: taps the clickable element nearest to the last action. Source: ours."""

from __future__ import annotations

import math

from stepscope.core.domain.action import Tap, action_end, action_point
from stepscope.core.domain.elements import UIElement
from stepscope.core.domain.geometry import Point
from stepscope.core.domain.prediction import ActionAnswer, Candidate, Prediction
from stepscope.core.evaluation.predictor import ModelInfo, StepRequest
from stepscope.models.automation.screen import (
    NO_ELEMENTS,
    malformed_prediction,
    place_of,
    screen_centre,
    usable_elements,
)
from stepscope.models.catalog import NEAREST_ELEMENT

CANDIDATES = 5


class NearestElement:
    """Pure: the answer depends on the request only."""

    info: ModelInfo = NEAREST_ELEMENT

    def __init__(self, *, seed: int = 0, device: str = "auto") -> None:
        """Seed and device are taken as every model takes them; neither matters here."""

    def predict(self, request: StepRequest) -> Prediction:
        seen = request.observation
        elements = usable_elements(seen)
        pool = [element for element in elements if element.clickable] or list(elements)
        if not pool:
            return malformed_prediction(request, NO_ELEMENTS)
        start = last_place(request)

        def distance(element: UIElement) -> float:
            centre = place_of(element, seen)[0]
            return math.hypot(centre.x - start.x, centre.y - start.y)

        ranked = sorted(pool, key=lambda element: (distance(element), element.box.area, element.index))[:CANDIDATES]
        candidates = tuple(Candidate(Tap(*place_of(element, seen)), -distance(element)) for element in ranked)
        raw = (
            f"from ({start.x:g}, {start.y:g}): {ranked[0].label or ranked[0].short_class}, {distance(ranked[0]):.4g} px"
        )
        return Prediction(request.episode, request.step, ActionAnswer(candidates[0].action, candidates), raw=raw)


def last_place(request: StepRequest) -> Point:
    """Where the last action that touched the screen ended, else the middle of the screen."""
    for action in reversed(request.history):
        place = action_end(action) or action_point(action)
        if place is not None:
            return place.rescaled(request.observation.size)
    return screen_centre(request.observation)
