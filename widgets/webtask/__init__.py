"""The Web task workspace: the page with the rows around it."""

from widgets.webtask.centre import WebTaskCentre
from widgets.webtask.page_view import PageView
from widgets.webtask.side import WebTaskSide
from widgets.webtask.tasks_panel import TasksPanel
from widgets.webtask.values import (
    ORACLE,
    PEOPLE,
    PERSON,
    YOU,
    BlockedHost,
    FieldState,
    ListItem,
    PageFieldMark,
    Runner,
    WantedSize,
)

__all__ = [
    "ORACLE",
    "PEOPLE",
    "PERSON",
    "YOU",
    "BlockedHost",
    "FieldState",
    "ListItem",
    "PageFieldMark",
    "PageView",
    "Runner",
    "TasksPanel",
    "WantedSize",
    "WebTaskCentre",
    "WebTaskSide",
]
