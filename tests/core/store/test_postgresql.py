"""What is different about a store on a server: opening it, its line of writers, its errors. What is the same is in the
other tests of this folder, which run on it too."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from sqlalchemy import text

from stepscope.core.domain.campaign import Campaign
from stepscope.core.domain.filter_parser import parse
from stepscope.core.domain.run import RunState
from stepscope.core.errors import StoreError
from stepscope.core.store import queries
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import campaigns, runs, sessions
from stepscope.core.store.tables import SCHEMA, Base

ROOT = Path(__file__).parents[3]
OPEN_AND_SAVE = """
import sys
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import sessions
with Database.open(sys.argv[1]) as database:
    for number in range(20):
        with database.unit_of_work() as db:
            sessions.save(db, f"{sys.argv[2]} {number}", {})
"""


@pytest.fixture
def empty(postgresql):
    """The URL of a database without tables."""
    with postgresql.database(empty=True) as url:
        yield url


@pytest.fixture
def url(postgresql):
    """The URL of an empty store."""
    with postgresql.database() as made:
        yield made


def names(database):
    with database.reading() as db:
        return {saved.name for saved in sessions.saved(db)}


def test_two_processes_may_make_the_same_store_at_once(empty):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", OPEN_AND_SAVE, empty]
    children = [subprocess.Popen([*command, name], env=environment) for name in ("a", "b")]
    assert [child.wait(60) for child in children] == [0, 0]
    with Database.open(empty) as database:
        assert names(database) == {f"{name} {number}" for name in ("a", "b") for number in range(20)}
        with database.reading() as db:
            assert db.scalar(text("SELECT version_num FROM alembic_version")) == SCHEMA


def test_an_older_store_is_migrated(empty):
    with Database.open(empty) as database, database.unit_of_work() as db:
        for table in reversed([table for table in Base.metadata.sorted_tables if table.name.startswith("campaign")]):
            db.execute(text(f"DROP TABLE {table.name}"))
        later_tables = (
            "annotation", "steps", "step_text", "prediction_picture", "web_answer", "judgement", "judge_assignment",
            "written_text", "human_order", "model_call", "sent_text", "sent_picture", "cause_label",
            "ambiguous_task", "ask_review",
        )  # fmt: skip
        for table in later_tables:
            db.execute(text(f"DROP TABLE {table}"))
        later = {
            "run": (
                "filter", "chosen", "worker_machine", "runtime", "name", "remark", "tags", "pinned", "archived",
                "machines", "weights", "worked_s",
            ),
            "source": (
                "changed", "texts", "owner_host", "owner_started", "owner_claim", "owner_machine", "owner_pid", "beat",
            ),
            "scoring": ("changed",),
            "prediction": ("trace",),
        }  # fmt: skip
        for table, columns in later.items():
            for column in columns:
                db.execute(text(f"ALTER TABLE {table} DROP COLUMN {column}"))
        db.execute(text("UPDATE alembic_version SET version_num = '0002'"))
        sessions.save(db, "kept", {})
    with Database.open(empty) as database:
        assert names(database) == {"kept"}
        with database.reading() as db:
            assert db.scalar(text("SELECT count(*) FROM annotation")) == 0


def test_writers_stand_in_a_line(url):
    """Both read, then write what they read plus one: no update is lost, and none fails."""
    with Database.open(url) as database, database.unit_of_work() as db:
        sessions.save(db, "count", {"n": 0})

    def count():
        with Database.open(url) as database:
            for _ in range(20):
                with database.unit_of_work() as db:
                    sessions.save(db, "count", {"n": sessions.load(db, "count").payload["n"] + 1})

    threads = [threading.Thread(target=count) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with Database.open(url) as database, database.reading() as db:
        assert sessions.load(db, "count").payload == {"n": 60}


def test_a_reader_sees_one_state_and_never_waits(url):
    with Database.open(url) as database, Database.open(url) as other, database.reading() as db:
        assert sessions.saved(db) == []
        with other.unit_of_work() as writing:
            sessions.save(writing, "late", {})
            assert sessions.saved(db) == []
        assert sessions.saved(db) == [], "everything in one block is of the same moment"
        assert names(other) == {"late"}


def test_a_store_that_another_program_writes_is_told_as_busy(url):
    with Database.open(url) as other, Database.open(url, busy_timeout_ms=50) as database:
        with other.unit_of_work() as writing:
            sessions.save(writing, "first", {})
            with pytest.raises(StoreError, match="in use by another program") as caught, database.unit_of_work() as db:
                sessions.save(db, "late", {})
        assert "try again" in caught.value.hint
        with database.unit_of_work() as db:
            sessions.save(db, "later", {})
        assert names(database) == {"first", "later"}


def test_a_lost_connection_is_told_and_the_next_one_works(postgresql, url):
    with Database.open(url) as database:
        with (
            pytest.raises(StoreError, match="connection to the server was lost") as caught,
            database.unit_of_work() as db,
        ):
            sessions.save(db, "lost", {})
            me = db.scalar(text("SELECT pg_backend_pid()"))
            postgresql.execute(f"SELECT pg_terminate_backend({me})")
            sessions.save(db, "lost too", {})
        assert "saved is kept" in caught.value.hint
        with database.unit_of_work() as db:
            sessions.save(db, "kept", {})
        assert names(database) == {"kept"}


def test_a_user_who_may_only_read(postgresql, url):
    database = url.partition("?")[0].rpartition("/")[2]
    reader = "reader_of_" + database
    postgresql.execute(
        f"CREATE ROLE {reader} LOGIN", f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {reader}", database=database
    )
    try:
        with Database.open(postgresql.url(database, user=reader)) as fixed:
            assert fixed.read_only
            assert names(fixed) == set()
            with pytest.raises(StoreError, match="read-only"), fixed.unit_of_work():
                raise AssertionError("not reached")
    finally:
        postgresql.execute(f"DROP OWNED BY {reader}", f"DROP ROLE {reader}", database=database)


def test_a_user_who_may_nothing(postgresql, url):
    database = url.partition("?")[0].rpartition("/")[2]
    postgresql.execute("CREATE ROLE stranger LOGIN")
    try:
        with pytest.raises(StoreError, match="not allowed") as caught:
            Database.open(postgresql.url(database, user="stranger"))
        assert "Ask the owner" in caught.value.hint
    finally:
        postgresql.execute("DROP ROLE stranger")


def test_the_users_that_the_documentation_makes(postgresql):
    """The SQL of docs/store.md, word by word: an owner who makes the tables, a writer and a reader."""
    lines = (ROOT / "docs" / "store.md").read_text("utf-8").split("**Users.**")[1].split("In a store that is there")[0]
    statements = [line.strip() for line in lines.splitlines() if line.startswith("    ")]
    place = statements.index("\\connect stepscope")
    try:
        postgresql.execute(*statements[:place])
        postgresql.execute(*statements[place + 1 :], database="stepscope")
        with Database.open(postgresql.url("stepscope", user="stepscope_owner")) as owner:
            assert not owner.read_only
        with Database.open(postgresql.url("stepscope", user="anna")) as anna, anna.unit_of_work() as db:
            sessions.save(db, "Anna's", {})
            campaigns.add(db, Campaign("hers", "", 1))  # a row with a number of its own
        with Database.open(postgresql.url("stepscope", user="bob")) as bob:
            assert bob.read_only
            assert names(bob) == {"Anna's"}
    finally:
        postgresql.execute("DROP DATABASE IF EXISTS stepscope WITH (FORCE)")
        for name in ("bob", "anna", "stepscope_readers", "stepscope_writers", "stepscope_owner"):
            postgresql.execute(f"DROP ROLE IF EXISTS {name}")


def test_another_programs_database_is_refused_and_left_as_it_is(postgresql, empty):
    database = empty.partition("?")[0].rpartition("/")[2]
    postgresql.execute("CREATE TABLE moz_places (id int)", database=database)
    with pytest.raises(StoreError, match="another program"):
        Database.open(empty)


def test_a_newer_store_is_refused(url):
    with Database.open(url) as database, database.unit_of_work() as db:
        db.execute(text("UPDATE alembic_version SET version_num = '9000'"))
    with pytest.raises(StoreError, match=r"newer version \(schema 9000\)"):
        Database.open(url)


def test_a_database_that_cannot_hold_every_character_is_refused(postgresql):
    postgresql.execute("CREATE DATABASE ascii TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'")
    with pytest.raises(StoreError, match="SQL_ASCII") as caught:
        Database.open(postgresql.url("ascii"))
    assert "createdb --encoding=UTF8" in caught.value.hint


SECRET = "s3cret"


@pytest.mark.parametrize(
    ("change", "words", "hint"),
    [
        (lambda server: server.url("none", password="s3cret/of:me@50%"), "no such database", "createdb"),
        (lambda server: server.url(password=SECRET), "does not let this user in", "user and password"),
        (lambda server: server.url(password=SECRET, user="nobody"), "does not let this user in", "user and password"),
        (lambda server: server.url(user="nobody"), "does not let this user in", "user and password"),
        (lambda server: f"postgresql+psycopg://me:{SECRET}@127.0.0.1:1/x", "cannot be reached", "host and port"),
        (
            lambda server: f"postgresql+psycopg://me:{SECRET}@no.such.host.invalid/x",
            "cannot be reached",
            "host and port",
        ),
        (
            lambda server: f"postgresql+psycopg:///x?host={server.folder}/none&password={SECRET}",
            "reached",
            "host and port",
        ),
        (lambda server: f"postgresql+psycopg://me:{SECRET}@host:port/x", "no address", "SQLAlchemy URL"),
        (lambda server: f"postgresql+psycopg:me:{SECRET}@host/x", "no address", "SQLAlchemy URL"),
        (lambda server: f"postgresql+nodriver://me:{SECRET}@host/x", "driver for PostgreSQL", "stepscope[postgresql]"),
    ],
)
def test_what_hinders_is_told_with_what_to_do_and_without_the_password(postgresql, change, words, hint):
    with pytest.raises(StoreError, match=words) as caught:
        Database.open(change(postgresql))
    assert hint in caught.value.hint
    assert SECRET not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("stocked", ["postgresql"], indirect=True)
def test_patterns_are_pythons(stocked):
    with stocked.database.reading() as db:
        assert queries.matching(db, stocked.source_id, parse(r"goal:/(?P<a>o)\d*n(?=g)/")) == ["e1", "e3"]


def test_a_deleted_run_leaves_nothing(url, two_runs_in):
    with Database.open(url) as database:
        made = two_runs_in(database)
        with database.unit_of_work() as db:
            runs.set_state(db, made["A"], RunState.DONE)
            runs.remove(db, made["A"])
            runs.remove(db, made["B"])
            for table in ("prediction", "score", "scoring", "selection"):
                assert db.scalar(text(f"SELECT count(*) FROM {table}")) == 0


def test_the_server_of_the_tests_never_waits_for_somebody_to_read_what_it_says(postgresql):
    """A pipe takes 64 KiB; each checkpoint is told in 300 bytes, and each new database makes one."""
    postgresql.execute(*["CHECKPOINT"] * 500)
