"""Answers of models by content, so that a question that was answered once is not computed again.

The key is a hash of the predictor's fingerprint (weights, preprocessing, precision) and of everything in the request:
the pictures' bytes, the UI trees, the words. Where the data lies and what it is called have no part in it. The answers
lie in an SQLite file of their own: it can be deleted at any time.
"""

from __future__ import annotations

import hashlib
import json
import logging
import sqlite3
import threading
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import orjson

from stepscope.core.domain.elements import UITree
from stepscope.core.domain.episode import Drawing, Encoding, Observation, Picture, Slice
from stepscope.core.domain.model_call import ModelCall
from stepscope.core.domain.prediction import Prediction, PredictionStatus
from stepscope.core.domain.procedure import ProcedureStep
from stepscope.core.evaluation.predictor import (
    BatchPredictor,
    Cancellable,
    ModelInfo,
    Releasable,
    Request,
    Speaking,
    place_of,
)
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.parts import picture_file, raw_pixels
from stepscope.core.progress import CancelToken
from stepscope.core.store.call_codec import SentParts, call_from_json, call_to_json
from stepscope.core.store.codec import answer_from_text, answer_to_text
from stepscope.core.store.damage import UNREADABLE

log = logging.getLogger("stepscope")

FILE_NAME = "predictions.db"
LARGEST = 500_000
"""Answers that are kept at most; the oldest go first."""
_FORMAT = 2

_TABLE = """create table if not exists answer (
    key blob primary key, status text not null, answer text, confidence real, latency_ms real,
    raw text not null, why text not null, calls blob
) without rowid"""
_ORDER = "create table if not exists entry (number integer primary key, key blob not null)"


class PredictionCache:
    """Threads may share it. Trouble with its file costs the answers, never the run."""

    def __init__(self, path: Path, largest: int = LARGEST) -> None:
        self._lock = threading.Lock()
        self._largest = largest
        self._file: sqlite3.Connection | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = _opened(path)
        except (OSError, sqlite3.Error) as error:
            log.warning("answers of models are not kept: %s: %s", path, error)

    def get(self, key: bytes) -> Prediction | None:
        """The answer, about no episode; None when there is none."""
        with self._lock:
            if self._file is None:
                return None
            try:
                row = self._file.execute(f"select {_COLUMNS} from answer where key = ?", (key,)).fetchone()
                return None if row is None else _prediction(row)
            except (sqlite3.Error, zlib.error, *UNREADABLE) as error:
                self._give_up(error)
                return None

    def put(self, answers: Sequence[tuple[bytes, Prediction]]) -> None:
        """Keep these; the oldest go where they become too many."""
        with self._lock:
            if self._file is None or not answers:
                return
            rows = [(key, *_row(prediction)) for key, prediction in answers]
            try:
                with self._file:
                    self._file.executemany("insert or replace into answer values (?, ?, ?, ?, ?, ?, ?, ?)", rows)
                    self._file.executemany("insert into entry (key) values (?)", [(key,) for key, _ in answers])
                    self._drop_oldest()
            except sqlite3.Error as error:
                self._give_up(error)

    def __len__(self) -> int:
        with self._lock:
            return 0 if self._file is None else int(self._file.execute("select count(*) from answer").fetchone()[0])

    def clear(self) -> None:
        with self._lock:
            if self._file is not None:
                with self._file:
                    self._file.execute("delete from answer")
                    self._file.execute("delete from entry")

    def close(self) -> None:
        with self._lock:
            if self._file is not None:
                self._file.close()
            self._file = None

    def _drop_oldest(self) -> None:
        assert self._file is not None
        newest = self._file.execute("select max(number) from entry").fetchone()[0]
        old = newest - self._largest
        self._file.execute("delete from answer where key in (select key from entry where number <= ?)", (old,))
        self._file.execute("delete from entry where number <= ?", (old,))

    def _give_up(self, error: Exception) -> None:
        log.warning("answers of models are no longer kept: %s", error)
        if self._file is not None:
            self._file.close()
        self._file = None


@dataclass(frozen=True, slots=True)
class _CacheLookup:
    """An input on its way: what was known of it, else what the model gets."""

    place: tuple[str, int | None]
    key: bytes
    known: Prediction | None
    given: Any


class CachedPredictor:
    """A predictor that asks the model only what it was not asked before. `remembered` counts answers out of the cache.

    Only answers that are ok or malformed are kept: a refusal or a failure may be another time's luck. Those with
    pictures are not, be they attached or sent and not to be made again: they would be many times as large as all else.
    """

    def __init__(self, inner: BatchPredictor[Any], cache: PredictionCache) -> None:
        self._inner, self._cache = inner, cache
        self.batch_size = inner.batch_size
        self.weight_files = getattr(inner, "weight_files", ())
        self.remembered = 0

    @property
    def info(self) -> ModelInfo:
        """As of the model now: what it is asked may change while it is loaded, and its version with it."""
        return self._inner.info

    @property
    def fingerprint(self) -> str:
        """The same."""
        return self._inner.fingerprint

    def set_token(self, token: CancelToken) -> None:
        if isinstance(self._inner, Cancellable):
            self._inner.set_token(token)

    def listen(self, heard: Callable[[str], None] | None) -> None:
        """See `Speaking`; what is remembered is not said again."""
        if isinstance(self._inner, Speaking):
            self._inner.listen(heard)

    def predict(self, request: Any) -> Prediction:
        return self.predict_batch([self.prepare(request)])[0]

    def prepare(self, request: Any) -> _CacheLookup:
        key = request_key(self.fingerprint, request)
        known = self._cache.get(key)
        return _CacheLookup(place_of(request), key, known, None if known else self._inner.prepare(request))

    def predict_batch(self, prepared: Sequence[_CacheLookup]) -> list[Prediction]:
        fresh = [one for one in prepared if one.known is None]
        answers = list(self._inner.predict_batch([one.given for one in fresh])) if fresh else []
        if len(answers) != len(fresh):
            raise ValueError(f"it gave {len(answers)} answers to {len(fresh)} requests")
        keep = (PredictionStatus.OK, PredictionStatus.MALFORMED)
        pairs = zip(fresh, answers, strict=True)
        self._cache.put(
            [(one.key, answer) for one, answer in pairs if answer.status in keep and not _has_files(answer)]
        )
        following = iter(answers)
        self.remembered += len(prepared) - len(fresh)
        return [
            next(following) if one.known is None else replace(one.known, episode=one.place[0], step=one.place[1])
            for one in prepared
        ]

    def warm_up(self) -> None:
        self._inner.warm_up()

    def release(self) -> None:
        if isinstance(self._inner, Releasable):
            self._inner.release()

    def close(self) -> None:
        self._inner.close()


def _has_files(prediction: Prediction) -> bool:
    return bool(prediction.pictures) or any(one.data for call in prediction.calls for one in call.pictures)


_NAMES = {"episode", "step", "procedure", "instance"}
"""What a request calls its place: no part of its content."""
_ADDED = {"words", "past", "own", "instructions", "whole", "asked", "behind", "told"}
"""What came later and has no part in the key where it is empty, so that answers and cards keep theirs."""

_EMPTY: tuple[Any, ...] = ((), None)


def request_key(fingerprint: str, request: Request) -> bytes:
    """16 bytes that are the same for the same content, on every machine. Raises SourceError when a picture of it cannot
    be read."""
    whole = {field.name: getattr(request, field.name) for field in fields(request) if field.name not in _NAMES}
    content = {name: value for name, value in whole.items() if value not in _EMPTY or name not in _ADDED}
    text = orjson.dumps([_FORMAT, fingerprint, type(request).__name__, _plain(content)], default=_other)
    return hashlib.blake2b(text, digest_size=16).digest()


def _plain(value: Any) -> Any:
    """The value with the digest of its bytes in the place of every picture."""
    match value:
        case Picture():
            return {"picture": picture_digest(value), "size": value.size}
        case Observation():
            parts = {field.name: getattr(value, field.name) for field in fields(value) if field.name != "time"}
            return {name: _plain(part) if name in ("screenshot", "tree") else part for name, part in parts.items()}
        case UITree():  # what it has looked up of itself stands beside its fields, and is none of the content
            return {field.name: getattr(value, field.name) for field in fields(value)}
        case Mapping():
            return {str(name): _plain(part) for name, part in value.items()}
        case tuple() | list():
            return [_plain(part) for part in value]
        case _:
            return _plain_step(value) if isinstance(value, ProcedureStep) else value


def _plain_step(step: ProcedureStep) -> Any:
    """A step of a procedure. Without a UI tree it is told as before steps could have one."""
    tree = () if step.tree is None else (_plain(step.tree),)
    if step.pictures or tree:
        return [_plain(step.pictures), step.text, step.title, *tree]
    return {"id": step.id, "text": step.text, "pictures": (), "title": step.title}


def picture_digest(picture: Picture) -> str:
    """Hash of what the picture shows, by its bytes (of a drawing: its tree), in hex. Raises SourceError."""
    match picture.part:
        case Drawing(tree=tree):
            data: Any = orjson.dumps(tree)
        case Slice(encoding=Encoding.RGB) as part:
            data = raw_pixels(picture, part).tobytes()
        case _:
            data = picture_file(picture)
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _other(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} has no place in a request")


_COLUMNS = "status, answer, confidence, latency_ms, raw, why, calls"


def _row(prediction: Prediction) -> tuple[Any, ...]:
    answer = answer_to_text(prediction.answer)
    raw, why = json.dumps(prediction.raw), json.dumps(prediction.why)
    return prediction.status.value, answer, prediction.confidence, prediction.latency_ms, raw, why, _packed(prediction)


def _prediction(row: tuple[Any, ...]) -> Prediction:
    status, answer, confidence, latency, raw, why, calls = row
    known = answer_from_text(answer)
    return Prediction(
        "", None, known, PredictionStatus(status), confidence, latency, json.loads(raw), json.loads(why),
        calls=_unpacked(calls),
    )  # fmt: skip


def _packed(prediction: Prediction) -> bytes | None:
    """The calls with the texts of their prompts; None without any. Their pictures can be made again."""
    if not prediction.calls:
        return None
    parts = SentParts()
    forms = [call_to_json(one, parts) for one in prediction.calls]
    return zlib.compress(json.dumps([forms, parts.texts]).encode())


def _unpacked(data: bytes | None) -> tuple[ModelCall, ...]:
    """The calls, marked as not asked this time."""
    if data is None:
        return ()
    forms, texts = json.loads(zlib.decompress(data))
    return tuple(replace(call_from_json(one, texts.__getitem__), remembered=True) for one in forms)


def _opened(path: Path) -> sqlite3.Connection:
    """The file, made anew where it is of another format or no such file at all."""
    for attempt in (1, 2):
        connection = sqlite3.connect(path, check_same_thread=False, timeout=5.0)
        try:
            connection.execute("pragma journal_mode=wal")
            connection.execute("pragma synchronous=off")
            with connection:
                (version,) = connection.execute("pragma user_version").fetchone()
                if version not in (0, _FORMAT):
                    raise sqlite3.DatabaseError(f"format {version}")
                connection.execute(_TABLE)
                connection.execute(_ORDER)
                connection.execute(f"pragma user_version={_FORMAT}")
            return connection
        except sqlite3.OperationalError:
            connection.close()
            raise
        except sqlite3.DatabaseError:
            with closing(connection):
                if attempt == 2:
                    raise
            for end in ("", "-wal", "-shm"):
                path.with_name(path.name + end).unlink(missing_ok=True)
    raise AssertionError
