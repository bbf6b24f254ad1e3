"""Small parts of the results' pages."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHeaderView, QTableView, QVBoxLayout, QWidget


def fit_columns(table: QTableView, widest: int) -> None:
    """Each column as wide as its contents, and `widest` takes what is left; where nothing is, the table scrolls."""
    header = table.horizontalHeader()
    columns = [column for column in range(table.model().columnCount()) if not table.isColumnHidden(column)]
    needed = sum(max(table.sizeHintForColumn(column), header.sectionSizeHint(column)) for column in columns)
    spare = needed <= table.viewport().width()
    for column in columns:
        stretch = spare and column == widest
        mode = QHeaderView.ResizeMode.Stretch if stretch else QHeaderView.ResizeMode.ResizeToContents
        header.setSectionResizeMode(column, mode)


def framed(*parts: QWidget, parent: QWidget | None = None) -> QFrame:
    """The parts one below the other in a card."""
    frame = QFrame(parent)
    frame.setProperty("card", True)
    column = QVBoxLayout(frame)
    column.setContentsMargins(1, 1, 1, 1)
    for part in parts:
        column.addWidget(part)
    return frame
