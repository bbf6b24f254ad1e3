"""Which version of the interface this program keeps."""

from __future__ import annotations

from stepscope.app.version import VERSION

INTERFACE = 1
"""Version of commands, file formats and JSON documents; rises when one of them changes."""


def version_line() -> str:
    """What `stepscope --version` prints: the program's version and the interface's."""
    return f"stepscope {VERSION} (interface {INTERFACE})"
