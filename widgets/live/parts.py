"""The views of the Live workspace together."""

from __future__ import annotations

from PySide6.QtWidgets import QTabWidget, QWidget

from stepscope.widgets.hierarchy import UITreeView
from stepscope.widgets.live import DeviceLog, LiveSide, RecordingStrip
from stepscope.widgets.live.conversation import ConversationView
from stepscope.widgets.live.mirror import LiveCentre


class LiveTalk(QTabWidget):
    """Tabs Conversation, UI tree, Log."""

    def __init__(self) -> None:
        super().__init__()
        self.setDocumentMode(True)
        self.tabBar().setDrawBase(False)
        self.tabBar().setAccessibleName("Talk, tree and log")
        self.setMinimumWidth(240)
        self.conversation, self.tree, self.log = ConversationView(), UITreeView(), DeviceLog()
        self.addTab(self.conversation, "Conversation")
        self.addTab(self.tree, "UI tree")
        self.addTab(self.log, "Log")

    @property
    def shows_tree(self) -> bool:
        return self.isVisible() and self.currentWidget() is self.tree


class LiveParts:
    """Made when the workspace is first entered."""

    def __init__(self) -> None:
        self.centre, self.left, self.side, self.recording = LiveCentre(), LiveSide(), LiveTalk(), RecordingStrip()

    def move_into(self, *rooms: QWidget | None) -> None:
        """Put centre, left, side and recording into these rooms."""
        for room, part in zip(rooms, (self.centre, self.left, self.side, self.recording), strict=True):
            assert room is not None
            layout = room.layout()
            assert layout is not None
            layout.addWidget(part)
