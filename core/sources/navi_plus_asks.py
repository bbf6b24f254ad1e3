"""The questions of a Navi-plus sample: from its list of them, from the record itself, or from its ASK and SAY steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stepscope.core.domain.action import AskUser, Say
from stepscope.core.domain.episode import Ask, Step
from stepscope.core.sources.files import text_of, told
from stepscope.core.sources.navi_plus_sample import Reading, Record
from stepscope.core.sources.sniffers.navi_plus_keys import Keys


def read_asks(reading: Reading, steps: Sequence[Step]) -> tuple[Ask, ...]:
    """The sample's asks, each once.

    The list of questions counts where there is one. Else it is the question that the record names; for samples of one
    record a step, those that the steps name. Else the ASK actions, answered by the SAY that follows or by what lies
    beside the action.
    """
    listed = reading.keys.find("asks", reading.record)
    if isinstance(listed, list):
        forms = [item if isinstance(item, dict) else {} for item in listed]
        found = [_listed(number, form, steps, reading) for number, form in enumerate(forms)]
        return tuple(dict.fromkeys(ask for ask in found if ask is not None))
    by_step = any(form is reading.record for form in reading.forms)
    if not by_step and _question(reading.record, reading.keys):
        ask = _listed(0, reading.record, steps, reading)
        return (ask,) if ask is not None else ()
    return tuple(_asked(reading.forms, steps, reading.keys))


def _question(form: Record, keys: Keys) -> str:
    return text_of(keys.find("ask.question", form)).strip()


def _listed(number: int, form: Record, steps: Sequence[Step], reading: Reading) -> Ask | None:
    """One question with its answer; a finding and None where there is no question in it."""
    keys, findings = reading.keys, reading.findings
    question, answer = _question(form, keys), text_of(keys.find("ask.answer", form)).strip()
    if not question:
        findings.add(f"question {number} is left out: it has no text", field="asks", file=reading.file)
        return None
    step = _step_of(form, question, steps, keys)
    if step is None:
        stated = keys.find("ask.step", form)
        said = "it names no step" if stated is None else f"there is no step {told(stated)}"
        findings.add(f"question {number}: {said}; it is put at the first one", field="asks", file=reading.file)
        step = 0
    return Ask(step, question, answer, text_of(keys.find("ask.kind", form)))


def _step_of(form: Record, question: str, steps: Sequence[Step], keys: Keys) -> int | None:
    """The step that is named, else the one with this ASK or with the instruction that was left out of the task."""
    stated = keys.find("ask.step", form)
    if type(stated) is int:
        index = stated - keys.first_step
        return index if index >= 0 and (index < len(steps) or not steps) and index < 10**6 else None
    left_out = text_of(keys.find("ask.instruction", form)).strip()
    for step in steps:
        if isinstance(step.action, AskUser) and step.action.text == question:
            return step.index
    return next((step.index for step in steps if left_out and (step.instruction or "").strip() == left_out), None)


def _asked(forms: Sequence[Record], steps: Sequence[Step], keys: Keys) -> Iterator[Ask]:
    """The ASK actions; of records that all repeat their episode's question, the first one of each."""
    seen: set[tuple[str, str]] = set()
    for place, (form, step) in enumerate(zip(forms, steps, strict=True)):
        answer = text_of(keys.find("ask.answer", form)).strip()
        if isinstance(step.action, AskUser):
            following = steps[place + 1].action if place + 1 < len(steps) else None
            yield Ask(step.index, step.action.text, following.text if isinstance(following, Say) else answer)
            continue
        question = _question(form, keys)
        if question and answer and (question, answer) not in seen:
            seen.add((question, answer))
            yield Ask(step.index, question, answer, text_of(keys.find("ask.kind", form)))
