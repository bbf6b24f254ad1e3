"""The Talk page: goal and answers at the right, questions at the left, actions as lines between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from stepscope.widgets import icons, theme
from stepscope.widgets.common import EmptyState
from stepscope.widgets.common.buttons import PaintedButton, paint_focus_ring
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.inspector.parts import CardPage

if TYPE_CHECKING:
    from stepscope.widgets.inspector.step_details import TalkTurn

BUBBLE_SHARE = 0.84
PADDING = 10
ICON = 13
WRAP = Qt.TextFlag.TextWordWrap


class TurnLine(PaintedButton):
    """One turn: a bubble for words, a line for an action. A click leads to its step."""

    def __init__(self, turn: TalkTurn) -> None:
        super().__init__()
        self.turn = turn
        self.setText(turn.text)
        self.setEnabled(turn.step is not None or turn.kind != "action")
        where = "" if turn.step is None else f", step {turn.step + 1}"
        self.setAccessibleName(f"{turn.kind}{where}: {turn.text}")
        self.setToolTip(tip_words(f"{turn.origin}{where}"))
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        if turn.step is not None:
            self.setCursor(Qt.CursorShape.PointingHandCursor)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        if self.turn.kind == "action":
            return QFontMetrics(self._font()).height() + 8
        return round(self._text_place(width).height()) + 2 * PADDING

    def sizeHint(self) -> QSize:
        return QSize(240, self.heightForWidth(max(self.width(), 240)))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._font())
        if self.turn.kind == "action":
            self._paint_action(painter)
        else:
            self._paint_bubble(painter)
        if self.hasFocus():
            paint_focus_ring(painter, self.rect())
        painter.end()

    def _font(self) -> QFont:
        return derived(self.font(), 12 if self.turn.kind == "action" else 13)

    def _text_place(self, width: int) -> QRectF:
        room = int(width * BUBBLE_SHARE) - 2 * PADDING - ICON - 6
        bounds = QFontMetrics(self._font()).boundingRect(0, 0, max(40, room), 100_000, int(WRAP), self.text())
        return QRectF(0, 0, bounds.width() + 2, bounds.height())

    def _paint_action(self, painter: QPainter) -> None:
        colours = theme.current()
        lit = self.underMouse() and self.turn.step is not None
        painter.setPen(QColor(colours.text if lit else colours.dim))
        number = "" if self.turn.step is None else f"{self.turn.step + 1}"
        metrics = painter.fontMetrics()
        painter.drawText(QRectF(0, 0, 24, self.height()), Qt.AlignmentFlag.AlignRight | _MIDDLE, number)
        text = metrics.elidedText(straight(self.text()), Qt.TextElideMode.ElideRight, self.width() - 40)
        painter.drawText(QRectF(34, 0, self.width() - 34, self.height()), _MIDDLE, text)

    def _paint_bubble(self, painter: QPainter) -> None:
        colours = theme.current()
        text = self._text_place(self.width())
        width = text.width() + 2 * PADDING + ICON + 6
        mine = self.turn.kind in ("goal", "say")
        left = self.width() - width - 1 if mine else 1
        place = QRectF(left, 1, width, self.height() - 2)
        edge = colours.line if self.turn.run is None else colours.run_colour(self.turn.run)
        painter.setPen(QPen(QColor(edge), 1))
        painter.setBrush(QColor(colours.selection if mine else colours.raised))
        painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        name = {"goal": "flag", "say": "say"}.get(self.turn.kind, "ask")
        sign = place.toRect().adjusted(PADDING, PADDING + 1, 0, 0)
        sign.setSize(QSize(ICON, ICON))
        icons.icon(name, edge if self.turn.run is not None else colours.secondary).paint(painter, sign)
        painter.setPen(QColor(colours.text))
        painter.drawText(text.translated(left + PADDING + ICON + 6, PADDING), int(WRAP), self.text())


_MIDDLE = Qt.AlignmentFlag.AlignVCenter


class TalkPage(CardPage):
    """`step_chosen` fires for a turn that has a step."""

    step_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Talk", parent)
        self.lines: list[TurnLine] = []
        self._turns: tuple[TalkTurn, ...] | None = None
        self._stale = False
        self.set_talk(())

    def set_talk(self, turns: Sequence[TalkTurn]) -> None:
        """Made into lines once the page is in view."""
        if tuple(turns) != self._turns:
            self._turns, self._stale = tuple(turns), True
            if self.isVisible():
                self._renew()

    def showEvent(self, event: QShowEvent) -> None:
        if self._stale:
            self._renew()
        super().showEvent(event)

    def _renew(self) -> None:
        self._stale = False
        self.lines = [TurnLine(turn) for turn in self._turns or ()]
        for line in self.lines:
            if line.turn.step is not None:
                line.clicked.connect(lambda _checked=False, step=line.turn.step: self.step_chosen.emit(step))
        self.show_parts(self.lines or [EmptyState("ask", "Nothing was said", "This episode holds no talk.")])
