"""The tour on the start page: its steps, how far it is, and whether the page comes by itself."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QBoxLayout, QCheckBox, QFrame, QGridLayout, QLabel, QVBoxLayout, QWidget

from stepscope.widgets import theme
from stepscope.widgets.common import text_button
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.start.start_values import TourStepRow

DOT = 24


class StepDot(QWidget):
    """The number of a step: filled where the tour goes on, ticked where it was."""

    def __init__(self, number: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._number, self._state = number, "ahead"
        self.setFixedSize(DOT, DOT)
        theme.notifier().changed.connect(self.update)

    def set_state(self, state: str) -> None:
        """`state` is done, here or ahead."""
        self._state = state
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(DOT, DOT)

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        here = self._state == "here"
        painter.setPen(Qt.PenStyle.NoPen if here else QPen(QColor(colours.line), 1))
        painter.setBrush(QColor(colours.accent_background if here else colours.inset))
        painter.drawEllipse(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))
        painter.setPen(QColor(colours.accent_text if here else colours.secondary))
        painter.setFont(derived(self.font(), 11.5, weight=QFont.Weight.DemiBold))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, "✓" if self._state == "done" else str(self._number))
        painter.end()


class TourCard(QFrame):
    """`begun()`: begin the tour, or go on with it. `asked_for(bool)`: the page is to come when nothing is open."""

    begun = Signal()
    asked_for = Signal(bool)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("panel", True)
        self._title, self._detail = QLabel(self), QLabel("3 min, leave with Esc", self)
        self._title.setProperty("role", "title")
        self._detail.setProperty("role", "secondary")
        self._steps = QGridLayout()
        self._steps.setHorizontalSpacing(12)
        self._steps.setVerticalSpacing(6)
        self.begin = text_button("Start the tour")
        self.begin.clicked.connect(self.begun)
        self.shown = QCheckBox("Show when nothing is open", self)
        self.shown.toggled.connect(self.asked_for)
        self._dots: list[StepDot] = []
        self._titles: list[QLabel] = []
        self._words: list[QLabel] = []
        self._lay_out()

    def _lay_out(self) -> None:
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(20, 14, 20, 14)
        self._row.setSpacing(20)
        names, ends = QVBoxLayout(), QVBoxLayout()
        for column, parts in ((names, (self._title, self._detail)), (ends, (self.begin, self.shown))):
            column.setSpacing(4)
            column.addStretch(1)
            for part in parts:
                column.addWidget(part)
            column.addStretch(1)
        self._row.addLayout(names)
        self._row.addLayout(self._steps, 1)
        self._row.addLayout(ends)

    def set_steps(self, steps: Sequence[TourStepRow], at: int) -> None:
        """The steps, and at which of them (0 for the first) the tour goes on; behind the last: it was finished."""
        if not self._dots:
            for place, step in enumerate(steps):
                self._add(place, step)
        number = len(steps)
        self._title.setText(f"Tour, {number} steps")
        for place, dot in enumerate(self._dots):
            dot.set_state("done" if place < at else "here" if place == at else "ahead")
        left = 0 < at < number
        self.begin.setText("Go on with the tour" if left else "Take it again" if at >= number else "Start the tour")
        self._detail.setText(f"left at step {at + 1}" if left else "3 min, leave with Esc")

    def _add(self, place: int, step: TourStepRow) -> None:
        dot, title, words = StepDot(place + 1, self), QLabel(step.title, self), QLabel(step.words, self)
        for label in (title, words):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
            label.setWordWrap(True)
        title.setProperty("role", "tiny")
        words.setProperty("role", "secondary")
        words.hide()
        dot.setAccessibleName(f"Step {place + 1}")
        self._dots.append(dot)
        self._titles.append(title)
        self._words.append(words)
        self._steps.addWidget(dot, 0, place, Qt.AlignmentFlag.AlignHCenter)
        self._steps.addWidget(title, 1, place)
        self._steps.addWidget(words, 2, place)
        self._steps.setColumnStretch(place, 1)

    def set_narrow(self, narrow: bool) -> None:
        """Put the steps below the title, and the buttons below these, where there is little room."""
        directions = QBoxLayout.Direction
        self._row.setDirection(directions.TopToBottom if narrow else directions.LeftToRight)

    def set_large(self, large: bool) -> None:
        """Say of each step what one does there: nothing else asks for the room."""
        for words in self._words:
            words.setVisible(large)

    def set_shown(self, shown: bool) -> None:
        self.shown.blockSignals(True)
        self.shown.setChecked(shown)
        self.shown.blockSignals(False)
