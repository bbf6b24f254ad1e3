"""The list of devices: what is there, opening one of them, phones over the network."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from stepscope.app.gui.features.live.live_controller import LANE, NAME, LiveController
from stepscope.app.gui.shell.context import Context
from stepscope.core.device.device import DeviceInfo, DeviceKind, DeviceState
from stepscope.core.device.mirror import MirrorPhase, MirrorState
from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.widgets.format import duration

if TYPE_CHECKING:
    from stepscope.app.services.live import devices as live_devices
    from stepscope.app.services.live.devices import DeviceWatch
    from stepscope.widgets.live import DeviceRow
else:
    live_devices = lazy_module("stepscope.app.services.live.devices")

SIMULATED = "simulated"
TICK_MS = 1000


class LiveDevicesController(QObject):
    """Fills the list when the workspace is entered, and keeps it as adb tells."""

    _told = Signal(object)

    def __init__(self, context: Context, live: LiveController) -> None:
        super().__init__(context)
        self._context, self._live = context, live
        self._found: tuple[DeviceInfo, ...] = ()
        self._state: MirrorState | None = None
        self._seconds_lost = 0
        self._watch: DeviceWatch | None = None
        self._connected = False
        self._tick = QTimer(self)
        self._tick.setInterval(TICK_MS)
        self._tick.timeout.connect(self._count)
        self._told.connect(self._take, Qt.ConnectionType.QueuedConnection)
        live.session_changed.connect(self._session_changed)
        live.opening_changed.connect(lambda _serial: self._show())
        live.state_changed.connect(self._state_changed)

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "device.connect": self.show_connect_form,
            "device.simulated": lambda: self.open(SIMULATED),
            "device.refresh": self.refresh,
            "device.replay": self._open_data,
        }

    def enter(self) -> None:
        """The workspace comes to the front."""
        if not self._connected:
            self._connected = True
            panel, centre = self._live.parts.left.devices, self._live.parts.centre
            panel.refresh_requested.connect(self.refresh)
            panel.connect_requested.connect(self.open)
            panel.disconnect_requested.connect(self._disconnect)
            panel.forget_requested.connect(self._forget)
            panel.address_given.connect(self.connect_address)
            panel.pair_requested.connect(self._pair)
            centre.simulated_wanted.connect(lambda: self.open(SIMULATED))
            centre.connect_wanted.connect(self.show_connect_form)
            panel.set_loading(True)
            self.refresh()

    def show_connect_form(self) -> None:
        self._context.workspaces.set_workspace(NAME)
        self._live.parts.left.devices.show_connect_form()

    # The list --------------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Ask what is there, and from now on be told."""

        def look(_token: CancelToken) -> tuple[tuple[DeviceInfo, ...], str]:
            return live_devices.list_devices()

        self._context.start("list devices", look, self._listed, failed=self._not_listed, lane=LANE)
        if self._watch is None:
            self._watch = live_devices.DeviceWatch(self._told.emit)
            self._watch.start()

    def _listed(self, found: tuple[tuple[DeviceInfo, ...], str]) -> None:
        devices, problem = found
        panel = self._live.parts.left.devices
        panel.set_loading(False)
        panel.set_problem(problem)
        self._take(devices)

    def _not_listed(self, error: Exception) -> None:
        self._live.parts.left.devices.set_loading(False)
        self._live.failed(error)

    def _take(self, devices: Sequence[DeviceInfo]) -> None:
        self._found = tuple(devices)
        self._show()

    def _show(self) -> None:
        if not self._connected:
            return
        known = {info.serial for info in self._found}
        away = [
            DeviceInfo(
                address, address, DeviceKind.NETWORK, DeviceState.OFFLINE, hint="Not connected. Enter tries again."
            )
            for address in self._context.preferences.addresses
            if address not in known
        ]
        open_one = self._live.info
        if open_one is not None and open_one.serial not in known:
            away.append(open_one)
        self._live.parts.left.devices.set_devices([self._row(info) for info in (*self._found, *away)])

    def _row(self, info: DeviceInfo) -> DeviceRow:
        from stepscope.app.gui.features.live.presenter import device_row
        from stepscope.widgets.live import RowState

        kept = info.serial in self._context.preferences.addresses
        if info.serial != self._live.serial:
            return device_row(info, forgettable=kept)
        phase = self._state.phase if self._state is not None else MirrorPhase.CONNECTING
        if phase is MirrorPhase.LOST and self._state is not None:
            words = f"lost {duration(self._seconds_lost)} ago, attempt {self._state.attempt}"
            return device_row(info, state=RowState.BACK_SOON, detail=words, forgettable=kept)
        state = RowState.LIVE if phase is MirrorPhase.LIVE else RowState.CONNECTING
        return device_row(info, state=state, forgettable=kept)

    # Opening ---------------------------------------------------------------------------------------------------------

    def open(self, serial: str) -> None:
        """Bring the workspace to the front and show the device's screen."""
        self._context.workspaces.set_workspace(NAME)
        if serial == self._live.serial:
            return
        info = next((info for info in self._found if info.serial == serial), None)
        if info is None and serial in self._context.preferences.addresses:
            self.connect_address(serial)
            return
        if info is None:
            info = live_devices.info_of(serial)
        if info.state is not DeviceState.READY:
            self._context.messages.warning(info.hint or "This device cannot be used now.", title=f"{info.name}.")
            return

        def opener(tell: Callable[[str], object]) -> object:
            return live_devices.open_device(serial)

        self._live.open_with(info, opener)  # type: ignore[arg-type]

    def _open_data(self) -> None:
        """The open data's recordings as a device."""
        source = self._context.selection.source
        if source is not None:
            self.open(f"replay:{source.source.path}")

    def connect_address(self, address: str) -> None:
        """Connect a phone over the network, and open it."""
        panel = self._live.parts.left.devices
        panel.connect_busy(f"Connecting to {address}")

        def connect(_token: CancelToken) -> DeviceInfo:
            return live_devices.connect_address(address)

        def connected(info: DeviceInfo) -> None:
            panel.connect_done()
            if address not in self._context.preferences.addresses:
                self._context.prefer(addresses=(*self._context.preferences.addresses, address))
            self._take((*(one for one in self._found if one.serial != info.serial), info))
            self.open(info.serial)

        self._context.start(f"connect {address}", connect, connected, failed=self._not_connected, lane=LANE)

    def _pair(self, address: str, code: str) -> None:
        panel = self._live.parts.left.devices
        panel.connect_busy(f"Pairing with {address}")

        def pair(_token: CancelToken) -> None:
            live_devices.pair_address(address, code)

        paired = "Paired. Now enter the address that the phone shows for connecting."
        self._context.start(
            f"pair {address}", pair, lambda _nothing: panel.paired(paired), failed=self._not_connected, lane=LANE
        )

    def _not_connected(self, error: Exception) -> None:
        if not isinstance(error, UserError):
            raise error
        self._live.parts.left.devices.connect_failed(f"{error.message} {error.hint}".strip())

    def _disconnect(self, serial: str) -> None:
        """Let a device go; a phone of the network by adb too."""
        if serial == self._live.serial:
            self._live.close_device()
        known = next((info for info in self._found if info.serial == serial), None)
        if known is not None and known.kind is DeviceKind.NETWORK:

            def disconnect(_token: CancelToken) -> None:
                live_devices.disconnect_address(serial)

            self._context.start(f"disconnect {serial}", disconnect, lambda _nothing: self.refresh(), lane=LANE)

    def _forget(self, serial: str) -> None:
        rest = tuple(address for address in self._context.preferences.addresses if address != serial)
        self._context.prefer(addresses=rest)
        self._show()

    # State -----------------------------------------------------------------------------------------------------------

    def _session_changed(self) -> None:
        self._state = None
        self._tick.stop()
        self._show()

    def _state_changed(self, state: MirrorState) -> None:
        if state.phase is MirrorPhase.LOST and (self._state is None or self._state.phase is not MirrorPhase.LOST):
            self._seconds_lost = 0
            self._tick.start()
            self._live.log("problem", f"Lost: {state.why}")
        elif state.phase is not MirrorPhase.LOST:
            self._tick.stop()
        if state.phase is MirrorPhase.LIVE:
            self._live.log("news", "The picture comes")
        self._state = state
        self._show()

    def _count(self) -> None:
        self._seconds_lost += 1
        self._show()

    def end(self) -> None:
        """The window is closing."""
        self._tick.stop()
        if self._watch is not None:
            self._watch.close()
            self._watch = None
