"""An older store on a server that several programs open at once: one of them migrates it, whole or not at all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, create_engine, text

from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import runs
from stepscope.core.store.schema import MIGRATIONS
from stepscope.core.store.tables import SCHEMA
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[3]
OLDER = "0010"
OPEN = "import sys; from stepscope.core.store.engine import Database; Database.open(sys.argv[1]).close()"
WAITING = text(
    "SELECT count(*) FROM pg_locks WHERE locktype = :kind AND NOT granted AND (relation IS NULL OR "
    "relation = to_regclass('run'))"
)


@pytest.fixture
def older(postgresql) -> Iterator[str]:
    """The URL of a store as an older version made it, with a run in it."""
    with postgresql.database(empty=True) as url:
        engine = create_engine(url)
        with engine.begin() as connection:
            config = Config()
            config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
            config.attributes["connection"] = connection
            command.upgrade(config, OLDER)
            columns = connection.execute(
                text(
                    "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'run' "
                    "AND is_nullable = 'NO' AND column_default IS NULL"
                )
            )
            usual = {"integer": "1", "boolean": "false", "timestamp without time zone": "now()"}
            row = {name: usual.get(kind, "'[]'") for name, kind in columns} | {
                "id": "'kept'", "task": "'automation'", "state": "'done'", "options": "'{}'",
            }  # fmt: skip
            connection.execute(text(f"INSERT INTO run ({', '.join(row)}) VALUES ({', '.join(row.values())})"))
        engine.dispose()
        yield url


@contextmanager
def held(url: str) -> Iterator[Connection]:
    """Nobody can read or change the table of runs, so that whoever migrates stops in the middle."""
    engine = create_engine(url)
    with engine.connect() as connection:
        connection.execute(text("LOCK TABLE run IN ACCESS SHARE MODE"))
        yield connection
    engine.dispose()


def opening(url: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", OPEN, url], env={**os.environ, "PYTHONPATH": str(ROOT)})


def until(fact: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not fact():
        assert time.monotonic() < end, f"{what} did not come"


def version(url: str) -> str:
    engine = create_engine(url)
    with engine.connect() as connection:
        found = connection.scalar(text("SELECT version_num FROM alembic_version"))
        tables = connection.scalar(text("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"))
    engine.dispose()
    return f"{found} with {tables} tables"


def waiting(connection: Connection, kind: str) -> Callable[[], bool]:
    return lambda: bool(connection.scalar(WAITING, {"kind": kind}))


def test_of_two_programs_one_migrates_and_the_other_waits(older: str) -> None:
    with held(older) as connection:
        programs = [opening(older), opening(older)]
        until(waiting(connection, "relation"), "a program in the middle of migrating")
        until(waiting(connection, "advisory"), "a program that waits for it")
        assert [program.poll() for program in programs] == [None, None]
    assert [program.wait(PATIENCE) for program in programs] == [0, 0]
    assert version(older).startswith(SCHEMA)
    with Database.open(older) as database, database.reading() as db:
        assert runs.get(db, "kept").id == "kept"


def test_a_program_that_is_killed_while_it_migrates_leaves_nothing_half(older: str) -> None:
    before = version(older)
    with held(older) as connection:
        program = opening(older)
        until(waiting(connection, "relation"), "a program in the middle of migrating")
        program.send_signal(signal.SIGKILL)
        assert program.wait(PATIENCE) == -signal.SIGKILL
    until(lambda: version(older) == before, "the state of before")
    with Database.open(older) as database, database.reading() as db:
        assert runs.get(db, "kept").id == "kept"
    assert version(older).startswith(SCHEMA)
