"""Makes of agreement and statistics the tables and bars of their pages, and of statistics a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from stepscope.core.domain.ambiguous_task import AskReview
from stepscope.core.evaluation.breakdown.groups import wilson
from stepscope.widgets import format as formats
from stepscope.widgets.ambiguous.review_values import LengthBar, TaskFigures
from stepscope.widgets.scores.breakdown_values import FEW, Bar
from stepscope.widgets.scores.figure_values import FigureCell, FigureTable

if TYPE_CHECKING:
    from stepscope.app.services.review_agreement import ReviewAgreement, ReviewerCount, ReviewerPair
    from stepscope.core.evaluation.ambiguous_statistics import AmbiguousStatistics

MOST_DIFFERING = 30
"""Tasks that the page lists; the list of Review has all of them."""
NOBODY = "Agreement is told once two people have reviewed the same tasks."


def agreement_figures(found: ReviewAgreement, seen: Sequence[str], *, sample: bool) -> TaskFigures:
    """`seen` are the ids of the tasks of which the person may know what others say."""
    pairs = FigureTable(
        "Two people on the same tasks",
        ("People", "Cohen’s κ", "Same", "Edited alike", "Tasks"),
        tuple(map(_pair_row, found.pairs)),
        empty=NOBODY,
    )
    people = FigureTable(
        "Who reviewed",
        ("Person", "Accepted", "Edited", "Rejected", "Tasks"),
        tuple(map(_person_row, found.people)),
        empty="Nobody has reviewed a task yet.",
    )
    told = [(task, said) for task, said in found.differing if task.id in set(seen)]
    rows = tuple(
        (FigureCell(task.goal, task.original), FigureCell(", ".join(map(_said, said))))
        for task, said in told[:MOST_DIFFERING]
    )
    more = len(told) - len(rows)
    title = "Tasks on which people differ" + (f", {MOST_DIFFERING} of {formats.count(len(told))}" if more > 0 else "")
    differing = FigureTable(title, ("Task", "What they said"), rows, empty="None that you have reviewed.")
    note = "Same: both let the task stand, edited or not, or both reject it. What was said of other words is left out."
    return TaskFigures((pairs, people, differing), note=note, sample=sample)


def _pair_row(one: ReviewerPair) -> tuple[FigureCell, ...]:
    role = "dim" if one.tasks < FEW else ""
    few = "few tasks" if one.tasks < FEW else ""
    alike = f"{one.same_words} of {one.both_stand}" if one.both_stand else formats.NONE
    return (
        FigureCell(f"{one.first}, {one.second}"),
        FigureCell(formats.NONE if one.kappa is None else formats.confidence(one.kappa), few, role),
        FigureCell(formats.share(one.same), few, role),
        FigureCell(alike, "Of the tasks that both let stand: both edited the words, or neither did", role),
        FigureCell(formats.count(one.tasks), few, role),
    )


def _person_row(one: ReviewerCount) -> tuple[FigureCell, ...]:
    counts = (one.accepted, one.edited, one.rejected, one.total)
    return (FigureCell(one.name), *(FigureCell(formats.count(count), role="" if count else "dim") for count in counts))


def _said(one: AskReview) -> str:
    return f"{one.reviewer} {one.verdict.value}" + (f" ({one.note})" if one.note else "")


# Statistics ----------------------------------------------------------------------------------------------------------

MOST_APPS = 40
"""Apps that the page lists; the file has all."""


def task_figures(found: AmbiguousStatistics, maker: str, *, sample: bool) -> TaskFigures:
    """What the tasks of one maker are like."""
    removed = tuple(one.removed for one in found.enough)
    rows = [_app_row("All", found, removed)] if found.by_app else []
    rows += [
        _app_row(formats.app_name(app) if app else "no app", one, removed)
        for app, one in list(found.by_app.items())[:MOST_APPS]
    ]
    apps = FigureTable(
        "By app",
        ("App", "Steps", "Informative", *(f"Enough for {count}" for count in removed), "Episodes"),
        tuple(rows),
        empty="All tasks are of one app.",
    )
    kinds = FigureTable(
        "What is left out", ("Kind", "Times"),
        tuple((FigureCell(kind.capitalize()), FigureCell(formats.count(count))) for kind, count in found.kinds.items()),
        empty="Nothing is left out of any goal.",
    )  # fmt: skip
    checks = FigureTable(
        "Checks that fail", ("Check", "Tasks"),
        tuple((FigureCell(check), FigureCell(formats.count(count))) for check, count in found.failing.items()),
        empty="All tasks stand all checks.",
    )  # fmt: skip
    note = (
        f"{formats.counted(found.episodes, 'episode')} of which {maker} made tasks. Enough: so many informative "
        "steps that one, two or more can be left out. Navi-plus, appendix H, tells the same of its data."
    )
    return TaskFigures(
        (apps, kinds, checks),
        _length_bars(found.lengths, found.episodes, "step"),
        _length_bars(found.informative, found.episodes, "informative step"),
        tuple(
            Bar(formats.counted(one.removed, "step"), one.enough, one.tasks, None, wilson(one.enough, one.tasks))
            for one in found.enough
        ),
        _mean(found.mean_length),
        _mean(found.mean_informative),
        note,
        sample,
    )


def figures_csv(found: Mapping[str, AmbiguousStatistics]) -> list[tuple[str, ...]]:
    """The figures as rows of a table: maker, app ("" for all), which figure, of what, how many, of how many."""
    rows: list[tuple[str, ...]] = [("made_by", "app", "figure", "of", "count", "total")]
    for maker, every in found.items():
        for app, one in (("", every), *every.by_app.items()):
            start = (maker, app)
            total = str(one.episodes)
            rows += [(*start, "steps", str(steps), str(count), total) for steps, count in one.lengths.items()]
            rows += [(*start, "informative", str(steps), str(count), total) for steps, count in one.informative.items()]
            rows += [(*start, "enough", str(part.removed), str(part.enough), str(part.tasks)) for part in one.enough]
            rows += [(*start, "kind", kind, str(count), "") for kind, count in one.kinds.items()]
            rows += [(*start, "check fails", check, str(count), "") for check, count in one.failing.items()]
    return rows


def _app_row(name: str, found: AmbiguousStatistics, removed: Sequence[int]) -> tuple[FigureCell, ...]:
    few = "dim" if found.episodes < FEW else ""
    by_count = {one.removed: one for one in found.enough}
    enough = [
        FigureCell(formats.share(one.share), f"{one.enough} of {one.tasks}", few)
        if (one := by_count.get(count)) is not None
        else FigureCell(formats.NONE, role="dim")
        for count in removed
    ]
    return (
        FigureCell(name),
        FigureCell(_number(found.mean_length), "Mean", few),
        FigureCell(_number(found.mean_informative), "Mean", few),
        *enough,
        FigureCell(formats.count(found.episodes), "few" if few else "", few),
    )


def _length_bars(counts: Mapping[int, int], total: int, noun: str) -> tuple[LengthBar, ...]:
    return tuple(
        LengthBar(
            steps,
            count,
            total,
            f"{formats.counted(steps, noun)}: {formats.counted(count, 'episode')} of {formats.count(total)}, "
            f"{formats.share(count / total)}",
        )
        for steps, count in counts.items()
    )  # fmt: skip


def _mean(value: float | None) -> str:
    return "" if value is None else f"mean {_number(value)}"


def _number(value: float | None) -> str:
    return formats.NONE if value is None else f"{value:.1f}"
