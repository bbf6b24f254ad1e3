"""The folder of a person's recordings: names, what was left unfinished, renaming and removing."""

from __future__ import annotations

import re
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from stepscope.core.device.recorded import NO_LAST_SCREEN, Survey, SurveyOutcome
from stepscope.core.domain.action import Finish, FinishStatus
from stepscope.core.domain.episode import Episode, Problem
from stepscope.core.drafts import advice, reason
from stepscope.core.errors import SourceError, UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.settings import user_data_dir
from stepscope.core.sources.files import mapping_of, text_of
from stepscope.core.sources.recording import read_recording, recording_form
from stepscope.core.sources.recording_writer import RecordingWriter
from stepscope.core.sources.sniffers.recording import EPISODE_FILE

BUSY = ".busy"
"""Lies in a recording that is being made; held as long as its process lives."""

_NAME_LENGTH = 48
_REFUSED = re.compile(r'[\x00-\x1f<>:"/\\|?*]')


@dataclass(frozen=True, slots=True)
class UnfinishedRecording:
    """A recording without its final words. `begun` is an ISO time, `stopped`: only the survey is missing."""

    folder: Path
    goal: str
    app: str | None
    steps: int
    begun: str
    stopped: bool


def recordings_dir() -> Path:
    """Where recordings go that name no other place; may not exist yet."""
    return user_data_dir() / "recordings"


def recording_name(goal: str, when: datetime) -> str:
    """A folder's name from time and goal, in any script."""
    words = "-".join(re.findall(r"\w+", goal.lower()))[:_NAME_LENGTH].strip("-_")
    return f"{when:%Y-%m-%d-%H%M}-{words}" if words else f"{when:%Y-%m-%d-%H%M}"


def new_folder(goal: str, parent: Path | None = None) -> Path:
    """Make an empty folder for a recording of `goal`. Raises SourceError when it cannot be made."""
    parent = recordings_dir() if parent is None else parent
    name = recording_name(goal, datetime.now())
    try:
        parent.mkdir(parents=True, exist_ok=True)
        for folder in _numbered(parent / name):
            with suppress(FileExistsError):
                folder.mkdir()
                return folder
    except OSError as error:
        raise SourceError(
            f"no recording can be made here: {reason(error)}", place=parent, hint=advice(error)
        ) from error
    raise AssertionError("names do not end")


def unfinished(parent: Path | None = None) -> tuple[UnfinishedRecording, ...]:
    """Recordings that ended without survey, oldest first; those that are being made now are none."""
    parent = recordings_dir() if parent is None else parent
    found = []
    for folder in sorted(parent.iterdir()) if parent.is_dir() else ():
        with suppress(SourceError, OSError):
            form = recording_form(folder)
            meta = mapping_of(form.get("meta"))
            steps = form.get("steps")
            if "begun" not in meta or meta.get("finished") or not isinstance(steps, list) or is_busy(folder):
                continue
            stopped = bool(steps) and mapping_of(steps[-1]).get("action") is None
            done = len(steps) - stopped
            app = text_of(form.get("app")) or None
            found.append(
                UnfinishedRecording(folder, text_of(form.get("goal")), app, done, text_of(meta["begun"]), stopped)
            )
    return tuple(found)


def complete(folder: Path, survey: Survey | None) -> Path:
    """Write the final words of an unfinished recording; blocks. Raises SourceError when it cannot be read or
    written."""
    episode = read_recording(folder)
    writer = RecordingWriter.reopen(folder)
    known = recording_form(folder).get("problems")
    problems = episode.problems[: len(known) if isinstance(known, list) else 0]
    last = episode.steps[-1] if episode.steps else None
    if last is None or (last.action is not None and not isinstance(last.action, Finish)):
        if all(problem.message != NO_LAST_SCREEN for problem in problems):
            problems = (*problems, Problem(NO_LAST_SCREEN, episode.id, last.index if last else None, "steps"))
    elif survey is not None:
        status = FinishStatus.COMPLETE if survey.outcome is SurveyOutcome.DONE else FinishStatus.IMPOSSIBLE
        writer.amend(replace(last, action=Finish(status)))
    if survey is not None:
        episode = replace(episode, feasibility=survey.feasibility)
        writer.meta["survey"] = {"outcome": survey.outcome.value, "why": survey.why}
    writer.meta["finished"] = True
    writer.save(replace(episode, problems=problems))
    writer.tidy()
    with suppress(OSError):
        (folder / BUSY).unlink(missing_ok=True)
    return folder


def rename(folder: Path, name: str) -> Path:
    """Give a recording another name, which is its folder's and its id; the new folder. Raises UsageError for a name
    that no folder can have or that another has."""
    name = name.strip()
    if not name or _REFUSED.search(name) or name.strip(". ") != name:
        raise UsageError(f"{name!r} cannot be the name of a recording.", hint="Use letters, digits and hyphens.")
    target = folder.with_name(name)
    if target == folder:
        return folder
    if target.exists():
        raise UsageError("there is a recording of that name.", place=target, hint="Choose another name.")
    writer, episode = RecordingWriter.reopen(folder), read_recording(folder)
    writer.save(_named(episode, name, recording_form(folder).get("problems")))
    try:
        return folder.rename(target)
    except OSError as error:
        raise SourceError(f"cannot be renamed: {reason(error)}", place=folder) from error


def delete(folder: Path) -> None:
    """Remove a recording: first from sight as a whole, then from the disk. Raises UsageError for a folder that is none,
    SourceError when it cannot be removed."""
    if not (folder / EPISODE_FILE).is_file():
        raise UsageError("this is no recording.", place=folder, hint="Name the folder of one.")
    put_away(folder)


def put_away(folder: Path) -> None:
    """Remove a folder with all that is in it, for whoever looks at once. Raises SourceError when it cannot be."""
    aside = None
    try:
        aside = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}.gone."))
        folder.rename(aside / folder.name)
    except OSError as error:
        if aside is not None:
            with suppress(OSError):
                aside.rmdir()
        raise SourceError(f"cannot be removed: {reason(error)}", place=folder) from error
    shutil.rmtree(aside, ignore_errors=True)


class RecordingLock:
    """Says that a recording is being made, until it is released or the process ends, however it ends.

    A lock of SQLite's, since those exist on every system and a dead process holds none. Where there can be no lock the
    recording goes on without.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / BUSY
        self._connection: sqlite3.Connection | None = None
        with suppress(sqlite3.Error):
            connection = sqlite3.connect(self._path, timeout=0, isolation_level=None, check_same_thread=False)
            self._connection = connection
            connection.execute("BEGIN EXCLUSIVE")

    def release(self) -> None:
        """May be called again, from any thread."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
            with suppress(OSError):
                self._path.unlink(missing_ok=True)


def is_busy(folder: Path) -> bool:
    """Whether the recording in `folder` is being made now, by any process of this machine."""
    path = folder / BUSY
    if not path.exists():
        return False
    try:
        with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as connection:
            connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        return "locked" in str(error)  # anything else is a file that no recording holds
    return False


def _named(episode: Episode, name: str, known: object) -> Episode:
    """The episode under another id, with those problems only that were written into it."""
    count = len(known) if isinstance(known, list) else 0
    return replace(episode, id=name, problems=episode.problems[:count])


def _numbered(folder: Path) -> Iterator[Path]:
    """The folder, then the same with -2, -3, … behind its name."""
    yield folder
    number = 2
    while True:
        yield folder.with_name(f"{folder.name}-{number}")
        number += 1
