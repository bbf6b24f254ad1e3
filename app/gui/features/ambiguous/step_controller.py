"""The steps of the task that is shown: a strip on which what was left out is marked, the screen of the current step
with what was done there, and the step in words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject

from stepscope.app.gui.features.ambiguous import presenter
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.ports import AmbiguousViews
from stepscope.app.gui.shell.step_words import timeline_step
from stepscope.core.domain.ambiguous_task import AmbiguousTask, StepRole
from stepscope.core.domain.episode import Episode, Picture
from stepscope.core.domain.layers import DEFAULT_LAYERS
from stepscope.core.errors import UserError
from stepscope.core.imaging.overlay import build_marks
from stepscope.widgets.screen import ScreenContent, ScreenPicture

NAME = "ambiguous"


class StepController(QObject):
    """Follows the step that all workspaces share while Review is in front. `task` gives the task that is shown."""

    def __init__(
        self,
        context: Context,
        views: AmbiguousViews,
        viewer: EpisodeViewer,
        task: Callable[[], AmbiguousTask | None],
    ) -> None:
        super().__init__(context)
        self._context, self._viewer, self._task = context, viewer, task
        self._side, self._strip = views.ambiguous_step, views.ambiguous.task.strip
        self._steps_of: tuple[Episode, AmbiguousTask] | None = None
        hear = partial(context.events.signal_while_shown, NAME)
        hear(viewer.picture_ready, self._show_screen, later=False)
        hear(viewer.picture_improved, self._show_screen, later=False)
        hear(viewer.picture_waited, lambda: self._side.view.set_loading(True), later=False)
        hear(viewer.picture_failed, self._show_error, later=False)
        hear(context.selection.step_changed, self._follow, later=False)
        self._strip.step_chosen.connect(viewer.go)
        self._strip.thumbnails_wanted.connect(self._fetch)
        self._side.moved.connect(self.move)

    def show(self) -> None:
        """Show the steps of the task, once its episode is there."""
        episode, task = self._episode(), self._task()
        if episode is None or task is None:
            self._steps_of = None
            self._strip.set_steps(())
            self._side.show_reading(None)
            self._side.view.set_empty("No step is shown.")
            return
        if self._steps_of is None or self._steps_of[0] is not episode or self._steps_of[1] is not task:
            self._steps_of = episode, task
            self._show_strip(episode, task)
        self._follow()
        picture = episode.shown_at(self._context.selection.step_index)
        self._show_screen(self._context.pictures.at_hand(picture) if picture is not None else None)

    def move(self, by: int) -> None:
        """Go `by` steps on."""
        if self._episode() is not None:
            self._viewer.move(by)

    def go(self, number: int) -> None:
        """Go to a step by its place, from the end where it is negative."""
        episode = self._episode()
        if episode is not None and episode.steps:
            self._viewer.go(number % len(episode.steps))

    def go_to(self, index: int) -> None:
        """Go to the step of that index, as the data counts."""
        episode = self._episode()
        if episode is not None:
            self._viewer.go(max(episode.position_of(index), 0))

    # Inside ----------------------------------------------------------------------------------------------------------

    def _episode(self) -> Episode | None:
        """The episode of the task, None while another one is open."""
        episode, task = self._context.selection.episode, self._task()
        return episode if episode is not None and task is not None and episode.id == task.slot.episode else None

    def _show_strip(self, episode: Episode, task: AmbiguousTask) -> None:
        left_out = {piece.step for piece in task.pieces}
        decided = {one.index for one in task.readings if one.role is StepRole.INFORMATIVE}
        steps = [timeline_step(episode, place) for place in range(len(episode.steps))]
        self._strip.set_steps(
            [
                replace(shown, ask="due" if step.index in left_out else "")
                for shown, step in zip(steps, episode.steps, strict=True)
            ]
        )
        signs = {place: ("info",) for place, step in enumerate(episode.steps) if step.index in decided}
        self._strip.set_signs(signs)

    def _follow(self) -> None:
        """The step that is shown now: its place in the strip, and its words."""
        episode, task, here = self._episode(), self._task(), self._context.selection.step_index
        if episode is None or task is None or not 0 <= here < len(episode.steps):
            return
        self._strip.set_current(here)
        step = episode.steps[here]
        total = len(episode.steps)
        self._side.show_reading(presenter.reading_shown(task, step.index, here, total, step.instruction))

    def _show_screen(self, picture: ScreenPicture | None) -> None:
        episode, here = self._episode(), self._context.selection.step_index
        if episode is None or not 0 <= here < len(episode.steps):
            return
        step = episode.steps[here]
        marks = build_marks(step, (), None, DEFAULT_LAYERS)
        self._side.view.show_step(
            ScreenContent(step.observation.size, picture, marks, here + 1, len(episode.steps), words="")
        )
        self._side.view.describe(f"Step {here + 1} of {len(episode.steps)}.")

    def _show_error(self, error: UserError) -> None:
        self._show_screen(None)
        place = self._context.selection.step_index + 1
        self._side.view.set_error(f"Cannot show step {place}", f"{error.message} {error.hint}".strip())

    def _fetch(self, places: list[int]) -> None:
        episode = self._episode()
        if episode is None:
            return
        self._context.pictures.drop_small("review")
        for place in places:
            if (picture := episode.shown_at(place)) is not None:
                self._context.pictures.want_small("review", [picture], partial(self._came, episode, place))

    def _came(self, episode: Episode, place: int, _picture: Picture, small: ScreenPicture) -> None:
        if self._episode() is episode:
            self._strip.set_thumbnail(place, small.image)
