"""The views of the Web task workspace together."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from stepscope.widgets.webtask import WebTaskCentre
from stepscope.widgets.webtask.side import WebTaskSide
from stepscope.widgets.webtask.tasks_panel import TasksPanel


class WebTaskParts:
    """Made when the workspace is first entered."""

    def __init__(self) -> None:
        self.centre, self.tasks, self.side = WebTaskCentre(), TasksPanel(), WebTaskSide()

    def move_into(self, *rooms: QWidget | None) -> None:
        """Put centre, tasks and side into these rooms."""
        for room, part in zip(rooms, (self.centre, self.tasks, self.side), strict=True):
            assert room is not None
            layout = room.layout()
            assert layout is not None
            layout.addWidget(part)
