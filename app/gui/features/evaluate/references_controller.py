"""Evaluate ▸ Check the References: the recorded actions of the open data scored against themselves, in a window of
their own, and called defective from there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDialog, QVBoxLayout

from stepscope.app.gui.shell.annotation_edits import AnnotationTarget
from stepscope.app.gui.shell.annotations import AnnotationBook
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.events import AnnotationsChanged
from stepscope.app.gui.shell.selection import OpenSource
from stepscope.app.gui.shell.tasks import BackgroundTask
from stepscope.app.gui.shell.undo import UndoHistory
from stepscope.core.domain.annotation import AnnotationKind, Defect
from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.widgets.common.plain_words import window_title
from stepscope.widgets.references.references_page import ReferencesPage
from stepscope.widgets.references.references_values import (
    ALL,
    BOXLESS,
    LARGE,
    CheckedRule,
    DoubtfulReference,
    ReferencesState,
)

if TYPE_CHECKING:
    from stepscope.app.services import evaluation, reference_check
    from stepscope.app.services.reference_check import ReferenceCheck, ReferenceUpdate
    from stepscope.core.store.engine import Database
else:
    evaluation = lazy_module("stepscope.app.services.evaluation")
    reference_check = lazy_module("stepscope.app.services.reference_check")

TITLE = "References against themselves"
WIDTH, HEIGHT = 1100, 760
_LARGE = "The touched element covers more than half of the screen: nearly every tap on it is right."
_BOXLESS = "The data knows no element at this place: rules that need its box cannot judge it."


class ReferencesController(QObject):
    """One check at a time, of the data that is looked at when it begins."""

    def __init__(self, context: Context, viewer: EpisodeViewer, book: AnnotationBook, history: UndoHistory) -> None:
        super().__init__(context)
        self._context, self._viewer, self._book, self._history = context, viewer, book, history
        self._task: BackgroundTask | None = None
        self._checked: OpenSource | None = None
        self.page: ReferencesPage | None = None
        context.events.on(AnnotationsChanged, lambda _event: self._look_up_defects())

    @property
    def is_running(self) -> bool:
        return self._task is not None

    def show(self) -> None:
        """Open the page, or bring it to the front; what it shows of other data is checked anew."""
        page = self.page or self._make()
        page.window().show()
        page.window().raise_()
        page.window().activateWindow()
        if self._checked is not self._context.selection.source and not self.is_running:
            self.check()

    def check(self) -> None:
        """Score the references of the open data."""
        source, database, page = self._context.selection.source, self._context.database, self.page
        if source is None or database is None or page is None or self.is_running:
            return
        self._checked = source

        def work(token: CancelToken) -> Iterator[ReferenceUpdate]:
            return checking(database, source, token)

        task = self._context.start(f"References of {source.title}", work, failed=self._failed, lane="index")
        self._task = task
        page.set_progress(0, None, "")
        task.progressed.connect(self._progressed)
        task.finished.connect(lambda: self._finished(task))

    def stop(self) -> None:
        """End the check; nothing was changed by it."""
        if self._task is not None:
            self._task.cancel()

    def _make(self) -> ReferencesPage:
        dialog = QDialog(self._context.dialog_parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(window_title(TITLE))
        dialog.resize(WIDTH, HEIGHT)
        page = self.page = ReferencesPage([reason.value for reason in Defect])
        page.close_wanted.connect(dialog.close)
        page.check_wanted.connect(self.check)
        page.stop_wanted.connect(self.stop)
        page.opened.connect(self._viewer.open_step)
        page.defects_wanted.connect(self._call_defective)
        page.undo_wanted.connect(self._history.undo)
        page.redo_wanted.connect(self._history.redo)
        column = QVBoxLayout(dialog)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(page)
        dialog.finished.connect(self._closed)
        return page

    def _closed(self) -> None:
        self.stop()
        self.page, self._checked = None, None

    def _progressed(self, update: ReferenceUpdate) -> None:
        page, progress = self.page, update.progress
        if page is None or self._checked is None:
            return
        page.set_progress(progress.done, progress.total, f"{progress.done:,} of {progress.total or 0:,} episodes")
        if update.result is not None:
            page.set_state(state_of(update.result, self._checked))
            self._look_up_defects()

    def _failed(self, error: Exception) -> None:
        self._checked = None
        if self.page is not None and isinstance(error, UserError):
            self.page.set_trouble(error.words_in_window)
        else:
            self._context.messages.failure(error)

    def _finished(self, task: BackgroundTask) -> None:
        self._task = None
        if task.token.cancelled:
            self._checked = None
        if self.page is not None:
            self.page.set_progress(None, None, "")

    def _call_defective(self, rows: Sequence[DoubtfulReference], reason: str) -> None:
        """One change for all of them."""
        if self._checked is not None and rows:
            spots = [AnnotationTarget(self._checked.key, row.episode, row.step) for row in rows]
            self._book.set_defect(spots, Defect(reason))

    def _look_up_defects(self) -> None:
        checked = self._checked
        if self.page is None or checked is None:
            return

        def ask(database: Database) -> dict[tuple[str, int], str]:
            from stepscope.core.store.repositories import annotations

            with database.reading() as db:
                found = annotations.of_source(db, checked.key, AnnotationKind.DEFECT)
            return {(one.episode, one.step): one.value for one in found if one.step is not None}

        self._context.query("defects of references", ask, self._tell_defects)

    def _tell_defects(self, found: dict[tuple[str, int], str]) -> None:
        if self.page is not None:
            self.page.set_defects(found)


def checking(database: Database, source: OpenSource, token: CancelToken) -> Iterator[ReferenceUpdate]:
    """The check of all episodes of the data."""
    episodes = evaluation.selection(database, source.id, evaluation.EvaluationRequest())
    yield from reference_check.check_references(source.source, episodes, (), token)


def state_of(found: ReferenceCheck, source: OpenSource) -> ReferencesState:
    """The check in words and rows."""
    from stepscope.core.scoring.named_rules import NAMED_RULES

    titles = {rule.id: rule.title for rule in NAMED_RULES}
    failed = tuple(
        DoubtfulReference(one.key.episode, one.key.step, one.kind, one.rules, one.why) for one in found.failed
    )
    rows = {rule.rule: tuple(row for row in failed if rule.rule in row.rules) for rule in found.rules}
    rows[ALL] = failed
    for name, keys, why in ((LARGE, found.large, _LARGE), (BOXLESS, found.boxless, _BOXLESS)):
        rows[name] = tuple(DoubtfulReference(key.episode, key.step, "tap", (), why) for key in keys)
    listed = [CheckedRule(one.rule, titles[one.rule], one.wrong, one.judged, one.unscored) for one in found.rules]
    listed.sort(key=lambda one: -one.wrong)
    others = [
        CheckedRule(LARGE, "Touches in an element of more than half the screen", len(found.large)),
        CheckedRule(BOXLESS, "Touches where the data knows no element", len(found.boxless)),
    ]
    unreadable = f" {len(found.unreadable):,} episodes could not be read." if found.unreadable else ""
    told = f"{len(failed):,} of {found.steps:,} recorded actions of {source.title} fail under a rule.{unreadable}"
    every = CheckedRule(ALL, "Any rule", len(failed), found.steps, 0)
    return ReferencesState(told, f"stepscope references {source.key}", (every, *listed, *others), rows)
