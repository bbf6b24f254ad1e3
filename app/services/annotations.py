"""Saying something about data, for both faces: a change that can be undone, and annotations as files."""

from __future__ import annotations

import getpass
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

from stepscope.app.services.export.whole_files import utf8
from stepscope.app.services.nearest import nearest_hint
from stepscope.core.domain.annotation import Annotation, AnnotationKind, annotation_from_json, annotation_to_json
from stepscope.core.domain.episode import EpisodeSummary
from stepscope.core.errors import SourceError, StoreError, UsageError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.json_bounds import TooManyValues, bounded_loads
from stepscope.core.lazy import lazy_module
from stepscope.core.limits import hint
from stepscope.core.own_files import read_json
from stepscope.core.settings import user_config_dir
from stepscope.core.sources.files import bounded_lines, long_line
from stepscope.core.sources.predictions import LineProblem
from stepscope.core.sources.source import Source
from stepscope.core.spreadsheet import write_rows
from stepscope.core.store import queries
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import annotations as annotation_rows
from stepscope.core.store.repositories import sources

if TYPE_CHECKING:
    from stepscope.core.domain import changed_words
else:
    changed_words = lazy_module("stepscope.core.domain.changed_words")

CSV_COLUMNS = ("episode", "step", "kind", "value", "author", "made")
_TELLING = 3
"""Unknown episodes of a file for which the nearest ids are looked for; that takes a while in large data."""


@dataclass(frozen=True, slots=True)
class AnnotationChange:
    """The annotations before and after a change. Made, it holds exactly what was dropped and what stands in its
    place."""

    before: tuple[Annotation, ...] = ()
    after: tuple[Annotation, ...] = ()

    def undone(self) -> AnnotationChange:
        return AnnotationChange(self.after, self.before)


class ChangedMeanwhileError(StoreError):
    """Somebody else has said something in the same place since it was read; nothing is changed."""


def make(database: Database, change: AnnotationChange, *, seen: Iterable[Annotation] | None = None) -> AnnotationChange:
    """Drop what is in the slots of `before`, keep `after`; `make` on the `undone()` result puts everything back.

    With `seen`, which is what the person knows of these slots, ChangedMeanwhileError is raised rather than drop what
    somebody else has said since. Raises StoreError when nothing can be written.
    """
    with database.unit_of_work() as db:
        gone = annotation_rows.replace(db, change.before, change.after)
        if seen is not None:
            _check_seen(gone, change, {one.slot: one for one in seen})
    return AnnotationChange(gone, change.after)


def _check_seen(gone: Iterable[Annotation], change: AnnotationChange, seen: dict[object, Annotation]) -> None:
    """Raises ChangedMeanwhileError."""
    there = {one.slot: one for one in gone}
    for one in (*change.before, *change.after):
        known, now = seen.get(one.slot), there.get(one.slot)
        if known == now or now is None:  # that it is gone already does no harm
            continue
        where = one.episode if one.step is None else f"step {one.step} of {one.episode}"
        hint = "Nothing was changed: look at it, and say it again."
        message = (
            f"Somebody else has changed the {one.kind} of {where} meanwhile: {changed_words.changed_words(known, now)}"
        )
        raise ChangedMeanwhileError(message, hint=hint)


NAME_VARIABLE = "STEPSCOPE_ANNOTATOR"
"""The environment variable with a person's name, where there is no window in which to choose it."""


def user_name() -> str:
    """The author of what is said here: the name in Preferences, else the one in `STEPSCOPE_ANNOTATOR`, else that of the
    system's user, "" where the system knows none."""
    try:
        kept = read_json(user_config_dir() / "preferences.json")
    except (OSError, ValueError):  # the window tells of it
        kept = None
    chosen = kept.get("annotator") if isinstance(kept, dict) else None
    if found := (chosen if isinstance(chosen, str) else "") or os.environ.get(NAME_VARIABLE, ""):
        return " ".join(found.split())
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return ""


class AnnotationTargets:
    """The episodes and steps of an indexed source: whether something can be said about them."""

    def __init__(self, database: Database, source_id: int, source: Source) -> None:
        self._database, self._source_id, self._source = database, source_id, source
        self._rows: dict[str, EpisodeSummary | None] = {}
        self._hints = 0

    def look_up(self, episodes: Iterable[str]) -> None:
        """Ask for many episodes at once what `check` would ask for one by one."""
        new = [episode for episode in dict.fromkeys(episodes) if episode not in self._rows]
        with self._database.reading() as db:
            self._rows |= dict.fromkeys(new)
            self._rows |= {row.id: row for row in sources.summaries(db, self._source_id, new)}

    def check(self, episode: str, step: int | None) -> None:
        """Raises UsageError for a place that the data does not have, SourceError where that cannot be told."""
        self.look_up([episode])
        row = self._rows[episode]
        if row is None:
            raise UsageError(f"there is no episode {episode!r}.", place=self._source.path, hint=self._hint(episode))
        if step is None or 0 <= step < row.steps:
            return
        steps = [found.index for found in self._source.read(episode).steps]  # a step that cannot be read leaves a gap
        if step not in steps:
            hint = f"Nearest: {min(steps, key=lambda index: abs(index - step))}." if steps else "It has no steps."
            raise UsageError(f"episode {episode!r} has no step {step}.", place=self._source.path, hint=hint)

    def _hint(self, episode: str) -> str:
        self._hints += 1
        if self._hints > _TELLING:
            return "'stepscope inspect PATH --episodes' lists them."
        with self._database.reading() as db:
            return nearest_hint(episode, queries.matching(db, self._source_id))


@dataclass(frozen=True, slots=True)
class AnnotationImport:
    """The outcome of an import: the change that was made, and the lines that were kept out."""

    change: AnnotationChange
    problems: tuple[LineProblem, ...]


def import_annotations(
    database: Database, source: str, places: AnnotationTargets, path: Path, author: str, now: datetime | None = None
) -> AnnotationImport:
    """Take over the annotations of a JSON Lines file for the data known as `source`: what says the same kind of thing
    about the same place is replaced, all else stays. Bad lines are kept out and told by number; `author` and `now`
    stand in where a line names none. Raises UsageError for a file that cannot be opened."""
    moment = now or datetime.now(UTC)
    good, problems = parsed_lines(path, lambda form: annotation_from_json(form, source, author=author, now=moment))
    places.look_up(annotation.episode for _, annotation in good)
    kept: dict[tuple[object, ...], tuple[int, Annotation]] = {}
    for number, annotation in good:
        try:
            places.check(annotation.episode, annotation.step)
        except (UsageError, SourceError) as error:
            problems.append(LineProblem(number, f"{error.message} {error.hint}".strip()))
            continue
        earlier, _ = kept.setdefault(annotation.slot, (number, annotation))
        if earlier != number:
            problems.append(LineProblem(number, f"line {earlier} says the same kind of thing about the same place"))
    change = make(database, AnnotationChange(after=tuple(annotation for _, annotation in kept.values())))
    return AnnotationImport(change, tuple(sorted(problems, key=lambda problem: problem.line)))


def listed(database: Database, source: str, kind: AnnotationKind | None = None) -> list[Annotation]:
    """What was said about the data known as `source`, in its order."""
    with database.reading() as db:
        return annotation_rows.of_source(db, source, kind)


def write_csv(annotations: Iterable[Annotation], stream: IO[bytes]) -> None:
    """One row each; `step` is empty for a whole episode, a label is JSON."""
    with utf8(stream) as text:
        write_rows(text, [CSV_COLUMNS])
        write_rows(
            text,
            (
                (one.episode, one.step, one.kind.value, one.value, one.author, one.made.isoformat())
                for one in annotations
            ),
        )


def lines(annotations: Sequence[Annotation]) -> list[dict[str, Any]]:
    """The objects of an exported file, which `import_annotations` reads."""
    return [annotation_to_json(annotation) for annotation in annotations]


Read = TypeVar("Read")


def parsed_lines(path: Path, read: Callable[[object], Read]) -> tuple[list[tuple[int, Read]], list[LineProblem]]:
    """What `read` makes of each line of a JSON Lines file, by the line's number; lines of which it raises ValueError,
    or that are no JSON, are told. Raises UserError for a file that cannot be read."""
    good: list[tuple[int, Read]] = []
    problems: list[LineProblem] = []
    for number, line in _numbered(path):
        try:
            if line is None:
                raise ValueError(f"{long_line()}. {hint('json-bytes')}")
            good.append((number, read(bounded_loads(line.decode("utf-8-sig" if number == 1 else "utf-8")))))
        except TooManyValues as error:
            problems.append(LineProblem(number, f"{error}. {hint('json-nodes')}"))
        except (ValueError, RecursionError) as error:
            problems.append(LineProblem(number, _reason(error)))
    return good, problems


def _numbered(path: Path) -> Iterator[tuple[int, bytes | None]]:
    """Lines that are not blank by their numbers, None for one that is too long."""
    try:
        with path.open("rb") as stream:
            for number, _, line in bounded_lines(stream):
                if line is None or line.strip():
                    yield number, line
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UserError(
            f"cannot be read: {reason}.", place=path, hint="Check the spelling, or choose another."
        ) from error


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8 text (byte {error.start + 1} of the line)"
    if isinstance(error, json.JSONDecodeError):
        return f"broken JSON at column {error.colno}: {error.msg}"
    return "JSON nested too deeply" if isinstance(error, RecursionError) else str(error)
