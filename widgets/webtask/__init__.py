"""The Web task workspace: the page with the rows around it."""

from stepscope.widgets.webtask.centre import WebTaskCentre
from stepscope.widgets.webtask.page_fields import (
    ORACLE,
    PEOPLE,
    PERSON,
    YOU,
    BlockedHost,
    FieldState,
    PageFieldMark,
    RenderSize,
    Runner,
)
from stepscope.widgets.webtask.page_view import PageView
from stepscope.widgets.webtask.side import WebTaskSide
from stepscope.widgets.webtask.tasks_panel import TasksPanel

__all__ = [
    "ORACLE",
    "PEOPLE",
    "PERSON",
    "YOU",
    "BlockedHost",
    "FieldState",
    "PageFieldMark",
    "PageView",
    "RenderSize",
    "Runner",
    "TasksPanel",
    "WebTaskCentre",
    "WebTaskSide",
]
