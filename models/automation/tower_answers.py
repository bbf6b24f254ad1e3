"""Choice of an action from the two towers' logits: the likeliest kind, the likeliest element, the text out of the
words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from stepscope.core.domain.action import Action, LongPress, Tap, Type
from stepscope.core.domain.prediction import ActionAnswer, Candidate, Prediction
from stepscope.core.evaluation.predictor import StepRequest
from stepscope.models.automation.action_choice import action_on, placeless, sentence_of
from stepscope.models.automation.phrases import Phrases, extract
from stepscope.models.automation.screen import NO_ELEMENTS, malformed_prediction
from stepscope.models.automation.tower_elements import ElementFeatures
from stepscope.models.automation.tower_features import KINDS, ElementQuery, quoted_text
from stepscope.models.learned.recipe import Array, PreparedRequest

CANDIDATES = 5
_PLACED = (Tap.kind, LongPress.kind, Type.kind)
_FAR = -1e4

Chances = NDArray[np.float64]


def answer(draft: PreparedRequest, kinds: Array, elements: Array) -> Prediction:
    """`kinds` (19,) and `elements` (as padded,) are logits. The candidates of an action that has a place are elements,
    of any other kinds of action."""
    sought: ElementQuery = draft.rest
    request: StepRequest = draft.request
    chances = softmax(kinds)
    best = int(chances.argmax())
    kind = KINDS[best]
    if kind not in _PLACED:
        return _told(request, _by_kind(request, sought, chances), float(chances[best]), kind)
    text = typed_text(request) if kind == Type.kind else ""
    if not sought.elements:
        if kind == Type.kind:
            return _told(request, (Candidate(Type(text), 1.0),), float(chances[best]), kind)
        return malformed_prediction(request, NO_ELEMENTS, kind)
    own = softmax(_allowed(kind, sought.elements, elements[: len(sought.elements)]))
    order = np.argsort(-own, kind="stable")[:CANDIDATES]
    phrases = Phrases(kind, text=text)
    candidates = tuple(
        Candidate(action_on(sought.elements[place].element, phrases, request.observation), float(own[place]))
        for place in order
    )
    first = sought.elements[order[0]]
    raw = f"{kind} {chances[best]:.2f}; {first.words or first.names!r} {own[order[0]]:.2f}"
    return _told(request, candidates, float(chances[best] * own[order[0]]), raw)


def softmax(logits: Array) -> Chances:
    """Chances that sum to 1, in double precision, of logits (n,) with at least one entry."""
    exact = logits.astype(np.float64)
    raised = np.exp(exact - exact.max())
    found: Chances = raised / raised.sum()
    return found


def typed_text(request: StepRequest) -> str:
    """What is to be written: as the instruction or the goal's clause says it, else what stands in quotation marks,
    else the person's answer."""
    sentence = sentence_of(request)
    found = extract(sentence).text or quoted_text(sentence)
    if not found and request.reply is not None:
        found = request.reply[1].strip().rstrip(".!").removesuffix(", please")
    return found or quoted_text(request.goal)


def _allowed(kind: str, elements: Sequence[ElementFeatures], logits: Array) -> Array:
    """Text goes into fields, where there are any."""
    fields = np.array([one.element.editable for one in elements])
    return np.where(fields, logits, _FAR) if kind == Type.kind and fields.any() else logits


def _by_kind(request: StepRequest, sought: ElementQuery, chances: Chances) -> tuple[Candidate, ...]:
    """The likeliest kinds that need no element."""
    found = []
    for place in np.argsort(-chances, kind="stable"):
        action = _placeless(KINDS[place], request, sought)
        if action is not None:
            found.append(Candidate(action, float(chances[place])))
    return tuple(found[:CANDIDATES])


def _placeless(kind: str, request: StepRequest, sought: ElementQuery) -> Action | None:
    """The action of such a kind; None for one that needs an element."""
    verb, _, detail = kind.partition(" ")
    return placeless(Phrases(verb, text=sought.phrases.text or sought.place, detail=detail), request.observation)


def _told(request: StepRequest, candidates: tuple[Candidate, ...], confidence: float, raw: str) -> Prediction:
    found = ActionAnswer(candidates[0].action, candidates)
    return Prediction(request.episode, request.step, found, confidence=confidence, raw=raw)
