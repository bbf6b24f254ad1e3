"""A fake adb server for each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from stepscope.core.device.adb.link import AdbConnection
from tests.core.device.adb.fake_server import FakeServer, serving


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with serving() as made:
        yield made


@pytest.fixture
def link(server: FakeServer) -> Iterator[AdbConnection]:
    made = AdbConnection("phone", server.port)
    yield made
    made.close()
