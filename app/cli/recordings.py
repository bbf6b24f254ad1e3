"""`stepscope recordings`: what was recorded on this machine, and recordings in other layouts."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stepscope.app.cli.arguments import DataPath, FilterOption, JsonFlag
from stepscope.app.cli.command_row import CommandRow
from stepscope.app.cli.data import told_if_gone
from stepscope.app.cli.failures import failure_line
from stepscope.app.cli.output import number_of, one_line, print_json, say, table, tell
from stepscope.app.cli.progress import counting
from stepscope.app.cli.statuses import DONE, SOME_FAILED
from stepscope.app.services.export.file_names import FileNames
from stepscope.core.drafts import ends_all
from stepscope.core.errors import SourceError, UsageError, UserError
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.app.services.live import recordings
    from stepscope.core.domain import episode as episode_values
    from stepscope.core.domain.episode import Episode, EpisodeSummary, Problem
    from stepscope.core.sources.source import Source
else:
    recordings = lazy_module("stepscope.app.services.live.recordings")
    episode_values = lazy_module("stepscope.core.domain.episode")

COMMANDS = {
    "list": CommandRow("Recordings in the user's own folder, one line each.", lambda: list_recordings),
    "finish": CommandRow(
        "Say how an unfinished recording went: done, impossible, unclear or premature.", lambda: finish
    ),
    "export": CommandRow("Episodes of any source as recordings or in MoTIF's layout, one folder each.", lambda: export),
}

_MOST_TOLD = 20


class RecordingFormat(StrEnum):
    """What an export is written as."""

    MOTIF = "motif"
    RECORDING = "recording"


def list_recordings(json: JsonFlag = False) -> int:
    from stepscope.core.sources.recording import open_recording

    left = {one.folder: one for one in recordings.unfinished()}
    folder = recordings.recordings_dir()
    rows = []
    for row in open_recording(folder).scan() if folder.is_dir() else ():
        if isinstance(row, episode_values.EpisodeSummary):
            path = folder / row.place if row.place else folder / row.id
            label = row.feasibility.label
            rows.append({
                "id": row.id, "path": str(path), "goal": row.goal, "app": row.app, "steps": row.steps,
                "label": label.value if label else None, "finished": path not in left,
            })  # fmt: skip
    if json:
        print_json(rows)
    elif not rows:
        say(f"There are no recordings in {folder}. Make one: stepscope record SERIAL OUT.")
    else:
        columns = ["id", "goal", "app", "steps", "label", "finished"]
        table(columns, [[row[name] for name in columns] for row in rows], numbers=["steps"])
    return DONE


def finish(
    folder: Annotated[Path, typer.Argument(metavar="PATH", help="The recording's folder.")],
    outcome: Annotated[str, typer.Argument(metavar="done|impossible|unclear|premature")],
    question: Annotated[
        list[str] | None, typer.Option("--question", metavar="TEXT", help="A follow-up question; repeat it for more.")
    ] = None,
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="Why, in one's own words.")] = "",
) -> int:
    """Writes the final words. Raises UsageError for a word that is none of the four, and where it is being made now."""
    from stepscope.core.device.recorded import Survey, SurveyOutcome

    if outcome not in list(SurveyOutcome):
        raise UsageError(f"{outcome!r} is no outcome.", hint="Say done, impossible, unclear or premature.")
    if recordings.is_busy(folder):
        raise UsageError("this is being recorded now.", place=folder, hint="End it first.")
    recordings.complete(folder, Survey(SurveyOutcome(outcome), why, tuple(question or ())))
    tell(f"stepscope: {folder} is finished: {outcome}")
    return DONE


def export(
    path: DataPath,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The folder to write into; made when it is missing.")],
    layout: Annotated[RecordingFormat, typer.Option("--format", help="What to write.")] = RecordingFormat.RECORDING,
    read_as: Annotated[
        str | None, typer.Option("--read-as", metavar="F", help="Read PATH as this format instead of finding out.")
    ] = None,
    filter: FilterOption = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Write over what is there of the same name.")] = False,
    json: JsonFlag = False,
) -> int:
    """Gives 0, or 1 where an episode could not be written; those are listed. What a layout cannot hold is told."""
    from stepscope.core.sources.registry import open_source

    source = open_source(path, read_as)
    job = _RecordingExport(source, out, layout, overwrite)
    wanted = list(_wanted(source, filter))
    with counting("Exporting", "episodes") as count:
        for done, row in enumerate(wanted, start=1):
            job.take(row)
            count(done)
    form = {
        "path": str(out),
        "format": layout.value,
        "written": job.written,
        "failed": job.failed,
        "losses": [_loss_form(loss) for loss in job.losses],
    }
    if json:
        print_json(form)
    else:
        say(f"{out}: {number_of(job.written, 'episodes')} as {layout.value}")
    job.tell_losses()
    return SOME_FAILED if told_if_gone(path) or job.failed else DONE


def _wanted(source: Source, filter: str | None) -> Iterator[EpisodeSummary]:
    """The episodes that pass the filter. Raises UsageError where there are none."""
    from stepscope.app.cli.data import passing_episodes, whole_rows
    from stepscope.core.domain.filter_parser import parse

    query = parse(filter) if filter is not None else None
    rows = list(source.scan() if query is None else whole_rows(source))
    rows = rows if query is None else passing_episodes(source, rows, query)
    found = [row for row in rows if isinstance(row, episode_values.EpisodeSummary) and row.kind == "episode"]
    if not found:
        raise UsageError("there are no episodes to export.", place=source.path, hint="Name recordings or a data set.")
    yield from found


class _RecordingExport:
    """What was written, what was not, and what was lost."""

    def __init__(self, source: Source, out: Path, layout: RecordingFormat, overwrite: bool) -> None:
        self._source, self._out, self._layout, self._overwrite = source, out, layout, overwrite
        self._names = FileNames()
        self.written = 0
        self.failed: list[str] = []
        self.losses: list[Problem] = []

    def take(self, row: EpisodeSummary) -> None:
        """Write one episode; one that cannot be is told and kept count of. Raises UserError where the disk is full."""
        try:
            self._write(self._source.read(row.id, row.place))
            self.written += 1
        except UserError as error:
            if ends_all(error):
                raise
            self.failed.append(row.id)
            tell(f"stepscope: {row.id}: {one_line(failure_line(error))}")

    def _write(self, episode: Episode) -> None:
        from stepscope.core.sources.motif_writer import write_motif
        from stepscope.core.sources.recording_writer import write_recording

        if self._layout is RecordingFormat.MOTIF:
            self.losses += write_motif(episode, self._out, overwrite=self._overwrite).losses
            return
        try:
            write_recording(episode, self._out / self._names.of(episode.id), overwrite=self._overwrite)
        except ValueError as error:  # places that lie on another size than their screen
            raise SourceError(f"cannot be a recording: {error}") from error

    def tell_losses(self) -> None:
        """The kinds of what was lost, each with how often."""
        counts: dict[str, int] = {}
        for loss in self.losses:
            counts[loss.message] = counts.get(loss.message, 0) + 1
        for message, count in sorted(counts.items(), key=lambda one: -one[1])[:_MOST_TOLD]:
            tell(f"stepscope: not in MoTIF's layout: {message} ({count})")


def _loss_form(loss: Problem) -> dict[str, Any]:
    return {"episode": loss.episode, "step": loss.step, "message": loss.message}
