"""What people say of a run, and below it what it was made with, as a list of names and values that can be copied."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.results.run_about import RunAbout


class SettingsPage(QScrollArea):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setWidgetResizable(True)
        self._rows: tuple[tuple[str, str], ...] = ()
        self._stale = False
        self.about = RunAbout()
        self._made_with = QWidget()
        inside = QWidget()
        self._column = QVBoxLayout(inside)
        self._column.setContentsMargins(16, 16, 16, 16)
        self._column.setSpacing(16)
        self._column.addWidget(self.about)
        self._column.addWidget(self._made_with)
        self._column.addStretch(1)
        self.setWidget(inside)

    def set_rows(self, rows: Sequence[tuple[str, str]]) -> None:
        """Names and values; the same ones again change nothing. They are laid out once the page is in view."""
        if tuple(rows) == self._rows:
            return
        self._rows, self._stale = tuple(rows), True
        if self.isVisible():
            self._lay_out()

    def showEvent(self, event: QShowEvent) -> None:
        if self._stale:
            self._lay_out()
        super().showEvent(event)

    def _lay_out(self) -> None:
        self._stale = False
        made_with = QWidget()
        grid = QGridLayout(made_with)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        for place, (name, value) in enumerate(self._rows):
            for column, (words, role) in enumerate(((name, "dim"), (value, ""))):
                label = QLabel(straight(words))
                label.setTextFormat(Qt.TextFormat.PlainText)
                label.setProperty("role", role)
                label.setWordWrap(column == 1)
                if column:
                    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
                    label.setAccessibleName(name)
                grid.addWidget(label, place, column, Qt.AlignmentFlag.AlignTop)
        self._column.replaceWidget(self._made_with, made_with)
        self._made_with.deleteLater()
        self._made_with = made_with

    def text(self) -> str:
        return "\n".join(f"{name}: {value}" for name, value in self._rows)
