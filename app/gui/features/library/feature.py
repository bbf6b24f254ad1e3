"""The library as the workbench knows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from stepscope.app.gui.features.library.filters_controller import FiltersController
from stepscope.app.gui.features.library.library_controller import LibraryController
from stepscope.app.gui.features.library.missing_data_controller import MissingDataController
from stepscope.app.gui.features.library.scope_controller import ScopeController
from stepscope.app.gui.shell.commands.bar import CommandBar
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.feature import Feature, Handlers
from stepscope.app.gui.shell.ports import LibraryViews
from stepscope.app.gui.shell.undo import UndoHistory


class LibraryFeature(Feature):
    """`run_names` gives the names of the shown runs by id."""

    id = "library"

    def __init__(
        self,
        context: Context,
        views: LibraryViews,
        history: UndoHistory,
        run_names: Callable[[], Mapping[str, str]],
    ) -> None:
        super().__init__(context)
        self.controller = LibraryController(context, views)
        self.missing = MissingDataController(context, self.controller, views.episodes)
        self.filters = FiltersController(context, views.episodes, self.controller.listing, history, run_names)
        self.scope = ScopeController(context, self.controller, views.episodes)
        self.controller.opened.connect(self.filters.count_soon)

    def handlers(self) -> Handlers:
        return self.controller.handlers() | self.filters.handlers() | self.scope.handlers()

    def bind(self, bar: CommandBar) -> None:
        self.scope.bind(bar)
        self.controller.opening.fill_recent_menu_of(bar.menu("&File"), before=bar.actions["open.sample"])
