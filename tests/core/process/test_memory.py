"""Bounds on the memory of child processes, tried on real processes."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from stepscope.core.process import memory
from stepscope.core.process.memory import MemoryWatch, descendants, resident_bytes

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the system keeps no such bound")

GREEDY = """
from stepscope.core.process.memory import bound_own_memory
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


def test_a_process_is_not_waited_for_that_lets_nobody_count_what_it_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    counting, go_on, over = threading.Event(), threading.Event(), threading.Event()

    def slow(group: list[int]) -> int:
        counting.set()
        go_on.wait(20)
        return 0

    monkeypatch.setattr(memory, "resident_bytes", slow)
    code = "print(flush=True); input(); x = b'x' * (60 << 20); input()"
    process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert process.stdin is not None and process.stdout is not None
        process.stdout.readline()
        whole, own = memory._pages(process.pid)
        watch = MemoryWatch(process.pid, (whole + own) // 2, lambda taken: over.set())
        assert counting.wait(20), "with what it shares it may have more"
        process.stdin.write(b"\n")
        process.stdin.flush()
        assert over.wait(20), "what it has for itself is more"
        watch.close()
    finally:
        go_on.set()
        process.communicate(b"\n", timeout=20)


def test_whom_the_news_waits_for_may_close_the_watch() -> None:
    told, closed = threading.Event(), threading.Event()

    def over(taken: int) -> None:
        told.set()
        assert closed.wait(20)

    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        watch = MemoryWatch(process.pid, 1, over)
        assert told.wait(20)
        closer = threading.Thread(target=lambda: (watch.close(), closed.set()))
        closer.start()
        assert closed.wait(5), "closing waits for nothing"
        process.communicate(b"\n", timeout=20)


def test_a_watch_ends_with_its_process_and_says_nothing() -> None:
    said: list[int] = []
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        watch = MemoryWatch(process.pid, 1 << 40, said.append)
    watch.close()
    assert not said


def test_the_machine_has_some_and_a_container_less(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = memory.machine_bytes()
    assert whole > 256 << 20
    bound = tmp_path / "memory.max"
    monkeypatch.setattr(memory, "_CONTAINER", bound)
    bound.write_text("104857600\n")
    assert memory.machine_bytes() == 100 << 20
    bound.write_text("max\n")
    assert memory.machine_bytes() >= whole


def test_this_process_takes_something() -> None:
    assert resident_bytes([os.getpid()]) > 10 << 20
