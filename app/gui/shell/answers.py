"""What runs of any task answered, as lanes, cards and turns of the talk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from stepscope.app.gui.shell.episode_judgements import JudgedEpisode
from stepscope.app.gui.shell.run_words import metric_title
from stepscope.app.gui.shell.step_words import element_words, run_card, verdict_of
from stepscope.app.services.goal_changes import changed_words, settled_at
from stepscope.core.domain.action import Action
from stepscope.core.domain.affordance import AffordanceAnswer, allowed_words, flags_words
from stepscope.core.domain.episode import Episode, Step
from stepscope.core.domain.prediction import (
    AskAnswer,
    FeasibilityAnswer,
    FieldsAnswer,
    GoalAnswer,
    OrderAnswer,
    Prediction,
    PredictionStatus,
    Task,
)
from stepscope.core.domain.run import Outcome
from stepscope.core.domain.score import Score
from stepscope.core.domain.walk import WalkAnswer, number_of_actions, walk_words
from stepscope.core.scoring.named_rules import MatchingRule
from stepscope.widgets import format as formats
from stepscope.widgets.common.action_words import action_words
from stepscope.widgets.inspector.step_details import EvidenceLine, RunCard, TalkTurn
from stepscope.widgets.timeline import Lane, LaneCell

P_INFEASIBLE = "P(infeasible)"
ABOUT_ALL = "About the whole episode; more under Episode."

Facts = tuple[tuple[str, str], ...]


def lane_of(run: str, name: str, judged: JudgedEpisode, episode: Episode, rule: MatchingRule) -> Lane:
    """The lane of a run: cells of its steps, or what it says of the whole episode."""
    index = judged.runs[run]
    outcome = judged.whole(run)
    if outcome is None:
        return Lane(index, name, tuple(_lane_cell(judged, run, episode, step, rule) for step in episode.steps))
    answer = outcome.prediction.answer
    curve = answer.curve if isinstance(answer, FeasibilityAnswer) else ()
    return Lane(index, name, curve=curve, words=short_words(outcome), verdict=verdict_of(outcome.score))


def _lane_cell(judged: JudgedEpisode, run: str, episode: Episode, step: Step, rule: MatchingRule) -> LaneCell | None:
    score, prediction = judged.score(rule, run, step.index), judged.prediction(run, step.index)
    if score is None or prediction is None:
        return None
    answer = prediction.answer
    if not isinstance(answer, AskAnswer):
        return LaneCell(verdict_of(score), prediction.confidence, score.why)
    due = "due" if episode.ask_at(step.index) else ""
    return LaneCell(
        verdict_of(score),
        _due(answer, prediction),
        score.why,
        ask=due if answer.question is None else "came",
        does=_done(answer.action),
        after=_done(answer.after),
    )


def step_card(run: str, name: str, judged: JudgedEpisode, episode: Episode, step: Step, rule: MatchingRule) -> RunCard:
    """What a run has to say at a step."""
    index = judged.runs[run]
    outcome = judged.whole(run)
    if outcome is not None:
        return _whole_at(index, name, outcome, episode, step)
    prediction, score = judged.prediction(run, step.index), judged.score(rule, run, step.index)
    if prediction is not None and score is not None and isinstance(prediction.answer, AskAnswer):
        return _ask_card(index, name, step, prediction, prediction.answer, score)
    if prediction is not None and score is not None and isinstance(prediction.answer, AffordanceAnswer):
        return _screen_card(index, name, step, prediction, prediction.answer, score)
    if prediction is not None and score is not None and judged.tasks.get(run) is Task.GOAL:
        guesses = _guesses(judged, run, episode)
        return _guess_card(index, name, guesses, episode.position_of(step.index), prediction, score)
    return run_card(index, name, step, prediction, score)


def whole_card(index: int, name: str, outcome: Outcome, episode: Episode) -> RunCard:
    """What a run answered about the whole episode, beside the reference."""
    prediction, answer = outcome.prediction, outcome.prediction.answer
    return RunCard(
        run=index,
        name=name,
        verdict=verdict_of(outcome.score),
        why=_why(outcome),
        confidence=None if isinstance(answer, FeasibilityAnswer) else prediction.confidence,
        latency_ms=prediction.latency_ms,
        raw=prediction.raw,
        facts=_facts(outcome, episode),
        evidence=evidence_lines(answer, episode) if isinstance(answer, FeasibilityAnswer) else (),
    )


def evidence_lines(answer: FeasibilityAnswer, episode: Episode, step: int | None = None) -> tuple[EvidenceLine, ...]:
    """The evidence whose step can be shown; `step`: only that of the step with this index."""
    places = [(place, one, episode.position_of(one.step)) for place, one in enumerate(answer.evidence)]
    return tuple(
        EvidenceLine(place, at, " ".join(one.text.split()) or _unnamed(one.box is None), one.weight)
        for place, one, at in places
        if at >= 0 and step in (None, one.step)
    )


def _unnamed(whole: bool) -> str:
    return "The whole screen" if whole else "An element without words"


def with_questions(
    talk: Sequence[TalkTurn], judged: JudgedEpisode, episode: Episode, names: Mapping[str, str]
) -> tuple[TalkTurn, ...]:
    """The talk with the questions that the shown runs put, each before what else is told of its step."""
    asked = _asked_by(judged, episode, names)
    turns: list[TalkTurn] = []
    for turn in talk:
        due = [place for place in asked if turn.step is not None and place <= turn.step]
        turns += [question for place in sorted(due) for question in asked.pop(place)]
        turns.append(turn)
    return (*turns, *(question for place in sorted(asked) for question in asked[place]))


def _asked_by(judged: JudgedEpisode, episode: Episode, names: Mapping[str, str]) -> dict[int, list[TalkTurn]]:
    """Questions by the step's place."""
    found: dict[int, list[TalkTurn]] = {}
    for run, index in judged.runs.items():
        name = names.get(run, run)
        for place, step in enumerate(episode.steps):
            prediction = judged.prediction(run, step.index)
            answer = prediction.answer if prediction else None
            if isinstance(answer, AskAnswer) and answer.question is not None:
                found.setdefault(place, []).append(TalkTurn("ask", answer.question, place, index, f"asked by {name}"))
    return found


def _whole_at(index: int, name: str, outcome: Outcome, episode: Episode, step: Step) -> RunCard:
    """The step's share in an answer about the whole episode."""
    answer, verdict = outcome.prediction.answer, verdict_of(outcome.score)
    if not isinstance(answer, FeasibilityAnswer):
        return RunCard(index, name, verdict, ABOUT_ALL, facts=(("Answer", short_words(outcome)),))
    place = episode.position_of(step.index)
    facts: Facts = (("Label", answer.label.value),)
    if 0 <= place < len(answer.curve):
        facts += ((P_INFEASIBLE, f"{formats.confidence(answer.curve[place])} after this step"),)
    if answer.score is not None:
        facts += (("In the end", formats.confidence(answer.score)),)
    return RunCard(index, name, verdict, ABOUT_ALL, facts=facts, evidence=evidence_lines(answer, episode, step.index))


def _ask_card(index: int, name: str, step: Step, prediction: Prediction, answer: AskAnswer, score: Score) -> RunCard:
    after = action_words(answer.after).exact if answer.after else ""
    due = _due(answer, prediction)
    facts = (
        ("Asks", answer.question or "nothing"),
        ("P(due)", "" if due is None else formats.confidence(due)),
        ("After answer", after),
    )
    return RunCard(
        run=index,
        name=name,
        verdict=verdict_of(score),
        why=score.why,
        action=action_words(answer.action).exact if answer.action else "",
        element=element_words(step, answer.action),
        latency_ms=prediction.latency_ms,
        raw=prediction.raw,
        facts=tuple((fact, value) for fact, value in facts if value),
    )


def _screen_card(
    index: int, name: str, step: Step, prediction: Prediction, answer: AffordanceAnswer, score: Score
) -> RunCard:
    """How many elements allow what, beside what the tree declares."""
    tree = step.observation.tree
    declared = () if tree is None else (("UI tree", flags_words(tree)),)
    return RunCard(
        run=index,
        name=name,
        verdict=verdict_of(score),
        why=score.why,
        latency_ms=prediction.latency_ms,
        raw=prediction.raw,
        facts=(("Allowed", allowed_words(answer)), *declared),
    )


def _guesses(judged: JudgedEpisode, run: str, episode: Episode) -> list[str | None]:
    """What the run took the goal for after each step; None where it made no guess."""
    said = [judged.prediction(run, step.index) for step in episode.steps]
    answers = [one.answer if one else None for one in said]
    return [answer.text if isinstance(answer, GoalAnswer) else None for answer in answers]


def _guess_card(
    index: int, name: str, guesses: Sequence[str | None], place: int, prediction: Prediction, score: Score
) -> RunCard:
    """The goal as guessed after this step, beside the guess before it, and since when it is the one it stays with."""
    now = guesses[place]
    before = next((one for one in reversed(guesses[:place]) if one is not None), None)
    final = next((one for one in reversed(guesses) if one is not None), None)
    since = settled_at(guesses)
    facts: Facts = (("Goal so far", now or "none"),)
    if now is not None:
        facts += (("Changed", changed_words(before, now)),)
        facts += (("In the end", final or ""),) if now != final else ()
    if since is not None:
        facts += (("Settled", f"from step {since + 1} of {len(guesses)} on"),)
    return RunCard(
        run=index,
        name=name,
        verdict=verdict_of(score),
        why=score.why,
        confidence=prediction.confidence,
        latency_ms=prediction.latency_ms,
        raw=prediction.raw,
        facts=facts,
    )


def _due(answer: AskAnswer, prediction: Prediction) -> float | None:
    """P(a question is due), as far as the model says so."""
    return prediction.confidence if answer.score is None else answer.score


def _done(action: Action | None) -> str:
    """An action for a cell of a lane; no element is looked up for it, since there may be hundreds of cells."""
    if action is None:
        return ""
    words = action_words(action)
    return f"{words.word} {words.detail}".strip()


def short_words(outcome: Outcome) -> str:
    """The answer in one line."""
    match outcome.prediction.answer:
        case FeasibilityAnswer(label, score):
            return label.value if score is None else f"{label.value} {formats.confidence(score)}"
        case GoalAnswer(text):
            return text
        case OrderAnswer():
            right = dict(outcome.score.parts).get("accuracy")
            return "an order of steps" if right is None else f"{formats.share(right)} of the steps in their place"
        case FieldsAnswer(fields):
            return formats.counted(len(fields), "field")
        case WalkAnswer() as walk:
            return walk_words(walk)
        case AffordanceAnswer() as said:
            return allowed_words(said)
        case _:
            return f"nothing usable ({outcome.prediction.status})"


def _infeasible_facts(answer: FeasibilityAnswer, episode: Episode) -> Facts:
    """Why it is infeasible and what would clear it up, each beside what people said, where the model says so."""
    told = episode.feasibility
    found: list[tuple[str, str]] = []
    if answer.reason is not None:
        found += [("Reason", answer.reason.value), ("Recorded reason", told.reason.value if told.reason else "none")]
    if answer.question:
        found += [("Question", answer.question), ("Recorded question", " / ".join(told.follow_up) or "none")]
    return tuple(found)


def _facts(outcome: Outcome, episode: Episode) -> Facts:
    match outcome.prediction.answer:
        case FeasibilityAnswer(label, score):
            label_there = episode.feasibility.label
            sure = () if score is None else ((P_INFEASIBLE, formats.confidence(score)),)
            reference = ("Reference", label_there.value if label_there else "not labelled")
            return (("Label", label.value), *sure, reference, *_infeasible_facts(outcome.prediction.answer, episode))
        case GoalAnswer(text):
            goal = episode.goal if episode.original_goal is None else episode.original_goal
            return (("Goal", text), ("Reference", goal or "no goal was recorded"), *_metrics(outcome))
        case OrderAnswer():
            return _metrics(outcome)
        case WalkAnswer() as walk:
            return (("Walk", walk_words(walk)), ("Person", number_of_actions(walk.human_actions)))
        case _:
            return (("Answer", short_words(outcome)),)


def _metrics(outcome: Outcome) -> Facts:
    return tuple((metric_title(name), formats.score(value)) for name, value in outcome.score.parts)


def _why(outcome: Outcome) -> str:
    prediction = outcome.prediction
    if prediction.status is PredictionStatus.OK:
        return outcome.score.why
    return " ".join(dict.fromkeys(filter(None, (prediction.why, outcome.score.why))))
