"""Small files of the program's own that are read back: cards of models, presets, preferences, lists of servers, notes
in caches. They lie where anybody can put another in their place, so they are read as a stranger's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from stepscope.core.limits import limit, written_figure
from stepscope.core.regular_files import open_regular


def read_json(file: Path) -> Any:
    """The JSON value of a small file.

    Raises OSErrors, also for what is no file (a folder, a pipe, a device), and ValueError in words for what is longer
    than the limit `own-file-bytes`, is not UTF-8, is no JSON or is nested too deeply.
    """
    return parsed_json(_small_text(file))


def read_toml(file: Path) -> dict[str, Any]:
    """The tables of a small TOML file. Raises as `read_json`."""
    import tomllib  # not for the many starts that read none

    try:
        return tomllib.loads(_small_text(file))
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _small_text(file: Path) -> str:
    with open_regular(file) as stream:
        most = limit("own-file-bytes")
        data = stream.read(most + 1)
    if len(data) > most:
        raise ValueError(f"it has more than {written_figure('bytes', most)}")
    return data.decode("utf-8")


def parsed_json(text: str) -> Any:
    """The value of a JSON text. Raises ValueError in words, also where it is nested too deeply."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
