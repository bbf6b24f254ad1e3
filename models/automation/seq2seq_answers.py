"""Choice of an action from Seq2Seq's numbers: the likeliest kind, done at the point; and what it attended to."""

from __future__ import annotations

import json

from stepscope.core.domain.action import LongPress, Tap, Target, Type
from stepscope.core.domain.geometry import Point
from stepscope.core.domain.prediction import Candidate, Prediction
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.models.automation.navigation_answers import attention_stream, written_text
from stepscope.models.automation.navigation_features import NavigationWords
from stepscope.models.automation.screen import place_of, shown_box
from stepscope.models.automation.seq2act_answers import PLACED, placeless_candidates, prediction_of
from stepscope.models.automation.seq2act_text import LENGTH
from stepscope.models.automation.tower_answers import softmax
from stepscope.models.automation.tower_features import KINDS
from stepscope.models.learned.recipe import Array, PreparedRequest


def answer(draft: PreparedRequest, kinds: Array, point: Array, weights: Array) -> Prediction:
    """`kinds` (19,) logits, `point` (2,) fractions of the screen, `weights` (64,) of the goal's words and the
    instruction's. The element that lies at the point is told as the target where there is a tree."""
    request: StepRequest = draft.request
    chances = softmax(kinds)
    best = int(chances.argmax())
    kind, sure = KINDS[best], float(chances[best])
    raw = json.dumps(
        {
            "kind": kind,
            "p": round(sure, 3),
            "point": [round(float(one), 4) for one in point],
            "attention": _attention(draft.rest, weights),
        }
    )
    text = written_text(request, kind)
    if kind not in PLACED:
        return prediction_of(request, placeless_candidates(request, chances, text), sure, raw)
    place = Point.from_fraction(float(point[0]), float(point[1]), request.observation.size)
    target = _target_at(place, request)
    action = Type(text, place, target) if kind == Type.kind else (Tap if kind == Tap.kind else LongPress)(place, target)
    return prediction_of(request, (Candidate(action, sure),), sure, raw)


def _attention(words: NavigationWords, weights: Array) -> list[dict[str, object]]:
    """The decoder's weights, of goal and instruction each by itself."""
    found = [attention_stream("decoder", "goal", words.goal, weights[:LENGTH])]
    if words.instruction is not None:
        found.append(attention_stream("decoder", "instruction", words.instruction, weights[LENGTH:]))
    return found


def _target_at(point: Point, request: StepRequest) -> Target | None:
    seen = request.observation
    element = seen.tree.target_at(point.rescaled(seen.tree.size)) if seen.tree is not None else None
    return place_of(element, seen)[1] if element is not None and shown_box(element, seen) is not None else None
