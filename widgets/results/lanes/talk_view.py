"""The talk about a task: what the person said at the right, what the agent asked at the left, and its question beside
others."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from stepscope.widgets import theme
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.marked import MarkedLabel, StyledText
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.common.text_block import TextBlock
from stepscope.widgets.results.lanes.lane_values import LanesTalk, QuestionsBeside, TalkBubble
from stepscope.widgets.scores.card import ResultCard

PADDING, TOP, ROUND, GAP = 11, 7, 10, 3
SHARE = 0.84
"""Of the width, at most, for a bubble."""
NOTHING = "Nobody said anything."


class BubbleLabel(QWidget):
    """A sentence in its bubble with a caption below."""

    def __init__(self, bubble: TalkBubble, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bubble = bubble
        self.setAccessibleName(straight(f"{bubble.caption}: {bubble.words}"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.notifier().changed.connect(self.update)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(240, self.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.height())

    def _block(self) -> TextBlock:
        return TextBlock(straight(self.bubble.words), derived(self.font(), 13), self.width() * SHARE - 2 * PADDING)

    def _fit(self) -> None:
        caption = QFontMetrics(derived(self.font(), 11)).height()
        self.setFixedHeight(round(self._block().size.height() + 2 * TOP + GAP + caption))

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours, block = theme.current(), self._block()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shape = QRectF(0.5, 0.5, block.size.width() + 2 * PADDING - 1, block.size.height() + 2 * TOP - 1)
        if self.bubble.mine:
            shape.moveRight(self.width() - 0.5)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.accent_background))
        else:
            painter.setPen(QPen(QColor(colours.warn), 1))
            painter.setBrush(QColor(colours.warn_background))
        painter.drawRoundedRect(shape, ROUND, ROUND)
        ink = colours.accent_text if self.bubble.mine else colours.text
        block.paint(painter, QPointF(shape.left() + PADDING, shape.top() + TOP), ink)
        painter.setFont(derived(self.font(), 11))
        painter.setPen(QColor(colours.dim))
        side = Qt.AlignmentFlag.AlignRight if self.bubble.mine else Qt.AlignmentFlag.AlignLeft
        below = QRectF(0, shape.bottom() + GAP, self.width(), self.height() - shape.bottom() - GAP)
        cut = painter.fontMetrics().elidedText(straight(self.bubble.caption), Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(below, side | Qt.AlignmentFlag.AlignVCenter, cut)
        painter.end()


class BesideCard(ResultCard):
    """Two or more questions, the words that they share in the colour of hits and bold."""

    def __init__(self, beside: QuestionsBeside, parent: QWidget | None = None) -> None:
        super().__init__(beside.title, parent=parent)
        self.beside = beside
        self.title.setProperty("role", "secondary")
        self.title.setWordWrap(True)
        self.likeness = QLabel(straight(beside.likeness))
        self.likeness.setProperty("role", "heading")
        self.likeness.setToolTip(tip_words(beside.tip))
        self.head.addWidget(self.likeness)
        self.lines = [MarkedLabel() for _ in beside.questions]
        for label in self.lines:
            label.setWordWrap(True)
            self.body.addWidget(label)
        self._fill()
        theme.notifier().changed.connect(self._fill)

    def _fill(self) -> None:
        colours = theme.current()
        for label, question in zip(self.lines, self.beside.questions, strict=True):
            shared = [
                StyledText(words, colours.hit if both else colours.text, bold=both) for words, both in question.pieces
            ]
            label.set_pieces(StyledText(f"{question.label} ", colours.secondary), *shared)
            label.setAccessibleName(straight(f"{question.label} {''.join(words for words, _ in question.pieces)}"))


class TalkView(QScrollArea):
    """Bubbles, questions side by side, facts; scrolls."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Talk")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._talk: LanesTalk | None = None
        self.bubbles: list[BubbleLabel] = []
        self.beside: list[BesideCard] = []
        self.facts: dict[str, QLabel] = {}
        self.set_talk(LanesTalk())

    def sizeHint(self) -> QSize:
        return QSize(280, 420)

    def set_talk(self, talk: LanesTalk) -> None:
        """Show another talk; the same again changes nothing."""
        if talk == self._talk:
            return
        self._talk = talk
        self.bubbles = [BubbleLabel(bubble) for bubble in talk.bubbles]
        self.beside = [BesideCard(one) for one in talk.beside]
        self.facts = {}
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(12, 10, 12, 10)
        column.setSpacing(8)
        for part in (*self.bubbles, *self.beside):
            column.addWidget(part)
        if not talk.bubbles:
            nothing = QLabel(NOTHING)
            nothing.setProperty("role", "tiny")
            column.addWidget(nothing)
        if talk.facts:
            column.addLayout(self._grid(talk))
        column.addStretch(1)
        self.setWidget(inside)

    def _grid(self, talk: LanesTalk) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        for row, (name, value) in enumerate(talk.facts):
            title, words = QLabel(straight(name)), QLabel(straight(value))
            title.setProperty("role", "tiny")
            words.setWordWrap(True)
            grid.addWidget(title, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(words, row, 1)
            self.facts[name] = words
        return grid
