"""How far work is, as a thin line. A QProgressBar paints at once, and with it everything else that waits to be painted;
this one is painted when the window's turn to paint comes."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from stepscope.widgets import theme

HEIGHT, RADIUS = 6, 3


class ThinBar(QWidget):
    """`state` is "" (at work), "silent" or "stopped". Of work whose end nobody knows only the track is shown."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.share: float | None = None
        self.state = ""
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.notifier().changed.connect(self.update)

    def set_progress(self, done: int, total: int | None, state: str = "") -> None:
        """`done` of `total`; the same again paints nothing."""
        share = min(max(done / total, 0.0), 1.0) if total else None
        if (share, state) != (self.share, self.state):
            self.share, self.state = share, state
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(88, HEIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.current()
        chunk = {"silent": colours.warn, "stopped": colours.dim}.get(self.state, colours.accent_background)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.line))
        painter.drawRoundedRect(QRectF(self.rect()), RADIUS, RADIUS)
        if self.share:
            painter.setBrush(QColor(chunk))
            width = max(self.width() * self.share, 2 * RADIUS)
            painter.drawRoundedRect(QRectF(0, 0, width, self.height()), RADIUS, RADIUS)
        painter.end()
