"""What a picture file says of itself: kind and size from its header, and whether it is whole; nothing is decoded.

PNG: chunks of the W3C recommendation (IHDR first, IEND last). JPEG: markers of ITU-T T.81 (SOF carries the size, EOI
ends the picture). WebP: the RIFF container of RFC 9649 with a VP8, VP8L or VP8X chunk. A data set fetched without
`git lfs` has small text files in the pictures' place; they are named as what they are.
"""

from __future__ import annotations

import io
import os
import struct
from pathlib import Path
from typing import BinaryIO, Literal

from stepscope.core import limits
from stepscope.core.archives.opening import LFS_HINT as LFS_HINT
from stepscope.core.archives.opening import LFS_POINTER as LFS_POINTER
from stepscope.core.domain.geometry import Size
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.regular_files import open_regular

_MAX_PARTS = 100_000
_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_PNG_END = b"\x00\x00\x00\x00IEND\xaeB`\x82"
_JPEG_END = b"\xff\xd9"
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_WEBP_ANIMATED = 0x02
_JPEG_BARE = frozenset({0x01, *range(0xD0, 0xD9)})

Kind = Literal["png", "jpeg", "webp"]


@dataclass(frozen=True, slots=True)
class PictureInfo:
    """Size in stored pixels (an orientation tag is not applied) and file kind."""

    size: Size
    kind: Kind


def probe_picture(path: Path) -> PictureInfo:
    """Kind and size of a whole PNG, JPEG or WebP file.

    Raises SourceError when it is missing, a git-lfs pointer, another kind of file, cut short, or too large.
    """
    if not _is_there(path):
        raise SourceError("the picture is not there", place=path, field="screenshot")
    try:
        with open_regular(path) as stream:
            return _probe(stream, path)
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", place=path, field="screenshot") from error


def _is_there(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name longer than the file system takes
        return False


def probe_bytes(data: bytes, place: Path | str = "") -> PictureInfo:
    """What a picture in memory says of itself; `place` names it in errors."""
    return _probe(io.BytesIO(data), place)


def check_pixels(width: int, height: int, place: Path | str = "") -> None:
    """SourceError for a picture beyond the limit `picture-pixels`."""
    if not may_be_opened(width, height):
        message = f"the picture has {width} × {height} pixels, more than the {limits.limit('picture-pixels'):,} allowed"
        raise limits.exceeded("picture-pixels", message, place=place, field="screenshot")


def may_be_opened(width: int, height: int) -> bool:
    """Whether a picture of this size is within the limit `picture-pixels`."""
    return width * height <= limits.limit("picture-pixels")


def _probe(stream: BinaryIO, place: Path | str) -> PictureInfo:
    head = stream.read(64)
    length = stream.seek(0, os.SEEK_END)
    try:
        kind, (width, height) = _header(head, stream, length)
    except (struct.error, IndexError) as error:
        raise SourceError("the picture is cut short inside its header", place=place, field="screenshot") from error
    except SourceError as error:
        raise SourceError(error.message, place=place, field="screenshot", hint=error.hint) from error
    if width <= 0 or height <= 0:
        raise SourceError(f"the picture has no size ({width} × {height})", place=place, field="screenshot")
    check_pixels(width, height, place)
    return PictureInfo(Size(width, height), kind)


def _header(head: bytes, stream: BinaryIO, length: int) -> tuple[Kind, tuple[int, int]]:
    if head.startswith(_PNG_SIGNATURE):
        return "png", _png(head, stream, length)
    if head.startswith(b"\xff\xd8\xff"):
        return "jpeg", _jpeg(stream, length)
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "webp", _webp(head, length)
    if head.startswith(LFS_POINTER):
        raise SourceError("the picture is not there, only its git-lfs pointer", hint=LFS_HINT)
    raise SourceError("the file is empty" if not head else "this is not a PNG, JPEG or WebP picture")


def _png(head: bytes, stream: BinaryIO, length: int) -> tuple[int, int]:
    if head[12:16] != b"IHDR":
        raise SourceError("the PNG does not begin with its header chunk")
    width, height = struct.unpack(">II", head[16:24])
    stream.seek(max(length - len(_PNG_END), 0))
    if stream.read() != _PNG_END and not _png_has_end(stream, length):
        raise SourceError("the PNG is cut short: its end is missing")
    return width, height


def _png_has_end(stream: BinaryIO, length: int) -> bool:
    """Whether walking chunk by chunk reaches IEND within the file (bytes after it do no harm)."""
    place = len(_PNG_SIGNATURE)
    for _ in range(_MAX_PARTS):
        stream.seek(place)
        start = stream.read(8)
        if len(start) < 8:
            return False
        place += 12 + int.from_bytes(start[:4], "big")
        if place > length:
            return False
        if start[4:] == b"IEND":
            return True
    return False


def _jpeg(stream: BinaryIO, length: int) -> tuple[int, int]:
    size: tuple[int, int] | None = None
    place = 2
    for _ in range(_MAX_PARTS):
        stream.seek(place)
        marker = stream.read(4)
        if len(marker) < 4 or marker[0] != 0xFF:
            raise SourceError("the JPEG is cut short or broken inside its header")
        code = marker[1]
        if code == 0xFF or code in _JPEG_BARE:
            place += 1 if code == 0xFF else 2
            continue
        if code in _JPEG_FRAMES:
            height, width = struct.unpack(">HH", stream.read(5)[1:])
            size = (width, height)
        place += 2 + int.from_bytes(marker[2:], "big")
        if code == 0xDA:
            break
    if size is None:
        raise SourceError("the JPEG names no size before its pixels")
    if not _jpeg_has_end(stream, place, length):
        raise SourceError("the JPEG is cut short: its end marker is missing")
    return size


def _jpeg_has_end(stream: BinaryIO, scan: int, length: int) -> bool:
    """Whether EOI follows the first scan header at `scan`; a thumbnail's own EOI lies before it and does not count."""
    stream.seek(max(length - 2, scan))
    if stream.read() == _JPEG_END:
        return True
    stream.seek(scan)
    return _JPEG_END in stream.read()


def _webp(head: bytes, length: int) -> tuple[int, int]:
    if int.from_bytes(head[4:8], "little") + 8 > length:
        raise SourceError("the WebP picture is cut short: the file is smaller than it says")
    kind = head[12:16]
    if kind == b"VP8X":
        if head[20] & _WEBP_ANIMATED:
            raise SourceError("this WebP is an animation, not one picture")
        return 1 + int.from_bytes(head[24:27], "little"), 1 + int.from_bytes(head[27:30], "little")
    if kind == b"VP8L" and head[20] == 0x2F:
        bits = int.from_bytes(head[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if kind == b"VP8 " and head[23:26] == b"\x9d\x01\x2a":
        width, height = struct.unpack("<HH", head[26:30])
        return width & 0x3FFF, height & 0x3FFF
    raise SourceError("the WebP picture's header is broken")
