"""The texts of many screens, one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from stepscope.core.domain.elements import UITree
from stepscope.core.domain.episode import Picture
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.imaging.decode import decode
from stepscope.core.imaging.parts import Pixels
from stepscope.core.progress import CancelToken
from stepscope.models.ocr.lines import text_tree
from stepscope.models.ocr.reader import TextReader
from stepscope.models.ocr.text_cache import TextCache


def read_screens(
    pictures: Iterable[Picture], token: CancelToken, kept: TextCache | None = None
) -> Iterator[tuple[Picture, UITree | SourceError]]:
    """Each picture with its tree, or with what is wrong with it. Ends after the current picture when cancelled.

    Raises UnavailableError, before the first that was not read yet, where no reader is installed.
    """
    kept, reader = kept or TextCache(), None
    for picture in pictures:
        token.wait_if_paused()
        if token.cancelled:
            return
        try:
            pixels = opaque(decode(picture))
        except SourceError as error:
            yield picture, error
            continue
        lines = kept.get(pixels)
        if lines is None:
            reader = reader or TextReader()
            lines = reader.read(pixels)
            kept.put(pixels, lines)
        yield picture, text_tree(lines, _size(pixels))


def kept_screen(pixels: Pixels, kept: TextCache | None = None) -> UITree | None:
    """The tree of a picture (height × width × 3 or 4 bytes) that was read before."""
    pixels = opaque(pixels)
    lines = (kept or TextCache()).get(pixels)
    return None if lines is None else text_tree(lines, _size(pixels))


def opaque(pixels: Pixels) -> Pixels:
    """Red, green, blue in one piece of memory."""
    return np.ascontiguousarray(pixels[:, :, :3])


def _size(pixels: Pixels) -> Size:
    height, width = pixels.shape[:2]
    return Size(width, height)
