"""One whole walk in a window on an X server: run two predictors, compare them, find a wrong step by the confusion
matrix, call its reference defective, see both scores, export the report. test_results.py starts it and looks at what it
leaves.

The keys and the mouse are those of the X server (xdotool); where to click is asked of the widgets, as a person would
look for it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QMenu, QPushButton, QWidget

from stepscope.app.gui.main import make_application
from stepscope.app.gui.shell.context import AppFolders
from stepscope.app.gui.walk import wait_for
from stepscope.app.gui.workbench import Workbench
from stepscope.core.domain.run import RunState
from stepscope.core.settings import default_store_url
from tests.patience import PATIENCE

LOOKS = 20


class Hands:
    """Real key presses and mouse clicks."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench

    def focus(self, window: QWidget) -> None:
        """The server sends keys where it is told: there is no window manager."""
        xdotool("windowfocus", "--sync", str(int(window.winId())))
        wait_for(lambda: QApplication.activeWindow() is window, f"the focus of {window.windowTitle()}")

    def press(self, *keys: str) -> None:
        xdotool("key", "--clearmodifiers", *keys)

    def type(self, text: str) -> None:
        xdotool("type", "--delay", "1", text)

    def click(self, widget: QWidget, place: QPoint | None = None, *, times: int = 1) -> None:
        self.until(steady(widget), f"{widget} in view and at rest")
        at = widget.mapToGlobal(place or widget.rect().center())
        xdotool("mousemove", "--sync", str(at.x()), str(at.y()))
        xdotool("click", "--repeat", str(times), "--delay", "30", "1")

    def until(self, fact: Callable[[], bool], what: str) -> None:
        wait_for(fact, what, PATIENCE)


def steady(widget: QWidget) -> Callable[[], bool]:
    """Whether the widget is in view and has stayed in its place for some looks: layouts come to rest by and by."""
    seen: list[tuple[QPoint, int, int]] = []

    def look() -> bool:
        seen.append((widget.mapToGlobal(QPoint()), widget.width(), widget.height()))
        return widget.isVisible() and len(seen) >= LOOKS and len(set(map(str, seen[-LOOKS:]))) == 1

    return look


def xdotool(*arguments: str) -> None:
    subprocess.run(["xdotool", *arguments], check=True, timeout=PATIENCE, stdout=subprocess.DEVNULL)


def evaluate(hands: Hands, model: str) -> str:
    """Evaluate ▸ Task Automation…, pick the model with the mouse and keys, press Run; the run's id."""
    bench, form = hands.bench, hands.bench.window.evaluate
    before = set(bench.results.run_ids)
    hands.press("alt+a")
    hands.until(lambda: isinstance(QApplication.activePopupWidget(), QMenu), "the menu")
    hands.press("t")
    hands.until(form.isVisible, "the form")
    hands.until(lambda: form._run.isEnabled() and "items" in form._plan.text(), "what will be run")
    models = form.findChild(QComboBox, "model")
    hands.click(models)
    hands.until(lambda: QApplication.activePopupWidget() is not None, "the list of models")
    hands.press("Home", *["Down"] * models.findData(model), "Return")
    hands.until(lambda: form.request().model == model, f"{model} chosen")
    hands.until(lambda: form._run.isEnabled(), "Run")
    hands.click(form._run)
    hands.until(lambda: bool(set(bench.results.run_ids) - before), f"the run of {model}")
    run = next(iter(set(bench.results.run_ids) - before))
    hands.until(lambda: bench.results.state_of(run) is RunState.DONE and not bench.evaluate.is_running, "its end")
    show_ended(hands)
    hands.until(lambda: bench.breakdown.loaded is not None and bench.breakdown.loaded.run.id == run, "its results")
    return run


def show_ended(hands: Hands) -> None:
    """Click *Show* in the message that tells of an evaluation's end."""
    bar = hands.bench.window.messages
    buttons = [one for item in bar.items() for one in item.findChildren(QPushButton) if one.text() == "Show"]
    hands.click(buttons[0])


def show_page(hands: Hands, name: str) -> None:
    tabs = hands.bench.window.results.rule_bar.tabs
    place = next(place for place in range(tabs.count()) if tabs.tabData(place) == name)
    hands.click(tabs, tabs.tabRect(place).center())
    hands.until(lambda: hands.bench.window.results.page == name, f"the page {name}")


def largest_cell(hands: Hands) -> tuple[int, int]:
    found = hands.bench.breakdown.loaded.breakdown.confusion
    counts = {(row, column): cell.count for row, cells in enumerate(found.cells) for column, cell in enumerate(cells)}
    return max(counts, key=lambda place: counts[place])


def metric(hands: Hands, title: str = "Both partial") -> float:
    from stepscope.widgets.results.metrics_item_model import MetricRole

    model = hands.bench.window.results.metrics
    rows = [model.index(place, 0).data(MetricRole) for place in range(model.rowCount())]
    return next(row.value for row in rows if row.title == title)


def walk(hands: Hands, report: Path) -> dict[str, object]:
    bench, window = hands.bench, hands.bench.window
    hands.until(lambda: bench.context.selection.episode is not None, "the sample")
    hands.focus(window)
    first, second = evaluate(hands, "text-match"), evaluate(hands, "nearest-element")

    show_page(hands, "compare")
    hands.until(lambda: window.results.compare.model.rowCount() > 0, "the steps on which they differ")
    pair = bench.breakdown.loaded.versus
    compared = {"only_first": int(pair.only_b.sum()), "only_second": int(pair.only_a.sum())}

    show_page(hands, "summary")
    row, column = largest_cell(hands)
    cells = window.results.cards.confusion.cells
    hands.click(cells, cells.tile(row, column).center().toPoint())
    listed = window.selected
    hands.until(lambda: listed.model.peek(0) is not None, "the items of the cell")
    selected, top = listed.model.rowCount(), listed.model.peek(0)

    rows = listed.list
    hands.click(rows, rows.visualRect(listed.model.index(0, 0)).center())
    hands.until(lambda: bench.breakdown.current == top.key, "its row")
    hands.press("Return")
    selection = bench.context.selection
    hands.until(
        lambda: selection.episode is not None and (selection.episode.id, selection.step.index) == tuple_of(top.key)
        and window.workspace == "replay",
        "the wrong step",
    )  # fmt: skip

    hands.press("x")
    hands.until(lambda: isinstance(QApplication.activePopupWidget(), QMenu), "the reasons")
    hands.press("Return")
    hands.press("ctrl+2")
    bar = window.results.rule_bar
    hands.until(lambda: window.workspace == "results" and bar.defects.isVisible(), "the defective item")
    hands.until(lambda: "Without the 1 defective item" in window.results._note.text(), "both scores")
    with_defect = metric(hands)
    hands.click(bar.defects, QPoint(20, bar.defects.height() // 2))
    hands.until(lambda: bench.results.results.left_out, "the scores without it")
    hands.until(lambda: metric(hands) != with_defect, "other numbers")
    without_defect = metric(hands)

    export_report(hands, report)
    return {
        "first": first, "second": second, "selected": selected, "item": list(tuple_of(top.key)),
        "with": with_defect, "without": without_defect, **compared,
    }  # fmt: skip


def export_report(hands: Hands, report: Path) -> None:
    """File ▸ Export ▸ HTML Report…, and the path typed into the dialog."""
    hands.press("alt+f")
    hands.until(lambda: isinstance(QApplication.activePopupWidget(), QMenu), "the File menu")
    hands.press("e")
    export = hands.bench.commands.menu("&File/&Export")
    hands.until(export.isVisible, "the Export menu")

    def fill() -> None:
        """The dialog runs an event loop of its own: what is typed into it is sent from within."""
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, QFileDialog) and dialog.isVisible():
            watch.stop()
            xdotool("windowfocus", "--sync", str(int(dialog.winId())))
            hands.press("ctrl+a")
            hands.type(str(report))
            hands.press("Return")

    watch = QTimer()
    watch.timeout.connect(fill)
    watch.start(20)
    hands.press("h")
    hands.until(lambda: report.exists() and QApplication.activeModalWidget() is None, "the report")


def tuple_of(key: object) -> tuple[str, int]:
    return key.episode, key.step  # type: ignore[attr-defined]


def main(report: Path) -> None:
    application = make_application()
    QApplication.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)  # the system's cannot be looked into
    bench = Workbench(application, AppFolders.of_user(default_store_url()))
    bench.start([], fresh=True)
    bench.window.resize(1600, 1000)
    bench.window.move(0, 0)
    try:
        found = walk(Hands(bench), report)
    except BaseException:
        bench.window.grab().save(str(report.with_suffix(".png")))
        raise
    bench.close()
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
