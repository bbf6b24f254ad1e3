"""Formats of other packages as formats like ours: all that they do is done in a process of their own
(`core.sources.plugin_process`), and whatever goes wrong there is an error that names them."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import cast

from stepscope.core.domain.episode import Episode, EpisodeSummary, Problem
from stepscope.core.domain.procedure import Procedure
from stepscope.core.domain.webtask import WebInstance, WebTask
from stepscope.core.errors import UserError
from stepscope.core.sources.look import FolderScan
from stepscope.core.sources.plugin_process import (
    FormatInfo,
    PluginFault,
    PluginSourceInfo,
    answer_to,
    asked,
    entry_call,
)
from stepscope.core.sources.source import Format, Source

log = logging.getLogger("stepscope")


def facts(entry: EntryPoint) -> FormatInfo | str:
    """What the entry point's format says of itself, or why it cannot be used."""
    try:
        return cast(FormatInfo, answer_to(entry_call(entry, "load")))
    except UserError as error:
        return str(error)


def plugin_format(entry: EntryPoint, said: FormatInfo) -> Format:
    """The format of an entry point. One that cannot even look at a folder does not know it; one that does not come back
    from looking is not asked again."""
    hung = False

    def sniff(look: FolderScan) -> bool:
        nonlocal hung
        if hung:
            return False
        try:
            return bool(answer_to(entry_call(entry, "sniff", look.path)))
        except UserError as error:
            hung = isinstance(error, PluginFault) and error.hung
            log.warning("the format %s cannot look at %s: %s", said.name, look.path, error)
            return False

    def open_guarded(path: Path) -> Source:
        opened = cast(PluginSourceInfo, answer_to(entry_call(entry, "open", path)))
        kinds = {"procedures": PluginProcedureSource, "webtasks": PluginWebTaskSource, "episodes": PluginSource}
        return kinds[opened.holds](entry, opened, path)

    return Format(said.name, said.title, said.platform, said.kind, said.checked, sniff, open_guarded, said.beside)


class PluginSource:
    """A source of another package."""

    def __init__(self, entry: EntryPoint, opened: PluginSourceInfo, given: Path) -> None:
        self.format = opened.format
        self.path = opened.path
        self._entry, self._given = entry, given

    def scan(self) -> Iterator[EpisodeSummary | Problem]:
        for row in asked(entry_call(self._entry, "scan", self._given)):
            if row is not None:
                yield row

    def read(self, episode_id: str, place: str = "") -> Episode:
        return cast(Episode, answer_to(entry_call(self._entry, "read", self._given, (episode_id, place))))


class PluginProcedureSource(PluginSource):
    """A source of procedures of another package."""

    def read_procedure(self, procedure_id: str, place: str = "") -> Procedure:
        call = entry_call(self._entry, "read_procedure", self._given, (procedure_id, place))
        return cast(Procedure, answer_to(call))


class PluginWebTaskSource(PluginSource):
    """A source of web tasks of another package."""

    def read_task(self, name: str) -> WebTask:
        return cast(WebTask, answer_to(entry_call(self._entry, "read_task", self._given, (name,))))

    def read_instance(self, instance_id: str, place: str = "") -> WebInstance:
        call = entry_call(self._entry, "read_instance", self._given, (instance_id, place))
        return cast(WebInstance, answer_to(call))
