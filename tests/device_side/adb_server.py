"""An adb server of its own: own port, own home, own keys; never the one that a person uses."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

COMMAND_SECONDS = 30
REMOVAL_TRIES = 1000


@dataclass(frozen=True, slots=True)
class AdbServer:
    """`port` of the running server; `environment` for whoever is to reach it and no other."""

    adb: str
    port: int
    environment: dict[str, str]
    pid: int

    def run(self, *words: str, check: bool = True) -> str:
        """Output of an adb command. Raises CalledProcessError, with the output, unless `check` is off."""
        done = subprocess.run(
            [self.adb, *words],
            env=os.environ | self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=COMMAND_SECONDS,
            check=check,
        )
        return done.stdout.decode(errors="replace")

    def connect(self, address: str) -> str:
        return self.run("connect", address, check=False)

    def disconnect(self, address: str) -> None:
        """Returns when the device is no longer listed: adb lets it go a moment later than it says."""
        self.run("disconnect", address, check=False)
        for _ in range(REMOVAL_TRIES):
            if address not in self.run("devices"):
                return
        raise AssertionError(f"adb does not let {address} go")


def find_adb() -> str | None:
    """The adb inside the adbutils package; None without it."""
    try:
        import adbutils
    except ImportError:
        return None
    return str(adbutils.adb_path())


@contextlib.contextmanager
def running(home: Path) -> Iterator[AdbServer]:
    """A server whose files lie in `home`, until the end of the block."""
    adb = find_adb()
    assert adb is not None
    home.mkdir(parents=True, exist_ok=True)
    port = _free_port()
    environment = {
        "ANDROID_ADB_SERVER_PORT": str(port),
        "HOME": str(home),
        "ANDROID_USER_HOME": str(home),
        "ADB_VENDOR_KEYS": str(home),
        "TMPDIR": str(home),
        "ADB_MDNS_AUTO_CONNECT": "0",
        "ADB_LIBUSB": "0",
        # Emulators that run here are not ours.
        "ADB_LOCAL_TRANSPORT_MAX_PORT": "5553",
    }
    ready, told = os.pipe()
    process = subprocess.Popen(
        [adb, "-L", f"tcp:{port}", "fork-server", "server", "--reply-fd", str(told)],
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=[told],
    )
    os.close(told)
    try:
        with os.fdopen(ready, "rb") as answer:
            assert answer.readline() == b"OK\n", "the adb server does not start"
        yield AdbServer(adb, port, environment, process.pid)
    finally:
        process.terminate()
        process.wait(COMMAND_SECONDS)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
