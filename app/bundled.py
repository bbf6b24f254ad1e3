"""What the self-contained program starts: the command `stepscope`, or a module of ours as a process of its own.

From sources a child process is `python -m MODULE`. Here there is no `python`: the program is started again with
`--child MODULE`, as `core.process.children` says it.
"""

from __future__ import annotations

import multiprocessing
import os
import runpy
import sys

from stepscope.core.bundled import CHILD, SEARCHED


def main() -> int:
    """Returns the exit status, unless the module that is run leaves with one of its own."""
    multiprocessing.freeze_support()  # ends here where the standard library started this process for itself
    if sys.argv[1:2] == [CHILD]:
        return run_child(sys.argv[2:])
    from stepscope.app.main import main as run_command

    keep_libraries()
    return run_command()


def keep_libraries() -> None:
    """Let programs of the machine that are started from here (adb, a browser for a link) load their own libraries: what
    starts this program has put the folder of ours before them. Children of ours get it again."""
    before = os.environ.pop(f"{SEARCHED}_ORIG", "")
    os.environ.pop(SEARCHED, None)
    if before:
        os.environ[SEARCHED] = before


def run_child(arguments: list[str]) -> int:
    """Run a module of ours as `python -m` would, with the arguments that stand after its name."""
    module = arguments[0] if arguments else ""
    if not module.startswith("stepscope."):
        print(f"stepscope: {CHILD} takes a module of this program.", file=sys.stderr)
        return 2
    sys.argv[1:] = arguments[1:]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
