"""Predicting and scoring item by item. A generator: every yield is a place to stop, and it keeps nothing.

What the items are is the task's matter (`core.evaluation.tasks`). What breaks on one item is that item's error, not the
end.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import field, replace
from typing import Any, TypeVar

import numpy as np

from stepscope.core.domain.action import AskUser
from stepscope.core.domain.model_call import ModelCall, SentMessage, SentPicture
from stepscope.core.domain.model_name import is_goal_alone
from stepscope.core.domain.prediction import ActionAnswer, AskAnswer, Prediction, PredictionStatus
from stepscope.core.domain.run import ItemKey, Outcome
from stepscope.core.domain.score import Score
from stepscope.core.errors import StoreError, UserError
from stepscope.core.evaluation.asked_before import AskedBefore
from stepscope.core.evaluation.batches import BatchSizer
from stepscope.core.evaluation.imported_predictions import ANSWERS
from stepscope.core.evaluation.predictor import (
    BatchPredictor,
    Cancellable,
    ModelInfo,
    OwnAnswer,
    Predictor,
    Releasable,
    StepRequest,
    is_batching,
    place_of,
)
from stepscope.core.evaluation.prefetch import predicted_ahead, prepared_ahead
from stepscope.core.evaluation.tasks import Item, Setting, TaskKind, has_last_screens, task_kind
from stepscope.core.evaluation.tasks.kind import WHOLE_EPISODE
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.attachment_check import check_attached
from stepscope.core.progress import CancelToken
from stepscope.core.scoring.rule import AggregatingScorer, Options
from stepscope.core.sources.source import Source
from stepscope.core.store.call_codec import SentParts, call_from_json, call_to_json
from stepscope.core.store.codec import answer_from_json, answer_to_json

__all__ = ["WHOLE_EPISODE", "evaluate", "score_item", "unreadable", "words_of"]

T = TypeVar("T")

_NOTHING = object()
"""Takes the place of an input that there is none of."""
_PREPARING = min(8, os.cpu_count() or 1)
"""Threads that prepare inputs."""
_DEPTH = 3
"""Batches that are read ahead."""


@dataclass(frozen=True, slots=True)
class _UnreadableRow:
    """A row of the source that could not be read: which items it has is not known."""

    key: ItemKey
    why: str


_NONE: frozenset[ItemKey] = frozenset()
_Answers = Generator[tuple[Item | _UnreadableRow, Any], None, None]
"""Items with the predictor's answer, or the exception that it raised."""


def evaluate(
    source: Source,
    units: Sequence[str],
    predictor: Predictor[Any],
    scorer: AggregatingScorer,
    options: Options,
    *,
    seed: int = 0,
    done: frozenset[ItemKey] = _NONE,
    token: CancelToken | None = None,
    waiting: Callable[[], None] | None = None,
    answered: Callable[[str], Mapping[int, Prediction]] | None = None,
) -> Iterator[Outcome]:
    """One outcome for each item of these rows of the source that is not in `done`, in order; several episodes side by
    side where a model wants its own history or is asked again once it asks, for which `answered` gives what it said of
    an episode's steps in `done`.

    A row that cannot be read gives one outcome with the step -1 and an error; that the store is away is raised.
    The token is asked before each item: a cancelled one ends the generator, a paused one blocks it. Closing it ends the
    threads that work ahead. `waiting` is called, in the caller's thread, now and then while a model takes its time over
    a batch.
    """
    token = token or CancelToken()
    kind = task_kind(scorer.info.task or predictor.info.task)  # some models serve several tasks
    if isinstance(predictor, Cancellable):
        predictor.set_token(token)
    info = predictor.info
    setting = Setting(
        seed,
        info.needs_reference,
        info.demonstrations,
        info.past_screens,
        has_last_screens(options),
        is_goal_alone(info.name),
        info.step_instructions,
        scorer.info.after_each_step,
    )
    wait = waiting or (lambda: None)

    def asked(items: Iterator[Item | _UnreadableRow]) -> _Answers:
        if is_batching(predictor):
            return _in_batches(items, predictor, token, wait)
        return _one_by_one(items, predictor, token)

    if info.own_history or info.asks_again:
        width = predictor.batch_size if is_batching(predictor) else 1
        whole = frozenset(key.episode for key in done if key.step == WHOLE_EPISODE)
        lanes = (_lane(_items(source, [unit], kind, setting, _NONE), unit, info) for unit in units if unit not in whole)
        answers = _in_waves(lanes, asked, width, done, answered or (lambda _unit: {}), token)
    else:
        answers = asked(_items(source, units, kind, setting, done))
    try:
        with closing(answers):
            for item, answer in answers:
                if isinstance(item, _UnreadableRow):
                    yield _broken(item.key, item.why)
                else:
                    yield _outcome(item, answer, kind, predictor.info, scorer, options)
    finally:
        if isinstance(predictor, Releasable):
            predictor.release()


def score_item(
    kind: TaskKind, item: Item, prediction: Prediction, scorer: AggregatingScorer, options: Options
) -> Score:
    """The rule's score; an error where the rule breaks, which leaves the prediction to be scored again."""
    try:
        return _sound(kind.score(item, prediction, scorer, options))
    except Exception as error:  # noqa: BLE001 - a rule's bug on one item must not cost the others
        return Score.error(f"The rule failed: {words_of(error)}")


def unreadable(error: Exception) -> str:
    """Why there are no scores where the episode could not be read."""
    return f"The episode cannot be read: {words_of(error)}"


def words_of(error: BaseException) -> str:
    """What happened in one line: a message meant for people as it is, anything else with the name of its class."""
    text = " ".join(str(error).split())
    return text if isinstance(error, UserError) else f"{type(error).__name__}: {text}" if text else type(error).__name__


def _stopped(token: CancelToken) -> bool:
    token.wait_if_paused()
    return token.cancelled


def _items(
    source: Source, units: Sequence[str], kind: TaskKind, setting: Setting, done: frozenset[ItemKey]
) -> Iterator[Item | _UnreadableRow]:
    """What is left to do, row by row; a row is read when its first item is asked for."""
    whole = {key.episode for key in done if key.step == WHOLE_EPISODE}
    for unit in units:
        if unit in whole:
            continue
        items = kind.items(source, unit, setting)
        while True:
            try:
                item = next(items, None)
            except Exception as error:  # noqa: BLE001 - a reader's bug on one episode must not cost the others
                _check_there(error)
                yield _UnreadableRow(ItemKey(unit, WHOLE_EPISODE), unreadable(error))
                break
            if item is None:
                break
            if item.key not in done:
                yield item


def _in_batches(
    items: Iterator[Item | _UnreadableRow],
    predictor: BatchPredictor[Any],
    token: CancelToken,
    waiting: Callable[[], None],
) -> _Answers:
    """Prepared in other threads and predicted in one, ahead of what is scored here."""

    def prepare(item: Item | _UnreadableRow) -> Any:
        return _NOTHING if isinstance(item, _UnreadableRow) else _contained(lambda: predictor.prepare(item.request))

    def predict(inputs: Sequence[Any]) -> Sequence[Prediction | None]:
        wanted = [one for one in inputs if one is not _NOTHING]
        answers = _contained(lambda: predictor.predict_batch(wanted)) if wanted else ()
        if len(answers) != len(wanted):
            raise ValueError(f"it gave {len(answers)} answers to {len(wanted)} requests")
        following = iter(answers)
        return [None if one is _NOTHING else next(following) for one in inputs]

    sizer = BatchSizer(predictor.batch_size)
    with ThreadPoolExecutor(1, thread_name_prefix="inference") as inference:
        inference.submit(_contained, predictor.warm_up).result()
        ahead = prepared_ahead(items, prepare, workers=_PREPARING, depth=_DEPTH * sizer.size, waiting=waiting)
        with closing(predicted_ahead(ahead, predict, sizer=sizer, inference=inference, waiting=waiting)) as answers:
            for answer in answers:
                if _stopped(token):
                    return
                yield answer


@dataclass
class _Lane:
    """An episode on its way: what is left of its items, and what was answered so far."""

    items: Iterator[Item | _UnreadableRow]
    unit: str
    own: tuple[OwnAnswer, ...] = ()
    known: Mapping[int, Prediction] = field(default_factory=dict)
    shows_own: bool = True
    asks: AskedBefore | None = None

    def following(self, done: frozenset[ItemKey]) -> Item | _UnreadableRow | None:
        """The next item that is not done, as it is asked with what was answered before; None at the end."""
        for item in self.items:
            if isinstance(item, _UnreadableRow):
                return item
            if item.key not in done:
                assert isinstance(item.request, StepRequest)
                return replace(item, request=self._shown(item.request, item.material))
            self.heard(item, self.known.get(item.key.step))
        return None

    def _shown(self, request: StepRequest, material: object) -> StepRequest:
        """The request with what this model wants to know of what it answered before."""
        shown = replace(request, own=self.own) if self.shows_own else request
        return shown if self.asks is None else self.asks.put(shown, material)

    def heard(self, item: Item, answer: object) -> None:
        """What the model said of the item."""
        self.hear(answer)
        if self.asks is not None and isinstance(item.request, StepRequest):
            self.asks.hear(item.request, item.material, answer)

    def hear(self, answer: object) -> None:
        prediction = answer if isinstance(answer, Prediction) else None
        said = None if prediction is None else prediction.answer
        action = said.action if isinstance(said, ActionAnswer | AskAnswer) else None
        if isinstance(said, AskAnswer) and said.question is not None:
            action = AskUser(said.question)
        self.own += (OwnAnswer(action, prediction.raw if prediction is not None else ""),)


def _lane(items: Iterator[Item | _UnreadableRow], unit: str, info: ModelInfo) -> _Lane:
    asks = AskedBefore(info.asks_again == "always") if info.asks_again else None
    return _Lane(items, unit, shows_own=info.own_history, asks=asks)


def _in_waves(
    waiting: Iterator[_Lane],
    asked: Callable[[Iterator[Item | _UnreadableRow]], _Answers],
    width: int,
    done: frozenset[ItemKey],
    answered: Callable[[str], Mapping[int, Prediction]],
    token: CancelToken,
) -> _Answers:
    """The next item of each of `width` episodes at a time, so that each is asked with the answers before it."""
    lanes: list[_Lane] = []
    begun = {key.episode for key in done}
    while True:
        wave: list[tuple[_Lane, Item | _UnreadableRow]] = []
        for lane in lanes:
            item = lane.following(done)
            wave += [] if item is None else [(lane, item)]
        while len(wave) < width and (fresh := next(waiting, None)) is not None:
            if fresh.unit in begun:
                fresh.known = answered(fresh.unit)
            item = fresh.following(done)
            wave += [] if item is None else [(fresh, item)]
        lanes = [lane for lane, _ in wave]
        if not wave:
            return
        with closing(asked(item for _, item in wave)) as answers:
            for lane, (item, answer) in zip(lanes, answers, strict=False):
                if isinstance(item, Item):
                    lane.heard(item, answer)
                yield item, answer
        if _stopped(token):
            return


def _one_by_one(items: Iterator[Item | _UnreadableRow], predictor: Predictor[Any], token: CancelToken) -> _Answers:
    for item in items:
        if _stopped(token):
            return
        if isinstance(item, _UnreadableRow):
            yield item, None
            continue
        answer = _answer(predictor, item)
        if token.cancelled and isinstance(predictor, Cancellable):
            return  # what it says then was broken off
        yield item, answer


def _answer(predictor: Predictor[Any], item: Item) -> Any:
    try:
        return _contained(lambda: predictor.predict(item.request))
    except Exception as error:  # noqa: BLE001 - a model that breaks on one item is an error of that item
        return error


def _contained(ask: Callable[[], T]) -> T:
    """What a model says. One that wants to end the program only fails: the program is not its own."""
    try:
        return ask()
    except SystemExit as error:
        raise RuntimeError(f"it called sys.exit({'' if error.code is None else repr(error.code)})") from error


def _outcome(
    item: Item, answer: object, kind: TaskKind, model: ModelInfo, scorer: AggregatingScorer, options: Options
) -> Outcome:
    try:
        if isinstance(answer, Exception):
            raise answer
        prediction = replace(_plain(_checked(answer, item), model), step=_step_of(item.key))
        prediction = prediction if model.as_recorded else kind.answer(item, prediction)
    except Exception as error:  # noqa: BLE001 - a model that answers garbage is an error of that item
        _check_there(error)
        return _broken(item.key, f"The model failed: {words_of(error)}", item.reference)
    return Outcome(item.key, prediction, score_item(kind, item, prediction, scorer, options), item.reference)


def _check_there(error: Exception) -> None:
    """Raise what says that the store's server is away: no item is to blame for that."""
    if isinstance(error, StoreError) and error.of_absence:
        raise error


def _checked(answer: object, item: Item) -> Prediction:
    """The answer if it is one to this item's request, which may be about all of an episode up to the item's step."""
    if not isinstance(answer, Prediction):
        raise TypeError(f"it answered with {type(answer).__name__}, not with a prediction")
    if (answer.episode, answer.step) != place_of(item.request):
        raise ValueError(f"it answered step {answer.step} of episode {answer.episode}")
    return answer


def _broken(key: ItemKey, why: str, reference: str = "") -> Outcome:
    prediction = Prediction(key.episode, _step_of(key), None, PredictionStatus.FAILED, why=why)
    return Outcome(key, prediction, Score.error(why), reference)


def _step_of(key: ItemKey) -> int | None:
    return None if key.step == WHOLE_EPISODE else key.step


def _sound(score: Score) -> Score:
    """A value that is no number is a fault of the rule, never a score."""
    if score.value is not None and not math.isfinite(score.value):
        return Score.error(f"The rule gave {score.value} as value. {score.why}".strip())
    return score


def _plain(prediction: Prediction, model: ModelInfo) -> Prediction:
    """The prediction as the store will give it back: models answer with numbers of numpy, and with what is no answer at
    all. Confidence and latency are numbers or absent. Raises TypeError or ValueError for what cannot be kept, attached
    pictures included."""
    for name in ("raw", "why"):
        if not isinstance(getattr(prediction, name), str):
            raise TypeError(f"{name} is {type(getattr(prediction, name)).__name__}, not text")
    answer = prediction.answer
    if answer is not None:
        wanted = ANSWERS[model.task]
        if not isinstance(answer, wanted):
            raise TypeError(f"it answered with {type(answer).__name__}, where {wanted.__name__} is asked for")
        answer = answer_from_json(json.loads(_ENCODER.encode(answer_to_json(answer))))
    check_attached(prediction.pictures)
    calls = tuple(_plain_call(one) for one in prediction.calls)
    numbers = _number(prediction.confidence), _number(prediction.latency_ms)
    return replace(prediction, answer=answer, confidence=numbers[0], latency_ms=numbers[1], calls=calls)


def _plain_call(call: object) -> ModelCall:
    """The call as the store will give it back, its pictures with their files."""
    if not isinstance(call, ModelCall):
        raise TypeError(f"it names a call that is {type(call).__name__}")
    parts = SentParts()
    form = json.loads(_ENCODER.encode(call_to_json(call, parts)))
    plain = call_from_json(form, parts.texts.__getitem__)
    return replace(plain, messages=tuple(_with_files(one, parts.files) for one in plain.messages))


def _with_files(message: SentMessage, files: Mapping[str, bytes]) -> SentMessage:
    parts = (replace(one, data=files.get(one.digest, b"")) if isinstance(one, SentPicture) else one
             for one in message.parts)  # fmt: skip
    return replace(message, parts=tuple(parts))


def _of_numpy(value: object) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} is no part of an answer")


_ENCODER = json.JSONEncoder(allow_nan=False, default=_of_numpy)


def _number(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else float(value)
