"""Look-ahead waits while a step is painted, but not for one that never is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from stepscope.app.gui.shell.picture_prefetcher import PicturePrefetcher
from stepscope.core.domain.episode import Picture
from stepscope.core.domain.geometry import Size
from stepscope.core.imaging.draw import encode_png

SIZE = Size(108, 240)


@pytest.fixture
def prefetcher(qtbot: QtBot) -> Iterator[PicturePrefetcher]:
    made = PicturePrefetcher(2**24)
    yield made
    made.close()
    made.deleteLater()


def picture(folder: Path, name: str) -> Picture:
    path = folder / f"{name}.png"
    path.write_bytes(encode_png(np.zeros((SIZE.height, SIZE.width, 3), np.uint8)))
    return Picture(path, SIZE)


def test_nothing_is_fetched_until_the_step_is_painted(
    prefetcher: PicturePrefetcher, qtbot: QtBot, tmp_path: Path
) -> None:
    came: list[str] = []
    (timer,) = prefetcher.findChildren(QTimer)
    timer.setInterval(1_000_000)
    prefetcher.hold_back()
    prefetcher.hold_back()  # another key before it was painted
    prefetcher.request([picture(tmp_path, "next")], lambda picture, _: came.append(picture.path.name))
    assert not prefetcher._fetcher.wait_until_idle(0.05) and came == []
    prefetcher.go_on()
    qtbot.waitUntil(lambda: came == ["next.png"])
    prefetcher.go_on()  # painted once more


def test_a_step_that_is_never_painted_is_not_waited_for(
    prefetcher: PicturePrefetcher, qtbot: QtBot, tmp_path: Path
) -> None:
    came: list[str] = []
    prefetcher.hold_back()
    prefetcher.request([picture(tmp_path, "next")], lambda picture, _: came.append(picture.path.name))
    qtbot.waitUntil(lambda: came == ["next.png"])


def test_what_one_strip_drops_is_no_others(prefetcher: PicturePrefetcher, qtbot: QtBot, tmp_path: Path) -> None:
    came: list[str] = []
    prefetcher.hold_back()
    prefetcher.want_small("review", [picture(tmp_path, "review")], lambda one, _: came.append(one.path.stem))
    prefetcher.want_small("timeline", [picture(tmp_path, "timeline")], lambda one, _: came.append(one.path.stem))
    prefetcher.drop_small("timeline")
    prefetcher.go_on()
    qtbot.waitUntil(lambda: bool(came))
    assert prefetcher._fetcher.wait_until_idle(10) and came == ["review"]
