"""Stored predictions under other rules: scored again without a model, and what that changes.

`rescore` is the one generator behind the command line's progress bar and the window's switch of rules. It commits in
small batches and goes on with the items that lack a score, so that a kill costs the batch in hand.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from sqlalchemy.orm import Session

from stepscope.core.domain.prediction import PredictionStatus
from stepscope.core.domain.run import ItemKey, Outcome, Run
from stepscope.core.domain.score import Metrics, Score, ScoreStatus
from stepscope.core.errors import StoreError, UsageError
from stepscope.core.evaluation.column_metrics import column_metrics
from stepscope.core.evaluation.rules import (
    NOT_SCORED,
    Scoring,
    canonical,
    own_as_written,
    scored_under,
    scoring_of,
    stored_scoring,
    version_warning,
)
from stepscope.core.evaluation.runner import score_item, unreadable
from stepscope.core.evaluation.runs import check_unclaimed
from stepscope.core.evaluation.tasks import Item, Setting, TaskKind, asks_after_each_step, setting_of, task_kind
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken, Progress, ProgressMeter
from stepscope.core.scoring.named_rules import NAMED_RULES, MatchingRule
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.registry import run_scorer
from stepscope.core.scoring.rule import AggregatingScorer, Options
from stepscope.core.sources.source import Source
from stepscope.core.store import queries, score_joins
from stepscope.core.store.columns import load_columns
from stepscope.core.store.engine import Database
from stepscope.core.store.queries import ItemFilter
from stepscope.core.store.repositories import outcomes, runs, scorings
from stepscope.core.store.repositories.scorings import StoredScoring, UnscoredItem

__all__ = [
    "Flip",
    "RescoreDifference",
    "RescoreUpdate",
    "RuleMetrics",
    "Scoring",
    "changes",
    "count_items_to_score",
    "flips",
    "metrics_under",
    "rescore",
    "rule_table",
    "scoring_of",
]  # fmt: skip

BATCH_ITEMS = 256
BATCH_SECONDS = 0.5
EPISODES_AT_ONCE = 100
"""Episodes whose predictions are fetched by one query."""


@dataclass(frozen=True, slots=True)
class RescoreUpdate:
    """The state after one more item. `committed` items are safe in the store under all wanted rules; the last update is
    `final`, and `complete` when no item is left."""

    run_id: str
    progress: Progress
    committed: int
    final: bool = False
    complete: bool = False


@dataclass(frozen=True, slots=True)
class Flip:
    """An item that is right under one rule and wrong under the other. `reference` is the kind of the reference."""

    key: ItemKey
    before: Score
    after: Score
    reference: str


@dataclass(frozen=True, slots=True)
class RescoreDifference:
    """Differences from the run's own rule to another: verdicts that flip, and items that only one of the two could
    score."""

    flips: tuple[Flip, ...]
    only_before: tuple[ItemKey, ...]
    only_after: tuple[ItemKey, ...]


@dataclass(frozen=True, slots=True)
class RuleMetrics:
    """A run under one rule. `rule` is the short name, "" for a rule without one. `metrics` None: not scored yet;
    `flips` against the run's own rule, None where that cannot be said. `why` there is no number, or not of all;
    `part`: some items are not scored yet, so that the numbers are not those of the run. `left_out`: why the rule does
    not count items, and how many, the most frequent reason first."""

    rule: str
    title: str
    protocol: str
    options: tuple[tuple[str, str], ...]
    metrics: Metrics | None
    own: bool
    flips: int | None
    why: str = ""
    part: bool = False
    left_out: tuple[tuple[str, int], ...] = ()


def count_items_to_score(database: Database, run_id: str, wanted: Sequence[Scoring]) -> int:
    """How many items `rescore` would have to judge: 0 when it needs no data."""
    with database.reading() as db:
        run = runs.get(db, run_id)
        todo = [stored_scoring(db, run_id, scoring) for scoring in dict.fromkeys(wanted)]
        versions = [run_scorer(scoring.protocol).info.version for scoring in dict.fromkeys(wanted)]
        if not all(known and known.version == now for known, now in zip(todo, versions, strict=True)):
            return run.done
        return sum(count for _, count in scorings.episodes_to_judge(db, run_id, [s.id for s in todo if s]))


def rescore(
    database: Database,
    run_id: str,
    source: Source | None,
    wanted: Sequence[Scoring],
    *,
    token: CancelToken | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[RescoreUpdate]:
    """Score the run's predictions under all these rules, reading each episode once; yields after every item.
    `source` None: nothing has to be read (`count_items_to_score`).

    Items that have a score keep it, unless it is by another version of the rule, or an error that is not the
    predictor's. The run's own rule in another version is replaced at the very end, all items at once. Raises UsageError
    for an unknown run, one that is at work, and rules for another task.
    """
    work = _Rescoring(database, run_id, token or CancelToken(), clock)
    work.begin(wanted)
    try:
        yield from work.updates(source)
    except (GeneratorExit, KeyboardInterrupt):
        work.flush()
        raise


@dataclass(frozen=True, slots=True)
class _RuleScorer:
    """A wanted rule, ready to score."""

    scorer: AggregatingScorer
    options: Options


@dataclass
class _Rescoring:
    """The work of `rescore`: which rules judge, what waits to be committed."""

    database: Database
    run_id: str
    token: CancelToken
    clock: Callable[[], float]
    _judges: dict[int, _RuleScorer] = field(default_factory=dict)
    _anew: dict[int, list[tuple[ItemKey, Score]]] = field(default_factory=dict)
    _pending: dict[int, list[tuple[ItemKey, Score]]] = field(default_factory=dict)
    _episodes: list[str] = field(default_factory=list)
    _kind: TaskKind = field(init=False)
    _setting: Setting = field(init=False)
    _waiting: int = 0
    _flushed: float = 0.0

    def begin(self, wanted: Sequence[Scoring]) -> None:
        """Enter the rules and find what is left to judge."""
        with self.database.unit_of_work() as db:
            run = runs.get(db, self.run_id)
            check_unclaimed(runs.claimed(db, self.run_id))
            for scoring in dict.fromkeys(wanted):
                scoring_id, outdated = self._enter(db, run, scoring)
                if outdated:
                    self._anew[scoring_id] = []
            self._kind, self._setting = task_kind(run.spec.task), setting_of(run.spec)
            left = scorings.episodes_to_judge(db, self.run_id, self._judges, self._anew)
        self._episodes = [episode for episode, _ in left]
        self._meter = ProgressMeter(run.done, run.done - sum(count for _, count in left), self.clock)
        self._flushed = self.clock()

    def _enter(self, db: Session, run: Run, scoring: Scoring) -> tuple[int, bool]:
        scorer = run_scorer(scoring.protocol)
        if scorer.info.task is not run.spec.task:
            raise UsageError(f"{scoring.protocol} is no rule for {run.spec.task}.", hint="Choose another protocol.")
        if scorer.info.after_each_step is not asks_after_each_step(run.spec.protocol):
            when = "at the end" if scorer.info.after_each_step else "after every step"
            raise UsageError(
                f"{scoring.protocol} cannot judge this run: it was asked {when}.",
                hint=f"Evaluate under {scoring.protocol}; what was answered before is not asked again.",
            )
        known = stored_scoring(db, run.id, scoring)
        options = known.options if known else scoring.options
        entered = scorings.enter(db, run.id, scoring.protocol, scorer.info.version, options)
        self._judges[entered[0]] = _RuleScorer(scorer, parse_options(scorer.info, dict(scoring.options)))
        return entered

    def updates(self, source: Source | None) -> Iterator[RescoreUpdate]:
        yield self._update()
        for _ in self._judged_items(source):
            self._meter.advance()
            self._waiting += 1
            if self._waiting >= BATCH_ITEMS or self.clock() - self._flushed >= BATCH_SECONDS:
                self.flush()
            yield self._update()
            self._pause()
            if self.token.cancelled:
                break
        self.flush()
        complete = self._meter.done == self._meter.total
        if complete:
            self._replace_own()
        yield self._update(final=True, complete=complete)

    def _judged_items(self, source: Source | None) -> Iterator[None]:
        """Judge item after item, each before its yield, one episode after the other."""
        for first in range(0, len(self._episodes), EPISODES_AT_ONCE):
            if self.token.cancelled:
                return
            for episode, items in self._items(self._episodes[first : first + EPISODES_AT_ONCE]).items():
                wanted = any(not _is_final(item.outcome) for item in items)
                found, trouble = self._read(source, episode) if wanted else ({}, "")
                for item in items:
                    self._judge(item, found, trouble)
                    yield

    def _read(self, source: Source | None, name: str) -> tuple[dict[ItemKey, Item], str]:
        """The episode's items, and why not all of them can be read."""
        if source is None:
            return {}, "The data is not open."
        found: dict[ItemKey, Item] = {}
        try:
            for item in self._kind.items(source, name, self._setting):
                found[item.key] = item
        except Exception as error:  # noqa: BLE001 - a reader's bug on one episode must not cost the others
            return found, unreadable(error)
        return found, ""

    def _items(self, episodes: Sequence[str]) -> dict[str, list[UnscoredItem]]:
        """What is to be judged of these episodes, in their order."""
        found: dict[str, list[UnscoredItem]] = {episode: [] for episode in episodes}
        with self.database.reading() as db:
            for item in scorings.items_to_judge(db, self.run_id, episodes, list(self._judges), self._anew):
                found[item.outcome.key.episode].append(item)
        return found

    def _judge(self, item: UnscoredItem, found: Mapping[ItemKey, Item], trouble: str) -> None:
        key = item.outcome.key
        there = found.get(key)
        for scoring_id in item.scorings:
            if _is_final(item.outcome):
                score = item.outcome.score
            elif there is None:
                score = Score.error(trouble or f"The data has no step {key.step} of this episode any more.")
            else:
                judge = self._judges[scoring_id]
                score = score_item(self._kind, there, item.outcome.prediction, judge.scorer, judge.options)
            where = self._anew if scoring_id in self._anew else self._pending
            where.setdefault(scoring_id, []).append((key, score))

    def flush(self) -> None:
        """Commit what waits."""
        if self._pending:
            with self.database.unit_of_work() as db:
                for scoring_id, scores in self._pending.items():
                    outcomes.add_scores(db, self.run_id, scoring_id, scores)
        self._pending, self._waiting, self._flushed = {}, 0, self.clock()

    def _replace_own(self) -> None:
        """Put scores of the run's own rule by its present version in the place of the old ones: all or nothing."""
        for scoring_id, scores in self._anew.items():
            with self.database.unit_of_work() as db:
                check_unclaimed(runs.claimed(db, self.run_id))
                if runs.get(db, self.run_id).done != len(scores):
                    raise StoreError(f"Run {self.run_id} was changed in the meantime.", hint="Score it again.")
                version = self._judges[scoring_id].scorer.info.version
                scorings.replace_own(db, self.run_id, scoring_id, version)
                for first in range(0, len(scores), BATCH_ITEMS):
                    outcomes.add_scores(db, self.run_id, scoring_id, scores[first : first + BATCH_ITEMS])
        self._anew = {}

    def _pause(self) -> None:
        if self.token.paused:
            since = self.clock()
            self.flush()
            self.token.wait_if_paused()
            self._meter.discount(self.clock() - since)

    def _update(self, *, final: bool = False, complete: bool = False) -> RescoreUpdate:
        progress = self._meter.snapshot()
        return RescoreUpdate(self.run_id, progress, progress.done - self._waiting, final, complete)


def flips(database: Database, run_id: str, scoring: Scoring) -> tuple[Flip, ...]:
    """Items that are right under one of the run's own rule and this one, and wrong under the other, in run order.

    Raises UsageError when the run was not scored under it.
    """
    return changes(database, run_id, scoring).flips


def changes(database: Database, run_id: str, scoring: Scoring) -> RescoreDifference:
    """What is another verdict under this rule than under the run's own. Raises UsageError when it was not scored so."""
    with database.reading() as db:
        known = scored_under(db, run_id, scoring)
        found = score_joins.flips(db, run_id, known.id)
        before, after = score_joins.judged_by_one(db, run_id, known.id)
    return RescoreDifference(tuple(_flip(item, score) for item, score in found), tuple(before), tuple(after))


def metrics_under(database: Database, run_id: str, scoring: Scoring, *, bootstrap: int = 0, seed: int = 0) -> Metrics:
    """The run's metrics under a rule that it was scored under. Raises UsageError otherwise."""
    with database.reading() as db:
        known = scored_under(db, run_id, scoring)
    return _metrics(database, run_id, known, bootstrap, seed)


def rule_table(database: Database, run_id: str, *, bootstrap: int = 0, seed: int = 0) -> list[RuleMetrics]:
    """The run under its own rule, under every rule for its task with a short name, and under every other one it was
    scored by."""
    with database.reading() as db:
        run = runs.get(db, run_id)
        known = {canonical(one): one for one in queries.scorings(db, run_id)}
        own = next((scoring for scoring, one in known.items() if one.own), own_as_written(run))
        named = {
            scoring_of(rule.protocol, rule.options): rule
            for rule in NAMED_RULES
            if run_scorer(rule.protocol).info.task is run.spec.task
        }
        flipped = score_joins.flip_counts(db, run_id)
    rows = []
    for scoring in dict.fromkeys((own, *named, *known)):
        row = _row(scoring, named.get(scoring), own == scoring)
        found = known.get(scoring)
        rows.append(row if found is None else _numbers(database, run, row, found, flipped, bootstrap, seed))
    return rows


def _row(scoring: Scoring, rule: MatchingRule | None, own: bool) -> RuleMetrics:
    name, title = (rule.id, rule.title) if rule else ("", scoring.words)
    return RuleMetrics(name, title, scoring.protocol, scoring.options, None, own, None, NOT_SCORED)


def _numbers(
    database: Database,
    run: Run,
    row: RuleMetrics,
    known: StoredScoring,
    flipped: Mapping[int, int],
    bootstrap: int,
    seed: int,
) -> RuleMetrics:
    """The row with what its stored scores say; those of the run itself are told whatever version they are by."""
    why = version_warning(known)
    if not known.items or (why and not row.own):
        return replace(row, why=why or NOT_SCORED)
    try:
        metrics = _metrics(database, run.id, known, bootstrap, seed)
    except UsageError as error:
        return replace(row, why=str(error))
    why = why or _why_little(database, run, known, metrics)
    part = not row.own and known.items < run.done
    with database.reading() as db:
        left_out = tuple(score_joins.reasons_unscored(db, known.id)) if metrics.unscored else ()
    return replace(row, metrics=metrics, flips=flipped.get(known.id, 0), why=why, part=part, left_out=left_out)


def _why_little(database: Database, run: Run, known: StoredScoring, metrics: Metrics) -> str:
    """Why nothing can be said, or not about all items; "" when there is no reason."""
    if not metrics.n:
        show: ItemFilter = "unscored" if metrics.unscored else "all"
        with database.reading() as db:
            return queries.items(db, run.id, show=show, scoring_id=known.id, limit=1).rows[0].score.why
    return f"{known.items} of {run.done} items scored so far." if known.items < run.done else ""


def _metrics(database: Database, run_id: str, known: StoredScoring, bootstrap: int, seed: int) -> Metrics:
    scorer = run_scorer(known.protocol)
    options = parse_options(scorer.info, dict(known.options))
    columns = load_columns(database, run_id, known.id, index=False)
    return column_metrics(columns, scorer, options, bootstrap=bootstrap, seed=seed)


def _flip(item: Outcome, after: Score) -> Flip:
    return Flip(item.key, item.score, after, item.reference)


def _is_final(outcome: Outcome) -> bool:
    """Whether the item is an error whatever the rule: the predictor failed on it, or its episode was not there."""
    failed = outcome.prediction.status is PredictionStatus.FAILED
    return failed and outcome.score.status is ScoreStatus.ERROR and outcome.score.why == outcome.prediction.why
