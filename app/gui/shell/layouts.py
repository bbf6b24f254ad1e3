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
    "ordering": ("procedures", "orders", "ordered"),
    "judge": ("pairs", "judged"),
    "live": ("devices", "conversation", "recording"),
    "webtask": ("webtasks", "fields"),
    "ambiguous": ("asktasks", "askstep"),
    "start": (),
    "preferences": (),
}
"""Docks that a workspace opens with."""

PAGES = ("start", "preferences")
"""Workspaces that are one page and have no docks: they are not in the rail, Esc leads from them to where one was, and
no session begins with them."""

LATE_VIEWS_OF = {
    "results": ("results", "runs", "selected"),
    "compare": ("compare", "compared", "rules", "aligned"),
    "ordering": ("ordering", "orders", "procedures", "ordered"),
    "judge": ("judge", "pairs", "judged"),
    "ambiguous": ("ambiguous", "ambiguous_list", "ambiguous_step"),
    "start": ("start",),
    "preferences": ("preferences",),
}
"""The views of a workspace, made when it is entered first."""

LATE_VIEWS = (*(view for views in LATE_VIEWS_OF.values() for view in views), "evaluate", "training")
"""Views that are made when they are first wanted."""

DOCKS = {
    "episodes": "Episodes", "runs": "Runs", "compared": "Compare", "procedures": "Procedures",
    "pairs": "Pairs to judge", "devices": "Devices", "webtasks": "Web tasks", "asktasks": "Ambiguous tasks",
    "inspector": "Step", "tree": "UI tree", "selection": "Selection", "rules": "Matching rule",
    "orders": "Pairwise confidence", "judged": "Descriptions and answers", "conversation": "Conversation",
    "fields": "Fields and actions", "askstep": "Step of the task", "evaluate": "Evaluate", "training": "Train",
    "timeline": "Timeline", "aligned": "Aligned by step", "ordered": "This procedure", "recording": "This recording",
}  # fmt: skip
"""Title by name, in the order in which they lie at a side."""

VIEW_IN = {
    "runs": "runs", "compared": "compared", "procedures": "procedures", "pairs": "pairs", "asktasks": "ambiguous_list",
    "selection": "selected", "rules": "rules", "orders": "orders", "judged": "judged", "askstep": "ambiguous_step",
    "evaluate": "evaluate", "training": "training", "aligned": "aligned", "ordered": "ordered",
}  # fmt: skip
"""Which late view a dock holds."""

LEFT_DOCKS = ("episodes", "runs", "compared", "procedures", "pairs", "devices", "webtasks", "asktasks")
BOTTOM_DOCKS = ("timeline", "aligned", "ordered", "recording")
GIVE_WAY = ("inspector", "tree", "selection", "rules", "orders", "judged", "conversation", "fields", "askstep")
"""Docks at the right, whose place a form takes."""

FORMS = ("evaluate", "training")
"""Docks of which one at a time takes the place of those at the right."""

LAYOUT_VERSION = 6

KEPT_AS = {"ordering": "ordering procedures"}
"""Names under which layouts are kept, where not the workspace's: those of before had other docks, and stay away."""

WIDE = 1300
NARROW_DOCK_WIDTH = 242
WIDTHS = {
    "episodes": 336, "runs": 272, "inspector": 344, "evaluate": 344, "training": 344, "selection": 328, "orders": 328,
    "compared": 336, "procedures": 300, "rules": 356, "pairs": 280, "judged": 384, "devices": 288, "conversation": 372,
    "webtasks": 280, "fields": 400, "asktasks": 300, "askstep": 400,
}  # fmt: skip
HEIGHTS = {"inspector": 500, "tree": 340, "timeline": 168, "aligned": 180, "ordered": 168, "recording": 116}


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
