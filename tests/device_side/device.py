"""One device at the end of a cable: plug it in, let adb connect, look at its phone."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType

from tests.device_side.phone import Phone
from tests.device_side.programs import programs_of
from tests.device_side.screens import Screens
from tests.device_side.shell import framed, plain
from tests.device_side.sync import sync
from tests.device_side.transport import Port, Service

FEATURES = "shell_v2,cmd,fixed_push_mkdir"


class DeviceSide:
    """A phone on a loopback port. `address` is what `adb connect` takes, and its serial then.

    `shell_v2=False`: a phone as old as Android 6, without exit codes.
    """

    def __init__(self, screens: Screens | Phone, *, shell_v2: bool = True, port: int = 0) -> None:
        self.phone = screens if isinstance(screens, Phone) else Phone(screens)
        self._features = FEATURES if shell_v2 else "cmd"
        self.port = Port(self._banner, self._find, port)
        self.phone.unplug = self.unplug

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port.number}"

    def plug_in(self) -> None:
        self.port.plug_in()

    def unplug(self) -> None:
        """Pull the cable out in the middle of whatever is said; `plug_in` puts it back at the same port."""
        self.port.unplug()
        self.phone.touch()

    def __enter__(self) -> DeviceSide:
        self.plug_in()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.unplug()

    def _banner(self) -> str:
        model = self.phone.model.replace(" ", "_")
        return (
            f"device::ro.product.name=testphone;ro.product.model={model};ro.product.device=testphone;"
            f"features={self._features}"
        )

    def _find(self, service: str) -> Service | None:
        name, _, rest = service.partition(":")
        programs = programs_of(self.phone)
        if name == "exec" or service.startswith("shell:"):
            return plain(self.phone, rest, programs)
        if name.startswith("shell,"):
            wanted: Callable[..., Service] = framed if "v2" in name.split(",") else plain
            return wanted(self.phone, rest, programs)
        if name == "sync":
            return sync(self.phone)
        if name == "localabstract":
            return self.phone.sockets.get(rest)
        return None
