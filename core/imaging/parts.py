"""A picture's bytes, wherever they lie: in a file of their own, inside a larger file, or in a table."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, TypeAlias

from stepscope.core.archives.opening import unreadable
from stepscope.core.domain.episode import Cell, Encoding, Picture, Slice
from stepscope.core.errors import SourceError
from stepscope.core.imaging.probe import check_pixels
from stepscope.core.lazy import lazy_module
from stepscope.core.regular_files import open_regular

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from stepscope.core.archives import cells, spans
else:
    np = lazy_module("numpy")
    cells, spans = lazy_module("stepscope.core.archives.cells"), lazy_module("stepscope.core.archives.spans")

Pixels: TypeAlias = "NDArray[np.uint8]"
"""Height × width × 3 (red, green, blue), top row first."""

_URL_MARK = b";base64,"


def picture_file(picture: Picture) -> bytes:
    """The PNG, JPEG or WebP file's bytes, not looked at. Raises SourceError when they cannot be had."""
    try:
        match picture.part:
            case Slice(offset=offset, length=length, encoding=encoding):
                data = spans.read_span(picture.path, offset, length)
                return _from_base64(data, picture) if encoding is Encoding.BASE64 else data
            case Cell(group=group, row=row, column=column):
                return cells.read_cell(picture.path, group, row, column)
        with open_regular(picture.path) as stream:
            return stream.read()
    except FileNotFoundError as error:
        raise SourceError("the picture is not there", place=picture.path, field="screenshot") from error
    except OSError as error:
        raise unreadable(error, picture.path) from error
    except SourceError as error:
        raise _of_screenshot(error) from error


def raw_pixels(picture: Picture, part: Slice) -> Pixels:
    """The pixels that lie as red, green and blue bytes in a file."""
    width, height = picture.size.width, picture.size.height
    check_pixels(width, height, picture.path)
    if part.length != width * height * 3:
        raise SourceError(
            f"the picture has {part.length} bytes, not the {width * height * 3} of {width} × {height} pixels",
            place=picture.path,
            field="screenshot",
        )
    try:
        data = spans.read_span(picture.path, part.offset, part.length)
    except SourceError as error:
        raise _of_screenshot(error) from error
    return np.frombuffer(data, np.uint8).reshape(height, width, 3)


def _from_base64(data: bytes, picture: Picture) -> bytes:
    """The bytes of base64 as it stands in JSON: perhaps with escaped slashes, perhaps behind the beginning of a data
    URL."""
    start = data.find(_URL_MARK, 0, 100)
    text = data[start + len(_URL_MARK) if start >= 0 else 0 :].replace(b"\\/", b"/")
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise SourceError("the picture is not the base64 that it should be", place=picture.path) from error


def _of_screenshot(error: SourceError) -> SourceError:
    return SourceError(
        error.message, place=error.place, record=error.record, field=error.field or "screenshot", hint=error.hint
    )
