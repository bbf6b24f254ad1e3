"""Going places: wrong steps within and across episodes, back and forward, links and copies."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from app.gui.context import Context
from app.gui.controllers.details import DetailsController
from app.gui.controllers.library import LibraryController
from app.gui.controllers.opening import source_title
from app.gui.controllers.replay import ReplayController
from app.gui.selection import LETTERS, Place
from core.domain.link import Link, parse_link
from core.domain.wire import step_to_json
from core.errors import UsageError
from core.scoring.named_rules import rule_by_id

if TYPE_CHECKING:
    from core.store.engine import Database


class NavigateController(QObject):
    """Wrong steps in other episodes come from the stored scores, those in this one from the rule that is chosen."""

    def __init__(
        self, context: Context, library: LibraryController, replay: ReplayController, details: DetailsController
    ) -> None:
        super().__init__(context)
        self._context, self._library, self._replay, self._details = context, library, replay, details
        self._request = 0
        self._waiting = 0
        details.judged.connect(self._judged)
        replay.history_changed.connect(self._history_changed)
        context.selection.runs_changed.connect(
            lambda: context.conditions.set("shown_run", bool(context.selection.runs))
        )

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "wrong.next": lambda: self.wrong(1),
            "wrong.previous": lambda: self.wrong(-1),
            "go.back": lambda: self._go(self._replay.history.back()),
            "go.forward": lambda: self._go(self._replay.history.forward()),
            "copy.step": self.copy_step,
            "copy.link": self.copy_link,
        }

    # Wrong steps -----------------------------------------------------------------------------------------------------

    def wrong(self, way: int) -> None:
        """The next (1) or previous (-1) step on which a shown run is wrong, in the order of the list."""
        selection = self._context.selection
        self._waiting = 0
        if selection.episode is None:
            return
        if self._details.current.episode != selection.episode.id:
            self._waiting = way  # its verdicts are on their way
            return
        wrong = self._details.current.wrong_steps(selection.rule, selection.runs)
        here = [selection.episode.position_of(index) for index in wrong]
        found = [step for step in here if (step - selection.step_index) * way > 0]
        if found:
            self._replay.go(min(found) if way > 0 else max(found))
            return
        self._in_other_episodes(selection.episode.id, way)

    def _judged(self) -> None:
        if self._waiting:
            self.wrong(self._waiting)

    def _in_other_episodes(self, episode: str, way: int) -> None:
        from core.store.queries import items

        runs, ids = self._context.selection.runs, self._library.ids
        place = self._library.position_of(episode)
        self._request += 1
        request = self._request

        def ask(database: Database) -> Place | None:
            wrong: dict[str, list[int]] = {}
            with database.reading() as db:
                for run in runs:
                    for outcome in items(db, run, show="wrong", limit=None).rows:
                        wrong.setdefault(outcome.key.episode, []).append(outcome.key.step)
            ahead = ids[place + 1 :] if way > 0 else list(reversed(ids[: max(place, 0)]))
            for other in ahead:
                if other in wrong:
                    return Place(0, other, min(wrong[other]) if way > 0 else max(wrong[other]))
            return None

        def answer(found: Place | None) -> None:
            if request != self._request:
                return
            if found is None:
                word = "after" if way > 0 else "before"
                self._context.messages.done(f"No wrong step {word} this one.")
            else:
                self._replay.open_step(found.episode, found.step)

        self._context.query("find wrong step", ask, answer, priority=1)

    # Back and forward ------------------------------------------------------------------------------------------------

    def _history_changed(self) -> None:
        history = self._replay.history
        self._context.conditions.set("back", history.can_go_back)
        self._context.conditions.set("forward", history.can_go_forward)
        self._context.window.replay.set_back_enabled(history.can_go_back)

    def _go(self, place: Place | None) -> None:
        if place is None:
            return
        source = next((s for s in self._context.sources if s.id == place.source), None)
        if source is None:
            self._context.messages.done("That source is not open any more.")
            return
        self._library.choose_source(source)
        self._replay.open_episode(place.episode, place.step)

    # Copies ----------------------------------------------------------------------------------------------------------

    def copy_step(self) -> None:
        """The step in the form of `stepscope episode --json`."""
        step = self._context.selection.step
        if step is not None:
            QGuiApplication.clipboard().setText(json.dumps(step_to_json(step), ensure_ascii=False, indent=1))
            self._context.messages.done(f"Copied step {step.index + 1} as JSON.")

    def copy_link(self) -> None:
        self._context.messages.done("Copied a link to this step.")
        QGuiApplication.clipboard().setText(self.link())

    def link(self) -> str:
        """`stepscope://SOURCE/EPISODE/STEP?runs=A,B&rule=aitw`; the step counts from 0 as in the data."""
        selection = self._context.selection
        if selection.source is None or selection.episode is None:
            return ""
        step = selection.step.index if selection.step else 0
        runs = tuple(LETTERS[: len(selection.runs)])
        return str(Link(selection.source.title, selection.episode.id, step, runs, selection.rule.id))

    def open_item(self, path: str, episode: str, step: int) -> None:
        """Show a step of data that need not be the current one, nor open."""
        self._context.window.set_workspace("replay")
        source = next((s for s in self._context.sources if str(s.source.path) == path), None)
        if source is not None:
            self._library.choose_source(source)
            self._replay.open_step(episode, step)
        elif Path(path).exists():
            self._library.open_path(Path(path), lambda: self._replay.open_step(episode, step))
        else:
            self._context.messages.warning(
                f"The run's data is not there any more: {path}. Put it back to see its steps."
            )

    def follow(self, text: str) -> None:
        """Open the step that a link names, in data that this store knows."""
        try:
            link = parse_link(text)
        except UsageError as error:
            self._context.messages.failure(error)
            return

        def ask(database: Database) -> str | None:
            from core.store.repositories.sources import all_sources

            with database.reading() as db:
                known = [source.path for source in all_sources(db)]
            fitting = (path for path in known if source_title(Path(path)) == link.source and Path(path).exists())
            return next(fitting, None)

        self._context.query("find linked data", ask, lambda path: self._follow(link, path))

    def _follow(self, link: Link, path: str | None) -> None:
        if path is None:
            self._context.messages.warning(
                f"No data called {link.source} is known here. Open its folder, then the link again.",
                ("open.folder", "Open a folder"),
            )
            return
        if link.rule:
            self._context.selection.set_rule(rule_by_id(link.rule))
        self._library.open_path(Path(path), lambda: self._replay.open_step(link.episode, link.step))
