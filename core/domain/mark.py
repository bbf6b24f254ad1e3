"""Marks: what is drawn over a screen, as values.

Every place is a pixel of the screenshot that the mark belongs to; how large a glyph is on the glass is decided by
whoever draws it. The window and the exported pictures draw the same values.
"""

from __future__ import annotations

from array import array
from enum import StrEnum
from functools import cached_property

from stepscope.core.domain.action import FinishStatus
from stepscope.core.domain.attention import AttentionArea
from stepscope.core.domain.geometry import Box, Point, Region
from stepscope.core.domain.layers import Layer
from stepscope.core.domain.prediction import AttachedPicture
from stepscope.core.frozen import dataclass


class MarkVerdict(StrEnum):
    """hit: right under the current rule; miss: wrong; unscored: no verdict; none: a reference, which is not judged."""

    HIT = "hit"
    MISS = "miss"
    UNSCORED = "unscored"
    NONE = "none"


class ArrowKind(StrEnum):
    """swipe and drag point the way of the finger, scroll the way of the view (down shows what is below)."""

    SWIPE = "swipe"
    DRAG = "drag"
    SCROLL = "scroll"


class PillKind(StrEnum):
    """The part of an action that a pill tells in words, since it has no place or its place says too little."""

    TYPED = "typed"
    CHOSEN = "chosen"
    KEY = "key"
    APP = "app"
    WAIT = "wait"
    SCROLL = "scroll"
    ELEMENT = "element"
    """an element that is acted on, of which nobody knows where it is"""
    MALFORMED = "malformed"
    GUESS = "guess"
    """what a run makes of the whole episode"""


class ChangeSign(StrEnum):
    """The kind of a change of an element since the step before; region: pixels that differ, whatever is there."""

    APPEARED = "appeared"
    VANISHED = "vanished"
    CHANGED = "changed"
    REGION = "region"


class BubbleKind(StrEnum):
    """The speech of an agent to the person: a question, or something that it says."""

    ASK = "ask"
    SAY = "say"


@dataclass(frozen=True, slots=True)
class AttachedMark:
    """A picture that the predictor of run `run` (0 is A) attached, stretched over its box."""

    run: int
    picture: AttachedPicture
    box: Box
    layer: Layer = Layer.SALIENCY


@dataclass(frozen=True, slots=True)
class AttentionHeat:
    """The cells of the screen that run `run` (0 is A) looked at: the heavier, the denser."""

    run: int
    cells: tuple[AttentionArea, ...]
    layer: Layer = Layer.ATTENTION


@dataclass(frozen=True, slots=True)
class AttentionMark:
    """An element that run `run` (0 is A) weighed. `strength`, 0..1, is its weight beside the heaviest; `text` tells it
    in words; `lit`: a person points at it, or at a word that is like it."""

    run: int
    box: Box
    strength: float
    text: str = ""
    lit: bool = False
    layer: Layer = Layer.ATTENTION


@dataclass(frozen=True)
class TreeMark:
    """Boxes of all UI elements, as one mark: there may be thousands. All are on screenshots of one size."""

    boxes: tuple[Box, ...]
    layer: Layer = Layer.TREE

    @cached_property
    def corners(self) -> array[float]:
        """left, top, right, bottom of every box in one row, for drawing them at once."""
        return array("d", [edge for box in self.boxes for edge in (box.left, box.top, box.right, box.bottom)])


@dataclass(frozen=True, slots=True)
class RegionMark:
    """The places that count as right, in their true shape; drawn only on the picture."""

    region: Region
    layer: Layer = Layer.TOLERANCE


@dataclass(frozen=True, slots=True)
class BoxMark:
    """An outline around the element that the reference means; `box` is in pixels of the screenshot."""

    box: Box
    layer: Layer = Layer.TARGET


@dataclass(frozen=True, slots=True)
class ChangeMark:
    """Something that is other than on the step before; what vanished is marked where it was."""

    sign: ChangeSign
    box: Box
    layer: Layer = Layer.DIFF


@dataclass(frozen=True, slots=True)
class LabelMark:
    """The words of a UI element, written into its box where they fit and cover no others."""

    text: str
    box: Box
    layer: Layer = Layer.LABELS


@dataclass(frozen=True, slots=True)
class NumberMark:
    """A candidate's or element's number at the top left of its box."""

    number: int
    box: Box
    layer: Layer = Layer.NUMBERS


@dataclass(frozen=True, slots=True)
class EvidenceMark:
    """Something on the screen that spoke for the answer of run `run` (0 is A). `strength`, 0..1, is its weight beside
    the heaviest of that answer; `text` tells it in words; `lit`: a person asked where it is."""

    run: int
    box: Box
    strength: float
    text: str = ""
    lit: bool = False
    layer: Layer = Layer.EVIDENCE


class KindAgreement(StrEnum):
    """How a predicted kind of action goes with the tree: it declares the kind too (also: or says nothing of it), it
    does not, or it declares one that was not predicted."""

    AGREED = "agreed"
    EXTRA = "extra"
    MISSED = "missed"


@dataclass(frozen=True, slots=True)
class AffordanceMark:
    """An element with the kinds of action that run `run` (0 is A) says it allows, each by its letter, and those that
    the tree declares besides. `text` tells the probabilities in words."""

    run: int
    box: Box
    kinds: tuple[tuple[str, KindAgreement], ...]
    text: str = ""
    layer: Layer = Layer.AFFORDANCE


@dataclass(frozen=True, slots=True)
class CandidateMark:
    """The place of an action that run `run` weighed; `number` 1 is its best, `text` tells it in words, `score` is what
    the run gave it. A box without area is a bare point."""

    run: int
    number: int
    box: Box
    text: str = ""
    score: float | None = None
    layer: Layer = Layer.NUMBERS


@dataclass(frozen=True, slots=True)
class MissLine:
    """A line from a wrong point to the right one, with how far apart they are in words."""

    layer: Layer
    start: Point
    end: Point
    text: str = ""


@dataclass(frozen=True, slots=True)
class ArrowMark:
    """A movement. `start` and `end` are where it begins and ends on the screen."""

    layer: Layer
    kind: ArrowKind
    start: Point
    end: Point
    verdict: MarkVerdict = MarkVerdict.NONE


@dataclass(frozen=True, slots=True)
class PointMark:
    """A place touched. `double` asks for a second ring: a long press or a double tap."""

    layer: Layer
    point: Point
    verdict: MarkVerdict = MarkVerdict.NONE
    double: bool = False


@dataclass(frozen=True, slots=True)
class PillMark:
    """Words for what has no shape. `at` is the box that the words hang under, None for the bottom of the screen."""

    layer: Layer
    kind: PillKind
    text: str
    at: Box | None = None
    verdict: MarkVerdict = MarkVerdict.NONE


@dataclass(frozen=True, slots=True)
class BubbleMark:
    """A question or an answer in the conversation with the person."""

    layer: Layer
    kind: BubbleKind
    text: str
    verdict: MarkVerdict = MarkVerdict.NONE


@dataclass(frozen=True, slots=True)
class FlagMark:
    """The episode was declared over."""

    layer: Layer
    status: FinishStatus
    verdict: MarkVerdict = MarkVerdict.NONE


Mark = (
    AttachedMark | AttentionHeat | AttentionMark | TreeMark | ChangeMark | RegionMark | BoxMark | LabelMark
    | NumberMark | EvidenceMark | AffordanceMark | CandidateMark | MissLine | ArrowMark | PointMark | PillMark
    | BubbleMark | FlagMark
)  # fmt: skip
"""All that can be drawn over a screen."""
