"""A computer that decodes more slowly than the phone sends: the picture must not come later and later."""

from __future__ import annotations

import threading
import time
from itertools import pairwise

import av
import numpy as np
import pytest

from stepscope.core.device.adb.packets import AGAIN_SECONDS, LATE_SECONDS, Backlog
from stepscope.core.device.adb.scrcpy import Scrcpy
from stepscope.core.device.adb.screenrecord import Screenrecord
from stepscope.core.device.adb.server import AdbServer as AdbAccess
from stepscope.core.domain.geometry import Size
from tests.core.device.wired import stand_in_server
from tests.device_side import timecode
from tests.device_side.coded import CodedScreens
from tests.device_side.fixtures import Plug

pytestmark = pytest.mark.xdist_group("adb")

SECONDS, SLOW = 5.0, 0.03
"""How long each test watches, and what decoding one picture is made to take: nearly twice the time between them."""


@pytest.mark.parametrize("way", ["scrcpy", "screenrecord"])
def test_a_backlog_is_left_out(plug: Plug, way: str) -> None:
    coded = CodedScreens(Size(320, 640), 60, 240)
    link = AdbAccess().link(plug(coded).address)
    source: Scrcpy | Screenrecord
    if way == "scrcpy":
        source = Scrcpy(link)
        source.start(stand_in_server())
    else:
        source = Screenrecord(link)
    late, slow, began = list[float](), threading.Event(), time.monotonic()
    decoder = av.CodecContext.create("h264", "r")
    for packet in source.packets():
        if packet.begins:
            decoder = av.CodecContext.create("h264", "r")
        for frame in decoder.decode(av.Packet(packet.data)):
            number = timecode.read(np.asarray(frame.to_ndarray(format="bgra"), np.uint8))
            assert number is not None
            late.append(time.monotonic() - coded.sent[number])
        slow.wait(SLOW)
        if time.monotonic() - began > SECONDS:
            break
    source.close()
    link.close()
    assert source.restarts >= 1
    without = SECONDS * (1 - 1 / 60 / SLOW)
    assert late[-1] < 0.9 * without, f"{late[-1]:.1f} s late; nothing left out, it would be {without:.1f}"


def test_only_a_stream_that_never_runs_dry_is_late() -> None:
    now = [0.0]
    backlog = Backlog(lambda: now[0])
    told = []
    for tick in range(1000):
        now[0] = tick / 100
        told.append(backlog.is_late(tick % 50 != 0))
    assert not any(told)
    for tick in range(1000, 2000):
        now[0] = tick / 100
        told.append(backlog.is_late(True))
    times = [place / 100 for place, late in enumerate(told) if late]
    assert times[0] == pytest.approx(9.5 + LATE_SECONDS, abs=0.02)
    assert [after - before for before, after in pairwise(times)] == pytest.approx([AGAIN_SECONDS] * 3, abs=0.02)
