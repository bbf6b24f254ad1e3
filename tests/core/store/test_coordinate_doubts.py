"""What the coordinate check said of runs: kept, silenced, and gone with its run."""

from __future__ import annotations

import pytest

from stepscope.core.errors import UsageError
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import coordinate_doubts, runs, sessions
from stepscope.core.store.repositories.coordinate_doubts import Doubt

FOUND = Doubt("thousand", "adapter", 24, 0, 24)


def test_what_was_found_is_kept_and_silenced_until_another_space_wins(database: Database) -> None:
    with database.unit_of_work() as db:
        assert coordinate_doubts.put(db, "r1", FOUND) == FOUND and FOUND.is_open
        silenced = coordinate_doubts.keep_as_it_is(db, "r1")
        assert silenced.kept and not silenced.is_open
        assert coordinate_doubts.put(db, "r1", Doubt("thousand", "adapter", 25, 0, 25)).kept, "checked once more"
        assert not coordinate_doubts.put(db, "r1", Doubt("unit", "adapter", 25, 0, 25)).kept
        assert not Doubt("", "adapter", 24, 20, 20).is_open
        with pytest.raises(UsageError, match="coordinates of run r2 were not checked"):
            coordinate_doubts.keep_as_it_is(db, "r2")


def test_it_is_gone_with_its_run_and_an_entry_of_another_version_is_left_out(database: Database) -> None:
    with database.unit_of_work() as db:
        coordinate_doubts.put(db, "r1", FOUND)
        coordinate_doubts.put(db, "r10", FOUND)
        sessions.save(db, "coordinates r3", {"winner": "thousand"})
        sessions.save(db, "window", {})
        assert coordinate_doubts.known(db) == {"r1": FOUND, "r10": FOUND}
        runs.remove(db, "r1")
        assert coordinate_doubts.known(db) == {"r10": FOUND}
        assert sessions.is_saved(db, "window")
