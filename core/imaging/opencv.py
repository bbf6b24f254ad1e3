"""The one place that imports OpenCV, when something of it is first used.

Importing it points Qt's variables at OpenCV's own Qt plugins, which would break our window (and that of a child
process): they are put back as they were.
"""

from __future__ import annotations

import os
import threading
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import cv2

_QT_VARIABLES = ("QT_QPA_PLATFORM_PLUGIN_PATH", "QT_QPA_FONTDIR")
_importing = threading.Lock()
"""No thread may take for ours the variables that another one's import has just set."""


@cache
def load_opencv() -> Any:
    """The package, imported now: before another that does so by itself."""
    with _importing:
        before = {name: os.environ.get(name) for name in _QT_VARIABLES}
        import cv2

        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)  # what cannot be read is told by our own errors
    return cv2


class _LateOpenCV:
    def __getattr__(self, attribute: str) -> Any:
        return getattr(load_opencv(), attribute)


if not TYPE_CHECKING:
    cv2 = _LateOpenCV()

__all__ = ["cv2", "load_opencv"]
