"""Where the person answers: a field that grows, where the answer goes, and the button that sends it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QVBoxLayout,
    QWidget,
)

from stepscope.widgets import icons, theme
from stepscope.widgets.common import KeyButton
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.growing_text import GrowingText
from stepscope.widgets.common.plain_words import straight, tip_words

SIGN, GAP, MARGIN = 13, 6, 9
WORDS, KEY = "Answer", "Enter"
PLACEHOLDER = "Write an answer, or choose one above"
NOTHING = "The agent has not asked anything"
FROM_DATA, DATA_KEY = "From the data", "0"


class AnswerButton(QPushButton):
    """Answer, with its key in a frame."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("primary", True)
        self.setAutoDefault(False)
        self.setAccessibleName(WORDS)
        self.setToolTip(f"{WORDS} ({KEY}); Shift+Enter begins a new line")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        words, key = self._fonts()
        width = QFontMetrics(words).horizontalAdvance(WORDS) + QFontMetrics(key).horizontalAdvance(KEY) + 10
        return QSize(width + SIGN + 2 * GAP + 2 * MARGIN, max(24, QFontMetrics(words).height() + 8))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QStylePainter(self)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        words, key = self._fonts()
        ink = QColor(theme.current().accent_text if self.isEnabled() else theme.current().dim)
        icons.icon("send", ink.name()).paint(painter, QRect(MARGIN, (self.height() - SIGN) // 2, SIGN, SIGN))
        painter.setPen(ink)
        painter.setFont(words)
        left = MARGIN + SIGN + GAP
        width = painter.fontMetrics().horizontalAdvance(WORDS) + 2
        painter.drawText(QRect(left, 0, width, self.height()), Qt.AlignmentFlag.AlignVCenter, WORDS)
        painter.setFont(key)
        high = painter.fontMetrics().height() + 1
        wide = painter.fontMetrics().horizontalAdvance(KEY) + 8
        frame = QRectF(left + width + GAP - 2, (self.height() - high) / 2, wide, high)
        edge = QColor(ink)
        edge.setAlphaF(0.4)
        painter.setPen(QPen(edge, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(frame, 4, 4)
        painter.setPen(ink)
        painter.drawText(frame, Qt.AlignmentFlag.AlignCenter, KEY)
        painter.end()

    def _fonts(self) -> tuple[QFont, QFont]:
        return derived(self.font(), 12, weight=QFont.Weight.Medium), derived(self.font(), 10.5)


class AnswerBox(QFrame):
    """`answered` gives what is written, by Enter or by the button; nothing is sent while nothing is written.
    `data_wanted`: the answer of the data is to be given instead."""

    answered = Signal(str)
    data_wanted = Signal()
    edited = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = GrowingText("Answer to the agent", PLACEHOLDER, least=2, most=8)
        self.field.setProperty("bare", True)
        self.field.installEventFilter(self)
        self.button = AnswerButton()
        self._note = QLabel()
        self._note.setTextFormat(Qt.TextFormat.PlainText)
        self._note.setWordWrap(True)
        self._note.setProperty("role", "dim")
        self._wide_note = QLabel()
        self._wide_note.setTextFormat(Qt.TextFormat.PlainText)
        self._wide_note.setWordWrap(True)
        self._wide_note.setProperty("role", "dim")
        self._wide_note.setContentsMargins(10, 0, 10, 0)
        foot = QHBoxLayout()
        foot.setContentsMargins(10, 0, 6, 6)
        foot.setSpacing(8)
        self.from_data = KeyButton(FROM_DATA, DATA_KEY, ghost=True)
        self.from_data.clicked.connect(self.data_wanted)
        foot.addWidget(self._note, 1)
        foot.addWidget(self.from_data, 0, Qt.AlignmentFlag.AlignBottom)
        foot.addWidget(self.button, 0, Qt.AlignmentFlag.AlignBottom)
        column = QVBoxLayout(self)
        column.setContentsMargins(2, 2, 2, 0)
        column.setSpacing(2)
        column.addWidget(self.field)
        column.addWidget(self._wide_note)
        column.addLayout(foot)
        self.field.submitted.connect(self._send)
        self.button.clicked.connect(self._send)
        self.field.edited.connect(self.edited)
        self.field.textChanged.connect(self._renew)
        self.set_asking(False)

    def set_asking(self, asking: bool, note: str = "", from_data: str = "") -> None:
        """Whether an answer is waited for; `note` says where it goes, `from_data` what the data answers."""
        self.from_data.setVisible(bool(from_data))
        self.from_data.setAccessibleName(f"{FROM_DATA}: {from_data}")
        self.from_data.setToolTip(tip_words(f"{from_data}\nGive this answer of the data ({DATA_KEY})"))
        self.field.setEnabled(asking)
        self.field.setPlaceholderText(PLACEHOLDER if asking else NOTHING)
        words = straight(note if asking else "")
        beside = not from_data  # two buttons leave no room for words beside them
        self._note.setText(words if beside else "")
        self._wide_note.setText("" if beside else words)
        self._wide_note.setVisible(bool(words) and not beside)
        self._renew()
        self.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.update()
        return super().eventFilter(watched, event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours, focused = theme.current(), self.field.hasFocus()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colours.selection_line if focused else colours.line), 1.5))
        painter.setBrush(QColor(colours.inset if self.field.isEnabled() else colours.panel))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 8, 8)
        painter.end()

    def _renew(self) -> None:
        self.button.setEnabled(self.field.isEnabled() and bool(self.field.text()))

    def _send(self) -> None:
        if self.button.isEnabled():
            self.answered.emit(self.field.text())
