"""What the coordinate check said of runs, kept beside the saved sessions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace

from sqlalchemy.orm import Session as DbSession

from stepscope.core.errors import UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.store.repositories import sessions
from stepscope.core.store.repositories.runs import COORDINATES
from stepscope.core.typed_forms import dataclass_of


@dataclass(frozen=True, slots=True)
class Doubt:
    """`winner` is the space in which `then` of the run's `points` places would be right instead of `now`, "" where none
    clearly wins over the `chosen` one. `kept`: a person says that it is read rightly."""

    winner: str
    chosen: str
    points: int
    now: int
    then: int
    kept: bool = False

    @property
    def is_open(self) -> bool:
        """Whether the run may be misread, and nobody has said that it is not."""
        return bool(self.winner) and not self.kept


def known(db: DbSession) -> Mapping[str, Doubt]:
    """What was found of each run that was looked into, by the run's id; an entry that cannot be read is left out."""
    begin, found = COORDINATES.format(""), {}
    for one in sessions.beginning_with(db, begin):
        try:
            found[one.name.removeprefix(begin)] = dataclass_of(Doubt, one.payload)
        except ValueError:  # of another version
            continue
    return found


def put(db: DbSession, run_id: str, doubt: Doubt) -> Doubt:
    """Keep what was found, in the place of an earlier finding; that the same winner was silenced stays."""
    before = known(db).get(run_id)
    kept = before is not None and before.kept and before.winner == doubt.winner
    doubt = replace(doubt, kept=doubt.kept or kept)
    sessions.save(db, COORDINATES.format(run_id), asdict(doubt))
    return doubt


def keep_as_it_is(db: DbSession, run_id: str, *, kept: bool = True) -> Doubt:
    """Silence what was found of the run, or let it count again. Raises UsageError for one that was not looked into."""
    doubt = known(db).get(run_id)
    if doubt is None:
        hint = f"See `stepscope agents diagnose {run_id}`."
        raise UsageError(f"The coordinates of run {run_id} were not checked.", hint=hint)
    said = replace(doubt, kept=kept)
    sessions.save(db, COORDINATES.format(run_id), asdict(said))
    return said
