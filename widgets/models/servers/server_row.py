"""A chat server as the list shows it and as the form says it."""

from __future__ import annotations

from stepscope.core.frozen import dataclass


@dataclass(frozen=True, slots=True)
class ServerRow:
    """`timeout` are seconds for one answer, `parallel` requests at once; `pictures`: the model takes them. `key` says
    where the key is, never what it is; `warning` what should be known of it, "" for nothing."""

    name: str
    url: str
    model: str = ""
    timeout: float = 120.0
    parallel: int = 4
    pictures: bool = True
    key: str = ""
    warning: str = ""


@dataclass(frozen=True, slots=True)
class ServerEdit:
    """An edited server: its row, whether it is a new one, and a key to be put away ("" leaves the one that is)."""

    server: ServerRow
    is_new: bool
    new_key: str = ""

    def __repr__(self) -> str:
        """The row without its key: what is printed may end in a log."""
        return f"ServerEdit({self.server!r}, is_new={self.is_new})"
