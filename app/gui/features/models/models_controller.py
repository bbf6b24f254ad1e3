"""The models that are here: listed, taken in, exported, removed; and the device that new work begins with."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6 import QtWidgets
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDialog, QVBoxLayout

from stepscope.app.gui.shell.commands.bar import CommandBar
from stepscope.app.gui.shell.confirm import confirmed
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.ports import ModelForms
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.widgets.common import TaskProgress
from stepscope.widgets.common.plain_words import plain_label

if TYPE_CHECKING:
    from stepscope.app.gui.features.models import kept_models
    from stepscope.app.services import own_models
    from stepscope.models import registry
    from stepscope.widgets.forms.evaluate_choices import ComputeChoice
    from stepscope.widgets.models import ModelRow, ModelsView
else:
    kept_models = lazy_module("stepscope.app.gui.features.models.kept_models")
    own_models = lazy_module("stepscope.app.services.own_models")
    registry = lazy_module("stepscope.models.registry")

EXPORT = "export of a model"
CHOSEN = "trained_chosen"
COMPUTE = {"compute.auto": "auto", "compute.cpu": "cpu", "compute.gpu": "cuda:0"}
COMPUTE_WORDS = {"auto": "on what each model can use, a GPU first", "cpu": "on the CPU"}
WIDTH, HEIGHT = 940, 680

Export = Callable[[Path, Path | None, CancelToken], Path | None]


class ModelsController(QObject):
    """`changed` fires when there is a model more or less."""

    changed = Signal()
    page_wanted = Signal(str)
    """of this model, "" of a new one"""
    evaluate_wanted = Signal(object, str)

    def __init__(self, context: Context, forms: ModelForms) -> None:
        super().__init__(context)
        self._context, self._forms = context, forms
        self._bar: CommandBar | None = None
        self._view: ModelsView | None = None
        self._rows: dict[str, ModelRow] = {}
        self._gpu: ComputeChoice | None = None
        self.write_onnx: Export = _write_onnx
        self._device = context.preferences.device
        context.settled.connect(self._look_up_devices)
        context.preferences_changed.connect(self._device_preferred)

    def handlers(self) -> dict[str, Callable[[], object]]:
        handlers: dict[str, Callable[[], object]] = {
            "models.load": self.load,
            "models.list": self.show,
            "models.export": lambda: self.export(self._view.current()) if self._view else None,
        }
        return handlers | {command: partial(self.set_device, device) for command, device in COMPUTE.items()}

    def bind(self, bar: CommandBar) -> None:
        self._bar = bar
        self._check_device()

    # The list --------------------------------------------------------------------------------------------------------

    def show(self, current: str = "") -> None:
        """All models in a window of their own, beside which one can go on working."""
        if self._view is None:
            self._open()
        assert self._view is not None
        self._view.window().show()
        self._view.window().raise_()
        self._view.table.setFocus()
        self.refresh(current)

    def refresh(self, current: str = "") -> None:
        """Look the models up again; nothing happens while the list is not open."""

        def take(found: tuple[tuple[ModelRow, ...], tuple[str, ...]]) -> None:
            rows, problems = found
            self._rows = {row.name: row for row in rows}
            if self._view is not None:
                self._view.set_models(rows, problems, current)

        def look_up(_token: object) -> tuple[tuple[ModelRow, ...], tuple[str, ...]]:
            from stepscope.app.gui.features.models.presenter import model_rows

            return model_rows(registry.registry())

        if self._view is not None:
            self._context.start("models", look_up, take)

    def _open(self) -> None:
        from stepscope.widgets.models import ModelsView

        dialog = QDialog(self._context.dialog_parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle("Loaded models")
        dialog.resize(WIDTH, HEIGHT)
        view = self._view = ModelsView()
        column = QVBoxLayout(dialog)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(view)
        dialog.finished.connect(self._closed)
        view.chosen.connect(self._chosen)
        view.load_requested.connect(self.load)
        view.add_requested.connect(lambda: self.page_wanted.emit(""))
        view.page_requested.connect(self.page_wanted)
        view.export_requested.connect(self.export)
        view.remove_requested.connect(self.remove)
        view.evaluate_requested.connect(self.evaluate)

    def _closed(self) -> None:
        self._view = None
        self._context.conditions.set(CHOSEN, False)

    def _chosen(self, name: str) -> None:
        row = self._rows.get(name)
        self._context.conditions.set(CHOSEN, row is not None and row.can_export)

    def evaluate(self, name: str) -> None:
        """The form in which this model is evaluated."""

        def known(task: Task) -> None:
            if self._view is not None:
                self._view.window().close()
            self.evaluate_wanted.emit(task, name)

        self._context.start("model", lambda _token: registry.model_info(name).task, known)

    # Taking in, removing ---------------------------------------------------------------------------------------------

    def load(self) -> None:
        """Ask for the folder of a trained model and copy it to the person's own models."""
        chosen = QtWidgets.QFileDialog.getExistingDirectory(
            self._context.dialog_parent, "Folder of a trained model (with card.json)", str(Path.home())
        )
        if not chosen:
            return

        def take(_token: object) -> str:
            return own_models.take_in(Path(chosen)).card.name

        self._context.start("load model", take, self._taken)

    def _taken(self, name: str) -> None:
        self._context.messages.done(f"{name} is one of your own models now.")
        self.changed.emit()
        self.refresh(name)

    def remove(self, name: str) -> None:
        """Delete a model of the person's own, once that was confirmed."""
        row = self._rows.get(name)
        if row is None:
            return
        name = row.page or name
        over = self._view or self._context.dialog_parent
        if not confirmed(over, f"Remove the model {name}?", row.removal, "Remove"):
            return

        def take_away(_token: object) -> None:
            kept_models.take_away(name)

        def gone(_nothing: object) -> None:
            self._context.messages.done(f"Removed {name}.")
            self.changed.emit()
            self.refresh()

        self._context.start("remove model", take_away, gone)

    # ONNX ------------------------------------------------------------------------------------------------------------

    def export(self, name: str) -> None:
        """Write the model's ONNX file: beside its weights for a person's own, else where they say."""
        row, file = self._rows.get(name), None
        if row is None:
            return
        if not row.removal:
            chosen, _ = QtWidgets.QFileDialog.getSaveFileName(
                self._context.dialog_parent, "Export to ONNX", str(Path.home() / f"{name}.onnx"), "ONNX (*.onnx)"
            )
            if not chosen:
                return
            file = Path(chosen)
        write = self.write_onnx

        def work(token: CancelToken) -> Path | None:
            from stepscope.models.learned.model_folders import find_trained

            trained = find_trained(name)
            if trained is None:
                raise UserError(f"There is no trained model {name} any more.")
            return write(trained.folder, file, token)

        def written(found: Path | None) -> None:
            if found is not None:
                self._context.messages.done(f"{name} is in {found}; it agrees with torch.")
                self.changed.emit()
                self.refresh(name)

        task = self._context.start(f"Exporting {name}", work, written, lane="training")
        self._context.long_work.show(EXPORT, [TaskProgress(EXPORT, task.name, can_pause=False, keeps=False)])
        cancel = self._context.long_work.chip.cancel_requested.connect(
            lambda row: task.cancel() if row == EXPORT else None
        )
        task.finished.connect(lambda: self._context.long_work.show(EXPORT, ()))
        task.finished.connect(lambda: QObject.disconnect(cancel))

    # The device ------------------------------------------------------------------------------------------------------

    def set_device(self, device: str) -> None:
        """What new evaluations and trainings begin with, from now on."""
        self._context.prefer(device=device)
        self._check_device()
        words = COMPUTE_WORDS.get(device) or f"on {self._gpu.title if self._gpu else device}"
        self._context.messages.done(f"New evaluations and trainings begin {words}.")

    def _device_preferred(self) -> None:
        """Forms that are there compute there; others begin with it when they are made."""
        device = self._context.preferences.device
        if device == self._device:
            return
        self._device = device
        self._check_device()
        if self._forms.is_made("evaluate"):
            self._forms.evaluate.set_device(device)
        if self._forms.is_made("training"):
            self._forms.training.form.set_device(device)

    def _look_up_devices(self) -> None:
        self._context.start("devices", _gpus, self._take_devices, priority=-9)

    def _take_devices(self, found: tuple[ComputeChoice, ...]) -> None:
        self._gpu = found[0] if found else None
        self._context.conditions.set("gpu", bool(found))
        if self._bar is not None and self._gpu is not None:
            self._bar.actions["compute.gpu"].setText(plain_label(self._gpu.title))

    def _check_device(self) -> None:
        if self._bar is None:
            return
        for command, device in COMPUTE.items():
            self._bar.actions[command].setChecked(device == self._context.preferences.device)


def _gpus(_token: object) -> tuple[ComputeChoice, ...]:
    from stepscope.app.gui.shell.compute_choices import compute_choices

    return compute_choices()[0]


def _write_onnx(folder: Path, file: Path | None, token: CancelToken) -> Path | None:
    return own_models.export_onnx(folder, file, token)
