"""No source is read because it is imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import stepscope

ROOT = Path(stepscope.__file__).parents[1]
CODE = """
import linecache, sys
import {first}
import wave
print(wave.__file__ in linecache.cache)
"""


def is_source_read(first: str) -> bool:
    """Whether Python keeps the text of a module that is imported after `first`, in a process of its own."""
    command = [sys.executable, "-c", CODE.format(first=first)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    return {"True\n": True, "False\n": False}[done.stdout]


def test_importing_views_leaves_no_hook_that_reads_sources() -> None:
    assert not is_source_read("stepscope.widgets")


def test_pyside_by_itself_reads_them() -> None:
    """When this fails, PySide has mended it, and `widgets/import_hook.py` can go."""
    assert is_source_read("PySide6.QtCore")
