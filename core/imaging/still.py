"""A picture file as a decoder may have it: nothing in it but one picture, in no more pieces than pictures have.

Decoders of pictures read text, colour profiles and animations that no screen shows, and unpack them at any cost: a PNG
of six megabytes keeps libpng at work for half a minute, and the frames of an animation take a gigabyte.
"""

from __future__ import annotations

from pathlib import Path

from stepscope.core import limits
from stepscope.core.errors import SourceError
from stepscope.core.imaging.probe import PictureInfo, probe_bytes

_PNG_START = 8
_ANCILLARY = 0x20
"""The bit of a chunk's first letter that critical chunks lack (PNG specification, 5.4)."""
_SCAN = b"\xff\xda"


def still(data: bytes, place: Path | str = "") -> tuple[bytes, PictureInfo]:
    """The file's bytes for a decoder, and what it is. Raises SourceError as `probe_bytes` does, and for a JPEG of more
    scans than the limit `picture-scans`."""
    info = probe_bytes(data, place)
    if info.kind == "png":
        return _png(data, place), info
    if info.kind == "jpeg":
        _check_scans(data, place)
    return data, info


def _png(data: bytes, place: Path | str) -> bytes:
    """The critical chunks, and the transparency of a palette; colours are taken as they stand, as OpenCV does."""
    kept, start, whole = [data[:_PNG_START]], _PNG_START, True
    while start < len(data):
        end = start + 12 + int.from_bytes(data[start : start + 4], "big")
        name = data[start + 4 : start + 8]
        if end > len(data):
            raise SourceError("the PNG is cut short inside a chunk", place=place, field="screenshot")
        if name == b"tRNS" or not name[0] & _ANCILLARY:
            kept.append(data[start:end])
        else:
            whole = False
        start = end
        if name == b"IEND":
            break
    return data if whole else b"".join(kept)


def _check_scans(data: bytes, place: Path | str) -> None:
    """A scan may go over the whole picture in a few bytes. Coded pixels have no marker by chance (T.81, B.1.1.5)."""
    count, most = data.count(_SCAN), limits.limit("picture-scans")
    if count > most:
        message = f"the JPEG goes over its picture {count:,} times"
        raise limits.exceeded("picture-scans", message, place=place, field="screenshot")
