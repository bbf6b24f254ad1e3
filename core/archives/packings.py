"""Packed bytes as a stream of unpacked pieces: gzip, bzip2, xz, lzma and zstd, and the methods of zip files.

No piece has more than `PIECE` bytes, so that what a small file unpacks to takes no memory; the window that xz, lzma and
zstd look back over is bounded by `archive-window`. How much there is in all is for the caller to count.
"""

from __future__ import annotations

import bz2
import lzma
import struct
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from isal import igzip_lib

from stepscope.core.archives.inflate import PIECE, InflateError, Portions
from stepscope.core.archives.opening import GZIP_MAGIC
from stepscope.core.limits import exceeded, limit

GZIP, BZIP2, XZ, LZMA, ZSTD = "gzip", "bzip2", "xz", "lzma", "zstd"

MAGICS = {GZIP: GZIP_MAGIC, BZIP2: b"BZh", XZ: b"\xfd7zXZ\0", ZSTD: b"\x28\xb5\x2f\xfd", LZMA: b"\x5d\0\0"}
"""How each begins (RFC 1952 and 8878, the .xz and .lzma file formats)."""

_READ = 1 << 18
_FIRST_FEED = 1 << 12
_SLACK = 1 << 20
"""What an lzma decoder takes beside its window (liblzma, `lzma_lzma_decoder_memusage`)."""
_ZIP_LZMA = struct.Struct("<HH")
_LZMA_PROPERTIES = 5
_UNKNOWN_SIZE = (1 << 64) - 1


class ByteReader(Protocol):
    """A stream of bytes; fewer than were asked for only at its end."""

    def read(self, count: int, /) -> bytes: ...


class PieceReader:
    """Pieces as a stream that is read in the lengths that are asked for."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces, self._piece = pieces, memoryview(b"")

    def read(self, count: int) -> bytes:
        parts = []
        while count > 0:
            if not self._piece:
                self._piece = memoryview(next(self._pieces, b""))
                if not self._piece:
                    break
            part, self._piece = self._piece[:count], self._piece[count:]
            parts.append(part)
            count -= len(part)
        return b"".join(parts)


def packing_of(head: bytes) -> str:
    """How bytes that begin so are packed, "" for none of the known ways."""
    return next((name for name, magic in MAGICS.items() if head.startswith(magic)), "")


def unpacked(stream: ByteReader, packing: str) -> Iterator[bytes]:
    """What the stream holds, of all its members, in pieces of 1 to `PIECE` bytes. Raises InflateError for broken data
    and SourceError for a window beyond the limit."""
    if packing == ZSTD:
        yield from _zstd(stream)
        return
    portions = Portions(stream)
    while True:
        yield from _one(portions, _DECODERS[packing], packing)
        if not portions.skip_padding():
            return
        if not portions.begins_with(MAGICS[packing]):
            raise InflateError(f"what follows the {packing} data is not {packing}")


def zip_methods() -> tuple[int, ...]:
    """The methods of zip members that are read, by their numbers (APPNOTE 4.4.5)."""
    return tuple(_ZIP_METHODS)


def unpacked_member(stream: ByteReader, method: int, size: int, end_marked: bool) -> Iterator[bytes]:
    """A zip member's bytes, as `unpacked`; `size` is what it says to have, `end_marked` whether lzma data say
    themselves where they end (APPNOTE 4.4.4, bit 1)."""
    packing = _ZIP_METHODS[method]
    if not packing:
        while piece := stream.read(PIECE):
            yield piece
    elif packing == ZSTD:
        yield from _zstd(stream)
    elif packing == LZMA:
        yield from _one(Portions(_as_lzma_file(stream, _UNKNOWN_SIZE if end_marked else size)), _lzma, packing)
    else:
        yield from _one(Portions(stream), _deflate if packing == _DEFLATE else _DECODERS[packing], packing)


def _one(portions: Portions, decoder_of: Callable[[], Any], packing: str) -> Iterator[bytes]:
    """One member. Data is fed in growing portions: a file of many empty members costs no more than its bytes."""
    decoder, feed = decoder_of(), _FIRST_FEED
    while not decoder.eof:
        data = b""
        if decoder.needs_input:
            data = portions.take(feed)
            if not data:
                raise InflateError(f"the {packing} data is cut short")
            feed = min(feed * 2, _READ)
        try:
            piece = decoder.decompress(data, PIECE)
        except (igzip_lib.error, lzma.LZMAError, OSError, EOFError, ValueError) as error:  # type: ignore[misc]
            raise _wrong(packing, error) from error
        if piece:
            yield piece
    portions.give_back(len(decoder.unused_data))


def _zstd(stream: ByteReader) -> Iterator[bytes]:
    """Unpack by Arrow's codec, which refuses windows beyond 128 MB (`ZSTD_d_windowLogMax`, its usual value)."""
    import pyarrow  # takes as long to load as all of this package

    file = pyarrow.CompressedInputStream(pyarrow.PythonFile(_ArrowStream(stream), "r"), ZSTD)
    while True:
        try:
            piece: bytes = file.read(PIECE)
        except OSError as error:
            raise _wrong(ZSTD, error) from error
        if not piece:
            return
        yield piece


class _ArrowStream:
    """A stream as Arrow asks for one."""

    closed = False

    def __init__(self, stream: ByteReader) -> None:
        self._stream = stream

    def read(self, count: int) -> bytes:
        return self._stream.read(count)

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        """The stream is not ours to close."""


def _wrong(packing: str, error: Exception) -> Exception:
    words = " ".join(str(error).split())[:120]
    if "usage limit" in words:  # liblzma's LZMA_MEMLIMIT_ERROR
        return exceeded("archive-window", f"its {packing} data look back over more bytes than is allowed")
    return InflateError(f"the {packing} data is broken ({words})")


def _xz() -> lzma.LZMADecompressor:
    return lzma.LZMADecompressor(lzma.FORMAT_XZ, limit("archive-window") + _SLACK)


def _lzma() -> lzma.LZMADecompressor:
    return lzma.LZMADecompressor(lzma.FORMAT_ALONE, limit("archive-window") + _SLACK)


def _gzip() -> Any:
    return igzip_lib.IgzipDecompressor(flag=igzip_lib.DECOMP_GZIP)


def _deflate() -> Any:
    return igzip_lib.IgzipDecompressor(flag=igzip_lib.DECOMP_DEFLATE)


def _as_lzma_file(stream: ByteReader, size: int) -> PieceReader:
    """Lzma data of a zip member under the header of an .lzma file: its properties and the size (APPNOTE 5.8.8)."""
    head = stream.read(_ZIP_LZMA.size)
    length = _ZIP_LZMA.unpack(head)[1] if len(head) == _ZIP_LZMA.size else 0
    properties = stream.read(_LZMA_PROPERTIES)
    if length != _LZMA_PROPERTIES or len(properties) != _LZMA_PROPERTIES:
        raise InflateError("the lzma data has a header of an unknown make")

    def parts() -> Iterator[bytes]:
        yield properties + struct.pack("<Q", size)
        while piece := stream.read(_READ):
            yield piece

    return PieceReader(parts())


_DEFLATE = "deflate"
_DECODERS: dict[str, Callable[[], Any]] = {GZIP: _gzip, BZIP2: bz2.BZ2Decompressor, XZ: _xz, LZMA: _lzma}
_ZIP_METHODS = {0: "", 8: _DEFLATE, 12: BZIP2, 14: LZMA, 93: ZSTD, 95: XZ}
