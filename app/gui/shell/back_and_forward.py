"""Back and forward through all that the window shows: workspaces, what each of them looks at, episodes and steps."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, QTimer

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.events import LooksElsewhere
from stepscope.app.gui.shell.feature import Feature, Handlers
from stepscope.app.gui.shell.layouts import PAGES
from stepscope.app.gui.shell.ports import Library
from stepscope.app.gui.shell.selection import NavigationPlace
from stepscope.core.frozen import dataclass

PASSING_SECONDS = 1.0
"""Who is at a step for less than this before another one of the episode passes it: going back does not lead there."""


@dataclass(frozen=True, slots=True)
class VisitedPlace:
    """Where a person was: the workspace in front, the episode and step that all share (None: no episode is open), and
    what the workspace says of what it looks at besides."""

    workspace: str
    spot: NavigationPlace | None = None
    looked_at: object = None

    def steps_from(self, other: VisitedPlace) -> int | None:
        """How many steps of one episode lie between the two, where that is all that does; else None."""
        a, b = self.spot, other.spot
        if (self.workspace, self.looked_at) != (other.workspace, other.looked_at) or a is None or b is None:
            return None
        return abs(a.step - b.step) if (a.source, a.episode) == (b.source, b.episode) else None


class History:
    """Places visited, like a browser's: going somewhere new drops what lay ahead. Walking through an episode step by
    step, or hurrying through it, leaves one place behind. `now` tells seconds."""

    LIMIT = 200

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._places: list[VisitedPlace] = []
        self._at = -1
        self._entered = -PASSING_SECONDS

    @property
    def here(self) -> VisitedPlace | None:
        return self._places[self._at] if self._at >= 0 else None

    def visit(self, place: VisitedPlace) -> None:
        """Remember a place."""
        here, now = self.here, self._now()
        if here == place:
            return
        steps = place.steps_from(here) if here is not None else None
        if steps is not None and (steps <= 1 or now - self._entered < PASSING_SECONDS):
            self._places[self._at] = place
        else:
            self._places = [*self._places[: self._at + 1], place][-self.LIMIT :]
            self._at = len(self._places) - 1
        self._entered = now

    @property
    def can_go_back(self) -> bool:
        return self._at > 0

    @property
    def can_go_forward(self) -> bool:
        return self._at < len(self._places) - 1

    def back(self) -> VisitedPlace | None:
        return self._move(-1) if self.can_go_back else None

    def forward(self) -> VisitedPlace | None:
        return self._move(1) if self.can_go_forward else None

    def _move(self, by: int) -> VisitedPlace:
        self._at += by
        self._entered = self._now() - PASSING_SECONDS
        return self._places[self._at]


class BackAndForward(QObject):
    """The keys Back and Forward. `features` are those with a workspace, by its name."""

    def __init__(
        self, context: Context, viewer: EpisodeViewer, library: Library, features: Mapping[str, Feature]
    ) -> None:
        super().__init__(context)
        self._context, self._viewer, self._library, self._features = context, viewer, library, features
        self.history = History()
        self._is_going = False
        self._moved = QTimer(self)
        """to the next turn: who opens a step in Replay enters Replay first, at another step"""
        self._moved.setSingleShot(True)
        self._moved.timeout.connect(self._visit)
        context.selection.step_changed.connect(self._visit)
        context.workspaces.workspace_changed.connect(lambda _name: self._moved.start())
        context.events.on(LooksElsewhere, lambda _: self._moved.start())

    def handlers(self) -> Handlers:
        return {
            "go.back": lambda: self._go(self.history.back),
            "go.forward": lambda: self._go(self.history.forward),
        }

    def _visit(self) -> None:
        """Remember where the person is, unless something else is on its way there."""
        place = self._context.selection.place
        if self._is_going or self._viewer.heading_for != (place.episode if place else ""):
            return
        workspace = self._context.workspaces.workspace
        spot = None if workspace in PAGES else place  # going back to a page opens nothing
        self.history.visit(VisitedPlace(workspace, spot, self._features[workspace].looked_at()))
        self._tell()

    def _tell(self) -> None:
        self._context.conditions.set("back", self.history.can_go_back)
        self._context.conditions.set("forward", self.history.can_go_forward)

    def _go(self, way: Callable[[], VisitedPlace | None]) -> None:
        self._visit()
        place = way()
        if place is None:
            return
        self._is_going = True
        try:
            self._context.workspaces.set_workspace(place.workspace)
            if place.spot is not None:
                self._show(place.spot)
            if place.looked_at is not None:
                self._features[place.workspace].look_at(place.looked_at)
        finally:
            self._is_going = False
        self._tell()

    def _show(self, spot: NavigationPlace) -> None:
        source = next((one for one in self._context.sources if one.key == spot.source), None)
        if source is None:
            self._context.messages.done("The data of that place is not open any more.")
            return
        self._library.choose_source(source)
        self._viewer.open_episode(spot.episode, spot.step)
