"""Small files of the program's own that are read back: cards of models, presets, preferences, lists of servers, notes
in caches. They lie where anybody can put another in their place, so they are read as a stranger's."""

from __future__ import annotations

import io
import json
import os
import stat
from pathlib import Path
from typing import Any

from core.limits import limit, written


def read_json(file: Path) -> Any:
    """The JSON value of a small file.

    Raises FileNotFoundError and other OSErrors, and ValueError in words for what is no file (a folder, a pipe, a
    device), is longer than the limit `own-file-bytes`, is not UTF-8, is no JSON or is nested too deeply.
    """
    with opened(file) as stream:
        most = limit("own-file-bytes")
        data = stream.read(most + 1)
    if len(data) > most:
        raise ValueError(f"it has more than {written('bytes', most)}")
    return parsed(data.decode("utf-8"))


def opened(file: Path) -> io.BufferedReader:
    """The file for reading. Raises OSErrors, and ValueError in words for what is no file: a folder, a pipe, a device,
    which would have no end or keep the reader waiting."""
    number = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise ValueError("this is no file")
        return os.fdopen(number, "rb")
    except BaseException:
        os.close(number)
        raise


def parsed(text: str) -> Any:
    """The value of a JSON text. Raises ValueError in words, also where it is nested too deeply."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
