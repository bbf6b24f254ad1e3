"""pyqtgraph, on which the plots stand, brought in without stalling the window.

Importing it takes a third of a second or more: PySide6 makes each of its classes when its name is first asked for, and
pyqtgraph asks for all of them, then brings a hundred modules. In a thread that crashed PySide. So it is done on the GUI
thread in pieces, each some milliseconds long and in a turn of the event loop of its own: first the classes, then the
statements of pyqtgraph's own `__init__` one by one, as an import would run them, then the modules of the plots.
"""

from __future__ import annotations

import ast
import importlib
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, module_from_spec
from types import ModuleType

from PySide6.QtCore import QObject, QTimer, Signal

TURN_SECONDS = 0.004
"""So long a turn goes on; a single piece may take longer, but is not cut."""
PAUSE_MS = 6
"""Left to the window between two turns."""

LIBRARY = "pyqtgraph"
OTHERS = (
    "subprocess", "importlib.resources", "multiprocessing.connection", "multiprocessing.reduction", "socket", "pydoc",
    "xml.etree.ElementTree", "cProfile", "decimal", "numpy.typing", "colorama", "cuda.bindings.runtime",
)  # fmt: skip
"""Modules without Qt that the library imports: a thread may import them beforehand."""
QT = ("QtCore", "QtGui", "QtWidgets", "QtSvg", "QtTest", "QtOpenGL", "QtOpenGLWidgets")
OWN = (
    "scores.plot", "scores.columns_plot", "results.curves", "results.calibration", "results.step_plot",
    "ambiguous.lengths_plot",
)  # fmt: skip
"""Modules of this package that stand on it."""


def import_others() -> None:
    """The part that a thread may do; what is not installed is left out."""
    for name in OTHERS:
        with suppress(ImportError):
            importlib.import_module(name)


class PlotLibrary(QObject):
    """`ready` fires once, when the plots' modules can be imported at once."""

    ready = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pieces: Iterator[object] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(PAUSE_MS)
        self._timer.timeout.connect(self._turn)
        self.is_ready = False

    @property
    def is_loading(self) -> bool:
        return self._timer.isActive()

    def begin(self) -> None:
        """Bring it in, a piece a turn; does nothing where that is under way or done."""
        if not self.is_ready:
            self._timer.start()

    def finish(self) -> None:
        """Bring in at once what is still missing."""
        for _piece in self._rest():
            pass
        self._end()

    def stop(self) -> None:
        """Load no further pieces for now: the window closes. What is there stays, and `begin` goes on behind it."""
        self._timer.stop()

    def _turn(self) -> None:
        end = time.perf_counter() + TURN_SECONDS
        for _piece in self._rest():
            if time.perf_counter() > end:
                return
        self._end()

    def _end(self) -> None:
        self._timer.stop()
        if not self.is_ready:
            self.is_ready = True
            self.ready.emit()

    def _rest(self) -> Iterator[object]:
        if self._pieces is None:
            self._pieces = _pieces()
        return self._pieces


def _pieces() -> Iterator[object]:
    """Does one piece of the work each time it is asked for the next."""
    if LIBRARY not in sys.modules:
        for name in OTHERS:
            with suppress(ImportError):
                yield importlib.import_module(name)
        for name in QT:
            module = importlib.import_module(f"PySide6.{name}")
            for made in dir(module):
                yield getattr(module, made, None)
        spec = find_spec(LIBRARY)
        assert spec is not None, "the plots' library is installed with the window"
        yield from _import_in_pieces(spec)
    for name in OWN:
        yield importlib.import_module(f"stepscope.widgets.{name}")


def _import_in_pieces(spec: ModuleSpec) -> Iterator[ModuleType]:
    """What `import` does with a package, a statement at a time. One that raises leaves no half of it behind."""
    source = spec.loader.get_source(spec.name)  # type: ignore[union-attr]
    module = sys.modules[spec.name] = module_from_spec(spec)
    try:
        for statement in ast.parse(source).body:
            code = compile(ast.Module([statement], []), spec.origin or spec.name, "exec", dont_inherit=True)
            exec(code, module.__dict__)  # the installed package's own statements
            yield module
    except Exception:
        sys.modules.pop(spec.name, None)
        raise


class _SharedLibrary:
    library: PlotLibrary | None = None


def plot_library() -> PlotLibrary:
    """The one of this process; made on first use, on the GUI thread."""
    if _SharedLibrary.library is None:
        _SharedLibrary.library = PlotLibrary()
    return _SharedLibrary.library
