"""The zone in which an app's file is dropped to be installed; it is also a button."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QFont,
    QFontMetrics,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from stepscope.widgets import icons, theme
from stepscope.widgets.common.buttons import PaintedButton, paint_focus_ring
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.live.live_state import InstallState

WORDS, LET_GO = "Drop an .apk here to install it", "Let go to install it"
HEIGHT, SIGN, GAP = 56, 15, 8
ENDING = ".apk"


def dropped_apk(event: QDropEvent | QDragEnterEvent) -> str:
    """Path of the one app file that is dragged, "" where it is something else."""
    urls = event.mimeData().urls()
    paths = [url.toLocalFile() for url in urls if url.isLocalFile()]
    return paths[0] if len(urls) == 1 and paths and Path(paths[0]).suffix.lower() == ENDING else ""


class DropZone(PaintedButton):
    """`apk_dropped` gives the file's path; a click asks for a file (`browse_requested`)."""

    apk_dropped = Signal(str)
    browse_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = InstallState()
        self._over = False
        self.setAcceptDrops(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.clicked.connect(self.browse_requested)
        theme.notifier().changed.connect(self.update)
        self.show_state(InstallState())

    def show_state(self, state: InstallState) -> None:
        """Show how far an installation is, how it ended, or why none can be."""
        self._state = state
        self.setEnabled(not state.why_not and state.share is None)
        self.setAccessibleName("Install an app")
        self.setAccessibleDescription(self.words())
        self.setToolTip(tip_words(self.words()))
        self.updateGeometry()
        self.update()

    def words(self) -> str:
        if self._over:
            return LET_GO
        return self._state.words or self._state.why_not or WORDS

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        room = max(60, width - 2 * 12 - SIGN - GAP)
        wrap = int(Qt.TextFlag.TextWordWrap)
        words = QFontMetrics(self._font()).boundingRect(0, 0, room, 10_000, wrap, self.words())
        return max(HEIGHT, words.height() + 24)

    def sizeHint(self) -> QSize:
        return QSize(240, self.heightForWidth(max(self.width(), 240)))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, HEIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        lit = self._over or (self.underMouse() and self.isEnabled())
        painter.setPen(QPen(QColor(colours.accent if lit else colours.line), 1.5, Qt.PenStyle.DashLine))
        painter.setBrush(QColor(colours.selection) if self._over else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(frame, 8, 8)
        if self._state.share is not None:
            self._paint_progress(painter, frame)
        self._paint_words(painter)
        if self.hasFocus():
            paint_focus_ring(painter, self.rect())
        painter.end()

    def _paint_progress(self, painter: QPainter, frame: QRectF) -> None:
        """A bar along the foot."""
        colours, share = theme.current(), min(max(self._state.share or 0.0, 0.0), 1.0)
        bar = QRectF(frame.left() + 12, frame.bottom() - 9, frame.width() - 24, 4)
        painter.setPen(Qt.PenStyle.NoPen)
        for width, colour in ((bar.width(), colours.line), (bar.width() * share, colours.accent_background)):
            painter.setBrush(QColor(colour))
            painter.drawRoundedRect(QRectF(bar.left(), bar.top(), width, bar.height()), 2, 2)

    def _paint_words(self, painter: QPainter) -> None:
        colours = theme.current()
        colour = {"error": colours.miss, "done": colours.hit}.get(self._state.kind, colours.dim)
        painter.setFont(self._font())
        wrap = int(Qt.TextFlag.TextWordWrap)
        room = QRect(0, 0, self.width() - 2 * 12 - SIGN - GAP, self.height())
        words = painter.fontMetrics().boundingRect(room, wrap, self.words())
        left = (self.width() - words.width() - SIGN - GAP) // 2
        lift = 4 if self._state.share is not None else 0
        top = (self.height() - words.height()) // 2 - lift
        icons.icon("install", colour).paint(painter, QRect(left, (self.height() - SIGN) // 2 - lift, SIGN, SIGN))
        painter.setPen(QColor(colour))
        painter.drawText(QRect(left + SIGN + GAP, top, words.width() + 2, words.height()), wrap, self.words())

    def _font(self) -> QFont:
        return derived(self.font(), 12)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_apk(event):
            self._show_over(True)
            event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._show_over(False)
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        path = dropped_apk(event)
        self._show_over(False)
        if path:
            event.acceptProposedAction()
            self.apk_dropped.emit(path)

    def _show_over(self, over: bool) -> None:
        self._over = over
        self.update()
