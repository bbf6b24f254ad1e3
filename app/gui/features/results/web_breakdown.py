"""A run over web tasks as the page of fields shows it, read from the store in the reader lane: its means by type and by
task, beside other runs over the same data, the papers' numbers, and runs of its model with other settings."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

from stepscope.app.gui.shell.run_letters import RunLetters
from stepscope.app.gui.shell.web_words import (
    STAR,
    about_lines,
    about_plane,
    bound_words,
    count_words,
    no_lines,
    no_plane,
    run_words,
    split_words,
)
from stepscope.core.domain.prediction import Task
from stepscope.core.domain.run import Run
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.widgets.common import run_letter
from stepscope.widgets.results.web_values import (
    ScoreMark,
    SettingLine,
    SettingPoint,
    TaskPlane,
    TaskPoint,
    WebResults,
    WebScoreRow,
)
from stepscope.widgets.scores.breakdown_values import FEW

if TYPE_CHECKING:
    from stepscope.app.gui.features.results.run_results import Results
    from stepscope.core.domain.score import Metrics
    from stepscope.core.evaluation import breakdown, web_runs
    from stepscope.core.evaluation.breakdown import FieldGroup
    from stepscope.core.evaluation.rules import Scoring
    from stepscope.core.store.columns import RunColumns
    from stepscope.core.store.engine import Database
else:
    breakdown = lazy_module("stepscope.core.evaluation.breakdown")
    web_runs = lazy_module("stepscope.core.evaluation.web_runs")

Mask = Any
"""A boolean array over a run's items, or None for all of them."""
METRIC = "score"
DRAWS = 1000
"""As of the table of metrics."""
KEPT_COLUMNS = 12
"""Other runs whose columns stay in memory."""


@dataclass(frozen=True, slots=True)
class ShownRun:
    """The run that is shown: its columns under the rule, which items count, and the runs with a letter by their id."""

    run: Run
    columns: RunColumns
    scoring: Scoring
    mask: Mask = None
    without_defects: bool = False
    letters: Mapping[str, int] = field(default_factory=dict)

    @property
    def letter(self) -> int:
        """What gives it its colour."""
        return self.letters.get(self.run.id, 0)

    def name_of(self, run: Run) -> str:
        """The run in a few words, with its letter where it has one."""
        letter = self.letters.get(run.id)
        return bound_words(run) if letter is None else f"{run_letter(letter)} {run.spec.model}"


@dataclass(frozen=True, slots=True)
class _OtherRun:
    """A run beside the shown one, under the same rule."""

    run: Run
    columns: RunColumns
    mask: Mask
    metrics: Metrics

    @property
    def score(self) -> float | None:
        return self.metrics.as_dict().get(METRIC)

    @property
    def interval(self) -> tuple[float, float] | None:
        """None where the score is of one task: it says nothing about others."""
        return dict(self.metrics.intervals).get(METRIC) if self.metrics.n_of(METRIC) > 1 else None


class WebReader:
    """Reads one page after the other; what it read of other runs stays in memory until `forget`."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, int | None, int], RunColumns] = OrderedDict()
        self._scores: dict[tuple[str, int, int], Metrics] = {}

    def forget(self) -> None:
        """Scores may be others than they were."""
        self._kept.clear()
        self._scores.clear()

    def of(
        self, database: Database, found: Results, columns: RunColumns, letters: RunLetters
    ) -> Callable[[Mask], WebResults | None]:
        """What reads the shown run with the items of a mask; `letters` are those of the runs shown on its data."""
        rule, numbers = found.scorings[found.rule], dict(letters)
        return lambda mask: self.read(database, ShownRun(found.run, columns, rule, mask, found.left_out, numbers))

    def read(self, database: Database, shown: ShownRun) -> WebResults | None:
        """None for a run that is not over web tasks. Raises UsageError for a run that is gone."""
        if shown.run.spec.task is not Task.WEBTASK:
            return None
        from stepscope.core.store.queries import run_list
        from stepscope.core.store.web_scores import task_splits

        with database.reading() as db:
            listed = [one.run for one in run_list(db, task=Task.WEBTASK, source=shown.run.spec.source)]
            splits = task_splits(db, shown.run.spec.source)
        letters = [one for one in listed if one.id in shown.letters and one.id != shown.run.id]
        letters.sort(key=lambda one: shown.letters[one.id])
        limits = [one for one in web_runs.bounds(shown.run, listed).values() if one not in letters]
        beside = [other for one in (*letters, *limits) if (other := self._other(database, shown, one)) is not None]
        types, tasks = ([_means(other, way) for other in beside] for way in (breakdown.by_type, breakdown.by_task))
        own = self._of_shown(shown)
        lines = self._lines(database, shown, listed)
        plane = self._plane(database, shown, listed, beside)
        return WebResults(
            types=_rows(shown, breakdown.by_type(shown.columns, shown.mask), beside, types, {}),
            tasks=_rows(shown, breakdown.by_task(shown.columns, shown.mask), beside, tasks, splits),
            known=_known(shown, own, beside),
            lines=lines,
            lines_note=about_lines(shown.run) if lines else no_lines(shown.run),
            plane=plane,
            plane_note=no_plane(shown.run) if plane is None else about_plane(plane),
            run=shown.letter,
        )

    def _of_shown(self, shown: ShownRun) -> _OtherRun:
        metrics = self._metrics(shown, shown.columns, shown.mask)
        return _OtherRun(shown.run, shown.columns, shown.mask, metrics)

    def _other(self, database: Database, shown: ShownRun, run: Run) -> _OtherRun | None:
        """None for a run without scores under the rule that is shown, all of them."""
        from stepscope.core.evaluation.defects import defective
        from stepscope.core.evaluation.rules import own_as_written, stored_scoring
        from stepscope.core.store.columns import load_columns

        scoring: int | None = None
        with database.reading() as db:
            if own_as_written(run) != shown.scoring:
                known = stored_scoring(db, run.id, shown.scoring)
                if known is None or known.items < run.done:
                    return None
                scoring = known.id
            defects = defective(db, run.spec.source) if shown.without_defects else None
        key = run.id, scoring, run.done
        if key not in self._kept:
            self._kept[key] = load_columns(database, run.id, scoring, index=False)
            while len(self._kept) > KEPT_COLUMNS:
                self._kept.popitem(last=False)
        columns = self._kept[key]
        mask = defects.mask_of(columns) if defects else None
        return _OtherRun(run, columns, mask, self._metrics(shown, columns, mask))

    def _metrics(self, shown: ShownRun, columns: RunColumns, mask: Mask) -> Metrics:
        from stepscope.core.evaluation.column_metrics import column_metrics
        from stepscope.core.scoring.options import parse_options
        from stepscope.core.scoring.registry import run_scorer

        key = columns.run_id, columns.scoring_id, columns.n
        if mask is None and key in self._scores:
            return self._scores[key]
        scorer = run_scorer(shown.scoring.protocol)
        options = parse_options(scorer.info, dict(shown.scoring.options))
        found = column_metrics(columns, scorer, options, mask, bootstrap=DRAWS)
        if mask is None:
            self._scores[key] = found
        return found

    def _lines(self, database: Database, shown: ShownRun, listed: Sequence[Run]) -> tuple[SettingLine, ...]:
        """One for each way of giving the page; of several runs with the same settings the shown one, else the latest.
        None with fewer than two points."""
        found: dict[str, dict[int, SettingPoint]] = {}
        for model, run in web_runs.relatives(shown.run, listed):
            before = found.get(model.words, {}).get(model.demos)
            if before is not None and before.current:
                continue
            other = self._of_shown(shown) if run.id == shown.run.id else self._other(database, shown, run)
            if other is None or other.score is None:
                continue
            current = run.id == shown.run.id
            point = SettingPoint(model.demos, other.score, other.interval, run_words(run), run.id, current)
            found.setdefault(model.words, {})[model.demos] = point
        lines = [SettingLine(name, tuple(points[demos] for demos in sorted(points))) for name, points in found.items()]
        return tuple(lines) if sum(len(line.points) for line in lines) > 1 else ()

    def _plane(
        self, database: Database, shown: ShownRun, listed: Sequence[Run], beside: Sequence[_OtherRun]
    ) -> TaskPlane | None:
        """The shown run against the one that differs in pictures only; where there is none, against the next one with a
        letter."""
        own, twin = self._of_shown(shown), web_runs.counterpart(shown.run, listed)
        other = self._other(database, shown, twin) if twin is not None else None
        if other is not None:
            model = web_runs.page_model(shown.run.spec.model)
            pair = (other, own) if model is not None and model.vision else (own, other)
            return _plane_of("Text against vision, task by task", "text only", "with pictures", *pair)
        others = [one for one in beside if one.run.id in shown.letters]
        if not others:
            return None
        own_letter, b = shown.letters.get(shown.run.id), run_letter(shown.letters[others[0].run.id])
        a = "This run" if own_letter is None else run_letter(own_letter)
        return _plane_of(f"{a} against {b}, task by task", a, b, own, others[0])


def _means(other: _OtherRun, way: Any) -> dict[str, FieldGroup]:
    return {group.name: group for group in way(other.columns, other.mask)}


def _rows(
    shown: ShownRun,
    groups: Sequence[FieldGroup],
    beside: Sequence[_OtherRun],
    means: Sequence[Mapping[str, FieldGroup]],
    splits: Mapping[str, tuple[str, ...]],
) -> tuple[WebScoreRow, ...]:
    """`means` are those of the runs beside, by name."""
    return tuple(
        WebScoreRow(
            group.name,
            group.mean,
            count_words(group),
            group.interval,
            ", ".join(split_words(splits.get(group.name, ()))),
            group.selection,
            tuple(
                _mark(shown, other, of[group.name].mean)
                for other, of in zip(beside, means, strict=True)
                if group.name in of
            ),
            run=shown.letter,
            few=group.pages < FEW,
            amount=group.fields,
        )
        for group in groups
    )


def _mark(shown: ShownRun, other: _OtherRun, value: float) -> ScoreMark:
    return ScoreMark(shown.name_of(other.run), value, shown.letters.get(other.run.id))


def _known(shown: ShownRun, own: _OtherRun, beside: Sequence[_OtherRun]) -> tuple[WebScoreRow, ...]:
    """The run, the runs beside it and the papers' numbers; the key of a run's row is its id."""
    from stepscope.app.services.published_numbers import all_beside

    rows = []
    for other in (own, *beside):
        if other.score is not None:
            rows.append(
                WebScoreRow(
                    shown.name_of(other.run),
                    other.score,
                    interval=other.interval,
                    key=None if other is own else other.run.id,
                    tip=run_words(other.run),
                    run=shown.letter if other is own else shown.letters.get(other.run.id),
                )
            )
    for model, paper in all_beside(shown.run, shown.scoring, METRIC, left_out=shown.without_defects):
        label = f"{model}{STAR if paper.elsewhere else ''}"
        rows.append(WebScoreRow(label, paper.value, detail="paper", tip=paper.words))
    return tuple(rows)


def _plane_of(title: str, x: str, y: str, a: _OtherRun, b: _OtherRun) -> TaskPlane | None:
    pairs = breakdown.task_pairs(a.columns, b.columns, a.mask)  # what is defective is so in both
    points = tuple(
        TaskPoint(pair.name, pair.a, pair.b, pair.pages, pair.interval, pair.notable, pair.selection) for pair in pairs
    )
    return TaskPlane(title, x, y, points) if points else None
