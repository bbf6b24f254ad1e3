"""The trajectory as the model saw it: a strip of all its screens, and the current one large."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPainterPath, QPen, QPixmap, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import (
    QFrame,
    QGraphicsPixmapItem,
    QGraphicsScene,
    QGraphicsView,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from stepscope.core.frozen import dataclass
from stepscope.widgets import theme
from stepscope.widgets.common import ElidedLabel, icon_button
from stepscope.widgets.common.fonts import derived
from stepscope.widgets.common.plain_words import straight
from stepscope.widgets.common.tiles import Place, Tiles
from stepscope.widgets.judge.screen_outlines import ScreenOutline, paint_outlines

LYING, STANDING, SMALL_LYING, SMALL_STANDING = QSize(128, 96), QSize(96, 150), QSize(96, 72), QSize(76, 96)
"""Thumbnails in logical pixels, of pages and of phones, with room and without."""
GAP, SIDE = 12, 16
LOW = 660
"""Below this height of the view thumbnails are small."""
MOST_ZOOM, ZOOM_STEP = 8.0, 1.25


@dataclass(frozen=True, slots=True)
class StripStep:
    """A step of the strip; `words` are what was done."""

    number: int
    words: str


class StepThumbs(Tiles):
    """`chosen` carries the place of a step. Its pictures come one by one; thumbnails stand where those do."""

    shape_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Steps of the trajectory", parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keys for steps work everywhere in the workspace
        self._steps: tuple[StripStep, ...] = ()
        self._pictures: dict[int, QImage | None] = {}
        self._small, self._stands = False, False

    def set_steps(self, steps: Sequence[StripStep]) -> None:
        self._steps, self._pictures = tuple(steps), {}
        self.tiles_changed()
        self.setFixedSize(self.sizeHint())

    def set_picture(self, place: int, image: QImage | None) -> None:
        """None: the step has no picture."""
        self._pictures[place] = image
        if image is not None and (image.height() > image.width()) != self._stands:
            self._stands = not self._stands
            self.setFixedSize(self.sizeHint())
            self.shape_changed.emit()
        self._repaint()

    def set_small(self, small: bool) -> None:
        if small != self._small:
            self._small = small
            self._repaint()
            self.setFixedSize(self.sizeHint())

    def steps(self) -> tuple[StripStep, ...]:
        return self._steps

    def thumb(self) -> QSize:
        if self._stands:
            return SMALL_STANDING if self._small else STANDING
        return SMALL_LYING if self._small else LYING

    def sizeHint(self) -> QSize:
        thumb = self.thumb()
        width = 2 * SIDE + max(0, len(self._steps) * (thumb.width() + GAP) - GAP)
        return QSize(width, 12 + thumb.height() + 5 + self._caption() + 8)

    def shape(self) -> Place:
        return (1, len(self._steps)) if self._steps else (0, 0)

    def tile(self, _row: int, column: int) -> QRectF:
        thumb = self.thumb()
        left = SIDE + column * (thumb.width() + GAP)
        return QRectF(left, 12, thumb.width(), thumb.height())

    def key(self, _row: int, column: int) -> Any:
        return column

    def words(self, _row: int, column: int) -> str:
        step = self._steps[column]
        return f"Step {step.number}. {step.words or 'The last screen'}"

    def paint_tile(self, painter: QPainter, row: int, column: int, *, hovered: bool) -> None:
        colours, place, step = theme.current(), self.tile(row, column), self._steps[column]
        path = QPainterPath()
        path.addRoundedRect(place, 6, 6)
        painter.save()
        painter.setClipPath(path)
        painter.fillPath(path, QColor(colours.inset))
        image = self._pictures.get(column)
        if image is not None:
            _paint_filling(painter, image, place)
        elif column in self._pictures:
            painter.setPen(QColor(colours.dim))
            painter.setFont(derived(self.font(), 11))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, "No picture")
        painter.restore()
        painter.setPen(QPen(QColor(colours.hover if hovered else colours.line), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)
        self._paint_number(painter, place, step.number)
        painter.setFont(derived(self.font(), 11))
        painter.setPen(QColor(colours.text if self._chosen == column else colours.secondary))
        below = QRect(round(place.left()), round(place.bottom()) + 5, round(place.width()), self._caption())
        words = painter.fontMetrics().elidedText(
            straight(step.words or "At the end"), Qt.TextElideMode.ElideRight, below.width()
        )
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, words)

    def _paint_number(self, painter: QPainter, place: QRectF, number: int) -> None:
        painter.setFont(derived(self.font(), 10.5, weight=QFont.Weight.Medium))
        metrics = painter.fontMetrics()
        width, height = metrics.horizontalAdvance(str(number)) + 10, metrics.height() + 2
        ground = QRectF(place.left() + 4, place.bottom() - height - 4, width, height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(13, 16, 20, 217))
        painter.drawRoundedRect(ground, 4, 4)
        painter.setPen(QColor("#FFFFFF"))
        painter.drawText(ground, Qt.AlignmentFlag.AlignCenter, str(number))

    def _caption(self) -> int:
        return max(16, self.fontMetrics().height())

    def _repaint(self) -> None:
        self._picture = None
        self.update()


def _paint_filling(painter: QPainter, image: QImage, place: QRectF) -> None:
    """The whole picture in the middle of the place."""
    scale = min(place.width() / image.width(), place.height() / image.height())
    size = QRectF(0, 0, image.width() * scale, image.height() * scale)
    size.moveCenter(place.center())
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.drawImage(size, image)


class TrajectoryPicture(QGraphicsView):
    """One screen, fitted until somebody zooms; drag and the arrows up and down move it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Screen of the step")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setDragMode(QGraphicsView.DragMode.ScrollHandDrag)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.AnchorUnderMouse)
        self.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.FullViewportUpdate)  # outlines are drawn on top
        self._scene = QGraphicsScene(self)
        self._item = QGraphicsPixmapItem()
        self._item.setTransformationMode(Qt.TransformationMode.SmoothTransformation)
        self._scene.addItem(self._item)
        self.setScene(self._scene)
        self._fitted, self._words = True, ""
        self._outlines: tuple[ScreenOutline, ...] = ()
        theme.notifier().changed.connect(self._viewport_anew)

    def set_image(self, image: QImage | None, words: str = "") -> None:
        """Show a screen, or words in its place."""
        self._item.setPixmap(QPixmap() if image is None else QPixmap.fromImage(image))
        self._scene.setSceneRect(self._item.boundingRect())
        self._words = straight(words)
        self.fit()

    def set_outlines(self, outlines: Sequence[ScreenOutline]) -> None:
        """Outline elements of the screen that is shown, in its pixels."""
        self._outlines = tuple(outlines)
        self.viewport().update()

    def outlines(self) -> tuple[ScreenOutline, ...]:
        return self._outlines

    def has_image(self) -> bool:
        return not self._item.pixmap().isNull()

    def fit(self) -> None:
        """The whole screen, never above its own size."""
        self._fitted = True
        self.resetTransform()
        room, size = self.viewport().size(), self._item.boundingRect().size()
        if size.isEmpty():
            return
        scale = min((room.width() - 32) / size.width(), (room.height() - 32) / size.height(), 1.0)
        self.scale(max(scale, 0.02), max(scale, 0.02))
        self.centerOn(self._item)

    def full(self) -> None:
        """A pixel of the picture on a pixel of the window."""
        self._fitted = False
        self.resetTransform()

    def zoom(self, factor: float) -> None:
        if 0.02 <= self.transform().m11() * factor <= MOST_ZOOM:
            self._fitted = False
            self.scale(factor, factor)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.zoom(ZOOM_STEP if event.angleDelta().y() > 0 else 1 / ZOOM_STEP)
        event.accept()

    def mouseDoubleClickEvent(self, event: Any) -> None:
        if self._fitted:
            self.full()
        else:
            self.fit()
        event.accept()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._fitted:
            self.fit()

    def drawBackground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        painter.fillRect(rect, QColor(theme.current().canvas))

    def drawForeground(self, painter: QPainter, _rect: QRectF | QRect) -> None:
        if self.has_image():
            room = QRectF(self.viewport().rect())
            paint_outlines(painter, self._outlines, self.viewportTransform(), room)
            return
        if not self._words:
            return
        painter.save()
        painter.resetTransform()
        painter.setPen(QColor(theme.current().dim))
        painter.drawText(self.viewport().rect(), Qt.AlignmentFlag.AlignCenter, self._words)
        painter.restore()

    def _viewport_anew(self) -> None:
        self.viewport().update()


class TrajectoryView(QWidget):
    """`step_chosen(place)`: a click in the strip, or the arrows below the picture."""

    step_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.thumbs = StepThumbs()
        self.picture = TrajectoryPicture()
        self._current = -1
        self._scroll = QScrollArea()
        self._scroll.setWidget(self.thumbs)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._scroll.setProperty("bar", "strip")
        self.thumbs.chosen.connect(self.step_chosen)
        self.thumbs.shape_changed.connect(self._fit_strip)
        foot = QWidget()
        foot.setProperty("bar", "foot")
        foot.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(foot)
        row.setContentsMargins(8, 4, 12, 4)
        row.setSpacing(8)
        self.back, self.on = (
            icon_button("previous", "Previous step", shortcut="K"),
            icon_button("next", "Next step", shortcut="J"),
        )
        self.back.clicked.connect(lambda: self.step_chosen.emit(max(self._current - 1, 0)))
        self.on.clicked.connect(lambda: self.step_chosen.emit(min(self._current + 1, len(self.thumbs.steps()) - 1)))
        self._place, self._words = QLabel(), ElidedLabel("", "secondary")
        self._legend = ElidedLabel("Marked as the model gets to see it", "dim")
        row.addWidget(self.back)
        row.addWidget(self._place)
        row.addWidget(self.on)
        row.addWidget(self._words, 1)
        row.addWidget(self._legend)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._scroll)
        column.addWidget(self.picture, 1)
        column.addWidget(foot)
        self.set_steps(())

    def set_steps(self, steps: Sequence[StripStep]) -> None:
        """Another trajectory; its pictures follow."""
        self.thumbs.set_steps(steps)
        self._current = -1
        self.picture.set_image(None)
        self._fit_strip()
        self._tell()

    def set_current(self, place: int) -> None:
        """The step at `place` is shown; its picture follows by `set_screen`."""
        self._current = place
        self.thumbs.set_chosen(place)
        self.thumbs._repaint()
        tile = self.thumbs.tile(0, place)
        self._scroll.ensureVisible(round(tile.center().x()), 0, round(tile.width()), 0)
        self._tell()

    def current(self) -> int:
        return self._current

    def set_screen(self, image: QImage | None, words: str = "", outlines: Sequence[ScreenOutline] = ()) -> None:
        self.picture.set_image(image, words)
        self.picture.set_outlines(outlines)

    def place_words(self) -> str:
        return self._place.text()

    def _tell(self) -> None:
        steps = self.thumbs.steps()
        there = 0 <= self._current < len(steps)
        self._place.setText(f"Step {self._current + 1} of {len(steps)}" if there else "No step")
        words = (steps[self._current].words or "The last screen") if there else ""
        self._words.setText(words)
        self.picture.setAccessibleName(f"{self._place.text()}. {words}" if there else "Screen of the step")
        self.back.setEnabled(there and self._current > 0)
        self.on.setEnabled(there and self._current < len(steps) - 1)

    def _fit_strip(self) -> None:
        self.thumbs.set_small(self.height() < LOW)
        scrolls = self.thumbs.width() > self._scroll.viewport().width()
        bar = self._scroll.horizontalScrollBar().sizeHint().height() if scrolls else 0
        self._scroll.setFixedHeight(self.thumbs.sizeHint().height() + bar)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_strip()
        self._legend.setVisible(self.width() > 560)


def image_of(pixels: Any) -> QImage:
    """RGB bytes, height × width × 3, as an image that owns its memory; may be called on any thread."""
    height, width = pixels.shape[:2]
    data = pixels.tobytes()
    return QImage(data, width, height, 3 * width, QImage.Format.Format_RGB888).copy()


def thumbnail_of(image: QImage, ratio: float = 2.0) -> QImage:
    """The image as small as the strip shows it; may be called on any thread."""
    place = STANDING if image.height() > image.width() else LYING
    room = QSize(round(place.width() * ratio), round(place.height() * ratio))
    return image.scaled(room, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
