"""The title line of a dock's panel: name, a detail in dim words, buttons at the right."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from stepscope.widgets.common.elided import ElidedLabel
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.run_glyph import RunBadge


class PanelHeader(QWidget):
    """`buttons` stand at the right in the order given."""

    def __init__(self, title: str, *buttons: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("bar", "dock")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._badge: RunBadge | None = None
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 6, 0)
        row.setSpacing(4)
        self._title = QLabel(straight(title))
        self._title.setProperty("role", "heading")
        self._detail = ElidedLabel("", "dim")
        row.addWidget(self._title)
        row.addSpacing(4)
        row.addWidget(self._detail, 1)
        for button in buttons:
            row.addWidget(button)

    def set_title(self, title: str) -> None:
        self._title.setText(straight(title))

    def set_detail(self, detail: str) -> None:
        self._detail.setText(detail)

    def set_run(self, run: int | None) -> None:
        """The mark of the run that the detail names, None for none."""
        if self._badge is None and run is not None:
            self._badge = RunBadge(run, parent=self)
            self._row.insertWidget(self._row.indexOf(self._detail), self._badge)
        if self._badge is not None:
            self._badge.set_run(run)
            self._badge.setVisible(run is not None)

    def detail(self) -> str:
        return self._detail.text()
