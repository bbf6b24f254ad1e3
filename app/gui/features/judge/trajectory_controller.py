"""The trajectory of the shown episode as a model gets to see it: its steps, small pictures, and the current one large.

Pictures are drawn in the background; answers for an episode that was left are dropped.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QImage

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.core.domain.episode import Episode
from stepscope.core.domain.geometry import Box, Size
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.widgets.judge.screen_outlines import ScreenOutline
from stepscope.widgets.judge.trajectory import StripStep, TrajectoryView, image_of, thumbnail_of

if TYPE_CHECKING:
    from stepscope.app.services import goal_trajectory
    from stepscope.app.services.goal_trajectory import TrajectoryStep
else:
    goal_trajectory = lazy_module("stepscope.app.services.goal_trajectory")

KEPT = 12
"""Large pictures of the episode that are kept."""


@dataclass(frozen=True, slots=True)
class DrawnScreen:
    """What is shown of a screen: from the row `top` on of a whole picture of `size`."""

    image: QImage
    size: Size
    top: int


class TrajectoryController(QObject):
    """Shows an episode's trajectory; the step that all workspaces share is the current one."""

    def __init__(self, context: Context, view: TrajectoryView, viewer: EpisodeViewer, workspace: str) -> None:
        super().__init__(context)
        self._context, self._view, self._viewer = context, view, viewer
        self._episode: Episode | None = None
        self._steps: tuple[TrajectoryStep, ...] = ()
        self._large: OrderedDict[int, DrawnScreen | None] = OrderedDict()
        self._outlined: Mapping[int, Sequence[tuple[Box, bool]]] = {}
        self._drawing: list[CancelToken] = []
        view.step_chosen.connect(self._choose)
        context.events.signal_while_shown(workspace, context.selection.step_changed, self._follow)

    def show(self, episode: Episode | None) -> None:
        """Show this episode's trajectory, None for none; the same again only follows the step."""
        if episode is self._episode:
            self._follow()
            return
        for token in self._drawing:
            token.cancel()
        self._episode, self._steps, self._drawing = episode, (), []
        self._large.clear()
        self._view.set_steps(())
        if episode is None:
            return

        def arrived(steps: tuple[TrajectoryStep, ...]) -> None:
            if self._episode is not episode:
                return
            self._steps = steps
            self._view.set_steps([StripStep(number + 1, step.words) for number, step in enumerate(steps)])
            self._follow()
            for number in range(len(steps)):
                self._draw(episode, number, large=False)

        self._context.start("trajectory", lambda _token: goal_trajectory.trajectory_of(episode), arrived, priority=2)

    def move(self, by: int) -> None:
        """Go `by` steps on, as far as the trajectory goes."""
        if self._steps:
            self._choose(min(max(self._view.current() + by, 0), len(self._steps) - 1))

    def go(self, number: int) -> None:
        """Go to a step, from the end where it is negative."""
        if self._steps:
            self._choose(number % len(self._steps))

    def outline(self, boxes: Mapping[int, Sequence[tuple[Box, bool]]]) -> None:
        """Outline elements: by place in the episode's steps, boxes and whether each supports or contradicts."""
        self._outlined = boxes
        self._view.picture.set_outlines(self._outlines(self._view.current()))

    def go_to(self, place: int) -> None:
        """Go to a step by its place in the episode."""
        self._viewer.go(place)

    def _choose(self, number: int) -> None:
        if 0 <= number < len(self._steps):
            self._viewer.go(self._steps[number].place)

    def _follow(self) -> None:
        """The shared step, or the last one of the trajectory before it: what says that the task is over is left out."""
        episode = self._episode
        if episode is None or not self._steps or self._context.selection.episode is not episode:
            return
        here = self._context.selection.step_index
        number = max((n for n, step in enumerate(self._steps) if step.place <= here), default=0)
        self._view.set_current(number)
        if number in self._large:
            self._large.move_to_end(number)
            self._show_large(number)
        else:
            self._draw(episode, number, large=True)

    def _draw(self, episode: Episode, number: int, *, large: bool) -> None:
        place = self._steps[number].place

        def work(token: CancelToken) -> DrawnScreen | UserError | None:
            if token.cancelled:
                return None
            try:
                part = goal_trajectory.trajectory_screen(episode, place)
            except UserError as error:
                return error  # told in the picture's place
            if part is None:
                return None
            image = image_of(part.pixels)
            return DrawnScreen(image if large else thumbnail_of(image), part.size, part.top)

        def arrived(found: DrawnScreen | UserError | None) -> None:
            if self._episode is not episode:
                return
            drawn = None if isinstance(found, UserError) else found
            if not large:
                self._view.thumbs.set_picture(number, drawn.image if drawn is not None else None)
                return
            self._large[number] = drawn
            while len(self._large) > KEPT:
                self._large.popitem(last=False)
            if self._view.current() == number:
                self._show_large(number, str(found) if isinstance(found, UserError) else "")

        lane = "urgent" if large else "reader"
        task = self._context.start("drawn screen", work, arrived, lane=lane, priority=2 if large else -1)
        self._drawing.append(task.token)

    def _show_large(self, number: int, trouble: str = "") -> None:
        drawn = self._large[number]
        words = trouble or ("" if drawn is not None else "This step has no picture.")
        self._view.set_screen(drawn.image if drawn is not None else None, words, self._outlines(number))

    def _outlines(self, number: int) -> list[ScreenOutline]:
        """Those of a step; none while its screen is not there."""
        drawn = self._large.get(number)
        if drawn is None or not 0 <= number < len(self._steps):
            return []
        return outlines_on(drawn, self._outlined.get(self._steps[number].place, ()))


def outlines_on(drawn: DrawnScreen, boxes: Sequence[tuple[Box, bool]]) -> list[ScreenOutline]:
    """Boxes, and whether each supports or contradicts, in pixels of what is shown; what lies outside is left out."""
    found = []
    for box, supports in boxes:
        here, height = box.rescaled(drawn.size), drawn.image.height()
        top, bottom = max(here.top - drawn.top, 0.0), min(here.bottom - drawn.top, height)
        left, right = max(here.left, 0.0), min(here.right, float(drawn.size.width))
        if top < bottom and left < right:
            found.append(ScreenOutline(left, top, right, bottom, supports))
    return found
