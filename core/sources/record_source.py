"""Files of records that are no episodes (procedures, web tasks' instances), shown as episodes where one is wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from stepscope.core.domain.episode import Episode, EpisodeSummary, Problem
from stepscope.core.domain.procedure import Procedure
from stepscope.core.sources.look import Locate
from stepscope.core.sources.procedures import episode_of
from stepscope.core.sources.shards import Outline, ShardSource

Record = TypeVar("Record")


@dataclass
class RecordSource(Generic[Record]):
    """A `Source` over files of many records: `load(file, place, id)` reads one, `show` makes an episode of it."""

    format: str
    path: Path
    locate: Locate
    outline: Outline
    load: Callable[[Path, str, str], Record]
    show: Callable[[Record], Episode]

    def scan(self) -> Iterator[EpisodeSummary | Problem]:
        """Index rows file by file in natural order; what cannot be read comes as a problem."""
        return self._shards([]).scan()

    def read(self, episode_id: str, place: str = "") -> Episode:
        """The record as an episode; UsageError when there is none of that id, SourceError when it cannot be read."""
        return self._shards([]).read(episode_id, place)

    def record(self, record_id: str, place: str = "") -> Record:
        """The record itself; errors as those of `read`."""
        read: list[Record] = []
        self._shards(read).read(record_id, place)
        return read[0]

    def _shards(self, read: list[Record]) -> ShardSource:
        """The files as shards; what `load` gives is also kept in `read`."""

        def load(file: Path, place: str, record_id: str) -> Episode:
            read.append(self.load(file, place, record_id))
            return self.show(read[-1])

        return ShardSource(self.format, self.path, locate=self.locate, outline=self.outline, load=load)


class ProcedureRecords(RecordSource[Procedure]):
    """A `ProcedureSource` over files of many procedures."""

    def read_procedure(self, procedure_id: str, place: str = "") -> Procedure:
        """The procedure; errors as those of `read`."""
        return self.record(procedure_id, place)


def procedure_records(
    format: str, path: Path, *, locate: Locate, outline: Outline, load: Callable[[Path, str, str], Procedure]
) -> ProcedureRecords:
    """Procedures in files: `outline` lists what is in one, `load` reads the one at a place of its."""
    return ProcedureRecords(format, path, locate, outline, load, episode_of)
