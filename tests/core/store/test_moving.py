"""What is said of data that lies elsewhere now."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import inspect, select

from stepscope.core.domain.annotation import Annotation, AnnotationKind
from stepscope.core.domain.episode import EpisodeSummary, Platform
from stepscope.core.settings import store_url
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import annotations, moving, sources
from stepscope.core.store.tables import Base
from tests.data.schemas.make import SPEC, make

NOT_MOVED = {"source"}
"""Tables whose path is the data's own."""


@pytest.fixture
def full(tmp_path: Path):
    """A store with something of every kind about one data set."""
    path = tmp_path / "full.db"
    make(path)
    with Database.open(store_url(path)) as database:
        yield database


def places(database: Database) -> dict[str, set[str]]:
    """The paths of data that each table names."""
    named = {}
    with database.reading() as db:
        for table in Base.metadata.sorted_tables:
            if "source" in table.columns and table.name not in NOT_MOVED:
                named[table.name] = set(db.scalars(select(table.c.source)))
    return named


def test_all_that_names_data_by_its_path_goes_along(full: Database) -> None:
    before = places(full)
    assert {
        "run",
        "annotation",
        "web_answer",
        "judgement",
        "written_text",
        "human_order",
        "ambiguous_task",
        "ask_review",
    } <= set(before)
    olds = {path for found in before.values() for path in found}
    with full.unit_of_work() as db:
        moved = [moving.move_data(db, old, f"/moved/{old}") for old in olds]
    assert places(full) == {name: {f"/moved/{old}" for old in found} for name, found in before.items()}
    assert sum(one.runs for one in moved) == 1 and sum(one.annotations for one in moved) == 2
    assert sum(one.answers for one in moved) == 8, (
        "two of web tasks, a judgement, its share, a text, an order, a task and its review"
    )
    with full.reading() as db:
        unique = {table: inspect(db.get_bind()).get_unique_constraints(table) for table in before}
    named = {row.__tablename__: {"source", *names} for row, names in moving._OF_PEOPLE}
    assert all(any(set(one["column_names"]) == names for one in unique[table]) for table, names in named.items())


def test_what_the_other_place_has_of_its_own_stays(full: Database) -> None:
    said = Annotation(SPEC.source, "e1", None, AnnotationKind.STAR, "", "somebody", datetime(2026, 3, 9, tzinfo=UTC))
    with full.unit_of_work() as db:
        annotations.put(db, replace(said, source="there"))
        first = moving.move_data(db, SPEC.source, "there")
    assert (first.runs, first.annotations) == (1, 1), "the defect, not the star that is there already"
    with full.reading() as db:
        assert annotations.places(db, SPEC.source, AnnotationKind.STAR) == {("e1", None)}
        assert annotations.places(db, "there", AnnotationKind.STAR) == {("e1", None)}


def test_episodes_that_are_not_there_are_counted(full: Database) -> None:
    def index(path: str, *names: str) -> None:
        found = [EpisodeSummary(name, "Goal", "app", Platform.ANDROID, 1, 1, ()) for name in names]
        with full.unit_of_work() as db:
            sources.replace_index(db, path, "recording", "f", found)

    index("old", "a", "b", "c")
    index("new", "c", "a", "x")
    with full.reading() as db:
        assert moving.missing_episodes(db, "old", "new") == 1
        assert moving.missing_episodes(db, "new", "old") == 1
        assert moving.missing_episodes(db, "nowhere", "new") == 0
        assert moving.missing_episodes(db, "old", "nowhere") == 3
