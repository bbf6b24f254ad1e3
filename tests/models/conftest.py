"""Hand-made screens for the predictors."""

from collections.abc import Callable
from typing import Any

import pytest

from core.domain.elements import TreeOrigin, UIElement, UITree
from core.domain.episode import Observation, Platform
from core.domain.geometry import Box, Size
from core.evaluation.predictor import StepRequest

SIZE = Size(1000, 2000)


@pytest.fixture
def request_for() -> Callable[..., StepRequest]:
    """A request on a screen of elements, each a dict with `box` = (left, top, right, bottom) and any other fields."""

    def made(*elements: dict[str, Any], goal: str = "", **fields: Any) -> StepRequest:
        nodes = []
        for index, element in enumerate(elements):
            edges = element.pop("box")
            nodes.append(UIElement(index, Box(*edges, SIZE), **element))
        tree = UITree(tuple(nodes), TreeOrigin.VIEW_HIERARCHY, SIZE)
        observation = Observation(SIZE, tree=tree if nodes else None)
        return StepRequest(
            fields.pop("episode", "e"), fields.pop("step", 0), goal, Platform.ANDROID, observation, **fields
        )

    return made
