"""A step that would turn in another space, on its screen: hollow where it is read now, filled where it would be."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from stepscope.widgets import theme
from stepscope.widgets.common.plain_words import straight, tip_words
from stepscope.widgets.common.run_glyph import paint_run_glyph
from stepscope.widgets.results.coordinates_values import Fraction, TurnRow

GLYPH, LEAST, HIGH = 18, 150, 260
CAPTION, GAP = 20, 6


class TurnedScreen(QWidget):
    """Paints the whole screen as large as there is room, the words about it below."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._turn: TurnRow | None = None
        self._image = QImage()
        self._letter: int | None = None
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(LEAST, LEAST)

    def sizeHint(self) -> QSize:
        return QSize(HIGH, HIGH)

    def set_turn(self, turn: TurnRow | None, letter: int | None) -> None:
        """The step; `letter` is the run's, None where it has none. Its screen comes with `set_image`."""
        self._turn, self._letter, self._image = turn, letter, QImage()
        self.setAccessibleName("" if turn is None else turn.whole)
        self.setToolTip(tip_words("" if turn is None else turn.whole))
        self.update()

    def set_image(self, image: QImage) -> None:
        """The screen of the step that was set last."""
        self._image = image
        self.update()

    @property
    def image(self) -> QImage:
        """The screen that is shown; null before it is there."""
        return self._image

    def place_of(self, at: Fraction) -> QPointF:
        """Where a place on the screen lies in the widget; one outside it lies at its edge."""
        screen = self._screen()
        x, y = (min(max(value, 0.0), 1.0) for value in at)
        return QPointF(screen.left() + x * screen.width(), screen.top() + y * screen.height())

    def _screen(self) -> QRectF:
        room = QSize(self.width(), max(1, self.height() - CAPTION - GAP))
        size = self._image.size().scaled(room, Qt.AspectRatioMode.KeepAspectRatio)
        return QRectF((self.width() - size.width()) / 2, 0, size.width(), size.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        turn = self._turn
        if turn is None:
            return
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        if not self._image.isNull():
            screen = self._screen()
            painter.drawImage(screen, self._image)
            painter.setPen(QPen(QColor(theme.current().line), 1))
            painter.drawRect(screen)
            self._paint_marks(painter, turn)
        painter.setPen(QColor(theme.current().secondary))
        words = painter.fontMetrics().elidedText(straight(turn.about), Qt.TextElideMode.ElideRight, self.width())
        line = QRectF(0, self.height() - CAPTION, self.width(), CAPTION)
        painter.drawText(line, Qt.AlignmentFlag.AlignCenter, words)
        painter.end()

    def _paint_marks(self, painter: QPainter, turn: TurnRow) -> None:
        colours = theme.current()
        if turn.target is not None:
            left, top, right, bottom = turn.target
            box = QRectF(self.place_of((left, top)), self.place_of((right, bottom)))
            for width, edge in ((4.0, colours.window), (2.0, colours.reference)):
                painter.setPen(QPen(QColor(edge), width))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(box, 3, 3)
        colour = colours.accent if self._letter is None else colours.run_colour(self._letter)
        now, then = (None if at is None else self.place_of(at) for at in (turn.now_at, turn.then_at))
        if now is not None and then is not None:
            for width, line in ((4.0, colours.window), (2.0, colour)):
                painter.setPen(QPen(QColor(line), width))
                painter.drawLine(now, then)
        for at, filled in ((now, False), (then, True)):
            if at is not None:
                place = QRectF(at.x() - GLYPH / 2, at.y() - GLYPH / 2, GLYPH, GLYPH)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(colours.window))
                painter.drawEllipse(place.adjusted(-2, -2, 2, 2))
                if self._letter is not None:
                    paint_run_glyph(painter, place, self._letter, filled=filled, crossed=not filled, letter=filled)
                    continue
                painter.setPen(QPen(QColor(colour), 2))
                painter.setBrush(QColor(colour) if filled else Qt.BrushStyle.NoBrush)
                painter.drawEllipse(place.adjusted(1, 1, -1, -1))
