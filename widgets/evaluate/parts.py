"""Pieces of the form: rows of label and field, combos made from values, the command line."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox, QFrame, QGridLayout, QLabel, QVBoxLayout, QWidget

LABEL_WIDTH = 72


class FormRows(QWidget):
    """Labels at the left, fields at the right; a field's accessible name is its label."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(8)
        self._grid.setColumnMinimumWidth(0, LABEL_WIDTH)
        self._grid.setColumnStretch(1, 1)

    def add(self, words: str, field: QWidget, buddy: QWidget | None = None) -> None:
        row = self._grid.rowCount()
        if words:
            label = QLabel(words)
            label.setProperty("role", "dim")
            label.setBuddy(buddy or field)
            (buddy or field).setAccessibleName((buddy or field).accessibleName() or words)
            self._grid.addWidget(label, row, 0)
        self._grid.addWidget(field, row, 1)

    def show_row(self, field: QWidget, shown: bool) -> None:
        """Show or hide a field with its label."""
        row = self._grid.getItemPosition(self._grid.indexOf(field))[0]  # type: ignore[index]
        for column in (0, 1):
            item = self._grid.itemAtPosition(row, column)
            part = item.widget() if item is not None else None
            if part is not None:
                part.setVisible(shown)

    def add_wide(self, part: QWidget) -> None:
        """Something over both columns."""
        self._grid.addWidget(part, self._grid.rowCount(), 0, 1, 2)

    def replace(self, rows: Sequence[tuple[QLabel, QWidget]]) -> None:
        """These rows and no other."""
        while (item := self._grid.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        for place, (label, field) in enumerate(rows):
            self._grid.addWidget(label, place, 0)
            self._grid.addWidget(field, place, 1)
        self.setVisible(bool(rows))


class CommandBox(QFrame):
    """The equal command line in fixed-width letters; it can be selected."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("inset", True)
        self._label = QLabel()
        self._label.setProperty("mono", True)
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setWordWrap(True)
        self._label.setAccessibleName("Equal command line")
        self._label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 8, 10, 8)
        column.addWidget(self._label)

    def text(self) -> str:
        return self._label.text()

    def setText(self, text: str) -> None:
        self._label.setText(text)
        self._label.setToolTip(text)


def choose_combo(combo: QComboBox, rows: Sequence[tuple[str, str, str, bool]], current: str) -> None:
    """Fill a combo with (value, words, tip, enabled) and keep or take `current`; tells nobody."""
    kept = current or combo.currentData() or ""
    combo.blockSignals(True)
    combo.clear()
    for place, (value, words, tip, enabled) in enumerate(rows):
        combo.addItem(words, value)
        combo.setItemData(place, tip or None, Qt.ItemDataRole.ToolTipRole)
        model = combo.model()
        if not enabled and isinstance(model, QStandardItemModel):
            model.item(place).setEnabled(False)
    usable = [value for value, _words, _tip, enabled in rows if enabled]
    wanted = kept if kept in usable else next(iter(usable), "")
    combo.setCurrentIndex(max(0, combo.findData(wanted)) if rows else -1)
    combo.blockSignals(False)
