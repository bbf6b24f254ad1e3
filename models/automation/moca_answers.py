"""Choice of an action from MOCA's numbers: the likeliest kind of one stream, the element by type and box of the other;
and what both attended to."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from stepscope.core.domain.action import Action, LongPress, Tap, Target, Type
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.domain.prediction import Candidate, Prediction
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.models.automation.action_choice import action_on
from stepscope.models.automation.moca_types import TYPES, narrowed, overlaps, type_of
from stepscope.models.automation.navigation_answers import attention_stream, written_text
from stepscope.models.automation.navigation_features import NavigationWords
from stepscope.models.automation.navigation_targets import fractions_of
from stepscope.models.automation.phrases import Phrases
from stepscope.models.automation.seq2act_answers import PLACED, placeless_candidates, prediction_of
from stepscope.models.automation.seq2act_features import OBJECTS
from stepscope.models.automation.tower_answers import CANDIDATES, softmax
from stepscope.models.automation.tower_elements import ElementFeatures, seen_elements
from stepscope.models.automation.tower_features import KINDS
from stepscope.models.learned.recipe import Array, PreparedRequest


def answer(
    draft: PreparedRequest, kinds: Array, types: Array, box: Array, words: Array, cells: Array, *, whole: bool
) -> Prediction:
    """`kinds` (19,) and `types` (12,) logits, `box` (4,) fractions of the screen, `words` (2, 32) and `cells` (2, 49)
    of policy and grounding; `whole`: the cells cover the whole screen, and can be told. Without elements the box itself
    is the place."""
    request: StepRequest = draft.request
    chances, of_types = softmax(kinds), softmax(types)
    best, wanted = int(chances.argmax()), int(types.argmax())
    kind, sure = KINDS[best], float(chances[best])
    text = written_text(request, kind)
    told: dict[str, Any] = {
        "kind": kind,
        "p": round(sure, 3),
        "type": TYPES[wanted] or "other",
        "type_p": round(float(of_types[wanted]), 3),
        "box": [round(float(edge), 4) for edge in box],
    }
    attention = _attention(draft.rest, words, cells if whole else None)
    if kind not in PLACED:
        raw = json.dumps({**told, "attention": attention})
        return prediction_of(request, placeless_candidates(request, chances, text), sure, raw)
    elements = seen_elements(request.observation, OBJECTS)
    if not elements:
        raw = json.dumps({**told, "attention": attention})
        action = _on_box(kind, text, box, request.observation.size)
        return prediction_of(request, (Candidate(action, sure),), sure, raw)
    left, candidates = _candidates(kind, text, box, wanted, elements, request)
    raw = json.dumps({**told, "left": int(left.sum()), "of": len(elements), "attention": attention})
    return prediction_of(request, candidates, sure * float(of_types[wanted]), raw)


def _candidates(
    kind: str, text: str, box: Array, wanted: int, elements: tuple[ElementFeatures, ...], request: StepRequest
) -> tuple[Array, tuple[Candidate, ...]]:
    """Which elements the type leaves, and the best of them with their overlap."""
    boxes = fractions_of([one.box for one in elements])
    left, order = narrowed(box, wanted, boxes, [type_of(one.element) for one in elements])
    shared = overlaps(box, boxes)
    phrases = Phrases(kind, text=text)
    found = tuple(
        Candidate(action_on(elements[place].element, phrases, request.observation), float(shared[place]))
        for place in order[:CANDIDATES]
    )
    return left, found


def _on_box(kind: str, text: str, box: Array, size: Size) -> Action:
    """The action in the middle of the predicted box."""
    low, high = np.minimum(box[:2], box[2:]), np.maximum(box[:2], box[2:])
    (left, top), (right, bottom) = (map(float, edge * (size.width, size.height)) for edge in (low, high))
    place = Box(left, top, right, bottom, size)
    target = Target(place)
    if kind == Type.kind:
        return Type(text, place.centre, target)
    return (Tap if kind == Tap.kind else LongPress)(place.centre, target)


def _attention(words: NavigationWords, weights: Array, cells: Array | None) -> list[dict[str, object]]:
    """Policy and grounding; the latter reads the goal where there is no instruction."""
    act, place = (None, None) if cells is None else (cells[0], cells[1])
    low = words.instruction
    return [
        attention_stream("action", "goal", words.goal, weights[0], act),
        attention_stream("grounding", "goal" if low is None else "instruction", low or words.goal, weights[1], place),
    ]
