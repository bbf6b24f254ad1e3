"""Small parts of the results' pages."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget


def framed(*parts: QWidget) -> QFrame:
    """The parts one below the other in a card."""
    frame = QFrame()
    frame.setProperty("card", True)
    column = QVBoxLayout(frame)
    column.setContentsMargins(1, 1, 1, 1)
    for part in parts:
        column.addWidget(part)
    return frame
