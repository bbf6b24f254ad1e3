"""The command `stepscope`: a subcommand goes to the command line, anything else opens the window on the paths given."""

from __future__ import annotations

import sys


def main() -> int:
    """Run what the arguments ask for; returns the exit status. Only the window's branch reaches Qt."""
    from app.cli.main import COMMANDS, run

    arguments = sys.argv[1:]
    first = arguments[0] if arguments else ""
    if first in COMMANDS or first.startswith("-"):
        return run(arguments)
    try:
        from app.gui.main import open_window
    except ModuleNotFoundError as error:
        if error.name not in ("PySide6", "qtawesome", "shiboken6"):
            raise
        print("stepscope: the window is not installed. Install it with: pip install 'stepscope[gui]'", file=sys.stderr)
        return 2
    return open_window(arguments)


if __name__ == "__main__":
    sys.exit(main())
