"""What is odd about an episode's questions. Nothing of it is an error: the evaluation says what it does with each
(docs/protocols/ask.md), and this says where a person should look. Ours."""

from __future__ import annotations

import re
from collections import Counter

from stepscope.core.domain.episode import Ask, Episode

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


def ask_doubts(episode: Episode) -> tuple[str, ...]:
    """A sentence for each thing that is odd; none for an episode without questions."""
    present = {step.index for step in episode.steps}
    last = max(present, default=-1)
    found = []
    for ask in episode.asks:
        where = f"The question at step {ask.step}"
        if present and ask.step not in present:
            why = f"lies after the last step, {last}" if ask.step > last else "is at a step that is not there"
            found.append(f"{where} {why}: it is due nowhere.")
        if not ask.question.strip():
            found.append(f"{where} has no text: questions are not compared with it.")
        if not ask.answer.strip():
            found.append(f"{where} has no answer: asking tells the agent nothing.")
        elif _contradicts(ask, episode):
            found.append(f"{where} is answered “{ask.answer.strip()}”, which contradicts the whole goal.")
    several = (step for step, count in Counter(ask.step for ask in episode.asks).items() if count > 1)
    found += [f"Step {step} has several questions: they are one." for step in several]
    return tuple(found)


def _contradicts(ask: Ask, episode: Episode) -> bool:
    """Whether the answer gives a number, and the whole goal has numbers, but none of the answer's."""
    said, meant = (set(_NUMBER.findall(text)) for text in (ask.answer, episode.original_goal or ""))
    return bool(said) and bool(meant) and not said & meant
