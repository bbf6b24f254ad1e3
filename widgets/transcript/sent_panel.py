"""The screen of the step beside the transcript: as recorded, with the marks, or as it was sent to the model."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from stepscope.widgets import theme
from stepscope.widgets.common import SegmentedControl
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.transcript.block_painting import paint_said_point

RECORDED, MARKS, SENT = "recorded", "marks", "sent"


class StepPicture(QWidget):
    """A picture as large as it fits, with places as said on it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._image = QImage()
        self.points: tuple[tuple[float, float], ...] = ()
        self.setMinimumSize(120, 160)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme.notifier().changed.connect(self.update)

    @property
    def image(self) -> QImage:
        return self._image

    def set_image(self, image: QImage, points: tuple[tuple[float, float], ...] = ()) -> None:
        """Show a picture; `points` are shares of its width and height."""
        self._image, self.points = image, points
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(300, 600)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.current().canvas))
        if not self._image.isNull():
            room = QRectF(self.rect()).adjusted(12, 12, -12, -12)
            size = self._image.size().toSizeF().scaled(room.size(), Qt.AspectRatioMode.KeepAspectRatio)
            place = QRectF(room.center() - QPointF(size.width() / 2, size.height() / 2), size)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(place, self._image)
            for x, y in self.points:
                at = QPointF(place.left() + x * place.width(), place.top() + y * place.height())
                paint_said_point(painter, at, 14)
        painter.end()


class SentPanel(QWidget):
    """`chosen` fires when another of the three is wanted."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        bar = QWidget(self)
        bar.setProperty("bar", "tools")
        bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(bar)
        row.setContentsMargins(12, 4, 8, 4)
        self._title = QLabel("Screen", bar)
        self.choice = SegmentedControl(
            ((RECORDED, "Recorded"), (MARKS, "Marks"), (SENT, "As sent")), "What is shown of the screen", bar
        )
        self.choice.set_value(MARKS)
        self.choice.chosen.connect(self.chosen)
        row.addWidget(self._title, 1)
        row.addWidget(self.choice)
        self.picture = StepPicture(self)
        self._about = QLabel("", self)
        self._about.setWordWrap(True)
        self._about.setProperty("role", "secondary")
        self._about.setContentsMargins(12, 6, 12, 8)
        self._about.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column.addWidget(bar)
        column.addWidget(self.picture, 1)
        column.addWidget(self._about)
        self._about.hide()

    def show_step(self, words: str) -> None:
        """Say which step it is."""
        self._title.setText(straight(words))
        self.picture.setAccessibleName(straight(words))

    def show_picture(self, image: QImage, about: str = "", points: tuple[tuple[float, float], ...] = ()) -> None:
        """`about` is said below the picture, "" for nothing to say."""
        self.picture.set_image(image, points)
        self._about.setText(straight(about))
        self._about.setVisible(bool(about))

    def about(self) -> str:
        return self._about.text()
