"""The views of the Live workspace together."""

from __future__ import annotations

from PySide6.QtWidgets import QTabWidget, QWidget

from stepscope.widgets.common.rooms import put_into
from stepscope.widgets.hierarchy import UITreeView
from stepscope.widgets.live import DeviceLog, LiveSide, RecordingStrip
from stepscope.widgets.live.conversation import ConversationView
from stepscope.widgets.live.mirror import LiveCentre


class LiveTalk(QTabWidget):
    """Tabs Conversation, UI tree, Log."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDocumentMode(True)
        self.tabBar().setDrawBase(False)
        self.tabBar().setAccessibleName("Talk, tree and log")
        self.setMinimumWidth(240)
        self.conversation, self.tree, self.log = ConversationView(parent=self), UITreeView(self), DeviceLog(self)
        self.addTab(self.conversation, "Conversation")
        self.addTab(self.tree, "UI tree")
        self.addTab(self.log, "Log")

    @property
    def shows_tree(self) -> bool:
        return self.isVisible() and self.currentWidget() is self.tree


class LiveParts:
    """Made when the workspace is first entered: centre, left, side and recording, each in its room."""

    def __init__(self, *rooms: QWidget | None) -> None:
        centre, left, side, recording = rooms
        self.centre, self.left = LiveCentre(centre), LiveSide(left)
        self.side, self.recording = LiveTalk(side), RecordingStrip(recording)
        put_into(rooms, (self.centre, self.left, self.side, self.recording))
