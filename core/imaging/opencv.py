"""The one place that imports OpenCV.

Importing it points Qt's variables at OpenCV's own Qt plugins, which would break our window (and that of a child
process): they are put back as they were.
"""

from __future__ import annotations

import os

_QT_VARIABLES = ("QT_QPA_PLATFORM_PLUGIN_PATH", "QT_QPA_FONTDIR")
_before = {name: os.environ.get(name) for name in _QT_VARIABLES}

import cv2  # noqa: E402

for _name, _value in _before.items():
    if _value is None:
        os.environ.pop(_name, None)
    else:
        os.environ[_name] = _value

cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)  # what cannot be read is told by our own errors

__all__ = ["cv2"]
