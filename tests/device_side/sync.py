"""The `sync:` service: files to the phone and from it, in the first version of the protocol."""

from __future__ import annotations

import struct
from collections.abc import Callable

from tests.device_side.phone import Phone
from tests.device_side.transport import Stream, StreamClosedError

_HEAD = struct.Struct("<4sI")
_PIECE = 64 * 1024
_FILE_MODE = 0o100644
_FOLDER_MODE = 0o040755


def sync(phone: Phone) -> Callable[[Stream], None]:
    def serve(stream: Stream) -> None:
        while True:
            command, length = _HEAD.unpack(stream.read_exactly(_HEAD.size))
            if command == b"QUIT":
                return
            path = stream.read_exactly(length).decode()
            if command == b"STAT":
                stream.write(_stat(phone, path))
            elif command == b"SEND":
                _receive(phone, stream, path)
            elif command == b"RECV":
                _send(phone, stream, path)
            elif command == b"LIST":
                stream.write(struct.pack("<4sIIII", b"DONE", 0, 0, 0, 0))
            else:
                stream.write(_failure(f"unknown command {command!r}"))
                return

    return serve


def _stat(phone: Phone, path: str) -> bytes:
    data = phone.files.get(path)
    if data is not None:
        return struct.pack("<4sIII", b"STAT", _FILE_MODE, len(data), 1_700_000_000)
    folder = path in ("/", "/sdcard", "/sdcard/", "/data/local/tmp", "/data/local/tmp/")
    return struct.pack("<4sIII", b"STAT", _FOLDER_MODE if folder else 0, 0, 0)


def _receive(phone: Phone, stream: Stream, path: str) -> None:
    data = bytearray()
    while True:
        command, length = _HEAD.unpack(stream.read_exactly(_HEAD.size))
        if command == b"DONE":
            break
        if command != b"DATA":
            raise StreamClosedError
        data += stream.read_exactly(length)
    phone.files[path.rpartition(",")[0]] = bytes(data)
    stream.write(_HEAD.pack(b"OKAY", 0))


def _send(phone: Phone, stream: Stream, path: str) -> None:
    data = phone.files.get(path)
    if data is None:
        stream.write(_failure("No such file or directory"))
        return
    for start in range(0, len(data), _PIECE):
        piece = data[start : start + _PIECE]
        stream.write(_HEAD.pack(b"DATA", len(piece)) + piece)
    stream.write(_HEAD.pack(b"DONE", 0))


def _failure(message: str) -> bytes:
    return _HEAD.pack(b"FAIL", len(message)) + message.encode()
