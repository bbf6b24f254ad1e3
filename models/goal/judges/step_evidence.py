"""What each step of a trajectory has to show for a requirement: what was typed, chosen, touched or opened, and what
stood on the screen. What stands or was typed in a password field is no evidence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from enum import StrEnum

from stepscope.core.domain.action import Action, OpenApp, Select, Type, action_point, action_target
from stepscope.core.domain.elements import UIElement, UITree
from stepscope.core.domain.episode import Observation
from stepscope.core.domain.geometry import Box
from stepscope.core.evaluation.predictor import EpisodeRequest
from stepscope.core.frozen import dataclass
from stepscope.models.chat.redaction import without_secret_words, without_secrets
from stepscope.models.chat.redaction_rules import NOTHING
from stepscope.models.chat.trajectory import kept_steps
from stepscope.models.goal.judges.requirements import requirements_of
from stepscope.models.goal.pieces import name_of

MOST_SHOWN, LONGEST = 200, 300
"""Texts of a screen that are looked at, and letters of each (ours)."""


class EvidenceKind(StrEnum):
    """Whether it was done, and how, or only shown. FIELD is the name of what was typed or chosen in; APP that of the
    app, at the first step."""

    TYPED = "typed"
    CHOSEN = "chosen"
    TOUCHED = "touched"
    FIELD = "field"
    OPENED = "opened"
    SHOWN = "shown"
    APP = "app"

    @property
    def is_done(self) -> bool:
        return self not in (EvidenceKind.SHOWN, EvidenceKind.APP)


@dataclass(frozen=True, slots=True)
class StepEvidence:
    """`place` in the episode's steps; `box` of the element, None where it is not known; `turned`: on (True) or off
    where the touch switched something. `terms` are the stems of the words that matter."""

    place: int
    kind: EvidenceKind
    words: str
    box: Box | None = None
    turned: bool | None = None
    terms: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "terms", frozenset(requirements_of(self.words).terms))


def evidence_of(request: EpisodeRequest) -> tuple[StepEvidence, ...]:
    """The evidence of all that is kept of the trajectory, step by step: what was done before what was shown."""
    kept = kept_steps(request.observations, request.actions)
    app = (request.app or "").rpartition(".")[2]
    found = [StepEvidence(kept[0][0], EvidenceKind.APP, app)] if app and kept else []
    for place, screen, action in kept:
        seen = without_secret_words(screen, NOTHING)
        found += () if action is None else _done(place, seen, action)
        found += _shown(place, seen)
        if request.words and request.words[place]:
            found.append(StepEvidence(place, EvidenceKind.SHOWN, request.words[place][:LONGEST]))
    return tuple(found)


def _done(place: int, seen: Observation, action: Action) -> Iterator[StepEvidence]:
    element = _under(seen, action)
    target = action_target(action)
    box = element.box if element is not None else target.box if target is not None else None
    if isinstance(action, OpenApp):
        yield StepEvidence(place, EvidenceKind.OPENED, action.text)
        return
    name = name_of(seen, action)[0] or (target.text if target is not None else "")
    if isinstance(action, Type | Select):
        kind = EvidenceKind.TYPED if isinstance(action, Type) else EvidenceKind.CHOSEN
        if without_secrets(action, seen, NOTHING) == action:
            yield StepEvidence(place, kind, action.text[:LONGEST], box)
        name = name or (element.text or element.content_description if element is not None else "")
        if name:
            yield StepEvidence(place, EvidenceKind.FIELD, _line(name), box)
        return
    switch = _switch(seen.tree, element)
    turned = None if switch is None else not switch.checked
    if name or turned is not None:
        yield StepEvidence(place, EvidenceKind.TOUCHED, _line(name), box, turned)


def _line(text: str) -> str:
    return " ".join(text.split())[:LONGEST]


def _under(seen: Observation, action: Action) -> UIElement | None:
    """The element that was used: that under the action's place; of a text without one the field with the focus, else
    the only field of the screen."""
    if seen.tree is None:
        return None
    target, point = action_target(action), action_point(action)
    middle = target.box.centre if target is not None and target.box is not None else point
    if middle is not None:
        return seen.tree.target_at(middle)
    if isinstance(action, Type):
        fields = [one for one in seen.tree if one.editable and one.visible]
        focused = [one for one in fields if one.focused]
        return focused[0] if focused else fields[0] if len(fields) == 1 else None
    return None


def _switch(tree: UITree | None, element: UIElement | None) -> UIElement | None:
    """What can be checked: the element, else the first inside it."""
    if tree is None or element is None:
        return None
    inside = [element.index]
    while inside:
        one = tree.elements[inside.pop(0)]
        if one.checkable:
            return one
        inside[:0] = tree.children[one.index]
    return None


def _shown(place: int, seen: Observation) -> Iterator[StepEvidence]:
    if seen.tree is None:
        return
    known: set[str] = set()
    for element in seen.tree:
        words = _line(element.text or element.content_description)
        if not words or words in known or not element.visible:
            continue
        known.add(words)
        yield StepEvidence(place, EvidenceKind.SHOWN, words, element.box)
        if len(known) == MOST_SHOWN:
            return
