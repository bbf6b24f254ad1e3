"""What the elements of a screen allow, as marks and as strokes: a letter for each kind of action at the element."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from stepscope.core.domain.affordance import KINDS, Affordance, AffordanceAnswer, ElementAffordance, flagged
from stepscope.core.domain.elements import UIElement, UITree
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.mark import AffordanceMark, KindAgreement
from stepscope.core.imaging.labels import LabelLayout
from stepscope.core.imaging.palette import CASING, INK, RUN_STYLES
from stepscope.core.imaging.rect import Rect
from stepscope.core.imaging.strokes import Fill, Ink, RoundedRect, Stroke, TextStroke

LETTERS = {
    Affordance.TAP: "T",
    Affordance.LONG_PRESS: "L",
    Affordance.TYPE: "I",
    Affordance.SCROLL: "S",
    Affordance.CHECK: "C",
}
"""Of each kind; I is the cursor in a text."""
CHIP = 12.0
"""Width and height, in units, of a letter's ground."""
_APART = 1.5


def affordance_marks(
    tree: UITree, size: Size, run: int, answer: AffordanceAnswer, told: Collection[Affordance]
) -> Iterator[AffordanceMark]:
    """Marks, in pixels of a picture of `size`, of the elements of which the run says that they allow something, or the
    tree does. Of the kinds that are not `told`, the tree says nothing. An element that it does not have is left
    out."""
    for one in answer.elements:
        if one.element >= len(tree):
            continue
        element = tree.elements[one.element]
        declared = flagged(element) & frozenset(told)
        box = element.box.rescaled(size).clipped()
        kinds = tuple(_agreements(one, declared, told))
        if kinds and box is not None:
            yield AffordanceMark(run, box, kinds, affordance_text(element, one, declared if told else None))


def _agreements(
    one: ElementAffordance, declared: Collection[Affordance], told: Collection[Affordance]
) -> Iterator[tuple[str, KindAgreement]]:
    for kind in KINDS:
        if kind in one.kinds:
            agrees = kind in declared or kind not in told
            yield LETTERS[kind], KindAgreement.AGREED if agrees else KindAgreement.EXTRA
        elif kind in declared:
            yield LETTERS[kind], KindAgreement.MISSED


def affordance_text(element: UIElement, one: ElementAffordance, declared: Collection[Affordance] | None) -> str:
    """ "Log in: tap 0.97, long press 0.12; the tree says tap"; `declared` None: it does not tell."""
    name = " ".join(element.label.split())[:40] or element.short_class or "an element without words"
    said = ", ".join(f"{_words(kind)} {score:.2f}" for kind, score in zip(KINDS, one.scores, strict=True) if score > 0)
    if declared is None:
        return f"{name}: {said or 'nothing'}"
    tree = ", ".join(_words(kind) for kind in KINDS if kind in declared) or "nothing"
    return f"{name}: {said or 'nothing'}; the tree says {tree}"


def _words(kind: Affordance) -> str:
    return kind.replace("_", " ")


def affordance_inks(
    mark: AffordanceMark, rect: Rect, taken: Sequence[Rect], shelf: LabelLayout, unit: float
) -> tuple[tuple[Ink, ...], Rect]:
    """Outline and letters of an element at `rect`, and the ground of the letters: at its top left, moved right where
    others have that place. Full where the tree says so too, hollow where it does not, a broken ground where the tree
    alone does."""
    size, gap, colour = CHIP * unit, _APART * unit, RUN_STYLES[mark.run].colour
    width = len(mark.kinds) * (size + gap)
    ground = Rect(rect.left, rect.top, rect.left + width, rect.top + size)
    while any(ground.touches(other) for other in taken):
        ground = ground.moved(size + gap, 0)
    shelf.take(ground)
    inks: list[Ink] = [Stroke((RoundedRect(rect, 2 * unit),), colour, unit, 0.55, clipped=True)]
    for place, (letter, agreement) in enumerate(mark.kinds):
        left = ground.left + place * (size + gap)
        chip = (RoundedRect(Rect(left, ground.top, left + size, ground.bottom), 2.5 * unit),)
        full = agreement is KindAgreement.AGREED
        inks.append(Fill(chip, colour if full else INK, 1.0 if full else 0.9))
        dash = (2 * unit, 2 * unit) if agreement is KindAgreement.MISSED else ()
        inks.append(Stroke(chip, CASING if full else colour, 1.2 * unit, dash=dash))
        text = CASING if full else colour
        inks.append(TextStroke(letter, left + size / 2, ground.top + 9.2 * unit, 9 * unit, 700, text, centred=True))
    return tuple(inks), ground
