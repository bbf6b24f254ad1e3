"""Words of explanations: names of actions, numbers beside a limit, and the name that a person meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from stepscope.core.domain.action import Action, Finish, PressKey


def action_name(action: Action) -> str:
    """The kind, with the key or status that tells it from others of its kind."""
    match action:
        case PressKey():
            return f"{action.kind} {action.key.strip().lower()}"
        case Finish():
            return f"{action.kind} {action.status}"
        case _:
            return action.kind


def digits_beside(value: float, limit: float) -> str:
    """Two digits that count, more where two would hide on which side of the limit the value lies."""
    for digits in (2, 3, 5, 8):
        shown = f"{value:.{digits}g}"
        if (float(shown) > limit) == (value > limit):
            return shown
    return repr(value)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name most like `name`, case and - or _ aside; None when none is near."""
    plain = {_plain(candidate): candidate for candidate in known}
    found = difflib.get_close_matches(_plain(name), plain, n=1, cutoff=0.5)
    return plain[found[0]] if found else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The question that a message asks, with a space after it; empty when no known name is near."""
    found = nearest(name, known)
    return f"Did you mean {found}? " if found else ""


def _plain(name: str) -> str:
    return name.lower().replace("-", "_")
