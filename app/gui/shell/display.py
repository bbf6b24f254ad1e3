"""Whether there is a screen to show a window on, and what Qt needs where there is none."""

from __future__ import annotations

import os
import sys


def has_display() -> bool:
    """True where a window can be seen: always on Windows and macOS, on Linux with X or Wayland."""
    if os.environ.get("QT_QPA_PLATFORM", "").split(":")[0] in ("offscreen", "minimal"):
        return False
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def go_offscreen() -> None:
    """Let Qt draw into memory. Must be called before the application object is made."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
