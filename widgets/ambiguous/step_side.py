"""The right dock of Review: the screen of the step with what was done on it, and the step in words."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from stepscope.widgets.ambiguous.review_values import ShownReading
from stepscope.widgets.common import Badge, PanelHeader, icon_button
from stepscope.widgets.common.flow import FlowLayout
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.screen import ScreenView

LEAST_WIDTH = 240


class ReviewedStep(QWidget):
    """`moved` by so many steps: the arrows in the title."""

    moved = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumWidth(LEAST_WIDTH)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        back, on = (
            icon_button("previous", "Previous step", shortcut="Left"),
            icon_button("next", "Next step", shortcut="Right"),
        )
        back.clicked.connect(lambda: self.moved.emit(-1))
        on.clicked.connect(lambda: self.moved.emit(1))
        self._header = PanelHeader("Step", back, on)
        self.view = ScreenView()
        self.view.set_beside(False)
        self.role, self.left_out = Badge(), Badge("left out of the goal", "warn")
        self._instruction, self._words = QLabel(), QLabel()
        self._words.setProperty("role", "secondary")
        for label in (self._instruction, self._words):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        badges = FlowLayout(6)
        badges.addWidget(self.role)
        badges.addWidget(self.left_out)
        words = self._box = QFrame()
        words.setProperty("bar", "foot")
        words.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        inside = QVBoxLayout(words)
        inside.setContentsMargins(12, 10, 12, 12)
        inside.setSpacing(6)
        inside.addLayout(badges)
        inside.addWidget(self._instruction)
        inside.addWidget(self._words)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._header)
        column.addWidget(self.view, 1)
        column.addWidget(words)
        self.show_reading(None)

    def show_reading(self, reading: ShownReading | None) -> None:
        """The step in words; None for no step."""
        self._box.setVisible(reading is not None)
        self._header.set_detail("" if reading is None else reading.place)
        if reading is None:
            return
        self.role.set_words(reading.role, "accent" if reading.role == "informative" else "neutral")
        self.role.setVisible(bool(reading.role))
        self.left_out.setVisible(reading.left_out)
        self._instruction.setText(straight(reading.instruction or "No instruction is known for this step."))
        self._words.setText(straight(reading.words))
        self._words.setVisible(bool(reading.words))

    def words(self) -> list[str]:
        """What it says of the step: place, role, instruction, and the words it needs."""
        if self._box.isHidden():
            return []
        shown = (self.role, self._instruction, self._words)
        return [self._header.detail(), *(label.text() for label in shown if not label.isHidden())]
