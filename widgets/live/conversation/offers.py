"""Answers that were found on the screen, as buttons with number keys."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from stepscope.widgets import theme
from stepscope.widgets.common.buttons import PaintedButton, paint_focus_ring
from stepscope.widgets.common.flow import FlowLayout
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.common.search_field import paint_key_hint
from stepscope.widgets.live.conversation.conversation_turns import AnswerSuggestion

KEYS = 9
MARGIN, GAP, HEIGHT = 8, 6, 24


class OfferChip(PaintedButton):
    """An answer with its number; checked while it is the one in the answer field."""

    def __init__(self, offer: AnswerSuggestion, number: int) -> None:
        super().__init__()
        self._key = str(number) if number <= KEYS else ""
        self.setText(" ".join(offer.text.split()))
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(f"Answer {number}: {offer.text}")
        self.setToolTip(tip_words("\n".join(filter(None, (offer.text, offer.tip)))))

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self._font())
        width = metrics.horizontalAdvance(self.text()) + 2 * MARGIN + 2
        return QSize(width + self._key_width(), max(HEIGHT, metrics.height() + 8))

    def minimumSizeHint(self) -> QSize:
        return QSize(48, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = colours.selection if self.isChecked() else colours.hover if self.underMouse() else colours.raised
        painter.setPen(QPen(QColor(colours.selection_line if self.isChecked() else colours.line), 1))
        painter.setBrush(QColor(ground))
        painter.drawRoundedRect(self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.setFont(self._font())
        room = QRect(MARGIN, 0, self.width() - 2 * MARGIN - self._key_width(), self.height())
        words = painter.fontMetrics().elidedText(straight(self.text()), Qt.TextElideMode.ElideRight, room.width())
        painter.setPen(QColor(colours.text if self.isEnabled() else colours.dim))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)
        if self._key:
            painter.setFont(self.font())
            paint_key_hint(painter, self.width() - MARGIN, self.height() / 2, self._key)
        if self.hasFocus():
            paint_focus_ring(painter, self.rect())
        painter.end()

    def _font(self) -> QFont:
        return derived(self.font(), 12, weight=QFont.Weight.Medium)

    def _key_width(self) -> int:
        if not self._key:
            return 0
        return GAP + QFontMetrics(derived(self.font(), 10.5)).horizontalAdvance(self._key) + 8


class OfferBar(QWidget):
    """`chosen` fires with the offer's place, by click or by `choose`."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.chips: list[OfferChip] = []
        self._offers: tuple[AnswerSuggestion, ...] = ()
        self._title = QLabel()
        self._title.setProperty("role", "secondary")
        self._box = QWidget()
        self._flow = FlowLayout(6, self._box)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self._title)
        column.addWidget(self._box)
        self.hide()

    def set_offers(self, offers: Sequence[AnswerSuggestion], title: str = "") -> None:
        """Offer other answers, none of them chosen; hidden without any."""
        self._title.setText(title)
        if tuple(offers) == self._offers:
            return
        self._offers = tuple(offers)
        for chip in self.chips:
            self._flow.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self.chips = [OfferChip(offer, number) for number, offer in enumerate(offers, start=1)]
        for place, chip in enumerate(self.chips):
            chip.clicked.connect(lambda _checked=False, chosen=place: self.choose(chosen))
            self._flow.addWidget(chip)
        self.setVisible(bool(offers))
        self.updateGeometry()

    def offer(self, place: int) -> AnswerSuggestion | None:
        return self._offers[place] if 0 <= place < len(self._offers) else None

    def choose(self, place: int) -> None:
        """Take this offer, as a click does."""
        if self.offer(place) is not None:
            self.light(place)
            self.chosen.emit(place)

    def light(self, place: int) -> None:
        """Show it as the one in the answer field; -1 for none; tells nobody."""
        for other, chip in enumerate(self.chips):
            chip.setChecked(other == place)
