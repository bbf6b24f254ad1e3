"""A folder that holds data sets of several formats: all of them open as one source.

Rows come format by format; ids that two of them share get "~2", as twice-used ids do within a format.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from stepscope.core.domain.episode import Episode, EpisodeSummary, Problem
from stepscope.core.domain.procedure import Procedure
from stepscope.core.domain.webtask import WebInstance, WebTask
from stepscope.core.errors import UserError
from stepscope.core.sources.folders import no_such_episode, renamed_problem, unique_id
from stepscope.core.sources.source import ProcedureSource, Source, WebTaskSource

MIXED = "mixed"
"""What stands for a format where there are several."""

_BETWEEN = "\n"


class MixedSource:
    """`parts` in order of precedence, all over the same path."""

    def __init__(self, path: Path, parts: Sequence[Source]) -> None:
        self.format = MIXED
        self.path = path
        self.parts = {part.format: part for part in parts}

    def scan(self) -> Iterator[EpisodeSummary | Problem]:
        """The rows of all parts, after a note that there are several."""
        names = ", ".join(self.parts)
        yield Problem(f"several formats lie here, and all are open: {names}. To open one alone, choose its own folder")
        used: dict[str, int] = {}
        told: set[Problem] = set()
        for name, part in self.parts.items():
            for row in part.scan():
                if isinstance(row, EpisodeSummary):
                    yield _marked(row, name, used)
                elif row not in told:
                    told.add(row)
                    yield row

    def read(self, episode_id: str, place: str = "") -> Episode:
        """The whole episode; UsageError when there is none of that id, SourceError when it cannot be read."""
        part, own, inner = self._part(episode_id, place)
        return replace(part.read(own, inner), id=episode_id)

    def read_procedure(self, procedure_id: str, place: str = "") -> Procedure:
        part, own, inner = self._part(procedure_id, place)
        if not isinstance(part, ProcedureSource):
            raise no_such_episode(self.path, procedure_id)
        return replace(part.read_procedure(own, inner), id=procedure_id)

    def read_task(self, name: str) -> WebTask:
        """The first web task of that name."""
        for part in self.parts.values():
            if isinstance(part, WebTaskSource):
                try:
                    return part.read_task(name)
                except UserError:
                    continue
        raise no_such_episode(self.path, name)

    def read_instance(self, instance_id: str, place: str = "") -> WebInstance:
        part, own, inner = self._part(instance_id, place)
        if not isinstance(part, WebTaskSource):
            raise no_such_episode(self.path, instance_id)
        return replace(part.read_instance(own, inner), id=instance_id)

    def _part(self, episode_id: str, place: str) -> tuple[Source, str, str]:
        """The part, the episode's id in it, and its place in it."""
        name, between, rest = place.partition(_BETWEEN)
        if not between or name not in self.parts:
            found = (row for row in self.scan() if isinstance(row, EpisodeSummary) and row.id == episode_id)
            row = next(found, None)
            if row is None:
                raise no_such_episode(self.path, episode_id)
            name, _, rest = row.place.partition(_BETWEEN)
        own, _, inner = rest.partition(_BETWEEN)
        return self.parts[name], own, inner


def _marked(row: EpisodeSummary, name: str, used: dict[str, int]) -> EpisodeSummary:
    given = unique_id(row.id, used)
    problems = row.problems if given == row.id else (renamed_problem(row.id, given), *row.problems)
    return replace(row, id=given, place=_BETWEEN.join((name, row.id, row.place)), problems=problems)
