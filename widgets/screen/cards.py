"""Cards in the place of the picture: an error with its text and buttons, or a notice that there is nothing to show."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.icons import icon
from stepscope.widgets.theme import Theme

CARD_WIDTH = 380
_SIGN = 18


class ScreenErrorCard(QFrame):
    """`show_file_wanted`: the person wants to see the file in the file manager."""

    show_file_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("errorCard")
        self.setFixedWidth(CARD_WIDTH)
        self._details = ""
        self._title, self._text = QLabel(self), QLabel(self)
        for label in (self._title, self._text):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._show_file = QPushButton("Show file", self)
        self._copy = QPushButton("Copy details", self)
        self._show_file.clicked.connect(self.show_file_wanted)
        self._copy.clicked.connect(self._copy_details)
        buttons = QHBoxLayout()
        buttons.addWidget(self._show_file)
        buttons.addWidget(self._copy)
        buttons.addStretch(1)
        self._sign = QLabel(self)
        self._sign.setAlignment(Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(8)
        column.addWidget(self._title)
        column.addWidget(self._text)
        column.addLayout(buttons)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 14, 16, 14)
        row.setSpacing(12)
        row.addWidget(self._sign)
        row.addLayout(column, 1)
        self.hide()

    def show_error(self, title: str, text: str, details: str, *, has_file: bool) -> None:
        self._title.setText(straight(title))
        self._title.setFont(derived(self.font(), 13, weight=self._title.font().Weight.DemiBold))
        self._text.setText(straight(text))
        self._details = details or f"{title}\n{text}"
        self._show_file.setVisible(has_file)
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)
        self.show()
        self.resize(CARD_WIDTH, self.heightForWidth(CARD_WIDTH))

    def apply_theme(self, theme: Theme) -> None:
        self._sign.setPixmap(icon("warning", theme.miss).pixmap(_SIGN, _SIGN))
        self.setStyleSheet(
            f"#errorCard {{ background: {theme.raised}; border: 1px solid {theme.miss}; border-radius: 8px; }}"
            f"#errorCard QLabel {{ color: {theme.text}; background: transparent; }}"
        )

    def _copy_details(self) -> None:
        QGuiApplication.clipboard().setText(self._details)


class Notice(QWidget):
    """Why there is nothing to show, and a button for what can be done about it (`action_wanted`)."""

    action_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = QLabel(self)
        self._text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._button = QPushButton(self)
        self._button.clicked.connect(self.action_wanted)
        column = QVBoxLayout(self)
        column.addWidget(self._text, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self._button, 0, Qt.AlignmentFlag.AlignHCenter)
        self.hide()

    def show_text(self, text: str, action: str) -> None:
        self._text.setText(straight(text))
        self._button.setText(action)
        self._button.setVisible(bool(action))
        self.setAccessibleName(text)
        self.show()
        self.adjustSize()

    def apply_theme(self, theme: Theme) -> None:
        self._text.setStyleSheet(f"color: {theme.dim}; background: transparent;")
