"""What a picture that a predictor attaches has to be. Looks at headers only, and does without OpenCV."""

from __future__ import annotations

from collections.abc import Iterable

from stepscope.core.domain.prediction import AttachedPicture
from stepscope.core.errors import SourceError
from stepscope.core.imaging.probe import probe_bytes

LARGEST_SIDE = 4096
"""Pixels along a side of an attached picture's file."""


def check_attached(pictures: Iterable[AttachedPicture]) -> None:
    """Raises ValueError for one whose file is no whole PNG, JPEG or WebP picture or is too large to be drawn, and for
    one that does not lie on the screen."""
    for one in pictures:
        if not isinstance(one, AttachedPicture) or not isinstance(one.data, bytes) or not isinstance(one.name, str):
            raise ValueError("an attached picture is not what it should be: a name and the bytes of a picture file")
        try:
            size = probe_bytes(one.data).size
        except SourceError as error:
            raise ValueError(f"the picture {one.name!r} cannot be read: {error.message}") from error
        if max(size.width, size.height) > LARGEST_SIDE:
            raise ValueError(f"the picture {one.name!r} is {size}, of {LARGEST_SIDE} pixels a side at most")
        if one.box is not None and one.box.clipped() != one.box:
            raise ValueError(f"the box of the picture {one.name!r} is empty or not on the screen")
