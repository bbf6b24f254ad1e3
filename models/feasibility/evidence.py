"""What spoke for infeasible: how far the probability falls when a screen, or a text on one, is left out (ours)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from stepscope.core.domain.elements import UIElement
from stepscope.core.domain.episode import Observation
from stepscope.core.domain.prediction import Evidence
from stepscope.models.automation.screen import shown_box
from stepscope.models.feasibility.calibration import probability
from stepscope.models.feasibility.features import FeasibilityInput, ScreenFeatures, example_of, screen_of
from stepscope.models.features.cache import Vector
from stepscope.models.features.screens import shortened
from stepscope.models.features.vectors import Vectors
from stepscope.models.learned.recipe import PreparedRequest, Run

SCREENS, TEXTS, SHOWN = 2, 24, 8
"""Screens whose texts are looked at, texts of each, and what is told in all."""
_LEAST = 0.005


def curve_of(goal: Vector, screens: Sequence[ScreenFeatures], run: Run, warmth: float) -> tuple[float, ...]:
    """P(infeasible) after the first screen, after the first two, and so on."""
    prefixes = [example_of(goal, screens[: count + 1]) for count in range(len(screens))]
    return tuple(probability(logit, warmth) for (logit,) in run(prefixes))


def evidence_of(
    draft: PreparedRequest, screens: Sequence[ScreenFeatures], vectors: Vectors, run: Run, warmth: float
) -> tuple[Evidence, ...]:
    """The screens and texts without which P(infeasible) falls most, the strongest first."""
    seen: FeasibilityInput = draft.rest
    goal = vectors.text(seen.goal)
    if not screens:
        return ()
    without = [[*screens[:place], *screens[place + 1 :]] for place in range(len(screens))]
    whole, *others = (
        probability(out[0], warmth)
        for out in run([example_of(goal, one, vectors.view_size) for one in (screens, *without)])
    )
    falls = [whole - other for other in others]
    found = [Evidence(seen.steps[place], fall) for place, fall in enumerate(falls) if fall > _LEAST]
    for place in sorted(range(len(falls)), key=lambda one: -falls[one])[:SCREENS]:
        found += _texts(draft, screens, place, vectors, run, warmth, whole)
    return tuple(sorted(found, key=lambda one: -one.weight)[:SHOWN])


def _texts(
    draft: PreparedRequest,
    screens: Sequence[ScreenFeatures],
    place: int,
    vectors: Vectors,
    run: Run,
    warmth: float,
    whole: float,
) -> list[Evidence]:
    """The texts of one screen without which the probability falls, those first that are most like the goal."""
    seen: FeasibilityInput = draft.rest
    goal, texts = vectors.text(seen.goal), seen.texts[place]
    if not texts:
        return []
    likeness = np.stack([vectors.text(text) for text in texts]) @ goal
    chosen = [texts[at] for at in np.argsort(-likeness, kind="stable")[:TEXTS]]
    examples = []
    for text in chosen:
        rest = tuple(one for one in texts if one != text)
        screen = replace(screen_of(seen, rest, None, vectors), view=screens[place].view)
        examples.append(example_of(goal, [*screens[:place], screen, *screens[place + 1 :]]))
    falls = [whole - probability(out[0], warmth) for out in run(examples)]
    observation = draft.request.observations[seen.steps[place]]
    found = []
    for text, fall in zip(chosen, falls, strict=True):
        element = element_with(observation, text)
        if fall > _LEAST and element is not None:
            box = shown_box(element, observation)
            words = element.text or element.content_description
            found.append(Evidence(seen.steps[place], fall, words, box))
    return found


def element_with(observation: Observation, text: str) -> UIElement | None:
    """The first visible element with these words, as `screen_texts` reads them."""
    for element in observation.tree or ():
        if element.visible and shortened(element.text or element.content_description) == text:
            return element
    return None
