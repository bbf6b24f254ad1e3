"""An adb server made of a socket and a table of answers, for tests of what is said to it and of what it may answer."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator

Service = Callable[[socket.socket], None]


def says(*parts: bytes) -> Service:
    """A service that sends this and ends."""

    def send(connection: socket.socket) -> None:
        for part in parts:
            connection.sendall(part)

    return send


def words(text: str) -> bytes:
    """A text with its length before it."""
    return b"%04x" % len(text) + text.encode()


class FakeServer:
    """`hosts`: request to the raw bytes of the answer. `services`: begin of a device's service to what serves it; the
    device is called "phone". `asked`: every request, in order."""

    def __init__(self) -> None:
        self.hosts: dict[str, bytes] = {
            "host:version": b"OKAY" + words("0029"),
            "host:transport:phone": b"OKAY",
            "host-serial:phone:get-state": b"OKAY" + words("device"),
        }
        self.services: dict[str, Service] = {}
        self.asked: list[str] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _address = self._listener.accept()
                self._open.append(connection)
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError, ValueError), connection:
            request = self._request(connection)
            connection.sendall(self.hosts.get(request, b"FAIL" + words(f"unknown host service '{request[5:]}'")))
            if not request.startswith("host:transport:") or self.hosts.get(request) != b"OKAY":
                return
            name = self._request(connection)
            service = next((made for start, made in self.services.items() if name.startswith(start)), None)
            if service is None:
                connection.sendall(b"FAIL" + words("closed"))
                return
            connection.sendall(b"OKAY")
            service(connection)

    def _request(self, connection: socket.socket) -> str:
        length = int(self._exactly(connection, 4), 16)
        request = self._exactly(connection, length).decode()
        self.asked.append(request)
        return request

    @staticmethod
    def _exactly(connection: socket.socket, count: int) -> bytes:
        data = b""
        while len(data) < count:
            chunk = connection.recv(count - len(data))
            if not chunk:
                raise OSError("the client has gone")
            data += chunk
        return data

    def close(self) -> None:
        for connection in (self._listener, *self._open):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()


@contextlib.contextmanager
def serving() -> Iterator[FakeServer]:
    server = FakeServer()
    try:
        yield server
    finally:
        server.close()
