"""Ambiguous tasks and their reviews as JSON: in the store, for programs, and back. Everything that is read raises
ValueError with the field and what is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC
from typing import Any

from stepscope.core.domain.ambiguous_task import (
    LONGEST_TASK_TEXT,
    AmbiguousTask,
    AskReview,
    Cut,
    MissingPiece,
    PieceEdit,
    PieceKind,
    StepReading,
    StepRole,
)
from stepscope.core.domain.episode import STEP_INDEX, is_step_index


def ambiguous_task_to_json(task: AmbiguousTask) -> dict[str, Any]:
    """The JSON form, without the source: where the data lies is another matter on another machine."""
    return {
        "id": task.id,
        "episode_id": task.slot.episode,
        "made_by": task.slot.made_by,
        "removed": task.slot.removed,
        "version": task.version,
        "app": task.app,
        "original_task": task.original,
        "ambiguous_task": task.goal,
        "pieces": [_piece_form(piece) for piece in task.pieces],
        "steps": [_reading_form(reading) for reading in task.readings],
        "failed": list(task.failed),
        "made": task.made.astimezone(UTC).isoformat(),
    }


def ask_review_to_json(review: AskReview) -> dict[str, Any]:
    """Likewise."""
    return {
        "id": review.slot.id,
        "episode_id": review.slot.episode,
        "made_by": review.slot.made_by,
        "removed": review.slot.removed,
        "reviewer": review.reviewer,
        "verdict": review.verdict.value,
        "goal": review.goal,
        "pieces": [piece._asdict() for piece in review.pieces],
        "note": review.note,
        "wording": review.wording,
        "seconds": round(review.seconds, 3),
        "made": review.made.astimezone(UTC).isoformat(),
    }


def pieces_to_text(pieces: Iterable[MissingPiece]) -> str:
    """As a store keeps them."""
    return _text([_piece_form(piece) for piece in pieces])


def pieces_from_text(text: str) -> tuple[MissingPiece, ...]:
    """The reverse; raises ValueError for anything else."""
    return tuple(_piece(form) for form in _objects(text, "pieces"))


def readings_to_text(readings: Iterable[StepReading]) -> str:
    """As a store keeps them."""
    return _text([_reading_form(reading) for reading in readings])


def readings_from_text(text: str) -> tuple[StepReading, ...]:
    """The reverse; raises ValueError for anything else."""
    return tuple(
        StepReading(_step(form), _words(form, "instruction"), _role(form), _words(form, "words"))
        for form in _objects(text, "steps")
    )


def piece_edits_to_text(edits: Iterable[PieceEdit]) -> str:
    """As a store keeps them."""
    return _text([edit._asdict() for edit in edits])


def piece_edits_from_text(text: str) -> tuple[PieceEdit, ...]:
    """The reverse; raises ValueError for anything else."""
    return tuple(
        PieceEdit(_step(form), _words(form, "question"), _words(form, "answer")) for form in _objects(text, "pieces")
    )


def check_names_to_text(failed: Iterable[str]) -> str:
    """As a store keeps them."""
    return _text(list(failed))


def check_names_from_text(text: str) -> tuple[str, ...]:
    """The reverse; raises ValueError for anything else."""
    form = json.loads(text)
    if not isinstance(form, list) or not all(isinstance(one, str) for one in form):
        raise ValueError("failed must be a list of texts")
    return tuple(form)


def _piece_form(piece: MissingPiece) -> dict[str, Any]:
    return {
        "step": piece.step,
        "value": piece.value,
        "question": piece.question,
        "answer": piece.answer,
        "kind": piece.kind.value,
        "cuts": [list(cut) for cut in piece.cuts],
    }


def _reading_form(reading: StepReading) -> dict[str, Any]:
    return {
        "step": reading.index,
        "instruction": reading.instruction,
        "role": reading.role.value,
        "words": reading.words,
    }


def _piece(form: Mapping[str, Any]) -> MissingPiece:
    kind = form.get("kind")
    if kind not in set(PieceKind):
        raise ValueError(f"kind must be one of {', '.join(PieceKind)}")
    cuts = form.get("cuts")
    if not isinstance(cuts, list):
        raise ValueError("cuts must be a list")
    value, question, answer = (_words(form, name) for name in ("value", "question", "answer"))
    return MissingPiece(_step(form), value, question, answer, PieceKind(kind), tuple(map(_cut, cuts)))


def _cut(form: object) -> Cut:
    match form:
        case [int(start), int(end), str(instead)] if 0 <= start <= end <= LONGEST_TASK_TEXT:
            return Cut(int(start), int(end), instead)
    raise ValueError("a cut is where it starts and ends, and what stands there now")


def _role(form: Mapping[str, Any]) -> StepRole:
    if form.get("role") not in set(StepRole):
        raise ValueError(f"role must be one of {', '.join(StepRole)}")
    return StepRole(form["role"])


def _step(form: Mapping[str, Any]) -> int:
    step = form.get("step")
    if not is_step_index(step):
        raise ValueError(f"step must be {STEP_INDEX}")
    return step


def _words(form: Mapping[str, Any], name: str) -> str:
    value = form.get(name)
    if not isinstance(value, str):
        raise ValueError(f"{name} must be a text")
    return value


def _objects(text: str, name: str) -> list[Mapping[str, Any]]:
    form = json.loads(text)
    if not isinstance(form, list) or not all(isinstance(one, dict) for one in form):
        raise ValueError(f"{name} must be a list of objects")
    return form


def _text(form: list[Any]) -> str:
    """ASCII, so that every database holds it."""
    return json.dumps(form, ensure_ascii=True, separators=(",", ":"))
