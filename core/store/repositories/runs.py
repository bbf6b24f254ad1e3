"""Runs: their settings, their state, and who works on them."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta

from sqlalchemy import ColumnElement, delete, func, select, update
from sqlalchemy.orm import Session

from stepscope.core.domain.machine import MachineFacts
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import Run, RunLabels, RunSpec, RunState
from stepscope.core.errors import StoreError, UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.store import column_files
from stepscope.core.store.codec import compact, options_from_text, options_to_text
from stepscope.core.store.tables import PredictionRow, RunRow, ScoringRow, SelectionRow, SessionRow
from stepscope.core.store.worker import WorkerClaim
from stepscope.core.typed_forms import dataclass_of

UNFINISHED = (RunState.QUEUED, RunState.RUNNING, RunState.PAUSED)
"""States in which somebody should be at work."""

MOST_MACHINES = 20
"""Machines of a run that are kept, the latest."""
_ID_LENGTH = 10
_CLOCK_SLACK = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class ClaimedRun:
    """An unfinished run and who claimed it last."""

    run_id: str
    state: RunState
    worker: WorkerClaim
    heartbeat: datetime | None


def new_id() -> str:
    """An id that no run has, here or on another machine."""
    return uuid.uuid4().hex[:_ID_LENGTH]


def add(
    db: Session,
    spec: RunSpec,
    episodes: Sequence[str],
    worker: WorkerClaim,
    *,
    total: int | None = None,
    now: datetime | None = None,
) -> str:
    """A new queued run over the episodes, claimed by the worker; returns its id.

    It is the latest run also where the clock was set back since the last one was made, by a day at most: a clock that
    was further ahead was wrong, and its time is not carried on.
    """
    run_id = new_id()
    now = now or datetime.now(UTC)
    latest = db.scalar(select(func.max(RunRow.created)))
    if latest is not None and now <= latest <= now + _CLOCK_SLACK:
        now = latest + timedelta(microseconds=1)
    row = RunRow(
        id=run_id,
        task=spec.task.value,
        model=spec.model,
        source=spec.source,
        format=spec.format,
        protocol=spec.protocol,
        options=options_to_text(spec.options),
        split=spec.split,
        item_limit=spec.limit,
        filter=spec.filter,
        chosen=spec.chosen,
        seed=spec.seed,
        device=spec.device,
        runtime=spec.runtime,
        predictions=spec.predictions,
        code_version=spec.code_version,
        scorer_version=spec.scorer_version,
        state=RunState.QUEUED.value,
        created=now,
        total=total,
    )
    db.add(row)
    db.flush()
    db.add(SelectionRow(run_id=run_id, episodes=compact(list(episodes))))
    _put_claim(row, worker, now)
    db.flush()
    return run_id


def get(db: Session, run_id: str) -> Run:
    """Raises UsageError when there is no such run."""
    found = db.execute(select(RunRow, done_count()).where(RunRow.id == run_id)).one_or_none()
    if found is None:
        raise UsageError(f"There is no run {run_id!r}.", hint="See `stepscope runs list`.")
    return value(found[0], found[1])


def exists(db: Session, run_id: str) -> bool:
    return db.scalar(select(RunRow.id).where(RunRow.id == run_id)) is not None


def count_on(db: Session, source: str) -> int:
    """How many runs are about this data, by its path."""
    return db.scalar(select(func.count()).select_from(RunRow).where(RunRow.source == source)) or 0


def of_task(db: Session, task: Task, source: str) -> list[Run]:
    """The runs of a task on this data, by its path, the latest first."""
    query = select(RunRow, done_count()).where(RunRow.task == task.value, RunRow.source == source)
    return [value(row, done) for row, done in db.execute(query.order_by(RunRow.created.desc(), RunRow.id))]


def find(db: Session, beginning: str) -> str:
    """The id of the one run whose id begins so; "last" is the latest. Raises UsageError for none and for several."""
    query = select(RunRow.id).order_by(RunRow.created.desc(), RunRow.id)
    if beginning != "last":
        query = query.where(RunRow.id.startswith(beginning, autoescape=True))
    found = list(db.scalars(query.limit(2)))
    if beginning in found or (found and beginning == "last"):
        return beginning if beginning in found else found[0]
    if len(found) != 1 or not beginning:
        several = "Several runs begin with" if found else "There is no run"
        raise UsageError(f"{several} {beginning!r}.", hint="See `stepscope runs list`.")
    return found[0]


def selection(db: Session, run_id: str) -> tuple[str, ...]:
    """The episodes that the run is about, in its order."""
    text = db.scalar(select(SelectionRow.episodes).where(SelectionRow.run_id == run_id))
    return tuple(json.loads(text)) if text else ()


def claim(db: Session, run_id: str, worker: WorkerClaim) -> None:
    """Let the worker's writes count from now on; those of an earlier one are refused."""
    _put_claim(db.get_one(RunRow, run_id), worker, datetime.now(UTC))
    db.flush()


def beat(db: Session, run_id: str, worker: WorkerClaim, now: datetime | None = None) -> None:
    """Say that the worker lives. Raises StoreError when the run was taken over or deleted in the meantime."""
    alive = update(RunRow).where(RunRow.id == run_id, RunRow.worker_claim == worker.claim)
    touched = db.execute(alive.values(heartbeat=now or datetime.now(UTC)).returning(RunRow.id))
    if touched.first() is None:
        hint = "Results up to then are kept; only one worker can go on."
        raise StoreError(f"Run {run_id} was taken over by another worker or deleted.", hint=hint)


def last_beat(db: Session, run_id: str) -> datetime | None:
    """When a worker of the run said last that it lives."""
    return db.scalar(select(RunRow.heartbeat).where(RunRow.id == run_id))


def set_state(db: Session, run_id: str, state: RunState, message: str = "") -> None:
    """Enter a state; the time of an end is noted."""
    over = state not in UNFINISHED
    values = {"state": state.value, "message": message, "finished": datetime.now(UTC) if over else None}
    db.execute(update(RunRow).where(RunRow.id == run_id).values(values))


def set_total(db: Session, run_id: str, total: int) -> None:
    db.execute(update(RunRow).where(RunRow.id == run_id).values(total=total))


def set_note(db: Session, run_id: str, note: str) -> None:
    db.execute(update(RunRow).where(RunRow.id == run_id).values(note=note))


def add_note(db: Session, run_id: str, note: str) -> None:
    """Put a sentence behind what the run's note says already."""
    row = db.get_one(RunRow, run_id)
    row.note = f"{row.note} {note}".strip()


def set_made_with(db: Session, run_id: str, machine: MachineFacts, weights: str) -> None:
    """Note on which machine the run is worked on now, and what its model was loaded from. A machine that worked on it
    just before is not noted again."""
    row = db.get_one(RunRow, run_id)
    known = machines_of(row.machines)
    if not known or known[-1] != machine:
        row.machines = compact([asdict(one) for one in (*known, machine)][-MOST_MACHINES:])
    row.weights = weights or row.weights
    db.flush()


def add_worked(db: Session, run_id: str, seconds: float) -> None:
    """Add to the seconds that were worked on the run."""
    db.execute(update(RunRow).where(RunRow.id == run_id).values(worked_s=RunRow.worked_s + seconds))


def machines_of(text: str) -> tuple[MachineFacts, ...]:
    """The machines of a run's row. Raises ValueError for what is none."""
    found = json.loads(text)
    if not isinstance(found, list) or len(found) > MOST_MACHINES:
        raise ValueError("a run's machines are no list of machines")
    return tuple(_machine(one) for one in found)


def _machine(form: object) -> MachineFacts:
    if not isinstance(form, dict):
        raise ValueError("a run's machine is none")
    libraries = form.get("libraries", [])
    if not all(isinstance(pair, list) and len(pair) == 2 and all(type(x) is str for x in pair) for pair in libraries):
        raise ValueError("a machine's libraries are no names and versions")
    plain = dataclass_of(MachineFacts, {name: value for name, value in form.items() if name != "libraries"})
    return replace(plain, libraries=tuple((name, version) for name, version in libraries))


COORDINATES = "coordinates {}"
"""The session under which what the coordinate check said of a run is kept (`app.services.coordinate_doubts`)."""
READING = "reading {}"
"""The session under which is kept whose answers a run has, if it is another's read again (`readings`)."""

LABEL_COLUMNS = frozenset(("name", "remark", "tags", "pinned", "archived"))
"""What people say of a run, not what it is."""


def set_labels(db: Session, run_id: str, labels: RunLabels) -> None:
    """Keep what people say of a run, as tidied before. Raises UsageError when there is no such run."""
    values = {
        "name": labels.name,
        "remark": labels.remark,
        "tags": compact(list(labels.tags)),
        "pinned": labels.pinned,
        "archived": labels.archived,
    }
    if db.execute(update(RunRow).where(RunRow.id == run_id).values(values).returning(RunRow.id)).first() is None:
        raise UsageError(f"There is no run {run_id!r}.", hint="See `stepscope runs list`.")


def claimed(db: Session, run_id: str | None = None) -> list[ClaimedRun]:
    """Unfinished runs and their workers; only the named one when given."""
    query = select(RunRow).where(RunRow.state.in_([state.value for state in UNFINISHED]))
    if run_id is not None:
        query = query.where(RunRow.id == run_id)
    return [
        ClaimedRun(
            row.id,
            RunState(row.state),
            WorkerClaim(row.worker_host, row.worker_pid or 0, row.worker_started, row.worker_claim, row.worker_machine),
            row.heartbeat,
        )
        for row in db.scalars(query.order_by(RunRow.created))
    ]


def remove(db: Session, run_id: str) -> None:
    """Delete a run with its predictions and scores, and what was found of its coordinates."""
    beside = [name.format(run_id) for name in (COORDINATES, READING)]
    scorings = db.scalars(select(ScoringRow.id).where(ScoringRow.run_id == run_id))
    column_files.drop_after_commit(db, [f"scoring-{one}" for one in scorings])
    db.execute(delete(RunRow).where(RunRow.id == run_id))
    db.execute(delete(SessionRow).where(SessionRow.name.in_(beside)))


def done_count() -> ColumnElement[int]:
    """Number of stored outcomes of a `RunRow`, as a column."""
    stored = select(func.count()).select_from(PredictionRow).where(PredictionRow.run_id == RunRow.id)
    return stored.correlate(RunRow).scalar_subquery()


def value(row: RunRow, done: int) -> Run:
    """The run of a row."""
    spec = RunSpec(
        task=Task(row.task),
        model=row.model,
        source=row.source,
        format=row.format,
        protocol=row.protocol,
        options=options_from_text(row.options),
        split=row.split,
        limit=row.item_limit,
        filter=row.filter,
        chosen=row.chosen,
        seed=row.seed,
        device=row.device,
        runtime=row.runtime,
        predictions=row.predictions,
        code_version=row.code_version,
        scorer_version=row.scorer_version,
    )
    labels = RunLabels(row.name, row.remark, _tags(row.tags), row.pinned, row.archived)
    return Run(
        row.id, spec, RunState(row.state), row.created, row.total, done, row.note, row.message, labels,
        machines_of(row.machines), row.weights, row.worked_s,
    )  # fmt: skip


def _tags(text: str) -> tuple[str, ...]:
    """Raises ValueError for what is no list of texts."""
    found = json.loads(text)
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise ValueError("a run's tags are no list of texts")
    return tuple(found)


def _put_claim(row: RunRow, worker: WorkerClaim, now: datetime) -> None:
    row.worker_host, row.worker_pid, row.worker_started = worker.host, worker.pid, worker.started
    row.worker_claim, row.worker_machine, row.heartbeat = worker.claim, worker.machine, now
