"""The commands put together, and running one without leaving the process."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from stepscope.app.cli.arguments import spread_settings
from stepscope.app.cli.command_row import CommandRow
from stepscope.app.cli.families import COMMANDS
from stepscope.app.cli.output import say
from stepscope.app.cli.plain_values import read_plainly

ABOUT = """A workbench for people who build GUI agents.

Without a command, 'stepscope [PATH ...]' opens the window on data sets, recordings or a stored session. No command
below needs a display.

\b
Exit status: 0 done; 1 done but some items failed (they are listed); 2 bad usage or unreadable input;
130 interrupted, partial work kept; 70 a fault of this program.
"""


class _PlainParameters:
    """A command whose values are read plainly where they can be; its `--help` is one of them."""

    def get_params(self, ctx: Any) -> list[Any]:
        """As typer asks for them, to parse and to explain them."""
        parameters: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for parameter in parameters:
            read_plainly(parameter)
        return parameters


class PlainCommand(_PlainParameters, TyperCommand):
    """A command that does something."""


class PlainGroup(_PlainParameters, TyperGroup):
    """A family of commands."""


class LateCommand(TyperCommand):
    """A row of the table as a command: it gives the help its line, and is made whole when it is named."""

    def __init__(self, name: str, row: CommandRow) -> None:
        super().__init__(name, help=row.about, rich_markup_mode=None)
        self._row = row

    @cached_property
    def whole(self) -> TyperCommand | TyperGroup:
        """The command with its options, or the group with its commands; its module is imported here."""
        name, content = self.name, self._row.load()
        if isinstance(content, Mapping):
            return PlainGroup(name=name, help=self._row.about, commands=_late(content), rich_markup_mode=None)
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        alone.command(name, cls=PlainCommand, help=self._row.about)(content)
        return typer.main.get_command(alone)  # type: ignore[return-value]

    def make_context(self, *given: Any, **more: Any) -> Any:
        """That of the whole command, which the parser goes on with."""
        return self.whole.make_context(*given, **more)


def execute(arguments: list[str]) -> int:
    """Run the command; its exit status. Errors of the parser and of the command are raised."""
    try:  # not program().main(): that one answers for Ctrl-C and broken pipes itself
        with program().make_context("stepscope", spread_settings(arguments) or ["--help"]) as context:
            status = program().invoke(context)
    except typer.Exit as end:
        return end.exit_code
    return status if isinstance(status, int) else 0


@cache
def program() -> TyperGroup:
    """All commands. Reading signatures takes longer than most commands: whoever runs several does so once for each."""
    application = typer.Typer(
        name="stepscope",
        cls=PlainGroup,
        help=ABOUT,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
    )
    application.callback()(_options)
    group = typer.main.get_group(application)
    group.commands.update(_late(COMMANDS))
    return group


def _late(rows: Mapping[str, CommandRow]) -> dict[str, Any]:
    return {name: LateCommand(name, row) for name, row in rows.items()}


def _show_version(wanted: bool) -> None:
    if wanted:
        from stepscope.app.services.version import version_line

        say(version_line())
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Options that belong to no command."""
