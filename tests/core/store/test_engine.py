"""Opening a store: made, migrated, read-only, locked, broken, too new. Nothing is ever lost by trying."""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import StaticPool, create_engine

from stepscope.core.domain.annotation import Annotation, AnnotationKind
from stepscope.core.domain.campaign import AppEntry, Campaign, CampaignContents, CampaignTask
from stepscope.core.domain.goal_error import GoalErrorClass
from stepscope.core.domain.judgement import PairAnswers, WrittenText
from stepscope.core.domain.run import RunLabels
from stepscope.core.domain.web_answer import WebAnswer
from stepscope.core.errors import StoreError
from stepscope.core.settings import default_store_url, store_url, user_cache_dir
from stepscope.core.store import queries, schema
from stepscope.core.store.damage import DamagedStore
from stepscope.core.store.engine import Database, _use_write_ahead_log
from stepscope.core.store.repositories import (
    ambiguous_tasks,
    annotations,
    campaigns,
    judgements,
    model_calls,
    runs,
    sessions,
    sources,
    web_answers,
)
from stepscope.core.store.schema import MIGRATIONS
from stepscope.core.store.tables import SCHEMA, Base, SourceRow

RELEASED = sorted((Path(__file__).parents[2] / "data" / "schemas").glob("*.db"))
NOBODY = 65534


def content(database):
    with database.reading() as db:
        return [saved.name for saved in sessions.saved(db)]


def fill(path):
    with Database.open(store_url(path)) as database, database.unit_of_work() as db:
        sessions.save(db, "kept", {"open": ["a"]})


@contextmanager
def as_nobody():
    """Root may write everywhere; somebody else may not."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def open_folder():
    """A folder that another user can reach (pytest's own belongs to its user alone)."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755)
    shutil.rmtree(folder)


def test_nothing_heavy_is_imported_by_opening_a_store_that_is_up_to_date(tmp_path):
    fill(tmp_path / "s.db")
    code = (
        "import sys; from stepscope.core.store.engine import Database\n"
        f"Database.open({store_url(tmp_path / 's.db')!r}).close()\n"
        "assert not {'alembic', 'PySide6', 'torch', 'pydantic'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[3])


def test_a_new_file_store_is_made_with_the_promised_settings(tmp_path):
    with Database.open(store_url(tmp_path / "s.db")) as database, database.reading() as db:
        pragmas = {
            name: db.connection().exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "foreign_keys", "synchronous", "busy_timeout")
        }
    assert pragmas == {"journal_mode": "wal", "foreign_keys": 1, "synchronous": 1, "busy_timeout": 5000}
    assert not database.read_only


def test_the_default_store_lies_in_the_home_that_the_environment_names(tmp_path, monkeypatch):
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path / "home"))
    assert user_cache_dir() == tmp_path / "home" / "cache"
    with Database.open(default_store_url()):
        assert (tmp_path / "home" / "data" / "stepscope.db").is_file()


def test_the_migrations_make_the_tables_that_the_code_speaks_of(database):
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    assert ScriptDirectory.from_config(config).get_heads() == [SCHEMA]
    with database.reading() as db:
        context = MigrationContext.configure(db.connection(), opts={"compare_type": False})
        assert compare_metadata(context, Base.metadata) == []


def made_by(way):
    """The statements that SQLite keeps of a new store, and its rows."""
    engine = create_engine("sqlite://", poolclass=StaticPool)
    with engine.begin() as connection:
        way(connection)
        kept = connection.exec_driver_sql("SELECT type, name, sql FROM sqlite_master ORDER BY name").all()
        tables = [name for kind, name, _ in kept if kind == "table"]
        rows = {name: connection.exec_driver_sql(f"SELECT * FROM {name}").all() for name in tables}
    engine.dispose()
    return [(kind, name, " ".join((sql or "").split())) for kind, name, sql in kept], rows


def test_a_new_store_is_what_the_migrations_make_of_an_empty_one():
    migrated = made_by(schema.migrate)
    assert len(migrated[0]) > 20 and migrated[1]["alembic_version"] == [(SCHEMA,)]
    assert made_by(lambda connection: schema.prepare(connection, "here")) == migrated, (
        "run `python tests/data/schemas/make.py`"
    )


def test_nothing_is_imported_to_make_a_new_store(tmp_path):
    code = (
        "import sys; from stepscope.core.store.engine import Database\n"
        f"Database.open({store_url(tmp_path / 's.db')!r}).close()\n"
        "assert 'alembic' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[3])


def test_each_released_schema_has_its_file():
    migrations = sorted((schema.NEWEST.parent / "versions").glob("v*.py"))
    assert [path.stem for path in RELEASED] == [path.name[1:5] for path in migrations] and RELEASED[-1].stem == SCHEMA


@pytest.mark.parametrize("released", RELEASED, ids=lambda path: path.stem)
def test_a_store_of_every_release_is_migrated_and_usable(released, tmp_path):
    shutil.copy(released, tmp_path / "old.db")
    with Database.open(store_url(tmp_path / "old.db")) as database:
        with database.reading() as db:
            (run_id,) = [run.run_id for run in runs.claimed(db)]
            run = runs.get(db, run_id)
            assert run.done == 3
            assert (run.spec.filter, run.spec.chosen) == (("app:app", 2) if released.stem >= "0004" else ("", None))
            assert run.spec.runtime == ("onnx" if released.stem >= "0005" else "auto")
            assert run.weights == ("0" * 64 if released.stem >= "0013" else "")
            asked = model_calls.of_episode(db, run_id, "e1")  # steps 0 and 1
            assert len(asked) == (2 if released.stem >= "0013" else 0)
            mine = RunLabels("mine", "a remark", ("one", "two"), pinned=True)
            assert run.labels == (mine if released.stem >= "0010" else RunLabels())
            assert runs.claimed(db)[0].worker.machine == ("a-machine's-id" if released.stem >= "0004" else "")
            assert [source.episodes for source in sources.all_sources(db)] == [2]
            left = [name for name, _, _ in sources.unchecked(db, sources.all_sources(db)[0].id)]
            assert left == ([] if released.stem >= "0006" else ["e1", "e2"]), "their steps were not kept for filters"
        with database.unit_of_work() as db:
            runs.set_note(db, run_id, "still writable")
            runs.set_labels(db, run_id, RunLabels("other", archived=True))
            assert runs.get(db, run_id).labels == RunLabels("other", archived=True)
            sessions.save(db, "new", {})
            said = annotations.of_source(db, "data/sample")
            assert len(said) == (2 if released.stem >= "0003" else 0)
            made = datetime(2024, 5, 1, tzinfo=UTC)
            tag = Annotation("data/sample", "e2", None, AnnotationKind.TAG, "new", "", made)
            assert annotations.put(db, tag) is None
            assert annotations.of_source(db, "data/sample") == [*said, tag]
            kept = campaigns.counts(db)
            assert kept == ({"old": (2, 1, 2, 1)} if released.stem >= "0007" else {}) | (
                {"orders": (1, 1, 1, 0)} if released.stem >= "0015" else {}
            )
            ordering = ["orders"] if released.stem >= "0015" else []
            assert campaigns.names(db, CampaignTask.ORDERING) == ordering
            campaigns.add(db, Campaign("new"))
            clock = CampaignContents(apps=(AppEntry("org.example.clock", "Clock"),))
            assert not campaigns.replace(db, "new", CampaignContents(), clock)
            assert campaigns.contents(db, "new") == clock
            traces = [outcome.prediction.trace for outcome in queries.each_item(db, run_id)]
            assert traces == (["taps", "taps", ""] if released.stem >= "0008" else ["", "", ""])
            answered = web_answers.of_source(db, "data/tasks")
            assert [one.fields for one in answered] == ([{"q": "yes"}, {"q": "no"}] if released.stem >= "0008" else [])
            assert web_answers.put(db, WebAnswer("data/tasks", "t", "t/1", "one", {"q": "é"}, made)) is None
            assert web_answers.of_source(db, "data/tasks", instance="t/1")[0].fields == {"q": "é"}
            judged = judgements.of_pairs(db, "data/sample")
            assert [one.detail for one in judged] == (
                ['{"raw": []}'] if released.stem >= "0016" else [""] if released.stem >= "0011" else []
            )
            assert [one.error for one in judged] == (
                [GoalErrorClass.TOO_GENERAL] if released.stem >= "0017" else [None] if released.stem >= "0011" else []
            )
            assert [one.answers for one in judged] == (
                [PairAnswers(True, False, None, True)] if released.stem >= "0011" else []
            )
            left_out = ambiguous_tasks.tasks_of(db, "data/sample")
            assert [one.goal for one in left_out] == (["See tides"] if released.stem >= "0018" else [])
            assert ambiguous_tasks.reviewers(db, "data/sample") == (["one"] if released.stem >= "0018" else [])
            written = WrittenText("data/sample", "e1", -1, "new", "Another", made)
            assert judgements.replace_written(db, (), [written]) == ()
            assert judgements.authors(db, "data/sample") == ["new", *(["one"] if released.stem >= "0011" else [])]
        assert content(database) == ["new", "old"]


def test_a_newer_store_is_refused_and_left_as_it_is(tmp_path):
    fill(tmp_path / "s.db")
    with sqlite3.connect(tmp_path / "s.db") as raw:
        raw.execute("UPDATE alembic_version SET version_num = '9000'")
    raw.close()
    before = (tmp_path / "s.db").read_bytes()
    with pytest.raises(StoreError, match=r"newer version \(schema 9000\).*Nothing was changed") as caught:
        Database.open(store_url(tmp_path / "s.db"))
    assert caught.value.place == str(tmp_path / "s.db")
    assert (tmp_path / "s.db").read_bytes() == before


def test_another_programs_database_is_refused_and_left_as_it_is(tmp_path):
    with sqlite3.connect(tmp_path / "s.db") as raw:
        raw.execute("CREATE TABLE moz_places (id)")
    raw.close()
    before = (tmp_path / "s.db").read_bytes()
    with pytest.raises(StoreError, match="another program"):
        Database.open(store_url(tmp_path / "s.db"))
    assert (tmp_path / "s.db").read_bytes() == before


def test_what_is_no_database_is_refused_and_left_as_it_is(tmp_path):
    (tmp_path / "s.db").write_text("These are my notes.\n" * 100)
    with pytest.raises(StoreError, match="not a store that can be read") as caught:
        Database.open(store_url(tmp_path / "s.db"))
    assert caught.value.hint
    assert (tmp_path / "s.db").read_text().startswith("These are my notes.")


def torn(path, after=4096):
    """A store of which only the beginning is left."""
    fill(path)
    data = bytearray(path.read_bytes())
    data[after:] = b"\xa5" * len(data[after:])
    path.write_bytes(data)
    return bytes(data)


def test_a_torn_store_is_told_when_it_is_opened_and_left_as_it_is(tmp_path):
    before = torn(tmp_path / "s.db")
    with pytest.raises(DamagedStore, match=r"The store is damaged: .* rescue STORE") as caught:
        Database.open(store_url(tmp_path / "s.db"))
    assert caught.value.place == str(tmp_path / "s.db")
    assert (tmp_path / "s.db").read_bytes() == before


def test_only_a_store_that_was_there_is_looked_through(tmp_path, monkeypatch):
    looked = []
    monkeypatch.setattr("stepscope.core.store.engine._check_pages", lambda _connection: looked.append("pages"))
    monkeypatch.setattr("stepscope.core.store.engine._check_rows", lambda _connection: looked.append("rows"))
    fill(tmp_path / "new.db")
    assert looked == []
    with Database.open(store_url(tmp_path / "new.db")) as database:
        assert content(database) == ["kept"]
    assert looked == ["pages", "rows"]
    (tmp_path / "empty.db").touch()
    fill(tmp_path / "empty.db")
    assert looked == ["pages", "rows"] * 2


def test_a_large_torn_store_is_told_when_it_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr("stepscope.core.store.engine.CHECKED_AT_OPENING", 0)
    torn(tmp_path / "s.db")
    with pytest.raises(DamagedStore), Database.open(store_url(tmp_path / "s.db")) as it:
        content(it)


def test_an_index_that_lacks_a_row_is_told_though_every_page_can_be_read(tmp_path):
    """SQLite itself would leave the row out of what is asked for by that index."""
    fill(tmp_path / "s.db")
    data = (tmp_path / "s.db").read_bytes()
    assert data.count(b"kept") == 2, "once in the table and once in its index"
    (tmp_path / "s.db").write_bytes(data.replace(b"kept", b"lost", 1))
    with pytest.raises(DamagedStore, match="missing from index"):
        Database.open(store_url(tmp_path / "s.db"))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("CAST(x'ff80' AS TEXT)", "Could not decode to UTF-8"),
        ("x'ff80'", "row kept of the table session .*payload is bytes, not a text"),
        ("'no JSON'", "row kept of the table session cannot be read"),
        ("'" + "[" * 5000 + "'", "row kept of the table session cannot be read"),
        ("'[1]'", None),
    ],
)
def test_a_value_that_cannot_be_read_is_told_with_its_row(value, words, tmp_path):
    fill(tmp_path / "s.db")
    with closing(sqlite3.connect(tmp_path / "s.db")) as raw:
        raw.execute(f"UPDATE session SET payload = {value}")
        raw.commit()
    with Database.open(store_url(tmp_path / "s.db")) as database:
        if words is None:
            assert content(database) == ["kept"]
            return
        with pytest.raises(DamagedStore, match=words):
            content(database)


def test_an_error_of_the_program_itself_stays_one_in_a_sound_store(tmp_path):
    fill(tmp_path / "s.db")
    with (
        pytest.raises(KeyError, match="a bug"),
        Database.open(store_url(tmp_path / "s.db")) as database,
        database.reading(),
    ):
        raise KeyError("a bug")


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("no address", "no address of a store"),
        ("nodb://x", "no driver"),
        ("sqlite:///{here}", "no file"),
        ("sqlite:///{here}/file/s.db", "folder does not exist"),
        ("sqlite:///{here}/none/s.db", "folder does not exist"),
        ("sqlite:///file:{here}/none.db?mode=ro&uri=true", "cannot be opened"),
    ],
)
def test_an_address_that_leads_nowhere_is_told_with_what_to_do(url, words, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=words) as caught:
        Database.open(url.format(here=tmp_path))
    assert caught.value.hint


def test_a_slip_in_an_address_makes_no_folder(tmp_path):
    with pytest.raises(StoreError) as caught:
        Database.open(store_url(tmp_path / "reslts" / "s.db"))
    assert caught.value.place == str(tmp_path / "reslts") and not (tmp_path / "reslts").exists()


def test_the_folder_of_the_users_own_store_may_not_be_a_file(tmp_path, monkeypatch):
    (tmp_path / "home").write_text("")
    monkeypatch.setenv("STEPSCOPE_HOME", str(tmp_path / "home"))
    with pytest.raises(StoreError, match="folder cannot be made"):
        Database.open(default_store_url())


def test_a_password_is_never_shown():
    with pytest.raises(StoreError) as caught:
        Database.open("nodb://me:secret@host/x")
    assert "secret" not in str(caught.value)


def test_a_store_that_another_program_writes_is_told_as_busy(tmp_path):
    fill(tmp_path / "s.db")
    with Database.open(store_url(tmp_path / "s.db"), busy_timeout_ms=1) as database:
        other = sqlite3.connect(tmp_path / "s.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="in use by another program"), database.unit_of_work() as db:
            sessions.save(db, "late", {})
        assert content(database) == ["kept"]
        other.execute("ROLLBACK")
        other.close()
        with database.unit_of_work() as db:
            sessions.save(db, "later", {})
        assert content(database) == ["later", "kept"]


def check_read_only(url):
    with Database.open(url) as database:
        assert database.read_only
        assert content(database) == ["kept"]
        with pytest.raises(StoreError, match="read-only") as caught, database.unit_of_work():
            raise AssertionError("not reached")
        assert caught.value.hint


def test_a_store_opened_for_reading_can_be_read_only(tmp_path):
    fill(tmp_path / "s.db")
    check_read_only(f"sqlite:///file:{tmp_path}/s.db?mode=ro&uri=true")


def test_a_file_without_permission_can_be_read_only(open_folder):
    fill(open_folder / "s.db")
    (open_folder / "s.db").chmod(0o444)
    open_folder.chmod(0o777)
    with as_nobody():
        check_read_only(store_url(open_folder / "s.db"))


def test_a_folder_without_permission_can_be_read_only(open_folder):
    fill(open_folder / "s #1%?.db")
    (open_folder / "s #1%?.db").chmod(0o444)
    open_folder.chmod(0o555)
    with as_nobody():
        check_read_only(store_url(open_folder / "s #1%?.db"))


def test_a_store_cannot_be_made_in_a_folder_without_permission(open_folder):
    open_folder.chmod(0o555)
    with as_nobody():
        for place in (open_folder / "s.db", open_folder / "new" / "s.db"):
            with pytest.raises(StoreError, match=r"cannot be|does not exist") as caught:
                Database.open(store_url(place))
            assert caught.value.hint


def test_a_store_that_was_not_closed_is_not_read_without_its_log(open_folder):
    """The log holds the last results; a reader that cannot use it would show old ones as if they were all."""
    fill(open_folder / "s.db")
    writer = Database.open(store_url(open_folder / "s.db"))
    with writer.unit_of_work() as db:
        sessions.save(db, "latest", {})
    copy = open_folder / "copy"
    copy.mkdir()
    for name in ("s.db", "s.db-wal"):
        shutil.copy(open_folder / name, copy / name)
        (copy / name).chmod(0o444)
    writer.close()
    copy.chmod(0o555)
    with as_nobody(), pytest.raises(StoreError, match="was not closed") as caught:
        Database.open(store_url(copy / "s.db"))
    assert "-wal" in caught.value.hint


def test_an_old_store_that_cannot_be_written_says_so(tmp_path):
    sqlite3.connect(tmp_path / "s.db").close()
    with pytest.raises(StoreError, match="empty and cannot be written"):
        Database.open(f"sqlite:///file:{tmp_path}/s.db?mode=ro&uri=true")
    fill(tmp_path / "t.db")
    with sqlite3.connect(tmp_path / "t.db") as raw:
        raw.execute("UPDATE alembic_version SET version_num = '0000'")
    raw.close()
    with pytest.raises(StoreError, match=r"must be updated \(schema 0000\)"):
        Database.open(f"sqlite:///file:{tmp_path}/t.db?mode=ro&uri=true")


def test_a_unit_of_work_is_all_or_nothing(database):
    with pytest.raises(ZeroDivisionError), database.unit_of_work() as db:
        sessions.save(db, "half", {})
        raise ZeroDivisionError
    assert content(database) == []


def test_who_opens_a_store_while_another_reads_it_leaves_the_log_to_the_next(tmp_path):
    """SQLite turns it on for one who is alone, and does not wait."""

    def connection():
        return sqlite3.connect(tmp_path / "s.db", isolation_level=None, timeout=0)

    def mode():
        with closing(connection()) as fresh:
            return fresh.execute("PRAGMA journal_mode").fetchone()[0]

    engine = SimpleNamespace(raw_connection=connection)
    with closing(connection()) as other:
        other.execute("CREATE TABLE t (x)")
        other.execute("BEGIN")
        other.execute("SELECT * FROM t").fetchall()
        _use_write_ahead_log(engine)
        assert mode() == "delete"
    _use_write_ahead_log(engine)
    assert mode() == "wal"


def test_two_processes_may_make_the_same_store_at_once(tmp_path):
    opened = f"Database.open({store_url(tmp_path / 's.db')!r}).close()"
    code = f"from stepscope.core.store.engine import Database; input(); {opened}"
    here = Path(__file__).parents[3]
    both = [subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, cwd=here) for _ in range(2)]
    for process in both:
        process.stdin.write(b"go\n")
        process.stdin.close()
    assert [process.wait(30) for process in both] == [0, 0]
    with Database.open(store_url(tmp_path / "s.db")) as database:
        assert content(database) == []


def test_a_number_that_no_column_holds_is_told(tmp_path):
    with (
        Database.open(store_url(tmp_path / "results.db")) as database,
        pytest.raises(StoreError, match="A number is too large for the store"),
        database.unit_of_work() as db,
    ):
        db.execute(SourceRow.__table__.insert(), {"path": "a", "format": "recording", "episodes": 2**63})
