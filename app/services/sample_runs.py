"""The runs that come with the sample: two rules, evaluated by this program, each in a bundle (`resources/sample/runs`).

They show the way and are no finding. `packaging/make-sample-runs.py` makes them; a test evaluates them anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from stepscope.app.services.provenance import SAMPLE, shipped_run_id
from stepscope.core.errors import StoreError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from stepscope.core.domain.run import Outcome
    from stepscope.core.evaluation import bundle
    from stepscope.core.store.engine import Database
    from stepscope.core.store.repositories import runs, sessions
else:
    bundle = lazy_module("stepscope.core.evaluation.bundle")
    runs = lazy_module("stepscope.core.store.repositories.runs")
    sessions = lazy_module("stepscope.core.store.repositories.sessions")

MODELS = ("text-match", "nearest-element")
"""The models of the runs, in the order of their letters."""

EPISODE, STEP = "settings-screen-timeout", 4
"""Where the two differ: the first takes the right row of a dialog, the other one the row below."""

REMARK = "Shipped with the sample: shows the way, not a finding."
"""What the program says of how these runs went."""

_ENTERED = "sample run {}"
"""The name under which a store keeps that it was given the run of this id; it is never given it again."""


@dataclass(frozen=True, slots=True)
class ShippedRun:
    """A run that comes with the sample. `id` is its own in every store."""

    id: str
    model: str
    bundle: Path


def shipped_runs(data: Path = SAMPLE) -> tuple[ShippedRun, ...]:
    """Those of the sample that lies at `data`, in the order of their letters."""
    folder = data.with_name("runs")
    return tuple(ShippedRun(shipped_run_id(model, data), model, folder / f"{model}.bundle") for model in MODELS)


def enter_shipped_runs(database: Database) -> tuple[str, ...]:
    """Give the store the runs that it was never given; returns the ids of those that it has now.

    Who deleted one does not get it back, and of two programs that do this at once one does it. A store that cannot be
    written stays without them. Raises StoreError where writing fails.
    """
    if not database.read_only:
        for run in shipped_runs():
            _enter(database, run)
    with database.reading() as db:
        return tuple(run.id for run in shipped_runs() if runs.exists(db, run.id))


def _enter(database: Database, run: ShippedRun) -> None:
    with database.reading() as db:
        if _was_entered(db, run):
            return
    try:
        for _ in bundle.read_bundle(
            database, run.bundle, data=str(SAMPLE), run_id=run.id, with_it=lambda db: _enter_once(db, run)
        ):
            pass
    except StoreError:
        with database.reading() as db:
            if not _was_entered(db, run):
                raise


def _was_entered(db: Session, run: ShippedRun) -> bool:
    return sessions.is_saved(db, _ENTERED.format(run.id))


def _enter_once(db: Session, run: ShippedRun) -> None:
    """In the transaction that enters the run. Raises StoreError where somebody else has done so meanwhile."""
    if _was_entered(db, run):
        raise StoreError("The sample's runs were entered by somebody else just now.")
    sessions.save(db, _ENTERED.format(run.id), {"model": run.model})


def shipped_outcomes() -> Iterator[tuple[ShippedRun, list[Outcome]]]:
    """What each of the runs answered, from its bundle. Raises SourceError."""
    for run in shipped_runs():
        yield run, bundle.bundle_outcomes(run.bundle)
