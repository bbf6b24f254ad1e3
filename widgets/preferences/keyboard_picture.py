"""A keyboard (US layout) that shows which keys are taken, which are free, and which are wanted twice."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from stepscope.core.frozen import dataclass
from stepscope.widgets import theme
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight, tip_words

ROWS = (("`1234567890-=", 0.0), ("QWERTYUIOP[]", 0.5), ("ASDFGHJKL;'", 0.8), ("ZXCVBNM,./", 1.3))
"""The keys of each row, and how many keys' widths it is moved to the right."""
GAP, KEY_WIDTH, KEY_HEIGHT = 4, 52, 34


class KeyState(StrEnum):
    """What a key of the picture is."""

    FREE = "free"
    TAKEN = "taken"
    CHANGED = "changed"
    CLASH = "clash"


@dataclass(frozen=True, slots=True)
class KeyCap:
    """A key that does something: all commands in words, the first one stands on it."""

    words: tuple[str, ...]
    state: KeyState


class KeyboardPicture(QWidget):
    """`pressed(key)` tells which key ("Q") was clicked."""

    pressed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._caps: Mapping[str, KeyCap] = {}
        self.setMouseTracking(True)
        self.setAccessibleName("Keys that are taken")
        theme.notifier().changed.connect(self.update)

    def set_caps(self, caps: Mapping[str, KeyCap]) -> None:
        """By key, as it stands on the keyboard; those that are missing are free."""
        self._caps = caps
        free = [key for row, _moved in ROWS for key in row if key not in caps]
        self.setAccessibleDescription(f"Free: {' '.join(free)}" if free else "None is free")
        self.update()

    def free(self) -> list[str]:
        """Keys that do nothing."""
        return [key for row, _moved in ROWS for key in row if key not in self._caps]

    def sizeHint(self) -> QSize:
        width = round(max(len(row) + moved for row, moved in ROWS) * (KEY_WIDTH + GAP))
        return QSize(width, len(ROWS) * (self._height() + GAP))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for key, place in self._places():
            self._paint_key(painter, key, place)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        key = self._key_at(event.position())
        if key and event.button() == Qt.MouseButton.LeftButton:
            self.pressed.emit(key)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            cap = self._caps.get(self._key_at(QPointF(event.pos())))
            QToolTip.showText(event.globalPos(), tip_words("\n".join(cap.words)) if cap else "", self)
            return True
        return super().event(event)

    def _height(self) -> int:
        return max(KEY_HEIGHT, 2 * self.fontMetrics().height())

    def _places(self) -> list[tuple[str, QRectF]]:
        height = self._height()
        return [
            (key, QRectF((moved + column) * (KEY_WIDTH + GAP), line * (height + GAP), KEY_WIDTH, height))
            for line, (row, moved) in enumerate(ROWS)
            for column, key in enumerate(row)
        ]

    def _key_at(self, point: QPointF) -> str:
        return next((key for key, place in self._places() if place.contains(point)), "")

    def _paint_key(self, painter: QPainter, key: str, place: QRectF) -> None:
        colours, cap = theme.current(), self._caps.get(key)
        edge, ground, ink = {
            KeyState.FREE: (colours.line, None, colours.dim),
            KeyState.TAKEN: (colours.line2, colours.raised, colours.text),
            KeyState.CHANGED: (colours.accent, colours.selection, colours.text),
            KeyState.CLASH: (colours.warn, colours.warn_background, colours.text),
        }[cap.state if cap else KeyState.FREE]
        style = Qt.PenStyle.SolidLine if cap else Qt.PenStyle.DashLine
        painter.setPen(QPen(QColor(edge), 1, style))
        painter.setBrush(QColor(ground) if ground else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        inside = place.adjusted(6, 2, -4, -2)
        painter.setPen(QColor(ink))
        painter.setFont(derived(self.font(), 11))
        painter.drawText(inside, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft, key)
        if cap:
            painter.setPen(QColor(colours.secondary))
            painter.setFont(derived(self.font(), 9.5))
            words = painter.fontMetrics().elidedText(
                straight(cap.words[0]), Qt.TextElideMode.ElideRight, int(inside.width())
            )
            painter.drawText(inside, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft, words)
