"""The command `stepscope`: a subcommand goes to the command line, anything else opens the window on the paths given."""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

from stepscope.core.bytecode import keep_whole
from stepscope.core.errors import UserError


def main() -> int:
    """Run what the arguments ask for; returns the exit status. Only the window's branch reaches Qt."""
    keep_whole()
    from stepscope.app.cli.main import run

    arguments = [_local(argument) for argument in sys.argv[1:]]
    try:
        arguments = _without_limits(arguments)
    except UserError as error:
        from stepscope.app.cli.output import tell

        tell(f"stepscope: {error}")
        return 2
    if arguments and not _opens_window(arguments[0]):
        return run(arguments)
    gc.disable()  # nothing that opening the window makes is garbage; the window turns it on again
    try:
        from stepscope.app.gui.main import open_window
    except ModuleNotFoundError as error:
        if error.name not in ("PySide6", "qtawesome", "shiboken6"):
            raise
        print("stepscope: the window is not installed. Install it with: pip install 'stepscope[gui]'", file=sys.stderr)
        return 2
    return open_window(arguments)


def _local(argument: str) -> str:
    """A desktop hands files over as addresses."""
    return unquote(urlsplit(argument).path) if argument.startswith("file:///") else argument


def _without_limits(arguments: list[str]) -> list[str]:
    """Limits may stand before the paths of a window, and before a command."""
    if not any(argument.startswith("--limit-") for argument in arguments):
        return arguments
    from stepscope.app.services.limit_options import take

    return take(arguments)


def _opens_window(first: str) -> bool:
    """A path or a link does; anything else is a command, perhaps a mistyped one, which the command line explains."""
    from stepscope.app.cli.families import COMMANDS

    is_place = first.startswith("stepscope://") or Path(first).name != first or Path(first).exists()
    return is_place and first not in COMMANDS and not first.startswith("-")


if __name__ == "__main__":
    sys.exit(main())
