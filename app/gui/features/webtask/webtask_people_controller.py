"""A person fills pages in: what they do is kept while they do it, submitted, taken back, undone; then the next page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from stepscope.app.gui.features.webtask.webtask_controller import YOU, WebTaskController
from stepscope.app.gui.features.webtask.webtask_fields_controller import WebTaskFieldsController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.services.webtask.person import PersonLog
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.app.services.webtask import annotations as web_annotations
    from stepscope.app.services.webtask.annotations import AnswerChange, InstanceOrder
    from stepscope.app.services.webtask.live_page import ActionResult, PageSnapshot
    from stepscope.app.services.webtask.tasks import PageRead
    from stepscope.core.domain.web_answer import WebAnswer
    from stepscope.core.store.engine import Database
    from stepscope.core.webtask import solving
    from stepscope.core.webtask.page import ExecutedCall, PageLook
else:
    web_annotations = lazy_module("stepscope.app.services.webtask.annotations")
    solving = lazy_module("stepscope.core.webtask.solving")

SAVE_MS = 400
"""So long after the last key a draft is written."""
LAST_LOOK_SECONDS = 0.5
"""So long a window that is closed waits for the last keys on a page."""
NOBODY = "me"
"""Whoever has not told a name."""


@dataclass
class _PageVisit:
    """One person at one page. `kept` is what the store had when the page was opened; `unread` are values of it that
    could not be put back into the page, and are kept until the person answers these fields anew."""

    read: PageRead
    source: str
    annotator: str
    kept: WebAnswer | None
    log: PersonLog
    unread: dict[str, str] = field(default_factory=dict)

    @property
    def is_submitted(self) -> bool:
        return self.kept is not None and self.kept.submitted is not None

    @property
    def key(self) -> tuple[str, str, str]:
        return self.source, self.read.instance.id, self.annotator

    def draft(self, values: Mapping[str, str] | None = None) -> WebAnswer:
        """`values` are those that the page was submitted with; without, those that it told of last."""
        names = {one.name for one in self.read.task.fields}
        found = {name: value for name, value in (values or self.log.values).items() if name in names}
        found |= {name: value for name, value in self.unread.items() if not found.get(name)}
        trace = solving.trace_to_json(solving.Trace(tuple(self.log.calls), left=found, seconds=self.log.seconds))
        name = self.read.task.name
        return web_annotations.draft_of(
            self.source, name, self.read.instance.id, self.annotator, found, self.log.seconds, trace
        )


class WebTaskPeopleController(QObject):
    """`answers_changed()`: somebody submitted something, or took it back."""

    answers_changed = Signal()

    def __init__(
        self, context: Context, task: WebTaskController, fields: WebTaskFieldsController, replay: EpisodeViewer
    ) -> None:
        super().__init__(context)
        self._context, self._task, self._fields, self._replay = context, task, fields, replay
        self._mine: _PageVisit | None = None
        self._kept: WebAnswer | None = None
        self._writing: dict[tuple[str, str, str], WebAnswer] = {}
        """drafts on their way to the store"""
        self._listening = False
        self._taken: AnswerChange | None = None
        self._last: WebAnswer | None = None
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(SAVE_MS)
        self._soon.timeout.connect(self.save)
        task.your_calls_wanted.connect(self._look_up)
        task.page_changed.connect(self._leave)
        self._context.annotator_leaves.connect(self._leave)
        self._context.annotator_changed.connect(self._name_changed)
        task.page.brought.connect(self._brought)
        task.page.changed.connect(self._changed)
        task.page.submitted.connect(self._hand_in)

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "webtask.submit": self.submit,
            "webtask.undo": self.undo,
            "webtask.redo": self.redo,
            "webtask.reload": self.start_anew,
            "webtask.take_back": self.take_back,
        }

    @property
    def annotator(self) -> str:
        return self._context.preferences.annotator or NOBODY

    @property
    def order(self) -> InstanceOrder:
        preferences = self._context.preferences
        seed = preferences.annotation_seed
        return web_annotations.InstanceOrder(None if seed < 0 else seed, preferences.annotation_enough)

    @property
    def source(self) -> str:
        """What the store calls the open data."""
        source = self._context.selection.source
        return web_annotations.known_as(source.source.path) if source is not None else ""

    @property
    def is_submitted(self) -> bool:
        """Whether the open page was submitted by this person."""
        return self._mine is not None and self._mine.is_submitted

    @property
    def _can_answer(self) -> bool:
        """Whether the page stands as this person left it, and is still theirs to change."""
        return (
            self._mine is not None
            and not self._mine.is_submitted
            and self._task.is_yours
            and self._task.is_at_end
            and self._task.page.is_ready
        )

    # Coming and going ------------------------------------------------------------------------------------------------

    def _leave(self) -> None:
        """Read once more what was typed on the page before, and write it: another page is on its way."""
        mine, listening = self._mine, self._listening
        self._listening, self._mine, self._kept = False, None, None
        if mine is None or mine.is_submitted:
            return
        if self._soon.isActive():
            self._soon.stop()
            self._write(mine)
        if listening:
            self._task.page.look_again(lambda look: self._take_last(mine, look))

    def _take_last(self, mine: _PageVisit, look: PageLook) -> None:
        if mine.log.changed(look):
            self._write(mine)

    def end(self) -> None:
        """The window is closing: the last keys are looked at; `keep_last` writes them when all other work has ended."""
        mine, due = self._mine, self._soon.isActive()
        self._soon.stop()
        if mine is None or mine.is_submitted:
            return
        look = self._task.page.look_now(LAST_LOOK_SECONDS) if self._listening else None
        if (look is not None and mine.log.changed(look)) or due:
            self._last = mine.draft()

    def keep_last(self) -> None:
        """Write what `end` found; a failure is told by whoever closes the window. Raises UserError."""
        last, database = self._last, self._context.database
        if last is not None and database is not None and not database.read_only:
            self._last = None
            web_annotations.save_draft(database, last)

    def _look_up(self) -> None:
        """Fill in what this person did on the open page before, from this visit or from the store."""
        read = self._task.read
        if read is None:
            return
        self._listening = False
        if self._mine is not None:
            self._task.fill(tuple(self._mine.log.calls))
            return
        source, who = self.source, self.annotator
        on_its_way = self._writing.get((source, read.instance.id, who))

        def ask(database: Database) -> WebAnswer | None:
            return on_its_way or web_annotations.answer_of(database, source, read.instance.id, who)

        def arrived(kept: WebAnswer | None) -> None:
            if self._task.read is read and self._task.who == YOU:
                self._kept = kept
                self._task.fill(self._calls_of(kept))

        self._context.query("what was answered", ask, arrived)

    def _calls_of(self, kept: WebAnswer | None) -> tuple[ExecutedCall, ...]:
        from stepscope.app.services.webtask.person import calls_for

        if kept is None or self._task.read is None:
            return ()
        if kept.log:
            with suppress(ValueError):  # written by a later version, or not by this program: the values are there
                return solving.trace_from_json(kept.log).log
        return calls_for(self._task.read.task.fields, kept.fields)

    def _brought(self, shown: PageSnapshot) -> None:
        """The page stands: from now on it is the person who changes it."""
        if self._task.who != YOU or self._task.read is None:
            return
        if self._mine is None:
            self._mine = self._begin(shown)
        elif self._task.is_at_end:
            self._mine.log.brought(shown.look)
        self._listening = self._task.is_at_end
        submitted, open_ = self._mine.is_submitted, self._can_answer
        self._context.conditions.set("webpage_taken", submitted or self._taken is not None)
        self._context.conditions.set("webpage_yours", not submitted)
        parts = self._task.page.parts
        parts.centre.set_live(open_)
        parts.centre.title.set_buttons(submit=open_, reset=not submitted)
        parts.centre.tools.set_note("Submitted. Take it back to change it." if submitted else "")
        parts.side.form.setEnabled(open_)
        if submitted:
            self._fields.reveal()

    def _begin(self, shown: PageSnapshot) -> _PageVisit:
        """The page with what the person had answered before, as far as it could be put back."""
        read, kept = self._task.read, self._kept
        assert read is not None
        log = PersonLog()
        log.begin(shown.look, self._task.log, kept.seconds if kept is not None else 0.0)
        mine = _PageVisit(read, self.source, self.annotator, kept, log)
        there = shown.look.values
        lost = {name: value for name, value in (kept.fields if kept is not None else {}).items() if value}
        mine.unread = {name: value for name, value in lost.items() if shown.failed and not there.get(name)}
        if mine.unread:
            names = ", ".join(mine.unread)
            self._context.messages.warning(
                f"The page did not take back what you had answered to {names}. It is kept until you answer anew.",
                title=f"{read.instance.id}:",
            )
        return mine

    # What the person does --------------------------------------------------------------------------------------------

    def _changed(self, look: PageLook) -> None:
        if self._listening and self._mine is not None and self._task.who == YOU and self._mine.log.changed(look):
            self._show()

    def did(self, did: ActionResult) -> None:
        """A call by a button of the panel."""
        if self._mine is not None and self._listening and self._task.who == YOU:
            self._mine.log.did(did.logged, did.look)
            self._show()

    def _show(self) -> None:
        """The log is another; it is kept soon."""
        assert self._mine is not None
        self._task.log = tuple(self._mine.log.calls)
        self._task.done = len(self._task.log)
        self._task.shown_changed.emit()
        self._soon.start()

    def undo(self) -> None:
        self._bring(lambda log: log.undo())

    def redo(self) -> None:
        self._bring(lambda log: log.redo())

    def start_anew(self) -> None:
        """The page as it came. Whose answers are shown do not matter: those of others are filled in again."""
        if self._task.who == YOU and self._mine is not None and not self.is_submitted:
            self._bring(lambda log: log.clear())
        else:
            self._task.scrub(len(self._task.log), fresh=True)

    def _bring(self, change: Callable[[PersonLog], tuple[ExecutedCall, ...]]) -> None:
        """Bring the page to where the changed log says; it is written when it stands there."""
        if self._mine is None or self._mine.is_submitted:
            return
        self._listening = False
        self._soon.stop()
        self._task.log = change(self._mine.log)
        self._task.scrub(len(self._task.log), fresh=True)
        self._soon.start()

    # Keeping ---------------------------------------------------------------------------------------------------------

    def save(self) -> None:
        """Write the draft, once the page stands as its log says; called soon after every change."""
        if self._can_answer and self._mine is not None:
            self._write(self._mine)
        elif self._mine is not None and not self._mine.is_submitted and self._task.is_yours:
            self._soon.start()

    def _write(self, mine: _PageVisit) -> None:
        draft = mine.draft()
        self._writing[mine.key] = draft

        def work(database: Database) -> None:
            web_annotations.save_draft(database, draft)

        def ended(_nothing: object = None) -> None:
            if self._writing.get(mine.key) is draft:
                del self._writing[mine.key]

        def failed(error: Exception) -> None:
            ended()
            self._context.messages.failure(error)

        self._context.write("keep answers", work, ended, failed=failed)

    def submit(self) -> None:
        """Hand in what stands in the open page at this moment, and open the next one of the task that this person has
        not answered."""
        if self._can_answer:
            self._task.page.look_again(lambda look: self._hand_in(look.values))

    def _hand_in(self, values: Mapping[str, str]) -> None:
        mine = self._mine
        if mine is None or not self._can_answer:
            return
        self._soon.stop()
        self._listening = False
        draft, order = mine.draft(values), self.order
        selected = self._context.selection.source
        key = selected.id if selected is not None else 0

        def work(database: Database) -> tuple[AnswerChange, str | None]:
            from stepscope.core.store.web_tasks import instance_ids

            change = web_annotations.submit(database, draft)
            with database.reading() as db:
                ids = instance_ids(db, key, draft.task)
            who, here = draft.annotator, draft.instance
            return change, web_annotations.next_instance(
                database, draft.source, draft.task, ids, who, order, after=here
            )

        def failed(error: Exception) -> None:
            """Let the person go on: nothing was handed in."""
            if self._mine is mine:
                self._listening = True
                self._soon.start()
            self._context.messages.failure(error)

        self._context.write("submit answers", work, lambda found: self._submitted(mine, *found), failed=failed)

    def _submitted(self, mine: _PageVisit, change: AnswerChange, following: str | None) -> None:
        self._taken = change
        self.answers_changed.emit()
        self._context.conditions.set("webpage_taken", True)
        back = ("webtask.take_back", "Take back")
        if self._mine is mine:
            self._mine = self._kept = None
        if following is None:
            self._context.messages.info("You have answered every page of this task.", back)
            self._task.bring()
        else:
            self._context.messages.info("Your answers are kept.", back)
            self._replay.open_episode(following)

    def take_back(self) -> None:
        """Make the open page's answers a draft again, or those that were submitted last."""
        read, taken = self._task.read, self._taken
        instance = taken.after[0].instance if taken is not None and taken.after else ""
        if self.is_submitted and read is not None:
            instance = read.instance.id
        source, who = self.source, self.annotator

        def work(database: Database) -> None:
            web_annotations.take_back(database, source, instance, who)

        def done(_nothing: object) -> None:
            self._taken = None
            self.answers_changed.emit()
            if read is not None and read.instance.id == instance:
                self._mine = self._kept = None
                self._task.bring()
            else:
                self._replay.open_episode(instance)

        if instance:
            self._context.write("take back answers", work, done)

    def set_annotator(self, name: str) -> None:
        """Let another annotator fill pages in from now on."""
        if name and name != self.annotator:
            self._context.prefer(annotator=name)

    def _name_changed(self) -> None:
        self._task.bring()
        self.answers_changed.emit()
