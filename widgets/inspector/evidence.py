"""Lines with a weight as a bar; such of evidence: what on which step's screen spoke for an answer."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets import theme
from stepscope.widgets.common.buttons import PaintedButton, paint_focus_ring
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.inspector.parts import words
from stepscope.widgets.inspector.step_details import EvidenceLine

SHOWN = 8
"""The heaviest lines; how many follow is told below them."""
BAR, STEP_ROOM, NUMBER_ROOM = 44, 52, 34


class WeightRow(PaintedButton):
    """One line: what it begins with, words, a bar as long as its share of the heaviest, the weight."""

    def __init__(self, begins: str, text: str, weight: float, share: float, run: int) -> None:
        super().__init__()
        self._begins, self._number, self._share, self._run = begins, formats.confidence(weight), share, run
        self.setText(text)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def ground(self) -> str:
        """The colour that the line stands on, "" for the card's own."""
        return theme.current().hover if self.underMouse() else ""

    def sizeHint(self) -> QSize:
        return QSize(200, QFontMetrics(self._font()).height() + 8)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        place, middle = QRectF(self.rect()), Qt.AlignmentFlag.AlignVCenter
        if ground := self.ground():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(ground))
            painter.drawRoundedRect(place, 4, 4)
        painter.setFont(self._font())
        painter.setPen(QColor(colours.dim))
        painter.drawText(place.adjusted(4, 0, 0, 0), middle, self._begins)
        right, left = place.right() - 4, 4 + (STEP_ROOM if self._begins else 0)
        painter.drawText(QRectF(right - NUMBER_ROOM, 0, NUMBER_ROOM, place.height()),
                         middle | Qt.AlignmentFlag.AlignRight, self._number)  # fmt: skip
        bar = QRectF(right - NUMBER_ROOM - BAR, place.center().y() - 3, BAR - 4, 6)
        painter.setPen(Qt.PenStyle.NoPen)
        for width, colour in ((bar.width(), colours.line), (bar.width() * self._share, colours.run_colour(self._run))):
            painter.setBrush(QColor(colour))
            painter.drawRoundedRect(QRectF(bar.left(), bar.top(), width, bar.height()), 3, 3)
        text = QRectF(left, 0, bar.left() - 4 - left, place.height())
        painter.setPen(QColor(colours.text))
        shown = painter.fontMetrics().elidedText(
            straight(self.text()), Qt.TextElideMode.ElideRight, round(text.width())
        )
        painter.drawText(text, middle, shown)
        if self.hasFocus():
            paint_focus_ring(painter, self.rect())
        painter.end()

    def _font(self) -> QFont:
        return derived(self.font(), 12)


class EvidenceRow(WeightRow):
    """A piece of evidence with the step that it is on."""

    def __init__(self, line: EvidenceLine, run: int, share: float) -> None:
        super().__init__(f"Step {line.step + 1}", line.text, line.weight, share, run)
        self.line = line
        self.setAccessibleName(f"Evidence at step {line.step + 1}: {line.text}, weight {line.weight:.2f}")
        self.setToolTip(
            tip_words(f"{line.text}\nWithout it the score falls by {line.weight:.2f}. Click to see where it is.")
        )
        self.setCursor(Qt.CursorShape.PointingHandCursor)


class EvidenceList(QWidget):
    """The lines of one run. `chosen(int)` gives the place of a line's evidence in the answer."""

    chosen = Signal(int)

    def __init__(self, lines: Sequence[EvidenceLine], run: int) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(1)
        heaviest = max((abs(line.weight) for line in lines), default=0.0) or 1.0
        self.rows = [EvidenceRow(line, run, abs(line.weight) / heaviest) for line in lines[:SHOWN]]
        for row in self.rows:
            row.clicked.connect(lambda _checked=False, place=row.line.place: self.chosen.emit(place))
            column.addWidget(row)
        if len(lines) > SHOWN:
            column.addWidget(words(f"and {formats.counted(len(lines) - SHOWN, 'lighter one')}", "dim"))
