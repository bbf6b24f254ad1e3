"""What a store on a PostgreSQL server needs beside a file's: its connections, its locks, and its errors in words.

A writing transaction takes one lock for the whole store at its start, as SQLite does: two writers, on whatever
machines, stand in a line, and none of them fails at its commit for what the other did. Readers never wait.
"""

from __future__ import annotations

import re
from typing import Any

from sqlalchemy import Connection, Engine, event, text
from sqlalchemy.engine import URL

from stepscope.core.errors import StoreError

CONNECT_SECONDS = 10
LOCK = 0x57E9_5C09
"""Number of the lock; it belongs to the one database."""

_KEEP_ALIVE = "SET tcp_keepalives_idle = 60; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3"
"""A machine that vanished is noticed within 90 s, so that its lock is not held for hours."""
_NOTICE_SILENCE = {
    "keepalives_idle": 60, "keepalives_interval": 10, "keepalives_count": 3, "tcp_user_timeout": 90_000,
}  # fmt: skip
"""And so is a server that vanished, by whoever waits for what it says."""

_FIXED = text(
    "SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean"
    " OR coalesce(NOT has_table_privilege(to_regclass('run'), 'INSERT'), false)"
)

_UNREACHABLE = "Check that the server runs, and host and port of --store."
_SIGN_IN = "Check user and password of --store; a password may also stand in ~/.pgpass or PGPASSWORD."
_ASK_FOR_TLS = "Turn it on at the server (ssl = on), or take sslmode out of --store."
_TRUST = (
    "Name in --store the certificate of the authority that signed the server's, by sslrootcert=FILE, and the host as "
    "the certificate has it."
)
_RIGHTS = "Ask the owner of the database for the right to make, read and write its tables."

_REFUSED = re.compile(r"password|role \".*\" does not exist|pg_hba|authentication|client certificate")
_NO_TLS = re.compile(r"does not support SSL|SSL was required")
_UNTRUSTED = re.compile(r"(?<!client )certificate")
_LOST = re.compile(
    r"server closed|connection (was|is|has been) (lost|closed)|connection (reset|timed out)|EOF detected", re.IGNORECASE
)
_UNREACHED = re.compile(r"connection (failed|is bad|timeout)|failed to resolve|could not (connect|translate)")

_BY_STATE = {
    "25006": ("The store is read-only.", "Choose another with --store."),
    "53100": ("The server's disk is full: the last results were not saved.", "Make room, then resume the run."),
    "53300": ("The server has no connection left.", "Close other programs that use it, then try again."),
    "55P03": ("The store is in use by another program.", "Wait until that is done, then try again."),
}
"""What SQLSTATEs mean here (PostgreSQL's appendix A)."""


def shown_address(url: URL | str) -> str:
    """An address as it may be shown: without its password."""
    whole = url if isinstance(url, str) else url.render_as_string(hide_password=True)
    hidden = re.sub(r"(:/*[^:/?#@]*):.*@", r"\1:***@", whole)
    return re.sub(r"((?:^|[?&])\w*password=)[^&]*", r"\1***", hidden, flags=re.IGNORECASE)


def missing_driver(address: URL, error: Exception) -> StoreError:
    backend = address.drivername.partition("+")[0]
    if backend == "postgresql":
        hint = "Install it with: python -m pip install 'stepscope[postgresql]', and write postgresql+psycopg://…"
        return StoreError(f"The driver for PostgreSQL is not here ({error}).", place=shown_address(address), hint=hint)
    hint = "Use sqlite:///FILE or postgresql+psycopg://USER@HOST/DATABASE, or install the database's Python driver."
    return StoreError(f"There is no driver for this database ({error}).", place=shown_address(address), hint=hint)


def set_up(engine: Engine, writing: str, wait_ms: int) -> None:
    """Prepare the engine's connections. Transactions with the execution option `writing` take the store's lock, and
    wait for it and for any other `wait_ms`; all others read one state of the store."""
    if engine.dialect.name != "postgresql":
        return
    lock = f"SET LOCAL lock_timeout = {wait_ms}; SELECT pg_advisory_xact_lock({LOCK})"

    @event.listens_for(engine, "do_connect")
    def _ask(_dialect: Any, _record: Any, _arguments: Any, parameters: dict[str, Any]) -> None:
        if engine.dialect.driver in ("psycopg", "psycopg2"):
            parameters.setdefault("connect_timeout", CONNECT_SECONDS)
            parameters.setdefault("application_name", "stepscope")
            for name, value in _NOTICE_SILENCE.items():
                parameters.setdefault(name, value)
            parameters["client_encoding"] = "utf8"

    @event.listens_for(engine, "connect")
    def _connected(connection: Any, _: object) -> None:
        connection.cursor().execute(_KEEP_ALIVE)
        connection.commit()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        if connection.get_execution_options().get(writing):
            connection.exec_driver_sql(lock)
        else:
            connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")


def check_encoding(connection: Connection, place: str) -> None:
    """Raise StoreError for a database that cannot hold every character."""
    if connection.dialect.name != "postgresql":
        return
    encoding = connection.exec_driver_sql("SHOW server_encoding").scalar_one()
    if encoding != "UTF8":
        hint = "Make one with: createdb --encoding=UTF8 --locale=C.UTF-8 --template=template0 NAME"
        raise StoreError(f"This database holds {encoding}, not UTF8 text.", place=place, hint=hint)


def is_fixed(connection: Connection) -> bool:
    """Whether this user can read here and write nothing: a copy of the server, or no right to write."""
    return connection.dialect.name == "postgresql" and bool(connection.execute(_FIXED).scalar())


def explained_error(error: BaseException | None) -> tuple[str, str] | None:
    """Message and hint for an error of the server or of the way to it, None for one that says nothing special."""
    state, words = _state_and_words(error)
    last = words.splitlines()[0].rpartition("failed: ")[2].strip() if words else type(error).__name__
    reason = re.sub(r"^(FATAL|ERROR):\s+", "", last)
    if state in _BY_STATE:
        return _BY_STATE[state]
    if state == "2201B":
        return f"PostgreSQL cannot use this pattern ({reason}).", "Write it without what only Python knows."
    if state == "42501":
        return f"This is not allowed to the store's user ({reason}).", _RIGHTS
    if state == "3D000" or re.search(r'database ".*" does not exist', reason):
        return "There is no such database on the server.", "Make it with 'createdb NAME', or correct --store."
    if _NO_TLS.search(words):
        return f"The server does not speak TLS ({reason}).", _ASK_FOR_TLS
    if _UNTRUSTED.search(words):
        return f"The server is not who it says it is, as far as can be told ({reason}).", _TRUST
    if state.startswith("28") or _REFUSED.search(reason):
        return f"The server does not let this user in ({reason}).", _SIGN_IN
    if _is_lost(state, words):
        return (
            f"The connection to the server was lost ({reason}).",
            "What was saved is kept. Try again when it is back.",
        )
    if _UNREACHED.match(words):
        return f"The server cannot be reached ({reason}).", _UNREACHABLE
    return None


def is_absence(error: BaseException | None) -> bool:
    """Whether the error says that the server is away, stopped or out of reach, and not that it refused something."""
    state, words = _state_and_words(error)
    refused = state.startswith(("28", "3D")) or any(sign.search(words) for sign in (_REFUSED, _NO_TLS, _UNTRUSTED))
    return not refused and (_is_lost(state, words) or bool(_UNREACHED.match(words)))


def _state_and_words(error: BaseException | None) -> tuple[str, str]:
    return str(getattr(error, "sqlstate", None) or ""), str(error).strip()


def _is_lost(state: str, words: str) -> bool:
    return state.startswith(("08", "57P")) or bool(_LOST.search(words))
