"""Element affordance: which kinds of action an element of a screen allows (MoTIF, section 6, names it as future work;
kinds and values are ours)."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from typing import Any

from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Episode, Platform
from stepscope.core.frozen import dataclass

MOST_ELEMENTS = 300
"""Elements of a screen that are asked about; further ones, in the tree's order, are left out."""


class Affordance(StrEnum):
    """A kind of action that an element allows."""

    TAP = "tap"
    LONG_PRESS = "long_press"
    TYPE = "type"
    SCROLL = "scroll"
    CHECK = "check"


KINDS = tuple(Affordance)


@dataclass(frozen=True, slots=True)
class ElementAffordance:
    """What is said of the element with this index in its tree. `scores` has P(the kind is allowed), 0..1, for each of
    `KINDS`; a kind is allowed from .5 on."""

    element: int
    scores: tuple[float, ...]

    @property
    def kinds(self) -> tuple[Affordance, ...]:
        return tuple(kind for kind, score in zip(KINDS, self.scores, strict=True) if score >= 0.5)


@dataclass(frozen=True, slots=True)
class AffordanceAnswer:
    """What the elements of one screen allow, each element once."""

    elements: tuple[ElementAffordance, ...]


def flagged(element: UIElement) -> frozenset[Affordance]:
    """The kinds that the tree's flags declare."""
    flags = (element.clickable, element.long_clickable, element.editable, element.scrollable, element.checkable)
    return frozenset(kind for kind, flag in zip(KINDS, flags, strict=True) if flag)


_ALL_BUT_CHECK = tuple(kind for kind in KINDS if kind is not Affordance.CHECK)
_TOLD_BY_FORMAT = {
    "uibert_refexp": (),
    "pixelhelp": (Affordance.TAP,),
    "ricosca": (Affordance.TAP,),
}
"""Formats whose readers make some flags out of the element's class, and the kinds that they are told (docs/formats)."""
_TOLD_BY_ORIGIN = {
    TreeOrigin.VIEW_HIERARCHY: _ALL_BUT_CHECK,
    TreeOrigin.DUMP: KINDS,
    TreeOrigin.ACCESSIBILITY: KINDS,
    TreeOrigin.DOM: KINDS,
}
"""View hierarchies do not say what can be checked; of what a detector gives, nothing is declared."""


def told_kinds(episode: Episode, tree: UITree) -> tuple[Affordance, ...]:
    """The kinds that a tree of this episode declares. A tree in which no element has any flag does not tell: such files
    leave them out."""
    if tree.origin is TreeOrigin.DOM and episode.platform is not Platform.ANDROID:
        return ()  # of a page; a recording of the simulated phone tells its own flags
    found = told_by(tree)
    return tuple(kind for kind in found if kind in _TOLD_BY_FORMAT.get(episode.format, KINDS))


def told_by(tree: UITree) -> tuple[Affordance, ...]:
    """The same of a tree by itself, where it is not known what episode it is of."""
    return _TOLD_BY_ORIGIN.get(tree.origin, ()) if any(flagged(element) for element in tree) else ()


def certain(element: int, kinds: Iterable[Affordance]) -> ElementAffordance:
    """Said without a probability: 1 for these kinds, 0 for the others."""
    allowed = frozenset(kinds)
    return ElementAffordance(element, tuple(float(kind in allowed) for kind in KINDS))


def asked_elements(tree: UITree) -> tuple[tuple[int, ...], int]:
    """Indices of the elements that are asked about, which can be seen and have an area on the screen, and how many of
    these are left out beyond `MOST_ELEMENTS`."""
    seen = [one.index for one in tree if one.visible and (box := one.box.clipped()) is not None and box.area > 0]
    return tuple(seen[:MOST_ELEMENTS]), max(0, len(seen) - MOST_ELEMENTS)


def without_flags(tree: UITree) -> UITree:
    """The tree with words, classes, ids and boxes, and with no flag that tells what an element allows or how it is."""
    elements = tuple(_plain(element) for element in tree)
    return UITree(elements, tree.origin, tree.size, tree.activity)


def _plain(element: UIElement) -> UIElement:
    return UIElement(
        element.index, element.box, element.parent, element.depth, element.text, element.content_description,
        element.resource_id, element.class_name, element.package, visible=element.visible,
    )  # fmt: skip


def affordance_to_json(answer: AffordanceAnswer) -> dict[str, Any]:
    """By element, as text, the scores by kind; those that are 0 are left out."""
    return {
        str(one.element): {kind.value: score for kind, score in zip(KINDS, one.scores, strict=True) if score}
        for one in answer.elements
    }


def affordance_from_json(form: object) -> AffordanceAnswer:
    """By element its scores by kind, or a list of the kinds that it allows. Raises ValueError naming the element."""
    if not isinstance(form, Mapping):
        raise ValueError("affordance must be an object: by element what it allows")
    return AffordanceAnswer(tuple(_said(name, value) for name, value in form.items()))


def _said(name: object, value: object) -> ElementAffordance:
    if not isinstance(name, str) or _INDEX.fullmatch(name) is None:
        raise ValueError(f"affordance: {str(name)[:40]!r} is no index of an element")
    known = [kind.value for kind in KINDS]
    if not isinstance(value, (list, Mapping)):
        raise ValueError(f"affordance.{name} must be a list of kinds, or scores by kind")
    strange = next((one for one in value if not isinstance(one, str) or one not in known), None)
    if strange is not None:
        raise ValueError(f"affordance.{name}: {str(strange)[:40]!r} is none of {', '.join(known)}")
    scores = value if isinstance(value, Mapping) else dict.fromkeys(value, 1.0)
    return ElementAffordance(int(name), tuple(_score(name, kind, scores.get(kind.value, 0.0)) for kind in KINDS))


_INDEX = re.compile(r"0|[1-9][0-9]{0,6}")
"""An index of an element; no tree has more."""


def _score(name: str, kind: Affordance, value: object) -> float:
    sound = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    if not sound or not 0 <= value <= 1:  # type: ignore[operator]
        raise ValueError(f"affordance.{name}.{kind} must be a number from 0 to 1")
    return float(value)  # type: ignore[arg-type]


def allowed_words(answer: AffordanceAnswer) -> str:
    """How many elements an answer lets something be done on, by kind: "12 tap, 1 scroll"."""
    return _counted([frozenset(one.kinds) for one in answer.elements])


def flags_words(tree: UITree) -> str:
    """The same of what a tree declares, of the elements that are asked about."""
    return _counted([flagged(tree.elements[index]) for index in asked_elements(tree)[0]])


def _counted(allowed: Collection[frozenset[Affordance]]) -> str:
    counts = [(kind, sum(kind in kinds for kinds in allowed)) for kind in KINDS]
    return ", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in counts if count) or "nothing"
