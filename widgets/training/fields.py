"""The fields of the training's form, from the task to the ONNX file."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QHBoxLayout, QLabel, QLineEdit, QSpinBox, QWidget

from stepscope.widgets.common.elided_combo import ElidedCombo
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.forms.form_rows import FormRows
from stepscope.widgets.forms.option_fields import calm
from stepscope.widgets.training.training_status import RecipeChoice, TrainRequest

MOST_EPOCHS, MOST_BATCH, MOST_SEEDS = 10_000, 100_000, 100
_SEEDS = re.compile(r"(\d{1,9})(?:\s*[-–]\s*(\d{1,9}))?")


class RateSpin(QDoubleSpinBox):
    """A learning rate, without the zeros behind it."""

    def __init__(self) -> None:
        super().__init__()
        self.setDecimals(7)
        self.setRange(1e-7, 10.0)
        self.setSingleStep(1e-4)

    def textFromValue(self, value: float) -> str:
        return f"{value:.7f}".rstrip("0").rstrip(".")


class TrainFields(FormRows):
    """The owner fills them and listens to them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tasks, self.recipe, self.data, self.compute = (ElidedCombo() for _ in range(4))
        self.train, self.validation, self.held_out = (ElidedCombo() for _ in range(3))
        named = {"task": self.tasks, "recipe": self.recipe, "data": self.data, "train": self.train,
                 "validation": self.validation, "held_out": self.held_out, "compute": self.compute}  # fmt: skip
        for name, combo in named.items():
            combo.setObjectName(f"training_{name}")
        self.explained, self.dealt, self.known = (_words() for _ in range(3))
        self.explained.setAccessibleName("What the recipe does")
        self.name, self.seeds = QLineEdit(), QLineEdit()
        self.name.setToolTip("What the model is called, here and on the command line")
        self.seeds.setToolTip("A training each; the best is kept. Such as 0, or 0-9, or 0, 3, 5")
        self.epochs, self.patience, self.batch, self.rate = QSpinBox(), QSpinBox(), QSpinBox(), RateSpin()
        for spin, most in ((self.epochs, MOST_EPOCHS), (self.patience, MOST_EPOCHS), (self.batch, MOST_BATCH)):
            spin.setRange(1, most)
        for field, name, tip in (
            (self.epochs, "Epochs", "At most so many"),
            (self.patience, "Patience", "So many epochs without a better one end a training"),
            (self.batch, "Batch", "Items a step"),
            (self.rate, "Rate", "The learning rate to begin with"),
        ):
            calm(field)
            field.setAccessibleName(name)
            field.setToolTip(tip_words(tip))
        self.onnx = QCheckBox("Write an ONNX file too")
        self.onnx.setChecked(True)
        self._add_rows()

    def seed_numbers(self) -> tuple[int, ...] | None:
        """The seeds as they are written, None where that makes no sense."""
        found: list[int] = []
        for part in self.seeds.text().split(","):
            match = _SEEDS.fullmatch(part.strip())
            if match is None:
                return None
            first, last = int(match[1]), int(match[2] or match[1])
            if last < first or last - first >= MOST_SEEDS:
                return None
            found += range(first, last + 1)
        return tuple(dict.fromkeys(found)) if len(found) <= MOST_SEEDS else None

    def take_recipe(self, recipe: RecipeChoice) -> None:
        """The recipe's own settings."""
        self.seeds.setText(seeds_text(recipe.seeds))
        self.epochs.setValue(recipe.epochs)
        self.patience.setValue(recipe.patience)
        self.batch.setValue(recipe.batch)
        self.rate.setValue(recipe.rate)

    def take(self, request: TrainRequest) -> None:
        """Take what an earlier training says, as far as it can be chosen here."""
        for combo, value in (
            (self.recipe, request.recipe), (self.data, request.data), (self.train, request.train),
            (self.validation, request.validation), (self.held_out, request.held_out), (self.compute, request.device),
        ):  # fmt: skip
            place = combo.findData(value)
            if place >= 0:
                combo.setCurrentIndex(place)
        self.name.setText(request.name)
        self.seeds.setText(seeds_text(request.seeds))
        self.epochs.setValue(request.epochs)
        self.patience.setValue(request.patience)
        self.batch.setValue(request.batch)
        self.rate.setValue(request.rate)
        self.onnx.setChecked(request.onnx)

    def _add_rows(self) -> None:
        self.add("Task", self.tasks)
        self.add("Recipe", self.recipe)
        self.add("", self.explained)
        self.add("Data", self.data)
        self.add("Learn from", self.train)
        self.add("Choose by", self.validation)
        self.add("Measure on", self.held_out)
        self.add("", self.dealt)
        self.add("Name", self.name)
        self.add("", self.known)
        self.add("Seeds", self.seeds)
        self.add("Epochs, patience", _pair(self.epochs, self.patience), buddy=self.epochs)
        self.add("Batch, rate", _pair(self.batch, self.rate), buddy=self.batch)
        self.add("Compute", self.compute)
        self.add("", self.onnx)


def seeds_text(seeds: tuple[int, ...]) -> str:
    """0-9 for many in a row, 0, 3 for others."""
    if len(seeds) > 2 and seeds == tuple(range(seeds[0], seeds[0] + len(seeds))):
        return f"{seeds[0]}-{seeds[-1]}"
    return ", ".join(map(str, seeds))


def _pair(first: QWidget, second: QWidget) -> QWidget:
    both = QWidget()
    row = QHBoxLayout(both)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(8)
    row.addWidget(first, 1)
    row.addWidget(second, 1)
    return both


def _words() -> QLabel:
    label = QLabel()
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setProperty("role", "dim")
    return label
