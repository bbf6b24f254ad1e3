"""Replay: which episode and step are shown, their pictures, going back and forward.

A picture that is not there yet is decoded in the urgent lane while the old one stays; answers for a step that was left
are dropped.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.gui.context import Context
from app.gui.selection import History, OpenSource
from core.domain.episode import Episode, Picture, Step
from core.errors import UserError
from core.progress import CancelToken
from widgets.screen import ScreenPicture


class ReplayController(QObject):
    """`picture_ready(picture or None)` and `picture_failed(error)` answer every step change, `neighbour_ready(by,
    picture)` brings the picture before (-1) or after (1). An answer is always about the current step."""

    picture_ready = Signal(object)
    picture_failed = Signal(object)
    picture_waited = Signal()
    neighbour_ready = Signal(int, object)
    history_changed = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._context = context
        self.history = History()
        self._request = 0
        self._opening: str = ""
        self._tokens: list[CancelToken] = []
        self.asked_at = time.perf_counter()
        selection = context.selection
        selection.step_changed.connect(self._show_step)
        selection.episode_changed.connect(self._episode_changed)
        selection.source_changed.connect(self._source_changed)

    # Episodes --------------------------------------------------------------------------------------------------------

    def open_episode(
        self,
        episode_id: str,
        step: int = 0,
        then: Callable[[], object] | None = None,
        otherwise: Callable[[], object] | None = None,
    ) -> None:
        """Read an episode of the current source and show it from `step` on; `otherwise`: it cannot be read."""
        source = self._context.selection.source
        if source is None:
            return
        self.asked_at = time.perf_counter()
        current = self._context.selection.episode
        if current is not None and current.id == episode_id:
            self._request += 1
            self._opening = ""
            self._context.selection.set_step(step)
            if then:
                then()
            return
        self._request += 1
        request, self._opening = self._request, episode_id
        self._context.start(
            f"read {episode_id}",
            lambda _token: source.source.read(episode_id),
            lambda episode: self._opened(request, source, episode, step, then),
            failed=lambda error: self._not_opened(request, episode_id, error, otherwise),
            priority=2,
        )

    def open_step(self, episode_id: str, index: int) -> None:
        """Show the step of that index (as the data and stored items count) of an episode."""

        def go() -> None:
            episode = self._context.selection.episode
            if episode is not None:
                self.go(max(episode.position_of(index), 0))

        self.open_episode(episode_id, index, go)

    @property
    def heading_for(self) -> str:
        """Id of the episode that is shown or on its way."""
        episode = self._context.selection.episode
        return self._opening or (episode.id if episode else "")

    def _opened(
        self, request: int, source: OpenSource, episode: Episode, step: int, then: Callable[[], object] | None
    ) -> None:
        now = self._context.selection.source
        if request != self._request or now is None or now.id != source.id:
            return  # the user has moved on
        self._opening = ""
        self._context.selection.set_episode(episode, step)
        if then:
            then()

    def _not_opened(
        self, request: int, episode_id: str, error: Exception, otherwise: Callable[[], object] | None
    ) -> None:
        if not isinstance(error, UserError):
            raise error
        self._context.messages.error(str(error), title=f"Cannot read episode {episode_id}.")
        if request == self._request:
            self._opening = ""
            if otherwise:
                otherwise()

    def _source_changed(self) -> None:
        """What was on its way belongs to the source that was left."""
        self._request += 1
        self._opening = ""

    def _episode_changed(self) -> None:
        has_step = self._context.selection.step is not None
        self._context.conditions.set("step", has_step)

    # Steps -----------------------------------------------------------------------------------------------------------

    def move(self, by: int) -> None:
        """Go `by` steps on (negative: back), as far as the episode goes."""
        self.asked_at = time.perf_counter()
        self._context.selection.set_step(self._context.selection.step_index + by)

    def go(self, index: int) -> None:
        self.asked_at = time.perf_counter()
        self._context.selection.set_step(index)

    def since_asked(self) -> float:
        """Seconds since the last step change was asked for."""
        return time.perf_counter() - self.asked_at

    def last(self) -> None:
        episode = self._context.selection.episode
        if episode is not None:
            self.go(len(episode.steps) - 1)

    def _show_step(self) -> None:
        step, place = self._context.selection.step, self._context.selection.place
        if place is not None:
            self.history.visit(place)
            self.history_changed.emit()
        for token in self._tokens:
            token.cancel()
        self._tokens.clear()
        if step is None:
            return
        episode = self._context.selection.episode
        picture = episode.shown_at(self._context.selection.step_index) if episode else None
        if picture is None:
            self.picture_ready.emit(None)
            self._look_ahead(step)
        elif (pixels := self._context.cache.peek(picture)) is not None:
            self.picture_ready.emit(pixels)
            self._look_ahead(step)
        else:
            self._context.cache.prefetch(())  # nothing else is decoded while a person waits
            self.picture_waited.emit()
            self._fetch(step, picture)

    def _fetch(self, step: Step, picture: Picture) -> None:
        episode = self._context.selection.episode
        cache = self._context.cache

        def arrived(pixels: ScreenPicture) -> None:
            if self._is_current(episode, step):
                self.picture_ready.emit(pixels)
                self._look_ahead(step)

        def broken(error: Exception) -> None:
            if not isinstance(error, UserError):
                raise error
            if self._is_current(episode, step):
                self.picture_failed.emit(error)
                self._look_ahead(step)

        task = self._context.start("decode", lambda _token: cache.get(picture), arrived, failed=broken, lane="urgent")
        self._tokens.append(task.token)

    def _is_current(self, episode: Episode | None, step: Step) -> bool:
        selection = self._context.selection
        return selection.episode is episode and selection.step is step

    def _look_ahead(self, step: Step) -> None:
        """Fetch the neighbours: they are shown beside this step, and are the next ones to be asked for."""
        episode = self._context.selection.episode
        if episode is None:
            return
        here = self._context.selection.step_index
        for by in (1, -1):
            picture = self._picture_at(episode, here + by)
            if picture is not None and self._context.cache.peek(picture) is None:
                self._fetch_neighbour(episode, step, by, picture)
        further = [self._picture_at(episode, here + by) for by in (2, 3, -2)]
        self._context.cache.prefetch([picture for picture in further if picture is not None])

    @staticmethod
    def _picture_at(episode: Episode, place: int) -> Picture | None:
        return episode.shown_at(place)

    def _fetch_neighbour(self, episode: Episode, step: Step, by: int, picture: Picture) -> None:
        cache = self._context.cache

        def arrived(pixels: ScreenPicture | None) -> None:
            if pixels is not None and self._is_current(episode, step):
                self.neighbour_ready.emit(by, pixels)

        def small(_token: CancelToken) -> ScreenPicture | None:
            try:
                return cache.get(picture)
            except UserError:
                return None  # told when the person goes to that step

        self._tokens.append(self._context.start("neighbour", small, arrived).token)
