"""What somebody else has said in the same place meanwhile, in a sentence for the one who comes second."""

from __future__ import annotations

from datetime import datetime
from typing import assert_never

from stepscope.core.domain.ambiguous_task import AskReview
from stepscope.core.domain.annotation import Annotation, AnnotationKind, label_of
from stepscope.core.domain.error_cause import CauseLabel
from stepscope.core.domain.human_order import HumanOrder
from stepscope.core.domain.judgement import JudgeAssignment, Judgement, WrittenText

Said = Annotation | Judgement | WrittenText | JudgeAssignment | HumanOrder | AskReview | CauseLabel
"""What people say, of which there is one in a place."""

_LONGEST = 80


def changed_words(before: Said | None, now: Said | None) -> str:
    """Who put what in the place of what, and when; rows that were taken away do not tell by whom."""
    if now is None:
        return f"{_words(before)} was taken away." if before is not None else "It was taken away."
    who, when = _by(now)
    author = who or "Somebody without a name"
    time = f" on {when.astimezone():%Y-%m-%d at %H:%M}" if when is not None else ""
    if before is None or _words(before) == _words(now):
        return f"{author} said {_words(now)}{time}."
    return f"{author} changed {_words(before)} to {_words(now)}{time}."


def _by(said: Said) -> tuple[str, datetime | None]:
    match said:
        case Annotation() | WrittenText() | CauseLabel():
            return said.author, said.made
        case Judgement():
            return said.judge.name, said.made
        case JudgeAssignment():
            return said.annotator, None
        case HumanOrder():
            return said.annotator, said.changed
        case AskReview():
            return said.reviewer, said.made
    assert_never(said)


def _words(said: Said) -> str:
    match said:
        case Annotation():
            return _annotation(said)
        case Judgement():
            return _judgement(said)
        case WrittenText():
            return _quoted(said.text)
        case JudgeAssignment():
            return f"pair {said.position + 1}"
        case HumanOrder():
            return f"the order {_quoted(', '.join(said.order))}"
        case AskReview():
            return f"“{said.verdict}”" + (f" with the goal {_quoted(said.goal)}" if said.goal else "")
        case CauseLabel():
            return f"“{said.cause}”"
    assert_never(said)


def _annotation(said: Annotation) -> str:
    if said.kind is AnnotationKind.LABEL:
        label = label_of(said.value)
        return f"the label “{label.label or 'none'}”" + (f" ({label.reason})" if label.reason else "")
    return f"the {said.kind} {_quoted(said.value)}" if said.value else f"“{said.kind}”"


def _judgement(said: Judgement) -> str:
    if said.rejected:
        return "“this pair cannot be judged”"
    words = ["no answer" if one is None else "yes" if one else "no" for one in said.answers]
    return f"the answers “{', '.join(words)}”" + (f" ({said.error})" if said.error else "")


def _quoted(text: str) -> str:
    line = " ".join(text.split())
    return f"“{line[:_LONGEST]}…”" if len(line) > _LONGEST else f"“{line}”"
