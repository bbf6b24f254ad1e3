"""The shown runs' scores over all web tasks, what doing nothing earns, and what was published."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets import theme
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.run_glyph import paint_run_glyph, run_letter
from stepscope.widgets.common.tiles import Tiles
from stepscope.widgets.scores.breakdown_values import Key
from stepscope.widgets.webtask.side_values import ScoreLine, ScoreLineKind

MARGIN, GAP, GLYPH = 12, 10, 16
LEAST_HEIGHT, ROOM = 28, 10
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class ScoreLines(Tiles):
    """A row each; `chosen` carries the key of the one that was pressed."""

    radius = 4.0

    def __init__(self, parent: QWidget | None = None) -> None:
        self._lines: tuple[ScoreLine, ...] = ()
        super().__init__("Scores over the tasks", parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_lines(self, lines: Sequence[ScoreLine]) -> None:
        self._lines = tuple(lines)
        self.tiles_changed()

    def shape(self) -> tuple[int, int]:
        return len(self._lines), 1 if self._lines else 0

    def tile(self, row: int, column: int) -> QRectF:
        height = self._row_height()
        return QRectF(2, row * height + 1, self.width() - 4, height - 2)

    def key(self, row: int, column: int) -> Key:
        return self._lines[row].key or None

    def words(self, row: int, column: int) -> str:
        line = self._lines[row]
        letter = "" if line.run is None else f"{run_letter(line.run)} "
        tasks = "" if line.n is None else f", mean over {formats.counted(line.n, 'task')}"
        tip = f"\n{line.tip}" if line.tip else ""
        return f"{letter}{line.name}: {formats.score(line.score)}{tasks}{tip}"

    def sizeHint(self) -> QSize:
        return QSize(200, len(self._lines) * self._row_height())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def paint_tile(self, painter: QPainter, row: int, column: int, *, hovered: bool) -> None:
        colours, line, tile = theme.current(), self._lines[row], self.tile(row, column)
        if row + 1 < len(self._lines):
            painter.fillRect(QRectF(0, tile.bottom() + 1, self.width(), 1), QColor(colours.line2))
        if hovered and line.key:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.hover))
            painter.drawRoundedRect(tile, self.radius, self.radius)
        if line.run is not None:
            place = QRectF(MARGIN, tile.center().y() - GLYPH / 2, GLYPH, GLYPH)
            paint_run_glyph(painter, place, line.run, letter=True)
        ink = QColor(_ink(line))
        number = formats.score(line.score)
        weight = QFont.Weight.DemiBold if line.kind is ScoreLineKind.RUN else QFont.Weight.Normal
        painter.setFont(derived(self.font(), 12.5, weight=weight))
        painter.setPen(ink)
        width = painter.fontMetrics().horizontalAdvance(number)
        painter.drawText(
            QRectF(tile.left(), tile.top(), self.width() - MARGIN - tile.left(), tile.height()), RIGHT, number
        )
        left = MARGIN + GLYPH + GAP
        painter.setFont(derived(self.font(), 12.5))
        room = QRectF(left, tile.top(), self.width() - MARGIN - width - GAP - left, tile.height())
        cut = painter.fontMetrics().elidedText(straight(line.name), Qt.TextElideMode.ElideRight, int(room.width()))
        painter.drawText(room, LEFT, cut)

    def _row_height(self) -> int:
        return self.measured("height", self._measure_height)

    def _measure_height(self) -> int:
        return max(LEAST_HEIGHT, round(QFontMetricsF(derived(self.font(), 12.5)).height()) + ROOM)


def _ink(line: ScoreLine) -> str:
    colours = theme.current()
    return {ScoreLineKind.BASELINE: colours.dim, ScoreLineKind.PAPER: colours.reference}.get(line.kind, colours.text)
