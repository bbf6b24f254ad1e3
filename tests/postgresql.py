"""Debian's own PostgreSQL for the tests: a server of this test process alone, in a temporary folder.

`STEPSCOPE_POSTGRESQL=off` leaves these tests out; so does a machine without the server or the driver.
"""

from __future__ import annotations

import importlib.util
import itertools
import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import URL, create_engine, make_url, text

from stepscope.core.store import ask_tables, campaign_tables  # noqa: F401 - they are among those that are emptied
from stepscope.core.store.tables import Base

VARIABLE = "STEPSCOPE_POSTGRESQL"
USER, PASSWORD = "tester", "s3cret/of:me@50%"
SETTINGS = {
    "fsync": "off", "synchronous_commit": "off", "full_page_writes": "off",
    "max_connections": "30", "timezone": "Asia/Tokyo",
}  # fmt: skip
"""Nothing has to survive a power cut. The zone is none of ours, so that a time that follows it is noticed."""

_number = itertools.count(1)


@dataclass
class Server:
    """A server that listens on a port of the loopback, with a password, and on a socket, without one."""

    folder: Path
    port: int
    settings: Mapping[str, object] = field(default_factory=lambda: SETTINGS)
    _template: str = field(default="")
    _stores: list[Store] = field(default_factory=list)
    _process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it, and wait until it lets people in. A test that stops and starts has a server of its own."""
        programs = _programs()
        assert programs is not None
        self._process = _started(programs, self)
        # nobody reads what it says from now on, and a server whose words have no room waits for ever
        self.execute("ALTER SYSTEM SET log_min_messages = 'panic'", "SELECT pg_reload_conf()")

    def stop(self) -> None:
        """End it and everybody's connection."""
        process, self._process = self._process, None
        if process is None:
            return
        self.execute("ALTER SYSTEM RESET log_min_messages")  # else it could not be read that it has started again
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=5)
        process.kill()
        process.wait()
        assert process.stderr
        process.stderr.close()

    def url(self, database: str = "postgres", *, password: str | None = None, user: str = USER) -> str:
        """By the socket, or by the port when a password is given."""
        address = URL.create("postgresql+psycopg", user, database=database)
        if password is None:
            address = address.update_query_dict({"host": str(self.folder), "port": str(self.port)})
        else:
            address = address.set(host="127.0.0.1", port=self.port, password=password)
        return address.render_as_string(hide_password=False)

    def execute(self, *statements: str, database: str = "postgres") -> None:
        engine = create_engine(self.url(database), isolation_level="AUTOCOMMIT")
        try:
            with engine.connect() as connection:
                for statement in statements:
                    connection.execute(text(statement))
        finally:
            engine.dispose()

    @contextmanager
    def database(self, *, empty: bool = False) -> Iterator[str]:
        """The URL of a new database, with the store's tables unless it is to be `empty`; dropped at the end."""
        name = f"stepscope_{next(_number)}"
        template = "template0" if empty else self._stocked_template()
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        try:
            yield self.url(name)
        finally:
            self.execute(f"DROP DATABASE {name} WITH (FORCE)")

    @contextmanager
    def reader(self, url: str) -> Iterator[str]:
        """The URL of the same store for a user who may only read, as docs/store.md makes one."""
        database = str(make_url(url).database)
        name = f"reader_of_{database}"
        self.execute(
            f"CREATE ROLE {name} LOGIN", f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {name}", database=database
        )
        try:
            yield self.url(database, user=name)
        finally:
            self.execute(f"DROP OWNED BY {name}", f"DROP ROLE {name}", database=database)

    @contextmanager
    def store(self) -> Iterator[str]:
        """The URL of an empty store. A database takes longer to make than most tests: it is emptied for the next test,
        unless this one changed more than rows."""
        store = self._stores.pop() if self._stores else Store(self.database())
        yield store.url
        if store.emptied():
            self._stores.append(store)
        else:
            store.close()

    def close(self) -> None:
        """Give up the stores that wait for another test."""
        while self._stores:
            self._stores.pop().close()

    def _stocked_template(self) -> str:
        """Making the tables takes longer than most tests: they are copied."""
        from stepscope.core.store.engine import Database

        if not self._template:
            self.execute("CREATE DATABASE stepscope_template TEMPLATE template0")
            Database.open(self.url("stepscope_template")).close()
            self._template = "stepscope_template"
        return self._template


class Store:
    """A database with the store's tables, and a connection that empties them."""

    def __init__(self, database: AbstractContextManager[str]) -> None:
        self._made = ExitStack()
        self.url = self._made.enter_context(database)
        engine = create_engine(self.url, isolation_level="AUTOCOMMIT")
        self._made.callback(engine.dispose)
        self._connection = self._made.enter_context(engine.connect())
        self._tables = [table.name for table in reversed(Base.metadata.sorted_tables)]
        self._form = self._connection.scalar(_FORM)

    def emptied(self) -> bool:
        """Whether it could be made what it was; whoever is still connected is sent away."""
        self._connection.execute(_SEND_AWAY)
        if self._connection.scalar(_FORM) != self._form:
            return False
        for table in self._tables:
            self._connection.execute(text(f"DELETE FROM {table}"))
        self._connection.execute(_COUNT_ANEW)
        return True

    def close(self) -> None:
        self._made.close()


_SEND_AWAY = text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
    "AND pid <> pg_backend_pid()"
)
_COUNT_ANEW = text("SELECT setval(oid::regclass, 1, false) FROM pg_class WHERE relkind = 'S'")
_FORM = text(
    "SELECT (SELECT version_num FROM alembic_version) || (SELECT md5(string_agg(concat(attrelid, attname, atttypid, "
    "attnotnull, attnum), ' ' ORDER BY attrelid, attnum)) FROM pg_attribute WHERE attrelid >= 16384) || "
    "(SELECT md5(coalesce(string_agg(pg_get_constraintdef(oid), ' ' ORDER BY oid), '')) FROM pg_constraint) || "
    "(SELECT coalesce(string_agg(setconfig::text, ' '), '') FROM pg_db_role_setting)"
)
"""The version of the tables, their columns, constraints and settings as one text."""


def missing() -> str:
    """Why there can be no server here, "" when there can."""
    if os.environ.get(VARIABLE) == "off":
        return f"{VARIABLE} is off"
    if importlib.util.find_spec("psycopg") is None:
        return "psycopg is not installed"
    if _programs() is None:
        return "PostgreSQL is not installed"
    return "setpriv is not here" if shutil.which("setpriv") is None else ""


@contextmanager
def server(settings: Mapping[str, object] | None = None) -> Iterator[Server]:
    """A server that runs, with other settings than the usual where they are given."""
    programs = _programs()
    assert programs is not None
    folder = Path(tempfile.mkdtemp(prefix="stepscope-pg-"))  # short: a socket's path has 107 characters at most
    try:
        _initialise(programs, folder)
        running = Server(folder, _free_port(), {**SETTINGS, **(settings or {})})
        try:
            running.start()
            yield running
            running.close()
        finally:
            running.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _programs() -> Path | None:
    """The folder of the newest server's programs."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


def _as_owner(*command: object) -> list[str]:
    """The command as a user that PostgreSQL runs under (root is none), ended when this process ends."""
    who = ["--reuid=postgres", "--regid=postgres", "--init-groups"] if os.geteuid() == 0 else []
    return ["setpriv", *who, "--pdeathsig=QUIT", "--", *map(str, command)]


def _initialise(programs: Path, folder: Path) -> None:
    given = folder / "password"
    given.write_text(PASSWORD + "\n")
    if os.geteuid() == 0:
        for path in (folder, given):
            shutil.chown(path, "postgres", "postgres")
    options = ("-N", "-U", USER, "-E", "UTF8", "--locale=C.UTF-8", "--auth-local=trust", "--auth-host=scram-sha-256")
    command = _as_owner(programs / "initdb", "-D", folder / "data", *options, f"--pwfile={given}")
    subprocess.run(command, check=True, capture_output=True, cwd="/", timeout=60)


def _started(programs: Path, server: Server) -> subprocess.Popen[str]:
    places = {"port": server.port, "listen_addresses": "127.0.0.1", "unix_socket_directories": server.folder}
    options = [word for name, value in {**server.settings, **places}.items() for word in ("-c", f"{name}={value}")]
    command = _as_owner(programs / "postgres", "-D", server.folder / "data", *options)
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, cwd="/")
    assert process.stderr
    said = []
    for line in process.stderr:
        said.append(line)
        if "ready to accept connections" in line:
            return process
    raise AssertionError("PostgreSQL did not start: " + "".join(said))


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
