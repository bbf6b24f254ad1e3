"""Going places: steps of a kind within and across episodes, copies."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from stepscope.app.gui.features.replay.details_controller import DetailsController
from stepscope.app.gui.features.replay.step_search import (
    StepKind,
    StepSearchHit,
    StepSearchRequest,
    look_elsewhere,
    places_here,
)
from stepscope.app.gui.shell.annotations import AnnotationBook
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.events import DataMissing, EpisodesListed
from stepscope.app.gui.shell.ports import Library
from stepscope.app.gui.shell.tasks import BackgroundTask
from stepscope.core.domain.episode import Episode
from stepscope.core.domain.wire import step_to_json

if TYPE_CHECKING:
    from stepscope.widgets.replay.centre import ReplayCentre


class NavigateController(QObject):
    """Steps of other episodes are found by the stored scores (those under the chosen rule where a run has them all,
    else its own), those of this one by what the chosen rule says now."""

    def __init__(
        self,
        context: Context,
        library: Library,
        replay: EpisodeViewer,
        centre: ReplayCentre,
        details: DetailsController,
        book: AnnotationBook,
    ) -> None:
        super().__init__(context)
        self._context, self._library, self._replay, self._details = context, library, replay, details
        self._centre, self._book = centre, book
        self._search: BackgroundTask | None = None
        self._waiting: tuple[StepKind, int] | None = None
        """what a press of a key waits for"""
        self._waits_at: tuple[object, ...] = ()
        """where the person was when it was pressed"""
        details.judged.connect(lambda _judged: self._try_again())
        book.shown.connect(self._try_again)
        context.events.on(EpisodesListed, lambda _event: self._try_again())
        context.conditions.changed.connect(self._try_again)  # reading has ended
        context.selection.step_changed.connect(self._try_again)
        context.selection.runs_changed.connect(self._runs_changed)

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            **{f"{kind}.next": partial(self.go_to, kind, 1) for kind in StepKind},
            **{f"{kind}.previous": partial(self.go_to, kind, -1) for kind in StepKind},
            "copy.step": self.copy_step,
        }

    def _runs_changed(self) -> None:
        runs = self._context.selection.runs
        self._context.conditions.set("shown_run", bool(runs))
        self._context.conditions.set("two_runs", len(runs) > 1)

    # Steps of a kind -------------------------------------------------------------------------------------------------

    def go_to(self, kind: StepKind, way: int, *, again: bool = False) -> None:
        """The next (1) or previous (-1) such step in the order of the list; around its end, which is told. `again`: for
        a key that was pressed before."""
        selection = self._context.selection
        self._waiting = None
        if selection.episode is None:
            return
        if not self._is_known(kind, selection.episode):
            self._wait(kind, way)
            return
        if kind is StepKind.MATCHING and not self._library.found_steps():
            self._context.messages.done("The filter means whole episodes, no steps: PgDn and PgUp go through them.")
            return
        sought = self._sought(kind, way)
        here = places_here(sought, selection.episode, self._details.current, self._book.here)
        ahead = [place for place in here if (place - selection.step_index) * way > 0]
        if ahead:
            self._replay.go(min(ahead) if way > 0 else max(ahead))
        else:
            self._look_elsewhere(sought, here, again)

    def _sought(self, kind: StepKind, way: int) -> StepSearchRequest:
        selection = self._context.selection
        source = selection.source
        return StepSearchRequest(
            kind,
            way,
            source.id if source else 0,
            source.key if source else "",
            tuple(selection.runs),
            selection.rule,
            self._library.steps_of,
        )

    def _is_known(self, kind: StepKind, episode: Episode) -> bool:
        """Whether all that such steps of the episode are known by has come from the store."""
        if kind in (StepKind.FLAGGED, StepKind.UNCHECKED):
            return self._book.is_known
        return self._details.current.episode == episode.id

    def _place(self) -> tuple[object, ...]:
        """What a person who goes elsewhere, or wants another list, changes."""
        selection = self._context.selection
        episode = selection.episode
        return episode and episode.id, selection.step_index, self._library.filter_text

    def _wait(self, kind: StepKind, way: int) -> None:
        self._waiting, self._waits_at = (kind, way), self._place()

    def _try_again(self) -> None:
        """Try again what a press of a key waits for: it may be there now. A person who went elsewhere gave it up."""
        if self._waiting is None:
            return
        if self._waits_at == self._place():
            self.go_to(*self._waiting, again=True)
        else:
            self._waiting = None

    def _look_elsewhere(self, sought: StepSearchRequest, here: list[int], again: bool) -> None:
        """Ask the store about the other episodes; `here`: places of such steps in this one."""
        selection, database, ids = self._context.selection, self._context.database, self._library.ids
        episode = selection.episode
        if database is None or episode is None:
            return
        if self._search is not None:
            self._search.cancel()
        place = self._library.position_of(episode.id)
        self._search = self._context.start(
            f"find {sought.kind} step",
            lambda token: look_elsewhere(database, sought, ids, place, token),
            lambda found: self._arrive(sought, episode, here, found, again),
            priority=1,
        )
        self._search.finished.connect(self._search_ended)

    def _search_ended(self) -> None:
        if self.sender() is self._search:
            self._search = None

    def _arrive(
        self, sought: StepSearchRequest, left: Episode, here: list[int], found: StepSearchHit | None, again: bool
    ) -> None:
        """Go where the search led, unless the person went elsewhere meanwhile. Where the list is still being read it is
        looked at again when more of it has come."""
        selection, tell = self._context.selection, self._context.messages.done
        if selection.episode is not left:
            return
        further = "after" if sought.way > 0 else "before"
        none = f"No {sought.kind.words} {further} this one"
        end = "first" if sought.way > 0 else "last"
        if found is not None:
            if found.around:
                tell(f"{none}: on with the {end} one of the list.")
            self._land(found)
        elif others := [place for place in here if place != selection.step_index]:
            tell(f"{none}: on with the {end} one of this episode, which is the only one with any.")
            self._replay.go(min(others) if sought.way > 0 else max(others))
        elif self._library.is_incomplete:
            self._wait(sought.kind, sought.way)
            if not again:
                tell(f"{none} yet: the list is still being read. On as soon as one comes.")
        else:
            unscored = self._details.unscored() if sought.kind in (StepKind.WRONG, StepKind.DIFFERS) else []
            why = " Runs without scores under this rule were looked at here only." if unscored else ""
            tell(f"There is no {'other ' if here else ''}{sought.kind.words} in this list.{why}")

    def _land(self, found: StepSearchHit) -> None:
        def go() -> None:
            episode = self._context.selection.episode
            if episode is not None:
                self._replay.go(found.place_in(episode))

        self._replay.open_episode(found.episode, then=go)

    # Copies ----------------------------------------------------------------------------------------------------------

    def copy_step(self) -> None:
        """The step in the form of `stepscope episode --json`."""
        step = self._context.selection.step
        if step is not None:
            QGuiApplication.clipboard().setText(json.dumps(step_to_json(step), ensure_ascii=False, indent=1))
            self._context.messages.done(f"Copied step {step.index + 1} as JSON.")

    def open_item(self, path: str, episode: str, step: int) -> None:
        """Show a step in Replay, of data that need not be the current one, nor open."""
        self._context.workspaces.set_workspace("replay")
        self.show_item(path, episode, step)

    def show_item(self, path: str, episode: str, step: int) -> None:
        """The same in the workspace that is in front."""
        source = next((s for s in self._context.sources if str(s.source.path) == path), None)
        if source is not None:
            self._library.choose_source(source)
            self._replay.open_step(episode, step)
        elif Path(path).exists():
            self._library.open_path(Path(path), lambda: self._replay.open_step(episode, step))
        else:
            self._context.events.publish(DataMissing(Path(path)))
