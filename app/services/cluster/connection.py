"""The way to a Ray cluster: connecting, what it has room for, and its troubles in words."""

from __future__ import annotations

import os
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any, TextIO, cast

from stepscope.app.services.cluster.choice import AUTO, ClusterChoice, check_installed
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.process.cores import usable_cores

_SETTINGS = {
    "RAY_USAGE_STATS_ENABLED": "0", "RAY_TQDM_PATCH_PRINT": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
}  # fmt: skip
"""Ray tells its makers about each start, and puts a `print` of its own in the place of Python's, unless it is told not
to; the last only ends a remark of it."""
_QUIET = {"log_to_driver": False, "logging_level": "ERROR"}
_VARIABLE, _MODE, _TOKENS = "RAY_ADDRESS", "RAY_AUTH_MODE", ("RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH")
_HEAD_METHOD, _CLIENT_METHOD = "/ray.rpc.NodeInfoGcsService/GetClusterId", "/ray.rpc.RayletDriver/ClusterInfo"
"""What a cluster's first machine and its door for others answer whoever they let in."""
_KNOCK_SECONDS = 5.0
_MOST_WORDS = 200
_START = "Start one with 'ray start --head' on one machine and 'ray start --address=HOST:6379' on the others."


@dataclass(frozen=True, slots=True)
class RoomOfMachine:
    """A machine of the cluster: all that it has, in use or not."""

    name: str
    cpus: float
    gpus: float


class Cluster:
    """A connection. `ray` is the module, `local` says that the cluster is this machine alone, for this work."""

    def __init__(self, ray: Any, *, local: bool) -> None:
        self.ray, self.local = ray, local

    def machines(self) -> list[RoomOfMachine]:
        """Those that are alive now."""
        return [
            RoomOfMachine(
                node.get("NodeManagerHostname", ""), node["Resources"].get("CPU", 0), node["Resources"].get("GPU", 0)
            )
            for node in self.ray.nodes()
            if node["Alive"]
        ]

    def room(self, cpus: float, gpus: float) -> int:
        """How many workers the cluster can hold that take so much."""
        return sum(_room(machine, cpus, gpus) for machine in self.machines())


def _room(machine: RoomOfMachine, cpus: float, gpus: float) -> int:
    by_cpu = int(machine.cpus / cpus + 1e-9)
    if not gpus:
        return by_cpu
    by_gpu = int(machine.gpus) * int(1 / gpus + 1e-9) if gpus <= 1 else int(machine.gpus / gpus)
    return min(by_cpu, by_gpu)


def check_there(choice: ClusterChoice) -> None:
    """Raises UsageError where Ray is not installed, UserError where nobody answers at the address."""
    check_installed()
    if address := _address(choice):
        _knock(address)


class _WithoutRay:
    """Standard output without what Ray prints there in a thread of its own, such as that a worker died: that is no
    result, and goes where errors go."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def write(self, text: str) -> int:
        by_ray = threading.current_thread().name.startswith("ray_")
        return (sys.stderr if by_ray else self._out).write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._out, name)


@contextmanager
def connected(choice: ClusterChoice) -> Iterator[Cluster]:
    """The cluster of this address for as long as the block lasts; a connection that this process has is used and left.
    Raises UserError where it cannot be reached."""
    check_installed()
    for name, value in _SETTINGS.items():
        os.environ.setdefault(name, value)
    address = _address(choice)
    if "ray" not in sys.modules and address:
        _knock(address)
        _show_token(address)  # Ray looks at what is set for it once, when it is loaded
    import ray

    if ray.is_initialized():
        yield Cluster(ray, local=False)
        return
    with redirect_stdout(cast("TextIO", _WithoutRay(sys.stdout))):
        with _own_signals():
            _connect(ray, address)
        try:
            yield Cluster(ray, local=not address)
        finally:
            ray.shutdown()


@contextmanager
def _own_signals() -> Iterator[None]:
    """What this program does on SIGTERM is its own matter again afterwards: Ray ends whoever connects to it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _address(choice: ClusterChoice) -> str:
    """Where the cluster is, "" where there is none yet."""
    return (os.environ.get(_VARIABLE) or _running_here()) if choice.address == AUTO else choice.address


def _connect(ray: Any, address: str) -> None:
    """To the address, or where there is none to a cluster of this machine alone."""
    if not address:
        ray.init(address="local", num_cpus=usable_cores(), include_dashboard=False, **_QUIET)
        return
    _knock(address)
    try:
        ray.init(address=address, **_QUIET)
    except (ConnectionError, RuntimeError, ValueError, OSError, ImportError) as error:
        raise _unreachable(address, error) from error


def _running_here() -> str:
    """The address of the cluster that was started on this machine last, "" where none answers: `ray start` writes it
    there."""
    try:
        address = (Path(tempfile.gettempdir()) / "ray" / "ray_current_cluster").read_text("utf-8").strip()
        _knock(address)
    except (OSError, UserError):
        return ""
    return address


def _knock(address: str) -> None:
    """Raises UserError where nobody listens, on which Ray itself waits for minutes, and for what is no address."""
    host, _, port = _plain(address).rpartition(":")
    try:
        if not host or not port.isdigit():
            raise ValueError("an address is HOST:PORT or ray://HOST:PORT")
        socket.create_connection((host.strip("[]"), int(port)), timeout=_KNOCK_SECONDS).close()
    except (OSError, ValueError) as error:
        raise _unreachable(address, error) from error


def _plain(address: str) -> str:
    return address.rpartition("://")[2]


def _show_token(address: str) -> None:
    """Have Ray show this machine's token to a cluster that asks for one (`ray start` makes such); others refuse whoever
    shows one. Raises UserError where there is none to show."""
    import grpc

    if _MODE in os.environ:
        return
    method = _CLIENT_METHOD if address.startswith("ray://") else _HEAD_METHOD
    with grpc.insecure_channel(_plain(address)) as channel:
        try:
            channel.unary_unary(method)(b"", timeout=_KNOCK_SECONDS)
        except grpc.RpcError as error:
            if error.code() is not grpc.StatusCode.UNAUTHENTICATED:
                return
        else:
            return
    if not any(os.environ.get(name) for name in _TOKENS) and not (Path.home() / ".ray" / "auth_token").is_file():
        hint = "Copy ~/.ray/auth_token from the cluster's first machine to this one, or set RAY_AUTH_TOKEN."
        raise UserError("This Ray cluster asks for its token, and there is none here.", place=address, hint=hint)
    os.environ[_MODE] = "token"


def _unreachable(address: str, error: Exception) -> UserError:
    words = " ".join(str(error).split())[:_MOST_WORDS]
    hint = f"{_START} From a machine outside of it give ray://HOST:10001."
    return UserError(f"The Ray cluster cannot be reached ({words}).", place=address, hint=hint)
