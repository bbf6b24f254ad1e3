"""Run bundles: one run in one file, so that another store has the identical run.

A bundle is gzip-compressed JSON Lines. The first line says what it is and counts what follows, the last one has the
SHA-256 of all lines before it. The same run gives the same bytes. Everything streams: neither side holds a whole run.
"""

from __future__ import annotations

import gzip
import hashlib
import itertools
import zlib
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Literal

import orjson
from sqlalchemy.orm import Session

from stepscope.core.archives.budget import Budget
from stepscope.core.domain.annotation import Annotation, AnnotationKind, checked_value
from stepscope.core.domain.episode import is_step_index
from stepscope.core.domain.run import Outcome
from stepscope.core.errors import SourceError, StoreError, UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.limits import exceeded, limit
from stepscope.core.progress import CancelToken, Progress, ProgressMeter
from stepscope.core.regular_files import open_regular
from stepscope.core.sources.bundle_mark import BUNDLE
from stepscope.core.store import transfer
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import annotations as annotation_rows
from stepscope.core.store.repositories import model_calls, outcomes, runs
from stepscope.core.store.tables import SCHEMA, PredictionRow, ScoreRow
from stepscope.core.store.transfer import AT_ONCE, ItemValues, RunValues

FORMAT = BUNDLE
VERSION = 1
_HEAVY = 64 << 20
"""Bytes of pictures that wait to be written together."""
_UNREADABLE = (
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    AssertionError,
    RecursionError,
    OverflowError,
)
"""What reading a value of a wrong form may raise."""

_HINT = "Nothing was imported. Export the run again, and copy the file whole."

Result = Literal["", "imported", "there already", "cancelled"]


@dataclass(frozen=True, slots=True)
class BundleUpdate:
    """The progress of an import; the last update has the `result`, and the run's id in this store. `annotations` were
    new here."""

    run_id: str
    progress: Progress
    result: Result = ""
    annotations: int = 0


def write_bundle(
    database: Database, run_id: str, stream: IO[bytes], *, token: CancelToken | None = None
) -> Iterator[Progress]:
    """Write the run as it is now, with its scorings and what was said about its data; yields after every item.

    When the token is cancelled it ends early, and what was written is no bundle. Raises UsageError for an unknown run.
    """
    token = token or CancelToken()
    with database.reading() as db, gzip.GzipFile("", "wb", 6, stream, mtime=0) as packed:
        writer = _DigestWriter(packed)
        form = transfer.run_form(db, run_id)
        episodes, said = runs.selection(db, run_id), annotation_rows.of_source(db, form["run"]["source"])
        counts = {"episodes": len(episodes), "annotations": len(said)}
        writer.write({"format": FORMAT, "version": VERSION, "schema": SCHEMA, **form, **counts})
        for first in range(0, len(episodes), AT_ONCE):
            writer.write({"episodes": episodes[first : first + AT_ONCE]})
        meter = ProgressMeter(form["predictions"])
        for item in transfer.item_forms(db, run_id):
            writer.write(item)
            yield meter.advance()
            token.wait_if_paused()
            if token.cancelled:
                return
        for sent in transfer.sent_forms(db, run_id):
            writer.write(sent)
        for one in said:
            writer.write({"annotation": _annotation_form(one)})
        writer.end()


def read_bundle(
    database: Database,
    path: Path,
    *,
    data: str = "",
    run_id: str = "",
    with_it: Callable[[Session], object] = lambda _db: None,
    token: CancelToken | None = None,
) -> Iterator[BundleUpdate]:
    """Enter the run of a bundle; yields now and then. `data`: where its data lies here; `run_id`: the id that it gets
    here, "" for its own. `with_it` writes something in the same transaction, first of all; nothing is written where it
    raises.

    Everything is read and checked first, and then written in one transaction. A run that is there already stays as it
    is; so do annotations. Raises SourceError for a file that is no whole and sound bundle, UsageError when another run
    has the same id, StoreError when nothing can be written.
    """
    token = token or CancelToken()
    bundle = _BundleLines(path, data)
    meter = ProgressMeter(None)
    checked = written = 0
    found = None

    def now() -> Progress:
        """Checking an item is half of it."""
        meter.total, meter.done = bundle.items, (checked + written) // 2
        return meter.snapshot()

    try:
        for done in _kept_up(bundle.check(), token):
            checked += done
            yield BundleUpdate("", now())
        run_id = bundle.values.run["id"] = run_id or bundle.values.run["id"]
        if not _is_there(database, bundle):
            found = _RunImport(bundle)
            with database.unit_of_work() as db:
                with_it(db)
                for done in _kept_up(found.rows(db), token):
                    written += done
                    yield BundleUpdate(run_id, now())
    except _ImportCancelledError:
        yield BundleUpdate("", now(), "cancelled")
        return
    yield BundleUpdate(run_id, now(), "imported" if found else "there already", found.annotations if found else 0)


def bundle_outcomes(path: Path) -> list[Outcome]:
    """What the run of a bundle answered, each item with its score under the run's own rule; no store is needed. Raises
    SourceError as `read_bundle`."""
    bundle = _BundleLines(path, "")
    deque(bundle.check(), maxlen=0)
    items = (transfer.item_values(form) for _, form in bundle.forms() if "prediction" in form)
    return [
        outcomes.outcome_of(PredictionRow(**item.prediction), ScoreRow(**score))
        for item in items
        for place, score in item.scores
        if place == 0
    ]


def _kept_up(work: Iterator[int], token: CancelToken) -> Iterator[int]:
    """The work, as long as it is wanted. Raises _ImportCancelledError."""
    for done in work:
        yield done
        token.wait_if_paused()
        if token.cancelled:
            raise _ImportCancelledError


class _ImportCancelledError(Exception):
    """Leaves the transaction with nothing written."""


class _DigestWriter:
    """Writes lines and keeps their digest."""

    def __init__(self, stream: gzip.GzipFile) -> None:
        self._stream, self._digest = stream, hashlib.sha256()

    def write(self, form: Mapping[str, Any]) -> None:
        line = orjson.dumps(form, option=orjson.OPT_APPEND_NEWLINE)
        if len(line) > limit("bundle-line-bytes"):
            raise UsageError("An item of the run is too large for a bundle.", hint="Export predictions instead.")
        self._digest.update(line)
        self._stream.write(line)

    def end(self) -> None:
        self._stream.write(orjson.dumps({"sha256": self._digest.hexdigest()}, option=orjson.OPT_APPEND_NEWLINE))


class _BundleLines:
    """A bundle's lines. `check` first."""

    values: RunValues

    def __init__(self, path: Path, data: str) -> None:
        self.path = path
        self._data = data
        self._counts: dict[str, int] = {}

    def check(self) -> Iterator[int]:
        """Read everything, yielding now and then how many items were checked since. Raises SourceError.

        The digest at the end is compared before anything is made of a damaged line.
        """
        self._read_run(self._check_digest())
        found, told = Counter[str](), 0
        for number, form in self.forms():
            try:
                self._count(form, found)
            except _UNREADABLE as error:
                raise self.refused(f"this cannot be read ({_words(error)})", number) from error
            if number % AT_ONCE == 0:
                yield found["predictions"] - told
                told = found["predictions"]
        if found != Counter(self._counts):
            raise self.refused("its first line counts other things than there are")
        yield found["predictions"] - told

    def _check_digest(self) -> dict[str, Any]:
        """Hold every byte against the digest; returns the first line."""
        digest, last, number, head = hashlib.sha256(), b"", 0, dict[str, Any]()
        for number, line in self._raw():
            if number == 1:
                head = self._head(line)
            digest.update(last)
            last = line
        if number < 2 or _end(last) != {"sha256": digest.hexdigest()}:
            raise self.refused("this bundle is cut off or was changed")
        return head

    def _count(self, form: Mapping[str, Any], found: Counter[str]) -> None:
        """Check a line and count what it has. Raises one of `_UNREADABLE`."""
        match form:
            case {"prediction": _}:
                transfer.check_item(form, len(self.values.scorings))
                found["predictions"] += 1
                for place, _ in form["scores"]:
                    found[f"scores {place}"] += 1
            case {"texts": _} | {"sent_picture": _}:
                parts = transfer.sent_parts(form)
                found["texts"] += len(parts.texts)
                found["sent_pictures"] += len(parts.files)
            case {"episodes": names}:
                if not all(type(name) is str for name in names):
                    raise ValueError("an episode's id is no text")
                found["episodes"] += len(names)
            case {"annotation": said}:
                _annotation(said, "")
                found["annotations"] += 1
            case _:
                raise ValueError("this line has nothing of a run")

    def forms(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The lines between head and end, with their numbers."""
        for number, line in self._raw():
            form = self.form(number, line)
            if number > 1 and "sha256" not in form:
                yield number, form

    def form(self, number: int, line: bytes) -> dict[str, Any]:
        try:
            form = orjson.loads(line)
        except ValueError:
            form = None
        if not isinstance(form, dict):
            raise self.refused("this is no JSON object", number)
        return form

    def refused(self, message: str, number: int | str = "", hint: str = _HINT) -> SourceError:
        return SourceError(message, place=self.path, record=number, hint=hint)

    def _head(self, line: bytes) -> dict[str, Any]:
        """The first line, if it is that of a bundle that can be read here. Raises SourceError."""
        head = self.form(1, line)
        version, schema = head.get("version"), head.get("schema")
        if head.get("format") != FORMAT or type(version) is not int or type(schema) is not str:
            hint = "Make one with 'stepscope runs export RUN -o FILE.bundle'."
            raise self.refused("this is no run bundle", hint=hint)
        if version > VERSION or schema > SCHEMA:
            of = f"format {version}, schema {schema}"
            raise self.refused(f"this bundle was made by a newer version ({of})", hint="Update Stepscope.")
        return head

    def _read_run(self, head: Mapping[str, Any]) -> None:
        try:
            self.values = transfer.run_values(head)
            self._counts = {name: int(head[name]) for name in ("predictions", "episodes", "annotations")}
            sent = {name: int(head.get(name, 0)) for name in ("texts", "sent_pictures")}
            self._counts |= {name: count for name, count in sent.items() if count}
            self._counts |= {f"scores {place}": int(count) for place, count in enumerate(head["scores"])}
        except _UNREADABLE as error:
            raise self.refused(f"the run cannot be read ({_words(error)})", 1) from error
        if self._data:
            self.values.run["source"] = self._data

    @property
    def items(self) -> int:
        """How many items the run has, as the head says."""
        return self._counts.get("predictions", 0)

    def _raw(self) -> Iterator[tuple[int, bytes]]:
        """Lines with their numbers; never more in memory than one. Raises SourceError."""
        most, values = limit("bundle-line-bytes"), limit("json-nodes")
        try:
            budget = Budget(self.path, self.path.stat().st_size)
            with open_regular(self.path) as packed, gzip.GzipFile("", "rb", fileobj=packed) as stream:
                for number in itertools.count(1):
                    line = stream.readline(most + 1)
                    if len(line) > most:
                        raise self._exceeded("bundle-line-bytes", "the line is longer than any of a run", number)
                    budget.take(len(line))
                    if line.count(b",") + line.count(b"[") + line.count(b"{") > values:
                        raise self._exceeded("json-nodes", "the line has more values than any of a run", number)
                    if not line:
                        return
                    yield number, line
        except gzip.BadGzipFile as error:
            raise self.refused("this is no run bundle, or it is damaged") from error
        except (EOFError, zlib.error) as error:
            raise self.refused("this bundle is cut off or damaged") from error
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise self.refused(f"cannot be read: {reason}", hint="Check the path.") from error

    def _exceeded(self, name: str, message: str, number: int) -> SourceError:
        return exceeded(name, message, place=self.path, record=number)


class _RunImport:
    """The writing of a bundle's run into a store: `rows` in one transaction."""

    def __init__(self, bundle: _BundleLines) -> None:
        self.annotations = 0
        self._bundle, self._run = bundle, bundle.values.run

    def rows(self, db: Session) -> Iterator[int]:
        """Write everything, yielding now and then how many items were written since."""
        if runs.exists(db, self._run["id"]):
            raise StoreError(f"Run {self._run['id']} was entered by somebody else just now.", hint="Import it again.")
        try:
            scoring_ids = transfer.add_run(db, self._bundle.values)
            waiting, episodes, said = list[ItemValues](), list[str](), list[Annotation]()
            for _, form in self._bundle.forms():
                if "texts" in form or "sent_picture" in form:
                    model_calls.add_parts(db, self._run["id"], transfer.sent_parts(form))
                if "prediction" in form:
                    waiting.append(transfer.item_values(form))
                episodes += form.get("episodes", ())
                said += [_annotation(form["annotation"], self._run["source"])] if "annotation" in form else []
                if len(waiting) == AT_ONCE or sum(item.weight for item in waiting) > _HEAVY:
                    transfer.add_items(db, self._run["id"], scoring_ids, waiting)
                    yield len(waiting)
                    waiting = []
            transfer.add_items(db, self._run["id"], scoring_ids, waiting)
            yield len(waiting)
        except _UNREADABLE as error:
            raise self._bundle.refused(f"this cannot be read ({_words(error)})") from error
        transfer.add_selection(db, self._run["id"], episodes)
        self.annotations = _annotate(db, self._run["source"], said)


def _annotation_form(one: Annotation) -> dict[str, Any]:
    form = {"episode": one.episode, "step": one.step, "kind": one.kind.value, "value": one.value}
    return {**form, "author": one.author, "made": one.made.isoformat()}


def _annotation(form: Mapping[str, Any], source: str) -> Annotation:
    kind, step = AnnotationKind(form["kind"]), form["step"]
    texts = [form[name] for name in ("episode", "value", "author")]
    made = datetime.fromisoformat(form["made"])
    if not all(type(text) is str for text in texts) or made.tzinfo is None:
        raise ValueError("an annotation is not what it should be")
    if step is not None and not is_step_index(step):
        raise ValueError("an annotation is about no step")
    if checked_value(kind, texts[1], step) != texts[1]:
        raise ValueError("an annotation is not written as it is kept")
    return Annotation(source, texts[0], step, kind, texts[1], texts[2], made.astimezone(UTC))


def _annotate(db: Session, source: str, said: Sequence[Annotation]) -> int:
    """Keep those in whose place nobody here said anything; returns how many."""
    new = 0
    for first in range(0, len(said), AT_ONCE):
        some = said[first : first + AT_ONCE]
        here = annotation_rows.of_episodes(db, source, list(dict.fromkeys(one.episode for one in some)))
        taken = {one.slot for several in here.values() for one in several}
        free = [one for one in some if one.slot not in taken]
        annotation_rows.replace(db, (), free)
        new += len(free)
    return new


def _is_there(database: Database, bundle: _BundleLines) -> bool:
    """Whether the store has this very run, whatever people say of it in either place. Raises UsageError when the run of
    the same id in the store is another."""
    values = bundle.values
    run_id = values.run["id"]
    with database.reading() as db:
        if not runs.exists(db, run_id):
            return False
        here = transfer.run_values(transfer.run_form(db, run_id))
        different = ""
        names = [
            name for name, value in values.run.items() if here.run[name] != value and name not in runs.LABEL_COLUMNS
        ]
        if names:
            different = ", ".join(names).replace("_", " ")
        elif here.scorings != values.scorings:
            different = "the rules it was scored under"
        elif not _same_items(db, bundle, run_id):
            different = "its items"
    if different:
        hint = "Delete that one first, or import this one --as-new."
        message = f"there is another run {run_id} in the store: they differ in {different}"
        raise UsageError(message, place=bundle.path, hint=hint)
    return True


def _same_items(db: Session, bundle: _BundleLines, run_id: str) -> bool:
    theirs = (form for _, form in bundle.forms() if "prediction" in form)
    pairs = itertools.zip_longest(theirs, transfer.item_forms(db, run_id))
    return all(a and b and (a == b or _as_answered(a) == _as_answered(b)) for a, b in pairs)


def _as_answered(form: Mapping[str, Any]) -> transfer.ItemValues:
    """The item without what a person said of it."""
    return replace(transfer.item_values(form), cause=None)


def _end(line: bytes) -> object:
    """What the last line says; nothing when it is none."""
    try:
        return orjson.loads(line)
    except ValueError:
        return None


def _words(error: BaseException) -> str:
    return f"{error} is missing" if isinstance(error, KeyError) else str(error) or type(error).__name__
