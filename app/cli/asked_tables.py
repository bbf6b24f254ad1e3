"""Tables of what became of asking on stdout, and the four settings at the end of an evaluation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepscope.app.cli.output import say, table
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.app.services import ask_tables
    from stepscope.app.services.ask_tables import AskTable
    from stepscope.core.evaluation import ask_runs, ask_settings
    from stepscope.core.store.engine import Database
else:
    ask_tables = lazy_module("stepscope.app.services.ask_tables")
    ask_runs = lazy_module("stepscope.core.evaluation.ask_runs")
    ask_settings = lazy_module("stepscope.core.evaluation.ask_settings")


ONLY_ASKS = (
    "No answer says what is done, so no step is right or wrong and there are no four settings. Beside a model that "
    "only asks put one that acts, such as --set-model actor=text-match."
)


def show_table(one: AskTable) -> None:
    """A table with its title and note."""
    say("", one.title)
    if one.rows:
        table(one.columns, [[ask_tables.shown(cell) for cell in row] for row in one.rows], numbers=[*one.numbers])
    if one.note:
        say(one.note)


def show_settings(database: Database, run_id: str) -> None:
    """The four settings of a run whose answers have actions; of one that only asks, how they can be had."""
    asked = ask_runs.asked_of_run(database, run_id)
    if not asked.acts:
        say("", ONLY_ASKS)
        return
    for one in ask_tables.settings_tables(run_id, ask_settings.four_settings(asked)):
        show_table(one)
