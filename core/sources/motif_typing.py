"""Typed text in MoTIF, which its recorder did not keep: inferred from what the text fields show.

Facts: github.com/aburns4/MoTIF, `all_in_one_motif_preprocess.py` and its README (typing on the annotator's own keyboard
left no gesture).
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from stepscope.core.domain.action import Tap, Type
from stepscope.core.domain.elements import UIElement
from stepscope.core.domain.episode import Observation, Step


def infer_typing(steps: list[Step]) -> list[Step]:
    """Typed text, which MoTIF does not record, from the text fields' contents.

    The released code books a typing where an EditText has a text that none had before. Here (ours): a tap on an
    EditText, or a state without a gesture, after which an EditText shows such a text, is the typing of that text;
    without a gesture the same field must be there before. Everything else stays what it was.
    """
    known: set[str] = set()
    found = list(steps)
    for place, (step, following) in enumerate(pairwise(steps)):
        known.update(field.text.lower() for field in _fields(step.observation))
        fresh = [field for field in _fields(following.observation) if field.text.lower() not in known | {""}]
        if fresh:
            found[place] = _typing(step, fresh) or step
    return found


def _fields(seen: Observation) -> list[UIElement]:
    return [element for element in seen.tree or () if element.editable and element.visible]


def _typing(step: Step, fresh: list[UIElement]) -> Step | None:
    fields = _fields(step.observation)
    if isinstance(step.action, Tap):
        tapped = step.action
        touched = [field for field in fields if tapped.point is not None and field.box.contains(tapped.point)]
        if touched:
            new = next((new for new in fresh if any(_same(new, field) for field in touched)), fresh[0])
            return replace(step, action=Type(new.text, tapped.point, tapped.target))
    elif step.action is None:
        new_again = next((new for new in fresh if any(_same(new, field) for field in fields)), None)
        if new_again is not None:
            return replace(step, action=Type(new_again.text))
    return None


def _same(one: UIElement, other: UIElement) -> bool:
    """Whether two elements of consecutive states are one field: by resource id, without one by place."""
    if one.resource_id or other.resource_id:
        return one.resource_id == other.resource_id
    return one.box == other.box
