"""Review: who reviews, by what the list is filtered, and what there is to review."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Signal

from stepscope.app.gui.features.ambiguous import presenter
from stepscope.app.gui.features.ambiguous.review_reader import ReviewRead, read_tasks
from stepscope.app.gui.features.ambiguous.review_session import ReviewFilter, ReviewSession
from stepscope.app.gui.features.ambiguous.task_controller import NAME, TaskController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.ports import AmbiguousViews
from stepscope.app.gui.shell.undo import UndoHistory
from stepscope.app.services.annotations import user_name
from stepscope.app.services.provenance import data_of
from stepscope.core.domain.judgement import LONGEST_JUDGE

NOBODY = "me"
MADE_NONE = "Words that a step needs are taken out of a goal; a question with its answer gives them back."
NOT_ENOUGH = "No goal that was looked at has words that a step needs and that could be left out."


class ReviewController(QObject):
    """`changed`: the list is filtered in another way; `said`: something was said, or is read anew."""

    changed = Signal()
    said = Signal()

    def __init__(self, context: Context, views: AmbiguousViews, task: TaskController, history: UndoHistory) -> None:
        super().__init__(context)
        self._context, self._task, self._history = context, task, history
        self._panel, self._centre = views.ambiguous_list, views.ambiguous
        self.read: ReviewRead | None = None
        self._chosen, self._blind = ReviewFilter(), True
        self._request = 0
        context.events.signal_while_shown(NAME, context.selection.source_changed, self.reload)
        context.annotator_leaves.connect(task.leave_drafts)
        context.annotator_changed.connect(self.reload)
        task.said.connect(self._said)
        task.outdated.connect(self.reload)
        panel = self._panel
        panel.reviewer_named.connect(self.name_reviewer)
        panel.state_chosen.connect(lambda state: self._filter(replace(self._chosen, state=state)))
        panel.kind_chosen.connect(lambda kind: self._filter(replace(self._chosen, kind=kind)))
        panel.app_chosen.connect(lambda app: self._filter(replace(self._chosen, app=app)))
        panel.searched.connect(lambda text: self._filter(replace(self._chosen, text=text)))
        panel.clear_wanted.connect(self._clear)
        panel.blind_chosen.connect(self._set_blind)

    @property
    def session(self) -> ReviewSession:
        """What the person has before them."""
        return self._task.session

    @property
    def source(self) -> str:
        """What the store calls the data, "" where none is open."""
        selected = self._context.selection.source
        return data_of(selected.key) if selected is not None else ""

    @property
    def person(self) -> str:
        return self._context.preferences.annotator or user_name() or NOBODY

    def state(self) -> Mapping[str, Any]:
        """For the session, in plain JSON values."""
        return {"state": self._chosen.state, "blind": self._blind}

    def restore(self, saved: Mapping[str, Any]) -> None:
        state = saved.get("state")
        known = {value for value, _words in presenter.STATES}
        self._chosen = ReviewFilter(state if isinstance(state, str) and state in known else "")
        self._blind = saved.get("blind") is not False
        self.reload()

    def enter(self) -> None:
        self._centre.focus_task()
        self.reload()

    def end(self) -> None:
        """The window is closing: what is being written is kept."""
        self._task.leave_drafts()

    def name_reviewer(self, name: str) -> None:
        """Let somebody else review from now on."""
        wanted = " ".join(name.split())[:LONGEST_JUDGE]
        if wanted and wanted != self.person:
            self._context.prefer(annotator=wanted)
        else:
            self._show_head()

    # Reading ---------------------------------------------------------------------------------------------------------

    def reload(self) -> None:
        """Read what there is to review, and what was said of it."""
        if not self._task.is_in_front:
            return
        self._task.leave_drafts()
        self._request += 1
        request, source, person = self._request, self.source, self.person
        if not source:
            self.read = None
            self._task.take(ReviewSession(person), source, -1)
            self._panel.show_none("nothing")
            self._centre.show_empty("Nothing is open", "Open data, then leave something out of its goals.")
            return
        chosen, blind = self._chosen, self._blind

        def arrived(read: ReviewRead) -> None:
            if request != self._request or not self._task.is_in_front:
                return  # the person has moved on
            if self._history.is_writing:
                self.reload()  # what was read may not have what was said meanwhile
            else:
                self._take(read, source)

        self._context.query(
            "ambiguous tasks", lambda database: read_tasks(database, source, person, chosen, blind=blind), arrived
        )

    def _take(self, read: ReviewRead, source: str) -> None:
        """What was read is shown, at the task that was shown before, else where the person left off."""
        before, self.read = self.session.task, read
        session = read.session
        at = session.place_of(before.slot) if before is not None else -1
        if at < 0:
            episode = self._context.selection.episode
            at = session.resume_at(episode.id if episode else "")
        self._show_head()
        if not session.tasks:
            self._show_none(read)
        else:
            self._list(session)
        self._task.take(session, source, at)
        self._show_head()
        self.said.emit()

    def _show_none(self, read: ReviewRead) -> None:
        detail = NOT_ENOUGH if read.tasks else MADE_NONE
        self._panel.show_none("none", detail)
        self._centre.show_empty("No ambiguous tasks yet", detail, can_make=True)

    # The list --------------------------------------------------------------------------------------------------------

    def _filter(self, chosen: ReviewFilter) -> None:
        self._chosen = chosen
        session = self.session
        if not session.tasks:
            return
        self._task.leave_drafts()
        before = session.task
        session.choose(chosen)
        self._list(session)
        at = session.at if before is not None and session.at >= 0 else session.resume_at("")
        self._task.show_after_filter(at)
        self._show_head()
        self.changed.emit()

    def _list(self, session: ReviewSession) -> None:
        """The rows as the list is filtered now."""
        shown = session.shown
        self._panel.set_rows(len(shown), lambda place: presenter.row_of(session, shown[place]))

    def _clear(self) -> None:
        self._panel.search.show_text("")
        self._filter(ReviewFilter())

    def _set_blind(self, blind: bool) -> None:
        self._blind = blind
        self.changed.emit()
        self.reload()

    def _said(self) -> None:
        """One row is another, and so are the counts."""
        session = self.session
        if 0 <= session.at < len(session.shown):
            self._panel.model.row_changed(session.at)
        self._show_head()
        self.said.emit()

    def _show_head(self) -> None:
        people = self.read.people if self.read is not None else ()
        if self.session.tasks or self.read is None:
            self._panel.set_head(presenter.list_head(self.session, people))
