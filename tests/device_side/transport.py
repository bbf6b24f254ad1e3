"""The device's end of the ADB transport on a loopback port: connections, and the streams of services in them.

Every stream runs in a thread of its own. Each piece of data that is written waits until the other side has said OKAY to
the one before, as the protocol wants it: a reader that does not read stops the writer.
"""

from __future__ import annotations

import contextlib
import queue
import socket
import threading
from collections.abc import Callable

from tests.device_side.wire import AUTH, CLSE, CNXN, MAX_DATA, OKAY, OPEN, VERSION, WRTE, Message, read_message

_TOKEN = 1
Service = Callable[["Stream"], object]
"""Serves one stream, which is closed when it returns."""


class StreamClosedError(ConnectionError):
    """The other side has closed the stream, or the cable is out."""


class Stream:
    """One service that the other side has opened."""

    def __init__(self, connection: Connection, number: int, theirs: int) -> None:
        self.number, self._theirs, self._connection = number, theirs, connection
        self._incoming: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._may_write = threading.Semaphore(0)
        self._rest = b""
        self.closed = threading.Event()

    def write(self, data: bytes) -> None:
        """Send all of it; returns when the last piece is on its way. Raises StreamClosedError."""
        view = memoryview(data)
        for start in range(0, len(view), self._connection.max_data):
            self._may_write.acquire()
            if self.closed.is_set():
                self._may_write.release()
                raise StreamClosedError
            piece = bytes(view[start : start + self._connection.max_data])
            self._connection.send(Message(WRTE, self.number, self._theirs, piece))

    def read(self) -> bytes:
        """What came next, b"" when the other side has closed; nobody need be there any more to hear that it came."""
        if self._rest:
            rest, self._rest = self._rest, b""
            return rest
        data = self._incoming.get()
        if data is None:
            self._incoming.put(None)
            return b""
        if not self.closed.is_set():
            with contextlib.suppress(StreamClosedError):  # the connection has gone; its end comes next
                self._connection.send(Message(OKAY, self.number, self._theirs))
        return data

    def read_exactly(self, count: int) -> bytes:
        """`count` bytes. Raises StreamClosedError when fewer come."""
        data = bytearray()
        while len(data) < count:
            part = self.read()
            if not part:
                raise StreamClosedError
            data += part
        self._rest = bytes(data[count:])
        return bytes(data[:count])

    # Called by the connection.

    def okay(self) -> None:
        self._may_write.release()

    def came(self, data: bytes) -> None:
        self._incoming.put(data)

    def end(self) -> None:
        """The other side has closed: wake whoever reads or writes."""
        self.closed.set()
        self._incoming.put(None)
        self._may_write.release()


class Connection:
    """One adb server that has come to this device."""

    def __init__(self, side: socket.socket, banner: str, authorised: bool, find: Callable[[str], Service | None]):
        self._socket, self._banner, self._authorised, self._find = side, banner, authorised, find
        self._sending = threading.Lock()
        self._streams: dict[int, Stream] = {}
        self._lock = threading.Lock()
        self._next = 1
        self.max_data = MAX_DATA

    def run(self) -> None:
        """Answer until the other side goes or `cut` is called."""
        with contextlib.suppress(OSError):
            while True:
                self._answer(read_message(self._socket))
        self.cut()

    def cut(self) -> None:
        """As if the cable were pulled out."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        with self._lock:
            streams, self._streams = list(self._streams.values()), {}
        for stream in streams:
            stream.end()

    def send(self, message: Message) -> None:
        """Raises StreamClosedError when the connection has gone."""
        try:
            with self._sending:
                self._socket.sendall(message.packed())
        except OSError as error:
            raise StreamClosedError from error

    def _answer(self, message: Message) -> None:
        if message.command == CNXN:
            self.max_data = min(MAX_DATA, message.second)
            if self._authorised:
                self.send(Message(CNXN, VERSION, MAX_DATA, self._banner.encode()))
            else:
                self.send(Message(AUTH, _TOKEN, 0, bytes(range(20))))
        elif message.command == AUTH and message.first == 2:
            self.send(Message(AUTH, _TOKEN, 0, bytes(range(20))))  # unknown key; to the offered one nobody says yes
        elif message.command == OPEN:
            self._open(message)
        else:
            self._to_stream(message)

    def _open(self, message: Message) -> None:
        service = self._find(message.data.rstrip(b"\0").decode("utf-8", "surrogateescape"))
        if service is None:
            self.send(Message(CLSE, 0, message.first))
            return
        with self._lock:
            stream = Stream(self, self._next, message.first)
            self._streams[stream.number] = stream
            self._next += 1
        self.send(Message(OKAY, stream.number, message.first))
        stream.okay()
        threading.Thread(target=self._serve, args=(stream, service, message.first), daemon=True).start()

    def _serve(self, stream: Stream, service: Service, theirs: int) -> None:
        with contextlib.suppress(StreamClosedError):
            service(stream)
        with self._lock:
            self._streams.pop(stream.number, None)
        if not stream.closed.is_set():
            with contextlib.suppress(StreamClosedError):
                self.send(Message(CLSE, stream.number, theirs))
        stream.end()

    def _to_stream(self, message: Message) -> None:
        with self._lock:
            stream = self._streams.get(message.second)
        if stream is None:
            if message.command == WRTE:
                self.send(Message(CLSE, 0, message.first))
        elif message.command == OKAY:
            stream.okay()
        elif message.command == WRTE:
            stream.came(message.data)
        elif message.command == CLSE:
            with self._lock:
                self._streams.pop(stream.number, None)
            stream.end()


class Port:
    """The listening end: a device that is plugged in as long as it listens."""

    def __init__(self, banner: Callable[[], str], find: Callable[[str], Service | None], number: int = 0) -> None:
        self._banner, self._find, self.number = banner, find, number
        self.authorised = True
        self.answers = True
        """False: connections are taken and never answered, as by a device that hangs."""
        self._listener: socket.socket | None = None
        self._connections: list[Connection] = []
        self._lock = threading.Lock()

    def plug_in(self) -> None:
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", self.number))
        listener.listen()
        self.number = listener.getsockname()[1]
        self._listener = listener
        threading.Thread(target=self._accept, args=(listener,), name="device side", daemon=True).start()

    def unplug(self) -> None:
        """Nothing listens any more and every connection is cut, in the middle of whatever it says."""
        with self._lock:
            listener, self._listener = self._listener, None
            connections, self._connections = self._connections, []
        if listener is not None:
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        for connection in connections:
            connection.cut()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                side, _address = listener.accept()
            except OSError:
                return
            side.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection = Connection(side, self._banner(), self.authorised, self._find)
            with self._lock:
                if self._listener is not listener:
                    side.close()
                    return
                self._connections = [*self._connections, connection]
            if self.answers:
                threading.Thread(target=connection.run, name="adb connection", daemon=True).start()
