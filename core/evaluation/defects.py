"""Scores with and without what people called defective: the data stays as it is, and so do its stored scores."""

from __future__ import annotations

import numpy as np
from sqlalchemy.orm import Session

from stepscope.core.domain.annotation import AnnotationKind
from stepscope.core.domain.run import ItemKey
from stepscope.core.domain.score import Metrics
from stepscope.core.evaluation.column_metrics import column_metrics
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.options import parse_options
from stepscope.core.scoring.registry import run_scorer
from stepscope.core.scoring.rule import AggregatingScorer, Options
from stepscope.core.store.column_reading import BoolArray
from stepscope.core.store.columns import RunColumns, load_columns
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import annotations as annotation_rows
from stepscope.core.store.repositories import runs
from stepscope.core.store.repositories.scorings import StoredScoring


@dataclass(frozen=True, slots=True)
class Defects:
    """The defective places of a data set. An item is defective when its own step has a defect, or its whole episode; an
    item about a whole episode is not made defective by one of the episode's steps."""

    episodes: frozenset[str] = frozenset()
    steps: frozenset[ItemKey] = frozenset()

    def __contains__(self, key: ItemKey) -> bool:
        return key in self.steps or key.episode in self.episodes

    def __bool__(self) -> bool:
        return bool(self.episodes or self.steps)

    def mask_of(self, columns: RunColumns) -> BoolArray:
        """The items that are not defective."""
        wanted = self.episodes | {key.episode for key in self.steps}
        codes = [code for code, name in enumerate(columns.episodes) if name in wanted]
        touched = np.zeros(len(columns.episodes), np.bool_)
        touched[codes] = True
        places = np.flatnonzero(touched[columns.episode])
        found = np.ones(columns.n, np.bool_)
        keys = zip(columns.episode[places].tolist(), columns.step[places].tolist(), strict=True)
        found[places] = [ItemKey(columns.episodes[code], step) not in self for code, step in keys]
        return found


@dataclass(frozen=True, slots=True)
class MetricsBeside:
    """The same metrics over all items and over those without a defect; `defective` items were left out of the latter,
    scored ones as well as unscored ones and errors."""

    every: Metrics
    without: Metrics
    defective: int


def defective(db: Session, source: str) -> Defects:
    """What people called defective in the data at this path (`RunSpec.source`)."""
    found = annotation_rows.places(db, source, AnnotationKind.DEFECT)
    return Defects(
        frozenset(episode for episode, step in found if step is None),
        frozenset(ItemKey(episode, step) for episode, step in found if step is not None),
    )


def metrics_of(
    columns: RunColumns,
    defects: Defects,
    scorer: AggregatingScorer,
    options: Options,
    *,
    bootstrap: int = 0,
    seed: int = 0,
) -> MetricsBeside:
    """Metrics with and without defects. A metric about whole episodes is then about what is left of them; an episode of
    which nothing is left does not count."""
    every = column_metrics(columns, scorer, options, bootstrap=bootstrap, seed=seed)
    kept = defects.mask_of(columns)
    if kept.all():
        return MetricsBeside(every, every, 0)
    without = column_metrics(columns, scorer, options, kept, bootstrap=bootstrap, seed=seed)
    return MetricsBeside(every, without, int(np.count_nonzero(~kept)))


def metrics_without_defects(
    database: Database,
    run_id: str,
    scorer: AggregatingScorer | None = None,
    *,
    scoring: StoredScoring | None = None,
    bootstrap: int = 0,
    seed: int = 0,
) -> MetricsBeside:
    """A run's metrics with and without the defects that are known now: under its own protocol, or under another scoring
    of it. `scorer` is looked up by the protocol's name when it is not given. Raises UsageError for an unknown run."""
    with database.reading() as db:
        spec = runs.get(db, run_id).spec
        found = defective(db, spec.source)
    columns = load_columns(database, run_id, None if scoring is None else scoring.id, index=False)
    protocol, given = (spec.protocol, spec.options) if scoring is None else (scoring.protocol, scoring.options)
    rule = scorer or run_scorer(protocol)
    options = parse_options(rule.info, dict(given))
    return metrics_of(columns, found, rule, options, bootstrap=bootstrap, seed=seed)
