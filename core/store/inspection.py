"""Finds out what is wrong with a store's file when something could not be read: holds every row against its table."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from stepscope.core.store.damage import speaks_of_damage
from stepscope.core.store.integrity import TABLES, fault
from stepscope.core.store.quick_look import rows_apart


def fault_in(file: Path) -> str:
    """What is wrong with the store in this SQLite file, with table and row where that is known; "" for a sound one, and
    for one that cannot be looked at."""
    uri = f"{file.absolute().as_uri()}?mode=ro"
    try:
        connection = sqlite3.connect(uri, uri=True)
    except sqlite3.Error:
        return ""
    try:
        said = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if said != "ok":
            return str(said).splitlines()[-1]
        return _unsound_row(connection)
    except sqlite3.DatabaseError as error:
        return str(error) if speaks_of_damage(str(error)) else ""
    except UnicodeDecodeError:  # in the words of an error
        return "a name in it is no text"
    finally:
        connection.close()


def _unsound_row(connection: sqlite3.Connection) -> str:
    for name, table in TABLES.items():
        columns = [column.name for column in table.c]
        there = {row[1] for row in connection.execute(f"PRAGMA table_info({name})")}
        rows = connection.execute(f"SELECT {', '.join(c for c in columns if c in there)} FROM {name}") if there else ()
        names = [c for c in columns if c in there]
        key = [column.name for column in table.primary_key]
        try:
            for row in rows:
                form = dict(zip(names, row, strict=True))
                why = fault(name, form)
                if why:
                    which = ", ".join(str(form[part])[:40] for part in key)
                    return f"row {which} of the table {name} cannot be read ({why})"
        except sqlite3.DatabaseError as error:
            return f"the table {name} cannot be read ({error})"
    return rows_apart(connection.execute)
