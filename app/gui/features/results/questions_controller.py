"""The follow-up questions of the run that is shown: read by page, in the order that a person chose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
from PySide6.QtCore import QObject, Signal

from stepscope.app.gui.features.results.breakdown_columns import BreakdownColumns, question_rows
from stepscope.app.gui.features.results.breakdown_controller import BreakdownController
from stepscope.app.gui.shell.context import Context
from stepscope.core.lazy import lazy_module
from stepscope.core.store.engine import Database
from stepscope.widgets.results.reason_values import QuestionRow

if TYPE_CHECKING:
    from stepscope.core.evaluation import breakdown
    from stepscope.widgets.results.questions_card import QuestionsCard
    from stepscope.widgets.results.results_view import ResultsView
else:
    breakdown = lazy_module("stepscope.core.evaluation.breakdown")


class QuestionsController(QObject):
    """Puts the rows of the page of reasons in order, and opens one in Replay."""

    replay_requested = Signal(object)
    """an ItemKey of the current run"""

    def __init__(self, context: Context, view: ResultsView, results: BreakdownController) -> None:
        super().__init__(context)
        self._context, self._results = context, results
        self._card: QuestionsCard = view.reasons.questions
        self._of: BreakdownColumns | None = None
        self._order: tuple[str, bool] | None = None
        self._places: Any = np.zeros(0, np.intp)
        self._card.model.page_wanted.connect(self._read)
        self._card.sort_wanted.connect(self._sort)
        self._card.opened.connect(self.replay_requested)

    def _sort(self, order: str, descending: bool) -> None:
        self._order, self._of = (order, descending), None
        self._card.model.mark_stale()

    def _ordered(self, loaded: BreakdownColumns) -> Any:
        if self._of is not loaded:
            self._of = loaded
            self._places = breakdown.question_items(loaded.columns, loaded.kept)
            if self._order is not None:
                order, descending = self._order
                by = cast("breakdown.QuestionOrder", order)
                self._places = breakdown.sorted_questions(loaded.columns, self._places, by, descending=descending)
        return self._places

    def _read(self, offset: int, limit: int) -> None:
        loaded, generation = self._results.loaded, self._card.model.generation
        if loaded is None:
            return
        wanted = self._ordered(loaded)[offset : offset + limit].tolist()

        def answer(rows: list[QuestionRow]) -> None:
            self._card.model.set_page(offset, rows, generation)

        def ask(database: Database) -> list[QuestionRow]:
            return question_rows(database, loaded, wanted)

        self._context.query("read questions", ask, answer)
