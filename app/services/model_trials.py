"""A model of one's own tried on one item before it is added: what went in, what came out, and what that was read as."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import field
from pathlib import Path
from typing import Any

import numpy as np

from stepscope.app.services.provenance import SAMPLE
from stepscope.core.domain.action import Action, action_point, action_target
from stepscope.core.domain.episode import EpisodeSummary, Observation, Step
from stepscope.core.domain.geometry import Size
from stepscope.core.domain.prediction import (
    ActionAnswer,
    AskAnswer,
    FeasibilityAnswer,
    OrderAnswer,
    Prediction,
    PredictionStatus,
)
from stepscope.core.domain.wire import action_to_json
from stepscope.core.errors import SourceError, UserError
from stepscope.core.evaluation.predictor import FieldsRequest, ScreenRequest, WalkRequest, place_of
from stepscope.core.evaluation.tasks import Item, Setting, task_kind
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.decode import decode
from stepscope.core.imaging.draw import encode_png
from stepscope.core.progress import CancelToken
from stepscope.core.scoring.names import did_you_mean
from stepscope.core.sources.registry import open_source
from stepscope.models.own.manifest import Manifest
from stepscope.models.own.own_models import OwnModel
from stepscope.models.own.predictor import OwnPredictor, Passed, load
from stepscope.models.own.request_rows import PreparedRows

LOOKED_AT = 20
"""Episodes among which one is looked for that has what the model looks at."""
_REDUCED = Size(480, 960)
"""Pixels of the screenshot that is shown, at the most."""
_TOLD = 12
"""Numbers of a tensor that are shown."""


@dataclass(frozen=True, slots=True)
class TrialRequest:
    """A manifest, the folder that its paths start from, and the data to try it on; `episode` and `step` name the item,
    None the first one that has what the model looks at, after `skip` of them. `data` None: the sample."""

    manifest: Manifest
    folder: Path
    data: Path | None = None
    format: str | None = None
    episode: str | None = None
    step: int | None = None
    skip: int = 0
    device: str = "auto"


@dataclass(frozen=True, slots=True)
class TensorShown:
    """An array that went in or came out: its shape with the rows of the batch, its least and largest number, and its
    first numbers. `usable` False: there are numbers in it that are none."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    low: float
    high: float
    numbers: tuple[float, ...]
    usable: bool


@dataclass(frozen=True, slots=True)
class ModelTrial:
    """`picture` is a PNG of the picture as it was sent, `screenshot` one of the whole screen, reduced; `texts` are
    those that were sent, by source. `point` is where the model acts, `reference_point` where the recording does, both
    in fractions of the screen. `problem` says why the model must not be added as it is, "" where it answered."""

    episode: str
    step: int | None
    goal: str
    inputs: tuple[TensorShown, ...]
    outputs: tuple[TensorShown, ...]
    prediction: Prediction
    texts: tuple[tuple[str, str], ...] = ()
    picture: bytes | None = field(default=None, repr=False)
    screenshot: bytes | None = field(default=None, repr=False)
    point: tuple[float, float] | None = None
    reference_point: tuple[float, float] | None = None
    device: str = ""
    load_seconds: float = 0.0
    answer_seconds: float = 0.0

    @property
    def problem(self) -> str:
        return "" if self.prediction.status is PredictionStatus.OK else self.prediction.why


def try_model(request: TrialRequest, token: CancelToken | None = None) -> ModelTrial:
    """Load the model and ask it about one item. Raises UserError where it cannot be loaded, breaks, or gives what its
    manifest's readings do not fit, and where no item has what it looks at; OutOfMemory."""
    begun = time.monotonic()
    predictor = load(OwnModel(request.manifest, request.folder / "manifest"), device=request.device)
    try:
        if token is not None:
            predictor.set_token(token)
        loaded = time.monotonic()
        item, prepared = _item(request, predictor)
        passed = predictor.passed(prepared)
        prediction = predictor.predict_batch([prepared])[0]
        return _shown(request, item, prepared, passed, prediction, predictor.device.why, loaded - begun)
    finally:
        predictor.close()


def answer_words(prediction: Prediction) -> str:
    """The answer in one line; "" where there is none."""
    match prediction.answer:
        case FeasibilityAnswer(label, score):
            return f"{label.value}, {score:.3f} that it is infeasible" if score is not None else label.value
        case AskAnswer(question, score):
            chance = "" if score is None else f", {score:.3f} that a question is due"
            return (f"asks: {question}" if question is not None else "asks nothing") + chance
        case OrderAnswer(order):
            return "order as shown: " + " ".join(order)
        case ActionAnswer(action):
            form = action_to_json(action)
            told = [form[name] for name in ("direction", "key", "status", "text") if form.get(name)]
            point = action_point(action)
            target = action_target(action)
            at = "" if point is None else f" at {point.x:.1f}, {point.y:.1f}"
            on = f" on {target.text!r}" if target is not None and target.text else ""
            return " ".join([action.kind, *map(str, told)]) + at + on
        case _:
            return ""


def _item(request: TrialRequest, predictor: OwnPredictor) -> tuple[Item, PreparedRows]:
    """The item that was named, else the first one that has what the model looks at. Raises UserError."""
    why, found = "", list[tuple[Item, PreparedRows]]()
    for item in _items(request):
        if isinstance(item.request, FieldsRequest | WalkRequest | ScreenRequest):
            continue  # no manifest is about pages, walks or what elements allow
        prepared = predictor.prepare(item.request)
        if not prepared.why:
            found.append((item, prepared))
            if len(found) > request.skip:
                return found[-1]
        why = why or prepared.why
    if found:
        return found[request.skip % len(found)]
    data = request.data or SAMPLE
    if not why:
        raise UserError(f"has nothing to try a model of {request.manifest.task} on.", place=data, hint=_OTHER)
    raise UserError(f"has nothing that the model can look at: {why}.", place=data, hint=_OTHER)


_OTHER = "Name other data with --data."


def _items(request: TrialRequest) -> Iterator[Item]:
    source = open_source(request.data or SAMPLE, request.format)
    kind = task_kind(request.manifest.task)
    tried, known = 0, []
    for row in source.scan():
        if not isinstance(row, EpisodeSummary):
            continue
        known.append(row.id)
        if request.episode is not None and row.id != request.episode:
            continue
        try:
            for item in kind.items(source, row.id, Setting()):
                if request.step is None or item.key.step == request.step:
                    yield item
        except UserError:  # an episode that cannot be read, or has nothing to order: the next may
            if request.episode is not None:
                raise
        tried += 1
        if tried == LOOKED_AT or request.episode is not None:
            return
    if request.episode is not None:
        hint = f"{did_you_mean(request.episode, known)}Name one of the data.".strip()
        raise UserError(f"has no episode {request.episode!r}.", place=request.data or SAMPLE, hint=hint)


def _shown(
    request: TrialRequest,
    item: Item,
    prepared: PreparedRows,
    passed: Passed,
    prediction: Prediction,
    device: str,
    load_seconds: float,
) -> ModelTrial:
    episode, step = place_of(item.request)
    row, manifest = prepared.rows[0], request.manifest
    used = dict.fromkeys(source for one in manifest.texts for source in (one.text, one.pair) if source)
    goal = getattr(item.request, "goal", "") or ""
    return ModelTrial(
        episode,
        step,
        goal,
        tuple(_tensor(one.name, array) for one, array in zip(manifest.inputs, passed.inputs, strict=True)),
        tuple(_tensor(one.name, array) for one, array in zip(manifest.outputs, passed.outputs, strict=True)),
        prediction,
        texts=tuple((source, row.texts[source]) for source in used),
        picture=encode_png(row.sent) if row.sent is not None else None,
        screenshot=_screenshot(row.observation),
        point=_fraction(prediction.answer.action) if isinstance(prediction.answer, ActionAnswer) else None,
        reference_point=_fraction(item.material.action) if isinstance(item.material, Step) else None,
        device=device,
        load_seconds=load_seconds,
        answer_seconds=passed.seconds,
    )


def _screenshot(seen: Observation | None) -> bytes | None:
    if seen is None or seen.shown is None:
        return None
    try:
        return encode_png(decode(seen.shown, _REDUCED))
    except SourceError:  # what was sent has been told
        return None


def _fraction(action: Action | None) -> tuple[float, float] | None:
    point = action_point(action) if action is not None else None
    return None if point is None else point.fraction


def _tensor(name: str, array: Any) -> TensorShown:
    flat = np.asarray(array, np.float64).reshape(-1)
    sound = flat[np.isfinite(flat)]
    low, high = (float(sound.min()), float(sound.max())) if len(sound) else (0.0, 0.0)
    numbers = tuple(float(one) for one in flat[:_TOLD])
    return TensorShown(name, tuple(array.shape), str(array.dtype), low, high, numbers, len(sound) == len(flat))
