"""A step in words: its instruction, and what of it a goal may have said before."""

from __future__ import annotations

from collections.abc import Iterator

from stepscope.core.domain.action import (
    Action,
    AskUser,
    DoubleTap,
    Finish,
    Hover,
    LongPress,
    OpenApp,
    Say,
    Select,
    Swipe,
    Tap,
    Type,
    action_point,
    action_target,
)
from stepscope.core.domain.elements import UIElement
from stepscope.core.domain.episode import Episode, Observation, Step
from stepscope.models.ask.making.shared_words import StepText, TextSource
from stepscope.models.chat.redaction_rules import NOTHING, Redaction
from stepscope.models.chat.trajectory import step_words
from stepscope.models.goal.pieces import name_of

MOST_LETTERS = 120
"""A longer text of an element is content, not its name (ours)."""


def done_steps(episode: Episode) -> tuple[Step, ...]:
    """The steps at which something was done, in order: no question, no answer, no end."""
    return tuple(
        step
        for step in episode.steps
        if step.action is not None and not isinstance(step.action, AskUser | Say | Finish)
    )


def instruction_of(episode: Episode, step: Step, redaction: Redaction = NOTHING) -> str:
    """What is done at the step, as the data says it, else in our words."""
    if step.instruction:
        return step.instruction
    assert step.action is not None
    return step_words(step.observation, step.action, episode.platform, redaction)


def can_inform(action: Action) -> bool:
    """Whether a goal can decide what is done: scrolling, waiting and keys are done whatever is wanted (ours)."""
    return isinstance(action, Type | Select | OpenApp | Tap | LongPress | DoubleTap | Hover | Swipe)


def texts_of(step: Step) -> tuple[StepText, ...]:
    """What was typed, chosen, touched or opened, each once."""
    if step.action is None or not can_inform(step.action):
        return ()
    return tuple(dict.fromkeys(_texts(step.observation, step.action)))


def _texts(seen: Observation, action: Action) -> Iterator[StepText]:
    match action:
        case OpenApp(text=text):
            yield StepText(text, TextSource.APP)
        case Type(text=text):
            yield StepText(text, TextSource.TYPED, field_name(seen, action))
        case Select(text=text):
            yield StepText(text, TextSource.OPTION, field_name(seen, action))
        case _:
            target = action_target(action)
            for words in (name_of(seen, action)[0], target.text if target is not None else ""):
                if words.strip() and len(words) <= MOST_LETTERS:
                    yield StepText(" ".join(words.split()), TextSource.NAME)


def field_name(seen: Observation, action: Action) -> str:
    """The name of the field that something was put into, "" where nothing tells it."""
    element = _under(seen, action)
    target = action_target(action)
    names = [target.text if target is not None else ""]
    if element is not None:
        names += [element.content_description, element.text, element.short_id.replace("_", " ")]
    return next((" ".join(name.split()) for name in names if name and name.strip()), "")


def _under(seen: Observation, action: Action) -> UIElement | None:
    if seen.tree is None:
        return None
    target, point = action_target(action), action_point(action)
    place = target.box.centre if target is not None and target.box is not None else point
    if place is not None:
        return seen.tree.target_at(place)
    focused = [one for one in seen.tree if one.editable and one.visible and one.focused]
    return focused[0] if focused else None
