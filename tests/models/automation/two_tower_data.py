"""Screens and requests that one can follow, for the tests of the two-tower model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stepscope.core.domain.action import Action
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Observation, Platform, Step
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.domain.run import ItemKey
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.core.evaluation.tasks import Item
from stepscope.models.automation.recipe import RECIPE
from stepscope.models.features.vectors import Features
from stepscope.models.learned.predictor import vectors_of
from stepscope.models.training.examples import MemoryExamples
from tests.models.plain_encoders import Letters

SIZE = Size(270, 600)


FEATURES = Features([Letters()])


def row(place: int, text: str = "", **more: Any) -> UIElement:
    """The place-th of rows below each other, each 40 pixels high."""
    more = {"clickable": True, "class_name": "android.widget.Button", **more}
    return UIElement(place, Box(0, 40 * place, 200, 40 * place + 40, SIZE), text=text, **more)


def screen(*rows: UIElement | str) -> Observation:
    elements = tuple(row(place, one) if isinstance(one, str) else one for place, one in enumerate(rows))
    return Observation(SIZE, tree=UITree(elements, TreeOrigin.DOM, SIZE))


def request(
    seen: Observation, instruction: str | None = None, goal: str = "", *history: Action, **more: Any
) -> StepRequest:
    return StepRequest("e", 0, goal, Platform.ANDROID, seen, instruction, None, history, **more)


def item(asked: StepRequest, action: Action | None) -> Item:
    word = action.kind if action else ""
    return Item(ItemKey("e", 0), asked, word, Step(0, asked.observation, action, asked.instruction))


def example_of(asked: StepRequest) -> Any:
    draft = RECIPE.prepare(asked, FEATURES)
    return RECIPE.example(draft, vectors_of(FEATURES, [draft]))


def data_of(pairs: Sequence[tuple[StepRequest, Action]]) -> MemoryExamples:
    data = MemoryExamples()
    for asked, action in pairs:
        one = item(asked, action)
        target = RECIPE.target(one)
        assert target is not None
        data.examples.append(example_of(asked))
        data.targets.append(target)
    return data
