"""The form from which an evaluation is started: a dock, not a dialog."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QBoxLayout, QFileDialog, QLabel, QScrollArea, QVBoxLayout, QWidget

from stepscope.core.domain.model_name import HIDDEN, INSTRUCTIONS, split_name
from stepscope.core.domain.prediction import Task
from stepscope.core.scoring.rule import ProtocolInfo
from stepscope.widgets.common import PanelHeader, icon_button, text_button
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.evaluate.fields import HERE, FormFields
from stepscope.widgets.format import count, counted
from stepscope.widgets.forms.evaluate_choices import (
    PREDICTIONS,
    ComputeChoice,
    DataChoice,
    EvaluateRequest,
    ModelChoice,
    TaskChoice,
)
from stepscope.widgets.forms.form_rows import CommandBox, choose_combo

CommandLine = Callable[[EvaluateRequest], str]
Estimate = Callable[[EvaluateRequest], str]
LEAST_WIDTH, MARGIN = 312, 12
AUTO = (ComputeChoice("auto", "Automatic"), ComputeChoice("cpu", "CPU"))


def pick_predictions(parent: QWidget) -> str:
    """The system's file picker; "" when the person thinks better of it."""
    path, _kind = QFileDialog.getOpenFileName(parent, "Predictions", "", "Predictions (*.jsonl);;All files (*)")
    return path


class EvaluateForm(QWidget):
    """`command_line` gives the equal command of a request, `estimate` words such as "about 7 min"."""

    run_requested = Signal(object)
    """an EvaluateRequest"""
    changed = Signal()
    """any field says something else"""
    data_chosen = Signal(str)
    """a DataChoice's id, chosen by the person"""
    task_chosen = Signal(object)
    """another Task: its models and protocols are to be set"""
    preset_chosen = Signal(str)
    preset_saved = Signal(str)
    """keep what the fields say under this name"""
    preset_deleted = Signal(str)
    prompt_requested = Signal(str)
    """the words in which the model of this name is asked are to be shown"""
    closed = Signal()

    def __init__(
        self,
        command_line: CommandLine,
        estimate: Estimate = lambda _request: "",
        pick_file: Callable[[QWidget], str] = pick_predictions,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._command_line, self._estimate, self._pick_file = command_line, estimate, pick_file
        self._task = Task.AUTOMATION
        self._protocols: dict[str, ProtocolInfo] = {}
        self._models: dict[str, ModelChoice] = {}
        self._data_choices: dict[str, DataChoice] = {}
        self._predictions, self._blocked, self._unfit = "", "", ""
        self._why_not: dict[Task, str] = {}
        self._quiet = False
        # each part is made inside its parent: what is put there when it is whole has all its own parts styled anew
        self._scroll, self._foot = QScrollArea(self), QWidget(self)
        self._inside = QWidget(self._scroll.viewport())
        self.fields = FormFields(self._inside)
        self.setMinimumWidth(LEAST_WIDTH)
        self._build_end()
        self._lay_out()
        self.set_task(self._task, "task automation", ())
        self.set_compute(())
        self.set_models(())
        self._connect()

    # what the owner tells

    def set_task(self, task: Task, title: str, protocols: Sequence[ProtocolInfo], current: str = "") -> None:
        """Offer another task with its protocols; `current` names the one to begin with."""
        self._task = task
        self.fields.tasks.blockSignals(True)
        self.fields.tasks.setCurrentIndex(self.fields.tasks.findData(task.value))
        self.fields.tasks.blockSignals(False)
        self._header.set_title(f"Evaluate: {title}")
        self._protocols = {protocol.name: protocol for protocol in protocols}
        choose_combo(self.fields.protocol, [(p.name, p.title, p.source, True) for p in protocols], current)
        self._show_options()

    def set_tasks(self, tasks: Sequence[TaskChoice]) -> None:
        """All tasks; those that the data does not fit rest, with the reason."""
        choose_combo(
            self.fields.tasks, [(t.task.value, t.title, t.why_not, not t.why_not) for t in tasks], self._task.value
        )
        self.fields.tasks.blockSignals(True)
        self.fields.tasks.setCurrentIndex(self.fields.tasks.findData(self._task.value))  # though it may rest
        self.fields.tasks.blockSignals(False)
        self._why_not = {t.task: t.why_not for t in tasks}
        self._renew()

    def set_presets(self, names: Sequence[str], current: str = "") -> None:
        self.fields.presets.set_names(names, current)

    def set_splits(self, splits: Sequence[str], current: str = "") -> None:
        """The data's own splits; without any the row is not there."""
        choose_combo(
            self.fields.split, [("", "all splits", "", True), *((name, name, "", True) for name in splits)], current
        )
        self.fields.show_row(self.fields.split, bool(splits))
        self._renew()

    def set_plan(self, words: str, warning: str = "", why_not: str = "") -> None:
        """Show how much it would be, such as "52 episodes, 260 items"; "" while that is being counted. `warning`: what
        will make the scores poor, though it can be run; `why_not`: it cannot be scored at all."""
        self._plan.setText(straight(words))
        self._warning.setText(straight(warning))
        if why_not != self._unfit:
            self._unfit = why_not
            self._show_problem(self.problem())
        self._show_plan()

    def fill(self, request: EvaluateRequest) -> None:
        """Take over what a preset or an earlier run says, as far as it can be chosen here; its task is set already."""
        self._quiet = True
        if request.predictions:
            self._predictions = request.predictions
        self.fields.show_model(request.model, self._models.get(self._plain(request.model)), self._predictions)
        self._take_model(request.model)
        self.fields.take(request)
        self._quiet = False
        self._renew()

    def set_data(self, choices: Sequence[DataChoice], current: str = "") -> None:
        """Data to choose from, such as all of it and the current filter."""
        self._data_choices = {choice.id: choice for choice in choices}
        rows = [(c.id, f"{c.title}, {counted(c.episodes, 'episode')}", "", c.episodes > 0) for c in choices]
        choose_combo(self.fields.data, rows, current)
        self._renew()

    def set_models(self, models: Sequence[ModelChoice], current: str = "") -> None:
        """Models that can do the task; predictions from a file can always be taken. `current` may have settings."""
        self._models = {model.name: model for model in models}
        tests = self.fields.tests
        tests.setVisible(any(model.for_tests for model in models))
        if any(model.for_tests and model.name == self._plain(current) for model in models):
            tests.blockSignals(True)
            tests.setChecked(True)
            tests.blockSignals(False)
        shown = [model for model in models if tests.isChecked() or not model.for_tests]
        rows = [(m.name, _model_words(m), m.why_not or m.tip, not m.why_not) for m in shown]
        rows.append((PREDICTIONS, "Predictions from a file…", "Score what a model has already answered", True))
        if not current and not self._predictions and self.fields.model.currentData() == PREDICTIONS:
            current = next((m.name for m in shown if not m.why_not), PREDICTIONS)
        choose_combo(self.fields.model, rows, self._plain(current))
        if current:
            self._take_model(current)
        self._renew()

    def set_compute(self, extra: Sequence[ComputeChoice], why: str = "") -> None:
        """Automatic and CPU, and what else this machine reports; `why` there is nothing else."""
        choose_combo(self.fields.compute, [(c.name, c.title, "", True) for c in (*AUTO, *extra)], self.device())
        self.fields.compute.setToolTip(
            tip_words(f"The CPU: {why}" if why else "Automatic takes the first GPU that the model can use")
        )
        self._renew()

    def set_device(self, device: str) -> None:
        """Compute there, where that is offered."""
        place = self.fields.compute.findData(device)
        if place >= 0:
            self.fields.compute.setCurrentIndex(place)

    def set_where(self, why_not: str) -> None:
        """Why no cluster can be chosen, "" where one can."""
        self.fields.set_where(why_not)
        self._renew()

    def set_predictions(self, path: str) -> None:
        """Take predictions from this file."""
        self._predictions = path
        self.fields.model.setCurrentIndex(self.fields.model.findData(PREDICTIONS))
        self._renew()

    def set_blocked(self, why: str) -> None:
        """Why nothing can be run now ("" when it can), such as a run of the same model at work."""
        self._blocked = why
        self._renew()

    # what may be asked

    def device(self) -> str:
        return self.fields.compute.currentData() or "auto"

    def request(self) -> EvaluateRequest:
        """What the fields say now, right or not."""
        model = self.fields.model.currentData() or ""
        data = self._data_choices.get(self.fields.data.currentData() or "")
        cluster, workers = self.fields.cluster() if self._can_be_shared(model) else ("", None)
        return EvaluateRequest(
            task=self._task,
            data=self.fields.data.currentData() or "",
            model=self.fields.model_name(),
            protocol=self.fields.protocol.currentData() or "",
            options=tuple((field.option.name, field.value()) for field in self.fields.options),
            predictions=self._predictions if model == PREDICTIONS else "",
            seed=self.fields.seed.value(),
            limit=self.fields.limit.value() or None,
            per_app=self.fields.per_app.value() or None,
            device=self.device(),
            split=self.fields.split.currentData() or "",
            filter=data.filter if data else "",
            runtime=self.fields.runtime.currentData() or "auto",
            instructions=self.fields.instructions.currentData() if self._has_instructions(model) else "given",
            cluster=cluster,
            workers=workers,
        )

    def problem(self) -> str:
        """What is missing before it can run, "" when nothing is."""
        request = self.request()
        data = self._data_choices.get(request.data)
        model = self._chosen()
        if data is None:
            return "Nothing is open to evaluate on. Open a folder first."
        if self._why_not.get(self._task):
            return self._why_not[self._task]
        if data.episodes == 0:
            return "The chosen data holds no episode."
        if request.model == PREDICTIONS and not request.predictions:
            return "Choose the file with the predictions."
        if model is not None and model.why_not:
            return model.why_not
        if not request.protocol:
            return "No protocol is known for this task."
        return self._unfit or self._blocked

    def command(self) -> str:
        return self._command.text()

    # inside

    def _has_instructions(self, model: str) -> bool:
        """Whether there is something to hide from the model: what answered elsewhere has seen what it has seen."""
        return self._task is Task.AUTOMATION and model != PREDICTIONS

    def _can_be_shared(self, model: str) -> bool:
        """Whether a cluster could work on it: what answered elsewhere is only scored, and pages and phones are here."""
        return model != PREDICTIONS and self._task not in (Task.WEBTASK, Task.ROLLOUT)

    def _build_end(self) -> None:
        self._command = CommandBox(self._inside)
        self._copy = text_button("Copy command", parent=self._foot)
        self._copy.setProperty("ghost", True)
        self._run = text_button(" Run", primary=True, icon="run", tip="Run (Ctrl+Enter)", parent=self._foot)
        self._run.setAccessibleName("Run")
        self._plan, self._warning, self._message = QLabel(self._inside), QLabel(self._inside), QLabel(self._foot)
        for label in (self._plan, self._warning, self._message):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self._plan.setAccessibleName("What will be run")
        self._plan.setProperty("role", "dim")
        self._warning.setProperty("badge", "warn")
        self._message.setProperty("badge", "warn")
        close = icon_button("clear", "Close")
        close.clicked.connect(self.closed)
        self._header = PanelHeader("Evaluate", close, parent=self)

    def _lay_out(self) -> None:
        self._buttons = buttons = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        buttons.addWidget(self._copy)
        buttons.addStretch(1)
        buttons.addWidget(self._run)
        body = QVBoxLayout(self._inside)
        body.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        body.setSpacing(10)
        body.addWidget(self.fields)
        body.addWidget(self._plan)
        body.addWidget(self._warning)
        body.addWidget(self._command)
        body.addStretch(1)
        foot, scroll = self._foot, self._scroll  # the foot stays where it is, whatever the fields above need
        foot.setProperty("bar", "foot")
        below = QVBoxLayout(foot)
        below.setContentsMargins(MARGIN, 10, MARGIN, 10)
        below.setSpacing(10)
        below.addWidget(self._message)
        below.addLayout(buttons)
        scroll.setWidgetResizable(True)
        scroll.setWidget(self._inside)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._header)
        column.addWidget(scroll, 1)
        column.addWidget(foot)

    def _connect(self) -> None:
        fields = self.fields
        for combo in (fields.data, fields.split, fields.model, fields.compute, fields.runtime, fields.instructions):
            combo.currentIndexChanged.connect(lambda _place: self._renew())
        fields.where.currentIndexChanged.connect(lambda _place: self._show_cluster())
        fields.tasks.currentIndexChanged.connect(lambda _place: self.task_chosen.emit(Task(fields.tasks.currentData())))
        fields.data.activated.connect(lambda _place: self.data_chosen.emit(fields.data.currentData()))
        fields.prompt.clicked.connect(lambda: self.prompt_requested.emit(fields.model_name()))
        fields.tests.toggled.connect(lambda _on: self._show_tests())
        fields.presets.chosen.connect(self.preset_chosen)
        fields.presets.saved.connect(self.preset_saved)
        fields.presets.deleted.connect(self.preset_deleted)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._explain)
        self.fields.protocol.currentIndexChanged.connect(lambda _place: self._show_options())
        for spin in (self.fields.seed, self.fields.limit, self.fields.per_app):
            spin.valueChanged.connect(lambda _value: self._renew())
        self.fields.pick.clicked.connect(self._choose_file)
        self._copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.command()))
        self._run.clicked.connect(self.run)

    def _chosen(self) -> ModelChoice | None:
        return self._models.get(self.fields.model.currentData() or "")

    def _plain(self, name: str) -> str:
        """The model as it is listed."""
        return name if name in self._models else split_name(name)[0]

    def _take_model(self, name: str) -> None:
        """Choose the model of this name, if it is there, with the settings in its name."""
        known = self._models.get(self._plain(name))
        if known is not None and known.for_tests and not self.fields.tests.isChecked():
            self.set_models(tuple(self._models.values()), name)
            return
        place = self.fields.model.findData(self._plain(name))
        if place < 0:
            return
        self.fields.model.setCurrentIndex(place)
        model = self._chosen()
        self.fields.show_settings(model.settings if model else (), self._renew)
        given = split_name(name)[1]
        self.fields.take_settings(given)
        if given.get(INSTRUCTIONS) == HIDDEN:
            self.fields.instructions.setCurrentIndex(self.fields.instructions.findData(HIDDEN))

    def _show_tests(self) -> None:
        """The models again, with those for tests or without."""
        current = self.request().model
        hidden = self._models.get(self._plain(current))
        if hidden is not None and hidden.for_tests and not self.fields.tests.isChecked():
            current = ""
        self.set_models(tuple(self._models.values()), current)

    def _show_options(self) -> None:
        """The fields of the chosen protocol."""
        protocol = self._protocols.get(self.fields.protocol.currentData() or "")
        self.fields.show_options(protocol, self._renew)
        self._explain()
        self._renew()

    def _explain(self, _before: QWidget | None = None, now: QWidget | None = None) -> None:
        """Explain the option with the focus; without one, where the protocol comes from."""
        protocol = self._protocols.get(self.fields.protocol.currentData() or "")
        self.fields.explain(protocol, now)

    def _show_cluster(self) -> None:
        """The fields of a cluster, where one is chosen."""
        self.fields.show_cluster(self._renew)
        self._renew()

    def _choose_file(self) -> None:
        path = self._pick_file(self)
        if path:
            self.set_predictions(path)

    def _renew(self) -> None:
        """Show all that follows from the fields: time, command, what is missing."""
        if self._quiet:
            return
        model = self._chosen()
        self.fields.show_settings(model.settings if model else (), self._renew)
        request, problem = self.request(), self.problem()
        self.fields.show_model(request.model, model, self._predictions)
        self.fields.show_row(self.fields.instructions, self._has_instructions(request.model))
        self._show_where(request.model)
        self._show_problem(problem)
        self._command.setText(self._command_line(request) if self._copy.isEnabled() else "")
        self._command.setVisible(self._copy.isEnabled())
        self.fields.time.setText(self._estimate(request) if not problem else "")
        limit = "" if request.limit is None else f"at most {count(request.limit)} episodes"
        self.fields.time.set_tip(limit)
        self._show_plan()
        self.changed.emit()

    def _show_where(self, model: str) -> None:
        shared = self._can_be_shared(model)
        self.fields.show_row(self.fields.where, shared)
        if not shared:
            self.fields.where.setCurrentIndex(self.fields.where.findData(HERE))

    def _show_problem(self, problem: str) -> None:
        self._message.setText(straight(problem))
        self._message.setVisible(bool(problem))
        self._run.setEnabled(not problem)
        self._copy.setEnabled(not problem or problem == self._blocked)

    def _show_plan(self) -> None:
        self._plan.setVisible(self._run.isEnabled())
        self._warning.setVisible(self._run.isEnabled() and bool(self._warning.text()))

    def run(self) -> None:
        if not self.problem():
            self.run_requested.emit(self.request())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The buttons one above the other where they have no room side by side."""
        super().resizeEvent(event)
        needed = self._copy.sizeHint().width() + self._run.sizeHint().width() + 3 * MARGIN
        way = QBoxLayout.Direction.LeftToRight if needed <= self.width() else QBoxLayout.Direction.BottomToTop
        self._buttons.setDirection(way)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.run()
        elif event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)


def _model_words(model: ModelChoice) -> str:
    return model.title if model.title == model.name else f"{model.title} ({model.name})"
