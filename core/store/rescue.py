"""The rescue of a damaged store: what can be read of it is copied into a new one.

The damaged file is only read, page by page (`core.store.pages`): a page that is lost costs what lay on it. Every row is
held against what the program writes (`core.store.integrity`); what fails is left out and counted. The index of the data
is left out as well: it is made anew when the data is opened.
"""

from __future__ import annotations

import mmap
import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import field
from pathlib import Path
from typing import Any

from stepscope.core.domain.run import RunState
from stepscope.core.drafts import reason
from stepscope.core.errors import StoreError, UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken, Progress, ProgressMeter
from stepscope.core.settings import store_url
from stepscope.core.store.engine import Database
from stepscope.core.store.integrity import TABLES, fault
from stepscope.core.store.pages import DatabasePageError, PageFile, PageWalkReport, TableRecord
from stepscope.core.store.tables import SCHEMA

INDEX = frozenset({"source", "episode", "steps", "step_text", "problem"})
"""Tables that are made anew from the data."""

_WANTED = tuple(name for name in TABLES if name not in INDEX)
_AT_ONCE = 500
_UNFINISHED = (RunState.QUEUED, RunState.RUNNING, RunState.PAUSED)


@dataclass(frozen=True, slots=True)
class RescuedRun:
    """A run in the new store. `missing` counts its lost items, None where it is not known how many it had."""

    run_id: str
    model: str
    task: str
    state: RunState
    items: int
    missing: int | None
    message: str


@dataclass(slots=True)
class RescueReport:
    """`copied` rows by table; `skipped` rows by table and why; `pages` that are no pages any more; `cells` on readable
    pages that are no rows."""

    copied: Counter[str] = field(default_factory=Counter)
    skipped: Counter[tuple[str, str]] = field(default_factory=Counter)
    runs: list[RescuedRun] = field(default_factory=list)
    pages: int = 0
    cells: int = 0

    @property
    def whole(self) -> bool:
        """Whether nothing was lost, as far as can be told."""
        return not (self.skipped or self.pages or self.cells or any(run.missing for run in self.runs))


@dataclass(frozen=True, slots=True)
class RescueUpdate:
    """The number of pages of the damaged store that were read; `report` comes with the last update."""

    progress: Progress
    report: RescueReport | None = None


def rescue(damaged: Path, out: Path, *, token: CancelToken | None = None) -> Iterator[RescueUpdate]:
    """Copy what can be read of `damaged` into the new store `out`; yields after every page.

    When the token is cancelled it ends early without `out`. Raises UsageError where `out` is there, StoreError for a
    file that has nothing of a store, for a newer store, and when `out` cannot be written.
    """
    if out.exists():
        raise UsageError("There is a file already.", place=out, hint="Name one that is not there yet.")
    try:
        folder = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
    except OSError as error:
        raise StoreError(f"Nothing can be written here ({reason(error)}).", place=out, hint=_ROOM) from error
    fresh = folder / "new.db"
    try:
        with Database.open(store_url(fresh)):
            pass
        with _mapped(damaged, folder) as data, closing(sqlite3.connect(fresh)) as new:
            work = _TableRescue(data, damaged, new)
            meter = ProgressMeter(work.pages.count)
            for _ in work.rows():
                yield RescueUpdate(meter.advance(min(1, work.pages.count - meter.done)))
                if token is not None and token.cancelled:
                    return
            work.mend()
            new.commit()
            new.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        fresh.replace(out)
        meter.done = work.pages.count
        yield RescueUpdate(meter.snapshot(), work.report)
    except StoreError as error:
        if error.place == str(fresh):  # a name that is gone again
            raise StoreError(error.message, place=out, hint=_ROOM) from error
        raise
    except sqlite3.Error as error:
        raise StoreError(f"The new store cannot be written ({error}).", place=out, hint=_ROOM) from error
    except OSError as error:
        words = f"The store cannot be copied ({reason(error)})."
        raise StoreError(words, place=error.filename or out, hint=_ROOM) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


_ROOM = "Make room, or name another place with -o. The damaged store is as it was."


@contextmanager
def _mapped(damaged: Path, folder: Path) -> Iterator[mmap.mmap]:
    """The store's bytes, with what its write-ahead log holds where that can be read; the file itself stays as it is."""
    log = damaged.with_name(damaged.name + "-wal")
    file = damaged
    if log.is_file() and log.stat().st_size:
        file = folder / "damaged.db"
        shutil.copyfile(damaged, file)
        shutil.copyfile(log, folder / "damaged.db-wal")
        try:
            with closing(sqlite3.connect(file)) as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.DatabaseError:  # the log is no use: what is in the file itself is left
            file = damaged
    if not file.stat().st_size:
        raise StoreError("The file is empty: there is nothing to rescue.", place=damaged)
    with file.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        yield data


@dataclass(frozen=True, slots=True)
class _TableLayout:
    """The layout of a table's rows in the file: `columns` in the file's order with what stands for those that a short
    row does not have; `key` is the column that is the row's number."""

    table: str
    columns: tuple[str, ...]
    defaults: tuple[Any, ...]
    shortest: int
    key: str
    numbered: bool

    def row(self, record: TableRecord) -> dict[str, Any] | None:
        """The row by column, None for a record that cannot be one of this table."""
        if (record.rowid is not None) is not self.numbered:
            return None
        if not self.shortest <= len(record.values) <= len(self.columns):
            return None
        values = (*record.values, *self.defaults[len(record.values) :])
        row = dict(zip(self.columns, values, strict=True))
        if self.key:
            if row[self.key] is not None:
                return None
            row[self.key] = record.rowid
        return row


class _TableRescue:
    """Rows of the damaged pages into the new store."""

    def __init__(self, data: mmap.mmap, damaged: Path, new: sqlite3.Connection) -> None:
        try:
            self.pages = PageFile(data)
        except DatabasePageError as error:
            raise StoreError("There is nothing of a store in this file.", place=damaged) from error
        self.report = RescueReport()
        self._met, self._new = PageWalkReport(), new
        self._waiting: list[tuple[str, dict[str, Any]]] = []
        new.execute("PRAGMA foreign_keys=OFF")
        self._roots = self._catalogue()
        self._layouts = self._read_layouts()
        self._check(damaged)

    def _catalogue(self) -> dict[str, tuple[str, int, str]]:
        """The kind, root page and SQL of everything in the file, by name."""
        found = {}
        for number in self.pages.leaves(1, self._met):
            for record in self.pages.records(number, self._met):
                match record.values:
                    case [str(kind), str(name), str(), int(root), str() | None as sql]:
                        found[name] = kind, root, sql or ""
        return found

    def _read_layouts(self) -> dict[str, _TableLayout]:
        fresh = dict(self._new.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'"))
        return {
            name: _layout(name, self._roots.get(name, ("", 0, ""))[2]) or _needed(_layout(name, fresh[name]))
            for name in (*_WANTED, *INDEX)
        }

    def _check(self, damaged: Path) -> None:
        """Raises StoreError for another program's database and for a newer store."""
        ours = self._roots.keys() & set(_WANTED)
        if self._roots and not ours:
            raise StoreError("This database belongs to another program.", place=damaged, hint="There is no run in it.")
        kind, root, _ = self._roots.get("alembic_version", ("", 0, ""))
        for number in self.pages.leaves(root, PageWalkReport()) if kind else ():
            for record in self.pages.records(number, PageWalkReport()):
                said = record.values[0] if record.values else None
                if isinstance(said, str) and len(said) == 4 and said.isdecimal() and said > SCHEMA:
                    hint = "Update Stepscope, and rescue it then."
                    raise StoreError(
                        f"The store was made by a newer version (schema {said}).", place=damaged, hint=hint
                    )

    def rows(self) -> Iterator[None]:
        """Copy all rows; yields after every page."""
        for name, (_, root, _) in self._roots.items():
            layout = self._layouts.get(name) if name in _WANTED else None
            for number in self.pages.leaves(root, self._met) if root else ():
                if layout is not None:
                    self._take(number, [layout])
                yield
        for number in self.pages.orphans():
            self._take(number, [self._layouts[name] for name in _WANTED], lost=True)
            yield
        self._write()
        self.report.pages, self.report.cells = self._met.pages, self._met.cells

    def _take(self, number: int, layouts: Sequence[_TableLayout], *, lost: bool = False) -> None:
        """The rows of a page, for the table that takes the most of them. A page that is `lost` belongs to the only
        table that takes any; one of whose rows its own table takes none may be another's."""
        records = list(self.pages.records(number, PageWalkReport() if lost else self._met))
        found = []
        for layout in layouts:
            rows = [layout.row(record) for record in records]
            faults = ["it is no row of this table" if row is None else fault(layout.table, row) for row in rows]
            found.append((sum(not one for one in faults), layout.table, rows, faults))
        found.sort(key=lambda one: -one[0])
        sound, table, rows, faults = found[0]
        if lost and (not sound or (len(found) > 1 and found[1][0] == sound)):
            return
        if records and not sound and self.pages.seen:
            self.pages.seen.discard(number)
        for row, why in zip(rows, faults, strict=True):
            if not why and row is not None:
                self._waiting.append((table, row))
            elif not lost:
                self.report.skipped[table, why] += 1
        if len(self._waiting) >= _AT_ONCE:
            self._write()

    def _write(self) -> None:
        for table, row in self._waiting:
            there = [column.name for column in TABLES[table].c if column.name in row]
            form = {name: row[name] for name in there} | _of_older(table, row)
            names, marks = ", ".join(form), ", ".join("?" * len(form))
            done = self._new.execute(f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks})", [*form.values()])
            if not done.rowcount:
                self.report.skipped[table, "another row has its place"] += 1
        self._waiting = []

    def mend(self) -> None:
        """Leave out what hangs on rows that are lost, and say of each run how much of it there is."""
        self._find_own_rules()
        for table, column, parent in _BELONGS:
            self._drop(table, f"{column} NOT IN (SELECT id FROM {parent})", f"its {parent} is lost")
        no_score = (
            "id NOT IN (SELECT s.prediction_id FROM score s JOIN scoring r ON r.id = s.scoring_id WHERE r.own "
            "AND r.run_id = prediction.run_id)"
        )
        self._drop("prediction", no_score, "its score is lost")
        for table in ("score", "prediction_picture", "model_call", "cause_label"):
            self._drop(table, "prediction_id NOT IN (SELECT id FROM prediction)", "its prediction is lost")
        rows = self._new.execute("SELECT id, model, task, state, total FROM run ORDER BY created, id").fetchall()
        self.report.runs = [self._mended(*row) for row in rows]
        for table in _WANTED:
            count = self._new.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            if count:
                self.report.copied[table] = count

    def _drop(self, table: str, condition: str, why: str) -> None:
        gone = self._new.execute(f"DELETE FROM {table} WHERE {condition}").rowcount
        if gone:
            self.report.skipped[table, why] += gone

    def _find_own_rules(self) -> None:
        """The row of a run's own rule says nothing that the run does not say: it is made anew where all scores without
        a rule are under the same one."""
        query = (
            "SELECT p.run_id, min(s.scoring_id) FROM score s JOIN prediction p ON p.id = s.prediction_id "
            "WHERE s.scoring_id NOT IN (SELECT id FROM scoring) AND p.run_id NOT IN "
            "(SELECT run_id FROM scoring WHERE own) GROUP BY p.run_id HAVING count(DISTINCT s.scoring_id) = 1"
        )
        for run_id, rule in self._new.execute(query).fetchall():
            self._new.execute(
                "INSERT OR IGNORE INTO scoring (id, run_id, scorer, scorer_version, options, own, changed) "
                "SELECT ?, id, protocol, scorer_version, options, 1, 0 FROM run WHERE id = ?",
                [rule, run_id],
            )

    def _mended(self, run_id: str, model: str, task: str, state: str, total: int | None) -> RescuedRun:
        count = "SELECT count(*) FROM prediction WHERE run_id = ?"
        items = self._new.execute(count, [run_id]).fetchone()[0]
        has_episodes = self._new.execute("SELECT 1 FROM selection WHERE run_id = ?", [run_id]).fetchone() is not None
        found, message = RunState(state), ""
        missing = max(0, total - items) if total is not None and found is RunState.DONE else None
        if found in _UNFINISHED:
            found, message = RunState.INTERRUPTED, "It was rescued from a damaged store."
        if missing:
            lost = f"{missing} of {total} items were lost with a damaged store"
            found, message = RunState.INTERRUPTED, f"{lost}: resuming does them again."
        if not has_episodes and found is not RunState.DONE:
            message = "Which episodes it is about was lost with a damaged store: it cannot be resumed."
            found = RunState.FAILED
        if message:
            self._new.execute(
                "UPDATE run SET state = ?, message = ?, finished = NULL, worker_host = '', worker_pid = NULL, "
                "worker_started = '', worker_claim = '', worker_machine = '', heartbeat = NULL WHERE id = ?",
                [found.value, message, run_id],
            )
        return RescuedRun(run_id, model, task, found, items, missing, message)


_BELONGS = (
    ("selection", "run_id", "run"),
    ("scoring", "run_id", "run"),
    ("prediction", "run_id", "run"),
    ("prediction_picture", "prediction_id", "prediction"),
    ("model_call", "prediction_id", "prediction"),
    ("cause_label", "prediction_id", "prediction"),
    ("sent_text", "run_id", "run"),
    ("sent_picture", "run_id", "run"),
    ("score", "scoring_id", "scoring"),
    ("score", "prediction_id", "prediction"),
    ("campaign_app", "campaign_id", "campaign"),
    ("campaign_annotator", "campaign_id", "campaign"),
    ("campaign_goal", "app_id", "campaign_app"),
    ("campaign_pair", "app_id", "campaign_app"),
    ("campaign_pair", "goal_id", "campaign_goal"),
    ("campaign_assignment", "pair_id", "campaign_pair"),
    ("campaign_assignment", "annotator_id", "campaign_annotator"),
    ("campaign_demonstration", "assignment_id", "campaign_assignment"),
)
"""Which table's rows hang on which other's, from above."""


def _layout(table: str, sql: str) -> _TableLayout | None:
    """How rows of the table lie in the file, None where the SQL is lost."""
    try:
        with closing(sqlite3.connect(":memory:")) as scratch:
            scratch.execute(sql)
            info = scratch.execute(f"PRAGMA table_info({table})").fetchall()
            defaults = [scratch.execute(f"SELECT {row[4]}").fetchone()[0] if row[4] else None for row in info]
    except (sqlite3.Error, sqlite3.Warning, ValueError):
        return None
    if not info:
        return None
    numbered = "WITHOUT ROWID" not in sql.upper()
    order = (
        sorted(range(len(info)), key=lambda n: (not info[n][5], info[n][5], n)) if not numbered else range(len(info))
    )
    keys = [row for row in info if row[5]]
    key = keys[0][1] if numbered and len(keys) == 1 and keys[0][2].upper() == "INTEGER" else ""
    needed = [place for place, n in enumerate(order) if info[n][3] and defaults[n] is None]
    columns, values = tuple(info[n][1] for n in order), tuple(defaults[n] for n in order)
    return _TableLayout(table, columns, values, 1 + max(needed, default=0), key, numbered)


def _needed(layout: _TableLayout | None) -> _TableLayout:
    assert layout is not None
    return layout


def _of_older(table: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """What columns that an older store did not have are by default."""
    found = {}
    for column in TABLES[table].c:
        if column.name not in row and not column.nullable:
            given = getattr(column.default, "arg", 0)
            found[column.name] = 0 if callable(given) else given
    return found
