"""What stored runs are called, for whoever shows them beside something else."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.events import RunsListed


class RunNames(QObject):
    """Names of runs as they were listed last; a run that was not listed is called by its id."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._selection = context.selection
        self._names: Mapping[str, str] = {}
        context.events.on(RunsListed, self._take)

    def of(self, run: str) -> str:
        return self._names.get(run, run)

    def shown(self) -> dict[str, str]:
        """Names of the shown runs by id."""
        return {run: self.of(run) for run in self._selection.runs}

    def _take(self, event: RunsListed) -> None:
        self._names = event.names
