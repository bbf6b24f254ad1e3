"""`random`: a kind drawn evenly, and evenly what it needs (element, direction, word, key). Source: ours."""

from __future__ import annotations

import random

from stepscope.core.domain.action import Action, Finish, LongPress, PressKey, Scroll, Swipe, Tap, Target, Type
from stepscope.core.domain.geometry import Direction, Point
from stepscope.core.domain.prediction import ActionAnswer, Prediction
from stepscope.core.evaluation.predictor import ModelInfo, StepRequest
from stepscope.models.automation.dice import dice_for
from stepscope.models.automation.screen import place_of, usable_elements
from stepscope.models.catalog import RANDOM_ACTION

KINDS = (Tap.kind, LongPress.kind, Type.kind, Swipe.kind, Scroll.kind, PressKey.kind, Finish.kind)
KEYS = ("back", "home", "enter")


class RandomAction:
    """Pure: the answer depends on request and seed only."""

    info: ModelInfo = RANDOM_ACTION

    def __init__(self, *, seed: int = 0, device: str = "auto") -> None:
        self._seed = seed

    def predict(self, request: StepRequest) -> Prediction:
        dice = dice_for(request, self._seed, self.info.name)
        action = drawn_action(request, dice, dice.choice(KINDS))
        return Prediction(request.episode, request.step, ActionAnswer(action), raw=action.kind)


def drawn_action(request: StepRequest, dice: random.Random, kind: str) -> Action:
    """An action of the kind, everything else about it drawn evenly."""
    if kind == PressKey.kind:
        return PressKey(dice.choice(KEYS))
    if kind == Finish.kind:
        return Finish()
    point, target = drawn_place(request, dice)
    match kind:
        case Tap.kind:
            return Tap(point, target)
        case LongPress.kind:
            return LongPress(point, target)
        case Type.kind:
            return Type(dice.choice(request.goal.split() or [""]), point, target)
        case Swipe.kind:
            return Swipe(point, _somewhere(request, dice), target)
        case _:
            return Scroll(dice.choice(list(Direction)), point, target)


def drawn_place(request: StepRequest, dice: random.Random) -> tuple[Point, Target | None]:
    """The middle of an element, clickable if there is one; anywhere on a screen without elements."""
    elements = usable_elements(request.observation)
    pool = [element for element in elements if element.clickable] or list(elements)
    return place_of(dice.choice(pool), request.observation) if pool else (_somewhere(request, dice), None)


def _somewhere(request: StepRequest, dice: random.Random) -> Point:
    return Point.from_fraction(dice.random(), dice.random(), request.observation.size)
