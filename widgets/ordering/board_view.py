"""What the board shows and where, and how it is painted: cards, the lines between rows, and the rows' labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from PySide6.QtCore import QPoint, QPointF, QRect
from PySide6.QtGui import QColor, QPainter, QPixmap

from stepscope.core.frozen import dataclass
from stepscope.widgets import theme
from stepscope.widgets.common.run_glyph import run_letter
from stepscope.widgets.ordering.board_layout import BoardLayout
from stepscope.widgets.ordering.card_drag import CardDrag
from stepscope.widgets.ordering.ordering_rows import BoardRow, OrderBoardContent, OrderRow, YourRow
from stepscope.widgets.ordering.painting import (
    CardLook,
    OrderBoardFonts,
    paint_card,
    paint_gap,
    paint_label,
    paint_line,
    paint_note,
)


@dataclass(frozen=True, slots=True)
class BoardPosition:
    """A card's place on the board: the row (of `OrderBoard.lines`) and the position in it."""

    row: int
    position: int


def rows_of(board: OrderBoardContent | None) -> tuple[BoardRow, ...]:
    """Rows from the top: the person's own, the first half of the runs, the reference, the others."""
    if board is None:
        return ()
    above = (len(board.rows) + 1) // 2
    others: tuple[BoardRow, ...] = (*board.rows[:above], None, *board.rows[above:]) if board.reference else ()
    return ((board.you,) if board.you is not None else ()) + others


@dataclass
class BoardView:
    """The content with its layout; `drag` is the card that is being dragged, `shown` "both", "text" or "picture"."""

    board: OrderBoardContent
    rows: tuple[BoardRow, ...]
    fonts: OrderBoardFonts
    layout: BoardLayout
    shown: str
    pictures: dict[str, QPixmap] = field(default_factory=dict)
    drag: CardDrag | None = None

    @classmethod
    def of(
        cls, board: OrderBoardContent, width: int, fonts: OrderBoardFonts, shown: str, pictures: dict[str, QPixmap]
    ) -> BoardView:
        rows = rows_of(board)
        shown = shown if any(card.has_picture for card in board.cards) else "text"
        yours = next((place for place, row in enumerate(rows) if isinstance(row, YourRow)), -1)
        counts = [len(board.reference if row is None else row.order) for row in rows]
        return cls(board, rows, fonts, BoardLayout(width, counts, yours, fonts.sizes(shown)), shown, pictures)

    @property
    def yours(self) -> int:
        """The number of the person's own row, -1 for none."""
        return 0 if self.rows and isinstance(self.rows[0], YourRow) else -1

    def order(self, row: int) -> tuple[str, ...]:
        """The steps of a row; of the person's own as they would stand if the dragged card were let go."""
        if not 0 <= row < len(self.rows):
            return ()
        line = self.rows[row]
        if line is None:
            return self.board.reference
        return self.drag.order(line.order) if self.drag is not None and isinstance(line, YourRow) else line.order

    def is_moved(self, row: int, position: int) -> bool:
        """Whether the card stands elsewhere in the reference."""
        return self.board.place_of.get(self.order(row)[position]) != position

    def seen(self, row: int, shown: QRect) -> list[tuple[int, str]]:
        """The positions of a row that lie in a part of the content, and their steps."""
        order = self.order(row)
        return [(position, order[position]) for position in self.layout.seen(row, shown.top(), shown.bottom())]

    def spot_at(self, at: QPoint) -> BoardPosition | None:
        """The card at a place of the content."""
        around = QRect(at.x(), at.y(), 1, 1)
        for row in range(len(self.rows)):
            for position, _step in self.seen(row, around):
                if self.layout.card(row, position).contains(at):
                    return BoardPosition(row, position)
        return None

    def words_of(self, spot: BoardPosition) -> str:
        """All words of a card, and where the reference has it."""
        step = self.order(spot.row)[spot.position]
        card, there = self.board.by_id.get(step), self.board.place_of.get(step)
        where = "" if there is None or there == spot.position else f"In the reference at place {there + 1}."
        return f"{spot.position + 1}. {card.text if card else step}\n{where}".strip()

    def whose(self, row: int) -> str:
        """Whose row it is, in words."""
        line = self.rows[row]
        if line is None:
            return "Reference"
        return "You" if isinstance(line, YourRow) else f"Run {run_letter(line.run)}"

    # Painting --------------------------------------------------------------------------------------------------------

    def paint(self, painter: QPainter, shown: QRect, ring: BoardPosition, focused: str) -> None:
        """Paint a part of the content; `ring` is the card with the keyboard, (-1, 0) for none, `focused` its step."""
        painter.fillRect(shown, QColor(theme.current().window))
        for row in range(len(self.rows)):
            self._paint_lines(painter, row, shown)
        for row in range(len(self.rows)):
            for position, step in self.seen(row, shown):
                if self._is_dragged(step, row):
                    paint_gap(painter, self.layout.card(row, position))
                else:
                    self._paint_one(painter, self.layout.card(row, position), row, position, ring, focused)
            self._paint_labels(painter, row, shown)
        self._paint_dragged(painter)

    def _paint_labels(self, painter: QPainter, row: int, shown: QRect) -> None:
        line = self.rows[row]
        note = self.board.note if line is None else line.note
        for number in self.layout.seen_lines(row, shown.top(), shown.bottom()):
            place = self.layout.label(row, number)
            if number == 0 or not isinstance(line, YourRow):
                paint_label(painter, place, line, note, self.fonts, above=self.layout.labels_above)
            if isinstance(line, OrderRow) and not line.order:
                left = self.layout.left + 12
                top = self.layout.top(row, number)
                paint_note(painter, QRect(left, top, 560, self.layout.row_height(row)), line, self.fonts)

    def _paint_lines(self, painter: QPainter, row: int, shown: QRect) -> None:
        """The lines from a run's cards to those of the reference."""
        line = self.rows[row]
        if not isinstance(line, OrderRow):
            return
        middle = self.rows.index(None)
        for position, there in self._joined(line, row, middle, shown):
            here, other = self.layout.card(row, position), self.layout.card(middle, there)
            down = here.top() < other.top()
            start = QPointF(here.center().x(), here.bottom() + 1 if down else here.top())
            end = QPointF(other.center().x(), other.top() if down else other.bottom() + 1)
            paint_line(painter, start, end, line.run if there != position else None)

    def _joined(self, line: OrderRow, row: int, middle: int, shown: QRect) -> Iterator[tuple[int, int]]:
        """Positions of the same step in a run's row and in the reference; lines whose two ends are out of sight cost
        much and tell nothing."""
        place_of = self.board.place_of
        drawn = {position: place_of[step] for position, step in self.seen(row, shown) if step in place_of}
        own = {step: position for position, step in enumerate(line.order)}
        drawn |= {own[step]: there for there, step in self.seen(middle, shown) if step in own}
        yield from drawn.items()

    def _is_dragged(self, step: str, row: int) -> bool:
        drag = self.drag
        return drag is not None and drag.begun and row == self.yours and drag.step == step

    def _paint_dragged(self, painter: QPainter) -> None:
        drag = self.drag
        if drag is None or not drag.begun:
            return
        place = self.layout.card(self.yours, drag.target)
        place.moveTopLeft(drag.at - drag.grip)
        painter.save()
        painter.translate(place.center())
        painter.rotate(-1.8)
        painter.translate(-place.center())
        self._paint_one(painter, place, self.yours, drag.target, BoardPosition(self.yours, drag.target), drag.step)
        painter.restore()

    def _paint_one(
        self, painter: QPainter, place: QRect, row: int, position: int, ring: BoardPosition, focused: str
    ) -> None:
        line, step = self.rows[row], self.order(row)[position]
        card = self.board.by_id.get(step)
        look = CardLook(
            number=position + 1,
            text=card.text if card else step,
            letter=card.letter if card else "",
            picture=self.pictures.get(step) if card and card.has_picture else None,
            has_picture=card is not None and card.has_picture,
            shown=self.shown,
            run=line.run if isinstance(line, OrderRow) else None,
            moved=isinstance(line, OrderRow) and self.is_moved(row, position),
            ringed=ring == BoardPosition(row, position),
            same=step == focused,
            yours=isinstance(line, YourRow),
            locked=isinstance(line, YourRow) and line.locked,
        )
        paint_card(painter, place, look, self.fonts)
