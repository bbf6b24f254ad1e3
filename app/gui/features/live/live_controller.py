"""The Live workspace: which device is open, its picture, what the person does to it. What is seen of the screen, what
is recorded and what an agent does are controllers of their own, which go through this one's session."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.futures import FutureCallbacks
from stepscope.app.gui.shell.ports import LiveViews
from stepscope.app.gui.shell.tasks import BackgroundTask
from stepscope.core.device.device import Device, DeviceCapability, DeviceInfo
from stepscope.core.device.mirror import MirrorPhase, MirrorState
from stepscope.core.device.session import LiveSession, PerformedAction
from stepscope.core.domain.action import Action, DoubleTap, LongPress, PressKey, Scroll, Swipe, Tap, Type
from stepscope.core.domain.geometry import Direction, Point
from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken

if TYPE_CHECKING:
    from stepscope.app.gui.features.live import presenter
    from stepscope.widgets.live import LogLineKind
    from stepscope.widgets.live.parts import LiveParts
else:
    presenter = lazy_module("stepscope.app.gui.features.live.presenter")  # it stands on the views

NAME = "live"
LANE = "index"
COUNTS_MS = 500
InputInterceptor = Callable[[Action, int | None], bool]


class LiveController(QObject):
    """`session_changed()`: another device, or none, is open. `acted(PerformedAction)`: something was done on it, by
    whomever. `state_changed(MirrorState)`: its picture came, went, comes back. `frame_shown()`: it is painted.

    Whoever is to record what is done, or to know it at once, listens to `current.performed`.
    """

    session_changed = Signal()
    acted = Signal(object)
    state_changed = Signal(object)
    frame_shown = Signal()
    opening_changed = Signal(str)
    """serial of the device that is being opened, "" for none"""

    _frame_came = Signal()
    _state_came = Signal(object, object)
    _act_came = Signal(object, object)

    def __init__(self, context: Context, views: LiveViews) -> None:
        super().__init__(context)
        self._context, self._views = context, views
        self.current: LiveSession | None = None
        self.info: DeviceInfo | None = None
        self._interceptors: list[InputInterceptor] = []
        self.answers = FutureCallbacks(self.failed, self)
        self._made = False
        self._opening: BackgroundTask | None = None
        self._wanted = ""
        self._notes_told = 0
        self._size_words = ""
        self._counts = QTimer(self)
        self._counts.setInterval(COUNTS_MS)
        self._counts.timeout.connect(self._show_counts)
        queued = Qt.ConnectionType.QueuedConnection
        self._frame_came.connect(self._wake, queued)
        self._state_came.connect(self._take_state, queued)
        self._act_came.connect(self._take_act, queued)
        context.workspaces.workspace_changed.connect(lambda _name: self._show_size())

    @property
    def parts(self) -> LiveParts:
        """The views; made and connected when first asked for."""
        parts = self._views.live
        if not self._made:
            self._made = True
            self._connect(parts)
        return parts

    @property
    def is_made(self) -> bool:
        return self._made

    @property
    def serial(self) -> str:
        """Serial number of the device that is open or being opened, "" for none."""
        return self._wanted or (self.info.serial if self.info is not None else "")

    def _connect(self, parts: LiveParts) -> None:
        view, strip, title = parts.centre.view, parts.centre.strip, parts.centre.title
        view.tapped.connect(lambda point: self.act(Tap(point)))
        view.double_tapped.connect(lambda point: self.act(DoubleTap(point)))
        view.long_pressed.connect(lambda point: self.act(LongPress(point)))
        view.swiped.connect(lambda start, end, ms: self.act(Swipe(start, end), ms))
        view.scrolled.connect(self._scroll)
        view.back_wanted.connect(partial(self.press, "back"))
        view.home_wanted.connect(partial(self.press, "home"))
        view.key_pressed.connect(self.press)
        view.text_typed.connect(lambda text: self.act(Type(text)))
        view.text_pasted.connect(lambda text: self.act(Type(text)))
        view.size_wanted.connect(self._fit)
        view.frame_painted.connect(self._painted)
        title.reconnect_clicked.connect(self.reconnect)
        strip.wanted.connect(self._tool)
        view.keys_mode_changed.connect(lambda on: self._context.conditions.set("keys_to_device", on))

    def handlers(self) -> dict[str, Callable[[], object]]:
        keys = {f"device.{key}": partial(self.press, key) for key in ("back", "home", "recents", "power")}
        return keys | {
            "device.rotate": self.rotate,
            "device.keys": self._toggle_keys,
            "device.freeze": self._toggle_picture,
            "device.reconnect": self.reconnect,
            "device.disconnect": self.close_device,
        }

    # Which device ----------------------------------------------------------------------------------------------------

    def open_with(self, info: DeviceInfo, opener: Callable[[Callable[[str], object]], Device]) -> None:
        """Open a device in the background and show it; `opener` gets a callable that takes words of its progress."""
        self.close_device()
        self._wanted, parts = info.serial, self.parts
        parts.centre.show_device(info.name)
        parts.centre.set_notice(presenter.starting_words(info.name))
        self.opening_changed.emit(info.serial)

        def work(token: CancelToken) -> Device | None:
            device = opener(lambda words: None)
            if token.cancelled:
                device.close()
                return None
            return device

        task = self._context.start(
            f"open {info.name}",
            work,
            partial(self._opened, info),
            failed=partial(self._not_opened, info),
            lane=LANE,
        )
        self._opening = task

    def _opened(self, info: DeviceInfo, device: Device | None) -> None:
        if device is None or self._wanted != info.serial:
            if device is not None:
                self._context.start("close device", lambda _token: device.close(), lane=LANE)
            return
        self._opening, self._wanted = None, ""
        self.info = device.info
        session = LiveSession(device, self._frame_came.emit, lambda state: self._state_came.emit(session, state))
        session.performed.add(partial(self._act_came.emit, session))
        self.current, self._notes_told = session, 0
        parts = self.parts
        without = frozenset() if DeviceCapability.ROTATE in device.abilities else frozenset({"rotate"})
        parts.centre.strip.set_enabled(on=True, without=without)
        parts.centre.view.set_source(session.mirror.newest)
        self._hold(device)
        session.start()
        self._counts.start()
        self.opening_changed.emit("")
        self.session_changed.emit()
        parts.centre.view.setFocus()

    def _not_opened(self, info: DeviceInfo, error: Exception) -> None:
        if self._wanted == info.serial:
            self._wanted, self._opening = "", None
            self.parts.centre.show_device("")
            self.opening_changed.emit("")
        self.failed(error)

    def _hold(self, device: Device | None) -> None:
        conditions = self._context.conditions
        conditions.set("device", device is not None)
        conditions.set("installs", device is not None and DeviceCapability.INSTALL in device.abilities)
        conditions.set("rotates", device is not None and DeviceCapability.ROTATE in device.abilities)

    def close_device(self) -> None:
        """Let go of the device; its threads end in the background."""
        if self._opening is not None:
            self._opening.cancel()
            self._opening, self._wanted = None, ""
            self.opening_changed.emit("")
        session = self._let_go()
        if session is not None:
            self._context.start("close device", lambda _token: session.close(), lane=LANE)
        if self._made:
            self.parts.centre.show_device("")

    def _let_go(self) -> LiveSession | None:
        session, self.current, self.info = self.current, None, None
        self._counts.stop()
        if session is not None:
            self.parts.centre.view.set_source(None)
            self._hold(None)
            self._show_size()
            self.session_changed.emit()
        return session

    def end(self) -> None:
        """The window is closing: end all threads before it goes."""
        self.answers.silence()
        if self._opening is not None:
            self._opening.cancel()
        session = self._let_go()
        if session is not None:
            session.close()

    def reconnect(self) -> None:
        """Try to come back now."""
        if self.current is not None:
            self.current.mirror.reconnect()

    # What is done ----------------------------------------------------------------------------------------------------

    def add_interceptor(self, takes_over: InputInterceptor) -> None:
        """Ask it about everything that the person does to the device. What it takes over (True) is not done here, and
        no other is asked: an agent takes it as a correction."""
        self._interceptors.append(takes_over)

    def act(self, action: Action, milliseconds: int | None = None) -> None:
        """Do a person's action on the device."""
        if any(takes_over(action, milliseconds) for takes_over in self._interceptors):
            return
        if self.current is not None:
            self.answers.when(self.current.act(action, milliseconds=milliseconds))

    def press(self, key: str) -> None:
        self.act(PressKey(key))

    def _tool(self, tool: str) -> None:
        if tool == "rotate":
            self.rotate()
        elif tool != "shot":
            self.press(tool)

    def _scroll(self, direction: Direction, point: Point) -> None:
        self.act(Scroll(direction, point))

    def rotate(self) -> None:
        if self.current is not None:
            self.answers.when(self.current.do(lambda device: device.rotate()))

    def _toggle_keys(self) -> None:
        view = self.parts.centre.view
        view.set_keys_mode(not view.keys_mode)

    def _toggle_picture(self) -> None:
        view, title = self.parts.centre.view, self.parts.centre.title
        view.set_paused(not view.is_paused)
        title.set_paused(view.is_paused)

    # What comes of it ------------------------------------------------------------------------------------------------

    def _wake(self) -> None:
        if self.current is not None:
            self.parts.centre.view.wake()

    def _painted(self, frame: object) -> None:
        self._show_size()
        self.frame_shown.emit()

    def _show_size(self) -> None:
        """The size of the device's picture in the status line, while the mirror is in front."""
        in_front = self.current is not None and self._context.workspaces.workspace == NAME
        frame = self.parts.centre.view.frame if in_front else None
        words = f"{frame.size}" if frame is not None else ""
        if words != self._size_words:
            self._size_words = words
            self._context.status.put("mirror", words, "The device's picture" if words else "")

    def _fit(self, size: object) -> None:
        if self.current is not None:
            self.current.mirror.fit(size)  # type: ignore[arg-type]

    def _take_state(self, session: LiveSession, state: MirrorState) -> None:
        if session is not self.current:
            return
        self.parts.centre.set_notice(presenter.notice(state, self.info.name if self.info else ""))
        self.state_changed.emit(state)

    def _take_act(self, session: LiveSession, acted: PerformedAction) -> None:
        if session is self.current:
            self.log("done", presenter.acted_line(acted))
            self.acted.emit(acted)

    def _show_counts(self) -> None:
        if self.current is None:
            return
        counts = self.current.mirror.newest.counts()
        live = self.current.mirror.state.phase is MirrorPhase.LIVE
        rate = counts.per_second if live else None
        self.parts.centre.title.show_counts(rate, counts.behind_ms, counts.skipped)
        self._show_condition(self.current)

    def _show_condition(self, session: LiveSession) -> None:
        """What is the matter with a picture that comes, over it, and what the device found on its way, in the log."""
        words, notes = session.device.condition, session.device.notes
        phase = session.mirror.state.phase
        if phase is MirrorPhase.LIVE or (phase is MirrorPhase.CONNECTING and words):
            self.parts.centre.set_notice(words, touchable=True)
        for note in notes[self._notes_told :]:
            self.log("news", note)
        self._notes_told = len(notes)

    # Telling ---------------------------------------------------------------------------------------------------------

    def log(self, kind: str, words: str, detail: str = "") -> None:
        """Put a line into the device's log; `kind` is a `LogLineKind`'s value."""
        from stepscope.widgets.live import LogLine, LogLineKind

        which: LogLineKind = LogLineKind(kind)
        self.parts.side.log.add(LogLine(time.time(), which, words, detail))

    def failed(self, error: Exception) -> None:
        """Expected trouble is told once, and kept in the log."""
        if isinstance(error, UserError):
            self.log("problem", error.message, str(error))
        self._context.messages.failure(error)
