"""Pieces of the form: rows of label and field, combos made from values, the command line."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent, QStandardItemModel
from PySide6.QtWidgets import QComboBox, QFrame, QGridLayout, QLabel, QVBoxLayout, QWidget

from stepscope.core.frozen import dataclass
from stepscope.widgets.common.fonts import BASE_PIXELS, pixel_size
from stepscope.widgets.common.plain_words import straight, tip_words

LARGEST = 2**24 - 1
LABEL_WIDTH, FIELD_WIDTH, GAP = 76, 120, 8
"""Of text as it is at first; a longer label has several lines, and with less room than both it stands above its
field."""


@dataclass(frozen=True, slots=True)
class LabelledField:
    """A field with its label, if it has one."""

    label: QLabel | None
    field: QWidget


class FormRows(QWidget):
    """Labels at the left, fields at the right, or one above the other where there is little room; a field's accessible
    name is its label."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: list[LabelledField] = []
        self._options: dict[str, list[LabelledField]] = {}
        self._places: dict[str, int] = {}
        self._stacked = False
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(GAP)
        self._grid.setVerticalSpacing(GAP)
        self._grid.setColumnStretch(1, 1)

    def add(self, words: str, field: QWidget, buddy: QWidget | None = None) -> None:
        label = None
        if words:
            label = QLabel(straight(words), self)
            label.setProperty("role", "dim")
            label.setBuddy(buddy or field)
            (buddy or field).setAccessibleName((buddy or field).accessibleName() or words)
        row = LabelledField(label, field)
        self._rows.append(row)
        self._put(sum(1 for _ in self._every()) - 1, row)

    def options_here(self, group: str = "") -> None:
        """The rows of `set_options` of this group follow those that there are."""
        self._places[group] = len(self._rows)

    def set_options(self, rows: Sequence[tuple[QLabel, QWidget]], group: str = "") -> None:
        """These rows and none of those before."""
        for old in self._options.get(group, ()):
            for part in (old.label, old.field):
                if part is not None:
                    part.hide()
                    part.deleteLater()
        self._options[group] = [LabelledField(label, field) for label, field in rows]
        self._fill()

    def show_row(self, field: QWidget, shown: bool) -> None:
        """Show or hide a field with its label."""
        row = next(row for row in self._rows if row.field is field)
        for part in (row.label, row.field):
            if part is not None:
                part.setVisible(shown)

    def labels(self) -> list[QLabel]:
        """From top to bottom."""
        return [row.label for row in self._every() if row.label is not None]

    def minimumSizeHint(self) -> QSize:
        """Width at which every name and its field stand one above the other."""
        widest = max((row.field.minimumSizeHint().width() for row in self._every()), default=0)
        return QSize(widest, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and self._rows:
            self._fill()

    def _arrange(self) -> None:
        if self._stacked != (self.width() < self._scale() * (LABEL_WIDTH + FIELD_WIDTH) + GAP):
            self._stacked = not self._stacked
            self._fill()

    def _fill(self) -> None:
        """Put everything in its place again; what is hidden stays so.

        Not by `takeAt`: the item that it gives back lives on, and the next one of the same widget is never told that
        its heights are others.
        """
        while (item := self._grid.itemAt(0)) is not None and (widget := item.widget()) is not None:
            self._grid.removeWidget(widget)
        for place, row in enumerate(self._every()):
            self._put(place, row)

    def _put(self, place: int, row: LabelledField) -> None:
        width, across = round(self._scale() * LABEL_WIDTH), 2 if self._stacked else 1
        if row.label is not None:
            row.label.setWordWrap(not self._stacked)
            row.label.setMinimumWidth(0 if self._stacked else width)
            row.label.setMaximumWidth(LARGEST if self._stacked else width)
            self._grid.addWidget(row.label, 2 * place, 0, 1, across)
        self._grid.addWidget(row.field, 2 * place + self._stacked, 0 if self._stacked else 1, 1, across)
        self._grid.setColumnMinimumWidth(0, 0 if self._stacked else width)
        self.updateGeometry()

    def _every(self) -> list[LabelledField]:
        found: list[LabelledField] = []
        for place in range(len(self._rows) + 1):
            for group in (group for group, begin in self._places.items() if begin == place):
                found += self._options.get(group, ())
            found += self._rows[place : place + 1]
        return found

    def _scale(self) -> float:
        """How much larger than at first the text is."""
        return pixel_size(self.font()) / BASE_PIXELS


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
        self._label.setText(straight(text))
        self._label.setToolTip(tip_words(text))


def choose_combo(combo: QComboBox, rows: Sequence[tuple[str, str, str, bool]], current: str) -> None:
    """Fill a combo with (value, words, tip, enabled) and keep or take `current`; tells nobody."""
    kept = current or combo.currentData() or ""
    combo.blockSignals(True)
    combo.clear()
    for place, (value, words, tip, enabled) in enumerate(rows):
        combo.addItem(words, value)
        combo.setItemData(place, tip_words(tip or None), Qt.ItemDataRole.ToolTipRole)
        model = combo.model()
        if not enabled and isinstance(model, QStandardItemModel):
            model.item(place).setEnabled(False)
    usable = [value for value, _words, _tip, enabled in rows if enabled]
    wanted = kept if kept in usable else next(iter(usable), "")
    combo.setCurrentIndex(max(0, combo.findData(wanted)) if rows else -1)
    combo.blockSignals(False)
