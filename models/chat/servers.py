"""The servers that a person has added, in a JSON file among the settings. Keys are never in it (`models.chat.keys`)."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from stepscope.core.domain.model_name import SERVED
from stepscope.core.errors import UsageError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.own_lists import OwnList

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_SCHEMES = ("http://", "https://")
_ENDS = ("/chat/completions", "/completions", "/models")
_MOST_PARALLEL, _LONGEST_SECONDS = 64, 3600.0


@dataclass(frozen=True, slots=True)
class ChatServer:
    """`url` is what comes before /chat/completions, `model` the one that is asked where none is named. `timeout` are
    seconds for one answer, `parallel` requests at once. `pictures` False: the model reads text only. `adapter` is how
    its models speak as agents, "" as their names say.

    Raises UsageError for a name, a URL or a number that cannot be.
    """

    name: str
    url: str
    model: str = ""
    timeout: float = 120.0
    parallel: int = 4
    pictures: bool = True
    adapter: str = ""

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            hint = "Use small letters, digits, - and _, at most 40."
            raise UsageError(f"{self.name!r} cannot be the name of a server.", hint=hint)
        object.__setattr__(self, "url", _checked_url(self.url))
        if not 0 < self.timeout <= _LONGEST_SECONDS:
            raise UsageError(f"A time-out of {self.timeout:g} s cannot be.", hint="Give seconds up to an hour.")
        if not 1 <= self.parallel <= _MOST_PARALLEL:
            raise UsageError(f"{self.parallel} requests at once cannot be.", hint=f"Give 1 to {_MOST_PARALLEL}.")

    @property
    def in_the_clear(self) -> bool:
        """Whether what is sent, key included, can be read on the way: plain http to another machine."""
        return urlsplit(self.url).scheme == "http" and not self.is_here

    @property
    def is_here(self) -> bool:
        """Whether it runs on this machine."""
        return _is_here(urlsplit(self.url).hostname or "")


def is_url(words: str) -> bool:
    """Whether the words are those of a server rather than of a file."""
    return words.strip().lower().startswith(_SCHEMES)


def name_of(url: str) -> str:
    """The usual name of the server at the URL: the first word of its host that says more than www or api; "server"
    where there is none, as in addresses of numbers."""
    try:
        host = (urlsplit(url.strip()).hostname or "").lower()
    except ValueError:
        host = ""
    words = [word for word in host.split(".") if word not in ("www", "api")]
    if not words or ":" in host or words[-1].isdecimal():
        return "server"
    return words[0] if _NAME.fullmatch(words[0]) else "server"


def _server(entry: Any, file: Path, number: int) -> ChatServer:
    kinds: dict[str, tuple[type, ...]] = {"timeout": (int, float), "parallel": (int,), "pictures": (bool,)}
    known = [one.name for one in fields(ChatServer)]
    if not isinstance(entry, dict) or "name" not in entry or "url" not in entry:
        raise UserError("a server has a name and a url.", place=file, record=f"server {number}")
    for name, value in entry.items():
        right = isinstance(value, kinds.get(name, (str,))) and (name == "pictures" or not isinstance(value, bool))
        if name not in known or not right:
            raise UserError(f"{name} is unknown or of the wrong kind.", place=file, record=f"server {number}")
    try:
        return ChatServer(**entry)
    except UsageError as error:
        raise UserError(error.message, place=file, record=f"server {number}", hint=error.hint) from error


def _checked_url(url: str) -> str:
    """The URL without what the library adds itself."""
    url = url.strip().rstrip("/")
    for end in _ENDS:
        url = url.removesuffix(end)
    try:
        parts = urlsplit(url)
        right = parts.scheme in ("http", "https") and parts.hostname and (parts.port is None or parts.port > 0)
    except ValueError:
        right = False
    if not right:
        raise UsageError(f"{url!r} is no URL of a server.", hint="Give one like https://models.example/v1.")
    if parts.username or parts.password or parts.query or parts.fragment:
        hint = "Leave out names, passwords and what follows ? or #; the key is kept apart."
        raise UsageError("The URL of a server must not hold a secret.", hint=hint)
    return url


def _is_here(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def server_and_model(name: str) -> tuple[ChatServer, str]:
    """Server and model of `served:SERVER/MODEL`, or of `served:SERVER` where the server has a model of its own. Raises
    UsageError for a server that was not added."""
    place, _, model = name.removeprefix(SERVED).partition("/")
    server = find(place)
    if not (model or server.model):
        hint = f"Name it: {SERVED}{place}/MODEL; stepscope servers check {place} lists them."
        raise UsageError(f"The server {place} has no model of its own.", hint=hint)
    return server, model or server.model


LIST = OwnList(
    "server", "servers", _server, "Add one: stepscope servers add NAME URL.", "Choose another name, or replace it."
)
load, save, add, remove, find = LIST.load, LIST.save, LIST.add, LIST.remove, LIST.find
"""Those that a person has added: see `OwnList`. A server's key is another matter (`keys`)."""
