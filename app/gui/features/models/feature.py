"""Models and chat servers as the workbench knows them."""

from __future__ import annotations

from stepscope.app.gui.features.models.models_controller import ModelsController
from stepscope.app.gui.features.models.servers_controller import ServersController
from stepscope.app.gui.features.models.weights_controller import WeightsController
from stepscope.app.gui.shell.commands.bar import CommandBar
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.events import ModelsChanged
from stepscope.app.gui.shell.feature import Feature, Handlers
from stepscope.app.gui.shell.ports import ModelForms


class ModelsFeature(Feature):
    id = "models"

    def __init__(self, context: Context, forms: ModelForms) -> None:
        super().__init__(context)
        self.controller, self.servers = ModelsController(context, forms), ServersController(context)
        self.weights = WeightsController(context)
        for changed in (self.controller.changed, self.servers.changed, self.weights.changed):
            context.events.from_signal(changed, ModelsChanged)

    def handlers(self) -> Handlers:
        return self.controller.handlers() | self.servers.handlers() | self.weights.handlers()

    def bind(self, bar: CommandBar) -> None:
        self.controller.bind(bar)
