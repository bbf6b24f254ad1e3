"""Models and chat servers as the workbench knows them."""

from __future__ import annotations

from stepscope.app.gui.features.models.add_model_controller import AddModelController
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
        self.weights, self.adding = WeightsController(context), AddModelController(context)
        self.adding.changed.connect(self.controller.refresh)
        self.adding.added.connect(self.controller.refresh)
        self.adding.evaluate_requested.connect(self.controller.evaluate)
        self.controller.page_wanted.connect(self.adding.show)
        for one in (self.controller, self.servers, self.weights, self.adding):
            context.events.from_signal(one.changed, ModelsChanged)

    def handlers(self) -> Handlers:
        parts = (self.controller, self.servers, self.weights, self.adding)
        return {command: act for part in parts for command, act in part.handlers().items()}

    def bind(self, bar: CommandBar) -> None:
        self.controller.bind(bar)
