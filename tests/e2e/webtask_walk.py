"""One whole walk through the Web task workspace in a window on an X server: a folder of tasks is opened, one page
solved by hand, three solvers are run over pages of every task from the menu, and the worst field is looked at.

    webtask_walk.py FOLDER PAGES PICTURE      PAGES of each task are evaluated

Prints one JSON object of what was seen; PICTURE is the window where it went wrong. test_webtask.py starts it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QMenu

from stepscope.app.gui.main import make_application
from stepscope.app.gui.shell.context import AppFolders
from stepscope.app.gui.walk import wait_for
from stepscope.app.gui.workbench import Workbench
from stepscope.core.domain.run import RunState
from stepscope.core.domain.webtask import FieldType
from stepscope.core.settings import default_store_url
from stepscope.widgets.webtask.page_fields import FieldState
from tests.e2e.results_walk import Hands, show_ended

MODELS = ("oracle", "do-nothing", "page:lab/small")
FOR_TESTS = ("oracle",)
"""Of these: shown the right answer, so listed by the switch only."""

WORDS = "tea and cake"


class WebHands(Hands):
    """Hands at a page."""

    @property
    def web(self) -> Any:
        return self.bench.webtask

    @property
    def parts(self) -> Any:
        return self.bench.window.webtask

    def arrive(self, what: str, *, other_than: str = "") -> str:
        """The id of the page that stands, another one than that."""
        self.until(
            lambda: (
                self.web.page.is_ready
                and self.web.task.read is not None
                and self.web.task.read.instance.id != other_than
            ),
            what,
        )
        return self.web.task.read.instance.id

    def field(self, name: str) -> Any:
        return next(one for one in self.web.page.look.fields if one.name == name)

    def bring(self, name: str) -> None:
        """Choose the field in the table, which scrolls the page to it."""
        panel = self.parts.side.fields
        row = next(place for place, one in enumerate(panel.model.state.rows) if one.name == name)
        index = panel.model.index(row, 0)
        panel.list.scrollTo(index)
        self.click(panel.list.viewport(), panel.list.visualRect(index).center())
        self.until(lambda: panel.chosen() == name and self.is_seen(name), f"{name} in view")

    def is_seen(self, name: str) -> bool:
        box = self.field(name).box
        scroll, size = self.web.page.look.scroll, self.web.page.look.viewport
        return box is not None and scroll.y <= (box.top + box.bottom) / 2 <= scroll.y + size.height

    def wait_long(self, fact: Callable[[], bool], what: str) -> None:
        """Whole runs take their time."""
        wait_for(fact, what, 1200.0)

    def touch(self, box: Any) -> None:
        view = self.parts.centre.view
        place = view.frame.rect_of(box)
        self.click(view, QPointF((place.left + place.right) / 2, (place.top + place.bottom) / 2).toPoint())

    def touch_control(self, box: Any) -> None:
        """A label above a list or a scale belongs to the field's box: the control itself is at its lower left."""
        view = self.parts.centre.view
        place = view.frame.rect_of(box)
        self.click(view, QPointF(place.left + 10, place.bottom - 12).toPoint())

    def fill(self, name: str) -> None:
        """Choose the field's first option by the mouse, another one of its list, or a place of its scale; or write some
        words by the keyboard."""
        self.bring(name)
        field = self.field(name)
        if field.type in (FieldType.RADIO, FieldType.CHECKBOX):
            self.touch(field.options[0].box)
            self.until(lambda: self.field(name).value == field.options[0].value, f"{name} to be chosen")
            return
        if field.type is FieldType.SELECT:
            self.touch_control(field.box)
            self.until(self.parts.centre.view.list.isVisible, f"the list of {name}")
            self.press("Down", "Return")
            self.until(lambda: self.field(name).value != field.value, f"{name} to be chosen")
            return
        if field.type is FieldType.RANGE:
            self.touch_control(field.box)
            self.until(lambda: self.field(name).value != field.value, f"{name} to be moved")
            return
        self.touch(field.box)
        self.until(lambda: self.parts.centre.view.is_inside, "keys to go to the page")
        self.type(WORDS)
        self.until(lambda: WORDS in self.field(name).value, f"{name} to be written")


def open_folder(hands: WebHands, folder: Path) -> None:
    QFileDialog.getExistingDirectory = staticmethod(lambda *_: str(folder))  # the system's own dialog
    hands.press("ctrl+shift+o")
    hands.until(lambda: hands.bench.context.selection.source is not None
                and hands.bench.context.selection.source.source.path == folder, "the tasks")  # fmt: skip
    hands.press("ctrl+7")
    hands.arrive("the first page")


def solve_by_hand(hands: WebHands) -> dict[str, Any]:
    here = hands.web.task.read
    names = [field.name for field in here.task.fields if field.type is not FieldType.HIDDEN]
    for name in names:
        hands.fill(name)
    hands.press("Escape")
    hands.until(lambda: not hands.parts.centre.view.is_inside, "the keys back")
    calls = [one.action.name for one in hands.web.task.log]
    hands.press("ctrl+Return")
    hands.arrive("the next page", other_than=here.instance.id)
    return {"page": here.instance.id, "fields": names, "calls": calls}


def evaluate(hands: WebHands, model: str, pages: int) -> str:
    """Evaluate ▸ Web Tasks…, the model, so many pages of each task, Run; the run's id."""
    bench, form = hands.bench, hands.bench.window.evaluate
    before = set(bench.results.run_ids)
    hands.press("alt+a")
    hands.until(lambda: isinstance(QApplication.activePopupWidget(), QMenu), "the menu")
    hands.press("w")
    hands.until(form.isVisible, "the form")
    hands.until(lambda: form._run.isEnabled() and "items" in form._plan.text(), "what will be run")
    models = form.findChild(QComboBox, "model")
    if model in FOR_TESTS and not form.fields.tests.isChecked():
        hands.click(form.fields.tests)
    hands.until(lambda: models.findData(model) >= 0, model)
    hands.click(models)
    hands.until(lambda: QApplication.activePopupWidget() is not None, "the list of models")
    hands.press("Home", *["Down"] * models.findData(model), "Return")
    hands.until(lambda: form.request().model == model, f"{model} chosen")
    spin = form.fields.per_app
    hands.click(spin.lineEdit(), times=3)
    hands.type(str(pages))
    hands.press("Tab")
    hands.until(lambda: form.request().per_app == pages and form._run.isEnabled(), "the pages of each task")
    hands.click(form._run)
    hands.until(lambda: bool(set(bench.results.run_ids) - before), f"the run of {model}")
    run = next(iter(set(bench.results.run_ids) - before))
    hands.wait_long(lambda: bench.results.state_of(run) is RunState.DONE and not bench.evaluate.is_running, "its end")
    show_ended(hands)
    hands.until(lambda: bench.breakdown.loaded is not None and bench.breakdown.loaded.run.id == run, "its results")
    return run


def look_at_worst(hands: WebHands, run: str) -> dict[str, Any]:
    """Tools ▸ Web Task ▸ Open Worst Page: what the run left in its worst field, and what people had said."""
    hands.press("ctrl+7")
    hands.arrive("the page")
    hands.until(lambda: hands.web.list._shown_run() == run, "the run's scores beside the tasks")
    hands.press("alt+t")
    hands.until(lambda: isinstance(QApplication.activePopupWidget(), QMenu), "the menu")
    hands.press("w", "g")
    hands.until(lambda: hands.web.task.who == run and hands.web.page.is_ready, "what the run left")
    hands.until(lambda: hands.web.fields.judged is not None and bool(hands.parts.side.fields.chosen()), "its field")
    name = hands.parts.side.fields.chosen()
    row = next(one for one in hands.parts.side.fields.model.state.rows if one.name == name)
    mark = hands.parts.centre.view.mark_of(name)
    scored = [one.score for one in hands.parts.side.fields.model.state.rows if one.score is not None]
    return {
        "page": hands.web.task.read.instance.id, "field": name, "score": row.score, "lowest": min(scored),
        "value": row.value, "people": [one.words for one in row.people], "why": row.why,
        "wrong on the page": mark is not None and mark.state is FieldState.WRONG,
    }  # fmt: skip


def walk(hands: WebHands, folder: Path, pages: int) -> dict[str, Any]:
    bench = hands.bench
    hands.until(lambda: bench.context.selection.episode is not None, "the sample")
    hands.focus(bench.window)
    open_folder(hands, folder)
    found: dict[str, Any] = {"by hand": solve_by_hand(hands)}
    runs = {model: evaluate(hands, model, pages) for model in MODELS}
    bench.context.selection.set_runs((runs[MODELS[-1]],))
    found["worst"] = look_at_worst(hands, runs[MODELS[-1]])
    return found | {"runs": runs}


def main(folder: str, pages: str, picture: str) -> None:
    make_application()
    bench = Workbench(QApplication.instance(), AppFolders.of_user(default_store_url()))
    bench.start([], fresh=True)
    bench.window.resize(1600, 1000)
    bench.window.move(0, 0)
    try:
        found = walk(WebHands(bench), Path(folder), int(pages))
        bench.window.grab().save(picture)
    except BaseException:
        bench.window.grab().save(picture)
        raise
    bench.close()
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
