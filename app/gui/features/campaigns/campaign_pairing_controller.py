"""Pairing a category in a process of its own, and what its clusters would give."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import Any

from PySide6.QtCore import QObject, Signal

from stepscope.app.gui.features.campaigns.presenter import pairing_view
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.tasks import BackgroundTask
from stepscope.app.services.campaigns.goal_picture import Method
from stepscope.app.services.campaigns.pairing import AppGroup, close_apps, pairs_of
from stepscope.app.services.campaigns.pairing_work import PairingRequest, PairingResult, PairingStage, pair_goals
from stepscope.app.services.worker import PairingJob, WorkProcess
from stepscope.core.domain.campaign import Pair, WholeCampaign, titles
from stepscope.core.errors import UserError
from stepscope.core.progress import CancelToken
from stepscope.widgets.campaigns import PairingChoice
from stepscope.widgets.campaigns.pairing_page import PairingPage

Events = Callable[[PairingRequest, CancelToken], Iterator[Any]]


def elsewhere(request: PairingRequest, token: CancelToken) -> Iterator[Any]:
    """The events out of a process of its own, which ends with the work."""
    worker = WorkProcess("the pairing", "Try it again.")
    try:
        yield from worker.run(PairingJob(request), token)
    finally:
        worker.close()


def here(request: PairingRequest, token: CancelToken) -> Iterator[Any]:
    """The same in this thread."""
    yield from pair_goals(request, token)


class CampaignPairing(QObject):
    """`accepted` carries the category and the pairs that the person wants. `work` does the long part."""

    accepted = Signal(str, object)

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self.work: Events = elsewhere
        self._page: PairingPage | None = None
        self._whole: WholeCampaign | None = None
        self._task: BackgroundTask | None = None
        self._found: tuple[str, PairingRequest, PairingResult] | None = None
        self.pairs: tuple[Pair, ...] = ()
        """what the clusters that are shown would give"""

    def connect_page(self, page: PairingPage) -> None:
        self._page = page
        page.pair_requested.connect(self.start)
        page.cancel_requested.connect(self.cancel)
        page.options_changed.connect(lambda _grouped, _originals: self._show())
        page.accepted.connect(self._accept)

    def campaign_shown(self, whole: WholeCampaign | None, page: PairingPage | None) -> None:
        """Show another campaign, or the same one changed; clusters of goals that it no longer has are dropped."""
        self._whole = whole
        if self._found is None or page is None:
            return
        name, request, _result = self._found
        if whole is None or whole.campaign.name != name or set(request.goals) != set(_goals(whole, request.category)):
            self._found = None
            page.set_found(None)

    def start(self, choice: PairingChoice) -> None:
        """Cluster the goals of a category."""
        whole = self._whole
        if whole is None or self._task is not None:
            return
        method = Method(choice.method) if choice.method else None
        request = PairingRequest(choice.category, _goals(whole, choice.category), choice.k, choice.seed, method)
        name, work = whole.campaign.name, self.work
        task = self._task = self._context.start(
            "Pairing",
            lambda token: _last(work(request, token)),
            lambda result: self._take(name, request, result),
            failed=self._failed,
            lane="index",
        )
        task.progressed.connect(self._progressed)
        task.finished.connect(self._finished)
        self._on_page(lambda page: page.set_working("Waiting", 0, None))

    def cancel(self) -> None:
        """Ends after the clusters or the picture in hand."""
        if self._task is not None:
            self._task.cancel()
            self._on_page(lambda page: page.set_working("Stopping", 0, None))

    def close(self) -> None:
        """The window is closed."""
        self.cancel()
        self._page, self._whole, self._found = None, None, None

    def _progressed(self, stage: PairingStage) -> None:
        done, total = (stage.progress.done, stage.progress.total) if stage.progress else (0, None)
        self._on_page(lambda page: page.set_working(stage.doing, done, total))

    def _finished(self) -> None:
        self._task = None
        self._on_page(lambda page: page.set_working("", 0, None))

    def _failed(self, error: Exception) -> None:
        self._finished()
        if isinstance(error, UserError) and self._page is not None:
            self._page.set_found(None)
            self._page.tell(str(error))
        else:
            self._context.messages.failure(error)

    def _take(self, name: str, request: PairingRequest, result: PairingResult | None) -> None:
        if result is not None and self._whole is not None and self._whole.campaign.name == name:
            self._found = name, request, result
            self._show()

    def _show(self) -> None:
        if self._found is None or self._whole is None or self._page is None:
            return
        page, contents = self._page, self._whole.contents
        _name, request, result = self._found
        groups = close_apps(result.clustering)
        accepted: tuple[AppGroup, ...] = groups if page.grouped.isChecked() else ()
        apps = [app.package for app in contents.apps if app.category == request.category]
        self.pairs = pairs_of(result.clustering, apps, accepted, originals=page.originals.isChecked())
        page.set_found(pairing_view(request, result, titles(contents.apps), groups, accepted, self.pairs))

    def _accept(self) -> None:
        if self._found is not None:
            self.accepted.emit(self._found[1].category, self.pairs)

    def _on_page(self, do: Callable[[PairingPage], object]) -> None:
        if self._page is not None:
            do(self._page)


def _goals(whole: WholeCampaign, category: str) -> tuple[Any, ...]:
    apps = {app.package for app in whole.contents.apps if app.category == category}
    return tuple(goal for goal in whole.contents.goals if goal.app in apps)


def _last(events: Iterator[Any]) -> Generator[PairingStage, None, PairingResult | None]:
    """Stages as progress; the result is the value of the generator, None when it was cancelled."""
    result = None
    for event in events:
        if isinstance(event, PairingStage):
            yield event
        else:
            result = event
    return result
