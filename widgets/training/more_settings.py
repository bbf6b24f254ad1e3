"""The settings of a training that are seldom changed, folded away until they are asked for."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QComboBox, QLineEdit, QSpinBox, QToolButton, QVBoxLayout, QWidget

from stepscope.widgets import icons
from stepscope.widgets.common.elided_combo import ElidedCombo
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.forms.form_rows import FormRows
from stepscope.widgets.forms.option_fields import calm
from stepscope.widgets.training.number_spin import DECIMALS, NumberSpin
from stepscope.widgets.training.training_choices import LearningSettings

SGD = "sgd"
OPTIMIZERS = (("adamw", "AdamW"), ("adam", "Adam"), (SGD, "SGD"))
SCHEDULES = (("constant", "Constant"), ("linear", "Linear to 0"), ("cosine", "Cosine to 0"))
PRECISIONS = (("auto", "Automatic"), ("float32", "float32"), ("bfloat16", "bfloat16"), ("float16", "float16"))
MOST_PARTS, MOST_WORKERS, MOST_AT_ONCE, MOST_COPIES, MOST_THREADS = 1024, 8, 64, 20, 1024
MOST_PRETRAINING, MOST_LAYERS, MOST_SIDE = 1000, 1000, 64
MORE = (
    "optimizer", "momentum", "weight_decay", "schedule", "warmup", "clip", "accumulate", "precision", "workers",
    "side_by_side", "threads", "prefixes", "without", "pretrain", "objectives", "layers", "grid",
    "encoder_rate", "head_first", "drop_texts",
)  # fmt: skip
"""The settings that stand here, of `LearningSettings`."""


class MoreSettings(QWidget):
    """A button that unfolds the fields, and the fields."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.toggle = _toggle()
        self.rows = FormRows()
        self.optimizer, self.schedule, self.precision = map(_choice, (OPTIMIZERS, SCHEDULES, PRECISIONS))
        self.momentum, self.weight_decay = NumberSpin(0.0, 0.9999, 0.1), NumberSpin(0.0, 10.0, 1e-3)
        self.clip, self.warmup = NumberSpin(0.0, 1e6, 1.0), NumberSpin(0.0, 100.0, 5.0)
        self.accumulate, self.workers, self.side_by_side = QSpinBox(), QSpinBox(), QSpinBox()
        self.threads, self.prefixes, self._shortens = QSpinBox(), QSpinBox(), False
        self.without = QLineEdit()
        self._parts: tuple[str, ...] = ()
        self.pretrain, self.layers, self.grid, self._pretrains = QSpinBox(), QSpinBox(), QSpinBox(), False
        self.objectives = QLineEdit()
        self.encoder_rate, self.head_first, self._tunes = NumberSpin(0.0, 1000.0, 0.1), QSpinBox(), False
        self.pretrain.setRange(0, MOST_PRETRAINING)
        self.pretrain.setSpecialValueText("None")
        self.layers.setRange(0, MOST_LAYERS)
        self.layers.setSpecialValueText("All")
        self.grid.setRange(0, MOST_SIDE)
        self.grid.setSpecialValueText("As they come")
        self.drop_texts = NumberSpin(0.0, 100.0, 10.0)
        self.drop_texts.setSuffix(" %")
        self.head_first.setRange(0, MOST_PRETRAINING)
        self.head_first.setSpecialValueText("None")
        self.objectives.setPlaceholderText("mlm, isp, pisp, smrm")
        self.warmup.setSuffix(" %")
        self.accumulate.setRange(1, MOST_PARTS)
        self.workers.setRange(-1, MOST_WORKERS)
        self.workers.setSpecialValueText("Automatic")
        self.side_by_side.setRange(1, MOST_AT_ONCE)
        self.threads.setRange(0, MOST_THREADS)
        self.threads.setSpecialValueText("All")
        self.prefixes.setRange(0, MOST_COPIES)
        self.prefixes.setSpecialValueText("None")
        self.clip.setSpecialValueText("None")
        self._add_rows()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.toggle, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.rows)
        self._connect()
        self._show_momentum()
        self.set_shortens(False)
        self.set_parts(())
        self.set_pretrains(False)
        self.set_tunes(False)
        self.set_open(False)

    def is_open(self) -> bool:
        return not self.rows.isHidden()

    def set_open(self, is_open: bool) -> None:
        self.toggle.setIcon(icons.icon("chevron_down" if is_open else "chevron_right"))
        self.toggle.setAccessibleDescription("Unfolded" if is_open else "Folded")
        self.rows.setVisible(is_open)

    def set_shortens(self, can: bool) -> None:
        """Whether the recipe can learn from items that are cut short: else nothing is said of them."""
        self._shortens = can
        self.rows.show_row(self.prefixes, can)

    def set_parts(self, parts: tuple[str, ...]) -> None:
        """What the recipe can do without; of one that can do without nothing nothing is said of it."""
        self._parts = parts
        self.without.setPlaceholderText("Nothing is left out")
        self.without.setToolTip(tip_words(f"Parts that are left out, to see what they are worth: {', '.join(parts)}"))
        self.rows.show_row(self.without, bool(parts))

    def set_pretrains(self, can: bool) -> None:
        """Whether the recipe can be pretrained and cut down: else nothing is said of it."""
        self._pretrains = can
        for field in (self.pretrain, self.objectives, self.layers, self.grid, self.drop_texts):
            self.rows.show_row(field, can)

    def set_tunes(self, can: bool) -> None:
        """Whether the recipe's encoders learn with it: else nothing is said of how fast."""
        self._tunes = can
        for field in (self.encoder_rate, self.head_first):
            self.rows.show_row(field, can)

    def take(self, settings: LearningSettings, own: LearningSettings | None = None) -> None:
        """Show these settings; unfolded where one of them is not the recipe's `own`."""
        for combo, value in (
            (self.optimizer, settings.optimizer), (self.schedule, settings.schedule),
            (self.precision, settings.precision),
        ):  # fmt: skip
            combo.setCurrentIndex(max(0, combo.findData(value)))
        self.momentum.setValue(settings.momentum)
        self.weight_decay.setValue(settings.weight_decay)
        self.warmup.setValue(100 * settings.warmup)
        self.clip.setValue(settings.clip)
        self.accumulate.setValue(settings.accumulate)
        self.workers.setValue(settings.workers)
        self.side_by_side.setValue(settings.side_by_side)
        self.threads.setValue(settings.threads)
        self.prefixes.setValue(settings.prefixes)
        self.without.setText(settings.without)
        self.pretrain.setValue(settings.pretrain)
        self.objectives.setText(settings.objectives)
        self.layers.setValue(settings.layers)
        self.grid.setValue(settings.grid)
        self.encoder_rate.setValue(settings.encoder_rate)
        self.head_first.setValue(settings.head_first)
        self.drop_texts.setValue(100 * settings.drop_texts)
        if own is not None and any(getattr(settings, name) != getattr(own, name) for name in MORE):
            self.set_open(True)

    def values(self, own: LearningSettings | None) -> dict[str, str | float | int]:
        """What the fields say, by the settings' names; a momentum that nobody sees is the recipe's `own`."""
        sgd = self.optimizer.currentData() == SGD
        return {
            "optimizer": self.optimizer.currentData(),
            "momentum": self.momentum.number() if sgd or own is None else own.momentum,
            "weight_decay": self.weight_decay.number(),
            "schedule": self.schedule.currentData(),
            "warmup": round(self.warmup.number() / 100, DECIMALS),
            "clip": self.clip.number(),
            "accumulate": self.accumulate.value(),
            "precision": self.precision.currentData(),
            "workers": self.workers.value(),
            "side_by_side": self.side_by_side.value(),
            "threads": self.threads.value(),
            "prefixes": self.prefixes.value() if self._shortens else 0,
            "without": "".join(self.without.text().split()) if self._parts else "",
            "pretrain": self.pretrain.value() if self._pretrains else 0,
            "objectives": "".join(self.objectives.text().split()) if self._pretrains else "",
            "layers": self.layers.value() if self._pretrains else 0,
            "grid": self.grid.value() if self._pretrains else 0,
            "encoder_rate": self.encoder_rate.number() if self._tunes else 1.0,
            "head_first": self.head_first.value() if self._tunes else 0,
            "drop_texts": round(self.drop_texts.number() / 100, DECIMALS) if self._pretrains else 0.0,
        }

    def _add_rows(self) -> None:
        for words, field, tip in (
            ("Optimizer", self.optimizer, "By what rule the weights are moved"),
            ("Momentum", self.momentum, "How much of the step before goes on, 0 to 1"),
            ("Weight decay", self.weight_decay, "How strongly weights are pulled towards 0"),
            ("Schedule", self.schedule, "How the learning rate goes after its rise"),
            ("Warm-up", self.warmup, "In this share of all steps the learning rate rises from 0"),
            ("Clip", self.clip, "The longest gradient; a longer one is shortened to it"),
            ("Parts a batch", self.accumulate,
             "A batch is computed in so many parts, one after the other: less memory, the same step"),
            ("Precision", self.precision, "The numbers it computes with; automatic takes half ones on a GPU that can"),
            ("Workers", self.workers, "Processes that make batches ready; with 0 the training does it itself"),
            ("Seeds at once", self.side_by_side, "So many seeds are trained at the same time, each in a process"),
            ("Threads", self.threads,
             "So many threads compute on a processor; another number gives other last digits"),
            ("Shortened copies", self.prefixes,
             "So many copies of each item are learned from too, cut after even shares of its steps"),
            ("Without", self.without, "Parts that are left out"),
            ("Pretraining", self.pretrain,
             "So many epochs it learns before from words and pictures that were masked or swapped"),
            ("Objectives", self.objectives,
             "What the pretraining asks, with commas between: masked words (mlm), swapped pictures (isp) and patches "
             "(pisp), masked regions (smrm); all of them where nothing stands here"),
            ("Text layers", self.layers, "The first layers of the text encoder alone are used: quicker to train"),
            ("Patches a side", self.grid, "A picture's patches are averaged to so many a side: quicker to train"),
            ("Words left out", self.drop_texts,
             "With this chance it learns from an item's pictures alone, so that these count beside words too"),
            ("Encoders' rate", self.encoder_rate,
             "What came with the encoders moves at so many times the rate: 0.1 keeps more of what they know"),
            ("Head first", self.head_first,
             "For so many epochs what came with the encoders rests, and only what is new of the model learns"),
        ):  # fmt: skip
            field.setToolTip(tip_words(tip))
            if isinstance(field, QSpinBox | NumberSpin):
                calm(field)
            self.rows.add(words, field)

    def _connect(self) -> None:
        self.toggle.clicked.connect(lambda: self.set_open(not self.is_open()))
        for combo in (self.optimizer, self.schedule, self.precision):
            combo.currentIndexChanged.connect(lambda _place: self._tell())
        whole = (
            self.accumulate, self.workers, self.side_by_side, self.threads, self.prefixes, self.pretrain, self.layers,
            self.grid, self.head_first,
        )  # fmt: skip
        for spin in (
            self.momentum,
            self.weight_decay,
            self.warmup,
            self.clip,
            self.encoder_rate,
            self.drop_texts,
            *whole,
        ):
            spin.valueChanged.connect(lambda _value: self._tell())
        for line in (self.without, self.objectives):
            line.textChanged.connect(lambda _text: self._tell())

    def _tell(self) -> None:
        self._show_momentum()
        self.changed.emit()

    def _show_momentum(self) -> None:
        self.rows.show_row(self.momentum, self.optimizer.currentData() == SGD)


def _toggle() -> QToolButton:
    button = QToolButton()
    button.setText("More settings")
    button.setAutoRaise(True)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.setIconSize(QSize(12, 12))
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


def _choice(rows: tuple[tuple[str, str], ...]) -> QComboBox:
    combo = ElidedCombo()
    for value, words in rows:
        combo.addItem(words, value)
    return combo
