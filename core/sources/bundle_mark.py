"""What a run bundle begins with, so that one that is given as data is told as what it is."""

from __future__ import annotations

import zlib
from pathlib import Path

from stepscope.core.archives.opening import GZIP_MAGIC
from stepscope.core.regular_files import open_regular

BUNDLE = "stepscope run bundle"
"""The format that the first line of a bundle names."""

_HEAD_BYTES = 4096


def is_run_bundle(path: Path) -> bool:
    """Whether the file begins as a run bundle does; False for one that cannot be read."""
    try:
        with open_regular(path) as stream:
            head = stream.read(_HEAD_BYTES)
        if not head.startswith(GZIP_MAGIC):
            return False
        begun = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(head, _HEAD_BYTES)
    except (OSError, ValueError, zlib.error):
        return False
    return begun.startswith(b'{"format":"' + BUNDLE.encode() + b'"')
