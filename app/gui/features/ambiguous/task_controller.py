"""The task that is shown: what the person says of it, its words while they are edited, and where they go on. Every
verdict is written at once and can be undone."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from PySide6.QtCore import QObject, Signal

from stepscope.app.gui.features.ambiguous import presenter, task_checks
from stepscope.app.gui.features.ambiguous.review_edits import StoredReviewChange
from stepscope.app.gui.features.ambiguous.review_session import ReviewSession
from stepscope.app.gui.features.ambiguous.step_controller import StepController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.debouncer import Debouncer
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.ports import AmbiguousViews
from stepscope.app.gui.shell.undo import Edit, UndoHistory
from stepscope.core.domain.ambiguous_task import (
    AmbiguousTask,
    AskReview,
    PieceEdit,
    ReviewVerdict,
    edit_of,
    edited,
)
from stepscope.core.domain.goal_words import goal_parts
from stepscope.widgets import format as formats

NAME = "ambiguous"
TASK_SHOWN = "ambiguous_task"
"""The condition that holds while a task is there to be reviewed."""
EMPTY = "The goal, the question and the answer must not be empty."


class TaskController(QObject):
    """`session` is what the person has before them, of the data that the store calls `source`. `said`: something was
    said, or is taken back; `outdated`: the store has something else than is shown."""

    said = Signal()
    outdated = Signal()

    def __init__(
        self,
        context: Context,
        views: AmbiguousViews,
        viewer: EpisodeViewer,
        history: UndoHistory,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(context)
        self._context, self._viewer, self._history, self._clock = context, viewer, history, clock
        self._panel, self._centre, self._page = views.ambiguous_list, views.ambiguous, views.ambiguous.task
        self.session, self.source = ReviewSession(), ""
        self._since, self._carried = clock(), 0.0
        self._live = Debouncer(self, self._show_live)
        self.steps = StepController(context, views, viewer, self._shown_task)
        self._connect()

    def _connect(self) -> None:
        page, context = self._page, self._context
        context.messages.keep_clear(page.foot)
        context.events.signal_while_shown(NAME, context.selection.episode_changed, self._episode_changed)
        context.workspaces.workspace_changed.connect(lambda _name: self._come_or_go())
        self._panel.task_chosen.connect(self.show_task)
        self._centre.back_clicked.connect(lambda: self.move(-1))
        deeds = {
            "accept": self.accept, "edit": self.edit, "reject": self.reject, "undo": self._history.undo,
            "next": self.next_open, "save": self.save, "leave": self.leave_edit,
        }  # fmt: skip
        page.wanted.connect(lambda what: deeds[what]())
        page.edited.connect(self._live.ask)
        page.rejected.connect(self._reject_for)
        page.reject_left.connect(self._leave_reason)
        page.step_wanted.connect(self.steps.go_to)

    @property
    def is_in_front(self) -> bool:
        return self._context.workspaces.workspace == NAME

    def _shown_task(self) -> AmbiguousTask | None:
        return self.session.task

    # What is shown ---------------------------------------------------------------------------------------------------

    def take(self, session: ReviewSession, source: str, at: int) -> None:
        """Another session, at one of its tasks, or at none where it has none."""
        before = self.session.task
        self.session, self.source = session, source
        if not session.shown:
            self._show_no_task()
            return
        stays = before is not None and session.tasks[session.shown[at]] == before
        self._show_at(at, stays=stays)

    def show_after_filter(self, at: int) -> None:
        """The list is another: the task at that place, or none where nothing is left."""
        if at < 0:
            self._show_no_task()
        else:
            self._show_at(at, stays=at == self.session.at)

    def show_task(self, at: int) -> None:
        """Show a task, and its episode in all workspaces."""
        if 0 <= at < len(self.session.shown):
            self._show_at(at, stays=at == self.session.at)

    def _show_no_task(self) -> None:
        self.session.at = -1
        self._context.conditions.set(TASK_SHOWN, False)
        self._panel.choose(-1)
        self.steps.show()
        if self.session.tasks:
            self._centre.show_empty("No task matches", "Show all, or search for other words.")

    def _show_at(self, at: int, *, stays: bool) -> None:
        if not stays:
            self.leave_drafts()
            self._since, self._carried = self._clock(), 0.0
            self._page.ask_for_reason(False)
        self.session.at = at
        self._panel.choose(at)
        self._context.conditions.set(TASK_SHOWN, True)
        self._show_words()
        self._centre.show_page(self._centre.page.value())
        task = self.session.task
        if task is not None and not (stays and self._viewer.heading_for == task.slot.episode):
            self._viewer.open_step(task.slot.episode, task.pieces[0].step)
        self.steps.show()

    def _show_words(self) -> None:
        """The task as it stands; nothing while it is edited."""
        task = self.session.task
        if task is None or self._page.is_editing:
            return
        now = self._now(task)
        numbers = {reading.index: place for place, reading in enumerate(task.readings, start=1)}
        shown = presenter.task_shown(self.session, numbers, task_checks.failed_words(now, task))
        if shown is not None:
            self._centre.show_title(shown.title, shown.detail)
            self._page.show_task(shown)

    def _now(self, task: AmbiguousTask) -> AmbiguousTask:
        """In the words that the person gave it."""
        mine = self.session.mine(task)
        return edited(task, mine) if mine is not None else task

    def _episode_changed(self) -> None:
        """The person went to another episode by other ways: its task is shown, where there is one."""
        episode, task = self._context.selection.episode, self.session.task
        if episode is not None and task is not None and episode.id != task.slot.episode:
            place = next(
                (at for at, one in enumerate(self.session.shown) if self.session.tasks[one].slot.episode == episode.id),
                -1,
            )
            if place >= 0:
                self.show_task(place)
                return
        self.steps.show()

    def _come_or_go(self) -> None:
        """Time runs while the workspace is in front."""
        if self.is_in_front:
            self._since = self._clock()
        elif self.session.task is not None:
            self.leave_drafts()
            self._carried, self._since = self._carried + self._clock() - self._since, self._clock()

    # Verdicts --------------------------------------------------------------------------------------------------------

    def accept(self) -> None:
        """Let the task stand as it was made; one that is not in view is shown first."""
        task = self.session.task
        if task is not None and self._centre.page.value() != "task":
            self._centre.show_page("task")
        elif task is not None:
            self._put(task, self._review(task, ReviewVerdict.ACCEPTED), "acceptance")
            self._go_on()

    def reject(self) -> None:
        """Ask why it is no good; asked again, reject it without a reason."""
        if self.session.task is None:
            return
        if self._page.is_asking_for_reason:
            self._reject_for("")
        else:
            self.leave_drafts()
            self._centre.show_page("task")
            self._page.ask_for_reason(True)

    def _reject_for(self, reason: str) -> None:
        task = self.session.task
        self._leave_reason()
        if task is not None:
            review = self._review(task, ReviewVerdict.REJECTED)
            self._put(task, replace(review, note=reason.strip()), "rejection")
            self._go_on()

    def _leave_reason(self) -> None:
        self._page.ask_for_reason(False)
        self._centre.focus_task()

    def _review(self, task: AmbiguousTask, verdict: ReviewVerdict) -> AskReview:
        return AskReview(
            task.slot, self.session.person, verdict, task.wording, datetime.now(UTC), seconds=self._spent(task)
        )

    def _spent(self, task: AmbiguousTask) -> float:
        """Seconds that the person has given to the task until now."""
        now, mine = self._clock(), self.session.mine(task)
        spent, self._carried, self._since = self._carried + now - self._since, 0.0, now
        return spent + (mine.seconds if mine is not None else 0.0)

    # Editing ---------------------------------------------------------------------------------------------------------

    def edit(self) -> None:
        """Let the words be edited in place."""
        if self.session.task is not None and not self._page.is_editing:
            self._centre.show_page("task")
            self._page.set_editing(True)
            self._show_live()

    def save(self) -> None:
        """Keep what was written, and go on."""
        if self._keep_words():
            self._centre.focus_task()
            self._go_on()

    def leave_edit(self) -> None:
        """Leave the words as they were."""
        self._page.set_editing(False)
        self._show_words()
        self._centre.focus_task()

    def leave_drafts(self) -> None:
        """Keep what is being written; words that cannot stand are left as they were."""
        if self._page.is_editing and not self._keep_words(quiet=True):
            self._page.set_editing(False)
            self._show_words()

    def _written(self, task: AmbiguousTask, seconds: float = 0.0) -> AskReview:
        """The review that the fields come to. Raises ValueError where one is empty."""
        words = self._page.edit_values()
        pieces = [PieceEdit(*piece) for piece in words.pieces]
        return edit_of(task, self.session.person, datetime.now(UTC), words.goal, pieces, seconds=seconds)

    def _keep_words(self, *, quiet: bool = False) -> bool:
        """Make what was written the person's verdict; False where it cannot be one, which is told unless `quiet`, or
        where `quiet` and nothing was changed."""
        task = self.session.task
        if task is None or not self._page.is_editing:
            return False
        try:
            review = self._written(task)
        except ValueError:
            if not quiet:
                self._context.messages.info(EMPTY)
            return False
        before = self.session.mine(task)
        if quiet and edited(task, review) == self._now(task):
            return False
        self._page.set_editing(False)
        if before is not None and (before.verdict, before.goal, before.pieces) == (
            review.verdict, review.goal, review.pieces,
        ):  # fmt: skip
            self._show_words()
            return True
        self._put(task, replace(review, seconds=self._spent(task)), "edit")
        return True

    def _show_live(self) -> None:
        """What the rules say of the words as they are being written."""
        task = self.session.task
        if task is None or not self._page.is_editing:
            return
        words = self._page.edit_values()
        try:
            now = edited(task, self._written(task))
        except ValueError:
            self._page.show_live(goal_parts(task.original, words.goal), (EMPTY,))
            return
        self._page.show_live(presenter.parts_of_task(now), task_checks.failed_words(now, task))

    # Going on --------------------------------------------------------------------------------------------------------

    def move(self, by: int) -> None:
        """Go `by` tasks on in the list, as far as it goes."""
        session = self.session
        if session.task is not None:
            self.show_task(min(max(session.at + by, 0), len(session.shown) - 1))
            self._centre.focus_task()

    def next_open(self) -> None:
        """To the next task of which nothing was said."""
        if self.session.task is not None:
            self.leave_drafts()
            self._go_on()

    def _go_on(self) -> None:
        session = self.session
        place = session.next_open(session.at)
        if place >= 0:
            self.show_task(place)
        elif session.done_count() == len(session.tasks):
            self._context.messages.done(f"All {formats.counted(len(session.tasks), 'task')} are reviewed.")
        else:
            self._context.messages.done("All tasks of this list are reviewed.")
        self._centre.focus_task()

    # Changes ---------------------------------------------------------------------------------------------------------

    def _put(self, task: AmbiguousTask, after: AskReview, what: str) -> None:
        """Show a verdict and write it."""
        before, person, slot = self.session.stored(task), self.session.person, task.slot
        words = f"{what} of task {self.session.at + 1}"
        change = StoredReviewChange(before, after, words)

        def show(done: bool) -> None:
            if person == self.session.person:
                self.session.put(slot, person, after if done else before)
                place = self.session.place_of(slot)
                if self.is_in_front and place >= 0 and place != self.session.at:
                    self.show_task(place)
            self._show_words()
            self.said.emit()

        self._history.make(
            Edit(
                words,
                change.do,
                change.undo,
                show,
                lambda written: None if written else self.outdated.emit(),
                lambda: self.is_in_front and person == self.session.person,
            )
        )
