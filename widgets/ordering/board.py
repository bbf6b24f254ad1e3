"""The board: the person's own row of cards, a row for the reference order and one for each run, joined by lines.

A run's card that stands where the reference has it hangs on a straight grey line; one that was moved, on a curve in the
run's colour. The reference stands in the middle, between the runs; lines pass behind the cards of rows between.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QHelpEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPixmap,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QFrame, QToolTip, QWidget

from stepscope.widgets.common import EmptyState
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.ordering.board_view import BoardPosition, BoardView
from stepscope.widgets.ordering.card_drag import CardDrag, moved
from stepscope.widgets.ordering.ordering_rows import BoardRow, OrderBoardContent
from stepscope.widgets.ordering.painting import OrderBoardFonts

NOTHING = ("results", "No procedure is shown", "Choose one in the list.")
ZOOMS = (0.6, 0.75, 0.9, 1.0, 1.2, 1.45, 1.75, 2.1, 2.5)
EDGE, EDGE_STEP = 28, 24
"""A card that is dragged so near to the edge scrolls the board so far at each move of the pointer."""
NOWHERE = BoardPosition(-1, 0)


class OrderBoard(QAbstractScrollArea):
    """`card_focused(str)`: the step of the card that the arrows or a click came to; `card_opened(str)`: a double click,
    or Enter where there is no row of the person's own; `card_moved(str, int)`: the person put the step's card to
    another place of their row; `order_previewed(object)`: the order that letting go of a dragged card would make, None
    once it is let go; `accept_wanted()`: Enter; `picture_wanted(str)`: a visible card without its picture, answered by
    `set_picture`; `zoomed(float)`."""

    card_focused = Signal(str)
    card_opened = Signal(str)
    card_moved = Signal(str, int)
    order_previewed = Signal(object)
    accept_wanted = Signal()
    picture_wanted = Signal(str)
    zoomed = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._board: OrderBoardContent | None = None
        self._view: BoardView | None = None
        self._pictures: dict[str, QPixmap] = {}
        self._asked: set[str] = set()
        self._spot = NOWHERE
        self._shown = "both"
        self._zoom = 1.0
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Order of the steps")
        self.viewport().setBackgroundRole(QPalette.ColorRole.Window)
        self._empty = EmptyState(*NOTHING, parent=self.viewport())
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalScrollBar().valueChanged.connect(lambda _value: self._look())

    # what is shown

    @property
    def lines(self) -> tuple[BoardRow, ...]:
        """Rows from the top; None is the reference."""
        return self._view.rows if self._view is not None else ()

    @property
    def zoom(self) -> float:
        return self._zoom

    def set_board(self, board: OrderBoardContent | None) -> None:
        """Show another procedure, or other orders of the same one: pictures of its steps stay."""
        known, focused, row = self._board, self.focused(), self._spot.row
        if board is None or known is None or {card.id for card in known.cards} != {card.id for card in board.cards}:
            self._pictures.clear()
            self._asked.clear()
            focused = ""
        was_yours = self._view is not None and row == self._view.yours
        self._board = board
        self._empty.setVisible(board is None)
        self._arrange()
        if self._view is not None:
            first = self._view.yours if self._view.yours >= 0 and (was_yours or not focused) else row
            self._spot = self._spot_of(focused, first)
        else:
            self._spot = NOWHERE
        self._describe()

    def set_words(self, title: str, detail: str) -> None:
        """Set what stands there while there is no procedure."""
        self._empty.set_words(title, detail)

    def set_picture(self, step: str, image: QImage) -> None:
        """A step's small picture; a null image says that there is none."""
        self._pictures[step] = QPixmap.fromImage(image)
        self.viewport().update()

    def set_shown(self, shown: str) -> None:
        """Show "both", "text" or "picture" of each step."""
        self._shown = shown
        self._arrange()

    def zoom_by(self, steps: int) -> None:
        """Make the cards larger, or smaller."""
        at = min(range(len(ZOOMS)), key=lambda place: abs(ZOOMS[place] - self._zoom))
        self.set_zoom(ZOOMS[min(max(at + steps, 0), len(ZOOMS) - 1)])

    def set_zoom(self, zoom: float) -> None:
        """How large the cards are; 1 is as they come."""
        if zoom != self._zoom:
            self._zoom = zoom
            self._arrange()
            self._keep_in_view()
            self.zoomed.emit(zoom)

    def focused(self) -> str:
        """The step whose card has the ring, "" for none."""
        order = self._order(self._spot.row)
        return order[self._spot.position] if self._spot.position < len(order) else ""

    def focus_step(self, step: str) -> None:
        """Ring the step's card in the row that has the ring; tells nobody."""
        order = self._order(self._spot.row)
        if step in order:
            self._put(BoardPosition(self._spot.row, order.index(step)))

    def move_focused(self, by: int, lines: int = 0) -> None:
        """Move the focused step's card in the person's own row, by places and by lines of the board."""
        view = self._view
        step, order = self.focused(), self._order(view.yours) if view is not None else ()
        if view is None or step not in order or self._is_locked():
            return
        to = min(max(order.index(step) + by + lines * view.layout.per_line, 0), len(order) - 1)
        self._spot = BoardPosition(view.yours, order.index(step))
        if moved(order, step, to) != order:
            self.card_moved.emit(step, to)
        self._put(BoardPosition(view.yours, self._order(view.yours).index(step)))

    def card_rect(self, row: int, position: int) -> QRect:
        """A card's place in the viewport."""
        assert self._view is not None
        return self._view.layout.card(row, position).translated(0, -self.verticalScrollBar().value())

    def is_moved(self, row: int, position: int) -> bool:
        """Whether the card stands elsewhere in the reference."""
        return self._view is not None and self._view.is_moved(row, position)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._view is None:
            return
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(0, -self.verticalScrollBar().value())
        ring = self._spot if self.hasFocus() else NOWHERE
        self._view.paint(painter, self._seen(), ring, self.focused())
        painter.end()

    # what the person does

    def keyPressEvent(self, event: QKeyEvent) -> None:
        spot, last = self._spot, len(self._order(self._spot.row)) - 1
        moves = {
            Qt.Key.Key_Right: BoardPosition(spot.row, min(spot.position + 1, last)),
            Qt.Key.Key_Left: BoardPosition(spot.row, max(spot.position - 1, 0)),
            Qt.Key.Key_Home: BoardPosition(spot.row, 0),
            Qt.Key.Key_End: BoardPosition(spot.row, last),
            Qt.Key.Key_Up: self._beside(-1),
            Qt.Key.Key_Down: self._beside(1),
        }
        if event.key() == Qt.Key.Key_Escape and self._is_dragging():
            self._end_drag()
        elif self._board is None or not _is_plain(event):
            super().keyPressEvent(event)
        elif event.key() in moves:
            self._go(moves[Qt.Key(event.key())])
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.focused():
            if self._board.you is not None:
                self.accept_wanted.emit()
            else:
                self.card_opened.emit(self.focused())
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        spot = self.spot_at(at.x(), at.y())
        if spot is None or event.button() != Qt.MouseButton.LeftButton or self._view is None:
            return
        self._go(spot)
        if spot.row == self._view.yours and not self._is_locked():
            content = self._in_content(at)
            grip = content - self._view.layout.card(spot.row, spot.position).topLeft()
            self._view.drag = CardDrag(self.focused(), content, grip, content, spot.position)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        view = self._view
        if view is None or view.drag is None or not event.buttons() & Qt.MouseButton.LeftButton:
            return
        at = event.position().toPoint()
        self._scroll_at_edge(at.y())
        content = self._in_content(at)
        was = view.order(view.yours)
        drag = view.drag.led_to(content, QApplication.startDragDistance())
        if drag.begun:
            drag = drag.over(view.layout.nearest(view.yours, content.x(), content.y()))
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
        view.drag = drag
        if view.order(view.yours) != was:
            self._spot = BoardPosition(view.yours, drag.target)
            self.order_previewed.emit(view.order(view.yours))
        self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()  # the click was taken when the button went down
        view = self._view
        drag = view.drag if view is not None else None
        if view is None or drag is None:
            return
        self._end_drag()
        if drag.begun and drag.order(self._order(view.yours)) != self._order(view.yours):
            self.card_moved.emit(drag.step, drag.target)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.spot_at(event.position().toPoint().x(), event.position().toPoint().y()) is not None:
            self.card_opened.emit(self.focused())

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_by(1 if event.angleDelta().y() > 0 else -1)
            event.accept()
        else:
            super().wheelEvent(event)

    def event(self, event: QEvent) -> bool:
        """The arrows belong to the cards while the board has the keyboard."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._board is not None:
            leaves_drag = event.key() == Qt.Key.Key_Escape and self._is_dragging()
            if leaves_drag or (_is_plain(event) and event.key() in _OWN_KEYS):
                event.accept()
                return True
        return super().event(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            QToolTip.showText(
                event.globalPos(), tip_words(self.tip_at(event.pos().x(), event.pos().y())), self.viewport()
            )
            return True
        return super().viewportEvent(event)

    def spot_at(self, x: int, y: int) -> BoardPosition | None:
        """The card under a place of the viewport."""
        return self._view.spot_at(self._in_content(QPoint(x, y))) if self._view is not None else None

    def tip_at(self, x: int, y: int) -> str:
        """All words of the card there, and where the reference has it."""
        spot = self.spot_at(x, y)
        return self._view.words_of(spot) if spot is not None and self._view is not None else ""

    # inside

    def _is_locked(self) -> bool:
        you = self._board.you if self._board is not None else None
        return you is None or you.locked

    def _is_dragging(self) -> bool:
        return self._view is not None and self._view.drag is not None

    def _end_drag(self) -> None:
        """The card is let go; where it stands is told by whoever shows the board."""
        view = self._view
        if view is None or view.drag is None:
            return
        begun, step, view.drag = view.drag.begun, view.drag.step, None
        self.viewport().unsetCursor()
        self._spot = self._spot_of(step, view.yours)
        if begun:
            self.order_previewed.emit(None)
        self.viewport().update()

    def _scroll_at_edge(self, y: int) -> None:
        bar = self.verticalScrollBar()
        if self._is_dragging() and not EDGE <= y <= self.viewport().height() - EDGE:
            bar.setValue(bar.value() + (-EDGE_STEP if y < EDGE else EDGE_STEP))

    def _in_content(self, at: QPoint) -> QPoint:
        return at + QPoint(0, self.verticalScrollBar().value())

    def _seen(self) -> QRect:
        """The part of the content that is in view."""
        return self.viewport().rect().translated(0, self.verticalScrollBar().value())

    def _order(self, row: int) -> tuple[str, ...]:
        return self._view.order(row) if self._view is not None else ()

    def _beside(self, by: int) -> BoardPosition:
        """The card below or above on another line of the same row, else the same step's card in the next row."""
        view, spot = self._view, self._spot
        if view is None:
            return spot
        place = spot.position + by * view.layout.per_line
        if spot.row == view.yours and 0 <= place < len(self._order(spot.row)):
            return BoardPosition(spot.row, place)
        step, row = self.focused(), spot.row + by
        while 0 <= row < len(self.lines):
            if step in self._order(row):
                return BoardPosition(row, self._order(row).index(step))
            row += by
        return spot

    def _go(self, spot: BoardPosition) -> None:
        if spot != self._spot and spot.position >= 0:
            self._put(spot)
            self.card_focused.emit(self.focused())

    def _put(self, spot: BoardPosition) -> None:
        self._spot = spot
        self._keep_in_view()
        self._describe()
        self.viewport().update()

    def _spot_of(self, step: str, row: int) -> BoardPosition:
        """The step's card in this row, else in the first that has it; without one the first card."""
        rows = [min(max(row, 0), len(self.lines) - 1), *range(len(self.lines))]
        found = next((one for one in rows if step in self._order(one)), None)
        if found is not None:
            return BoardPosition(found, self._order(found).index(step))
        view = self._view
        assert view is not None
        return BoardPosition(view.yours if view.yours >= 0 else self.lines.index(None), 0)

    def _arrange(self) -> None:
        board, drag = self._board, self._view.drag if self._view is not None else None
        if board is None:
            self._view = None
        else:
            fonts = OrderBoardFonts.of(self.font(), self._zoom)
            self._view = BoardView.of(board, self.viewport().width(), fonts, self._shown, self._pictures)
            keeps = drag is not None and board.you is not None and drag.step in board.you.order
            self._view.drag = drag if keeps and not self._is_locked() else None
        bar, room = self.verticalScrollBar(), self.viewport().height()
        bar.setPageStep(room)
        bar.setSingleStep(36)
        bar.setRange(0, max(0, (self._view.layout.height if self._view is not None else 0) - room))
        self._empty.setGeometry(self.viewport().rect())
        self._look()

    def _look(self) -> None:
        """Ask for the pictures that are in view."""
        self.viewport().update()
        if self._view is None or not self.isVisible() or self._view.shown == "text":
            return
        for row in range(len(self.lines)):
            for _position, step in self._view.seen(row, self._seen()):
                card = self._view.board.by_id.get(step)
                if card is not None and card.has_picture and step not in self._asked:
                    self._asked.add(step)
                    self.picture_wanted.emit(step)

    def _keep_in_view(self) -> None:
        if self._view is None or self._spot.row < 0:
            return
        place, seen, down = self.card_rect(self._spot.row, self._spot.position), self.viewport().rect(), 0
        if place.top() < 0:
            down = place.top() - 24
        elif place.bottom() > seen.bottom():
            down = min(place.bottom() - seen.bottom() + 24, place.top())
        self.verticalScrollBar().setValue(self.verticalScrollBar().value() + down)

    def _describe(self) -> None:
        """Words for screen readers: whose row, which card, where the reference has it."""
        words = ""
        if self._view is not None and self.focused():
            words = f"{self._view.whose(self._spot.row)}. {self._view.words_of(self._spot)}"
        self.setAccessibleDescription(words.replace("\n", " "))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._arrange()

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:
        self.viewport().update()

    def sizeHint(self) -> QSize:
        return QSize(760, 560)


def _is_plain(event: QKeyEvent) -> bool:
    return event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)


_OWN_KEYS = (
    Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End,
    Qt.Key.Key_Return, Qt.Key.Key_Enter,
)  # fmt: skip
