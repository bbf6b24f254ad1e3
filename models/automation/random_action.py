"""`random`: a kind drawn evenly, and evenly what it needs (element, direction, word, key). Source: ours."""

from __future__ import annotations

import random

from stepscope.core.domain.action import Action, Finish, LongPress, PressKey, Scroll, Swipe, Tap, Target, Type
from stepscope.core.domain.geometry import Direction, Point
from stepscope.core.domain.prediction import ActionAnswer, Prediction
from stepscope.core.evaluation.predictor import ModelInfo, StepRequest
from stepscope.models.automation.screen import place_of, usable_elements
from stepscope.models.catalog import RANDOM_ACTION
from stepscope.models.seeded_random import drawn_for

KINDS = (Tap.kind, LongPress.kind, Type.kind, Swipe.kind, Scroll.kind, PressKey.kind, Finish.kind)
KEYS = ("back", "home", "enter")


class RandomAction:
    """Pure: the answer depends on request and seed only."""

    info: ModelInfo = RANDOM_ACTION

    def __init__(self, *, seed: int = 0, device: str = "auto") -> None:
        self._seed = seed

    def predict(self, request: StepRequest) -> Prediction:
        rng = drawn_for(self.info.name, self._seed, request.episode, str(request.step))
        action = drawn_action(request, rng, rng.choice(KINDS))
        return Prediction(request.episode, request.step, ActionAnswer(action), raw=action.kind)


def drawn_action(request: StepRequest, rng: random.Random, kind: str) -> Action:
    """An action of the kind, everything else about it drawn evenly."""
    if kind == PressKey.kind:
        return PressKey(rng.choice(KEYS))
    if kind == Finish.kind:
        return Finish()
    point, target = drawn_place(request, rng)
    match kind:
        case Tap.kind:
            return Tap(point, target)
        case LongPress.kind:
            return LongPress(point, target)
        case Type.kind:
            return Type(rng.choice(request.goal.split() or [""]), point, target)
        case Swipe.kind:
            return Swipe(point, _somewhere(request, rng), target)
        case _:
            return Scroll(rng.choice(list(Direction)), point, target)


def drawn_place(request: StepRequest, rng: random.Random) -> tuple[Point, Target | None]:
    """The middle of an element, clickable if there is one; anywhere on a screen without elements."""
    elements = usable_elements(request.observation)
    pool = [element for element in elements if element.clickable] or list(elements)
    return place_of(rng.choice(pool), request.observation) if pool else (_somewhere(request, rng), None)


def _somewhere(request: StepRequest, rng: random.Random) -> Point:
    return Point.from_fraction(rng.random(), rng.random(), request.observation.size)
