"""The choice of the answers in the page: the person's, a run's, or those of the data's people."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QSizePolicy, QWidget

from stepscope.widgets import theme
from stepscope.widgets.common.buttons import PaintedButton, paint_focus_ring
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.common.run_glyph import paint_run_glyph
from stepscope.widgets.common.run_name import cut_run_name
from stepscope.widgets.common.segmented import HEIGHT
from stepscope.widgets.webtask.page_fields import PERSON, Runner

_GLYPH, _GAP, _SIDE = 15, 6, 9
_LONGEST_NAME = 120
"""Pixels of a run's name that are shown, at the usual text size; its tooltip has all of it."""


class _RunnerButton(PaintedButton):
    """One of them: a run by its glyph and name, the others by their word."""

    def __init__(self, runner: Runner, parent: QWidget) -> None:
        super().__init__(parent)
        self.runner = runner
        self._compact = False
        self.setCheckable(True)
        self.setAccessibleName(runner.spoken)
        self.setToolTip(tip_words(f"Answers: {runner.spoken}"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_compact(self, compact: bool) -> None:
        if compact != self._compact and self.runner.run is not None:
            self._compact = compact
            self.updateGeometry()
            self.update()

    def width_for(self, *, compact: bool) -> int:
        run = self.runner.run
        sign = 0 if run is None else _GLYPH
        if run is not None and compact:
            return 2 * _SIDE + sign
        words = QFontMetrics(self._font(bold=True)).horizontalAdvance(self._words())
        return 2 * _SIDE + sign + (_GAP if sign else 0) + words + 2

    def sizeHint(self) -> QSize:
        height = max(HEIGHT - 4, QFontMetrics(self._font(bold=True)).height() + 4)
        return QSize(self.width_for(compact=self._compact), height)

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours, chosen = theme.current(), self.isChecked()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if chosen:
            painter.setPen(QPen(QColor(colours.line), 1))
            painter.setBrush(QColor(colours.raised))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
        left = _SIDE
        if self.runner.run is not None:
            place = QRectF(left, (self.height() - _GLYPH) / 2, _GLYPH, _GLYPH)
            paint_run_glyph(painter, place, self.runner.run, letter=True)
            left += _GLYPH + _GAP
        if not (self._compact and self.runner.run is not None):
            painter.setFont(self._font(bold=chosen))
            painter.setPen(QColor(colours.text if chosen or self.underMouse() else colours.secondary))
            rest = self.rect().adjusted(left, 0, 1 - _SIDE, 0)
            painter.drawText(rest, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self._words())
        if self.hasFocus():
            paint_focus_ring(painter, self.rect())
        painter.end()

    def _font(self, *, bold: bool) -> QFont:
        return derived(self.font(), 12, weight=QFont.Weight.DemiBold if bold else QFont.Weight.Normal)

    def _words(self) -> str:
        metrics = QFontMetrics(self._font(bold=True))
        longest = round(_LONGEST_NAME * metrics.height() / QFontMetrics(derived(QFont(), 12)).height())
        return cut_run_name(metrics, self.runner.name, longest)


class AnswerSourceRow(QWidget):
    """`chosen(str)`: the key of the one that the person (not the program) takes. Arrows go on to the next one."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Whose answers")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._runners: tuple[Runner, ...] = ()
        self._buttons: list[_RunnerButton] = []
        self._group = QButtonGroup(self)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(2, 2, 2, 2)
        self._row.setSpacing(1)
        self._compact = False
        self.set_runners((PERSON,), PERSON.key)

    def set_runners(self, runners: Sequence[Runner], current: str) -> None:
        """The runners to choose from, in this order, and the current one's key. Emits nothing."""
        if tuple(runners) != self._runners:
            self._runners = tuple(runners)
            self._rebuild()
        for button in self._buttons:
            if button.runner.key == current:
                button.setChecked(True)

    def _rebuild(self) -> None:
        had_focus = any(button.hasFocus() for button in self._buttons)
        for button in self._buttons:
            self._group.removeButton(button)
            self._row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._buttons = [_RunnerButton(runner, self) for runner in self._runners]
        for button in self._buttons:
            button.set_compact(self._compact)
            button.clicked.connect(lambda _checked=False, key=button.runner.key: self.chosen.emit(key))
            self._group.addButton(button)
            self._row.addWidget(button)
            button.show()
        if had_focus and self._buttons:
            self._buttons[0].setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def current(self) -> Runner | None:
        return next((button.runner for button in self._buttons if button.isChecked()), None)

    def button(self, key: str) -> QAbstractButton | None:
        return next((button for button in self._buttons if button.runner.key == key), None)

    def set_compact(self, compact: bool) -> None:
        """Runs by their letters alone."""
        self._compact = compact
        for button in self._buttons:
            button.set_compact(compact)

    def width_for(self, *, compact: bool) -> int:
        return sum(button.width_for(compact=compact) + 1 for button in self._buttons) + 4

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colours.line), 1))
        painter.setBrush(QColor(colours.inset))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.end()
