"""The words on the page of fields, and its tables as lines of a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from stepscope.core.domain.run import Run, RunState
from stepscope.core.lazy import lazy_module
from stepscope.widgets import format as words
from stepscope.widgets.results.web_values import TaskPlane, WebResults, WebScoreRow

if TYPE_CHECKING:
    from stepscope.core.evaluation import web_runs
    from stepscope.core.evaluation.breakdown import FieldGroup
else:
    web_runs = lazy_module("stepscope.core.evaluation.web_runs")

STAR = " *"
"""Behind the model of a paper's number that is about other data than the run."""
COLUMNS = ("table", "name", "detail", "run", "score", "low", "high", "fields", "other", "other_score", "difference")
"""`table` is type, task, beside, demonstrations or pair. `low` to `high` is the 95 % interval: of the score, in a pair
of the difference. `other` stands beside the run: another run or a bound, in a pair the run on the upright axis."""
_BOUNDS = {"do-nothing": "Do nothing", "oracle": "Oracle"}


def count_words(group: FieldGroup) -> str:
    return f"{words.counted(group.pages, 'page')}, {words.counted(group.fields, 'field')}"


def bound_words(run: Run) -> str:
    return _BOUNDS.get(run.spec.model, run.spec.model)


def run_words(run: Run) -> str:
    """The run in a tip."""
    state = "" if run.state is RunState.DONE else f", {run.state.value}"
    return f"{run.spec.model}, {words.counted(run.done, 'page')}, run {run.id}{state}"


def no_lines(run: Run) -> str:
    """Why there is nothing to draw over demonstrations."""
    model = web_runs.page_model(run.spec.model)
    if model is None:
        return f"{run.spec.model} is shown no demonstrations. Choose a run of a model that is."
    return f"There is one run of {model.base} over these pages. One with another number of demonstrations makes a line."


def about_lines(run: Run) -> str:
    model = web_runs.page_model(run.spec.model)
    assert model is not None, "only such models have lines"
    return (
        f"Runs of {model.base} over the same pages; a point opens its run. In the paper the gain flattens just above "
        "3 demonstrations (TurkingBench, section 4.1)."
    )


def no_plane(run: Run) -> str:
    """Why there are no two runs to set side by side."""
    model = web_runs.page_model(run.spec.model)
    if model is None:
        return "Give another run over the same pages a letter, and the two stand side by side here."
    lacks = "without pictures" if model.vision else "with pictures"
    return (
        f"There is no run of {model.base} over these pages that differs only in being {lacks}. Make one, or give "
        "another run a letter."
    )


def about_plane(plane: TaskPlane) -> str:
    apart = sum(point.notable for point in plane.points)
    every = words.counted(len(plane.points), "task")
    return (
        f"Filled: the 95 % interval of the difference leaves out 0, {apart} of {every}. "
        "The paper's two ways of GPT-4 are notably apart on 12 of 20 tasks (TurkingBench, section 4.1)."
    )


def table_lines(found: WebResults, run: Run) -> Iterator[list[str | float | None]]:
    """All of the page as rows of `COLUMNS`, these first; numbers in full."""
    yield list(COLUMNS)
    yield from _lines(found, run)


def _lines(found: WebResults, run: Run) -> Iterator[list[str | float | None]]:
    for table, rows in (("type", found.types), ("task", found.tasks)):
        for row in rows:
            for name, value in [("", None), *((mark.words, mark.value) for mark in row.marks)]:
                yield [table, *_own(row, run.id), name, value, None]
    for row in found.known:
        yield ["beside", row.label, row.tip, str(row.key or ""), row.value, *_ends(row.interval), *[None] * 4]
    for line in found.lines:
        for one in line.points:
            head: list[str | float | None] = ["demonstrations", str(one.demos), line.name, one.run]
            yield [*head, one.value, *_ends(one.interval), *[None] * 4]
    if found.plane is not None:
        for point in found.plane.points:
            head = ["pair", point.name, found.plane.x, run.id, point.x, *_ends(point.interval)]
            yield [*head, None, found.plane.y, point.y, point.y - point.x]


def _own(row: WebScoreRow, run: str) -> list[str | float | None]:
    return [row.label, row.detail, run, row.value, *_ends(row.interval), row.amount]


def _ends(interval: tuple[float, float] | None) -> tuple[float | None, float | None]:
    return interval if interval is not None else (None, None)


def split_words(splits: Iterable[str]) -> tuple[str, ...]:
    """What a person calls the splits: of `partition/split` the split."""
    return tuple(dict.fromkeys(name.rpartition("/")[2] for name in splits if name))
