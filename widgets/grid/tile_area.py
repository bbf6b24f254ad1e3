"""The tiles in a scroll: chosen by mouse and keys, pictures asked for as they come into view."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import cast

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QRubberBand, QWidget

from stepscope.widgets import theme
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.grid.grid_values import Tile, TileGroup, TileKey
from stepscope.widgets.grid.tile_layout import GAP, HEADING, MARGIN, Placed, TileLayout
from stepscope.widgets.grid.tile_painting import TilePainter, caption_height

SMALLEST, USUAL, LARGEST, ZOOM = 110, 168, 420, 24
_WAYS = {
    Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1),
}  # fmt: skip
_MOVES = (Qt.Key.Key_Home, Qt.Key.Key_End)
PEEK = Qt.Key.Key_I
"""Shows the current tile in large while it is held."""
_TAKES = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)
_CTRL, _SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


class TileArea(QAbstractScrollArea):
    """`current_changed(key)`: the tile that has the keyboard's place, None without tiles; `moved()`: the person took it
    there, by mouse or keys; `chosen_changed()`: others are chosen; `opened(key)`: Enter or a double click;
    `pictures_wanted(keys)`: those that are seen and not here, from the middle outwards; `width_changed(pixels)`: by
    wheel or keys; `peeked(held)`: the key for the current tile in large goes down and up."""

    current_changed = Signal(object)
    moved = Signal()
    chosen_changed = Signal()
    opened = Signal(object)
    pictures_wanted = Signal(object)
    width_changed = Signal(int)
    peeked = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Tiles")
        self.viewport().setMouseTracking(True)
        self.groups: tuple[TileGroup, ...] = ()
        self.chosen: set[TileKey] = set()
        self.tile_width, self.whole = USUAL, False
        self._current: TileKey | None = None
        self._anchor: TileKey | None = None
        """where a choice with Shift begins: a tile, since its number is another one's once more tiles come in"""
        self._hovered = -1
        self._images: dict[TileKey, QImage] = {}
        self._asked: set[TileKey] = set()
        self._painter = TilePainter()
        self._band: QRubberBand | None = None
        self._pressed: QPoint | None = None
        self._before_band: set[TileKey] = set()
        self._layout = TileLayout((), 100, USUAL, 40, whole=False)
        self._number_of: dict[TileKey, int] = {}
        self.verticalScrollBar().valueChanged.connect(self._scrolled)

    # What is shown ----------------------------------------------------------------------------------------------------

    @property
    def tiles(self) -> Sequence[Tile]:
        """In their order."""
        return self._layout.tiles

    @property
    def current(self) -> TileKey | None:
        return self._current

    def set_groups(self, groups: Sequence[TileGroup]) -> None:
        """Other tiles; what is chosen stays so, seen or not."""
        self.groups = tuple(groups)
        self._lay_out()
        if self._current not in self._number_of:
            self._set_current(self._layout.tiles[0].key if self._layout.tiles else None)

    def set_picture(self, key: TileKey, image: QImage) -> None:
        self._images[key] = image
        self.viewport().update()

    def set_tile_width(self, pixels: int) -> None:
        pixels = min(max(pixels, SMALLEST), LARGEST)
        if pixels != self.tile_width:
            self.tile_width = pixels
            self._painter.forget()
            self._lay_out()
            self.show_tile(self._current)
            self.width_changed.emit(pixels)

    def set_whole(self, whole: bool) -> None:
        """Whole screens, or those cut around the marks."""
        self.whole = whole
        self._painter.forget()
        self._lay_out()
        self.show_tile(self._current)

    def choose(self, keys: Iterable[TileKey]) -> None:
        """Have these chosen and no others."""
        wanted = set(keys)
        if wanted != self.chosen:
            self.chosen = wanted
            self.viewport().update()
            self.chosen_changed.emit()

    def set_current(self, key: TileKey) -> None:
        """Put the keyboard's place on a tile and bring it into view."""
        if key in self._number_of:
            self._set_current(key)
            self.show_tile(key)

    def show_tile(self, key: TileKey | None) -> None:
        number = self._number_of.get(key) if key is not None else None
        if number is None:
            return
        place, bar, high = self._layout.places[number], self.verticalScrollBar(), self.viewport().height()
        if place.top < bar.value() + HEADING:
            bar.setValue(place.top - HEADING)
        elif place.bottom > bar.value() + high:
            bar.setValue(place.bottom - high + MARGIN)

    def image_of(self, key: TileKey) -> QImage | None:
        """Its picture, where that is here."""
        return self._images.get(key)

    def place_of(self, key: TileKey) -> QRect:
        """Where a tile is on the viewport."""
        return self._on_view(self._layout.places[self._number_of[key]])

    def _lay_out(self) -> None:
        caption, wide = caption_height(self.font()), self.viewport().width()
        third = (wide - 2 * MARGIN - 2 * GAP) // 3
        usual = self.tile_width <= USUAL  # whoever made them larger wants them so
        tile = min(self.tile_width, max(third, SMALLEST)) if usual else self.tile_width
        self._layout = TileLayout(self.groups, wide, tile, caption, whole=self.whole)
        self._number_of = {tile.key: number for number, tile in enumerate(self._layout.tiles)}
        bar, high = self.verticalScrollBar(), self.viewport().height()
        bar.setRange(0, max(self._layout.height - high, 0))
        bar.setPageStep(high)
        bar.setSingleStep(60)
        self._asked.clear()
        self._ask_for_pictures()
        self.viewport().update()

    def _set_current(self, key: TileKey | None) -> None:
        if key != self._current:
            self._current = key
            number = self._number_of.get(key, -1) if key is not None else -1
            words = self._layout.tiles[number].words if number >= 0 else ""
            self.setAccessibleDescription(words)
            self.viewport().update()
            self.current_changed.emit(key)

    def _move_to(self, key: TileKey) -> None:
        self._set_current(key)
        self.moved.emit()

    def _scrolled(self) -> None:
        self._ask_for_pictures()
        self.viewport().update()

    def _seen(self) -> list[int]:
        top = self.verticalScrollBar().value()
        bottom = top + self.viewport().height()
        return [one for one in self._layout.between(top, bottom) if self._layout.places[one].bottom >= top]

    def _ask_for_pictures(self) -> None:
        seen = self._seen()
        keep = {self._layout.tiles[one].key for one in seen}
        self._images = {key: image for key, image in self._images.items() if key in keep}
        self._asked &= keep
        middle = len(seen) / 2
        wanted = [
            tile.key
            for _far, tile in sorted(
                ((abs(at - middle), self._layout.tiles[one]) for at, one in enumerate(seen)), key=lambda pair: pair[0]
            )
            if tile.has_picture and tile.key not in self._images and tile.key not in self._asked
        ]
        if wanted:
            self._asked |= set(wanted)
            self.pictures_wanted.emit(wanted)

    # Painting ---------------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.setClipRegion(event.region())
        top = self.verticalScrollBar().value()
        painter.translate(0, -top)
        for at, group in self._layout.headings:
            if at + HEADING >= top and at <= top + self.viewport().height():
                self._paint_heading(painter, at, group)
        for number in self._seen():
            tile, place = self._layout.tiles[number], self._layout.places[number]
            self._painter.paint(
                painter, place, tile, self._images.get(tile.key), self.font(), chosen=tile.key in self.chosen,
                current=tile.key == self._current and self.hasFocus(), hovered=number == self._hovered,
            )  # fmt: skip
        painter.end()

    def _paint_heading(self, painter: QPainter, top: int, group: TileGroup) -> None:
        colours, font = theme.current(), derived(self.font(), 13)
        font.setBold(True)
        line = QRect(MARGIN, top, self.viewport().width() - 2 * MARGIN, HEADING - 8)
        painter.setFont(font)
        painter.setPen(QColor(colours.text))
        title = straight(group.title)
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, title)
        wide = round(QFontMetricsF(font).horizontalAdvance(title)) + 10
        count = f"{len(group.tiles):,}"
        painter.setFont(derived(self.font(), 12))
        painter.setPen(QColor(colours.secondary))
        painter.drawText(line.adjusted(wide, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, count)
        begin = line.left() + wide + 16 + round(QFontMetricsF(painter.font()).horizontalAdvance(count))
        painter.fillRect(QRect(begin, line.center().y(), max(line.right() - begin, 0), 1), QColor(colours.line2))

    # Mouse ------------------------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton:
            return super().mousePressEvent(event)
        number = self._at(event.position().toPoint())
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        if number is None:
            self._pressed = self._scroll_point(event.position().toPoint())
            self._before_band = set(self.chosen) if event.modifiers() & (_CTRL | _SHIFT) else set()
            self.choose(self._before_band)
        else:
            self._take(number, event.modifiers())
        return None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        here = event.position().toPoint()
        hovered = self._at(here)
        if (-1 if hovered is None else hovered) != self._hovered:
            self._hovered = -1 if hovered is None else hovered
            self.viewport().update()
        start = self._pressed
        if start is None:
            return
        now = self._scroll_point(here)
        if self._band is None:
            if (now - start).manhattanLength() < QApplication.startDragDistance():
                return
            self._band = QRubberBand(QRubberBand.Shape.Rectangle, self.viewport())
            self._band.show()
        top = self.verticalScrollBar().value()
        area = QRect(start, now).normalized()
        self._band.setGeometry(area.translated(0, -top))
        edges = area.left(), area.top(), area.right(), area.bottom()
        within = {
            self._layout.tiles[one].key
            for one in self._layout.between(area.top(), area.bottom())
            if self._layout.places[one].touches(*edges)
        }
        self.choose(self._before_band | within)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._pressed = None
        if self._band is not None:
            self._band.deleteLater()
            self._band = None
        super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        number = self._at(event.position().toPoint())
        if number is not None:
            self.opened.emit(self._layout.tiles[number].key)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """With Ctrl tiles grow and shrink."""
        if event.modifiers() & _CTRL:
            self.set_tile_width(self.tile_width + (ZOOM if event.angleDelta().y() > 0 else -ZOOM))
        else:
            super().wheelEvent(event)

    def _take(self, number: int, modifiers: Qt.KeyboardModifier) -> None:
        """A tile is meant: alone, besides (Ctrl), or all from the last one on (Shift)."""
        key = self._layout.tiles[number].key
        if modifiers & _SHIFT:
            self._extend(number, keep=bool(modifiers & _CTRL))
        elif modifiers & _CTRL:
            self._anchor = key
            self.choose(self.chosen ^ {key})
        else:
            self._anchor = key
            self.choose({key})
        self._move_to(key)

    def _extend(self, number: int, *, keep: bool = False) -> None:
        first = self._number_of.get(self._anchor, number) if self._anchor is not None else number
        low, high = sorted((first, number))
        self._anchor = self._layout.tiles[first].key
        between = {tile.key for tile in self._layout.tiles[low : high + 1]}
        self.choose((self.chosen if keep else set()) | between)

    # Keys -------------------------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Its own keys come before those of the window."""
        if event.type() == QEvent.Type.ShortcutOverride and self._is_own(cast(QKeyEvent, event)):
            event.accept()
            return True
        return super().event(event)

    def _is_own(self, event: QKeyEvent) -> bool:
        key, modifiers = Qt.Key(event.key()), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if key in _WAYS or key in _MOVES:
            return modifiers in (Qt.KeyboardModifier.NoModifier, _SHIFT)
        if key == Qt.Key.Key_A:
            return modifiers == _CTRL
        if key == PEEK:
            return not modifiers
        if key == Qt.Key.Key_Escape:
            return bool(self.chosen)
        return (key in _TAKES and not modifiers) or event.text() in ("+", "-")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, modifiers = Qt.Key(event.key()), event.modifiers()
        number = self._number_of.get(self._current, -1) if self._current is not None else -1
        if number < 0:
            super().keyPressEvent(event)
        elif key in _WAYS:
            self._go(self._layout.moved(number, *_WAYS[key]), modifiers)
        elif key in _MOVES:
            self._go(0 if key == Qt.Key.Key_Home else len(self._layout.tiles) - 1, modifiers)
        elif key == Qt.Key.Key_Space:
            self._anchor = self._current
            self.choose(self.chosen ^ {self._layout.tiles[number].key})
        elif key == Qt.Key.Key_A and modifiers & _CTRL:
            self.choose_around(number)
        elif key == Qt.Key.Key_Escape and self.chosen:
            self.choose(())
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit(self._current)
        elif key == PEEK and not modifiers:
            if not event.isAutoRepeat():
                self.peeked.emit(True)
        elif event.text() in ("+", "-"):
            self.set_tile_width(self.tile_width + (ZOOM if event.text() == "+" else -ZOOM))
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == PEEK and not event.isAutoRepeat():
            self.peeked.emit(False)
        else:
            super().keyReleaseEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.peeked.emit(False)

    def choose_around(self, number: int) -> None:
        """All of the tile's group; all tiles where these are chosen already."""
        group = {self._layout.tiles[one].key for one in self._layout.group_of(number)}
        self.choose(set(self._number_of) if group <= self.chosen else self.chosen | group)

    def _go(self, number: int, modifiers: Qt.KeyboardModifier) -> None:
        key = self._layout.tiles[number].key
        if modifiers & _SHIFT:
            if self._anchor not in self._number_of:
                self._anchor = self._current
            self._extend(number)
        else:
            self._anchor = key
        self._move_to(key)
        self.show_tile(key)

    # Places -----------------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()
        self.show_tile(self._current)

    def _scroll_point(self, here: QPoint) -> QPoint:
        return QPoint(here.x(), here.y() + self.verticalScrollBar().value())

    def _at(self, here: QPoint) -> int | None:
        place = self._scroll_point(here)
        return self._layout.at(place.x(), place.y())

    def _on_view(self, place: Placed) -> QRect:
        return QRect(place.left, place.top - self.verticalScrollBar().value(), place.width, place.height)

    def hidden(self, keys: Collection[TileKey]) -> int:
        """How many of these are not among the tiles."""
        return sum(key not in self._number_of for key in keys)
