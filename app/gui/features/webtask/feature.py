"""Web tasks as the workbench knows them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.episode_viewer import EpisodeViewer
from stepscope.app.gui.shell.export_work import ExportWork
from stepscope.app.gui.shell.feature import Handlers, LateFeature
from stepscope.app.gui.shell.ports import Library, ShowForm, WebTaskViews

if TYPE_CHECKING:
    from stepscope.app.gui.features.webtask.webtask_workspace import WebTaskWorkspace

OFFER = "Its pages can be filled in, by you and by models."


class WebTaskFeature(LateFeature):
    """`run_command` runs a command of the window by its id."""

    id = "webtask"
    commands = (
        "webtask.submit", "webtask.undo", "webtask.redo", "webtask.reload", "webtask.take_back", "webtask.solve",
        "webtask.stop", "webtask.export", "webtask.import", "webtask.worst", "webtask.keep", "webtask.check",
        "webtask.people", "webtask.picture",
    )  # fmt: skip
    keys = (
        "step.next", "step.previous", "step.first", "step.last", "wrong.next", "wrong.previous",
        "layer.reference", "layer.tree", "zoom.in", "zoom.out", "zoom.fit",
    )  # fmt: skip
    modules = (
        "stepscope.app.gui.features.webtask.webtask_workspace",
        "stepscope.app.gui.features.webtask.presenter",
        "stepscope.app.services.webtask.annotations",
        "stepscope.app.services.webtask.people",
        "stepscope.widgets.webtask.parts",
    )

    def __init__(
        self,
        context: Context,
        views: WebTaskViews,
        library: Library,
        viewer: EpisodeViewer,
        show_form: ShowForm,
        exports: ExportWork,
        run_command: Callable[[str], object],
    ) -> None:
        super().__init__(context)
        self._library, self._viewer, self._show_form, self._exports = library, viewer, show_form, exports
        self._views, self._run_command = views, run_command
        self._workspace: WebTaskWorkspace | None = None
        self._told: set[str] = set()
        context.selection.source_changed.connect(self._offer)

    @property
    def workspace(self) -> WebTaskWorkspace:
        self.build()
        assert self._workspace is not None
        return self._workspace

    def enter(self) -> None:
        self._context.messages.settle(OFFER)
        run = self._run_command
        self.workspace.enter(
            lambda: run("open.folder"), lambda: run("open.sample_web"), lambda: run("evaluate.webtask")
        )

    def show_run(self, run: str) -> None:
        """The next page that is opened shows what this run left there."""
        self.workspace.show_run(run)

    def end(self) -> None:
        """Drafts are kept, the page's process ends."""
        if self._workspace is not None:
            self._workspace.end()

    def keep_last(self) -> None:
        """All other work has come to rest: keep the last answers. Raises UserError where that fails."""
        if self._workspace is not None:
            self._workspace.people.keep_last()

    def _offer(self) -> None:
        """Web tasks that are opened in another workspace have their pages here."""
        self._context.messages.settle(OFFER)
        source = self._context.selection.source
        is_in_front = self._context.workspaces.workspace == self.id
        if source is None or is_in_front or source.key in self._told or not source.has_web_tasks:
            return
        self._told.add(source.key)
        button = ("workspace.webtask", "Open pages")
        self._context.messages.info(OFFER, button, title=f"{source.title} has web tasks.", about=OFFER)

    def _build(self) -> tuple[Handlers, Handlers]:
        from stepscope.app.gui.features.webtask.webtask_workspace import WebTaskWorkspace

        self._workspace = WebTaskWorkspace(
            self._context, self._views, self._library, self._viewer, self._show_form, self._exports
        )
        return self._workspace.handlers(), self._workspace.own_keys()
