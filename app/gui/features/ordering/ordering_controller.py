"""The ordering workspace: the procedure that the shown episode is, and what the shown runs made of its order.

Nothing is read while another workspace is in front.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from stepscope.app.gui.features.ordering.presenter import (
    board_of,
    matrices_of,
    metrics_of,
    nearest,
    orderings_of,
    references_of,
)
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_judgements import JudgedEpisode
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.core.domain.episode import Episode, Picture, Platform
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.procedure import Procedure
from stepscope.core.errors import UserError
from stepscope.core.progress import CancelToken
from stepscope.widgets.screen import ScreenPicture

if TYPE_CHECKING:
    from stepscope.widgets.ordering import OrderPanel
    from stepscope.widgets.ordering.centre import OrderingCentre

NAME = "ordering"
THUMBNAIL = Size(120, 220)


class OrderingController(QObject):
    """Fills the board and the panel beside it; a card that is opened leads to its step in Replay."""

    def __init__(self, context: Context, centre: OrderingCentre, panel: OrderPanel, replay: EpisodeViewer) -> None:
        super().__init__(context)
        self._context, self._replay = context, replay
        self._centre, self._panel = centre, panel
        self._procedure: Procedure | None = None
        self._read_for: Episode | None = None
        self._judged, self._names = JudgedEpisode(), list[str]()
        self._chosen: int | None = None
        """the reference that a person chose, None for the nearest"""
        self._connect()

    def _connect(self) -> None:
        board, context = self._centre.board, self._context
        context.events.signal_while_shown(NAME, context.selection.episode_changed, self._episode_changed)
        context.workspaces.workspace_changed.connect(lambda _name: self._come_into_view())
        board.card_opened.connect(self._open)
        board.picture_wanted.connect(self._fetch_picture)
        self._centre.reference_chosen.connect(self._choose_reference)
        self._panel.step_chosen.connect(self._ring)

    @property
    def is_in_front(self) -> bool:
        return self._context.workspaces.workspace == NAME

    def set_judged(self, judged: JudgedEpisode, names: Sequence[str]) -> None:
        """What the shown runs answered about the episode; `names` by letter."""
        self._judged, self._names = judged, list(names)
        if self.is_in_front:
            self._show()

    def _come_into_view(self) -> None:
        if not self.is_in_front:
            return
        if self._read_for is not self._context.selection.episode or self._procedure is None:
            self._read()
        else:
            self._show()

    def _episode_changed(self) -> None:
        self._procedure, self._read_for, self._chosen = None, None, None
        if self.is_in_front:
            self._read()

    def _read(self) -> None:
        episode, source = self._context.selection.episode, self._context.selection.source
        if episode is None or source is None:
            self._show()
            return
        self._read_for = episode

        def read(_token: CancelToken) -> Procedure:
            from stepscope.core.sources.procedures import read_procedure

            return read_procedure(source.source, episode.id)

        def arrived(procedure: Procedure) -> None:
            if self._context.selection.episode is episode:
                self._procedure = procedure
                self._show()

        def failed(error: Exception) -> None:
            if not isinstance(error, UserError):
                raise error
            if self._context.selection.episode is episode:
                self._show_none("No order to be found here", f"{error.message[:1].upper()}{error.message[1:]}.")

        self._context.start("read procedure", read, arrived, failed=failed, priority=2)

    # Showing ---------------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        procedure, episode, source = self._procedure, self._context.selection.episode, self._context.selection.source
        if episode is None or source is None:
            self._show_none("No procedure is shown", "Choose one in the list.")
            return
        if procedure is None:
            return  # on its way
        fits = self._judged.episode == episode.id
        orderings = orderings_of(self._judged, self._names) if fits else []
        references = references_of(procedure)
        chosen = nearest(references, orderings) if self._chosen is None else self._chosen
        board = board_of(procedure, chosen, orderings)
        fresh = not self._centre.board.focused()
        self._centre.show_title(procedure.goal or procedure.id, source.title)
        self._centre.show_references(len(references), chosen)
        self._centre.board.set_board(board)
        if fresh:
            self._ring_current(episode)
        runs = [index for index, _name, _outcome in orderings]
        self._panel.set_orders(matrices_of(board, orderings), metrics_of(orderings) if runs else (), runs)

    def _show_none(self, title: str, detail: str) -> None:
        episode = self._context.selection.episode
        self._centre.show_title(episode.goal if episode else "", "")
        self._centre.show_references(0, 0)
        self._centre.board.set_words(title, detail)
        self._centre.board.set_board(None)
        self._panel.set_orders((), (), ())

    def _choose_reference(self, chosen: int) -> None:
        self._chosen = chosen
        self._show()

    def _ring(self, place: int) -> None:
        """Ring the card of the step at a place of the reference order."""
        if self._procedure is not None:
            chosen = max(self._centre.references.currentIndex(), 0)
            self._centre.board.focus_step(references_of(self._procedure)[chosen][place])

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
        place = self._place(step, episode) if episode is not None else -1
        if place >= 0:
            self._context.workspaces.set_workspace("replay")
            self._replay.go(place)

    def _fetch_picture(self, step: str) -> None:
        procedure, cache = self._procedure, self._context.thumbnails
        picture = _picture_of(procedure, step)
        if picture is None:
            return

        def small(_token: CancelToken) -> ScreenPicture | None:
            try:
                return cache.get(picture, THUMBNAIL)
            except UserError:
                return None  # told when the person goes to that step

        def arrived(thumbnail: ScreenPicture | None) -> None:
            if thumbnail is not None and self._procedure is procedure:
                self._centre.board.set_picture(step, thumbnail.image)

        self._context.start("thumbnail", small, arrived, priority=-1)


def _picture_of(procedure: Procedure | None, step: str) -> Picture | None:
    found = next((one for one in procedure.steps if one.id == step), None) if procedure else None
    return found.pictures[0] if found and found.pictures else None
