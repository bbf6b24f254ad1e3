"""Which docks a workspace opens with, where they stand, how large they are, and what they are made of."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QVBoxLayout, QWidget

LEFT, RIGHT = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea

WORKSPACES = {
    "replay": ("episodes", "inspector", "tree", "timeline"),
    "results": ("runs", "selection"),
    "compare": ("compared", "rules", "aligned"),
    "ordering": ("episodes", "orders"),
    "live": ("devices", "conversation", "recording"),
    "webtask": ("webtasks", "fields"),
}
"""Docks that a workspace opens with."""

LATE_VIEWS_OF = {
    "results": ("results", "runs", "selected"),
    "compare": ("compare", "compared", "rules", "aligned"),
    "ordering": ("ordering", "orders"),
}
"""The views of a workspace, made when it is entered first."""

LATE_VIEWS = (*(view for views in LATE_VIEWS_OF.values() for view in views), "evaluate", "training", "problems")
"""Views that are made when they are first wanted."""

LEFT_DOCKS = ("episodes", "runs", "compared", "devices", "webtasks")
BOTTOM_DOCKS = ("timeline", "aligned", "problems", "recording")
GIVE_WAY = ("inspector", "tree", "selection", "rules", "orders", "conversation", "fields")
"""Docks at the right, whose place a form takes."""

FORMS = ("evaluate", "training")
"""Docks of which one at a time takes the place of those at the right."""

LAYOUT_VERSION = 6

WIDE = 1300
CHIP_WIDTH, NARROW_CHIP_WIDTH = 400, 320
"""Room in the menu row for a running task: name, bar, how far, how long still, pause, cancel."""

NARROW_DOCK_WIDTH = 242
WIDTHS = {
    "episodes": 336, "runs": 272, "inspector": 344, "evaluate": 344, "training": 344, "selection": 328, "orders": 328,
    "compared": 336, "rules": 356, "devices": 288, "conversation": 372,
    "webtasks": 280, "fields": 400,
}  # fmt: skip
HEIGHTS = {"inspector": 500, "tree": 340, "timeline": 168, "aligned": 180, "recording": 116}


def drag_strip(dock: QDockWidget) -> QWidget:
    """A docked view carries its own header; a floating one gets the system's frame."""
    strip = QWidget()
    strip.setFixedHeight(0)
    dock.topLevelChanged.connect(lambda floating: dock.setTitleBarWidget(None if floating else drag_strip(dock)))  # type: ignore[arg-type]
    return strip


def empty_room() -> QWidget:
    """Where a view is put that is made later."""
    room = QWidget()
    column = QVBoxLayout(room)
    column.setContentsMargins(0, 0, 0, 0)
    return room
