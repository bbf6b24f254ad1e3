"""A window of nothing but a picture: another thread decodes a file by OpenCV, and the window paints it into itself."""

from __future__ import annotations

import time
from pathlib import Path

import cv2
import numpy as np
from PySide6.QtCore import QEventLoop, QRectF, QRunnable, Qt, QThreadPool, Signal
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget

from stepscope.core.imaging.parts import Pixels


class _Decoding(QRunnable):
    def __init__(self, viewer: BareViewer, file: Path) -> None:
        super().__init__()
        self._viewer, self._file = viewer, file

    def run(self) -> None:
        pixels = cv2.imdecode(np.frombuffer(self._file.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
        assert pixels is not None
        self._viewer.came.emit(pixels)


class BareViewer(QWidget):
    """`show_file` decodes, paints and returns the milliseconds from asking to painted."""

    came = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._pixels: Pixels | None = None
        self._painted = False
        self._threads = QThreadPool()
        self.came.connect(self._take)

    def show_file(self, file: Path) -> float:
        self._painted = False
        began = time.perf_counter()
        self._threads.start(_Decoding(self, file))
        while not self._painted:
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        return 1000 * (time.perf_counter() - began)

    def _take(self, pixels: Pixels) -> None:
        self._pixels = pixels
        self.repaint()
        self._painted = True

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), Qt.GlobalColor.black)
        if self._pixels is not None:
            height, width, _ = self._pixels.shape
            image = QImage(self._pixels.data, width, height, self._pixels.strides[0], QImage.Format.Format_BGR888)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            scale = min(self.width() / width, self.height() / height)
            painter.drawImage(QRectF(0, 0, width * scale, height * scale), image)
        painter.end()
