"""The command line's door: the names of its commands, and running one. Light to import: the window's start asks it."""

from __future__ import annotations

COMMANDS = frozenset({"formats", "inspect", "episode", "render", "score", "evaluate", "models", "runs", "doctor"})
"""First words that mean a command; any other first word is a path for the window."""


def run(arguments: list[str]) -> int:
    """Run one command; returns the exit status and never raises (docs/cli.md lists the statuses)."""
    from app.cli.frame import guarded

    return guarded(arguments)
