"""Whole runs as plain JSON values, on their way from one store to another: rows without their numbers and workers.

What comes in is from strangers: every value is held against its column and read the way the store reads it later,
before a row is written. Whatever does not fit raises ValueError.
"""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import field
from datetime import UTC, datetime
from typing import Any

import orjson
from sqlalchemy import Boolean, Column, DateTime, Float, Integer, String, func, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from sqlalchemy.types import TypeDecorator

from stepscope.core.domain.affordance import AffordanceAnswer
from stepscope.core.domain.episode import LAST_STEP, FeasibilityLabel
from stepscope.core.domain.model_call import MOST_CALLS
from stepscope.core.domain.prediction import (
    MOST_PICTURES,
    ActionAnswer,
    Answer,
    AskAnswer,
    AttachedPicture,
    FeasibilityAnswer,
    FieldsAnswer,
    GoalAnswer,
    OrderAnswer,
    Prediction,
    PredictionStatus,
)
from stepscope.core.domain.run import RunState
from stepscope.core.domain.score import Score, ScoreStatus
from stepscope.core.domain.walk import WalkAnswer
from stepscope.core.domain.walk_wire import is_sound_walk
from stepscope.core.errors import UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.attachment_check import check_attached
from stepscope.core.store.call_codec import SentParts, call_from_json, check_sent_file, texts_in
from stepscope.core.store.codec import answer_from_json, compact, options_from_text, options_to_text
from stepscope.core.store.repositories import attachments, cause_labels, model_calls, runs, scorings
from stepscope.core.store.tables import (
    EPISODE_STEP,
    Base,
    PredictionRow,
    RunRow,
    ScoreRow,
    ScoringRow,
    SelectionRow,
    table_of,
)

AT_ONCE = 500
"""Rows that are read or written together."""
TEXTS_AT_ONCE = 1 << 20
"""Letters of texts of prompts after which a line ends."""

NOT_FINISHED = "It was not finished in the store that it comes from."

_OF_HERE = {"worker_host", "worker_pid", "worker_started", "worker_claim", "worker_machine", "heartbeat"}
_RUN_ID = re.compile(r"[0-9a-f]{4,32}")
_INTEGERS = range(-(2**31), 2**31)

Form = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RunValues:
    """A run and its scorings, its own first, as rows to be."""

    run: dict[str, Any]
    scorings: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class ItemValues:
    """A prediction and its scores as rows to be, each score with the place of its scoring in the run's list; the
    prediction's pictures; its calls in the form of `call_codec`, and the cause that a person gave it in that of
    `cause_labels`."""

    prediction: dict[str, Any]
    scores: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    pictures: tuple[AttachedPicture, ...] = ()
    calls: tuple[Form, ...] = ()
    cause: Form | None = None

    @property
    def weight(self) -> int:
        """The bytes of the item's pictures."""
        return sum(len(one.data) for one in self.pictures)


def run_form(db: Session, run_id: str) -> dict[str, Any]:
    """`{"run", "scorings", "predictions", "scores": [of each scoring], "texts", "sent_pictures"}`. A run that is not
    finished is one that was interrupted: who works on it here works on it nowhere else. Raises UsageError for an
    unknown run."""
    row = db.execute(select(*_RUN.columns).where(RunRow.id == run_id)).one_or_none()
    if row is None:
        raise UsageError(f"There is no run {run_id!r}.", hint="See `stepscope runs list`.")
    known = scorings.of_run(db, run_id)
    query = select(ScoringRow.id, *_SCORING.columns).where(ScoringRow.run_id == run_id)
    rules = {row[0]: _SCORING.form(row[1:]) for row in db.execute(query)}
    items = db.scalar(select(func.count()).select_from(PredictionRow).where(PredictionRow.run_id == run_id)) or 0
    form = _RUN.form(row)
    if RunState(form["state"]) in runs.UNFINISHED:
        form |= {"state": RunState.INTERRUPTED.value, "finished": None, "message": NOT_FINISHED}
    shown = {"run": form, "scorings": [rules[one.id] for one in known]}
    sent = {
        "texts": model_calls.count_texts(db, run_id),
        "sent_pictures": len(model_calls.picture_digests(db, run_id)),
    }
    return {**shown, "predictions": items, "scores": [one.items for one in known], **sent}


def sent_forms(db: Session, run_id: str) -> Iterator[dict[str, Any]]:
    """What the prompts of the run name: `{"texts": [[digest, text], …]}`, some at a time, and
    `{"sent_picture": {"digest", "data"}}` with the file in base64."""
    waiting, letters = list[tuple[str, str]](), 0
    for digest, text in model_calls.all_texts(db, run_id):
        waiting.append((digest, text))
        letters += len(text)
        if letters > TEXTS_AT_ONCE or len(waiting) == AT_ONCE:
            yield {"texts": waiting}
            waiting, letters = [], 0
    if waiting:
        yield {"texts": waiting}
    for digest in model_calls.picture_digests(db, run_id):
        data = model_calls.picture(db, run_id, digest) or b""
        yield {"sent_picture": {"digest": digest, "data": base64.b64encode(data).decode("ascii")}}


def item_forms(db: Session, run_id: str) -> Iterator[dict[str, Any]]:
    """`{"prediction", "scores": [[place of its scoring, score], …]}` of each item, in the order they were done; with
    `pictures` where its predictor attached some, `calls` where it asked a model, and `cause` where a person gave it
    one."""
    places = {one.id: place for place, one in enumerate(scorings.of_run(db, run_id))}
    query = select(PredictionRow.id, *_PREDICTION.columns).where(PredictionRow.run_id == run_id)
    found = db.execute(query.order_by(PredictionRow.id).execution_options(yield_per=AT_ONCE))
    for rows in found.partitions():
        scores = _scores(db, [row[0] for row in rows], places)
        pictured = attachments.among(db, [row[0] for row in rows])
        calls = model_calls.forms_of(db, [row[0] for row in rows])
        causes = cause_labels.among(db, [row[0] for row in rows])
        for row in rows:
            form: dict[str, Any] = {"prediction": _PREDICTION.form(row[1:]), "scores": scores.get(row[0], [])}
            if row[0] in pictured:  # one after the other: they are large
                form["pictures"] = [_picture_form(one) for one in attachments.of_prediction(db, row[0])]
            if row[0] in calls:
                form["calls"] = calls[row[0]]
            if row[0] in causes:
                form["cause"] = causes[row[0]]
            yield form


def _scores(db: Session, ids: Collection[int], places: Mapping[int, int]) -> dict[int, list[list[Any]]]:
    query = select(ScoreRow.prediction_id, ScoreRow.scoring_id, *_SCORE.columns).where(ScoreRow.prediction_id.in_(ids))
    found: dict[int, list[list[Any]]] = {}
    for row in db.execute(query):
        found.setdefault(row[0], []).append([places[row[1]], _SCORE.form(row[2:])])
    return {item: sorted(scores, key=lambda score: score[0]) for item, scores in found.items()}


def run_values(form: Form) -> RunValues:
    """The run of a `run_form`. Raises ValueError."""
    values = _RUN.values(form["run"])
    if not _RUN_ID.fullmatch(values["id"]):
        raise ValueError("the run's id is none")
    values["options"] = _options(values["options"])
    state = runs.value(RunRow(**values), 0).state  # reads machines and tags too
    if state in runs.UNFINISHED:
        values |= {"state": RunState.INTERRUPTED.value, "finished": None, "message": NOT_FINISHED}
    rules = [_SCORING.values(one) for one in form["scorings"]]
    for rule in rules:
        rule["options"] = _options(rule["options"])
    if any(rule["own"] for rule in rules[1:]):
        raise ValueError("the run's own rule is not the first of its rules, or there are several")
    return RunValues(values, rules)


def check_item(form: Form, rules: int) -> None:
    """Hold one of `item_forms`, of a run with so many scorings, against everything that the store will take it for.

    Raises ValueError, TypeError or KeyError.
    """
    prediction = _PREDICTION.values(form["prediction"])
    if not EPISODE_STEP <= prediction["step"] <= LAST_STEP:
        raise ValueError("there is no such step")
    answer = None if prediction["answer"] is None else _answer(prediction["answer"])
    Prediction(prediction["episode"], None, answer, PredictionStatus(prediction["status"]))
    places = [place for place, _ in form["scores"]]
    if len(set(places)) < len(places) or any(type(place) is not int or not 0 <= place < rules for place in places):
        raise ValueError("a score belongs to no rule, or two to the same")
    for _, score in form["scores"]:
        values = _SCORE.values(score)
        _check_parts(values["parts"])
        Score(ScoreStatus(values["status"]), values["value"], "")
    check_attached(_pictures(form))
    calls = form.get("calls", [])
    if not isinstance(calls, list) or len(calls) > MOST_CALLS:
        raise ValueError("the calls are no list, or too many")
    for one in calls:
        call_from_json(one, str)
    if "cause" in form:
        cause_labels.label_of(form["cause"])


def sent_parts(form: Form) -> SentParts:
    """The texts or the picture of one of `sent_forms`, checked. Raises ValueError, TypeError or KeyError."""
    if "texts" in form:
        return SentParts(texts_in(form["texts"]))
    one = form["sent_picture"]
    data = base64.b64decode(one["data"], validate=True)
    check_sent_file(one["digest"], data)
    return SentParts(files={one["digest"]: data})


def item_values(form: Form) -> ItemValues:
    """The rows of an item that was checked."""
    scores = [(n, _SCORE.filled(score)) for n, score in form["scores"]]
    calls = tuple(form.get("calls", ()))
    return ItemValues(_PREDICTION.filled(form["prediction"]), scores, _pictures(form), calls, form.get("cause"))


def add_run(db: Session, values: RunValues) -> list[int]:
    """Enter the run, with nobody at work on it; returns the ids of its scorings."""
    db.execute(insert(table_of(RunRow)), [values.run])
    rows = [{**rule, "run_id": values.run["id"]} for rule in values.scorings]
    try:
        return [db.scalars(insert(ScoringRow).returning(ScoringRow.id), [row]).one() for row in rows]
    except IntegrityError as error:
        raise ValueError("a rule is there twice") from error


def add_items(db: Session, run_id: str, scoring_ids: Sequence[int], items: Sequence[ItemValues]) -> None:
    """Enter predictions with their scores (in a writing transaction). Raises ValueError for one that is there."""
    if not items:
        return
    before = db.scalar(select(func.max(PredictionRow.id))) or 0
    try:
        db.execute(insert(table_of(PredictionRow)), [{**item.prediction, "run_id": run_id} for item in items])
    except IntegrityError as error:
        raise ValueError("an item is there twice") from error
    # nobody else writes meanwhile, and ids rise: asking for them afterwards is several times as fast as RETURNING
    new = PredictionRow.id > before, PredictionRow.run_id == run_id
    ids = db.scalars(select(PredictionRow.id).where(*new).order_by(PredictionRow.id)).all()
    attachments.add_many(db, ids, [item.pictures for item in items])
    model_calls.add_forms(db, [(one, item.calls) for one, item in zip(ids, items, strict=True)])
    cause_labels.add_forms(db, [(one, item.cause) for one, item in zip(ids, items, strict=True)])
    scores = [
        {**score, "prediction_id": item_id, "scoring_id": scoring_ids[place]}
        for item_id, item in zip(ids, items, strict=True)
        for place, score in item.scores
    ]
    if scores:
        db.execute(insert(table_of(ScoreRow)), scores)


def add_selection(db: Session, run_id: str, episodes: Sequence[str]) -> None:
    """The episodes that the run is about, in its order."""
    db.add(SelectionRow(run_id=run_id, episodes=compact(list(episodes))))
    db.flush()


def _picture_form(picture: AttachedPicture) -> dict[str, Any]:
    """The picture in base64, with the size that its box refers to."""
    row = attachments.picture_row(0, 0, picture)
    data = base64.b64encode(picture.data).decode("ascii")
    return {"name": picture.name, "step": picture.step, "box": row["box"], "data": data}


def _pictures(form: Form) -> tuple[AttachedPicture, ...]:
    """The pictures of an item's form. Raises ValueError, TypeError or KeyError."""
    several = form.get("pictures", ())
    if len(several) > MOST_PICTURES or not all(type(one["step"]) in (int, type(None)) for one in several):
        raise ValueError("the pictures are not what they should be")
    return tuple(
        attachments.picture_of(one["name"], base64.b64decode(one["data"], validate=True), one["box"], one["step"])
        for one in several
    )


class _RowCodec:
    """Some columns of a table: a row as JSON, and JSON as a row's values."""

    def __init__(self, row: type[Base], *without: str) -> None:
        self.columns: list[Column[Any]] = [column for column in table_of(row).c if column.name not in without]
        self._names = {column.name: column for column in self.columns}
        self._reads = {name: _reader(column) for name, column in self._names.items()}
        self._defaults = {column.name: _default(column) for column in self.columns if _has_default(column)}

    def form(self, row: Sequence[Any]) -> dict[str, Any]:
        values = zip(self._names, row, strict=True)
        return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in values}

    def values(self, form: Form) -> dict[str, Any]:
        """Every column's value, read and checked. Raises ValueError."""
        if not isinstance(form, dict) or form.keys() - self._names.keys():
            raise ValueError("a value has a name that is not known here")
        whole = self.filled(form)
        return {name: read(whole[name]) for name, read in self._reads.items()}

    def filled(self, form: Form) -> dict[str, Any]:
        """The form with the defaults of columns that an older form does not have."""
        return {**self._defaults, **form}


def _has_default(column: Column[Any]) -> bool:
    return column.default is not None or bool(column.nullable)


def _default(column: Column[Any]) -> Any:
    return None if column.default is None else column.default.arg  # type: ignore[attr-defined]


def _reader(column: Column[Any]) -> Callable[[Any], Any]:
    """A function that returns the value for the column, or raises ValueError."""
    kind = column.type.impl_instance if isinstance(column.type, TypeDecorator) else column.type
    read: Callable[[Any], Any]
    fits: Callable[[Any], bool]
    match kind:
        case Boolean():
            read, fits = bool, lambda value: type(value) is bool
        case DateTime():
            read, fits = _moment, lambda value: type(value) is str
        case Integer():
            read, fits = int, lambda value: type(value) is int and value in _INTEGERS
        case Float():
            read, fits = float, lambda value: type(value) in (int, float) and math.isfinite(value)
        case String():
            longest = kind.length or math.inf
            read, fits = str, lambda value: type(value) is str and len(value) <= longest and "\0" not in value
        case _:
            raise TypeError(column)

    def checked(value: Any) -> Any:
        if value is None and column.nullable:
            return None
        if not fits(value):
            raise ValueError(f"{column.name} is not what it should be")
        return read(value)

    return checked


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError("a time has no zone")
    return moment.astimezone(UTC)


def _options(text: str) -> str:
    """Options in the store's spelling."""
    options = orjson.loads(text)
    if not isinstance(options, dict) or not all(isinstance(value, str) for value in options.values()):
        raise ValueError("the options are no texts by name")
    return options_to_text(options_from_text(text))


def _answer(text: str) -> Answer:
    """The answer in a text; orjson refuses what json would take (NaN, endless nesting)."""
    answer = answer_from_json(orjson.loads(text))
    if not is_sound(answer):
        raise ValueError("an answer is not what it should be")
    return answer


def is_sound(answer: Answer) -> bool:
    """Whether the parts are of the kinds that the contract names; those of an action are checked as it is read."""
    match answer:
        case ActionAnswer(_, candidates):
            return all(type(one.score) in (int, float) for one in candidates)
        case FeasibilityAnswer(label, score, curve, evidence):
            numbers = (*((score,) if score is not None else ()), *curve, *(one.weight for one in evidence))
            places = all(type(one.step) is int and isinstance(one.text, str) for one in evidence)
            sound = isinstance(label, FeasibilityLabel) and isinstance(answer.question, str)
            return sound and places and all(type(one) in (int, float) for one in numbers)
        case GoalAnswer(words):
            return isinstance(words, str)
        case OrderAnswer(order, before):
            numbers = tuple(number for row in before for number in row)
            return all(isinstance(one, str) for one in order) and all(type(one) in (int, float) for one in numbers)
        case AskAnswer(question, score):
            told = question is None or isinstance(question, str)
            return told and (score is None or type(score) in (int, float))
        case FieldsAnswer(fields, missing):
            return all(isinstance(one, str) for pair in (*fields, missing) for one in pair)
        case WalkAnswer():
            return is_sound_walk(answer)
        case AffordanceAnswer():
            return True  # checked as it is read


def _check_parts(text: str) -> None:
    """Filters look into the text itself, so it has to be spelled as the store does."""
    if text == "[]":
        return
    parts = orjson.loads(text)
    sound = isinstance(parts, list) and all(
        isinstance(part, list) and len(part) == 2 and isinstance(part[0], str) and type(part[1]) in (int, float)
        for part in parts
    )
    if not sound or compact(parts) != text:
        raise ValueError("the parts of a score are no numbers by name")


_RUN = _RowCodec(RunRow, *_OF_HERE)
_SCORING = _RowCodec(ScoringRow, "id", "run_id", "changed")
_PREDICTION = _RowCodec(PredictionRow, "id", "run_id")
_SCORE = _RowCodec(ScoreRow, "scoring_id", "prediction_id")
