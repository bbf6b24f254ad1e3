"""A stored run of asking, read for the window: its tasks, the four settings, what asking costs, and a task's lanes.

Qt-free. The numbers are worked out in `core.evaluation.ask_settings`, `ask_cost` and `ask_lanes`, always out of stored
answers: no model is asked again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path

import numpy as np

from stepscope.app.services.scoring import sentence_encoder
from stepscope.core.domain.episode import Episode, FeasibilityLabel
from stepscope.core.domain.prediction import AskAnswer
from stepscope.core.domain.run import Outcome, Run
from stepscope.core.errors import UserError
from stepscope.core.evaluation.ask_cost import AskCost, ask_cost, asking_above
from stepscope.core.evaluation.ask_deciders import AskDecider, can_decide, deciding
from stepscope.core.evaluation.ask_lanes import (
    AskEpisodeRow,
    AskLanes,
    AskOutcome,
    ask_kinds,
    ask_lanes,
    episode_rows,
    scored_steps,
)
from stepscope.core.evaluation.ask_runs import asked_of_run
from stepscope.core.evaluation.ask_settings import (
    DRAWS,
    AskedEpisodes,
    AskSwitches,
    FourSettings,
    asked_episodes,
    four_settings,
)
from stepscope.core.evaluation.defects import defective
from stepscope.core.evaluation.rules import Scoring, own_as_written, own_scoring, scored_under
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken, Progress, ProgressMeter
from stepscope.core.scoring.ask_content import QuestionPair, cosines, meteors
from stepscope.core.sources.source import Source
from stepscope.core.store import queries
from stepscope.core.store.columns import load_columns
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import runs, sources

DECIDERS = {
    AskDecider.NEVER: "Never asks",
    AskDecider.STEP_0: "Asks at step 0",
    AskDecider.ALWAYS: "Always asks",
    AskDecider.ORACLE: "Oracle, when due",
}
_TOLD, _AT_ONCE = 20, 50
"""How often it is told how far reading is, after at least so many episodes."""


@dataclass(frozen=True, slots=True)
class AskRunData:
    """What a run's scores tell, as it decided itself. `others` are other runs on the same data by their names, behind
    the ways of `DECIDERS` where the run's answers tell them; `goals` and `apps` are by episode, as far as the data was
    opened here."""

    run: Run
    asked: AskedEpisodes
    others: Mapping[str, AskedEpisodes] = field(default_factory=dict)
    ways: Mapping[str, str] = field(default_factory=dict)
    """keys of `others` that are ways of the same actor, with the decider's word"""
    runs: Mapping[str, str] = field(default_factory=dict)
    """keys of `others` that are other runs, with their ids"""
    goals: Mapping[str, str] = field(default_factory=dict)
    apps: Mapping[str, str] = field(default_factory=dict)

    @property
    def any_due(self) -> bool:
        return any(step.due is not None for steps in self.asked.episodes for step in steps)


@dataclass(frozen=True, slots=True)
class AskNumbers:
    """The numbers of a run under switches, asking above `threshold` (None: where the run itself asked)."""

    switches: AskSwitches
    threshold: float | None
    asked: AskedEpisodes
    settings: FourSettings
    rows: tuple[AskEpisodeRow, ...]


@dataclass(frozen=True, slots=True)
class KindUpdate:
    """The kinds of missing values that are known so far, by episode and step."""

    progress: Progress
    kinds: Mapping[str, Mapping[int, str]]


@dataclass(frozen=True, slots=True)
class FollowUp:
    """An agent's question at a step of an infeasible task beside a follow-up question of the data; `likeness` has
    cos_sim and meteor where this machine can take them."""

    step: int
    asked: str
    question: str
    likeness: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class TaskLanes:
    """A task with its recording, its items, its lanes, and where it is infeasible its follow-up questions."""

    episode: Episode
    outcomes: tuple[Outcome, ...]
    lanes: AskLanes
    follow_ups: tuple[FollowUp, ...] = ()


def read_data(
    database: Database,
    run: Run,
    others: Mapping[str, str],
    scoring: Scoring | None = None,
    *,
    without_defects: bool = False,
) -> AskRunData:
    """The run's steps under a rule (None: its own); `others` are ids of other runs with their names, of which those
    that have no scores are left out. Raises UsageError where the run has no scores under the rule."""
    asked = _asked(database, run.id, scoring, without_defects)
    beside: dict[str, AskedEpisodes] = {}
    ways: dict[str, str] = {}
    ids: dict[str, str] = {}
    if asked.acts and can_decide(asked):
        for decider, name in DECIDERS.items():
            beside[name], ways[name] = deciding(asked, decider), decider.value
    for other, name in others.items():
        try:
            found = _asked(database, other, None, without_defects)
        except UserError:
            continue  # gone meanwhile, or scored by another version: it cannot be put beside
        if found.acts:
            own = name if name not in beside else f"{name} ({other})"
            beside[own], ids[own] = found, other
    goals: Mapping[str, str] = {}
    apps: Mapping[str, str] = {}
    with database.reading() as db:
        known = sources.find(db, Path(run.spec.source))
        if known is not None:
            goals, apps = queries.names_of(db, known.id, "goal"), queries.names_of(db, known.id, "app")
    return AskRunData(run, asked, beside, ways, ids, goals, apps)


def _asked(database: Database, run_id: str, scoring: Scoring | None, without_defects: bool) -> AskedEpisodes:
    """Raises UsageError where the scores are by an earlier version of the rule."""
    known = None
    with database.reading() as db:
        stored = runs.get(db, run_id)
        if scoring is not None and scoring not in (own_scoring(stored), own_as_written(stored)):
            known = scored_under(db, run_id, scoring).id
        defects = defective(db, stored.spec.source) if without_defects else None
    if known is None and defects is None:
        return asked_of_run(database, run_id)
    columns = load_columns(database, run_id, known, index=False)
    asked = asked_episodes(columns)
    if defects is None:
        return asked
    kept = np.asarray(defects.mask_of(columns))
    left = {
        (columns.episodes[episode], int(step))
        for episode, step in zip(columns.episode[kept].tolist(), columns.step[kept].tolist(), strict=True)
    }
    episodes = [
        tuple(step for step in steps if (name, step.step) in left)
        for name, steps in zip(asked.names, asked.episodes, strict=True)
    ]
    pairs = [(name, steps) for name, steps in zip(asked.names, episodes, strict=True) if steps]
    return AskedEpisodes(tuple(name for name, _ in pairs), tuple(steps for _, steps in pairs))


def numbers_of(
    data: AskRunData,
    switches: AskSwitches,
    threshold: float | None,
    before: AskNumbers | None = None,
    *,
    draws: int,
) -> AskNumbers:
    """The table and the tasks, asking above the threshold; `draws` 0: without intervals, which is quick. What `before`
    says of tasks in which nothing is asked otherwise stands."""
    asked = data.asked if threshold is None else asking_above(data.asked, threshold)
    rows = _rows(asked, switches, before)
    return AskNumbers(switches, threshold, asked, four_settings(asked, switches, draws=draws), rows)


def _rows(asked: AskedEpisodes, switches: AskSwitches, before: AskNumbers | None) -> tuple[AskEpisodeRow, ...]:
    if before is None or before.switches != switches or before.asked.names != asked.names:
        return episode_rows(asked, switches)
    changed = [
        place
        for place, (now, then) in enumerate(zip(asked.episodes, before.asked.episodes, strict=True))
        if now is not then and now != then
    ]
    rows = list(before.rows)
    some = AskedEpisodes(
        tuple(asked.names[place] for place in changed), tuple(asked.episodes[place] for place in changed)
    )
    for place, row in zip(changed, episode_rows(some, switches), strict=True):
        rows[place] = row
    return tuple(rows)


def cost_of(data: AskRunData, switches: AskSwitches, *, draws: int) -> AskCost:
    return ask_cost(data.asked, switches, data.others, draws=draws)


def listed(rows: Sequence[AskEpisodeRow]) -> tuple[AskEpisodeRow, ...]:
    """The tasks that are about asking: those that leave nothing out, and in which nobody asked, are none."""
    return tuple(row for row in rows if row.outcome is not AskOutcome.QUIET)


def read_kinds(source: Source, episodes: Sequence[str], token: CancelToken) -> Iterator[KindUpdate]:
    """The kinds of missing values, episode by episode; those that cannot be read have none. Ends early when
    cancelled."""
    meter, found = ProgressMeter(len(episodes)), dict[str, Mapping[int, str]]()
    every = max(_AT_ONCE, len(episodes) // _TOLD)
    for number, name in enumerate(episodes, start=1):
        token.wait_if_paused()
        if token.cancelled:
            return
        try:
            found[name] = {step: str(kind) for step, kind in ask_kinds(source.read(name)).items()}
        except UserError:
            found[name] = {}
        meter.advance()
        if number % every == 0 or number == len(episodes):
            yield KindUpdate(meter.snapshot(), dict(found))


@dataclass(frozen=True, slots=True)
class KindCount:
    """Questions by the kind of their missing value: how many were due, asked when due, missed; steps that only the
    answer rescued, and asks of these tasks that nobody needed."""

    kind: str
    due: int
    when_due: int
    missed: int
    rescued: int
    needless: int


NO_KIND = "nothing missing"


def by_kind(rows: Sequence[AskEpisodeRow], kinds: Mapping[str, Mapping[int, str]]) -> tuple[KindCount, ...]:
    """The most frequent first; needless asks of tasks that leave nothing out stand under NO_KIND, last. What a step of
    an episode counts for is the question by which it is judged: the next that is due, after the last one that one."""
    due, when, missed, rescued, needless = (
        Counter[str](),
        Counter[str](),
        Counter[str](),
        Counter[str](),
        Counter[str](),
    )
    for row in rows:
        of = kinds.get(row.name, {})

        def kind_at(step: int, row: AskEpisodeRow = row, of: Mapping[int, str] = of) -> str:
            if not row.due:
                return NO_KIND
            judged = next((one for one in row.due if one >= step), row.due[-1])
            return of.get(judged) or "unknown"

        due.update(map(kind_at, row.due))
        missed.update(map(kind_at, row.missed))
        when.update(kind_at(step) for step in row.due if step in row.asked)
        rescued.update(map(kind_at, row.rescued))
        needless.update(map(kind_at, row.needless))
    names = sorted({*due, *needless, *rescued}, key=lambda one: (one == NO_KIND, -due[one], one))
    return tuple(KindCount(one, due[one], when[one], missed[one], rescued[one], needless[one]) for one in names)


def read_lanes(database: Database, data: AskRunData, numbers: AskNumbers, source: Source, episode_id: str) -> TaskLanes:
    """A task's lanes, asking above the numbers' threshold. Raises UserError where the data is gone."""
    episode = source.read(episode_id)
    with database.reading() as db:
        outcomes = queries.items(db, data.run.id, episodes=[episode_id], limit=None).rows
    scored = None
    if numbers.threshold is not None:
        own = AskedEpisodes((episode_id,), (scored_steps(outcomes),))
        scored = asking_above(own, numbers.threshold).episodes[0]
    lanes = ask_lanes(episode, outcomes, numbers.switches, scored)
    return TaskLanes(episode, tuple(outcomes), lanes, _follow_ups(episode, lanes, outcomes))


def _follow_ups(episode: Episode, lanes: AskLanes, outcomes: Sequence[Outcome]) -> tuple[FollowUp, ...]:
    """Each question of the agent beside each follow-up question, where the goal is infeasible."""
    follow_up = episode.feasibility.follow_up
    if episode.feasibility.label is not FeasibilityLabel.INFEASIBLE or not follow_up:
        return ()
    asked = [(one.key.step, one.prediction.answer.question) for one in outcomes
             if isinstance(one.prediction.answer, AskAnswer)]  # fmt: skip
    asks = {step.index for step in lanes.steps if step.first is not None and step.first.question is not None}
    pairs = [(step or 0, words, other) for step, words in asked if words and step in asks for other in follow_up]
    texts = [QuestionPair(words, other) for _step, words, other in pairs]
    taken = {"cos_sim": cosines(texts, sentence_encoder), "meteor": meteors(texts)}
    return tuple(
        FollowUp(
            step, words, other,
            {name: float(one.values[place]) for name, one in taken.items() if one.values is not None},
        )
        for place, (step, words, other) in enumerate(pairs)
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class AskReading:
    """What is known so far: a later one has all that an earlier one had. `is_exact`: the intervals are there too."""

    data: AskRunData
    numbers: AskNumbers
    cost: AskCost | None = None
    is_exact: bool = False


def measuring(
    data: AskRunData,
    switches: AskSwitches,
    threshold: float | None,
    known: AskCost | None,
    token: CancelToken,
    before: AskNumbers | None = None,
    *,
    draws: int = DRAWS,
) -> Iterator[AskReading]:
    """The numbers at once, then with their intervals. `known` is the curve under the same switches, where it is known
    already: it does not hang on the threshold. Ends early when cancelled."""
    quick = numbers_of(data, switches, threshold, before, draws=0)
    yield AskReading(data, quick, known)
    cost = known
    if cost is None:
        if token.cancelled:
            return
        cost = cost_of(data, switches, draws=0)
        yield AskReading(data, quick, cost)
    if token.cancelled:
        return
    exact = numbers_of(data, switches, threshold, quick, draws=draws)
    if known is None:
        yield AskReading(data, exact, cost)
        if token.cancelled:
            return
        cost = cost_of(data, switches, draws=draws)
    yield AskReading(data, exact, cost, is_exact=True)
