"""A model or a baseline fills in the open page while the person watches."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint
from PySide6.QtWidgets import QMenu

from stepscope.app.gui.features.webtask.webtask_controller import WebTaskController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.ports import ShowForm
from stepscope.core.domain.prediction import Prediction, PredictionStatus, Task
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.widgets.common.plain_words import plain_label, tip_words

if TYPE_CHECKING:
    from stepscope.core.evaluation.predictor import ModelInfo
    from stepscope.core.webtask.predictor import PagePredictor, PreparedPage
    from stepscope.models import registry
    from stepscope.widgets.webtask.parts import WebTaskParts
else:
    registry = lazy_module("stepscope.models.registry")


class WebTaskSolvingController(QObject):
    """One solver at a time; it ends by itself, or when it is stopped."""

    def __init__(self, context: Context, task: WebTaskController, show_form: ShowForm) -> None:
        super().__init__(context)
        self._context, self._task, self._show_form = context, task, show_form
        self._token: CancelToken | None = None
        self._connected = False
        self._menu: QMenu | None = None
        task.page_changed.connect(self.stop)

    def connect_parts(self, parts: WebTaskParts) -> None:
        if not self._connected:
            self._connected = True
            parts.centre.title.run_wanted.connect(self.offer)

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {"webtask.solve": self.offer, "webtask.stop": self.stop}

    def offer(self) -> None:
        """A menu of everything that can fill in pages."""

        def work(_token: object) -> list[ModelInfo]:
            found = [model.info for model in registry.registry().models.values()]
            return [info for info in found if info.task is Task.WEBTASK]

        self._context.start("look up solvers", work, self._open_menu)

    def _open_menu(self, found: list[ModelInfo]) -> None:
        button = self._task.page.parts.centre.title.run
        menu = QMenu(button)
        for info in found:
            entry = menu.addAction(plain_label(f"{info.title} ({info.name})"))
            entry.setToolTip(tip_words(info.description))
            entry.triggered.connect(lambda _checked=False, name=info.name: self.solve(name))
        menu.addSeparator()
        menu.addAction("Evaluate on More Pages…").triggered.connect(lambda: self._show_form(Task.WEBTASK))
        menu.setToolTipsVisible(True)
        self._menu = menu
        menu.popup(button.mapToGlobal(QPoint(0, button.height())))

    def solve(self, name: str) -> None:
        """Let this model act on the open page."""
        source, read = self._context.selection.source, self._task.read
        if source is None or read is None or self._token is not None:
            return
        self._token = token = CancelToken()
        self._context.conditions.set("webpage_solving", True)
        self._task.page.parts.centre.set_busy(f"{name} fills in the page…", watched=True)
        reader, instance = source.source, read.instance.id

        def work(_token: object) -> tuple[PagePredictor, PreparedPage]:
            from stepscope.core.errors import UserError
            from stepscope.core.evaluation.predictor import FieldsRequest
            from stepscope.core.evaluation.tasks import task_kind
            from stepscope.core.evaluation.tasks.kind import Setting
            from stepscope.core.webtask.predictor import PagePredictor

            predictor = registry.load(name)
            if not isinstance(predictor, PagePredictor):
                raise UserError(f"{name} does not work on pages.", hint="Evaluate it, and open its answers here.")
            info = predictor.info
            setting = Setting(0, info.needs_reference, info.demonstrations)
            request = next(task_kind(Task.WEBTASK).items(reader, instance, setting)).request
            assert isinstance(request, FieldsRequest)
            return predictor, predictor.prepare(request)

        def ready(found: tuple[PagePredictor, PreparedPage]) -> None:
            predictor, prepared = found
            if token.cancelled or self._task.read is not read:
                self._ended(token)
                return
            predictor.set_token(token)
            running = self._task.page.solve(prepared, predictor.solver)
            self._task.page.answers.when(
                running, lambda made: self._solved(name, token, made), lambda error: self._failed(token, error)
            )

        self._context.start(f"load {name}", work, ready, failed=lambda error: self._failed(token, error))

    def stop(self) -> None:
        """The solver ends where it is; the page stays as it is."""
        if self._token is not None:
            self._token.cancel()

    def _failed(self, token: CancelToken, error: Exception) -> None:
        self._ended(token)
        self._context.messages.failure(error)
        self._task.bring()

    def _solved(self, name: str, token: CancelToken, made: Prediction) -> None:
        self._ended(token)
        if made.status is not PredictionStatus.OK and made.why:
            self._context.messages.warning(made.why, title=f"{name}:")
        read = self._task.read
        if read is not None and made.episode == read.instance.id:
            self._task.show_trial(name, made)

    def _ended(self, token: CancelToken) -> None:
        if self._token is not token:
            return
        self._token = None
        self._context.conditions.set("webpage_solving", False)
        if self._task.page.is_made:
            self._task.page.parts.centre.set_busy("")
