"""What the coordinate check said of runs, in words. Read off the thread of the window."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.app.services import coordinate_doubts
    from stepscope.core.store.engine import Database
    from stepscope.core.store.repositories import coordinate_doubts as stored_doubts
    from stepscope.core.store.repositories import runs
    from stepscope.core.store.repositories.coordinate_doubts import Doubt
else:
    coordinate_doubts = lazy_module("stepscope.app.services.coordinate_doubts")
    stored_doubts = lazy_module("stepscope.core.store.repositories.coordinate_doubts")
    runs = lazy_module("stepscope.core.store.repositories.runs")


@dataclass(frozen=True, slots=True)
class RunDoubt:
    """`words` say in a line which other space wins, "" where none does."""

    doubt: Doubt
    words: str

    @property
    def open_words(self) -> str:
        """The words while nobody has said that the run is right as it is."""
        return self.words if self.doubt.is_open else ""


def read_doubts(database: Database) -> Mapping[str, RunDoubt]:
    """By the run's id; of runs that were looked into."""
    with database.reading() as db:
        known = stored_doubts.known(db)
        won = {run: runs.get(db, run) for run, doubt in known.items() if doubt.winner and runs.exists(db, run)}
    words = {run.id: coordinate_doubts.words_of(known[run.id], run) for run in won.values()}
    return {run: RunDoubt(doubt, words.get(run, "")) for run, doubt in known.items()}
