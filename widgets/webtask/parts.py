"""The views of the Web task workspace together."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from stepscope.widgets.common.rooms import put_into
from stepscope.widgets.webtask import WebTaskCentre
from stepscope.widgets.webtask.side import WebTaskSide
from stepscope.widgets.webtask.tasks_panel import TasksPanel


class WebTaskParts:
    """Made when the workspace is first entered: centre, tasks and side, each in its room."""

    def __init__(self, *rooms: QWidget | None) -> None:
        centre, tasks, side = rooms
        self.centre, self.tasks, self.side = WebTaskCentre(centre), TasksPanel(tasks), WebTaskSide(side)
        put_into(rooms, (self.centre, self.tasks, self.side))
