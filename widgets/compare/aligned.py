"""Reference and runs as lanes of actions in words, one column a step. Only what is visible is painted."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QSizePolicy, QToolTip, QVBoxLayout, QWidget

from stepscope.widgets import icons, theme
from stepscope.widgets.common import PanelHeader, paint_reference_glyph, paint_run_glyph, run_letter
from stepscope.widgets.common.buttons import paint_focus_ring
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.item_painting import paint_cut
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.common.run_name import cut_run_name
from stepscope.widgets.compare.difference_items import paint_run_verdict, verdict_words
from stepscope.widgets.compare.run_comparison import AlignedCell, AlignedLane, AlignedStep

ROW, LABEL_WIDTH, CELL_WIDTH = 26, 132, 148
GLYPH, SIDE = 12, 10
LEGEND = "filled: right, crossed: wrong"


class AlignedPanel(QWidget):
    """A dock's contents: header and lanes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.lanes = AlignedLanes()
        self._header = PanelHeader("Aligned by step")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._header)
        column.addWidget(self.lanes, 1)

    def set_lanes(self, steps: Sequence[AlignedStep], lanes: Sequence[AlignedLane], note: str = "") -> None:
        """`note` says what the lanes lack."""
        self._header.set_detail(" · ".join(filter(None, (LEGEND if lanes else "", note))))
        self.lanes.set_lanes(steps, lanes)

    def note(self) -> str:
        return self._header.detail()


class AlignedLanes(QAbstractScrollArea):
    """`step_chosen` fires on a click and on arrow keys."""

    step_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._steps: tuple[AlignedStep, ...] = ()
        self._lanes: tuple[AlignedLane, ...] = ()
        self._current = self._hovered = -1
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.viewport().setMouseTracking(True)
        theme.notifier().changed.connect(self.viewport().update)
        self._describe()

    def set_lanes(self, steps: Sequence[AlignedStep], lanes: Sequence[AlignedLane]) -> None:
        """The columns' reference, and the lanes below it; the current step stays where there still is one."""
        self._steps, self._lanes = tuple(steps), tuple(lanes)
        self._hovered = -1
        self._arrange()

    def set_current(self, step: int) -> None:
        """Light the step and bring it into view; tells nobody."""
        if step != self._current:
            self._current = step
            self._keep_in_view()
            self._describe()
            self.viewport().update()

    def current(self) -> int:
        return self._current

    def cell_at(self, x: int, y: int) -> tuple[int, int]:
        """Step and row (0 is the reference) under a place of the viewport, -1 where there is none."""
        row = (y + self.verticalScrollBar().value()) // self._row()
        row = row if 0 <= row <= len(self._lanes) else -1
        if x < self._label_width():
            return -1, row
        step = (x - self._label_width() + self.horizontalScrollBar().value()) // self._pitch()
        return (step if 0 <= step < len(self._steps) else -1), row

    def place_of(self, step: int, row: int) -> QRect:
        """Where a cell stands in the viewport."""
        left = self._label_width() + step * self._pitch() - self.horizontalScrollBar().value()
        return QRect(left, row * self._row() - self.verticalScrollBar().value(), self._pitch(), self._row())

    def tell(self, step: int, row: int) -> str:
        """A cell in words."""
        if row == 0:
            return f"Step {step + 1}: reference {self._steps[step].words}"
        lane = self._lanes[row - 1]
        cell = lane.cells[step] if step < len(lane.cells) else None
        said = f"Step {step + 1}: run {run_letter(lane.run)} "
        if cell is None:
            return said + (f"says of the whole episode: {lane.words}" if lane.words else "has nothing here")
        return " ".join(filter(None, (f"{said}{cell.words}, {verdict_words(cell.verdict)}.", cell.why)))

    def sizeHint(self) -> QSize:
        return QSize(640, self._content_height())

    def minimumSizeHint(self) -> QSize:
        return QSize(320, min(3, len(self._lanes) + 1) * self._row())

    # painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), QColor(theme.current().panel))
        width, height = self.viewport().width(), self.viewport().height()
        painter.setClipRect(QRect(self._label_width(), 0, width, height))
        for step in self._visible():
            self._paint_column(painter, step)
        for row, lane in enumerate(self._lanes, 1):
            if lane.words and not lane.cells:
                self._paint_whole(painter, self.place_of(0, row), lane)
        painter.setClipRect(self.viewport().rect())
        if self._steps:
            self._paint_labels(painter)
        if self.hasFocus():
            paint_focus_ring(painter, self.viewport().rect())
        painter.end()

    def _paint_column(self, painter: QPainter, step: int) -> None:
        colours = theme.current()
        column = self.place_of(step, 0)
        column.setHeight(self._content_height())
        if step == self._current:
            painter.fillRect(column, QColor(colours.selection))
        elif step == self._hovered:
            painter.fillRect(column, QColor(colours.hover))
        painter.fillRect(QRect(column.left(), column.top(), 1, column.height()), QColor(colours.line2))
        for row in range(len(self._lanes) + 1):
            place = self.place_of(step, row)
            painter.fillRect(QRect(place.left(), place.bottom(), place.width(), 1), QColor(colours.line2))
            inside = place.adjusted(SIDE, 0, -6, 0)
            if row == 0:
                self._paint_reference(painter, inside, self._steps[step])
            elif step < len(self._lanes[row - 1].cells):
                lane = self._lanes[row - 1]
                self._paint_cell(painter, inside, lane.run, lane.cells[step])

    def _paint_reference(self, painter: QPainter, inside: QRect, step: AlignedStep) -> None:
        colours = theme.current()
        mark = QRect(inside.left(), inside.center().y() - 6, 13, 13)
        icons.icon(step.icon, colours.reference).paint(painter, mark)
        paint_cut(painter, inside.adjusted(20, 0, 0, 0), step.words, self._font(), colours.reference)

    def _paint_cell(self, painter: QPainter, inside: QRect, run: int, cell: AlignedCell | None) -> None:
        colours = theme.current()
        if cell is None:
            paint_cut(painter, inside, "–", self._font(), colours.dim)
            return
        painter.setFont(self._font())
        glyph = QRectF(inside.left(), inside.center().y() - GLYPH / 2 + 0.5, GLYPH, GLYPH)
        paint_run_verdict(painter, glyph, run, cell.verdict)
        paint_cut(painter, inside.adjusted(20, 0, 0, 0), cell.words, self._font(), colours.secondary)

    def _paint_whole(self, painter: QPainter, first: QRect, lane: AlignedLane) -> None:
        inside = QRect(self._label_width() + SIDE, first.top(), self.viewport().width(), first.height())
        if lane.verdict is not None:
            glyph = QRectF(inside.left(), inside.center().y() - GLYPH / 2 + 0.5, GLYPH, GLYPH)
            paint_run_verdict(painter, glyph, lane.run, lane.verdict)
        room = self.viewport().width() - inside.left() - 26
        place = QRect(inside.left() + 20, inside.top(), room, inside.height())
        paint_cut(painter, place, lane.words, self._font(), theme.current().secondary)

    def _paint_labels(self, painter: QPainter) -> None:
        """The column at the left that stays while the steps scroll."""
        colours, width = theme.current(), self._label_width()
        painter.fillRect(QRect(0, 0, width, self.viewport().height()), QColor(colours.panel))
        for row in range(len(self._lanes) + 1):
            top = row * self._row() - self.verticalScrollBar().value()
            painter.fillRect(QRect(0, top + self._row() - 1, width, 1), QColor(colours.line2))
            glyph = QRectF(12, top + (self._row() - 15) / 2, 15, 15)
            if row == 0:
                paint_reference_glyph(painter, glyph)
                name = "Reference"
            else:
                paint_run_glyph(painter, glyph, self._lanes[row - 1].run, letter=True)
                name = cut_run_name(QFontMetrics(self._font()), self._lanes[row - 1].name, width - 42)
            paint_cut(painter, QRect(36, top, width - 42, self._row()), name, self._font(), colours.text)

    # what the person does

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = event.position().toPoint()
        if event.button() == Qt.MouseButton.LeftButton:
            self._choose(self.cell_at(place.x(), place.y())[0])

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position().toPoint()
        self._hover(self.cell_at(place.x(), place.y())[0])

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(-1)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll sideways by the plain wheel where all lanes are seen."""
        if self.verticalScrollBar().maximum():
            super().wheelEvent(event)
            return
        delta, bar = event.angleDelta(), self.horizontalScrollBar()
        bar.setValue(bar.value() - (delta.x() or delta.y()))
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        last = len(self._steps) - 1
        targets = {
            Qt.Key.Key_Right: min(last, self._current + 1),
            Qt.Key.Key_Left: max(0, self._current - 1),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        if last >= 0 and event.key() in targets and not event.modifiers():
            self._choose(targets[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            step, row = self.cell_at(event.pos().x(), event.pos().y())
            QToolTip.showText(
                event.globalPos(), tip_words(self.tell(step, row) if step >= 0 and row >= 0 else ""), self
            )
            return True
        return super().viewportEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._arrange()

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:
        self.viewport().update()

    # inside

    def _choose(self, step: int) -> None:
        if step >= 0 and step != self._current:
            self.set_current(step)
            self.step_chosen.emit(step)

    def _hover(self, step: int) -> None:
        if step != self._hovered:
            self._hovered = step
            self.viewport().update()

    def _font(self) -> QFont:
        return derived(self.font(), 12)

    def _scale(self) -> float:
        return max(1.0, QFontMetrics(self._font()).height() / 15)

    def _row(self) -> int:
        return round(ROW * self._scale())

    def _label_width(self) -> int:
        return round(LABEL_WIDTH * self._scale())

    def _pitch(self) -> int:
        """Width of a column: all steps fill the width if they fit."""
        least = round(CELL_WIDTH * self._scale())
        room = self.viewport().width() - self._label_width()
        return max(least, room // max(1, len(self._steps))) if len(self._steps) > 2 else 2 * least

    def _content_height(self) -> int:
        return (len(self._lanes) + 1) * self._row() if self._steps else 0

    def _visible(self) -> range:
        pitch, offset = self._pitch(), self.horizontalScrollBar().value()
        room = max(0, self.viewport().width() - self._label_width())
        return range(min(len(self._steps), offset // pitch), min(len(self._steps), -(-(offset + room) // pitch)))

    def _arrange(self) -> None:
        room = max(1, self.viewport().width() - self._label_width())
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        across.setPageStep(room)
        across.setSingleStep(self._pitch())
        across.setRange(0, max(0, len(self._steps) * self._pitch() - room))
        down.setPageStep(self.viewport().height())
        down.setSingleStep(self._row())
        down.setRange(0, max(0, self._content_height() - self.viewport().height()))
        self._keep_in_view()
        self._describe()
        self.viewport().update()

    def _keep_in_view(self) -> None:
        if self._current < 0:
            return
        bar, pitch = self.horizontalScrollBar(), self._pitch()
        start = self._current * pitch
        if start < bar.value():
            bar.setValue(start)
        elif start + pitch > bar.value() + bar.pageStep():
            bar.setValue(start + pitch - bar.pageStep())

    def _describe(self) -> None:
        """Words for screen readers: what reference and runs do at the current step."""
        parts = ["Aligned by step"]
        if 0 <= self._current < len(self._steps):
            parts = [self.tell(self._current, row) for row in range(len(self._lanes) + 1)]
        self.setAccessibleName(". ".join(parts))
