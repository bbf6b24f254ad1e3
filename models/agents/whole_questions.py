"""Questions about a whole episode or procedure that any model behind a server can be asked: is the goal feasible, in
which order do the steps belong. (What the goal was is in `models.goal.asking`.) Words and answers' form are ours; the
tasks are those of MoTIF (section 4) and of multimodal sequencing (Wu et al. 2022).
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from typing import Any

from stepscope.core.domain.episode import FeasibilityLabel, InfeasibilityReason, Picture
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.prediction import FeasibilityAnswer, OrderAnswer, Prediction, PredictionStatus
from stepscope.core.evaluation.predictor import EpisodeRequest, OrderRequest
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.decode import decode
from stepscope.core.imaging.draw import encode_jpeg
from stepscope.core.imaging.resampling import fitted, resized
from stepscope.models.agents.calls import objects
from stepscope.models.chat.answers import spoken_text
from stepscope.models.chat.trajectory import USUAL, trajectory

FEASIBILITY_VERSION, ORDER_VERSION = "feasibility-3", "order-1"
STEP_SIDE = 512
"""Longest side of a procedure's picture as it is sent, in pixels (ours)."""

_FEASIBILITY = (
    "You are told a goal that somebody has in an app or on a web site, and what was done there to reach it, step by "
    "step. {seen} Say whether the goal can be reached in this app at all, as far as this shows it; that the way ends "
    "early says nothing by itself. Answer with one JSON object and nothing else: "
    '{{"feasible": true or false, "probability": how probable it is from 0 to 1 that it CANNOT be reached, '
    '"kind": of a goal that cannot be reached "impossible" (the app cannot do it), "unclear" (it is not clear what is '
    'meant) or "premature" (something else is needed first), else null, "question": what you would ask the person '
    'then, else null, "reason": "one sentence"}}'
)
_KINDS = {one.value: one for one in InfeasibilityReason}
_ORDER = (
    "You are given the steps of a procedure in a wrong order, each with its number. Put them into the order in which "
    "they are done. Answer with one JSON object and nothing else, which names every number once: "
    '{"order": [the numbers in the right order]}'
)


@dataclass(frozen=True, slots=True)
class WholeQuestion:
    """`messages` None: there is nothing to ask about. `steps`: whose drawn screens the pictures are, where they are
    those of a trajectory; None of a picture that is kept as it was sent. `why` there is nothing to ask about.
    `screens`: the same where the pictures are cut otherwise than usual too; none where that is not told."""

    name: str
    messages: list[dict[str, Any]] | None
    read: Callable[[str], Prediction]
    steps: tuple[int | None, ...] = ()
    why: str = "The trajectory has no steps."
    screens: tuple[int | None, ...] = ()


def feasibility_question(request: EpisodeRequest, *, pictures: bool) -> WholeQuestion:
    """Raises SourceError for a picture that cannot be read."""
    told = trajectory(request, USUAL if pictures else USUAL.blind, in_words=True)
    lead: dict[str, Any] = {"type": "text", "text": f"Goal: {request.goal}"}
    if told is None:
        messages: list[dict[str, Any]] | None = None
    else:
        parts: list[dict[str, Any]] = [lead, *told.parts]
        parts.append({"type": "text", "text": "Can the goal be reached? One JSON object."})
        messages = told.messages(_FEASIBILITY.format(seen=told.seen), parts)
    steps = () if told is None else told.steps
    return WholeQuestion(request.episode, messages, lambda text: _feasibility(request.episode, text), steps)


def order_question(request: OrderRequest, *, pictures: bool) -> WholeQuestion:
    """Raises SourceError for a picture that cannot be read."""
    parts: list[dict[str, Any]] = [{"type": "text", "text": f"Procedure: {request.goal}"}]
    for step in request.steps:
        words = " ".join(filter(None, (step.title, step.text)))
        parts.append({"type": "text", "text": f"Number {step.id}: {words}".rstrip()})
        parts += [_picture(one) for one in step.pictures[:1]] if pictures else []
    has_pictures = any(part["type"] == "image_url" for part in parts)
    content: Any = parts if has_pictures else "\n".join(part["text"] for part in parts)
    messages = [{"role": "system", "content": _ORDER}, {"role": "user", "content": content}]
    ids = [step.id for step in request.steps]
    return WholeQuestion(request.procedure, messages, lambda text: _order(request.procedure, ids, text))


def _picture(picture: Picture) -> dict[str, Any]:
    pixels = decode(picture)
    size = fitted(Size(pixels.shape[1], pixels.shape[0]), Size(STEP_SIDE, STEP_SIDE))
    data = base64.b64encode(encode_jpeg(resized(pixels, size))).decode()
    return {"type": "image_url", "image_url": {"url": f"data:image/jpeg;base64,{data}"}}


def _feasibility(episode: str, text: str) -> Prediction:
    form = _object_with(text, "feasible")
    if form is None or not isinstance(form["feasible"], bool):
        return _malformed(episode, text, 'the answer has no object with "feasible": true or false')
    label = FeasibilityLabel.FEASIBLE if form["feasible"] else FeasibilityLabel.INFEASIBLE
    score = form.get("probability")
    if score is not None and (not isinstance(score, int | float) or isinstance(score, bool) or not 0 <= score <= 1):
        return _malformed(episode, text, f"the probability {str(score)[:40]!r} is none")
    sure = None if score is None else max(float(score), 1 - float(score))
    told = label is FeasibilityLabel.INFEASIBLE
    kind = _KINDS.get(str(form.get("kind")).casefold()) if told else None  # of another word nothing is known
    question = form.get("question")
    asked = " ".join(question.split()) if told and isinstance(question, str) else ""
    answer = FeasibilityAnswer(label, None if score is None else float(score), reason=kind, question=asked)
    return Prediction(episode, None, answer, confidence=sure, raw=text)


def _order(procedure: str, ids: Sequence[str], text: str) -> Prediction:
    form = _object_with(text, "order")
    found = form["order"] if form is not None else None
    if not isinstance(found, list):
        return _malformed(procedure, text, 'the answer has no object with an "order"')
    order = [str(one) for one in found]
    if sorted(order) != sorted(ids):
        lacking = [one for one in ids if one not in order]
        twice = [one for one in dict.fromkeys(order) if order.count(one) > 1]
        what = (
            f"leaves out {', '.join(lacking)}" if lacking else f"names {', '.join(twice)} twice" if twice
            else "names what was not shown"
        )  # fmt: skip
        return _malformed(procedure, text, f"the order {what}")
    return Prediction(procedure, None, OrderAnswer(tuple(order)), raw=text)


def _object_with(text: str, key: str) -> dict[str, Any] | None:
    """The last object of the answer that has the key; thoughts are passed over."""
    found = [form for form, _ in objects(spoken_text(text)) if key in form]
    return found[-1] if found else None


def _malformed(name: str, text: str, why: str) -> Prediction:
    return Prediction(name, None, None, PredictionStatus.MALFORMED, raw=text, why=f"{why[:1].upper()}{why[1:]}.")
