"""`make docs-pictures`: the guide's screenshots, always of today's window."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from app.gui.display import go_offscreen
from core.domain.annotation import Defect

if TYPE_CHECKING:
    from app.gui.walk import Walk


def main(folder: Path) -> int:
    go_offscreen()
    os.environ["LOGNAME"] = "you"  # whose notes the pictures show
    from app.gui.walk import Walk, wait_for

    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        walk = Walk(Path(work))
        bench, run = walk.bench, walk.bench.commands.run

        def shoot(name: str) -> None:
            walk.picture(name).replace(folder / name)
            print(folder / name)

        walk.open_sample()
        run("evaluate.automation")
        shoot("evaluate.png")
        walk.evaluate("text-match", "aitw")
        walk.evaluate("nearest-element", "aitw")
        shoot("results.png")
        run("run.rescore_all")
        wait_for(lambda: bench.results.is_scored_by_all, "scores under all rules")
        bench.window.results.show_page("rules")
        shoot("rules.png")
        bench.window.results.show_page("summary")
        run("workspace.replay")
        walk.open_episode("settings-larch-house")
        run("wrong.next")
        shoot("replay-dark.png")
        run("layer.tree")
        shoot("tree.png")
        run("layer.tree")
        say_something(walk)
        shoot("notes.png")
        for _change in range(5):
            run("edit.undo")
        walk.bench.window.inspector.setCurrentIndex(0)
        run("theme.light")
        shoot("replay-light.png")
        run("theme.dark")
        bench.library.set_filter("stepps>3", tell_view=True)
        shoot("filter-mistake.png")
        bench.library.set_filter("infeasible", tell_view=True)
        wait_for(lambda: 0 < len(bench.library.ids) < 30, "the filtered list")
        shoot("filter.png")
        run("filter.clear")
        bench.help.open_palette()
        shoot("palette.png")
        bench.help.close_palette()
        walk.end()
    return 0


def say_something(walk: Walk) -> None:
    """Marks, tags and a note on the step that is shown: five changes."""
    annotating = walk.bench.annotating
    for spot in annotating.spots():
        annotating.book.toggle_star(spot)
        annotating.book.set_defect(spot, Defect.SEVERAL_RIGHT)
        for tag in ("Wi-Fi", "two ways"):
            annotating.book.add_tag(spot, tag)
        annotating.book.set_note(spot, "The network's own page has a Connect button: right as well.")
    walk.settle()
    walk.bench.commands.run("mark.note")


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
