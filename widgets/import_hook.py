"""The interpreter's own import, in place of PySide's.

PySide puts a function of its own in the place of `import`. It reads the source of every module that comes after it,
and Python keeps the text: a module may ask for snake_case names by `from __feature__ import …`, which nobody does here.
That was a fifth of the time in which the window's modules are imported, and two thirds of it where torch comes later.
"""

from __future__ import annotations

import builtins

import PySide6.QtCore  # noqa: F401 - puts its import in place


def take_off_import_hook() -> None:
    """From now on imports are Python's. Does nothing with a PySide that keeps the interpreter's import elsewhere."""
    own = getattr(builtins, "__orig_import__", None)
    if own is not None:
        builtins.__import__ = own
