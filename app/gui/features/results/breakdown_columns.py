"""Rows of the Selection dock and of a comparison, read page by page, and the words for what is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stepscope.app.gui.features.results.breakdown_data import BreakdownColumns, Flips, PairOutcome
from stepscope.app.gui.shell.step_words import verdict_of
from stepscope.core.domain.annotation import AnnotationKind
from stepscope.core.domain.prediction import AskAnswer, FeasibilityAnswer, GoalAnswer, Task
from stepscope.core.domain.run import Run
from stepscope.widgets import format as words
from stepscope.widgets.common import ShownVerdict
from stepscope.widgets.results.breakdown_values import ItemPairRow, PairCell, PairCounts, SelectionListRow

if TYPE_CHECKING:
    from stepscope.core.domain.episode import EpisodeSummary
    from stepscope.core.domain.run import Outcome
    from stepscope.core.store.engine import Database


def selection_rows(database: Database, loaded: BreakdownColumns, places: Sequence[int]) -> list[SelectionListRow]:
    """The rows of a page: `places` are indices of items in the columns."""
    from stepscope.core.store.columns import rows

    columns, run = loaded.columns, loaded.run
    with database.reading() as db:
        outcomes = rows(db, run.id, [int(columns.row[place]) for place in places], columns.scoring_id)
    summaries, said = _about(database, run, list(dict.fromkeys(outcome.key.episode for outcome in outcomes)))
    return [_row(run, outcome, summaries.get(outcome.key.episode), said) for outcome in outcomes]


def pair_rows(database: Database, loaded: BreakdownColumns, order: Any) -> list[ItemPairRow]:
    """The rows of a page of the comparison: `order` are places in `loaded.versus`."""
    from stepscope.core.store.columns import rows

    pair, other = loaded.versus, loaded.other
    assert pair is not None and other is not None
    own = [int(loaded.columns.row[pair.a[place]]) for place in order]
    theirs = [int(other.row[pair.b[place]]) for place in order]
    with database.reading() as db:
        a = rows(db, loaded.run.id, own, loaded.columns.scoring_id)
        b = rows(db, other.run_id, theirs, other.scoring_id)
    summaries, _said = _about(database, loaded.run, list(dict.fromkeys(outcome.key.episode for outcome in a)))
    return [
        ItemPairRow(
            one.key,
            _goal(one, summaries.get(one.key.episode)),
            _place_words(one, summaries.get(one.key.episode)),
            verdict_of(one.score),
            verdict_of(two.score),
            float(pair.difference[place]),
        )
        for place, one, two in zip(order, a, b, strict=True)
    ]


def pair_counts(loaded: BreakdownColumns, letters: tuple[int, int], test: str) -> PairCounts | None:
    found = loaded.versus
    if found is None:
        return None

    def cell(which: str) -> PairCell:
        count = int(np.count_nonzero(getattr(found, which)))
        return PairCell(count, PairOutcome(which) if count else None)

    return PairCounts(
        cell("both_right"), cell("only_a"), cell("only_b"), cell("both_wrong"), *letters, noun=loaded.noun, test=test
    )


def words_of(key: object, letters: tuple[str, str] = ("A", "B")) -> tuple[str, ...]:
    """What the chips say for a key."""
    if isinstance(key, Flips):
        return (f"flips at threshold {key.threshold:.2f}",)
    if isinstance(key, PairOutcome):
        a, b = letters
        return {
            "both_right": (f"{a} and {b} right",),
            "only_a": (f"only {a} right",),
            "only_b": (f"only {b} right",),
            "both_wrong": (f"{a} and {b} wrong",),
        }[key.which]
    said: tuple[str, ...] = key.words() if hasattr(key, "words") else ()
    return said


def parts_of(key: object) -> tuple[object, ...]:
    """A key as several that can be taken away one by one."""
    from stepscope.core.evaluation.breakdown import ItemSelection

    if isinstance(key, ItemSelection):
        return tuple(ItemSelection((criterion,)) for criterion in key.criteria)
    return (key,)


Said = dict[tuple[str, int | None], set[AnnotationKind]]


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


def _row(run: Run, outcome: Outcome, summary: EpisodeSummary | None, said: Said) -> SelectionListRow:
    key, verdict = outcome.key, verdict_of(outcome.score)
    kinds = said.get((key.episode, None), set()) | said.get((key.episode, key.step), set())
    badge, kind = _badge(run, summary, verdict)
    follow_up = summary.feasibility.follow_up if summary else ()
    return SelectionListRow(
        key=key,
        goal=_goal(outcome, summary),
        app=words.app_name(summary.app or "") if summary else "",
        detail=_place_words(outcome, summary),
        badge=badge,
        kind=kind,
        confidence=_confidence(outcome),
        question=follow_up[0] if follow_up and run.spec.task is Task.FEASIBILITY else "",
        said=_said(outcome),
        why=outcome.score.why if _said(outcome) else "",
        star=AnnotationKind.STAR in kinds,
        note=AnnotationKind.NOTE in kinds,
        defect=AnnotationKind.DEFECT in kinds,
    )


def _badge(run: Run, summary: EpisodeSummary | None, verdict: ShownVerdict) -> tuple[str, str]:
    reason = summary.feasibility.reason if summary else None
    if run.spec.task is Task.FEASIBILITY and reason is not None:
        return reason.value, "warn"
    kind = {ShownVerdict.HIT: "hit", ShownVerdict.MISS: "miss", ShownVerdict.UNSCORED: "neutral"}.get(verdict, "warn")
    return verdict.value.replace("_", " "), kind


def _confidence(outcome: Outcome) -> float | None:
    answer = outcome.prediction.answer
    if isinstance(answer, FeasibilityAnswer):
        return answer.score
    return outcome.prediction.confidence


def _said(outcome: Outcome) -> str:
    """The goal or the question that the model put into words, a goal with its score."""
    match outcome.prediction.answer:
        case GoalAnswer(text):
            return text if outcome.score.value is None else f"{words.score(outcome.score.value)} {text}"
        case AskAnswer(question):
            return question or ""
        case _:
            return ""


def _goal(outcome: Outcome, summary: EpisodeSummary | None) -> str:
    return summary.goal if summary and summary.goal else outcome.key.episode


def _place_words(outcome: Outcome, summary: EpisodeSummary | None) -> str:
    if outcome.key.step < 0:
        return ""
    of = f" of {summary.steps}" if summary else ""
    return f"step {outcome.key.step + 1}{of}"
