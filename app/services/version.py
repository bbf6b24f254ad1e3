"""The version of this code, as stored with every run, and of the interface that it keeps."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def _installed() -> str:
    try:
        return version("stepscope")
    except PackageNotFoundError:  # run from a checkout that was never installed
        return "0+unknown"


VERSION = _installed()

INTERFACE = 1
"""Version of commands, file formats and JSON documents; rises when one of them changes."""


def version_line() -> str:
    """What `stepscope --version` prints: the program's version and the interface's."""
    return f"stepscope {VERSION} (interface {INTERFACE})"
