"""What people say about data: star, checked, note, tags, a label of their own, defects. The data stays as it is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, TypeVar

from stepscope.core.domain.episode import STEP_INDEX, Feasibility, FeasibilityLabel, InfeasibilityReason, is_step_index
from stepscope.core.domain.filter import nearest
from stepscope.core.frozen import dataclass

MAX_TAG = 200

Word = TypeVar("Word", bound=StrEnum)


class AnnotationKind(StrEnum):
    """Tags and defects can be several at one place, each once; of the others a place has one at most."""

    STAR = "star"
    CHECKED = "checked"
    NOTE = "note"
    TAG = "tag"
    LABEL = "label"
    DEFECT = "defect"

    @property
    def several(self) -> bool:
        return self in (AnnotationKind.TAG, AnnotationKind.DEFECT)


class Defect(StrEnum):
    """Why a reference should not be judged by."""

    WRONG_REFERENCE = "wrong reference"
    WRONG_PICTURE = "wrong picture"
    SEVERAL_RIGHT = "several right answers"
    AMBIGUOUS_DIRECTION = "ambiguous direction"


@dataclass(frozen=True, slots=True)
class Annotation:
    """One thing that somebody said about an episode (`step` None) or a step (its index).

    `source` is the path of the data as the store's index names it. `value` is "" for star and checked, the text of a
    note or a tag, a `Defect`, or a label as `label_value` writes it. `made` has a time zone.
    """

    source: str
    episode: str
    step: int | None
    kind: AnnotationKind
    value: str
    author: str
    made: datetime

    @property
    def slot(self) -> tuple[str, str, int | None, AnnotationKind, str]:
        """What there can be only one of: a new annotation takes the place of the one with the same slot."""
        return self.source, self.episode, self.step, self.kind, self.value if self.kind.several else ""


def checked_value(kind: AnnotationKind, value: str, step: int | None = None) -> str:
    """The value as it is kept: defects in their own words, labels in one spelling, texts without spaces around them.

    Raises ValueError saying what is wrong with it.
    """
    text = value.strip()
    match kind:
        case AnnotationKind.STAR | AnnotationKind.CHECKED:
            if text:
                raise ValueError(f"{kind} has no value")
            return ""
        case AnnotationKind.DEFECT:
            return _defect(text)
        case AnnotationKind.LABEL:
            if step is not None:
                raise ValueError("a label is about a whole episode, not a step")
            return label_value(label_of(text))
    if not text:
        raise ValueError(f"a {kind} needs a text")
    if kind is AnnotationKind.NOTE:
        return text
    tag = " ".join(text.split())
    if len(tag) > MAX_TAG:
        raise ValueError(f"a tag has at most {MAX_TAG} characters; write a note")
    return tag


def label_value(label: Feasibility) -> str:
    """A feasibility label with reason and follow-up questions as the value of an annotation: JSON, in one spelling."""
    form = {
        "label": label.label.value if label.label else None,
        "reason": label.reason.value if label.reason else None,
        "follow_up": list(label.follow_up),
    }
    return json.dumps(form, ensure_ascii=False)


def label_of(value: str) -> Feasibility:
    """The reverse of `label_value`. Raises ValueError for anything else."""
    try:
        form = json.loads(value)
    except (ValueError, RecursionError):
        form = None
    if not isinstance(form, Mapping):
        raise ValueError('a label is JSON such as {"label": "infeasible", "reason": "unclear", "follow_up": []}')
    label = _one_of(FeasibilityLabel, form.get("label"), "label")
    reason = None if form.get("reason") is None else _one_of(InfeasibilityReason, form["reason"], "reason")
    if reason is not None and label is not FeasibilityLabel.INFEASIBLE:
        raise ValueError("only what is infeasible has a reason")
    questions = form.get("follow_up", [])
    if not isinstance(questions, list) or not all(isinstance(question, str) for question in questions):
        raise ValueError("follow_up must be a list of texts")
    return Feasibility(label, reason, tuple(questions))


def annotation_to_json(annotation: Annotation) -> dict[str, Any]:
    """The JSON form, without the source: where the data lies is another matter on another machine.

    A label is an object, what has no value has null.
    """
    label = annotation.kind is AnnotationKind.LABEL
    return {
        "episode": annotation.episode,
        "step": annotation.step,
        "kind": annotation.kind.value,
        "value": json.loads(annotation.value) if label else annotation.value or None,
        "author": annotation.author,
        "made": annotation.made.astimezone(UTC).isoformat(),
    }


def annotation_from_json(form: object, source: str, *, author: str, now: datetime) -> Annotation:
    """An annotation of `source` from its JSON form; `author` and `now` stand in where it names neither.

    Raises ValueError with the field and what is wrong with it.
    """
    if not isinstance(form, Mapping):
        raise ValueError("an annotation is an object")
    kind = _one_of(AnnotationKind, form.get("kind"), "kind")
    episode, step = form.get("episode"), form.get("step")
    if not isinstance(episode, str) or not episode:
        raise ValueError("episode must be a text")
    if step is not None and not is_step_index(step):
        raise ValueError(f"step must be {STEP_INDEX}, or null for the whole episode")
    value = form.get("value")
    if kind is AnnotationKind.LABEL and isinstance(value, Mapping):
        value = json.dumps(value)
    if value is not None and not isinstance(value, str):
        raise ValueError("value must be a text")
    said_by = form.get("author") or author
    if not isinstance(said_by, str):
        raise ValueError("author must be a text")
    made = _moment(form.get("made"), now)
    return Annotation(source, episode, step, kind, checked_value(kind, value or "", step), said_by, made)


def _moment(text: object, now: datetime) -> datetime:
    if text is None:
        return now
    try:
        made = datetime.fromisoformat(text) if isinstance(text, str) else None
        return made.astimezone(UTC) if made is not None and made.tzinfo else _no_moment()
    except (ValueError, OverflowError):
        return _no_moment()


def _no_moment() -> datetime:
    raise ValueError("made must be a time with its zone, such as 2024-05-01T12:00:00+00:00") from None


def _defect(text: str) -> str:
    words = " ".join(text.replace("-", " ").replace("_", " ").split()).lower()
    known = [defect.value for defect in Defect]
    if words in known:
        return words
    near = nearest(words, known)
    raise ValueError(f"there is no defect {text!r}; {f'did you mean {near}?' if near else ', '.join(known)}")


def _one_of(words: type[Word], text: object, field: str) -> Word:
    try:
        return words(str(text))
    except ValueError:
        raise ValueError(f"{field} {text!r} is not one of {', '.join(words)}") from None
