"""Which checkpoint is fine-tuned on what is open, how it is asked, and how it learns."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QLabel, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from stepscope.core.domain.model_name import with_settings
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.option import Option, OptionValue
from stepscope.widgets.common import text_button
from stepscope.widgets.common.elided_combo import ElidedCombo
from stepscope.widgets.common.plain_words import straight, tip_words, window_title
from stepscope.widgets.format import counted
from stepscope.widgets.forms.form_rows import CommandBox, FormRows, choose_combo
from stepscope.widgets.forms.option_fields import OptionField, option_fields

WIDTH, SPACING = 560, 12
MOST_OF_IT = 0.9
"""Share of the screen's height that the form takes at most (ours)."""
ALL = ""
DEVICES = ("auto", "cpu", "cuda")
_ASKED, _CURVE, _LEARNS = "asked", "curve", "learns"


@dataclass(frozen=True, slots=True)
class BaseChoice:
    """A checkpoint and what it is tuned for: its name as a model, its title, and what can be set of how it is asked.
    `whole`: an episode is one example, else each of its steps is. `asks`: it is taught when to ask too."""

    name: str
    title: str
    settings: tuple[Option, ...] = ()
    whole: bool = True
    asks: bool = False


@dataclass(frozen=True, slots=True)
class TuningWish:
    """What is to be tuned: the model as it is asked, what comes out, the split (ALL: every episode), how it learns.
    `mixture`: which goals an agent that asks is taught, words with commas. Of a curve besides: `ranks` as they were
    written, after how many moves (`every`) and on which split it is measured."""

    model: str
    name: str
    split: str
    values: Mapping[str, OptionValue]
    device: str
    mixture: str = ""
    ranks: str = ""
    every: int = 0
    test_split: str = ""


@dataclass(frozen=True, slots=True)
class TuningPreset:
    """Settings as published: a name for the command, a title, values by the names of the learning's options."""

    name: str
    title: str
    values: Mapping[str, OptionValue]


MIXTURES = (
    ("", "Each episode as it is"),
    ("full,ambiguous", "Full and ambiguous goals"),
    ("full", "Full goals, and whole ones for ambiguous"),
    ("ambiguous", "Ambiguous goals alone"),
)
CURVE = (
    Option("ranks", "16,64", "Of the matrices, one training each, with commas between them.", "paper"),
    Option("every", 200, "Moves after which it is measured.", "paper", low=1, high=1_000_000),
)
"""What a curve is asked besides. Usual values are those of Navi-plus, appendix G.2."""
CURVE_EPOCHS = 2
"""The same."""


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
        *,
        presets: Sequence[TuningPreset] = (),
        curve_folder: str = "",
    ) -> None:
        """`path` is the open data's, `episodes` how many each split has (ALL: all), `taken` are names in use. With a
        `curve_folder`, in which the results of curves are put, the form asks for a curve."""
        super().__init__(parent)
        self._curve_folder, self._presets = curve_folder, tuple(presets)
        self.setWindowTitle(window_title("Fine-tuning curve" if curve_folder else "Fine-tune a checkpoint"))
        self.resize(WIDTH, 0)
        self._path, self._episodes, self._taken = path, dict(episodes), frozenset(taken)
        self._bases = {one.name: one for one in bases}
        self.base, self.split, self.device = ElidedCombo(), ElidedCombo(), ElidedCombo()
        self.base.setObjectName("base")
        self.name = QLineEdit()
        self.name.setMaxLength(80)
        self.asked: list[OptionField] = []
        self.learning = option_fields(self._options_of(learning), self._renew)
        self.preset, self.mixture, self.test_split = (ElidedCombo(parent=self) for _ in range(3))
        for part in (self.preset, self.test_split):
            part.hide()  # but where the form has a row for it
        self.curve = option_fields(CURVE, self._renew) if curve_folder else []
        self.run = text_button(" Tune", primary=True, icon="run")
        self.close_button = text_button("Cancel")
        self._rows, self._plan, self._command, self._scroll = FormRows(), QLabel(), CommandBox(), QScrollArea()
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
            str(self.mixture.currentData() or "") if self._base.asks else "",
            str(self.curve[0].value()).strip() if self.curve else "",
            int(self.curve[1].value()) if self.curve else 0,
            str(self.test_split.currentData() or ALL) if self.curve else ALL,
        )  # fmt: skip

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
        """As high as the rows and the words are now; on a small screen the rows are moved through."""
        needed, layout = self._rows.sizeHint().height() + SPACING, self.layout()
        if layout is None:
            return
        self._scroll.setMinimumHeight(needed)
        over = layout.totalHeightForWidth(self.width()) - round(self.screen().availableGeometry().height() * MOST_OF_IT)
        self._scroll.setMinimumHeight(needed - max(over, 0))
        self.resize(self.width(), layout.totalHeightForWidth(self.width()) + SPACING)

    def _lay_out(self) -> None:
        self._plan.setWordWrap(True)
        self._plan.setTextFormat(Qt.TextFormat.PlainText)
        self._plan.setProperty("role", "dim")
        rows = self._rows
        rows.add("Checkpoint", self.base)
        rows.options_here(_ASKED)
        rows.add("Learns from", self.split)
        rows.add("Goals", self.mixture)
        if self._curve_folder:
            rows.add("Tested on", self.test_split)
        rows.add("New names" if self._curve_folder else "New name", self.name)
        if self._presets:
            rows.add("Preset", self.preset)
            self.preset.setToolTip(tip_words("Settings as published; what is changed afterwards counts."))
        rows.options_here(_CURVE)
        rows.set_options([(one.label, one.widget) for one in self.curve], _CURVE)
        for part in (*((self.test_split,) if self.curve else ()), *((self.preset,) if self._presets else ())):
            rows.show_row(part, True)
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
        column.setSpacing(SPACING)
        self._scroll.setWidget(rows)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column.addWidget(self._scroll, 1)
        for part in (self._plan, self._command):
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
        choose_combo(self.test_split, rows, "test" if self._episodes.get("test") else ALL)
        choose_combo(self.mixture, [(value, words, "", True) for value, words in MIXTURES], "")
        own = ("", "Own settings", "", True)
        choose_combo(self.preset, [own, *((one.name, one.title, one.name, True) for one in self._presets)], "")
        self.preset.currentIndexChanged.connect(lambda _place: self._take_preset())
        self.device.addItems(list(DEVICES))
        self.base.currentIndexChanged.connect(lambda _place: self._show_base())
        for combo in (self.split, self.device, self.mixture, self.test_split):
            combo.currentIndexChanged.connect(lambda _place: self._renew())
        self.name.textChanged.connect(lambda _text: self._renew())
        self.run.clicked.connect(lambda: self.wanted.emit(self.wish()))
        self.close_button.clicked.connect(self.reject)

    def _show_base(self) -> None:
        """How the chosen checkpoint can be asked, and a name that is free."""
        one = self._base
        self._rows.show_row(self.mixture, one.asks)
        self.asked = option_fields(one.settings, self._renew)
        self._rows.set_options([(field.label, field.widget) for field in self.asked], _ASKED)
        for field in self.asked if self.isVisible() else ():  # now, so that their height counts
            field.label.show()
            field.widget.show()
        kind = "curve" if self._curve_folder else "goals" if one.whole else "agent"
        stem = f"{one.title.partition(',')[0]}-{kind}"
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

    def _options_of(self, learning: Sequence[Option]) -> list[Option]:
        """What is asked for: of a curve neither rank nor snapshots, which have fields of their own, and more epochs."""
        if not self._curve_folder:
            return list(learning)
        kept = [one for one in learning if one.name not in ("rank", "snapshots")]
        return [replace(one, default=CURVE_EPOCHS) if one.name == "epochs" else one for one in kept]

    @property
    def _base(self) -> BaseChoice:
        return self._bases[self.base.currentData()]

    @property
    def _chosen_preset(self) -> TuningPreset | None:
        return next((one for one in self._presets if one.name == self.preset.currentData()), None)

    def _usual(self) -> dict[str, OptionValue]:
        """What the command means where it says nothing: the options' own values, under what the preset says."""
        values = {field.option.name: field.option.default for field in self.learning}
        told = {} if self._chosen_preset is None else dict(self._chosen_preset.values)
        if self._curve_folder:
            told.pop("epochs", None)
        return values | {name: value for name, value in told.items() if name in values}

    def _take_preset(self) -> None:
        usual = self._usual()
        for field in self.learning:
            if self._chosen_preset is None or field.option.name in self._chosen_preset.values:
                field.set(f"{usual[field.option.name]:g}")
        self._renew()

    def _problem(self, wish: TuningWish) -> str:
        if not wish.name:
            return "Give the tuned checkpoint a name."
        if self._curve_folder:
            numbers = [part.strip() for part in wish.ranks.split(",")]
            right = all(part.isdecimal() and int(part) for part in numbers) and len(set(numbers)) == len(numbers)
            return "" if right else "Give the ranks as numbers with commas between them, such as 16,64."
        return f"There is a checkpoint {wish.name} already." if wish.name in self._taken else ""

    def _plan_of(self, wish: TuningWish) -> str:
        if self._curve_folder:
            names = ", ".join(f"{wish.name}-r{rank.strip()}" for rank in wish.ranks.split(","))
            often = f"It is measured before, and after every {counted(wish.every, 'move')}, each time as a run."
            return f"{often} The tuned checkpoints are {names}."
        count, batch = self._episodes.get(wish.split, 0), int(wish.values["batch"])
        moves = -(-count // batch) * int(wish.values["epochs"])
        if not self._base.whole:
            least = f"the weights move {counted(moves, 'time')} at least"
            return f"Every step of {counted(count, 'episode')} is an example: {least}."
        few = " That is few: a smaller batch or more epochs moves them more often." if moves < 10 else ""
        return f"The weights move {counted(moves, 'time')} over {counted(count, 'episode')}.{few}"

    def _command_of(self, wish: TuningWish) -> str:
        command = "tune-curve" if self._curve_folder else "tune"
        parts = ["stepscope", "models", command, wish.model, "--data", self._path]
        if self._curve_folder:
            parts += ["--test", self._path, "--name", wish.name, "--out", f"{self._curve_folder}/{wish.name}"]
            parts += ["--ranks", wish.ranks, "--every", str(wish.every)]
            parts += ["--test-split", wish.test_split] if wish.test_split else []
        else:
            parts += ["--name", wish.name]
        parts += ["--split", wish.split] if wish.split else []
        parts += ["--mixture", wish.mixture] if wish.mixture else []
        parts += ["--preset", self._chosen_preset.name] if self._chosen_preset is not None else []
        usual = self._usual()
        for field in self.learning:
            value = field.value()
            if value != usual[field.option.name]:
                told = f"{value:g}" if isinstance(value, float) else str(value)
                parts += ["--vision"] if field.option.name == "vision" else [f"--{field.option.name}", told]
        parts += ["--device", wish.device] if wish.device != DEVICES[0] else []
        return shlex.join(parts)
