"""Limits from the command line: `--limit-NAME VALUE` goes with every command, and with the window."""

from __future__ import annotations

from stepscope.core import limits
from stepscope.core.errors import UsageError

_BEGINNING = "--limit-"


def take(arguments: list[str]) -> list[str]:
    """Put the limits among the arguments in force, beside those that the environment has; returns the other arguments.
    Nothing behind `--` is touched. Raises UsageError for an unknown limit or a value that is none."""
    found: list[tuple[str, str]] = []
    rest: list[str] = []
    left = list(arguments)
    while left:
        word = left.pop(0)
        if word == "--":
            rest += [word, *left]
            break
        if not word.startswith(_BEGINNING):
            rest.append(word)
            continue
        name, given, value = word.removeprefix(_BEGINNING).partition("=")
        if not given:
            if not left:
                raise UsageError(f"{word} needs a value.", hint=f"Write {word} 512MB, say.")
            value = left.pop(0)
        found.append((name, value))
    if found:
        limits.choose({**limits.chosen_limits(), **limits.option_values(found)})
    return rest
