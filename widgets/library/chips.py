"""Rounded words that can be pressed: conditions of the filter with a cross, saved filters with their count."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from stepscope.widgets import icons, theme
from stepscope.widgets.common.buttons import PaintedButton, name_button, paint_focus_ring
from stepscope.widgets.common.flow import FlowLayout
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.library.filter_words import Condition

PADDING = 8
CROSS = 10
HEIGHT = 22
REMOVE_KEYS = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)


class Chip(PaintedButton):
    """A pill; with `can_remove` it ends in a cross, and Delete does the same. `removed` says that it is to go."""

    removed = Signal()

    def __init__(self, words: str, name: str, *, filled: bool = False, can_remove: bool = False) -> None:
        super().__init__()
        self._filled, self._can_remove = filled, can_remove
        self.setText(words)
        name_button(self, name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(can_remove)

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self._font())
        width = metrics.horizontalAdvance(self.text()) + 2 * PADDING + (CROSS + 4 if self._can_remove else 0)
        return QSize(width + 1, max(HEIGHT, metrics.height() + 6))

    def cross(self) -> QRect:
        """Where the cross is, with some room around it; empty without one."""
        if not self._can_remove:
            return QRect()
        return QRect(self.width() - PADDING - CROSS - 2, 0, PADDING + CROSS + 2, self.height())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        if self.isDown() and self.cross().contains(at):
            self.setDown(False)
            self.removed.emit()
        else:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._can_remove and event.key() in REMOVE_KEYS:
            self.removed.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        lit = self.underMouse() and self.isEnabled()
        ground = colours.selection if self._filled else colours.hover if lit else colours.raised
        painter.setPen(Qt.PenStyle.NoPen if self._filled else QPen(QColor(colours.line), 1))
        painter.setBrush(QColor(ground))
        place = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(place, place.height() / 2, place.height() / 2)
        painter.setFont(self._font())
        painter.setPen(QColor(colours.text))
        inside = self.rect().adjusted(PADDING, 0, -PADDING - (CROSS + 4 if self._can_remove else 0), 0)
        words = painter.fontMetrics().elidedText(straight(self.text()), Qt.TextElideMode.ElideRight, inside.width() + 1)
        painter.drawText(inside, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), words)
        if self._can_remove:
            corner = QPoint(self.width() - PADDING - CROSS + 1, (self.height() - CROSS) // 2)
            colour = colours.text if lit else colours.secondary
            icons.icon("clear", colour).paint(painter, QRect(corner, QSize(CROSS, CROSS)))
        if self.hasFocus():
            paint_focus_ring(painter, self.rect())
        painter.end()

    def _font(self) -> QFont:
        return derived(self.font(), 11.5)


class ConditionRow(QWidget):
    """A chip for each condition of the filter, and one that adds another."""

    chosen = Signal(object)
    """a Condition: it is to be shown in the line"""
    removed = Signal(object)
    add_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Conditions of the filter")
        self._conditions: tuple[Condition, ...] = ()
        self._chips: list[Chip] = []
        self._add = Chip("+", "Add a condition")
        self._add.clicked.connect(self.add_wanted)
        self._room = QWidget()
        self._flow = FlowLayout(4, self._room)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self._room, 1)
        row.addWidget(self._add, 0, Qt.AlignmentFlag.AlignTop)
        self.set_conditions(())

    def set_conditions(self, conditions: Sequence[Condition]) -> None:
        """Show these, left to right; the keyboard stays where it was among them."""
        now = tuple(conditions)
        if now != self._conditions:
            focus = next((place for place, chip in enumerate(self._chips) if chip.hasFocus()), None)
            self._conditions = now
            self._renew()
            if focus is not None:
                (self._chips[min(focus, len(now) - 1)] if now else self._add).setFocus()
        self._add.setText("+" if now else "+  Add a condition")
        self._add.updateGeometry()

    def chips(self) -> tuple[Chip, ...]:
        return tuple(self._chips)

    def _renew(self) -> None:
        for chip in self._chips:
            self._flow.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self._chips = [self._chip(condition) for condition in self._conditions]
        for before, after in pairwise([*self._chips, self._add]):
            QWidget.setTabOrder(before, after)
        self._room.updateGeometry()

    def _chip(self, condition: Condition) -> Chip:
        chip = Chip(condition.words, f"Condition: {condition.words} (Delete removes it)", filled=True, can_remove=True)
        chip.clicked.connect(lambda: self.chosen.emit(condition))
        chip.removed.connect(lambda: self.removed.emit(condition))
        self._flow.addWidget(chip)
        chip.show()
        return chip
