"""The sign of a run whose places may be misread, at the end of its name wherever runs are listed."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter

from stepscope.widgets import icons, theme

SIGN, GAP = 12, 4


def paint_doubt(painter: QPainter, line: QRect) -> QRect:
    """The sign at the right of the line; gives what is left of it for the name."""
    sign = QRect(line.right() - SIGN, line.center().y() - SIGN // 2, SIGN, SIGN)
    icons.icon("axes", lambda: theme.current().warn).paint(painter, sign)
    return line.adjusted(0, 0, sign.left() - GAP - line.right(), 0)
