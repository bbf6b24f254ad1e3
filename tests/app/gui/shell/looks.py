"""What a person sees of a window, asked of its widgets: names, rings, words that are cut."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFontMetrics, QImage, QPixmap
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QLabel, QRadioButton, QTabBar, QToolButton, QWidget

from stepscope.widgets import theme
from stepscope.widgets.common import ElidedLabel

LEAST_SIDE = 12
"""Pixels of a side of the smallest thing that may be lit."""


def shown(window: QWidget) -> list[QWidget]:
    """All visible parts."""
    return [widget for widget in window.findChildren(QWidget) if widget.isVisible()]


def name_of(widget: QWidget) -> str:
    """Where a widget is, for messages."""
    chain = []
    part: QWidget | None = widget
    while part is not None and len(chain) < 4:
        chain.append(f"{type(part).__name__} {part.accessibleName() or part.objectName()}".strip())
        part = part.parentWidget()
    return " in ".join(chain)


def words_of(widget: QWidget) -> str:
    return widget.text() if isinstance(widget, QAbstractButton) else ""


def ring_of(stop: QWidget) -> int:
    """How many pixels wide the ring is at the middle of the upper edge, or a little below; of what is lit inside
    instead, such as one cell of several: 2 when there is enough of its colour for such a ring."""
    shot = QPixmap(stop.size())
    shot.fill(Qt.GlobalColor.black)
    stop.render(shot)
    colours = theme.current()
    image, ring = shot.toImage(), QColor(colours.text if stop.property("primary") else colours.selection_line)
    whole = stop.tabRect(stop.currentIndex()) if isinstance(stop, QTabBar) else stop.rect()
    edge = sum(image.pixelColor(whole.center().x(), y) == ring for y in range(whole.top(), whole.top() + 8))
    pixels = np.frombuffer(image.convertToFormat(QImage.Format.Format_RGB32).constBits(), np.uint32)
    inside = int(np.count_nonzero(pixels & 0xFFFFFF == ring.rgb() & 0xFFFFFF))
    return edge or (2 if inside >= 4 * LEAST_SIDE * 2 else 0)


def clipped(window: QWidget) -> set[str]:
    """Labels and buttons whose words have less room than they need, and do not end in … on purpose."""
    found = set()
    for widget in shown(window):
        if not isinstance(widget, QLabel | QAbstractButton) or not widget.text():
            continue
        if isinstance(widget.parentWidget(), QTabBar):
            continue
        metrics = QFontMetrics(widget.font())
        low = widget.contentsRect().height() < metrics.ascent() + metrics.descent()
        low = low and widget.height() < widget.sizeHint().height()  # some paint in a smaller font than their own
        if isinstance(widget, QLabel) and widget.wordWrap():
            cut = widget.height() < widget.heightForWidth(widget.width())
        elif isinstance(widget, ElidedLabel) or widget.sizeHint().width() <= widget.width():
            cut = False
        else:
            cut = _needed(widget, metrics) > widget.contentsRect().width()
        if low or cut:
            found.add(f"{name_of(widget)}: {widget.text()!r} in {widget.width()} × {widget.height()}")
    return found


def _needed(widget: QLabel | QAbstractButton, metrics: QFontMetrics) -> int:
    """Pixels that the words need, with the icon beside them."""
    width = max(metrics.horizontalAdvance(line) for line in widget.text().replace("&", "").split("\n"))
    beside = isinstance(widget, QToolButton) and widget.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonTextBesideIcon
    mark = 20 if isinstance(widget, QCheckBox | QRadioButton) else widget.iconSize().width() + 4 if beside else 0
    return width + mark
