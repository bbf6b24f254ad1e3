"""Steps side by side with a lane per run. Only what is visible is painted; the current step is kept in view.

The content's own x counts from the first column's left edge, wherever it is scrolled to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
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
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QSizePolicy, QToolTip, QWidget

from stepscope.widgets import format as formats
from stepscope.widgets.common.buttons import paint_focus_ring
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.common.run_glyph import run_letter
from stepscope.widgets.timeline import columns
from stepscope.widgets.timeline.cells import THUMB_HEIGHT, CellFonts, paint_column_ground, paint_film_cell, paint_loop
from stepscope.widgets.timeline.columns import ColumnEdges
from stepscope.widgets.timeline.lanes import LANE_HEIGHT, lane_tops, paint_labels, paint_lane, paint_whole
from stepscope.widgets.timeline.timeline_step import FoldedLane, Lane, TimelineStep, folded

MOST_LANES = 4
"""Of more runs than these, verdicts stand in one lane until somebody unfolds it."""
BAR = 12
"""Pixels that the scroll bar below takes."""
NO_LIMIT = 1 << 20
MOST_THUMBNAILS = 400
"""Pictures that are kept; of a longer episode those far away are asked for again when they come into view."""


class Filmstrip(QAbstractScrollArea):
    """`step_chosen` fires on click, drag (scrubbing) and arrow keys; `thumbnails_wanted` names the visible steps
    without a picture; steps of an earlier signal that this one lacks are no longer needed. `loop_changed`: a drag with
    Shift chose a range (first, last), or Esc took it away (None)."""

    step_chosen = Signal(int)
    loop_changed = Signal(object)
    fold_wished = Signal(bool)
    """the person has pressed the sign that folds the runs' lanes, or unfolds them"""
    thumbnails_wanted = Signal(list)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._steps: tuple[TimelineStep, ...] = ()
        self._lanes: tuple[Lane, ...] = ()
        self._rows: tuple[Lane | FoldedLane, ...] = ()
        """the lanes as they are shown"""
        self._fold_wish: bool | None = None
        self._most_height = NO_LIMIT
        self._thumbnails: dict[int, QPixmap] = {}
        self._asked: set[int] = set()
        self._signs: dict[int, tuple[str, ...]] = {}
        self._current, self._hovered = -1, -1
        self._columns, self._by_time = ColumnEdges(), False
        self._loop: tuple[int, int] | None = None
        self._grip = -1
        """where a drag with Shift began"""
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.MinimumExpanding)
        ground = QWidget()  # ours, not Qt's: PySide would look for its type among all widgets, 9 ms at the start
        ground.setMouseTracking(True)
        ground.setBackgroundRole(QPalette.ColorRole.Window)
        self.setViewport(ground)
        self.horizontalScrollBar().valueChanged.connect(lambda _value: self._ask_thumbnails())
        self._describe()

    def set_steps(self, steps: Sequence[TimelineStep]) -> None:
        self._steps = tuple(steps)
        self._thumbnails.clear()
        self._signs.clear()
        self._asked.clear()
        self._loop, self._grip = None, -1
        self._current = self._hovered = -1
        self.horizontalScrollBar().setValue(0)
        self._arrange()

    def set_lanes(self, lanes: Sequence[Lane]) -> None:
        self._lanes = tuple(lanes)
        self._arrange()

    def set_folded(self, wish: bool | None) -> None:
        """Fold the runs' lanes into one, or show each; None as it fits: at most MOST_LANES, and no more than there is
        room for."""
        self._fold_wish = wish
        self._arrange()

    def set_most_height(self, pixels: int) -> None:
        """Be no higher: lanes fold, and then scroll."""
        if pixels != self._most_height:
            self._most_height = pixels
            self._arrange()

    @property
    def is_folded(self) -> bool:
        return any(isinstance(row, FoldedLane) for row in self._rows)

    @property
    def can_fold(self) -> bool:
        """Whether there are lanes that fit into one row."""
        return folded(self._lanes) != self._lanes

    def set_signs(self, signs: Mapping[int, Sequence[str]]) -> None:
        """Names of icons by the step's place; other steps have none."""
        self._signs = {step: tuple(names) for step, names in signs.items()}
        self.viewport().update()

    def signs(self, step: int) -> tuple[str, ...]:
        return self._signs.get(step, ())

    def set_by_time(self, by_time: bool) -> None:
        """Columns as wide as their steps took instead of equally wide, where times were recorded."""
        if by_time != self._by_time:
            self._by_time = by_time
            self._arrange()

    def set_loop(self, loop: tuple[int, int] | None) -> None:
        """The first and the last step of the range that is played over and over; tells nobody."""
        if loop != self._loop:
            self._loop = loop
            self._describe()
            self.viewport().update()

    def loop(self) -> tuple[int, int] | None:
        return self._loop

    def set_thumbnail(self, step: int, image: QImage) -> None:
        """A step's picture at any size; a null image says that there is none."""
        if not 0 <= step < len(self._steps):
            return
        height = round(THUMB_HEIGHT * 2 * self.devicePixelRatioF())
        smooth = Qt.TransformationMode.SmoothTransformation
        fitted = image.scaledToHeight(height, smooth) if image.height() > height else image
        self._thumbnails[step] = QPixmap.fromImage(fitted)
        if len(self._thumbnails) > MOST_THUMBNAILS:
            del self._thumbnails[max(self._thumbnails, key=lambda other: abs(other - step))]
        self.viewport().update(self._column(step))

    def set_current(self, step: int) -> None:
        """Light the step and bring it into view; tells nobody."""
        if step == self._current:
            return
        before, self._current = self._current, step
        self._keep_in_view()
        self._describe()
        for changed in (before, step):
            if 0 <= changed < len(self._columns):
                self.viewport().update(self._column(changed))

    def current(self) -> int:
        return self._current

    def step_at(self, x: int) -> int:
        """The step under a place of the viewport, -1 where there is none."""
        fonts = CellFonts.of(self.font())
        if x < fonts.label_width:
            return -1
        return self._columns.at(x - fonts.label_width + self.horizontalScrollBar().value())

    def visible_steps(self) -> range:
        """Steps of which at least a part can be seen."""
        offset = self.horizontalScrollBar().value()
        return self._columns.between(offset, offset + self._room())

    def sizeHint(self) -> QSize:
        return QSize(640, self._wanted_height())

    def minimumSizeHint(self) -> QSize:
        return QSize(320, self._wanted_height())

    def _wanted_height(self) -> int:
        fonts = CellFonts.of(self.font())
        least = lane_tops(self._rows[:1], fonts)[-1]
        return max(min(self._content_height(), self._most_height - BAR), least) + BAR

    # painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        fonts = CellFonts.of(self.font())
        area = self.viewport().rect()
        beside = area.adjusted(fonts.label_width, 0, 0, 0) & event.rect()
        painter.setClipRect(beside)
        for step in self.visible_steps():
            if event.region().intersects(self._column(step)):
                self._paint_column(painter, step, fonts)
        if self._loop is not None:
            first, last = (self._column(step) for step in self._loop)
            paint_loop(painter, QRect(first.topLeft(), last.bottomRight()), fonts)
        painter.setClipRect(beside.intersected(area.adjusted(0, fonts.film_height, 0, 0)))
        for lane, top, bottom in self._places(fonts):
            if self._steps and isinstance(lane, Lane) and not lane.cells and not lane.curve:
                whole = QRect(fonts.label_width, top, area.width() - fonts.label_width, bottom - top)
                paint_whole(painter, whole, lane, fonts)
        painter.setClipRect(event.rect())
        labels = QRect(0, 0, fonts.label_width, area.height())
        if self._steps and event.rect().intersects(labels):
            paint_labels(painter, labels, self._rows, fonts, self.verticalScrollBar().value())
        if self.hasFocus():
            painter.setClipping(False)
            paint_focus_ring(painter, area)
        painter.end()

    def _paint_column(self, painter: QPainter, step: int, fonts: CellFonts) -> None:
        column = self._column(step)
        current = step == self._current
        paint_column_ground(painter, column, current=current, hovered=step == self._hovered)
        film = QRect(column.left(), column.top(), column.width(), fonts.film_height)
        thumbnail = self._thumbnails.get(step)
        paint_film_cell(painter, film, self._steps[step], thumbnail, fonts, current=current, signs=self.signs(step))
        told = current or step == self._hovered
        painter.save()
        painter.setClipRect(column.adjusted(0, fonts.film_height, 0, 0), Qt.ClipOperation.IntersectClip)
        for lane, top, bottom in self._places(fonts):
            place = QRect(column.left(), top, column.width(), bottom - top)
            paint_lane(painter, place, lane, step, fonts, told=told)
        painter.restore()

    def _places(self, fonts: CellFonts) -> list[tuple[Lane | FoldedLane, int, int]]:
        """Each row with its top and the top of the next."""
        scrolled = self.verticalScrollBar().value()
        tops = [top - scrolled for top in lane_tops(self._rows, fonts)]
        return list(zip(self._rows, tops, tops[1:], strict=False))

    # what the person does

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        step = self.step_at(event.position().toPoint().x())
        if self._is_fold_sign(event.position().toPoint()):
            self.fold_wished.emit(not self.is_folded)
        elif not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._choose(step)
        elif step >= 0:
            self._grip = step
            self.set_loop((step, step))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        step = self.step_at(event.position().toPoint().x())
        if event.buttons() & Qt.MouseButton.LeftButton:
            pulled = self._scrubbed(event.position().toPoint().x())
            if self._grip < 0:
                self._choose(pulled)
            else:
                self.set_loop((min(self._grip, pulled), max(self._grip, pulled)))
        if step != self._hovered:
            self._hovered = step
            self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A range of one step is none: a click with Shift takes the range away."""
        if event.button() == Qt.MouseButton.LeftButton and self._grip >= 0:
            self._grip = -1
            if self._loop is not None and self._loop[0] == self._loop[1]:
                self.set_loop(None)
            self.loop_changed.emit(self._loop)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hovered = -1
        self.viewport().update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The plain wheel scrolls sideways, over the names of runs up and down."""
        delta = event.angleDelta()
        over_names = event.position().x() < CellFonts.of(self.font()).label_width
        bar = self.verticalScrollBar() if over_names else self.horizontalScrollBar()
        bar.setValue(bar.value() - (delta.x() or delta.y()))
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        last = len(self._steps) - 1
        jump = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
        targets = {
            Qt.Key.Key_Right: min(last, self._current + jump),
            Qt.Key.Key_Left: max(0, self._current - jump),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        if last >= 0 and event.key() in targets:
            self._choose(targets[Qt.Key(event.key())])
        elif event.key() == Qt.Key.Key_Escape and self._loop is not None:
            self.set_loop(None)
            self.loop_changed.emit(None)
        else:
            super().keyPressEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            QToolTip.showText(
                event.globalPos(), tip_words(self.tip_at(event.pos().x(), event.pos().y())), self.viewport()
            )
            return True
        return super().viewportEvent(event)

    def tip_at(self, x: int, y: int) -> str:
        """What there is to say of the cell under a place of the viewport."""
        step, fonts = self.step_at(x), CellFonts.of(self.font())
        lane = next(
            (lane for lane, top, bottom in self._places(fonts) if max(top, fonts.film_height) <= y < bottom), None
        )
        if isinstance(lane, FoldedLane):
            names = "\n".join(f"{run_letter(one.run)} {one.name}" for one in lane.lanes)
            return lane.tell(step) if step >= 0 else f"{names}\nClick for a lane each"
        if step < 0:
            return "" if lane is None else ". ".join(filter(None, (lane.name, lane.words, lane.doubt)))
        if lane is not None:
            return lane.tell(step)
        shown = self._steps[step]
        return f"Step {step + 1}: {shown.word} {shown.detail}".strip() if y < fonts.film_height else ""

    # inside

    def _is_fold_sign(self, place: QPoint) -> bool:
        """Whether the name of the folded lanes is there."""
        fonts = CellFonts.of(self.font())
        rows = (row for row, top, bottom in self._places(fonts) if max(top, fonts.film_height) <= place.y() < bottom)
        return place.x() < fonts.label_width and isinstance(next(rows, None), FoldedLane)

    def _choose(self, step: int) -> None:
        if step < 0 or step == self._current:
            return
        self.set_current(step)
        self.step_chosen.emit(step)

    def _scrubbed(self, x: int) -> int:
        """The step at `x` while dragging; places outside the strip mean its ends."""
        left = CellFonts.of(self.font()).label_width
        inside = max(left, min(x, self.viewport().width() - 1))
        found = self.step_at(inside)
        return len(self._steps) - 1 if found < 0 else found

    def _room(self) -> int:
        """Width beside the labels."""
        return max(0, self.viewport().width() - CellFonts.of(self.font()).label_width)

    def _laid_out(self) -> ColumnEdges:
        """All steps fill the width if they fit; by time they need as much room together as equally wide ones."""
        fonts, many = CellFonts.of(self.font()), len(self._steps)
        width = max(fonts.cell_width, self._room() // max(1, many)) if many > 2 else fonts.cell_width * 2
        times = [step.time for step in self._steps]
        if not self._by_time or not columns.has_times(times):
            return columns.equal(many, width)
        return columns.by_time(columns.durations(times), many * width, fonts.narrowest)

    def _column(self, step: int) -> QRect:
        left = CellFonts.of(self.font()).label_width + self._columns.edges[step] - self.horizontalScrollBar().value()
        return QRect(left, 0, self._columns.width(step), self._content_height())

    def _content_height(self) -> int:
        fonts = CellFonts.of(self.font())
        return lane_tops(self._rows, fonts)[-1]

    def _fold(self) -> None:
        """Lay the lanes out in rows."""
        height = lane_tops(self._lanes, CellFonts.of(self.font()))[-1]
        fits = len(self._lanes) <= MOST_LANES and height + BAR <= self._most_height
        wanted = not fits if self._fold_wish is None else self._fold_wish
        self._rows = folded(self._lanes) if wanted else self._lanes

    def _arrange(self) -> None:
        self._fold()
        self.setMaximumHeight(self._wanted_height())
        room = max(1, self._room())
        self._columns = self._laid_out()
        bar = self.horizontalScrollBar()
        bar.setPageStep(room)
        bar.setSingleStep(CellFonts.of(self.font()).cell_width)
        bar.setRange(0, max(0, self._columns.total - room))
        down, height = self.verticalScrollBar(), self.viewport().height()
        down.setPageStep(max(1, height))
        down.setSingleStep(LANE_HEIGHT)
        down.setRange(0, max(0, self._content_height() - height))
        self.updateGeometry()
        self._keep_in_view()
        self._describe()
        self._ask_thumbnails()
        self.viewport().update()

    def _keep_in_view(self) -> None:
        if not 0 <= self._current < len(self._columns):
            return
        bar, start = self.horizontalScrollBar(), self._columns.edges[self._current]
        end = self._columns.edges[self._current + 1]
        if start < bar.value():
            bar.setValue(start)
        elif end > bar.value() + bar.pageStep():
            bar.setValue(end - bar.pageStep())

    def _ask_thumbnails(self) -> None:
        bare = {step for step in self.visible_steps() if step not in self._thumbnails}
        if bare - self._asked:
            self.thumbnails_wanted.emit(sorted(bare))
        self._asked = bare

    def _describe(self) -> None:
        """Words for screen readers: where one is and how each run did there."""
        parts = ["Timeline"]
        if 0 <= self._current < len(self._steps):
            step = self._steps[self._current]
            parts = [f"Step {self._current + 1} of {len(self._steps)}", f"Reference {step.word} {step.detail}".strip()]
            parts += [self._lane_words(lane) for lane in self._lanes]
            parts += [f"Loop steps {self._loop[0] + 1} to {self._loop[1] + 1}"] if self._loop else []
        self.setAccessibleName(". ".join(parts))

    def _lane_words(self, lane: Lane) -> str:
        run = f"Run {run_letter(lane.run)}"
        if lane.curve or not lane.cells:
            return f"{run} {lane.tell(self._current)}"
        cell = lane.cells[self._current] if self._current < len(lane.cells) else None
        words = "nothing" if cell is None else cell.verdict.value
        sure = "" if cell is None or cell.confidence is None else f" {formats.confidence(cell.confidence)}"
        asks = {"came": " asks", "due": " does not ask, though it was due"}.get(cell.ask if cell else "", "")
        return f"{run} {words}{sure}{asks}"

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Move the columns that stay in view, and paint those that come; what lies across all of them stays where it
        is."""
        across = self.hasFocus() or any(isinstance(lane, Lane) and not lane.cells for lane in self._rows)
        if dy or across:
            self.viewport().update()
        else:
            left = CellFonts.of(self.font()).label_width
            self.viewport().scroll(dx, 0, self.viewport().rect().adjusted(left, 0, 0, 0))
