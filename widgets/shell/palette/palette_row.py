"""What the palette offers, as frozen values."""

from __future__ import annotations

from stepscope.core.frozen import dataclass

PREFIXES = {">": "command", "@": "app", "#": "episode", ":": "step", "=": "rule"}
"""First letter of the query → the only kind that is offered then."""


@dataclass(frozen=True, slots=True)
class PaletteRow:
    """One thing to choose. `why` says why it cannot be chosen now when it is not `enabled`."""

    kind: str
    id: str
    title: str
    detail: str = ""
    shortcut: str = ""
    enabled: bool = True
    why: str = ""
