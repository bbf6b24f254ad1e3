"""The door to campaigns. What is behind it is imported when it is opened first: the window's start does without."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.export_work import ExportWork
from stepscope.app.gui.shell.undo import UndoHistory

if TYPE_CHECKING:
    from stepscope.app.gui.features.campaigns.campaign_window_controller import CampaignWindow


class CampaignsController(QObject):
    """`task_wanted` carries a goal and the package of the app in which it is to be demonstrated; who records it then
    calls `demonstration_done`."""

    task_wanted = Signal(str, str)

    def __init__(self, context: Context, history: UndoHistory, exports: ExportWork) -> None:
        super().__init__(context)
        self._context, self._history, self._exports = context, history, exports
        self.inside: CampaignWindow | None = None
        """None until it was opened once"""

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {"campaign.open": self.show}

    def show(self) -> None:
        """The campaigns in a window of their own."""
        if self.inside is None:
            from stepscope.app.gui.features.campaigns.campaign_window_controller import CampaignWindow

            self.inside = CampaignWindow(self._context, self._history, self._exports)
            self.inside.tasks.wanted.connect(self.task_wanted)
        self.inside.show()

    @property
    def has_task(self) -> bool:
        """Whether a task was handed out here and not demonstrated yet."""
        return self.inside is not None and self.inside.tasks.at_hand is not None

    def demonstration_done(self, folder: Path, episode: str = "") -> None:
        """The task that was handed out last was recorded in `folder`, or as `episode` in a folder below it. Nothing
        happens where there is no such task."""
        if self.inside is not None:
            self.inside.tasks.demonstrated(folder, episode)
