"""The matrix of pairs: how sure a run is that the row's step comes before the column's, or how much it looked at it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from stepscope.widgets import theme
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.ordering.ordering_rows import PairMatrix

LARGEST, SMALLEST = 42, 6
"""Sides of a cell in pixels, the largest at the usual text size."""
NUMBERS_FIT, LABELS_FIT = 24, 12
NUMBERS = (11.0, 9.5, 8.0)
"""Sizes of the numbers: the largest that a cell has room for."""
LABELS = 60, 94
"""The narrowest and the widest room for the steps' words."""
GAP = 2
TOLD = 10
"""Pairs against the reference that a screen reader tells."""


class PairMatrixView(QWidget):
    """Cells stronger the surer the run is; those against the reference are outlined. `pair_chosen(row, column)` on a
    click."""

    pair_chosen = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._matrix: PairMatrix | None = None
        self._strongest = 1.0
        self._head = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Pairwise confidence")

    def set_matrix(self, matrix: PairMatrix | None) -> None:
        self._matrix = matrix
        self._strongest = matrix.strongest if matrix is not None else 1.0
        self.setVisible(matrix is not None)
        if matrix is not None:
            self.setAccessibleName("Attention between steps" if matrix.attention else "Pairwise confidence")
            self.setAccessibleDescription(" ".join(self._worth_telling(matrix)))
        self._fit()

    def cell(self, row: int, column: int) -> QRect:
        """A cell's place."""
        side = self._side()
        return QRect(self._label_width() + column * side, self._head + row * side, side - GAP, side - GAP)

    def tip(self, row: int, column: int) -> str:
        """A pair in words: "Stir before Pour: 0.38, against the reference."."""
        matrix = self._matrix
        if matrix is None or (row == column and not matrix.attention):
            return ""
        if matrix.attention:
            of = "itself" if row == column else matrix.labels[column]
            return f"{matrix.labels[row]} looks at {of}: {matrix.before[row][column]:.2f}."
        against = ", against the reference" if matrix.is_against(row, column) else ""
        return f"{matrix.labels[row]} before {matrix.labels[column]}: {matrix.before[row][column]:.2f}{against}."

    def sizeHint(self) -> QSize:
        count = len(self._matrix.labels) if self._matrix else 0
        return QSize(240, self._head + count * self._side())

    def paintEvent(self, event: QPaintEvent) -> None:
        matrix = self._matrix
        if matrix is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_labels(painter, matrix)
        font = self._number_font()
        painter.setFont(font or self.font())
        side, left, seen = self._side(), self._label_width(), event.rect()
        for row, column in self._pairs():
            top = self._head + row * side
            if top <= seen.bottom() and top + side >= seen.top():
                place = QRectF(left + column * side, top, side - GAP, side - GAP)
                self._paint_cell(painter, matrix, row, column, place, numbered=font is not None)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        pair = self._pair_at(event.position().toPoint().x(), event.position().toPoint().y())
        if pair is not None:
            self.pair_chosen.emit(*pair)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            pair = self._pair_at(event.pos().x(), event.pos().y())
            QToolTip.showText(event.globalPos(), tip_words(self.tip(*pair) if pair else ""), self)
            return True
        return super().event(event)

    # inside

    def _worth_telling(self, matrix: PairMatrix) -> list[str]:
        """What a screen reader tells of it: the pairs against the reference, or where each step looked most."""
        if matrix.attention:
            most = [max(range(len(row)), key=row.__getitem__) for row in matrix.before]
            return [self.tip(row, column) for row, column in enumerate(most)][:TOLD]
        against = [self.tip(row, column) for row, column in self._pairs() if matrix.is_against(row, column)]
        return against[:TOLD] or ["No pair is against the reference."]

    def _number_font(self) -> QFont | None:
        """The font of the cells' numbers, None where they would not be whole."""
        room = self._side() - GAP
        fonts = [derived(self.font(), pixels, weight=QFont.Weight.Bold) for pixels in NUMBERS]
        fits = (font for font in fonts if QFontMetrics(font).horizontalAdvance("0.00") <= room >= NUMBERS_FIT)
        return next(fits, None)

    def _paint_cell(
        self, painter: QPainter, matrix: PairMatrix, row: int, column: int, place: QRectF, *, numbered: bool
    ) -> None:
        colours = theme.current()
        painter.setPen(Qt.PenStyle.NoPen)
        if row == column and not matrix.attention:
            painter.setBrush(QColor(colours.line2))
            painter.drawRoundedRect(place, 3, 3)
            return
        value, against = matrix.before[row][column], matrix.is_against(row, column)
        ground = QColor(colours.run_colour(matrix.run))
        strength = value / self._strongest
        ground.setAlphaF(0.08 + 0.72 * strength)
        if place.width() < NUMBERS_FIT:
            painter.fillRect(place, ground)  # round corners of thousands of cells take long
        else:
            painter.setBrush(ground)
            painter.drawRoundedRect(place, 3, 3)
        if against:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(colours.miss), 2))
            painter.drawRoundedRect(place.adjusted(1, 1, -1, -1), 3, 3)
        if numbered:
            font = painter.font()
            font.setWeight(QFont.Weight.Bold if against else QFont.Weight.Normal)
            painter.setFont(font)
            painter.setPen(QColor(colours.panel if strength > 0.55 else colours.text))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, f"{value:.2f}")

    def _paint_labels(self, painter: QPainter, matrix: PairMatrix) -> None:
        font = derived(self.font(), 10.5)
        painter.setFont(font)
        painter.setPen(QColor(theme.current().secondary))
        side, label, metrics = self._side(), self._label_width(), QFontMetrics(font)
        if not label:
            return
        for place, words in enumerate(matrix.labels):
            row = QRect(0, self.cell(place, 0).top(), label - 6, side - GAP)
            shown = metrics.elidedText(straight(f"{place + 1} {words}"), Qt.TextElideMode.ElideRight, row.width())
            painter.drawText(row, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, shown)
            head = QRect(self.cell(0, place).left(), 0, side - GAP, self._head)
            painter.drawText(head, Qt.AlignmentFlag.AlignCenter, str(place + 1))

    def _pairs(self) -> list[tuple[int, int]]:
        count = len(self._matrix.labels) if self._matrix else 0
        return [(row, column) for row in range(count) for column in range(count)]

    def _pair_at(self, x: int, y: int) -> tuple[int, int] | None:
        count = len(self._matrix.labels) if self._matrix else 0
        row, column = (y - self._head) // self._side(), (x - self._label_width()) // self._side()
        is_pair = row != column or (self._matrix is not None and self._matrix.attention)
        inside = 0 <= row < count and 0 <= column < count and is_pair
        return (row, column) if inside else None

    def _count(self) -> int:
        return max(1, len(self._matrix.labels) if self._matrix else 1)

    def _label_width(self) -> int:
        """Room for the steps' words, none where the cells need all of it."""
        least, most = LABELS
        room = min(derived(self.font(), most).pixelSize(), max(least, self.width() // 3))
        return room if (self.width() - room) // self._count() >= LABELS_FIT else 0

    def _side(self) -> int:
        """Cells as large as the width allows, within bounds."""
        largest = derived(self.font(), LARGEST).pixelSize()
        return max(SMALLEST, min(largest, (self.width() - self._label_width()) // self._count()))

    def _fit(self) -> None:
        self._head = QFontMetrics(derived(self.font(), 10.5)).height() + 4
        self.setMinimumWidth(self._count() * SMALLEST)
        self.setFixedHeight(self.sizeHint().height())
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()
