"""What a model's answers say, under the paper's names for it (Navi-plus, figures 7 and 8); one clear problem for what
cannot be read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from stepscope.core.domain.ambiguous_task import LONGEST_TASK_TEXT
from stepscope.models.agents.calls import objects
from stepscope.models.chat.answers import spoken_text

_PLAIN = re.compile(r"[\s_-]+")
_NONE = frozenset(("none", "n/a", "na", "null", "nothing", "no overlap", "-"))
INSTRUCTION = ("Step Instruction", "Instruction")
OVERLAP = ("Overlapping Information", "Overlap")
INCOMPLETE = ("Incomplete Task Description", "Incomplete Task", "Simplified Task Description")
REPHRASED = ("Rephrased Incomplete Task Description", "Rephrased Task Description", "Rephrased Incomplete Task")
QUESTION = ("Follow Up Question", "Followup Question", "Question")
ANSWER = ("Human Answer", "Answer")


class UnreadableAnswerError(ValueError):
    """A sentence about an answer that is not what was asked for."""


class Rewriting(NamedTuple):
    """The words that a goal and a step share, the goal without them, and how they are asked for and given."""

    overlap: str
    goal: str
    question: str
    answer: str


def read_instruction(text: str) -> str:
    """The step's instruction. Raises UnreadableAnswerError."""
    form = _form(text, INSTRUCTION)
    found = _words(form, INSTRUCTION)
    if not found:
        raise UnreadableAnswerError("The answer's “Step Instruction” is empty.")
    return found


def read_rewriting(text: str) -> Rewriting | None:
    """The goal without the step's words; None where goal and step share nothing: the step is transactional. Raises
    UnreadableAnswerError."""
    form = _form(text, OVERLAP)
    overlap = _words(form, OVERLAP)
    if _is_none(overlap):
        return None
    incomplete, rephrased = _words(form, INCOMPLETE), _words(form, REPHRASED)
    goal = incomplete if _is_none(rephrased) else rephrased
    found = Rewriting(overlap, "" if _is_none(goal) else goal, _words(form, QUESTION), _words(form, ANSWER))
    for name, value in zip((INCOMPLETE, QUESTION, ANSWER), found[1:], strict=True):
        if not value:
            raise UnreadableAnswerError(f"The answer's “{name[0]}” is empty.")
    return found


def _form(text: str, wanted: tuple[str, ...]) -> dict[str, Any]:
    """The last object that has the field."""
    names = {_plain(name) for name in wanted}
    found: dict[str, Any] | None = None
    several = 0
    for form, _ in objects(spoken_text(text)):
        plain = {_plain(str(key)): value for key, value in form.items()}
        found, several = plain if names & plain.keys() else found, several + 1
    if found is not None:
        return found
    if several:
        raise UnreadableAnswerError(f"The answer's JSON object has no “{wanted[0]}”.")
    raise UnreadableAnswerError("The answer has no JSON object.")


def _words(form: Mapping[str, Any], names: tuple[str, ...]) -> str:
    value = next((form[_plain(name)] for name in names if _plain(name) in form), None)
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        value = "; ".join(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise UnreadableAnswerError(f"The answer's “{names[0]}” is no text.")
    found = " ".join(value.split())
    if len(found) > LONGEST_TASK_TEXT:
        raise UnreadableAnswerError(f"The answer's “{names[0]}” has more than {LONGEST_TASK_TEXT:,} characters.")
    return found


def _is_none(text: str) -> bool:
    return not text or text.strip(" .\"'“”").lower() in _NONE


def _plain(name: str) -> str:
    return _PLAIN.sub("", name).lower()
