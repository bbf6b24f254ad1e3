"""The questions before an animation of an episode: which file, how large, how fast. A window beside the work."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDoubleSpinBox, QFormLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from stepscope.widgets.common import SegmentedControl, text_button
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.export.animation_choice import AnimationChoice, AnimationSubject
from stepscope.widgets.format import counted, duration
from stepscope.widgets.forms.option_fields import calm

KINDS = (("webp", "Animated WebP"), ("mp4", "MP4 video"))
SIZES = (("small", "Small, 640 px"), ("medium", "Medium, 960 px"), ("large", "Large, 1,440 px"))
TIMES = (("fixed", "The same for all"), ("recorded", "As recorded"))
WIDTH = 460


class AnimationForm(QDialog):
    """`export_wanted(AnimationChoice)`: the person wants it so; where it goes is asked next. Keeps its answers."""

    export_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Animation of an episode")
        self.setModal(False)
        self._about = AnimationSubject("", 0, "")
        self._name = QLabel()
        self._name.setWordWrap(True)
        self._name.setProperty("role", "title")
        self._drawn = QLabel()
        self._drawn.setWordWrap(True)
        self._drawn.setProperty("role", "dim")
        self._length = QLabel()
        self._length.setProperty("role", "dim")
        self.kind = SegmentedControl(KINDS, "File")
        self.size_choice = SegmentedControl(SIZES, "Longer side of the picture, at most")
        self.size_choice.set_value(AnimationChoice().size)
        self.times = SegmentedControl(TIMES, "Time of a step")
        self.seconds = QDoubleSpinBox()
        self.seconds.setRange(0.1, 60.0)
        self.seconds.setSingleStep(0.25)
        self.seconds.setDecimals(2)
        calm(self.seconds)
        self.seconds.setFixedWidth(90)
        self.seconds.setSuffix(" s")
        self.seconds.setValue(AnimationChoice().seconds)
        self.seconds.setAccessibleName("Seconds that a step stays")
        self.export_button = text_button("Export…", primary=True)
        self.cancel_button = text_button("Cancel")
        self._lay_out()
        self.times.chosen.connect(lambda _value: self._tell_length())
        self.seconds.valueChanged.connect(lambda _value: self._tell_length())
        self.export_button.clicked.connect(self._export)
        self.cancel_button.clicked.connect(self.close)

    def set_about(self, about: AnimationSubject) -> None:
        """Tell what is exported. Without recorded times only a fixed one can be chosen."""
        self._about = about
        self._name.setText(straight(about.name))
        self._drawn.setText(straight(about.drawn))
        if about.recorded is None:
            self.times.set_value("fixed")
        self.times.offer([value for value, _words in TIMES if value == "fixed" or about.recorded is not None])
        self._tell_length()

    def choice(self) -> AnimationChoice:
        recorded = self.times.value() == "recorded"
        return AnimationChoice(self.kind.value(), self.size_choice.value(), self.seconds.value(), recorded)

    def _lay_out(self) -> None:
        rows = QFormLayout()
        rows.setHorizontalSpacing(16)
        rows.setVerticalSpacing(10)
        rows.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        for words, field in (
            ("File", self.kind), ("Size", self.size_choice), ("Time of a step", self.times), ("Seconds", self.seconds)
        ):  # fmt: skip
            rows.addRow(words, field)
        foot = QHBoxLayout()
        foot.addWidget(self._length, 1)
        foot.addWidget(self.cancel_button)
        foot.addWidget(self.export_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 12)
        column.setSpacing(8)
        column.addWidget(self._name)
        column.addWidget(self._drawn)
        column.addSpacing(8)
        column.addLayout(rows)
        column.addSpacing(8)
        column.addLayout(foot)
        self.setMinimumWidth(WIDTH)
        self.export_button.setDefault(True)

    def _tell_length(self) -> None:
        about, choice = self._about, self.choice()
        self.seconds.setEnabled(not choice.recorded)
        long = about.recorded if choice.recorded else about.steps * choice.seconds
        self._length.setText(f"{counted(about.steps, 'step')}, {duration(long)}")

    def _export(self) -> None:
        self.close()
        self.export_wanted.emit(self.choice())
