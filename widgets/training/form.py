"""The settings of a training."""

from __future__ import annotations

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
from stepscope.widgets.training.training_choices import (
    SETTINGS,
    EncoderChoice,
    PresetChoice,
    RecipeChoice,
    SourceChoice,
    TrainRequest,
)
from stepscope.widgets.training.training_problems import is_name, others_note, wrong_in

MARGIN = 12
AUTO = (ComputeChoice("auto", "Automatic"), ComputeChoice("cpu", "CPU"))
DEALT = "Whole apps are dealt out to the three parts, 70, 15 and 15 %; episodes where there are fewer than three apps."
USUAL = ("train", "validation", "app_unseen")
"""Names of splits that mean what they say; data without splits is dealt out under them."""
ALSO = {"validation": ("val", "dev"), "app_unseen": ("test",)}
"""What others call them."""
OWN = ("", "None", "The recipe's own settings", True)
"""The preset that is none."""


class TrainForm(QWidget):
    """`command_line` gives the equal command of a request, with the settings that hold where it says nothing (the
    recipe's, under those of its preset); `name_note` words about a name ("" for none)."""

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
        self._presets: dict[str, PresetChoice] = {}
        self._encoders: tuple[EncoderChoice, ...] = ()
        self._data: dict[str, DataChoice] = {}
        self._path = ""
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

    def set_recipes(self, recipes: Sequence[RecipeChoice], presets: Sequence[PresetChoice] = ()) -> None:
        """The task's recipes, the first one with its own settings and a name; and the presets that fit the task."""
        self._recipes = {one.name: one for one in recipes}
        self._presets = {one.name: one for one in presets}
        choose_combo(self.fields.preset, [OWN, *((one.name, one.title, one.source, True) for one in presets)], "")
        choose_combo(self.fields.recipe, [(one.name, one.title, one.explained, True) for one in recipes], "")
        self._take_recipe()

    def set_encoders(self, encoders: Sequence[EncoderChoice]) -> None:
        """All encoders that there are; those that cannot be taken rest, with the reason."""
        self._encoders = tuple(encoders)
        self.fields.texts.set_choices([one for one in encoders if one.texts])
        self.fields.views.set_choices([one for one in encoders if one.pictures])
        self._renew()

    def set_offered(self, sources: Sequence[SourceChoice]) -> None:
        """Further data sets that may be learned from."""
        self.fields.others.set_offered(sources)
        self._renew()

    def set_data(self, choices: Sequence[DataChoice], path: str = "") -> None:
        """What of the open data, which lies at `path`, may be learned from."""
        self._path = path
        self._data = {choice.id: choice for choice in choices}
        rows = [(one.id, f"{one.title}, {counted(one.episodes, 'episode')}", "", one.episodes > 0) for one in choices]
        choose_combo(self.fields.data, rows, "")
        self._renew()

    def set_splits(self, splits: Sequence[str]) -> None:
        """The data's own splits, those of the usual names chosen, else of what others call them; without any its apps
        are dealt out."""
        rows = [(name, name, "", True) for name in splits]
        choose_combo(self.fields.train, [*rows, ("", "dealt out by app", DEALT, True)], "")
        choose_combo(self.fields.validation, rows, "")
        choose_combo(self.fields.held_out, [*rows, ("", "nothing", "No numbers on unseen episodes", True)], "")
        combos = self.fields.train, self.fields.validation, self.fields.held_out
        for combo, name in zip(combos, usual_splits(splits), strict=True):
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
        place = self.fields.recipe.findData(request.recipe)
        if place >= 0:
            self.fields.recipe.setCurrentIndex(place)
        self.fields.take(request, self.recipe())
        self._quiet = False
        self._renew()

    # what may be asked

    def request(self) -> TrainRequest:
        """What the fields say now, right or not."""
        fields, base, others = self.fields, self.base(), self.fields.others.shares()
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
            device=fields.compute.currentData() or "auto",
            onnx=fields.onnx.isChecked(),
            weight=fields.weight.number() if others else 1.0,
            others=others,
            texts=fields.texts.reference(),
            views=fields.views.reference() if base is not None and base.pictures else "",
            preset=fields.preset.currentData() or "",
            classifier=fields.classifier.text().strip() if base is not None and base.classifier else "",
            language=str(fields.language.currentData()) if base is not None and base.classifier else "",
            **fields.settings(base),
        )

    def recipe(self) -> RecipeChoice | None:
        return self._recipes.get(self.fields.recipe.currentData() or "")

    def base(self) -> RecipeChoice | None:
        """The settings that hold where nothing else is said: the recipe's, under those of the preset."""
        recipe, preset = self.recipe(), self._presets.get(self.fields.preset.currentData() or "")
        return recipe if recipe is None or preset is None else preset.over(recipe)

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
        wrong = wrong_in(request, recipe, encoders=self._encoders, taken=self._taken, path=self._path)
        return wrong or self._blocked

    def command(self) -> str:
        return self._command.text()

    def run(self) -> None:
        if not self.problem():
            self.run_requested.emit(self.request())

    # inside

    def _has_splits(self) -> bool:
        return self.fields.train.count() > 1

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
        for part in (self.fields, self.fields.more, self._command, self._message):
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
        fields.preset.currentIndexChanged.connect(lambda _place: self._take_preset())
        for field in (fields.texts, fields.views, fields.others, fields.more):
            field.changed.connect(self._renew)
        fields.language.currentIndexChanged.connect(lambda _place: self._renew())
        for combo in (fields.data, fields.train, fields.validation, fields.held_out, fields.compute):
            combo.currentIndexChanged.connect(lambda _place: self._renew())
        for line in (fields.name, fields.seeds, fields.classifier):
            line.textChanged.connect(lambda _text: self._renew())
        for spin in (fields.epochs, fields.patience, fields.batch, fields.rate, fields.weight):
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
            if not quiet:
                self.fields.preset.setCurrentIndex(0)
            self.fields.take_base(recipe)
            self.fields.name.setText(f"my-{recipe.name}")
            self._quiet = quiet
        self._renew()

    def _take_preset(self) -> None:
        """A person chose a preset, or none: fill in what it says, with its recipe."""
        if self._quiet:
            return
        self._quiet = True
        preset = self._presets.get(self.fields.preset.currentData() or "")
        if preset is not None and preset.recipe:
            self.fields.recipe.setCurrentIndex(self.fields.recipe.findData(preset.recipe))
        base = self.base()
        if base is not None:
            self.fields.take_base(base, self.recipe())
        self._quiet = False
        self._renew()

    def _drop_changed_preset(self, request: TrainRequest) -> TrainRequest:
        """The request without its preset where it is not as that says any more."""
        base = self.base()
        if not request.preset or base is None:
            return request
        own = ("classifier", "language") if base.classifier else ("texts", *(("views",) if base.pictures else ()))
        names = (*SETTINGS, *own)
        if all(getattr(request, name) == getattr(base, name) for name in names):
            return request
        self._quiet = True
        self.fields.preset.setCurrentIndex(0)
        self._quiet = False
        return self.request()

    def _renew(self) -> None:
        """Show all that follows from the fields."""
        if self._quiet:
            return
        request = self._drop_changed_preset(self.request())
        self._show_rows(request)
        problem = self.problem()
        self._message.setText(straight(problem))
        self._message.setVisible(bool(problem))
        self._run.setEnabled(not problem)
        sound = not problem or problem == self._blocked
        self._copy.setEnabled(sound)
        self._command.setText(self._command_line(request, self.base()) if sound else "")
        self._command.setVisible(sound)

    def _show_rows(self, request: TrainRequest) -> None:
        """Rows that are only there sometimes, and the words below fields."""
        fields, recipe = self.fields, self.recipe()
        dealt = not (self._has_splits() and request.train)
        named = recipe is not None and bool(recipe.classifier)
        fields.show_row(fields.texts, recipe is None or (recipe.encoded and not named))
        fields.show_row(fields.views, recipe is not None and recipe.pictures and not named)
        fields.show_row(fields.classifier, named)
        fields.show_row(fields.language, named)
        fields.show_row(fields.preset, bool(self._presets))
        fields.show_row(fields.onnx, recipe is None or recipe.exports)
        fields.show_row(fields.train, self._has_splits())
        for combo in (fields.validation, fields.held_out):
            fields.show_row(combo, not dealt)
        fields.weight.setVisible(bool(request.others))
        for label, words in (
            (fields.explained, recipe.explained if recipe else ""),
            (fields.others_dealt, others_note(request, fields.others.source)),
            (fields.dealt, DEALT if dealt else ""),
            (fields.known, self._name_note(request.name) if is_name(request.name) else ""),
        ):
            label.setText(straight(words))
            label.setVisible(bool(words))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.run()
        elif event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)


def usual_splits(splits: Sequence[str]) -> tuple[str, str, str]:
    """Of these splits the one to learn from, the one to choose by and the one to measure on, "" for none: by their
    usual names, then by what others call them; chosen is by any other rather than by what is learned from."""
    learned, chosen, measured = (_named(name, splits) for name in USUAL)
    if not chosen:
        rest = [one for one in splits if one != learned]
        chosen = next((one for one in rest if one != measured), next(iter(rest), ""))
    return learned, chosen, measured if measured != chosen else ""


def _named(name: str, splits: Sequence[str]) -> str:
    return next((one for one in (name, *ALSO.get(name, ())) if one in splits), "")
