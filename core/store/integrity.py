"""Whether a row of the store is what the program once wrote: every value held against its column, and every text that
stands for something read the way it is read when it is needed. Rows come as they lie in a SQLite file."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import BigInteger, Boolean, Column, DateTime, Float, Integer, LargeBinary, String
from sqlalchemy.types import TypeDecorator

from stepscope.core.domain.ambiguous_json import (
    check_names_from_text,
    piece_edits_from_text,
    pieces_from_text,
    readings_from_text,
)
from stepscope.core.domain.ambiguous_task import ReviewVerdict
from stepscope.core.domain.annotation import AnnotationKind, label_of
from stepscope.core.domain.campaign import AssignmentState, CampaignTask, PairOrigin
from stepscope.core.domain.episode import FeasibilityLabel, InfeasibilityReason
from stepscope.core.domain.error_cause import ErrorCause
from stepscope.core.domain.goal_error import GoalErrorClass
from stepscope.core.domain.human_order import MOST_CONFIDENT, HelpfulInput, StepInput, orders_from_text
from stepscope.core.domain.judgement import origin_of
from stepscope.core.domain.prediction import Prediction, PredictionStatus, Task
from stepscope.core.domain.run import RunState
from stepscope.core.domain.score import Score, ScoreStatus
from stepscope.core.imaging.attachment_check import check_attached
from stepscope.core.store import ask_tables  # noqa: F401 - they are among all tables
from stepscope.core.store.call_codec import call_from_json, check_sent_file, check_sent_text
from stepscope.core.store.campaign_tables import CampaignRow
from stepscope.core.store.codec import answer_from_text
from stepscope.core.store.damage import UNREADABLE
from stepscope.core.store.repositories import attachments, model_calls, runs
from stepscope.core.store.tables import EPISODE_STEP
from stepscope.core.store.transfer import is_sound

Row = Mapping[str, Any]

TABLES = CampaignRow.metadata.tables
"""All tables by name, those of campaigns and of ambiguous tasks among them."""


def fault(table: str, row: Row) -> str:
    """Why this row is none of the table, "" for a sound one. What the row lacks counts as NULL."""
    for name, said, wrong in _columns(table):
        value = row.get(name)
        if wrong(value):
            return f"{name} is {_told(value)}, not {said}"
    meaning = _MEANINGS.get(table)
    if meaning is not None:
        try:
            meaning(row)
        except UNREADABLE as error:
            return str(error) or type(error).__name__
    return ""


@cache
def _columns(table: str) -> list[tuple[str, str, Callable[[Any], bool]]]:
    """Each column's name, what it has to be in words, and whether a value is not that."""
    return [(column.name, *_kind(column)) for column in TABLES[table].c]


def _kind(column: Column[Any]) -> tuple[str, Callable[[Any], bool]]:
    kind = column.type.impl_instance if isinstance(column.type, TypeDecorator) else column.type
    said = ""
    fits: Callable[[Any], bool] = _nothing
    match kind:
        case Boolean():
            said, fits = "yes or no", lambda value: value in (0, 1)
        case DateTime():
            said, fits = "a time", _is_time
        case BigInteger():
            said, fits = "a whole number", lambda value: type(value) is int
        case Integer():
            said, fits = "a whole number", lambda value: type(value) is int and -(2**31) <= value < 2**31
        case Float():
            said, fits = "a number", lambda value: type(value) in (int, float)
        case String():
            said, fits = "a text", lambda value: type(value) is str and "\0" not in value
        case LargeBinary():
            said, fits = "bytes", lambda value: type(value) is bytes
    empty = bool(column.nullable) and not column.primary_key
    return said, lambda value: not (empty if value is None else fits(value))


def _nothing(_value: object) -> bool:
    return False


def _is_time(value: object) -> bool:
    try:
        return type(value) is str and bool(datetime.fromisoformat(value))
    except ValueError:
        return False


def _told(value: object) -> str:
    names = {int: "a whole number", float: "a number", str: "another text", bytes: "bytes"}
    return "empty" if value is None else names[type(value)]


def _run(row: Row) -> None:
    Task(row["task"])
    RunState(row["state"])
    _options(row)
    runs.machines_of(row.get("machines") or "[]")


def _options(row: Row) -> None:
    form = json.loads(row["options"])
    if not isinstance(form, dict) or not all(isinstance(value, str) for value in form.values()):
        raise ValueError("its options are no texts by name")


def _texts(text: str) -> None:
    form = json.loads(text)
    if not isinstance(form, list) or not all(isinstance(one, str) for one in form):
        raise ValueError("this is no list of texts")


def _prediction(row: Row) -> None:
    _place(row)
    answer = answer_from_text(row["answer"])
    if answer is not None and not is_sound(answer):
        raise ValueError("its answer is none")
    Prediction(row["episode"], None, answer, PredictionStatus(row["status"]))


def _picture(row: Row) -> None:
    check_attached([attachments.picture_of(row["name"], row["picture"], row["box"], row["step"])])


def _model_call(row: Row) -> None:
    form = model_calls.form_of({**row, "remembered": row["remembered"] == 1})
    call_from_json(form, str)
    if row["retries"] != max(0, len(form["attempts"]) - 1):
        raise ValueError("its attempts are not as many as it says")


def _score(row: Row) -> None:
    parts = json.loads(row["parts"])
    if not isinstance(parts, list) or not all(
        isinstance(name, str) and type(value) in (int, float) for name, value in parts
    ):
        raise ValueError("its parts are no numbers by name")
    Score(ScoreStatus(row["status"]), row["value"], "")
    if row["value"] is not None and not 0.0 <= row["value"] <= 1.0:
        raise ValueError(f"the score {row['value']:g} is not between 0 and 1")


def _session(row: Row) -> None:
    if not isinstance(json.loads(row["payload"]), dict):
        raise ValueError("this is no saved session")


def _annotation(row: Row) -> None:
    _place(row)
    if AnnotationKind(row["kind"]) is AnnotationKind.LABEL:
        label_of(row["value"])


def _web_answer(row: Row) -> None:
    fields = json.loads(row["fields"])
    if not all(isinstance(name, str) and isinstance(value, str) for name, value in fields):
        raise ValueError("its fields are no texts by name")


def _pair_of_texts(row: Row) -> None:
    _place(row)
    if origin_of(row["first"]).rank >= origin_of(row["second"]).rank:
        raise ValueError("its texts are in the wrong order")


def _place(row: Row) -> None:
    if row["step"] < EPISODE_STEP:
        raise ValueError("there is no such step")


def _human_order(row: Row) -> None:
    orders_from_text(row["orders"])
    StepInput(row["shown"])
    if row["helped"] is not None:
        HelpfulInput(row["helped"])
    if row["confidence"] is not None and not 1 <= row["confidence"] <= MOST_CONFIDENT:
        raise ValueError("there is no such confidence")


def _assignment(row: Row) -> None:
    AssignmentState(row["state"])
    if row.get("shown"):
        StepInput(row["shown"])


def _demonstration(row: Row) -> None:
    if row["label"]:
        FeasibilityLabel(row["label"])
    if row["reason"]:
        InfeasibilityReason(row["reason"])
    _texts(row["follow_up"])


def _episode(row: Row) -> None:
    if not all(isinstance(kind, str) and type(count) is int for kind, count in json.loads(row["actions"])):
        raise ValueError("its actions are no numbers by kind")
    _texts(row["follow_up"])
    if row["label"]:
        FeasibilityLabel(row["label"])
    if row["reason"]:
        InfeasibilityReason(row["reason"])


def _judgement(row: Row) -> None:
    _pair_of_texts(row)
    if row["error"]:
        GoalErrorClass(row["error"])


def _ambiguous_task(row: Row) -> None:
    pieces_from_text(row["pieces"])
    readings_from_text(row["readings"])
    check_names_from_text(row["failed"])
    if row["removed"] < 1:
        raise ValueError("it leaves out no step")


def _ask_review(row: Row) -> None:
    ReviewVerdict(row["verdict"])
    piece_edits_from_text(row["pieces"])


_MEANINGS: Mapping[str, Callable[[Row], object]] = {
    "run": _run,
    "selection": lambda row: _texts(row["episodes"]),
    "prediction": _prediction,
    "prediction_picture": _picture,
    "model_call": _model_call,
    "cause_label": lambda row: ErrorCause(row["cause"]),
    "sent_text": lambda row: check_sent_text(row["digest"], row["text"]),
    "sent_picture": lambda row: check_sent_file(row["digest"], row["picture"]),
    "scoring": _options,
    "score": _score,
    "session": _session,
    "annotation": _annotation,
    "web_answer": _web_answer,
    "judgement": _judgement,
    "judge_assignment": _pair_of_texts,
    "written_text": _place,
    "human_order": _human_order,
    "ambiguous_task": _ambiguous_task,
    "ask_review": _ask_review,
    "campaign": lambda row: CampaignTask(row["task"]),
    "campaign_pair": lambda row: PairOrigin(row["origin"]),
    "campaign_assignment": _assignment,
    "campaign_demonstration": _demonstration,
    "episode": _episode,
}
