"""The weights of encoders and models: listed, added, checked, shown, taken off the list."""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from stepscope.app.gui.shell.confirm import confirmed
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.tasks import BackgroundTask, Work
from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.widgets.format import counted

if TYPE_CHECKING:
    from stepscope.app.gui.features.models import presenter
    from stepscope.app.services import weights
    from stepscope.widgets.models import weights as weights_views
    from stepscope.widgets.models.weights import WeightsChoice, WeightsLine, WeightsView
else:
    presenter = lazy_module("stepscope.app.gui.features.models.presenter")
    weights = lazy_module("stepscope.app.services.weights")
    weights_views = lazy_module("stepscope.widgets.models.weights")

WIDTH, HEIGHT = 980, 620
FILES = "Weights (*.safetensors *.pt *.pth *.bin *.vec *.txt);;All files (*)"


class WeightsController(QObject):
    """`changed` fires when there are weights more or less."""

    changed = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._context = context
        self._view: WeightsView | None = None
        self._checking: BackgroundTask | None = None

    def show(self) -> None:
        """All weights in a window of their own."""
        if self._view is None:
            self._open()
        assert self._view is not None
        self._view.window().show()
        self._view.window().raise_()
        self._view.table.setFocus()
        self.refresh()

    def refresh(self, current: str = "") -> None:
        """Look the weights up again."""

        def take(rows: tuple[WeightsLine, ...]) -> None:
            self._on_view(lambda view: view.set_weights(rows, current))

        self._do("weights", lambda _token: presenter.weights_lines(weights.rows()), take)

    def _open(self) -> None:
        dialog = QDialog(self._context.dialog_parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle("Weights")
        dialog.resize(WIDTH, HEIGHT)
        families = [weights_views.WeightsFamily(*one) for one in weights.families()]
        view = self._view = weights_views.WeightsView(families)
        column = QVBoxLayout(dialog)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(view)
        dialog.finished.connect(self._closed)
        view.file_wanted.connect(self._ask_file)
        view.folder_wanted.connect(self._ask_folder)
        view.chosen.connect(self.add)
        view.check_requested.connect(self.check)
        view.remove_requested.connect(self.remove)
        view.show_requested.connect(self._show_folder)

    def _closed(self) -> None:
        self._view = None
        if self._checking is not None:
            self._checking.cancel()

    # Adding ----------------------------------------------------------------------------------------------------------

    def _ask_file(self) -> None:
        chosen, _ = QtWidgets.QFileDialog.getOpenFileName(self._parent(), "File of weights", str(Path.home()), FILES)
        if chosen:
            self.look_at(Path(chosen))

    def _ask_folder(self) -> None:
        chosen = QtWidgets.QFileDialog.getExistingDirectory(self._parent(), "Folder of weights", str(Path.home()))
        if chosen:
            self.look_at(Path(chosen))

    def look_at(self, path: Path) -> None:
        """Find out what lies there, and offer it in the form."""
        self._on_view(lambda view: view.tell(f"Looking at {path.name} …"))

        def look(_token: object) -> object:
            return presenter.weights_offer(weights.look_at(path))

        self._do("look at weights", look, lambda found: self._on_view(lambda view: view.offer(found)))

    def add(self, choice: WeightsChoice) -> None:
        """Put what the form says onto the list; hashing large files takes a while."""
        self._on_view(lambda view: view.tell(f"Reading {Path(choice.path).name} …"))

        def put(_token: object) -> str:
            options = {"architecture": choice.architecture, "tag": choice.tag}
            return weights.add(Path(choice.path), choice.name, choice.family, options).encoder.name

        self._do("add weights", put, self._added)

    def _added(self, name: str) -> None:
        def show(view: WeightsView) -> None:
            view.end_offer()
            view.tell(f"Added {name}. Models can name it from now on.")

        self._on_view(show)
        self.changed.emit()
        self.refresh(name)

    # Checking, showing, removing -------------------------------------------------------------------------------------

    def check(self, name: str) -> None:
        """Read the weights of that name again, or all that are here; told one by one."""
        if self._checking is not None:
            return

        def read(token: CancelToken) -> Generator[str, None, tuple[int, tuple[str, ...]]]:
            problems, count = [], 0
            yield f"Reading {name or 'all weights'} …"
            for one in weights.check([name] if name else ()):
                count += 1
                if one.problem:
                    problems.append(one.problem)
                if token.cancelled:
                    break
                yield f"Read {counted(count, 'entry', 'entries')} of the list; the last was {one.name} …"
            return count, tuple(problems)

        task = self._do("check weights", read, self._checked)
        task.progressed.connect(lambda words: self._on_view(lambda view: view.tell(words)))
        task.finished.connect(self._check_ended)
        self._checking = task

    def _check_ended(self) -> None:
        self._checking = None

    def _checked(self, found: tuple[int, tuple[str, ...]]) -> None:
        count, problems = found
        words = "\n".join(problems) or f"{'They are' if count == 1 else f'All {count} are'} what they were."
        self._on_view(lambda view: view.tell(words, trouble=bool(problems)))

    def remove(self, name: str) -> None:
        """Take added weights off the list, once that was confirmed."""
        detail = "The files stay where they are. Models that stand on it cannot be used until it is added again."
        if not confirmed(self._parent(), f"Take {name} off the list?", detail, "Remove"):
            return

        def take_away(_token: object) -> None:
            weights.remove(name)

        def gone(_nothing: object) -> None:
            self._on_view(lambda view: view.tell(f"{name} is off the list."))
            self.changed.emit()
            self.refresh()

        self._do("remove weights", take_away, gone)

    def _show_folder(self, name: str) -> None:
        row = next((one for one in self._view.model.rows if one.name == name), None) if self._view else None
        if row is not None and not QtGui.QDesktopServices.openUrl(QtCore.QUrl.fromLocalFile(row.folder)):
            self._on_view(lambda view: view.tell(f"The folder is {row.folder}"))

    def _do(self, name: str, work: Work, done: Callable[..., object]) -> BackgroundTask:
        """Do the work in the background; trouble is told in the dialog, where one is looking."""
        return self._context.start(name, work, done, failed=self._failed)

    def _failed(self, error: Exception) -> None:
        if isinstance(error, UserError) and self._view is not None:
            self._view.tell(error.words_in_window, trouble=True)
        else:
            self._context.messages.failure(error)

    def _parent(self) -> QWidget:
        return self._view or self._context.dialog_parent

    def _on_view(self, do: Callable[[WeightsView], object]) -> None:
        """Act on the dialog where it is still open."""
        if self._view is not None:
            do(self._view)
