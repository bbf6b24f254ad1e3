"""The lanes of a task: the recording's steps as columns, below them what was done with the whole goal, where a question
was due, and both streams; the first column stays while the steps scroll."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QSizePolicy, QToolTip, QWidget

from stepscope.widgets import icons, theme
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.common.run_glyph import paint_reference_glyph, paint_run_glyph
from stepscope.widgets.common.verdict import ShownVerdict
from stepscope.widgets.results.lanes.lane_painting import paint_ask_bubble
from stepscope.widgets.results.lanes.lane_values import DUE, LanesBar, LanesColumn, LanesLine, LanesSquare, LanesState

LABELS, LEAST_COLUMN = 162, 104
REFERENCE, LINE, THIN, FOOT = 92, 44, 36, 30
"""Heights, with text as it is at first, of the reference, of a lane, of that of due questions, and of the bars."""
GLYPH, SIGN = 14, 12
THUMB = QSize(34, 76)
OWN_KEYS = {
    Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown,
    Qt.Key.Key_Return, Qt.Key.Key_Enter,
}  # fmt: skip
_LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)


class LanesView(QAbstractScrollArea):
    """Left and Right go along the steps, Home and End to the first and the last, PgUp and PgDn to other tasks; Enter or
    a double click opens a step."""

    step_chosen = Signal(int)
    """a column became the current one"""
    step_opened = Signal(int)
    task_stepped = Signal(int)
    """1: the next task is wanted, -1: the previous"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Lanes")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.viewport().setMouseTracking(True)
        self._state: LanesState | None = None
        self._current = 0
        self._thumbs: dict[int, QPixmap] = {}
        self._fit()

    # what the owner tells

    def set_state(self, state: LanesState | None, current: int = 0) -> None:
        """Another task, or the same under another threshold; tells nobody. Pictures stay while the task does."""
        if state is None or self._state is None or state.episode != self._state.episode:
            self._thumbs.clear()
        self._state = state
        self._fit()
        self.choose(current)

    def set_thumbnail(self, column: int, image: QImage) -> None:
        """The small picture of a step."""
        self._thumbs[column] = QPixmap.fromImage(image)
        self.viewport().update()

    def choose(self, column: int) -> None:
        """Make a column current and bring it into view; tells nobody."""
        self._current = min(max(column, 0), max(self._count - 1, 0))
        spoken = self._state.spoken if self._state is not None else ()
        self.setAccessibleDescription(spoken[self._current] if self._current < len(spoken) else "")
        bar, place = self.horizontalScrollBar(), self._current * self.column_width
        room = self.viewport().width() - self.label_width
        if place < bar.value():
            bar.setValue(place)
        elif place + self.column_width > bar.value() + room:
            bar.setValue(place + self.column_width - room)
        self.viewport().update()

    @property
    def current(self) -> int:
        return self._current

    # places

    @property
    def scale(self) -> float:
        return max(1.0, QFontMetrics(derived(self.font(), 11)).height() / 14)

    @property
    def label_width(self) -> int:
        return round(LABELS * min(self.scale, 1.6))

    @property
    def column_width(self) -> int:
        """All columns share the room where they fit into it."""
        least = round(LEAST_COLUMN * self.scale)
        room = self.viewport().width() - self.label_width
        return max(least, room // self._count) if self._count else least

    def rows(self) -> list[tuple[str, int, int]]:
        """Key, top and height of the reference, the lanes, and the bars."""
        found, top = [("reference", 0, round(REFERENCE * self.scale))], round(REFERENCE * self.scale)
        for line in self._state.lines if self._state is not None else ():
            height = round((THIN if line.key == DUE else LINE) * self.scale)
            found.append((line.key, top, height))
            top += height
        if self._state is not None and self._state.bars:
            found.append(("bars", top, round(FOOT * self.scale)))
        return found

    def place_of(self, column: int, row: str) -> QRect:
        """Where a square stands in the viewport."""
        top, height = next((top, height) for key, top, height in self.rows() if key == row)
        left = self.label_width + column * self.column_width - self.horizontalScrollBar().value()
        return QRect(left, top, self.column_width, height)

    def column_at(self, place: QPoint) -> int:
        """The column there, -1 for none."""
        if place.x() < self.label_width:
            return -1
        column = (place.x() - self.label_width + self.horizontalScrollBar().value()) // self.column_width
        return column if 0 <= column < self._count else -1

    # Qt

    def sizeHint(self) -> QSize:
        return QSize(600, self.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and hasattr(self, "_thumbs"):
            self._fit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def event(self, event: QEvent) -> bool:
        """Its keys are its own here, whatever they do elsewhere."""
        if event.type() == QEvent.Type.ShortcutOverride and _is_own(event):
            event.accept()
            return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        last = self._count - 1
        goes = {
            Qt.Key.Key_Left: self._current - 1, Qt.Key.Key_Right: self._current + 1, Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }.get(Qt.Key(event.key()))  # fmt: skip
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if not plain or not self._count:
            event.ignore()
        elif goes is not None:
            self.go(goes)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.step_opened.emit(self._current)
        elif event.key() in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):  # else the page would scroll
            self.task_stepped.emit(1 if event.key() == Qt.Key.Key_PageDown else -1)
        else:
            event.ignore()

    def go(self, column: int) -> None:
        """Choose a column, as a person does."""
        if 0 <= column < self._count and column != self._current:
            self.choose(column)
            self.step_chosen.emit(column)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        column = self.column_at(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and column >= 0:
            self.choose(column)
            self.step_chosen.emit(column)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        column = self.column_at(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and column >= 0:
            self.go(column)
            self.step_opened.emit(column)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), tip_words(self.words_at(event.pos())), self)
            return True
        return bool(super().viewportEvent(event))

    def words_at(self, place: QPoint) -> str:
        """What a square says, whole."""
        column, state = self.column_at(place), self._state
        row = next((key for key, top, height in self.rows() if top <= place.y() < top + height), "")
        if state is None or column < 0:
            return ""
        line = next((one for one in state.lines if one.key == row), None)
        if line is not None:
            square = line.squares[column]
            return square.tip or square.words
        shown = state.columns[column]
        return f"{shown.word} {shown.detail}".strip() if row == "reference" else ""

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.current()
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), QColor(colours.panel))
        if self._state is None:
            painter.end()
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rows = self.rows()
        inside = QRect(self.label_width, 0, self.viewport().width() - self.label_width, self.viewport().height())
        painter.save()
        painter.setClipRect(inside)
        first = self.horizontalScrollBar().value() // self.column_width
        last = min(self._count, first + inside.width() // self.column_width + 2)
        for column in range(first, last):
            self._paint_column(painter, column, self._state, rows)
        self._paint_bars(painter, self._state)
        painter.restore()
        for _key, top, _height in rows[1:]:
            painter.fillRect(QRect(0, top, self.viewport().width(), 1), QColor(colours.line2))
        self._paint_labels(painter, self._state)
        if self.hasFocus():
            painter.setPen(QPen(QColor(colours.selection_line), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(self.viewport().rect()).adjusted(1, 1, -1, -1))
        painter.end()

    # inside

    @property
    def _count(self) -> int:
        return len(self._state.columns) if self._state is not None else 0

    def _fit(self) -> None:
        rows = self.rows()
        high = rows[-1][1] + rows[-1][2]
        bar, wide = self.horizontalScrollBar(), self._count * self.column_width
        room = max(1, self.viewport().width() - self.label_width)
        bar.setRange(0, max(0, wide - room))
        bar.setPageStep(room)
        bar.setSingleStep(self.column_width)
        self.setFixedHeight(high + (bar.sizeHint().height() if wide > room else 0))
        self.viewport().update()

    def _paint_column(
        self, painter: QPainter, column: int, state: LanesState, rows: list[tuple[str, int, int]]
    ) -> None:
        colours, place = theme.current(), self.place_of(column, "reference")
        if column == self._current:
            strip = QRect(place.left(), 0, place.width(), self.viewport().height())
            painter.fillRect(strip, QColor(colours.selection))
            painter.fillRect(QRect(strip.left(), 0, strip.width(), 2), QColor(colours.selection_line))
        painter.fillRect(QRect(place.left(), 0, 1, self.viewport().height()), QColor(colours.line2))
        self._paint_reference(painter, place, column, state.columns[column])
        for (_key, top, height), line in zip(rows[1:], state.lines, strict=False):
            inside = QRect(place.left(), top, place.width(), height)
            self._paint_square(painter, inside, line.squares[column], state.run)

    def _paint_reference(self, painter: QPainter, place: QRect, column: int, step: LanesColumn) -> None:
        colours, thumb = theme.current(), self._thumbs.get(column)
        left = place.left() + 8
        if thumb is not None and not thumb.isNull():
            size = thumb.size().scaled(THUMB * min(self.scale, 1.4), Qt.AspectRatioMode.KeepAspectRatio)
            box = QRectF(left, place.center().y() - size.height() / 2, size.width(), size.height())
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawPixmap(box, thumb, QRectF(thumb.rect()))
            left = round(box.right()) + 7
        else:
            left += THUMB.width() + 7
        width = place.right() - left - 4
        if width < 12:
            return
        line = round(18 * self.scale)
        top = place.center().y() - round(1.5 * line)
        self._text(painter, QRect(left, top, width, line), str(step.step + 1), colours.dim, 11)
        tint = colours.warn if step.is_due else colours.reference
        icons.icon(step.icon, tint).paint(painter, QRect(left, top + line + (line - SIGN) // 2, SIGN, SIGN))
        words = QRect(left + SIGN + 4, top + line, width - SIGN - 4, line)
        self._text(painter, words, step.word, tint, 12, QFont.Weight.Medium)
        self._text(painter, QRect(left, top + 2 * line, width, line), step.detail, colours.secondary, 12)

    def _paint_square(self, painter: QPainter, place: QRect, square: LanesSquare, run: int | None) -> None:
        colours = theme.current()
        if square.is_rescued:
            painter.fillRect(place.adjusted(1, 1, 0, 0), QColor(colours.hit_background))
        left, middle = place.left() + 8, place.center().y() + 0.5
        if square.ask:
            bubble = QRectF(left, middle - 8, 18, 16)
            paint_ask_bubble(painter, bubble, filled=square.ask != "due")
            left += 24
        elif square.verdict is not None:
            glyph = QRectF(left, middle - GLYPH / 2, GLYPH, GLYPH)
            filled = square.verdict is ShownVerdict.HIT
            paint_run_glyph(painter, glyph, 0 if run is None else run, filled=filled, letter=run is not None)
            left += GLYPH + 7
        right = place.right() - 6
        if square.verdict is ShownVerdict.MISS:
            cross = QRect(right - 11, round(middle) - 5, 10, 10)
            icons.icon("cross", colours.miss).paint(painter, cross)
            right -= 14
        ink = colours.warn if square.ask else colours.secondary if square.is_faint else colours.text
        words = QRect(left, place.top(), right - left, place.height())
        self._text(painter, words, square.words, ink, 12)

    def _paint_bars(self, painter: QPainter, state: LanesState) -> None:
        colours = theme.current()
        for bar in state.bars:
            first, last = self.place_of(bar.first, "bars"), self.place_of(bar.last, "bars")
            place = QRect(first.topLeft(), last.bottomRight())
            if not bar.is_rescue:
                self._text(painter, place.adjusted(8, 0, -4, 0), bar.words, colours.warn, 11)
                continue
            pill = QRectF(place).adjusted(2, 6, -2, -6)
            painter.setPen(QPen(QColor(colours.hit), 1.2))
            painter.setBrush(QColor(colours.hit_background))
            painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2)
            painter.setFont(derived(self.font(), 11))
            painter.setPen(QColor(colours.hit))
            words = _fitting(painter, bar, pill.width() - 12)
            painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, words)

    def _paint_labels(self, painter: QPainter, state: LanesState) -> None:
        colours, width = theme.current(), self.label_width
        painter.fillRect(QRect(0, 0, width, self.viewport().height()), QColor(colours.panel))
        for key, top, height in self.rows():
            place = QRect(0, top, width, height)
            if top:
                painter.fillRect(QRect(0, top, width, 1), QColor(colours.line2))
            if key == "reference":
                glyph = QRectF(14, place.center().y() - 12 * self.scale, 14, 14)
                paint_reference_glyph(painter, glyph)
                self._label(painter, place, "Reference", state.reference_note)
            elif key == "bars":
                check = QRect(15, place.center().y() - 5, SIGN, SIGN)
                icons.icon("check", colours.hit).paint(painter, check)
                self._text(painter, place.adjusted(36, 0, -4, 0), "Rescued by the ask", colours.hit, 12)
            else:
                self._paint_label(painter, place, next(one for one in state.lines if one.key == key), state.run)

    def _paint_label(self, painter: QPainter, place: QRect, line: LanesLine, run: int | None) -> None:
        middle = place.center().y() - (7 * self.scale if line.note else 0)
        if line.key == DUE:
            paint_ask_bubble(painter, QRectF(12, middle - 8, 18, 16), filled=False)
        else:
            glyph = QRectF(14, middle - GLYPH / 2, GLYPH, GLYPH)
            paint_run_glyph(painter, glyph, 0 if run is None else run, letter=run is not None)
        self._label(painter, place, line.title, line.note)

    def _label(self, painter: QPainter, place: QRect, title: str, note: str) -> None:
        colours, high = theme.current(), round(15 * self.scale)
        top = place.center().y() - (high if note else high // 2)
        room = QRect(36, top, self.label_width - 40, high)
        self._text(painter, room, title, colours.text, 12.5, QFont.Weight.Medium)
        if note:
            self._text(painter, room.translated(0, high), note, colours.dim, 11)

    def _text(
        self,
        painter: QPainter,
        place: QRect,
        words: str,
        ink: str,
        pixels: float,
        weight: QFont.Weight = QFont.Weight.Normal,
    ) -> None:
        """One line, cut where it does not fit."""
        if place.width() < 6 or not words:
            return
        painter.setFont(derived(self.font(), pixels, weight=weight))
        painter.setPen(QColor(ink))
        line = " ".join(words.split())
        cut = painter.fontMetrics().elidedText(straight(line), Qt.TextElideMode.ElideRight, place.width())
        if cut != "…":
            painter.drawText(place, _LEFT, cut)


def _is_own(event: QEvent) -> bool:
    if not isinstance(event, QKeyEvent):
        return False
    return event.key() in OWN_KEYS and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier


def _fitting(painter: QPainter, bar: LanesBar, width: float) -> str:
    """The bar's words, or their number alone."""
    metrics = painter.fontMetrics()
    return bar.words if metrics.horizontalAdvance(bar.words) <= width else bar.words.split(" ", 1)[0]
