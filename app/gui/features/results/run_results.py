"""What the results workspace shows of a run under a rule, read from the store in the reader lane."""

from __future__ import annotations

import importlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from stepscope.app.gui.features.results.presenter import item_row, rule_row
from stepscope.app.gui.shell.run_words import DRAWS, metric_title
from stepscope.app.services.provenance import below_rules_of, not_a_finding
from stepscope.core.domain.episode import FeasibilityLabel
from stepscope.core.domain.run import Run, RunState
from stepscope.core.domain.score import Metrics
from stepscope.core.errors import UsageError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.widgets import format as words
from stepscope.widgets.common import ShownVerdict
from stepscope.widgets.results.items_filter import ItemsFilter
from stepscope.widgets.results.result_rows import FlipCounts, ItemRow, RuleChoice, RuleRow

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from stepscope.app.services.run_costs import RunCosts
    from stepscope.core.evaluation import comparison, rescore, rules
    from stepscope.core.evaluation.comparison import Comparison, SeedSummary
    from stepscope.core.evaluation.defects import MetricsBeside
    from stepscope.core.evaluation.rescore import RescoreDifference, Scoring
    from stepscope.core.evaluation.summaries import MainMetrics
    from stepscope.core.scoring import registry
    from stepscope.core.scoring.rule import ProtocolInfo
    from stepscope.core.store import queries
    from stepscope.core.store.engine import Database
    from stepscope.core.store.queries import RunCounts
    from stepscope.core.store.repositories import runs
else:
    comparison = lazy_module("stepscope.core.evaluation.comparison")
    rescore = lazy_module("stepscope.core.evaluation.rescore")
    rules = lazy_module("stepscope.core.evaluation.rules")
    registry = lazy_module("stepscope.core.scoring.registry")
    queries = lazy_module("stepscope.core.store.queries")
    runs = lazy_module("stepscope.core.store.repositories.runs")

OWN = "own"
"""Key of the rule under which the run was made, where that rule has no short name."""


@dataclass(frozen=True, slots=True)
class Results:
    """A run under one rule. `scorings` are the rules that can be put to it, by their key in the protocol box; `rule` is
    the key of the one shown and `scoring_id` its scores, None for the run's own. `totals` counts the items by filter.

    `info` is None for a rule that is not known here: such a run has counts but no metrics. `below_rules` says where its
    model is below a rule on real data, "" where it is not.
    """

    run: Run
    metrics: Metrics
    counts: RunCounts
    info: ProtocolInfo | None
    rule: str
    own: str
    choices: tuple[RuleChoice, ...]
    scorings: Mapping[str, Scoring]
    totals: Mapping[ItemsFilter, int]
    scoring_id: int | None = None
    flips: FlipCounts | None = None
    baseline: Baseline | None = None
    seeds: SeedSummary | None = None
    beside: MetricsBeside | None = None
    left_out: bool = False
    costs: RunCosts | None = None
    below_rules: str = ""
    by_feasibility: Mapping[FeasibilityLabel, Metrics] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Baseline:
    """The run that a run is compared with: its id, and the comparison or why there is none."""

    run: str
    comparison: Comparison | None
    why: str = ""


class MainMetricTexts:
    """Each run's main metric in a few characters, for the list; kept as long as the run has the same scores."""

    def __init__(self) -> None:
        self._metrics: MainMetrics | None = None

    def words_of(self, database: Database, found: Sequence[RunCounts]) -> dict[str, str]:
        """Words by run id, where there is one."""
        from stepscope.core.evaluation.summaries import MainMetrics

        self._metrics = self._metrics or MainMetrics()
        of = self._metrics.of(database, found)
        return {run: f"{metric_title(one.name)} {words.score(one.value)}" for run, one in of.items()}


def still_there(database: Database, run_id: str) -> bool:
    """Whether the store has the run: another program may delete one."""
    with database.reading() as db:
        return runs.exists(db, run_id)


def _get_ready_to_tell(run: Run) -> None:
    """What the window asks for when it puts the results into words, and would wait for: packages are looked through for
    the model, and the papers' numbers read."""
    importlib.import_module("stepscope.app.services.published_numbers")
    not_a_finding(run)


def load_results(
    database: Database, run_id: str, rule: str = "", others: Sequence[str] = (), *, without_defects: bool = False
) -> Results:
    """The run, its metrics with intervals, its counts; everything computed from the stored scores. `rule` "" is the
    run's own; one that the run has no scores under is shown as the own one too. The first of the runs `others` that is
    about the same data is its baseline. `without_defects`: the metrics leave out what people called defective."""
    from stepscope.app.services.run_costs import costs_of
    from stepscope.core.evaluation.by_feasibility import TASKS, by_feasibility
    from stepscope.core.evaluation.defects import defective, metrics_of
    from stepscope.core.evaluation.rules import canonical, own_as_written, version_warning
    from stepscope.core.scoring.options import parse_options
    from stepscope.core.store.columns import load_columns

    with database.reading() as db:
        counts = queries.run_counts(db, run_id)
        known = {canonical(one): one for one in queries.scorings(db, run_id)}
    run = counts.run
    _get_ready_to_tell(run)
    own = own_as_written(run)
    book, titles = _rules_for(run, own, list(known))
    own_key = next(key for key, scoring in book.items() if scoring == own)
    whole = {
        key
        for key, scoring in book.items()
        if scoring in known and known[scoring].items >= run.done and not version_warning(known[scoring])
    }
    shown = rule if rule in whole else own_key
    stored = known.get(book[shown])
    scoring_id = None if shown == own_key or stored is None else stored.id
    columns = load_columns(database, run_id, scoring_id, index=run.spec.task in TASKS)
    scorer = registry.run_scorer(book[shown].protocol)
    options = parse_options(scorer.info, dict(book[shown].options))
    with database.reading() as db:
        defects = defective(db, run.spec.source)
    beside = metrics_of(columns, defects, scorer, options, bootstrap=DRAWS)
    metrics = beside.without if without_defects else beside.every
    kept = defects.mask_of(columns) if without_defects else None
    parts = by_feasibility(columns, scorer, options, kept)
    flips = None
    if scoring_id is not None:
        flips = _flip_counts(rescore.changes(database, run_id, book[shown]), titles[shown], titles[own_key])
    every, right = beside.every, int(columns.right.sum())
    choices = tuple(RuleChoice(key, titles[key], key in whole or key == own_key, key == own_key) for key in book)
    return Results(
        run,
        metrics,
        counts,
        scorer.info,
        shown,
        own_key,
        choices,
        book,
        _totals(run, every, right, flips),
        scoring_id=scoring_id,
        flips=flips,
        baseline=next(baselines(database, run, others, book[shown], without_defects=without_defects), None),
        seeds=_seeds(database, run) if shown == own_key else None,
        beside=beside,
        left_out=without_defects,
        costs=costs_of(database, run),
        below_rules=below_rules_of(run),
        by_feasibility=parts,
    )


def _flip_counts(found: RescoreDifference, rule: str, own: str) -> FlipCounts:
    now_right = sum(flip.after.right for flip in found.flips)
    apart = len(found.only_before), len(found.only_after)
    return FlipCounts(rule, own, now_right, len(found.flips) - now_right, *apart)


def _totals(run: Run, metrics: Metrics, right: int, flips: FlipCounts | None) -> dict[ItemsFilter, int]:
    """How many items each filter leaves."""
    return {
        ItemsFilter.ALL: run.done,
        ItemsFilter.WRONG: metrics.n - right,
        ItemsFilter.RIGHT: right,
        ItemsFilter.MALFORMED: metrics.malformed,
        ItemsFilter.NULL: metrics.null,
        ItemsFilter.UNSCORED: metrics.unscored,
        ItemsFilter.ERRORS: metrics.errors,
        ItemsFilter.FLIPS: flips.flips if flips else 0,
    }


def baselines(
    database: Database, run: Run, others: Sequence[str], scoring: Scoring, *, without_defects: bool
) -> Iterator[Baseline]:
    """The comparison with each of the others that is about the same data, in their order."""
    for other in others:
        try:
            with database.reading() as db:
                found = runs.get(db, other)
        except UsageError:  # deleted in this moment
            continue
        if other == run.id or (found.spec.source, found.spec.task) != (run.spec.source, run.spec.task):
            continue
        try:
            compared = comparison.compare_runs(
                database, run.id, other, scoring=scoring, draws=DRAWS, without_defects=without_defects
            )
            yield Baseline(other, compared)
        except rules.UnscoredRunError as error:
            lacking = error.lacking.format(rule=rules.rule_title(error.scoring))
            yield Baseline(other, None, f"it {lacking}. Open it and choose this rule there to score it.")
        except UserError as error:
            yield Baseline(other, None, error.message)


def _seeds(database: Database, run: Run) -> SeedSummary | None:
    """The run with its like of other seeds; None when there are none, or it is not done itself."""
    others = comparison.siblings(database, run) if run.state is RunState.DONE else []
    return comparison.seed_summary(database, [run.id, *(other.id for other in others)]) if others else None


def _rules_for(run: Run, own: Scoring, known: list[Scoring]) -> tuple[dict[str, Scoring], dict[str, str]]:
    """Rules by key and their titles: the run's own, those for its task with a short name, and others it was scored
    under."""
    from stepscope.app.services.rescoring import rules_for
    from stepscope.core.scoring.named_rules import NAMED_RULES

    named = rules_for(run)
    titles = {rule.id: rule.title for rule in NAMED_RULES}
    book = dict(named)
    if own not in named.values():
        book = {OWN: own, **book}
        titles[OWN] = own.words
    for scoring in known:
        if scoring not in book.values():
            book[scoring.words] = scoring
            titles[scoring.words] = scoring.words
    return book, titles


def rule_rows(database: Database, run_id: str) -> tuple[RuleRow, ...]:
    """The run's scores under all rules."""
    rows = []
    for row in rescore.rule_table(database, run_id, bootstrap=DRAWS):
        key = row.rule or (OWN if row.own else rescore.Scoring(row.protocol, row.options).words)
        whole = row.metrics is not None and not row.part
        rows.append(rule_row(key, row, registry.record_scorer(row.protocol).info if whole else None))
    return tuple(rows)


def read_items(
    database: Database, run_id: str, show: str, scoring_id: int | None, offset: int, limit: int
) -> list[ItemRow]:
    """One page of items under a rule; where another than the run's own is shown, with the verdicts that it changes."""
    with database.reading() as db:
        page = queries.items(db, run_id, show=show, offset=offset, limit=limit, scoring_id=scoring_id)  # type: ignore[arg-type]
        own: dict[tuple[str, int], ShownVerdict] = {}
        if scoring_id is not None:
            found = queries.verdicts(db, [run_id], sorted({outcome.key.episode for outcome in page.rows}))
            own = {(episode, one.step): ShownVerdict(one.verdict.value)
                   for episode, by_run in found.items() for one in by_run.get(run_id, ())}  # fmt: skip
        goals = _goals(db, run_id, {outcome.key.episode for outcome in page.rows})
    return [
        item_row(offset + place, outcome, own.get((outcome.key.episode, outcome.key.step)), goals)
        for place, outcome in enumerate(page.rows)
    ]


def _goals(db: Session, run_id: str, episodes: Collection[str]) -> dict[str, str]:
    """The goals of these episodes, as the index of the run's data has them."""
    from stepscope.core.store.repositories import sources

    known = sources.find(db, runs.get(db, run_id).spec.source)
    found = sources.summaries(db, known.id, sorted(episodes)) if known is not None else ()
    return {summary.id: summary.goal for summary in found}
