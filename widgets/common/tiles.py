"""A painted grid of things that can be chosen: by mouse, by keyboard, with words for each."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from stepscope.widgets import theme
from stepscope.widgets.common.plain_words import tip_words

MOVES = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}
TAKE = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
MOST_KEPT_HEIGHT = 1600
"""Of a higher widget, in pixels, only what is exposed is painted, each time."""
Place = tuple[int, int]
"""row, column"""
Measure = TypeVar("Measure")


class Tiles(QWidget):
    """Subclasses say how many tiles there are, where each stands, what it means, and paint it.

    `chosen` carries a tile's key; the tile that `set_chosen` names has an outline, the one with the keyboard a ring
    inside it.
    """

    chosen = Signal(object)
    opened = Signal(object)
    """a tile's key: a double click, whose first click has chosen it"""
    current_changed = Signal(int, int)

    radius = 6.0

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._measured: dict[Hashable, Any] = {}
        self._picture: QPixmap | None = None
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self._chosen: Any = None
        self._current: Place = (0, 0)
        self._hovered: Place | None = None
        theme.notifier().changed.connect(self._paint_anew)

    # what subclasses say

    def shape(self) -> Place:
        """Rows and columns of the grid."""
        raise NotImplementedError

    def tile(self, row: int, column: int) -> QRectF:
        """Where the tile stands, in widget coordinates."""
        raise NotImplementedError

    def key(self, row: int, column: int) -> Any:
        raise NotImplementedError

    def words(self, row: int, column: int) -> str:
        """The tile in words, for the tooltip and for screen readers."""
        raise NotImplementedError

    def paint_tile(self, painter: QPainter, row: int, column: int, *, hovered: bool) -> None:
        raise NotImplementedError

    def paint_rest(self, painter: QPainter) -> None:
        """Paint what stands around the tiles, such as headers."""

    def tip_at(self, _place: QPointF) -> str:
        """A tooltip for a place outside the tiles."""
        return ""

    def rows_within(self, _top: float, _bottom: float) -> range:
        """Rows that may touch this strip of the widget; those of long lists say which."""
        return range(self.shape()[0])

    # what the owner tells

    def set_chosen(self, key: Any) -> None:
        """Outline the tile with this key; None, or a key that no tile has, takes the outline away."""
        self._chosen = key
        self.update()

    def current(self) -> Place:
        """The tile that the keyboard is on."""
        return self._current

    def tiles_changed(self) -> None:
        """Show other tiles; the keyboard stays where it is as far as there is still a tile."""
        rows, columns = self.shape()
        self._measured.clear()
        self._picture = None
        self._hovered = None
        self._current = (min(self._current[0], max(rows - 1, 0)), min(self._current[1], max(columns - 1, 0)))
        self._tell_current()
        self.updateGeometry()
        self.update()

    def tile_at(self, place: QPointF) -> Place | None:
        rows, columns = self.shape()
        for row in range(rows):
            for column in range(columns):
                if self.tile(row, column).contains(place):
                    return row, column
        return None

    def measured(self, what: Hashable, measure: Callable[[], Measure]) -> Measure:
        """What `measure` gives, kept until tiles, size or font change: layouts are asked for tile by tile."""
        if what not in self._measured:
            self._measured[what] = measure()
        return self._measured[what]  # type: ignore[no-any-return]

    # Qt

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._measured.clear()
        self._picture = None
        super().resizeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        move = MOVES.get(Qt.Key(event.key()))
        rows, columns = self.shape()
        if move is not None and rows and columns and not event.modifiers() & Qt.KeyboardModifier.AltModifier:
            row = min(max(self._current[0] + move[0], 0), rows - 1)
            self._move_to((row, min(max(self._current[1] + move[1], 0), columns - 1)))
        elif event.key() in TAKE and rows and columns:
            self._take(self._current)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self.tile_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and place is not None:
            self._move_to(place)
            self._take(place)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        place = self.tile_at(event.position())
        key = None if place is None else self.key(*place)
        if event.button() == Qt.MouseButton.LeftButton and key is not None:
            self.opened.emit(key)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self.tile_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(None)
        super().leaveEvent(event)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            self._show_tip(event.pos(), event.globalPos())
            return True
        return super().event(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._tell_current()
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._measured.clear()
            self._picture = None
            self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.height() <= MOST_KEPT_HEIGHT:
            painter.drawPixmap(0, 0, self._kept_picture())
        else:
            self._paint(painter, QRectF(event.rect()))
        self._paint_rings(painter)
        painter.end()

    # inside

    def _kept_picture(self) -> QPixmap:
        """All tiles: whatever lies over or around the widget, they are painted once."""
        ratio = self.devicePixelRatioF()
        if self._picture is None or self._picture.devicePixelRatio() != ratio:
            self._picture = QPixmap(self.size() * ratio)
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(QColor(theme.current().panel))  # opaque, for sharp text
            painter = QPainter(self._picture)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(self.font())
            painter.setLayoutDirection(self.layoutDirection())
            self._paint(painter, QRectF(self.rect()))
            painter.end()
        return self._picture

    def _paint(self, painter: QPainter, dirty: QRectF) -> None:
        self.paint_rest(painter)
        columns = self.shape()[1]
        for row in self.rows_within(dirty.top(), dirty.bottom()):
            for column in range(columns):
                if self.tile(row, column).intersects(dirty):
                    self.paint_tile(painter, row, column, hovered=self._hovered == (row, column))

    def _paint_anew(self) -> None:
        self._picture = None
        self.update()

    def _paint_rings(self, painter: QPainter) -> None:
        rows, columns = self.shape()
        painter.setPen(QPen(QColor(theme.current().selection_line), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self._chosen is not None:
            for row, column in ((row, column) for row in range(rows) for column in range(columns)):
                if self.key(row, column) == self._chosen:
                    painter.drawRoundedRect(self.tile(row, column), self.radius, self.radius)
        if self.hasFocus() and rows and columns:
            inside = self.tile(*self._current).adjusted(3, 3, -3, -3)
            painter.drawRoundedRect(inside, self.radius - 2, self.radius - 2)

    def _move_to(self, place: Place) -> None:
        if place != self._current:
            self._current = place
            self._tell_current()
            self.current_changed.emit(*place)
            self.update()

    def _take(self, place: Place) -> None:
        key = self.key(*place)
        if key is not None:
            self.chosen.emit(key)

    def _hover(self, place: Place | None) -> None:
        if place == self._hovered:
            return
        self._hovered = place
        can = place is not None and self.key(*place) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if can else Qt.CursorShape.ArrowCursor)
        self._paint_anew()

    def _show_tip(self, place: QPoint, where: QPoint) -> None:
        tile = self.tile_at(QPointF(place))
        words = self.tip_at(QPointF(place)) if tile is None else self.words(*tile)
        if words:
            QToolTip.showText(where, tip_words(words), self)
        else:
            QToolTip.hideText()

    def _tell_current(self) -> None:
        rows, columns = self.shape()
        self.setAccessibleDescription(self.words(*self._current) if rows and columns else "Nothing to show")


class TileRows(Tiles):
    """One tile below the other, each as wide as the widget."""

    def row_count(self) -> int:
        """How many there are."""
        raise NotImplementedError

    def row_height(self) -> float:
        """Height of each row, in pixels of the widget."""
        raise NotImplementedError

    def shape(self) -> Place:
        return self.row_count(), 1 if self.row_count() else 0

    def tile(self, row: int, column: int) -> QRectF:
        height = self.row_height()
        return QRectF(1, 1 + row * height, self.width() - 2, height - 2)

    def tile_at(self, place: QPointF) -> Place | None:
        row = int(place.y() // self.row_height())
        return (row, 0) if 0 <= row < self.row_count() and self.tile(row, 0).contains(place) else None

    def rows_within(self, top: float, bottom: float) -> range:
        height = self.row_height()
        return range(max(0, int(top // height)), min(self.row_count(), int(bottom // height) + 1))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())
