"""Bounds on the memory of child processes, tried on real processes."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

from core.process.memory import MemoryWatch, descendants, resident_bytes

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the system keeps no such bound")

GREEDY = """
from core.process.memory import bound_own_memory
assert bound_own_memory(300 << 20)
kept = []
try:
    while len(kept) < 100:
        kept.append(bytearray(b"x") * (20 << 20))
except MemoryError:
    print("refused", len(kept))
"""
GROWING = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "x = b'x' * (200 << 20); print('grown', flush=True); input()"],
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE)
child.stdout.readline()
print("ready", flush=True)
sys.stdin.readline()
"""


def test_an_allocation_beyond_the_bound_fails_in_that_process_alone() -> None:
    said = subprocess.run([sys.executable, "-c", GREEDY], capture_output=True, text=True, check=True).stdout.split()
    assert said[0] == "refused" and 0 < int(said[1]) < 15


def test_a_group_is_watched_with_all_that_it_started() -> None:
    seen: list[int] = []
    over = threading.Event()

    def note(taken: int) -> None:
        seen.append(taken)
        over.set()

    process = subprocess.Popen([sys.executable, "-c", GROWING], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        assert len(descendants(process.pid)) == 2
        watch = MemoryWatch(process.pid, 150 << 20, note)
        assert over.wait(20), "the child of the child has 200 MB"
        watch.close()
        assert len(seen) == 1 and seen[0] > 200 << 20
    finally:
        process.communicate(b"\n", timeout=20)
    assert resident_bytes([process.pid]) == 0


def test_a_watch_ends_with_its_process_and_says_nothing() -> None:
    said: list[int] = []
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        watch = MemoryWatch(process.pid, 1 << 40, said.append)
    watch.close()
    assert not said


def test_this_process_takes_something() -> None:
    assert resident_bytes([os.getpid()]) > 10 << 20
