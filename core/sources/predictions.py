"""Predictions that another system wrote: JSON Lines, one answer a line (the headless contract, section 2).

A line that cannot be read is reported with its number and kept out; the rest is imported. Action places are pixels of
the screenshot, so its size is looked up by episode and step.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn, TypeGuard

from stepscope.core.domain.action import Action
from stepscope.core.domain.affordance import affordance_from_json
from stepscope.core.domain.episode import STEP_INDEX, FeasibilityLabel, InfeasibilityReason, is_step_index
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.prediction import (
    ASKER_DOES,
    ActionAnswer,
    Answer,
    AskAnswer,
    Candidate,
    FeasibilityAnswer,
    FieldsAnswer,
    GoalAnswer,
    OrderAnswer,
    Prediction,
    PredictionStatus,
)
from stepscope.core.domain.walk_wire import walk_from_json
from stepscope.core.domain.wire import action_from_json
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.json_bounds import TooManyValues, check_values
from stepscope.core.limits import exceeded, hint, limit
from stepscope.core.regular_files import open_regular
from stepscope.core.sources.files import bounded_lines, long_line, mapping_of, shortened, text_of
from stepscope.core.sources.prediction_pictures import PictureReader
from stepscope.core.sources.sniffers.predictions import ANSWERS

SizeOf = Callable[[str, int], Size | None]
"""Size of the screenshot of an episode's step, None when there is no such episode or step."""

_NOTHING = {one.value: one for one in (PredictionStatus.MALFORMED, PredictionStatus.EMPTY, PredictionStatus.REFUSED)}
"""What a line whose answer is null may say under `status`."""

_PER_STEP = ("action", "ask", "affordance")
_NOT_EPISODES = ("order", "fields")

Json = Mapping[str, Any]
_Key = tuple[str, int | None, str]


@dataclass(frozen=True, slots=True)
class LineProblem:
    """Why line `line` (from 1) was kept out."""

    line: int
    message: str


@dataclass(frozen=True, slots=True)
class PredictionFile:
    """The content of a prediction file; `model` and `note` are those of its first line, "" where it has none."""

    model: str
    note: str
    predictions: tuple[Prediction, ...]
    problems: tuple[LineProblem, ...]


def read_predictions(path: Path, size_of: SizeOf) -> PredictionFile:
    """The whole file; SourceError when it cannot be opened."""
    model = note = ""
    predictions: list[Prediction] = []
    problems: list[LineProblem] = []
    for item in iterate_predictions(path, size_of):
        match item:
            case Prediction():
                predictions.append(item)
            case LineProblem():
                problems.append(item)
            case (model, note):
                pass
    return PredictionFile(model, note, tuple(predictions), tuple(problems))


def iterate_predictions(
    path: Path, size_of: SizeOf, *, pictures: bool = True
) -> Iterator[Prediction | LineProblem | tuple[str, str]]:
    """Line by line: a prediction, a problem, or (model, note) of the heading line. Blank lines are passed over.
    Without `pictures` those of the lines are not read."""
    seen: dict[_Key, int] = {}
    attached = PictureReader(path.parent) if pictures else None
    first, most = True, limit("file-records")
    for number, line in _lines(path):
        try:
            if number > most:
                message = f"the file has more than {most:,} lines"
                raise exceeded("file-records", message, place=path, record=number)
            if line is None:
                raise ValueError(f"{long_line()}. {hint('json-bytes')}")
            form = _as_prediction(_object(line))
            if "run" in form:
                if not first:
                    raise ValueError("`run` may stand on the first line only")
                yield _heading(form["run"])
            else:
                kind = _kind(form)
                prediction = _prediction(form, kind, size_of, attached)
                earlier = seen.setdefault((prediction.episode, prediction.step, kind), number)
                if earlier != number:
                    raise ValueError(f"line {earlier} answers the same already ({_about(prediction, kind)})")
                yield prediction
        except (ValueError, OverflowError, RecursionError) as error:
            yield LineProblem(number, _reason(error))
        first = False


def _lines(path: Path) -> Iterator[tuple[int, bytes | None]]:
    """Lines by their numbers, None for one that is too long; blank ones are passed over."""
    try:
        if not path.is_file():
            what = "this is a folder, not a file of predictions" if path.is_dir() else "there is no such file"
            raise SourceError(what, place=path)
        with open_regular(path) as stream:
            for number, _, line in bounded_lines(stream):
                bare = line.removeprefix(b"\xef\xbb\xbf") if number == 1 and line is not None else line
                if bare is None or bare.strip():
                    yield number, bare
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", place=path) from error


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8 text (byte {error.start + 1} of the line)"
    if isinstance(error, json.JSONDecodeError):
        return f"broken JSON at column {error.colno}: {error.msg}"
    if isinstance(error, RecursionError):
        return "JSON nested too deeply"
    return "a number is too large" if isinstance(error, OverflowError) else str(error)


def _object(line: bytes) -> Json:
    try:
        check_values(line)
    except TooManyValues as error:
        raise ValueError(f"{error}. {hint('json-nodes')}") from error
    form = _DECODER.decode(line.rstrip(b"\r\n").decode("utf-8"))
    if not isinstance(form, dict):
        raise ValueError("a line must be a JSON object")
    return form


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_no_constant)
"""One for all lines: making one costs as much as reading a line."""


def _as_prediction(form: Json) -> Json:
    """A line of `stepscope agents parse` as a line about a step: the first of its `actions` counts, and none with
    `problem` is an answer that could not be read; `id` names the step, as [EPISODE, STEP] or EPISODE/STEP."""
    actions, problem = form.get("actions"), form.get("problem")
    if not isinstance(actions, list) or "id" not in form or "action" in form:
        return form
    episode, step = _place_of(form["id"])
    why = str(problem) if problem else f"It said {len(actions)} actions; the first counts." if len(actions) > 1 else ""
    place = {"episode": form.get("episode", episode), "step": form.get("step", step), "why": why}
    if actions:
        return {**place, "action": actions[0]}
    return {**place, "action": None, "status": PredictionStatus.MALFORMED.value}


def _place_of(identity: object) -> tuple[object, object]:
    """Episode and step that an id names, None for what it does not name."""
    if isinstance(identity, list) and len(identity) == 2:
        return identity[0], identity[1]
    if isinstance(identity, Mapping):
        return identity.get("episode"), identity.get("step")
    found = _STEP_ID.fullmatch(identity) if isinstance(identity, str) else None
    return (found[1], int(found[2])) if found else (identity, None)


_STEP_ID = re.compile(r"(.+)[/:#](\d{1,9})", re.DOTALL)


def _heading(form: object) -> tuple[str, str]:
    if not isinstance(form, dict):
        raise ValueError('run must be an object such as {"model": "…"}')
    return text_of(form.get("model")), text_of(form.get("note"))


def _kind(form: Json) -> str:
    kinds = [name for name in ANSWERS if name in form]
    if not kinds:
        raise ValueError(f"no answer: a line has one of {', '.join(ANSWERS)}")
    if len(kinds) > 1:
        raise ValueError(f"several answers ({' and '.join(kinds)}): one a line")
    return kinds[0]


def _about(prediction: Prediction, kind: str) -> str:
    step = "" if prediction.step is None else f", step {prediction.step}"
    return f"{kind} of {shortened(prediction.episode)}{step}"


def _prediction(form: Json, kind: str, size_of: SizeOf, attached: PictureReader | None) -> Prediction:
    episode, step = _item(form, kind)
    size = _size(episode, step, kind, size_of)
    answer = _answer(form, kind, size)
    raw = _raw(form)

    def size_at(other: int | None) -> Size | None:
        return size if other is None or size is None else size_of(episode, other)

    # null beside words of the model: it said something that nobody could use, unless the line knows better
    nothing = _NOTHING.get(str(form.get("status"))) or (
        PredictionStatus.MALFORMED if raw.strip() else PredictionStatus.EMPTY
    )
    return Prediction(
        episode=episode,
        step=step,
        answer=answer,
        status=PredictionStatus.OK if answer is not None else nothing,
        confidence=_fraction(form, "confidence"),
        latency_ms=_latency(form),
        raw=raw,
        why=text_of(form.get("why")) or ("" if answer is not None else f"the file says null: no usable {kind}"),
        pictures=() if attached is None else attached.read(form.get("pictures"), size_at),
    )


def _item(form: Json, kind: str) -> tuple[str, int | None]:
    """Episode and step that the line is about; a web task's instance is named `<task>/<instance>`."""
    if kind == "fields":
        return f"{_name(form, 'task')}/{_name(form, 'instance')}", None
    episode = _name(form, "episode")
    if kind not in _PER_STEP:
        return episode, None
    step = form.get("step")
    if not is_step_index(step):
        raise ValueError(f"step must be {STEP_INDEX}, not {shortened(repr(step))}")
    return episode, step


def _name(form: Json, field: str) -> str:
    """An id; a whole number counts as its digits, for systems that write ids as numbers."""
    value = form.get(field)
    if type(value) is int:
        return str(value)
    if not isinstance(value, str) or not value:
        raise ValueError(f"{field} is missing" if value is None else f"{field} must be text")
    return text_of(value)


def _size(episode: str, step: int | None, kind: str, size_of: SizeOf) -> Size | None:
    """The screenshot's size; ValueError when the line is about something that is not in the data."""
    if kind in _NOT_EPISODES:
        return None
    size = size_of(episode, step or 0)
    if size is not None:
        return size
    if step is None or (step > 0 and size_of(episode, 0) is None):
        raise ValueError(f"there is no episode {shortened(episode)!r}")
    raise ValueError(f"there is no step {step} in an episode {shortened(episode)!r}")


def _answer(form: Json, kind: str, size: Size | None) -> Answer | None:
    """The answer, None where the file says null; null is an answer only to `ask`: the agent does not ask."""
    value = form[kind]
    if kind == "ask":
        return _ask_answer(form, None if value is None else _words(value, "ask"), size)
    if value is None:
        return None
    if kind == "action":
        return _action_answer(form, size)
    if kind == "feasibility":
        if value not in ("feasible", "infeasible"):
            raise ValueError(f"feasibility must be feasible or infeasible, not {shortened(repr(value))}")
        question = "" if form.get("question") is None else _words(form["question"], "question")
        reason = _why_infeasible(form.get("reason"))
        return FeasibilityAnswer(FeasibilityLabel(value), _fraction(form, "score"), reason=reason, question=question)
    if kind == "goal":
        return GoalAnswer(_words(value, "goal"))
    if kind == "order":
        return OrderAnswer(_order(value))
    if kind == "walk":
        return walk_from_json(value)
    if kind == "affordance":
        return affordance_from_json(value)
    return FieldsAnswer(_fields(value), _missing(form.get("missing")))


def _why_infeasible(value: object) -> InfeasibilityReason | None:
    """Why a goal is infeasible."""
    if value is None:
        return None
    known = [one.value for one in InfeasibilityReason]
    if value not in known:
        raise ValueError(f"reason must be one of {', '.join(known)}, not {shortened(repr(value))}")
    return InfeasibilityReason(value)


def _missing(value: object) -> tuple[str, ...]:
    """Fields that the page did not have."""
    if value is None:
        return ()
    if not isinstance(value, list) or any(type(name) is not str for name in value):
        raise ValueError("missing must be a list of names of fields")
    return tuple(value)


def _ask_answer(form: Json, question: str | None, size: Size | None) -> AskAnswer:
    """With what the agent does, where the line says it: `does` in its first stream, `does_after` once answered,
    `does_whole` when told the whole goal, `does_unasked` when it may not ask; an action, or `{"action": …}` as exports
    write it."""
    done: dict[str, Action | None] = {}
    for name in ASKER_DOES:
        if form.get(name) is None:
            continue
        if size is None:
            raise ValueError("the size of the screenshot is not known")
        try:
            action = mapping_of(form[name])
            done[ASKER_DOES[name]] = action_from_json(action.get("action", action), size)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from error
    return AskAnswer(
        question,
        _fraction(form, "score"),
        done.get("action"),
        done.get("after"),
        done.get("whole"),
        done.get("unasked"),
    )


def _action_answer(form: Json, size: Size | None) -> ActionAnswer:
    if size is None:
        raise ValueError("the size of the screenshot is not known")
    candidates = form.get("candidates")
    if candidates is not None and not isinstance(candidates, list):
        raise ValueError("candidates must be a list")
    weighed = tuple(_candidate(place, item, size) for place, item in enumerate(candidates or ()))
    return ActionAnswer(action_from_json(form["action"], size), weighed)


def _candidate(place: int, item: object, size: Size) -> Candidate:
    fields = mapping_of(item)
    score = fields.get("score")
    if not _is_number(score):
        raise ValueError(f"candidates[{place}].score must be a number")
    try:
        return Candidate(action_from_json(fields.get("action"), size), float(score))
    except ValueError as error:
        raise ValueError(f"candidates[{place}]: {error}") from error


def _order(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or any(type(item) not in (str, int) for item in value):
        raise ValueError("order must be a list of step ids")
    return tuple(text_of(item) if isinstance(item, str) else str(item) for item in value)


def _fields(value: object) -> tuple[tuple[str, str], ...]:
    """Values by field name, as text: a list's items joined by "|", as checkbox answers are written; null is empty."""
    if not isinstance(value, dict):
        raise ValueError("fields must be an object")
    return tuple((text_of(name), _field_text(name, item)) for name, item in value.items())


def _field_text(name: str, value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return text_of(value)
    if isinstance(value, bool) or _is_number(value):
        return str(value)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "|".join(map(text_of, value))
    raise ValueError(f"fields.{shortened(name)} must be text, a number or a list of texts")


def _words(value: object, field: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{field} must be text, not {shortened(repr(value))}")
    return text_of(value)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _fraction(form: Json, field: str) -> float | None:
    value = form.get(field)
    if value is None:
        return None
    if not _is_number(value) or not 0 <= value <= 1:
        raise ValueError(f"{field} must be a number from 0 to 1, not {shortened(repr(value))}")
    return float(value)


def _latency(form: Json) -> float | None:
    value = form.get("latency_ms")
    if value is None:
        return None
    if not _is_number(value) or value < 0:
        raise ValueError(f"latency_ms must be a number from 0, not {shortened(repr(value))}")
    return float(value)


def _raw(form: Json) -> str:
    """The model's own output; a structure instead of text is kept as its JSON."""
    value = form.get("raw")
    if value is None:
        return ""
    return text_of(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
