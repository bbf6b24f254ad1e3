"""Tools ▸ Ambiguous Tasks ▸ Make Ambiguous Tasks: from the form to Review, kept episode by episode."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from stepscope.app.gui.features.ambiguous.review_controller import ReviewController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.ports import AmbiguousViews, EpisodeList
from stepscope.app.gui.shell.recordings_question import once_agreed
from stepscope.app.gui.shell.tasks import BackgroundTask
from stepscope.app.services.provenance import data_of
from stepscope.app.services.worker import MakingJob, making_worker
from stepscope.core.domain.ambiguous_task import RULES
from stepscope.core.domain.filter import EVERYTHING, quoted
from stepscope.core.domain.model_name import LOCAL, SERVED, split_name
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken, Progress, then_result
from stepscope.widgets.ambiguous.make_dialog import MakerChoice, MakeTasksDialog, MakeWish, ScopeChoice
from stepscope.widgets.common import TaskProgress
from stepscope.widgets.format import count as counted_number
from stepscope.widgets.format import counted

if TYPE_CHECKING:
    from stepscope.app.services import ambiguous_estimate, ambiguous_tasks
    from stepscope.app.services.ambiguous_estimate import MakingEstimate
    from stepscope.app.services.ambiguous_tasks import MakingCount, MakingRequest
    from stepscope.core.domain import filter_parser
    from stepscope.core.store.engine import Database
    from stepscope.core.store.repositories import ambiguous_tasks as task_rows
    from stepscope.core.store.repositories import sources
    from stepscope.models.ask.making import named
    from stepscope.models.chat import servers
    from stepscope.models.checkpoints import checkpoint
else:
    ambiguous_estimate = lazy_module("stepscope.app.services.ambiguous_estimate")
    ambiguous_tasks = lazy_module("stepscope.app.services.ambiguous_tasks")
    filter_parser = lazy_module("stepscope.core.domain.filter_parser")
    task_rows = lazy_module("stepscope.core.store.repositories.ambiguous_tasks")
    sources = lazy_module("stepscope.core.store.repositories.sources")
    named = lazy_module("stepscope.models.ask.making.named")
    servers = lazy_module("stepscope.models.chat.servers")
    checkpoint = lazy_module("stepscope.models.checkpoints.checkpoint")

Elsewhere = Callable[[MakingJob, CancelToken], "Iterator[Progress | MakingCount]"]
ROW = "making"
ALL, FILTER, SHOWN = "all", "filter", "shown"
HERE = 500
"""Episodes that rules go through beside the window; of more, and for models, the work has a process of its own."""
BY_RULES = "Typed text, options, names and numbers that goal and step share; without a model, and always the same."
BY_MODEL = "Asked for the instruction of each step, and for the goal without it, with a question and an answer."
NAME = "ambiguous"


@dataclass(frozen=True, slots=True)
class _MakingOffer:
    """What the form begins with."""

    makers: tuple[MakerChoice, ...]
    known: dict[str, int]
    episodes: int


def elsewhere(job: MakingJob, token: CancelToken) -> Iterator[Progress | MakingCount]:
    """What is told out of a process of its own, which ends with it and gives back all memory."""
    worker = making_worker()
    try:
        yield from worker.run(job, token)
    finally:
        worker.close()


class MakeController(QObject):
    """One making at a time; stopped, the same choice goes on. `elsewhere` does it in another process."""

    def __init__(self, context: Context, views: AmbiguousViews, review: ReviewController, library: EpisodeList) -> None:
        super().__init__(context)
        self._context, self._review, self._library = context, review, library
        self.dialog: MakeTasksDialog | None = None
        self.elsewhere: Elsewhere = elsewhere
        self._task: BackgroundTask | None = None
        self._end: MakingCount | None = None
        self._begun_in = ""
        views.ambiguous_list.make_wanted.connect(self.open)
        views.ambiguous.make_wanted.connect(self.open)
        context.long_work.chip.cancel_requested.connect(lambda row: self.stop() if row == ROW else None)

    @property
    def is_running(self) -> bool:
        return self._task is not None

    def open(self) -> None:
        """Ask what is to be made."""
        source = self._context.selection.source
        if source is None:
            return
        if self.is_running:
            self._context.messages.info("Tasks are being made. Stop it at the top of the window, or wait for its end.")
            return
        known_as = data_of(source.key)
        self._context.query("who can make tasks", lambda database: _offer(database, source.id, known_as), self._show)

    def stop(self) -> None:
        """End it; what was made stays."""
        if self._task is not None:
            self._task.cancel()

    def _show(self, offer: _MakingOffer) -> None:
        if self._context.selection.source is None or self.dialog is not None:
            return
        dialog = MakeTasksDialog(
            self._scopes(offer.episodes), offer.makers, offer.known, self._command, self._context.dialog_parent
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.wanted.connect(self._check)
        dialog.estimate_wanted.connect(self._estimate)
        dialog.finished.connect(self._closed)
        self.dialog = dialog
        dialog.open()

    def _scopes(self, episodes: int) -> list[ScopeChoice]:
        """All episodes, those of the filter, the one that is shown."""
        filtered, shown = self._library.filter_text, self._context.selection.episode
        found = [ScopeChoice(ALL, f"All episodes ({counted_number(episodes)})", episodes)]
        if filtered:
            here = len(self._library.ids)
            found.insert(0, ScopeChoice(FILTER, f"Current filter ({counted_number(here)}): {filtered}", here))
        if shown is not None:
            found.append(ScopeChoice(SHOWN, f"The episode that is shown: {shown.goal or shown.id}", 1))
        return found

    def _closed(self) -> None:
        self.dialog = None

    # Before it begins ------------------------------------------------------------------------------------------------

    def _request(self, wish: MakeWish) -> MakingRequest:
        """Raises UsageError for what cannot be."""
        return ambiguous_tasks.MakingRequest(
            wish.made_by,
            wish.removed,
            filter_parser.parse(self._filter_of(wish)) if self._filter_of(wish) else EVERYTHING,
            wish.limit,
            wish.questions,
            again=wish.again,
        )

    def _filter_of(self, wish: MakeWish) -> str:
        """The filter that leaves the episodes of the wish, "" for all."""
        shown = self._context.selection.episode
        if wish.scope == SHOWN and shown is not None:
            return f"id={quoted(shown.id)}"
        return self._library.filter_text if wish.scope == FILTER else ""

    def _command(self, wish: MakeWish) -> str:
        """The equal command."""
        source = self._context.selection.source
        words = ["stepscope", "ambiguous", "make", str(source.source.path) if source is not None else "PATH"]
        words += [] if wish.made_by == RULES else ["--model", wish.made_by]
        words += ["--removed", ",".join(map(str, wish.removed or (1,)))]
        words += ["--filter", self._filter_of(wish)] if self._filter_of(wish) else []
        words += ["--limit", str(wish.limit)] if wish.limit else []
        words += ["--most-questions", str(wish.questions)] if wish.questions else []
        return shlex.join([*words, *(["--again"] if wish.again else [])])

    def _estimate(self, wish: MakeWish) -> None:
        """Count, in the background, what the model would be asked."""
        source = self._context.selection.source
        if source is None:
            return

        def ask(database: Database) -> str:
            try:
                found = ambiguous_estimate.making_estimate(database, source.id, source.source, self._request(wish))
            except UserError as error:
                return error.words_in_window
            return "" if found is None else estimate_words(found)

        def arrived(words: str) -> None:
            if self.dialog is not None:
                self.dialog.set_estimate(wish, words)

        self._context.query("estimate the questions", ask, arrived, priority=-1)

    def _check(self, wish: MakeWish) -> None:
        """What cannot be is told before anything begins, and a server is asked only once the person agrees that it gets
        what they recorded."""

        def check(_token: CancelToken) -> MakingRequest:
            request = self._request(wish)
            named.maker_name(request.model)
            return request

        def checked(request: MakingRequest) -> None:
            source = self._context.selection.source
            if source is not None and request.model.startswith(SERVED):
                once_agreed(self._context, source.source, (request.model,), lambda: self._begin(request))
            else:
                self._begin(request)

        self._context.start("check what is to be made", check, checked, failed=self._refused)

    def _refused(self, error: Exception) -> None:
        if self.dialog is not None and isinstance(error, UserError):
            self.dialog.set_trouble(error.words_in_window)
        else:
            self._context.messages.failure(error)

    # At work ---------------------------------------------------------------------------------------------------------

    def _begin(self, request: MakingRequest) -> None:
        source, database = self._context.selection.source, self._context.database
        if source is None or database is None or self.dialog is None or self.is_running:
            return  # the person thought better of it
        self.dialog.accept()
        known_as = data_of(source.key)
        job = MakingJob(self._context.places.store_url, source.source.path, source.source.format, known_as, request)
        apart = request.model != RULES or len(self._library.ids) > HERE
        other = self.elsewhere

        def work(token: CancelToken) -> Generator[Progress, None, MakingCount | None]:
            if apart:
                return (yield from then_result(other(job, token)))
            return (yield from ambiguous_tasks.make_tasks(database, source.id, source.source, known_as, request, token))

        self._end, self._begun_in = None, self._context.workspaces.workspace
        self._task = task = self._context.start("Making ambiguous tasks", work, self._take, lane="index")
        task.progressed.connect(self._tell)
        task.finished.connect(lambda: self._finished(request, task))
        self._tell(Progress(0, None))

    def _take(self, found: MakingCount | None) -> None:
        self._end = found

    def _tell(self, progress: Progress) -> None:
        row = TaskProgress(
            ROW, "Making ambiguous tasks", progress.done, progress.total, progress.rate, progress.seconds_left,
            can_pause=False,
        )  # fmt: skip
        self._context.long_work.show(ROW, (row,))

    def _finished(self, request: MakingRequest, task: BackgroundTask) -> None:
        self._task = None
        self._context.long_work.show(ROW, ())
        count, messages = self._end, self._context.messages
        if task.token.cancelled and count is None:
            messages.info("Making tasks was stopped; what was made is kept, and made again it goes on there.")
        elif count is None:
            return  # it failed, and that was told
        else:
            self._tell_count(request, count)
        self._lead_there(count is not None)

    def _lead_there(self, made: bool) -> None:
        """To Review, where the person is still where they began; who has gone elsewhere finds a dot on its sign."""
        workspaces = self._context.workspaces
        if workspaces.workspace == NAME:
            self._review.reload()
        elif made and workspaces.workspace == self._begun_in:
            workspaces.set_workspace(NAME)
        elif made:
            workspaces.mark_workspace(NAME)

    def _tell_count(self, request: MakingRequest, count: MakingCount) -> None:
        messages = self._context.messages
        if count.failed:
            episode, why = count.failed[0]
            messages.warning(f"{counted(len(count.failed), 'episode')} failed; {episode}: {why}")
        if count.over:
            messages.warning("The questions are spent: made again with more it goes on there.", title="Stopped early.")
        elsewhere = self._context.workspaces.workspace not in (NAME, self._begun_in)
        messages.done(words_of(request, count), *([("ambiguous.review", "Review")] if elsewhere else []))


def words_of(request: MakingRequest, count: MakingCount) -> str:
    """What came of it, in a line or two."""
    parts = [f"{counted(count.tasks, 'ambiguous task')} of {counted(count.made, 'episode')}"]
    parts += [f"{counted_number(count.failing)} fail a check"] if count.failing else []
    parts += [f"{counted_number(count.not_enough)} times the goal had not enough to leave out"] * bool(count.not_enough)
    parts += [f"{counted(count.asking, 'episode')} ask already"] if count.asking else []
    parts += [f"{counted(count.infeasible, 'episode')} cannot reach the goal"] if count.infeasible else []
    parts += [f"{counted(count.without, 'episode')} without a goal or actions"] if count.without else []
    parts += [f"{counted(count.known, 'episode')} made before"] if count.known else []
    if split_name(request.model)[0] != RULES:
        parts.append(f"{counted(count.asked, 'question')}, {counted_number(count.remembered)} remembered")
    return f"Made {', '.join(parts)}."


def estimate_words(found: MakingEstimate) -> str:
    """What it would take, in one line."""
    if found.cost is None or not found.cost.words:
        return f"At most {counted(found.questions, 'question')}."
    return f"{found.cost.words[0].upper()}{found.cost.words[1:]}."


def _offer(database: Database, source_id: int, known_as: str) -> _MakingOffer:
    """Rules, the model of each server that has one, and checkpoints, with what each has made."""
    with database.reading() as db:
        known = task_rows.makers(db, known_as)
        stored = sources.get(db, source_id)
    settings = named.maker_options()
    served = [
        MakerChoice(f"{SERVED}{one.name}/{one.model}", f"{one.model} at {one.name}", BY_MODEL, settings, asks=True)
        for one in servers.load()
        if one.model
    ]
    local = [
        MakerChoice(f"{LOCAL}{one.name}", f"{one.name} (checkpoint)", BY_MODEL, settings, asks=True)
        for one in checkpoint.load()
    ]
    makers = (MakerChoice(RULES, "Rules", BY_RULES), *served, *local)
    return _MakingOffer(makers, known, stored.episodes if stored is not None else 0)
