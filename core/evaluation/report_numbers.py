"""The numbers that a report and a table of a run print: metrics with intervals, without defects, beside another run."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from stepscope.core.domain.run import Run
from stepscope.core.domain.score import Metrics
from stepscope.core.errors import UserError
from stepscope.core.evaluation.comparison import Comparison, compare_runs
from stepscope.core.evaluation.defects import MetricsBeside, defective, metrics_of
from stepscope.core.evaluation.export import scoring_of_run
from stepscope.core.evaluation.rules import Scoring, canonical
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.paired_tests import Difference
from stepscope.core.scoring.registry import run_scorer
from stepscope.core.scoring.rule import AggregatingScorer, ProtocolInfo
from stepscope.core.store.columns import SCORED, load_columns
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import runs

DRAWS = 1000
"""Bootstrap draws of whole episodes for the intervals; the seed is 0."""
_SHORT = {"f1", "fpr", "lcs", "pmr", "sr", "ssr"}
MINUS = "−"
NONE = "–"

Interval = tuple[float, float]


def title_of_metric(name: str) -> str:
    """step_accuracy as Step accuracy, ask_f1 as Ask F1."""
    words = [word.upper() if word in _SHORT else word for word in name.split("_")]
    return " ".join([words[0][:1].upper() + words[0][1:], *words[1:]])


@dataclass(frozen=True, slots=True)
class PaperNumber:
    """The number that a paper reports for a metric on this very data; `source` is a sentence that names paper and
    table."""

    value: float
    source: str


@dataclass(frozen=True, slots=True)
class MetricLine:
    """One metric: over all `n` items, without the defective ones (`clean`, of `clean_n`), in a paper, and against the
    other run. `interval` is None where there is no telling, as over a single episode."""

    name: str
    value: float | None
    interval: Interval | None
    n: int
    lower_is_better: bool = False
    main: bool = False
    clean: float | None = None
    clean_interval: Interval | None = None
    clean_n: int = 0
    paper: PaperNumber | None = None
    gap: Difference | None = None

    @property
    def title(self) -> str:
        return title_of_metric(self.name)


@dataclass(frozen=True, slots=True)
class ReportNumbers:
    """A run under one rule. `scoring` is that rule, `version` the one that made the scores. `why_not` says why there is
    no `comparison` with the other run that was asked for."""

    run: Run
    scoring: Scoring
    version: str
    beside: MetricsBeside
    lines: tuple[MetricLine, ...]
    other: Run | None = None
    comparison: Comparison | None = None
    why_not: str = ""

    @property
    def metrics(self) -> Metrics:
        return self.beside.every


def numbers_of(
    database: Database,
    run_id: str,
    scorer: AggregatingScorer | None = None,
    *,
    scoring_id: int | None = None,
    baseline: str | None = None,
    paper: Mapping[str, PaperNumber] | None = None,
) -> ReportNumbers:
    """All numbers computed from the stored scores, under the run's own rule or another scoring of it. `scorer` stands
    in for a rule that is not registered. Raises UsageError for an unknown run; two runs that cannot be compared are no
    error."""
    with database.reading() as db:
        run = runs.get(db, run_id)
        other = None if baseline is None else runs.get(db, baseline)
        stored = scoring_of_run(db, run_id, scoring_id)
        defects = defective(db, run.spec.source)
    if stored is None or scorer is not None:
        scoring, version = Scoring(run.spec.protocol, run.spec.options), run.spec.scorer_version
    else:
        scoring, version = canonical(stored), stored.version
    rule = scorer or run_scorer(scoring.protocol)
    options = parse_options(rule.info, dict(scoring.options))
    columns = load_columns(database, run_id, scoring_id, index=False)
    beside = metrics_of(columns, defects, rule, options, bootstrap=DRAWS)
    several = len(np.unique(columns.episode[columns.status == SCORED])) > 1
    comparison, why_not = None, ""
    if other is not None:
        try:
            under = None if scoring_id is None else scoring
            comparison = compare_runs(database, run_id, other.id, scoring=under, draws=DRAWS)
        except UserError as error:
            why_not = error.message
    lines = _lines(beside, several, paper or {}, comparison, rule.info)
    return ReportNumbers(run, scoring, version, beside, lines, other, comparison, why_not)


def _lines(
    beside: MetricsBeside,
    several: bool,
    paper: Mapping[str, PaperNumber],
    comparison: Comparison | None,
    info: ProtocolInfo,
) -> tuple[MetricLine, ...]:
    """The report's lines, without intervals for a single episode: draws of whole episodes then say nothing about its
    like."""
    every, clean = beside.every, beside.without
    intervals, clean_intervals = (dict(one.intervals) if several else {} for one in (every, clean))
    without, main = clean.as_dict(), info.main_of(every.as_dict())
    gaps = {} if comparison is None else {gap.metric: gap for gap in comparison.differences}
    return tuple(
        MetricLine(
            name,
            value,
            intervals.get(name),
            every.n_of(name),
            name in info.lower_is_better,
            name == main,
            without.get(name),
            clean_intervals.get(name),
            clean.n_of(name),
            paper.get(name),
            gaps.get(name),
        )
        for name, value in every.values
    )


def number_words(value: float | None) -> str:
    """A score as it is printed: three places, a dash for none."""
    return NONE if value is None else f"{value:.3f}".replace("-", MINUS)


def count_words(value: int | None) -> str:
    """A whole number with commas at thousands, a dash for none."""
    return NONE if value is None else f"{value:,}"


def share_words(value: float | None) -> str:
    """A fraction as 10.9 %."""
    return NONE if value is None else f"{100 * value:.1f} %"


def signed_words(value: float | None) -> str:
    """A difference with its sign, three places, a dash for none."""
    return NONE if value is None else f"{value:+.3f}".replace("-", MINUS)


def interval_words(bounds: Interval | None) -> str:
    """Low and high end, three places each, a dash for none."""
    return NONE if bounds is None else f"{number_words(bounds[0])} – {number_words(bounds[1])}"


def p_words(value: float | None) -> str:
    """A p with three places, or as smaller than these can show; a dash for none."""
    return NONE if value is None else "< 0.001" if value < 0.001 else f"{value:.3f}"
