"""Devices, task, label and the place for apps one below the other, as the left dock shows them."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from stepscope.widgets.inspector.parts import DividerLine, ScrolledColumn
from stepscope.widgets.live.devices import DevicesPanel
from stepscope.widgets.live.drop_zone import DropZone
from stepscope.widgets.live.label import LabelPanel
from stepscope.widgets.live.task import TaskPanel

LEAST_WIDTH = 272


class LiveSide(QScrollArea):
    """Scrolls where there is not room for all."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.devices, self.task, self.label, self.drop = DevicesPanel(), TaskPanel(), LabelPanel(), DropZone()
        self.setAccessibleName("Devices, task and label")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._inside = ScrolledColumn()
        column = QVBoxLayout(self._inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (self.devices, DividerLine(), self.task, DividerLine(), self.label):
            column.addWidget(part)
        column.addStretch(1)
        drop = QVBoxLayout()
        drop.setContentsMargins(12, 12, 12, 12)
        drop.addWidget(self.drop)
        column.addLayout(drop)
        self.setWidget(self._inside)

    def minimumSizeHint(self) -> QSize:
        """Width that the widest panel needs at this text size, beside the scroll bar."""
        frame = 2 * self.frameWidth() + self.verticalScrollBar().sizeHint().width()
        return QSize(max(self._inside.minimumSizeHint().width() + frame, LEAST_WIDTH), 200)
