"""Colours and shapes of marks on pixels: the same in every theme, since a screenshot has its own colours.

A letter and a shape always double the colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import overload

from stepscope.core.domain.layers import RUN_LETTERS, Layer
from stepscope.core.frozen import dataclass

CASING = "#0D1014"
"""Dark outline under every mark, so that it is seen on white and on black."""
INK = "#14171C"
"""Inside of a hollow glyph."""
WHITE = "#FFFFFF"
REFERENCE = "#4CC9FF"
ASK = "#F2C94C"
"""Malformed answers, questions and defects."""
ACCENT = "#7AA7FF"
CHANGE = "#A03CFF"
"""What is other than on the step before; a sign tells how. No green and no red, which speak of hits and misses."""
TREE = "#56616F"
TREE_OPACITY = 0.75
TOLERANCE_OPACITY, OTHERS_OPACITY = 0.13, 0.06
"""Tint of the target's own shape of a tolerance, and of what the rule accepts besides."""


class RunShape(StrEnum):
    """Outlines of runs, which tell A to D apart without colour; E to H have them again, doubled."""

    CIRCLE = "circle"
    SQUARE = "square"
    DIAMOND = "diamond"
    HEXAGON = "hexagon"


@dataclass(frozen=True, slots=True)
class RunStyle:
    """The look of one run on pixels; `double` (runs E to H) asks for a second outline."""

    letter: str
    colour: str
    shape: RunShape
    double: bool


RUN_COLOURS = ("#FFB020", "#FF77B7", "#9A88FF", "#EDF1F5")
"""Of runs A to D as they usually are; E to H have them again."""
_SHAPES = tuple(RunShape)


class RunStyles(Sequence[RunStyle]):
    """The looks of runs A to H. A person may have chosen other colours for A to D; shapes and letters stay."""

    def __init__(self) -> None:
        self._styles: tuple[RunStyle, ...] = ()
        self.choose(RUN_COLOURS)

    def choose(self, colours: Sequence[str]) -> None:
        """Four colours "#RRGGBB" for A to D, from now on and for all that is drawn after."""
        self._styles = tuple(
            RunStyle(letter, colours[index % 4], _SHAPES[index % 4], index >= 4)
            for index, letter in enumerate(RUN_LETTERS)
        )

    @overload
    def __getitem__(self, place: int) -> RunStyle: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[RunStyle]: ...

    def __getitem__(self, place: int | slice) -> RunStyle | Sequence[RunStyle]:
        return self._styles[place]

    def __len__(self) -> int:
        return len(self._styles)


RUN_STYLES = RunStyles()


def layer_colour(layer: Layer) -> str:
    """The vivid colour of a layer, as #RRGGBB."""
    if layer.run is not None:
        return RUN_STYLES[layer.run].colour
    if layer is Layer.DIFF:
        return CHANGE
    return TREE if layer is Layer.TREE else REFERENCE


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green, blue (0..255) of #RRGGBB."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
