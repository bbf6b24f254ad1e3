"""Preferences as the workbench knows them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from stepscope.app.gui.shell.commands.bar import CommandBar
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.feature import Handlers, LateFeature
from stepscope.app.gui.shell.ports import PreferencesViews
from stepscope.core import limits

if TYPE_CHECKING:
    from stepscope.app.gui.features.preferences.preferences_controller import PreferencesController
    from stepscope.widgets.shell.palette.palette_row import PaletteRow


class PreferencesFeature(LateFeature):
    """Keeps limits and keys as the preferences have them, from the start on; the page is built when it is first shown.
    Limits that a person chose before are in force unless this program was started with others."""

    id = "preferences"
    views = ("preferences",)
    commands = ("app.preferences", "keys.change")

    def __init__(self, context: Context, views: PreferencesViews) -> None:
        super().__init__(context)
        self._views = views
        self._bar: CommandBar | None = None
        self._controller: PreferencesController | None = None
        self._limits = context.preferences.limits
        self._keys: tuple[tuple[str, tuple[str, ...]], ...] = ()
        kept = {name: value for name, value in self._limits if name in limits.LIMITS and value > 0}
        if kept:
            limits.choose(kept | limits.chosen_limits())
        context.preferences_changed.connect(self._follow)

    @property
    def controller(self) -> PreferencesController:
        """Builds the page."""
        self.build()
        assert self._controller is not None
        return self._controller

    def bind(self, bar: CommandBar) -> None:
        self._bar = bar
        self._follow()

    def enter(self) -> None:
        self.controller.enter()

    def palette_rows(self) -> list[PaletteRow]:
        """The settings as the palette offers them, by the pages where they stand."""
        from stepscope.app.gui.features.preferences import setting_offer

        return setting_offer.palette_rows()

    def show_setting(self, setting: str) -> None:
        """Bring the page of a setting to the front, with the keyboard on it."""
        self._context.workspaces.set_workspace(self.id)
        self.controller.show_setting(setting)

    def _follow(self) -> None:
        chosen = self._context.preferences
        if chosen.limits != self._limits:
            self._limits = chosen.limits
            limits.choose({name: value for name, value in chosen.limits if name in limits.LIMITS})
        if self._bar is not None and chosen.keys != self._keys:
            self._keys = chosen.keys
            self._bar.choose_keys(dict(chosen.keys))

    def _build(self) -> tuple[Handlers, Handlers]:
        from stepscope.app.gui.features.preferences.preferences_controller import PreferencesController

        assert self._bar is not None
        self._controller = PreferencesController(self._context, self._views.preferences, self._bar)
        toggle = partial(self._context.workspaces.toggle_page, self.id)
        return {"app.preferences": toggle, "keys.change": self._show_keys}, {}

    def _show_keys(self) -> None:
        self._context.workspaces.set_workspace(self.id)
        self.controller.show_keys()
