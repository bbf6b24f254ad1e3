"""Campaigns as the workbench knows them. What is behind the command is loaded when it is used first."""

from __future__ import annotations

from stepscope.app.gui.features.campaigns.campaigns_controller import CampaignsController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.export_work import ExportWork
from stepscope.app.gui.shell.feature import Feature, Handlers
from stepscope.app.gui.shell.undo import UndoHistory


class CampaignsFeature(Feature):
    id = "campaigns"

    def __init__(self, context: Context, history: UndoHistory, exports: ExportWork) -> None:
        super().__init__(context)
        self.controller = CampaignsController(context, history, exports)

    def handlers(self) -> Handlers:
        return self.controller.handlers()
