"""The version of a store's tables: making them, migrating an older store, refusing a newer one.

Alembic is imported only when there is something to migrate: a new SQLite file gets at once what the migrations would
make of it, statement by statement from `NEWEST`.
"""

from __future__ import annotations

import importlib
import re
from pathlib import Path

from sqlalchemy import Connection, inspect, text

from stepscope.core.errors import StoreError
from stepscope.core.store.tables import SCHEMA

MIGRATIONS = Path(__file__).parent / "migrations"
NEWEST = MIGRATIONS / "newest.sqlite.sql"
"""What all migrations together make of an empty SQLite file; `tests/data/schemas/make.py` writes it."""


def version(connection: Connection) -> str | None:
    """The store's schema version, None when there is none yet."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return None if found is None else str(found)


def is_current(connection: Connection, place: str) -> bool:
    """Whether nothing has to be done. Raises StoreError for a newer store and for a database of something else."""
    found = version(connection)
    foreign = inspect(connection).get_table_names() if found is None else not re.fullmatch(r"\d{4}", found)
    if foreign:
        hint = "Nothing was changed. Choose another with --store."
        raise StoreError("This database belongs to another program.", place=place, hint=hint)
    if found is not None and found > SCHEMA:
        hint = "Nothing was changed. Update Stepscope, or choose another store with --store."
        raise StoreError(f"The store was made by a newer version (schema {found}).", place=place, hint=hint)
    return found == SCHEMA


def check(connection: Connection, place: str) -> None:
    """Raise StoreError unless a store that cannot be written can be used as it is."""
    if is_current(connection, place):
        return
    found = version(connection)
    hint = "Copy it to where it can be written and open the copy."
    if found is None:
        raise StoreError("The store is empty and cannot be written.", place=place, hint=hint)
    raise StoreError(f"The store must be updated (schema {found}) but cannot be written.", place=place, hint=hint)


def load(connection: Connection) -> None:
    """Import what `prepare` works with: it takes longer than the work."""
    if not _is_new_file(connection):
        importlib.import_module("alembic.command")


def _is_new_file(connection: Connection) -> bool:
    return connection.dialect.name == "sqlite" and version(connection) is None


def prepare(connection: Connection, place: str) -> None:
    """Make or migrate the tables inside the connection's transaction; the caller commits."""
    if is_current(connection, place):
        return
    if _is_new_file(connection):
        for statement in _statements(NEWEST.read_text("utf-8")):
            connection.exec_driver_sql(statement)
    else:
        migrate(connection)


def migrate(connection: Connection) -> None:
    """Run the migrations that the store has not had, all of them on an empty one; the caller commits."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _statements(script: str) -> list[str]:
    """The statements of a script, each of which ends with a semicolon and an empty line; comments begin a line."""
    plain = "\n".join(line for line in script.splitlines() if not line.startswith("--"))
    return [one.strip() for one in f"{plain}\n".split(";\n\n") if one.strip()]
