"""The Web task workspace: which page is open, whose answers are in it, and how many of their actions are done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from stepscope.app.gui.features.webtask.webtask_page_controller import WebTaskPageController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.events import RunsChanged
from stepscope.core.domain.prediction import Prediction, Task
from stepscope.core.domain.run import Run
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.app.services.webtask import person, tasks
    from stepscope.app.services.webtask.live_page import PageSnapshot
    from stepscope.app.services.webtask.tasks import PageRead, PageResult
    from stepscope.core.store.engine import Database
    from stepscope.core.webtask.page import ExecutedCall, PageLook, PageSource
    from stepscope.widgets.webtask import Runner
else:
    person = lazy_module("stepscope.app.services.webtask.person")
    tasks = lazy_module("stepscope.app.services.webtask.tasks")

NAME = "webtask"
YOU, ORACLE, TRIAL = "you", "oracle", "trial"
"""Whose answers besides those of runs: the person's, the workers', and those of a solver that was tried here."""


class WebTaskController(QObject):
    """`page_changed()`: another page, or none, is open. `shown_changed()`: other answers are in it, or other actions of
    theirs are done. `look_changed()`: the page looks other than it did. `who_changed()`: the choice of whose answers
    can be shown is another. `your_calls_wanted()`: what the person did on the open page so far is to be filled in.
    """

    page_changed = Signal()
    shown_changed = Signal()
    look_changed = Signal()
    who_changed = Signal()
    your_calls_wanted = Signal()

    def __init__(self, context: Context, page: WebTaskPageController) -> None:
        super().__init__(context)
        self._context, self.page = context, page
        self.read: PageRead | None = None
        self.source: PageSource | None = None
        self.who = YOU
        self.filled: PageResult | None = None
        self.trial: Prediction | None = None
        self.trial_name = ""
        self.log: tuple[ExecutedCall, ...] = ()
        self.done = 0
        self.runs: tuple[Run, ...] = ()
        self._asked = ""
        selection = context.selection
        selection.source_changed.connect(self._source_changed)
        selection.episode_changed.connect(self.reload)
        selection.runs_changed.connect(self._look_up_runs)
        context.events.on(RunsChanged, lambda _: self._look_up_runs())
        page.brought.connect(self._brought)
        page.changed.connect(lambda _look: self.look_changed.emit())
        page.hosts_changed.connect(self.bring)

    # What there is ---------------------------------------------------------------------------------------------------

    @property
    def is_in_front(self) -> bool:
        return self._context.workspaces.workspace == NAME

    @property
    def look(self) -> PageLook | None:
        """The page as it stands, None while there is none."""
        return self.page.look if self.read is not None else None

    @property
    def is_yours(self) -> bool:
        return self.read is not None and self.who == YOU

    @property
    def is_at_end(self) -> bool:
        return self.done == len(self.log)

    @property
    def values(self) -> Mapping[str, str]:
        """What is in the fields: what the run left there, or what stands in the page."""
        if self.filled is not None and self.is_at_end:
            return self.filled.values
        look = self.look
        return look.values if look is not None else {}

    @property
    def run_place(self) -> int | None:
        """The number of the shown run's letter (0 is A), None for all others."""
        return self._context.selection.runs.get(self.who)

    # Opening ---------------------------------------------------------------------------------------------------------

    def enter(self) -> None:
        """The workspace comes to the front."""
        self._look_up_runs()
        self.reload()

    def _source_changed(self) -> None:
        self._asked, self.read, self.source = "", None, None
        self.page.forbid_all()
        self._leave()

    def _leave(self) -> None:
        self.log, self.done, self.filled, self.trial = (), 0, None, None
        if self.page.is_made:
            self.page.clear()
        self._context.conditions.set("webpage", False)
        self._context.conditions.set("webpage_yours", False)
        self.page_changed.emit()
        self.shown_changed.emit()

    def reload(self) -> None:
        """Open the page that is chosen; not before the workspace is in front."""
        source, episode = self._context.selection.source, self._context.selection.episode
        if not self.is_in_front or source is None or episode is None or episode.id == self._asked:
            return
        self._asked = wanted = episode.id
        reader = source.source

        def work(_token: object) -> tuple[PageRead, PageSource] | None:
            from stepscope.core.sources.source import WebTaskSource
            from stepscope.core.webtask.rendering import render

            inner = getattr(reader, "inner", reader)
            if not isinstance(inner, WebTaskSource):
                return None
            read = tasks.read_page(reader, wanted)
            return read, render(read.task, read.instance.inputs)

        def arrived(found: tuple[PageRead, PageSource] | None) -> None:
            if self._asked == wanted:
                self._opened(found)

        self._context.start("read web task", work, arrived)

    def _opened(self, found: tuple[PageRead, PageSource] | None) -> None:
        if found is None:
            self.read, self.source = None, None
            self._leave()
            return
        self.read, self.source = found
        self.trial = None
        if self.who == TRIAL:
            self.who = YOU
        self._context.conditions.set("webpage", True)
        self.page_changed.emit()
        self.who_changed.emit()
        self.bring()

    # Whose -----------------------------------------------------------------------------------------------------------

    def choose(self, who: str) -> None:
        """Show the answers of YOU, ORACLE, TRIAL or a run."""
        if who != self.who:
            self.who = who
            self.who_changed.emit()
            self.bring()

    def show_next(self, who: str) -> None:
        """The page that is opened next shows these answers, be it the one that is open."""
        self.who, self._asked = who, ""

    def runners(self) -> list[Runner]:
        """The answer sources that can be shown for this page, in the order of the choice."""
        from stepscope.widgets.webtask import PEOPLE, PERSON, Runner

        shown = self._context.selection.runs
        named = {run.id: run for run in self.runs}
        found = [PERSON]
        found += [Runner(run, named[run].spec.model or "predictions", place)
                  for run, place in shown.items() if run in named]  # fmt: skip
        if self.trial is not None:
            found.append(Runner(TRIAL, self.trial_name))
        if self.read is not None and self.read.instance.answers:
            found.append(PEOPLE)
        return found

    def _look_up_runs(self) -> None:
        if not self.is_in_front:
            return
        shown = self._context.selection.runs

        def ask(database: Database) -> list[Run]:
            from stepscope.core.store import queries

            with database.reading() as db:
                return [one.run for one in queries.run_list(db, task=Task.WEBTASK) if one.run.id in shown]

        self._context.query("runs of web tasks", ask, self._runs_found)

    def _runs_found(self, runs: list[Run]) -> None:
        self.runs = tuple(runs)
        if self.who not in (YOU, ORACLE, TRIAL) and self.who not in {run.id for run in runs}:
            self.who = YOU
            self.bring()
        self.who_changed.emit()

    def bring(self) -> None:
        """Fill the open page with the chosen answers, all their actions done."""
        read = self.read
        if read is None or not self.is_in_front:
            return
        self.filled = None
        self.page.forget()
        self._context.conditions.set("webpage_yours", self.is_yours)
        if self.who == YOU:
            self.your_calls_wanted.emit()
        elif self.who == ORACLE:
            self._fill_with_best(read)
        elif self.who == TRIAL and self.trial is not None:
            self._fill_with(self.trial)
        else:
            self._fill_from_run(self.who)

    def _fill_with_best(self, read: PageRead) -> None:
        """Fill the page with the answers of the workers that score best."""

        def work(_token: object) -> tuple[ExecutedCall, ...]:
            from stepscope.app.services.webtask.judging import best_answers

            return person.calls_for(read.task.fields, best_answers(read.task.fields, read.instance.answers))

        def arrived(log: tuple[ExecutedCall, ...]) -> None:
            if self.who == ORACLE and self.read is read:
                self.fill(log)

        self._context.start("people's best answers", work, arrived)

    def fill(self, log: tuple[ExecutedCall, ...]) -> None:
        """Do these calls on the open page."""
        self.log = log
        self.scrub(len(log))

    def _fill_with(self, prediction: Prediction) -> None:
        self._take_filled(tasks.filled_by(prediction, None))

    def _fill_from_run(self, run: str) -> None:
        read = self.read
        assert read is not None

        def ask(database: Database) -> PageResult | None:
            return tasks.filled(database, run, read.instance.id)

        def arrived(found: PageResult | None) -> None:
            if self.who == run and self.read is read:
                self._take_filled(found)

        self._context.query("what a run filled in", ask, arrived)

    def _take_filled(self, found: PageResult | None) -> None:
        """Take over an answered page; the values of one without a trace are filled in one after the other."""
        self.filled = found
        if found is not None and found.trouble:
            self._context.messages.warning(f"{found.trouble} Its answers are filled in one after the other.")
        if found is None or self.read is None:
            self.fill(())
        elif found.trace is not None:
            self.fill(found.trace.log)
        else:
            self.fill(person.calls_for(self.read.task.fields, found.values))

    def show_trial(self, name: str, prediction: Prediction) -> None:
        """What a solver did on the open page just now."""
        self.trial, self.trial_name, self.who = prediction, name, TRIAL
        self.who_changed.emit()
        self.bring()

    # Actions ---------------------------------------------------------------------------------------------------------

    def scrub(self, done: int, *, fresh: bool = False) -> None:
        """Bring the page to where so many of the actions are done; `fresh` opens it anew whatever it looks like."""
        if self.source is None:
            return
        self.done = min(max(done, 0), len(self.log))
        self.shown_changed.emit()
        self.page.show(self.source, self.log, self.done, fresh=fresh)

    def _brought(self, shown: PageSnapshot) -> None:
        if self.source is not None and shown.source == self.source:
            self.look_changed.emit()
