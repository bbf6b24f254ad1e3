"""What stands where there is nothing to show: an empty state, an error in its place, the grey bars of loading rows."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from stepscope.widgets import icons, theme
from stepscope.widgets.common.buttons import text_button
from stepscope.widgets.common.plain_words import plain_label, straight

Buttons = Sequence[tuple[str, str]]
"""(id, words); the first is the one that helps most."""


class EmptyState(QWidget):
    """An icon, a sentence, what it means, and buttons; `pressed` fires with the button's id."""

    pressed = Signal(str)

    def __init__(
        self, icon: str, title: str, detail: str = "", buttons: Buttons = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 16, 24, 16)
        column.setSpacing(4)
        picture = QLabel()
        picture.setPixmap(icons.icon(icon, lambda: theme.current().dim).pixmap(QSize(26, 26)))
        picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._title = _centred(title, "")
        self._detail = _centred(detail, "secondary")
        row = self._row = QHBoxLayout()
        row.setContentsMargins(0, 8, 0, 0)
        row.setSpacing(8)
        row.addStretch(1)
        self._buttons: list[QPushButton] = []
        for place, (identifier, words) in enumerate(buttons):
            button = text_button(words, primary=place == 0 and len(buttons) > 1)
            button.clicked.connect(lambda _checked=False, chosen=identifier: self.pressed.emit(chosen))
            row.addWidget(button)
            button.setObjectName(identifier)
            self._buttons.append(button)
        row.addStretch(1)
        column.addStretch(2)
        column.addWidget(picture)
        column.addSpacing(8)
        column.addWidget(self._title)
        column.addWidget(self._detail)
        self._detail.setVisible(bool(detail))  # not before it has its parent: it would open as a window
        column.addLayout(row)
        column.addStretch(3)

    def minimumSizeHint(self) -> QSize:
        """Width of the widest button: in a narrow dock the buttons stand one below the other."""
        widest = max((button.sizeHint().width() for button in self._buttons), default=120)
        return QSize(widest + 48, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        needed = sum(button.sizeHint().width() + 8 for button in self._buttons) + 48
        beside, below = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._row.setDirection(beside if needed <= self.width() else below)
        super().resizeEvent(event)

    def set_words(self, title: str, detail: str = "") -> None:
        self._title.setText(straight(title))
        self._detail.setText(straight(detail))
        self._detail.setVisible(bool(detail))

    def set_button(self, identifier: str, words: str) -> None:
        """Other words on a button."""
        next(one for one in self._buttons if one.objectName() == identifier).setText(plain_label(words))

    def set_buttons_shown(self, shown: bool) -> None:
        """Whether the buttons help."""
        for button in self._buttons:
            button.setVisible(shown)

    def words(self) -> str:
        """All that it says, for tests and screen readers."""
        return " ".join(filter(None, (self._title.text(), self._detail.text())))


class ErrorCard(QFrame):
    """An error where the thing itself would be: what and where, why, what to do."""

    pressed = Signal(str)

    def __init__(self, title: str = "", detail: str = "", buttons: Buttons = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", True)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 14, 16, 14)
        row.setSpacing(12)
        sign = QLabel()
        sign.setPixmap(icons.icon("warning", lambda: theme.current().miss).pixmap(QSize(18, 18)))
        row.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(8)
        self._title, self._detail = QLabel(), QLabel()
        self._detail.setProperty("role", "secondary")
        for label in (self._title, self._detail):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            column.addWidget(label)
        self._buttons = QHBoxLayout()
        column.addLayout(self._buttons)
        row.addLayout(column, 1)
        self.set_error(title, detail, buttons)

    def set_error(self, title: str, detail: str, buttons: Buttons = ()) -> None:
        self._title.setText(straight(title))
        self._detail.setText(straight(detail))
        while (item := self._buttons.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.deleteLater()
        for identifier, words in buttons:
            button = text_button(words)
            button.clicked.connect(lambda _checked=False, chosen=identifier: self.pressed.emit(chosen))
            self._buttons.addWidget(button)
        self._buttons.addStretch(1)

    def words(self) -> str:
        return f"{self._title.text()} {self._detail.text()}".strip()


def _centred(text: str, role: str) -> QLabel:
    label = QLabel(straight(text))
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    label.setWordWrap(True)
    if role:
        label.setProperty("role", role)
    return label


def paint_skeleton_bar(painter: QPainter, left: float, middle: float, width: float, height: float) -> None:
    """One grey bar that stands for words still being read."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.current().line))
    painter.drawRoundedRect(QRectF(left, middle - height / 2, width, height), 4, 4)
