"""`stepscope asks`: the questions of a whole data set as neutral records, one line an episode."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stepscope.app.cli.arguments import DataPath, FormatOption
from stepscope.app.cli.data import told_if_gone
from stepscope.app.cli.output import check_output, json_lines, number_of, print_json, say, tell, write_file
from stepscope.app.cli.progress import counting
from stepscope.app.cli.statuses import DONE, SOME_FAILED
from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.core.domain import episode
    from stepscope.core.evaluation import ask_checks
    from stepscope.core.sources.source import Source
else:
    ask_checks = lazy_module("stepscope.core.evaluation.ask_checks")
    episode = lazy_module("stepscope.core.domain.episode")


def asks(
    path: DataPath,
    format: FormatOption = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="The file to write [default: stdout].")
    ] = None,
) -> int:
    """Writes one record for each episode with asks; gives 0, or 1 where an episode cannot be read. Raises UsageError
    where no data of the format is."""
    from stepscope.core.sources.registry import open_source

    if output is not None:
        check_output(output)
    found = _RecordCount(open_source(path, format))
    with _counting(output) as count:
        if output is None:
            for record in found.records(count):
                print_json(record, indent=None)
        else:
            write_file(output, json_lines(found.records(count)))
    return _told(found, output)


@dataclass
class _RecordCount:
    """The records of a source, and what was met on the way to them."""

    source: Source
    written: int = 0
    rows: int = 0
    problems: int = 0
    unread: int = 0

    def records(self, count: Callable[[int], None]) -> Iterator[dict[str, Any]]:
        """One record for each episode with asks; UsageError when nothing at all is there."""
        from stepscope.core.sources.ask_records import ask_record_of, asking_episodes

        for found in asking_episodes(self.source, self._places(count)):
            if isinstance(found, episode.Problem):
                self.unread += 1
                tell(f"stepscope: warning: {found.episode}: {found.message}")
            else:
                self.written += 1
                for doubt in ask_checks.ask_doubts(found):
                    tell(f"stepscope: warning: {found.id}: {doubt}")
                yield ask_record_of(found)
        if not self.rows and not self.problems:
            hint = "Leave --format out, or name the one that it has."
            raise UsageError(f"nothing of the format {self.source.format} is here.", place=self.source.path, hint=hint)

    def _places(self, count: Callable[[int], None]) -> Iterator[tuple[str, str]]:
        """Id and place of each episode whose row counts asks."""
        for row in self.source.scan():
            if isinstance(row, episode.Problem):
                self.problems += 1
                continue
            self.rows += 1
            count(self.rows)
            if row.asks:
                yield row.id, row.place


def _counting(output: Path | None) -> AbstractContextManager[Callable[[int], None]]:
    """Progress, unless it would stand between the lines that a terminal shows."""
    if output is None and sys.stdout.isatty():
        return nullcontext(lambda _count: None)
    return counting("Reading", "episodes")


def _told(found: _RecordCount, output: Path | None) -> int:
    if found.problems:
        said = number_of(found.problems, "problems")
        tell(f"stepscope: warning: {said} beside the episodes; 'stepscope inspect {found.source.path}' lists them.")
    if output is not None:
        say(str(output))
    tell(f"stepscope: {number_of(found.written, 'records')} of {number_of(found.rows, 'episodes')}")
    return SOME_FAILED if told_if_gone(found.source.path) or found.unread else DONE
