"""The commands put together, and running one without leaving the process."""

from __future__ import annotations

import importlib
from functools import cache
from typing import Annotated

import typer
from typer.core import TyperGroup

from stepscope.app.cli.arguments import spread_settings
from stepscope.app.cli.families import FAMILIES
from stepscope.app.cli.output import say
from stepscope.app.services.version import version_line

ABOUT = """A workbench for people who build GUI agents.

Without a command, 'stepscope [PATH ...]' opens the window on data sets, recordings or a stored session. No command
below needs a display.

\b
Exit status: 0 done; 1 done but some items failed (they are listed); 2 bad usage or unreadable input;
130 interrupted, partial work kept; 70 a fault of this program.
"""


def _show_version(wanted: bool) -> None:
    if wanted:
        say(version_line())
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Options that belong to no command."""


def execute(arguments: list[str]) -> int:
    """Run the command; its exit status. Errors of the parser and of the command are raised."""
    first = arguments[0] if arguments else ""
    command = _command(first if first in FAMILIES else "")
    try:  # not command.main(): that one answers for Ctrl-C and broken pipes itself
        with command.make_context("stepscope", spread_settings(arguments) or ["--help"]) as context:
            status = command.invoke(context)
    except typer.Exit as end:
        return end.exit_code
    return status if isinstance(status, int) else 0


@cache
def _command(first: str) -> TyperGroup:
    """The command that the first word names, or all of them: help needs all, a command only its own module. Reading the
    signatures takes longer than most commands, so whoever runs several in one process makes each once."""
    return typer.main.get_group(_application(first))


def _application(first: str) -> typer.Typer:
    application = typer.Typer(
        name="stepscope",
        help=ABOUT,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
    )
    application.callback()(_options)
    wanted = [FAMILIES[first]] if first else dict.fromkeys(FAMILIES.values())
    for family in wanted:
        importlib.import_module(f"stepscope.app.cli.{family}").register(application)
    return application
