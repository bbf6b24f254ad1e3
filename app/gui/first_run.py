"""`make run`: opens the window on the sample data, or does the same job offscreen where there is no display.

Offscreen it opens the sample, steps through an episode, evaluates two predictors through the same menu command that a
person uses, and leaves `out/window.png`, pictures of Replay and Results, `out/report.html` and `out/sample.db`.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from stepscope.app.gui.shell.display import go_offscreen, has_display
from stepscope.core.bytecode import keep_whole

OUT = Path("out")


def main() -> int:
    """Returns the exit status: 0 when the window was closed, or the offscreen job is done."""
    keep_whole()
    if has_display():
        from stepscope.app.gui.main import open_window

        return open_window([], fresh=False)
    go_offscreen()
    from stepscope.app.gui.walk import walk_through
    from stepscope.core.settings import HOME_VARIABLE

    OUT.mkdir(exist_ok=True)
    os.environ.setdefault(HOME_VARIABLE, str(OUT.resolve() / ".settings"))  # the user's own choices stay as they are
    for file in walk_through(OUT):
        print(file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
