"""Which agent acts: its letter, its name, and where it computes."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QStyle, QStyleOptionComboBox, QStylePainter

from stepscope.widgets import theme
from stepscope.widgets.common.elided_combo import ElidedCombo
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.run_glyph import paint_run_glyph, run_icon
from stepscope.widgets.forms.form_rows import choose_combo
from stepscope.widgets.live.live_state import NO_AGENT, AgentChoice

SIGN, GAP = 16, 6
MYSELF = "None: I do it myself"


class AgentCombo(ElidedCombo):
    """The first choice is nobody: the person acts."""

    def __init__(self) -> None:
        super().__init__(10)
        self.setAccessibleName("Agent")
        self._agents: dict[str, AgentChoice] = {}
        self.set_agents(())

    def set_agents(self, agents: Sequence[AgentChoice], current: str = "") -> None:
        """`current` names the one to begin with; the one that holds stays where nothing is named."""
        self._agents = {agent.name: agent for agent in agents}
        rows = [(NO_AGENT, MYSELF, "Act on the phone yourself; it is recorded all the same", True)]
        for agent in agents:
            words = " · ".join(filter(None, (agent.title, agent.detail)))
            rows.append((agent.name, words, agent.why_not or agent.tip, not agent.why_not))
        choose_combo(self, rows, current)
        for place, agent in enumerate(agents, start=1):
            self.setItemIcon(place, run_icon(agent.run))

    def agent(self) -> AgentChoice | None:
        return self._agents.get(self.currentData() or NO_AGENT)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """A wheel that merely passes over changes nothing."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        field = QStyle.SubControl.SC_ComboBoxEditField
        place = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, self).adjusted(2, 0, 0, 0)
        agent, colours = self.agent(), theme.current()
        if agent is None:
            self._paint_words(painter, place, self.currentText(), colours.text)
        else:
            sign = QRectF(place.left(), place.center().y() - SIGN / 2 + 0.5, SIGN, SIGN)
            paint_run_glyph(painter, sign.adjusted(1, 1, -1, -1), agent.run, letter=True)
            left = self._paint_words(painter, place.adjusted(SIGN + GAP, 0, 0, 0), agent.title, colours.text)
            self._paint_words(painter, place.adjusted(left - place.left() + GAP, 0, 0, 0), agent.detail, colours.dim)
        painter.end()

    def _paint_words(self, painter: QPainter, place: QRect, words: str, colour: str) -> int:
        """One line, cut where it does not fit; its right edge."""
        painter.setPen(QColor(colour))
        painter.setFont(self.font())
        cut = painter.fontMetrics().elidedText(straight(words), Qt.TextElideMode.ElideRight, max(0, place.width()))
        if cut and cut != "…":
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, cut)
        return place.left() + painter.fontMetrics().horizontalAdvance(cut)
