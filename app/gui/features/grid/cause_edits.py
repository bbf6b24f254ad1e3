"""Causes that a person gives to wrong steps, as changes of the store that can be taken back exactly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from stepscope.app.gui.shell.undo import OutdatedError
from stepscope.core.domain.changed_words import changed_words
from stepscope.core.domain.error_cause import CauseLabel
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.app.services.error_causes import Place
    from stepscope.core.store.engine import Database
    from stepscope.core.store.repositories import cause_labels
else:
    cause_labels = lazy_module("stepscope.core.store.repositories.cause_labels")

Labels = Mapping["Place", CauseLabel | None]
"""The cause that somebody gave to each of some steps, None: the one that was worked out."""


def write_labels(database: Database, run: str, before: Labels, after: Labels) -> None:
    """In the writer lane: raises OutdatedError, changing nothing, rather than drop what somebody else said."""
    with database.unit_of_work() as db:
        there = cause_labels.of_run(db, run)
        changed = [(label, there.get(place)) for place, label in before.items() if there.get(place) != label]
        if changed:
            who = changed_words(*changed[0])
            raise OutdatedError(f"Somebody else has changed these causes meanwhile. {who} Theirs are shown now.")
        cause_labels.put(db, run, after)
