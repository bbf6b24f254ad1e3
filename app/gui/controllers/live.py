"""The Live workspace: which device is open, its picture, what the person does to it. What is recorded and what an agent
does are controllers of their own, which go through `session`."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.gui.context import Context
from core.device.session import LiveSession

NAME = "live"
COMMANDS = (
    "device.connect", "device.simulated", "record.toggle", "record.pause", "record.login", "record.undo", "record.redo",
    "record.note", "device.screenshot", "device.save_screen", "device.install", "device.back", "device.home",
    "device.recents", "device.rotate", "device.power", "device.keys", "device.freeze", "agent.approve", "agent.reject",
    "agent.pause", "agent.stop", "device.reconnect", "device.disconnect",
)  # fmt: skip


class LiveController(QObject):
    """`session_changed`: another device, or none, is open."""

    session_changed = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._context = context
        self.session: LiveSession | None = None

    def handlers(self) -> dict[str, Callable[[], object]]:
        return dict.fromkeys(COMMANDS, lambda: None)
