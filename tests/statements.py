"""Statements are compiled once a test process, not anew for the store of every test.

SQLAlchemy keeps what it compiled by engine, and a test's store has an engine of its own. All SQLite engines of a
process speak one dialect with the same settings: what was compiled for one holds for the others.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Engine, event


class SharedStatements(dict[Any, Any]):
    """Compiled statements by SQLAlchemy's key, of whose first part, the dialect of one engine, only what can differ is
    kept: whether its types are the store's strict ones."""

    def get(self, key: tuple[Any, ...], default: Any = None) -> Any:
        return super().get(_shared(key), default)

    def __setitem__(self, key: tuple[Any, ...], compiled: Any) -> None:
        super().__setitem__(_shared(key), compiled)


def _shared(key: tuple[Any, ...]) -> tuple[Any, ...]:
    dialect, *rest = key
    return (type(dialect), "colspecs" in vars(dialect), *rest)


def share_statements() -> None:
    """From now on, for all SQLite engines of this process from their second connection on."""
    shared = SharedStatements()

    @event.listens_for(Engine, "engine_connect")
    def _connected(connection: Connection) -> None:
        engine = connection.engine
        if engine.dialect.name == "sqlite" and "compiled_cache" not in engine.get_execution_options():
            engine.update_execution_options(compiled_cache=shared)
