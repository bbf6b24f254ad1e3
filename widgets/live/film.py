"""The cells of a recording side by side. Only what is visible is painted; the newest is followed until another one is
chosen."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QHelpEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QSizePolicy, QToolTip

from stepscope.widgets import theme
from stepscope.widgets.common.buttons import paint_focus_ring
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.live.film_cells import (
    THUMB,
    cell_width,
    cell_words,
    film_height,
    paint_next,
    paint_recorded_cell,
)
from stepscope.widgets.live.live_state import CellKind, RecordedCell
from stepscope.widgets.timeline.cells import paint_column_ground
from stepscope.widgets.timeline.columns import ColumnEdges

FILLING = 7
"""So many cells share the width; more than these scroll."""
MOST_THUMBNAILS = 300
"""Pictures that are kept; others are asked for again when they come into view."""


class RecordedFilm(QAbstractScrollArea):
    """`step_chosen` fires with the place of a cell that the person takes; `thumbnails_wanted` names visible cells
    without a picture, once each while they stay in view."""

    step_chosen = Signal(int)
    thumbnails_wanted = Signal(list)

    def __init__(self) -> None:
        super().__init__()
        self._cells: list[RecordedCell] = []
        self._thumbnails: dict[int, QPixmap] = {}
        self._asked: set[int] = set()
        self._current, self._hovered = -1, -1
        self._columns, self._next = ColumnEdges(), ""
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.MinimumExpanding)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setMouseTracking(True)
        self.viewport().setBackgroundRole(QPalette.ColorRole.Window)
        self.horizontalScrollBar().valueChanged.connect(lambda _value: self._ask_thumbnails())
        theme.notifier().changed.connect(self.viewport().update)
        self._describe()

    def cells(self) -> tuple[RecordedCell, ...]:
        return tuple(self._cells)

    def set_cells(self, cells: Sequence[RecordedCell]) -> None:
        """Show another state of the recording; pictures of cells that stay the same are kept."""
        same = 0
        for old, new in zip(self._cells, cells, strict=False):
            if old != new:
                break
            same += 1
        followed = self.follows()
        self._cells = list(cells)
        self._thumbnails = {place: picture for place, picture in self._thumbnails.items() if place < same}
        self._asked = {place for place in self._asked if place < same}
        self._arrange()
        self._show_current(len(cells) - 1 if followed else min(self._current, len(cells) - 1))

    def add_cell(self, cell: RecordedCell) -> None:
        self.set_cells([*self._cells, cell])

    def set_cell(self, place: int, cell: RecordedCell) -> None:
        """Change what a cell says; its picture stays."""
        if 0 <= place < len(self._cells) and self._cells[place] != cell:
            self._cells[place] = cell
            self._arrange()
            self._describe()

    def remove_last(self) -> None:
        self.set_cells(self._cells[:-1])

    def set_next(self, words: str) -> None:
        """The words behind the last cell; "" where no step will follow."""
        if words != self._next:
            self._next = words
            self._arrange()

    def set_thumbnail(self, place: int, image: QImage) -> None:
        """A cell's picture at any size; a null image says that there is none."""
        if not 0 <= place < len(self._cells):
            return
        height = round(THUMB * 2 * self.devicePixelRatioF())
        smooth = Qt.TransformationMode.SmoothTransformation
        fitted = image.scaledToHeight(height, smooth) if image.height() > height else image
        self._thumbnails[place] = QPixmap.fromImage(fitted)
        if len(self._thumbnails) > MOST_THUMBNAILS:
            del self._thumbnails[max(self._thumbnails, key=lambda other: abs(other - place))]
        self.viewport().update(self.column(place))

    def set_current(self, place: int) -> None:
        """Light the cell and bring it into view; tells nobody."""
        self._show_current(place)

    def current(self) -> int:
        return self._current

    def follows(self) -> bool:
        """Whether the newest cell is the current one, and the next one will be."""
        return self._current == len(self._cells) - 1

    def visible_cells(self) -> range:
        """Cells of which at least a part can be seen."""
        offset = self.horizontalScrollBar().value()
        seen = self._columns.between(offset, offset + self.viewport().width())
        return range(seen.start, min(seen.stop, len(self._cells)))

    def column(self, place: int) -> QRect:
        """A cell's place in the viewport; the one behind the last is where the next will stand."""
        left = self._columns.edges[place] - self.horizontalScrollBar().value()
        high = min(film_height(self.font()), self.viewport().height())  # less beside a scroll bar
        return QRect(left, 0, self._columns.width(place), high)

    def cell_at(self, x: int) -> int:
        """The cell under a place of the viewport, -1 where there is none."""
        place = self._columns.at(x + self.horizontalScrollBar().value())
        return place if place < len(self._cells) else -1

    def sizeHint(self) -> QSize:
        return QSize(640, film_height(self.font()))

    def minimumSizeHint(self) -> QSize:
        return QSize(240, film_height(self.font()))

    # painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.setClipRect(event.rect())
        for place in self.visible_cells():
            self._paint_cell(painter, place)
        if self._next:
            column = self.column(len(self._cells))
            painter.fillRect(QRect(column.left(), 0, 1, column.height()), QColor(theme.current().line2))
            paint_next(painter, column.adjusted(4, 0, -4, 0), self._next, self.font())
        if self.hasFocus():
            painter.setClipping(False)
            paint_focus_ring(painter, self.viewport().rect())
        painter.end()

    def _paint_cell(self, painter: QPainter, place: int) -> None:
        column, current = self.column(place), place == self._current
        paint_column_ground(painter, column, current=current, hovered=place == self._hovered)
        picture = self._thumbnails.get(place)
        paint_recorded_cell(painter, column, self._cells[place], picture, self.font(), current=current)

    # what the person does

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self.cell_at(event.position().toPoint().x())
        if event.button() == Qt.MouseButton.LeftButton and place >= 0:
            self._choose(place)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = self.cell_at(event.position().toPoint().x())
        if place != self._hovered:
            self._hovered = place
            self.viewport().update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hovered = -1
        self.viewport().update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The plain wheel scrolls sideways: there is nothing to scroll downwards."""
        delta, bar = event.angleDelta(), self.horizontalScrollBar()
        bar.setValue(bar.value() - (delta.x() or delta.y()))
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        last = len(self._cells) - 1
        jump = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
        targets = {
            Qt.Key.Key_Right: min(last, self._current + jump),
            Qt.Key.Key_Left: max(0, self._current - jump),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        if last >= 0 and event.key() in targets:
            self._choose(targets[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            place = self.cell_at(event.pos().x())
            QToolTip.showText(event.globalPos(), tip_words(self.tip(place)), self.viewport())
            return True
        return super().viewportEvent(event)

    def tip(self, place: int) -> str:
        return cell_words(self._cells[place]) if 0 <= place < len(self._cells) else ""

    def _choose(self, place: int) -> None:
        """The same again too: its details may have been left since."""
        self._show_current(place)
        self.step_chosen.emit(place)

    # inside

    def _show_current(self, place: int) -> None:
        self._current = place
        self._keep_in_view()
        self._describe()
        self.viewport().update()

    def _widths(self) -> list[int]:
        """Widths of the cells: what the text size asks for, or what fills the room with a few."""
        share = max(cell_width(self.font(), CellKind.ACTION), self.viewport().width() // FILLING)
        gap = cell_width(self.font(), CellKind.GAP)
        widths = [gap if cell.kind is CellKind.GAP else share for cell in self._cells]
        return [*widths, share] if self._next else widths

    def _arrange(self) -> None:
        self._columns = ColumnEdges((0, *accumulate(self._widths())))
        bar, room = self.horizontalScrollBar(), max(1, self.viewport().width())
        bar.setPageStep(room)
        bar.setSingleStep(cell_width(self.font(), CellKind.ACTION))
        bar.setRange(0, max(0, self._columns.total - room))
        self._keep_in_view()
        self._ask_thumbnails()
        self.viewport().update()

    def _keep_in_view(self) -> None:
        """The current cell; behind the newest also the place of the next."""
        if not 0 <= self._current < len(self._cells):
            return
        bar, start = self.horizontalScrollBar(), self._columns.edges[self._current]
        end = self._columns.total if self.follows() else self._columns.edges[self._current + 1]
        if end > bar.value() + bar.pageStep():
            bar.setValue(min(end - bar.pageStep(), start))
        elif start < bar.value():
            bar.setValue(start)

    def _ask_thumbnails(self) -> None:
        pictured = (CellKind.ACTION, CellKind.ASK)
        bare = {p for p in self.visible_cells() if p not in self._thumbnails and self._cells[p].kind in pictured}
        if bare - self._asked:
            self.thumbnails_wanted.emit(sorted(bare))
        self._asked = bare

    def _describe(self) -> None:
        """Words for screen readers: where one is and what was done there."""
        here = self.tip(self._current)
        self.setAccessibleName(". ".join(filter(None, ("This recording", here))))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.updateGeometry()
            self._arrange()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:
        self.viewport().update()
