"""What is known of data that was opened before: whether it is still there, and what the store's index says of it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from sqlalchemy.orm import Session

from stepscope.core.errors import UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.regular_files import is_there
from stepscope.core.sources.registry import format_named
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import runs, sources


@dataclass(frozen=True, slots=True)
class RecentData:
    """Data at `path`. `steps` is None where the store has no whole index of it."""

    path: str
    there: bool
    format_name: str = ""
    format_title: str = ""
    steps: int | None = None
    skipped: int = 0
    runs: int = 0


def recent_data(database: Database, paths: Sequence[str]) -> list[RecentData]:
    """What is known of each. Looks at the disk, which may take its time."""
    places = {path: str(Path(path).resolve()) for path in paths}
    there = {path: is_there(Path(path)) for path in paths}
    with database.reading() as db:
        return [_known(db, path, places[path], there[path]) for path in paths]


def _known(db: Session, path: str, place: str, there: bool) -> RecentData:
    known, about = sources.find(db, place), runs.count_on(db, place)
    if known is None:
        return RecentData(path, there, runs=about)
    title = known.format
    with suppress(UsageError):  # a plug-in's that is not installed any more
        title = format_named(known.format).title
    return RecentData(path, there, known.format, title, known.steps, sources.count_skipped(db, known.id), about)


def told_apart(paths: Sequence[str]) -> dict[str, str]:
    """The folders above each, as many as tell data of the same name apart, one at least: "research / android"."""
    return {path: _parents(Path(path), [Path(other) for other in paths if other != path]) for path in paths}


def _parents(path: Path, others: Sequence[Path]) -> str:
    alike = [other for other in others if other.name == path.name]
    above = path.parent.parts[1:] if path.is_absolute() else path.parent.parts
    for number in range(1, len(above) + 1):
        tail = above[-number:]
        if all(other.parent.parts[-number:] != tail for other in alike):
            return " / ".join(tail)
    return " / ".join(above)
