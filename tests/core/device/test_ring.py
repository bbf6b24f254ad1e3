"""Pictures between two processes: the newest one, whole, and only if it is new."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable

import numpy as np
import pytest

from stepscope.core.device.frames import Pixels
from stepscope.core.device.ring import SLOTS, FrameRing, FrameWriter

WIDTH, HEIGHT = 60, 40


@pytest.fixture
def ring() -> FrameRing:
    return FrameRing(WIDTH * HEIGHT)


@pytest.fixture
def writer(ring: FrameRing) -> FrameWriter:
    return FrameWriter(ring.path)


def filled(value: int) -> Callable[[Pixels], None]:
    def draw(pixels: Pixels) -> None:
        pixels[:] = value

    return draw


def test_before_the_first_picture_there_is_none(ring: FrameRing, writer: FrameWriter) -> None:
    assert ring.newest() is None


def test_the_newest_picture_comes_with_its_number_and_size(ring: FrameRing, writer: FrameWriter) -> None:
    assert [writer.write(WIDTH, HEIGHT, filled(value)) for value in (1, 2, 3, 4)] == [0, 1, 2, 3]
    shot = ring.newest()
    assert shot is not None and shot.number == 3
    assert shot.pixels.shape == (HEIGHT, WIDTH, 4) and shot.pixels.flags.c_contiguous
    assert (shot.pixels == 4).all()


def test_the_same_picture_again_is_none_but_turned_it_is_one(ring: FrameRing, writer: FrameWriter) -> None:
    assert writer.write(WIDTH, HEIGHT, filled(7)) == 0
    assert writer.write(WIDTH, HEIGHT, filled(7)) is None
    assert writer.write(HEIGHT, WIDTH, filled(7)) == 1
    shot = ring.newest()
    assert shot is not None and shot.pixels.shape == (WIDTH, HEIGHT, 4)


def test_one_pixel_makes_a_new_picture(ring: FrameRing, writer: FrameWriter) -> None:
    def one_other(pixels: Pixels) -> None:
        pixels[:] = 7
        pixels[-1, -1, 0] = 8

    writer.write(WIDTH, HEIGHT, filled(7))
    assert writer.write(WIDTH, HEIGHT, one_other) == 1


def test_a_copy_stays_as_it_was(ring: FrameRing, writer: FrameWriter) -> None:
    writer.write(WIDTH, HEIGHT, filled(1))
    shot = ring.newest()
    for value in range(2, 2 + 2 * SLOTS):
        writer.write(WIDTH, HEIGHT, filled(value))
    assert shot is not None and (shot.pixels == 1).all()


def test_no_picture_is_torn_while_both_are_at_work() -> None:
    """Every picture is of one value, and a reader that is as fast as it can be sees no other."""
    ring = FrameRing(200 * 200)
    writer = FrameWriter(ring.path)
    torn: list[int] = []
    numbers: list[int] = []
    over = threading.Event()

    def read() -> None:
        while not over.is_set():
            shot = ring.newest()
            if shot is None:
                continue
            numbers.append(shot.number)
            if not (shot.pixels == shot.number % 251).all():
                torn.append(shot.number)

    reader = threading.Thread(target=read)
    reader.start()
    for number in range(300_000):
        writer.write(200, 200, filled(number % 251))
        if number >= 3000 and len(set(numbers)) > 10:
            break
    over.set()
    reader.join()
    assert torn == [] and numbers == sorted(numbers) and len(set(numbers)) > 10


def test_the_memory_is_one_for_two_processes(ring: FrameRing) -> None:
    code = (
        "import sys; from stepscope.core.device.ring import FrameWriter\n"
        "def draw(pixels): pixels[:] = (1, 2, 3, 4)\n"
        "print(FrameWriter(sys.argv[1]).write(30, 20, draw))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, ring.path],
        capture_output=True, text=True, check=True, pass_fds=ring.descriptors,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    ring.handed_over()
    shot = ring.newest()
    assert done.stdout.strip() == "0" and shot is not None
    assert shot.pixels.shape == (20, 30, 4) and np.array_equal(shot.pixels[7, 9], [1, 2, 3, 4])
