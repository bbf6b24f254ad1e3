"""The fields of the form, from the preset to seed and limit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QInputDialog, QLabel, QLineEdit, QSpinBox, QWidget

from stepscope.core.domain.largest_number import LARGEST_NUMBER
from stepscope.core.domain.model_name import with_settings
from stepscope.core.scoring.option import Option
from stepscope.core.scoring.rule import ProtocolInfo
from stepscope.widgets.common import Badge, ElidedLabel, icon_button, text_button
from stepscope.widgets.common.elided_combo import ElidedCombo
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.forms.evaluate_choices import PREDICTIONS, EvaluateRequest, ModelChoice
from stepscope.widgets.forms.form_rows import FormRows, choose_combo
from stepscope.widgets.forms.option_fields import OptionField, calm, option_fields

_MOST_WORKERS = 10_000
AskName = Callable[[QWidget, str], str]


def ask_name(parent: QWidget, proposed: str) -> str:
    """The name that a person gives; "" when they think better of it."""
    name, kept = QInputDialog.getText(parent, "Save preset", "Name of the preset:", QLineEdit.EchoMode.Normal, proposed)
    return name.strip() if kept else ""


class PresetBar(QWidget):
    """`names` is the combo; its first row stands for no preset."""

    chosen = Signal(str)
    saved = Signal(str)
    deleted = Signal(str)

    def __init__(self, ask: AskName = ask_name, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ask = ask
        self.names = ElidedCombo(6, self)
        self.save_button = icon_button("save", "Save these choices as a preset")
        self.delete_button = icon_button("trash", "Delete this preset")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self.names, 1)
        row.addWidget(self.save_button)
        row.addWidget(self.delete_button)
        self.names.activated.connect(lambda _place: self._pick())
        self.save_button.clicked.connect(self._save)
        self.delete_button.clicked.connect(lambda: self.deleted.emit(self.current()))
        self.set_names(())

    def current(self) -> str:
        return self.names.currentData() or ""

    def set_names(self, names: Sequence[str], current: str = "") -> None:
        rows = [("", "last choice" if names else "none saved", "", True), *((name, name, "", True) for name in names)]
        choose_combo(self.names, rows, current if current in names else "")
        if current not in names:
            self.names.setCurrentIndex(0)
        self.names.setEnabled(bool(names))
        self.delete_button.setEnabled(bool(self.current()))

    def _pick(self) -> None:
        self.delete_button.setEnabled(bool(self.current()))
        if self.current():
            self.chosen.emit(self.current())

    def _save(self) -> None:
        name = self._ask(self, self.current())
        if name:
            self.saved.emit(name)


PROMPT = "prompt"
"""The setting of models that are asked in words that can be changed."""
MODEL = "model"
"""The rows of the model's settings."""
HERE, CLUSTER = "here", "cluster"
"""Where a run is worked on; also the rows about the cluster."""
AUTO_ADDRESS = "auto"
"""The address of the cluster that there is, or of one of this computer alone."""
INSTRUCTIONS = (
    ("given", "Given", "The model is shown the instruction of each step, where the data has one"),
    ("hidden", "Hidden, the goal alone", "The model has to find the steps by itself"),
    ("both", "Both, in two runs", "One run with the instructions and one with the goal alone"),
)
"""Whether step instructions are shown, in words, with what that means."""
RUNTIME_WORDS = {"auto": "Automatic, the faster one", "torch": "torch", "onnx": "ONNX Runtime"}


class FormFields(FormRows):
    """The owner fills them and listens to them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.options: list[OptionField] = []
        """those of the chosen protocol"""
        self.settings: list[OptionField] = []
        """those of the chosen model"""
        self.presets = PresetBar(parent=self)
        self.tasks, self.data, self.split, self.model, self.protocol, self.compute = (
            ElidedCombo(parent=self) for _ in range(6)
        )
        self.runtime = ElidedCombo(parent=self)
        self.runtime.setObjectName("runtime")
        self.runtime.setToolTip("What the trained network runs with")
        self.instructions = ElidedCombo(parent=self)
        self.instructions.setObjectName("instructions")
        choose_combo(self.instructions, [(name, title, tip, True) for name, title, tip in INSTRUCTIONS], "given")
        named = {"data": self.data, "model": self.model, "protocol": self.protocol, "task": self.tasks}
        for name, combo in named.items():
            combo.setObjectName(name)
        self._build_file()
        self._build_chance()
        self.where = ElidedCombo(parent=self)
        self.where.setObjectName("where")
        self.address: QLineEdit | None = None
        """of the cluster; there while one is chosen, as `workers` is"""
        self.workers: QSpinBox | None = None
        self.set_where("")
        self.prompt = text_button(
            "Prompt and preview…", tip="The words in which the model is asked, and what is sent", parent=self
        )
        self.prompt.setObjectName("prompt")
        self._about_model = QWidget(self)
        self.weights = ElidedLabel("", "secondary", parent=self._about_model)
        self.tests = QCheckBox("Models for tests too", self)
        self.tests.setToolTip("Models that are shown the right answer: they try out the machinery")
        self.stand_in = Badge("stand-in", "warn", self._about_model)
        self.stand_in.setToolTip("It shows the machinery at work; none of its scores is a finding")
        self._build_about_model()
        self.against_rules = QLabel(self)
        self.against_rules.setWordWrap(True)
        self.against_rules.setTextFormat(Qt.TextFormat.PlainText)
        self.against_rules.setAccessibleName("The model on real data, beside the rules")
        self.against_rules.setProperty("role", "dim")
        self.explained = QLabel(self)
        self.explained.setWordWrap(True)
        self.explained.setTextFormat(Qt.TextFormat.PlainText)
        self.explained.setAccessibleName("What the protocol and its options mean")
        self.explained.setProperty("role", "dim")
        self._add_rows()

    def show_options(self, protocol: ProtocolInfo | None, changed: Callable[[], None]) -> None:
        """Fields for the protocol's options; `changed` is called on every edit."""
        self.options = option_fields(protocol.options if protocol else (), changed)
        self.set_options([(field.label, field.widget) for field in self.options])

    def show_settings(self, settings: tuple[Option, ...], changed: Callable[[], None]) -> None:
        """Fields for the model's settings, with what was set where the model before had the same ones."""
        if tuple(field.option for field in self.settings) == settings:
            return
        before = {field.option: str(field.value()) for field in self.settings}
        self.settings = option_fields(settings, changed)
        for field in self.settings:
            field.set(before.get(field.option, str(field.option.default)))
        self.show_row(self.prompt, any(option.name == PROMPT for option in settings))
        self.set_options([(field.label, field.widget) for field in self.settings], MODEL)

    def model_name(self) -> str:
        """The chosen model with what is set other than usual."""
        given = [(field.option, field.value()) for field in self.settings]
        changed = [(option.name, value) for option, value in given if value != option.default]
        name = self.model.currentData() or ""
        return with_settings(name, changed) if changed else name

    def take_settings(self, given: Mapping[str, str]) -> None:
        """Set these, and all others as usual."""
        for field in self.settings:
            field.set(given.get(field.option.name, str(field.option.default)))

    def set_where(self, why_not: str) -> None:
        """This computer, or a cluster; `why_not` says why none can be taken."""
        tip = why_not or "Many machines at once, by Ray"
        choose_combo(self.where, [(HERE, "This computer", "", True), (CLUSTER, "Ray cluster", tip, not why_not)], "")

    def show_cluster(self, changed: Callable[[], None]) -> None:
        """Fields for the cluster where one is chosen; `changed` is called on every edit."""
        wanted = self.where.currentData() == CLUSTER
        if wanted is (self.address is not None):
            return
        if not wanted:
            self.address = self.workers = None
            self.set_options((), CLUSTER)
            return
        address, workers = QLineEdit(AUTO_ADDRESS, self), QSpinBox(self)
        address.setToolTip("auto: the cluster of this computer, or HOST:PORT, or ray://HOST:PORT")
        workers.setRange(0, _MOST_WORKERS)
        workers.setSpecialValueText("as many as fit")
        workers.setToolTip("Workers at the most; 0 means as many as the cluster has room for")
        calm(workers)
        address.textChanged.connect(lambda _text: changed())
        workers.valueChanged.connect(lambda _value: changed())
        rows: list[tuple[QLabel, QWidget]] = []
        for words, field in (("Address", address), ("Workers", workers)):
            label = QLabel(words, self)
            label.setProperty("role", "dim")
            label.setBuddy(field)
            field.setAccessibleName(words)
            rows.append((label, field))
        self.address, self.workers = address, workers
        self.set_options(rows, CLUSTER)

    def cluster(self) -> tuple[str, int | None]:
        """Address and workers of the cluster, "" and None for this computer."""
        if self.address is None or self.workers is None:
            return "", None
        return self.address.text().strip() or AUTO_ADDRESS, self.workers.value() or None

    def explain(self, protocol: ProtocolInfo | None, now: QWidget | None) -> None:
        """Explain the option with the focus; without one, where the protocol comes from."""
        words = f"{protocol.source}." if protocol else ""
        for field in (*self.settings, *self.options):
            if now is not None and (now is field.widget or field.widget.isAncestorOf(now)):
                words = f"{field.label.text()}: {field.tip}"
        self.explained.setText(straight(words))
        self.explained.setVisible(bool(words))

    def take(self, request: EvaluateRequest) -> None:
        """Take what a preset or an earlier run says besides the model, as far as it can be chosen here."""
        for combo, value in (
            (self.data, request.data), (self.split, request.split), (self.compute, request.device),
            (self.protocol, request.protocol), (self.runtime, request.runtime),
            (self.instructions, request.instructions),
        ):  # fmt: skip
            place = combo.findData(value)
            if place >= 0:
                combo.setCurrentIndex(place)
        for name, option in request.options:
            for field in self.options:
                if field.option.name == name:
                    field.set(str(option))
        self.seed.setValue(request.seed)
        self.limit.setValue(request.limit or 0)
        self.per_app.setValue(request.per_app or 0)
        self.where.setCurrentIndex(self.where.findData(CLUSTER if request.cluster else HERE))
        if self.address is not None and self.workers is not None:
            self.address.setText(request.cluster)
            self.workers.setValue(request.workers or 0)

    def show_model(self, name: str, model: ModelChoice | None, predictions: str) -> None:
        """Show what belongs to the chosen model, or to predictions out of the file of this path."""
        from_file = name == PREDICTIONS
        self.show_row(self.file_row, from_file)
        self.file.setText(predictions or "no file")
        self.stand_in.setVisible(model is not None and model.stand_in)
        self.weights.setText(model.weights if model else "")
        self.against_rules.setText(straight(model.against_rules) if model else "")
        self.show_row(self.against_rules, bool(model and model.against_rules))
        runtimes = model.runtimes if model else ()
        rows = [(name, RUNTIME_WORDS.get(name, name), "", True) for name in (("auto", *runtimes) if runtimes else ())]
        if [row[0] for row in rows] != [self.runtime.itemData(place) for place in range(self.runtime.count())]:
            choose_combo(self.runtime, rows, "")
        self.show_row(self.runtime, bool(rows))
        self.compute.setEnabled(not from_file and model is not None and model.devices != ("cpu",))

    # inside

    def _build_file(self) -> None:
        self.file_row = QWidget(self)
        self.file = ElidedLabel("no file", "secondary", parent=self.file_row)
        self.pick = text_button("Choose…", parent=self.file_row)
        self.pick.setAccessibleName("Choose the file with the predictions")
        row = QHBoxLayout(self.file_row)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.file, 1)
        row.addWidget(self.pick)

    def _build_about_model(self) -> None:
        """A line for what is said of the model, kept where there is nothing to say: another model moves no row."""
        row = QHBoxLayout(self._about_model)
        row.setContentsMargins(0, 0, 0, 0)
        kept = self.stand_in.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self.stand_in.setSizePolicy(kept)
        row.addWidget(self.weights, 1)
        row.addWidget(self.stand_in)

    def _build_chance(self) -> None:
        self._chance = QWidget(self)
        self.seed, self.limit, self.per_app = QSpinBox(self._chance), QSpinBox(self._chance), QSpinBox(self)
        for spin, name in ((self.seed, "Seed"), (self.limit, "Limit"), (self.per_app, "Of each app")):
            spin.setRange(0, LARGEST_NUMBER)
            calm(spin)
            spin.setAccessibleName(name)
        self.limit.setSpecialValueText("all")
        self.per_app.setSpecialValueText("all")
        self.per_app.setToolTip("Only the first so many episodes of each app, or pages of each web task; 0 means all")
        self.limit.setToolTip("Only so many episodes; 0 means all")
        self.seed.setToolTip("Seed of everything that is drawn by chance")
        self.time = ElidedLabel("", "secondary", parent=self._chance)
        row = QHBoxLayout(self._chance)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for part in (self.seed, self.limit, self.time):
            row.addWidget(part, 1)

    def _add_rows(self) -> None:
        self.add("Preset", self.presets, buddy=self.presets.names)
        self.add("Task", self.tasks)
        self.add("Data", self.data)
        self.add("Split", self.split)
        self.add("Model", self.model)
        self.add("", self.tests)
        self.options_here(MODEL)
        self.add("", self.prompt)
        self.add("", self.file_row)
        self.add("", self._about_model)
        self.add("", self.against_rules)
        self.add("Instruction", self.instructions)
        self.add("Protocol", self.protocol)
        self.options_here()
        self.add("", self.explained)
        self.add("Where", self.where)
        self.options_here(CLUSTER)
        self.add("Compute", self.compute)
        self.add("Runtime", self.runtime)
        self.add("Seed, limit", self._chance, buddy=self.seed)
        self.add("Of each app", self.per_app)
        self.show_row(self.prompt, False)
