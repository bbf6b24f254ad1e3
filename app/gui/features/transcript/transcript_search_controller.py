"""Searching the transcript: in the shown episode at once, in all that are filtered in the background."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from stepscope.app.gui.features.transcript import transcript_reading
from stepscope.app.gui.features.transcript.transcript_controller import TranscriptController
from stepscope.app.gui.features.transcript.transcript_reading import SearchProgress
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.ports import EpisodeList
from stepscope.widgets.format import counted
from stepscope.widgets.transcript.search_row import EVERYWHERE
from stepscope.widgets.transcript.transcript_values import TextHit, text_hits

if TYPE_CHECKING:
    from stepscope.app.gui.shell.tasks import BackgroundTask
    from stepscope.core.progress import CancelToken


class TranscriptSearchController(QObject):
    def __init__(
        self, context: Context, transcript: TranscriptController, viewer: EpisodeViewer, listing: EpisodeList
    ) -> None:
        super().__init__(context)
        self._context, self._transcript, self._viewer, self._listing = context, transcript, viewer, listing
        self._view = transcript.view
        self._words = ""
        self.hits: tuple[TextHit, ...] = ()
        self._at = -1
        self.progress: SearchProgress | None = None
        self._task: BackgroundTask | None = None
        self._arriving = 0
        row = self._view.search
        row.searched.connect(self._search)
        row.moved.connect(self.move)
        row.scope_chosen.connect(lambda _scope: self._search(self._words))
        transcript.shown.connect(lambda _content: self._shown())

    @property
    def _everywhere(self) -> bool:
        return self._view.search.scope.value() == EVERYWHERE

    def _search(self, words: str) -> None:
        self._words, self._at = words, -1
        self._find_here()
        self._at = 0 if self.hits else -1
        self._show()
        self._search_all()

    def _shown(self) -> None:
        """Another episode, run or kind of part is shown, or more answers came."""
        self._view.search.set_all(len(self._listing.ids))
        before = len(self.hits)
        self._find_here()
        if self._arriving and self.hits:
            self._at = 0 if self._arriving > 0 else len(self.hits) - 1
        elif len(self.hits) != before:
            self._at = min(self._at, len(self.hits) - 1)
        self._arriving = 0
        self._show()

    def _find_here(self) -> None:
        row = self._view.search
        self.hits = text_hits(self._view.list.blocks, self._words, row.shown())

    def _show(self) -> None:
        self._view.list.set_hits(self.hits, self._at)
        self._tell_count()

    def _tell_count(self) -> None:
        self._view.search.set_count(*self._count_words())

    def _count_words(self) -> tuple[str, str]:
        """Of this episode, and of all that are searched."""
        if not self._words:
            return "", ""
        here = f"{self._at + 1} of {len(self.hits):,}" if self.hits else "No hits"
        if not self._everywhere or self.progress is None:
            return here, ""
        found = self.progress
        told = f"{counted(found.hits, 'hit')} in {counted(len(found.found), 'episode')}"
        looked = "" if found.done >= found.total else f", {found.done:,} of {found.total:,} looked at"
        return here, f"{told}{looked}"

    # All episodes ----------------------------------------------------------------------------------------------------

    def _search_all(self) -> None:
        """Look through all that are filtered; a search that is under way is given up."""
        if self._task is not None:
            self._task.cancel()
        self._task, self.progress = None, None
        run, words, database = self._transcript.run, self._words, self._context.database
        if not (self._everywhere and run and words) or database is None:
            self._show()
            return
        episodes, shown = tuple(self._listing.ids), self._view.search.shown()

        def work(token: CancelToken) -> Iterator[SearchProgress]:
            yield from transcript_reading.search_episodes(database, run, episodes, words, shown, token)

        task = self._task = self._context.start("search transcripts", work)

        def came(found: SearchProgress) -> None:
            if self._task is task:
                self.progress = found
                self._tell_count()

        task.progressed.connect(came)

    # Going on --------------------------------------------------------------------------------------------------------

    def move(self, by: int) -> None:
        """To the next hit or the one before; behind the last one of the episode to the next episode that has any, in
        all that are filtered, else round."""
        place = self._at + by
        if not 0 <= place < len(self.hits) and self._everywhere and self._go_on(by):
            return
        if self.hits:
            self._at = place % len(self.hits)
            self._show()

    def _go_on(self, by: int) -> bool:
        found = [episode for episode, _ in self.progress.found] if self.progress is not None else []
        order = {episode: place for place, episode in enumerate(self._listing.ids)}
        here = order.get(self._viewer.heading_for, -1)
        behind = [one for one in found if (order.get(one, -1) - here) * by > 0]
        others = [one for one in found if one != self._viewer.heading_for]
        if not others:
            return False
        wanted = (behind or others)[0 if by > 0 else -1]
        self._arriving = by
        self._viewer.open_episode(wanted)
        return True
