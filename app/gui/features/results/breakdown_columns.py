"""A run's columns and what is read with them for the results' cards and lists, in the reader lane."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from stepscope.app.gui.features.results.breakdown_presenter import (
    Flips,
    Mask,
    NamedEpisodes,
    PairOutcome,
    Said,
    breakdown_of,
    pair_row,
    selection_row,
)
from stepscope.app.gui.shell.run_words import noun_of
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import Run
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.widgets.results.breakdown_pages import Breakdown
from stepscope.widgets.results.reason_values import QuestionRow
from stepscope.widgets.results.web_values import WebResults
from stepscope.widgets.scores.breakdown_values import ItemPairRow, SelectionListRow

if TYPE_CHECKING:
    from stepscope.app.gui.features.results import reasons_presenter
    from stepscope.core.domain.episode import EpisodeSummary
    from stepscope.core.evaluation import breakdown
    from stepscope.core.evaluation.breakdown import PairedComparison
    from stepscope.core.store import columns as stored_columns
    from stepscope.core.store.columns import RunColumns
    from stepscope.core.store.engine import Database
else:
    reasons_presenter = lazy_module("stepscope.app.gui.features.results.reasons_presenter")
    breakdown = lazy_module("stepscope.core.evaluation.breakdown")
    stored_columns = lazy_module("stepscope.core.store.columns")


@dataclass(frozen=True, eq=False)
class BreakdownColumns:
    """A run's columns and all that the cards show of them. `kept` masks the items that count: None, all; `defective`
    are left out of it or not. `versus` compares with another run's columns, where there is one."""

    run: Run
    columns: RunColumns
    kept: Mask
    defective: int
    left_out: bool
    breakdown: Breakdown
    versus: PairedComparison | None = None
    other: RunColumns | None = None

    @property
    def noun(self) -> str:
        return noun_of(self.run)


def load_breakdown(
    database: Database,
    run: Run,
    columns: RunColumns,
    other: RunColumns | None,
    *,
    without_defects: bool,
    letters: tuple[int, int | None] = (0, None),
    web: Callable[[Mask], WebResults | None] = lambda _mask: None,
) -> BreakdownColumns:
    """All columns at once: it takes some hundredths of a second for a million items. `letters` are the run's own and
    that of the run it is compared with; `web` reads what only runs over web tasks have, of the items in a mask."""
    kept, defective = _kept(database, run, columns)
    mask = kept if without_defects else None
    found = breakdown.versus(columns, other, mask, None) if other is not None else None
    shown = breakdown_of(run, columns, mask, other if letters[1] is not None else None, letters)
    shown = replace(shown, web=web(mask))
    if run.spec.task is Task.FEASIBILITY:
        shown = replace(shown, reason_details=reasons_presenter.reason_details(columns, mask))
    return BreakdownColumns(run, columns, mask, defective, without_defects, shown, found, other)


def _kept(database: Database, run: Run, columns: RunColumns) -> tuple[Mask, int]:
    """The items without a defect, and how many have one."""
    from stepscope.core.evaluation.defects import defective

    with database.reading() as db:
        defects = defective(db, run.spec.source)
    if not defects:
        return None, 0
    bad = np.zeros(columns.n, np.bool_)
    known = {name: code for code, name in enumerate(columns.episodes)}
    for episode in defects.episodes & known.keys():
        bad |= columns.episode == known[episode]
    for key in defects.steps:
        if key.episode in known:
            bad |= (columns.episode == known[key.episode]) & (columns.step == key.step)
    return ~bad, int(np.count_nonzero(bad))


def mask_for(loaded: BreakdownColumns, keys: Sequence[object]) -> Any:
    """The items that all these keys stand for, as a boolean array."""
    columns = loaded.columns
    found = np.ones(columns.n, np.bool_) if loaded.kept is None else loaded.kept.copy()
    for key in keys:
        if isinstance(key, Flips):
            found &= breakdown.at_threshold(columns, key.threshold).flips
        elif isinstance(key, PairOutcome) and loaded.versus is not None:
            part = np.zeros(columns.n, np.bool_)
            part[loaded.versus.a[getattr(loaded.versus, key.which)]] = True
            found &= part
        elif isinstance(key, NamedEpisodes):
            found &= np.array([name in key.episodes for name in columns.episodes], np.bool_)[columns.episode]
        elif isinstance(key, breakdown.ItemSelection):
            found = breakdown.mask_of(columns, key, found)
    return found


def worst_first(loaded: BreakdownColumns, places: Any) -> Any:
    """Indices of items with the wrong ones in front, those that are in error next; equal ones as they were done."""
    order = np.nan_to_num(loaded.columns.value[places], nan=0.5)
    return places[np.argsort(order, kind="stable")]


def selection_rows(database: Database, loaded: BreakdownColumns, places: Sequence[int]) -> list[SelectionListRow]:
    """The rows of a page: `places` are indices of items in the columns."""
    columns, run = loaded.columns, loaded.run
    with database.reading() as db:
        outcomes = stored_columns.rows(db, run.id, [int(columns.row[place]) for place in places], columns.scoring_id)
    summaries, said = _about(database, run, list(dict.fromkeys(outcome.key.episode for outcome in outcomes)))
    return [selection_row(run, outcome, summaries.get(outcome.key.episode), said) for outcome in outcomes]


def question_rows(database: Database, loaded: BreakdownColumns, places: Sequence[int]) -> list[QuestionRow]:
    """The rows of a page of follow-up questions: `places` are indices of items in the columns."""
    columns, run = loaded.columns, loaded.run
    with database.reading() as db:
        outcomes = stored_columns.rows(db, run.id, [int(columns.row[place]) for place in places], columns.scoring_id)
    summaries, _said = _about(database, run, list(dict.fromkeys(outcome.key.episode for outcome in outcomes)))
    return [reasons_presenter.question_row(outcome, summaries.get(outcome.key.episode)) for outcome in outcomes]


def pair_rows(database: Database, loaded: BreakdownColumns, order: Any) -> list[ItemPairRow]:
    """The rows of a page of the comparison: `order` are places in `loaded.versus`."""
    pair, other = loaded.versus, loaded.other
    assert pair is not None and other is not None
    own = [int(loaded.columns.row[pair.a[place]]) for place in order]
    theirs = [int(other.row[pair.b[place]]) for place in order]
    with database.reading() as db:
        a = stored_columns.rows(db, loaded.run.id, own, loaded.columns.scoring_id)
        b = stored_columns.rows(db, other.run_id, theirs, other.scoring_id)
    summaries, _said = _about(database, loaded.run, list(dict.fromkeys(outcome.key.episode for outcome in a)))
    return [
        pair_row(one, two, float(pair.difference[place]), summaries.get(one.key.episode))
        for place, one, two in zip(order, a, b, strict=True)
    ]


def _about(database: Database, run: Run, episodes: list[str]) -> tuple[dict[str, EpisodeSummary], Said]:
    """Index rows of the episodes, and what people said about their places."""
    from stepscope.core.store.repositories import annotations as annotation_rows
    from stepscope.core.store.repositories import sources

    said: Said = {}
    with database.reading() as db:
        known = sources.find(db, run.spec.source)
        found = sources.summaries(db, known.id, episodes) if known is not None else []
        for notes in annotation_rows.of_episodes(db, run.spec.source, episodes).values():
            for one in notes:
                said.setdefault((one.episode, one.step), set()).add(one.kind)
    return {summary.id: summary for summary in found}, said
