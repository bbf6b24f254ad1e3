"""A stretch of bytes out of a larger file, gzip or not."""

from __future__ import annotations

from pathlib import Path

from stepscope.core.archives import gzip_access
from stepscope.core.archives.opening import is_gzip, open_file, unreadable
from stepscope.core.errors import SourceError
from stepscope.core.limits import exceeded, limit

_LAST_PLACE = 1 << 62


def read_span(path: Path, offset: int, length: int) -> bytes:
    """`length` bytes from `offset` of the file, or of its inflated stream when it is gzip.

    Quick in a gzip file once its index is built (`gzip_access.prepare`); the first read builds it where it is missing.
    Raises SourceError when the bytes are not all there.
    """
    if not 0 <= offset <= _LAST_PLACE or length < 0:
        raise SourceError(f"{length} bytes at {offset} are no place in a file", place=path)
    if length > limit("record-bytes"):
        raise exceeded("record-bytes", f"{length} bytes are to be read at once", place=path)
    if is_gzip(path):
        return gzip_access.read_span(path, offset, length)
    with open_file(path) as stream:
        try:
            size = stream.seek(0, 2)
            stream.seek(offset)
            data = stream.read(length) if offset + length <= size else b""
        except OSError as error:
            raise unreadable(error, path) from error
    if len(data) != length:
        message = f"the file ends at byte {size}, before byte {offset + length}"
        raise SourceError(message, place=path, hint="It has changed or was cut short: fetch or open it again.")
    return data
