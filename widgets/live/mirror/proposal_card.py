"""The card beside the phone: what the agent would do next, what else it weighs, and what becomes of it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from stepscope.core.imaging.palette import CASING, WHITE
from stepscope.widgets import format as formats
from stepscope.widgets import theme
from stepscope.widgets.common import ElidedLabel, RunBadge
from stepscope.widgets.common.fonts import BASE_PIXELS, derived, pixel_size
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.live.mirror.mirror_frame import MOST_CHOICES, ActionCandidate, Proposal
from stepscope.widgets.live.mirror.spoken import limit_words, proposal_words, sentence

WIDTH = 228
_ROW = 24
_BADGE, _WORDS, _GAP, _NUMBER, _BAR = 16, 96, 8, 30, 5
_MIDDLE_GREY = 0.18
"""Luminance on which black and white have the same contrast."""
_OPACITY = (0.95, 0.67, 0.39, 0.3, 0.25)


class ChoiceRow(QWidget):
    """One choice: number, words, bar, score."""

    def __init__(self, place: int, run: int, choice: ActionCandidate) -> None:
        super().__init__()
        self._place, self._run, self._choice = place, run, choice
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        words = f"{place + 1}, {choice.label}, {formats.confidence(choice.score)}"
        self.setAccessibleName(words)
        self.setToolTip(tip_words(choice.label))

    def sizeHint(self) -> QSize:
        return QSize(WIDTH - 24, max(_ROW, QFontMetrics(derived(self.font(), 12)).height() + 6))

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours, scale = theme.current(), pixel_size(self.font()) / BASE_PIXELS
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle, side = self.height() / 2, _BADGE * min(scale, 1.4)
        colour = QColor(colours.run_colour(self._run))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.setOpacity(_OPACITY[min(self._place, len(_OPACITY) - 1)])
        disc = QRectF(0, middle - side / 2, side, side)
        painter.drawEllipse(disc)
        painter.setOpacity(1.0)
        painter.setFont(derived(self.font(), 10.5, weight=QFont.Weight.Bold))
        painter.setPen(_read_on(colour, _OPACITY[min(self._place, len(_OPACITY) - 1)], QColor(colours.raised)))
        painter.drawText(disc, Qt.AlignmentFlag.AlignCenter, str(self._place + 1))
        font = derived(self.font(), 12)
        painter.setFont(font)
        number, left = _NUMBER * scale, side + _GAP
        wide = min(_WORDS * scale, self.width() - left - number - 3 * _GAP)
        painter.setPen(QColor(colours.text))
        text = QFontMetrics(font).elidedText(straight(self._choice.label), Qt.TextElideMode.ElideRight, round(wide))
        painter.drawText(QRectF(left, 0, wide, self.height()), Qt.AlignmentFlag.AlignVCenter, text)
        score = formats.confidence(self._choice.score)
        right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(QRectF(self.width() - number, 0, number, self.height()), right, score)
        self._paint_bar(painter, left + wide + _GAP, self.width() - number - _GAP, middle, colour)
        painter.end()

    def _paint_bar(self, painter: QPainter, left: float, right: float, middle: float, colour: QColor) -> None:
        if right - left < 2 * _BAR:
            return
        painter.setPen(Qt.PenStyle.NoPen)
        bar = QRectF(left, middle - _BAR / 2, right - left, _BAR)
        painter.setBrush(QColor(theme.current().line))
        painter.drawRoundedRect(bar, 3, 3)
        bar.setWidth(max(_BAR, bar.width() * min(max(self._choice.score, 0.0), 1.0)))
        painter.setBrush(colour)
        painter.drawRoundedRect(bar, 3, 3)


class ProposalCard(QFrame):
    """Hidden while there is no proposal. `set_compact`: one line, where there is no room beside the phone."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._proposal: Proposal | None = None
        self._compact = False
        self.setProperty("card", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._badge = RunBadge(0, 18)
        self._title = QLabel("Best next action")
        self._title.setProperty("role", "title")
        self._short = QLabel()
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._badge)
        head.addWidget(self._title, 1)
        head.addWidget(self._short)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(0)
        column.addLayout(head)
        self._body = self._make_body()
        column.addWidget(self._body)
        theme.notifier().changed.connect(self._renew)
        self._renew()
        self.hide()

    def _make_body(self) -> QWidget:
        """Make the part that the compact card does not have."""
        self._instruction = ElidedLabel("", "secondary")
        self._limit, self._outcome = QLabel(), QLabel()
        self._limit.setProperty("role", "secondary")
        self._rule = QFrame()
        self._rule.setFixedHeight(1)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(0)
        foot = QVBoxLayout()
        foot.setSpacing(2)
        foot.addWidget(self._limit)
        foot.addWidget(self._outcome)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 6, 0, 0)
        column.setSpacing(8)
        column.addWidget(self._instruction)
        column.addLayout(self._rows)
        column.addWidget(self._rule)
        column.addLayout(foot)
        return body

    def set_proposal(self, proposal: Proposal | None) -> None:
        if proposal == self._proposal:
            return
        self._proposal = proposal
        while (item := self._rows.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        self.setVisible(proposal is not None)
        self.setAccessibleName(proposal_words(proposal))
        if proposal is None:
            return
        self._badge.set_run(proposal.run)
        self._instruction.setText(proposal.instruction)
        for place, choice in enumerate(proposal.choices[:MOST_CHOICES]):
            row = ChoiceRow(place, proposal.run, choice)
            self._rows.addWidget(row)
            row.show()  # now, not with the next event: the card is measured before
        limit = limit_words(proposal)
        self._instruction.setVisible(bool(proposal.instruction))
        self._limit.setText(straight(limit))
        self._limit.setVisible(bool(limit))
        self._rule.setVisible(bool(proposal.choices))
        self._outcome.setText(straight(sentence(proposal.outcome)))
        self._short.setText(straight(sentence(proposal.outcome)))
        self.set_compact(self._compact)

    @property
    def proposal(self) -> Proposal | None:
        return self._proposal

    def set_compact(self, compact: bool) -> None:
        """Show only the heading and what becomes of the proposal."""
        self._compact = compact
        self._body.setVisible(not compact)
        self._short.setVisible(compact)

    def wanted_width(self) -> int:
        return round(WIDTH * max(1.0, pixel_size(self.font()) / BASE_PIXELS))

    def wanted_height(self) -> int:
        """Height that the present content needs."""
        for layout in (self._body.layout(), self.layout()):
            if layout is not None:
                layout.activate()
        return self.sizeHint().height()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._renew()

    def _renew(self) -> None:
        colours = theme.current()
        self._rule.setStyleSheet(f"background: {colours.line2}; border: none;")
        for label in (self._outcome, self._short):
            label.setFont(derived(self.font(), 12, weight=QFont.Weight.DemiBold))
        self.update()


def _read_on(colour: QColor, opacity: float, ground: QColor) -> QColor:
    """Dark or white, whichever is read better on the colour as it shows on the ground."""
    over, under = (colour.redF(), colour.greenF(), colour.blueF()), (ground.redF(), ground.greenF(), ground.blueF())
    parts = [opacity * part + (1 - opacity) * below for part, below in zip(over, under, strict=True)]
    light = sum(share * part**2.2 for share, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))
    return QColor(CASING) if light > _MIDDLE_GREY else QColor(WHITE)
