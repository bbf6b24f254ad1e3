"""Opening a store and the transactions on it. Nothing happens at import: `Database.open` makes the engine.

Every failure of the database leaves this room as a StoreError that says what to do.
"""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, StaticPool, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.orm import Session

from stepscope.core.drafts import reason
from stepscope.core.errors import StoreError
from stepscope.core.settings import default_store_url
from stepscope.core.store import damage, schema, server
from stepscope.core.store.damage import DamagedStore

BUSY_TIMEOUT_MS = 5000
SERVER_TIMEOUT_MS = 60_000
"""Longer than for a file: on a server somebody else's import may well go on for half a minute."""

MAKING_TIMEOUT_MS = 60_000
"""How long a store that another program is making or migrating is waited for: for as many programs as start at once, on
a machine with much to do."""
CHECKED_AT_OPENING = 16 << 20
"""Bytes of a store whose pages and rows are looked through as it is opened, which takes some 45 ms with 4 MB. A larger
one tells of damage when what is damaged is read."""

_IMMEDIATE = "stepscope_immediate"
_LEAST_ROOM = 1 << 16
"""Bytes without which SQLite can open nothing for writing: the index of its log alone takes half as many."""
_READ_ONLY_HINT = "It can be looked at, but nothing can be saved: make it writable or choose another with --store."
_READER_HINT = "It can be looked at, but nothing can be saved: ask the owner of the database for the right to write."
_FULL_HINT = "It can be looked at: make room, then open it again."


class Database:
    """An open store. Safe to use from several threads; each unit of work has its own session."""

    def __init__(
        self, engine: Engine, place: str, *, read_only: bool, shared_connection: bool, file: Path | None = None
    ) -> None:
        self.read_only = read_only
        self.place = place
        self.address: str | None = None
        """The URL by which another process opens this store; None where it lies in this one's memory."""
        self._file = file
        self._engine = engine
        self._writing = engine.execution_options(**{_IMMEDIATE: True})
        self._shared = shared_connection
        self._turn: AbstractContextManager[Any] = threading.RLock() if shared_connection else nullcontext()

    @classmethod
    def open(cls, url: str, *, busy_timeout_ms: int | None = None) -> Database:
        """The store at a SQLAlchemy URL, created or migrated first when needed.

        A valid store that cannot be written is opened for reading (`read_only`). Writers wait for each other for
        `busy_timeout_ms`; None: 5 s for a file (a minute while it is made), a minute for a server. Raises StoreError.
        """
        address = _address(url)
        if address.get_backend_name() == "sqlite":
            found = _open_sqlite(address, busy_timeout_ms)
        else:
            found = _open_server(address, SERVER_TIMEOUT_MS if busy_timeout_ms is None else busy_timeout_ms)
        found.address = None if found._shared else url
        return found

    @contextmanager
    def unit_of_work(self) -> Iterator[Session]:
        """One writing transaction: committed at the end of the block, rolled back when the block raises.

        The store is locked for writing from the start, so that the commit cannot fail for what another writer did.
        """
        if self.read_only:
            raise self.refusal()
        with self._turn, store_errors(self.place, self._file), Session(self._writing) as session, session.begin():
            yield session

    def refusal(self) -> StoreError:
        """Why nothing can be saved in a store that is `read_only`."""
        if self._file is not None and _is_full(self._file):
            return StoreError("The disk is full: nothing can be saved.", place=self.place, hint=_FULL_HINT)
        hint = _READ_ONLY_HINT if self._engine.dialect.name == "sqlite" else _READER_HINT
        return StoreError("The store is read-only.", place=self.place, hint=hint)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """One reading transaction: everything in the block sees the same state of the store."""
        with self._turn, store_errors(self.place, self._file), Session(self._engine) as session:
            yield session

    def close(self) -> None:
        self._engine.dispose()

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def store_errors(place: str, file: Path | None) -> Iterator[None]:
    """The database's errors as StoreErrors, and so what cannot be read because the store's file is damaged."""
    try:
        with translated_errors(place):
            yield
    except (DamagedStore, *damage.UNREADABLE) as error:
        if file is None:
            raise
        from stepscope.core.store.inspection import fault_in  # which needs the tables and what reads their rows

        what = fault_in(file)
        if not what:
            raise
        raise DamagedStore(what, place) from error


@contextmanager
def translated_errors(place: str) -> Iterator[None]:
    """Turn the database's own errors into a StoreError about `place`."""
    try:
        yield
    except DamagedStore as error:
        error.place = error.place or place
        raise
    except DBAPIError as error:
        raise _explained(error, place) from error
    except SQLAlchemyError as error:
        raise StoreError(f"The store could not do this: {error}.", place=place) from error
    except OverflowError as error:  # SQLite's driver says so of whole numbers beyond 64 bits
        raise StoreError(f"A number is too large for the store ({error}).", place=place) from error


def _explained(error: DBAPIError, place: str) -> StoreError:
    of_server = server.explained_error(error.orig)
    if of_server is not None:
        told = StoreError(of_server[0], place=place, hint=of_server[1])
        told.of_absence = server.is_absence(error.orig)
        return told
    words = str(error.orig).strip() or type(error.orig).__name__
    lower = words.lower()
    if "locked" in lower or "busy" in lower:
        message, hint = "The store is in use by another program.", "Wait until that is done, then try again."
    elif "readonly" in lower or "read-only" in lower:
        message, hint = "The store is read-only.", _READ_ONLY_HINT
    elif "not a database" in lower:
        message = f"This is not a store that can be read ({words})."
        told = StoreError(message, place=place, hint=f"Choose another with --store. If it was one: {damage.HINT}")
        told.of_damage = True
        return told
    elif damage.speaks_of_damage(words):
        return DamagedStore(words.splitlines()[0][:200], place)
    elif "full" in lower or ("disk i/o" in lower and _is_full(Path(place))):
        message, hint = "The disk is full: the last results were not saved.", "Make room, then resume the run."
    elif "disk i/o" in lower:
        message = f"The store's disk does not do what it should ({words})."
        hint = "Make room and look after the disk, then resume the run."
    elif "unable to open" in lower:
        message, hint = "The store cannot be opened.", "Check that its folder exists and can be written."
    else:
        message, hint = f"The store could not do this: {words}.", ""
    return StoreError(message, place=place, hint=hint)


def _is_full(file: Path) -> bool:
    try:
        return shutil.disk_usage(file.parent).free < _LEAST_ROOM
    except OSError:
        return False


def _address(url: str) -> URL:
    try:
        return make_url(url)
    except (ArgumentError, ValueError):  # ValueError: a port that is no number
        hint = "Give a SQLAlchemy URL such as sqlite:///results.db."
        raise StoreError(f"“{server.shown_address(url)}” is no address of a store.", hint=hint) from None


def _open_server(address: URL, wait_ms: int) -> Database:
    place = server.shown_address(address)
    try:
        engine = create_engine(address, pool_pre_ping=True)
    except (NoSuchModuleError, ModuleNotFoundError) as error:
        raise server.missing_driver(address, error) from error
    try:
        with translated_errors(place):
            server.set_up(engine, _IMMEDIATE, wait_ms)
            read_only = _prepare_server(engine, place)
    except BaseException:
        engine.dispose()
        raise
    return Database(engine, place, read_only=read_only, shared_connection=False)


def _prepare_server(engine: Engine, place: str) -> bool:
    """Make or migrate the tables when needed; returns whether they can only be read."""
    with engine.connect() as connection:
        server.check_encoding(connection, place)
        current, fixed = schema.is_current(connection, place), server.is_fixed(connection)
        if fixed:
            schema.check(connection, place)
    if not current:
        with engine.execution_options(**{_IMMEDIATE: True}).begin() as connection:
            schema.prepare(connection, place)
    return fixed


def _open_sqlite(address: URL, wait_ms: int | None) -> Database:
    name = address.database or ""
    busy_timeout_ms, making_timeout_ms = (BUSY_TIMEOUT_MS, MAKING_TIMEOUT_MS) if wait_ms is None else (wait_ms, wait_ms)
    if name in ("", ":memory:"):
        engine = _sqlite_engine(address, busy_timeout_ms, in_memory=True)
        return _prepared(engine, "memory", None)
    file = _file_of(name)
    if name.startswith("file:") or not file.exists():
        return _opened_for_writing(address, file, busy_timeout_ms, making_timeout_ms)
    if not file.is_file():
        raise StoreError("This is no file.", place=file, hint="Name the store's file, not its folder.")
    try:
        return _opened_for_writing(address, file, busy_timeout_ms, making_timeout_ms)
    except StoreError as error:
        if not _cannot_write(error):
            raise
    return _opened_unchangeable(address, file, busy_timeout_ms)


def _file_of(name: str) -> Path:
    return Path(name.removeprefix("file:").split("?")[0]) if name.startswith("file:") else Path(name)


def _cannot_write(error: StoreError) -> bool:
    """Whether it may still be read: SQLite makes files beside a store even to read it."""
    words = str(getattr(error.__cause__, "orig", "")).lower()
    return any(sign in words for sign in ("unable to open", "readonly", "disk i/o", "full"))


def _opened_for_writing(address: URL, file: Path, busy_timeout_ms: int, making_timeout_ms: int) -> Database:
    """The store opened as it is asked for; a connection that then turns out to be read-only is kept for reading. The
    folder of the user's own store is made; any other has to be there, so that a slip in an address makes no store."""
    new = not file.exists()
    if new:
        is_default = file == Path(make_url(default_store_url()).database or "")
        if not is_default and not file.parent.is_dir():
            hint = "Make the folder first, or check the address for a slip."
            raise StoreError("The store's folder does not exist.", place=file.parent, hint=hint)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            hint = "Choose another place with --store."
            raise StoreError(f"The store's folder cannot be made ({reason(error)}).", place=file, hint=hint) from error
    _make(address, file, making_timeout_ms)
    return _prepared(_sqlite_engine(address, busy_timeout_ms), str(file), file, new=new)


def _make(address: URL, file: Path, wait_ms: int) -> None:
    """Make or migrate the tables when needed and possible, or wait until another program has."""
    engine = _sqlite_engine(address, wait_ms)
    try:
        with store_errors(str(file), file):
            with engine.connect() as connection:
                current = schema.is_current(connection, str(file))
                if not current:
                    schema.load(connection)  # before the store is locked: others wait for it
            if not current:
                _prepare_sqlite(engine, str(file))
    finally:
        engine.dispose()


def _prepare_sqlite(engine: Engine, place: str) -> bool:
    """Check, make or migrate the tables; returns whether they can be written."""
    writable = _is_writable(engine)
    with engine.execution_options(**{_IMMEDIATE: writable}).connect() as connection:
        if writable:
            if not schema.is_current(connection, place):
                schema.prepare(connection, place)
        else:
            schema.check(connection, place)
        connection.commit()
    return writable


def _opened_unchangeable(address: URL, file: Path, busy_timeout_ms: int) -> Database:
    """A store in a folder where SQLite cannot put its own helper files, or on a full disk. It may be read as long as no
    writer left results in the write-ahead log, which would not be seen."""
    log = file.with_name(file.name + "-wal")
    if log.exists() and log.stat().st_size:
        if _is_full(file):
            words = "The disk is full, and the store was not closed: its last results cannot be read."
            raise StoreError(words, place=file, hint="Make room, then try again.")
        hint = "Copy the file together with those beside it (-wal, -shm) to a folder that can be written."
        raise StoreError("The store was not closed and its folder cannot be written.", place=file, hint=hint)
    quoted = str(file.absolute()).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    fixed = address.set(database=f"file:{quoted}", query={"mode": "ro", "immutable": "1", "uri": "true"})
    return _prepared(_sqlite_engine(fixed, busy_timeout_ms), str(file), file)


def _prepared(engine: Engine, place: str, file: Path | None, *, new: bool = False) -> Database:
    """The database with its schema checked, made or migrated; read-only when SQLite refuses to write. A `new` file is
    not looked through: nothing is in it that could be damaged."""
    try:
        with store_errors(place, file):
            writable = _prepare_sqlite(engine, place)
            if file is not None and not new and file.stat().st_size <= CHECKED_AT_OPENING:
                with engine.connect() as connection:
                    _check_pages(connection)
                    _check_rows(connection)
            if writable:
                _use_write_ahead_log(engine)
    except BaseException:
        engine.dispose()
        raise
    return Database(engine, place, read_only=not writable, shared_connection=file is None, file=file)


def _check_pages(connection: Connection) -> None:
    """Raise DamagedStore where the file's pages do not hang together: what is read of it could be half of the truth,
    and writing would make it worse."""
    said = str(connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar_one())
    if said != "ok":
        raise DamagedStore(said.splitlines()[-1])


def _check_rows(connection: Connection) -> None:
    """Raise DamagedStore for rows of which queries would only make other numbers."""
    from stepscope.core.store.quick_look import first_fault  # which needs the tables

    why = first_fault(lambda query: connection.exec_driver_sql(query).all())
    if why:
        raise DamagedStore(why)


def _is_writable(engine: Engine) -> bool:
    """Ask SQLite by a write that changes nothing and is rolled back (it grants its lock on a read-only file too)."""
    try:
        with engine.execution_options(**{_IMMEDIATE: True}).connect() as connection:
            unchanged = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
            connection.exec_driver_sql(f"PRAGMA user_version={int(unchanged)}")
    except DBAPIError as error:
        if "readonly" in str(error.orig).lower():
            return False
        raise
    return True


def _use_write_ahead_log(engine: Engine) -> None:
    """Readers go on while one writes. The file remembers it; where it is impossible the usual journal stays. SQLite
    does not wait for others here: whoever opens the store alone next turns it on. A disk without room for it tells so
    at the first write."""
    connection = engine.raw_connection()
    try:
        with suppress(sqlite3.OperationalError):
            connection.cursor().execute("PRAGMA journal_mode=WAL")
    finally:
        connection.close()


def _sqlite_engine(address: URL, busy_timeout_ms: int, *, in_memory: bool = False) -> Engine:
    arguments: dict[str, Any] = {"poolclass": StaticPool} if in_memory else {}
    engine = create_engine(address, connect_args={"check_same_thread": False}, **arguments)
    damage.strict_types(engine.dialect)

    @event.listens_for(engine, "connect")
    def _set_up(connection: Any, _: object) -> None:
        connection.isolation_level = None  # transactions begin where SQLAlchemy says so, see _begin
        connection.create_function("fold", 1, _fold, deterministic=True)
        for pragma in (
            f"busy_timeout={busy_timeout_ms}",
            "foreign_keys=ON",
            "synchronous=NORMAL",
            "cell_size_check=ON",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        immediate = connection.get_execution_options().get(_IMMEDIATE)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")

    return engine


def _fold(value: object) -> str | None:
    return None if value is None else str(value).casefold()
