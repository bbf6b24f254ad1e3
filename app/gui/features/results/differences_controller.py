"""What two runs of the leaderboard differ in: worked out in the reader lane, once for each state of their scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from stepscope.app.gui.features.results import leaderboard_presenter as presenter
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.run_words import DRAWS
from stepscope.core.errors import UserError
from stepscope.core.evaluation import comparison
from stepscope.core.evaluation.leaderboard import LeaderboardGroup, LeaderboardRow
from stepscope.core.evaluation.run_differences import DifferenceParts, where_apart
from stepscope.core.frozen import dataclass
from stepscope.core.store.columns import load_columns
from stepscope.widgets.results.differences import NOTHING

if TYPE_CHECKING:
    from stepscope.core.store.engine import Database
    from stepscope.widgets.results.results_view import ResultsView

ONE_MORE = "One run is ticked: tick another, or press D on its row."
SEVERAL = "More than two runs are ticked: untick all but two to see what differs."


@dataclass(frozen=True, slots=True)
class RunDifference:
    """Two rows over their common items and where their difference lies, or why they cannot be compared."""

    comparison: comparison.Comparison | None = None
    where: DifferenceParts | None = None
    why: str = ""


class DifferencesController(QObject):
    def __init__(self, context: Context, view: ResultsView) -> None:
        super().__init__(context)
        self._context, self._view = context, view
        self._state: object = None
        """the rows that are compared, and of which scores"""
        self._found: RunDifference | None = None

    def show(self, rows: Sequence[tuple[LeaderboardGroup, LeaderboardRow]], ticked: int) -> None:
        """What the two ticked rows differ in; with another number of them, what is to be done."""
        if ticked != 2 or len(rows) != 2:
            self._state = self._found = None
            hint = SEVERAL if ticked > 2 else ONE_MORE if ticked else NOTHING
            self._view.board.set_differences(None, hint)
            return
        pair, main = (rows[0][1], rows[1][1]), rows[0][0].main
        state = tuple((row.key, row.entry.changed, row.entry.version) for row in pair)
        if state == self._state:
            if self._found is not None:
                self._put(pair, main, self._found)
            return
        self._state, self._found = state, None

        def answer(found: RunDifference) -> None:
            if self._state == state:
                self._found = found
                self._put(pair, main, found)

        self._context.query("what differs", lambda database: compare_rows(database, *pair), answer, priority=1)

    def _put(self, pair: tuple[LeaderboardRow, LeaderboardRow], main: str, found: RunDifference) -> None:
        a, b = (self._context.selection.runs_on(row.entry.run.spec.source).get(row.key[0]) for row in pair)
        details = presenter.difference_details(pair, (a, b), main, found.comparison, found.where, found.why)
        self._view.board.set_differences(details)


def compare_rows(database: Database, one: LeaderboardRow, other: LeaderboardRow) -> RunDifference:
    """Two rows over their common items as `runs compare` compares them, and where the difference lies; or why not."""
    a, b = one.entry, other.entry
    if a.scoring != b.scoring or a.version != b.version:
        return RunDifference(why="They are shown under different rules, so their scores are not subtracted.")
    try:
        found = comparison.compare_runs(database, a.run.id, b.run.id, scoring=a.scoring, draws=DRAWS)
    except UserError as error:
        return RunDifference(why=error.message)
    if not found.n_common:
        return RunDifference(why="No item is scored in both.")
    columns = [load_columns(database, entry.run.id, entry.scoring_id) for entry in (a, b)]
    return RunDifference(found, where_apart(*columns))
