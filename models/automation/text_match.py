"""`text-match`: phrases by a grammar, grounding by shared words. No weights, no picture.

Source: the two stages are those of Seq2Act (MoTIF, section 5.1, paper); rules and numbers are ours (`phrases`,
`grounding`). It shares the failure that the paper found: words of the instruction draw the tap, whatever they mean.
"""

from __future__ import annotations

from stepscope.core.domain.action import Type
from stepscope.core.domain.elements import UIElement
from stepscope.core.domain.episode import Observation
from stepscope.core.domain.prediction import ActionAnswer, Candidate, Prediction
from stepscope.core.evaluation.predictor import ModelInfo, StepRequest
from stepscope.core.frozen import dataclass
from stepscope.models.automation.action_choice import action_on, placeless, sentence_of
from stepscope.models.automation.grounding import (
    AREA_PENALTY,
    CLICKABLE_BONUS,
    EDITABLE_BONUS,
    WordSimilarity,
    likeness,
    tokens,
)
from stepscope.models.automation.phrases import Phrases, extract
from stepscope.models.automation.screen import NO_ELEMENTS, malformed_prediction, shown_box, usable_elements
from stepscope.models.catalog import TEXT_MATCH

CANDIDATES = 5


@dataclass(frozen=True, slots=True)
class RankedElement:
    """An element with its likeness to the place and the score that ranks it."""

    element: UIElement
    likeness: WordSimilarity
    score: float


class TextMatch:
    """Pure: the answer depends on the request only."""

    info: ModelInfo = TEXT_MATCH

    def __init__(self, *, seed: int = 0, device: str = "auto") -> None:
        """Seed and device are taken as every model takes them; neither matters here."""

    def predict(self, request: StepRequest) -> Prediction:
        phrases = extract(sentence_of(request))
        fixed = placeless(phrases, request.observation)
        if fixed is not None:
            return _answer(request, (Candidate(fixed, 1.0),), 1.0, str(phrases))
        ranked = rank(phrases, request.observation)
        if not ranked:
            if phrases.verb == Type.kind and not phrases.place:
                return _answer(request, (Candidate(Type(phrases.text), 1.0),), 1.0, str(phrases))
            return malformed_prediction(request, NO_ELEMENTS, str(phrases))
        best = ranked[0]
        candidates = tuple(Candidate(action_on(each.element, phrases, request.observation), each.score)
                           for each in ranked[:CANDIDATES])  # fmt: skip
        confidence = min(1.0, best.likeness.score)
        return _answer(request, candidates, confidence, f"{phrases}; {_why(best)}")


def rank(phrases: Phrases, seen: Observation) -> list[RankedElement]:
    """All usable elements, best first; equal ones by area, then in tree order.

    Where no element shares a word with the place, the first clickable one (for typing: the focused or first editable
    one) leads by its bonus alone: the answer then is a guess, and says so.
    """
    place = tokens(phrases.place)
    typing = phrases.verb == Type.kind
    found = [_ranked(element, place, typing, seen) for element in usable_elements(seen)]
    if any(each.likeness.words for each in found):
        return sorted(found, key=lambda each: (-each.score, each.element.box.area, each.element.index))
    return sorted(found, key=lambda each: (-_guess(each.element, typing), each.element.index))


def _ranked(element: UIElement, place: tuple[str, ...], typing: bool, seen: Observation) -> RankedElement:
    alike = likeness(place, element)
    box = shown_box(element, seen)
    share = box.area / (seen.size.width * seen.size.height) if box else 1.0
    score = alike.score + CLICKABLE_BONUS * _clickable(element, seen) - AREA_PENALTY * share
    return RankedElement(element, alike, score + EDITABLE_BONUS * (typing and element.editable))


def _clickable(element: UIElement, seen: Observation) -> float:
    """1 when the element takes a tap itself, a half when its row does (an ancestor under half the screen)."""
    if element.clickable:
        return 1.0
    if seen.tree is None:
        return 0.0
    limit = seen.tree.size.width * seen.tree.size.height / 2
    return 0.5 * any(a.clickable and a.box.area < limit for a in seen.tree.ancestors(element.index))


def _guess(element: UIElement, typing: bool) -> int:
    return (4 * element.focused + 2) * (typing and element.editable) + element.clickable


def _why(best: RankedElement) -> str:
    name = best.element.label or best.element.short_class or f"element {best.element.index}"
    if best.likeness.words:
        return f"{name!r} shares {', '.join(best.likeness.words)} ({best.likeness.score:.2f})"
    return f"no element shares a word with the place; guessed {name!r}"


def _answer(request: StepRequest, candidates: tuple[Candidate, ...], confidence: float, raw: str) -> Prediction:
    answer = ActionAnswer(candidates[0].action, candidates)
    return Prediction(request.episode, request.step, answer, confidence=confidence, raw=raw)
