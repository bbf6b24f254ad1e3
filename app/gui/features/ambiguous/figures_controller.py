"""How far people agree, and what the tasks are like: counted anew in the background after every verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from stepscope.app.gui.features.ambiguous import figure_words
from stepscope.app.gui.features.ambiguous.review_controller import ReviewController
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.debouncer import Debouncer
from stepscope.app.gui.shell.export_work import ExportWork
from stepscope.app.gui.shell.ports import AmbiguousViews
from stepscope.app.services.provenance import is_made_here
from stepscope.core.lazy import lazy_module
from stepscope.widgets.ambiguous.centre import PAGES

if TYPE_CHECKING:
    from stepscope.app.services import review_agreement
    from stepscope.widgets.ambiguous.review_values import TaskFigures
else:
    review_agreement = lazy_module("stepscope.app.services.review_agreement")

NAME = "ambiguous"


class FiguresController(QObject):
    """Fills the two pages beside the task."""

    def __init__(self, context: Context, views: AmbiguousViews, review: ReviewController, exports: ExportWork) -> None:
        super().__init__(context)
        self._context, self._centre, self._review, self._exports = context, views.ambiguous, review, exports
        self._soon = Debouncer(self, self._count)
        self._request = 0
        self._wanted = ""
        review.said.connect(self._soon.ask)
        self._centre.page_chosen.connect(self.show_page)

    def open(self, page: str) -> None:
        """Bring Review to the front on this page."""
        self._wanted = page
        if self._context.workspaces.workspace == NAME:
            self.show_page(page)
        else:
            self._context.workspaces.set_workspace(NAME)

    def show_page(self, page: str) -> None:
        """The task, agreement or statistics, where there are tasks."""
        self._wanted = ""
        if self._review.session.tasks:
            self._centre.show_page(page)
            self._centre.focus_task()

    def next_page(self) -> None:
        """One after the other."""
        names = [name for name, _words in PAGES]
        self.show_page(names[(names.index(self._centre.page.value()) + 1) % len(names)])

    def _count(self) -> None:
        read, session = self._review.read, self._review.session
        if read is None:
            return
        if self._wanted:
            self.show_page(self._wanted)
        reviews = [one for said in session.reviews.values() for one in said.values()]
        tasks = session.tasks
        seen = tuple(
            task.id for task in tasks if task.slot in session.reviews and (not session.blind or session.mine(task))
        )
        sample = is_made_here(self._review.source)
        self._request += 1
        request = self._request

        def work(_token: object) -> TaskFigures:
            return figure_words.agreement_figures(
                review_agreement.review_agreement(tasks, reviews), seen, sample=sample
            )

        def arrived(shown: TaskFigures) -> None:
            if request == self._request:
                self._centre.agreement.show_figures(shown)

        self._context.start("agreement of reviewers", work, arrived, priority=-1)
