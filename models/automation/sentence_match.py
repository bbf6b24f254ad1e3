"""`sentence-match`: phrases by a grammar, grounding by the likeness of sentences' meaning.

The place that the instruction names and the words of every clickable element become vectors of a sentence model; the
element at the smallest angle is acted on. The model was trained on pairs of sentences from the web, never on screens:
this is a zero-shot use of it. Source: the two stages are those of Seq2Act (MoTIF, section 5.1, paper); that a general
sentence model grounds the place, and all rules, are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from stepscope.core.domain.action import Action, Type
from stepscope.core.domain.elements import UIElement
from stepscope.core.domain.episode import Observation
from stepscope.core.domain.prediction import ActionAnswer, Candidate, Prediction
from stepscope.core.evaluation.predictor import ModelInfo, StepRequest
from stepscope.core.frozen import dataclass
from stepscope.models.automation.action_choice import action_on, placeless, sentence_of
from stepscope.models.automation.phrases import Phrases, extract
from stepscope.models.automation.screen import NO_ELEMENTS, malformed_prediction, usable_elements
from stepscope.models.catalog import SENTENCE_MATCH

CANDIDATES = 5
BATCH_SIZE = 32
MOST_WORDS = 32
"""An element is described by so many words at most: more is a page, not a name."""

NO_WORDS = "no element on the screen has words"


class Encoder(Protocol):
    """A sentence model as it is needed here; see `models.encoders.sentences`."""

    @property
    def name(self) -> str: ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]: ...


@dataclass(frozen=True, slots=True)
class PreparedMatch:
    """A request made ready: `fixed` is the answer of a verb that needs no element, else each of `elements` has its
    words in `texts`, and `sought` are those to compare them with."""

    request: StepRequest
    phrases: Phrases
    fixed: Action | None = None
    sought: str = ""
    elements: tuple[UIElement, ...] = ()
    texts: tuple[str, ...] = ()


class SentenceMatch:
    """A `BatchPredictor`: each distinct text of a batch is embedded once. The answer depends on the request and the
    sentence model only, not on what else is in the batch."""

    def __init__(self, *, seed: int = 0, device: str = "auto", encoder: Encoder | None = None) -> None:
        """`encoder` None: the packaged sentence model. Raises UnavailableError where it is not installed, UserError
        when it cannot be loaded. The seed does not matter."""
        if encoder is None:
            from stepscope.models.encoders.sentences import load

            encoder = load(device=device)
        self.info: ModelInfo = replace(SENTENCE_MATCH, weights="present")
        self.batch_size = BATCH_SIZE
        self.fingerprint = f"{self.info.name} {self.info.version}; {encoder.name}"
        self._encoder: Encoder | None = encoder

    def predict(self, request: StepRequest) -> Prediction:
        return self.predict_batch([self.prepare(request)])[0]

    def prepare(self, request: StepRequest) -> PreparedMatch:
        sentence = sentence_of(request)
        phrases = extract(sentence)
        fixed = placeless(phrases, request.observation)
        if fixed is not None:
            return PreparedMatch(request, phrases, fixed)
        pool = [(element, text) for element in _pool(phrases, request.observation)
                if (text := element_words(element, request.observation))]  # fmt: skip
        sought = phrases.place or sentence
        return PreparedMatch(
            request, phrases, None, sought, tuple(one for one, _ in pool), tuple(text for _, text in pool)
        )

    def predict_batch(self, prepared: Sequence[PreparedMatch]) -> Sequence[Prediction]:
        """One call of the sentence model for all texts. Raises OutOfMemory when they are too many for the device."""
        texts = dict.fromkeys(text for one in prepared if one.texts for text in (one.sought, *one.texts))
        place_of = {text: place for place, text in enumerate(texts)}
        vectors = self._embed(list(texts))
        answers = []
        for one in prepared:
            rows = [place_of[text] for text in one.texts]
            cosines = vectors[rows] @ vectors[place_of[one.sought]] if rows else np.empty(0, dtype=np.float32)
            answers.append(_answer(one, cosines))
        return answers

    def warm_up(self) -> None:
        self._embed(["Tap the button"])

    def close(self) -> None:
        self._encoder = None

    def _embed(self, texts: list[str]) -> NDArray[np.float32]:
        if self._encoder is None:
            raise RuntimeError("the model was closed")
        return self._encoder.embed(texts)


def _pool(phrases: Phrases, seen: Observation) -> list[UIElement]:
    """The elements that the verb can be meant for: to type into, editable ones where there are any; else clickable
    ones; else all."""
    elements = list(usable_elements(seen))
    if phrases.verb == Type.kind:
        editable = [element for element in elements if element.editable]
        if editable:
            return editable
    return [element for element in elements if element.clickable] or elements


def element_words(element: UIElement, seen: Observation) -> str:
    """The words of an element: its own text or description, else those of what lies in it, else its id in words; ""
    where there are none."""
    own = element.text or element.content_description
    if not own and seen.tree is not None:
        inside = [seen.tree.elements[child] for child in seen.tree.children[element.index]]
        words: list[str] = []
        while inside and len(words) < MOST_WORDS:
            first = inside.pop(0)
            if first.visible:
                words += (first.text or first.content_description).split()
                inside[:0] = [seen.tree.elements[child] for child in seen.tree.children[first.index]]
        own = " ".join(words)
    return " ".join((own or element.label).split()[:MOST_WORDS])


def _answer(one: PreparedMatch, cosines: NDArray[np.float32]) -> Prediction:
    """`cosines` has one entry for each element."""
    request, phrases, seen = one.request, one.phrases, one.request.observation
    if one.fixed is not None:
        return _told(request, (Candidate(one.fixed, 1.0),), 1.0, str(phrases))
    if not one.elements:
        if phrases.verb == Type.kind and not phrases.place:
            return _told(request, (Candidate(Type(phrases.text), 1.0),), 1.0, str(phrases))
        return malformed_prediction(request, NO_WORDS if usable_elements(seen) else NO_ELEMENTS, str(phrases))
    # Equal ones: the smaller element, then the earlier.
    order = sorted(range(len(cosines)), key=lambda at: (-cosines[at], one.elements[at].box.area, at))[:CANDIDATES]
    candidates = tuple(Candidate(action_on(one.elements[at], phrases, seen), float(cosines[at])) for at in order)
    best = candidates[0].score
    raw = f"{phrases}; {one.texts[order[0]]!r} is like {one.sought!r} by {best:.2f}"
    return _told(request, candidates, min(1.0, max(0.0, best)), raw)


def _told(request: StepRequest, candidates: tuple[Candidate, ...], confidence: float, raw: str) -> Prediction:
    answer = ActionAnswer(candidates[0].action, candidates)
    return Prediction(request.episode, request.step, answer, confidence=confidence, raw=raw)
