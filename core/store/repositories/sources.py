"""Opened data sets and the index of their episodes.

An index is written in pieces while a source is scanned, in one transaction or several: `begin_index`, `add_index` for
each piece, `finish_index`. Until it is finished only who made it finds it, by its id: what counts is what `find` gives,
which is whole (`core.store.repositories.index_claims`). `claim` is that of the worker who began it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from sqlalchemy import ColumnElement, and_, bindparam, case, delete, exists, func, insert, not_, or_, select, update
from sqlalchemy.orm import Session

from stepscope.core.domain.episode import (
    EpisodeSummary,
    Feasibility,
    FeasibilityLabel,
    InfeasibilityReason,
    Kind,
    Platform,
    Problem,
)
from stepscope.core.domain.procedure import LEAST_STEPS
from stepscope.core.domain.step_summary import StepSummary
from stepscope.core.frozen import dataclass
from stepscope.core.store import column_files
from stepscope.core.store.codec import compact
from stepscope.core.store.repositories import index_claims, steps
from stepscope.core.store.tables import EpisodeRow, ProblemRow, SourceRow, StepsRow, table_of
from stepscope.core.store.worker import WorkerClaim

IN_PIECES = 500
"""Ids asked for in one statement: databases limit the number of parameters."""


@dataclass(frozen=True, slots=True)
class StoredSource:
    """A data set as the store knows it. `fingerprint` "": the index is not of files, or not whole."""

    id: int
    path: str
    format: str
    fingerprint: str
    scanned_at: datetime | None
    episodes: int
    steps: int
    screens: int
    problems: int


def begin_index(db: Session, path: Path | str, format_name: str, worker: WorkerClaim | None = None) -> int:
    """A new, empty index of the data, which the worker owns and which does not count yet; returns its id. Whoever was
    making one cannot write any more."""
    return index_claims.draft(db, path, format_name, worker).id


def add_index(
    db: Session, source_id: int, start: int, entries: Sequence[EpisodeSummary | Problem], claim: str = ""
) -> int:
    """Append what a scan yielded; `start` is the position of the first episode. Returns the next position. Raises
    TakenOver for an index that another worker owns."""
    index_claims.beat(db, source_id, claim)
    episodes = [entry for entry in entries if isinstance(entry, EpisodeSummary)]
    problems = [problem for entry in entries for problem in _problems(entry)]
    if episodes:
        db.execute(
            insert(table_of(EpisodeRow)), [_row(source_id, start + n, entry) for n, entry in enumerate(episodes)]
        )
    if problems:
        db.execute(insert(table_of(ProblemRow)), [_problem_row(source_id, problem) for problem in problems])
    steps.put(db, source_id, _details(episodes))
    found = db.get_one(SourceRow, source_id)
    found.episodes, found.problems = start + len(episodes), found.problems + len(problems)
    return start + len(episodes)


def _details(episodes: Iterable[EpisodeSummary]) -> dict[str, tuple[StepSummary, ...]]:
    """The steps of those that were read whole: an outline may leave out words."""
    return {entry.id: entry.details for entry in episodes if entry.checked and entry.details is not None}


def update_index(db: Session, source_id: int, entries: Sequence[EpisodeSummary | Problem], claim: str = "") -> None:
    """Put rows of episodes that were read whole in the place of their outlines. A problem under an episode's id says
    that it cannot be read: its row stays, with the problem, and has no steps to search. Raises TakenOver for an index
    that another worker owns."""
    index_claims.beat(db, source_id, claim)
    ids = [entry.id if isinstance(entry, EpisodeSummary) else entry.episode for entry in entries]
    here = ProblemRow.source_id == source_id, ProblemRow.episode.in_(ids)
    db.execute(delete(ProblemRow).where(*here))
    _update(db, source_id, [_row(source_id, 0, entry) for entry in entries if isinstance(entry, EpisodeSummary)])
    broken = [entry.episode for entry in entries if isinstance(entry, Problem)]
    _update(db, source_id, [{"episode": episode, "checked": True, "problem_count": 1} for episode in broken])
    problems = [problem for entry in entries for problem in _problems(entry)]
    if problems:
        db.execute(insert(table_of(ProblemRow)), [_problem_row(source_id, problem) for problem in problems])
    whole = _details(entry for entry in entries if isinstance(entry, EpisodeSummary))
    steps.put(db, source_id, whole | dict.fromkeys(broken, ()))


def _update(db: Session, source_id: int, rows: list[dict[str, Any]]) -> None:
    """Change many rows by one statement: what a row says beside its episode's id replaces what was there."""
    if not rows:
        return
    table = table_of(EpisodeRow)
    names = rows[0].keys() - {"source_id", "episode", "position"}
    here = table.c.source_id == source_id, table.c.episode == bindparam("of_episode")
    change = update(table).where(*here).values({name: bindparam(f"new_{name}") for name in names})
    db.execute(
        change,
        [{"of_episode": row["episode"], **{f"new_{name}": row[name] for name in names}} for row in rows],
    )


def unchecked(db: Session, source_id: int) -> list[tuple[str, str, Kind]]:
    """Id, place and kind of each episode of which only the outline was read, or whose steps an earlier version did not
    keep for filters, in order."""
    wanted = select(EpisodeRow.episode, EpisodeRow.place, EpisodeRow.kind).where(*_unchecked(source_id))
    return [(name, place, cast(Kind, kind)) for name, place, kind in db.execute(wanted.order_by(EpisodeRow.position))]


def all_places(db: Session, source_id: int) -> list[tuple[str, str, Kind]]:
    """Id, place and kind of each episode, in order."""
    wanted = select(EpisodeRow.episode, EpisodeRow.place, EpisodeRow.kind).where(EpisodeRow.source_id == source_id)
    return [(name, place, cast(Kind, kind)) for name, place, kind in db.execute(wanted.order_by(EpisodeRow.position))]


def whole_row(db: Session, source_id: int, episode: str) -> EpisodeSummary | None:
    """The index row of an episode that was read whole, None where only its outline was, or nothing is known of it."""
    here = EpisodeRow.source_id == source_id, EpisodeRow.episode == episode
    if db.scalar(select(EpisodeRow.id).where(*_unchecked(source_id), *here)) is not None:
        return None
    return next(iter(summaries(db, source_id, [episode])), None)


def known_rows(db: Session, source_id: int, episodes: Sequence[str]) -> dict[str, tuple[str, EpisodeSummary | None]]:
    """`place_of` and `whole_row` of some episodes at once, without those of which nothing is known."""
    here = EpisodeRow.source_id == source_id, EpisodeRow.episode.in_(episodes)
    places = db.execute(select(EpisodeRow.episode, EpisodeRow.place).where(*here)).all()
    outlines = set(db.scalars(select(EpisodeRow.episode).where(*_unchecked(source_id), *here)))
    whole = {one.id: one for one in summaries(db, source_id, episodes)}
    return {name: (place or "", None if name in outlines else whole.get(name)) for name, place in places}


def count_unchecked(db: Session, source_id: int) -> int:
    """How many these are."""
    return db.scalar(select(func.count()).select_from(EpisodeRow).where(*_unchecked(source_id))) or 0


def _unchecked(source_id: int) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    without = ~exists().where(StepsRow.episode_id == EpisodeRow.id)
    return EpisodeRow.source_id == source_id, or_(EpisodeRow.checked.is_(False), without)


def asking(db: Session, source_id: int) -> tuple[list[tuple[str, str]], bool]:
    """Id and place of each episode that has asks, in order; and whether the whole source has been looked at."""
    wanted = select(EpisodeRow.episode, EpisodeRow.place).where(EpisodeRow.source_id == source_id, EpisodeRow.asks > 0)
    rows = db.execute(wanted.order_by(EpisodeRow.position))
    return [(name, place) for name, place in rows], bool(db.get_one(SourceRow, source_id).fingerprint)


def asked_with_goal(db: Session, source_id: int, goal: str) -> list[tuple[str, str]]:
    """Id and place of the episodes in which something is asked and whose goal is this one, in order; letters' case and
    blanks do not matter."""
    wanted = select(EpisodeRow.episode, EpisodeRow.place, EpisodeRow.goal).where(
        EpisodeRow.source_id == source_id, EpisodeRow.asks > 0
    )
    plain = goal.casefold().split()
    rows = db.execute(wanted.order_by(EpisodeRow.position))
    return [(name, place) for name, place, its in rows if its.casefold().split() == plain]


def place_of(db: Session, source_id: int, episode: str) -> str:
    """Where the index says that an episode lies, "" when it says nothing."""
    wanted = select(EpisodeRow.place).where(EpisodeRow.source_id == source_id, EpisodeRow.episode == episode)
    return db.scalar(wanted) or ""


def count_again(db: Session, source_id: int) -> StoredSource:
    """Count episodes, steps, screens and problems after rows have changed."""
    row = db.get_one(SourceRow, source_id)
    _count(db, row)
    db.flush()
    return _source(row)


def finish_index(db: Session, source_id: int, fingerprint: str, claim: str = "") -> StoredSource:
    """The index is whole, for files of this fingerprint: it is counted, and counts. Raises TakenOver for an index that
    another worker owns."""
    index_claims.beat(db, source_id, claim)
    row = db.get_one(SourceRow, source_id)
    index_claims.take_path(db, row)
    _count(db, row)
    row.fingerprint, row.scanned_at, row.changed = fingerprint, datetime.now(UTC), time.time_ns()
    db.flush()
    steps.forget(db)
    return _source(row)


def _count(db: Session, row: SourceRow) -> None:
    counts = db.execute(
        select(
            func.count(),
            func.coalesce(func.sum(EpisodeRow.steps), 0),
            func.coalesce(func.sum(EpisodeRow.screens), 0),
        ).where(EpisodeRow.source_id == row.id)
    ).one()
    row.episodes, row.steps, row.screens = counts
    every = select(func.count()).select_from(ProblemRow).where(ProblemRow.source_id == row.id)
    row.problems = db.scalar(every) or 0


def replace_index(
    db: Session, path: Path | str, format_name: str, fingerprint: str, entries: Iterable[EpisodeSummary | Problem]
) -> StoredSource:
    """The whole index at once."""
    source_id = begin_index(db, path, format_name)
    add_index(db, source_id, 0, list(entries))
    return finish_index(db, source_id, fingerprint)


def find(db: Session, path: Path | str) -> StoredSource | None:
    """The whole index of this data, None while there is none."""
    row = db.scalar(select(SourceRow).where(SourceRow.path == str(path)))
    return None if row is None else _source(row)


def get(db: Session, source_id: int) -> StoredSource | None:
    """One index, whole or not, None when it is not there any more."""
    row = db.get(SourceRow, source_id)
    return None if row is None else _source(row)


def all_sources(db: Session) -> list[StoredSource]:
    """Every source with a whole index, the last scanned first."""
    rows = db.scalars(select(SourceRow).order_by(SourceRow.scanned_at.desc(), SourceRow.path))
    return [_source(row) for row in rows if row.path == index_claims.data_path(row.path)]


def forget(db: Session, source_id: int) -> None:
    """Drop a source and its index; runs on it stay."""
    column_files.drop_after_commit(db, [f"source-{source_id}"])
    db.execute(delete(SourceRow).where(SourceRow.id == source_id))


def problems(db: Session, source_id: int) -> list[Problem]:
    """All problems of the source: what could not be read, in the order it was found."""
    rows = db.scalars(select(ProblemRow).where(ProblemRow.source_id == source_id).order_by(ProblemRow.id))
    return [_problem(row) for row in rows]


def count_skipped(db: Session, source_id: int) -> int:
    """Records that could not be read at all: the source's problems without those inside readable episodes."""
    lost = or_(ProblemRow.episode != "", ProblemRow.file != "")
    every = select(func.count()).select_from(ProblemRow).where(ProblemRow.source_id == source_id, lost)
    inside = select(func.coalesce(func.sum(EpisodeRow.problem_count), 0)).where(EpisodeRow.source_id == source_id)
    return (db.scalar(every) or 0) - (db.scalar(inside) or 0)


def summaries(db: Session, source_id: int, episodes: Sequence[str]) -> list[EpisodeSummary]:
    """Index rows of the named episodes in the order asked for; unknown ones are left out."""
    found: dict[str, EpisodeRow] = {}
    reports: dict[str, list[Problem]] = {}
    for first in range(0, len(episodes), IN_PIECES):
        piece = episodes[first : first + IN_PIECES]
        rows = db.scalars(select(EpisodeRow).where(EpisodeRow.source_id == source_id, EpisodeRow.episode.in_(piece)))
        found.update((row.episode, row) for row in rows)
        bad = select(ProblemRow).where(ProblemRow.source_id == source_id, ProblemRow.episode.in_(piece))
        for row in db.scalars(bad.order_by(ProblemRow.id)):
            reports.setdefault(row.episode, []).append(_problem(row))
    return [summary_of(found[name], tuple(reports.get(name, ()))) for name in episodes if name in found]


def count_actions(db: Session, source_id: int, episodes: Sequence[str]) -> int | None:
    """Reference actions in the named episodes, None unless all of them are in the index."""
    return _added_up(db, source_id, episodes, EpisodeRow.action_count)


def count_steps(db: Session, source_id: int, episodes: Sequence[str]) -> int | None:
    """Steps in the named episodes, None unless all of them are in the index."""
    return _added_up(db, source_id, episodes, EpisodeRow.steps)


def _added_up(db: Session, source_id: int, episodes: Sequence[str], column: Any) -> int | None:
    known = added = 0
    for first in range(0, len(episodes), IN_PIECES):
        piece = episodes[first : first + IN_PIECES]
        here = EpisodeRow.source_id == source_id, EpisodeRow.episode.in_(piece)
        count, total = db.execute(select(func.count(), func.sum(column)).where(*here)).one()
        known, added = known + count, added + (total or 0)
    return added if known == len(episodes) else None


def count_last_screens(db: Session, source_id: int, episodes: Sequence[str]) -> int:
    """In how many of the named episodes there are screens on which nothing was done, and no end: as a rule the last."""
    found = 0
    for first in range(0, len(episodes), IN_PIECES):
        here = EpisodeRow.source_id == source_id, EpisodeRow.episode.in_(episodes[first : first + IN_PIECES])
        left = EpisodeRow.action_count > 0, EpisodeRow.action_count < EpisodeRow.steps
        ends = EpisodeRow.actions.contains('["finish",', autoescape=True)
        found += db.scalar(select(func.count()).where(*here, *left, not_(ends))) or 0
    return found


def counts_by_use(db: Session, source_id: int, episodes: Sequence[str] | None = None) -> dict[str, int]:
    """How many rows of the source, of all or of these, can be used for what: episodes with actions, labels, goals and
    asks, or with steps at all (`states`), rows with steps to put in order, web tasks' instances; and how many are
    `unchecked`, of which only the outline is known."""

    def number(*conditions: ColumnElement[bool]) -> ColumnElement[int]:
        return func.coalesce(func.sum(case((and_(*conditions), 1), else_=0)), 0)

    episode = EpisodeRow.kind == "episode"
    columns = {
        "actions": number(episode, EpisodeRow.action_count > 0),
        "labels": number(episode, EpisodeRow.label != ""),
        "goals": number(episode, EpisodeRow.goal != ""),
        "asks": number(episode, EpisodeRow.asks > 0),
        "states": number(episode, EpisodeRow.steps > 0),
        "orders": number(_has_order()),
        "instances": number(EpisodeRow.kind == "instance"),
        "unchecked": number(episode, EpisodeRow.checked.is_(False)),
    }
    query = select(*columns.values()).where(EpisodeRow.source_id == source_id)
    queries = [query] if episodes is None else [
        query.where(EpisodeRow.episode.in_(episodes[first : first + IN_PIECES]))
        for first in range(0, len(episodes), IN_PIECES)
    ]  # fmt: skip
    rows = [db.execute(one).one() for one in queries]
    return {name: sum(int(row[place]) for row in rows) for place, name in enumerate(columns)}


def with_order(db: Session, source_id: int) -> frozenset[str]:
    """The rows with steps to put in order: procedures, and episodes of which a procedure can be made."""
    return frozenset(db.scalars(select(EpisodeRow.episode).where(EpisodeRow.source_id == source_id, _has_order())))


def _has_order() -> ColumnElement[bool]:
    of_two = and_(EpisodeRow.kind == "episode", EpisodeRow.steps >= LEAST_STEPS)
    return or_(EpisodeRow.kind == "procedure", of_two)


def summary_of(row: EpisodeRow, problems: tuple[Problem, ...] = ()) -> EpisodeSummary:
    """The value of an index row."""
    return EpisodeSummary(
        id=row.episode,
        goal=row.goal,
        app=row.app,
        platform=Platform(row.platform),
        steps=row.steps,
        screens=row.screens,
        actions=tuple((kind, count) for kind, count in json.loads(row.actions)),
        feasibility=Feasibility(
            FeasibilityLabel(row.label) if row.label else None,
            InfeasibilityReason(row.reason) if row.reason else None,
            tuple(json.loads(row.follow_up)),
        ),
        asks=row.asks,
        splits=tuple(filter(None, row.split.split("\n"))),
        problems=problems,
        kind=cast(Kind, row.kind),
        place=row.place,
        checked=row.checked,
    )


def _row(source_id: int, position: int, entry: EpisodeSummary) -> dict[str, Any]:
    feasibility = entry.feasibility
    return {
        "source_id": source_id,
        "position": position,
        "episode": entry.id,
        "goal": entry.goal,
        "app": entry.app,
        "platform": entry.platform.value,
        "steps": entry.steps,
        "screens": entry.screens,
        "action_count": sum(count for _, count in entry.actions),
        "actions": compact(entry.actions),
        "label": feasibility.label.value if feasibility.label else "",
        "reason": feasibility.reason.value if feasibility.reason else "",
        "follow_up": compact(feasibility.follow_up),
        "asks": entry.asks,
        "split": "".join(f"\n{name}" for name in entry.splits) + "\n" * bool(entry.splits),
        "problem_count": len(entry.problems),
        "kind": entry.kind,
        "place": entry.place,
        "checked": entry.checked,
    }


def _problems(entry: EpisodeSummary | Problem) -> tuple[Problem, ...]:
    """What could not be read, each under its episode's id."""
    if isinstance(entry, Problem):
        return (entry,)
    return tuple(replace(problem, episode=entry.id) for problem in entry.problems)


def _problem_row(source_id: int, problem: Problem) -> dict[str, Any]:
    return {
        "source_id": source_id,
        "episode": problem.episode,
        "step": problem.step,
        "field": problem.field,
        "file": problem.file,
        "message": problem.message,
    }


def _problem(row: ProblemRow) -> Problem:
    return Problem(row.message, row.episode, row.step, row.field, row.file)


def _source(row: SourceRow) -> StoredSource:
    return StoredSource(
        row.id,
        row.path,
        row.format,
        row.fingerprint,
        row.scanned_at,
        row.episodes,
        row.steps,
        row.screens,
        row.problems,
    )
