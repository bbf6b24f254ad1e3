"""The size that a picture has when a model sees it.

`factor` is Qwen's rule (`core.domain.pixel_budget`): both sides become multiples of a factor, and the area is brought
between two bounds. The others are those of AgentCPM-GUI (long side at most so
much) and of Anthropic's servers (long side and number of tiles of 28 × 28 at most so much).
"""

from __future__ import annotations

import math
from dataclasses import replace
from enum import StrEnum

from stepscope.core.domain.geometry import Size
from stepscope.core.domain.pixel_budget import by_factor
from stepscope.core.frozen import dataclass

_TILE = 28


class Resizing(StrEnum):
    NONE = "none"
    FACTOR = "factor"
    LONG_SIDE = "long_side"
    TILES = "tiles"


@dataclass(frozen=True, slots=True)
class ResizeRule:
    """`least` and `most`: pixels of the whole picture for `factor`; `most` the long side for `long_side` and `tiles`,
    which has `tiles` of them at most. `halved`: how often the area is halved after that, where memory ran out."""

    rule: Resizing = Resizing.NONE
    factor: int = 1
    least: int = 1
    most: int = 1
    tiles: int = 1
    halved: int = 0

    def __post_init__(self) -> None:
        if min(self.factor, self.least, self.most, self.tiles) < 1:
            raise ValueError("a number of resize is below 1")

    def sent(self, screen: Size) -> Size:
        """The size as the model sees it. Raises ValueError for a picture that the rule refuses."""
        if not self.halved:
            return self._whole(screen)
        whole = replace(self, halved=0)._whole(screen)
        area = max(1, whole.width * whole.height >> self.halved)
        if self.rule is Resizing.FACTOR:
            return replace(self, halved=0, least=min(self.least, area), most=area)._whole(screen)
        return _reduced(whole, int(max(whole.width, whole.height) * 0.5 ** (self.halved / 2)))

    def _whole(self, screen: Size) -> Size:
        match self.rule:
            case Resizing.NONE:
                return screen
            case Resizing.FACTOR:
                return by_factor(screen, self.factor, self.least, self.most)
            case Resizing.LONG_SIDE:
                return _reduced(screen, self.most)
            case Resizing.TILES:
                return self._in_tiles(screen)

    def _in_tiles(self, screen: Size) -> Size:
        longest = min(self.most, max(screen.width, screen.height))
        while longest > 1:
            found = _reduced(screen, longest)
            if math.ceil(found.width / _TILE) * math.ceil(found.height / _TILE) <= self.tiles:
                return found
            longest -= 1
        return Size(1, 1)


NO_RESIZING = ResizeRule()


def _reduced(screen: Size, longest: int) -> Size:
    """The size with a long side of at most `longest`."""
    share = min(1.0, longest / max(screen.width, screen.height))
    return Size(max(1, int(screen.width * share)), max(1, int(screen.height * share)))
