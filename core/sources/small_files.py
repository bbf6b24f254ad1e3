"""Reading the one or two small JSON files that each of ten thousand episodes has, in few system calls."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

from stepscope.core.json_bounds import bounded_loads
from stepscope.core.sources.files import read_json, safe_join

ABSENT = object()
"""Stands for the value of a file that is not there."""

_FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOFOLLOW", "O_BINARY"))
_SMALL = 1 << 20
"""Larger files are read with all the care that `read_json` takes."""


def read_small_json(folder: Path, name: str) -> Any:
    """The JSON value of `folder/name`, `ABSENT` where there is no such file; SourceError as `read_json`."""
    try:
        file = os.open(f"{folder}/{name}", _FLAGS)
    except FileNotFoundError:
        return ABSENT
    except (OSError, ValueError):
        return read_json(safe_join(folder, name))
    try:
        return bounded_loads(_small_text(file))
    except (OSError, ValueError, RecursionError):
        return read_json(safe_join(folder, name))
    finally:
        os.close(file)


def _small_text(file: int) -> str:
    """The whole of a small regular file in UTF-8; ValueError for any other."""
    facts = os.fstat(file)
    if not stat.S_ISREG(facts.st_mode) or facts.st_size > _SMALL:
        raise ValueError("not a small file")
    return os.read(file, facts.st_size).decode("utf-8")
