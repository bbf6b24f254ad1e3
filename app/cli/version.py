"""Which version this is, and which version of the interface it keeps."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version

INTERFACE = 1
"""Version of commands, file formats and JSON documents; rises when one of them changes."""


def version() -> str:
    """The installed version, "unknown" when run from files that were never installed."""
    try:
        return installed_version("stepscope")
    except PackageNotFoundError:
        return "unknown"


def version_line() -> str:
    return f"stepscope {version()} (interface {INTERFACE})"
