"""The board: a row of cards for the reference order and one for each run, joined by lines.

A run's card that stands where the reference has it hangs on a straight grey line; one that was moved, on a curve in the
run's colour. The reference stands in the middle, between the runs; lines pass behind the cards of rows between.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
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
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from stepscope.widgets import theme
from stepscope.widgets.common import EmptyState
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.common.run_glyph import run_letter
from stepscope.widgets.ordering.ordering_rows import OrderBoardContent, OrderRow
from stepscope.widgets.ordering.painting import OrderBoardFonts, paint_card, paint_label, paint_line

NOTHING = ("results", "No procedure is shown", "Choose one in the list.")


@dataclass(frozen=True, slots=True)
class BoardPosition:
    """A card's place on the board: the row (of `OrderBoard.lines`) and the position in it."""

    row: int
    position: int


class OrderBoard(QAbstractScrollArea):
    """`card_focused(str)`: the step of the card that the arrows or a click came to; `card_opened(str)`: Enter or a
    double click; `picture_wanted(str)`: a visible card without its picture, answered by `set_picture`."""

    card_focused = Signal(str)
    card_opened = Signal(str)
    picture_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._board: OrderBoardContent | None = None
        self._pictures: dict[str, QPixmap] = {}
        self._asked: set[str] = set()
        self.lines: tuple[OrderRow | None, ...] = ()
        """rows from the top; None is the reference"""
        self._spot = BoardPosition(0, 0)
        self._fonts = OrderBoardFonts.of(self.font())
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Order of the steps")
        self.viewport().setBackgroundRole(QPalette.ColorRole.Window)
        self._empty = EmptyState(*NOTHING, parent=self.viewport())
        for bar in (self.horizontalScrollBar(), self.verticalScrollBar()):
            bar.valueChanged.connect(lambda _value: self._moved())

    # what is shown

    def set_board(self, board: OrderBoardContent | None) -> None:
        """Show another procedure, or other runs about the same one: pictures of its steps stay."""
        known = self._board
        if board is None or known is None or known.cards != board.cards:
            self._pictures.clear()
            self._asked.clear()
            self._spot = BoardPosition(-1, 0)
        focused = self.focused()
        self._board = board
        self.lines = self._in_order(board)
        self._empty.setVisible(board is None)
        if board is not None:
            self._spot = self._spot_of(focused) if focused else BoardPosition(self.lines.index(None), 0)
        self._arrange()

    def set_words(self, title: str, detail: str) -> None:
        """Set what stands there while there is no procedure."""
        self._empty.set_words(title, detail)

    def set_picture(self, step: str, image: QImage) -> None:
        """A step's small picture; a null image says that there is none."""
        self._pictures[step] = QPixmap.fromImage(image)
        self.viewport().update()

    def focused(self) -> str:
        """The step whose card has the ring, "" for none."""
        order = self._order(self._spot.row)
        return order[self._spot.position] if self._spot.position < len(order) else ""

    def focus_step(self, step: str) -> None:
        """Ring the step's card in the row that has the ring; tells nobody."""
        order = self._order(self._spot.row)
        if step in order:
            self._put(BoardPosition(self._spot.row, order.index(step)))

    def card_rect(self, row: int, position: int) -> QRect:
        """A card's place in the viewport."""
        fonts = self._fonts
        left = fonts.label_width + position * (self._card_width(fonts) + fonts.gap)
        top = fonts.margin + row * (fonts.card_height + fonts.drop)
        place = QRect(left, top, self._card_width(fonts), fonts.card_height)
        return place.translated(-self.horizontalScrollBar().value(), -self.verticalScrollBar().value())

    def is_moved(self, row: int, position: int) -> bool:
        """Whether the card stands elsewhere in the reference."""
        order = self._order(row)
        return self._board is not None and self._board.place_of.get(order[position]) != position

    # painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._board is None:
            return
        painter = QPainter(self.viewport())
        fonts = self._fonts
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        seen = self.viewport().rect()
        painter.fillRect(seen, QColor(theme.current().window))
        painter.setClipRect(seen.adjusted(fonts.label_width - fonts.gap, 0, 0, 0))
        for row in range(len(self.lines)):
            self._paint_lines(painter, row)
        for row in range(len(self.lines)):
            for position, _step in self._seen(self._order(row)):
                self._paint_card(painter, row, position, fonts)
        painter.setClipRect(seen)
        for row, line in enumerate(self.lines):
            first = self.card_rect(row, 0)
            label = QRect(0, first.top(), fonts.label_width - fonts.gap, first.height())
            note = self._board.note if line is None else line.note
            paint_label(painter, label, line, note, fonts)
        painter.end()

    def _paint_lines(self, painter: QPainter, row: int) -> None:
        """The lines from a run's cards to those of the reference."""
        line, board = self.lines[row], self._board
        if line is None or board is None:
            return
        middle = self.lines.index(None)
        drawn = {board.place_of[step]: position for position, step in self._seen(line.order) if step in board.place_of}
        drawn |= {there: line.order.index(step) for there, step in self._seen(board.reference) if step in line.order}
        for there, position in drawn.items():  # lines whose two ends are out of sight cost much and tell nothing
            here, other = self.card_rect(row, position), self.card_rect(middle, there)
            above = row < middle
            start = QPointF(here.center().x(), here.bottom() + 1 if above else here.top())
            end = QPointF(other.center().x(), other.top() if above else other.bottom() + 1)
            paint_line(painter, start, end, line.run if there != position else None)

    def _paint_card(self, painter: QPainter, row: int, position: int, fonts: OrderBoardFonts) -> None:
        board, line = self._board, self.lines[row]
        step = self._order(row)[position]
        if board is None:
            return
        card = board.by_id.get(step)
        paint_card(
            painter,
            self.card_rect(row, position),
            card.text if card else step,
            self._pictures.get(step) if card and card.has_picture else None,
            fonts,
            number=position + 1,
            run=line.run if line else None,
            moved=self.is_moved(row, position),
            ringed=self.hasFocus() and self._spot == BoardPosition(row, position),
            same=step == self.focused(),
            has_picture=card is not None and card.has_picture,
        )

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
        if self._board is None or event.modifiers() not in (_NONE, Qt.KeyboardModifier.KeypadModifier):
            super().keyPressEvent(event)
        elif event.key() in moves:
            self._go(moves[Qt.Key(event.key())])
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.focused():
            self.card_opened.emit(self.focused())
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        spot = self.spot_at(event.position().toPoint().x(), event.position().toPoint().y())
        if spot is not None and event.button() == Qt.MouseButton.LeftButton:
            self._go(spot)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()  # the click was taken when the button went down

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.spot_at(event.position().toPoint().x(), event.position().toPoint().y()) is not None:
            self.card_opened.emit(self.focused())

    def event(self, event: QEvent) -> bool:
        """The arrows belong to the cards while the board has the keyboard."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._board is not None:
            plain = event.modifiers() in (_NONE, Qt.KeyboardModifier.KeypadModifier)
            if plain and event.key() in _OWN_KEYS:
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
        for row in range(len(self.lines)):
            for position, _step in self._seen(self._order(row)):
                if self.card_rect(row, position).contains(x, y):
                    return BoardPosition(row, position)
        return None

    def tip_at(self, x: int, y: int) -> str:
        """All words of the card there, and where the reference has it."""
        spot = self.spot_at(x, y)
        return self._words_of(spot) if spot is not None else ""

    # inside

    def _words_of(self, spot: BoardPosition) -> str:
        if self._board is None:
            return ""
        step = self._order(spot.row)[spot.position]
        card, there = self._board.by_id.get(step), self._board.place_of.get(step)
        where = "" if there is None or there == spot.position else f"In the reference at place {there + 1}."
        return f"{spot.position + 1}. {card.text if card else step}\n{where}".strip()

    def _beside(self, by: int) -> BoardPosition:
        """The same step's card in the next row that has it."""
        step, row = self.focused(), self._spot.row + by
        while 0 <= row < len(self.lines):
            if step in self._order(row):
                return BoardPosition(row, self._order(row).index(step))
            row += by
        return self._spot

    def _go(self, spot: BoardPosition) -> None:
        if spot != self._spot and spot.position >= 0:
            self._put(spot)
            self.card_focused.emit(self.focused())

    def _put(self, spot: BoardPosition) -> None:
        self._spot = spot
        self._keep_in_view()
        self._describe()
        self.viewport().update()

    def _spot_of(self, step: str) -> BoardPosition:
        row = min(max(self._spot.row, 0), len(self.lines) - 1)
        if step not in self._order(row):
            row = self.lines.index(None)
        order = self._order(row)
        return BoardPosition(row, order.index(step) if step in order else 0)

    @staticmethod
    def _in_order(board: OrderBoardContent | None) -> tuple[OrderRow | None, ...]:
        """Rows from the top: the first half of the runs, the reference, the others."""
        if board is None:
            return ()
        above = (len(board.rows) + 1) // 2
        return (*board.rows[:above], None, *board.rows[above:])

    def _order(self, row: int) -> tuple[str, ...]:
        if self._board is None or not 0 <= row < len(self.lines):
            return ()
        line = self.lines[row]
        return self._board.reference if line is None else line.order

    def _longest(self) -> int:
        return max((len(self._order(row)) for row in range(len(self.lines))), default=0)

    def _seen(self, order: tuple[str, ...]) -> list[tuple[int, str]]:
        """The positions of an order that lie within the width of the viewport, and their steps."""
        pitch, offset = self._card_width(self._fonts) + self._fonts.gap, self.horizontalScrollBar().value()
        first = max(0, offset // pitch)
        last = max(0, offset + self.viewport().width() - self._fonts.label_width) // pitch
        return list(enumerate(order[first : last + 1], start=first))

    def _card_width(self, fonts: OrderBoardFonts) -> int:
        """All cards share the width if they are wide enough then."""
        count = max(1, self._longest())
        room = self.viewport().width() - fonts.label_width - fonts.margin
        return min(max(fonts.card_width, room // count - fonts.gap), 2 * fonts.card_width)

    def _arrange(self) -> None:
        fonts = self._fonts
        width = fonts.label_width + self._longest() * (self._card_width(fonts) + fonts.gap) + fonts.margin
        height = 2 * fonts.margin + len(self.lines) * (fonts.card_height + fonts.drop) - fonts.drop
        for bar, needed, room in (
            (self.horizontalScrollBar(), width, self.viewport().width()),
            (self.verticalScrollBar(), height, self.viewport().height()),
        ):
            bar.setPageStep(room)
            bar.setSingleStep(fonts.card_height // 2)
            bar.setRange(0, max(0, needed - room))
        self._empty.setGeometry(self.viewport().rect())
        self._describe()
        self._moved()

    def _moved(self) -> None:
        self._ask_pictures()
        self.viewport().update()

    def _ask_pictures(self) -> None:
        """Ask for the pictures that are in view."""
        if self._board is None or not self.isVisible():
            return
        seen = self.viewport().rect()
        for row in range(len(self.lines)):
            for position, step in self._seen(self._order(row)):
                card = self._board.by_id.get(step)
                if card is None or not card.has_picture or step in self._asked:
                    continue
                if self.card_rect(row, position).intersects(seen):
                    self._asked.add(step)
                    self.picture_wanted.emit(step)

    def _keep_in_view(self) -> None:
        fonts, place, seen = self._fonts, self._rect_of_spot(), self.viewport().rect()
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        if place.left() < fonts.label_width:
            across.setValue(across.value() + place.left() - fonts.label_width)
        elif place.right() > seen.right():
            across.setValue(across.value() + place.right() - seen.right() + fonts.gap)
        if place.top() < 0:
            down.setValue(down.value() + place.top() - fonts.margin)
        elif place.bottom() > seen.bottom():
            down.setValue(down.value() + place.bottom() - seen.bottom() + fonts.margin)

    def _rect_of_spot(self) -> QRect:
        return self.card_rect(self._spot.row, self._spot.position)

    def _describe(self) -> None:
        """Words for screen readers: whose row, which card, where the reference has it."""
        if self._board is None or not self.focused():
            self.setAccessibleDescription("")
            return
        line = self.lines[self._spot.row]
        whose = "Reference" if line is None else f"Run {run_letter(line.run)}"
        self.setAccessibleDescription(f"{whose}. {self._words_of(self._spot)}".replace("\n", " "))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fonts = OrderBoardFonts.of(self.font())
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


_NONE = Qt.KeyboardModifier.NoModifier
_OWN_KEYS = (
    Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End,
    Qt.Key.Key_Return, Qt.Key.Key_Enter,
)  # fmt: skip
