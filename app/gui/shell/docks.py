"""The docks of the window: those of the first workspace are made with it, the others when one of them is wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from PySide6.QtCore import Qt, SignalInstance
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from stepscope.app.gui.shell.layouts import BOTTOM, BOTTOM_DOCKS, DOCKS, LEFT, LEFT_DOCKS, RIGHT, drag_strip


class Docks(Mapping[str, QDockWidget]):
    """By name, in the order of DOCKS; only those that are made are counted and gone through: the others are hidden.

    Whoever asks for one by its name gets it, and all others are made with it: at a side they lie as they are listed.
    `content` makes what is in one.
    """

    def __init__(
        self, window: QMainWindow, first: tuple[str, ...], content: Callable[[str], QWidget], changed: SignalInstance
    ) -> None:
        self._window, self._content, self._changed = window, content, changed
        self._made: dict[str, QDockWidget] = {}
        self.on_made: Callable[[QDockWidget], object] = lambda _dock: None
        for name in first:
            self._made[name] = self._dock(name)

    def __getitem__(self, name: str) -> QDockWidget:
        if name not in self._made:
            self.make()
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._made

    def __iter__(self) -> Iterator[str]:
        return (name for name in DOCKS if name in self._made)

    def __len__(self) -> int:
        return len(self._made)

    def is_shown(self, name: str) -> bool:
        """Whether the dock is not hidden; none is made."""
        return name in self._made and not self._made[name].isHidden()

    def make(self, most: int = len(DOCKS)) -> None:
        """Make the next ones that are missing, hidden in their places."""
        for name in [name for name in DOCKS if name not in self._made][:most]:
            dock = self._made[name] = self._dock(name)
            dock.hide()
            if not self._window.restoreDockWidget(dock):
                self._window.addDockWidget(side_of(name), dock)

    def _dock(self, name: str) -> QDockWidget:
        dock = QDockWidget(DOCKS[name], self._window)
        dock.setObjectName(name)
        content = self._content(name)
        content.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)  # the panel's own ground lies behind its parts
        dock.setWidget(content)
        dock.setTitleBarWidget(drag_strip(dock))
        dock.visibilityChanged.connect(self._changed)
        self.on_made(dock)
        return dock


def side_of(name: str) -> Qt.DockWidgetArea:
    return LEFT if name in LEFT_DOCKS else BOTTOM if name in BOTTOM_DOCKS else RIGHT
