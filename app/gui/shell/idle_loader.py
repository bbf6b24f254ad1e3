"""Loading modules while nothing else is to be done, so that entering a workspace waits for no import.

On the GUI thread, since modules that bring Qt's classes must not be loaded in another (PySide crashes): one module a
turn of the event loop, each after those that it imports, so that a turn is short.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

import stepscope

PAUSE_MS = 8
"""Left to the window between two modules."""

PACKAGE = stepscope.__name__
_STATEMENT = re.compile(rf"^(?:from|import) ({PACKAGE}[\w.]*)(?: import (\([^)]*\)|.*))?", re.MULTILINE)


class IdleLoader(QObject):
    """Loads what `begin` is given, in that order, until `stop`."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._names: list[str] = []
        self._timer = QTimer(self)
        self._timer.setInterval(PAUSE_MS)
        self._timer.timeout.connect(self._turn)

    def begin(self, names: Sequence[str]) -> None:
        self._names = list(reversed(names))
        if self._names:
            self._timer.start()

    def stop(self) -> None:
        self._names.clear()
        self._timer.stop()

    def _turn(self) -> None:
        while self._names:
            name = self._names.pop()
            if name not in sys.modules:
                import_module(name)
                break
        if not self._names:
            self._timer.stop()


def load_order(wanted: Sequence[str]) -> list[str]:
    """The modules of this program that these need and that are not loaded, each after those that it imports. Reads
    their source and loads nothing: any thread may ask."""
    order: list[str] = []
    seen: set[str] = set()

    def visit(name: str) -> None:
        file = None if name in seen or name in sys.modules else _file_of(name)
        seen.add(name)
        if file is None:
            return
        visit(name.rpartition(".")[0])
        for imported in _imports(file):
            visit(imported)
        order.append(name)

    for name in wanted:
        visit(name)
    return order


def _file_of(name: str) -> Path | None:
    """Where a module of ours lies, None for another's and for what is no module."""
    first, *parts = name.split(".")
    if first != PACKAGE:
        return None
    for root in stepscope.__path__:
        place = Path(root, *parts)
        for file in (place.with_suffix(".py") if parts else place, place / "__init__.py"):
            if file.is_file():
                return file
    return None


def _imports(file: Path) -> list[str]:
    """What of ours the module imports when it is loaded: the statements at the left edge of its lines."""
    found = []
    for module, names in _STATEMENT.findall(file.read_text("utf-8")):
        found.append(module)
        found += [f"{module}.{name}" for name in re.findall(r"\w+", names)]
    return found
