"""The views of the Live workspace together."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget


class LiveParts:
    """Made when the workspace is first entered."""

    def __init__(self) -> None:
        self.centre, self.left, self.side, self.recording = QWidget(), QWidget(), QWidget(), QWidget()

    def move_into(self, *rooms: QWidget | None) -> None:
        """Put centre, left, side and recording into these rooms."""
        for room, part in zip(rooms, (self.centre, self.left, self.side, self.recording), strict=True):
            assert room is not None
            layout = room.layout()
            assert layout is not None
            layout.addWidget(part)
