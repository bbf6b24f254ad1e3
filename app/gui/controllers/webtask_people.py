"""A person fills pages in: what they do is kept while they do it, submitted, taken back, undone; then the next page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.gui.context import Context
from app.gui.controllers.replay import ReplayController
from app.gui.controllers.webtask import YOU, WebTaskController
from app.gui.controllers.webtask_fields import WebTaskFieldsController

if TYPE_CHECKING:
    from app.webtask.annotations import Change, Order
    from app.webtask.live_page import Did, Shown
    from app.webtask.person import PersonLog
    from core.domain.web_answer import WebAnswer
    from core.store.engine import Database
    from core.webtask.page import Logged, PageLook

SAVE_MS = 400
"""So long after the last key a draft is written."""
NOBODY = "me"
"""Whoever has not told a name."""
Found = Callable[[tuple["Logged", ...]], object]


class WebTaskPeopleController(QObject):
    """`answers_changed()`: somebody submitted something, or took it back."""

    answers_changed = Signal()

    def __init__(
        self, context: Context, task: WebTaskController, fields: WebTaskFieldsController, replay: ReplayController
    ) -> None:
        super().__init__(context)
        self._context, self._task, self._fields, self._replay = context, task, fields, replay
        self._log: PersonLog | None = None
        self._kept: WebAnswer | None = None
        self._listening = False
        self._taken: Change | None = None
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(SAVE_MS)
        self._soon.timeout.connect(self.save)
        task.calls_of_you = self._look_up
        task.page_changed.connect(self._leave)
        task.page.brought.connect(self._brought)
        task.page.changed.connect(self._changed)
        task.page.submitted.connect(self.submit)

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
    def order(self) -> Order:
        from app.webtask.annotations import Order

        preferences = self._context.preferences
        seed = preferences.annotation_seed
        return Order(None if seed < 0 else seed, preferences.annotation_enough)

    @property
    def source(self) -> str:
        """What the store calls the open data."""
        from app.webtask.annotations import known_as

        source = self._context.selection.source
        return known_as(source.source.path) if source is not None else ""

    @property
    def is_submitted(self) -> bool:
        """Whether the open page was submitted by this person."""
        return self._kept is not None and self._kept.submitted is not None

    # Coming and going ------------------------------------------------------------------------------------------------

    def _leave(self) -> None:
        """Another page is opened: what was typed on the one before is written now."""
        if self._soon.isActive():
            self._soon.stop()
            self.save()
        self._listening, self._log, self._kept = False, None, None

    def end(self) -> None:
        """The window is closing: nothing is lost."""
        draft = self._draft() if self._soon.isActive() else None
        self._soon.stop()
        database = self._context.database
        if draft is not None and database is not None and not database.read_only:
            from app.webtask.annotations import save_draft

            save_draft(database, draft)

    def _look_up(self, found: Found) -> None:
        """What this person did on the open page before."""
        read = self._task.read
        if read is None:
            return
        self._listening = False
        if self._log is not None:
            found(tuple(self._log.calls))
            return
        source, who = self.source, self.annotator

        def ask(database: Database) -> WebAnswer | None:
            from app.webtask.annotations import answer_of

            return answer_of(database, source, read.instance.id, who)

        def arrived(kept: WebAnswer | None) -> None:
            if self._task.read is read and self._task.who == YOU:
                self._kept = kept
                found(self._calls_of(kept))

        self._context.query("what was answered", ask, arrived)

    def _calls_of(self, kept: WebAnswer | None) -> tuple[Logged, ...]:
        from app.webtask.person import calls_for
        from core.webtask.solving import trace_from_json

        if kept is None or self._task.read is None:
            return ()
        if kept.log:
            return trace_from_json(kept.log).log
        return calls_for(self._task.read.task.fields, kept.fields)

    def _brought(self, shown: Shown) -> None:
        """The page stands: from now on it is the person who changes it."""
        from app.webtask.person import PersonLog

        if self._task.who != YOU or self._task.read is None:
            return
        if self._log is None:
            self._log = PersonLog()
            before = self._kept.seconds if self._kept is not None else 0.0
            self._log.begin(shown.look, self._task.log, before)
        else:
            self._log.brought(shown.look)
        self._listening = self._task.is_at_end
        self._context.conditions.set("webpage_taken", self.is_submitted or self._taken is not None)
        self._context.conditions.set("webpage_yours", not self.is_submitted)
        centre = self._task.page.parts.centre
        centre.set_live(not self.is_submitted and self._task.is_at_end)
        centre.title.set_buttons(submit=not self.is_submitted, reset=not self.is_submitted)
        centre.tools.set_note("Submitted. Take it back to change it." if self.is_submitted else "")
        if self.is_submitted:
            self._fields.reveal()

    # What the person does --------------------------------------------------------------------------------------------

    def _changed(self, look: PageLook) -> None:
        if self._listening and self._log is not None and self._task.who == YOU and self._log.changed(look):
            self._show()

    def did(self, did: Did) -> None:
        """A call by a button of the panel."""
        if self._log is not None and self._task.who == YOU:
            self._log.did(did.logged, did.look)
            self._show()

    def _show(self) -> None:
        """The log is another; it is kept soon."""
        assert self._log is not None
        self._task.log = tuple(self._log.calls)
        self._task.done = len(self._task.log)
        self._task.shown_changed.emit()
        self._soon.start()

    def undo(self) -> None:
        self._bring(lambda log: log.undo())

    def redo(self) -> None:
        self._bring(lambda log: log.redo())

    def start_anew(self) -> None:
        """The page as it came. Whose answers are shown do not matter: those of others are filled in again."""
        if self._task.who == YOU and self._log is not None and not self.is_submitted:
            self._bring(lambda log: log.clear())
        else:
            self._task.bring()

    def _bring(self, change: Callable[[PersonLog], tuple[Logged, ...]]) -> None:
        if self._log is None or self.is_submitted:
            return
        self._listening = False
        self._task.log = change(self._log)
        self._soon.start()
        self._task.scrub(len(self._task.log))

    # Keeping ---------------------------------------------------------------------------------------------------------

    def _draft(self) -> WebAnswer | None:
        read, log = self._task.read, self._log
        if read is None or log is None:
            return None
        from app.webtask.annotations import draft_of
        from core.webtask.solving import Trace, trace_to_json

        names = {field.name for field in read.task.fields}
        values = {name: value for name, value in log.values.items() if name in names}
        trace = trace_to_json(Trace(tuple(log.calls), left=values, seconds=log.seconds))
        return draft_of(self.source, read.task.name, read.instance.id, self.annotator, values, log.seconds, trace)

    def save(self) -> None:
        """Write the draft; called soon after every change."""
        draft = self._draft()
        if draft is None or self.is_submitted:
            return

        def work(database: Database) -> None:
            from app.webtask.annotations import save_draft

            save_draft(database, draft)

        self._context.write("keep answers", work)

    def submit(self, _values: Mapping[str, str] | None = None) -> None:
        """Hand the open page in, and open the next one of the task that this person has not answered."""
        draft, read = self._draft(), self._task.read
        if draft is None or read is None or not self._task.is_yours or self.is_submitted:
            return
        self._soon.stop()
        self._listening = False
        source, who, order, here = self.source, self.annotator, self.order, read.instance.id
        selected = self._context.selection.source
        key = selected.id if selected is not None else 0

        def work(database: Database) -> tuple[Change, str | None]:
            from app.webtask.annotations import next_instance, submit
            from core.store.web_tasks import instance_ids

            change = submit(database, draft)
            with database.reading() as db:
                ids = instance_ids(db, key, draft.task)
            return change, next_instance(database, source, draft.task, ids, who, order, after=here)

        self._context.write("submit answers", work, lambda found: self._submitted(*found))

    def _submitted(self, change: Change, following: str | None) -> None:
        self._taken = change
        self.answers_changed.emit()
        self._context.conditions.set("webpage_taken", True)
        back = ("webtask.take_back", "Take back")
        if following is None:
            self._context.messages.info("You have answered every page of this task.", back)
            self._log = None
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
            from app.webtask.annotations import take_back

            take_back(database, source, instance, who)

        def done(_nothing: object) -> None:
            self._taken = None
            self.answers_changed.emit()
            if read is not None and read.instance.id == instance:
                self._log = self._kept = None
                self._task.bring()
            else:
                self._replay.open_episode(instance)

        if instance:
            self._context.write("take back answers", work, done)

    def set_annotator(self, name: str) -> None:
        """Somebody else fills pages in from now on."""
        if name and name != self.annotator:
            if self._soon.isActive():
                self._soon.stop()
                self.save()
            self._context.prefer(annotator=name)
            self._log = self._kept = None
            self._task.bring()
            self.answers_changed.emit()
