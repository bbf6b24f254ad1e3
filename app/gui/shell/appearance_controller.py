"""How the window looks: theme, text size, docks, workspaces, full screen."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import cast

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QApplication

from stepscope.app.gui.shell.commands.bar import CommandBar
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.focus_order import go_to_panel
from stepscope.app.gui.shell.layouts import BOTTOM, LEFT, PAGES, RIGHT, WORKSPACES
from stepscope.app.gui.shell.main_window import MainWindow
from stepscope.app.gui.shell.preferences import TEXT_PERCENTS, Preferences
from stepscope.app.gui.shell.theme import apply_theme, theme_for
from stepscope.core.imaging.palette import RUN_COLOURS, RUN_STYLES
from stepscope.widgets import theme
from stepscope.widgets.icons import icon

THEME_COMMANDS = {
    "theme.system": "system",
    "theme.light": "light",
    "theme.dark": "dark",
    "theme.contrast": "high contrast",
}
PAGE_COMMANDS = {"start": "view.start", "preferences": "app.preferences"}
TITLES = {"ambiguous": "Review", "webtask": "Web task"}
"""What workspaces are called whose names are other words."""
DOCK_COMMANDS = {"dock.left": LEFT, "dock.right": RIGHT, "dock.bottom": BOTTOM}


class AppearanceController(QObject):
    """Applies preferences at once and keeps the checkable commands true. `enter` brings a workspace to the front."""

    def __init__(self, context: Context, window: MainWindow, enter: Callable[[str], object]) -> None:
        super().__init__(context)
        self._context, self._window, self._enter = context, window, enter
        self._bar: CommandBar | None = None
        self._applied: tuple[object, ...] = ()
        context.preferences_changed.connect(self._preferred)
        self.theme_action = QAction("Theme", window)
        self.theme_action.setIcon(icon("theme"))
        self.theme_action.triggered.connect(lambda _checked=False: self.switch_theme())
        window.workspace_changed.connect(lambda _name: self.refresh())
        window.docks_changed.connect(self.refresh)
        # a lambda would outlive the window
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._system_changed)

    def handlers(self) -> dict[str, Callable[[], object]]:
        window = self._window
        handlers: dict[str, Callable[[], object]] = {
            "layout.reset": window.reset_layout,
            "dock.detach": self._detach,
            "layout.save": self._save_layout,
            "layout.restore": self._restore_layout,
            "text.larger": lambda: self._scale_text(1),
            "text.smaller": lambda: self._scale_text(-1),
            "text.normal": lambda: self._set_text(100),
            "view.full_screen": self._toggle_full_screen,
            "view.next_panel": partial(go_to_panel, window, 1),
            "view.previous_panel": partial(go_to_panel, window, -1),
            "view.message": window.messages.enter,
        }
        handlers |= {command: partial(self.set_theme, choice) for command, choice in THEME_COMMANDS.items()}
        handlers |= {command: partial(self._toggle_area, area) for command, area in DOCK_COMMANDS.items()}
        handlers |= {f"workspace.{name}": partial(self._enter, name) for name in WORKSPACES if name not in PAGES}
        return handlers

    def _save_layout(self) -> None:
        self._window.save_layout()
        told = "View ▸ Docks ▸ Saved Layout brings it back."
        self._context.messages.done(f"The layout of this workspace is saved. {told}")

    def _restore_layout(self) -> None:
        if not self._window.restore_layout():
            told = "View ▸ Docks ▸ Save Layout keeps how its docks are now."
            self._context.messages.info(told, title="No layout of this workspace was saved.")
        self.refresh()

    def _detach(self) -> None:
        workspace = self._context.workspaces.workspace
        title = TITLES.get(workspace, workspace.capitalize())
        if self._window.detached.toggle() is None and not self._window.detached_pages.toggle(title):
            told = "Click into it, or go there with F6, and press the key again."
            self._context.messages.info(told, title="No dock and no view has the keyboard.")
        self.refresh()

    def _toggle_area(self, area: Qt.DockWidgetArea) -> None:
        self._window.toggle_area(area)
        self.refresh()

    def bind(self, bar: CommandBar) -> None:
        """Take the commands whose check marks this keeps."""
        self._bar = bar
        self.refresh()

    def apply(self) -> None:
        """Let the window look as the preferences say."""
        chosen = self._context.preferences
        self._applied = _look_of(chosen)
        application = cast(QApplication, QApplication.instance())
        shown, colours = theme_for(chosen.theme), chosen.run_colours
        RUN_STYLES.choose(colours or RUN_COLOURS)
        apply_theme(
            application,
            shown.with_run_colours(colours) if colours else shown,
            chosen.text_percent,
            compact=chosen.compact,
            still=chosen.still,
        )

    def _preferred(self) -> None:
        if _look_of(self._context.preferences) != self._applied:
            self.apply()
            self.refresh()

    def set_theme(self, choice: str) -> None:
        self._context.prefer(theme=choice)
        self.refresh()  # the check mark, where the same one was chosen again

    def switch_theme(self) -> None:
        """From dark to light or back, by the rail's button."""
        self.set_theme("light" if theme.current().is_dark else "dark")

    def refresh(self) -> None:
        """Check marks as things are."""
        if self._bar is None:
            return
        window = self._window
        for command, choice in THEME_COMMANDS.items():
            self._bar.check(command, choice == self._context.preferences.theme)
        for command, area in DOCK_COMMANDS.items():
            self._bar.check(command, window.area_shown(area))
        for name in WORKSPACES:
            command = PAGE_COMMANDS.get(name, f"workspace.{name}")
            self._bar.check(command, name == window.workspace)
        self._bar.check("view.full_screen", window.isFullScreen())

    def _system_changed(self) -> None:
        if self._context.preferences.theme == "system":
            self.apply()

    def _scale_text(self, by: int) -> None:
        now = self._context.preferences.text_percent
        nearest = min(range(len(TEXT_PERCENTS)), key=lambda i: abs(TEXT_PERCENTS[i] - now))
        self._set_text(TEXT_PERCENTS[min(max(nearest + by, 0), len(TEXT_PERCENTS) - 1)])

    def _set_text(self, percent: int) -> None:
        self._context.prefer(text_percent=percent)

    def _toggle_full_screen(self) -> None:
        window = self._window
        (window.showNormal if window.isFullScreen() else window.showFullScreen)()
        self.refresh()


def _look_of(chosen: Preferences) -> tuple[object, ...]:
    return chosen.theme, chosen.text_percent, chosen.compact, chosen.still, chosen.run_colours
