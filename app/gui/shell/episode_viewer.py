"""Which episode and step are shown, and their pictures.

A picture that is not there yet is decoded in the urgent lane, while a small version of it is shown if there is one,
else the old one stays. Who hurries through steps does not wait for each: what lies ahead is decoded, and once the
person stays, the step where that is. Answers for a step that was left are dropped.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence

from PySide6.QtCore import QObject, QTimer, Signal

from stepscope.app.gui.shell import debouncer
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episodes_ahead import EpisodesAhead
from stepscope.app.gui.shell.events import DataMissing
from stepscope.app.gui.shell.picture_prefetcher import SMALL
from stepscope.app.gui.shell.scrub_predictor import STAYS_MS, ScrubPredictor
from stepscope.app.gui.shell.selection import OpenSource
from stepscope.core.domain.episode import Episode, Picture, Step
from stepscope.core.errors import UserError
from stepscope.core.progress import CancelToken
from stepscope.core.regular_files import is_there
from stepscope.widgets.screen import ScreenPicture


class EpisodeViewer(QObject):
    """`picture_ready(picture or None)` and `picture_failed(error)` answer every step change; what was shown may be a
    small version: `picture_improved(picture)` brings a better one. `neighbour_ready(by, picture)` brings the picture
    before (-1) or after (1). An answer is always about the current step. `prepare_wanted()`: a picture came that may be
    asked for next, or the person stays where one hurried to."""

    picture_ready = Signal(object)
    picture_improved = Signal(object)
    picture_failed = Signal(object)
    picture_waited = Signal()
    neighbour_ready = Signal(int, object)
    prepare_wanted = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._context = context
        self._request = 0
        self._opening: str = ""
        self._tokens: list[CancelToken] = []
        self._shown: Step | None = None
        self._scrub_predictor = ScrubPredictor()
        self._staying = QTimer(self)
        self._staying.setSingleShot(True)
        self._staying.setInterval(STAYS_MS)
        self._staying.timeout.connect(self._catch_up)
        self.asked_at = time.perf_counter()
        self.episodes_beside: Callable[[], Sequence[str]] = tuple
        """the episodes that are likely to be asked for after the one that is shown, the likeliest first"""
        self._ahead = EpisodesAhead(context)
        self._ahead.read.connect(self._episode_read_ahead)
        self._check = CancelToken()
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
        self._check.cancel()
        request, self._opening = self._request, episode_id
        if (kept := self._ahead.take(source, episode_id)) is not None:
            self._opened(request, source, kept, step, then)
            self._check_again(source, kept)
            return

        def read() -> None:
            self._context.start(
                f"read {episode_id}",
                lambda _token: source.source.read(episode_id),
                lambda episode: self._opened(request, source, episode, step, then),
                failed=lambda error: self._not_opened(request, episode_id, error, otherwise),
                priority=2,
            )

        def read_ahead(found: Episode | None) -> None:
            if found is not None:
                self._opened(request, source, found, step, then)
            elif request == self._request:
                read()

        if not self._ahead.wait_for(source, episode_id, read_ahead):
            read()

    def _check_again(self, source: OpenSource, shown: Episode) -> None:
        """What was read ahead may have changed since: read it once more, and show it if it is another."""
        check = self._check = CancelToken()

        def look(_token: CancelToken) -> Episode | None:
            fresh = None if check.cancelled else source.source.read(shown.id)
            return fresh if fresh != shown else None

        def found(fresh: Episode | None) -> None:
            if fresh is not None and self._context.selection.episode is shown:
                self._context.selection.set_episode(fresh, self._context.selection.step_index)

        def broken(error: Exception) -> None:
            if self._context.selection.episode is shown:
                self._not_opened(self._request, shown.id, error, None)

        self._context.start(f"read {shown.id} again", look, found, failed=broken, priority=-2)

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
        if request != self._request or now is None or now.key != source.key:
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
        source = self._context.selection.source
        if source is not None:
            title, about = f"Cannot read episode {episode_id}.", ("source", source.key)
            words = error.words_in_window
            self._unless_missing(source, lambda: self._context.messages.error(words, title=title, about=about))
        if request == self._request:
            self._opening = ""
            if otherwise:
                otherwise()

    def _unless_missing(self, source: OpenSource, tell: Callable[[], object] = lambda: None) -> None:
        """Something of the source cannot be read: `tell` it, but that all of it is gone is told in its own way."""
        path = source.source.path

        def look(_token: object) -> bool:
            return is_there(path)

        def found(there: bool) -> None:
            if there:
                tell()
            else:
                self._context.events.publish(DataMissing(path))

        self._context.start("look for the data", look, found, priority=1)

    def _source_changed(self) -> None:
        """Drop what was on its way: it belongs to the source that was left."""
        self._request += 1
        self._opening = ""
        self._ahead.forget()

    def _episode_changed(self) -> None:
        has_step = self._context.selection.step is not None
        self._context.conditions.set("step", has_step)

    # Steps -----------------------------------------------------------------------------------------------------------

    def move(self, by: int) -> None:
        """Go `by` steps on (negative: back), as far as the episode goes."""
        self.go(self._context.selection.step_index + by)

    def go(self, index: int) -> None:
        self.asked_at = time.perf_counter()
        episode = self._context.selection.episode
        picture = episode.shown_at(index) if episode is not None else None
        if picture is not None and self._context.cache.peek(picture) is not None:
            self._context.pictures.hold_back()
        self._context.selection.set_step(index)

    def since_asked(self) -> float:
        """Seconds since the last step change was asked for."""
        return time.perf_counter() - self.asked_at

    def last(self) -> None:
        episode = self._context.selection.episode
        if episode is not None:
            self.go(len(episode.steps) - 1)

    @property
    def is_fetching(self) -> bool:
        """Whether pictures are on their way, or about to be."""
        return self._staying.isActive() or not self._context.pictures.is_idle

    def _show_step(self) -> None:
        step = self._context.selection.step
        self._staying.stop()
        for token in self._tokens:
            token.cancel()
        self._tokens.clear()
        self._shown = None
        if step is not None:
            self._scrub_predictor.went_to(self._context.selection.step_index, time.perf_counter())
            self._show_picture(step)

    def _show_picture(self, step: Step) -> None:
        """Show the best that there is of the step's picture, and have the rest fetched."""
        picture = self._current_picture()
        whole = self._context.cache.peek(picture) if picture else None
        small = self._context.thumbnails.peek(picture, SMALL) if picture and whole is None else None
        self._scrub_predictor.found(picture is None or whole is not None)
        is_cold = picture is not None and whole is None and not self._scrub_predictor.is_on
        if picture is not None and is_cold:  # before the small one is painted: meanwhile it is being decoded
            self._fetch(step, picture, has_small=small is not None)
        if picture is None or whole is not None or small is not None:
            self._ready(step, whole or small)
        else:
            self.picture_waited.emit()
        if self._scrub_predictor.is_on:
            self._look_ahead()
            self._staying.start()
        elif not is_cold:
            self._look_ahead()

    def likely(self) -> list[int]:
        """The places beside the step that is shown, first the one that lies on the way that one went; none while one
        hurries."""
        episode, here = self._context.selection.episode, self._context.selection.step_index
        if episode is None or self._scrub_predictor.is_on:
            return []
        return [place for place in self._scrub_predictor.around(len(episode.steps)) if abs(place - here) == 1]

    def stay(self) -> None:
        """The person has let the key go: what was hurried past is shown as it is."""
        if self._staying.isActive():
            self._catch_up()

    def _catch_up(self) -> None:
        """The person stays at a step that was hurried to."""
        self._staying.stop()
        self._scrub_predictor.over()
        step, picture = self._context.selection.step, self._current_picture()
        if step is None or picture is None or self._context.cache.peek(picture) is not None:
            self._look_ahead()
        else:
            self._fetch(step, picture, has_small=self._shown is step)
        self.prepare_wanted.emit()

    def _ready(self, step: Step, picture: ScreenPicture | None) -> None:
        """Show a step for the first time, or a better picture of it."""
        if self._shown is step:
            self.picture_improved.emit(picture)
        else:
            self._shown = step
            self.picture_ready.emit(picture)

    def _fetch(self, step: Step, picture: Picture, *, has_small: bool) -> None:
        """Decode what a person waits for, and sees small until then or not at all; nothing else is decoded
        meanwhile."""
        episode, pictures = self._context.selection.episode, self._context.pictures
        pictures.request((), self._came)
        pictures.hold_back()
        debouncer.hold_back()

        def decode(token: CancelToken) -> Generator[ScreenPicture, None, ScreenPicture | None]:
            if not has_small and (draft := pictures.draft(picture)) is not None:
                yield draft
            return None if token.cancelled else pictures.whole.get(picture)

        def arrived(fetched: ScreenPicture) -> None:
            if self._is_current(episode, step):
                self._ready(step, fetched)

        def done(whole: ScreenPicture) -> None:
            arrived(whole)
            debouncer.go_on()
            if self._is_current(episode, step):
                self._look_ahead()

        def broken(error: Exception) -> None:
            debouncer.go_on()
            if not isinstance(error, UserError):
                raise error
            if self._is_current(episode, step):
                self.picture_failed.emit(error)
                self._look_ahead()
                source = self._context.selection.source
                if source is not None:
                    self._unless_missing(source)

        task = self._context.start("decode", decode, done, failed=broken, lane="urgent")
        task.progressed.connect(arrived)
        self._tokens.append(task.token)

    def _is_current(self, episode: Episode | None, step: Step) -> bool:
        selection = self._context.selection
        return selection.episode is episode and selection.step is step

    def _current_picture(self) -> Picture | None:
        episode = self._context.selection.episode
        return episode.shown_at(self._context.selection.step_index) if episode else None

    def _look_ahead(self) -> None:
        """Fetch the neighbours, which are shown beside this step and asked for next; or what one hurries towards."""
        episode = self._context.selection.episode
        if episode is None:
            return
        steps, hurry = len(episode.steps), self._scrub_predictor
        places = hurry.ahead(steps) if hurry.is_on else hurry.around(steps)
        wanted = [episode.shown_at(place) for place in places]
        wanted += [other.shown_at(0) for other in self._ahead.episodes if not hurry.is_on]
        missing = [picture for picture in wanted if picture is not None and self._context.cache.peek(picture) is None]
        self._context.pictures.request(missing, self._came, threads=2 if hurry.is_on else 1)
        self.read_beside()

    def read_beside(self) -> None:
        """Read the episodes that may be asked for next, while one stays at a step."""
        source = self._context.selection.source
        if source is not None and self._context.selection.episode is not None and not self._scrub_predictor.is_on:
            self._ahead.want(source, self.episodes_beside())

    def _episode_read_ahead(self) -> None:
        """Have its first picture too, after those of this episode."""
        if not self._scrub_predictor.is_on:
            self._look_ahead()

    def _came(self, picture: Picture, fetched: ScreenPicture) -> None:
        """A picture that was fetched ahead: perhaps the person is there by now, or beside it."""
        selection = self._context.selection
        episode, step, here = selection.episode, selection.step, selection.step_index
        if episode is None or step is None:
            return
        if episode.shown_at(here) == picture:
            self._ready(step, fetched)
        for by in (-1, 1):
            if episode.shown_at(here + by) == picture:
                self.neighbour_ready.emit(by, fetched)
        self.prepare_wanted.emit()
