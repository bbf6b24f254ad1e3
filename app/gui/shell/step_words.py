"""Steps, episodes and what runs did at a step, in the words of the inspector and the timeline."""

from __future__ import annotations

from stepscope.core.domain.action import Action, action_point
from stepscope.core.domain.episode import Episode, Step
from stepscope.core.domain.prediction import Prediction, PredictionStatus
from stepscope.core.domain.score import Score, ScoreStatus
from stepscope.widgets.common import ShownVerdict
from stepscope.widgets.common.action_words import action_words
from stepscope.widgets.inspector.step_details import EpisodeDetails, RunCard, TalkTurn
from stepscope.widgets.timeline import TimelineStep


def verdict_of(score: Score) -> ShownVerdict:
    """The verdict by which a score is shown."""
    if score.status is ScoreStatus.ERROR:
        return ShownVerdict.ERROR
    if score.status is ScoreStatus.UNSCORED:
        return ShownVerdict.UNSCORED
    if score.malformed:
        return ShownVerdict.NULL if score.null else ShownVerdict.MALFORMED
    return ShownVerdict.HIT if score.right else ShownVerdict.MISS


def run_card(index: int, name: str, step: Step, prediction: Prediction | None, score: Score | None) -> RunCard:
    """One run's card at a step."""
    if prediction is None or score is None:
        why = (
            "No reference action, so nothing was predicted." if step.action is None else "Nothing stored for this step."
        )
        return RunCard(index, name, None, why)
    said = action_words(prediction.action).exact if prediction.action else f"nothing usable ({prediction.status})"
    reasons = (score.why,) if prediction.status is PredictionStatus.OK else (prediction.why, score.why)
    why = " ".join(dict.fromkeys(filter(None, reasons)))  # a scorer may repeat what could not be read
    return RunCard(
        run=index,
        name=name,
        verdict=verdict_of(score),
        why=why,
        action=said,
        element=element_words(step, prediction.action),
        confidence=prediction.confidence,
        latency_ms=prediction.latency_ms,
        raw=prediction.raw,
    )


def element_words(step: Step, action: Action | None) -> str:
    """The element that an action is on, as a person would name it; "" when there is none."""
    if action is None:
        return ""
    tree, point = step.observation.tree, action_point(action)
    element = tree.target_at(point) if tree is not None and point is not None else None
    if element is None:
        return ""
    name = f"#{element.short_id}" if element.resource_id else element.short_class
    return f"{name} “{element.text}”" if element.text else name


def timeline_step(episode: Episode, place: int) -> TimelineStep:
    """A step's cell in the filmstrip."""
    step = episode.steps[place]
    words = action_words(step.action, element=element_words(step, step.action))
    due = "due" if episode.ask_at(step.index) else ""
    asked = "asked" if step.action is not None and step.action.kind == "ask" else due
    return TimelineStep(place, words.icon, words.word, words.detail, step.observation.time, asked)


def episode_details(episode: Episode) -> EpisodeDetails:
    """The facts of an episode and its talk in order."""
    feasibility = episode.feasibility
    return EpisodeDetails(
        id=episode.id,
        goal=episode.goal,
        app=episode.app or "",
        format=episode.format,
        platform=str(episode.platform),
        split=", ".join(episode.splits),
        steps=len(episode.steps),
        label=str(feasibility.label or ""),
        reason=str(feasibility.reason or ""),
        follow_up=feasibility.follow_up,
        asks=tuple((max(episode.position_of(ask.step), 0), ask.question, ask.answer) for ask in episode.asks),
        problems=tuple(_problem(problem.file, problem.step, problem.message) for problem in episode.problems),
        talk=_talk(episode),
    )


def _problem(file: str, step: int | None, message: str) -> str:
    where = "" if step is None else f"Step {step + 1}: "
    return f"{where}{message} ({file})" if file else f"{where}{message}"


def _talk(episode: Episode) -> tuple[TalkTurn, ...]:
    turns = [TalkTurn("goal", episode.goal)] if episode.goal else []
    for place, step in enumerate(episode.steps):
        ask = episode.ask_at(step.index)
        if ask is not None:
            turns.append(TalkTurn("ask", ask.question, place))
            turns.append(TalkTurn("say", ask.answer, place))
        if step.action is not None and not (ask is not None and step.action.kind == "ask"):
            words = action_words(step.action, element=element_words(step, step.action))
            turns.append(TalkTurn("action", f"{words.word} {words.detail}".strip(), place))
    return tuple(turns)
