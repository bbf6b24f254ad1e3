"""Runs against each other: two over the same items, and several that differ in nothing but their seed.

Two runs are compared on the items that both have and both could score, by the paired statistics of
`core.scoring.paired_tests`; which items those are not is told beside the numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from sqlalchemy.orm import Session

from stepscope.core.domain.run import ItemKey, Run, RunState
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.breakdown.matching import places
from stepscope.core.evaluation.column_metrics import scored_items
from stepscope.core.evaluation.defects import Defects, defective
from stepscope.core.evaluation.rules import Scoring, UnscoredRunError, own_scoring, scored_under
from stepscope.core.evaluation.summaries import run_metrics
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.paired_tests import Difference, SeedStatistics, compare, over_seeds
from stepscope.core.scoring.registry import episode_clusters, run_scorer
from stepscope.core.scoring.tally import IntArray, Tally
from stepscope.core.store import queries
from stepscope.core.store.column_reading import BoolArray, CodeArray
from stepscope.core.store.columns import SCORED, RunColumns, load_columns
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import runs, sources
from stepscope.core.store.repositories.scorings import StoredScoring

Cluster = Literal["episode", "app", "goal"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Run a against run b under one rule. `n_common` items are in both and scored in both: the differences are over
    these. `unscored` are in both, and one of the two could not score them; `only_a` and `only_b` are in one run."""

    run_a: str
    run_b: str
    scoring: Scoring
    n_common: int
    only_a: tuple[ItemKey, ...]
    only_b: tuple[ItemKey, ...]
    unscored: tuple[ItemKey, ...]
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class SeedSummary:
    """Runs that differ in nothing but their seed, and each metric over them."""

    runs: tuple[Run, ...]
    metrics: tuple[tuple[str, SeedStatistics], ...]


def compare_runs(
    database: Database,
    run_a: str,
    run_b: str,
    *,
    scoring: Scoring | None = None,
    draws: int = 1000,
    seed: int = 0,
    cluster: Cluster = "episode",
    without_defects: bool = False,
) -> Comparison:
    """Every metric of two runs on their common items, with intervals by draws of whole clusters. The order of the two
    changes signs only. `without_defects`: the items that people called defective in the first run's data are left out.

    Under their own rule, which must be the same, unless `scoring` names one that both were scored under. Raises
    UsageError otherwise.
    """
    with database.reading() as db:
        a, b = runs.get(db, run_a), runs.get(db, run_b)
        chosen = scoring or _same_rule(a, b)
        known_a, known_b = _known(db, a, chosen), _known(db, b, chosen)
        cluster_of = None if cluster == "episode" else _clusters(db, a, cluster)
        defects = defective(db, a.spec.source) if without_defects else Defects()
    if known_a.version != known_b.version:
        message = f"Run {a.id} was scored by version {known_a.version} of {chosen.protocol}, run {b.id} by "
        raise UsageError(f"{message}{known_b.version}.", hint="Score both again: stepscope runs rescore.")
    columns_a = load_columns(database, run_a, known_a.id, index=False)
    columns_b = load_columns(database, run_b, known_b.id, index=False)
    return compare_columns(chosen, columns_a, columns_b, draws=draws, seed=seed, defects=defects, cluster_of=cluster_of)


def compare_columns(
    scoring: Scoring,
    a: RunColumns,
    b: RunColumns,
    *,
    draws: int = 1000,
    seed: int = 0,
    defects: Defects = Defects(),  # noqa: B008 - frozen
    cluster_of: dict[str, str] | None = None,
) -> Comparison:
    """Compare columns that are at hand: those of two runs under this rule, by one version of it. `cluster_of` gives the
    clusters that are drawn by episode, else these are the episodes themselves."""
    matched = _RunMatch.of(a, b, defects)
    tally_a, _ = _tally(scoring, matched.a, matched.judged_a)
    tally_b, clusters = _tally(scoring, matched.b, matched.judged_b, cluster_of)
    return Comparison(
        run_a=a.run_id,
        run_b=b.run_id,
        scoring=scoring,
        n_common=len(matched.judged_a),
        only_a=matched.only_a,
        only_b=matched.only_b,
        unscored=matched.unscored,
        differences=compare(tally_a, tally_b, draws=draws, seed=seed, cluster_of=clusters),
    )


@dataclass(frozen=True, eq=False)
class _RunMatch:
    """Two runs beside each other. `judged_a` and `judged_b` are the indices of the items that both could score, by
    episode and step, so that the draws are the same whichever run comes first."""

    a: RunColumns
    b: RunColumns
    judged_a: IntArray
    judged_b: CodeArray
    only_a: tuple[ItemKey, ...]
    only_b: tuple[ItemKey, ...]
    unscored: tuple[ItemKey, ...]

    @classmethod
    def of(cls, a: RunColumns, b: RunColumns, defects: Defects) -> _RunMatch:
        """The items that both runs have, without the defective ones; what only one has is named."""
        place = places(a, b)
        kept_a, kept_b = defects.mask_of(a), defects.mask_of(b)
        common = kept_a & (place >= 0)
        alone = kept_b.copy()
        alone[place[common]] = False
        judged = common & (a.status == SCORED)
        judged[judged] = b.status[place[judged]] == SCORED
        rank = np.empty(len(a.episodes), np.int64)
        rank[sorted(range(len(a.episodes)), key=a.episodes.__getitem__)] = np.arange(len(a.episodes))
        rows = np.flatnonzero(judged)
        rows = rows[np.lexsort((a.step[rows], rank[a.episode[rows]]))]
        apart = (_keys(a, kept_a & (place < 0)), _keys(b, alone), _keys(a, common & ~judged))
        return cls(a, b, rows, place[rows], *apart)


def seed_summary(database: Database, run_ids: Sequence[str]) -> SeedSummary:
    """Mean and deviation of every metric over finished runs that differ in their seed only.

    Raises UsageError for runs that differ in anything else, have the same seed, or are not done.
    """
    found, values = [], []
    for run_id in dict.fromkeys(run_ids):
        run, metrics = run_metrics(database, run_id)
        _check_done(run)
        found.append(run)
        values.append(metrics.as_dict())
    if not found:
        raise UsageError("There are no runs to average.", hint="Name the runs.")
    with database.reading() as db:
        for run in found[1:]:
            _check_alike(db, found[0], run)
    _check_seeds(found)
    names = list(dict.fromkeys(name for one in values for name in one))
    over = tuple((name, over_seeds([one.get(name) for one in values])) for name in names)
    return SeedSummary(tuple(found), over)


def seed_groups(db: Session, found: Sequence[Run]) -> list[list[Run]]:
    """The finished ones of these runs that differ in nothing but their seed: the latest of each seed in the order of
    seeds, groups of two and more. `found` has the latest runs first."""
    alike: dict[Any, list[Run]] = {}
    for run in found:
        if run.state is RunState.DONE:
            alike.setdefault(tuple(_setting(run, name) for _words, name in _SETTINGS), []).append(run)
    groups = []
    for several in alike.values():
        by_choice: dict[Any, dict[int, Run]] = {}
        for run in several if len({run.spec.seed for run in several}) > 1 else ():
            by_choice.setdefault(runs.selection(db, run.id), {}).setdefault(run.spec.seed, run)
        groups += [[by_seed[seed] for seed in sorted(by_seed)] for by_seed in by_choice.values() if len(by_seed) > 1]
    return groups


def siblings(database: Database, run: Run) -> list[Run]:
    """Finished runs of the same settings with other seeds, the latest of each seed, in the order of their seeds."""
    with database.reading() as db:
        latest: dict[int, Run] = {}
        for counts in queries.run_list(db, task=run.spec.task, source=run.spec.source):
            other = counts.run
            if other.spec.seed == run.spec.seed or other.state is not RunState.DONE:
                continue
            if not _unlike(db, run, other):
                latest.setdefault(other.spec.seed, other)
    return [latest[seed] for seed in sorted(latest)]


def _same_rule(a: Run, b: Run) -> Scoring:
    rule_a, rule_b = own_scoring(a), own_scoring(b)
    if rule_a != rule_b:
        raise UsageError(
            f"Run {a.id} is under {rule_a.words}, run {b.id} under {rule_b.words}.",
            hint="Compare them under one rule that both were scored by: --rule ID, or --protocol P.",
        )
    return rule_a


def _known(db: Session, run: Run, scoring: Scoring) -> StoredScoring:
    """The run's scoring under the rule. Raises UnscoredRunError unless every item has a score."""
    known = scored_under(db, run.id, scoring, any_version=True)
    if known.items < run.done:
        lacking = f"has scores of {known.items} of {run.done} items under {{rule}} so far"
        raise UnscoredRunError(run.id, scoring, lacking, "Score the rest: stepscope runs rescore.")
    return known


def _keys(columns: RunColumns, which: BoolArray) -> tuple[ItemKey, ...]:
    """What the items are about."""
    rows = np.flatnonzero(which)
    pairs = zip(columns.episode[rows].tolist(), columns.step[rows].tolist(), strict=True)
    return tuple(ItemKey(columns.episodes[code], step) for code, step in pairs)


def _tally(
    scoring: Scoring, columns: RunColumns, rows: IntArray | CodeArray, cluster_of: dict[str, str] | None = None
) -> tuple[Tally, IntArray | None]:
    """The tally of these items in this order, and its units' clusters where there are names for them."""
    scorer = run_scorer(scoring.protocol)
    items = scored_items(columns, rows)
    tally, _ = scorer.tally(items, parse_options(scorer.info, dict(scoring.options)))
    return tally, None if cluster_of is None else episode_clusters(tally.unit_of, items, cluster_of)


def _clusters(db: Session, run: Run, cluster: Literal["app", "goal"]) -> dict[str, str]:
    """Each episode's app or goal, as the index of the run's data has it. Raises UsageError when it has none."""
    source = sources.find(db, run.spec.source)
    found = queries.names_of(db, source.id, cluster) if source is not None else {}
    if not found:
        why = f"The data names no {cluster}" if source is not None else "The data is not in the store's index"
        hint = "Open it in the window first." if source is None else "Draw whole episodes instead."
        raise UsageError(f"{why}, so nothing can be drawn by {cluster}.", place=run.spec.source, hint=hint)
    return found


def _check_done(run: Run) -> None:
    if run.state is not RunState.DONE:
        raise UsageError(
            f"Run {run.id} is {run.state}, not done.", hint="Finish it first: stepscope evaluate --resume."
        )


def _check_alike(db: Session, first: Run, other: Run) -> None:
    what = _unlike(db, first, other)
    if what:
        hint = "Only runs that differ in nothing but their seed have a mean."
        raise UsageError(f"Runs {first.id} and {other.id} differ in their {what}.", hint=hint)


def _check_seeds(found: Sequence[Run]) -> None:
    by_seed: dict[int, Run] = {}
    for run in found:
        before = by_seed.setdefault(run.spec.seed, run)
        if before is not run:
            hint = "Name one run for each seed."
            raise UsageError(f"Runs {before.id} and {run.id} have the same seed, {run.spec.seed}.", hint=hint)


_SETTINGS = (
    ("task", "task"), ("model", "model"), ("data", "source"), ("protocol", "protocol"), ("options", "options"),
    ("version of the rule", "scorer_version"),
)  # fmt: skip
"""What has to be the same, beside the choice of episodes, for runs to differ in nothing but their seed: in words, and
as a run's settings call it. Device and version of the code may differ."""


def _unlike(db: Session, a: Run, b: Run) -> str:
    """What of their settings differs beside the seed, "" for nothing."""
    for words, name in _SETTINGS:
        if _setting(a, name) != _setting(b, name):
            return words
    return "" if runs.selection(db, a.id) == runs.selection(db, b.id) else "choice of episodes"


def _setting(run: Run, name: str) -> Any:
    return tuple(sorted(run.spec.options)) if name == "options" else getattr(run.spec, name)
