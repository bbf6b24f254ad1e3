"""How pictures are made ready for an image network, and the network that takes them.

It is done as open_clip and torchvision do it: reduced by Pillow with the same antialiased filter and cut
in the middle. Only the part that is kept is reduced, which moves a colour by a few levels of 255 at sharp edges. The
rest (colours to numbers, normalising) is part of the network, so a prepared picture is small: bytes.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Literal

import numpy as np

from stepscope.core.frozen import dataclass
from stepscope.core.imaging.parts import Pixels

if TYPE_CHECKING:
    from torch.nn import Module

VERSION = 1
"""Of the preparation: raised when the same picture would give other bytes."""

_NARROWEST = 16

Triple = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Preparation:
    """The way from a picture to an input of `width` × `height` pixels.

    With `side` its short side becomes so long and the middle is cut out; without it the picture is squashed. `mean` and
    `std` normalise colours of 0..1.
    """

    width: int
    height: int
    side: int | None
    mean: Triple
    std: Triple
    filter: Literal["bicubic", "bilinear"] = "bicubic"

    @property
    def sides(self) -> tuple[int, ...]:
        """All lengths, in pixels."""
        return (self.width, self.height, *(() if self.side is None else (self.side,)))

    @property
    def name(self) -> str:
        """Tells one preparation from another, in a fingerprint."""
        return f"{VERSION} {json.dumps(asdict(self), sort_keys=True)}"

    def apply(self, pixels: Pixels) -> Pixels:
        """The input: height × width × 3 bytes."""
        from PIL import Image

        rows, columns = pixels.shape[:2]
        left, top, right, bottom = 0.0, 0.0, float(columns), float(rows)
        if self.side is not None:
            left, right = _middle(columns, min(rows, columns), self.side, self.width)
            top, bottom = _middle(rows, min(rows, columns), self.side, self.height)
        # What lies further away than the filter reaches is not even copied.
        reach_x, reach_y = (3 + 2 * (right - left) / self.width, 3 + 2 * (bottom - top) / self.height)
        x, y = max(0, int(left - reach_x)), max(0, int(top - reach_y))
        part = pixels[y : int(bottom + reach_y) + 1, x : int(right + reach_x) + 1]
        reduced = Image.fromarray(np.ascontiguousarray(part)).resize(
            (self.width, self.height),
            Image.Resampling.BICUBIC if self.filter == "bicubic" else Image.Resampling.BILINEAR,
            box=(left - x, top - y, right - x, bottom - y),
        )
        return np.asarray(reduced, dtype=np.uint8)


def less_narrow(pixels: Pixels) -> Pixels:
    """The picture, or of one narrower than 1 : `_NARROWEST` the middle: a line of 1080 × 1 pixels whose short side
    became 224 would have 162 MB."""
    rows, columns = pixels.shape[:2]
    most = _NARROWEST * min(rows, columns)
    top, left = max(0, rows - most) // 2, max(0, columns - most) // 2
    return pixels[top : top + most, left : left + most]


@dataclass(frozen=True, slots=True)
class Network:
    """A torch module from n × height × width × 3 bytes to n × d numbers, and how its pictures are made ready. `name` is
    its architecture."""

    name: str
    module: Module
    preparation: Preparation


def _middle(length: int, short: int, side: int, wanted: int) -> tuple[float, float]:
    """Where the cut of `wanted` pixels begins and ends, in the picture's own: along one edge, of `length` pixels, of a
    picture whose short edge becomes `side`. Rounded as torchvision rounds."""
    resized = side if length == short else int(side * length / short)
    first = round((resized - wanted) / 2)
    return first * length / resized, (first + wanted) * length / resized
