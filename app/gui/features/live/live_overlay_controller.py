"""Models on the live picture: which of them are asked what they would do, or make of what was done so far, and the
marks of what they answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu

from stepscope.app.gui.features.live.live_controller import LiveController
from stepscope.app.gui.shell.context import Context
from stepscope.core.domain.layers import run_layer
from stepscope.core.domain.mark import Mark
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.widgets.common.plain_words import plain_label, tip_words

if TYPE_CHECKING:
    from stepscope.app.gui.features.live import presenter
    from stepscope.app.services.live import overlay as live_overlay
    from stepscope.app.services.live.overlay import LiveOverlay, OverlayPrediction, OverlayState
    from stepscope.app.services.live.predicting import StepModel
    from stepscope.core.domain.episode import Step
    from stepscope.widgets.live import AgentChoice
else:
    presenter = lazy_module("stepscope.app.gui.features.live.presenter")  # it stands on the views
    live_overlay = lazy_module("stepscope.app.services.live.overlay")

MOST = 3
"""Models beside the agent, which is A; more would cover the screen."""
LETTERS = "BCD"


class LiveOverlayController(QObject):
    """Keeps an overlay on the open device as long as models are chosen for it. `answered`: a model's OverlayPrediction
    is there."""

    answered = Signal(object)
    _told = Signal(object, object)

    def __init__(self, context: Context, live: LiveController, so_far: Callable[[], Sequence[Step]]) -> None:
        """`so_far` gives the steps that are being recorded; from any thread."""
        super().__init__(context)
        self._so_far = so_far
        self._context, self._live = context, live
        self._overlay: LiveOverlay | None = None
        self._marks: dict[str, tuple[Mark, ...]] = {}
        self._choices: tuple[AgentChoice, ...] = ()
        self._problems: dict[str, str] = {}
        self._connected = False
        self._models: dict[str, StepModel] = {}
        self._menu: QMenu | None = None
        self._told.connect(self._take, Qt.ConnectionType.QueuedConnection)
        live.session_changed.connect(self._begin)
        live.frame_shown.connect(self._frame_shown)

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {"device.models": self.choose}

    def enter(self) -> None:
        """The workspace comes to the front for the first time."""
        if not self._connected:
            self._connected = True
            self._live.parts.left.task.goal_changed.connect(self._ask_again)
            self._begin()

    @property
    def names(self) -> tuple[str, ...]:
        """The chosen models; B is the first."""
        return self._context.preferences.overlay_models[:MOST]

    def title_of(self, letter: str) -> str:
        """The name of the model that has this letter."""
        model = self._models.get(letter)
        return letter if model is None else model.info.title

    # Which models ----------------------------------------------------------------------------------------------------

    def choose(self) -> None:
        """Let the person tick models in a menu."""

        def found(_token: CancelToken) -> tuple[AgentChoice, ...]:
            from stepscope.app.gui.features.live.agent_choices import BESIDE, agent_choices, guess_choices

            return (*(one for one in agent_choices() if BESIDE not in one.name), *guess_choices())

        self._context.start("list models", found, self._offer)

    def _offer(self, choices: tuple[AgentChoice, ...]) -> None:
        self._choices = choices
        menu = QMenu(self._context.dialog_parent)
        menu.setAccessibleName("Models on the picture")
        for choice in choices:
            action = menu.addAction(plain_label(choice.title))
            action.setCheckable(True)
            action.setChecked(choice.name in self.names)
            action.setEnabled(not choice.why_not and (choice.name in self.names or len(self.names) < MOST))
            action.setStatusTip(choice.why_not or choice.tip)
            action.triggered.connect(lambda on, name=choice.name: self.toggle(name, on))
        menu.aboutToHide.connect(menu.deleteLater)
        self._menu = menu
        menu.popup(QCursor.pos())

    def toggle(self, name: str, on: bool) -> None:
        """Ask the model, or no longer."""
        others = tuple(one for one in self.names if one != name)
        self._context.prefer(overlay_models=(*others, name)[:MOST] if on else others)
        self._begin()

    # The overlay -----------------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        """Ask the chosen models about the device that is open now."""
        self._end()
        session, names = self._live.current, self.names
        if session is None or not self._connected:
            return
        self._live.parts.centre.tools.set_runs(("", *names), agent=0)
        if not names:
            return

        def load(_token: CancelToken) -> dict[str, Any]:
            from stepscope.app.services.live.predicting import live_model

            return {letter: live_model(name, guesses=True) for letter, name in zip(LETTERS, names, strict=False)}

        def loaded(models: dict[str, Any]) -> None:
            if session is not self._live.current or names != self.names or self._overlay is not None:
                for model in models.values():
                    model.close()
                return
            overlay = live_overlay.LiveOverlay(
                session,
                lambda answer: self._told.emit(overlay, answer),
                lambda state: self._told.emit(overlay, state),
                lambda: self._told.emit(overlay, None),
                so_far=self._so_far,
            )
            self._overlay, self._models = overlay, models
            overlay.show(models, self._live.parts.left.task.goal().strip())

        self._context.start("load models", load, loaded, failed=self._live.failed)

    def _ask_again(self, goal: str) -> None:
        """The goal is another one."""
        if self._overlay is not None:
            self._overlay.show(self._models, goal.strip())

    def _end(self) -> None:
        overlay, self._overlay = self._overlay, None
        if overlay is not None:
            overlay.close()
        self._marks.clear()
        if self._connected:
            self._live.parts.centre.view.set_marks(())

    def end(self) -> None:
        """The window is closing."""
        self._end()

    def more_done(self) -> None:
        """The recording has a step more, or less."""
        if self._overlay is not None:
            self._overlay.more_done()

    def _frame_shown(self) -> None:
        if self._overlay is not None:
            self._overlay.screen_changed()

    def _take(self, overlay: LiveOverlay, told: OverlayPrediction | OverlayState | None) -> None:
        if overlay is not self._overlay:
            return
        if told is None:
            self._marks.clear()
        elif isinstance(told, live_overlay.OverlayPrediction):
            self._marks[told.letter] = presenter.overlay_marks(told, LETTERS.index(told.letter) + 1)
            self.answered.emit(told)
        else:
            self._show_state(told)
            return
        marks = tuple(mark for letter in sorted(self._marks) for mark in self._marks[letter])
        self._live.parts.centre.view.set_marks(marks)

    def _show_state(self, state: OverlayState) -> None:
        """How a model keeps up stands in its chip's tooltip; what went wrong is told once."""
        place = LETTERS.index(state.letter)
        name = self.names[place] if place < len(self.names) else ""
        chip = self._live.parts.centre.tools.chip(run_layer(place + 1))
        if chip is not None:
            chip.setToolTip(tip_words(f"{name}: {presenter.overlay_words(state)}"))
        if state.problem and self._problems.get(state.letter) != state.problem:
            self._live.log("problem", f"{name}: {state.problem}")
        self._problems[state.letter] = state.problem
