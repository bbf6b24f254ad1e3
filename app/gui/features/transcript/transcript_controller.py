"""The transcript of the shown episode by one of the shown runs, kept in step with the screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from stepscope.app.gui.features.transcript import transcript_reading
from stepscope.app.gui.features.transcript.transcript_reading import SentImage, TranscriptContent
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_judgements import JudgedEpisode
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.events import EpisodeJudged, RunProgressed, RunsChanged, RunsListed
from stepscope.widgets.transcript.sent_panel import MARKS, RECORDED, SENT
from stepscope.widgets.transcript.view import TranscriptView

if TYPE_CHECKING:
    from stepscope.core.store.engine import Database
    from stepscope.widgets.transcript.transcript_values import BlockPicture, TranscriptBlock

WORKSPACE = "replay"
NO_RUN = "No run is shown."
NO_RUN_WHY = "Evaluate a model, or tick a run in Results: what it was sent and what it said is shown here."
NO_ANSWER = "This run has nothing on this episode."
NO_PICTURE = "No picture was sent for this step."


class TranscriptController(QObject):
    """`shown` fires with the content that is shown, None where there is none."""

    shown = Signal(object)

    def __init__(
        self,
        context: Context,
        view: TranscriptView,
        viewer: EpisodeViewer,
        judged: Callable[[], JudgedEpisode],
        run_names: Callable[[], Mapping[str, str]],
    ) -> None:
        super().__init__(context)
        self._context, self.view, self._viewer = context, view, viewer
        self._judged, self._run_names = judged, run_names
        self.content: TranscriptContent | None = None
        self._run = ""
        self._request = 0
        self._drawing = 0
        self._by_scrolling = False
        self._connect()

    def _connect(self) -> None:
        selection, events, view = self._context.selection, self._context.events, self.view
        self._context.messages.keep_clear(view.foot)
        for signal in (selection.episode_changed, selection.runs_changed):
            events.signal_while_shown(WORKSPACE, signal, self.load)
        events.signal_while_shown(WORKSPACE, selection.step_changed, self._step_changed)
        events.while_shown(WORKSPACE, RunsChanged, lambda _: self.load())
        events.while_shown(WORKSPACE, RunsListed, lambda _: self._name_runs())
        events.while_shown(WORKSPACE, RunProgressed, self._progressed)
        events.while_shown(WORKSPACE, EpisodeJudged, lambda _: self._draw())
        events.signal_while_shown(WORKSPACE, selection.rule_changed, self._draw)
        view.head.run_chosen.connect(self._choose_run)
        view.search.parts_chosen.connect(self._show_parts)
        view.list.step_chosen.connect(self._go)
        view.list.scrolled_to.connect(self._scrolled)
        view.list.picture_wanted.connect(self._fetch_sent)
        view.list.picture_chosen.connect(self._show_sent)
        view.side.chosen.connect(lambda _choice: self._draw())
        view.link_changed.connect(lambda linked: self._step_changed() if linked else None)

    # Loading ---------------------------------------------------------------------------------------------------------

    @property
    def run(self) -> str:
        """The run whose transcript is shown, the first of the shown ones as a rule; "" for none."""
        runs = self._context.selection.runs
        return self._run if self._run in runs else next(iter(runs), "")

    def load(self) -> None:
        """Read the transcript of the shown episode; late answers are dropped."""
        self._request += 1
        if not self.view.isVisible():
            return
        episode, run = self._context.selection.episode, self.run
        self._name_runs()
        if episode is None or not run:
            self._show_none(NO_RUN, NO_RUN_WHY)
            return
        request = self._request

        def read(database: Database) -> TranscriptContent | None:
            return transcript_reading.read_transcript(database, run, episode)

        def answer(content: TranscriptContent | None) -> None:
            if request == self._request:
                self._take(content)

        self._context.query("read the transcript", read, answer, priority=1)

    def _take(self, content: TranscriptContent | None) -> None:
        before, self.content = self.content, content
        if content is None or not content.blocks:
            running = content is not None and content.is_running
            self._show_none("No answer yet." if running else NO_ANSWER, content.notice if content is not None else "")
            self.content = content
            if content is not None:
                self._show_head(content)
                self.view.set_running(running)
            return
        same = before is not None and (before.run.id, before.episode) == (content.run.id, content.episode)
        self.view.set_notice(content.notice)
        self._show_head(content)
        self.view.set_running(content.is_running)
        self._show_blocks(anew=not same)
        if not same:
            self._step_changed()
        if self.view.is_following:
            self.view.list.to_end()
        self.shown.emit(content)

    def _show_blocks(self, *, anew: bool) -> None:
        """All blocks, or only those with a problem."""
        content = self.content
        if content is None:
            return
        problems = [block for block in content.blocks if block.is_problem]
        self.view.search.set_problems(len(problems))
        only = self.view.search.problems.isChecked()
        self.view.set_blocks(problems if only else content.blocks, anew=anew)

    def _show_head(self, content: TranscriptContent) -> None:
        price = content.costs.price
        told = None if price is None else (price.input, price.output, price.currency)
        self.view.head.set_values(content.head, told)
        self.view.head.price_link.setVisible(bool(content.costs.totals.calls))

    def _show_none(self, title: str, why: str) -> None:
        self.content = None
        self.view.set_notice("")
        self.view.head.set_values((), None)
        self.view.head.price_link.hide()
        self.view.show_nothing(title, why)
        self.view.set_running(False)
        self.view.side.show_picture(QImage())
        self.shown.emit(None)

    def _progressed(self, event: RunProgressed) -> None:
        """More answers of the shown run are in the store: blocks appear when they are whole."""
        if event.run == self.run:
            self.load()

    # Runs and parts --------------------------------------------------------------------------------------------------

    def _name_runs(self) -> None:
        runs, names = self._context.selection.runs, self._run_names()
        chosen = list(runs).index(self.run) if self.run else -1
        self.view.head.set_runs([(number, names.get(run, run)) for run, number in runs.items()], chosen)

    def _choose_run(self, place: int) -> None:
        self._run = list(self._context.selection.runs)[place]
        self.load()

    def _show_parts(self) -> None:
        self.view.list.set_shown(self.view.search.shown())
        self._show_blocks(anew=False)
        self._step_changed()
        self.shown.emit(self.content)

    # Scroll and step -------------------------------------------------------------------------------------------------

    def _step_changed(self) -> None:
        """The step that the screen shows is the block that is lit; unless the person scrolls here, it comes into
        view."""
        if not self.view.isVisible():
            return
        place = self._context.selection.step_index
        blocks = self.view.list.blocks
        number = next((at for at, block in enumerate(blocks) if block.place == place), -1)
        if number < 0 and blocks and blocks[0].place is None:
            number = 0
        reveal = self.view.is_linked and not self._by_scrolling and not self.view.is_following
        if number != self.view.list.current or reveal:
            self.view.list.set_current(number, reveal=reveal)
        self._draw()

    def _go(self, number: int) -> None:
        """A block was chosen: the screen follows, where they are linked."""
        place = self.view.list.blocks[number].place
        if self.view.is_linked and place is not None:
            self._viewer.go(place)

    def _scrolled(self, number: int) -> None:
        if not self.view.is_linked or self.view.is_following:
            return
        self._by_scrolling = True
        try:
            self._go(number)
        finally:
            self._by_scrolling = False

    # Pictures --------------------------------------------------------------------------------------------------------

    def _fetch_sent(self, key: str) -> None:
        self._with_sent(key, lambda found: self.view.list.set_picture(key, found.image))

    def _show_sent(self, number: int, key: str) -> None:
        """A picture in a block was clicked: it is shown large."""
        self.view.side.choice.set_value(SENT)
        self._draw(number, key)

    def _with_sent(self, key: str, done: Callable[[SentImage], object]) -> None:
        content, episode = self.content, self._context.selection.episode
        picture = content.sent.get(key) if content is not None else None
        if content is None or episode is None or picture is None:
            return
        run, request = content.run.id, self._request

        def answer(found: SentImage) -> None:
            if request == self._request:
                done(found)

        self._context.query(
            "read a picture as sent",
            lambda database: transcript_reading.read_sent(database, run, picture, episode),
            answer,
        )

    def _draw(self, number: int | None = None, key: str = "") -> None:
        """The screen of the step at the right, as it is chosen there."""
        side, step = self.view.side, self._context.selection.step
        if step is None or self.content is None or not self.view.isVisible():
            return
        self._drawing += 1
        request, choice = self._drawing, side.choice.value()
        episode = self._context.selection.episode
        of = len(episode.steps) if episode is not None else 0
        side.show_step(f"Screen  step {self._context.selection.step_index + 1} of {of}")
        if choice in (RECORDED, MARKS):
            judged, rule = self._judged(), self._context.selection.rule
            self._context.start(
                "draw the step",
                lambda _token: transcript_reading.draw_step(step, judged, rule, marks=choice == MARKS),
                lambda image: side.show_picture(image) if request == self._drawing else None,
            )
            return
        self._draw_sent(self.view.list.current if number is None else number, key, request)

    def _draw_sent(self, number: int, key: str, request: int) -> None:
        """A picture as sent of a block: the one that was clicked, else that of the shown step."""
        side, blocks = self.view.side, self.view.list.blocks
        block = blocks[number] if 0 <= number < len(blocks) else None
        clicked = [one for one in block.pictures if one.key == key] if block is not None else []
        found = clicked or self._sent_of_step(block)
        if not found:
            side.show_picture(QImage(), NO_PICTURE)
            return
        chosen = found[-1]

        def show(found: SentImage) -> None:
            if request != self._drawing:
                return
            if found.image.isNull():
                side.show_picture(QImage(), "The picture was not kept. " + ", ".join(chosen.facts))
                return
            made = "" if found.same else " Made again of the data: not byte for byte what was sent."
            side.show_picture(found.image, ", ".join(chosen.facts) + "." + made, chosen.points)

        self._with_sent(chosen.key, partial(show))

    def _sent_of_step(self, block: TranscriptBlock | None) -> list[BlockPicture]:
        """The pictures of a block that show the shown step; one that tells no step shows the block's own."""
        place = self._context.selection.step_index
        if block is None:
            return []
        own = block.place is None or block.place == place
        return [one for one in block.pictures if one.step == place or (one.step is None and own)]
