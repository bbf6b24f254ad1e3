"""Compiled modules that Python keeps beside their sources, on a disk that is nearly full.

Python 3.11 does not look whether such a file was written to its end: one that a full disk has cut off ends every later
start with "marshal data too short", also when there is room again.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOM = 64 << 20
"""Bytes: all compiled modules of the program and of what it stands on are some 50 MB."""


def keep_whole() -> None:
    """Stop this program and its children from keeping compiled modules where there is no room for them."""
    if _free(Path(__file__).parent) < ROOM:
        sys.dont_write_bytecode = True
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"


def _free(folder: Path) -> int:
    try:
        facts = os.statvfs(folder)
    except (AttributeError, OSError):  # Windows has none; nothing is known, so all is as usual
        return ROOM
    return facts.f_bavail * facts.f_frsize
