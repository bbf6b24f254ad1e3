"""A row of choices of which one holds."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QGridLayout, QSizePolicy, QWidget

from stepscope.widgets import theme
from stepscope.widgets.common.buttons import PaintedButton, paint_focus_ring
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import tip_words

HEIGHT = 26
RESTING = 0.55
"""How strong the words are that cannot be chosen."""


class _SegmentButton(PaintedButton):
    def __init__(self, words: str) -> None:
        super().__init__()
        self.setText(words)
        self.setCheckable(True)
        self.setAccessibleName(words)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(derived(self.font(), 12, weight=QFont.Weight.DemiBold))
        return QSize(metrics.horizontalAdvance(self.text()) + 20, max(HEIGHT - 4, metrics.height() + 4))

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.isChecked():
            painter.setPen(QPen(QColor(colours.line), 1))
            painter.setBrush(QColor(colours.raised))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
        weight = QFont.Weight.DemiBold if self.isChecked() else QFont.Weight.Normal
        painter.setFont(derived(self.font(), 12, weight=weight))
        lit = self.isChecked() or self.underMouse()
        ink = QColor(colours.text if lit else colours.secondary)
        if not self.isEnabled():
            ink = QColor(colours.dim)
            ink.setAlphaF(RESTING)
        painter.setPen(ink)
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
        if self.hasFocus():
            paint_focus_ring(painter, self.rect())
        painter.end()


class SegmentedControl(QWidget):
    """Choices side by side; `chosen` fires with the value when the person (not the program) takes another."""

    chosen = Signal(str)

    def __init__(self, choices: Sequence[tuple[str, str]], name: str, parent: QWidget | None = None) -> None:
        """`choices` are (value, words); `name` is the accessible name of the whole."""
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setToolTip(tip_words(name))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._values = [value for value, _words in choices]
        self._group = QButtonGroup(self)
        self._spread = False
        self._columns = len(choices)
        grid = self._grid = QGridLayout(self)
        grid.setContentsMargins(2, 2, 2, 2)
        grid.setSpacing(1)
        for place, (_value, words) in enumerate(choices):
            segment = _SegmentButton(words)
            self._group.addButton(segment, place)
            grid.addWidget(segment, 0, place)
        self._group.button(0).setChecked(True)
        self._group.idClicked.connect(lambda place: self.chosen.emit(self._values[place]))

    def value(self) -> str:
        return self._values[self._group.checkedId()]

    def set_value(self, value: str) -> None:
        """Show `value` as chosen without saying so; an unknown one is left aside."""
        if value in self._values:
            self._group.button(self._values.index(value)).setChecked(True)

    def focus_value(self) -> None:
        """Give the keyboard to the choice that holds."""
        self._group.button(self._group.checkedId()).setFocus(Qt.FocusReason.OtherFocusReason)

    def offer(self, values: Collection[str]) -> None:
        """Show only these of the choices, and the one that holds."""
        for place, value in enumerate(self._values):
            self._group.button(place).setVisible(value in values or place == self._group.checkedId())

    def spread(self) -> None:
        """Take as much width as there is room, its choices equally; in as few rows as they have room in."""
        self._spread = True
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._stretch()

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return QSize(self._widest() + 4, hint.height()) if self._spread else hint

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def event(self, event: QEvent) -> bool:
        """Lay out again for another text size."""
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._arrange()
        return done

    def _arrange(self) -> None:
        if not self._spread:
            return
        buttons = self._group.buttons()
        needed = sum(button.sizeHint().width() + 1 for button in buttons) + 4
        wanted = len(buttons)
        if needed > self.width():
            in_rows = [math.ceil(len(buttons) / rows) for rows in range(2, len(buttons) + 1)]
            fitting = (columns for columns in in_rows if columns * (self._widest() + 1) + 4 <= self.width())
            wanted = next(fitting, 1)
        if wanted != self._columns:
            self._columns = wanted
            for place, button in enumerate(buttons):
                self._grid.addWidget(button, place // wanted, place % wanted)
            self._stretch()

    def _stretch(self) -> None:
        for column in range(self._grid.columnCount()):
            self._grid.setColumnStretch(column, 1 if column < self._columns else 0)

    def _widest(self) -> int:
        return max(button.sizeHint().width() for button in self._group.buttons())

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colours.line), 1))
        painter.setBrush(QColor(colours.inset))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.end()
