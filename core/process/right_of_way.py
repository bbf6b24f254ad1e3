"""Who goes first where processors are scarce: the window and what a person waits for, then what works ahead of them."""

from __future__ import annotations

import os
import sys
import threading

LEVELS = 5
"""Nice levels by which a thread that works ahead stands behind the window; reading processes stand ten behind it."""
_LAST = 19
"""The last of the nice levels."""

_for_a_window = False


def work_for_a_window() -> None:
    """From now on a window has the right of way."""
    global _for_a_window
    _for_a_window = True


def is_for_a_window() -> bool:
    """Whether a window has the right of way here."""
    return _for_a_window


def let_the_window_go_first() -> None:
    """To be called by a thread that works ahead of a person, for all that it does from then on. Nothing happens
    without a window, and where a system knows no levels of threads, as only Linux does."""
    if _for_a_window and sys.platform == "linux":
        own = os.getpriority(os.PRIO_PROCESS, os.getpid())  # of the main thread, which is the window's
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), min(own + LEVELS, _LAST))
