"""Answers as JSON in the store, without loss: the wire form of the contract, and the sizes that its pixels refer to."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from stepscope.core.domain.action import Action, Target, action_end, action_point, action_target
from stepscope.core.domain.episode import FeasibilityLabel
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.domain.prediction import (
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
from stepscope.core.domain.wire import action_from_json, action_to_json

_ENCODER = json.JSONEncoder(separators=(",", ":"))

_NO_SIZE = Size(1, 1)
"""Stands in for actions without a place, which refer to no size."""


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
        case FeasibilityAnswer(label, score, curve, evidence):
            form = {"feasibility": label.value, "score": score}
            if curve:
                form["curve"] = list(curve)
            if evidence:
                form["evidence"] = [_evidence_to_json(one) for one in evidence]
            return form
        case GoalAnswer(text):
            return {"goal": text}
        case OrderAnswer(order, before):
            return {"order": list(order), **({"before": [list(row) for row in before]} if before else {})}
        case AskAnswer(question, score, action, after):
            form = {"ask": question}
            if score is not None:
                form["score"] = score
            for name, done in (("does", action), ("does_after", after)):
                if done is not None:
                    form[name] = sized_action_to_json(done)
            return form
        case FieldsAnswer(fields, missing):
            form = {"fields": [list(pair) for pair in fields]}
            return {**form, "missing": list(missing)} if missing else form


def answer_from_json(form: Mapping[str, Any]) -> Answer:
    """The reverse of `answer_to_json`; raises ValueError for anything else."""
    if "action" in form:
        candidates = (Candidate(sized_action_from_json(c), c["score"]) for c in form.get("candidates", ()))
        return ActionAnswer(sized_action_from_json(form), tuple(candidates))
    if "feasibility" in form:
        evidence = tuple(_evidence_from_json(one) for one in form.get("evidence", ()))
        curve = tuple(form.get("curve", ()))
        return FeasibilityAnswer(FeasibilityLabel(form["feasibility"]), form["score"], curve, evidence)
    if "goal" in form:
        return GoalAnswer(form["goal"])
    if "order" in form:
        return OrderAnswer(tuple(form["order"]), tuple(tuple(row) for row in form.get("before", ())))
    if "ask" in form:
        done = (sized_action_from_json(form[name]) if name in form else None for name in ("does", "does_after"))
        return AskAnswer(form["ask"], form.get("score"), *done)
    if "fields" in form:
        return FieldsAnswer(tuple((name, value) for name, value in form["fields"]), tuple(form.get("missing", ())))
    raise ValueError("this is no stored answer")


def _evidence_to_json(one: Evidence) -> list[Any]:
    box = one.box and [one.box.left, one.box.top, one.box.right, one.box.bottom, *_pair(one.box.size)]
    return [one.step, one.weight, one.text, box]


def _evidence_from_json(form: Sequence[Any]) -> Evidence:
    step, weight, text, place = form
    if place is None:
        return Evidence(step, weight, text)
    left, top, right, bottom, width, height = place
    return Evidence(step, weight, text, Box(left, top, right, bottom, Size(width, height)))


def sized_action_to_json(action: Action) -> dict[str, Any]:
    """`{"action": wire form, "size": [w, h] or null}`; `sizes` names the places that refer to another size."""
    sizes = _sizes(action)
    if not sizes:
        return {"action": action_to_json(action), "size": None}
    main = next(iter(sizes.values()))
    form: dict[str, Any] = {"action": action_to_json(action), "size": _pair(main)}
    others = {name: _pair(size) for name, size in sizes.items() if size != main}
    return {**form, "sizes": others} if others else form


def sized_action_from_json(form: Mapping[str, Any]) -> Action:
    """The reverse of `sized_action_to_json`."""
    size = Size(*form["size"]) if form["size"] else _NO_SIZE
    action = action_from_json(form["action"], size)
    for name, other in form.get("sizes", {}).items():
        action = _resized(action, name, Size(*other))
    return action


def compact(value: object) -> str:
    """JSON without spaces."""
    return _ENCODER.encode(value)


def options_to_text(options: Sequence[tuple[str, str]]) -> str:
    """Options in one spelling, whatever order they were given in: equal options are equal text."""
    return compact(dict(sorted(options)))


def options_from_text(text: str) -> tuple[tuple[str, str], ...]:
    return tuple(json.loads(text).items())


def _pair(size: Size) -> list[int]:
    return [size.width, size.height]


def _sizes(action: Action) -> dict[str, Size]:
    places = {"point": action_point(action), "to": action_end(action)}
    sizes = {name: place.size for name, place in places.items() if place}
    target = action_target(action)
    return {**sizes, "target": target.box.size} if target and target.box else sizes


def _resized(action: Action, place: str, size: Size) -> Action:
    """The action with one place's numbers referring to another size."""
    value = getattr(action, place)
    if isinstance(value, Target):
        if value.box is None:
            return action
        return _with(action, place, replace(value, box=replace(value.box, size=size)))
    return _with(action, place, replace(value, size=size))


def _with(action: Action, field: str, value: object) -> Action:
    changes: dict[str, Any] = {field: value}
    return replace(action, **changes)
