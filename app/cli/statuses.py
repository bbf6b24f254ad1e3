"""Exit statuses (docs/cli.md)."""

from __future__ import annotations

DONE = 0
SOME_FAILED = 1
BAD_INPUT = 2
INTERNAL_ERROR = 70
"""EX_SOFTWARE of sysexits.h: the program itself is wrong."""
INTERRUPTED = 130
