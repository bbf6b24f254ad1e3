"""The sizes that docks have while the window is wide: a narrow one and large text squeeze them, and they come back."""

from __future__ import annotations

import json
from collections.abc import Callable, ItemsView, Mapping
from typing import Any

from PySide6.QtCore import QEvent, QObject, QSettings, Qt, QTimer
from PySide6.QtWidgets import QDockWidget, QMainWindow

from stepscope.app.gui.shell.layouts import LEFT, NARROW_DOCK_WIDTH, RIGHT, WIDE
from stepscope.widgets.common.fonts import pixel_size

SETTLE_MS = 150
KEPT_AS = "wide docks"

Sizes = dict[str, tuple[int, int]]


class WideDockSizes(QObject):
    """Remembers, by workspace and size of text, how large each shown dock is while the window is at least WIDE, and
    gives them those sizes again when it becomes so anew."""

    def __init__(
        self, window: QMainWindow, docks: Mapping[str, QDockWidget], workspace: Callable[[], str], settings: QSettings
    ) -> None:
        super().__init__(window)
        self._window, self._docks, self._workspace, self._settings = window, docks, workspace, settings
        self._sizes: dict[str, dict[str, Sizes]] = _loaded(settings.value(KEPT_AS))
        self._text = pixel_size(window.font())
        self._squeezed: set[str] = set()
        """workspaces that were in front while the window was narrow or the text of another size, and were not given
        their sizes since"""
        self._was_wide = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SETTLE_MS)
        self._timer.timeout.connect(self._remember)
        for dock in docks.values():
            self.follow(dock)

    def follow(self, dock: QDockWidget) -> None:
        """Hear of the size of a dock that was made."""
        dock.installEventFilter(self)

    @property
    def is_wide(self) -> bool:
        return self._window.width() >= WIDE

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.is_wide and self._workspace() not in self._squeezed:
            self._timer.start()
        return False

    def window_resized(self) -> None:
        """The window has another size."""
        if not self.is_wide:
            self._timer.stop()
            if self._workspace() not in self._squeezed:
                self._squeezed.add(self._workspace())
                QTimer.singleShot(0, self, self._squeeze)
        elif not self._was_wide:
            self.give_back()
        self._was_wide = self.is_wide

    def text_changed(self) -> None:
        """The window's text may have another size."""
        before, self._text = self._text, pixel_size(self._window.font())
        if self._text != before and self._window.isVisible():
            self._timer.stop()
            self._squeezed.update(self._sizes)
            self.give_back()

    def give_back(self) -> None:
        """Give the docks of the workspace in front the sizes that they had in a wide window, where it was narrow since;
        once the layout has placed them."""
        if self.is_wide and self._workspace() in self._squeezed:
            QTimer.singleShot(0, self, self._resize)

    def _squeeze(self) -> None:
        """In a narrow window docks at the sides are no wider than they are there at first: what is in the middle does
        not ask for all the room that it can use."""
        if not self.is_wide:
            sides = [
                dock
                for dock in self._docks.values()
                if self._is_shown(dock) and self._window.dockWidgetArea(dock) in (LEFT, RIGHT)
            ]
            widths = [min(dock.width(), NARROW_DOCK_WIDTH) for dock in sides]
            self._window.resizeDocks(sides, widths, Qt.Orientation.Horizontal)

    def _resize(self) -> None:
        workspace = self._workspace()
        self._squeezed.discard(workspace)
        known = self._sizes.get(workspace, {}).get(str(self._text), {})
        shown = [name for name in known if name in self._docks and self._is_shown(self._docks[name])]
        for way, place in ((Qt.Orientation.Horizontal, 0), (Qt.Orientation.Vertical, 1)):
            self._window.resizeDocks([self._docks[name] for name in shown], [known[name][place] for name in shown], way)

    def forget(self) -> None:
        """All layouts are as they are at first."""
        self._sizes.clear()
        self._squeezed.clear()

    def save(self) -> None:
        """Keep them for the next start."""
        self._settings.setValue(KEPT_AS, json.dumps({"sizes": self._sizes, "squeezed": sorted(self._squeezed)}))

    def restore_squeezed(self) -> None:
        """At the start: which layouts were kept in a narrow window."""
        self._squeezed = set(_parsed(self._settings.value(KEPT_AS)).get("squeezed", ()))

    def _remember(self) -> None:
        if self.is_wide and self._window.isVisible():
            shown = {name: dock for name, dock in self._docks.items() if self._is_shown(dock)}
            known = self._sizes.setdefault(self._workspace(), {}).setdefault(str(self._text), {})
            known.update({name: (dock.width(), dock.height()) for name, dock in shown.items()})

    def _is_shown(self, dock: QDockWidget) -> bool:
        return not dock.isHidden() and not dock.isFloating()


def _parsed(kept: object) -> dict[str, Any]:
    try:
        found = json.loads(kept) if isinstance(kept, str) else {}
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _loaded(kept: object) -> dict[str, dict[str, Sizes]]:
    """What was kept; what makes no sense is left out."""
    return {
        workspace: {text: _checked(docks) for text, docks in _items(texts)}
        for workspace, texts in _items(_parsed(kept).get("sizes"))
    }


def _checked(docks: object) -> Sizes:
    return {
        name: (pair[0], pair[1])
        for name, pair in _items(docks)
        if isinstance(pair, list) and len(pair) == 2 and all(type(one) is int and one > 0 for one in pair)
    }


def _items(found: object) -> ItemsView[str, Any]:
    return (found if isinstance(found, dict) else {}).items()
