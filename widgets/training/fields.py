"""The fields of the training's form, from the task to the ONNX file."""

from __future__ import annotations

import re
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QLineEdit, QSpinBox, QWidget

from stepscope.widgets.common.elided_combo import ElidedCombo
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.forms.form_rows import FormRows
from stepscope.widgets.forms.option_fields import calm
from stepscope.widgets.training.encoder_field import EncoderField
from stepscope.widgets.training.more_data import MoreDataField, WeightSpin
from stepscope.widgets.training.more_settings import MoreSettings
from stepscope.widgets.training.number_spin import NumberSpin
from stepscope.widgets.training.training_choices import LearningSettings, RecipeChoice, TrainRequest

MOST_EPOCHS, MOST_BATCH, MOST_SEEDS = 10_000, 100_000, 100
CLASSIFIER_TIP = (
    "What is read, and how steps come together: clip(screen,et,id)+cat. Texts of the tree (et), ids (id) and classes "
    "(cls), the screen, icons, screen2vec; then avg, cat or lstm. Encoders by name, or by family: clip, fasttext, …"
)
LANGUAGES = {"goal": "The goal", "instruction": "The steps' instructions", "both": "Both, a half each"}
_SEEDS = re.compile(r"(\d{1,9})(?:\s*[-–]\s*(\d{1,9}))?")


class TrainFields(FormRows):
    """The owner fills them and listens to them. `more` are the settings that are folded away, which stand below."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.more = MoreSettings()
        self.tasks, self.recipe, self.data, self.preset, self.compute = (ElidedCombo() for _ in range(5))
        self.train, self.validation, self.held_out = (ElidedCombo() for _ in range(3))
        named = {"task": self.tasks, "recipe": self.recipe, "data": self.data, "train": self.train,
                 "validation": self.validation, "held_out": self.held_out, "preset": self.preset,
                 "compute": self.compute}  # fmt: skip
        for name, combo in named.items():
            combo.setObjectName(f"training_{name}")
        self.texts, self.views = EncoderField("Encoders of texts"), EncoderField("Encoders of pictures")
        self.classifier, self.language = QLineEdit(), ElidedCombo()
        self.classifier.setAccessibleName("Classifier")
        self.classifier.setToolTip(tip_words(CLASSIFIER_TIP))
        for language, words in LANGUAGES.items():
            self.language.addItem(words, language)
        self.language.setAccessibleName("Command")
        self.weight, self.others = WeightSpin("the open data"), MoreDataField()
        self.explained, self.others_dealt, self.dealt, self.known = (_words() for _ in range(4))
        self.explained.setAccessibleName("What the recipe does")
        self.name, self.seeds = QLineEdit(), QLineEdit()
        self.name.setToolTip("What the model is called, here and on the command line")
        self.seeds.setToolTip("A training each; the best is kept. Such as 0, or 0-9, or 0, 3, 5")
        self.epochs, self.patience, self.batch, self.rate = (
            QSpinBox(),
            QSpinBox(),
            QSpinBox(),
            NumberSpin(1e-7, 10.0, 1e-4),
        )
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

    def take_settings(self, settings: LearningSettings, own: LearningSettings | None = None) -> None:
        """Show these settings; those that are folded away unfold where one is not the recipe's `own`."""
        self.seeds.setText(seeds_text(settings.seeds))
        self.epochs.setValue(settings.epochs)
        self.patience.setValue(settings.patience)
        self.batch.setValue(settings.batch)
        self.rate.setValue(settings.rate)
        self.more.take(settings, own)

    def take_base(self, base: RecipeChoice, own: LearningSettings | None = None) -> None:
        """The settings and encoders of a recipe, or of a recipe with a preset over its `own` ones."""
        self.more.set_shortens(base.shortens)
        self.more.set_parts(base.parts)
        self.more.set_pretrains(base.pretrains)
        self.more.set_tunes(base.tunes)
        self.take_settings(base, own)
        self.texts.set_reference(base.texts)
        self.views.set_reference(base.views)
        self.take_inputs(base.classifier, base.language)

    def take_inputs(self, classifier: str, language: str) -> None:
        """Show what the inputs of a recipe are that takes them by name."""
        self.classifier.setText(classifier)
        self.language.setCurrentIndex(max(0, self.language.findData(language)))

    def take(self, request: TrainRequest, own: RecipeChoice | None) -> None:
        """Take what an earlier training says, as far as it can be chosen here. `own` are the recipe's settings."""
        for combo, value in (
            (self.data, request.data), (self.train, request.train), (self.validation, request.validation),
            (self.held_out, request.held_out), (self.preset, request.preset), (self.compute, request.device),
        ):  # fmt: skip
            place = combo.findData(value)
            if place >= 0:
                combo.setCurrentIndex(place)
        self.name.setText(request.name)
        self.more.set_shortens(own is not None and own.shortens)
        self.more.set_parts(own.parts if own is not None else ())
        self.more.set_pretrains(own is not None and own.pretrains)
        self.more.set_tunes(own is not None and own.tunes)
        self.take_settings(request, own)
        self.texts.set_reference(request.texts or (own.texts if own else ""))
        self.views.set_reference(request.views or (own.views if own else ""))
        inputs = (request.classifier or own.classifier, request.language or own.language) if own else ("", "")
        self.take_inputs(*inputs)
        self.weight.setValue(request.weight)
        self.others.set_shares(request.others)
        self.onnx.setChecked(request.onnx)

    def settings(self, own: LearningSettings | None) -> dict[str, Any]:
        """What the fields say, by the settings' names; no seeds where they make no sense."""
        return {
            "seeds": self.seed_numbers() or (),
            "epochs": self.epochs.value(),
            "batch": self.batch.value(),
            "rate": self.rate.number(),
            "patience": self.patience.value(),
            **self.more.values(own),
        }

    def _add_rows(self) -> None:
        self.add("Task", self.tasks)
        self.add("Recipe", self.recipe)
        self.add("", self.explained)
        self.add("Texts", self.texts, buddy=self.texts.combo)
        self.add("Pictures", self.views, buddy=self.views.combo)
        self.add("Classifier", self.classifier)
        self.add("Command", self.language)
        self.add("Data", _with(self.data, self.weight), buddy=self.data)
        self.add("Also from", self.others, buddy=self.others.add_button)
        self.add("", self.others_dealt)
        self.add("Learn from", self.train)
        self.add("Choose by", self.validation)
        self.add("Measure on", self.held_out)
        self.add("", self.dealt)
        self.add("Name", self.name)
        self.add("", self.known)
        self.add("Preset", self.preset)
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


def _with(wide: QWidget, narrow: QWidget) -> QWidget:
    """A field that takes the room, and one beside it that takes what it needs."""
    both = QWidget()
    row = QHBoxLayout(both)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(4)
    row.addWidget(wide, 1)
    row.addWidget(narrow)
    return both


def _words() -> QLabel:
    label = QLabel()
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setProperty("role", "dim")
    return label
