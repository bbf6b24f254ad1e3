"""A number painted into a picture as a row of black and white blocks, which scaling and video coding leave readable."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

BITS = 16
_SHARE = 0.9
"""The row's share of the picture's width; each block is as high as it is wide, and the row starts at the left top."""

_BLACK, _WHITE = 16, 235


def paint(rgb: NDArray[np.uint8], number: int) -> None:
    """Paint `number` (below 2^15; the last block is its parity) into the picture's top left."""
    side = int(rgb.shape[1] * _SHARE / BITS)
    for place, bit in enumerate(_bits(number)):
        rgb[:side, place * side : (place + 1) * side] = _WHITE if bit else _BLACK


def read(pixels: NDArray[np.uint8]) -> int | None:
    """The number in a picture of any size, height × width × 3 or 4 in any order; None where there is none."""
    side = pixels.shape[1] * _SHARE / BITS
    row = int(side / 2)
    values = [int(pixels[row, int((place + 0.5) * side), 1]) for place in range(BITS)]
    if any(70 < value < 180 for value in values):
        return None
    bits = [value >= 180 for value in values]
    number = sum(bit << place for place, bit in enumerate(bits[:-1]))
    return number if _bits(number) == bits else None


def _bits(number: int) -> list[bool]:
    bits = [bool(number >> place & 1) for place in range(BITS - 1)]
    return [*bits, sum(bits) % 2 == 0]  # odd parity: neither all black nor all white is a number
