"""Records of `stepscope score ask`. The format is in docs/protocols/ask.md; it is read strictly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stepscope.core.scoring import fields
from stepscope.core.scoring.ask_match import AskEpisode, AskStep


def read_record(line: int, record: Mapping[str, Any]) -> AskEpisode:
    """Raises UserError with the line and the bad field."""
    due = fields.needed(record, "ask_step", line)
    ask_step = None if due is None else _count(due, "ask_step", 0, line)
    first = _steps(fields.needed(record, "first", line), "first", ask_step, line)
    second = _steps(fields.needed(record, "second", line), "second", ask_step, line)
    question = fields.needed(record, "reference_question", line)
    length = record.get("reference_steps")
    episode = AskEpisode(
        line,
        fields.identity(record, "id", line),
        ask_step,
        first,
        second,
        None if question is None else fields.text(question, "reference_question", line),
        None if length is None else _count(length, "reference_steps", 1, line),
    )
    _check_first(episode)
    return episode


def _check_first(episode: AskEpisode) -> None:
    """The first stream has every step from its first to its last, and contradicts neither the ask's place nor the
    length of the reference."""
    for place, step in enumerate(episode.first or ()):
        if step.step != episode.start + place:
            wanted = f"must be {episode.start + place}: the first stream's steps go up by one, without gaps"
            raise fields.bad_field(episode.line, f"first[{place}].step", f"is {step.step} and {wanted}")
    if episode.ask_step is not None and episode.ask_step < episode.start:
        raise fields.bad_field(episode.line, "ask_step", f"lies before the first stream's first step, {episode.start}")
    if episode.reference_steps is not None and episode.end > episode.start + episode.reference_steps:
        wrong = f"is {episode.reference_steps}, but there is a step {episode.end - 1}"
        raise fields.bad_field(episode.line, "reference_steps", wrong)


def _steps(value: object, name: str, ask_step: int | None, line: int) -> tuple[AskStep, ...] | None:
    if value is None:
        return None
    if type(value) is not list:
        raise fields.bad_field(line, name, f"must be a list of steps or null, not {fields.shown(value)}")
    steps = tuple(_step(step, f"{name}[{place}]", ask_step, line) for place, step in enumerate(value))
    for place in range(1, len(steps)):
        if steps[place].step <= steps[place - 1].step:
            raise fields.bad_field(line, f"{name}[{place}].step", "must be higher than that of the step before")
    return steps


def _step(value: object, name: str, ask_step: int | None, line: int) -> AskStep:
    form = fields.mapping(value, name, line)
    step = _count(fields.needed_in(form, "step", name, line), f"{name}.step", 0, line)
    ask = fields.flag(fields.needed_in(form, "ask", name, line), f"{name}.ask", line)
    # At the annotated step only asking counts, so there the word on the action may lack.
    correct = form.get("correct", False) if step == ask_step else fields.needed_in(form, "correct", name, line)
    if correct is None and step == ask_step:
        correct = False
    # Only an ask must say what it asked.
    question = fields.needed_in(form, "question", name, line) if ask else form.get("question")
    return AskStep(
        step,
        ask,
        fields.flag(correct, f"{name}.correct", line),
        None if question is None else fields.text(question, f"{name}.question", line),
    )


def _count(value: object, name: str, least: int, line: int) -> int:
    number = fields.whole(value, name, line)
    if number < least:
        raise fields.bad_field(line, name, f"must be {least} or more, not {number}")
    return number
