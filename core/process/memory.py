"""The memory of child processes: a bound that the system keeps, and a watch over a group of processes.

Where the system has `RLIMIT_DATA` (Linux; since 4.7 it counts every private writable page) a process bounds itself: its
next allocation fails, which Python tells as MemoryError. A process group is watched through /proc on Linux; elsewhere
`resident_bytes` knows nothing and returns 0.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

WATCH_SECONDS, LOOK_SECONDS = 0.2, 0.02
"""Between two searches for the processes of a group, which look at all there are, and between two looks at those that
are known: what takes ten gigabytes a second is seen within 200 MB."""

_PROC = Path("/proc")
_CONTAINER = Path("/sys/fs/cgroup/memory.max")
"""The bound of the control group that a container sees as its own (version 2)."""


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


def own_bytes(process: int) -> int:
    """What a process has in memory for itself alone, without files and what it shares."""
    return _pages(process)[1]


def machine_bytes() -> int:
    """The memory of this machine, or of the container that it gives this process; 0 where the system does not say."""
    found = []
    with contextlib.suppress(AttributeError, ValueError, OSError):  # not on every system
        found.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    with contextlib.suppress(OSError, ValueError):  # "max" where there is no bound
        found.append(int(_CONTAINER.read_text("ascii")))
    return min(found, default=0)


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
    what they take when that is more than `most`. `close` ends it; so does the process's own end.

    What each process has for itself is known at once. What several share is counted in parts, for which the system
    looks through all pages of each: one that grows as fast as it can keeps it waiting for seconds. So that is done
    beside the looks, by another thread.
    """

    def __init__(self, process: int, most: int, over: Callable[[int], None]) -> None:
        self._process, self._most, self._over = process, most, over
        self._closed = threading.Event()
        self._lock = threading.Lock()
        self._sharing: threading.Thread | None = None
        self._thread = threading.Thread(target=self._look, name=f"memory of {process}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the watch: `over` is not called any more. An `over` that works is not waited for, so that it, or whom it
        waits for, may close the watch."""
        with self._lock:
            self._closed.set()

    def _look(self) -> None:
        due = 0.0
        while not self._closed.wait(LOOK_SECONDS):
            if anew := time.monotonic() >= due:
                group, due = descendants(self._process), time.monotonic() + WATCH_SECONDS
            pages = [_pages(process) for process in group]
            whole, own = sum(one for one, _ in pages), sum(one for _, one in pages)
            if not whole and not _lives(self._process):
                return
            if own > self._most:
                self._tell(own)
            elif anew and whole > self._most and (self._sharing is None or not self._sharing.is_alive()):
                self._sharing = threading.Thread(target=self._look_closely, args=(group,), daemon=True)
                self._sharing.start()

    def _look_closely(self, group: list[int]) -> None:
        if (taken := resident_bytes(group)) > self._most:
            self._tell(taken)

    def _tell(self, taken: int) -> None:
        with self._lock:
            if self._closed.is_set():
                return
            self._closed.set()
        self._over(taken)


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
    """Bytes in memory, and those of them that are of no file and no shared memory. Waits for nobody."""
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
