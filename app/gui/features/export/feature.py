"""Exports as the workbench knows them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.export_work import ExportWork
from stepscope.app.gui.shell.feature import Handlers, LateFeature
from stepscope.app.gui.shell.ports import DrawnEpisode, ShownList, ShownResults

if TYPE_CHECKING:
    from stepscope.app.gui.features.export.bundle_import_controller import BundleImportController
    from stepscope.app.gui.features.export.export_controller import ExportController
    from stepscope.app.gui.features.export.export_episode_controller import EpisodeExportController
    from stepscope.app.gui.features.export.export_list_controller import ListExportController
    from stepscope.widgets.replay.centre import ReplayCentre
    from stepscope.widgets.results.items_filter import ItemsFilter


class ExportFeature(LateFeature):
    """`results` gives what the results workspace shows, `items` which of its items, `drawn` what is drawn over the
    shown episode."""

    id = "export"
    commands = (
        "export.csv", "export.html", "export.predictions", "export.latex", "export.rules", "export.pictures",
        "export.bundle", "import.bundle", "export.asks", "export.list", "export.picture", "export.animation",
        "export.page",
    )  # fmt: skip
    modules = (
        "stepscope.app.gui.features.export.export_controller",
        "stepscope.app.gui.features.export.export_list_controller",
        "stepscope.app.gui.features.export.export_episode_controller",
        "stepscope.app.gui.features.export.bundle_import_controller",
    )

    run_wanted = Signal(str)
    """id of an imported run whose results the person wants to see"""

    def __init__(
        self,
        context: Context,
        centre: ReplayCentre,
        results: Callable[[], ShownResults | None],
        items: Callable[[], ItemsFilter],
        episodes: ShownList,
        drawn: DrawnEpisode,
        work: ExportWork,
    ) -> None:
        super().__init__(context)
        self._results, self._items, self._episodes = results, items, episodes
        self._centre, self._drawn, self._work = centre, drawn, work
        self._controllers: tuple[ExportController, ListExportController, EpisodeExportController] | None = None
        self._bundles: BundleImportController | None = None

    @property
    def controllers(self) -> tuple[ExportController, ListExportController, EpisodeExportController]:
        """The controllers that export runs, the list, and the shown episode."""
        self.build()
        assert self._controllers is not None
        return self._controllers

    def import_bundle(self, path: str) -> None:
        """Bring in the run of a bundle."""
        self.build()
        assert self._bundles is not None
        self._bundles.take(Path(path))

    def _build(self) -> tuple[Handlers, Handlers]:
        from stepscope.app.gui.features.export.bundle_import_controller import BundleImportController
        from stepscope.app.gui.features.export.export_controller import ExportController
        from stepscope.app.gui.features.export.export_episode_controller import EpisodeExportController
        from stepscope.app.gui.features.export.export_list_controller import ListExportController

        runs = ExportController(self._context, self._results, self._items, self._work)
        episodes = ListExportController(self._context, self._episodes, self._work)
        episode = EpisodeExportController(self._context, self._centre, self._drawn, self._work)
        self._controllers = runs, episodes, episode
        bundles = self._bundles = BundleImportController(self._context, self._work)
        bundles.show_wanted.connect(self.run_wanted)
        return bundles.handlers() | runs.handlers() | episodes.handlers() | episode.handlers(), {}
