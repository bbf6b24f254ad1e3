"""A small table of words and numbers whose cells change often and whose shape seldom."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from stepscope.widgets import theme
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.ordering.ordering_rows import GridCell

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class ValueGrid(QWidget):
    """The first row is the head; the first column takes the room that is left."""

    def __init__(self, name: str, parent: QWidget | None = None, *, wide: bool = False) -> None:
        """`wide`: columns share the room instead of standing close at the right."""
        super().__init__(parent)
        self.setAccessibleName(name)
        self._wide = wide
        self._labels: list[list[QLabel]] = []
        self._cells: tuple[tuple[GridCell, ...], ...] = ()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setVerticalSpacing(8)
        self._grid.setHorizontalSpacing(16 if wide else 10)
        theme.notifier().changed.connect(self._fill)

    @property
    def shown(self) -> list[list[str]]:
        """What the cells say, the head first."""
        return [[cell.text for cell in row] for row in self._cells]

    def set_rows(self, rows: Sequence[Sequence[GridCell]]) -> None:
        """Show these cells; all rows are as long as the first."""
        shape = [len(row) for row in self._cells]
        self._cells = tuple(map(tuple, rows))
        if [len(row) for row in self._cells] != shape:
            self._make_labels()
        self._fill()
        self.setAccessibleDescription(". ".join(" ".join(cell.text for cell in row) for row in self._cells))

    def _make_labels(self) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        self._labels = []
        columns = len(self._cells[0]) if self._cells else 0
        for column in range(self._grid.columnCount()):
            self._grid.setColumnStretch(column, 1 if column < columns and (self._wide or column == 0) else 0)
        for row, cells in enumerate(self._cells):
            self._labels.append([])
            for column, cell in enumerate(cells):
                label = QLabel(self)
                label.setAlignment(_RIGHT if cell.is_number else _LEFT)
                label.setWordWrap(not cell.is_number and not self._wide)
                self._labels[-1].append(label)
                self._grid.addWidget(label, row, column)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fill()

    def _fill(self) -> None:
        colours, font = theme.current(), derived(self.font(), 12)
        for labels, cells in zip(self._labels, self._cells, strict=True):
            for label, cell in zip(labels, cells, strict=True):
                ink = colours.dim if cell.is_dim else colours.text
                palette = label.palette()
                palette.setColor(
                    label.foregroundRole(), QColor(ink if cell.run is None else colours.run_colour(cell.run))
                )
                label.setPalette(palette)
                label.setFont(font)
                label.setText(straight(cell.text))
                label.setToolTip(tip_words(cell.tip))
