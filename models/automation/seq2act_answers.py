"""Choice of an action from Seq2Act's numbers: the likeliest kind, element and span of typed text; and what it was
chosen by, as JSON for whoever draws it."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from stepscope.core.domain.action import Action, LongPress, Tap, Type
from stepscope.core.domain.geometry import Box
from stepscope.core.domain.prediction import ActionAnswer, Candidate, Prediction
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.models.automation.action_choice import action_on, placeless
from stepscope.models.automation.phrases import Phrases
from stepscope.models.automation.screen import NO_ELEMENTS, malformed_prediction
from stepscope.models.automation.seq2act_features import SpokenCommand
from stepscope.models.automation.seq2act_text import SPANS, words_in
from stepscope.models.automation.tower_answers import CANDIDATES, Chances, softmax
from stepscope.models.automation.tower_features import KINDS, quoted_text
from stepscope.models.learned.recipe import Array, PreparedRequest

PHRASES = ("type", "location", "input")
PLACED = (Tap.kind, LongPress.kind, Type.kind)
"""Kinds that are done on an element."""
_TOLD_ELEMENTS, _LIKE = 5, 0.5


def answer(draft: PreparedRequest, kinds: Array, elements: Array, spans: Array, shared: Array) -> Prediction:
    """`kinds` (19,), `elements` (as padded,), `spans` (3, spans) are logits, `shared` (32, as padded) how like words
    and elements are. The text to type are the words of the input's span, the goal's quoted words where it is empty."""
    command: SpokenCommand = draft.rest
    request: StepRequest = draft.request
    chances = softmax(kinds)
    best = int(chances.argmax())
    kind = KINDS[best]
    chosen = [best_span(command, logits) for logits in spans]
    text = typed_text(request, command, chosen[2][0])
    own = softmax(elements[: len(command.elements)]) if command.elements else np.zeros(0)
    order = np.argsort(-own, kind="stable")[:CANDIDATES]
    raw = json.dumps(_told(command, kind, float(chances[best]), chosen, own, shared), ensure_ascii=False)
    if kind not in PLACED:
        return prediction_of(request, placeless_candidates(request, chances, text), float(chances[best]), raw)
    if not command.elements:
        if kind == Type.kind:
            return prediction_of(request, (Candidate(Type(text), 1.0),), float(chances[best]), raw)
        return malformed_prediction(request, NO_ELEMENTS, raw)
    phrases = Phrases(kind, text=text)
    candidates = tuple(
        Candidate(action_on(command.elements[place].element, phrases, request.observation), float(own[place]))
        for place in order
    )
    return prediction_of(request, candidates, float(chances[best] * own[order[0]]), raw)


def best_span(command: SpokenCommand, logits: Array) -> tuple[int, float]:
    """The likeliest span inside the text by its place in `SPANS`, and how likely it is."""
    inside = np.array([end <= len(command.read.words) for _, end in SPANS])
    chances = softmax(np.where(inside, logits, -1e4))
    best = int(chances.argmax())
    return best, float(chances[best])


def typed_text(request: StepRequest, command: SpokenCommand, span: int) -> str:
    """The words of the input's span; where it is empty what stands in quotation marks in the goal, else the person's
    answer (ours)."""
    found = words_in(command.read, span) or quoted_text(request.goal)
    if not found and request.reply is not None:
        found = request.reply[1].strip().rstrip(".!")
    return found


def placeless_candidates(request: StepRequest, chances: Chances, text: str) -> tuple[Candidate, ...]:
    """The likeliest kinds that need no element, the likeliest first. `chances` (19,)."""
    found = []
    for place in np.argsort(-chances, kind="stable"):
        verb, _, detail = KINDS[place].partition(" ")
        action: Action | None = placeless(Phrases(verb, text=text, detail=detail), request.observation)
        if action is not None:
            found.append(Candidate(action, float(chances[place])))
    return tuple(found[:CANDIDATES])


def _told(
    command: SpokenCommand, kind: str, chance: float, chosen: list[tuple[int, float]], own: Chances, shared: Array
) -> dict[str, Any]:
    """Kind, spans in words with the places of their letters in the text that was read, the likeliest elements with what
    they share with each word, from 0.5 on; boxes in fractions of the screen (`core.evaluation.attention` reads it)."""
    words, elements = command.read.words, command.elements
    spans = {}
    for name, (span, sure) in zip(PHRASES, chosen, strict=True):
        begin, end = SPANS[span]
        letters = [command.read.ends[begin][0], command.read.ends[end - 1][1]] if begin else None
        spans[name] = {"words": " ".join(words[begin:end]) if begin else "", "letters": letters, "p": round(sure, 3)}
    likely = [
        {
            "element": elements[place].element.index,
            "words": elements[place].words or elements[place].names,
            "box": _fractions(elements[place].box),
            "p": round(float(own[place]), 3),
            "like": {
                word: round(float(shared[at, place]), 2)
                for at, word in enumerate(words)
                if at and shared[at, place] >= _LIKE
            },
        }
        for place in np.argsort(-own, kind="stable")[:_TOLD_ELEMENTS]
    ]
    return {"text": command.read.text, "kind": kind, "p": round(chance, 3), "spans": spans, "elements": likely}


def _fractions(box: Box) -> list[float]:
    """Left, top, right, bottom."""
    width, height = box.size.width, box.size.height
    return [round(edge, 4) for edge in (box.left / width, box.top / height, box.right / width, box.bottom / height)]


def prediction_of(request: StepRequest, candidates: tuple[Candidate, ...], confidence: float, raw: str) -> Prediction:
    """The first of the candidates as the answer."""
    found = ActionAnswer(candidates[0].action, candidates)
    return Prediction(request.episode, request.step, found, confidence=confidence, raw=raw)
