"""What there is to read on a screen and in what was done, as the trained models read it."""

from __future__ import annotations

from collections.abc import Sequence

from stepscope.core.domain.action import Action, AskUser, Finish, Say
from stepscope.core.domain.elements import UIElement
from stepscope.core.domain.episode import Observation
from stepscope.core.evaluation.predictor import EpisodeRequest
from stepscope.models.automation.screen import usable_elements
from stepscope.models.automation.sentence_match import element_words

MOST_TEXTS = 100
"""Texts of a screen that are looked at (MoTIF, released code)."""
MOST_WORDS = 32


def screen_texts(observation: Observation, most: int = MOST_TEXTS) -> tuple[str, ...]:
    """The distinct texts and descriptions of the screen's elements, lower-cased, in the tree's order; none without a
    tree. The phone's own bars are part of the tree and are read too."""
    if observation.tree is None:
        return ()
    found: dict[str, None] = {}
    for element in observation.tree:
        text = shortened(element.text or element.content_description)
        if text and element.visible:
            found.setdefault(text)
            if len(found) == most:
                break
    return tuple(found)


def state_texts(request: EpisodeRequest, place: int) -> tuple[str, ...]:
    """The texts of the screen at a place of the episode; where the episode is in words, those of the step."""
    words = shortened(request.words[place]) if request.words else ""
    return (words,) if words else screen_texts(request.observations[place])


def screen_elements(observation: Observation, most: int) -> tuple[tuple[UIElement, str], ...]:
    """The elements that something can be done on, each with its words ("" where it has none), in the tree's order.

    Those that their program says take a touch or text, and the leaves of the tree that it says nothing of: in real
    trees what is touched is often not flagged (on UIBert 240 of the 485 right elements that stand in the tree). Where
    there are more than `most`, flagged ones are kept first. Source: ours.
    """
    elements, tree = usable_elements(observation), observation.tree
    flagged = [one for one in elements if one.clickable or one.editable or one.long_clickable]
    known = {one.index for one in flagged}
    others = [one for one in elements if one.index not in known]
    leaves = [one for one in others if tree is not None and not tree.children[one.index]]
    kept = sorted((*flagged[:most], *leaves[: max(0, most - len(flagged))]), key=lambda one: one.index)
    return tuple((one, shortened(element_words(one, observation))) for one in kept)


def shortened(text: str) -> str:
    """Lower-cased, at most `MOST_WORDS` words."""
    return " ".join(text.lower().split()[:MOST_WORDS])


def done_before(actions: Sequence[Action | None]) -> tuple[Action, ...]:
    """What was done on the phone: without asking, saying and the mark that the task is over."""
    return tuple(one for one in actions if one is not None and not isinstance(one, AskUser | Say | Finish))
