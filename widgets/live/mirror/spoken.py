"""The words of a screen reader for the phone and for an agent's proposal."""

from __future__ import annotations

from stepscope.core.domain.elements import UITree
from stepscope.core.domain.layers import RUN_LETTERS
from stepscope.widgets import format as formats
from stepscope.widgets.live.mirror.mirror_frame import Proposal
from stepscope.widgets.live.mirror.walk import stops

_MOST = 8
"""Elements that are read out; the rest is counted."""


def screen_words(tree: UITree | None, *, stale: bool = False, notice: str = "") -> str:
    """ "12 elements: Back, Checkout, Oil paint, … and 4 more. The tree is older than the picture."."""
    if notice:
        return f"{notice}."
    if tree is None:
        return "The picture of the phone; no UI tree of it yet."
    named = [element.label for element in stops(tree) if element.label]
    if not named:
        return "No element with words on the screen."
    more = f" and {len(named) - _MOST} more" if len(named) > _MOST else ""
    older = " The tree is older than the picture." if stale else ""
    return f"{formats.counted(len(named), 'element')}: {', '.join(map(_line, named[:_MOST]))}{more}.{older}"


def element_words(tree: UITree, index: int) -> str:
    """What the crosshair is on: "Place order, Button, 14 of 14."."""
    element = tree.elements[index]
    places = [one.index for one in stops(tree)]
    where = f", {places.index(index) + 1} of {len(places)}" if index in places else ""
    kind = element.short_class or ("can be tapped" if element.clickable else "element")
    state = ", not enabled" if not element.enabled else ", checked" if element.checked else ""
    return f"{_line(element.label) or 'without words'}, {kind}{state}{where}."


def proposal_words(proposal: Proposal | None) -> str:
    """ "Run A proposes: Choose a delivery. 1 Standard 0.41, 2 Express 0.33. Best 0.41, limit 0.60: asks instead."."""
    if proposal is None:
        return ""
    letter = RUN_LETTERS[proposal.run]
    choices = ", ".join(
        f"{number} {_line(choice.label)} {formats.confidence(choice.score)}"
        for number, choice in enumerate(proposal.choices, 1)
    )
    parts = [f"Run {letter} proposes: {proposal.instruction}." if proposal.instruction else f"Run {letter} proposes:"]
    if choices:
        parts.append(f"{choices}.")
    parts.append(f"{verdict_words(proposal)}.")
    if proposal.question:
        parts.append(f"It asks: {proposal.question}")
    return " ".join(parts)


def verdict_words(proposal: Proposal) -> str:
    """ "Best 0.41, limit 0.60: asks instead"."""
    before = limit_words(proposal)
    return f"{before}: {proposal.outcome}" if before else sentence(proposal.outcome)


def limit_words(proposal: Proposal) -> str:
    """ "Best 0.41, limit 0.60", what of it there is."""
    best = f"Best {formats.confidence(proposal.choices[0].score)}" if proposal.choices else ""
    limit = f"limit {formats.confidence(proposal.limit)}" if proposal.limit is not None else ""
    return ", ".join(filter(None, (best, limit)))


def sentence(words: str) -> str:
    """The words with a capital at the beginning."""
    return words[:1].upper() + words[1:]


def _line(text: str) -> str:
    return " ".join(text.split())
