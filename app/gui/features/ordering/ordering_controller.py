"""The ordering workspace: the procedure that the shown episode is, the person's own order of it, and what the shown
runs made of it.

Nothing is read while another workspace is in front.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from stepscope.app.gui.features.ordering.people_controller import PeopleController
from stepscope.app.gui.features.ordering.presenter import (
    OwnOrder,
    alternatives_in_letters,
    blind_board,
    board_of,
    matrices_of,
    metrics_of,
    nearest,
    orderings_of,
)
from stepscope.app.gui.features.ordering.procedures_controller import ProceduresController
from stepscope.app.gui.features.ordering.your_order_controller import YourOrderController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_judgements import JudgedEpisode
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.events import RunsListed
from stepscope.app.gui.shell.ports import Library, OrderingViews, RunCatalog
from stepscope.app.gui.shell.undo import UndoHistory
from stepscope.app.services.provenance import data_of
from stepscope.core.domain.episode import Episode, Picture, Platform
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.human_order import MOST_CONFIDENT, HelpfulInput, StepInput, StepOrder
from stepscope.core.domain.prediction import OrderAnswer, Task
from stepscope.core.domain.procedure import Procedure
from stepscope.core.errors import UserError
from stepscope.core.progress import CancelToken
from stepscope.widgets.ordering import YourState
from stepscope.widgets.ordering.card_drag import moved
from stepscope.widgets.ordering.centre import ALL, BLIND, BOARD, PEOPLE

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

    from stepscope.app.gui.features.ordering.presenter import Orderings
    from stepscope.widgets.ordering import OrderBoardContent

NAME = "ordering"
THUMBNAIL, LARGE_THUMBNAIL = Size(120, 220), Size(300, 400)
FEW_STEPS = 24
"""Procedures of at most so many steps have larger pictures on their cards."""
MODE_KEY, SHOWN_KEY = "ordering/mode", "ordering/shown"
HIDDEN = "Hidden until you accept your order."


class OrderingController(QObject):
    """Fills the board and the panels around it; a card that is opened leads to its step in Replay."""

    def __init__(
        self,
        context: Context,
        views: OrderingViews,
        replay: EpisodeViewer,
        library: Library,
        runs: RunCatalog,
        history: UndoHistory,
    ) -> None:
        super().__init__(context)
        self._context, self._replay, self._library, self._runs = context, replay, library, runs
        self._centre, self._panel, self._below = views.ordering, views.orders, views.ordered
        self._procedure: Procedure | None = None
        self._read_for: Episode | None = None
        self._judged, self._names = JudgedEpisode(), dict[str, str]()
        self._chosen: int | None = None
        """the reference that a person chose, None for the nearest"""
        self._left = ""
        """the procedure that was accepted blind while the next is on its way: no answer flashes up between"""
        self._page = BOARD
        self._input = _input_of(str(context.layout.value(SHOWN_KEY, "")))
        self.yours = YourOrderController(context, history, lambda: self.procedures.person)
        self.yours.blind = context.layout.value(MODE_KEY, "") == BLIND
        self.procedures = ProceduresController(
            context, views.procedures, views.ordering, views.orders, library, replay, self.yours
        )
        self.people = PeopleController(context, views.ordering.people, library, runs, history, self.procedures)
        self._connect()

    def _connect(self) -> None:
        board, centre, context, yours = self._centre.board, self._centre, self._context, self.yours
        context.events.signal_while_shown(NAME, context.selection.episode_changed, self._episode_changed)
        context.workspaces.workspace_changed.connect(lambda _name: self.come_into_view())
        board.card_opened.connect(self._open)
        board.picture_wanted.connect(self._fetch_picture)
        board.card_moved.connect(self._move)
        board.order_previewed.connect(self._preview)
        centre.reference_chosen.connect(self._choose_reference)
        centre.mode_chosen.connect(lambda mode: self.set_blind(mode == BLIND))
        centre.page_chosen.connect(self._show_page)
        centre.shown_chosen.connect(lambda shown: self.show_input(StepInput(shown)))
        centre.shuffle_wanted.connect(lambda: self._where_seen(yours.shuffle))
        centre.accept_wanted.connect(self.accept)
        bar = centre.annotate
        bar.paused.connect(self.pause)
        bar.confidence_chosen.connect(lambda level: self.set_confidence(int(level) if level else None))
        bar.helped_chosen.connect(lambda word: self.set_helped(HelpfulInput(word) if word else None))
        bar.alternative_kept.connect(lambda: self._where_seen(yours.keep_alternative))
        bar.alternative_taken.connect(yours.take_alternative)
        bar.alternatives_dropped.connect(yours.drop_alternatives)
        self._panel.step_chosen.connect(self._ring)
        self._panel.runs_wanted.connect(self._show_runs)
        context.events.while_shown(NAME, RunsListed, lambda _event: self._show())
        yours.changed.connect(self._your_order_changed)
        yours.time_told.connect(bar.show_time)
        yours.accepted.connect(self._go_on)
        self.procedures.opened.connect(self._to_board)
        self.procedures.changed.connect(self._people_changed)

    def handlers(self) -> dict[str, Callable[[], object]]:
        """What the commands of the Ordering menu do; from elsewhere they lead here first."""

        def here(act: Callable[[], object]) -> Callable[[], object]:
            return lambda: act() if self.is_in_front else self._context.workspaces.set_workspace(NAME)

        return {command: here(act) for command, act in self._acts().items()}

    def _acts(self) -> dict[str, Callable[[], object]]:
        board, yours = self._centre.board, self.yours
        found: dict[str, Callable[[], object]] = {
            "ordering.left": lambda: board.move_focused(-1),
            "ordering.right": lambda: board.move_focused(1),
            "ordering.up": lambda: board.move_focused(0, -1),
            "ordering.down": lambda: board.move_focused(0, 1),
            "ordering.shuffle": lambda: self._where_seen(yours.shuffle),
            "ordering.accept": self.accept,
            "ordering.alternative": lambda: self._where_seen(yours.keep_alternative),
            "ordering.blind": lambda: self.set_blind(not yours.blind),
            "ordering.pause": self.pause,
            "ordering.open": lambda: self._open(board.focused()),
            "ordering.all": lambda: self._show_page(BOARD if self._page == ALL else ALL),
            "ordering.people": lambda: self._show_page(BOARD if self._page == PEOPLE else PEOPLE),
            "ordering.next": self.procedures.open_next,
            "ordering.input": self._next_input,
        }
        found |= {
            f"ordering.sure{level}": partial(self.set_confidence, level) for level in range(1, MOST_CONFIDENT + 1)
        }
        return found | {f"ordering.{word}": partial(self.set_helped, word) for word in HelpfulInput}

    def keys(self) -> dict[str, Callable[[], object]]:
        """What commands of others mean here."""
        board = self._centre.board
        return {
            "zoom.in": lambda: board.zoom_by(1),
            "zoom.out": lambda: board.zoom_by(-1),
            "zoom.fit": lambda: board.set_zoom(1.0),
            "filter.episodes": self.procedures.focus_filter,
        }

    @property
    def is_in_front(self) -> bool:
        return self._context.workspaces.workspace == NAME

    def set_judged(self, judged: JudgedEpisode, names: Mapping[str, str]) -> None:
        """What the shown runs answered about the episode, and the runs' names."""
        self._judged, self._names = judged, dict(names)
        if self.is_in_front:
            self._show()

    def end(self) -> None:
        """The window is closing: the time that was taken is kept."""
        self.yours.leave()

    # Coming and going ------------------------------------------------------------------------------------------------

    def come_into_view(self) -> None:
        """The workspace was entered, or another one was."""
        if not self.is_in_front:
            self.yours.leave()
            return
        self.procedures.refresh()
        if self._read_for is not self._context.selection.episode or self._procedure is None:
            self._episode_changed()
        else:
            self._show()

    def _episode_changed(self) -> None:
        self._procedure, self._read_for, self._chosen, self._left = None, None, None, ""
        self.yours.open("", None)
        if self.is_in_front:
            self._read()

    def _read(self) -> None:
        episode, source = self._context.selection.episode, self._context.selection.source
        if episode is None or source is None:
            self._show()
            return
        if source.has_web_tasks:
            self._show_none("No order to be found here", "Pages of web tasks have no steps to put in order.")
            return
        self._read_for = episode

        def read(_token: CancelToken) -> Procedure:
            from stepscope.core.sources.procedures import read_procedure

            return read_procedure(source.source, episode.id)

        def arrived(procedure: Procedure) -> None:
            if self._context.selection.episode is episode:
                self._procedure = procedure
                self.yours.open(self.procedures.source, procedure)

        def failed(error: Exception) -> None:
            if not isinstance(error, UserError):
                raise error
            if self._context.selection.episode is episode:
                self._show_none("No order to be found here", f"{error.message[:1].upper()}{error.message[1:]}.")

        self._context.start("read procedure", read, arrived, failed=failed, priority=2)

    # Ordering --------------------------------------------------------------------------------------------------------

    def accept(self) -> None:
        if self._procedure is not None and self.yours.hides and self.procedures.next_open(self._procedure.id):
            self._left = self._procedure.id if self._page == BOARD and not self._is_paused else ""
        self._where_seen(self.yours.accept)

    def _where_seen(self, act: Callable[[], object]) -> None:
        """Do this where the cards are seen: not on the page of all procedures, nor while the clock stands."""
        if self._page == BOARD and not self._is_paused:
            act()

    @property
    def _is_paused(self) -> bool:
        return self.yours.hides and self.yours.clock.paused

    def set_blind(self, blind: bool) -> None:
        """Order blind, or in plain sight; so it is at the next start too."""
        self._context.layout.setValue(MODE_KEY, BLIND if blind else "")
        self.yours.set_blind(blind)
        self.procedures.hide_numbers()
        self._people_changed()

    def set_confidence(self, level: int | None) -> None:
        if self.yours.hides:
            self.yours.set_confidence(level)

    def set_helped(self, helped: HelpfulInput | None) -> None:
        if self.yours.hides:
            self.yours.set_helped(helped)

    def pause(self) -> None:
        """Stop the clock, or let it run; while it stands the cards are not seen."""
        if not self.yours.hides:
            return
        clock = self.yours.clock
        clock.paused = not clock.paused
        if clock.paused:
            self.yours.leave()
        self._show()

    def show_input(self, shown: StepInput) -> None:
        """Show text, picture or both of each step, in all procedures."""
        self._input = shown
        self._context.layout.setValue(SHOWN_KEY, shown.value)
        self._show()

    def _next_input(self) -> None:
        inputs = list(StepInput)
        self.show_input(inputs[(inputs.index(self._input) + 1) % len(inputs)])

    def _move(self, step: str, to: int) -> None:
        order = self.yours.order
        if order is not None and self._procedure is not None:
            title = next((one.title or one.text for one in self._procedure.steps if one.id == step), step)
            words = f"card “{' '.join(title.split())[:40]}” to place {to + 1}"
            self.yours.put(moved(order.order, step, to), words)

    def _preview(self, order: StepOrder | None) -> None:
        """A card is being dragged: its metrics as it would be dropped."""
        if self._procedure is not None and not self.yours.hides:
            own = self.yours.order
            shown = order or (own.order if own is not None else ())
            rows = metrics_of(self._procedure, self._orderings(), shown, dropped=order is not None)
            self._below.set_orders(rows)

    def _go_on(self, procedure: str) -> None:
        """A blind order was accepted: the next procedure that the person has not done with."""
        if not self.yours.blind:
            return
        following = self.procedures.next_open(procedure)
        if following is None:
            self._context.messages.done(self.procedures.all_done)
        else:
            self._replay.open_episode(following, otherwise=self._stay)

    def _stay(self) -> None:
        """The next procedure cannot be read."""
        self._left = ""
        self._show()

    def _your_order_changed(self) -> None:
        if self.is_in_front:
            self._show()

    # Showing ---------------------------------------------------------------------------------------------------------

    def _orderings(self) -> Orderings:
        """What the shown runs said of the shown procedure, where it may be seen."""
        episode = self._context.selection.episode
        fits = episode is not None and self._judged.episode == episode.id and not self.yours.hides
        return orderings_of(self._judged, self._names) if fits else []

    def _show(self) -> None:
        procedure, episode, source = self._procedure, self._context.selection.episode, self._context.selection.source
        if episode is None or source is None:
            self._show_none("No procedure is shown", "Choose one in the list.")
            return
        if procedure is None or self.yours.order is None or procedure.id == self._left:
            return  # on its way
        wanted = self.yours.assigned or self._input
        shown = wanted if any(step.pictures for step in procedure.steps) else StepInput.TEXT
        self.yours.show_input(shown)
        place = self._library.position_of(episode.id) + 1
        at = f" · {place:,} of {len(self._library.ids):,}" if place else ""
        self._centre.show_title(procedure.goal or procedure.id, f"{source.title}{at}")
        own = OwnOrder(self.yours.order.order, self.yours.shuffled(), self.yours.is_locked)
        fresh = not self._centre.board.focused()
        self._show_state(shown)
        if self.yours.hides:
            self._show_hidden(None if self._is_paused else blind_board(procedure, own))
        else:
            self._show_all(procedure, own)
        if fresh and not self.yours.hides:
            self._ring_current(episode)
        if self._page == BOARD:
            self.yours.look()

    def _show_all(self, procedure: Procedure, own: OwnOrder) -> None:
        self.yours.tell_seen()
        orderings = self._orderings()
        chosen = self._nearest(procedure, own, orderings) if self._chosen is None else self._chosen
        board = board_of(procedure, chosen, orderings, own)
        self._centre.show_references(len(procedure.references), chosen)
        self._centre.board.set_board(board)
        self._panel.hide_all("", "")
        self._panel.set_matrices(matrices_of(board, orderings), None if orderings else len(self._waiting()))
        self._below.set_orders(metrics_of(procedure, orderings, own.order))

    def _waiting(self) -> list[str]:
        """Runs that ordered the steps of this data and are not shown, the latest first."""
        shown = self._context.selection.runs
        return [
            run.id
            for run in self._runs.runs()
            if run.spec.task is Task.ORDERING and data_of(run.spec.source) == self.procedures.source
            and not run.labels.archived and run.id not in shown
        ]  # fmt: skip

    def _show_runs(self) -> None:
        """Show those that wait, the oldest first, so that it has the first letter."""
        for run in reversed(self._waiting()):
            self._context.selection.show_run(run)

    def _show_hidden(self, board: OrderBoardContent | None) -> None:
        self._centre.show_references(0, 0)
        self._centre.board.set_words("The clock stands", "Space lets it run, and shows the cards.")
        self._centre.board.set_board(board)
        self._panel.hide_all("You order blind", HIDDEN)
        self._panel.set_matrices(())
        self._below.set_orders((), HIDDEN)

    def _show_state(self, shown: StepInput) -> None:
        yours, order = self.yours, self.yours.order
        assert order is not None and self._procedure is not None
        pictured = any(step.pictures for step in self._procedure.steps)
        state = YourState(
            blind=yours.blind,
            can_order=not self._is_paused,
            accepted=yours.is_accepted,
            locked=yours.is_locked,
            paused=yours.clock.paused,
            seconds=yours.seconds,
            confidence=order.confidence,
            helped=order.helped.value if order.helped is not None else "",
            shown=shown.value,
            inputs=tuple(StepInput) if pictured and self.yours.assigned is None else (shown.value,),
            alternatives=alternatives_in_letters(order, yours.shuffled()),
        )
        self._centre.show_state(state)

    def _show_none(self, title: str, detail: str) -> None:
        episode = self._context.selection.episode
        self._centre.show_title(episode.goal if episode else "", "")
        self._centre.show_references(0, 0)
        self._centre.show_state(YourState(blind=self.yours.blind, shown=self._input.value))
        self._centre.board.set_words(title, detail)
        self._centre.board.set_board(None)
        self._panel.hide_all("", "")
        self._panel.set_matrices(())
        self._below.set_orders((), detail)

    def _show_page(self, page: str) -> None:
        """Show the board, or all procedures; the clock runs while the cards are seen."""
        self._page = page
        self._centre.show_page(page)
        if page != BOARD:
            self.yours.leave()
            self._people_changed()
            (self._centre.table if page == ALL else self._centre.people.people).setFocus()
        elif self._procedure is not None:
            self._show()
            self._centre.board.setFocus()

    def _people_changed(self) -> None:
        """Figures are made where they are seen."""
        if self._page == PEOPLE:
            self.people.refresh(blind=self.yours.blind)

    def _to_board(self) -> None:
        self._show_page(BOARD)
        self._centre.board.setFocus()

    def _choose_reference(self, chosen: int) -> None:
        self._chosen = chosen
        self._show()

    @staticmethod
    def _nearest(procedure: Procedure, own: OwnOrder, orderings: Orderings) -> int:
        """The reference that fits the first run, without one the person, best."""
        answers = [outcome.prediction.answer for _index, _name, outcome in orderings]
        first = next((answer.order for answer in answers if isinstance(answer, OrderAnswer)), own.order)
        return nearest(procedure, first)

    def _ring(self, place: int) -> None:
        """Ring the card of the step at a place of the reference order."""
        if self._procedure is not None:
            chosen = max(self._centre.references.currentIndex(), 0)
            self._centre.board.focus_step(self._procedure.references[chosen][place])

    def _ring_current(self, episode: Episode) -> None:
        """The step that Replay shows, where it is one of the procedure's."""
        here = self._context.selection.step_index
        for step in self._procedure.steps if self._procedure else ():
            if self._place(step.id, episode) == here:
                self._centre.board.focus_step(step.id)

    # Steps -----------------------------------------------------------------------------------------------------------

    def _place(self, step: str, episode: Episode) -> int:
        """Where the step of this id stands in the shown episode, -1 for nowhere. An episode that was made of a
        procedure has its steps one for one; of other episodes the id is the step's index."""
        ids = [one.id for one in self._procedure.steps] if self._procedure else []
        if episode.platform is Platform.TEXT and len(ids) == len(episode.steps):
            return ids.index(step) if step in ids else -1
        return episode.position_of(int(step)) if step.isdecimal() else -1

    def _open(self, step: str) -> None:
        episode = self._context.selection.episode
        place = self._place(step, episode) if episode is not None and not self.yours.hides else -1
        if place >= 0:
            self._context.workspaces.set_workspace("replay")
            self._replay.go(place)

    def _fetch_picture(self, step: str) -> None:
        procedure = self._procedure
        picture = _picture_of(procedure, step)
        if picture is None or procedure is None:
            return
        size = LARGE_THUMBNAIL if len(procedure.steps) <= FEW_STEPS else THUMBNAIL

        def arrived(image: QImage) -> None:
            if self._procedure is procedure:
                self._centre.board.set_picture(step, image)

        self._context.thumbnail(picture, size, arrived)


def _picture_of(procedure: Procedure | None, step: str) -> Picture | None:
    found = next((one for one in procedure.steps if one.id == step), None) if procedure else None
    return found.pictures[0] if found and found.pictures else None


def _input_of(word: str) -> StepInput:
    return StepInput(word) if word in tuple(StepInput) else StepInput.BOTH
