"""The command line's door: running one command. Light to import, as the window's start imports it."""

from __future__ import annotations


def run(arguments: list[str]) -> int:
    """Run one command; returns the exit status and never raises (docs/cli.md lists the statuses)."""
    from stepscope.app.cli.frame import run_reporting_errors

    return run_reporting_errors(arguments)
