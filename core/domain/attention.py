"""Where a predictor looked on its way to an answer: words of a text on one side, places of the screen on the other.

Places of the screen are fractions of it (0..1, origin top left), since a model looks at a picture of its own size. How
raw output becomes these values is in `core.evaluation.attention`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from enum import StrEnum

from stepscope.core.domain.geometry import Box, Size
from stepscope.core.frozen import dataclass


class AttentionText(StrEnum):
    """The text that words are of: the goal, the step's instruction, or another that the model read."""

    GOAL = "goal"
    INSTRUCTION = "instruction"
    OTHER = "text"


@dataclass(frozen=True, slots=True)
class AttentionWord:
    """The letters from `start` up to `end` of a text, with their weight, 0..1."""

    start: int
    end: int
    weight: float


@dataclass(frozen=True, slots=True)
class AttentionArea:
    """A part of the screen with its weight, 0..1; left < right and top < bottom. `name` tells an element in words."""

    left: float
    top: float
    right: float
    bottom: float
    weight: float
    name: str = ""

    def box(self, size: Size) -> Box:
        """The same in pixels of a screenshot of `size`."""
        width, height = size.width, size.height
        return Box(self.left * width, self.top * height, self.right * width, self.bottom * height, size)

    def contains(self, x: float, y: float) -> bool:
        """Whether a place, in fractions of the screen, lies inside, edges included."""
        return self.left <= x <= self.right and self.top <= y <= self.bottom

    @property
    def share(self) -> float:
        """How much of the screen it covers."""
        return (self.right - self.left) * (self.bottom - self.top)


@dataclass(frozen=True, slots=True)
class WordElementMatch:
    """How like a word and an element are, 0..1, each by its place among the stream's."""

    word: int
    element: int
    likeness: float


@dataclass(frozen=True, slots=True)
class AttentionPointer:
    """What a person points at: a word of a stream or an element, by its place there; neither: nothing."""

    word: int | None = None
    element: int | None = None


NOWHERE = AttentionPointer()


@dataclass(frozen=True, slots=True)
class AttentionStream:
    """One look of a model: a stream of a network, a decoder's, the comparison of words with elements.

    `words` are of `text`, in order and apart from each other. `cells` are the parts that it took the picture in,
    `elements` those of the screen that it weighed; `matches` tell which words and elements belong together.
    """

    name: str
    source: AttentionText
    text: str
    words: tuple[AttentionWord, ...] = ()
    cells: tuple[AttentionArea, ...] = ()
    elements: tuple[AttentionArea, ...] = ()
    matches: tuple[WordElementMatch, ...] = ()

    @property
    def title(self) -> str:
        """What it is called where there are several: "action, goal"."""
        return f"{self.name}, {self.source.value}"

    def light(self, pointer: AttentionPointer) -> AttentionLight:
        """What belongs to what a person points at; places that are none of this stream's are nothing."""
        if pointer.word is not None and 0 <= pointer.word < len(self.words):
            found = {one.element: one.likeness for one in self.matches if one.word == pointer.word}
            return AttentionLight({pointer.word: self.words[pointer.word].weight}, found)
        if pointer.element is not None and 0 <= pointer.element < len(self.elements):
            found = {one.word: one.likeness for one in self.matches if one.element == pointer.element}
            return AttentionLight(found, {pointer.element: self.elements[pointer.element].weight})
        return UNLIT

    def element_at(self, x: float, y: float) -> int | None:
        """The smallest element at a place in fractions of the screen."""
        under = [place for place, one in enumerate(self.elements) if one.contains(x, y)]
        return min(under, key=lambda place: self.elements[place].share, default=None)


@dataclass(frozen=True, slots=True)
class AttentionLight:
    """Words and elements that stand out, by their place in the stream, each with its likeness to what is pointed at;
    of what is pointed at itself its weight."""

    words: Mapping[int, float] = field(default_factory=dict)
    elements: Mapping[int, float] = field(default_factory=dict)


UNLIT = AttentionLight()


def stream_titled(streams: Iterable[AttentionStream], title: str = "") -> AttentionStream | None:
    """The stream of this title, else the first; None where there is none."""
    several = tuple(streams)
    return next((one for one in several if one.title == title), next(iter(several), None))
