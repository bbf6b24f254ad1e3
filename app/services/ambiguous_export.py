"""Ambiguous tasks out of the store: as recordings that open, evaluate and train, as ask records, in Navi-plus's
layout."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from stepscope.app.services.ambiguous_reviews import ListedTask
from stepscope.app.services.export.file_names import FileNames
from stepscope.app.services.export.whole_files import WriteAbandonedError, unless_cancelled, utf8, whole_file
from stepscope.core.domain.ambiguous_task import AmbiguousTask, TaskStanding
from stepscope.core.errors import SourceError, UsageError, UserError
from stepscope.core.progress import CancelToken, Progress, ProgressMeter
from stepscope.core.sources.ambiguous_episodes import ambiguous_episode, own_episode
from stepscope.core.sources.ask_records import ask_lines
from stepscope.core.sources.navi_plus_writer import NaviPlusWriter
from stepscope.core.sources.recording_writer import write_recording
from stepscope.core.sources.source import Source
from stepscope.core.sources.whole_folder import whole_folder


class TaskLayout(StrEnum):
    """How tasks are written."""

    RECORDINGS = "recordings"
    ASKS = "asks"
    NAVI_PLUS = "naviplus"


@dataclass(slots=True)
class TaskExport:
    """The tasks that were written, and by episode those that could not be."""

    written: int = 0
    failed: list[tuple[str, str]] = field(default_factory=list)


def wanted_tasks(listed: Iterable[ListedTask], *, accepted: bool) -> list[AmbiguousTask]:
    """The tasks in the words of the latest edit: those that people let stand, or all but those that they reject and,
    unless somebody lets them stand, those that fail a check."""
    found = []
    for one in listed:
        sound = not one.task.failed and one.standing not in (TaskStanding.REJECTED, TaskStanding.DISPUTED)
        if one.standing.is_good or (sound and not accepted):
            found.append(one.settled)
    return found


def export_names(tasks: Sequence[AmbiguousTask]) -> dict[str, str]:
    """The id that each task's episode gets, by the task's own: the episode's where it has one task, else with how many
    steps are left out and who made it, as far as that tells them apart."""
    several: dict[str, list[AmbiguousTask]] = {}
    for task in tasks:
        several.setdefault(task.slot.episode, []).append(task)
    names = {}
    for episode, mine in several.items():
        makers = {task.slot.made_by for task in mine}
        for task in mine:
            name = episode
            if len({one.slot.removed for one in mine}) > 1:
                name += f"-{task.slot.removed}"
            if len(makers) > 1:
                name += f"-{task.slot.made_by}"
            names[task.id] = name
    return names


def export_tasks(
    source: Source, tasks: Sequence[AmbiguousTask], layout: TaskLayout, out: Path, token: CancelToken
) -> Generator[Progress, None, TaskExport | None]:
    """Write the tasks to `out`, a new folder or, for ask records, a file, whole or not at all; None when cancelled. An
    episode that cannot be read is told and left out.

    Raises UsageError for no tasks and for a folder that is not empty, SourceError where the disk refuses.
    """
    if not tasks:
        hint = "Make some with stepscope ambiguous make, or export --all."
        raise UsageError("there is no task to export.", hint=hint)
    if layout is TaskLayout.ASKS:
        return (yield from _write_asks(tasks, out, token))
    found, names = TaskExport(), export_names(tasks)
    meter = ProgressMeter(len(tasks))
    with unless_cancelled(token), whole_folder(out) as draft:
        write = _WRITERS[layout](draft)
        try:
            for task in tasks:
                if token.cancelled:
                    raise WriteAbandonedError
                write.take(source, task, names[task.id], found)
                yield meter.advance()
        finally:
            write.close()
        if not found.written:
            raise SourceError(found.failed[0][1], place=out)
    return None if token.cancelled else found


def _write_asks(
    tasks: Sequence[AmbiguousTask], out: Path, token: CancelToken
) -> Generator[Progress, None, TaskExport | None]:
    meter, names = ProgressMeter(len(tasks)), export_names(tasks)
    with unless_cancelled(token), whole_file(out) as stream, utf8(stream) as text:
        for task in tasks:
            if token.cancelled:
                raise WriteAbandonedError
            text.writelines(ask_lines([own_episode(task, names[task.id])]))
            yield meter.advance()
    return None if token.cancelled else TaskExport(len(tasks))


class _RecordingTasks:
    """A folder of recordings, one for each task."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._names = folder, FileNames()

    def take(self, source: Source, task: AmbiguousTask, name: str, found: TaskExport) -> None:
        try:
            episode = ambiguous_episode(task, source.read(task.slot.episode), name)
            meta = {"ambiguous": {"made_by": task.slot.made_by, "version": task.version, "removed": task.slot.removed}}
            write_recording(episode, self._folder / self._names.of(name), meta=meta)
            found.written += 1
        except ValueError as error:  # places that lie on another size than their screen
            found.failed.append((task.slot.episode, f"cannot be a recording: {error}"))
        except UserError as error:
            found.failed.append((task.slot.episode, str(error)))

    def close(self) -> None:
        """Every recording is whole."""


class _NaviPlusTasks:
    """One file of records with its pictures and keys."""

    def __init__(self, folder: Path) -> None:
        self._writer = NaviPlusWriter(folder)

    def take(self, source: Source, task: AmbiguousTask, name: str, found: TaskExport) -> None:
        try:
            self._writer.add(task, source.read(task.slot.episode), name)
            found.written += 1
        except UserError as error:
            found.failed.append((task.slot.episode, str(error)))

    def close(self) -> None:
        self._writer.close()


_WRITERS: dict[TaskLayout, type[_RecordingTasks | _NaviPlusTasks]] = {
    TaskLayout.RECORDINGS: _RecordingTasks,
    TaskLayout.NAVI_PLUS: _NaviPlusTasks,
}
