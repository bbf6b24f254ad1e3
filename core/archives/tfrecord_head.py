"""How a TFRecord file begins: what tells one, and nothing that reading its records takes (`tfrecord`)."""

from __future__ import annotations

import struct
import zlib

import google_crc32c

from stepscope.core.archives.opening import GZIP_MAGIC
from stepscope.core.limits import limit

HEADER = struct.Struct("<QI")
"""A record's length and the length's check sum."""

_MASK_DELTA = 0xA282EAD8
_SNIFFED = 1 << 16


def looks_like_tfrecord(head: bytes) -> bytes:
    """The first bytes of the first record's data, given the file's first bytes; empty when it is no TFRecord file."""
    if head.startswith(GZIP_MAGIC):
        try:
            head = zlib.decompressobj(31).decompress(head, _SNIFFED)
        except zlib.error:
            return b""
    if len(head) < HEADER.size:
        return b""
    length, length_sum = HEADER.unpack_from(head)
    if masked(head[:8]) != length_sum or length > limit("record-bytes"):
        return b""
    return head[HEADER.size : HEADER.size + length]


def masked(data: bytes) -> int:
    """The check sum of `data` as it is written."""
    return mask(google_crc32c.value(data))


def mask(value: int) -> int:
    """A CRC-32C as it is written."""
    return ((value >> 15 | value << 17) + _MASK_DELTA) & 0xFFFFFFFF
