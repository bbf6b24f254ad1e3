"""What the simulated phone takes and says has an end, and it can be had again."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from stepscope.core import limits
from stepscope.core.device.device import DeviceLost
from stepscope.core.device.simulated import SimulatedDevice
from stepscope.core.process import children

pytestmark = pytest.mark.xdist_group("simulated phone")

MOST = {"page-memory": 60 << 20, "page-answer-bytes": 1 << 20}


@pytest.fixture(autouse=True)
def limited() -> Iterator[None]:
    limits.choose(MOST)
    yield
    limits.choose({})


@pytest.mark.skipif(sys.platform != "linux", reason="what a process takes is known on Linux")
def test_more_memory_than_it_may_take_ends_it_in_words() -> None:
    phone = SimulatedDevice()
    words = r"The simulated phone took more than 60 MB of memory \(.*\) and was ended\. .*--limit-page-memory 120MB"
    try:
        with pytest.raises(DeviceLost, match=words):
            phone.connect()
        limits.choose({})
        phone.reconnect()
        assert phone.foreground()
    finally:
        phone.close()


def test_a_line_without_end_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    endless = "import sys\nwhile True: sys.stdout.write('x' * 65536)"
    monkeypatch.setattr(children, "command", lambda *_: [sys.executable, "-c", endless])
    limits.choose({**MOST, "page-memory": 2 << 30})
    phone = SimulatedDevice()
    try:
        with pytest.raises(DeviceLost, match=r"The simulated phone told more than 1 MB at once .*page-answer-bytes"):
            phone.connect()
    finally:
        phone.close()
    assert phone.pid is None
