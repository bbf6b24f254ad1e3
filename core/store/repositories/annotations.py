"""What people said about episodes and steps. Whatever a change drops it returns, so that `replace` can put it back
exactly as it was, authors and times included.

Annotations belong to a path, not to the index of what lies there: they stay when files are read anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace as changed
from typing import Any

from sqlalchemy import Row, Select, delete, func, insert, select, type_coerce
from sqlalchemy.orm import Session
from sqlalchemy.types import NullType

from stepscope.core.domain.annotation import Annotation, AnnotationKind
from stepscope.core.store.repositories.sources import IN_PIECES
from stepscope.core.store.tables import EPISODE_STEP, AnnotationRow, EpisodeRow, SourceRow, storable, table_of

Annotations = tuple[Annotation, ...]


def put(db: Session, annotation: Annotation) -> Annotation | None:
    """Keep the annotation; returns the one whose place it took."""
    before = replace(db, (), (annotation,))
    return before[0] if before else None


def remove(
    db: Session, source: str, episode: str, step: int | None, kind: AnnotationKind, value: str | None = None
) -> Annotations:
    """Drop what is of this kind at this place (tags and defects: of this value, when one is given), and return it."""
    wanted = None if value is None else storable(value)
    found = [
        annotation
        for annotation in of_episode(db, source, episode)
        if (annotation.step, annotation.kind) == (step, kind) and wanted in (None, annotation.value)
    ]
    return replace(db, found, ())


def replace(db: Session, before: Iterable[Annotation], after: Sequence[Annotation]) -> Annotations:
    """Drop the annotations of `before`, keep those of `after`; returns everything that was there and is no more.

    Of `before` only the slot counts: what somebody else has put there since is dropped and returned as well. With
    `gone = replace(db, before, after)`, `replace(db, after, gone)` makes everything as it was.
    """
    latest = {annotation.slot: annotation for annotation in map(_storable, after)}
    slots = latest.keys() | {_storable(annotation).slot for annotation in before}
    gone = _at(db, slots)
    _drop(db, [number for number, _ in gone])
    if latest:
        db.execute(insert(table_of(AnnotationRow)), [_row(annotation) for annotation in latest.values()])
    return tuple(annotation for _, annotation in gone)


def of_source(db: Session, source: str, kind: AnnotationKind | None = None) -> list[Annotation]:
    """All annotations of a data set, or those of one kind, in the order of its index; episodes that the index does not
    have (any more) come last."""
    query = _all(source, kind)
    query = query.outerjoin(SourceRow, SourceRow.path == AnnotationRow.source)
    here = (EpisodeRow.source_id == SourceRow.id) & (EpisodeRow.episode == AnnotationRow.episode)
    query = query.outerjoin(EpisodeRow, here).order_by(EpisodeRow.position.nulls_last(), *_ORDER)
    return [_value(row) for row in db.execute(query)]


def of_episode(db: Session, source: str, episode: str) -> list[Annotation]:
    """What was said about the episode itself, then about its steps."""
    return of_episodes(db, source, [episode])[episode]


def of_episodes(db: Session, source: str, episodes: Sequence[str]) -> dict[str, list[Annotation]]:
    """The annotations of several episodes, for the rows of a visible page; an episode about which nothing was said has
    none."""
    found: dict[str, list[Annotation]] = {storable(episode): [] for episode in episodes}
    for first in range(0, len(episodes), IN_PIECES):
        piece = AnnotationRow.episode.in_(episodes[first : first + IN_PIECES])
        for row in db.execute(_all(source).where(piece).order_by(*_ORDER)):
            found[row.episode].append(_value(row))
    return {episode: found[storable(episode)] for episode in episodes}


def places(db: Session, source: str, kind: AnnotationKind) -> set[tuple[str, int | None]]:
    """Where there is something of this kind: (episode, step), step None for the whole episode."""
    query = select(AnnotationRow.episode, AnnotationRow.step)
    query = query.where(AnnotationRow.source == source, AnnotationRow.kind == kind.value)
    return {(episode, _step(step)) for episode, step in db.execute(query)}


def counts(db: Session, source: str) -> dict[AnnotationKind, int]:
    """How many annotations of each kind a data set has; kinds without any are left out."""
    number = func.count().label("number")
    query = select(AnnotationRow.kind, number).where(AnnotationRow.source == source).group_by(AnnotationRow.kind)
    return {AnnotationKind(kind): count for kind, count in db.execute(query.order_by(AnnotationRow.kind))}


def state(db: Session, source: str) -> int:
    """A number that is another one, in this process, once somebody said something else about a data set. Neither counts
    nor times would tell, as clocks are set back, and what was said on an earlier day is imported."""
    columns = [type_coerce(column, NullType()) for column in table_of(AnnotationRow).c if column.name != "id"]
    return hash(frozenset(db.execute(select(*columns).where(AnnotationRow.source == source))))


_ORDER = (AnnotationRow.episode, AnnotationRow.step, AnnotationRow.kind, AnnotationRow.slot)


def _all(source: str, kind: AnnotationKind | None = None) -> Select[*tuple[Any, ...]]:
    """Columns, no mapped rows: ids are used again, and a session would hand out what it knows under the old one."""
    query = select(*table_of(AnnotationRow).c).where(AnnotationRow.source == source)
    return query if kind is None else query.where(AnnotationRow.kind == kind.value)


def _at(db: Session, slots: Iterable[tuple[str, str, int | None, AnnotationKind, str]]) -> list[tuple[int, Annotation]]:
    """What is in these slots, with its row's id."""
    wanted = set(slots)
    by_source: dict[str, set[str]] = {}
    for source, episode, *_ in wanted:
        by_source.setdefault(source, set()).add(episode)
    found: list[tuple[int, Annotation]] = []
    for source, episodes in sorted(by_source.items()):
        names = sorted(episodes)
        for first in range(0, len(names), IN_PIECES):
            piece = AnnotationRow.episode.in_(names[first : first + IN_PIECES])
            rows = db.execute(_all(source).where(piece).order_by(*_ORDER))
            found += [(row.id, value) for row in rows if (value := _value(row)).slot in wanted]
    return found


def _drop(db: Session, ids: Sequence[int]) -> None:
    for first in range(0, len(ids), IN_PIECES):
        piece = ids[first : first + IN_PIECES]
        db.execute(delete(table_of(AnnotationRow)).where(AnnotationRow.id.in_(piece)))


def _row(annotation: Annotation) -> dict[str, Any]:
    return {
        "source": annotation.source,
        "episode": annotation.episode,
        "step": EPISODE_STEP if annotation.step is None else annotation.step,
        "kind": annotation.kind.value,
        "slot": annotation.slot[-1],
        "value": annotation.value,
        "author": annotation.author,
        "made": annotation.made,
    }


def _storable(annotation: Annotation) -> Annotation:
    """The annotation as it comes back from the store."""
    source, episode = storable(annotation.source), storable(annotation.episode)
    value, author = storable(annotation.value), storable(annotation.author)
    return changed(annotation, source=source, episode=episode, value=value, author=author)


def _value(row: Row[*tuple[Any, ...]]) -> Annotation:
    kind = AnnotationKind(row.kind)
    return Annotation(row.source, row.episode, _step(row.step), kind, row.value, row.author, row.made)


def _step(step: int) -> int | None:
    return None if step == EPISODE_STEP else step
