"""What was done on the open page: the log that scrubs it, the panel's buttons of the action library, raw output."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from stepscope.app.gui.features.webtask.webtask_controller import WebTaskController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.export_work import safe_name
from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.app.services.webtask.live_page import ActionResult
    from stepscope.core.webtask import actions, solving
    from stepscope.core.webtask.solving import Trace
    from stepscope.widgets.webtask.parts import WebTaskParts
else:
    actions = lazy_module("stepscope.core.webtask.actions")
    solving = lazy_module("stepscope.core.webtask.solving")


class WebTaskLogController(QObject):
    """`done_by_hand(ActionResult)`: a button of the panel did that. `undo_wanted()`, `start_anew_wanted()`: so did the
    person ask there."""

    done_by_hand = Signal(object)
    undo_wanted = Signal()
    start_anew_wanted = Signal()

    def __init__(self, context: Context, task: WebTaskController) -> None:
        super().__init__(context)
        self._context, self._task = context, task
        self._connected = False
        task.page_changed.connect(self.refresh)
        task.shown_changed.connect(self.refresh)
        task.look_changed.connect(self._show_choices)

    def connect_parts(self, parts: WebTaskParts) -> None:
        """Once, when the workspace is first entered."""
        if self._connected:
            return
        self._connected = True
        log, tools, form = parts.side.log, parts.centre.tools, parts.side.form
        log.scrubbed.connect(self._task.scrub)
        log.program_requested.connect(self._copy_program)
        log.export_requested.connect(self._export)
        tools.position_wanted.connect(self._task.scrub)
        form.do_requested.connect(self._do)
        form.undo_requested.connect(self.undo_wanted)
        form.reload_requested.connect(self.start_anew_wanted)

    # Showing ---------------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        if not self._connected:
            return
        task, parts = self._task, self._task.page.parts
        trace = task.filled.trace if task.filled is not None else None
        seconds = trace.seconds if trace is not None else None
        exchanges = trace.exchanges if trace is not None else ()
        parts.side.show_run(task.log, exchanges, seconds=seconds, position=task.done)
        parts.centre.set_actions(task.done, len(task.log))
        parts.side.set_by_hand(task.is_yours)
        parts.side.form.set_can_undo(bool(task.log))
        self._show_choices()

    def _show_choices(self) -> None:
        if not self._connected or not self._task.is_yours:
            return
        from stepscope.app.gui.features.webtask.presenter import field_choices

        look, read = self._task.look, self._task.read
        if look is not None and read is not None:
            names = [field.name for field in read.task.fields]
            self._task.page.parts.side.form.set_fields(field_choices(look, names))

    # Doing -----------------------------------------------------------------------------------------------------------

    def _do(self, form: Mapping[str, Any]) -> None:
        """A call by the panel's buttons."""
        try:
            action = actions.action_from_json(form)
        except UserError as error:
            self._context.messages.failure(error)
            return
        self._task.page.do(action, self._did)

    def _did(self, did: ActionResult) -> None:
        self.done_by_hand.emit(did)
        self._task.look_changed.emit()
        if did.result.text:
            QGuiApplication.clipboard().setText(did.result.text)
            self._context.messages.done("The HTML is on the clipboard.")
        if did.result.png:
            self._save_picture(did.result.png)

    def step(self, way: int) -> None:
        self._task.scrub(self._task.done + way)

    # Taking it elsewhere ---------------------------------------------------------------------------------------------

    def _program(self) -> str:
        from stepscope.core.webtask.program import as_program

        return "\n".join(as_program(one.action) for one in self._task.log)

    def _copy_program(self) -> None:
        QGuiApplication.clipboard().setText(self._program())
        self._context.messages.done("The actions are on the clipboard as a program.")

    def _export(self) -> None:
        """The log as the trace it is stored as."""
        read = self._task.read
        if read is None:
            return
        window = self._context.dialog_parent
        name = f"{safe_name(read.instance.id)} actions.json"
        path, _ = QFileDialog.getSaveFileName(window, "Save the Action Log", name, "JSON (*.json)")
        if not path:
            return
        trace = self._task.filled.trace if self._task.filled is not None else None
        self._write(Path(path), trace_file(trace or solving.Trace(self._task.log, left=dict(self._task.values))))

    def _save_picture(self, png: bytes) -> None:
        read = self._task.read
        assert read is not None
        name = f"{safe_name(read.instance.id)}.png"
        path, _ = QFileDialog.getSaveFileName(self._context.dialog_parent, "Save the Picture", name, "PNG (*.png)")
        if path:
            self._write(Path(path), png)

    def save_picture(self) -> None:
        """The whole page as it stands."""
        if self._task.read is not None:
            self._task.page.do(actions.CaptureScreen("page"), lambda did: self._save_picture(did.result.png))

    def _write(self, path: Path, data: bytes) -> None:
        from stepscope.app.services.export.whole_files import whole_file

        def work(_token: object) -> None:
            with whole_file(path) as stream:
                stream.write(data)

        self._context.start(f"save {path.name}", work, lambda _: self._context.messages.done(f"Saved {path.name}."))


def trace_file(trace: Trace) -> bytes:
    """The trace as JSON in UTF-8; half a character, which a page may hold, becomes a question mark."""
    return solving.trace_to_json(trace).encode(errors="replace")
