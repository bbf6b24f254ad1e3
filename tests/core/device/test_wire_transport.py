"""The device's end of the ADB transport when the cable is pulled out in the middle of what it does."""

from __future__ import annotations

import socket

import pytest

from tests.device_side.transport import Connection, Stream, StreamClosedError


def test_what_came_before_the_cable_was_pulled_out_is_read() -> None:
    side, other = socket.socketpair()
    side.close()
    other.close()
    stream = Stream(Connection(side, "", True, lambda service: None), 1, 1)
    stream.came(b"close")
    stream.came(b" now")
    assert stream.read_exactly(9) == b"close now"
    stream.end()
    assert stream.read() == b""
    with pytest.raises(StreamClosedError):
        stream.write(b"closed")
