"""Training as the workbench knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.events import ModelsChanged
from stepscope.app.gui.shell.feature import Handlers, LateFeature
from stepscope.app.gui.shell.ports import EpisodeList, TrainingViews

if TYPE_CHECKING:
    from stepscope.app.gui.features.training.training_controller import TrainingController


class TrainingFeature(LateFeature):
    id = "training"
    views = ("training",)
    commands = (
        "models.train", "models.tune", "models.tune_curve", "training.pause", "training.stop", "training.evaluate",
    )  # fmt: skip
    modules = (
        "stepscope.app.gui.features.training.training_controller",
        "stepscope.widgets.training",
    )

    def __init__(self, context: Context, views: TrainingViews, library: EpisodeList) -> None:
        super().__init__(context)
        self._views, self._library = views, library
        self._controller: TrainingController | None = None

    @property
    def controller(self) -> TrainingController:
        self.build()
        assert self._controller is not None
        return self._controller

    @property
    def is_running(self) -> bool:
        """Whether a training is at work."""
        if self._controller is None:
            return False
        return self._controller.is_running or self.tuning.is_running or self.curve.is_running

    def _build(self) -> tuple[Handlers, Handlers]:
        from stepscope.app.gui.features.training.curve_controller import CurveController
        from stepscope.app.gui.features.training.training_controller import TrainingController
        from stepscope.app.gui.features.training.tuning_controller import TuningController

        controller = self._controller = TrainingController(self._context, self._views, self._library)
        controller.trained.connect(lambda _task, name: self._context.events.publish(ModelsChanged(name)))
        self.tuning = TuningController(self._context, lambda: controller.is_running or self.curve.is_running)
        self.curve = CurveController(self._context, lambda: controller.is_running or self.tuning.is_running)
        return controller.handlers() | self.tuning.handlers() | self.curve.handlers(), {}
