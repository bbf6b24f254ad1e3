"""A question with its number, and Yes and No beside it."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from stepscope.widgets import theme
from stepscope.widgets.common import ElidedLabel
from stepscope.widgets.common.buttons import PaintedButton, paint_focus_ring
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.judge.judge_values import QuestionWords

HEIGHT, SIGN, SIDE = 26, 10, 10
NEEDED = 80
"""Pixels of a row besides its words and buttons."""


class YesNoButton(PaintedButton):
    """Yes with a tick or No with a cross; the chosen one has the colour of a hit or a miss."""

    def __init__(self, yes: bool) -> None:
        super().__init__()
        self._yes = yes
        self.setText("Yes" if yes else "No")
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self._font())
        return QSize(metrics.horizontalAdvance(self.text()) + SIGN + 6 + 2 * SIDE, max(HEIGHT, metrics.height() + 8))

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.current()
        ink, ground = colours.secondary, colours.inset
        if self.isChecked():
            ink, ground = (
                (colours.hit, colours.hit_background) if self._yes else (colours.miss, colours.miss_background)
            )
        elif self.underMouse() and self.isEnabled():
            ink, ground = colours.text, colours.hover
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(1.0 if self.isEnabled() or self.isChecked() else 0.5)
        painter.setPen(QPen(QColor(ink if self.isChecked() else colours.line), 1))
        painter.setBrush(QColor(ground))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.setPen(QPen(QColor(ink), 1.6, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        self._paint_sign(painter, SIDE, self.height() / 2)
        painter.setFont(self._font())
        words = self.rect().adjusted(SIDE + SIGN + 6, 0, 0, 0)
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.text())
        if self.hasFocus():
            paint_focus_ring(painter, self.rect())
        painter.end()

    def _paint_sign(self, painter: QPainter, left: float, middle: float) -> None:
        if self._yes:
            points = (0.0, 0.3), (3.4, 3.6), (SIGN - 0.5, -3.6)
            corners = [QPointF(left + x, middle + y) for x, y in points]
            painter.drawPolyline(corners)
        else:
            half = 3.6
            across = left + SIGN / 2
            painter.drawLine(QPointF(across - half, middle - half), QPointF(across + half, middle + half))
            painter.drawLine(QPointF(across - half, middle + half), QPointF(across + half, middle - half))

    def _font(self) -> QFont:
        return derived(self.font(), 12.5, weight=QFont.Weight.DemiBold if self.isChecked() else QFont.Weight.Medium)


class JudgeQuestionRow(QWidget):
    """`answered(yes)`: the person takes an answer; the one that holds again takes it back. `chosen`: a click on the
    question."""

    answered = Signal(object)
    chosen = Signal()

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number, self._is_chosen = number, False
        self._answer: bool | None = None
        self._key = QLabel(str(number + 1))
        self._key.setProperty("kbd", "true")
        self._key.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._title, self._detail = ElidedLabel(), ElidedLabel("", "tiny")
        self.yes, self.no = YesNoButton(True), YesNoButton(False)
        for button, value in ((self.yes, True), (self.no, False)):
            button.clicked.connect(lambda _checked=False, taken=value: self._take(taken))
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(12, 8, 12, 8)
        self._grid.setHorizontalSpacing(6)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(1, 1)
        self._is_narrow: bool | None = None
        self.set_narrow(False)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def wide_width(self) -> int:
        """Pixels that the words and both buttons need beside each other."""
        words = self._title.fontMetrics().horizontalAdvance(self._title.text())
        return words + self.yes.sizeHint().width() + self.no.sizeHint().width() + NEEDED

    def set_narrow(self, narrow: bool) -> None:
        """Yes and No beside the words, or, where there is no room, below them in place of what the question means."""
        if narrow == self._is_narrow:
            return
        self._is_narrow = narrow
        middle, right = Qt.AlignmentFlag.AlignVCenter, Qt.AlignmentFlag.AlignRight
        for part in (self._key, self._title, self._detail, self.yes, self.no):
            self._grid.removeWidget(part)
        self._grid.addWidget(self._key, 0, 0, 1 if narrow else 2, 1, middle)
        self._grid.addWidget(self._title, 0, 1, 1, 3 if narrow else 1)
        if narrow:
            self._detail.hide()
            self._grid.addWidget(self.yes, 1, 1, right)
            self._grid.addWidget(self.no, 1, 2)
        else:
            self._grid.addWidget(self._detail, 1, 1)
            self._detail.show()
            self._grid.addWidget(self.yes, 0, 2, 2, 1, middle)
            self._grid.addWidget(self.no, 0, 3, 2, 1, middle)

    def show_question(self, words: QuestionWords, answer: bool | None, *, chosen: bool, enabled: bool) -> None:
        self._title.setText(words.title)
        self._detail.setText(words.detail)
        self._title.set_tip(words.detail)
        self._answer = answer
        self._is_chosen = chosen and enabled
        for button, value in ((self.yes, True), (self.no, False)):
            button.setChecked(answer is value)
            button.setEnabled(enabled)
            said = f"{words.title} {button.text()}"
            button.setAccessibleName(said)
            button.setToolTip(tip_words(f"{said} ({self._number + 1}, then {button.text()[0]})"))
        self.update()

    def answer(self) -> bool | None:
        return self._answer

    def is_chosen(self) -> bool:
        """Whether it is the question that Y and N answer."""
        return self._is_chosen

    def _take(self, value: bool) -> None:
        self.answered.emit(None if self._answer is value else value)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit()
        super().mousePressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.current()
        painter = QPainter(self)
        if self._is_chosen:
            painter.fillRect(self.rect(), QColor(colours.hover))
            painter.fillRect(0, 0, 3, self.height(), QColor(colours.selection_line))
        painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(colours.line2))
        painter.end()
