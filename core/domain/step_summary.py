"""What an index keeps of a step, so that it is found without opening its episode: what was done, and the words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from stepscope.core.domain.action import AskUser, OpenApp, PressKey, Say, Select, Type, action_target
from stepscope.core.frozen import dataclass

if TYPE_CHECKING:
    from stepscope.core.domain.elements import UITree
    from stepscope.core.domain.episode import Episode, Step

LONGEST_TEXT = 500
"""Characters that are kept of a text (ours)."""

MOST_TEXTS = 400
"""Texts that are kept of a step (ours): a phone's screen has some dozens, a long page thousands."""


@dataclass(frozen=True, slots=True)
class StepSummary:
    """`index` is the step's own. `kind` is that of its reference action, "" where it has none; `key` the pressed key,
    `typed` what was typed or chosen from a list. `target` is the text of the element that was acted on (the app's name
    where one was opened) and `name` the tail of that element's id, `_` as spaces. `texts` are the words of the step:
    its instruction, what was asked or said, and each different text on its screen. `ask`: a question is due.
    """

    index: int
    kind: str = ""
    key: str = ""
    typed: str = ""
    target: str = ""
    name: str = ""
    texts: tuple[str, ...] = ()
    ask: bool = False


def step_summaries(episode: Episode) -> tuple[StepSummary, ...]:
    """Every step of the episode as an index keeps it."""
    asked = {ask.step for ask in episode.asks}
    return tuple(step_summary(step, step.index in asked) for step in episode.steps)


def step_summary(step: Step, ask: bool = False) -> StepSummary:
    """One step; texts are without spaces around them, line ends as spaces, and cut at `LONGEST_TEXT`."""
    action = step.action
    target = action_target(action) if action is not None else None
    name = action.text if isinstance(action, OpenApp) else target.text if target else ""
    return StepSummary(
        index=step.index,
        kind=action.kind if action is not None else "",
        key=_short(action.key) if isinstance(action, PressKey) else "",
        typed=action.text[:LONGEST_TEXT] if isinstance(action, Type | Select) else "",
        target=_short(name),
        name=_short((target.id or "").rsplit("/", 1)[-1].replace("_", " ")) if target else "",
        texts=_texts(step, target.text if target else ""),
        ask=ask,
    )


def _texts(step: Step, target: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    said = step.action.text if isinstance(step.action, AskUser | Say) else ""
    for text in (step.instruction or "", said, target, *_shown(step.observation.tree)):
        if short := _short(text):
            found[short] = None
            if len(found) == MOST_TEXTS:
                break
    return tuple(found)


def _shown(tree: UITree | None) -> Iterator[str]:
    """What stands on the screen, without what a person typed into a field for passwords."""
    for element in tree or ():
        if element.visible:
            if not element.password:
                yield element.text
            yield element.content_description


def _short(text: str) -> str:
    return " ".join(text.split())[:LONGEST_TEXT]
