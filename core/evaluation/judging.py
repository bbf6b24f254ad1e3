"""Pairs of texts to be judged, made from runs whose answers are texts; and what judgements say of a run.

Goal identification: the recorded goal and a run's goal. Asking: the question that was due and the one that a run put.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy.orm import Session

from stepscope.core.domain.episode import Episode, EpisodeSummary, Platform
from stepscope.core.domain.judgement import (
    REFERENCE,
    JudgeId,
    Judgement,
    OriginKind,
    TextOrigin,
    TextPair,
    TextPairKey,
    pair_of,
    same_texts,
)
from stepscope.core.domain.prediction import Answer, AskAnswer, GoalAnswer, Task
from stepscope.core.errors import UsageError, UserError
from stepscope.core.evaluation.breakdown.groups import wilson
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.early_goal import Convergence, convergence
from stepscope.core.scoring.intent_match import RELATIONS
from stepscope.core.scoring.judged_pairs import JointJudgement, together, verdict_of_answers
from stepscope.core.sources.source import Source
from stepscope.core.store import queries
from stepscope.core.store.repositories import judgements as judgement_rows
from stepscope.core.store.repositories import sources

TEXT_TASKS = (Task.GOAL, Task.ASK)
"""Tasks whose answers are texts that can be judged."""

Place = tuple[str, int]
"""Episode, and index of the step or WHOLE."""


@dataclass(frozen=True, slots=True)
class ListedPair:
    """A pair with what a list shows of its episode without giving a text away."""

    pair: TextPair
    app: str | None
    platform: Platform
    steps: int


@dataclass(frozen=True, slots=True)
class PairList:
    """`pairs` in the order of the data. `without` items have only one of the texts, such as those that a run did not
    answer."""

    task: Task
    pairs: tuple[ListedPair, ...]
    without: int = 0


def list_pairs(
    db: Session, source_id: int, source: Source, known_as: str, origins: tuple[TextOrigin, TextOrigin]
) -> PairList:
    """The pairs that two origins have in common; `known_as` is what the store calls the data.

    Raises UsageError for a run that is not there, has other answers than texts, or is about another task than the
    other one; what `source.read` raises where an episode's full goal has to be read.
    """
    task = _task_of(db, origins)
    texts = [_texts(db, known_as, origin, task) for origin in origins]
    places = {place for some in texts for place in some}
    rows = {row.id: row for row in sources.summaries(db, source_id, sorted({place[0] for place in places}))}
    if REFERENCE in origins:
        reference = {place: _reference(source, rows[place[0]], place[1], task) for place in places if place[0] in rows}
        texts[origins.index(REFERENCE)] = {place: text for place, text in reference.items() if text}
    position = {episode: number for number, episode in enumerate(queries.matching(db, source_id))}
    common = sorted(
        (place for place in texts[0].keys() & texts[1].keys() if place[0] in rows),
        key=lambda place: (position.get(place[0], len(position)), place),
    )
    pairs = tuple(
        _listed(
            rows[place[0]],
            pair_of(known_as, *place, (origins[0], texts[0][place]), (origins[1], texts[1][place])),
        )
        for place in common
    )
    return PairList(task, pairs, len(places) - len(common))


def _listed(row: EpisodeSummary, pair: TextPair) -> ListedPair:
    return ListedPair(pair, row.app, row.platform, row.steps)


def _task_of(db: Session, origins: Iterable[TextOrigin]) -> Task:
    from stepscope.core.store.repositories import runs

    tasks = {runs.get(db, one.name).spec.task for one in origins if one.kind is OriginKind.RUN} or {Task.GOAL}
    if len(tasks) > 1:
        raise UsageError("these runs are about different tasks.", hint="Choose two of the same task.")
    (task,) = tasks
    if task not in TEXT_TASKS:
        raise UsageError(f"the answers of this run ({task}) are no texts.", hint="Choose a run of goal identification.")
    return task


def _texts(db: Session, known_as: str, origin: TextOrigin, task: Task) -> dict[Place, str]:
    """The texts of one origin by place; of the reference none yet, since it is asked where the other has one."""
    if origin.kind is OriginKind.PERSON:
        found = judgement_rows.written_of(db, known_as, author=origin.name) if task is Task.GOAL else []
        return {(one.episode, one.step): one.text for one in found}
    if origin.kind is OriginKind.REFERENCE:
        return {}
    answered = ((outcome.key, answer_text(outcome.prediction.answer)) for outcome in queries.each_item(db, origin.name))
    return {(key.episode, key.step): text for key, text in answered if text}


def answer_text(answer: Answer | None) -> str:
    """The text of an answer, "" where it has none."""
    match answer:
        case GoalAnswer(text):
            return text.strip()
        case AskAnswer(question) if question is not None:
            return question.strip()
        case _:
            return ""


def _reference(source: Source, row: EpisodeSummary, step: int, task: Task) -> str:
    """The full goal, where what the agent was told leaves something out; of a question the one that was due."""
    if task is Task.ASK:
        return due_question(source.read(row.id), step)
    if not row.asks and source.format != "recording":
        return row.goal.strip()
    try:
        return full_goal(source.read(row.id))
    except UserError:
        return row.goal.strip()  # what is wrong with the episode is told where it is shown


def full_goal(episode: Episode) -> str:
    return (episode.goal if episode.original_goal is None else episode.original_goal).strip()


def due_question(episode: Episode, step: int) -> str:
    """The question that was due at a step, else the next one that was, else the last one before."""
    later = [ask for ask in episode.asks if ask.step >= step] or list(reversed(episode.asks))
    return later[0].question.strip() if later else ""


# What judgements say of texts ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class JudgedRate:
    """A share of `n` pairs with its 95 % interval (Wilson); None over nothing."""

    value: float | None
    n: int
    low: float = 0.0
    high: float = 1.0


FIRST, SECOND = "first_fulfilled", "second_fulfilled"
RATES = (FIRST, SECOND, *RELATIONS)


@dataclass(frozen=True, slots=True)
class JudgedRates:
    """What a judge, or all people together (`judge` None), said of the pairs of two origins. `unscored` are pairs
    with something open; `rates` by the names in RATES, each over the pairs that have the answers it needs."""

    judge: JudgeId | None
    pairs: int
    rejected: int
    unscored: int
    rates: Mapping[str, JudgedRate]


def rates_of(judgements: Sequence[Judgement]) -> list[JudgedRates]:
    """People together where there are several, then each judge: people before models, by name."""
    judges = sorted({one.judge for one in judgements}, key=lambda judge: (judge.by_model, judge.name))
    people = [one for one in judgements if not one.judge.by_model]
    single = [_rates(judge, together(one for one in judgements if one.judge == judge)) for judge in judges]
    if len({one.judge for one in people}) < 2:
        return single
    return [_rates(None, together(people)), *single]


def _rates(judge: JudgeId | None, found: Sequence[JointJudgement]) -> JudgedRates:
    kept = [one.answers for one in found if not one.rejected]
    verdicts = [verdict_of_answers(answers) for answers in kept]
    rates = {name: _rate([getattr(answers, name) for answers in kept]) for name in (FIRST, SECOND)}
    for name in RELATIONS:
        rates[name] = _rate([None if verdict is None else verdict == name for verdict in verdicts])
    unscored = sum(None in answers for answers in kept)
    return JudgedRates(judge, len(found), len(found) - len(kept), unscored, rates)


@dataclass(frozen=True, slots=True)
class EarlyRates:
    """How early a judge, or all people together (`judge` None), found goals right that were guessed after every step:
    the means of `early_goal` over the `n` trajectories of which every guess was judged, a match being right. One
    without any guess is not among them."""

    judge: JudgeId | None
    n: int
    earliness: float
    convergence: float


def early_rates(judgements: Sequence[Judgement], pairs: Iterable[ListedPair]) -> list[EarlyRates]:
    """As `rates_of` orders them; none where the goals were told at the end, or no trajectory is judged whole. A step
    without a guess is not right."""
    guessed: dict[str, dict[int, TextPairKey]] = {}
    steps: dict[str, int] = {}
    for one in pairs:
        key = one.pair.key
        if key.step >= 0:
            guessed.setdefault(key.episode, {})[key.step] = key
            steps[key.episode] = max(one.steps, key.step + 1)
    if not steps:
        return []
    judges = sorted({one.judge for one in judgements}, key=lambda judge: (judge.by_model, judge.name))
    several = sum(not one.by_model for one in judges) > 1
    people = [(None, [one for one in judgements if not one.judge.by_model])] if several else []
    found = []
    for judge, said in (*people, *((judge, [one for one in judgements if one.judge == judge]) for judge in judges)):
        matches = {
            one.key: verdict == "match"
            for one in together(said)
            if not one.rejected and (verdict := verdict_of_answers(one.answers)) is not None
        }
        whole = [episode for episode, keys in guessed.items() if matches.keys() >= set(keys.values())]
        if whole:
            early = [_convergence(guessed[episode], steps[episode], matches) for episode in whole]
            since = sum(one.since is not None for one in early)
            found.append(
                EarlyRates(judge, len(early), sum(one.earliness for one in early) / len(early), since / len(early))
            )
    return found


def _convergence(guessed: Mapping[int, TextPairKey], steps: int, matches: Mapping[TextPairKey, bool]) -> Convergence:
    return convergence([step in guessed and matches[guessed[step]] for step in range(steps)])


def _rate(said: Sequence[bool | None]) -> JudgedRate:
    known = [one for one in said if one is not None]
    if not known:
        return JudgedRate(None, 0)
    return JudgedRate(sum(known) / len(known), len(known), *wilson(sum(known), len(known)))


def current(judgements: Iterable[Judgement], pairs: Iterable[TextPair]) -> list[Judgement]:
    """Those about the words that the pairs have now: a run that was done again may have other answers."""
    texts: dict[TextPairKey, TextPair] = {pair.key: pair for pair in pairs}
    return [one for one in judgements if one.pair.key in texts and same_texts(one, texts[one.pair.key])]
