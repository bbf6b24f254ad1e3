"""What a run was made with, as a list of names and values that can be copied."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QScrollArea, QVBoxLayout, QWidget


class SettingsPage(QScrollArea):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setWidgetResizable(True)
        self._rows: tuple[tuple[str, str], ...] = ()

    def set_rows(self, rows: Sequence[tuple[str, str]]) -> None:
        """Names and values; the same ones again change nothing."""
        if tuple(rows) == self._rows:
            return
        self._rows = tuple(rows)
        inside = QWidget()
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        for place, (name, value) in enumerate(rows):
            for column, (words, role) in enumerate(((name, "dim"), (value, ""))):
                label = QLabel(words)
                label.setTextFormat(Qt.TextFormat.PlainText)
                label.setProperty("role", role)
                label.setWordWrap(column == 1)
                if column:
                    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
                    label.setAccessibleName(name)
                grid.addWidget(label, place, column, Qt.AlignmentFlag.AlignTop)
        around = QVBoxLayout(inside)
        around.setContentsMargins(16, 16, 16, 16)
        around.addLayout(grid)
        around.addStretch(1)
        self.setWidget(inside)

    def text(self) -> str:
        return "\n".join(f"{name}: {value}" for name, value in self._rows)
