"""How far people agree, and what the tasks are like: counted anew in the background after every verdict."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from stepscope.app.gui.features.ambiguous import figure_words, presenter
from stepscope.app.gui.features.ambiguous.review_controller import ReviewController
from stepscope.app.gui.features.ambiguous.review_reader import ReviewRead
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.debouncer import Debouncer
from stepscope.app.gui.shell.export_work import ExportWork
from stepscope.app.gui.shell.ports import AmbiguousViews
from stepscope.app.services.export.whole_files import whole_text
from stepscope.app.services.provenance import is_made_here
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.core.spreadsheet import write_rows
from stepscope.widgets.ambiguous.centre import PAGES

if TYPE_CHECKING:
    from stepscope.app.services import review_agreement
    from stepscope.core.domain.ambiguous_task import AmbiguousTask
    from stepscope.core.evaluation import ambiguous_statistics
    from stepscope.core.evaluation.ambiguous_statistics import AmbiguousStatistics
    from stepscope.widgets.ambiguous.review_values import TaskFigures
else:
    review_agreement = lazy_module("stepscope.app.services.review_agreement")
    ambiguous_statistics = lazy_module("stepscope.core.evaluation.ambiguous_statistics")

NAME = "ambiguous"


class FiguresController(QObject):
    """Fills the two pages beside the task."""

    def __init__(self, context: Context, views: AmbiguousViews, review: ReviewController, exports: ExportWork) -> None:
        super().__init__(context)
        self._context, self._centre, self._review, self._exports = context, views.ambiguous, review, exports
        self._soon = Debouncer(self, self._count)
        self._request = 0
        self._wanted = self._maker = ""
        self._statistics: dict[str, AmbiguousStatistics] = {}
        self._counted: ReviewRead | None = None
        review.said.connect(self._soon.ask)
        self._centre.page_chosen.connect(self.show_page)
        statistics = self._centre.statistics
        statistics.maker_chosen.connect(self._choose_maker)
        statistics.copied.connect(self._copy)
        statistics.saved.connect(lambda: exports.choose("ambiguous-tasks.csv", "CSV (*.csv)", self.save))

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
        read = self._review.read
        if read is None:
            return
        if self._wanted:
            self.show_page(self._wanted)
        self._count_agreement()
        if read is not self._counted:
            self._counted = read
            self._count_statistics(read)

    def _count_agreement(self) -> None:
        session = self._review.session
        reviews = [one for said in session.reviews.values() for one in said.values()]
        tasks = [task for task in session.tasks if task.slot in session.reviews]
        seen = tuple(task.id for task in tasks if not session.blind or session.mine(task) is not None)
        sample = is_made_here(self._review.source)
        self._request += 1
        request = self._request

        def work(_token: object) -> TaskFigures:
            found = review_agreement.review_agreement(tasks, reviews)
            return figure_words.agreement_figures(found, seen, sample=sample)

        def arrived(shown: TaskFigures) -> None:
            if request == self._request:
                self._centre.agreement.show_figures(shown)

        self._context.start("agreement of reviewers", work, arrived, priority=-1)

    # Statistics ------------------------------------------------------------------------------------------------------

    def _count_statistics(self, read: ReviewRead) -> None:
        """They change only with the tasks."""

        def work(_token: object) -> dict[str, AmbiguousStatistics]:
            makers: dict[str, list[AmbiguousTask]] = {}
            for task in read.tasks:
                makers.setdefault(task.slot.made_by, []).append(task)
            return {maker: ambiguous_statistics.ambiguous_statistics(mine) for maker, mine in makers.items()}

        def arrived(found: dict[str, AmbiguousStatistics]) -> None:
            if read is self._counted:
                self._statistics = found
                self._show_statistics()

        self._context.start("statistics of ambiguous tasks", work, arrived, priority=-1)

    def _choose_maker(self, maker: str) -> None:
        self._maker = maker
        self._show_statistics()

    def _show_statistics(self) -> None:
        """Those of the chosen maker, else of the one with the most episodes."""
        found, page = self._statistics, self._centre.statistics
        if not found:
            return
        maker = self._maker if self._maker in found else max(found, key=lambda one: found[one].episodes)
        page.set_makers([(one, presenter.maker_name(one)) for one in sorted(found)], maker)
        sample = is_made_here(self._review.source)
        page.show_figures(figure_words.task_figures(found[maker], presenter.maker_name(maker), sample=sample))

    def _copy(self) -> None:
        text = io.StringIO()
        write_rows(text, figure_words.figures_csv(self._statistics))
        QGuiApplication.clipboard().setText(text.getvalue())
        self._context.messages.done("The figures are in the clipboard, as CSV.")

    def save(self, path: Path) -> None:
        """Write the figures of all makers as CSV."""
        rows = figure_words.figures_csv(self._statistics)

        def work(token: CancelToken) -> int:
            with whole_text(path, token) as text:
                write_rows(text, rows)
            return len(rows) - 1

        self._exports.start(f"Writing {path.name}", work, self._exports.wrote(path, "figure"))
