"""Which checkpoint is fine-tuned on what is open, how it is asked, and how it learns."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from stepscope.core.domain.model_name import with_settings
from stepscope.core.scoring.option import Option, OptionValue
from stepscope.widgets.common import text_button
from stepscope.widgets.common.elided_combo import ElidedCombo
from stepscope.widgets.common.plain_words import straight, window_title
from stepscope.widgets.format import counted
from stepscope.widgets.forms.form_rows import CommandBox, FormRows, choose_combo
from stepscope.widgets.forms.option_fields import OptionField, option_fields

WIDTH = 560
ALL = ""
DEVICES = ("auto", "cpu", "cuda")
_ASKED, _LEARNS = "asked", "learns"


@dataclass(frozen=True, slots=True)
class BaseChoice:
    """A checkpoint and what it is tuned for: its name as a model, its title, and what can be set of how it is asked.
    `whole`: an episode is one example, else each of its steps is."""

    name: str
    title: str
    settings: tuple[Option, ...] = ()
    whole: bool = True


@dataclass(frozen=True, slots=True)
class TuningWish:
    """What is to be tuned: the model as it is asked, what comes out, the split (ALL: every episode), how it learns."""

    model: str
    name: str
    split: str
    values: Mapping[str, OptionValue]
    device: str


class TuningDialog(QDialog):
    """`wanted` gives a TuningWish; the dialog stays until it is accepted."""

    wanted = Signal(object)

    def __init__(
        self,
        path: str,
        episodes: Mapping[str, int],
        bases: Sequence[BaseChoice],
        taken: Sequence[str],
        learning: Sequence[Option],
        parent: QWidget | None = None,
    ) -> None:
        """`path` is the open data's, `episodes` how many each split has (ALL: all), `taken` are names in use."""
        super().__init__(parent)
        self.setWindowTitle(window_title("Fine-tune a checkpoint"))
        self.resize(WIDTH, 0)
        self._path, self._episodes, self._taken = path, dict(episodes), frozenset(taken)
        self._bases = {one.name: one for one in bases}
        self.base, self.split, self.device = ElidedCombo(), ElidedCombo(), ElidedCombo()
        self.base.setObjectName("base")
        self.name = QLineEdit()
        self.name.setMaxLength(80)
        self.asked: list[OptionField] = []
        self.learning = option_fields(learning, self._renew)
        self.run = text_button(" Tune", primary=True, icon="run")
        self.close_button = text_button("Cancel")
        self._rows, self._plan, self._command = FormRows(), QLabel(), CommandBox()
        self._lay_out()
        self._fill(bases)
        self._show_base()

    def wish(self) -> TuningWish:
        """What the fields say."""
        changed = [(one.option.name, one.value()) for one in self.asked if one.value() != one.option.default]
        base = str(self.base.currentData() or "")
        return TuningWish(
            with_settings(base, changed) if changed else base,
            self.name.text().strip(),
            str(self.split.currentData() or ALL),
            {one.option.name: one.value() for one in self.learning},
            self.device.currentText(),
        )

    def plan_words(self) -> str:
        """How much it would be, or why it cannot begin."""
        return self._plan.text()

    def command(self) -> str:
        """The equal command."""
        return self._command.text()

    def set_trouble(self, words: str) -> None:
        """Why it cannot begin."""
        self._plan.setText(straight(words))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def _fit(self) -> None:
        """As high as the rows and the words are now."""
        self._rows.setMinimumHeight(self._rows.sizeHint().height())
        layout = self.layout()
        if layout is not None:
            self.resize(self.width(), layout.totalHeightForWidth(self.width()))

    def _lay_out(self) -> None:
        self._plan.setWordWrap(True)
        self._plan.setTextFormat(Qt.TextFormat.PlainText)
        self._plan.setProperty("role", "dim")
        rows = self._rows
        rows.add("Checkpoint", self.base)
        rows.options_here(_ASKED)
        rows.add("Learns from", self.split)
        rows.add("New name", self.name)
        rows.options_here(_LEARNS)
        rows.set_options([(one.label, one.widget) for one in self.learning], _LEARNS)
        rows.add("Device", self.device)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        for button in (self.close_button, self.run):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        for part in (rows, self._plan, self._command):
            column.addWidget(part)
        column.addLayout(buttons)

    def _fill(self, bases: Sequence[BaseChoice]) -> None:
        choose_combo(self.base, [(one.name, one.title, one.name, True) for one in bases], bases[0].name)
        rows = [
            (name, f"{name or 'All episodes'} ({counted(count, 'episode')})", "", count > 0)
            for name, count in self._episodes.items()
        ]
        usual = "train" if self._episodes.get("train") else ALL
        choose_combo(self.split, rows, usual)
        self.device.addItems(list(DEVICES))
        self.base.currentIndexChanged.connect(lambda _place: self._show_base())
        for combo in (self.split, self.device):
            combo.currentIndexChanged.connect(lambda _place: self._renew())
        self.name.textChanged.connect(lambda _text: self._renew())
        self.run.clicked.connect(lambda: self.wanted.emit(self.wish()))
        self.close_button.clicked.connect(self.reject)

    def _show_base(self) -> None:
        """How the chosen checkpoint can be asked, and a name that is free."""
        one = self._bases[self.base.currentData()]
        self.asked = option_fields(one.settings, self._renew)
        self._rows.set_options([(field.label, field.widget) for field in self.asked], _ASKED)
        stem = f"{one.title.partition(',')[0]}-{'goals' if one.whole else 'agent'}"
        names = (stem, *(f"{stem}-{number}" for number in range(2, 1000)))
        self.name.setText(next(name for name in names if name not in self._taken))
        self._renew()
        self._fit()

    def _renew(self) -> None:
        wish = self.wish()
        problem = self._problem(wish)
        self._plan.setText(straight(problem or self._plan_of(wish)))
        self.run.setEnabled(not problem)
        self._command.setText(self._command_of(wish))
        if self.isVisible():
            self._fit()

    def _problem(self, wish: TuningWish) -> str:
        if not wish.name:
            return "Give the tuned checkpoint a name."
        return f"There is a checkpoint {wish.name} already." if wish.name in self._taken else ""

    def _plan_of(self, wish: TuningWish) -> str:
        count, batch = self._episodes.get(wish.split, 0), int(wish.values["batch"])
        moves = -(-count // batch) * int(wish.values["epochs"])
        if not self._bases[self.base.currentData()].whole:
            least = f"the weights move {counted(moves, 'time')} at least"
            return f"Every step of {counted(count, 'episode')} is an example: {least}."
        few = " That is few: a smaller batch or more epochs moves them more often." if moves < 10 else ""
        return f"The weights move {counted(moves, 'time')} over {counted(count, 'episode')}.{few}"

    def _command_of(self, wish: TuningWish) -> str:
        parts = ["stepscope", "models", "tune", wish.model, "--data", self._path, "--name", wish.name]
        parts += ["--split", wish.split] if wish.split else []
        for field in self.learning:
            value = field.value()
            if value != field.option.default:
                parts += ["--vision"] if field.option.name == "vision" else [f"--{field.option.name}", f"{value:g}"]
        parts += ["--device", wish.device] if wish.device != DEVICES[0] else []
        return shlex.join(parts)
