"""The leaderboard: the runs of a task side by side, in groups within which they may be ranked.

A group is the same data under the same version of the same rule; nothing is ranked across groups. What the numbers of a
run are is worked out once for each state of its scores (`Leaderboard`), which the store counts; everything else is made
of these anew. Both faces show what is made here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from datetime import datetime
from functools import cached_property
from pathlib import PurePath

import numpy as np
from sqlalchemy import select
from sqlalchemy.orm import Session

from stepscope.core.domain.model_name import split_name
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import Run, RunState
from stepscope.core.domain.score import Metrics
from stepscope.core.errors import UserError
from stepscope.core.evaluation.column_metrics import column_metrics
from stepscope.core.evaluation.comparison import seed_groups
from stepscope.core.evaluation.rules import Scoring, canonical
from stepscope.core.evaluation.run_differences import telling_apart
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.paired_tests import SeedStatistics, over_seeds
from stepscope.core.scoring.registry import run_scorer
from stepscope.core.scoring.rule import ProtocolInfo
from stepscope.core.scoring.tally import IntArray
from stepscope.core.store.codec import options_from_text
from stepscope.core.store.columns import SCORED, RunColumns, load_columns
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import model_calls, runs
from stepscope.core.store.repositories.scorings import StoredScoring
from stepscope.core.store.tables import RunRow, ScoringRow

DRAWS = 1000
"""Bootstrap draws of an interval, over whole episodes; the seed is 0."""

MAIN = "main"
"""Stands for the metric that stands for a group's rule, whichever that is."""
SEED_SD, COUNT, UNSCORED, MALFORMED, ENDED = "seed_sd", "n", "unscored", "malformed", "ended"
SECONDS, TOKENS = "seconds", "tokens"
EXTRA_COLUMNS = (SEED_SD, COUNT, UNSCORED, MALFORMED, SECONDS, TOKENS, ENDED)
"""Columns beside the metrics: deviation of the main metric over seeds, scored and unscored items, share of malformed
predictions, mean seconds that the model took for an item, mean tokens that it read and wrote for one, when the run
ended."""
LESS_IS_BETTER = frozenset({SEED_SD, UNSCORED, MALFORMED, SECONDS, TOKENS})

_CHECKPOINT = re.compile(r"(?:checkpoint|ckpt|global_step)[-_]?(\d+)", re.IGNORECASE)
_STEP_TAG = re.compile(r"steps?[ :=]?(\d+)", re.IGNORECASE)
_SPREAD = np.int64(0x1E3779B97F4A7C15)
"""An odd number near 2 to the 61st: steps, which are near each other, are far apart when multiplied by it."""

EntryKey = tuple[str, int]
"""A run's id and that of a scoring of it."""


@dataclass(frozen=True, slots=True)
class LeaderboardEntry:
    """A run under a rule. `own`: the run was made under it, else its answers were scored again. `changed` is another
    number for other scores. `seed_group` is the same for runs that differ in nothing but their seed, None for others.
    """

    run: Run
    ended: datetime | None
    scoring_id: int
    changed: int
    scoring: Scoring
    version: str
    own: bool
    seed_group: int | None = None

    @property
    def key(self) -> EntryKey:
        return self.run.id, self.scoring_id

    @property
    def finished(self) -> bool:
        """Whether it may be ranked: what is not done may still change."""
        return self.run.state is RunState.DONE


@dataclass(frozen=True, slots=True)
class RunNumbers:
    """What a run came to under a rule. `seconds`: the mean time that the model took for an item, `tokens`: how many it
    read and wrote for one in the mean, None where nothing says so. `items` is the same number for the same scored
    items. `why` says why there are no metrics."""

    metrics: Metrics
    seconds: float | None = None
    tokens: float | None = None
    items: int = 0
    why: str = ""


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """A run under a rule as a row, or several that differ in their seed only: `members` by seed, the latest of which is
    `entry`; `spread` are their metrics. `numbers` None: not worked out yet. `settings` tell it apart from the others of
    its group. `step`: how long its model was trained, where that is said."""

    entry: LeaderboardEntry
    members: tuple[LeaderboardEntry, ...]
    numbers: RunNumbers | None
    spread: tuple[tuple[str, SeedStatistics], ...] = ()
    per_seed: tuple[RunNumbers, ...] = ()
    settings: tuple[str, ...] = ()
    step: int | None = None
    main: str = ""

    @property
    def key(self) -> EntryKey:
        return self.entry.key

    @property
    def ranked(self) -> bool:
        return self.entry.finished and self.numbers is not None and not self.numbers.why

    def value(self, column: str) -> float | None:
        """The number in a column: a metric's, the mean over seeds of several, or that of `EXTRA_COLUMNS`."""
        found, column = self.numbers, self.main if column == MAIN else column
        if column == ENDED:
            return None if self.entry.ended is None else self.entry.ended.timestamp()
        if found is None or found.why:
            return None
        if column == SEED_SD:
            over = dict(self.spread).get(self.main)
            return over.deviation if over is not None else None
        if column == COUNT:
            return found.metrics.n
        if column == UNSCORED:
            return found.metrics.unscored
        several = self.per_seed or (found,)
        if column == MALFORMED:
            return over_seeds([_share(one.metrics) for one in several]).mean
        if column == SECONDS:
            return over_seeds([one.seconds for one in several]).mean
        if column == TOKENS:
            return over_seeds([one.tokens for one in several]).mean
        over = dict(self.spread).get(column)
        return over.mean if over is not None else found.metrics.as_dict().get(column)

    def interval(self, column: str) -> tuple[float, float] | None:
        """The 95 % interval of a metric; a mean over seeds has none."""
        column = self.main if column == MAIN else column
        if self.numbers is None or self.spread:
            return None
        return dict(self.numbers.metrics.intervals).get(column)

    def values_of_seeds(self, column: str) -> tuple[float, ...]:
        """A metric of each seed, where it is a mean of several."""
        column = self.main if column == MAIN else column
        values = [one.metrics.as_dict().get(column) for one in self.per_seed]
        return tuple(value for value in values if value is not None)


@dataclass(frozen=True)
class LeaderboardGroup:
    """Rows that may be ranked, the latest first: the same data (`source`, `split`) under the same `version` of a rule.
    `info` is None for a rule that is not known here. Every finished run scored `common` of the `items` that some
    finished run scored."""

    source: str
    split: str
    scoring: Scoring
    version: str
    info: ProtocolInfo | None
    rows: tuple[LeaderboardRow, ...]
    common: int
    items: int

    @property
    def key(self) -> tuple[object, ...]:
        return self.source, self.split, self.scoring, self.version

    @cached_property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that some row has, in the rule's order, with the one first that stands for the rule."""
        every = self.info.every_metric if self.info else ()
        known = [name for name in every if any(_has(row, name) for row in self.rows)]
        return tuple(sorted(known, key=lambda name: name != self.main))

    @cached_property
    def main(self) -> str:
        """The metric that stands for the rule: the one that does so for most rows."""
        mains = Counter(row.main for row in self.rows if row.main)
        return mains.most_common(1)[0][0] if mains else self.info.main if self.info else ""

    def lower_is_better(self, column: str) -> bool:
        column = self.main if column == MAIN else column
        return column in LESS_IS_BETTER or (self.info is not None and column in self.info.lower_is_better)


def ranked(
    group: LeaderboardGroup, column: str, *, best_first: bool = True, pinned_first: bool = False
) -> list[LeaderboardRow]:
    """The rows by a column, the best first (of times the latest), or the other way; without a value they come later,
    and those that may not be ranked at the end."""
    descending = best_first is not group.lower_is_better(column)

    def place(row: LeaderboardRow) -> tuple[bool, bool, bool, float]:
        value = row.value(column)
        pinned = pinned_first and row.entry.run.labels.pinned
        number = 0.0 if value is None else -value if descending else value
        return not pinned, not row.ranked, value is None, number

    return sorted(group.rows, key=place)


@dataclass(eq=False)
class Leaderboard:
    """The numbers of runs, kept for as long as their scores are the same. Several threads may use it: what is kept of
    an entry is only ever replaced as a whole."""

    _numbers: dict[EntryKey, tuple[int, str, RunNumbers]] = field(default_factory=dict)
    _items: dict[int, IntArray] = field(default_factory=dict)
    """The scored items by their number: in most groups all runs have the same"""

    def entries(self, database: Database, task: Task) -> list[LeaderboardEntry]:
        """Every run of the task under every rule that all its items were scored under, the latest run first."""
        with database.reading() as db:
            return _entries(db, task)

    def known(self, entry: LeaderboardEntry) -> RunNumbers | None:
        """What is known of an entry, None where it was not worked out for these scores."""
        kept = self._numbers.get(entry.key)
        return kept[2] if kept is not None and kept[:2] == (entry.changed, entry.version) else None

    def work_out(self, database: Database, entry: LeaderboardEntry) -> RunNumbers:
        """The numbers of an entry; a rule that is not known here, and a run that is gone, have a `why` instead."""
        found = self.known(entry)
        if found is None:
            try:
                columns = load_columns(database, entry.run.id, entry.scoring_id, index=False)
                found, items = _numbers_of(columns, entry.scoring)
                found = replace(found, tokens=_tokens(database, entry.run.id))
                self._items.setdefault(found.items, items)
            except UserError as error:
                found = RunNumbers(Metrics((), 0), why=error.message)
            self._numbers[entry.key] = entry.changed, entry.version, found
        return found

    def each(self, database: Database, entries: Sequence[LeaderboardEntry]) -> Iterator[int]:
        """Work all of them out, and say after each how many are done."""
        for done, entry in enumerate(entries, start=1):
            self.work_out(database, entry)
            yield done

    def groups(self, entries: Sequence[LeaderboardEntry], *, fold_seeds: bool = True) -> tuple[LeaderboardGroup, ...]:
        """The entries in their groups, those with the latest run first; runs that differ in their seed only in one row
        if `fold_seeds`."""
        together: dict[tuple[object, ...], list[LeaderboardEntry]] = {}
        for entry in filter(self._is_whole, entries):
            spec = entry.run.spec
            together.setdefault((spec.source, spec.split, entry.scoring, entry.version), []).append(entry)
        return tuple(self._group(several, fold_seeds=fold_seeds) for several in together.values())

    def _group(self, entries: Sequence[LeaderboardEntry], *, fold_seeds: bool) -> LeaderboardGroup:
        first = entries[0]
        try:
            info = run_scorer(first.scoring.protocol).info
        except UserError:
            info = None
        folded = _folded(entries) if fold_seeds else [(entry,) for entry in entries]
        telling = telling_apart([(members[0].run, model_title(members[0].run)) for members in folded])
        rows = tuple(replace(self._row(members, info), settings=telling[members[0].run.id]) for members in folded)
        common, items = self._common(entries)
        spec = first.run.spec
        return LeaderboardGroup(spec.source, spec.split, first.scoring, first.version, info, rows, common, items)

    def _row(self, members: Sequence[LeaderboardEntry], info: ProtocolInfo | None) -> LeaderboardRow:
        """`members`: the latest run first."""
        entry = members[0]
        numbers = self.known(entry)
        values = {} if numbers is None else numbers.metrics.as_dict()
        row = LeaderboardRow(
            entry,
            (entry,),
            numbers,
            step=training_step(entry.run),
            main=info.main_of(values) if info and values else "",
        )
        if len(members) == 1:
            return row
        by_seed = sorted(members, key=lambda one: one.run.spec.seed)
        found = [self.known(one) for one in by_seed]
        whole = tuple(one for one in found if one is not None and not one.why)
        if len(whole) < len(members):
            return replace(row, members=tuple(by_seed), numbers=None)
        spread = tuple((name, over_seeds([one.metrics.as_dict().get(name) for one in whole])) for name in values)
        return replace(row, members=tuple(by_seed), spread=spread, per_seed=whole)

    def _is_whole(self, entry: LeaderboardEntry) -> bool:
        """Whether all answers are scored: answers that were put under another rule in part are not shown."""
        if entry.own:
            return True
        found = self.known(entry)
        if found is None or found.why:
            return False
        return found.metrics.n + found.metrics.unscored + found.metrics.errors >= entry.run.done

    def _common(self, entries: Sequence[LeaderboardEntry]) -> tuple[int, int]:
        """How many items all finished runs scored, and how many some of them did."""
        found = [self.known(entry) for entry in entries if entry.finished]
        kinds = [self._items[kind] for kind in {one.items for one in found if one is not None and not one.why}]
        if not kinds:
            return 0, 0
        common = every = kinds[0]
        for items in kinds[1:]:
            common, every = np.intersect1d(common, items, assume_unique=True), np.union1d(every, items)
        return len(common), len(every)


def training_step(run: Run) -> int | None:
    """How many steps the run's model was trained: what a tag such as "step 4000" says, else the number behind
    "checkpoint" in the name of the model or of the file with its predictions."""
    for tag in run.labels.tags:
        if found := _STEP_TAG.fullmatch(tag):
            return int(found[1])
    for text in (run.spec.model, run.spec.predictions):
        if numbers := _CHECKPOINT.findall(text):
            return int(numbers[-1])
    return None


def model_title(run: Run) -> str:
    """The run's own name, else its model without settings, or the file that its predictions come from."""
    plain = PurePath(run.spec.predictions).name if run.spec.predictions else split_name(run.spec.model)[0]
    return run.labels.name or plain or run.spec.model


def _entries(db: Session, task: Task) -> list[LeaderboardEntry]:
    of_task = RunRow.task == task.value
    rows = db.execute(select(RunRow, runs.done_count()).where(of_task).order_by(RunRow.created.desc(), RunRow.id)).all()
    found = [(runs.value(row, done), row.finished) for row, done in rows]
    scorings: dict[str, list[ScoringRow]] = {}
    query = select(ScoringRow).join(RunRow, RunRow.id == ScoringRow.run_id).where(of_task)
    for row in db.scalars(query.order_by(ScoringRow.own.desc(), ScoringRow.id)):
        scorings.setdefault(row.run_id, []).append(row)
    groups = seed_groups(db, [run for run, _ended in found])
    group_of = {run.id: number for number, several in enumerate(groups) for run in several}
    return [
        LeaderboardEntry(
            run, ended, row.id, row.changed, _scoring(row), row.scorer_version, row.own, group_of.get(run.id)
        )
        for run, ended in found
        for row in scorings.get(run.id, ())
    ]


def _scoring(row: ScoringRow) -> Scoring:
    known = StoredScoring(row.id, row.scorer, options_from_text(row.options), row.scorer_version, row.own, 0)
    return canonical(known)


def _numbers_of(columns: RunColumns, scoring: Scoring) -> tuple[RunNumbers, IntArray]:
    """The numbers, and each scored item as a number that is the same in all runs. Raises UserError."""
    scorer = run_scorer(scoring.protocol)
    options = parse_options(scorer.info, dict(scoring.options))
    several = len(columns.episodes) > 1  # one episode says nothing about its like
    metrics = column_metrics(columns, scorer, options, bootstrap=DRAWS if several else 0)
    took = columns.latency[~np.isnan(columns.latency)]
    items = _numbered(columns)
    seconds = float(took.mean()) / 1000 if len(took) else None
    return RunNumbers(metrics, seconds, items=hash(items.tobytes())), items


def _tokens(database: Database, run_id: str) -> float | None:
    """For an item in the mean; None where no call tells tokens."""
    with database.reading() as db:
        found = model_calls.totals(db, run_id)
    if found.tokens_in is None and found.tokens_out is None:
        return None
    return ((found.tokens_in or 0) + (found.tokens_out or 0)) / found.items


def _numbered(columns: RunColumns) -> IntArray:
    names = np.fromiter(map(hash, columns.episodes), np.int64, len(columns.episodes))
    scored = columns.status == SCORED
    found: IntArray = np.unique(names[columns.episode[scored]] ^ (columns.step[scored].astype(np.int64) + 2) * _SPREAD)
    return found


def _folded(entries: Sequence[LeaderboardEntry]) -> list[tuple[LeaderboardEntry, ...]]:
    """Entries that differ in their seed only together, the latest run first, where that one stands."""
    places: dict[int, list[LeaderboardEntry]] = {}
    found: list[list[LeaderboardEntry]] = []
    for entry in entries:
        if entry.seed_group is None:
            found.append([entry])
        elif entry.seed_group in places:
            places[entry.seed_group].append(entry)
        else:
            places[entry.seed_group] = [entry]
            found.append(places[entry.seed_group])
    return [tuple(members) for members in found]


def _has(row: LeaderboardRow, metric: str) -> bool:
    return row.numbers is not None and metric in row.numbers.metrics.as_dict()


def _share(metrics: Metrics) -> float | None:
    return metrics.malformed / metrics.n if metrics.n else None
