"""The settings of a training."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from stepscope.core.domain.prediction import Task
from stepscope.widgets.common import text_button
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.format import counted
from stepscope.widgets.forms.evaluate_choices import ComputeChoice, DataChoice, TaskChoice
from stepscope.widgets.forms.form_rows import CommandBox, choose_combo
from stepscope.widgets.training.fields import TrainFields
from stepscope.widgets.training.training_status import RecipeChoice, TrainRequest

MARGIN = 12
AUTO = (ComputeChoice("auto", "Automatic"), ComputeChoice("cpu", "CPU"))
DEALT = "Whole apps are dealt out to the three parts, 70, 15 and 15 %; episodes where there are fewer than three apps."
USUAL = ("train", "validation", "app_unseen")
"""Names of splits that mean what they say; data without splits is dealt out under them."""
_NAME = re.compile(r"\w[\w.-]{0,99}")


class TrainForm(QWidget):
    """`command_line` gives the equal command of a request, `name_note` words about a name ("" for none)."""

    run_requested = Signal(object)
    """a TrainRequest"""
    task_chosen = Signal(object)
    """another Task: its recipes are to be set"""
    closed = Signal()

    def __init__(
        self,
        command_line: Callable[[TrainRequest, RecipeChoice | None], str],
        name_note: Callable[[str], str] = lambda _name: "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._command_line, self._name_note = command_line, name_note
        self._task = Task.FEASIBILITY
        self._recipes: dict[str, RecipeChoice] = {}
        self._data: dict[str, DataChoice] = {}
        self._why_not: dict[Task, str] = {}
        self._taken: set[str] = set()
        self._lack, self._blocked = "", ""
        self._quiet = False
        self.fields = TrainFields()
        self._build()
        self.set_compute(())
        self._connect()

    # what the owner tells

    def set_tasks(self, tasks: Sequence[TaskChoice], current: Task) -> None:
        """Tasks for which there are recipes; those that the data does not fit rest, with the reason."""
        self._task, self._why_not = current, {one.task: one.why_not for one in tasks}
        rows = [(one.task.value, one.title, one.why_not, not one.why_not) for one in tasks]
        choose_combo(self.fields.tasks, rows, current.value)
        self.fields.tasks.blockSignals(True)
        self.fields.tasks.setCurrentIndex(self.fields.tasks.findData(current.value))  # though it may rest
        self.fields.tasks.blockSignals(False)
        self._renew()

    def set_recipes(self, recipes: Sequence[RecipeChoice]) -> None:
        """The task's recipes; the first one with its own settings and a name."""
        self._recipes = {one.name: one for one in recipes}
        choose_combo(self.fields.recipe, [(one.name, one.title, one.explained, True) for one in recipes], "")
        self._take_recipe()

    def set_data(self, choices: Sequence[DataChoice]) -> None:
        self._data = {choice.id: choice for choice in choices}
        rows = [(one.id, f"{one.title}, {counted(one.episodes, 'episode')}", "", one.episodes > 0) for one in choices]
        choose_combo(self.fields.data, rows, "")
        self._renew()

    def set_splits(self, splits: Sequence[str]) -> None:
        """The data's own splits, those of the usual names chosen; without any its apps are dealt out."""
        rows = [(name, name, "", True) for name in splits]
        choose_combo(self.fields.train, [*rows, ("", "dealt out by app", DEALT, True)], "")
        choose_combo(self.fields.validation, rows, "")
        choose_combo(self.fields.held_out, [*rows, ("", "nothing", "No numbers on unseen episodes", True)], "")
        for combo, name in zip((self.fields.train, self.fields.validation, self.fields.held_out), USUAL, strict=True):
            combo.blockSignals(True)
            place = combo.findData(name)
            combo.setCurrentIndex(place if place >= 0 else combo.count() - 1)
            combo.blockSignals(False)
        self._renew()

    def set_compute(self, extra: Sequence[ComputeChoice], current: str = "") -> None:
        choose_combo(self.fields.compute, [(one.name, one.title, "", True) for one in (*AUTO, *extra)], current)
        self._renew()

    def set_device(self, device: str) -> None:
        """Compute there, where that is offered."""
        place = self.fields.compute.findData(device)
        if place >= 0:
            self.fields.compute.setCurrentIndex(place)

    def set_taken(self, names: Sequence[str]) -> None:
        """Names of models that are none of the person's own."""
        self._taken = set(names)
        self._renew()

    def set_lack(self, why: str) -> None:
        """Why nothing can be trained on this machine, "" when it can."""
        self._lack = why
        self._renew()

    def set_blocked(self, why: str) -> None:
        """Why nothing can be trained just now, "" when it can."""
        self._blocked = why
        self._renew()

    def fill(self, request: TrainRequest) -> None:
        """Take over an earlier training, as far as it can be chosen here; its task is set already."""
        self._quiet = True
        self.fields.take(request)
        self._quiet = False
        self._renew()

    # what may be asked

    def request(self) -> TrainRequest:
        """What the fields say now, right or not."""
        fields = self.fields
        data = self._data.get(fields.data.currentData() or "")
        names = [str(combo.currentData() or "") for combo in (fields.train, fields.validation, fields.held_out)]
        train, validation, held_out = names if self._has_splits() else USUAL
        return TrainRequest(
            task=self._task,
            recipe=fields.recipe.currentData() or "",
            data=data.id if data else "",
            name=fields.name.text().strip(),
            train=train,
            validation=validation if train else "",
            held_out=held_out if train else "",
            filter=data.filter if data else "",
            seeds=fields.seed_numbers() or (),
            epochs=fields.epochs.value(),
            batch=fields.batch.value(),
            rate=round(fields.rate.value(), 7),
            patience=fields.patience.value(),
            device=fields.compute.currentData() or "auto",
            onnx=fields.onnx.isChecked(),
        )

    def recipe(self) -> RecipeChoice | None:
        return self._recipes.get(self.fields.recipe.currentData() or "")

    def problem(self) -> str:
        """What is missing before it can be trained, "" when nothing is."""
        request, recipe = self.request(), self.recipe()
        data = self._data.get(request.data)
        if self._lack:
            return self._lack
        if data is None:
            return "Nothing is open to learn from. Open a folder first."
        if self._why_not.get(self._task):
            return self._why_not[self._task]
        if data.episodes == 0:
            return "The chosen data holds no episode."
        if recipe is None or recipe.why_not:
            return recipe.why_not if recipe else "There is nothing to train for this task."
        return self._wrong(request) or self._blocked

    def command(self) -> str:
        return self._command.text()

    def run(self) -> None:
        if not self.problem():
            self.run_requested.emit(self.request())

    # inside

    def _has_splits(self) -> bool:
        return self.fields.train.count() > 1

    def _wrong(self, request: TrainRequest) -> str:
        """What does not fit together in the fields."""
        if request.train and request.validation == request.train:
            return "Choose by another split than the one to learn from."
        if request.train and request.held_out in (request.train, request.validation):
            return "Measure on a split that nothing was learned from or chosen by."
        if _NAME.fullmatch(request.name) is None:
            return "Give the model a name of letters, digits, dots and dashes."
        if request.name in self._taken:
            return f"There is a model {request.name} that is not yours. Choose another name."
        if not request.seeds:
            return "Write seeds as numbers, such as 0, or 0-9, or 0, 3, 5."
        return ""

    def _build(self) -> None:
        self._command = CommandBox()
        self._copy = text_button("Copy command")
        self._copy.setProperty("ghost", True)
        self._run = text_button(" Train", primary=True, icon="run", tip="Train (Ctrl+Enter)")
        self._run.setAccessibleName("Train")
        self._message = QLabel()
        self._message.setWordWrap(True)
        self._message.setTextFormat(Qt.TextFormat.PlainText)
        self._message.setProperty("badge", "warn")
        buttons = QHBoxLayout()
        buttons.addWidget(self._copy)
        buttons.addStretch(1)
        buttons.addWidget(self._run)
        inside = QWidget()
        body = QVBoxLayout(inside)
        body.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        body.setSpacing(10)
        for part in (self.fields, self._command, self._message):
            body.addWidget(part)
        body.addLayout(buttons)
        body.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setWidget(inside)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(scroll)

    def _connect(self) -> None:
        fields = self.fields
        fields.tasks.currentIndexChanged.connect(lambda _place: self._choose_task())
        fields.recipe.currentIndexChanged.connect(lambda _place: self._take_recipe())
        for combo in (fields.data, fields.train, fields.validation, fields.held_out, fields.compute):
            combo.currentIndexChanged.connect(lambda _place: self._renew())
        for line in (fields.name, fields.seeds):
            line.textChanged.connect(lambda _text: self._renew())
        for spin in (fields.epochs, fields.patience, fields.batch, fields.rate):
            spin.valueChanged.connect(lambda _value: self._renew())
        fields.onnx.toggled.connect(lambda _on: self._renew())
        self._copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.command()))
        self._run.clicked.connect(self.run)

    def _choose_task(self) -> None:
        self.task_chosen.emit(Task(self.fields.tasks.currentData()))

    def _take_recipe(self) -> None:
        recipe = self.recipe()
        if recipe is not None:
            quiet, self._quiet = self._quiet, True
            self.fields.take_recipe(recipe)
            self.fields.name.setText(f"my-{recipe.name}")
            self._quiet = quiet
        self._renew()

    def _renew(self) -> None:
        """Show all that follows from the fields."""
        if self._quiet:
            return
        request, recipe, problem, fields = self.request(), self.recipe(), self.problem(), self.fields
        fields.explained.setText(recipe.explained if recipe else "")
        fields.explained.setVisible(bool(fields.explained.text()))
        dealt = not (self._has_splits() and request.train)
        fields.show_row(fields.train, self._has_splits())
        for combo in (fields.validation, fields.held_out):
            fields.show_row(combo, not dealt)
        fields.dealt.setText(DEALT)
        fields.dealt.setVisible(dealt)
        fields.known.setText(self._name_note(request.name) if _NAME.fullmatch(request.name) else "")
        fields.known.setVisible(bool(fields.known.text()))
        self._message.setText(straight(problem))
        self._message.setVisible(bool(problem))
        self._run.setEnabled(not problem)
        sound = not problem or problem == self._blocked
        self._copy.setEnabled(sound)
        self._command.setText(self._command_line(request, recipe) if sound else "")
        self._command.setVisible(sound)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.run()
        elif event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)
