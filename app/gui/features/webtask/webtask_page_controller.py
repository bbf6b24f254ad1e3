"""The page in the middle of the Web task workspace: its process, its picture, hands and keys that go to it, the hosts
that it may reach. What the page means is the business of others, who listen here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as FutureTimeout
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.futures import FutureCallbacks
from stepscope.app.gui.shell.ports import WebTaskViews
from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.app.services.webtask.live_page import ActionResult, LivePage, PageSnapshot
    from stepscope.core.domain.elements import UITree
    from stepscope.core.domain.prediction import Prediction
    from stepscope.core.webtask import actions, events
    from stepscope.core.webtask.actions import PageAction
    from stepscope.core.webtask.events import DropDownOpened, Hand, PageEvent
    from stepscope.core.webtask.page import BlockedRequest, ExecutedCall, PageLook, PageSource
    from stepscope.core.webtask.predictor import PreparedPage
    from stepscope.core.webtask.solving import Solver
    from stepscope.widgets.webtask import RenderSize
    from stepscope.widgets.webtask.parts import WebTaskParts
else:
    actions = lazy_module("stepscope.core.webtask.actions")
    events = lazy_module("stepscope.core.webtask.events")


class WebTaskPageController(QObject):
    """`brought(PageSnapshot)`: the page stands as it was asked for. `changed(PageLook)`: it was filled in or scrolled.
    `submitted(dict)`: the page's own button was pressed. `hosts_changed()`: it is to be opened anew, for other hosts
    may be reached. `lost(str)`: its process ended, why."""

    brought = Signal(object)
    changed = Signal(object)
    submitted = Signal(dict)
    hosts_changed = Signal()
    lost = Signal(str)

    _heard = Signal(object)

    def __init__(self, context: Context, views: WebTaskViews) -> None:
        super().__init__(context)
        self._context, self._views = context, views
        self._live: LivePage | None = None
        self._connected = False
        self._wanted: Future[PageSnapshot] | None = None
        self._list_field = ""
        self._looking = self._look_again = self._picture_due = False
        self.allowed: frozenset[str] = frozenset()
        self.blocked: tuple[BlockedRequest, ...] = ()
        self.look: PageLook | None = None
        self.is_ready = False
        """the page stands where it was asked for"""
        self.answers = FutureCallbacks(self.failed, self)
        self._heard.connect(self._take, Qt.ConnectionType.QueuedConnection)
        context.workspaces.workspace_changed.connect(self._look_or_rest)

    @property
    def parts(self) -> WebTaskParts:
        """The views; made and connected when first asked for."""
        parts = self._views.webtask
        if not self._connected:
            self._connected = True
            self._connect(parts)
        return parts

    @property
    def is_made(self) -> bool:
        return self._connected

    def _connect(self, parts: WebTaskParts) -> None:
        centre = parts.centre
        centre.view.hand.connect(self._send)
        centre.view.size_wanted.connect(self._resize)
        centre.view.list_chosen.connect(self._choose)
        centre.reload_wanted.connect(self.hosts_changed)
        centre.host_allowed.connect(self._allow)
        centre.tools.layers_changed.connect(lambda _fields, _elements: self._read_elements())

    # Showing ---------------------------------------------------------------------------------------------------------

    def forget(self) -> None:
        """Ignore what still comes of the page and answers before: others are on their way."""
        self._wanted, self.is_ready = None, False

    def look_again(self, done: Callable[[PageLook], object]) -> None:
        """Read what stands in the page at this moment, before anything else is done to it; nothing where it is lost."""
        if self._live is not None:
            self.answers.when(self._live.look(), done, lambda _error: None)

    def look_now(self, seconds: float) -> PageLook | None:
        """The same, waited for; None where it is lost or takes longer."""
        if self._live is None:
            return None
        try:
            return self._live.look().result(seconds)
        except (UserError, RuntimeError, FutureTimeout, CancelledError):
            return None

    def show(
        self, source: PageSource, log: Sequence[ExecutedCall] = (), upto: int | None = None, *, fresh: bool = False
    ) -> None:
        """Bring the page there; `brought` tells when it stands. Calls that name places of the screen need the screen
        that they were made for."""
        self.is_ready = False
        self._fix(any(isinstance(one.action, actions.PLACED) for one in log))
        self.parts.centre.set_busy("Opening page…")
        future = self._page().show(source, log, upto, fresh=fresh)
        self._wanted = future
        self.answers.when(future, lambda shown: self._brought(future, shown), lambda error: self._not(future, error))

    def do(self, action: PageAction, done: Callable[[ActionResult], object]) -> None:
        """Call the action library; a failure is told in the message bar and in the log."""

        def did(what: ActionResult) -> None:
            self.look = what.look
            done(what)

        self.answers.when(self._page().do(action), did)

    def solve(self, prepared: PreparedPage, solver: Solver) -> Future[Prediction]:
        """Let a solver act on a page that is opened for it; what changes meanwhile is nobody's at the window."""
        self._wanted, self.is_ready = None, False
        self._fix(True)
        return self._page().solve(prepared, solver)

    def _fix(self, fixed: bool) -> None:
        """Draw the page at the size that evaluations have, or at the window's."""
        from stepscope.core.webtask.page import VIEWPORT

        self.parts.centre.view.set_fixed(VIEWPORT if fixed else None)

    def clear(self) -> None:
        """Show no page."""
        self._wanted, self.look, self.is_ready = None, None, False
        if self._connected:
            self.parts.centre.set_task("")

    def end(self) -> None:
        """The window is closing."""
        self.answers.silence()
        live, self._live = self._live, None
        if live is not None:
            live.close()

    def failed(self, error: Exception) -> None:
        self._context.messages.failure(error)

    def _page(self) -> LivePage:
        if self._live is None:
            from stepscope.app.services.webtask.live_page import LivePage

            wanted: RenderSize = self.parts.centre.view.wanted
            self._live = LivePage(self._hear, viewport=wanted.viewport, scale=wanted.scale)
            if self.allowed:
                self._live.allow(self.allowed)
        return self._live

    def _brought(self, future: Future[Any], shown: PageSnapshot) -> None:
        if future is not self._wanted:
            return
        self.look, self.is_ready = shown.look, True
        self._show_hosts()
        self._read_elements()
        self.parts.centre.set_busy("")
        self.parts.centre.set_lost("")
        self.brought.emit(shown)

    def _not(self, future: Future[Any], error: Exception) -> None:
        if future is not self._wanted:
            return
        self.parts.centre.set_busy("")
        words = error.message if isinstance(error, UserError) else str(error)
        self._lose(words)
        if not isinstance(error, UserError):
            self.failed(error)

    def _lose(self, words: str) -> None:
        self.is_ready = False
        self.parts.centre.set_lost(words)
        self.lost.emit(words)

    # What the page tells ---------------------------------------------------------------------------------------------

    def _hear(self, event: PageEvent) -> None:
        """Take an event in a thread of the browser. Of pictures only that there is a newer one: they never queue."""
        if not isinstance(event, events.FrameDrawn):
            self._heard.emit(event)
        elif not self._picture_due:
            self._picture_due = True
            self._heard.emit(event)

    def _show_picture(self) -> None:
        self._picture_due = False
        shot = self._live.newest() if self._live is not None else None
        if shot is not None:
            self.parts.centre.view.show_picture(shot.pixels)

    def _take(self, event: Any) -> None:
        if self._live is None:
            return
        view = self.parts.centre.view
        match event:
            case events.FrameDrawn():
                self._show_picture()
            case events.PageChanged(look) if self.is_ready:
                self.look = look
                self._read_elements()
                self.changed.emit(look)
            case events.PageSubmitted(values) if self.is_ready:
                self.submitted.emit(dict(values))
            case events.DropDownOpened():
                self._open_list(event)
            case events.DialogShown(words):
                self._context.messages.info(words, title="The page says:")
            case events.RequestBlocked():
                self._show_hosts()
            case events.TextCopied(text):
                QGuiApplication.clipboard().setText(text)
            case events.Pointing(shape):
                view.set_cursor_shape(shape)
            case events.PageProcessEnded(why):
                self._lose(why)

    def _open_list(self, event: DropDownOpened) -> None:
        self._list_field = event.field
        self.parts.centre.view.show_list(event.options, event.box, event.field)

    def _choose(self, value: str) -> None:
        self.do(actions.ModifySelect(self._list_field, value), lambda did: self.changed.emit(did.look))

    # Elements --------------------------------------------------------------------------------------------------------

    def _read_elements(self) -> None:
        """The boxes of all elements, while that layer is on; one look at a time, and another one where the page changed
        meanwhile."""
        _fields, wanted = self.parts.centre.tools.layers
        if not wanted or not self.is_ready or self._live is None:
            return
        if self._looking:
            self._look_again = True
            return
        self._looking, self._look_again = True, False
        self.answers.when(self._live.tree(), self._elements_came, lambda _error: self._elements_came(None))

    def _elements_came(self, tree: UITree | None) -> None:
        self._looking = False
        if tree is not None:
            self.parts.centre.view.set_elements([one.box for one in tree.elements if one.box is not None])
        if self._look_again:
            self._read_elements()

    def _look_or_rest(self, workspace: str) -> None:
        """A page in a workspace that is not in front draws no pictures."""
        if self._live is not None:
            self._live.watch(workspace == "webtask")

    # Hands -----------------------------------------------------------------------------------------------------------

    def _send(self, hand: Hand) -> None:
        if self._live is not None:
            self._live.send(hand)

    def _resize(self, wanted: RenderSize) -> None:
        if self._live is not None:
            self._live.resize(wanted.viewport, wanted.scale)

    # Hosts -----------------------------------------------------------------------------------------------------------

    def _allow(self, host: str, allowed: bool) -> None:
        """Let pages reach a host, or no more; the page is opened anew in another process."""
        self.allowed = self.allowed | {host} if allowed else self.allowed - {host}
        if self._live is not None:
            self._live.allow(self.allowed)
        self._show_hosts()
        self.hosts_changed.emit()

    def forbid_all(self) -> None:
        """Forbid every host: what was allowed for the data before is not for other data."""
        if self.allowed:
            self.allowed = frozenset()
            if self._live is not None:
                self._live.allow(())

    def _show_hosts(self) -> None:
        from stepscope.app.gui.features.webtask.presenter import hosts_of

        if self._live is not None:
            self.blocked = self._live.blocked
        self.parts.centre.set_hosts(hosts_of(self.blocked, self.allowed))
