"""Errors that are told to a person: what is wrong, where, and what to do about it."""

from __future__ import annotations

import re
from pathlib import Path

from stepscope.core.bundled import possible

_OR_OPTION = re.compile(r",? or (?:choose another (?:store )?with )?--[a-z][a-z-]*")
_OPTION_OR = re.compile(r"(?<=\()--[a-z][a-z-]*, or ")
_COMMAND_LINE = re.compile(r"\bstepscope [a-z]|(?<!\S)--[a-z]")


class UserError(Exception):
    """Expected trouble: shown as one message, never as a traceback.

    `place` is a file or setting, `record` a line number or id inside it, `hint` a sentence that says what to do.
    """

    def __init__(self, message: str, *, place: Path | str = "", record: str | int = "", hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.place = str(place)
        self.record = str(record)
        self.hint = possible(hint)

    def __str__(self) -> str:
        return self._text(self.hint)

    @property
    def words_in_window(self) -> str:
        """The same without advice about commands and their options."""
        hint = _OR_OPTION.sub("", _OPTION_OR.sub("", self.hint))
        return self._text(" ".join(one for one in re.split(r"(?<=[.!?]) ", hint) if not _COMMAND_LINE.search(one)))

    def _text(self, hint: str) -> str:
        where = self.place + (f":{self.record}" if self.record else "")
        text = f"{where}: {self.message}" if where else self.message
        if hint and not text.endswith((".", "!", "?", "…", ":")):
            text += "."
        return f"{text} {hint}".strip()


class SourceError(UserError):
    """A file of a dataset cannot be read; `field` names the part of the record."""

    def __init__(
        self, message: str, *, place: Path | str = "", record: str | int = "", field: str = "", hint: str = ""
    ) -> None:
        super().__init__(message, place=place, record=record, hint=hint)
        self.field = field


class UsageError(UserError):
    """What was asked for does not exist or does not fit together (unknown model, protocol, option, episode)."""


class StoreError(UserError):
    """The store cannot be opened, read or written. `of_damage`: because its file is not what was written to it,
    so that the rest can be rescued; `of_absence`: because its server is away, which may be back in a moment."""

    of_damage = False
    of_absence = False


class UnavailableError(UserError):
    """Something optional is not on this machine; message and hint say what to install."""


class OutOfMemory(UserError):  # noqa: N818 - what runtimes themselves call it
    """A model did not fit into the device's memory; a smaller batch may. The runtimes' own errors become this one."""
