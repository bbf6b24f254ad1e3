"""Makes actions, menus and shortcuts from the rows and keeps them enabled as the conditions say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QWidget

from stepscope.app.gui.shell.commands.command import Command
from stepscope.app.gui.shell.commands.key_table import Chosen, KeyTable

Handler = Callable[[], object]


class Conditions(QObject):
    """The names of everything that holds just now ("source", "step", "run_active", …)."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._holding: set[str] = set()

    def set(self, name: str, holds: bool) -> None:
        if (name in self._holding) != holds:
            (self._holding.add if holds else self._holding.discard)(name)
            self.changed.emit()

    def holds(self, name: str) -> bool:
        return not name or name in self._holding


class CommandBar(QObject):
    """Owns one QAction per command. Every command has a handler and every handler a command, or this refuses. `keys`
    says which keys do which; those of `fixed` rows are heard elsewhere, and are always the same."""

    keys_changed = Signal()

    def __init__(
        self,
        window: QMainWindow,
        rows: Iterable[Command],
        handlers: Mapping[str, Handler],
        conditions: Conditions,
        fixed: Iterable[Command] = (),
    ) -> None:
        super().__init__(window)
        self.rows = tuple(rows)
        self.conditions = conditions
        ids = [row.id for row in self.rows]
        if set(ids) != set(handlers) or len(set(ids)) != len(ids):
            raise ValueError(f"commands and handlers differ: {sorted(set(ids) ^ set(handlers))}")
        self.keys = KeyTable.of(self.rows, {}, fixed)
        self._workspace = ""
        self._menus: dict[str, QMenu] = {}
        self._handlers = handlers
        self._group = QActionGroup(self)  # hears of them all: a connection for each takes 1 % of a start
        self._group.setExclusionPolicy(QActionGroup.ExclusionPolicy.None_)
        self._group.triggered.connect(self._do)
        self.actions: dict[str, QAction] = {row.id: self._make(row) for row in self.rows}
        self.set_workspace("")
        self.refresh()
        for row in self.rows:  # with keys and all, since window and menus look at each change of an action of theirs
            self._put(window, row)
        conditions.changed.connect(self.refresh)

    def refresh(self) -> None:
        """Enable what can be done now."""
        for row in self.rows:
            self.actions[row.id].setEnabled(self.conditions.holds(row.needs))

    def choose_keys(self, chosen: Chosen) -> None:
        """These keys do these commands from now on, and all others are done by their usual ones."""
        self.keys = KeyTable.of(self.rows, chosen, self.keys.fixed)
        self.set_workspace(self._workspace)
        self.keys_changed.emit()

    def set_workspace(self, name: str) -> None:
        """Give the keys to those whose they are in this workspace."""
        self._workspace = name
        keys = self.keys.by_command(name)
        for row in self.rows:
            shortcuts = [QKeySequence(key) for key in keys[row.id]]
            if self.actions[row.id].shortcuts() != shortcuts:
                self.actions[row.id].setShortcuts(shortcuts)

    def give_keys(self, view: str, widget: QWidget) -> None:
        """The view of this name is made: keys of its own work while it, or a part of it, has the keyboard."""
        for row in self.rows:
            if row.view == view:
                widget.addAction(self.actions[row.id])

    def run(self, command: str) -> None:
        """Do a command as if its menu entry had been chosen; nothing happens while it rests."""
        self.actions[command].trigger()

    def menu(self, path: str) -> QMenu:
        """The menu at `path`; mnemonic marks belong to the path."""
        return self._menus[path]

    def check(self, command: str, checked: bool) -> None:
        """Show a checkable command as on or off without running it."""
        self.actions[command].setChecked(checked)

    def key_of(self, command: str) -> str:
        """The first shortcut of a command as a person reads it, "" when it has none."""
        keys = self.actions[command].shortcuts()
        return keys[0].toString(QKeySequence.SequenceFormat.NativeText) if keys else ""

    def _make(self, row: Command) -> QAction:
        action = QAction(row.text, self._group)
        action.setObjectName(row.id)
        contexts = Qt.ShortcutContext
        action.setShortcutContext(contexts.WidgetWithChildrenShortcut if row.view else contexts.WindowShortcut)
        action.setAutoRepeat(row.autorepeat)
        action.setCheckable(row.checkable)
        action.setMenuRole(QAction.MenuRole.NoRole)
        if row.tip:
            action.setStatusTip(row.tip)
        return action

    def _do(self, action: QAction) -> None:
        self._handlers[action.objectName()]()

    def _put(self, window: QMainWindow, row: Command) -> None:
        """Into the window, which hears its keys, and its menu."""
        if not row.view:
            window.addAction(self.actions[row.id])
        if row.menu:
            self._menu_at(window, row.menu, row.section).addAction(self.actions[row.id])

    def _menu_at(self, window: QMainWindow, path: str, section: bool) -> QMenu:
        if path not in self._menus:
            parent, _, title = path.rpartition("/")
            above = self._menu_at(window, parent, section) if parent else window.menuBar()
            self._menus[path] = QMenu(title, window)
            above.addMenu(self._menus[path])
        elif section and not self._menus[path].isEmpty():
            self._menus[path].addSeparator()
        return self._menus[path]
