"""Which data sets with people's recordings a person has agreed to send to which server on another machine: once per
data set and server, kept among the settings as `consents.json`."""

from __future__ import annotations

import shlex
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from stepscope.core.errors import UsageError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.own_lists import OwnList
from stepscope.models.chat.servers import ChatServer


@dataclass(frozen=True, slots=True)
class DataConsent:
    """`data` is the whole path of the data set. `server` is the server's name and `url` its address: one that is put in
    its place under the same name is another. `given`: when, in ISO form with the time zone."""

    data: str
    server: str
    url: str
    given: str

    @property
    def name(self) -> str:
        """What it is about; no two have the same."""
        return f"{self.data} → {self.url}"


class ConsentNeededError(UserError):
    """Nothing of the data may go to the server before a person agrees."""

    def __init__(self, data: Path, server: ChatServer) -> None:
        super().__init__(
            f"It holds people's recordings, and {server.name} ({server.url}) is another machine: nothing of it is sent "
            "there before you agree.",
            place=data,
            hint="Evaluate and Ask a Judge ask you. Agree once here by: stepscope servers consent "
            f"{shlex.quote(str(data))} --server {server.name}",
        )
        self.data, self.server = data, server


def is_needed(data: Path, server: ChatServer) -> bool:
    """Whether the person must still agree that recordings at `data` go to this server. One on this machine needs none.
    Raises UserError where the answers cannot be read."""
    return not server.is_here and not any(one.data == _key(data) and one.url == server.url for one in load())


def give(data: Path, server: ChatServer) -> DataConsent:
    """Keep that the person agrees; what was agreed before stays as it is. Raises UserError where it cannot be kept."""
    found = DataConsent(_key(data), server.name, server.url, datetime.now(UTC).isoformat(timespec="seconds"))
    known = next((one for one in load() if one.name == found.name), None)
    if known is None:
        LIST.add(found)
    return known or found


def withdraw(data: Path, server: str = "") -> tuple[DataConsent, ...]:
    """Forget what was agreed of this data for the server of that name, for all where none is named. Raises UsageError
    where there was nothing."""
    known = load()
    gone = tuple(one for one in known if one.data == _key(data) and server in ("", one.server))
    if not gone:
        raise UsageError("Nobody agreed to send this data.", place=data, hint="See stepscope servers consent --list.")
    LIST.save([one for one in known if one not in gone])
    return gone


def _key(data: Path) -> str:
    return str(data.resolve())


def _consent(entry: Any, file: Path, number: int) -> DataConsent:
    names = {one.name for one in fields(DataConsent)}
    if not isinstance(entry, dict) or set(entry) != names or not all(isinstance(one, str) for one in entry.values()):
        known = ", ".join(sorted(names))
        raise UserError(f"a consent has {known}, all texts.", place=file, record=f"consent {number}")
    return DataConsent(**entry)


LIST = OwnList(
    "consent", "consents", _consent, "Give one: stepscope servers consent PATH.", "It was given before."
)  # fmt: skip
load = LIST.load
"""Those that were given: see `OwnList`."""
