"""The adb server of this machine: find the program, start it, list, connect and pair devices, hear of changes."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

from stepscope.core.device.adb import link as wire
from stepscope.core.device.adb import reports
from stepscope.core.device.adb.link import AdbConnection
from stepscope.core.device.device import DeviceError, DeviceInfo, DeviceKind, DeviceState, DeviceTimeout
from stepscope.core.errors import UnavailableError, UserError

ADB_VARIABLE = "STEPSCOPE_ADB"
_START_SECONDS = 20.0
_CONNECT_SECONDS = 15.0
_DETAIL_SECONDS = 3.0
_RETRY_SECONDS = 1.0
_REMOVAL_TRIES, _REMOVAL_PAUSE = 20, 0.05
_LINE = re.compile(r"(\S+)\s+(no permissions.*?|\S+)((?:\s+[a-z_]+:\S+)*)\s*(?:;.*)?$")
_ADDRESS = re.compile(r"(\[[0-9a-fA-F:]+\]|[^\s:]+):(\d{1,5})")
_STATES = {
    "device": DeviceState.READY,
    "unauthorized": DeviceState.UNAUTHORISED,
    "authorizing": DeviceState.UNAUTHORISED,
    "offline": DeviceState.OFFLINE,
    "connecting": DeviceState.OFFLINE,
}
_HINTS = {
    DeviceState.READY: "",
    DeviceState.UNAUTHORISED: "Unlock the phone and allow USB debugging.",
    DeviceState.OFFLINE: "Unplug the phone and plug it in again; over the network, disconnect and connect again.",
    DeviceState.NO_PERMISSION: "Install the udev rules for Android (Debian: android-sdk-platform-tools-common), "
    "then plug the phone in again.",
    DeviceState.UNKNOWN: "Start the phone as usual; it is in a mode for repairs now.",
}
_NO_ADB = (
    "Install adb (Debian: apt install adb; else: pip install adbutils, which brings one), or name it in STEPSCOPE_ADB."
)
_PAIR_HINT = (
    "On the phone: Developer options, Wireless debugging, Pair device with pairing code; give the address and the code "
    "shown there. The address to connect to is another one, shown above it."
)


def find_adb(preferred: str | Path | None = None) -> Path | None:
    """The adb program: $STEPSCOPE_ADB, the preferred one, that in the PATH, the one inside adbutils; None without any.

    Raises UnavailableError where the variable names no program.
    """
    named = os.environ.get(ADB_VARIABLE)
    if named:
        found = shutil.which(named)
        if found is None:
            raise UnavailableError(f"{ADB_VARIABLE} names {named}, which is no program.", hint="Correct or remove it.")
        return Path(found)
    for name in (str(preferred) if preferred else "", "adb"):
        if name and (found := shutil.which(name)):
            return Path(found)
    return _bundled()


def _bundled() -> Path | None:
    spec = find_spec("adbutils")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        for name in ("adb", "adb.exe"):
            program = Path(folder) / "binaries" / name
            if program.is_file() and os.access(program, os.X_OK):
                return program
    return None


class AdbServer:
    """The server on this machine's loopback; the port is adb's own ($ANDROID_ADB_SERVER_PORT or 5037)."""

    def __init__(self, preferred: str | Path | None = None, port: int | None = None) -> None:
        self._preferred = preferred
        self.port = port if port is not None else wire.server_port()
        self._details: dict[str, tuple[str, str]] = {}
        self._lock = threading.Lock()

    def ensure(self) -> None:
        """Start the server unless one runs. Raises UnavailableError when there is no adb, or it does not start."""
        with self._lock:
            try:
                wire.answer(self.port, "host:version")
                return
            except UnavailableError:
                self._start()
            except DeviceError as error:
                raise UnavailableError(
                    f"something else than adb listens on port {self.port}.", hint="Set ANDROID_ADB_SERVER_PORT."
                ) from error

    def _start(self) -> None:
        program = find_adb(self._preferred)
        if program is None:
            raise UnavailableError("adb is not on this machine.", hint=_NO_ADB)
        environment = {**os.environ, wire.PORT_VARIABLE: str(self.port)}
        with tempfile.TemporaryFile() as said:  # a pipe would stay open with the server
            try:
                done = subprocess.run(
                    [program, "start-server"], env=environment, stdin=subprocess.DEVNULL, stdout=said, stderr=said,
                    timeout=_START_SECONDS, check=False,
                )  # fmt: skip
            except (OSError, subprocess.TimeoutExpired) as error:
                raise UnavailableError(f"the adb server does not start: {error}.", place=program) from error
            if done.returncode != 0:
                said.seek(0)
                words = said.read(4096).decode("utf-8", "replace").split("\n* ")[-1].strip()
                raise UnavailableError(f"the adb server does not start: {words}.", place=program)

    def link(self, serial: str) -> AdbConnection:
        """Talking to one device; nothing is opened yet."""
        return AdbConnection(serial, self.port, self.ensure)

    # List -------------------------------------------------------------------------------------------------------------

    def devices(self, *, details: bool = True) -> tuple[DeviceInfo, ...]:
        """The devices that adb knows, in its order. `details`: ask the ready ones for name, Android version and size,
        once for each; a device that does not answer within some seconds is listed without. Else what is known is told.

        Raises UnavailableError.
        """
        self.ensure()
        listed = parse_devices(wire.answer(self.port, "host:devices-l"))
        self._details = {info.serial: known for info in listed if (known := self._details.get(info.serial))}
        if not details:
            return tuple(self._with_details(info) for info in listed)
        ready = [info for info in listed if info.state is DeviceState.READY and info.serial not in self._details]
        if ready:
            with ThreadPoolExecutor(min(len(ready), 8), "adb details") as pool:
                for info, detail in zip(ready, pool.map(self._ask_details, ready), strict=True):
                    if detail is not None:
                        self._details[info.serial] = detail
        return tuple(self._with_details(info) for info in listed)

    def _ask_details(self, info: DeviceInfo) -> tuple[str, str] | None:
        link = self.link(info.serial)
        try:
            facts = reports.properties(link.text("getprop", seconds=_DETAIL_SECONDS))
            size = reports.physical_size(link.text("wm size", seconds=_DETAIL_SECONDS))
        except UserError:
            return None
        finally:
            link.close()
        release = facts.get(reports.RELEASE)
        parts = [f"Android {release}" if release else "", str(size) if size else ""]
        return facts.get(reports.MODEL) or info.name, " · ".join(filter(None, parts))

    def _with_details(self, info: DeviceInfo) -> DeviceInfo:
        known = self._details.get(info.serial)
        if known is None or info.state is not DeviceState.READY:
            return info
        return DeviceInfo(info.serial, known[0], info.kind, info.state, known[1], info.hint)

    def track(self) -> DeviceTrack:
        """The list, now and whenever it changes."""
        return DeviceTrack(self)

    # Network ----------------------------------------------------------------------------------------------------------

    def connect(self, address: str) -> str:
        """Connect to `host:port`; the serial under which the device is listed then. Raises DeviceError."""
        address = checked_address(address)
        self.ensure()
        said = self._connected(address)
        for _ in range(_REMOVAL_TRIES):
            if not said.startswith("already") or self._is_ready(serial := said.strip().rpartition(" ")[2]):
                break
            with contextlib.suppress(DeviceError):  # it was unplugged: adb keeps the dead connection, and lets go late
                self.disconnect(serial)
            time.sleep(_REMOVAL_PAUSE)
            said = self._connected(address)
        if not said.startswith(("connected to", "already connected to")):
            raise DeviceError(
                said.strip() or f"{address} cannot be reached",
                hint="Check the address. A phone with Android 11 or later has to be paired once before.",
            )
        return said.strip().rpartition(" ")[2]

    def _connected(self, address: str) -> str:
        try:
            return wire.answer(self.port, f"host:connect:{address}", _CONNECT_SECONDS)
        except DeviceTimeout as error:
            raise DeviceTimeout(
                f"{address} does not answer", hint="Is the phone in the same network, with wireless debugging on?"
            ) from error

    def _is_ready(self, serial: str) -> bool:
        listed = parse_devices(wire.answer(self.port, "host:devices-l"))
        return any(info.serial == serial and info.state is DeviceState.READY for info in listed)

    def disconnect(self, address: str) -> None:
        """Forget a device of the network. Raises DeviceError where there is none of that name."""
        self.ensure()
        wire.answer(self.port, f"host:disconnect:{address}")

    def pair(self, address: str, code: str) -> None:
        """Make this machine known to a phone with wireless debugging (Android 11 and later), once and for all."""
        address = checked_address(address)
        if not code.strip().isdecimal():
            raise DeviceError("the pairing code is the number of six digits that the phone shows", hint=_PAIR_HINT)
        self.ensure()
        try:
            said = wire.answer(self.port, f"host:pair:{code.strip()}:{address}", _CONNECT_SECONDS)
        except DeviceError as error:
            old = "unknown host service" in error.message
            hint = "This adb is too old to pair; pip install adbutils brings a newer one." if old else _PAIR_HINT
            raise DeviceError(f"not paired: {error.message.removeprefix('Failed: ')}", hint=hint) from error
        if not said.startswith("Successfully paired"):
            raise DeviceError(f"not paired: {said.strip()}", hint=_PAIR_HINT)


class DeviceTrack:
    """Lists of devices as they change, the first at once. One thread iterates; `close` is called from any."""

    def __init__(self, server: AdbServer) -> None:
        self._server = server
        self._closed = threading.Event()
        self._stream: wire.AdbStream | None = None

    def __iter__(self) -> Iterator[tuple[DeviceInfo, ...]]:
        """The devices at each change, until the track is closed; raises UnavailableError when there is no adb. A server
        that ends is started again."""
        while not self._closed.is_set():
            self._server.ensure()
            try:
                self._stream = stream = wire.ask(self._server.port, "host:track-devices")
                try:
                    yield from self._lists(stream)
                finally:
                    stream.close()
            except (DeviceError, UnavailableError):
                pass
            self._closed.wait(_RETRY_SECONDS)

    def _lists(self, stream: wire.AdbStream) -> Iterator[tuple[DeviceInfo, ...]]:
        while not self._closed.is_set():
            if stream.waiting(_RETRY_SECONDS):
                wire.read_words(stream, wire.HOST_SECONDS)
                while not self._closed.is_set() and stream.waiting(0):  # several changes at once
                    wire.read_words(stream, wire.HOST_SECONDS)
                at_once = self._server.devices(details=False)
                yield at_once
                in_full = self._server.devices()  # asks those that are new, which may take its time
                if in_full != at_once:
                    yield in_full

    def close(self) -> None:
        self._closed.set()
        if self._stream is not None:
            self._stream.close()


def checked_address(address: str) -> str:
    """`host:port` without white space; without a port, adb's usual one. Raises DeviceError for anything else."""
    text = address.strip()
    if ":" not in text and text:
        text += ":5555"
    match = _ADDRESS.fullmatch(text)
    if match is None or not 0 < int(match[2]) < 65536:
        raise DeviceError(f"{address!r} is no address", hint="Write host:port, such as 192.168.1.20:5555.")
    return text


def parse_devices(listing: str) -> tuple[DeviceInfo, ...]:
    """The lines of `adb devices -l`; what is no such line is left out."""
    return tuple(info for line in listing.splitlines() if (info := _device(line.strip())) is not None)


def _device(line: str) -> DeviceInfo | None:
    match = _LINE.match(line)
    if match is None:
        return None
    serial, state, words = match.groups()
    tags = dict(word.split(":", 1) for word in words.split())
    known = DeviceState.NO_PERMISSION if state.startswith("no permissions") else _STATES.get(state, DeviceState.UNKNOWN)
    network = "usb" not in tags and (":" in serial or "._tcp" in serial or serial.startswith("emulator-"))
    name = tags.get("model", "").replace("_", " ") or serial
    detail = state if known is DeviceState.UNKNOWN else ""
    return DeviceInfo(serial, name, DeviceKind.NETWORK if network else DeviceKind.USB, known, detail, _HINTS[known])
