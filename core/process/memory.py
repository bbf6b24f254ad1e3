"""The memory of child processes: a bound that the system keeps, and a watch over a group of processes.

Where the system has `RLIMIT_DATA` (Linux; since 4.7 it counts every private writable page) a process bounds itself: its
next allocation fails, which Python tells as MemoryError. A process group is watched through /proc on Linux; elsewhere
`resident_bytes` knows nothing and returns 0.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

WATCH_SECONDS = 0.2
"""Between two looks at a group: what takes a gigabyte a second is seen within 200 MB."""

_PROC = Path("/proc")


def bound_own_memory(most: int) -> bool:
    """Let this process take no more than `most` bytes of memory of its own beyond what it has now. Returns whether the
    system keeps such a bound."""
    if sys.platform != "linux":
        return False
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
    return True


def resident_bytes(processes: Iterable[int]) -> int:
    """What these processes have in memory, what they share with others in parts where the system tells it; 0 for those
    that are gone."""
    return sum(_resident(process) for process in processes)


def descendants(process: int) -> list[int]:
    """The process and all that it has started, as far as they live; on Linux only, elsewhere the process alone."""
    if not _PROC.is_dir():
        return [process]
    children: dict[int, list[int]] = {}
    for entry in _PROC.iterdir():
        if entry.name.isdecimal() and (parent := _parent(int(entry.name))) is not None:
            children.setdefault(parent, []).append(int(entry.name))
    found, left = [], [process]
    while left:
        one = left.pop()
        found.append(one)
        left += children.get(one, [])
    return found


class MemoryWatch:
    """Looks at a process and its descendants now and then, in a thread of its own, and calls `over` once, there, with
    what they take when that is more than `most`. `close` ends it; so does the process's own end."""

    def __init__(self, process: int, most: int, over: Callable[[int], None]) -> None:
        self._process, self._most, self._over = process, most, over
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._look, name=f"memory of {process}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the watch; may be called from `over`."""
        self._closed.set()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _look(self) -> None:
        while not self._closed.wait(WATCH_SECONDS):
            group = descendants(self._process)
            pages = [_pages(process) for process in group]
            if not any(whole for whole, _ in pages) and not _lives(self._process):
                return
            # What each has for itself is known at once, even of one that grows and lets nobody count what it shares.
            taken = sum(own for _, own in pages)
            if taken <= self._most < sum(whole for whole, _ in pages):
                taken = resident_bytes(group)
            if taken > self._most:
                self._over(taken)
                return


def _resident(process: int) -> int:
    """Proportional set size, so that pages shared by several processes of a group are not counted several times."""
    try:
        for line in (_PROC / str(process) / "smaps_rollup").read_text("ascii").splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) << 10
    except (OSError, ValueError, IndexError):
        pass
    return _pages(process)[0]


def _pages(process: int) -> tuple[int, int]:
    """Bytes in memory, and those of them that are of no file and no shared memory."""
    try:
        _, whole, shared = (int(one) for one in (_PROC / str(process) / "statm").read_text("ascii").split()[:3])
    except (OSError, ValueError, IndexError):
        return 0, 0
    size = os.sysconf("SC_PAGE_SIZE")
    return whole * size, (whole - shared) * size


def _parent(process: int) -> int | None:
    try:
        text = (_PROC / str(process) / "stat").read_text("utf-8", "replace")
        return int(text.rpartition(")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return None


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
