"""Widgets side by side, continued on the next line where there is no more room; and chips that can be taken away."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from stepscope.widgets import icons, theme
from stepscope.widgets.common.buttons import paint_focus_ring
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight, tip_words

SPACING = 8
CROSS = 12
SIDE = 8


class Flow(QWidget):
    """Parts in lines, as high as they need at the given width; none is wider than that."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._parts: list[QWidget] = []

    def set_parts(self, parts: Sequence[QWidget]) -> None:
        """These and no others, in this order; those of before are let go."""
        for old in self._parts:
            if old not in parts:
                old.hide()
                old.deleteLater()
        self._parts = list(parts)
        for part in parts:
            part.setParent(self)
            part.show()
        self.arrange()

    def arrange(self) -> None:
        """Put the parts that are not hidden in their places; call it after hiding one or changing its size."""
        left = top = line = 0
        for part in self._parts:
            if part.isHidden():
                continue
            hint = part.sizeHint()
            width = min(hint.width(), max(self.width(), 40))
            if left and left + width > self.width():
                left, top, line = 0, top + line + SPACING, 0
            part.setGeometry(left, top, width, hint.height())
            left, line = left + width + SPACING, max(line, hint.height())
        self.setFixedHeight(top + line)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.FontChange, QEvent.Type.StyleChange):
            result = super().event(event)
            self.arrange()
            return result
        return super().event(event)


class RemovableChip(QWidget):
    """Words with a cross; `removed` when the cross is pressed, or Delete, Backspace, Enter or Space."""

    removed = Signal()

    def __init__(self, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self.setAccessibleName(f"{words}, remove")
        self.setToolTip(tip_words(words))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(derived(self.font(), 11.5))
        width = metrics.horizontalAdvance(self._words) + 2 * SIDE + 6 + CROSS
        return QSize(width + 1, max(22, metrics.height() + 6))

    def cross(self) -> QRectF:
        """Where the cross stands, with room around it to press."""
        return QRectF(self.width() - SIDE - CROSS - 4, 0, SIDE + CROSS + 4, self.height())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.cross().contains(event.position()):
            self.removed.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        over = self.cross().contains(event.position())
        self.setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
        if event.key() in keys:
            self.removed.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.selection))
        radius = self.height() / 2
        painter.drawRoundedRect(QRectF(self.rect()), radius, radius)
        painter.setFont(derived(self.font(), 11.5))
        painter.setPen(QColor(colours.text))
        room = self.rect().adjusted(SIDE, 0, -SIDE - CROSS - 4, 0)
        words = painter.fontMetrics().elidedText(straight(self._words), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)
        cross = QRectF(self.width() - SIDE - CROSS, (self.height() - CROSS) / 2, CROSS, CROSS)
        icons.icon("clear").paint(painter, cross.toRect())
        if self.hasFocus():
            paint_focus_ring(painter, self.rect())
        painter.end()
