"""A small picture with a mark where the model acts and one where the recording does."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from stepscope.widgets import theme
from stepscope.widgets.common.plain_words import tip_words
from stepscope.widgets.models.adding.values import ShownPicture

HEIGHT, LEAST = 320, 120
RADIUS = 8


class MarkedPicture(QWidget):
    """Paints the whole picture as large as there is room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture: ShownPicture | None = None
        self._image = QImage()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(HEIGHT)

    def set_picture(self, picture: ShownPicture | None) -> None:
        self._picture = picture
        self._image = QImage.fromData(picture.data) if picture is not None else QImage()
        self.setAccessibleName(picture.title if picture is not None else "")
        self.setToolTip(tip_words(picture.title if picture is not None else ""))
        self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(LEAST, HEIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._picture is None or self._image.isNull():
            return
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        size = self._image.size().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        place = QRectF((self.width() - size.width()) / 2, 0, size.width(), size.height())
        painter.drawImage(place, self._image)
        colours = theme.current()
        painter.setPen(QPen(QColor(colours.line), 1))
        painter.drawRect(place)
        for mark, colour in ((self._picture.reference, colours.reference), (self._picture.mark, colours.run_a)):
            if mark is not None:
                at = QPointF(place.left() + mark[0] * place.width(), place.top() + mark[1] * place.height())
                painter.setPen(QPen(QColor(colours.window), 4))
                painter.drawEllipse(at, RADIUS, RADIUS)
                painter.setPen(QPen(QColor(colour), 2))
                painter.drawEllipse(at, RADIUS, RADIUS)
                painter.drawPoint(at)
        painter.end()
