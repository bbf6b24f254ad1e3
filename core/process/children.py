"""Starting modules of this program as processes of their own."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

import stepscope

_ROOT = Path(stepscope.__file__).parents[1]


def command(module: str, *arguments: str) -> list[str]:
    """The command that runs a module of this program. `-P`: Python would look for modules in the current folder first,
    so that a `queue.py` among somebody's data would be run."""
    return [sys.executable, "-P", "-m", module, *arguments]


def environment(places: Iterable[str] | None = None) -> dict[str, str]:
    """Our own environment, in which the child finds this program and what lies at `places` (None: PYTHONPATH)."""
    known = (os.environ.get("PYTHONPATH", ""),) if places is None else tuple(places)
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, (str(_ROOT), *known)))}
