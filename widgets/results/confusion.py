"""References against predictions: two by two with large numbers, or as many kinds of action as there are."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets import icons, theme
from stepscope.widgets.common import SegmentedControl
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.tiles import Tiles
from stepscope.widgets.scores.breakdown_values import ConfusionCell, ConfusionTable, Key
from stepscope.widgets.scores.card import ResultCard, mix

COUNT, ROW_SHARE = "count", "row"
MOST_HEAD = 56
"""So wide a column may become for the sake of its header, where cells are small."""
MOST_HEIGHT = 72
"""So high a small cell may become where there is room."""
MOST_LARGE = 3
"""Up to so many rows and columns the cells are large."""
WEAKEST, RANGE = 0.16, 0.32
"""How much of its colour a cell has when it holds none and all of its row, less the weakest."""
NOTHING, STRONGEST = 0.06, 0.5
"""Without any item; and the most on which the words can still be read."""


class ConfusionView(ResultCard):
    """The card; `chosen` carries a cell's key, and so does `opened` after a double click."""

    chosen = Signal(object)
    opened = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        mode = SegmentedControl([(COUNT, "Count"), (ROW_SHARE, "Row %")], "What the cells show")
        super().__init__("Confusion", mode, parent=parent)
        self._mode = mode
        self.cells = ConfusionCells()
        self._scroll = scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(self.cells)
        scroll.setCornerWidget(QWidget())
        self.body.addWidget(scroll, 1)
        self._mode.chosen.connect(self.cells.set_mode)
        self.cells.chosen.connect(self.chosen)
        self.cells.opened.connect(self.opened)
        self.cells.current_changed.connect(self._reveal)

    def set_confusion(self, confusion: ConfusionTable) -> None:
        self.cells.set_confusion(confusion)

    def set_chosen(self, key: Key) -> None:
        self.cells.set_chosen(key)

    def set_mode(self, mode: str) -> None:
        """COUNT or ROW_SHARE."""
        self._mode.set_value(mode)
        self.cells.set_mode(mode)

    def _reveal(self, row: int, column: int) -> None:
        place = self.cells.tile(row, column).center().toPoint()
        self._scroll.ensureVisible(place.x(), place.y(), 60, 40)


class ConfusionCells(Tiles):
    """The cells with their headers. Labels stand at the left and above, the number of items of a row at its right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Confusion of references and predictions", parent)
        self._confusion = ConfusionTable()
        self._mode = COUNT
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def set_confusion(self, confusion: ConfusionTable) -> None:
        self._confusion = confusion
        self.tiles_changed()

    def set_mode(self, mode: str) -> None:
        self._mode = mode
        self.tiles_changed()

    def shape(self) -> tuple[int, int]:
        return len(self._confusion.rows), len(self._confusion.columns)

    def key(self, row: int, column: int) -> Key:
        return self._confusion.cells[row][column].key

    def words(self, row: int, column: int) -> str:
        """41 of 92 infeasible references were predicted feasible."""
        confusion = self._confusion
        cell, total = confusion.cells[row][column], confusion.row_total(row)
        counts = f"{formats.count(cell.count)} of {formats.count(total)}"
        noun, were = ("reference", "was") if total == 1 else ("references", "were")
        share = formats.share(cell.count / total if total else None)
        return f"{counts} {confusion.rows[row]} {noun} {were} predicted {confusion.columns[column]} ({share})"

    def tip_at(self, place: QPointF) -> str:
        """The whole header under the pointer, which may be cut."""
        rows, columns = self.shape()
        for column in range(columns):
            if self._above(column).contains(place):
                return f"predicted {self._confusion.columns[column]}"
        for row in range(rows):
            if self._beside(row).contains(place):
                return f"reference {self._confusion.rows[row]}"
        return ""

    def minimumSizeHint(self) -> QSize:
        rows, columns = self.shape()
        side, end, gap = self._side(), self._end(), self._gap()
        width, height = self._least()
        return QSize(
            round(side + end + columns * (width + gap) + gap), round(self._top() + rows * (height + gap) + gap)
        )

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def tile(self, row: int, column: int) -> QRectF:
        return self.measured((row, column), lambda: self._measure_tile(row, column))

    def _measure_tile(self, row: int, column: int) -> QRectF:
        side, top, gap, width, height = self.measured("grid", self._measure_grid)
        place = QRectF(side + gap + column * (width + gap), top + gap + row * (height + gap), width, height)
        return QRectF(place.toRect())  # whole pixels: sharp edges

    def _measure_grid(self) -> tuple[float, float, float, float, float]:
        """Where the cells begin, the gap between them, their size."""
        gap, top, width = self._gap(), self._top(), self._cell_width()
        height = (self.height() - top - 2) / self.shape()[0] - gap
        if not self._large:
            height = min(height, MOST_HEIGHT * self._scale)
        return self._side(), top, gap, width, height

    def paint_rest(self, painter: QPainter) -> None:
        rows, columns = self.shape()
        if not rows or not columns:
            painter.setPen(QColor(theme.current().dim))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, "No judged prediction")
            return
        colours = theme.current()
        painter.setFont(derived(self.font(), 11))
        painter.setPen(QColor(colours.secondary))
        centred, left = Qt.AlignmentFlag.AlignCenter, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        for column, name in enumerate(self._confusion.columns):
            _draw_lines(painter, self._above(column), self._heads(name), centred)
        for row, name in enumerate(self._confusion.rows):
            _draw_lines(painter, self._beside(row), self._labels(name), left)
        painter.setPen(QColor(colours.dim))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for row in range(rows):
            tile = self.tile(row, columns - 1)
            place = QRectF(tile.right(), tile.top(), self._end(), tile.height())
            painter.drawText(place, right, formats.count(self._confusion.row_total(row)))
        tile = self.tile(0, columns - 1)
        painter.drawText(QRectF(tile.right(), 0, self._end(), self._top()), right, "n")
        if not self._large:
            painter.drawText(QRectF(0, 0, self._side(), self._top()), left, "reference ↓\npredicted →")

    def paint_tile(self, painter: QPainter, row: int, column: int, *, hovered: bool) -> None:
        colours = theme.current()
        cell, total = self._confusion.cells[row][column], self._confusion.row_total(row)
        strength = WEAKEST + RANGE * cell.count / total if cell.count else NOTHING
        ground = mix(
            colours.hit if cell.hit else colours.miss,
            min(strength + (0.06 if hovered else 0), STRONGEST),
            colours.panel,
        )
        tile = self.tile(row, column)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(tile, self.radius, self.radius)
        painter.setPen(QColor(colours.text if cell.count else colours.secondary))
        if self._large:
            self._paint_large(painter, tile, cell, total)
        else:
            painter.setFont(
                derived(self.font(), 11.5, weight=QFont.Weight.DemiBold if cell.hit else QFont.Weight.Normal)
            )
            painter.drawText(tile, Qt.AlignmentFlag.AlignCenter, self._number(cell, total))

    def _paint_large(self, painter: QPainter, tile: QRectF, cell: ConfusionCell, total: int) -> None:
        colours = theme.current()
        large, small = self._fonts()
        above, below = QFontMetricsF(large).height(), QFontMetricsF(small).height()
        top = tile.center().y() - (above + below) / 2
        centred = Qt.AlignmentFlag.AlignCenter
        painter.setFont(large)
        painter.drawText(QRectF(tile.left(), top, tile.width(), above), centred, self._number(cell, total))
        painter.setFont(small)
        painter.drawText(QRectF(tile.left(), top + above, tile.width(), below), centred, self._about(cell, total))
        side = round(13 * self._scale)
        sign = QRect(round(tile.right()) - side - 7, round(tile.top()) + 6, side, side)
        colour = mix(colours.hit if cell.hit else colours.miss, 0.7, colours.text)
        icons.icon("check" if cell.hit else "cross", colour.name()).paint(painter, sign)

    def _heads(self, name: str) -> list[str]:
        """A column's header in lines: with the lead word where cells are large, else broken at its first space."""
        if not self._large:
            return name.replace("_", " ").split(" ", 1)
        one_line = self._top() < 2 * QFontMetricsF(derived(self.font(), 11)).height()
        return [f"predicted {name}"] if one_line else ["predicted", name]

    def _labels(self, name: str) -> list[str]:
        return ["reference", name] if self._large else [name.replace("_", " ")]

    def _number(self, cell: ConfusionCell, total: int) -> str:
        if self._mode == COUNT:
            return formats.count(cell.count)
        return formats.share(cell.count / total if total else None)

    def _about(self, cell: ConfusionCell, total: int) -> str:
        """The words below a large number."""
        if self._mode == COUNT:
            everything = self._confusion.total
            about = formats.share(cell.count / everything if everything else None)
        else:
            about = f"{formats.count(cell.count)} of {formats.count(total)}"
        return " · ".join(filter(None, (about, cell.tag)))

    @property
    def _large(self) -> bool:
        return max(self.shape()) <= MOST_LARGE

    @property
    def _scale(self) -> float:
        """How much larger than 13 px the text is."""
        return self.measured("scale", lambda: derived(self.font(), 13).pixelSize() / 13)

    def _gap(self) -> float:
        return 6 if self._large else 3

    def _least(self) -> tuple[float, float]:
        """Least size of a cell: its longest words fit."""
        return self.measured("least", self._measure_least)

    def _measure_least(self) -> tuple[float, float]:
        confusion, number, small = self._confusion, *self._fonts()
        widest, below = 0.0, QFontMetricsF(small)
        for row in range(len(confusion.rows)):
            total = confusion.row_total(row)
            for cell in confusion.cells[row]:
                widest = max(widest, QFontMetricsF(number).horizontalAdvance(self._number(cell, total)))
                if self._large:
                    widest = max(widest, below.horizontalAdvance(self._about(cell, total)))
        height = QFontMetricsF(number).height()
        if not self._large:
            heads = (below.horizontalAdvance(line) for name in confusion.columns for line in self._heads(name))
            head = min(max(heads, default=0.0), MOST_HEAD * self._scale)
            return max(widest + 10, head + 4, 28 * self._scale), height + 8
        return widest + 16 * self._scale, height + below.height() + 8

    def _fonts(self) -> tuple[QFont, QFont]:
        """Fonts of a cell's number and of the words below it."""
        return derived(self.font(), 22 if self._large else 11.5, weight=QFont.Weight.DemiBold), derived(self.font(), 11)

    def _top(self) -> float:
        """Height of the headers: two lines where one has no room."""
        return self.measured("top", self._measure_top)

    def _measure_top(self) -> float:
        metrics = QFontMetricsF(derived(self.font(), 11))
        names = (f"predicted {name}" for name in self._confusion.columns)
        two = not self._large or any(metrics.horizontalAdvance(name) > self._cell_width() for name in names)
        return (2 if two else 1) * metrics.height() + 4

    def _cell_width(self) -> float:
        return self.measured("cell_width", self._measure_cell_width)

    def _measure_cell_width(self) -> float:
        columns, gap = self.shape()[1], self._gap()
        return (self.width() - self._side() - self._end() - gap) / columns - gap

    def _side(self) -> float:
        """Width of the row labels: as wide as they need, but no wider than 108 px."""
        return self.measured("side", self._measure_side)

    def _measure_side(self) -> float:
        metrics = QFontMetricsF(derived(self.font(), 11))
        names = ("reference" if self._large else "predicted →", *self._confusion.rows)
        return min(max(metrics.horizontalAdvance(name) for name in names) + 6, 108 * self._scale)

    def _end(self) -> float:
        return self.measured("end", self._measure_end)

    def _measure_end(self) -> float:
        metrics = QFontMetricsF(derived(self.font(), 11))
        totals = [formats.count(self._confusion.row_total(row)) for row in range(len(self._confusion.rows))]
        return max(metrics.horizontalAdvance(words) for words in (*totals, "n")) + 12

    def _above(self, column: int) -> QRectF:
        tile = self.tile(0, column)
        return QRectF(tile.left(), 0, tile.width(), self._top())

    def _beside(self, row: int) -> QRectF:
        tile = self.tile(row, 0)
        return QRectF(0, tile.top(), self._side(), tile.height())


def _draw_lines(painter: QPainter, place: QRectF, lines: list[str], alignment: Qt.AlignmentFlag) -> None:
    metrics = painter.fontMetrics()
    cut = [metrics.elidedText(straight(line), Qt.TextElideMode.ElideRight, int(place.width())) for line in lines]
    painter.drawText(place, int(alignment), "\n".join(cut))
