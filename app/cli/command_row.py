"""What the help says of a command, and where the command stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple


class CommandRow(NamedTuple):
    """A command in the table of its family. Its module is imported when the command is named, not for the help."""

    about: str
    load: Callable[[], Callable[..., int] | Mapping[str, CommandRow]]
    """The function that does it and gives the exit status, or the rows of a family."""
