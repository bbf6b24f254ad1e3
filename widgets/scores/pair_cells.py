"""Both right, only one, both wrong: the cells of two runs on the same items, and the area that they scroll in."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets import theme
from stepscope.widgets.common import run_letter
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.tiles import Tiles
from stepscope.widgets.scores.breakdown_values import Key, PairCell, PairCounts
from stepscope.widgets.scores.card import mix

GAP, SIDE, ABOVE = 6, 8, 6


class ShrinkingScrollArea(QScrollArea):
    """A scroll area as high as its content, and where that is too high, half as high as there is room; the rest
    scrolls."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self._inside = inside
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.setWidget(inside)
        inside.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def sizeHint(self) -> QSize:
        return self._framed(self._inside.sizeHint())

    def minimumSizeHint(self) -> QSize:
        around, least = self.parent(), self._framed(self._inside.minimumSizeHint())
        room = around.height() if isinstance(around, QWidget) else 0
        return QSize(least.width(), min(least.height(), room // 2))

    def _framed(self, size: QSize) -> QSize:
        """The size with the border that shows the keyboard."""
        return size + QSize(2 * self.frameWidth(), 2 * self.frameWidth())


class PairCells(Tiles):
    """Both right, only A, only B, both wrong."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._counts = PairCounts(PairCell(0), PairCell(0), PairCell(0), PairCell(0))
        super().__init__("Both runs on the same items", parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_counts(self, counts: PairCounts) -> None:
        self._counts = counts
        self.tiles_changed()

    def shape(self) -> tuple[int, int]:
        return 2, 2

    def tile(self, row: int, column: int) -> QRectF:
        width, height = (self.width() - 2 - GAP) / 2, self._cell_height()
        return QRectF(QRectF(1 + column * (width + GAP), 1 + row * (height + GAP), width, height).toRect())

    def key(self, row: int, column: int) -> Key:
        return self._cell(row, column)[0].key

    def words(self, row: int, column: int) -> str:
        cell, words, _colour, _strength = self._cell(row, column)
        total = sum(self._cell(*place)[0].count for place in ((0, 0), (0, 1), (1, 0), (1, 1)))
        share = formats.share(cell.count / total if total else None)
        return f"{words}: {formats.count(cell.count)} of {formats.counted(total, self._counts.noun)} ({share})"

    def sizeHint(self) -> QSize:
        return QSize(200, round(2 * self._cell_height() + GAP + 2))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def paint_tile(self, painter: QPainter, row: int, column: int, *, hovered: bool) -> None:
        colours, tile = theme.current(), self.tile(row, column)
        cell, words, colour, strength = self._cell(row, column)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(mix(colour, strength + (0.06 if hovered else 0), colours.panel))
        painter.drawRoundedRect(tile, self.radius, self.radius)
        number, small = self._fonts()
        inside = tile.adjusted(SIDE, ABOVE, -SIDE, -ABOVE)
        painter.setPen(QColor(colours.text))
        painter.setFont(number)
        painter.drawText(inside, int(Qt.AlignmentFlag.AlignTop), formats.count(cell.count))
        painter.setFont(small)
        painter.setPen(mix(colours.text, 0.8, colours.secondary))
        cut = painter.fontMetrics().elidedText(straight(words), Qt.TextElideMode.ElideRight, int(inside.width()))
        painter.drawText(inside, int(Qt.AlignmentFlag.AlignBottom), cut)

    def _cell(self, row: int, column: int) -> tuple[PairCell, str, str, float]:
        """The cell, its words, its colour and how strong that is."""
        counts, colours = self._counts, theme.current()
        if row == column:
            if row == 0:
                return counts.both_right, "both right", colours.hit, 0.26
            return counts.both_wrong, "both wrong", colours.miss, 0.22
        run, cell = (counts.a, counts.only_a) if column else (counts.b, counts.only_b)
        return cell, f"only {run_letter(run)} right", colours.run_colour(run), 0.26 if column else 0.24

    def _fonts(self) -> tuple[QFont, QFont]:
        return derived(self.font(), 15, weight=QFont.Weight.DemiBold), derived(self.font(), 11)

    def _cell_height(self) -> float:
        number, small = self._fonts()
        return round(QFontMetricsF(number).height() + QFontMetricsF(small).height() + 2 * ABOVE + 2)
