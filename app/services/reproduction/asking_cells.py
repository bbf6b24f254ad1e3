"""Cells of a paper's table that are a run of asking under a setting of Navi-plus, out of its stored answers."""

from __future__ import annotations

from stepscope.app.services.reproduction.judged_cells import CellNumber
from stepscope.app.services.reproduction.tables import PaperColumn, PaperRow
from stepscope.core.domain.run import Run
from stepscope.core.errors import UserError
from stepscope.core.evaluation.ask_removed import removing
from stepscope.core.evaluation.ask_runs import asked_of_run
from stepscope.core.evaluation.ask_settings import AskSettingRow, AskSwitches, FourSettings, four_settings
from stepscope.core.scoring.ask_streams import Answered, AskSetting
from stepscope.core.store import queries
from stepscope.core.store.engine import Database

SWITCHES = AskSwitches(answered=Answered.ALWAYS)
"""As the paper has it: after the due step the answer is in the context whether or not it was asked for."""


class AskingCells:
    """Looks at each run once for each number of things that are left out."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._found: dict[tuple[str, int | None], FourSettings] = {}

    def of_run(self, row: PaperRow, column: PaperColumn, run: Run) -> CellNumber:
        """The number of a finished run."""
        try:
            found = self._settings(run.id, column.removed)
        except UserError as error:
            return CellNumber(missing=str(error), run=run.id)
        setting = found.row(AskSetting(column.setting or row.setting))
        if not found.episodes:
            return CellNumber(missing=f"No episode of the data leaves out {column.removed}.", run=run.id)
        with self._database.reading() as db:
            errors = queries.run_counts(db, run.id).errors
        value, interval = _number(setting, column.metric)
        remarks = []
        if found.unanswered and setting.setting in (AskSetting.ASK, AskSetting.DUAL):
            remarks.append(f"Not known at {found.unanswered:,} steps: what it does there with the answer.")
        if found.left_out:
            remarks.append(f"Left out, for want of the whole goal: {found.left_out:,} episodes.")
        missing = setting.why if value is None else ""
        return CellNumber(value, interval, found.episodes, missing, tuple(remarks), errors, run.id)

    def _settings(self, run_id: str, removed: int | None) -> FourSettings:
        key = run_id, removed
        if key not in self._found:
            asked = asked_of_run(self._database, run_id)
            self._found[key] = four_settings(asked if removed is None else removing(asked, removed), SWITCHES)
        return self._found[key]


def _number(row: AskSettingRow, metric: str) -> tuple[float | None, tuple[float, float] | None]:
    if metric == "drop":
        return row.drop, row.drop_interval
    if metric == "recovery":
        return row.recovery, row.recovery_interval
    return row.value(metric), row.intervals.get(metric)
