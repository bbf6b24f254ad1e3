"""Pages that were solved, written as recordings: a step for each action with the page before it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from stepscope.app.services.webtask.solving import SolvedPage
from stepscope.app.services.webtask.tasks import PageRead, filled, read_page
from stepscope.core.domain.episode import Episode, Platform, Problem
from stepscope.core.domain.prediction import PredictionStatus
from stepscope.core.domain.run import Run
from stepscope.core.errors import UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.progress import CancelToken, Progress, ProgressMeter
from stepscope.core.sources.recording_writer import RecordingWriter
from stepscope.core.sources.source import Source
from stepscope.core.sources.whole_folder import whole_folder
from stepscope.core.store.engine import Database
from stepscope.core.webtask.actions import CHANGES
from stepscope.core.webtask.browser import Browser
from stepscope.core.webtask.page import VIEWPORT, ExecutedCall
from stepscope.core.webtask.rendering import render
from stepscope.core.webtask.trajectory import trajectory


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt at a page, and its maker. `run` is "" outside of a run; `finished`: it ended as it should."""

    model: str
    log: Sequence[ExecutedCall]
    run: str = ""
    finished: bool = True


class _WritingCancelled(Exception):  # noqa: N818 - no fault: it ends the writing
    """Takes the folder back that is being written."""


def attempt_of_run(database: Database, run: Run, instance_id: str) -> Attempt:
    """Raises UsageError where the run has not come to this page, or kept nothing of what it did there."""
    found = filled(database, run.id, instance_id)
    if found is None:
        raise UsageError(f"Run {run.id} has no answer to {instance_id!r}.", hint="Resume it, or name another page.")
    if found.trace is None:
        raise UsageError(
            f"Run {run.id} kept no record of what was done on {instance_id!r}.",
            hint=found.trouble or "Imported predictions and runs of earlier versions have none.",
        )
    return Attempt(run.spec.model, found.trace.log, run.id, found.prediction.status is PredictionStatus.OK)


def attempt_of(solved: SolvedPage) -> Attempt:
    """Raises UsageError for a model that does not say what it did."""
    if solved.trace is None:
        why = solved.prediction.why or "It tells values only."
        raise UsageError(f"{solved.model} does not say what it did: there is nothing to replay.", hint=why)
    return Attempt(solved.model, solved.trace.log, finished=solved.prediction.status is PredictionStatus.OK)


def write_trajectory(
    source: Source,
    instance_id: str,
    attempt: Attempt,
    folder: Path,
    *,
    overwrite: bool = False,
    allowed: Collection[str] = (),
    token: CancelToken | None = None,
) -> Iterator[Progress]:
    """Do the attempt once more in a browser of its own and write it into `folder`, whole or not at all; one `Progress`
    a step. A cancelled token ends it after a step and leaves nothing.

    Raises UsageError for a folder that is not empty, UnavailableError without a browser engine, PageGone when the page
    is lost.
    """
    token, read = token or CancelToken(), read_page(source, instance_id)
    meter = ProgressMeter(sum(one.ok and isinstance(one.action, CHANGES) for one in attempt.log) + 1)
    try:
        with whole_folder(folder, overwrite=overwrite) as draft, closing(Browser(allowed=allowed)) as browser:
            writer = RecordingWriter(draft, _meta(source, instance_id, attempt))
            problems: list[Problem] = []
            page = browser.open(render(read.task, read.instance.inputs))
            for shown in trajectory(page, attempt.log, finished=attempt.finished):
                writer.add(shown.step, shown.picture)
                if shown.problem:
                    problems.append(Problem(shown.problem, folder.name, shown.step.index, "steps"))
                meter.total = max(meter.total or 0, meter.done + 1)
                yield meter.advance()
                if token.cancelled:
                    raise _WritingCancelled
            writer.save(_episode(source, instance_id, read, folder.name, problems))
    except _WritingCancelled:
        return


def _episode(source: Source, instance_id: str, read: PageRead, name: str, problems: Sequence[Problem]) -> Episode:
    """The recording's header; its steps lie with its writer. The goal is that of the page as the source has it."""
    return Episode(
        id=name,
        format="recording",
        platform=Platform.WEB,
        goal=source.read(instance_id).goal,
        steps=(),
        app=read.task.name,
        splits=read.task.splits,
        problems=tuple(problems),
    )


def _meta(source: Source, instance_id: str, attempt: Attempt) -> dict[str, Any]:
    return {
        "source_format": source.format,
        "web_task": {
            "source": str(source.path),
            "instance": instance_id,
            "model": attempt.model,
            "run": attempt.run or None,
            "viewport": [VIEWPORT.width, VIEWPORT.height],
        },
    }
