"""Loading modules while nothing else is to be done, so that entering a workspace waits for no import.

On the GUI thread, since modules that bring Qt's classes must not be loaded in another (PySide crashes): a few modules a
turn of the event loop, each after those that it imports, so that a turn is short.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

import stepscope

TURN_SECONDS = 0.003
"""So long a turn brings in one module after the other; the last of them may take longer."""
PAUSE_MS = 16
"""Left to the window between two turns, and until it is looked again whether work is under way."""
REST_MS = 1000
"""Left to the window before a thing is made of what was loaded."""

PACKAGE = stepscope.__name__
_STATEMENT = re.compile(rf"^(?:from|import) ({PACKAGE}[\w.]*)(?: import (\([^)]*\)|.*))?", re.MULTILINE)


class IdleLoader(QObject):
    """Loads what `begin` is given, in that order, until `stop`, but nothing while the window `is_busy`; before it what
    somebody waits for."""

    def __init__(self, parent: QObject, is_busy: Callable[[], object]) -> None:
        super().__init__(parent)
        self._is_busy = is_busy
        self._names: list[str] = []
        self._light: list[Callable[[], object]] = []
        self._making: list[Callable[[], object]] = []
        self._first: list[str] = []
        self._then: Callable[[], object] | None = None
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._turn)

    def begin(
        self,
        names: Sequence[str],
        making: Sequence[Callable[[], object]] = (),
        light: Sequence[Callable[[], object]] = (),
    ) -> None:
        """Load these, then do what takes a few milliseconds each, and then what is to be made of them, one thing in a
        turn."""
        self._names, self._light, self._making = list(reversed(names)), list(reversed(light)), list(reversed(making))
        self._go_on()

    def load_first(self, names: Sequence[str], then: Callable[[], object]) -> None:
        """Load these without a pause, then do what waits for them, unless somebody asks for others before that."""
        self._first, self._then = list(reversed(names)), then
        self._go_on()

    def stop(self) -> None:
        self._first, self._then = [], None
        self._names.clear()
        self._light.clear()
        self._making.clear()
        self._timer.stop()

    def _go_on(self) -> None:
        if self._then is not None:
            self._timer.start(0)
        elif self._names or self._light:
            self._timer.start(PAUSE_MS)
        elif self._making:
            self._timer.start(REST_MS)
        else:
            self._timer.stop()

    def _turn(self) -> None:
        if self._then is not None:
            _load_next(self._first)
            if not self._first:
                then, self._then = self._then, None
                then()
        elif self._is_busy():
            pass
        elif not self._names:
            (self._light or self._making).pop()()
        else:
            end = time.perf_counter() + TURN_SECONDS
            while self._names and time.perf_counter() < end:
                _load_next(self._names)
        self._go_on()


def _load_next(names: list[str]) -> None:
    """Load the last of these that is not loaded yet, and take it and those after it away."""
    while names:
        name = names.pop()
        if name not in sys.modules:
            import_module(name)
            break


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
