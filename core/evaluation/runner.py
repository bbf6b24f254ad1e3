"""Predicting and scoring step by step. A generator: every yield is a place to stop, and it knows no database.

An item is a step with a reference action, a finish included. What breaks on one item is that item's error, not the end.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.domain.action import Action
from core.domain.episode import Episode, Step
from core.domain.prediction import Prediction, PredictionStatus
from core.domain.run import ItemKey, Outcome
from core.domain.score import Score
from core.errors import UserError
from core.evaluation.predictor import ActionPredictor, StepRequest
from core.progress import CancelToken
from core.scoring.rule import Options, StepScorer
from core.sources.source import Source

WHOLE_EPISODE = -1
"""`ItemKey.step` of an episode that could not be read: which items it has is not known."""


def evaluate_steps(
    source: Source,
    episode_ids: Sequence[str],
    predictor: ActionPredictor,
    scorer: StepScorer,
    options: Options,
    *,
    done: frozenset[ItemKey] = frozenset(),
    token: CancelToken | None = None,
) -> Iterator[Outcome]:
    """One outcome for each item of the episodes that is not in `done`, in order.

    An episode that cannot be read gives one outcome with the step -1 and an error. The token is asked before each item:
    a cancelled one ends the generator, a paused one blocks it.
    """
    token = token or CancelToken()
    for episode_id in episode_ids:
        if _stopped(token):
            return
        unread = ItemKey(episode_id, WHOLE_EPISODE)
        if unread in done:
            continue
        try:
            episode = source.read(episode_id)
        except Exception as error:  # noqa: BLE001 - a reader's bug on one episode must not cost the others
            yield _broken(unread, unreadable(error))
            continue
        for place, step, history in _items(episode):
            if _stopped(token):
                return
            key = ItemKey(episode_id, place)
            if key not in done:
                yield _evaluate(key, _request(episode, step, history, predictor), step, predictor, scorer, options)


def score_item(step: Step, prediction: Prediction, scorer: StepScorer, options: Options) -> Score:
    """The rule's score; an error where the rule breaks, which leaves the prediction to be scored again."""
    try:
        return _sound(scorer.score_step(step, prediction, options))
    except Exception as error:  # noqa: BLE001 - a rule's bug on one item must not cost the others
        return Score.error(f"The rule failed: {words_of(error)}")


def unreadable(error: Exception) -> str:
    """Why there are no scores where the episode could not be read."""
    return f"The episode cannot be read: {words_of(error)}"


def words_of(error: Exception) -> str:
    """What happened in one line: a message meant for people as it is, anything else with the name of its class."""
    text = " ".join(str(error).split())
    return text if isinstance(error, UserError) else f"{type(error).__name__}: {text}" if text else type(error).__name__


def count_items(episode: Episode) -> int:
    """How many items the episode has."""
    return sum(step.action is not None for step in episode.steps)


def _stopped(token: CancelToken) -> bool:
    token.wait_if_paused()
    return token.cancelled


def _items(episode: Episode) -> Iterator[tuple[int, Step, tuple[Action, ...]]]:
    """Index, step and the reference actions before it, for each step that has one itself."""
    history: tuple[Action, ...] = ()
    for step in episode.steps:
        if step.action is not None:
            yield step.index, step, history
            history += (step.action,)


def _request(episode: Episode, step: Step, history: tuple[Action, ...], predictor: ActionPredictor) -> StepRequest:
    return StepRequest(
        episode=episode.id,
        step=step.index,
        goal=episode.goal,
        platform=episode.platform,
        observation=step.observation,
        instruction=step.instruction,
        app=episode.app,
        history=history,
        reference=step.action if predictor.info.needs_reference else None,
    )


def _evaluate(
    key: ItemKey, request: StepRequest, step: Step, predictor: ActionPredictor, scorer: StepScorer, options: Options
) -> Outcome:
    kind = step.action.kind if step.action else ""
    try:
        prediction = predictor.predict(request)
        if (prediction.episode, prediction.step) != (key.episode, key.step):
            raise ValueError(f"it answered step {prediction.step} of episode {prediction.episode}")
    except Exception as error:  # noqa: BLE001 - a model that breaks on one step is an error of that step
        return _broken(key, f"The model failed: {words_of(error)}", kind)
    return Outcome(key, _finite(prediction), score_item(step, prediction, scorer, options), kind)


def _broken(key: ItemKey, why: str, kind: str = "") -> Outcome:
    step = None if key.step == WHOLE_EPISODE else key.step
    prediction = Prediction(key.episode, step, None, PredictionStatus.FAILED, why=why)
    return Outcome(key, prediction, Score.error(why), kind)


def _sound(score: Score) -> Score:
    """A value that is no number is a fault of the rule, never a score."""
    if score.value is not None and not math.isfinite(score.value):
        return Score.error(f"The rule gave {score.value} as value. {score.why}".strip())
    return score


def _finite(prediction: Prediction) -> Prediction:
    """Confidence and latency are numbers or absent."""
    return replace(prediction, confidence=_number(prediction.confidence), latency_ms=_number(prediction.latency_ms))


def _number(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else value
