"""The processor's cores."""

from __future__ import annotations

import os


def usable_cores() -> int:
    """Those that this program may use, which a container may have fewer of than the machine."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
