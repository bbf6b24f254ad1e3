"""Answers as JSON in the store, without loss: the wire form of the contract, and the sizes that its pixels refer to."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from stepscope.core.domain.affordance import AffordanceAnswer, affordance_from_json, affordance_to_json
from stepscope.core.domain.episode import FeasibilityLabel, InfeasibilityReason
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.domain.prediction import (
    ASKER_DOES,
    ActionAnswer,
    Answer,
    AskAnswer,
    Candidate,
    Evidence,
    FeasibilityAnswer,
    FieldsAnswer,
    GoalAnswer,
    OrderAnswer,
)
from stepscope.core.domain.walk import WalkAnswer
from stepscope.core.domain.walk_wire import sized_action_from_json, sized_action_to_json, walk_from_json, walk_to_json

_ENCODER = json.JSONEncoder(separators=(",", ":"))


def answer_to_text(answer: Answer | None) -> str | None:
    """The stored form of an answer, None for none."""
    return None if answer is None else compact(answer_to_json(answer))


def answer_from_text(text: str | None) -> Answer | None:
    """The answer that was stored. Raises ValueError when the text is not one."""
    return None if text is None else answer_from_json(json.loads(text))


def answer_to_json(answer: Answer) -> dict[str, Any]:
    """The answer under the name that imported predictions use for it, with `size` beside every action."""
    match answer:
        case ActionAnswer(action, candidates):
            form = sized_action_to_json(action)
            if candidates:
                form["candidates"] = [{**sized_action_to_json(c.action), "score": c.score} for c in candidates]
            return form
        case FeasibilityAnswer(label, score, curve, evidence, reason, question):
            form = {"feasibility": label.value, "score": score}
            if reason is not None:
                form["reason"] = reason.value
            if question:
                form["question"] = question
            if curve:
                form["curve"] = list(curve)
            if evidence:
                form["evidence"] = [_evidence_to_json(one) for one in evidence]
            return form
        case GoalAnswer(text):
            return {"goal": text}
        case OrderAnswer(order, before):
            return {"order": list(order), **({"before": [list(row) for row in before]} if before else {})}
        case AskAnswer(question, score):
            form = {"ask": question}
            if score is not None:
                form["score"] = score
            for name, field in ASKER_DOES.items():
                if (done := getattr(answer, field)) is not None:
                    form[name] = sized_action_to_json(done)
            return form
        case FieldsAnswer(fields, missing):
            form = {"fields": [list(pair) for pair in fields]}
            return {**form, "missing": list(missing)} if missing else form
        case WalkAnswer():
            return {"walk": walk_to_json(answer)}
        case AffordanceAnswer():
            return {"affordance": affordance_to_json(answer)}


def answer_from_json(form: Mapping[str, Any]) -> Answer:
    """The reverse of `answer_to_json`; raises ValueError for anything else."""
    if "action" in form:
        candidates = (Candidate(sized_action_from_json(c), c["score"]) for c in form.get("candidates", ()))
        return ActionAnswer(sized_action_from_json(form), tuple(candidates))
    if "feasibility" in form:
        evidence = tuple(_evidence_from_json(one) for one in form.get("evidence", ()))
        curve = tuple(form.get("curve", ()))
        label, reason = FeasibilityLabel(form["feasibility"]), form.get("reason")
        told = None if reason is None else InfeasibilityReason(reason)
        return FeasibilityAnswer(label, form["score"], curve, evidence, told, form.get("question", ""))
    if "goal" in form:
        return GoalAnswer(form["goal"])
    if "order" in form:
        return OrderAnswer(tuple(form["order"]), tuple(tuple(row) for row in form.get("before", ())))
    if "ask" in form:
        done = {field: sized_action_from_json(form[name]) for name, field in ASKER_DOES.items() if name in form}
        return AskAnswer(form["ask"], form.get("score"), **done)
    if "fields" in form:
        return FieldsAnswer(tuple((name, value) for name, value in form["fields"]), tuple(form.get("missing", ())))
    if "walk" in form:
        return walk_from_json(form["walk"])
    if "affordance" in form:
        return affordance_from_json(form["affordance"])
    raise ValueError("this is no stored answer")


def _evidence_to_json(one: Evidence) -> list[Any]:
    if one.box is None:
        return [one.step, one.weight, one.text, None]
    box, size = one.box, one.box.size
    return [one.step, one.weight, one.text, [box.left, box.top, box.right, box.bottom, size.width, size.height]]


def _evidence_from_json(form: Sequence[Any]) -> Evidence:
    step, weight, text, place = form
    if place is None:
        return Evidence(step, weight, text)
    left, top, right, bottom, width, height = place
    return Evidence(step, weight, text, Box(left, top, right, bottom, Size(width, height)))


def compact(value: object) -> str:
    """JSON without spaces."""
    return _ENCODER.encode(value)


def options_to_text(options: Sequence[tuple[str, str]]) -> str:
    """Options in one spelling, whatever order they were given in: equal options are equal text."""
    return compact(dict(sorted(options)))


def options_from_text(text: str) -> tuple[tuple[str, str], ...]:
    return tuple(json.loads(text).items())
