"""How the goal that a model guesses changes from step to step, in words."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher


def settled_at(guesses: Sequence[str | None]) -> int | None:
    """The place from which all guesses are the last one; None where the last is none."""
    if not guesses or guesses[-1] is None:
        return None
    others = [place for place, one in enumerate(guesses) if one != guesses[-1]]
    return others[-1] + 1 if others else 0


def changed_words(before: str | None, now: str) -> str:
    """How a guess differs from the one before it: the words that went and those that came."""
    if before is None:
        return "the first guess"
    if before == now:
        return "as before"
    old, new = before.split(), now.split()
    went: list[str] = []
    came: list[str] = []
    for kind, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            went, came = went + old[first:last], came + new[start:end]
    return ", ".join(f"{sign} {' '.join(some)}" for sign, some in (("\N{MINUS SIGN}", went), ("+", came)) if some)
