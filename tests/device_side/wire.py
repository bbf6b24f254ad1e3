"""Messages of the ADB transport: a header of six little-endian words, then the data.

After the protocol description of the Android Open Source Project (packages/modules/adb/protocol.txt).
"""

from __future__ import annotations

import socket
import struct
from dataclasses import dataclass

VERSION = 0x01000001
"""From this version on the sum over the data is not looked at."""

MAX_DATA = 256 * 1024
_HEADER = struct.Struct("<4sIIIII")
_LIMIT = 4 * 1024 * 1024

CNXN, AUTH, OPEN, OKAY, WRTE, CLSE = b"CNXN", b"AUTH", b"OPEN", b"OKAY", b"WRTE", b"CLSE"


@dataclass(frozen=True, slots=True)
class Message:
    """One message; what the two numbers mean depends on the command."""

    command: bytes
    first: int
    second: int
    data: bytes = b""

    def packed(self) -> bytes:
        word = int.from_bytes(self.command, "little")
        # Before the versions are agreed on, the sum counts.
        total = sum(self.data) if self.command in (CNXN, AUTH) else 0
        head = _HEADER.pack(self.command, self.first, self.second, len(self.data), total, word ^ 0xFFFFFFFF)
        return head + self.data


def read_exactly(connection: socket.socket, count: int) -> bytes:
    """`count` bytes. Raises ConnectionError when the other side ends before."""
    data = bytearray(count)
    view, got = memoryview(data), 0
    while got < count:
        part = connection.recv_into(view[got:])
        if not part:
            raise ConnectionError("the other side has gone")
        got += part
    return bytes(data)


def read_message(connection: socket.socket) -> Message:
    """The next message. Raises ConnectionError at the end and for what is no message."""
    command, first, second, length, _sum, magic = _HEADER.unpack(read_exactly(connection, _HEADER.size))
    if magic != int.from_bytes(command, "little") ^ 0xFFFFFFFF or length > _LIMIT:
        raise ConnectionError("no message of ADB")
    return Message(command, first, second, read_exactly(connection, length))
