"""Screens, requests and vectors for the tests of the two navigation models."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from stepscope.core.domain.action import Action, PressKey, Tap, Target, Type
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.models.features.vectors import Features, Vectors
from stepscope.models.learned.recipe import Recipe
from stepscope.models.training.examples import MemoryExamples
from tests.models.automation.two_tower_data import item, request, row, screen

VIEW = 4
CONFIG = {"sizes": {"text": 0, "view": VIEW}, "encoders": {"texts": "", "views": "mobilenet-v2:map"}}
NOTHING = Features(())
NO_VECTORS = Vectors({}, {}, 0, VIEW)


class Quarters:
    """A map of 2 × 2 places, row by row: which of them it is, and its mean colour."""

    fingerprint, computed_by, size, sequence = "quarters", "tests", VIEW, True

    def prepared(self, pixels: Any) -> Any:
        return pixels

    def embed(self, prepared: Any) -> Any:
        found = []
        for pixels in prepared:
            height, width = pixels.shape[0] // 2, pixels.shape[1] // 2
            parts = [pixels[y : y + height, x : x + width] for y in (0, height) for x in (0, width)]
            found.append(np.array([[1.0, *part.mean((0, 1)) / 255] for part in parts], np.float32))
        return found


def on(seen: Any, place: int, kind: Any = Tap, *text: str) -> Action:
    """The action in the middle of the place-th element."""
    element = seen.tree.elements[place]
    done: Action = kind(*text, element.box.centre, Target(element.box, element.text))
    return done


def small_set() -> list[tuple[StepRequest, Action, int]]:
    """Two rows to tap, a field to write into, and the way back; and two steps that nothing but the row of cells that is
    lit tells apart."""
    picture = replace(row(1, class_name="ImageView"), box=row(6).box)
    field = replace(row(2, "Title", editable=True, class_name="EditText"), box=row(12).box)
    seen = screen("Alpha", picture, field)
    return [
        (request(seen, "Tap Alpha", "see the news"), on(seen, 0), 3),
        (request(seen, "Tap the picture", "see the picture"), on(seen, 1), 3),
        (request(seen, "Write ham into Title", "write ham down"), on(seen, 2, Type, "ham"), 3),
        (request(seen, "Go back", "leave the app"), PressKey("back"), 3),
        (request(seen, "Go on", "go on"), on(seen, 0), 0),
        (request(seen, "Go on", "go on"), on(seen, 2), 6),
    ]


def example_of(recipe: Recipe, asked: StepRequest) -> Any:
    return recipe.example(recipe.prepare(asked, NOTHING), NO_VECTORS)


def data_of(recipe: Recipe, steps: list[tuple[StepRequest, Action, int]]) -> MemoryExamples:
    data = MemoryExamples()
    for asked, action, lit in steps:
        target = recipe.target(item(asked, action))
        assert target is not None
        cells = np.zeros((7, 7, VIEW), np.float16)
        cells[:, :, 1] = 1
        cells[lit] = (1, 0, 0, 0)
        data.examples.append({**example_of(recipe, asked), "map": cells.reshape(-1)})
        data.targets.append(target)
    return data
