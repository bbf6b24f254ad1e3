"""Which id was meant by one that does not exist."""

from __future__ import annotations

from collections.abc import Sequence

SHOWN = 5
_COMPARED = 20_000
"""Ids that are compared letter by letter: more would take seconds."""


def nearest_hint(name: str, known: Sequence[str]) -> str:
    """A sentence that names the ids nearest to `name`, or the first ones where none is near; "" when there are none."""
    import difflib  # for mistakes alone

    parts = [other for other in known if name and (name in other or other in name)]
    close = difflib.get_close_matches(name, known[:_COMPARED], n=SHOWN, cutoff=0.4)
    near = list(dict.fromkeys([*parts[:SHOWN], *close]))[:SHOWN]
    if near:
        return f"Nearest: {', '.join(near)}."
    return f"It has: {', '.join(known[:SHOWN])}{', …' if len(known) > SHOWN else ''}." if known else ""
