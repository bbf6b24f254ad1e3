"""What a network's numbers mean: the manifest's readings, of a closed list, made into predictions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from stepscope.core.domain.action import Target
from stepscope.core.domain.episode import FeasibilityLabel
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.prediction import (
    ActionAnswer,
    AskAnswer,
    Candidate,
    FeasibilityAnswer,
    OrderAnswer,
    Prediction,
    PredictionStatus,
    Task,
)
from stepscope.core.errors import UserError
from stepscope.core.evaluation.predictor import OrderRequest, StepRequest, place_of
from stepscope.models.automation.tower_answers import typed_text
from stepscope.models.ordering.search import best_order
from stepscope.models.own.action_words import action_of_word, needs_place, placed_action
from stepscope.models.own.manifest import Manifest, Output, ScreenInput
from stepscope.models.own.request_rows import PreparedRows, RequestRow
from stepscope.models.own.screen_input import place_on_screen

CANDIDATES = 5
_TOLD = 8
"""Numbers of an output that stand in the raw answer."""

Numbers = NDArray[np.float64]


def answered(prepared: PreparedRows, outputs: Sequence[Numbers], manifest: Manifest) -> Prediction:
    """The prediction of a request. `outputs` in the manifest's order, each with an entry for every row of `prepared`.

    Raises UserError for shapes that the manifest's readings do not fit; numbers that are none (NaN, infinite) make a
    malformed prediction.
    """
    if prepared.why:
        return _malformed(prepared, prepared.why, "")
    raw = "; ".join(f"{one.name} {_told(found)}" for one, found in zip(manifest.outputs, outputs, strict=True))
    for one, found in zip(manifest.outputs, outputs, strict=True):
        if not np.isfinite(found).all():
            return _malformed(prepared, f"the output {one.name} has numbers that are none (NaN or infinite)", raw)
    match manifest.task:
        case Task.FEASIBILITY:
            return _feasibility(prepared, outputs, manifest, raw)
        case Task.ASK:
            return _ask(prepared, outputs, manifest, raw)
        case Task.ORDERING:
            return _order(prepared, outputs, manifest, raw)
        case _:
            return _action(prepared, outputs, manifest, raw)


# Chances ------------------------------------------------------------------------------------------------------------


def _feasibility(prepared: PreparedRows, outputs: Sequence[Numbers], manifest: Manifest, raw: str) -> Prediction:
    chance = _chance(manifest.outputs[0], outputs[0][0])
    if chance is None:
        return _malformed(prepared, _NO_CHANCE, raw)
    label = FeasibilityLabel.INFEASIBLE if chance >= manifest.threshold else FeasibilityLabel.FEASIBLE
    episode, step = place_of(prepared.request)
    confidence = max(chance, 1 - chance)
    return Prediction(episode, step, FeasibilityAnswer(label, chance), confidence=confidence, raw=raw)


def _ask(prepared: PreparedRows, outputs: Sequence[Numbers], manifest: Manifest, raw: str) -> Prediction:
    chance = _chance(manifest.outputs[0], outputs[0][0])
    if chance is None:
        return _malformed(prepared, _NO_CHANCE, raw)
    question = manifest.question if chance >= manifest.threshold else None
    episode, step = place_of(prepared.request)
    return Prediction(episode, step, AskAnswer(question, chance), confidence=max(chance, 1 - chance), raw=raw)


_NO_CHANCE = "the output is no probability: it is not within 0 and 1"


def _chance(output: Output, numbers: Numbers) -> float | None:
    """The chance of what the output means, None where the number is no chance. Raises UserError for the shape."""
    row = numbers.reshape(-1)
    wanted = len(output.labels) if output.reading in ("probabilities", "logits") else 1
    if len(row) != wanted:
        raise _shape(output, numbers, f"{wanted} numbers" if wanted > 1 else "one number")
    if output.reading in ("probabilities", "logits"):
        chances = _softmax(row) if output.reading == "logits" else row
        found = float(chances[output.labels.index(output.positive)])
    else:
        found = float(_sigmoid(row)[0] if output.reading == "logit" else row[0])
        found = 1 - found if output.inverse else found
    return min(max(found, 0.0), 1.0) if -1e-3 <= found <= 1 + 1e-3 else None


# Actions ------------------------------------------------------------------------------------------------------------


def _action(prepared: PreparedRows, outputs: Sequence[Numbers], manifest: Manifest, raw: str) -> Prediction:
    request, row = prepared.request, prepared.rows[0]
    assert isinstance(request, StepRequest)
    numbers = {one.means: (one, found[0]) for one, found in zip(manifest.outputs, outputs, strict=True)}
    word, confidence = "tap", None
    if "kind" in numbers:
        output, found = numbers["kind"]
        chances = _over(output, found)
        best = int(chances.argmax())
        word, confidence = output.labels[best], float(chances[best])
        action = action_of_word(word)
        if action is not None:
            answer = ActionAnswer(action, (Candidate(action, confidence),))
            return Prediction(request.episode, request.step, answer, confidence=_in_unit(confidence), raw=raw)
    if not needs_place(word) or len(numbers) == ("kind" in numbers):
        return _malformed(prepared, f"the model names the kind {word!r} and no place for it", raw)
    text = typed_text(request) if word == "type" else ""
    places = _scored_places(row, numbers, manifest)
    candidates = tuple(Candidate(placed_action(word, one, target, text), score) for one, target, score in places)
    answer = ActionAnswer(candidates[0].action, candidates)
    sure = None if confidence is None else _in_unit(confidence)
    return Prediction(request.episode, request.step, answer, confidence=sure, raw=raw)


def _scored_places(
    row: RequestRow, numbers: dict[str, tuple[Output, Numbers]], manifest: Manifest
) -> list[tuple[Point, Target | None, float]]:
    """The places that the model names, the likeliest first; those of elements with their scores."""
    seen = row.observation
    assert seen is not None
    if "element" in numbers:
        output, scores = numbers["element"][0], numbers["element"][1].reshape(-1)
        if manifest.elements is None or len(scores) != manifest.elements.count:
            raise _shape(output, numbers["element"][1], "one number for each element")
        order = np.argsort(-scores[: len(row.elements)], kind="stable")[:CANDIDATES]
        return [
            (box.centre, Target(box, element.label, element.resource_id or None), float(scores[place]))
            for place in order
            for element, box in (row.elements[place],)
        ]
    means = "point" if "point" in numbers else "box"
    point = _place(*numbers[means], manifest.screen, seen.size)
    element = seen.tree.target_at(point) if seen.tree is not None else None
    target = None
    if element is not None:
        target = Target(element.box.rescaled(seen.size), element.label, element.resource_id or None)
    return [(point, target, 1.0)]


def _place(output: Output, numbers: Numbers, sent: ScreenInput | None, screen: Size) -> Point:
    """The place on the screenshot: of a box its middle. Without a picture that is sent it is counted on the screen."""
    row = numbers.reshape(-1)
    wanted = 2 if output.means == "point" else 4
    if len(row) != wanted:
        raise _shape(output, numbers, f"{wanted} numbers")
    x, y = float(row[0]), float(row[1])
    if wanted == 4 and output.boxes == "corners":
        x, y = (x + float(row[2])) / 2, (y + float(row[3])) / 2
    if output.reading == "pixels":
        return Point(x, y, screen) if sent is None else place_on_screen(x, y, sent, screen)
    whole = 1000 if output.reading == "thousandths" else 1
    if sent is None:
        return Point.from_fraction(x / whole, y / whole, screen)
    return place_on_screen(x / whole * sent.width, y / whole * sent.height, sent, screen)


def _over(output: Output, numbers: Numbers) -> Numbers:
    """Chances over the output's labels."""
    row = numbers.reshape(-1)
    if len(row) != len(output.labels):
        raise _shape(output, numbers, f"{len(output.labels)} numbers, one for each label")
    return _softmax(row) if output.reading == "logits" else row


# Orders -------------------------------------------------------------------------------------------------------------


def _order(prepared: PreparedRows, outputs: Sequence[Numbers], manifest: Manifest, raw: str) -> Prediction:
    request, output = prepared.request, manifest.outputs[0]
    assert isinstance(request, OrderRequest)
    count, numbers = len(request.steps), outputs[0]
    rows = numbers.reshape(len(numbers), -1)
    if rows.shape[1] != 1:
        raise _shape(output, numbers[0], "one number")
    ids = [step.id for step in request.steps]
    if output.means == "place":
        scores = rows[:, 0] if output.reading == "smallest first" else -rows[:, 0]
        order = np.argsort(scores, kind="stable")
        return Prediction(request.procedure, None, OrderAnswer(tuple(ids[one] for one in order)), raw=raw)
    chances = _sigmoid(rows[:, 0]) if output.reading == "logit" else rows[:, 0]
    if chances.min(initial=0) < 0 or chances.max(initial=0) > 1:
        return _malformed(prepared, _NO_CHANCE, raw)
    before = np.zeros((count, count))
    before[~np.eye(count, dtype=bool)] = chances
    # Either way of asking about a pair tells of it: half of each.
    agreed = (before + 1 - before.T) / 2
    np.fill_diagonal(agreed, 0)
    found = best_order(agreed, np.zeros((count + 1, count)), 1.0)
    table = tuple(tuple(float(agreed[one, other]) for other in found) for one in found)
    return Prediction(request.procedure, None, OrderAnswer(tuple(ids[one] for one in found), table), raw=raw)


# Parts --------------------------------------------------------------------------------------------------------------


def _malformed(prepared: PreparedRows, why: str, raw: str) -> Prediction:
    episode, step = place_of(prepared.request)
    return Prediction(episode, step, None, PredictionStatus.MALFORMED, raw=raw, why=why)


def _shape(output: Output, numbers: Numbers, wanted: str) -> UserError:
    return UserError(
        f"the output {output.name} has the shape {list(numbers.shape)} a row, and {output.reading} wants {wanted}.",
        hint="Say in the manifest what this output is.",
    )


def _softmax(logits: Numbers) -> Numbers:
    raised = np.exp(logits - logits.max())
    found: Numbers = raised / raised.sum()
    return found


def _sigmoid(logits: Numbers) -> Numbers:
    found: Numbers = 1 / (1 + np.exp(-np.clip(logits, -500, 500)))
    return found


def _in_unit(number: float) -> float:
    return min(max(number, 0.0), 1.0)


def _told(numbers: Numbers) -> str:
    row = numbers.reshape(-1)
    more = f" … ({len(row):,} numbers)" if len(row) > _TOLD else ""
    return " ".join(f"{one:.6g}" for one in row[:_TOLD]) + more
