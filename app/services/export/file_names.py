"""Names of files and folders after ids of strangers: they stay where they are put, and no two ids share one."""

from __future__ import annotations

import hashlib
import re

LONGEST = 80
"""Characters of an id that a name keeps (ours): with tail and ending every file system takes it."""
_HASH = 16
_PLAIN = re.compile(r"(?!\.)[A-Za-z0-9_.-]*[A-Za-z0-9_-]")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)
"""Devices of Windows, with any ending (Microsoft, "Naming Files, Paths, and Namespaces")."""


class FileNames:
    """Names for what is written into one folder.

    A plain id is its own name: letters and digits of ASCII, `_`, `.` and `-`. In any other id other signs become `-`,
    and a digest of the id follows behind `~`, which no plain id has: the name hangs on the id alone and is the same
    every time. Plain ids that differ in the case of letters only would share a file on many systems: the later one gets
    its digest as well.
    """

    def __init__(self) -> None:
        self._whose: dict[str, str] = {}

    def of(self, identity: str, tail: str = "") -> str:
        """The name for an id; `tail` follows it, such as a step. The same for the same id and tail."""
        plain = _PLAIN.fullmatch(identity) and len(identity) <= LONGEST and not _RESERVED.fullmatch(identity)
        name = f"{identity if plain else with_digest(identity)}{tail}"
        if self._whose.setdefault(name.casefold(), identity) != identity:
            name = f"{with_digest(identity)}{tail}"
            self._whose[name.casefold()] = identity
        return name


def with_digest(identity: str) -> str:
    """What can be read of an id, and its digest behind `~`."""
    readable = re.sub(r"[^A-Za-z0-9_.-]", "-", identity[:LONGEST]).strip(".") or "episode"
    digest = hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH]
    return f"{'_' if _RESERVED.fullmatch(readable) else ''}{readable}~{digest}"
