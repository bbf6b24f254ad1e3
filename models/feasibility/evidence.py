"""What spoke for infeasible: how far the probability falls when a screen, or a text on one, is left out (ours)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import numpy as np

from stepscope.core.domain.elements import UIElement
from stepscope.core.domain.episode import Observation
from stepscope.core.domain.prediction import Evidence
from stepscope.core.frozen import dataclass
from stepscope.models.automation.screen import shown_box
from stepscope.models.feasibility.calibration import probability
from stepscope.models.feasibility.features import FeasibilityInput, ScreenFeatures, example_of
from stepscope.models.features.cache import Vector
from stepscope.models.features.screens import shortened
from stepscope.models.features.vectors import Vectors
from stepscope.models.learned.recipe import Example, PreparedRequest, Run

SCREENS, TEXTS, SHOWN = 2, 24, 8
"""Screens whose texts are looked at, texts of each, and what is told in all."""
_LEAST = 0.005

ScreenT = TypeVar("ScreenT")


def curve_of(goal: Vector, screens: Sequence[ScreenFeatures], run: Run, warmth: float) -> tuple[float, ...]:
    """P(infeasible) after the first screen, after the first two, and so on."""
    prefixes = [example_of(goal, screens[: count + 1]) for count in range(len(screens))]
    return tuple(probability(logit, warmth) for (logit,) in run(prefixes))


@dataclass(frozen=True, slots=True)
class LeavingOut(Generic[ScreenT]):
    """How a recipe makes an example of some of its screens, and the screen at a place anew without one of its texts."""

    example: Callable[[Sequence[ScreenT]], Example]
    without: Callable[[int, str], ScreenT]


def evidence_of(
    draft: PreparedRequest,
    seen: FeasibilityInput,
    screens: Sequence[ScreenT],
    leaving: LeavingOut[ScreenT],
    vectors: Vectors,
    run: Run,
    warmth: float,
) -> tuple[Evidence, ...]:
    """The screens and texts without which P(infeasible) falls most, the strongest first. `run` gives the logit of
    infeasible for each example."""
    if not screens:
        return ()
    whole, *others = _scores(
        [screens, *([*screens[:place], *screens[place + 1 :]] for place in range(len(screens)))], leaving, run, warmth
    )
    falls = [whole - other for other in others]
    found = [Evidence(seen.steps[place], fall) for place, fall in enumerate(falls) if fall > _LEAST]
    for place in sorted(range(len(falls)), key=lambda one: -falls[one])[:SCREENS]:
        texts = _most_like(seen, place, vectors)
        changed = [[*screens[:place], leaving.without(place, text), *screens[place + 1 :]] for text in texts]
        less = [whole - score for score in _scores(changed, leaving, run, warmth)]
        found += _texts(draft.request.observations[seen.steps[place]], seen.steps[place], texts, less)
    return tuple(sorted(found, key=lambda one: -one.weight)[:SHOWN])


def _scores(ways: Sequence[Sequence[ScreenT]], leaving: LeavingOut[ScreenT], run: Run, warmth: float) -> list[float]:
    return [probability(out[0], warmth) for out in run([leaving.example(one) for one in ways])]


def _most_like(seen: FeasibilityInput, place: int, vectors: Vectors) -> list[str]:
    """The texts of a screen that are most like the goal."""
    texts = seen.texts[place]
    if not texts:
        return []
    likeness = np.stack([vectors.text(text) for text in texts]) @ vectors.text(seen.goal)
    return [texts[at] for at in np.argsort(-likeness, kind="stable")[:TEXTS]]


def _texts(observation: Observation, step: int, texts: Sequence[str], falls: Sequence[float]) -> list[Evidence]:
    """Those texts without which the probability falls, each with where it stands."""
    found = []
    for text, fall in zip(texts, falls, strict=True):
        element = element_with(observation, text)
        if fall > _LEAST and element is not None:
            words = element.text or element.content_description
            found.append(Evidence(step, fall, words, shown_box(element, observation)))
    return found


def element_with(observation: Observation, text: str) -> UIElement | None:
    """The first visible element with these words, as `screen_texts` reads them."""
    for element in observation.tree or ():
        if element.visible and shortened(element.text or element.content_description) == text:
            return element
    return None
