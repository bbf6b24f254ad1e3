"""`noisy-copy`: the reference with known errors, for trying out the workbench and for tests. Source: ours.

It is shown the right answer; nothing it scores is a finding.
"""

from __future__ import annotations

import random
from dataclasses import replace

from stepscope.core.domain.action import (
    Action,
    DoubleTap,
    Drag,
    Hover,
    LongPress,
    Scroll,
    Select,
    Swipe,
    Tap,
    Target,
    Type,
)
from stepscope.core.domain.episode import Observation
from stepscope.core.domain.geometry import Point
from stepscope.core.domain.prediction import ActionAnswer, Prediction
from stepscope.core.evaluation.predictor import ModelInfo, StepRequest
from stepscope.core.frozen import dataclass
from stepscope.models.automation.random_action import KINDS, drawn_action, drawn_place
from stepscope.models.automation.screen import malformed_prediction, place_of, shown_box
from stepscope.models.catalog import NOISY_COPY
from stepscope.models.seeded_random import drawn_for

Placed = Tap | LongPress | DoubleTap | Swipe | Scroll | Drag | Type | Select | Hover
"""Actions that may touch a place."""


@dataclass(frozen=True, slots=True)
class Noise:
    """`sigma` of the shift of every point, as a fraction of width and height; probabilities of the three errors."""

    sigma: float = 0.03
    malformed: float = 0.05
    wrong_kind: float = 0.1
    other_element: float = 0.15


class NoisyCopy:
    """Pure: the answer depends on request, seed and noise only."""

    info: ModelInfo = NOISY_COPY

    def __init__(self, *, seed: int = 0, device: str = "auto", noise: Noise | None = None) -> None:
        self._seed = seed
        self._noise = noise or Noise()

    def predict(self, request: StepRequest) -> Prediction:
        reference, noise = request.reference, self._noise
        if reference is None:
            return malformed_prediction(request, "there is no reference action to copy")
        rng = drawn_for(self.info.name, self._seed, request.episode, str(request.step))
        draw = rng.random()
        if draw < noise.malformed:
            return malformed_prediction(request, "unusable on purpose", raw="<|unusable|>")
        if draw < noise.malformed + noise.wrong_kind:
            others = [kind for kind in KINDS if kind != reference.kind]
            return _answer(request, drawn_action(request, rng, rng.choice(others)), "another kind")
        placed = isinstance(reference, Placed) and reference.point is not None
        if placed and draw < noise.malformed + noise.wrong_kind + noise.other_element:
            return _answer(request, _on_another_element(reference, request, rng), "another element")
        return _answer(request, shifted(reference, request.observation, rng, noise.sigma), "the reference, shifted")


def shifted(action: Action, seen: Observation, rng: random.Random, sigma: float) -> Action:
    """The action with every point moved by normal noise, kept on the screen; its target is what lies there then."""
    if not isinstance(action, Placed) or action.point is None:
        return action
    point = _moved(action.point, rng, sigma)
    moved = replace(action, point=point, target=_target_at(point, seen) or action.target)
    return replace(moved, to=_moved(moved.to, rng, sigma)) if isinstance(moved, (Swipe, Drag)) else moved


def _on_another_element(action: Action, request: StepRequest, rng: random.Random) -> Action:
    point, target = drawn_place(request, rng)
    return replace(action, point=point, target=target) if isinstance(action, Placed) else action


def _target_at(point: Point, seen: Observation) -> Target | None:
    element = seen.tree.target_at(point) if seen.tree else None
    return place_of(element, seen)[1] if element and shown_box(element, seen) else None


def _moved(point: Point, rng: random.Random, sigma: float) -> Point:
    x, y = (min(max(value + rng.gauss(0, sigma), 0.0), 1.0) for value in point.fraction)
    return Point.from_fraction(x, y, point.size)


def _answer(request: StepRequest, action: Action, what: str) -> Prediction:
    return Prediction(request.episode, request.step, ActionAnswer(action), raw=what)
