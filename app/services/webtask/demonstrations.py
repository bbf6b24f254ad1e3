"""Solved pages as a training set: the questions that a model of pages is asked, with the calls that answer them.

Source: TurkingBench (Xu et al. 2024), section 4: demonstrations of tasks and desired actions, tasks of the split
`train`; the calls are the oracle's, the prompt is this project's (`models.webtask.prompt`).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from stepscope.core.domain.episode import EpisodeSummary
from stepscope.core.domain.webtask import task_of
from stepscope.core.errors import UsageError, UserError
from stepscope.core.evaluation.demonstrations import TRAIN
from stepscope.core.evaluation.predictor import PageDemonstration
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken, Progress, ProgressMeter
from stepscope.core.sources.source import Source, WebTaskSource, web_tasks_of
from stepscope.models.webtask.demonstrated_pages import Demonstrations
from stepscope.models.webtask.page_settings import Ask, Html
from stepscope.models.webtask.prompt import VERSION, messages


@dataclass(frozen=True, slots=True)
class DemonstrationUpdate:
    """How far it is, counted in pages; `lines` are those of the page that was just read, and `problem` why there are
    none, "" where nobody filled anything in."""

    progress: Progress
    lines: tuple[dict[str, Any], ...] = ()
    problem: str = ""


def training_set(
    source: Source,
    *,
    split: str = TRAIN,
    html: Html = "full",
    ask: Ask = "page",
    pages: int = 0,
    seed: int = 0,
    token: CancelToken | None = None,
) -> Iterator[DemonstrationUpdate]:
    """The pages of the split's tasks, `pages` of each drawn by the seed (0: all), as conversations: `messages` of a
    system, a question and an answer. Ends early when cancelled. Raises UsageError for data without web tasks or without
    the split."""
    bench, token = web_tasks_of(source), token or CancelToken()
    chosen, made = _chosen(bench, split, pages, seed), Demonstrations(html, ask)
    meter = ProgressMeter(len(chosen))
    for instance_id, place in chosen:
        token.wait_if_paused()
        if token.cancelled:
            return
        lines: tuple[dict[str, Any], ...] = ()
        problem = ""
        try:
            lines = _lines(bench, made, instance_id, place)
        except UserError as error:
            problem = str(error)
        meter.advance()
        yield DemonstrationUpdate(meter.snapshot(), lines, problem)


def _lines(bench: WebTaskSource, made: Demonstrations, instance_id: str, place: str) -> tuple[dict[str, Any], ...]:
    instance = bench.read_instance(instance_id, place)
    demo = PageDemonstration(instance.id, bench.read_task(instance.task), instance.inputs, instance.answers)
    return tuple(
        {
            "task": instance.task,
            "instance": instance.id,
            "field": one.question.asked or None,
            "prompt": VERSION,
            "messages": [
                *messages((), one.question, None, vision=False),
                {"role": "assistant", "content": one.program},
            ],
        }
        for one in made.every(demo)
    )


def _chosen(bench: WebTaskSource, split: str, pages: int, seed: int) -> list[tuple[str, str]]:
    """Id and place of the pages, task by task."""
    rows = [row for row in bench.scan() if isinstance(row, EpisodeSummary)]
    known = sorted({name for row in rows for name in row.splits})
    if split and split not in known:
        raise UsageError(f"The data has no split {split!r}.", hint=f"It has: {', '.join(known) or 'none'}.")
    by_task: dict[str, list[tuple[str, str]]] = {}
    for row in rows:
        if not split or split in row.splits:
            by_task.setdefault(task_of(row.id), []).append((row.id, row.place))
    draw = random.Random(f"training set {seed}")
    few = {task: draw.sample(found, pages) for task, found in by_task.items() if 0 < pages < len(found)}
    return [one for task, found in by_task.items() for one in few.get(task, found)]
