"""Models and chat servers as the workbench knows them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from stepscope.app.gui.features.models.models_controller import ModelsController
from stepscope.app.gui.shell.commands.bar import CommandBar
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.events import ModelsChanged
from stepscope.app.gui.shell.feature import Feature, Handlers
from stepscope.app.gui.shell.ports import ModelForms

if TYPE_CHECKING:
    from stepscope.app.gui.features.models.add_model_controller import AddModelController
    from stepscope.app.gui.features.models.servers_controller import ServersController
    from stepscope.app.gui.features.models.weights_controller import WeightsController


class ModelsFeature(Feature):
    """Which models there are, and the device, are known from the start; who adds models, their weights and servers are
    made when their windows are opened."""

    id = "models"
    modules = (
        "stepscope.app.gui.features.models.add_model_controller",
        "stepscope.app.gui.features.models.servers_controller",
        "stepscope.app.gui.features.models.weights_controller",
    )

    def __init__(self, context: Context, forms: ModelForms) -> None:
        super().__init__(context)
        self.controller = ModelsController(context, forms)
        self.controller.page_wanted.connect(lambda name: self.adding.show(name))
        context.events.from_signal(self.controller.changed, ModelsChanged)

    @cached_property
    def servers(self) -> ServersController:
        from stepscope.app.gui.features.models.servers_controller import ServersController

        servers = ServersController(self._context)
        self._context.events.from_signal(servers.changed, ModelsChanged)
        return servers

    @cached_property
    def weights(self) -> WeightsController:
        from stepscope.app.gui.features.models.weights_controller import WeightsController

        weights = WeightsController(self._context)
        self._context.events.from_signal(weights.changed, ModelsChanged)
        return weights

    @cached_property
    def adding(self) -> AddModelController:
        from stepscope.app.gui.features.models.add_model_controller import AddModelController

        adding = AddModelController(self._context)
        adding.changed.connect(self.controller.refresh)
        adding.added.connect(self.controller.refresh)
        adding.evaluate_requested.connect(self.controller.evaluate)
        self._context.events.from_signal(adding.changed, ModelsChanged)
        return adding

    def handlers(self) -> Handlers:
        return self.controller.handlers() | {
            "models.add": lambda: self.adding.show(),
            "models.servers": lambda: self.servers.show(),
            "models.weights": lambda: self.weights.show(),
        }

    def bind(self, bar: CommandBar) -> None:
        self.controller.bind(bar)
